// SPDX-License-Identifier: MIT
#pragma once
// A part of the elements: so many, those behind so many, or every so-manieth.

#include <jig/data/sequence.hpp>

namespace jig::data::detail {

template <class Cursor>
class part_cursor {
  Cursor source_;
  index skipped_, left_, step_;

 public:
  /// Passes over so many elements at first, and then gives one of every `step` until it has given `left` (-1: all).
  part_cursor(Cursor source, index skipped, index left, index step)
      : source_(std::move(source)), skipped_(skipped), left_(left), step_(step) {}
  bool next() {
    if (left_ == 0) return false;
    for (; skipped_ > 0; --skipped_)
      if (!source_.next()) return left_ = 0, false;
    if (!source_.next()) return left_ = 0, false;
    skipped_ = step_ - 1;
    if (left_ > 0) --left_;
    return true;
  }
  decltype(auto) element() const { return source_.element(); }
  auto take() { return detail::take_element(source_); }
};

template <class S>
class part {
  S source_;
  index skipped_, count_, step_;

 public:
  using element_type = typename S::element_type;
  part(S source, index skipped, index count, index step) : source_(std::move(source)), skipped_(skipped), count_(count), step_(step) {}
  index cardinality() const {
    const index all = source_.cardinality();
    if (all == infinite_cardinality) return count_ < 0 ? all : count_;
    if (all < 0) return count_ == 0 ? 0 : all;
    const index left = all > skipped_ ? (all - skipped_ - 1) / step_ + 1 : 0;
    return count_ < 0 ? left : (std::min)(left, count_);
  }
  auto open() const { return part_cursor<decltype(source_.open())>(source_.open(), skipped_, count_, step_); }
};

template <class S>
auto take(S source, index count) {
  if (count < -1) throw_too_few("take: its count", -1, count);
  if constexpr (Sequence<S>) {
    const index all = source.cardinality();
    return subsequence<S>(std::move(source), 0, count < 0 ? all : (std::min)(count, all));
  } else {
    return part<S>(std::move(source), 0, count, 1);
  }
}
template <class S>
auto skip(S source, index count) {
  if (count < 0) throw_too_few("skip: its count", 0, count);
  if constexpr (Sequence<S>) {
    const index all = source.cardinality(), first = (std::min)(count, all);
    return subsequence<S>(std::move(source), first, all - first);
  } else {
    return part<S>(std::move(source), count, -1, 1);
  }
}
template <class S>
auto shard(S source, index shards, index number) {
  if (shards < 1) throw_too_few("shard: the number of shards", 1, shards);
  if (number < 0 || number >= shards)
    jig::detail::throw_invalid_argument("shard: " + std::to_string(number) + " is no number of " + std::to_string(shards) + " shards");
  return part<S>(std::move(source), number, -1, shards);
}

}  // namespace jig::data::detail
