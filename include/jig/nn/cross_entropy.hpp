// SPDX-License-Identifier: MIT
#pragma once
// Losses of classification, from logits: the logarithm of a softmax is computed without overflow.

#include <jig.hpp>

namespace jig::nn {

/// The cross-entropy of each row between labels, which are probabilities, and the softmax of logits.
/// Shape: [..., classes], [..., classes] -> [...]
template <Operand Labels, Operand Logits>
constexpr auto softmax_cross_entropy_with_logits(const Labels& labels, const Logits& logits) {
  return -reduce_sum<-1>(labels * log_softmax<-1>(logits));
}

namespace detail {

// Inputs: numbers of classes, and logits, which tell how many classes there are and the dtype of the result.
constexpr void expand_one_hot_labels(expansion& c) {
  const tensor_spec logits = c.spec(c.input(1));
  const index classes = logits.shape.rank == 0 ? dyn : logits.shape[logits.shape.rank - 1], type = static_cast<index>(logits.dtype);
  if (!is_static_extent(classes))
    return c.fail("sparse_softmax_cross_entropy_with_logits: the number of classes must be known in the trace");
  const attribute_view with[] = {{"depth", attribute_kind::integer, {&classes, 1}}, {"T", attribute_kind::type, {&type, 1}}};
  c.give(c.call(ops::one_hot, {c.input(0)}, with));
}
inline constexpr op one_hot_labels{.name = "OneHotLabels",
                                   .label = "one_hot_labels",
                                   .facts = fact::composite,
                                   .free_inputs = 1,
                                   .makes = made_ops<ops::one_hot>,
                                   .expand = expand_one_hot_labels};

}  // namespace detail

/// The same for labels that are numbers of classes. A label that is no class counts as one without probability.
/// Shape: [...] of integers, [..., classes] -> [...]
template <Operand Labels, Operand Logits>
constexpr auto sparse_softmax_cross_entropy_with_logits(const Labels& labels, const Logits& logits) {
  return softmax_cross_entropy_with_logits(call<detail::one_hot_labels>(labels, logits), logits);
}

}  // namespace jig::nn
