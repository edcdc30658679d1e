// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "../printed.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <thread>
#include <vector>

using jig::dyn;
using jig::tensor;

namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

constexpr auto show = jig::function<"show(x)">([](auto x) { jig::print(x); });

constexpr auto several = jig::function<"several(x)">([](auto x) {
  jig::print("first", x, "of", 2, "and", 0.5, jig::lit<3>, true);
  auto y = x * 2;
  jig::print("second", y);
  jig::print("third", jig::beside(x));
  jig::print(jig::reduce_sum(y), "is the sum; {} stays");
  return y;
});

}  // namespace

TEST_CASE("print writes as tf.print does") {
  CHECK(printed([] { show(tensor<float, 5>{0.666458249f, 0.713946581f, 0.723879576f, 0.330758929f, 0.184087753f}); }) ==
        "[0.666458249 0.713946581 0.723879576 0.330758929 0.184087753]\n");
  CHECK(printed([] { show(1.5f); }) == "1.5\n");
  CHECK(printed([] { show(2); }) == "2\n");
  CHECK(printed([] { show(true); }) == "1\n");
  CHECK(printed([] { show("a text"); }) == "a text\n");
  CHECK(printed([] { show(tensor<std::string, 2>{"a", "b"}); }) == "[\"a\" \"b\"]\n");
  CHECK(printed([] { show(tensor<float, 0>{}); }) == "[]\n");
  CHECK(printed([] { show(tensor<int, 2, 2>{{1, 2}, {3, 4}}); }) == "[[1 2]\n [3 4]]\n");
  CHECK(printed([] { show(tensor<int, 2, 1, 2>{{{1, 2}}, {{3, 4}}}); }) == "[[[1 2]]\n\n [[3 4]]]\n");
  CHECK(printed([] { show(jig::iota<int, dyn>(100)); }) == "[0 1 2 ... 97 98 99]\n");
  CHECK(printed([] { show(std::vector<double>{1, 2.5}); }) == "[1 2.5]\n");
}

TEST_CASE("prints happen in every call, in the order of the program") {
  const std::string once = "first [1 2] of 2 and 0.5 3 1\nsecond [2 4]\nthird\n6 is the sum; {} stays\n";
  CHECK(printed([] {
          auto y = several(tensor<int, 2>{1, 2});
          CHECK(y(1) == 4);
          several(tensor<int, 2>{1, 2});
        }) == once + once);
}

namespace {

constexpr auto shrink = jig::function<"shrink(x)">([](auto x) {
  JIG_WHILE(jig::reduce_sum(x) > 1) {
    jig::print(x);
    x = jig::tanh(x);
  }
  jig::print("end", jig::beside(x));
  return x;
});

}  // namespace

TEST_CASE("a loop prints its values as the guide of TensorFlow does") {
  const tensor<float, 5> x{0.666458249f, 0.713946581f, 0.723879576f, 0.330758929f, 0.184087753f};
  const std::string text = printed([&] { shrink(x); });
  CHECK(text.starts_with("[0.666458249 0.713946581 0.723879576 0.330758929 0.184087753]\n[0.58264"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 29);
  CHECK(text.ends_with("]\nend\n"));
}

TEST_CASE("views and strided arguments are printed as they are seen") {
  const int data[] = {1, 2, 3, 4};
  CHECK(printed([&] { show(jig::view<const int, 2, 2>(data, {2, 2}, {1, 2})); }) == "[[1 3]\n [2 4]]\n");
  constexpr auto transposed = jig::function([](auto x) { jig::print(jig::transpose(x), x[1]); });
  CHECK(printed([&] { transposed(tensor<int, 2, 2>{{1, 2}, {3, 4}}); }) == "[[1 3]\n [2 4]] [3 4]\n");
}

TEST_CASE("print works on tensors, containers and numbers at once") {
  CHECK(printed([] { jig::print("x is", tensor<float, 2>{1, 2.5}, 3, 0.5, jig::lit<7>, std::string("text"), "end"); }) ==
        "x is [1 2.5] 3 0.5 7 text end\n");
  CHECK(printed([] { jig::print(std::vector<int>{1, 2}, std::array<float, 1>{3}, std::string_view("{}")); }) == "[1 2] [3] {}\n");
  CHECK(printed([] { jig::print(); }) == "\n");
  CHECK(printed([] { jig::print("", "alone", jig::beside(1)); }) == " alone\n");
}

TEST_CASE("lines of several threads stay whole") {
  const tensor<int, 8> x{1, 2, 3, 4, 5, 6, 7, 8};
  const std::string text = printed([&] {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) show(x);
      });
    for (auto& t : threads) t.join();
  });
  const std::string line = "[1 2 3 ... 6 7 8]\n";
  REQUIRE(text.size() == 400 * line.size());
  for (std::size_t at = 0; at < text.size(); at += line.size()) REQUIRE(text.compare(at, line.size(), line) == 0);
}

