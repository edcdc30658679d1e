// SPDX-License-Identifier: MIT
#pragma once
// Pairs of rows of the table of ops, compiled as one function each, against the same run op by op.

#include "op_pairs.hpp"

#include <doctest/doctest.h>

namespace pairs {

/// Row number n of a kind; they begin again behind the last one.
constexpr int row_of_kind(kind k, int n) {
  int count = 0;
  for (const auto& row : facts) count += row.is == k;
  n %= count;
  int row = 0;
  while (facts[static_cast<std::size_t>(row)].is != k || n-- > 0) ++row;
  return row;
}

// Extents beyond what loops, kernels and batches of items take at a time.
inline constexpr shape candidates[] = {{3, {130, 3, 3}}, {2, {130, 9}}, {1, {300}}, {3, {9, 65, 5}}, {2, {65, 33}}, {4, {5, 27, 2, 3}}, {}};
inline constexpr jig::dtype candidate_dtypes[] = {jig::dtype::float32, jig::dtype::int32, jig::dtype::boolean};

template <class T, shape S, bool Wild, class = std::make_integer_sequence<int, S.rank>>
struct spec_with;
template <class T, shape S, bool Wild, int... A>
struct spec_with<T, S, Wild, std::integer_sequence<int, A...>> {
  using spec = jig::spec<T, (Wild && A == 0 ? jig::dyn : S[A])...>;
  using tensor = jig::tensor<T, (Wild && A == 0 ? jig::dyn : S[A])...>;
};
// Operands whose first axis is that of x.
constexpr bool goes_along(operand o) { return o == operand::same || o == operand::column || o == operand::right || o == operand::vectors; }

template <operand O, jig::dtype D, shape X, bool Wild>
struct operand_type {
  static constexpr operand_spec made = spec_of(O, D, X);
  using type = spec_with<jig::type_of<made.dtype>, made.shape, Wild && goes_along(O)>;
  static auto tensor(index salt) {
    typename type::tensor out(jig::uninitialized, made.shape);
    for (index i = 0; i < out.size(); ++i)
      out.data()[i] = static_cast<jig::type_of<made.dtype>>(static_cast<float>(element(made, i, salt)));
    return out;
  }
};

template <int Row, jig::dtype D, shape X>
constexpr bool fits = (facts[Row].ranks >> X.rank & 1) != 0 && takes(facts[Row].dtypes, D);

template <int Row, bool Wild, jig::dtype D, shape X>
struct row_operands {
  using a = operand_type<facts[Row].a, D, X, Wild>;
  using b = operand_type<facts[Row].b, D, X, Wild>;
};

// What a row gives for x. The types of symbols tell; tracing it for every candidate would take longer than the rest.
template <class Spec>
using symbol_of = typename jig::detail::symbol_of_spec<Spec>::type;
template <int Row, jig::dtype D, shape X>
constexpr jig::tensor_spec result_of() {
  using with = row_operands<Row, false, D, X>;
  using result = decltype(function_of<Row>(std::declval<const symbol_of<typename spec_with<jig::type_of<D>, X, false>::spec>&>(),
                                           std::declval<const symbol_of<typename with::a::type::spec>&>(),
                                           std::declval<const symbol_of<typename with::b::type::spec>&>()));
  return result::spec_type::value();
}

/// The first candidate, from number N on, that both rows take: -1 if there is none.
template <int First, int Second, int N = 0>
constexpr int candidate() {
  constexpr int shapes = static_cast<int>(std::size(candidates)), dtypes = static_cast<int>(std::size(candidate_dtypes));
  if constexpr (N == shapes * dtypes) {
    return -1;
  } else {
    constexpr jig::dtype d = candidate_dtypes[N / shapes];
    constexpr shape x = candidates[N % shapes];
    if constexpr (fits<First, d, x>) {
      constexpr jig::tensor_spec y = result_of<First, d, x>();
      if constexpr (fits<Second, y.dtype, y.shape>) return N;
      else return candidate<First, Second, N + 1>();
    } else {
      return candidate<First, Second, N + 1>();
    }
  }
}

template <std::size_t First, std::size_t Second>
inline constexpr auto both_rows = [](const auto& x, const auto& a, const auto& b, const auto& c, const auto& d) {
  return function_of<Second>(function_of<First>(x, a, b), c, d);
};

// Diagonals of what has unequal extents, of which one is a wildcard, are refused; so is a loop whose value changes from a wildcard
// extent to a known one.
constexpr bool takes_wildcards(int row) {
  const auto name = facts[static_cast<std::size_t>(row)].name;
  return name != "diag_part" && name != "set_diag" && name != "gradient of diag_part" && name != "matrix_trace" && name != "a loop" &&
         name != "gradient of a loop";
}

using jig::any_tensor;
inline std::string name_of(int first, int second) {
  return std::string(facts[static_cast<std::size_t>(second)].name) + " behind " + std::string(facts[static_cast<std::size_t>(first)].name);
}
// Apart from the template, whose every instance would compile what doctest's macros expand to.
inline any_tensor expected_of(int first, int second, const std::vector<any_tensor>& arguments) {
  const std::string pair = name_of(first, second);
  CAPTURE(pair);
  const auto expected = op_by_op(first, second, arguments);
  REQUIRE(expected);
  return *expected;
}
inline void check_same(int first, int second, const any_tensor& found, const any_tensor& expected, jig::dtype between) {
  const std::string pair = name_of(first, second);
  CAPTURE(pair);
  CHECK(difference(found, expected, between) == "");
}

template <int First, int Second, bool Wild>
void check_pair() {
  constexpr int n = Wild && !(takes_wildcards(First) && takes_wildcards(Second)) ? -1 : candidate<First, Second>();
  if constexpr (n >= 0) {
    constexpr int shapes = static_cast<int>(std::size(candidates));
    constexpr jig::dtype d = candidate_dtypes[n / shapes];
    constexpr shape s = candidates[n % shapes];
    constexpr jig::tensor_spec y = result_of<First, d, s>();
    using T = jig::type_of<d>;
    using before = row_operands<First, Wild, d, s>;
    using behind = row_operands<Second, false, y.dtype, y.shape>;
    constexpr operand_spec like{d, s};
    typename spec_with<T, s, Wild && (s.rank > 0)>::tensor x(jig::uninitialized, s);
    for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<float>(element(like, i, 0)));
    const auto a = before::a::tensor(1);
    const auto b = before::b::tensor(2);
    const auto c = behind::a::tensor(3);
    const auto e = behind::b::tensor(4);
    static constexpr auto f = jig::function(both_rows<First, Second>);
    const any_tensor expected = expected_of(First, Second, {any_tensor(x), any_tensor(a), any_tensor(b), any_tensor(c), any_tensor(e)});
    check_same(First, Second, any_tensor(f(x, a, b, c, e)), expected, y.dtype);
  }
}

/// The pair of kinds number n, with other rows in every pass.
template <int N, int Pass, bool Wild>
void check_kinds() {
  constexpr auto first = static_cast<kind>(N / kinds), second = static_cast<kind>(N % kinds);
  check_pair<row_of_kind(first, N % kinds + Pass * kinds), row_of_kind(second, N / kinds + Pass * kinds), Wild>();
}
template <int From, int To, int Pass, bool Wild>
void check_all_kinds() {
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (check_kinds<From + N, Pass, Wild>(), ...);
  }(std::make_integer_sequence<int, To - From>());
}

}  // namespace pairs
