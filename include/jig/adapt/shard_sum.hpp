// SPDX-License-Identifier: MIT
#pragma once
// Sums over a fixed number of shards, whose bits do not depend on how many ranks there are.
//
// Floating sums depend on their order, so there is one order: a binary tree over the shards, which are numbered. A rank has shards that
// follow one another, and sums those of its own that are a whole subtree. Where that is one message of every rank, pairs of ranks walk up
// the same tree together: both get the sum of the two subtrees, of short messages all of it, of long ones one half each, and the halves are
// given to all on the way back. Where the ranks are no power of two, the largest power of two among them does so and those that are left
// do, then both exchange their sums. Otherwise, and where such ranks are few, each sums one part of what is left of all, and gives the part
// to all. However it is, an element is left + right in every place of the tree, and has the same bits in all ranks.

#include <jig/adapt/ranks.hpp>

namespace jig::detail {

/// So many elements of a message.
struct message_segment {
  jig::dtype dtype;
  index count;
};

// In blocks of a known size, read before they are written, which compilers turn into registers at -O2 too. `to` may be one of the others.
template <class T, class F>
void combine_elements(T* to, const T* left, const T* right, std::size_t count, F f) {
  constexpr std::size_t block = 64 / sizeof(T);
  std::size_t i = 0;
  for (; i + block <= count; i += block) {
    T a[block], b[block];
    std::memcpy(a, left + i, sizeof a);
    std::memcpy(b, right + i, sizeof b);
    for (std::size_t k = 0; k < block; ++k) a[k] = f(a[k], b[k]);
    std::memcpy(to + i, a, sizeof a);
  }
  for (; i < count; ++i) to[i] = f(left[i], right[i]);
}
// Bytes of any dtype but string; of bool 0 and 1 alone.
inline void add_elements(dtype d, std::byte* to, const std::byte* left, const std::byte* right, std::size_t count) {
  with_type_of(d == dtype::boolean ? dtype::uint8 : d, [&]<class T>(const T&) {
    if constexpr (!std::is_same_v<T, std::string>) {
      using W = typename wrapping_type<T>::type;
      combine_elements(reinterpret_cast<T*>(to), reinterpret_cast<const T*>(left), reinterpret_cast<const T*>(right), count, [](T a, T b) {
        if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<W>(a) + static_cast<W>(b));
        else return static_cast<T>(a + b);
      });
    }
  });
}
// By a whole number, which every floating dtype has.
inline void divide_elements(dtype d, std::byte* to, std::size_t count, int divisor) {
  with_type_of(d, [&]<class T>(const T&) {
    if constexpr (is_floating(dtype_of<T>)) {
      using W = std::conditional_t<is_storage(dtype_of<T>), float, T>;
      const auto by = static_cast<W>(divisor);
      T* x = reinterpret_cast<T*>(to);
      combine_elements(x, x, x, count, [by](T a, T) { return static_cast<T>(static_cast<W>(a) / by); });
    }
  });
}

/// The shards from number 2^level on, which are as many.
struct shard_node {
  int level = 0;
  index number = 0;
};
/// Puts what stands for some shards behind what stands for those before them, and calls merge(i) wherever a subtree is whole: node i + 1
/// then belongs to node i.
template <class Merge>
void append_node(std::vector<shard_node>& nodes, shard_node next, Merge merge) {
  nodes.push_back(next);
  for (std::size_t n = nodes.size(); n > 1; n = nodes.size()) {
    const shard_node right = nodes[n - 1], left = nodes[n - 2];
    if (left.level != right.level || left.number % 2 != 0 || left.number + 1 != right.number) return;
    merge(n - 2);
    nodes.pop_back();
    nodes.back() = {left.level + 1, left.number / 2};
  }
}

