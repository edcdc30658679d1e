// SPDX-License-Identifier: MIT
#include "../lowered_text.hpp"

#include <jig/passes/constant_slices.hpp>

#include <jig.hpp>
#include <jig/gradient.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace {

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

jig::tensor<float, jig::dyn, 3> rows_of_three(jig::index rows) {
  jig::tensor<float, jig::dyn, 3> x(rows);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7) % 11) - 4;
  return x;
}

}  // namespace

TEST_CASE("a column of rows whose number only the call knows is a view") {
  const std::string text = lowered_text([](const auto& x) { return -x(jig::all, 1); }, jig::spec<float, jig::dyn, 3>());
  CHECK(text == R"(args_0 = Placeholder() : float32 (None, 3)
StridedSlice = StridedSlice(args_0) {begin: [0, 1], end: [0, 2], strides: [1, 1], begin_mask: 0, end_mask: 1, shrink_axis_mask: 2} : float32 (None,)
neg = Neg(StridedSlice) : float32 (None,)
return neg
)");
  // Of static extents the same without an open end.
  CHECK(has(lowered_text([](const auto& x) { return -x(jig::all, 1); }, jig::spec<float, 4, 3>()),
            "{begin: [0, 1], end: [4, 2], strides: [1, 1], begin_mask: 0, end_mask: 0, shrink_axis_mask: 2}"));
  CHECK(has(lowered_text([](const auto& x) { return -jig::gather<1>(x, 2); }, jig::spec<float, jig::dyn, 3>()), "StridedSlice(args_0)"));
  CHECK(has(lowered_text([](const auto& x) { return -jig::gather<1>(x, std::array{2, 1}); }, jig::spec<float, jig::dyn, 3>()),
            "{begin: [0, 2], end: [0, 0], strides: [1, -1], begin_mask: 0, end_mask: 1, shrink_axis_mask: 0}"));
  CHECK(has(lowered_text([](const auto& x) { return -jig::slice<jig::dyn, 2>(x, std::array{0, 1}); }, jig::spec<float, jig::dyn, 3>()),
            "end_mask: 1, shrink_axis_mask: 0}"));
  CHECK(
      has(lowered_text([](const auto& x) { return -x(jig::all, 1, 2); }, jig::spec<float, jig::dim<"n">, 2, 3>()), "shrink_axis_mask: 6}"));
}

TEST_CASE("what only the call can look at is left to it") {
  const auto slices = [](const std::string& text) { return has(text, " = Slice(") || has(text, " = GatherV2("); };
  CHECK(slices(lowered_text([](const auto& x) { return -x(jig::all, 1); }, jig::spec<float, 3, jig::dyn>())));
  CHECK(slices(lowered_text([](const auto& x) { return -x[1]; }, jig::spec<float, jig::dyn, 3>())));
  CHECK(slices(lowered_text([](const auto& x) { return -jig::slice<2, 2>(x, std::array{0, 1}); }, jig::spec<float, jig::dyn, 3>())));
  CHECK(slices(lowered_text([](const auto& x) { return -jig::slice<jig::dyn, 2>(x, std::array{1, 1}); }, jig::spec<float, jig::dyn, 3>())));
  CHECK(slices(
      lowered_text([](const auto& x, const auto& i) { return -x(jig::all, i); }, jig::spec<float, jig::dyn, 3>(), jig::spec<int>())));
  constexpr auto f = jig::function<"f(x)">([](const auto& x) { return x(jig::all, 2) * 2; });
  CHECK_THROWS_AS(f(jig::tensor<float, jig::dyn, jig::dyn>(4, 2)), jig::invalid_argument);
  constexpr auto second = jig::function<"second(x)">([](const auto& x) { return jig::slice<jig::dyn, 2>(x, std::array{1, 1}) * 2; });
  CHECK_THROWS_AS(second(rows_of_three(4)), jig::invalid_argument);
}

TEST_CASE("columns have the values of plain loops") {
  constexpr auto f = jig::function<"f(x)">([](const auto& x) {
    const auto a = x(jig::all, 0), b = x(jig::all, 1);
    return std::tuple(a * b, jig::stack<1>(b, a, -x(jig::all, 2)), x(jig::all, 2), jig::gather<1>(x, std::array{2, 0}) * 2,
                      jig::slice<jig::dyn, 2>(x, std::array{0, 1}) * 2);
  });
  for (const jig::index n : {0, 1, 2, 7, 8, 15, 16, 17, 33, 100}) {
    const auto x = rows_of_three(n);
    const auto [product, turned, last, two, behind] = f(x);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      wrong += product(i) != x(i, 0) * x(i, 1) || last(i) != x(i, 2);
      wrong += turned(i, 0) != x(i, 1) || turned(i, 1) != x(i, 0) || turned(i, 2) != -x(i, 2);
      wrong += two(i, 0) != 2 * x(i, 2) || two(i, 1) != 2 * x(i, 0);
      wrong += behind(i, 0) != 2 * x(i, 1) || behind(i, 1) != 2 * x(i, 2);
    }
    CHECK(wrong == 0);
    CHECK(product.size() == n);
  }
}