namespace {

constexpr auto checked_sqrt = jig::function<"checked_sqrt(x)">([](auto x) {
  jig::assert_that(jig::reduce_all(x >= 0), "negative input", x, "in", jig::reduce_min(x));
  return jig::sqrt(x);
});

}  // namespace

TEST_CASE("assertions pass in silence and throw with what they tell") {
  CHECK(checked_sqrt(tensor<float, 2>{4, 9})(1) == 3);
  CHECK(complaint([] { checked_sqrt(tensor<float, 2>{4, -9}); }) == "assertion failed: [negative input] [4 -9] [in] [-9]");
  constexpr auto bare = jig::function([](auto c) { jig::assert_that(c); });
  CHECK(complaint([=] { bare(true); }) == "");
  CHECK(complaint([=] { bare(false); }) == "assertion failed");
}

TEST_CASE("assertions work on tensors and numbers at once") {
  CHECK(complaint([] { jig::assert_that(1 < 2, "order"); }) == "");
  CHECK(complaint([] { jig::assert_that(1 > 2, "order", 1, 2); }) == "assertion failed: [order] [1] [2]");
  const tensor<int, 2> x{1, 2};
  CHECK(complaint([&] { jig::assert_that(jig::reduce_all(x > 1), "small", x); }) == "assertion failed: [small] [1 2]");
  CHECK(complaint([&] { jig::assert_that(std::vector<int>{1}.empty()); }) == "assertion failed");
}

TEST_CASE("effects stop where one throws") {
  constexpr auto f = jig::function([](auto x) {
    jig::print("before", x);
    jig::assert_that(x > 0);
    jig::print("behind", x);
  });
  CHECK(printed([=] { CHECK(complaint([=] { f(-1); }) == "assertion failed"); }) == "before -1\n");
  CHECK(printed([=] { f(1); }) == "before 1\nbehind 1\n");
}

TEST_CASE("assert_equal tells where values differ") {
  constexpr auto same = jig::function([](auto x, auto y) { jig::assert_equal(x, y, "same"); });
  const tensor<float, 2, 2> x{{1, 2}, {3, 4}}, z{{1, 2}, {5, 4}};
  CHECK(complaint([&] { same(x, x); }) == "");
  CHECK(complaint([&] { same(x, z); }) ==
        "assertion failed: [same] [x and y differ at (1, 0): 3 and 5] [x = [[1 2]\n [3 4]], shape (2, 2)] [y = [[1 2]\n [5 4]], "
        "shape (2, 2)]");
  CHECK(complaint([&] { same(x, tensor<float, 2>{1, 2}); }).find("differ at (1, 0): 3 and 1]") != std::string::npos);
  CHECK(complaint([&] { same(1, 2); }) == "assertion failed: [same] [x and y differ: 1 and 2] [x = 1, shape ()] [y = 2, shape ()]");
  CHECK(complaint([&] { same(std::string("a"), std::string("b")); }).find("differ: a and b]") != std::string::npos);
  CHECK(complaint([&] { same(no_number, no_number); }).find("differ: nan and nan]") != std::string::npos);
  CHECK(complaint([&] { same(std::vector<int>{}, std::vector<int>{}); }) == "");
  CHECK(complaint([&] { same(std::vector<int>{1, 2}, std::vector<int>{1, 2, 3}); }).find("do not broadcast") != std::string::npos);
  constexpr auto twos = jig::function([](auto twice) { jig::assert_equal(2, twice); });
  CHECK(complaint([&] { twos(tensor<double, 2>{2, 3}); }) ==
        "assertion failed: [x and y differ at (1,): 2 and 3] [x = 2, shape ()] [y = [2 3], shape (2,)]");
}

