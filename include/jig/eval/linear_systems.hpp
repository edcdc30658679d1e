// SPDX-License-Identifier: MIT
#pragma once
// Kernels of systems of linear equations.

#include <jig/eval/systems_in_lanes.hpp>
#include <jig/eval/systems_in_rows.hpp>
#include <jig/ops/linear_systems.hpp>

#include <algorithm>
#include <string_view>
#include <type_traits>

namespace jig {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_invertible(std::string_view op) {
  message m;
  m << op << ": a matrix is not invertible";
  throw_invalid_argument(m.view());
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_positive_definite() {
  throw_invalid_argument("Cholesky: a matrix is not positive definite");
}

// Of matrices and right-hand sides, which without any are unit matrices.
template <class T, class Rows, class Columns, class To, class A, class... B>
[[gnu::always_inline]] inline void solve_in_lanes(std::string_view op, Rows rows, Columns columns, index count, To& to, A& a, B&... b) {
  systems_in_lanes<T> s;
  load_lanes<T>(s, numeral<0>, rows, rows, a, count);
  if constexpr (sizeof...(B) > 0) {
    (load_lanes<T>(s, rows, rows, columns, b, count), ...);
  } else {
    count_up(numeral<0>, rows, [&](auto i) __attribute__((always_inline)) {
      count_up(numeral<0>, rows, [&](auto j) __attribute__((always_inline)) { s[i][rows + j] = simd::batch<T>(T(i == j)); });
    });
  }
  eliminate_in_lanes<T>(s, rows, numeral_sum(rows, columns));
  if (!substitute_in_lanes<true, T>(s, rows, numeral_sum(rows, columns))) throw_not_invertible(op);
  store_lanes<T>(to, s, rows, rows, columns, count);
}
template <class T, class Rows, class To, class A>
[[gnu::always_inline]] inline void determinants_in_lanes(Rows rows, index count, To& to, A& a) {
  systems_in_lanes<T> s;
  load_lanes<T>(s, numeral<0>, rows, rows, a, count);
  s[0][0] = determinants_of<T>(s, rows);
  store_lanes<T>(to, s, numeral<0>, numeral<1>, numeral<1>, count);
}
// Of matrices that are read and written transposed.
template <class T, class Rows, class To, class A>
[[gnu::always_inline]] inline void cholesky_in_lanes(Rows rows, index count, To& to, A& a) {
  systems_in_lanes<T> s;
  load_lanes<T>(s, numeral<0>, rows, rows, a, count);
  if (!factor_in_lanes<T>(s, rows)) throw_not_positive_definite();
  count_up(numeral<0>, rows, [&](auto i) __attribute__((always_inline)) {
    count_up(numeral<0>, i, [&](auto j) __attribute__((always_inline)) { s[i][j] = simd::batch<T>(T(0)); });
  });
  store_lanes<T>(to, s, numeral<0>, rows, rows, count);
}
template <class T, class Rows, class Columns, class To, class A, class B>
[[gnu::always_inline]] inline void substitute_some(Rows rows, Columns columns, bool from_last, index count, To& to, A& a, B& b) {
  systems_in_lanes<T> s;
  load_lanes<T>(s, numeral<0>, rows, rows, a, count);
  load_lanes<T>(s, rows, rows, columns, b, count);
  const auto width = numeral_sum(rows, columns);
  if (!(from_last ? substitute_in_lanes<true, T>(s, rows, width) : substitute_in_lanes<false, T>(s, rows, width)))
    throw_not_invertible("MatrixTriangularSolve");
  store_lanes<T>(to, s, rows, rows, columns, count);
}

template <class T, index Rows, index Sides, class... B>
void solve_systems(std::string_view op, memory_source& memory, matrix_walk<T> to, matrix_walk<const T> a, index n, index sides, B... b) {
  index count = a.count();
  if (run_in_lanes<T>(n, sides, count))
    return for_lanes<T, Rows, Sides>(n, sides, count,
                                     [&](auto rows, auto columns, index now) { solve_in_lanes<T>(op, rows, columns, now, to, a, b...); });
  const index first = register_rows<T>::padded(n);
  register_rows<T> s(memory, n, first + sides);
  for (; count > 0; --count, a.next(), to.next(), (b.next(), ...)) {
    s.load(0, n, a);
    if constexpr (sizeof...(B) > 0) {
      (s.load(first, sides, b), ...);
    } else {
      for (index i = 0; i < n; ++i) {
        std::fill_n(s[i] + first, sides, T(0));
        s.at(i, first + i) = 1;
      }
    }
    eliminate_rows(s);
    if (!substitute_rows(s, first, static_cast<const T*>(s[0]), s.stride, 1, true)) throw_not_invertible(op);
    s.store(to, first, sides);
  }
}

template <class Attributes>
constexpr bool reads_transposed(const Attributes& attributes) {
  return attribute_of<"adjoint">(attributes).values[0] != 0;
}
// Whether a system is triangular with its last row first, as it is read.
template <class Attributes>
constexpr bool begins_with_last(const Attributes& attributes) {
  return (attribute_of<"lower">(attributes).values[0] != 0) == reads_transposed(attributes);
}
/// One matrix as small as is part of the function around it.
template <index Rows, index Columns = Rows>
concept SmallMatrix = Rows > 0 && Rows <= most_rows_unrolled&& Columns > 0 && Columns <= most_rows_unrolled;
// It is read, or read transposed.
template <class Attributes, index N, class T>
[[gnu::always_inline]] inline auto only_matrix(const dense_view<T, N, N>& a) {
  if constexpr (reads_transposed(Attributes())) return single_matrix<T, 1, N>{a.data()};
  else return single_matrix<T, N, 1>{a.data()};
}

}  // namespace detail

template <>
struct kernel<ops::matrix_solve> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class A, class B>
  static void run(const Attributes& attributes, const Out& out, const A& a, const B& b) {
    using T = typename Out::value_type;
    if (out.size() == 0) return;
    const int last = out.rank() - 1;
    detail::matrix_walk<const T> matrix(a), sides(b);
    if (detail::reads_transposed(attributes)) matrix.transpose();
    detail::solve_systems<T, detail::matrix_extents<A>::rows, detail::matrix_extents<B>::columns>(
        "MatrixSolve", detail::memory_for(attributes), detail::matrix_walk<T>(out), matrix, out.extent(last - 1), out.extent(last), sides);
  }
  template <class Attributes, class T, index N, index K>
    requires detail::SmallMatrix<N, K>
  [[gnu::always_inline]] static void run_part(const Attributes&, const dense_view<T, N, K>& out, const dense_view<const T, N, N>& a,
                                              const dense_view<const T, N, K>& b) {
    auto matrix = detail::only_matrix<Attributes>(a);
    detail::single_matrix<const T, K, 1> sides{b.data()};
    detail::single_matrix<T, K, 1> to{out.data()};
    detail::solve_in_lanes<T>("MatrixSolve", detail::numeral<N>, detail::numeral<K>, 1, to, matrix, sides);
  }
};
template <>
struct kernel<ops::matrix_inverse> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class A>
  static void run(const Attributes& attributes, const Out& out, const A& a) {
    using T = typename Out::value_type;
    if (out.size() == 0) return;
    constexpr index rows = detail::matrix_extents<A>::rows;
    const index n = out.extent(out.rank() - 1);
    detail::solve_systems<T, rows, rows>("MatrixInverse", detail::memory_for(attributes), detail::matrix_walk<T>(out),
                                         detail::matrix_walk<const T>(a), n, n);
  }
  template <class Attributes, class T, index N>
    requires detail::SmallMatrix<N>
  [[gnu::always_inline]] static void run_part(const Attributes&, const dense_view<T, N, N>& out, const dense_view<const T, N, N>& a) {
    detail::single_matrix<const T, N, 1> matrix{a.data()};
    detail::single_matrix<T, N, 1> to{out.data()};
    detail::solve_in_lanes<T>("MatrixInverse", detail::numeral<N>, detail::numeral<N>, 1, to, matrix);
  }
};
template <>
struct kernel<ops::matrix_determinant> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class A>
  static void run(const Attributes& attributes, const Out& out, const A& a) {
    using T = typename Out::value_type;
    if (out.size() == 0) return;
    detail::matrix_walk<const T> matrix(a);
    detail::matrix_walk<T> to(out, 0);
    const index n = a.extent(a.rank() - 1);
    index count = matrix.count();
    if (detail::run_in_lanes<T>(n, 0, count))
      return detail::for_lanes<T, detail::matrix_extents<A>::rows, 0>(
          n, 0, count, [&](auto rows, auto, index now) { detail::determinants_in_lanes<T>(rows, now, to, matrix); });
    detail::register_rows<T> s(detail::memory_for(attributes), n, n);
    for (; count > 0; --count, matrix.next(), to.next()) {
      s.load(0, n, matrix);
      *to.data = detail::eliminate_rows(s);
    }
  }
  template <class Attributes, class T, index N>
    requires detail::SmallMatrix<N>
  [[gnu::always_inline]] static void run_part(const Attributes&, const dense_view<T>& out, const dense_view<const T, N, N>& a) {
    detail::single_matrix<const T, N, 1> matrix{a.data()};
    detail::single_matrix<T, 1, 1> to{out.data()};
    detail::determinants_in_lanes<T>(detail::numeral<N>, 1, to, matrix);
  }
};
template <>
struct kernel<ops::cholesky> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class A>
  static void run(const Attributes& attributes, const Out& out, const A& a) {
    using T = typename Out::value_type;
    if (out.size() == 0) return;
    detail::matrix_walk<const T> matrix(a);
    detail::matrix_walk<T> to(out);
    matrix.transpose();
    to.transpose();
    const index n = out.extent(out.rank() - 1);
    index count = matrix.count();
    if (detail::run_in_lanes<T>(n, 0, count))
      return detail::for_lanes<T, detail::matrix_extents<A>::rows, 0>(
          n, 0, count, [&](auto rows, auto, index now) { detail::cholesky_in_lanes<T>(rows, now, to, matrix); });
    detail::register_rows<T> s(detail::memory_for(attributes), n, n);
    for (; count > 0; --count, matrix.next(), to.next()) {
      s.load(0, n, matrix);
      if (!detail::factor_rows(s)) detail::throw_not_positive_definite();
      for (index i = 1; i < n; ++i) std::fill_n(s[i], i, T(0));
      s.store(to, 0, n);
    }
  }
  template <class Attributes, class T, index N>
    requires detail::SmallMatrix<N>
  [[gnu::always_inline]] static void run_part(const Attributes&, const dense_view<T, N, N>& out, const dense_view<const T, N, N>& a) {
    detail::single_matrix<const T, 1, N> matrix{a.data()};
    detail::single_matrix<T, 1, N> to{out.data()};
    detail::cholesky_in_lanes<T>(detail::numeral<N>, 1, to, matrix);
  }
};
template <>
struct kernel<ops::triangular_solve> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class A, class B>
  static void run(const Attributes& attributes, const Out& out, const A& a, const B& b) {
    using T = typename Out::value_type;
    if (out.size() == 0) return;
    const int last = out.rank() - 1;
    const index n = out.extent(last - 1), k = out.extent(last);
    detail::matrix_walk<const T> matrix(a), sides(b);
    detail::matrix_walk<T> to(out);
    const bool from_last = detail::begins_with_last(attributes);
    if (detail::reads_transposed(attributes)) matrix.transpose();
    index count = matrix.count();
    if (detail::run_in_lanes<T>(n, k, count))
      return detail::for_lanes<T, detail::matrix_extents<A>::rows, detail::matrix_extents<B>::columns>(
          n, k, count,
          [&](auto rows, auto columns, index now) { detail::substitute_some<T>(rows, columns, from_last, now, to, matrix, sides); });
    detail::register_rows<T> s(detail::memory_for(attributes), n, k);
    for (; count > 0; --count, matrix.next(), sides.next(), to.next()) {
      s.load(0, k, sides);
      if (!detail::substitute_rows(s, 0, matrix.data, matrix.row, matrix.column, from_last))
        detail::throw_not_invertible("MatrixTriangularSolve");
      s.store(to, 0, k);
    }
  }
  template <class Attributes, class T, index N, index K>
    requires detail::SmallMatrix<N, K>
  [[gnu::always_inline]] static void run_part(const Attributes& attributes, const dense_view<T, N, K>& out,
                                              const dense_view<const T, N, N>& a, const dense_view<const T, N, K>& b) {
    auto matrix = detail::only_matrix<Attributes>(a);
    detail::single_matrix<const T, K, 1> sides{b.data()};
    detail::single_matrix<T, K, 1> to{out.data()};
    detail::substitute_some<T>(detail::numeral<N>, detail::numeral<K>, detail::begins_with_last(attributes), 1, to, matrix, sides);
  }
};
template <>
struct kernel<ops::triangle> {
  template <class Attributes, class Out, class In>
  static void run(const Attributes& attributes, const Out& out, const In& in) {
    using T = typename Out::value_type;
    if (out.size() == 0) return;
    const int last = out.rank() - 1;
    const index rows = out.extent(last - 1), columns = out.extent(last);
    const bool lower = detail::attribute_of<"lower">(attributes).values[0] != 0;
    detail::matrix_walk<const T> from(in);
    detail::matrix_walk<T> to(out);
    for (index count = from.count(); count > 0; --count, from.next(), to.next())
      for (index i = 0; i < rows; ++i)
        for (index j = 0; j < columns; ++j)
          to.data[i * to.row + j * to.column] = (lower ? j <= i : i <= j) ? from.data[i * from.row + j * from.column] : T(0);
  }
};

}  // namespace jig
