// SPDX-License-Identifier: MIT
#include <jig/passes/joined_results.hpp>

#include "../lowered_text.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

using jig::concat;
using jig::dyn;
using jig::range_of;
using jig::strided_slice;
using jig::unbounded;

namespace {

// How often an op stands in what runs.
template <class... Spec>
int count(const std::string& op, auto f, Spec... spec) {
  const std::string text = lowered_text(f, spec...);
  int n = 0;
  for (auto at = text.find("= " + op + "("); at != std::string::npos; at = text.find("= " + op + "(", at + 1)) ++n;
  return n;
}
// Whether all that is computed is computed of parts, and joined last.
template <class... Spec>
bool joins_last(auto f, Spec... spec) {
  const std::string text = lowered_text(f, spec...);
  const auto join = text.rfind("= ConcatV2("), end = text.find("\nreturn", join);
  return join != std::string::npos && text.find('\n', join) == end && count("ConcatV2", f, spec...) == 1;
}
template <jig::index Begin, jig::index End>
constexpr auto part(auto x) {
  return strided_slice<range_of(Begin, End == 0 ? unbounded : End)>(x);
}
// The last K elements before all others.
template <jig::index K>
constexpr auto rolled(auto x) {
  return concat<0>(part<-K, 0>(x), part<0, -K>(x));
}
template <jig::index... K>
constexpr auto pieces(auto x) {
  return (... + rolled<K>(x));
}
constexpr auto around = [](auto x) { return rolled<1>(x) - 2 * x + concat<0>(part<1, 0>(x), part<0, 1>(x)); };
constexpr jig::spec<float, 100> hundred;
constexpr jig::spec<float, dyn> any;

}  // namespace

TEST_CASE("what is computed of joined tensors is computed of their parts") {
  CHECK(joins_last([](auto x) { return x - rolled<1>(x); }, hundred));
  CHECK(joins_last(around, hundred));
  CHECK(joins_last([](auto x, auto y) { return jig::exp(2 * concat<0>(x, y) + 1); }, hundred, any));
  CHECK(joins_last([](auto x, auto y) { return concat<0>(x, y, x, x) * 2; }, hundred, any));
  // Along other axes, with what is broadcast.
  CHECK(joins_last(
      [](auto x, auto y) {
        return x * concat<1>(strided_slice<jig::all, range_of(-1, unbounded)>(x), strided_slice<jig::all, range_of(0, -1)>(x)) + y;
      },
      jig::spec<float, dyn, 100>(), jig::spec<float, dyn, 1>()));
  CHECK(joins_last([](auto x, auto row) { return (concat<0>(x, x) + row) * 2; }, jig::spec<float, 30, 5>(), jig::spec<float, 5>()));
  // What is as long as the join is cut where its parts meet.
  CHECK(count("StridedSlice", [](auto x, auto y) { return concat<0>(x, x) * y; }, jig::spec<float, 30>(), jig::spec<float, 60>()) == 2);
}
TEST_CASE("otherwise joins are stored") {
  const auto stored = [](auto f, auto... spec) { return !joins_last(f, spec...) || count("StridedSlice", f, spec...) == 0; };
  // Five parts; six pieces of two joins, five are fine.
  CHECK_FALSE(joins_last([](auto x) { return concat<0>(x, x, x, x, x) * 2; }, hundred));
  CHECK(joins_last([](auto x) { return pieces<1, 2, 3, 4>(x); }, hundred));
  CHECK_FALSE(joins_last([](auto x) { return pieces<1, 2, 3, 4, 5>(x); }, hundred));
  // Somebody reads all of it, or it is a result; what reduces it goes on with the loop.
  CHECK(count(
            "ConcatV2",
            [](auto x) {
              const auto y = rolled<1>(x);
              return std::tuple(x - y, y);
            },
            hundred) == 1);
  CHECK(stored([](auto x) { return jig::reduce_sum(x * rolled<1>(x)); }, hundred));
  CHECK(count("ConcatV2", [](auto x) { return jig::reduce_sum(x * rolled<1>(x)); }, hundred) == 1);
  // Few elements, and short rows.
  CHECK_FALSE(joins_last([](auto x) { return x - rolled<1>(x); }, jig::spec<float, 15>()));
  CHECK(joins_last([](auto x) { return x - rolled<1>(x); }, jig::spec<float, 16>()));
  constexpr auto rows = [](auto x) { return concat<1>(x, x) * 2; };
  CHECK(lowered_text(rows, jig::spec<float, 100, 31>()).find("= Mul(ConcatV2") != std::string::npos);
  CHECK(lowered_text(rows, jig::spec<float, 100, 32>()).find("= Mul(ConcatV2") == std::string::npos);
  // Only the call knows how long the parts are.
  CHECK_FALSE(joins_last([](auto x) { return x - rolled<1>(x); }, any));
  CHECK_FALSE(joins_last([](auto x, auto y) { return 2 * concat<0>(x, y); }, any, any));
}

