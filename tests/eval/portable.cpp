// SPDX-License-Identifier: MIT
#include <jig/eval/portable.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

// Every function beside a plain loop; programs for machines that need it are run by build/cross.sh.

namespace {

namespace portable = jig::portable;

template <class T>
std::vector<T> values() {
  using limits = std::numeric_limits<T>;
  std::vector<T> v{T(0), T(1), T(2), T(3), T(7), T(100), limits::max(), limits::lowest(), static_cast<T>(limits::max() - T(1))};
  if constexpr (std::is_signed_v<T>)
    for (T x : {T(-1), T(-2), T(-7), T(-100)}) v.push_back(x);
  if constexpr (std::is_floating_point_v<T>)
    for (T x : {T(-0.0), T(0.5), T(-0.5), T(1.5), T(2.5), T(-2.5), T(1e9), limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                limits::denorm_min()})
      v.push_back(x);
  return v;
}

template <class T>
bool same(T x, T y) {
  if constexpr (std::is_floating_point_v<T>) return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  else return x == y;
}

// All lanes of f(x, y) beside g of single numbers, for all pairs of values, which lie in lanes beside others.
template <class T, class F, class G>
void check_pairs(F f, G g) {
  using B = portable::batch<T>;
  const auto v = values<T>();
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) {
      std::array<T, B::size> x{}, y{};
      for (std::size_t k = 0; k < B::size; ++k) {
        x[k] = v[(i + k) % v.size()];
        y[k] = v[(j + 2 * k) % v.size()];
      }
      const auto z = f(B::load_unaligned(x.data()), B::load_unaligned(y.data()));
      for (std::size_t k = 0; k < B::size; ++k) {
        CAPTURE(x[k]);
        CAPTURE(y[k]);
        CHECK(same(z.get(k), decltype(z.get(k))(g(x[k], y[k]))));
      }
    }
}

template <class T>
T wrapped(auto f, T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(f(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)));
  else return f(x, y);
}

}  // namespace

TEST_CASE_TEMPLATE("arithmetic and comparisons", T, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                   std::int64_t, std::uint64_t, float, double) {
  using B = portable::batch<T>;
  static_assert(sizeof(B) == 16 && B::size == 16 / sizeof(T));
  const auto add = [](auto x, auto y) { return x + y; };
  const auto subtract = [](auto x, auto y) { return x - y; };
  const auto multiply = [](auto x, auto y) { return x * y; };
  check_pairs<T>(add, [&](T x, T y) { return wrapped<T>(add, x, y); });
  check_pairs<T>(subtract, [&](T x, T y) { return wrapped<T>(subtract, x, y); });
  check_pairs<T>(multiply, [&](T x, T y) { return wrapped<T>(multiply, x, y); });
  check_pairs<T>([](B x, B) { return -x; },
                 [&](T x, T) { return std::is_integral_v<T> ? wrapped<T>(subtract, T(0), x) : static_cast<T>(-x); });
  check_pairs<T>([](B x, B y) { return x == y; }, [](T x, T y) { return x == y; });
  check_pairs<T>([](B x, B y) { return x != y; }, [](T x, T y) { return x != y; });
  check_pairs<T>([](B x, B y) { return x < y; }, [](T x, T y) { return x < y; });
  check_pairs<T>([](B x, B y) { return x <= y; }, [](T x, T y) { return x <= y; });
  check_pairs<T>([](B x, B y) { return x > y; }, [](T x, T y) { return x > y; });
  check_pairs<T>([](B x, B y) { return x >= y; }, [](T x, T y) { return x >= y; });
  check_pairs<T>([](B x, B y) { return (portable::max)(x, y); }, [](T x, T y) { return x > y ? x : y; });
  check_pairs<T>([](B x, B y) { return (portable::min)(x, y); }, [](T x, T y) { return x < y ? x : y; });
  check_pairs<T>([](B x, B y) { return portable::select(x < y, y, B(T(3))); }, [](T x, T y) { return x < y ? y : T(3); });
  check_pairs<T>([](B x, B y) { return ((x < y) | ~(x == B(T(1)))) & (y != x); }, [](T x, T y) { return (x < y || x != T(1)) && y != x; });
}

TEST_CASE_TEMPLATE("integers as bits", T, std::int8_t, std::uint8_t, std::int32_t, std::uint64_t) {
  using B = portable::batch<T>;
  check_pairs<T>([](B x, B y) { return (x & y) ^ (x | ~y); }, [](T x, T y) { return static_cast<T>((x & y) ^ (x | ~y)); });
  check_pairs<T>([](B x, B) { return x << 3; }, [](T x, T) { return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << 3); });
  check_pairs<T>([](B x, B) { return x >> 3; }, [](T x, T) { return static_cast<T>(x >> 3); });
}

TEST_CASE_TEMPLATE("functions of floating numbers", T, float, double) {
  using B = portable::batch<T>;
  check_pairs<T>([](B x, B y) { return x / y; }, [](T x, T y) { return x / y; });
  check_pairs<T>([](B x, B) { return abs(x); }, [](T x, T) { return std::abs(x); });
  check_pairs<T>([](B x, B) { return sqrt(x); }, [](T x, T) { return std::sqrt(x); });
  check_pairs<T>([](B x, B) { return floor(x); }, [](T x, T) { return std::floor(x); });
  check_pairs<T>([](B x, B) { return ceil(x); }, [](T x, T) { return std::ceil(x); });
  check_pairs<T>([](B x, B) { return trunc(x); }, [](T x, T) { return std::trunc(x); });
  check_pairs<T>([](B x, B) { return rint(x); }, [](T x, T) { return std::rint(x); });
  check_pairs<T>([](B x, B) { return log(x); }, [](T x, T) { return std::log(x); });
  check_pairs<T>([](B x, B) { return portable::sincos(x).second; }, [](T x, T) { return std::cos(x); });
  CHECK(portable::fma(B(3), B(4), B(5)).get(1) == 17);
  CHECK(portable::reduce_add(B(T(1.5))) == T(1.5) * T(B::size));
}

TEST_CASE_TEMPLATE("truth values of a register", T, std::int8_t, std::int16_t, float, double) {
  using M = portable::batch_bool<T>;
  bool at[M::size] = {}, back[M::size];
  for (std::size_t set = 0; set <= M::size; ++set) {
    for (std::size_t k = 0; k < M::size; ++k) at[k] = k < set;
    const M m = M::load_unaligned(at);
    CHECK(any(m) == (set > 0));
    CHECK(all(m) == (set == M::size));
    (!m).store_unaligned(back);
    for (std::size_t k = 0; k < M::size; ++k) CHECK(back[k] == !at[k]);
  }
  CHECK(all(M(true)));
  CHECK_FALSE(any(M(false)));
}

TEST_CASE("registers of a number of elements") {
  static_assert(std::is_same_v<portable::make_sized_batch_t<float, 4>, portable::batch<float>>);
  static_assert(std::is_void_v<portable::make_sized_batch_t<float, 8>>);
  CHECK(portable::batch<double>(1, 2).get(1) == 2);
}
