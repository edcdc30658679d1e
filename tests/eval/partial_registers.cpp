// SPDX-License-Identifier: MIT
#include <jig/eval/partial_registers.hpp>
#include <jig/eval/sized_register.hpp>

#include <doctest/doctest.h>

#include <memory>

namespace {

// Memory is as large as the part, so that the address sanitizer sees what lies behind it.
template <class B>
void check_parts() {
  using T = typename B::value_type;
  constexpr auto lanes = static_cast<jig::index>(B::size);
  for (jig::index n = 0; n <= lanes + 3; ++n) {
    CAPTURE(n);
    const auto from = std::make_unique<T[]>(static_cast<std::size_t>(n)), to = std::make_unique<T[]>(static_cast<std::size_t>(n));
    for (jig::index k = 0; k < n; ++k) from[static_cast<std::size_t>(k)] = static_cast<T>(k + 1);
    const B x = jig::simd::load_first<B>(from.get(), n);
    T all[lanes];
    x.store_unaligned(all);
    jig::simd::store_first(to.get(), x, n);
    int wrong = 0;
    for (jig::index k = 0; k < lanes; ++k) wrong += all[k] != (k < n ? static_cast<T>(k + 1) : T());
    for (jig::index k = 0; k < n; ++k) wrong += to[static_cast<std::size_t>(k)] != (k < lanes ? static_cast<T>(k + 1) : T());
    CHECK(wrong == 0);
  }
}

// The same of a number that the compiler knows.
template <class B, jig::index N>
void check_known_part() {
  using T = typename B::value_type;
  const auto to = std::make_unique<T[]>(static_cast<std::size_t>(N));
  T all[B::size];
  for (std::size_t k = 0; k < B::size; ++k) all[k] = static_cast<T>(k + 1);
  jig::simd::store_first(to.get(), B::load_unaligned(all), N);
  for (jig::index k = 0; k < N; ++k) CHECK(to[static_cast<std::size_t>(k)] == static_cast<T>(k + 1));
}

}  // namespace

TEST_CASE_TEMPLATE("the first elements of a register, as many as the compiler knows", T, float, double, std::int8_t, std::uint16_t) {
  using B = jig::simd::batch<T>;
  []<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    (check_known_part<B, N>(), ...);
  }(std::make_integer_sequence<jig::index, static_cast<jig::index>(B::size) + 1>());
}
TEST_CASE_TEMPLATE("the first elements of a register, and nothing behind them", T, float, double, std::int8_t, std::uint16_t, std::int32_t,
                   std::uint64_t) {
  check_parts<jig::simd::batch<T>>();
}
TEST_CASE_TEMPLATE("the first elements of a register beside longer ones", T, float, std::int8_t, std::uint16_t, std::int32_t) {
  check_parts<jig::simd::sized<T, jig::simd::lanes<double>>>();
}
