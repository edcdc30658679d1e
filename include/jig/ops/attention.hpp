// SPDX-License-Identifier: MIT
#pragma once
// Attention: means of values, weighted by how well their keys fit a query.

#include <jig/ops/activation.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/cumulative.hpp>
#include <jig/ops/einsum.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/ops/strided_slice.hpp>

#include <type_traits>

namespace jig {

/// Asks attention that no position looks at a later one.
struct causal_t {};
inline constexpr causal_t causal{};

namespace detail {

// The square root of a positive number: std::sqrt is no constant expression.
constexpr double constant_root(double x) {
  double root = x < 1 ? 1 : x;
  for (double next = root; (next = (root + x / root) / 2) < root;) root = next;
  return root;
}

// One divided by the square root of the extent along the last axis.
template <class X>
constexpr auto attention_scale(const X& x) {
  constexpr auto of_wildcard = [](const auto& y) { return sqrt(call<ops::shrinkage>(y, strided_slice<all, all, all, range_of(0, 1)>(y))); };
  constexpr auto of_known = [](const auto& y, index dim) { return number_beside(y, 1 / constant_root(static_cast<double>(dim))); };
  if constexpr (is_dynamic<X>) {
    const index dim = known_shape(x)[3];
    return is_static_extent(dim) ? of_known(x, dim) : of_wildcard(x);
  } else {
    constexpr index dim = operand_shape<X>()[3];
    if constexpr (is_static_extent(dim)) return of_known(x, dim);
    else return of_wildcard(x);
  }
}

// A score that no softmax sees beside others. It is finite, so that where there are no others all of them count alike.
constexpr double lowest_score(dtype d) { return -0.7 * (d == dtype::float16 ? 65504. : d == dtype::float64 ? 1.797e308 : 3.38e38); }
// It stands in the place of scores that count for nothing: added to them it would let NaN through, and gradients where all are left out.
template <class S, class M>
constexpr auto scores_where(const M& mask, const S& scores) {
  if constexpr (is_dynamic<S>) return where(mask, scores, number_beside(scores, lowest_score(scores.dtype())));
  else return where(mask, scores, number_beside(scores, lowest_score(dtype_of<typename operand_spec<S>::element>)));
}

// The numbers 1, 2, … along an axis of scores, which may be a wildcard, from a row or a column of them that nobody reads.
template <index Axis, class S>
constexpr auto positions_of_scores(const S& scores) {
  if constexpr (Axis == 2)
    return cumsum<0>(
        cast<std::int32_t>(ones_like(reduce_max<0, 1, 3>(strided_slice<range_of(0, 1), range_of(0, 1), all, range_of(0, 1)>(scores)))));
  else
    return cumsum<0>(
        cast<std::int32_t>(ones_like(reduce_max<0, 1, 2>(strided_slice<range_of(0, 1), range_of(0, 1), range_of(0, 1)>(scores)))));
}

struct no_mask {};
template <class A, class B>
constexpr auto both_masks(const A& a, const B& b) {
  if constexpr (std::is_same_v<A, no_mask>) return b;
  else return call<ops::logical_and>(a, b);
}

// Scores with all biases, where all masks allow them.
template <class S, class M>
constexpr auto restricted(const S& scores, const M& mask) {
  if constexpr (std::is_same_v<M, no_mask>) return scores;
  else return scores_where(mask, scores);
}
// A mask has dtype bool, a bias that of the scores.
template <class S, class M, class Next, class... More>
constexpr auto restricted(const S& scores, const M& mask, const Next& next, const More&... more) {
  if constexpr (is_refused<S> || is_refused<M> || is_refused<Next>) {
    return first_refused(scores, mask, next);
  } else if constexpr (std::is_same_v<Next, causal_t>) {
    const auto not_later = expand_dims<1>(positions_of_scores<2>(scores)) >= positions_of_scores<3>(scores);
    return restricted(scores, both_masks(mask, not_later), more...);
  } else if constexpr (is_dynamic<Next>) {
    if (next.dtype() == dtype::boolean) return restricted(scores, both_masks(mask, next), more...);
    return restricted(scores + next, mask, more...);
  } else if constexpr (std::is_same_v<typename operand_spec<Next>::element, bool>) {
    return restricted(scores, both_masks(mask, next), more...);
  } else {
    return restricted(scores + next, mask, more...);
  }
}

template <class Q, class K, class V, class... Options>
constexpr auto attend(const Q& query, const K& key, const V& value, const Options&... options) {
  auto scores = einsum<"btnh,bsnh->bnts">(query, key) * attention_scale(query);
  return einsum<"bnts,bsnh->btnh">(softmax(restricted(scores, no_mask(), options...)), value);
}

inline constexpr text attention_refusal =
    "dot_product_attention: query, key and value have four axes, [batch, length, heads, dim], and further arguments are masks, biases and "
    "jig::causal";

}  // namespace detail

/// Attention with the scores of Keras' and JAX's function of this name: for every head and every position of the query the mean of the
/// values, weighted by the softmax of the products of the query with the keys divided by the square root of dim. Further arguments, in any
/// order: a mask of dtype bool, whose false elements leave keys out; a bias of the dtype of the query, which is added to the scores;
/// `jig::causal`, which leaves out keys behind the position of the query. Masks and biases broadcast to [batch, heads, length, keys]. Where
/// all keys are left out they count alike.
/// Shape: query [batch, length, heads, dim], key [batch, keys, heads, dim], value [batch, keys, heads, out] -> [batch, length, heads, out]
/// Dtype: floating
/// Errors: extents that differ are refused at compile time or throw invalid_argument.
/// Cost: two products of matrices for each head, and the softmax of the scores row by row between them.
template <Operand Q, Operand K, Operand V, class... Options>
constexpr auto dot_product_attention(const Q& query, const K& key, const V& value, const Options&... options) {
  if constexpr (is_refused<Q> || is_refused<K> || is_refused<V>) {
    return detail::first_refused(query, key, value);
  } else if constexpr (!((Operand<Options> || std::is_same_v<Options, causal_t>) && ...)) {
    return refuse_with<detail::attention_refusal, Q, Options...>();
  } else if constexpr (detail::is_dynamic<Q, K, V>) {
    if (detail::known_shape(query).rank != 4 || detail::known_shape(key).rank != 4 || detail::known_shape(value).rank != 4)
      detail::throw_invalid_argument(detail::attention_refusal.view());
    return detail::attend(query, key, value, options...);
  } else if constexpr (detail::operand_shape<Q>().rank != 4 || detail::operand_shape<K>().rank != 4 ||
                       detail::operand_shape<V>().rank != 4) {
    return refuse_with<detail::attention_refusal, Q, K, V>();
  } else {
    return detail::attend(query, key, value, options...);
  }
}

}  // namespace jig