TEST_CASE("a result may be the argument that columns are read of") {
  constexpr auto turn =
      jig::function<"turn(x)">([](const auto& x) { return jig::stack<1>(x(jig::all, 1), -x(jig::all, 0), x(jig::all, 2) * 2); });
  for (const jig::index n : {1, 5, 16, 40}) {
    const auto before = rows_of_three(n);
    auto x = before;
    turn.into(x, x);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) wrong += x(i, 0) != before(i, 1) || x(i, 1) != -before(i, 0) || x(i, 2) != 2 * before(i, 2);
    CHECK(wrong == 0);
  }
}

TEST_CASE("gradients and assignments of columns") {
  constexpr auto loss = jig::function<"loss(x)">([](const auto& x) { return jig::reduce_sum(x(jig::all, 0) * x(jig::all, 2)); });
  constexpr auto set = jig::function<"set(x)">([](auto x) {
    x(jig::all, 1) = x(jig::all, 0) * 2;
    return x;
  });
  for (const jig::index n : {1, 4, 16, 19}) {
    const auto x = rows_of_three(n);
    const auto g = jig::grad<0>(loss)(x);
    const auto y = set(x);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      wrong += g(i, 0) != x(i, 2) || g(i, 1) != 0 || g(i, 2) != x(i, 0);
      wrong += y(i, 0) != x(i, 0) || y(i, 1) != 2 * x(i, 0) || y(i, 2) != x(i, 2);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("columns of bytes") {
  constexpr auto grey = jig::function<"grey(x)">([](const auto& x) {
    const auto c = jig::cast<int>(x);
    return jig::cast<std::uint8_t>((77 * c(jig::all, 0) + 150 * c(jig::all, 1) + 29 * c(jig::all, 2)) >> 8);
  });
  for (const jig::index n : {1, 15, 64, 67}) {
    std::vector<std::array<std::uint8_t, 3>> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) x[i][k] = static_cast<std::uint8_t>(i * 37 + k * 101);
    const auto y = grey(x);
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      wrong += y(static_cast<jig::index>(i)) != static_cast<std::uint8_t>((77 * x[i][0] + 150 * x[i][1] + 29 * x[i][2]) >> 8);
    CHECK(wrong == 0);
  }
}

namespace {

// How many slices there are in the graph that a plan is made of.
template <class... Key>
int slices(auto lambda, Key... key) {
  return static_cast<int>(jig::lower(jig::optimize(jig::graph_of(lambda, key...))).view().count("StridedSlice"));
}

}  // namespace

TEST_CASE("slices of slices are one slice") {
  using jig::all;
  using jig::range_of;
  using jig::strided_slice;
  using jig::unbounded;
  constexpr jig::spec<float, jig::dyn, 8> rows;
  constexpr jig::spec<float, 40, 8> known;
  constexpr auto column = [](auto x) { return 1 + strided_slice<all, 1>(strided_slice<all, range_of(2, 6)>(x)); };
  CHECK(slices(column, rows) == 1);
  CHECK(slices(column, known) == 1);
  // Ranges along two axes; backwards; every second of every third; behind an axis that is gone.
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(1, -1)>(strided_slice<all, range_of(1, 7, 2)>(x)); }, rows) == 1);
  CHECK(slices([](auto x) { return 1 + strided_slice<all, range_of(0, 2)>(strided_slice<all, range_of(unbounded, unbounded, -3)>(x)); },
               rows) == 1);
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(1, 3)>(strided_slice<all, 2>(x)); }, rows) == 1);
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(1, 6, 2)>(strided_slice<3>(x)); }, known) == 1);
  // All but some places at both ends, of any number of places.
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(1, -1)>(strided_slice<range_of(2, unbounded)>(x)); }, rows) == 1);
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(1, -1)>(strided_slice<range_of(2, unbounded)>(x)); }, known) == 1);
  // Places counted from an end at which nothing is left out; from the other end an axis that is too short would have other ones.
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(1, 3)>(strided_slice<range_of(2, unbounded)>(x)); }, rows) == 1);
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(-2, unbounded)>(strided_slice<range_of(0, -1)>(x)); }, rows) == 1);
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(0, 1)>(strided_slice<range_of(0, -1)>(x)); }, rows) == 2);
  // Else nobody can say of an axis that only the call knows what a slice of a slice takes; nor is there a slice of nothing.
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(1, -1, 2)>(strided_slice<range_of(2, unbounded)>(x)); }, rows) == 2);
  CHECK(slices([](auto x) { return 1 + strided_slice<range_of(-3, -1)>(strided_slice<range_of(2, unbounded)>(x)); }, rows) == 2);
  CHECK(slices([](auto x) { return 1 + strided_slice<2>(strided_slice<range_of(2, unbounded)>(x)); }, rows) == 2);
}
TEST_CASE("slices of stretches whose types have wildcards while their lengths are known") {
  using jig::all;
  using jig::range_of;
  using jig::unbounded;
  constexpr jig::spec<float, 40, 8> known;
  CHECK(slices([](auto x) { return 1 + x(range_of(1, 30), all)(range_of(2, -1), all); }, known) == 1);
  CHECK(slices([](auto x) { return 1 + x(range_of(30, 1, -3), all)(range_of(1, 100), range_of(2, 4)); }, known) == 1);
  CHECK(slices([](auto x) { return 1 + x(all, range_of(2, 6))(3, 1); }, known) == 1);
  // Nothing is no slice, and what is out of range is said by the call.
  CHECK(slices([](auto x) { return 1 + x(range_of(1, 30), all)(range_of(29, unbounded), all); }, known) == 2);
  CHECK(slices([](auto x) { return 1 + x(range_of(0, 5), all)(5, all); }, known) == 1);  // and a Slice

  constexpr auto second = jig::function<"second(x)">([](auto x) {
    const auto d = x(range_of(1, 1000)) - x(range_of(0, -1));
    return std::tuple(d(range_of(1, unbounded)) - d(range_of(0, -1)), d(range_of(unbounded, unbounded, -5))(range_of(1, 4)), 2 * d(7));
  });
  jig::tensor<double, 50> x{};
  for (int i = 0; i < 50; ++i) x(i) = i * i * i;
  const auto [twice, some, one] = second(x);
  REQUIRE(twice.extent(0) == 48);
  REQUIRE(some.extent(0) == 3);
  const auto slope = [&](jig::index i) { return x(i + 1) - x(i); };
  for (jig::index i = 0; i < 48; ++i) CHECK(twice(i) == slope(i + 1) - slope(i));
  for (jig::index i = 0; i < 3; ++i) CHECK(some(i) == slope(48 - 5 * (i + 1)));
  CHECK(one() == 2 * slope(7));
  constexpr auto outside = jig::function<"outside(x)">([](auto v) { return 1 + v(range_of(0, 5))(5); });
  CHECK_THROWS_AS(outside(x), jig::invalid_argument);
}
TEST_CASE("slices of slices beside two loops") {
  using jig::all;
  using jig::range_of;
  using jig::strided_slice;
  using jig::unbounded;
  constexpr auto parts = jig::function<"parts(x)">([](auto x) {
    auto inner = strided_slice<range_of(1, -1), range_of(7, unbounded, -2)>(x);  // columns 7, 5, 3, 1
    auto outer = strided_slice<all, range_of(unbounded, 0, -1)>(inner);          // 1, 3, 5
    return std::tuple(1 * outer, 1 * strided_slice<all, 2>(inner), 1 * strided_slice<range_of(0, 2), range_of(1, 3)>(outer),
                      1 * strided_slice<all, -1>(outer), 1 * strided_slice<all, range_of(2, 2)>(outer));
  });
  for (const jig::index n : {2, 3, 4, 21}) {
    jig::tensor<float, jig::dyn, 8> x(n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
    const auto [outer, third, first, last, none] = parts(x);
    REQUIRE(outer.extent(0) == n - 2);
    CHECK(first.extent(0) == std::min(n - 2, jig::index{2}));
    CHECK(none.size() == 0);
    int wrong = 0;
    for (jig::index i = 0; i + 2 < n; ++i) {
      for (jig::index k = 0; k < 3; ++k) wrong += outer(i, k) != x(i + 1, 2 * k + 1);
      wrong += third(i) != x(i + 1, 3) || last(i) != x(i + 1, 5);
      if (i < 2) wrong += first(i, 0) != x(i + 1, 3) || first(i, 1) != x(i + 1, 5);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("all but some places of all but some places, of few") {
  using jig::range_of;
  using jig::strided_slice;
  using jig::unbounded;
  constexpr auto within = jig::function<"within(x)">([](auto x) {
    const auto inner = strided_slice<range_of(1, -2)>(x);
    return std::tuple(1 * strided_slice<range_of(2, -1)>(inner), 1 * strided_slice<range_of(0, -1)>(inner),
                      1 * strided_slice<range_of(1, unbounded)>(inner),
                      1 * strided_slice<range_of(1, 3)>(strided_slice<range_of(2, unbounded)>(x)),
                      1 * strided_slice<range_of(-2, unbounded)>(strided_slice<range_of(0, -1)>(x)),
                      1 * strided_slice<range_of(0, 1)>(strided_slice<range_of(0, -1)>(x)));
  });
  for (jig::index n = 0; n < 40; ++n) {
    std::vector<float> x;
    for (jig::index i = 0; i < n; ++i) x.push_back(static_cast<float>(i));
    const auto [a, b, c, fourth, last, first] = within(x);
    // Elements 3 and 4, the two before the last one, and the first one unless it is that.
    REQUIRE(fourth.extent(0) == std::clamp(n - 3, jig::index{0}, jig::index{2}));
    REQUIRE(last.extent(0) == std::clamp(n - 1, jig::index{0}, jig::index{2}));
    REQUIRE(first.extent(0) == std::clamp(n - 1, jig::index{0}, jig::index{1}));
    for (jig::index i = 0; i < fourth.extent(0); ++i) REQUIRE(fourth(i) == static_cast<float>(3 + i));
    for (jig::index i = 0; i < last.extent(0); ++i) REQUIRE(last(i) == static_cast<float>(n - 1 - last.extent(0) + i));
    for (jig::index i = 0; i < first.extent(0); ++i) REQUIRE(first(i) == 0);
    REQUIRE(a.extent(0) == std::max(n - 6, jig::index{0}));
    REQUIRE(b.extent(0) == std::max(n - 4, jig::index{0}));
    REQUIRE(c.extent(0) == std::max(n - 4, jig::index{0}));
    for (jig::index i = 0; i < a.extent(0); ++i) REQUIRE(a(i) == static_cast<float>(i + 3));
    for (jig::index i = 0; i < b.extent(0); ++i) REQUIRE((b(i) == static_cast<float>(i + 1) && c(i) == static_cast<float>(i + 2)));
  }
}

TEST_CASE("what is shown of one of several values that are stacked is shown of that one") {
  using jig::all;
  using jig::range_of;
  using jig::stack;
  const auto stacks = [](const std::string& text) { return has(text, " = Pack("); };
  constexpr jig::spec<float, jig::dyn, 3> rows;
  CHECK(!stacks(lowered_text([](auto x) { return 1 + stack<0>(x, -x)[1]; }, rows)));
  CHECK(!stacks(lowered_text([](auto x) { return 1 + stack<-1>(x, -x)(all, all, 0); }, rows)));
  CHECK(!stacks(lowered_text([](auto x) { return 1 + jig::strided_slice<range_of(1, -1), -1, all>(stack<1>(x, -x)); }, rows)));
  CHECK(!stacks(lowered_text([](auto x) { return 1 + jig::gather<1>(stack<1>(x, -x), 1); }, rows)));
  // Of several, even if that is one, it is not.
  CHECK(stacks(lowered_text([](auto x) { return 1 + stack<0>(x, -x, 2 * x)(range_of<1, 3>(), all, all); }, rows)));

  constexpr auto f = jig::function<"f(x)">([](auto x) {
    const auto y = stack<1>(x, 10 * x, 100 * x);
    return std::tuple(1 * y(all, 1, all), y(range_of(1, -1), -1, 2), 1 * y(all, 0, range_of(jig::unbounded, 0, -1)), y(all, 2, all),
                      y[1] * 1);
  });
  for (const jig::index n : {2, 3, 17}) {
    const auto x = rows_of_three(n);
    const auto [ten, hundred, back, last, second] = f(x);
    REQUIRE(hundred.extent(0) == n - 2);
    REQUIRE(back.extent(1) == 2);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      for (jig::index k = 0; k < 3; ++k) wrong += ten(i, k) != 10 * x(i, k) || last(i, k) != 100 * x(i, k);
      if (i > 0 && i + 1 < n) wrong += hundred(i - 1) != 100 * x(i, 2);
      wrong += back(i, 0) != x(i, 2) || back(i, 1) != x(i, 1);
    }
    for (jig::index k = 0; k < 3; ++k) wrong += second(0, k) != x(1, k) || second(1, k) != 10 * x(1, k);
    CHECK(wrong == 0);
  }
  // A row of columns that are stacked is none of them.
  const auto rows_of_columns = jig::function([](auto v) { return stack<-1>(v(all, 0), v(all, 1))[1] * 1; })(rows_of_three(4));
  CHECK((rows_of_columns(0) == rows_of_three(4)(1, 0) && rows_of_columns(1) == rows_of_three(4)(1, 1)));
  // A position that is not there.
  constexpr auto outside = jig::function<"outside(x)">([](auto v) { return 1 + stack<0>(v, -v)(all, 5, all); });
  CHECK_THROWS_AS(outside(rows_of_three(4)), jig::invalid_argument);
}
