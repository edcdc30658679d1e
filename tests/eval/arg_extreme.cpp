// SPDX-License-Identifier: MIT
#include <jig/eval/arg_extreme.hpp>

#include <jig.hpp>

#include "../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

// What a row holds: many equals, the extremes of the dtype, numbers that rise or fall, infinities and NaN.
enum class contents { equal, few, rising, falling, extremes, infinite, nan, late_nan };

template <class T>
T number(contents what, jig::index i, jig::index n) {
  using limits = std::numeric_limits<T>;
  const auto k = i * 7919 % 31;
  const auto as = [](jig::index v) { return static_cast<T>(v); };
  switch (what) {
    case contents::equal: return as(1);
    case contents::few: return as(k % 3);
    case contents::rising: return as(i % 120);
    case contents::falling: return as(120 - i % 120);
    case contents::extremes: return k % 5 == 0 ? limits::lowest() : k % 5 == 1 ? limits::max() : as(k);
    default: break;
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (what == contents::nan && k == 3) return i % 2 == 0 ? limits::quiet_NaN() : -limits::quiet_NaN();
    if (what == contents::late_nan && i >= n - 2) return limits::quiet_NaN();
    if (k % 7 == 1) return limits::infinity();
    if (k % 7 == 2) return -limits::infinity();
    if (k % 7 == 3) return k % 2 == 0 ? T(0) : -T(0);
  }
  return as(k);
}

template <bool Smallest, class T>
std::int64_t reference(const T* from, jig::index n, jig::index stride) {
  jig::index at = 0;
  for (jig::index i = 1; i < n; ++i) {
    const T x = from[i * stride], best = from[at * stride];
    const bool x_is_nan = !(x == x), best_is_nan = !(best == best);
    if (best_is_nan) break;
    if (x_is_nan || (Smallest ? x < best : x > best)) at = i;
  }
  return at;
}

struct values_of {
  jig::stretch<jig::attribute_view> values;
  jig::stretch<jig::attribute_view> view() const { return values; }
};

template <const jig::op& Op, class T>
std::vector<std::int64_t> erased(const T* x, const jig::shape& extents, jig::index axis) {
  const jig::attribute_view with{"dimension", jig::attribute_kind::integer, {&axis, 1}, {}, {}};
  const jig::shape strides = jig::detail::row_major_strides(extents), to_extents{2, {extents[0], extents[axis == 1 ? 2 : 1]}},
                   to_strides = jig::detail::row_major_strides(to_extents);
  std::vector<std::int64_t> out(static_cast<std::size_t>(to_extents.size()) + 1, -1);
  jig::kernel<Op>::run(values_of{{&with, 1}}, jig::detail::rank_erased<std::int64_t>(out.data(), to_extents, to_strides),
                       jig::detail::rank_erased<const T>(x, extents, strides));
  CHECK(out.back() == -1);
  out.pop_back();
  return out;
}

template <class T, int Axis, jig::index... E>
void check(jig::index a, jig::index b, jig::index c) {
  static constexpr auto f = jig::function<"f(x)">([](auto v) { return std::tuple(jig::argmax<Axis>(v), jig::argmin<Axis>(v)); });
  const jig::index n = Axis == 1 ? b : c, inner = Axis == 1 ? c : 1;
  for (auto what : {contents::equal, contents::few, contents::rising, contents::falling, contents::extremes, contents::infinite,
                    contents::nan, contents::late_nan}) {
    if (!std::is_floating_point_v<T> && what > contents::extremes) continue;
    jig::tensor<T, E...> x(jig::uninitialized, {3, {a, b, c}});
    std::vector<std::int64_t> most, least;
    for (jig::index o = 0; o < a; ++o)
      for (jig::index k = 0; k < (Axis == 1 ? c : b); ++k) {
        T* from = x.data() + o * b * c + (Axis == 1 ? k : k * c);
        for (jig::index i = 0; i < n; ++i) from[i * inner] = number<T>(what, i + 3 * k + 5 * o, n + 3 * k + 5 * o);
        most.push_back(reference<false>(from, n, inner));
        least.push_back(reference<true>(from, n, inner));
      }
    CAPTURE(a);
    CAPTURE(b);
    CAPTURE(c);
    CAPTURE(Axis);
    CAPTURE(static_cast<int>(what));
    const auto [y, z] = f(x);
    CHECK(std::vector<std::int64_t>(y.begin(), y.end()) == most);
    CHECK(std::vector<std::int64_t>(z.begin(), z.end()) == least);
    CHECK(erased<jig::ops::argmax>(x.data(), {3, {a, b, c}}, Axis) == most);
    CHECK(erased<jig::ops::argmin>(x.data(), {3, {a, b, c}}, Axis) == least);
  }
}

