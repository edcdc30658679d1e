// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig/eval/resize.hpp>

namespace {

using jig::index;

template <class To, index Lanes, class From>
int wrong_by_halves() {
  // The way of machines that have no instructions for it.
  if constexpr (sizeof(To) == sizeof(From)) {
    return 0;
  } else {
    From in[Lanes];
    for (index k = 0; k < Lanes; ++k) in[k] = static_cast<From>(static_cast<std::uint64_t>(k) * 0x9e3779b97f4a7c15u);
    const auto x = jig::simd::to_native(jig::simd::load_lanes<From, Lanes>(in));
    To out[Lanes];
    using B = jig::simd::sized<To, Lanes>;
    if constexpr (sizeof(To) > sizeof(From))
      jig::simd::store_lanes<To, Lanes>(
          out, jig::simd::from_native<B>(jig::simd::detail::widen_native<std::is_signed_v<From>, sizeof(To), Lanes, sizeof(From)>(x)));
    else jig::simd::store_lanes<To, Lanes>(out, jig::simd::from_native<B>(jig::simd::detail::narrow_native<sizeof(To), sizeof(From)>(x)));
    int wrong = 0;
    for (index k = 0; k < Lanes; ++k) wrong += out[k] != static_cast<To>(in[k]);
    return wrong;
  }
}

template <class From, class... To>
int wrong_of_all() {
  return (wrong_by_halves<To, jig::simd::lanes<std::conditional_t<(sizeof(To) > sizeof(From)), To, From>>, From>() + ...);
}

}  // namespace

TEST_CASE_TEMPLATE("integers are widened and narrowed by halves", From, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                   std::uint16_t, std::uint32_t, std::uint64_t) {
  CHECK(wrong_of_all<From, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint32_t,
                     std::uint64_t>() == 0);
}
