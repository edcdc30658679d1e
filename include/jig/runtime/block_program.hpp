// SPDX-License-Identifier: MIT
#pragma once
// Elementwise nodes that run together, known at run time only: block by block, with all intermediates in the first-level cache.

#include <jig/eval/strided.hpp>
#include <jig/runtime/kernel.hpp>

#include <vector>

namespace jig::detail {

/// Fused elementwise nodes as a list of functions over blocks. Leaves are what they read, roots what they store. Not for strings.
template <class Function = block_function>
class block_program {
 public:
  /// Adds a leaf and returns its entry. One that does not move is a single element.
  int add_leaf(dtype type, bool moves) {
    leaves_.push_back({static_cast<index>(size_of(type)), moves});
    places_.push_back({place_kind::leaf, static_cast<int>(leaves_.size()) - 1, static_cast<index>(size_of(type))});
    return static_cast<int>(places_.size()) - 1;
  }
  /// Adds a node that is computed from these entries and returns its entry.
  int add(Function compute, stretch<int> operands, dtype type) {
    instruction in{compute, static_cast<int>(operands_.size()), static_cast<int>(operands.size()), static_cast<int>(places_.size())};
    for (int e : operands) operands_.push_back(e);
    places_.push_back({place_kind::temporary, -1, static_cast<index>(size_of(type))});
    if (static_cast<int>(operands.size()) > most_operands_) most_operands_ = static_cast<int>(operands.size());
    instructions_.push_back(in);
    return in.result;
  }
  /// Stores an entry that is computed as the next root. Where the root's memory may be that of a leaf, which is then read at the
  /// same places only, `shared` has that leaf's entry.
  void add_root(int entry, stretch<int> shared) {
    const int root = static_cast<int>(roots_.size());
    roots_.push_back(entry);
    // What is read later must not be overwritten before.
    bool direct = places_[at(entry)].kind == place_kind::temporary;
    for (const auto& in : instructions_)
      if (in.result > entry)
        for (int k = 0; k < in.count; ++k)
          for (int leaf : shared) direct = direct && operands_[at(in.first + k)] != leaf;
    if (direct) places_[at(entry)] = {place_kind::root, root, places_[at(entry)].bytes};
    else copies_.push_back({entry, root});
  }
  /// Joins ops for which there is one function and finds memory for the intermediates; to be called when all is added.
  void finish() {
    join_pairs();
    std::vector<int> last(places_.size(), -1);
    for (std::size_t i = 0; i < instructions_.size(); ++i)
      for (int k = 0; k < instructions_[i].count; ++k) last[at(operands_[at(instructions_[i].first + k)])] = static_cast<int>(i);
    for (const auto& c : copies_) last[at(c.entry)] = static_cast<int>(instructions_.size());
    std::vector<int> free_after;
    for (std::size_t i = 0; i < instructions_.size(); ++i) {
      place& p = places_[at(instructions_[i].result)];
      if (p.kind != place_kind::temporary) continue;
      p.number = -1;
      for (std::size_t b = 0; b < free_after.size() && p.number < 0; ++b)
        if (free_after[b] < static_cast<int>(i)) p.number = static_cast<int>(b);
      if (p.number < 0) {
        p.number = static_cast<int>(free_after.size());
        free_after.push_back(0);
      }
      free_after[at(p.number)] = last[at(instructions_[i].result)];
    }
    temporaries_ = static_cast<int>(free_after.size());
    for (const auto& l : leaves_) temporaries_ += !l.moves;
    // What a block touches stays in a first-level cache.
    index bytes = 0;
    for (const auto& p : places_) {
      if (p.kind == place_kind::temporary || (p.kind == place_kind::leaf && !leaves_[at(p.number)].moves))
        widest_ = p.bytes > widest_ ? p.bytes : widest_;
      else bytes += p.bytes;
    }
    bytes += widest_ * temporaries_;
    block_ = 32768 / (bytes == 0 ? 1 : bytes) / 64 * 64;
    if (block_ < 128) block_ = 128;
    if (block_ > 2048) block_ = 2048;
  }

  int leaves() const { return static_cast<int>(leaves_.size()); }
  int roots() const { return static_cast<int>(roots_.size()); }
  bool moves(int leaf) const { return leaves_[at(leaf)].moves; }
  index bytes_of_leaf(int leaf) const { return leaves_[at(leaf)].bytes; }
  index bytes_of_root(int root) const { return places_[at(roots_[at(root)])].bytes; }

