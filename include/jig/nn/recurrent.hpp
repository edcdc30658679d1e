// SPDX-License-Identifier: MIT
#pragma once
// What descriptions of layers that look at sequences have in common.

#include <jig/nn/layer.hpp>

namespace jig::nn::detail {

constexpr message sequence_refusal(const shape& input) {
  message m;
  if (input.rank != 2) m << "(batch, time, features)";
  return m;
}

// Layer<T, in, units, options...> of sequences.
template <template <class, index, index, class...> class Layer, index Units, class... Option>
struct recurrent_description {
  template <class Input>
  using layer = Layer<typename Input::value_type, channels_in<Input>, Units, Option...>;
  static constexpr message refusal(const shape& input) { return sequence_refusal(input); }
};

}  // namespace jig::nn::detail