/// One sum: the rank writes message after message for its shards, and total() has the sum over the shards of all ranks.
/// Cost: where the ranks are a power of two and each has a whole subtree, log2(ranks) exchanges of the message where it is short, twice
/// as many of less than twice its bytes in all where it is long; of more than 16 other ranks up to log2(ranks) more of the message.
/// Otherwise a rank sends and receives twice the bytes of a message, but for
/// a part of one rank, in as many exchanges as there are ranks; up to log2(shards) times that where it has several subtrees, as one of 3
/// ranks may. Memory for a few messages.
class shard_sum {
 public:
  shard_sum(const ranks& among, index shards, const std::vector<message_segment>& segments) : among_(among), shards_(shards) {
    const auto count = static_cast<std::size_t>(among.size());
    for (const message_segment& s : segments) {
      offsets_.push_back(bytes_);
      const std::size_t bytes = rounded(static_cast<std::size_t>(s.count) * size_of(s.dtype), alignment);
      if (runs_.empty() || runs_.back().dtype != s.dtype) runs_.push_back({s.dtype, bytes_, bytes_});
      runs_.back().end = bytes_ += bytes;
    }
    part_ = rounded((bytes_ + count - 1) / count, alignment);
    stride_ = (std::max)(part_ * count, rounded(bytes_, alignment * std::bit_floor(count)));
    // What every rank has at the end, and how many messages this one holds at once.
    of_ranks_.resize(count);
    std::size_t held = 1;
    for (std::size_t r = 0; r < count; ++r) {
      for (index s = first_of(static_cast<int>(r)); s < first_of(static_cast<int>(r) + 1); ++s) {
        if (static_cast<int>(r) == among.rank()) held = (std::max)(held, of_ranks_[r].size() + 1);
        append_node(of_ranks_[r], {0, s}, [](std::size_t) {});
      }
      pieces_ = (std::max)(pieces_, of_ranks_[r].size());
    }
    held_ = (std::max)(held, pieces_);
    paired_ = count > 1 && (std::has_single_bit(count) || count > most_at_once);
    for (const std::vector<shard_node>& nodes : of_ranks_)
      paired_ = paired_ && nodes.size() == 1 && nodes[0].level == of_ranks_[0][0].level;
  }
  shard_sum(const shard_sum&) = delete;
  shard_sum& operator=(const shard_sum&) = delete;

  /// The shards of this rank: from the first to before the last.
  index first() const { return first_of(among_.rank()); }
  index last() const { return first_of(among_.rank() + 1); }

  /// Where the message of the next shard is written; segment s begins so many bytes behind that.
  std::byte* next() {
    if (added_ == 0) take_memory();
    return message(nodes_.size());
  }
  std::size_t offset(std::size_t s) const { return offsets_[s]; }
  /// Units: bytes
  std::size_t bytes() const { return bytes_; }
  /// The message of this rank's next shard is there.
  void add() {
    append_node(nodes_, {0, first() + added_++}, [&](std::size_t i) { add_part(message(i), message(i), message(i + 1), 0, bytes_); });
  }

  /// The sum over all shards, whose floating numbers are divided, after all ranks have added those of theirs. It stays until ranks
  /// exchange anything else. `key` and `items` are those of ranks::agree.
  template <class Items>
  std::byte* total(int divisor, std::uint64_t key, Items items) {
    among_.agree(key, items);
    if (added_ == 0) take_memory();
    if (among_.size() == 1) {
      add_rest(nodes_.size(), [&](std::size_t i) { return message(i); }, 0, bytes_);
      divide_part(messages_, 0, bytes_, divisor);
    } else if (paired_) {
      sum_over(0, among_.size(), divisor);
    } else {
      exchange(divisor);
    }
    nodes_.clear();
    added_ = 0;
    return messages_;
  }

 private:
  // So many ranks that are no power of two exchange messages with all others at once.
  static constexpr std::size_t most_at_once = 16;

  struct run {
    jig::dtype dtype;
    std::size_t begin, end;
  };
  // Others take it between sums.
  void take_memory() {
    messages_ = among_.memory((held_ + (among_.size() > 1 ? pieces_ : 0)) * stride_);
    received_ = messages_ + held_ * stride_;
  }
  static std::size_t rounded(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }
  index first_of(int rank) const { return shards_ * rank / among_.size(); }
  std::byte* message(std::size_t i) const { return messages_ + i * stride_; }

  // Calls f for the elements in a part of a message, of one dtype at a time, with their place in the part.
  template <class F>
  void each_run(std::size_t begin, std::size_t end, F f) const {
    for (const run& r : runs_) {
      const std::size_t from = (std::max)(r.begin, begin), to = (std::min)(r.end, end);
      if (from < to) f(r.dtype, from - begin, (to - from) / size_of(r.dtype));
    }
  }
  void add_part(std::byte* to, const std::byte* left, const std::byte* right, std::size_t begin, std::size_t end) const {
    each_run(begin, end, [&](dtype d, std::size_t at, std::size_t count) { add_elements(d, to + at, left + at, right + at, count); });
  }
  void divide_part(std::byte* to, std::size_t begin, std::size_t end, int divisor) const {
    if (divisor == 1) return;
    each_run(begin, end, [&](dtype d, std::size_t at, std::size_t count) { divide_elements(d, to + at, count, divisor); });
  }
  // The subtrees that are left where the number of shards is no power of two: from the last one on.
  template <class At>
  void add_rest(std::size_t count, At at, std::size_t begin, std::size_t end) const {
    for (; count > 1; --count) add_part(at(count - 2), at(count - 2), at(count - 1), begin, end);
  }

