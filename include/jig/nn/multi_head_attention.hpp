// SPDX-License-Identifier: MIT
#pragma once
// Attention with several heads.

#include <jig/nn/initializers.hpp>
#include <jig/nn/recurrent.hpp>

namespace jig::nn {

/// Keras' MultiHeadAttention without dropout: query, key and value are projected to so many heads of KeyDim elements each, which attend
/// apart, and their results are projected to the width of the query. Its variables have the shapes of Keras' weights. It starts at zero
/// until it is initialised.
template <class T, index In, index Heads, index KeyDim, index ValueDim = KeyDim>
struct multi_head_attention {
  static constexpr std::string_view type = "MultiHeadAttention";
  BOOST_HANA_DEFINE_STRUCT(multi_head_attention, (variable<T, In, Heads, KeyDim>, query_kernel), (variable<T, Heads, KeyDim>, query_bias),
                           (variable<T, In, Heads, KeyDim>, key_kernel), (variable<T, Heads, KeyDim>, key_bias),
                           (variable<T, In, Heads, ValueDim>, value_kernel), (variable<T, Heads, ValueDim>, value_bias),
                           (variable<T, Heads, ValueDim, In>, output_kernel), (variable<T, In>, output_bias));

  /// Attention of x to itself.
  /// Shape: [batch, length, In] -> [batch, length, In]
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return (*this)(x, x);
  }
  /// Keras' order of arguments, but that what restricts attention is behind them: masks, biases and `jig::causal`, as
  /// `jig::dot_product_attention` takes them. The values are the keys too.
  /// Shape: query [batch, length, In], value [batch, keys, In] -> [batch, length, In]
  template <Operand Q, Operand V, class... Restrictions>
  constexpr auto operator()(const Q& query, const V& value, const Restrictions&... restrictions) const {
    auto heads = dot_product_attention(projected(query, query_kernel, query_bias), projected(value, key_kernel, key_bias),
                                       projected(value, value_kernel, value_bias), restrictions...);
    return einsum<"bthd,hdo->bto">(heads, output_kernel) + output_bias;
  }

  /// Keras' defaults: glorot_uniform, which takes a kernel of three axes for a convolution's, and biases of zeros.
  void initialize(std::int64_t seed) {
    query_kernel.assign(glorot_uniform<T, In, Heads, KeyDim>(seed_of_part(seed, 0)));
    key_kernel.assign(glorot_uniform<T, In, Heads, KeyDim>(seed_of_part(seed, 1)));
    value_kernel.assign(glorot_uniform<T, In, Heads, ValueDim>(seed_of_part(seed, 2)));
    output_kernel.assign(glorot_uniform<T, Heads, ValueDim, In>(seed_of_part(seed, 3)));
    query_bias.assign(zeros<T, Heads, KeyDim>());
    key_bias.assign(zeros<T, Heads, KeyDim>());
    value_bias.assign(zeros<T, Heads, ValueDim>());
    output_bias.assign(zeros<T, In>());
  }

 private:
  static constexpr auto projected(const auto& x, const auto& kernel, const auto& bias) { return einsum<"bti,ihd->bthd">(x, kernel) + bias; }
};

namespace layers {

/// Attention of samples [length, width] to themselves, in so many heads: `multi_head_attention<8, 64>()`.
template <index Heads, index KeyDim, index ValueDim = KeyDim>
struct multi_head_attention {
  template <class Input>
  using layer = nn::multi_head_attention<typename Input::value_type, nn::detail::channels_in<Input>, Heads, KeyDim, ValueDim>;
  static constexpr message refusal(const shape& input) { return nn::detail::sequence_refusal(input); }
};

}  // namespace layers

}  // namespace jig::nn