TEST_CASE("assert_equal works on tensors, containers and numbers at once") {
  CHECK(complaint([] { jig::assert_equal(tensor<int, 2>{1, 2}, std::array<int, 2>{1, 2}); }) == "");
  CHECK(complaint([] { jig::assert_equal(1, 1.0); }) == "");
  CHECK(complaint([] { jig::assert_equal(1, 1.5); }) ==
        "assertion failed: [x and y differ: 1 and 1.5] [x = 1, shape ()] [y = 1.5, shape ()]");
  CHECK(complaint([] { jig::assert_equal(tensor<float, 2>{1, 2}, 1, "ones"); }) ==
        "assertion failed: [ones] [x and y differ at (1,): 2 and 1] [x = [1 2], shape (2,)] [y = 1, shape ()]");
  CHECK(complaint([] { jig::assert_equal(tensor<float, 2>{1, 2}, jig::lit<1>); }).find("2 and 1]") != std::string::npos);
}

namespace {

constexpr auto checked = jig::function<"checked(x)">([](auto x) { return jig::check_numerics(x, "my x") * 2; });
constexpr auto unnamed = jig::function<"unnamed(x, y)">([](auto x, auto y) { (void)jig::check_numerics(jig::log(x - y)); });

}  // namespace

TEST_CASE("check_numerics is the identity of finite numbers") {
  CHECK(checked(tensor<float, 3>{1, -2, 3.4e38f})(1) == -4);
  CHECK(checked(tensor<double>{1.5})() == 3);
  CHECK(complaint([] { checked(tensor<float, 3>{1, no_number, infinity}); }) == "my x: NaN at (1,)");
  CHECK(complaint([] { checked(tensor<float, 3>{1, -infinity, no_number}); }) == "my x: infinity at (1,)");
  CHECK(complaint([] { checked(no_number); }) == "my x: NaN");
}

TEST_CASE("check_numerics without a message names the node") {
  CHECK(complaint([] { unnamed(tensor<float, 2>{2, 1}, tensor<float, 2>{1, 0}); }) == "");
  CHECK(complaint([] { unnamed(tensor<float, 2>{1, 1}, tensor<float, 2>{0, 1}); }) ==
        "check_numerics: Log = Log(sub) made infinity at (1,)");
  constexpr auto argument = jig::function<"f(x)">([](auto x) { return jig::check_numerics(x); });
  CHECK(complaint([=] { argument(no_number); }) == "check_numerics: argument x holds NaN");
}

TEST_CASE("check_numerics sees strided values") {
  const float data[] = {1, no_number, 3, infinity};
  CHECK(checked(jig::view<const float, 2>(data, {2}, {2}))(1) == 6);
  CHECK(complaint([&] { checked(jig::view<const float, 2, 2>(data, {2, 2}, {1, 2})); }) == "my x: NaN at (1, 0)");
}

TEST_CASE("check_numerics works on tensors, containers and numbers at once") {
  auto y = jig::check_numerics(std::vector<float>{1, 2}, "y");
  static_assert(std::is_same_v<decltype(y), tensor<float, dyn>>);
  CHECK(y(1) == 2);
  CHECK(jig::check_numerics(1.5)() == 1.5);
  CHECK(complaint([] { jig::check_numerics(tensor<float, 2>{1, no_number}, "x"); }) == "x: NaN at (1,)");
  CHECK(complaint([] { jig::check_numerics(infinity); }) == "check_numerics: infinity");
  CHECK(complaint([] { jig::assert_all_finite(tensor<double, 1>{std::numeric_limits<double>::infinity()}, "x"); }) ==
        "x: infinity at (0,)");
}
