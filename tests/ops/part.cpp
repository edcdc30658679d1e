// SPDX-License-Identifier: MIT
#include "../without_line.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using jig::dyn;
using jig::tensor;

template <class X>
auto elements(const X& x) {
  return std::vector<typename X::value_type>(x.begin(), x.end());
}
template <class F>
std::string thrown(F f) {
  try {
    f();
  } catch (const jig::invalid_argument& e) {
    return without_line(e.what());
  }
  return "nothing";
}

constexpr float constant_evaluation() {
  tensor<float, 2, 2> x{{1, 2}, {3, 4}};
  x(1, jig::all) = x[0][1];
  x(0, jig::all) = tensor<float, 2>{5, 6};
  x(0, 1) += 1;
  return x(0, 1) + 10 * x(1, 0);
}

}  // namespace

TEST_CASE_TEMPLATE("assignments to elements and parts change a tensor", T, tensor<float, 2, 3>, tensor<float, dyn, 3>,
                   tensor<float, dyn, dyn>) {
  T x{{1, 2, 3}, {4, 5, 6}};
  x[0] = 7;
  CHECK(elements(x) == std::vector<float>{7, 7, 7, 4, 5, 6});
  x[1][2] = 8.0f;
  x(0, 1) = 9;
  CHECK(elements(x) == std::vector<float>{7, 9, 7, 4, 5, 8});
  x(jig::all, 0) = tensor<float, 2>{1, 2};
  x[1] += x[0];
  CHECK(elements(x) == std::vector<float>{1, 9, 7, 3, 14, 15});
  x(jig::all, jig::lit<-1>) = 0;
  x[jig::lit<-1>](1) *= 2.0f;
  CHECK(elements(x) == std::vector<float>{1, 9, 0, 3, 28, 0});
  x[tensor<int>(1)] = std::array<float, 3>{4, 5, 6};
  x(tensor<int>(0), jig::lit<1>) -= 4;
  CHECK(elements(x) == std::vector<float>{1, 5, 0, 4, 5, 6});
  x(jig::all, 1)[1] = x(jig::all, 0)[0];
  CHECK(x(1, 1) == 1.0f);
  x(jig::all, jig::all) = x[1];
  CHECK(elements(x) == std::vector<float>{4, 1, 6, 4, 1, 6});
}

TEST_CASE("a part with a name is a value of its own") {
  tensor<float, 3> x{1, 2, 3};
  auto part = x[1];
  x[1] = 7;
  CHECK(part() == 2);
  part = 9;
  part = tensor<float>(8.0f);
  part += 1;
  CHECK(part() == 9);
  CHECK(x(1) == 7);
  auto copy = part;
  copy = x[2];
  CHECK(copy() == 3);
  CHECK(elements(x) == std::vector<float>{1, 7, 3});
  CHECK_THROWS_AS(std::move(copy) = 1, jig::invalid_argument);
}

TEST_CASE("parts are tensors wherever these are") {
  tensor<float, 2, 2> x{{1, 2}, {3, 4}};
  const tensor<float, 2> row = x[1];
  CHECK(elements(row) == std::vector<float>{3, 4});
  CHECK(elements(x[0] + x[1]) == std::vector<float>{4, 6});
  CHECK((x[0][1] < x[1][0])());
  CHECK(static_cast<float>(jig::reduce_sum(x(jig::all, 1))) == 6);
  constexpr auto twice = jig::function([](auto y) { return y * 2; });
  CHECK(elements(twice(x[1])) == std::vector<float>{6, 8});
  static_assert(std::is_same_v<decltype(twice(x[1])), tensor<float, 2>>);
  const jig::any_tensor any = x[1];
  CHECK(any.shape() == jig::shape{1, {2}});
  const auto& constant = x;
  static_assert(std::is_same_v<decltype(constant[0]), tensor<float, 2>>);
  static_assert(std::is_same_v<decltype(constant(jig::all, 0)), tensor<float, 2>>);
  static_assert(!std::is_assignable_v<tensor<float, 2>, const tensor<float, 2>&>, "assignments to temporaries are lost");
  static_assert(std::is_copy_assignable_v<tensor<float, 2>> && std::is_trivially_copyable_v<tensor<float, 2>>);
  CHECK(elements(constant(jig::all, 0)) == std::vector<float>{1, 3});
  CHECK(elements(x[std::vector<int>{1, 0}]) == std::vector<float>{3, 4, 1, 2});
}