  /// Runs over n contiguous elements of all leaves and roots.
  void operator()(const void* const* leaf, void* const* root, index n) const {
    const index block = n < block_ ? n : block_;
    // Not a multiple of 4096 bytes, at which processors take one address for another.
    const std::size_t stride = aligned_size(static_cast<std::size_t>(block * widest_)) + 3 * alignment;
    const std::size_t pointers = aligned_size((places_.size() + at(most_operands_) + 1) * sizeof(void*));
    const workspace memory(pointers + at(temporaries_) * stride);
    auto** where = reinterpret_cast<char**>(memory.data());
    auto** in = reinterpret_cast<const void**>(memory.data() + places_.size() * sizeof(void*));
    char* next = memory.data() + pointers + at(temporaries_) * stride;
    for (std::size_t e = 0; e < places_.size(); ++e) {
      const place& p = places_[e];
      if (p.kind == place_kind::root) where[e] = static_cast<char*>(root[p.number]);
      else if (p.kind == place_kind::temporary) where[e] = memory.data() + pointers + at(p.number) * stride;
      else if (leaves_[at(p.number)].moves) where[e] = static_cast<char*>(const_cast<void*>(leaf[p.number]));
      else where[e] = repeated(next -= stride, leaf[p.number], p.bytes, block);
    }
    for (index first = 0; first < n; first += block) {
      const index length = n - first < block ? n - first : block;
      for (const auto& i : instructions_) {
        for (int k = 0; k < i.count; ++k) in[k] = where[operands_[at(i.first + k)]];
        i.compute(in, where[i.result], length);
      }
      for (const auto& c : copies_) {
        const auto bytes = static_cast<std::size_t>(places_[at(c.entry)].bytes);
        std::memcpy(static_cast<char*>(root[c.root]) + at(first) * bytes, where[c.entry], at(length) * bytes);
      }
      if (first + length == n) break;
      for (std::size_t e = 0; e < places_.size(); ++e) {
        const place& p = places_[e];
        if (p.kind == place_kind::root || (p.kind == place_kind::leaf && leaves_[at(p.number)].moves)) where[e] += length * p.bytes;
      }
    }
  }

 private:
  enum class place_kind : unsigned char { leaf, temporary, root };
  struct place {
    place_kind kind;
    int number;
    index bytes;  // of an element
  };
  struct leaf_data {
    index bytes;
    bool moves;
  };
  struct instruction {
    Function compute;
    int first, count, result;
  };
  struct copy {
    int entry, root;
  };

  void join_pairs() {
    std::vector<int> uses(places_.size());
    for (int e : operands_) ++uses[at(e)];
    for (int e : roots_) ++uses[at(e)];
    for (std::size_t i = 0; i < instructions_.size();) {
      const std::size_t first = joins_with(i, uses);
      if (first == i) {
        ++i;
        continue;
      }
      instructions_[i] = joined(instructions_[first], instructions_[i]);
      instructions_.erase(instructions_.begin() + static_cast<std::ptrdiff_t>(first));
      --i;
    }
  }
  // Which instruction becomes one with instruction i, or i. What it reads must not be overwritten until then.
  std::size_t joins_with(std::size_t i, const std::vector<int>& uses) const {
    for (std::size_t first = i; first-- > 0;) {
      const instruction& before = instructions_[first];
      const int position = position_in(instructions_[i], before.result);
      if (position >= 0 && uses[at(before.result)] == 1 &&
          find_paired_kernel(before.compute, instructions_[i].compute, position) != nullptr)
        return first;
      if (places_[at(before.result)].kind == place_kind::root) break;
    }
    return i;
  }
  int position_in(const instruction& in, int entry) const {
    for (int k = 0; k < in.count; ++k)
      if (operands_[at(in.first + k)] == entry) return k;
    return -1;
  }
  instruction joined(const instruction& first, const instruction& second) {
    const int position = position_in(second, first.result);
    const instruction both{find_paired_kernel(first.compute, second.compute, position), static_cast<int>(operands_.size()),
                           first.count + second.count - 1, second.result};
    for (int k = 0; k < first.count; ++k) operands_.push_back(operands_[at(first.first + k)]);
    for (int k = 0; k < second.count; ++k)
      if (k != position) operands_.push_back(operands_[at(second.first + k)]);
    places_[at(first.result)].number = 0;  // which nobody reads
    if (most_operands_ < both.count) most_operands_ = both.count;
    return both;
  }

  template <class I>
  static constexpr std::size_t at(I i) {
    return static_cast<std::size_t>(i);
  }
  static char* repeated(char* to, const void* from, index bytes, index n) {
    copies_of(bytes)->run(to, static_cast<const char*>(from), 0, n);
    return to;
  }

  std::vector<place> places_;  // by entry
  std::vector<leaf_data> leaves_;
  std::vector<instruction> instructions_;
  std::vector<int> operands_, roots_;
  std::vector<copy> copies_;
  int temporaries_ = 0, most_operands_ = 0;
  index widest_ = 0;  // of the elements of intermediates, in bytes
  index block_ = 0;
};

}  // namespace jig::detail
