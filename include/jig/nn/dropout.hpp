// SPDX-License-Identifier: MIT
#pragma once
// Dropout.

#include <jig.hpp>

namespace jig::nn {

/// Sets elements to zero with the probability Rate while a network is trained, and divides the others by 1 - Rate.
template <real Rate>
struct dropout {
  /// In training: which elements go follows from the seed, see jig::dropout.
  constexpr auto operator()(const auto& x, const auto& seed) const { return jig::dropout<Rate>(x, seed); }
  /// In use: x itself.
  constexpr auto operator()(const auto& x) const { return x; }
};

}  // namespace jig::nn
