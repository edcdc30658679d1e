// SPDX-License-Identifier: MIT
#pragma once
// Elements in a random order.

#include <jig/data/sequence.hpp>
#include <jig/data/split_mix.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace jig::data::detail {

/// A buffer of the next elements, from which each step draws one. Of a sequence it holds the numbers of elements only.
/// Source: tf.data.Dataset.shuffle.
template <class S>
class shuffle_cursor {
  static constexpr bool by_number = Sequence<S>;
  using upstream = decltype(std::declval<const S&>().open());
  using ticket = std::conditional_t<by_number, index, owned<typename S::element_type>>;

  const S* source_;
  std::conditional_t<by_number, index, upstream> next_;
  std::size_t room_;
  split_mix random_;
  std::vector<ticket> buffer_;
  std::optional<std::conditional_t<by_number, typename S::element_type, ticket>> element_;

  static auto first(const S& source) {
    if constexpr (by_number) return index{0};
    else return source.open();
  }
  bool draw() {
    if constexpr (by_number) {
      if (next_ == source_->cardinality()) return false;
      buffer_.push_back(next_++);
    } else {
      if (!next_.next()) return false;
      buffer_.push_back(detail::take_owned(next_));
    }
    return true;
  }

 public:
  shuffle_cursor(const S& source, index room, std::uint64_t seed)
      : source_(&source), next_(first(source)), room_(static_cast<std::size_t>(room)), random_(seed) {}
  bool next() {
    while (buffer_.size() < room_ && draw()) {
    }
    if (buffer_.empty()) return false;
    std::swap(buffer_[random_() % buffer_.size()], buffer_.back());
    if constexpr (by_number) element_.emplace(source_->at(buffer_.back()));
    else element_.emplace(std::move(buffer_.back()));
    buffer_.pop_back();
    return true;
  }
  const auto& element() const { return *element_; }
  auto take() { return std::move(*element_); }
};

template <class S>
class shuffled {
  S source_;
  index room_;
  std::uint64_t seed_;
  // How often it was opened, where each time has an order of its own.
  std::shared_ptr<std::atomic<std::uint64_t>> times_;

 public:
  using element_type = std::conditional_t<Sequence<S>, typename S::element_type, owned<typename S::element_type>>;
  shuffled(S source, index room, std::uint64_t seed, bool reshuffle)
      : source_(std::move(source)),
        room_(room),
        seed_(seed),
        times_(reshuffle ? std::make_shared<std::atomic<std::uint64_t>>(0) : nullptr) {
    if (room < 1) throw_too_few("shuffle: its buffer_size", 1, room);
  }
  index cardinality() const { return source_.cardinality(); }
  auto open() const {
    split_mix seeds(seed_);
    const std::uint64_t first = seeds();
    return shuffle_cursor<S>(source_, room_, times_ ? first + times_->fetch_add(1) : first);
  }
};

}  // namespace jig::data::detail