TEST_CASE("elements of views are those of the memory") {
  std::vector<double> memory{1, 2, 3, 4, 5, 6};
  const jig::view<double, dyn, 2> x(memory.data(), {2, 2}, {3, 1});
  x[0] = 7;
  x(1, 1) = 8;
  x(jig::all, 0) *= tensor<double, 2>{2, 3};
  CHECK(memory == std::vector<double>{14, 7, 3, 12, 8, 6});
  const jig::view<double, 2, 2> turned(memory.data(), {2, 2}, {1, 3});
  turned[1] = x[0];
  CHECK(memory == std::vector<double>{14, 14, 3, 12, 7, 6});
  const jig::view<const double, dyn, 2> constant = x;
  static_assert(std::is_same_v<decltype(constant[0]), tensor<double, 2>>);
}

TEST_CASE("positions and values that do not fit throw") {
  tensor<float, dyn, dyn> x{{1, 2}, {3, 4}};
  CHECK(thrown([&] { x[2] = 1; }) == "GatherV2: index 2 is out of range for axis 0 with 2 elements");
  CHECK(thrown([&] { x(0, -1) = 1; }) == "index -1 is out of range for axis 1 with 2 elements");
  CHECK(thrown([&] { x(jig::all, -3) = 1; }) == "GatherV2: index -3 is out of range for axis 1 with 2 elements");
  CHECK(thrown([&] { x[-3] = 1; }) == "GatherV2: index -3 is out of range for axis 0 with 2 elements");
  CHECK(thrown([&] { (void)std::as_const(x)[-3]; }) == "GatherV2: index -3 is out of range for axis 0 with 2 elements");
  CHECK(thrown([&] { x[0] = tensor<float, dyn>{1, 2, 3}; }) ==
        "an element or part of spec float32 (2,) cannot take a value of spec float32 (3,)");
  CHECK(thrown([&] { x(jig::range_of(0, 1, 0), 0) = 1; }) == "the step of a slice must not be 0");
  CHECK(elements(x) == std::vector<float>{1, 2, 3, 4});
  tensor<std::int8_t, 2> small{1, 2};
  CHECK(thrown([&] { small[0] = 1000; }) == "a literal does not fit the dtype of the tensor");
}

TEST_CASE("strings and constant evaluation") {
  tensor<std::string, 2, 2> names{{"a", "b"}, {"c", "d"}};
  names[0][1] = tensor<std::string>(std::string("e"));
  names(jig::all, 0) = names(jig::all, 1);
  CHECK(elements(names) == std::vector<std::string>{"e", "e", "d", "d"});
  static_assert(constant_evaluation() == 27);
}

TEST_CASE("negative numbers count from the end, of tensors, traced values and at run time") {
  tensor<float, 3, 2> x{{1, 2}, {3, 4}, {5, 6}};
  const tensor<float, dyn, 2> rows{{1, 2}, {3, 4}, {5, 6}};
  CHECK(elements(x[-1]) == std::vector<float>{5, 6});
  CHECK(elements(rows[-3]) == std::vector<float>{1, 2});
  CHECK(elements(x(-2, jig::all)) == std::vector<float>{3, 4});
  CHECK(elements(std::as_const(x)(jig::all, -1)) == std::vector<float>{2, 4, 6});
  constexpr auto f = jig::function<"f(x)">([](auto y) {
    y[-1] = y[-3] + y(-1, jig::all);
    y(jig::all, -1) *= 2;
    return std::tuple(y, y[-2], jig::reduce_sum<1>(y)[-1], y(-1, -2));
  });
  const auto [whole, row, sum, element] = f(jig::any_tensor(x));
  CHECK(whole.as<float>()(1, 1) == 8);
  CHECK(whole.as<float>()(2, 1) == 16);
  CHECK(row.as<float>()(0) == 3);
  CHECK(sum.as<float>()() == 22);
  CHECK(element.as<float>()() == 6);
  const auto check_typed = [&](const auto& given) {
    const auto [all, second, total, last] = f(given);
    CHECK(elements(all) == std::vector<float>{1, 4, 3, 8, 6, 16});
    CHECK(elements(second) == std::vector<float>{3, 8});
    CHECK(total() == 22);
    CHECK(last() == 6);
  };
  check_typed(x);
  check_typed(rows);
  jig::run_functions_eagerly(true);
  check_typed(x);
  check_typed(rows);
  jig::run_functions_eagerly(false);
  constexpr auto outside = jig::function<"outside(x)">([](auto y) { return y[-4]; });
  CHECK(thrown([&] { (void)outside(x); }).find("index -4 is out of range for axis 0 with 3 elements") != std::string::npos);
  CHECK(thrown([&] { (void)outside(rows); }).find("is out of range for axis 0 with 3 elements") != std::string::npos);
}
