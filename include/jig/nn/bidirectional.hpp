// SPDX-License-Identifier: MIT
#pragma once
// Recurrent layers that look at a sequence from both ends.

#include <jig/nn/gru.hpp>
#include <jig/nn/lstm.hpp>

namespace jig::nn {

/// How a bidirectional layer merges what its two layers give, by Keras' names.
namespace merge {
inline constexpr auto concat = [](const auto& x, const auto& y) { return jig::concat<-1>(x, y); };
inline constexpr auto sum = [](const auto& x, const auto& y) { return x + y; };
inline constexpr auto mul = [](const auto& x, const auto& y) { return x * y; };
inline constexpr auto ave = [](const auto& x, const auto& y) { return (x + y) / 2; };
}  // namespace merge

/// A recurrent layer and the same one from the last step to the first, each with weights of its own.
template <class Layer, class Merge = std::remove_const_t<decltype(merge::concat)>>
struct bidirectional {
  static constexpr std::string_view type = "Bidirectional";
  using backwards = typename Layer::backwards;
  BOOST_HANA_DEFINE_STRUCT(bidirectional, (Layer, forward_layer), (backwards, backward_layer));

  /// Shape: [batch, time, in] -> [batch, 2 units], or [batch, time, 2 units] where the layer has return_sequences_t; as wide as the
  /// layer's with another merge than concat
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    auto there = forward_layer(x), back = backward_layer(x);
    if constexpr (decltype(there)::rank() == 3) return Merge()(there, reverse<1>(back));
    else return Merge()(there, back);
  }

  /// Keras' start of both layers, from different seeds.
  void initialize(std::int64_t seed) {
    forward_layer.initialize(seed_of_part(seed, 0));
    backward_layer.initialize(seed_of_part(seed, 1));
  }
};

namespace layers {

template <class Description, class Merge>
struct bidirectional_description {
  template <class Input>
  using layer = nn::bidirectional<typename Description::template layer<Input>, Merge>;
  static constexpr message refusal(const shape& input) { return Description::refusal(input); }
};

/// A recurrent layer in both directions: `bidirectional(lstm<64>())`, `bidirectional(gru<8>(), merge::sum)`.
template <class Description, class Merge = decltype(merge::concat)>
constexpr auto bidirectional(const Description&, const Merge& = {}) {
  return bidirectional_description<Description, std::remove_const_t<Merge>>();
}

}  // namespace layers

}  // namespace jig::nn
