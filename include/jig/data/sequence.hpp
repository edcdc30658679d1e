// SPDX-License-Identifier: MIT
#pragma once
// Sources whose elements can be read in any order.

#include <jig/data/element.hpp>

#include <concepts>
#include <optional>

namespace jig::data::detail {

/// A source says what its elements are and opens cursors, which go through them: `next` steps to the next element, false behind the
/// last, `element` is the one it stands on until the next step. A cursor that has the element for itself gives it away by `take`.
template <class S>
concept Source = requires(const S& source) {
  typename S::element_type;
  { source.cardinality() } -> std::same_as<index>;
  { source.open().next() } -> std::same_as<bool>;
};

/// A sequence knows how many elements it has, and each of them by its number.
template <class S>
concept Sequence = requires(const S& source, index i) {
  { source.at(i) } -> std::same_as<typename S::element_type>;
};

template <class S>
class sequence_cursor {
  const S* source_;
  index next_ = 0, count_;
  std::optional<typename S::element_type> element_;

 public:
  explicit sequence_cursor(const S& source) : source_(&source), count_(source.cardinality()) {}
  bool next() {
    if (next_ == count_) return false;
    element_.emplace(source_->at(next_++));
    return true;
  }
  const auto& element() const { return *element_; }
};

/// The elements of a sequence from one on, so many of them.
template <class S>
class subsequence {
  S all_;
  index first_, count_;

 public:
  using element_type = typename S::element_type;
  subsequence(S all, index first, index count) : all_(std::move(all)), first_(first), count_(count) {}
  index cardinality() const { return count_; }
  element_type at(index i) const { return all_.at(first_ + i); }
  template <index B>
  auto block(index first, index count) const
    requires requires(const S& all) { all.template block<B>(first, count); }
  {
    return all_.template block<B>(first_ + first, count);
  }
  auto open() const { return sequence_cursor<subsequence>(*this); }
};

}  // namespace jig::data::detail
