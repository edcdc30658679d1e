// SPDX-License-Identifier: MIT
#pragma once
// Systems of linear equations of a few rows, one in each lane of a register.

#include <jig/eval/float_bits.hpp>
#include <jig/eval/matrix_walk.hpp>
#include <jig/eval/simd.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace jig::detail {

// Matrices with more rows, or more right-hand sides, are computed row by row.
inline constexpr index most_in_lanes = 8;
// Of matrices with so many rows the code has no loops, where types tell.
inline constexpr index most_rows_unrolled = 4;

template <class T>
using systems_in_lanes = simd::batch<T>[array_bound(most_in_lanes)][array_bound(2 * most_in_lanes)];

template <index N>
inline constexpr std::integral_constant<index, N> numeral{};

/// Calls f with the numbers from `first` to `end`, which are constants where both of these are.
template <class First, class End, class F>
[[gnu::always_inline]] inline void count_up(First first, End end, F f) {
  if constexpr (std::is_same_v<First, index> || std::is_same_v<End, index>) {
    for (index i = first; i < end; ++i) f(i);
  } else if constexpr (First::value < End::value) {
    [&]<index... I>(std::integer_sequence<index, I...>) __attribute__((always_inline)) {
      (f(numeral<First::value + I>), ...);
    }(std::make_integer_sequence<index, End::value - First::value>());
  }
}
template <class I>
[[gnu::always_inline]] inline auto next_numeral(I i) {
  if constexpr (std::is_same_v<I, index>) return i + 1;
  else return numeral<I::value + 1>;
}
template <class I, class J>
[[gnu::always_inline]] inline auto numeral_sum(I i, J j) {
  if constexpr (std::is_same_v<I, index> || std::is_same_v<J, index>) return index{i} + index{j};
  else return numeral<I::value + J::value>;
}

/// What divides by a pivot: a product with its reciprocal where there is one.
template <class E>
struct divided_by {
  E pivot, reciprocal;
  bool exactly;
  E operator()(const E& x) const { return exactly ? x / pivot : x * reciprocal; }
};
template <class T>
[[gnu::always_inline]] inline divided_by<simd::batch<T>> division_by(const simd::batch<T>& pivot) {
  using B = simd::batch<T>;
  const B reciprocal = B(1) / pivot;
  return {pivot, reciprocal, !xsimd::all(simd::magnitude(reciprocal) <= B((std::numeric_limits<T>::max)()))};
}

/// Loads some matrices as columns from `first` on. A single one is in all lanes; otherwise there is the unit matrix in lanes without one.
template <class T, class First, class Rows, class Columns, class Walk>
[[gnu::always_inline]] inline void load_lanes(systems_in_lanes<T>& to, First first, Rows rows, Columns columns, Walk& walk, index count) {
  if (count == 1) {
    count_up(numeral<0>, rows, [&](auto i) __attribute__((always_inline)) {
      count_up(numeral<0>, columns, [&](auto j) __attribute__((always_inline)) {
        to[i][first + j] = simd::batch<T>(walk.data[i * walk.row + j * walk.column]);
      });
    });
    walk.next();
    return;
  }
  constexpr index lanes = simd::lanes<T>;
  alignas(64) T elements[array_bound(most_in_lanes * most_in_lanes * lanes)];
  for (index b = count; b < lanes; ++b)
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j) elements[(i * columns + j) * lanes + b] = T(i == j);
  for (index b = 0; b < count; ++b, walk.next())
    count_up(numeral<0>, rows, [&](auto i) __attribute__((always_inline)) {
      count_up(numeral<0>, columns, [&](auto j) __attribute__((always_inline)) {
        elements[(i * columns + j) * lanes + b] = walk.data[i * walk.row + j * walk.column];
      });
    });
  count_up(numeral<0>, rows, [&](auto i) __attribute__((always_inline)) {
    count_up(numeral<0>, columns, [&](auto j) __attribute__((always_inline)) {
      to[i][first + j] = simd::load(static_cast<const T*>(elements) + (i * columns + j) * lanes);
    });
  });
}
template <class T, class First, class Rows, class Columns, class Walk>
[[gnu::always_inline]] inline void store_lanes(Walk& walk, const systems_in_lanes<T>& from, First first, Rows rows, Columns columns,
                                               index count) {
  if (count == 1) {
    count_up(numeral<0>, rows, [&](auto i) __attribute__((always_inline)) {
      count_up(numeral<0>, columns,
               [&](auto j) __attribute__((always_inline)) { walk.data[i * walk.row + j * walk.column] = from[i][first + j].get(0); });
    });
    walk.next();
    return;
  }
  constexpr index lanes = simd::lanes<T>;
  alignas(64) T elements[array_bound(most_in_lanes * most_in_lanes * lanes)];
  count_up(numeral<0>, rows, [&](auto i) __attribute__((always_inline)) {
    count_up(numeral<0>, columns,
             [&](auto j) __attribute__((always_inline)) { simd::store(elements + (i * columns + j) * lanes, from[i][first + j]); });
  });
  for (index b = 0; b < count; ++b, walk.next())
    count_up(numeral<0>, rows, [&](auto i) __attribute__((always_inline)) {
      count_up(numeral<0>, columns, [&](auto j) __attribute__((always_inline)) {
        walk.data[i * walk.row + j * walk.column] = elements[(i * columns + j) * lanes + b];
      });
    });
}

