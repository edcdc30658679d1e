// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

TEST_CASE("gather") {
  auto x = counted<int, 3, 2>();
  auto rows = both([](const auto& v, const auto& i) { return jig::gather(v, i); }, x, std::array<int, 4>{2, 0, 0, 1});
  static_assert(std::is_same_v<decltype(rows), jig::tensor<int, 4, 2>>);
  CHECK(elements(rows) == ints{4, 5, 0, 1, 0, 1, 2, 3});
  // the last one: strided inputs, strided indices
  auto f = jig::function<"f(x, i, k)">([](auto v, auto i, auto k) {
    return std::tuple(jig::gather(v, 2), jig::gather<-1>(v, i), jig::gather(jig::transpose(v), jig::reverse(k)));
  });
  auto [row, columns, turned] = f(x, jig::tensor<std::int64_t, 2, 2>{{1, 0}, {1, 1}}, std::array<int, 2>{0, 1});
  static_assert(std::is_same_v<decltype(row), jig::tensor<int, 2>>);
  CHECK(elements(row) == ints{4, 5});
  CHECK(elements(turned) == ints{1, 3, 5, 0, 2, 4});
  static_assert(std::is_same_v<decltype(columns), jig::tensor<int, 3, 2, 2>>);
  CHECK(elements(columns) == ints{1, 0, 1, 1, 3, 2, 3, 3, 5, 4, 5, 5});
  auto middle = jig::gather<1>(counted<double, 2, 3, 2>(), std::vector<std::uint8_t>{2, 1});
  static_assert(std::is_same_v<decltype(middle), jig::tensor<double, 2, dyn, 2>>);
  CHECK(elements(middle) == std::vector<double>{4, 5, 2, 3, 10, 11, 8, 9});
  CHECK(jig::gather(jig::tensor<std::string, 2>{"a", "b"}, 1)() == "b");
  CHECK(jig::gather(counted<int, dyn, dyn>(3, 2), jig::tensor<int, dyn>{}).size() == 0);
  CHECK(jig::gather<1>(jig::zeros<int, 0, 3>(), 7).size() == 0);
}

TEST_CASE("an index out of range throws") {
  auto x = counted<int, 3, 2>();
  CHECK(message_of([&] { (void)jig::gather(counted<int, dyn, dyn>(3, 2), jig::tensor<int, dyn>{0, 7}); }) ==
        "GatherV2: index 7 is out of range for axis 0 with 3 elements");
  CHECK(message_of([&] { (void)jig::gather<1>(x, std::array<int, 2>{0, -1}); }) ==
        "GatherV2: index -1 is out of range for axis 1 with 2 elements");
  CHECK(message_of([&] { (void)jig::gather(jig::zeros<int, dyn, dyn>(0, 2), jig::tensor<int, dyn>{0}); }) ==
        "GatherV2: index 0 is out of range for axis 0 with 0 elements");
  CHECK_THROWS_AS(jig::gather(x, ~std::uint64_t{0}), jig::invalid_argument);
  CHECK(message_of([&] { (void)jig::gather_nd(jig::zeros<int, 2, 3, 2>(), jig::tensor<int, dyn, 3>{{1, 3, 0}}); }) ==
        "GatherNd: index 3 is out of range for axis 1 with 3 elements");
}

TEST_CASE("parts along the first axis") {
  auto x = counted<int, 3, 2>();
  CHECK(elements(jig::element(x, 1)) == ints{2, 3});
  auto f = jig::function<"f(x, i)">([](auto v, auto i) {
    return std::tuple(jig::element(v, i) + jig::element(v, jig::lit<0>), jig::element(v, jig::lit<-1>),
                      jig::element(jig::element(v, i), 1));
  });
  auto [sum, last, number] = f(x, 2);
  CHECK(elements(sum) == ints{4, 6});
  CHECK(elements(last) == ints{4, 5});
  CHECK(number() == 5);
  CHECK_THROWS_AS(jig::element(x, -1), jig::invalid_argument);
  static_assert(
      gives<jig::spec<float, 4>>([](auto v, auto i) { return jig::element(v, i); }, jig::spec<float, dyn, 4>(), jig::spec<int>()));
}

