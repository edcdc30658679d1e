// SPDX-License-Identifier: MIT
#include <jig/data/in_trace.hpp>

#include <doctest/doctest.h>

#include <array>
#include <boost/hana.hpp>
#include <vector>

namespace {

namespace data = jig::data;

constexpr auto weighted = jig::function<"weighted(samples, start)">([](auto samples, auto start) {
  auto sum = start;
  for (auto [x, y] : samples) sum = sum + jig::reduce_sum(x) * y;
  return sum;
});
constexpr auto weighted_batches = jig::function<"weighted(batches, start)">([](auto batches, auto start) {
  auto sum = start;
  for (auto [x, y] : batches) sum = sum * 2 + jig::reduce_sum(jig::reduce_sum<1>(x) * y);
  return sum;
});

TEST_CASE("A loop over slices is one node, however many there are") {
  const jig::tensor<float, 3, 2> three{{1, 2}, {3, 4}, {5, 6}};
  const std::vector<float> y{1, 2, 3}, zeros(10);
  const jig::tensor<float, 10, 2> ten;
  const jig::tensor<float> zero;
  const auto few = data::from_tensor_slices(three, y);
  const auto many = data::from_tensor_slices(ten, zeros);
  CHECK(weighted(few, zero)() == 3 * 1 + 7 * 2 + 11 * 3);
  CHECK(weighted(many, zero)() == 0);
  const auto of_few = weighted.get_concrete_function(few, zero);
  const auto of_many = weighted.get_concrete_function(many, zero);
  static_assert(of_few.graph().count("While") == 1);
  static_assert(of_few.graph().size() == of_many.graph().size());
  CHECK(weighted.eager(few, zero)() == 50);
}

TEST_CASE("Batches of a known size leave out what is over") {
  std::vector<std::array<float, 2>> x;
  std::vector<float> y;
  for (const int rows : {0, 1, 2, 3, 4, 5, 6}) {
    const auto samples = data::from_tensor_slices(x, y);
    float expected = 1;
    for (int i = 0; i + 1 < rows; i += 2) {
      float sum = 0;
      for (int j = i; j < i + 2; ++j)
        sum += (x[static_cast<std::size_t>(j)][0] + x[static_cast<std::size_t>(j)][1]) * y[static_cast<std::size_t>(j)];
      expected = expected * 2 + sum;
    }
    CHECK(weighted_batches(samples.batch<2>(), 1.0f)() == expected);
    x.push_back({static_cast<float>(rows), 1});
    y.push_back(static_cast<float>(2 * rows - 3));
  }
  const jig::tensor<float, 5, 2> fixed{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}};
  CHECK(weighted_batches(data::from_tensor_slices(fixed, std::array<float, 5>{1, 2, 3, 4, 5}).batch<2>(), 0.0f)() == 17 * 2 + 93);
}

constexpr auto sum_of = jig::function<"sum_of(numbers)">([](auto numbers, auto start) {
  auto sum = start;
  for (auto x : numbers) sum = sum + x;
  return sum;
});
constexpr auto squared = jig::function<"squared(x)">([](auto x) { return x * x; });

TEST_CASE("Maps of functions that do not capture, of one component and of several") {
  const std::vector<int> x{1, 2, 3, 4};
  const jig::tensor<int, 4> y{10, 20, 30, 40};
  const auto one = data::from_tensor_slices(x);
  CHECK(sum_of(one, 0)() == 10);
  CHECK(sum_of(one.map(squared), 0)() == 30);
  CHECK(sum_of(one.map(squared).map([](auto n) { return n + 1; }), 0)() == 34);
  CHECK(sum_of(data::from_tensor_slices(x, y).map([](auto a, auto b) { return a * b; }), 0)() == 300);
  CHECK(sum_of(data::from_tensor_slices(x, y).batch<2>().map([](auto a, auto b) { return jig::reduce_max(a * b); }), 0)() == 40 + 160);
}

TEST_CASE("Memory in another order, and objects that the dataset keeps") {
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  const jig::view<jig::column_major<const float>, jig::dyn, 2> columns(numbers, 3);
  CHECK(weighted(data::from_tensor_slices(columns, std::vector<float>{1, 10, 100}), jig::tensor<float>())() == 5 + 70 + 900);
}

struct line {
  BOOST_HANA_DEFINE_STRUCT(line, (jig::variable<double>, slope), (jig::variable<double>, offset));
};
constexpr auto train = jig::function<"train(model, samples)">([](auto& model, auto samples) {
  for (auto [x, y] : samples) {
    auto loss = jig::reduce_mean(jig::square(model.slope * x + model.offset - y));
    auto g = jig::gradient(loss, model);
    model.slope.assign_sub(0.1 * boost::hana::at_key(g, BOOST_HANA_STRING("slope")));
    model.offset.assign_sub(0.1 * boost::hana::at_key(g, BOOST_HANA_STRING("offset")));
  }
});

TEST_CASE("Training in one call: the same graph for 3 and for 10 pairs") {
  std::vector<double> x{1, -2, 0.5, 3, 1.5, -1, 0.25, 2, 1, 0}, y;
  for (const double v : x) y.push_back(3 * v - 1);
  line model;
  train(model, data::from_tensor_slices(x, y).batch<2>());
  double slope = 0, offset = 0;
  for (std::size_t i = 0; i < x.size(); i += 2) {
    double to_slope = 0, to_offset = 0;
    for (std::size_t j = i; j < i + 2; ++j) {
      const double error = slope * x[j] + offset - y[j];
      to_slope += error * x[j];
      to_offset += error;
    }
    slope -= 0.1 * to_slope;
    offset -= 0.1 * to_offset;
  }
  CHECK(model.slope.value()() == doctest::Approx(slope).epsilon(1e-12));
  CHECK(model.offset.value()() == doctest::Approx(offset).epsilon(1e-12));
  const std::array<double, 3> x3{1, 2, 3}, y3{1, 2, 3};
  const std::array<double, 10> x10{}, y10{};
  const auto three = train.get_concrete_function(model, data::from_tensor_slices(x3, y3));
  const auto ten = train.get_concrete_function(model, data::from_tensor_slices(x10, y10));
  static_assert(three.graph().size() == ten.graph().size());
  static_assert(three.graph().count("While") == 1);
}

}  // namespace
