// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/tile.hpp>

#include "../../plain_product.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <type_traits>

namespace {

using jig::index;
namespace detail = jig::detail;

static_assert(std::is_same_v<detail::factor<float>, float>);
static_assert(std::is_same_v<detail::factor<std::int8_t>, std::uint8_t>, "unsigned integers wrap");

// A tile of Rows, as wide as `columns`: its last register begins at `last` and has `count` elements. What was in c stays below what is
// added, or is written over.
template <class T, int Rows, int Registers, detail::tail Tail>
int wrong(index columns, index last, index count, index k, matrix_lies a_lies, index gap, bool adds = true) {
  plain_product<T> p(Rows, columns, k, a_lies, {columns + gap, 1}, columns + gap);
  // What registers read behind the columns is there.
  p.b.resize(p.b.size() + 64, T(9));
  detail::tile_place<T> place{p.a.data(), a_lies.row, a_lies.column, p.b.data(), p.b_lies.row, p.c.data(), p.c_row, last, count};
  detail::multiply_tile<jig::simd::batch<T>, Rows, Registers, Tail>(place, k, false);
  const int fresh = p.wrong();
  if (!adds) return fresh;
  for (T& x : p.c) x = p.untouched;
  for (index i = 0; i < Rows; ++i)
    for (index j = 0; j < columns; ++j) p.c[static_cast<std::size_t>(i * p.c_row + j)] = T(3);
  detail::multiply_tile<jig::simd::batch<T>, Rows, Registers, Tail>(place, k, true);
  return fresh + p.wrong(T(3));
}

template <class T, int Rows, int Registers>
int wrong_in_all() {
  using detail::tail;
  constexpr index w = jig::simd::lanes<T>, before = (Registers - 1) * w;
  int count = 0;
  for (index k : {0, 1, 5, 40})
    for (index gap : {0, 3})
      for (const matrix_lies a : {matrix_lies{k + 1, 1}, matrix_lies{1, Rows + gap}}) {
        count += wrong<T, Rows, Registers, tail::whole>(before + w, before, w, k, a, gap);
        count += wrong<T, Rows, Registers, tail::stored>(before + w, before, w, k, a, gap);
        count += wrong<T, Rows, Registers, tail::stored>(before + 1, before, 1, k, a, gap);
        count += wrong<T, Rows, Registers, tail::loaded_and_stored>(before + 1, before, 1, k, a, gap);
        count += wrong<T, Rows, Registers, tail::loaded_and_stored>(before + w - 1, before, w - 1, k, a, gap);
      }
  return count;
}

TEST_CASE_TEMPLATE("tiles of whole registers and of parts", T, float, double, std::uint32_t, std::uint8_t) {
  CHECK(wrong_in_all<T, 1, 1>() == 0);
  CHECK(wrong_in_all<T, 3, 2>() == 0);
  CHECK(wrong_in_all<T, 8, 2>() == 0);
}
TEST_CASE("a last register that begins before the one ahead of it ends computes some elements again") {
  constexpr index w = jig::simd::lanes<float>;
  CHECK(wrong<float, 2, 2, detail::tail::whole>(w + 1, 1, w, 4, {4, 1}, 0, false) == 0);
  CHECK(wrong<float, 2, 2, detail::tail::whole>(2 * w - 1, w - 1, w, 4, {1, 2}, 3, false) == 0);
}

}  // namespace