// Positions in a column of a matrix, as many as are brought together and one more or less; `Size` elements at each.
template <jig::index Size, class I>
int wrong_at_column(jig::index count) {
  constexpr jig::index rows = 7;
  const auto in_column = jig::function([](auto v, auto pairs) { return jig::gather(v, jig::strided_slice<jig::all, 1>(pairs)); });
  auto x = jig::zeros<float, rows, Size>();
  auto pairs = jig::zeros<I, dyn, 2>(count);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
  for (jig::index i = 0; i < count; ++i) pairs(i, 0) = 100, pairs(i, 1) = static_cast<I>(i * 5 % rows);
  const auto found = in_column(x, pairs);
  int wrong = !(found.shape() == jig::shape{2, {count, Size}});
  for (jig::index i = 0; i < count; ++i)
    for (jig::index k = 0; k < Size; ++k) wrong += found(i, k) != x(i * 5 % rows, k);
  if (count > 0) {
    pairs(count - 1, 1) = rows;
    wrong += message_of([&] { (void)in_column(x, pairs); }) != "GatherV2: index 7 is out of range for axis 0 with 7 elements";
  }
  return wrong;
}
TEST_CASE("positions that lie apart") {
  int wrong = 0;
  for (jig::index count : {0, 1, 7, 8, 63, 64, 65, 200})
    wrong += wrong_at_column<1, std::int32_t>(count) + wrong_at_column<3, std::int64_t>(count) + wrong_at_column<20, std::uint8_t>(count);
  CHECK(wrong == 0);
  // Of dynamic tensors, along another axis, and of parts that do not lie one behind another.
  const auto column = [](auto v, auto i) {
    auto at = jig::strided_slice<jig::all, 0>(i);
    return std::tuple(jig::gather(v, at), jig::gather<1>(v, at), jig::gather(jig::transpose(v), at));
  };
  const auto [rows, columns, turned] = jig::function(column)(counted<int, dyn, dyn>(3, 3), jig::tensor<int, dyn, 2>{{2, 9}, {0, 9}});
  CHECK(elements(rows) == ints{6, 7, 8, 0, 1, 2});
  CHECK(elements(columns) == ints{2, 0, 5, 3, 8, 6});
  CHECK(elements(turned) == ints{2, 5, 8, 0, 3, 6});
}

TEST_CASE("gather of the same positions of many rows") {
  // As many positions as registers hold, and one more; parts of one element and of several; one row and none.
  constexpr auto f = jig::function([](auto v, auto i) { return jig::gather<1>(v, i); });
  const auto check = [&](const auto& x, const auto& at) {
    const auto y = f(x, at);
    const jig::index parts = static_cast<jig::index>(at.size()), size = x.extent(2);
    REQUIRE(y.size() == x.extent(0) * parts * size);
    bool same = true;
    for (jig::index i = 0; i < x.extent(0); ++i)
      for (jig::index k = 0; k < parts; ++k)
        for (jig::index j = 0; j < size; ++j)
          same = same && y.data()[(i * parts + k) * size + j] == x(i, static_cast<jig::index>(at.data()[k]), j);
    CHECK(same);
  };
  jig::tensor<int, 16> few;
  jig::tensor<std::uint8_t, 17> many;
  for (jig::index k = 0; k < 17; ++k) {
    if (k < 16) few(k) = static_cast<int>(k * 5 % 7);
    many(k) = static_cast<std::uint8_t>(k * 3 % 7);
  }
  for (jig::index rows : {0, 1, 2, 9}) {
    check(counted<int, dyn, 7, 1>(rows), few);
    check(counted<double, dyn, dyn, 3>(rows, 7), many);
    check(counted<std::uint8_t, dyn, 7, dyn>(rows, 2), std::vector<int>{6, 0, 3});
  }
  check(counted<int, 5, 7, 1>(), few);
  auto y = jig::zeros<int, 3, 2>();
  const auto x = counted<int, 3, 4>();
  CHECK_THROWS_AS(f.into(y, x, std::array<int, 2>{1, 4}), jig::invalid_argument);
  CHECK(elements(y) == ints{0, 0, 0, 0, 0, 0});
}