namespace {

constexpr auto steps = jig::function<"steps(x, y)">([](auto x, auto y) {
  const auto last = rolled<1>(x), third = rolled<3>(x);
  return std::tuple(around(x), (x - third) * (last + 1), jig::square(concat<0>(y, 2 * x)), concat<0>(part<2, 0>(x), y, part<0, 2>(x)) - 1);
});

// Whole numbers: in all orders the results are the same.
template <class X, class Y>
void check_steps(const X& x, const Y& y, jig::index n, jig::index m) {
  const auto of = [](jig::index i) { return static_cast<double>(i * i % 13 - 5); };
  const auto at = [&](jig::index i) { return of((i + n) % n); };
  const auto [a, b, c, d] = steps(x, y);
  REQUIRE(a.extent(0) == n);
  REQUIRE(b.extent(0) == n);
  REQUIRE(c.extent(0) == n + m);
  REQUIRE(d.extent(0) == n + m);
  for (jig::index i = 0; i < n; ++i) {
    REQUIRE(a(i) == at(i - 1) - 2 * at(i) + at(i + 1));
    REQUIRE(b(i) == (at(i) - at(i - 3)) * (at(i - 1) + 1));
    REQUIRE(c(m + i) == 4 * of(i) * of(i));
  }
  for (jig::index i = 0; i < m; ++i) REQUIRE(c(i) == of(i) * of(i));
  for (jig::index i = 0; i < n + m; ++i) REQUIRE(d(i) == (i < n - 2 ? of(i + 2) : i < n - 2 + m ? of(i - n + 2) : of(i - n + 2 - m)) - 1);
}
template <jig::index N, jig::index M>
void check_static_steps() {
  jig::tensor<double, N> x;
  jig::tensor<double, M> y;
  for (jig::index i = 0; i < N; ++i) x(i) = static_cast<double>(i * i % 13 - 5);
  for (jig::index i = 0; i < M; ++i) y(i) = static_cast<double>(i * i % 13 - 5);
  check_steps(x, y, N, M);
}

}  // namespace

TEST_CASE("joined results have the values of plain loops") {
  const auto of = [](jig::index n) {
    std::vector<double> out;
    for (jig::index i = 0; i < n; ++i) out.push_back(static_cast<double>(i * i % 13 - 5));
    return out;
  };
  for (jig::index n = 3; n < 70; ++n)
    for (const jig::index m : {0, 1, 2, 17}) {
      CAPTURE(n);
      CAPTURE(m);
      check_steps(of(n), of(m), n, m);
    }
  check_static_steps<3, 1>();
  check_static_steps<8, 17>();
  check_static_steps<16, 1>();
  check_static_steps<100, 16>();
  check_static_steps<129, 33>();
}
TEST_CASE("vectors that are shorter than what is cut of them") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(x - rolled<1>(x), 2 * x + rolled<1>(x) + rolled<2>(x)); });
  CHECK(std::get<0>(f(std::vector<float>{})).size() == 0);
  const auto [one, two] = f(std::vector<float>{5});
  CHECK(one(0) == 0);
  CHECK(two(0) == 20);
  const auto [a, b] = f(std::vector<float>{5, 7});
  CHECK(a(0) == -2);
  CHECK(a(1) == 2);
  CHECK(b(0) == 22);
  CHECK(b(1) == 26);
}
TEST_CASE("a vector of any length beside one of a known length") {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return std::tuple(y - rolled<1>(x), 2 * rolled<2>(x)); });
  jig::tensor<float, 100> y;
  std::vector<float> x;
  for (int i = 0; i < 100; ++i) {
    x.push_back(static_cast<float>(i * i % 17));
    y(i) = static_cast<float>(i);
  }
  const auto [a, b] = f(x, y);
  int wrong = 0;
  for (std::size_t i = 0; i < 100; ++i) {
    const auto k = static_cast<jig::index>(i);
    wrong += a(k) != y(k) - x[(i + 99) % 100] || b(k) != 2 * x[(i + 98) % 100];
  }
  CHECK(wrong == 0);
}
TEST_CASE("rows and columns that go around, of known and unknown extents") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    const auto above = concat<0>(part<-1, 0>(x), part<0, -1>(x));
    const auto left = concat<1>(strided_slice<jig::all, range_of(-1, unbounded)>(x), strided_slice<jig::all, range_of(0, -1)>(x));
    return std::tuple(x + 10 * above, x + 10 * left, 100 * x + 10 * above + left);
  });
  const auto check = [&](const auto& x, jig::index h, jig::index w) {
    const auto at = [&](jig::index i, jig::index k) { return static_cast<int>((i + h) % h * w + (k + w) % w); };
    const auto [a, b, c] = f(x);
    int wrong = 0;
    for (jig::index i = 0; i < h; ++i)
      for (jig::index k = 0; k < w; ++k) {
        wrong += a(i, k) != at(i, k) + 10 * at(i - 1, k) || b(i, k) != at(i, k) + 10 * at(i, k - 1);
        wrong += c(i, k) != 100 * at(i, k) + 10 * at(i - 1, k) + at(i, k - 1);
      }
    CHECK(wrong == 0);
  };
  for (const jig::index h : {1, 2, 9, 20})
    for (const jig::index w : {1, 2, 7, 16, 65, 100}) {
      jig::tensor<int, dyn, dyn> x(h, w);
      for (jig::index i = 0; i < h * w; ++i) x.data()[i] = static_cast<int>(i);
      check(x, h, w);
    }
  jig::tensor<int, 9, 100> known;
  for (int i = 0; i < 900; ++i) known.data()[i] = i;
  check(known, 9, 100);
}