/// Puts the largest element of column k on the diagonal. Returns where a row came from elsewhere.
template <class T, class K, class N, class Width>
[[gnu::always_inline]] inline auto bring_pivots(systems_in_lanes<T>& a, K k, N n, Width width) {
  using B = simd::batch<T>;
  const B here(static_cast<T>(index{k}));
  B largest = simd::magnitude(a[k][k]), where = here;
  count_up(next_numeral(k), n, [&](auto i) __attribute__((always_inline)) {
    const B size = simd::magnitude(a[i][k]);
    const auto larger = size > largest;
    largest = xsimd::select(larger, size, largest);
    where = xsimd::select(larger, B(static_cast<T>(index{i})), where);
  });
  count_up(next_numeral(k), n, [&](auto i) __attribute__((always_inline)) {
    const auto swaps = where == B(static_cast<T>(index{i}));
    count_up(k, width, [&](auto j) __attribute__((always_inline)) {
      const B x = a[k][j], y = a[i][j];
      a[k][j] = xsimd::select(swaps, y, x);
      a[i][j] = xsimd::select(swaps, x, y);
    });
  });
  return where != here;
}
/// Eliminates what is below the diagonal. Returns the products of the pivots.
template <class T, class N, class Width>
[[gnu::always_inline]] inline simd::batch<T> eliminate_in_lanes(systems_in_lanes<T>& a, N n, Width width) {
  using B = simd::batch<T>;
  B product(1);
  count_up(numeral<0>, n, [&](auto k) __attribute__((always_inline)) {
    const auto swapped = bring_pivots<T>(a, k, n, width);
    const B pivot = a[k][k];
    product = xsimd::select(swapped, B(0) - product, product) * pivot;
    const auto divided = division_by<T>(pivot);
    const auto none = pivot == B(0);
    count_up(next_numeral(k), n, [&](auto i) __attribute__((always_inline)) {
      const B factor = xsimd::select(none, a[i][k], divided(a[i][k]));
      count_up(next_numeral(k), width,
               [&](auto j) __attribute__((always_inline)) { a[i][j] = simd::multiply_add<true>(factor, a[k][j], a[i][j]); });
    });
  });
  return product;
}
/// Solves triangular systems for the columns from n on. Returns whether none has a zero on its diagonal.
template <bool Upper, class T, class N, class Width>
[[gnu::always_inline]] inline bool substitute_in_lanes(systems_in_lanes<T>& a, N n, Width width) {
  using B = simd::batch<T>;
  bool solvable = true;
  count_up(numeral<0>, n, [&](auto step) __attribute__((always_inline)) {
    const auto row = [&](auto i) __attribute__((always_inline)) { return Upper ? n - 1 - i : index{i}; };
    const index k = row(step);
    solvable = solvable && !xsimd::any(a[k][k] == B(0));
    count_up(n, width, [&](auto j) __attribute__((always_inline)) { a[k][j] = a[k][j] / a[k][k]; });
    count_up(next_numeral(step), n, [&](auto later) __attribute__((always_inline)) {
      const index i = row(later);
      count_up(n, width, [&](auto j) __attribute__((always_inline)) { a[i][j] = simd::multiply_add<true>(a[i][k], a[k][j], a[i][j]); });
    });
  });
  return solvable;
}
/// The Cholesky factors, transposed, from the upper triangles. Returns whether there is one of each.
template <class T, class N>
[[gnu::always_inline]] inline bool factor_in_lanes(systems_in_lanes<T>& a, N n) {
  using B = simd::batch<T>;
  bool definite = true;
  count_up(numeral<0>, n, [&](auto k) __attribute__((always_inline)) {
    definite = definite && !xsimd::any(a[k][k] <= B(0));
    const B root = xsimd::sqrt(a[k][k]);
    a[k][k] = root;
    count_up(next_numeral(k), n, [&](auto j) __attribute__((always_inline)) { a[k][j] = a[k][j] / root; });
    count_up(next_numeral(k), n, [&](auto i) __attribute__((always_inline)) {
      count_up(i, n, [&](auto j) __attribute__((always_inline)) { a[i][j] = simd::multiply_add<true>(a[k][i], a[k][j], a[i][j]); });
    });
  });
  return definite;
}