namespace {

// gather<Axis, Batch>(x, at) one element after the other.
template <int Axis, int Batch, class T>
std::vector<T> plain_gather(const std::vector<T>& x, jig::shape extents, const std::vector<int>& at, jig::shape positions) {
  const auto product = [](const jig::shape& s, int from, int to) {
    jig::index n = 1;
    for (int a = from; a < to; ++a) n *= s[a];
    return n;
  };
  const jig::index batches = product(extents, 0, Batch), outer = product(extents, Batch, Axis), extent = extents[Axis],
                   inner = product(extents, Axis + 1, extents.rank), count = product(positions, Batch, positions.rank);
  std::vector<T> out;
  for (jig::index b = 0; b < batches; ++b)
    for (jig::index o = 0; o < outer; ++o)
      for (jig::index k = 0; k < count; ++k)
        for (jig::index i = 0; i < inner; ++i)
          out.push_back(x[static_cast<std::size_t>(((b * outer + o) * extent + at[static_cast<std::size_t>(b * count + k)]) * inner + i)]);
  return out;
}

// Positions without a pattern.
template <class At>
At some_positions(At at, jig::index extent) {
  for (jig::index k = 0; k < at.size(); ++k) at.data()[k] = static_cast<typename At::value_type>((k * 7919 + 31) % 1009 % extent);
  return at;
}

template <int Axis, int Batch>
constexpr auto batched = jig::function([](auto v, auto i) { return jig::gather<Axis, Batch>(v, i); });
// The gradient of a sum, each of whose terms has a weight of its own.
template <int Axis, int Batch>
constexpr auto batched_gradient =
    jig::function([](auto v, auto i, auto weights) { return jig::gradient(jig::reduce_sum(jig::gather<Axis, Batch>(v, i) * weights), v); });

template <int Axis, int Batch, class X, class At>
void check_batched(const X& x, const At& at) {
  CAPTURE(x.shape().rank);
  CAPTURE(x.size());
  CAPTURE(at.size());
  const ints where(at.begin(), at.end());
  const auto expected = plain_gather<Axis, Batch>(elements(x), x.shape(), where, at.shape());
  const auto y = batched<Axis, Batch>(x, at);
  CHECK(elements(y) == expected);
  // Every element is the number of its place: what a weight is added to is where the plain loop found it.
  auto weights = y;
  for (jig::index k = 0; k < weights.size(); ++k) weights.data()[k] = static_cast<double>(k % 13 - 5);
  std::vector<double> sums(static_cast<std::size_t>(x.size()));
  for (std::size_t k = 0; k < expected.size(); ++k) sums[static_cast<std::size_t>(expected[k])] += weights.data()[k];
  CHECK(elements(batched_gradient<Axis, Batch>(x, at, weights)) == sums);
}

}  // namespace

TEST_CASE("gather with positions of their own for each item of a batch") {
  for (jig::index batches : {0, 1, 2, 7})
    for (jig::index rows : {1, 3})
      for (jig::index n : {1, 2, 9}) {
        const auto positions = some_positions(jig::zeros<int, dyn, dyn>(batches, n), 5);
        check_batched<1, 1>(counted<double, dyn, dyn, dyn>(batches, 5, rows), positions);
        check_batched<2, 1>(counted<double, dyn, dyn, dyn>(batches, rows, 5), positions);
        check_batched<2, 2>(counted<double, dyn, dyn, dyn>(batches, n, 5), positions);
      }
  check_batched<1, 1>(counted<double, 3, 4>(), some_positions(jig::tensor<std::int64_t, 3, 2>(), 4));
  check_batched<2, 1>(counted<double, 2, 3, 4, 2>(), some_positions(jig::tensor<std::uint8_t, 2, 2, 2>(), 4));
}

