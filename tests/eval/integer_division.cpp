// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

// Quotients and remainders as C++ and as Python round them, of numbers that 64 bits hold exactly.
struct quotients {
  std::int64_t cut, rest, floored, modulo;
  quotients(std::int64_t x, std::int64_t y) : cut(x / y), rest(x % y), floored(cut), modulo(rest) {
    if (rest != 0 && (rest < 0) != (y < 0)) --floored, modulo += y;
  }
};

// Numbers at the ends, around zero and anywhere.
template <class T>
std::vector<T> numbers() {
  using limits = std::numeric_limits<T>;
  std::vector<T> out;
  if constexpr (sizeof(T) == 1) {
    for (int i = 0; i < 256; ++i) out.push_back(static_cast<T>(i));
  } else {
    for (int i = 0; i < 12; ++i) {
      out.push_back(static_cast<T>(limits::max() - static_cast<T>(i)));
      out.push_back(static_cast<T>(limits::lowest() + static_cast<T>(i)));
      out.push_back(static_cast<T>(i));
      out.push_back(static_cast<T>(0u - static_cast<unsigned>(i)));
    }
    for (std::uint64_t i = 1; i < 200; ++i) out.push_back(static_cast<T>(i * 0x9e3779b97f4a7c15u >> (64 - 8 * sizeof(T) + i % 16)));
  }
  return out;
}

constexpr auto divided = [](const auto& x, const auto& y) { return std::tuple(x / y, x % y, jig::floordiv(x, y), jig::floormod(x, y)); };

}  // namespace

