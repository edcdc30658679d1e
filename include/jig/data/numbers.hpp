// SPDX-License-Identifier: MIT
#pragma once
// Sequences without memory: numbers at equal distances, and a single element.

#include <jig/data/sequence.hpp>

#include <cstdint>

namespace jig::data::detail {

/// The arguments themselves, as the only element.
template <class E>
class single {
  E element_;

 public:
  using element_type = E;
  explicit single(E element) : element_(std::move(element)) {}
  index cardinality() const { return 1; }
  element_type at(index) const { return element_; }
  auto open() const { return sequence_cursor<single>(*this); }
};

/// Numbers at equal distances.
class numbers {
  index start_, step_, count_;

 public:
  using element_type = std::int64_t;
  numbers(index start, index stop, index step) : start_(start), step_(step), count_(0) {
    if (step == 0) jig::detail::throw_invalid_argument("range: step must not be 0");
    const auto up = step > 0;
    const auto distance = up ? static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start)
                             : static_cast<std::uint64_t>(start) - static_cast<std::uint64_t>(stop);
    const auto stride = up ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
    if (up ? start < stop : stop < start) count_ = static_cast<index>((distance - 1) / stride + 1);
  }
  index cardinality() const { return count_; }
  element_type at(index i) const {
    // The products of extreme ones overflow, and the sums come back.
    return static_cast<index>(static_cast<std::uint64_t>(start_) + static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(step_));
  }
  auto open() const { return sequence_cursor<numbers>(*this); }
};

}  // namespace jig::data::detail
