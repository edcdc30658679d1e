// SPDX-License-Identifier: MIT
#include <jig/eval/partial_registers.hpp>

#include <doctest/doctest.h>

#include <memory>

// Memory is as large as the part, so that the address sanitizer sees what lies behind it.
TEST_CASE_TEMPLATE("the first elements of a register, and nothing behind them", T, float, double, std::int8_t, std::uint16_t, std::int32_t,
                   std::uint64_t) {
  using B = jig::simd::batch<T>;
  constexpr auto lanes = jig::simd::lanes<T>;
  for (jig::index n = 0; n <= lanes; ++n) {
    const auto from = std::make_unique<T[]>(static_cast<std::size_t>(n)), to = std::make_unique<T[]>(static_cast<std::size_t>(n));
    for (jig::index k = 0; k < n; ++k) from[static_cast<std::size_t>(k)] = static_cast<T>(k + 1);
    const B x = jig::simd::load_first<B>(from.get(), n);
    T all[lanes];
    jig::simd::store(all, x);
    jig::simd::store_first(to.get(), x, n);
    int wrong = 0;
    for (jig::index k = 0; k < lanes; ++k) wrong += all[k] != (k < n ? static_cast<T>(k + 1) : T());
    for (jig::index k = 0; k < n; ++k) wrong += to[static_cast<std::size_t>(k)] != static_cast<T>(k + 1);
    CHECK(wrong == 0);
  }
}