// On both sides of the lanes of every dtype and width of register, and of what is searched at once.
template <class T>
void rows() {
  for (jig::index n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 130, 1000, 4095, 4097, 9000})
    check<T, 2, dyn, dyn, dyn>(1, n < 100 ? 3 : 2, n);
  // As many rows as a register has lanes, and some more or less.
  constexpr auto lanes = static_cast<jig::index>(jig::simd::lanes<T>);
  for (jig::index n = 2; n < 9; ++n)
    for (jig::index count : {lanes - 1, lanes, lanes + 1, 2 * lanes + 3}) check<T, 2, dyn, dyn, dyn>(1, count, n);
}
template <class T>
void columns() {
  for (jig::index inner : {2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 24, 33, 63, 64, 65, 129, 300})
    for (jig::index n : {1, 2, 3, 15, 16, 17, 40}) check<T, 1, dyn, dyn, dyn>(n < 4 ? 5 : 2, n, inner);
  // Fewer columns than lanes, and more positions than a byte counts.
  for (jig::index inner : {2, 3, 5, 8, 16, 70}) check<T, 1, dyn, dyn, dyn>(2, 1001, inner);
}
template <class T, jig::index... N>
void short_rows(std::integer_sequence<jig::index, N...>) {
  (check<T, 2, dyn, 1, N>(131, 1, N), ...);
}

}  // namespace

TEST_CASE("the largest and the smallest float") {
  rows<float>();
  columns<float>();
  short_rows<float>(std::integer_sequence<jig::index, 1, 2, 3, 7, 8, 10, 11, 16, 17>());
}
TEST_CASE("the largest and the smallest double") {
  rows<double>();
  columns<double>();
  short_rows<double>(std::integer_sequence<jig::index, 2, 5, 9, 12, 13>());
}
TEST_CASE("the largest and the smallest integer") {
  rows<std::int32_t>();
  rows<std::uint8_t>();
  rows<std::int16_t>();
  rows<std::uint64_t>();
  columns<std::int8_t>();
  columns<std::uint16_t>();
  columns<std::int64_t>();
  short_rows<std::uint8_t>(std::integer_sequence<jig::index, 2, 3, 15, 16, 17>());
  short_rows<std::int32_t>(std::integer_sequence<jig::index, 4, 6>());
}

TEST_CASE("positions that two bytes do not count") {
  check<std::int16_t, 1, dyn, dyn, dyn>(1, 70000, 3);
  check<std::uint16_t, 1, dyn, dyn, dyn>(1, 33000, 40);
}

TEST_CASE("dtypes without registers, and operands at any strides") {
  const auto f = jig::function<"f(x)">([](auto v) { return std::tuple(jig::argmax(v), jig::argmin(v)); });
  const auto [most, least] = f(jig::tensor<bool, 4>{false, true, true, false});
  CHECK(most() == 1);
  CHECK(least() == 0);
  const auto [h, l] = f(jig::tensor<jig::half, 3>{jig::half(1.0f), jig::half(3.0f), jig::half(-2.0f)});
  CHECK(h() == 1);
  CHECK(l() == 2);
  jig::tensor<float, dyn, dyn> x(jig::uninitialized, {2, {30, 7}});
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 37 % 101);
  const auto y = jig::function<"f(x)">([](auto v) { return jig::argmax<1>(jig::reverse<1>(jig::transpose(v))); })(x);
  for (jig::index k = 0; k < 7; ++k) {
    jig::index best = 0;
    for (jig::index i = 1; i < 30; ++i)
      if (x(29 - i, k) > x(29 - best, k)) best = i;
    CHECK(y(k) == best);
  }
}
TEST_CASE("threads share rows") {
  constexpr auto both = jig::function([](auto x) { return std::tuple(jig::argmax<1>(x), jig::argmin<1>(x)); });
  const auto filled = []<class T>(T x) {
    jig::index i = 0;
    for (auto& e : x) e = static_cast<typename T::value_type>((i += 7919) % 113);
    return x;
  };
  check_shared(true, both, filled(jig::tensor<float, 170, 700>()));
  check_shared(true, both, filled(jig::tensor<std::uint8_t, 30, 9, 300>()));
  check_shared(true, both, filled(jig::tensor<double, jig::dyn, jig::dyn>(9000, 8)));
  check_shared(false, both, filled(jig::tensor<double, jig::dyn, jig::dyn>(8000, 8)));
}