TEST_CASE("axes from behind, strided operands and strings in a batch") {
  const auto f = jig::function([](auto v, auto i) {
    return std::tuple(jig::gather<-1, -1>(v, i),
                      jig::gather<1, 1>(jig::strided_slice<jig::range_of(0, 2)>(jig::transpose(v)), jig::transpose(i)),
                      jig::gather<1, 1>(v, jig::strided_slice<jig::all, 0>(i)), jig::gather<1, 1>(v, jig::tensor<int, 3>{0, 1, 2}));
  });
  const auto [last, turned, one, diagonal] = f(counted<int, 3, 3>(), jig::tensor<int, 3, 2>{{2, 0}, {1, 1}, {0, 2}});
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(one)>, jig::tensor<int, 3>>);
  CHECK(elements(one) == ints{2, 4, 6});
  // Positions that are constants, and one after the other.
  CHECK(elements(diagonal) == ints{0, 4, 8});
  // of x: {0 1 2}, {3 4 5}, {6 7 8}
  CHECK(elements(last) == ints{2, 0, 4, 4, 6, 8});
  CHECK(elements(turned) == ints{6, 3, 0, 1, 4, 7});
  const auto words = jig::gather<1, 1>(jig::tensor<std::string, 2, 2>{{"a", "b"}, {"c", "d"}}, jig::tensor<int, 2, 1>{{1}, {0}});
  CHECK(elements(words) == std::vector<std::string>{"b", "c"});
}

TEST_CASE("batches that do not fit are refused") {
  const auto x = counted<int, dyn, 3>(2);
  CHECK(message_of([&] { (void)batched<1, 1>(x, jig::tensor<int, dyn, 2>(3)); }) ==
        "GatherV2: the batch axes of the indices differ from those of the tensor: int32 (2, 3) and int32 (3, 2)");
  CHECK(message_of([&] { (void)batched<1, 1>(x, jig::tensor<int, 2, 2>{{0, 1}, {2, 3}}); }) ==
        "GatherV2: index 3 is out of range for axis 1 with 3 elements");
  const auto why = [](jig::tensor_spec v, jig::tensor_spec at, jig::index axis, jig::index batch) {
    const jig::attribute_view with[] = {{"axis", jig::attribute_kind::integer, {&axis, 1}},
                                        {"batch_dims", jig::attribute_kind::integer, {&batch, 1}}};
    const jig::tensor_spec inputs[] = {v, at};
    const auto outcome = jig::detail::infer(jig::ops::gather, inputs, with);
    return std::string(outcome.failed ? outcome.failure : "");
  };
  const jig::tensor_spec v{jig::dtype::float32, {2, {2, 3}}}, at{jig::dtype::int32, {1, {2}}}, others{jig::dtype::int32, {1, {3}}};
  CHECK(why(v, at, 1, 1) == "");
  CHECK(why(v, others, 1, 1) == "the batch axes of the indices differ from those of the tensor");
  CHECK(why(v, at, 0, 1) == "the axis must lie behind the batch_dims first ones");
  CHECK(why(v, at, 1, 2) == "the indices have fewer axes than batch_dims says");
  CHECK(why(v, at, 1, -2) == "the indices have fewer axes than batch_dims says");
}

TEST_CASE("gather_nd") {
  auto x = counted<int, 2, 3, 2>();
  auto y = traced([](const auto& v, const auto& i) { return jig::gather_nd(v, i); }, x, jig::tensor<int, 2, 2>{{1, 2}, {0, 1}});
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 2>>);
  CHECK(elements(y) == ints{10, 11, 2, 3});
  auto singles = jig::gather_nd(x, jig::tensor<int, dyn, 3>{{1, 2, 0}, {0, 0, 1}});
  static_assert(std::is_same_v<decltype(singles), jig::tensor<int, dyn>>);
  CHECK(elements(singles) == ints{10, 1});
  auto f = jig::function<"f(x)">([](auto v) {
    return std::tuple(jig::gather_nd(v, jig::tensor<int, 3>{1, 1, 1}), jig::gather_nd(v, jig::zeros<int, 2, 0>()),
                      jig::gather_nd(jig::transpose(v), jig::tensor<int, 1, 2>{{1, 2}}));
  });
  auto [one, whole, turned] = f(x);
  CHECK(one() == 9);
  CHECK(whole.size() == 24);
  CHECK(elements(turned) == ints{5, 11});
}

TEST_CASE("what nobody uses is not looked up") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    (void)jig::gather(x, 1);
    return x;
  });
  constexpr auto traced = f.get_concrete_function(jig::spec<float, 1>());
  static_assert(traced.graph().count("GatherV2") == 1 && traced.optimized_graph().count("GatherV2") == 0);
  CHECK(f(jig::tensor<float, 1>{3})(0) == 3);
}