/// a d - b c, of which no product is rounded before the difference where the machine has fused instructions: 0 of equal products (Kahan).
template <class B>
[[gnu::always_inline]] inline B difference_of_products(const B& a, const B& d, const B& b, const B& c) {
  const B product = b * c;
  return simd::multiply_add(a, d, B(0) - product) + simd::multiply_add<true>(b, c, product);
}
/// Of up to four rows determinants are sums of products, exact where these are; of more they are products of pivots.
template <class T, class N>
[[gnu::always_inline]] inline simd::batch<T> determinants_of(systems_in_lanes<T>& a, N n) {
  // Of two rows that follow one another, in two columns.
  const auto of_two_rows = [&](index row, int i, int j) __attribute__((always_inline)) {
    return difference_of_products(a[row][i], a[row + 1][j], a[row][j], a[row + 1][i]);
  };
  if (n == 2) return of_two_rows(0, 0, 1);
  if (n == 3)
    return simd::multiply_add(a[0][0], of_two_rows(1, 1, 2),
                              difference_of_products(a[0][2], of_two_rows(1, 0, 1), a[0][1], of_two_rows(1, 0, 2)));
  if (n == 4)
    return difference_of_products(of_two_rows(0, 0, 1), of_two_rows(2, 2, 3), of_two_rows(0, 0, 2), of_two_rows(2, 1, 3)) +
           difference_of_products(of_two_rows(0, 0, 3), of_two_rows(2, 1, 2), of_two_rows(0, 1, 3), of_two_rows(2, 0, 2)) +
           simd::multiply_add(of_two_rows(0, 1, 2), of_two_rows(2, 0, 3), of_two_rows(0, 2, 3) * of_two_rows(2, 0, 1));
  return eliminate_in_lanes<T>(a, n, n);
}

/// Whether systems are computed one in each lane: of few rows always, else where that fills half the lanes.
template <class T>
bool run_in_lanes(index n, index sides, index count) {
  return n <= most_in_lanes && sides <= most_in_lanes && (n <= most_rows_unrolled || 2 * count >= simd::lanes<T>);
}
/// Calls f for as many matrices at once as there are lanes, with the extents and how many there are. Constants are those of few rows that
/// types tell.
template <class T, index Rows, index Sides, class F>
[[gnu::always_inline]] inline void for_lanes(index n, index sides, index count, F f) {
  for (; count > 0; count -= simd::lanes<T>) {
    const index now = (std::min)(count, simd::lanes<T>);
    if constexpr (Rows >= 0 && Rows <= most_rows_unrolled && Sides >= 0 && Sides <= most_rows_unrolled)
      f(numeral<Rows>, numeral<Sides>, now);
    else f(n, sides, now);
  }
}

}  // namespace jig::detail
