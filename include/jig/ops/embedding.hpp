// SPDX-License-Identifier: MIT
#pragma once
// Tables of vectors.

#include <jig/ops/gather.hpp>

namespace jig {

/// TensorFlow's `tf.nn.embedding_lookup`: the rows of a table that ids name. Its gradient adds to these rows.
/// Shape: params [rows, rest...], ids [...] of integers -> [..., rest...]
/// Errors: an id that is not among the rows throws invalid_argument with it.
template <Operand P, Operand I>
constexpr auto embedding_lookup(const P& params, const I& ids, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, params, ids);
  return gather<0>(params, ids);
}

}  // namespace jig
