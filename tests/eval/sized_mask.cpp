// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig/eval/sized_mask.hpp>

namespace {

using jig::index;

template <class To, class From, index Lanes>
int wrong_masks() {
  using to = jig::simd::sized<To, Lanes>;
  using from = jig::simd::sized<From, Lanes>;
  int wrong = 0;
  for (unsigned bits = 0; bits < 200; ++bits) {
    From in[Lanes];
    To out[Lanes];
    auto is_true = [bits](index k) { return (bits >> (k % 7) & 1) != 0; };
    for (index k = 0; k < Lanes; ++k) in[k] = From(is_true(k));
    const auto mask = jig::simd::load_lanes<From, Lanes>(in) == from(From(1));
    jig::simd::store_lanes<To, Lanes>(out, xsimd::select(jig::simd::as_mask<to, Lanes>(mask), to(To(5)), to(To(3))));
    bool all = true;
    for (index k = 0; k < Lanes; ++k) {
      wrong += out[k] != (is_true(k) ? To(5) : To(3));
      all = all && is_true(k);
    }
    wrong += jig::simd::all_of<Lanes>(mask) != all;
  }
  return wrong;
}

template <class To, class... From>
int wrong_of_all() {
  return (wrong_masks<To, From, jig::simd::lanes<std::conditional_t<(sizeof(To) > sizeof(From)), To, From>>>() + ...) +
         (wrong_masks<To, From, jig::simd::lanes<double>>() + ...);
}

}  // namespace

TEST_CASE_TEMPLATE("truth values go with registers of other sizes", T, float, double, std::int8_t, std::uint16_t, std::int32_t,
                   std::uint64_t) {
  CHECK(wrong_of_all<T, float, double, std::uint8_t, std::int16_t, std::uint32_t, std::int64_t>() == 0);
}
