// SPDX-License-Identifier: MIT
#include <jig/eval/flat_nest.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

using jig::dyn;

struct difference {
  constexpr auto operator()(auto x, auto w) const { return x - w; }
};
template <class F, class... E>
using first_step = jig::step<jig::program<jig::trace<F, "f", E...>, static_cast<char>(sizeof(E) > 0)...>, 0>;
template <class F, class... E>
constexpr jig::detail::flat_block block_of = jig::detail::flat_nest<first_step<F, E...>>::block;
// Whether leaf L is found once for all blocks.
template <int L, class F, class... E>
constexpr bool is_kept = jig::detail::is_kept<first_step<F, E...>>(jig::detail::nest<first_step<F, E...>, 0>::axes, block_of<F, E...>.axis,
                                                                   L, block_of<F, E...>.registers);

}  // namespace

TEST_CASE("what is the same in all blocks is found once, as far as there are registers") {
  using jig::spec;
  static_assert(is_kept<1, difference, spec<float, dyn, 3>, spec<float, 3>>);
  static_assert(!is_kept<0, difference, spec<float, dyn, 3>, spec<float, 3>>);
  constexpr jig::index lanes = jig::simd::lanes<float>, half = jig::simd::registers / 2;
  static_assert(is_kept<1, difference, spec<float, dyn, half - 1>, spec<float, half - 1>>);
  static_assert(!is_kept<1, difference, spec<float, dyn, half + 1>, spec<float, half + 1>>);
  // Rows of which a block would compute many elements twice go together with the rows behind them.
  static_assert(block_of<difference, spec<float, 2000, 2 * lanes>, spec<float, 2 * lanes>>.axis == 1);
  static_assert(block_of<difference, spec<float, 2000, lanes + 4>, spec<float, lanes + 4>>.axis == 0);
  CHECK(block_of<difference, spec<float, dyn, 3>, spec<float, 3>>.registers > 0);
}