  // Swapping wholes sends `levels` times the message and halves less than twice it, in twice as many exchanges, of which one takes as long
  // as some kilobytes. Between two ranks both send the same.
  bool is_short(int ranks) const {
    constexpr std::size_t bytes_of_exchange = 16384;
    const auto count = static_cast<std::size_t>(ranks), levels = static_cast<std::size_t>(std::bit_width(count)) - 1;
    return (levels * count - 2 * (count - 1)) * bytes_ <= levels * count * bytes_of_exchange;
  }
  // In one place, so that all ranks add alike.
  void add_received(bool left, std::byte* mine, const std::byte* theirs, std::size_t begin, std::size_t end) const {
    add_part(mine, left ? mine : theirs, left ? theirs : mine, begin, end);
  }
  // The sum over so many ranks from `first` on, of which this is one: over the largest power of two in pairs, and over those that are left.
  void sum_over(int first, int count, int divisor) {
    const int pairs = static_cast<int>(std::bit_floor(static_cast<unsigned>(count))), left = count - pairs, self = among_.rank() - first;
    if (self >= pairs) sum_over(first + pairs, left, 1);
    else if (is_short(pairs)) swap_wholes(first, pairs);
    else swap_halves(first, pairs);
    if (left > 0) {
      if (self >= pairs || self < left) {
        among_.swap(first + (self < pairs ? self + pairs : self - pairs), messages_, received_, bytes_);
        add_received(self < pairs, messages_, received_, 0, bytes_);
      }
      // Those who have the sum give it to as many others.
      for (int have = left; have < pairs; have *= 2) {
        if (self < have && self + have < pairs) among_.swap(first + self + have, messages_, received_, bytes_);
        else if (self >= have && self < 2 * have && self < pairs) among_.swap(first + self - have, received_, messages_, bytes_);
      }
    }
    divide_part(messages_, 0, bytes_, divisor);
  }
  void swap_wholes(int first, int count) {
    const int self = among_.rank() - first;
    for (int distance = 1; distance < count; distance *= 2) {
      among_.swap(first + (self ^ distance), messages_, received_, bytes_);
      add_received((self & distance) == 0, messages_, received_, 0, bytes_);
    }
  }
  void swap_halves(int first, int count) {
    const int self = among_.rank() - first;
    // What this rank sums: half of that with every step.
    std::size_t begin = 0, length = rounded(bytes_, alignment * static_cast<std::size_t>(count));
    for (int distance = 1; distance < count; distance *= 2) {
      length /= 2;
      const bool left = (self & distance) == 0;
      const std::size_t given = left ? begin + length : begin;
      begin += left ? 0 : length;
      among_.swap(first + (self ^ distance), messages_ + given, received_, length);
      add_received(left, messages_ + begin, received_, begin, begin + length);
    }
    for (int distance = count / 2; distance > 0; distance /= 2) {
      const std::size_t taken = (self & distance) == 0 ? begin + length : begin - length;
      among_.swap(first + (self ^ distance), messages_ + begin, messages_ + taken, length);
      begin = (std::min)(begin, taken);
      length *= 2;
    }
  }
  void exchange(int divisor) {
    among_.all_to_all(messages_, pieces_, stride_, part_, received_);
    const std::size_t begin = static_cast<std::size_t>(among_.rank()) * part_, end = begin + part_;
    std::vector<std::byte*> parts;
    std::vector<shard_node> nodes;
    for (std::size_t r = 0; r < of_ranks_.size(); ++r)
      for (std::size_t k = 0; k < of_ranks_[r].size(); ++k) {
        parts.push_back(received_ + (r * pieces_ + k) * part_);
        append_node(nodes, of_ranks_[r][k], [&](std::size_t i) {
          add_part(parts[i], parts[i], parts[i + 1], begin, end);
          parts.pop_back();
        });
      }
    add_rest(parts.size(), [&](std::size_t i) { return parts[i]; }, begin, end);
    divide_part(parts[0], begin, end, divisor);
    std::memcpy(messages_ + begin, parts[0], part_);
    among_.all_gather(nullptr, part_, messages_);
  }

  const ranks& among_;
  index shards_, added_ = 0;
  std::vector<std::size_t> offsets_;
  std::vector<run> runs_;
  std::vector<std::vector<shard_node>> of_ranks_;
  std::vector<shard_node> nodes_;
  std::size_t bytes_ = 0, part_ = 0, stride_ = 0, pieces_ = 1, held_ = 1;
  bool paired_ = false;
  std::byte* messages_ = nullptr;
  std::byte* received_ = nullptr;
};

}  // namespace jig::detail