TEST_CASE_TEMPLATE("registers of integers are divided as single ones are", T, std::int8_t, std::int16_t, std::int32_t, std::uint8_t,
                   std::uint16_t, std::uint32_t) {
  constexpr auto f = jig::function<"f(x, y)">(divided);
  const auto all = numbers<T>();
  const auto n = static_cast<jig::index>(all.size());
  jig::tensor<T, jig::dyn> x(n), y(n);
  for (jig::index i = 0; i < n; ++i) x(i) = all[static_cast<std::size_t>(i)];
  int wrong = 0;
  for (const T d : all) {
    if (d == 0) continue;
    // By one number, and by others in other places.
    const auto [cut, rest, floored, modulo] = f(x, d);
    for (jig::index i = 0; i < n; ++i) y(i) = i % 3 == 0 ? d : i % 3 == 1 ? static_cast<T>(d / 2 + 1) : static_cast<T>(d | 1);
    for (jig::index i = 0; i < n; ++i)
      if (y(i) == 0) y(i) = 1;
    const auto [cut2, rest2, floored2, modulo2] = f(x, y);
    for (jig::index i = 0; i < n; ++i) {
      const quotients one(x(i), d), other(x(i), y(i));
      wrong += cut(i) != static_cast<T>(one.cut) || rest(i) != static_cast<T>(one.rest) || floored(i) != static_cast<T>(one.floored) ||
               modulo(i) != static_cast<T>(one.modulo);
      wrong += cut2(i) != static_cast<T>(other.cut) || rest2(i) != static_cast<T>(other.rest) ||
               floored2(i) != static_cast<T>(other.floored) || modulo2(i) != static_cast<T>(other.modulo);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("all numbers of 16 bits are divided by constants") {
  constexpr auto f =
      jig::function<"f(x)">([](const auto& x) { return std::tuple(x / 9, x / 255, x % 10, x / 3, jig::floordiv(x, 7), x / 32767); });
  constexpr auto negative = jig::function<"negative(x)">([](const auto& x) { return std::tuple(x / -1, x / -9, jig::floormod(x, -7)); });
  jig::tensor<std::int16_t, 65536> x;
  jig::tensor<std::uint16_t, 65536> u;
  for (int i = 0; i < 65536; ++i) x.data()[i] = static_cast<std::int16_t>(i), u.data()[i] = static_cast<std::uint16_t>(i);
  const auto [a, b, c, d, e, g] = f(x);
  const auto [p, q, r, s, t, v] = f(u);
  const auto [k, l, m] = negative(x);
  int wrong = 0;
  for (int i = 0; i < 65536; ++i) {
    const int y = static_cast<std::int16_t>(i);
    wrong += a(i) != y / 9 || b(i) != y / 255 || c(i) != y % 10 || d(i) != y / 3 || e(i) != quotients(y, 7).floored || g(i) != y / 32767;
    wrong += p(i) != i / 9 || q(i) != i / 255 || r(i) != i % 10 || s(i) != i / 3 || t(i) != i / 7 || v(i) != i / 32767;
    wrong += k(i) != static_cast<std::int16_t>(-y) || l(i) != y / -9 || m(i) != quotients(y, -7).modulo;
  }
  CHECK(wrong == 0);
}

TEST_CASE_TEMPLATE("integers of 64 bits and those beside wider numbers", T, std::int64_t, std::uint64_t) {
  constexpr auto f = jig::function<"f(x, y)">(divided);
  constexpr auto beside = jig::function<"beside(x, y)">([](const auto& x, const auto& y) { return jig::cast<double>(x / 7) + y; });
  for (const jig::index n : {0, 1, 3, 8, 9, 31}) {
    jig::tensor<T, jig::dyn> x(n), y(n);
    jig::tensor<std::uint8_t, jig::dyn> small(n);
    jig::tensor<double, jig::dyn> wide(n);
    for (jig::index i = 0; i < n; ++i) {
      x(i) = static_cast<T>(static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u >> 2);
      y(i) = static_cast<T>(i * 1234567 + 3);
      small(i) = static_cast<std::uint8_t>(i * 37);
      wide(i) = static_cast<double>(i) / 2;
    }
    const auto [cut, rest, floored, modulo] = f(x, y);
    const auto sum = beside(small, wide);
    int wrong = 0;
    for (jig::index i = 0; i < n; ++i) {
      wrong += cut(i) != x(i) / y(i) || rest(i) != x(i) % y(i) || floored(i) != x(i) / y(i) || modulo(i) != x(i) % y(i);
      wrong += sum(i) != small(i) / 7 + wide(i);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("a zero among the divisors throws wherever it is") {
  constexpr auto f = jig::function<"f(x, y)">([](const auto& x, const auto& y) { return x / y; });
  constexpr auto g = jig::function<"g(x, y)">([](const auto& x, const auto& y) { return jig::floormod(x, y); });
  for (const jig::index n : {1, 15, 16, 17, 40}) {
    jig::tensor<int, jig::dyn> x(n), y(n);
    for (jig::index i = 0; i < n; ++i) x(i) = static_cast<int>(i), y(i) = static_cast<int>(i) + 1;
    CHECK_NOTHROW(f(x, y));
    for (jig::index i = 0; i < n; ++i) {
      y(i) = 0;
      CHECK_THROWS_WITH_AS(f(x, y), doctest::Contains("TruncateDiv: integer division by zero"), jig::invalid_argument);
      CHECK_THROWS_WITH_AS(g(x, y), doctest::Contains("FloorMod: integer division by zero"), jig::invalid_argument);
      y(i) = 1;
    }
    CHECK_THROWS_AS(f(x, 0), jig::invalid_argument);
  }
}

namespace {

template <class T, int Bits>
void check_power() {
  static constexpr T by = static_cast<T>(T(1) << Bits);
  constexpr auto f = jig::function([](const auto& x) { return std::tuple(x / by, x % by, jig::floordiv(x, by), jig::floormod(x, by)); });
  const auto all = numbers<T>();
  const auto [cut, rest, floored, modulo] = f(all);
  int wrong = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = static_cast<jig::index>(i);
    const T x = all[i], q = static_cast<T>(x / by), r = static_cast<T>(x % by);
    const bool below = r != 0 && x < T(1) && std::is_signed_v<T>;
    wrong +=
        cut(at) != q || rest(at) != r || floored(at) != static_cast<T>(q - below) || modulo(at) != static_cast<T>(r + (below ? by : T(0)));
  }
  CAPTURE(Bits);
  CHECK(wrong == 0);
}
template <class T, int... Bits>
void check_powers(std::integer_sequence<int, Bits...>) {
  (check_power<T, Bits>(), ...);
}

}  // namespace

TEST_CASE("integers are divided by constants that are powers of two") {
  check_powers<std::int32_t>(std::integer_sequence<int, 0, 1, 5, 30>());
  check_powers<std::uint32_t>(std::integer_sequence<int, 3, 31>());
  check_powers<std::int16_t>(std::integer_sequence<int, 1, 14>());
  check_powers<std::int8_t>(std::integer_sequence<int, 1, 6>());
  check_powers<std::uint8_t>(std::integer_sequence<int, 2, 7>());
  check_powers<std::int64_t>(std::integer_sequence<int, 2, 62>());
}
