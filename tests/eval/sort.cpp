// SPDX-License-Identifier: MIT
#include <jig/eval/sort.hpp>

#include "../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using jig::detail::sorts_before;
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();

// The positions by inserting one after the other.
template <bool Descending>
std::vector<std::int32_t> inserted(const std::vector<double>& x) {
  const auto larger = [](double a, double b) { return (std::isnan(a) && !std::isnan(b)) || a > b; };
  std::vector<std::int32_t> order;
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::size_t at = order.size();
    while (at > 0) {
      const double before = x[static_cast<std::size_t>(order[at - 1])];
      if (Descending ? !larger(x[i], before) : !larger(before, x[i])) break;
      --at;
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::int32_t>(i));
  }
  return order;
}

template <bool Descending>
void check_order(const std::vector<double>& x) {
  const auto expected = inserted<Descending>(x);
  const auto n = static_cast<jig::index>(x.size());
  std::vector<double> spaced(3 * x.size() + 1);
  for (std::size_t i = 0; i < x.size(); ++i) spaced[3 * i] = x[i];
  for (jig::index k = 0; k <= n; k += n > 4 ? 3 : 1) {
    std::vector<std::int32_t> order(x.size());
    jig::detail::sort_positions<sorts_before<Descending>>(order.data(), n, k, spaced.data(), 3);
    int wrong = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i) wrong += order[i] != expected[i];
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("the first k positions in order: NaN is the largest, equals stay as they stand") {
  std::vector<double> many;
  for (int i = 0; i < 100; ++i) many.push_back(i * 37 % 11 - 5.0);
  for (const std::vector<double>& x : {std::vector<double>{},
                                       {3},
                                       {2, 1},
                                       {1, 1, 1},
                                       {nan_value, 1, -infinite, nan_value, infinite, -0.0, 0.0},
                                       {5, 4, 3, 2, 1, 0},
                                       many}) {
    CAPTURE(x.size());
    check_order<false>(x);
    check_order<true>(x);
  }
}

TEST_CASE("rows along any axis of what lies with strides") {
  int memory[24];
  for (int i = 0; i < 24; ++i) memory[i] = i;
  const jig::view<const int, 2, 3, 4> turned(memory, jig::shape{3, {2, 3, 4}}, jig::shape{3, {1, 8, 2}});
  for (int axis = 0; axis < 3; ++axis) {
    const jig::index all = jig::detail::rows_along(turned, axis);
    CHECK(all == 24 / turned.extent(axis));
    // At once, and from any row on.
    for (jig::index first = 0; first < all; ++first) {
      std::vector<int> seen(24);
      jig::index rows = 0;
      const auto see = [&](jig::index a, jig::index b) {
        CHECK(a == b);
        ++rows;
        for (jig::index i = 0; i < turned.extent(axis); ++i) ++seen[static_cast<std::size_t>(a + i * turned.stride(axis))];
      };
      jig::detail::for_each_row(turned, turned, axis, 0, first, see);
      CHECK(rows == first);
      jig::detail::for_each_row(turned, turned, axis, first, all - first, see);
      CHECK(rows == all);
      for (int n : seen) CHECK(n == 1);
    }
  }
  const jig::view<const int, 2, 0> nothing(memory, jig::shape{2, {2, 0}}, jig::shape{2, {0, 1}});
  CHECK(jig::detail::rows_along(nothing, 1) == 0);
}

TEST_CASE("of nothing there is nothing in order") {
  constexpr auto all = jig::function([](auto x) {
    auto [values, positions] = jig::top_k<0>(x);
    return std::tuple(jig::sort<0>(x), jig::sort<1>(x), jig::argsort<0>(x), jig::argsort<-1>(x, jig::descending), values, positions);
  });
  const auto check = [](const auto& results, const jig::shape& shape) {
    std::apply([&](const auto& a, const auto& b, const auto& c, const auto& d,
                   const auto&...) { CHECK((a.shape() == shape && b.shape() == shape && c.shape() == shape && d.shape() == shape)); },
               results);
  };
  for (const jig::shape& s : {jig::shape{2, {0, 0}}, {2, {2, 0}}, {2, {0, 2}}, {2, {0, 300}}, {2, {300, 0}}}) {
    check(all(jig::tensor<double, jig::dyn, jig::dyn>(s[0], s[1])), s);
    check(all(jig::tensor<std::int64_t, jig::dyn, jig::dyn>(s[0], s[1])), s);
  }
  check(all(jig::tensor<float, 0, 3>()), {2, {0, 3}});
  check(all(jig::tensor<float, 3, 0>()), {2, {3, 0}});
}

TEST_CASE("more positions than an int32 holds are refused") {
  CHECK_NOTHROW(jig::detail::check_positions("Op", std::numeric_limits<std::int32_t>::max()));
  CHECK_THROWS_WITH_AS(jig::detail::check_positions("Op", jig::index{1} << 31), "Op: positions up to 2147483648 do not fit an int32",
                       jig::invalid_argument);
}
TEST_CASE("threads share rows") {
  constexpr auto sorted = jig::function([](auto x) {
    auto [values, positions] = jig::top_k<7>(x);
    return std::tuple(jig::sort<1>(x), jig::argsort<0>(x, jig::descending), values, positions);
  });
  const auto filled = []<class T>(T x) {
    jig::index i = 0;
    for (auto& e : x) e = static_cast<typename T::value_type>((i += 7919) % 1009);
    return x;
  };
  check_shared(true, sorted, filled(jig::tensor<float, 40, 600>()));
  check_shared(true, sorted, filled(jig::tensor<double, jig::dyn, jig::dyn>(150, 200)));
  check_shared(false, sorted, filled(jig::tensor<double, jig::dyn, jig::dyn>(30, 60)));
  // By networks: of a length that the type tells, of one that it does not, and along another axis.
  check_shared(true, sorted, filled(jig::tensor<float, 3000, 24>()));
  check_shared(true, sorted, filled(jig::tensor<int, jig::dyn, jig::dyn>(5001, 17)));
  check_shared(false, sorted, filled(jig::tensor<float, 300, 16>()));
  constexpr auto along = jig::function([](auto x) { return jig::sort<1>(x); });
  check_shared(true, along, filled(jig::tensor<std::int64_t, 3, 300, 70>()));
  check_shared(false, along, filled(jig::tensor<float, 1, 30000>()));
}
