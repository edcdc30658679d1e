// SPDX-License-Identifier: MIT
#pragma once
// Attention with several heads.

#include <boost/hana.hpp>
#include <jig.hpp>

#include <cmath>
#include <string_view>

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
  constexpr auto operator()(const auto& x) const { return (*this)(x, x); }
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
    start(query_kernel, seed);
    start(key_kernel, seed + 1);
    start(value_kernel, seed + 2);
    start(output_kernel, seed + 3);
    query_bias.assign(zeros<T, Heads, KeyDim>());
    key_bias.assign(zeros<T, Heads, KeyDim>());
    value_bias.assign(zeros<T, Heads, ValueDim>());
    output_bias.assign(zeros<T, In>());
  }

 private:
  static constexpr auto projected(const auto& x, const auto& kernel, const auto& bias) { return einsum<"bti,ihd->bthd">(x, kernel) + bias; }
  template <index A, index B, index C>
  static void start(variable<T, A, B, C>& kernel, std::int64_t seed) {
    const tensor<T, A, B, C> uniform = random_uniform_like(zeros<T, A, B, C>(), seed);
    kernel.assign((2 * uniform - 1) * static_cast<T>(std::sqrt(6.0 / static_cast<double>(A * B + A * C))));
  }
};

}  // namespace jig::nn
