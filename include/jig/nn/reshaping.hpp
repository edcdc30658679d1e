// SPDX-License-Identifier: MIT
#pragma once
// Layers that give the elements of each sample other extents.

#include <jig/nn/layer.hpp>

namespace jig::nn {

/// Every sample with other extents.
template <index... E>
struct reshape {
  static constexpr std::string_view type = "Reshape";
  /// Shape: [batch, ...] -> [batch, E...]
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return jig::reshape<infer, E...>(x);
  }

  static constexpr message refusal(const shape& input) {
    constexpr index size = (index{1} * ... * E);
    message m;
    if (input.size() != size) m << size << " elements of each sample";
    return m;
  }
};

/// The elements of every sample along one axis.
template <index Size>
struct flatten {
  static constexpr std::string_view type = "Flatten";
  /// Shape: [batch, ...] -> [batch, Size]
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return jig::reshape<infer, Size>(x);
  }
};

namespace layers {

using nn::reshape;

/// The elements of every sample along one axis.
struct flatten {
  template <class Input>
  using layer = nn::flatten<Input::value().shape.size()>;
};

}  // namespace layers

}  // namespace jig::nn
