// SPDX-License-Identifier: MIT
#pragma once
// The elements again and again.

#include <jig/data/sequence.hpp>

namespace jig::data::detail {

template <class S>
class repeat_cursor {
  const S* source_;
  index left_;  // -1: without end
  std::optional<decltype(std::declval<const S&>().open())> cursor_;

 public:
  repeat_cursor(const S& source, index count) : source_(&source), left_(count) {}
  bool next() {
    if (cursor_ && cursor_->next()) return true;
    if (left_ == 0) return false;
    if (left_ > 0) --left_;
    cursor_.reset();
    cursor_.emplace(source_->open());
    if (cursor_->next()) return true;
    left_ = 0;  // it has no elements
    return false;
  }
  decltype(auto) element() const { return cursor_->element(); }
  auto take() { return detail::take_element(*cursor_); }
};

template <class S>
class repeated {
  S source_;
  index count_;

 public:
  using element_type = typename S::element_type;
  repeated(S source, index count) : source_(std::move(source)), count_(count) {
    if (count < -1) throw_too_few("repeat: its count", -1, count);
  }
  index cardinality() const {
    const index all = source_.cardinality();
    if (all == 0 || count_ == 0) return 0;
    return count_ < 0 ? infinite_cardinality : all < 0 ? all : all * count_;
  }
  auto open() const { return repeat_cursor<S>(source_, count_); }
};

}  // namespace jig::data::detail
