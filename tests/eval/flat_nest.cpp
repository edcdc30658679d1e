// SPDX-License-Identifier: MIT
#include <jig/eval/flat_nest.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

using jig::dyn;

struct difference {
  constexpr auto operator()(auto x, auto w) const { return x - w; }
};
// All pairs of numbers, the second ones from every third place.
struct pairs {
  constexpr auto operator()(auto x, auto w) const { return x - jig::strided_slice<jig::all, 1>(w); }
};
template <class F, class... E>
using first_step = jig::step<jig::program<jig::trace<F, "f", E...>, static_cast<char>(sizeof(E) > 0)...>, 0>;
template <class F, class... E>
constexpr jig::detail::flat_block block_of = jig::detail::flat_nest<first_step<F, E...>>::block;
// Whether leaf L is found once for all blocks.
template <int L, class F, class... E>
constexpr bool is_kept = jig::detail::is_kept<first_step<F, E...>>(jig::detail::nest<first_step<F, E...>, 0>::axes, block_of<F, E...>.axis,
                                                                   L, block_of<F, E...>.registers);
// Whether the places of a block go with those along the axis outside.
template <class F, class... E>
constexpr bool makes_pairs =
    jig::detail::makes_pairs<first_step<F, E...>>(jig::detail::nest<first_step<F, E...>, 0>::axes, 1, jig::simd::lanes<float>);

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

TEST_CASE("registers that are made of several are found once for many pairs") {
  using jig::spec;
  static_assert(makes_pairs<pairs, spec<float, 8, 1>, spec<float, 100, 3>>);
  static_assert(makes_pairs<pairs, spec<float, dyn, 1>, spec<float, dyn, 3>>);
  static_assert(!makes_pairs<pairs, spec<float, 7, 1>, spec<float, 100, 3>>);
  static_assert(!makes_pairs<pairs, spec<float, 20, 100>, spec<float, 100, 3>>);
  static_assert(!makes_pairs<difference, spec<float, 20, 1>, spec<float, 100>>);
  static constexpr auto f = jig::function<"f(x, w)">(pairs());
  int wrong = 0;
  for (jig::index n : {0, 1, 7, 8, 17, 40})
    for (jig::index m : {0, 1, 5, 8, 15, 16, 17, 33, 100}) {
      jig::tensor<float, dyn, 1> x(n);
      jig::tensor<float, dyn, 3> w(m);
      for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7 % 31);
      for (jig::index i = 0; i < w.size(); ++i) w.data()[i] = static_cast<float>(i * 5 % 37);
      const auto y = f(x, w);
      for (jig::index i = 0; i < n; ++i)
        for (jig::index k = 0; k < m; ++k) wrong += y(i, k) != x(i, 0) - w(k, 1);
    }
  CHECK(wrong == 0);
}

// Clang evaluates no more than a million steps for one constant.
TEST_CASE("blocks of bytes whose lanes are spread over many registers") {
  std::vector<std::uint8_t> numbers(5 * 5 * 8 * 64);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint8_t>(i * 37 + i / 251);
  const jig::view<const std::uint8_t, 5, 5, 8, 64, 1> x(numbers.data(), {5, 5, 8, 64, 1}, {1, 5, 25, 200, 12800});
  const auto y = jig::function<"f(x)">([](auto a) { return a | jig::reverse<1, 3>(a); })(x);
  int wrong = 0;
  for (jig::index i = 0; i < 5; ++i)
    for (jig::index j = 0; j < 5; ++j)
      for (jig::index k = 0; k < 8; ++k)
        for (jig::index l = 0; l < 64; ++l) wrong += y(i, j, k, l, 0) != (x(i, j, k, l, 0) | x(i, 4 - j, k, 63 - l, 0));
  CHECK(wrong == 0);
}
