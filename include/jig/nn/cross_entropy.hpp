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

/// The same for labels that are numbers of classes. A label that is no class counts as one without probability.
/// Shape: [...] of integers, [..., classes] -> [...]
template <Operand Labels, Operand Logits>
constexpr auto sparse_softmax_cross_entropy_with_logits(const Labels& labels, const Logits& logits) {
  if constexpr (world_of<Logits> == world::dynamic) {
    const index classes = logits.extent(-1), type = static_cast<index>(logits.dtype());
    if (!is_static_extent(classes))
      throw invalid_argument("sparse_softmax_cross_entropy_with_logits: the number of classes must be known in the trace");
    const attribute_view with[] = {{"depth", attribute_kind::integer, {&classes, 1}, {}, {}},
                                   {"T", attribute_kind::type, {&type, 1}, {}, {}}};
    return softmax_cross_entropy_with_logits(detail::dynamic_call<ops::one_hot>(with, detail::as_dynamic(logits, labels)), logits);
  } else {
    using logits_spec = typename Logits::spec_type;
    constexpr index classes = logits_spec::value().shape[logits_spec::rank() - 1];
    static_assert(is_static_extent(classes),
                  "jig: sparse_softmax_cross_entropy_with_logits: the number of classes must be known at compile time");
    return softmax_cross_entropy_with_logits(one_hot<classes, typename Logits::value_type>(labels), logits);
  }
}

}  // namespace jig::nn
