// SPDX-License-Identifier: MIT
#pragma once
// Random numbers for orders of elements, the same on every machine.

#include <cstdint>

namespace jig::data::detail {

/// Source: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class split_mix {
  std::uint64_t state_;

 public:
  explicit constexpr split_mix(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t operator()() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

}  // namespace jig::data::detail
