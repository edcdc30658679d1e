// SPDX-License-Identifier: MIT
#pragma once
// Embeddings.

#include <jig/nn/initializers.hpp>
#include <jig/nn/layer.hpp>

namespace jig::nn {

/// A row of a table for each of the integers from 0 to In - 1.
template <index In, index Out, class T = float>
struct embedding {
  static constexpr std::string_view type = "Embedding";
  BOOST_HANA_DEFINE_STRUCT(embedding, (variable<T, In, Out>, embeddings));

  /// Shape: [batch, ...] of integers -> [batch, ..., Out]
  /// Errors: an integer out of range throws invalid_argument.
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return gather(embeddings, x);
  }

  /// Keras' default: numbers that are equally likely between -0.05 and 0.05.
  void initialize(std::int64_t seed) { embeddings.assign(uniform_within<T, In, Out>(0.05, seed)); }
};

namespace layers {
using nn::embedding;
}  // namespace layers

}  // namespace jig::nn
