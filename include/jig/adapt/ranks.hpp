// SPDX-License-Identifier: MIT
#pragma once
// Processes that compute together, whatever carries their messages.

#include <jig/adapt/structure.hpp>
#include <jig/core/any_view.hpp>
#include <jig/core/error.hpp>
#include <jig/core/spec.hpp>
#include <jig/core/storage.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace jig {

namespace detail {

/// The sentence about what ranks have, each a list whose first item is what it does: of the first item that differs, who has which.
/// Empty where all have the same.
inline std::string disagreement(const std::vector<std::vector<std::string>>& of_ranks) {
  const auto item = [&](std::size_t rank, std::size_t i) {
    return i < of_ranks[rank].size() ? of_ranks[rank][i] : std::string("nothing behind that");
  };
  std::size_t longest = 0, at = 0;
  for (const auto& items : of_ranks) longest = (std::max)(longest, items.size());
  const auto differs = [&] {
    for (std::size_t r = 1; r < of_ranks.size(); ++r)
      if (item(r, at) != item(0, at)) return true;
    return false;
  };
  while (at < longest && !differs()) ++at;
  if (at == longest) return {};
  std::string out = at == 0 ? "ranks disagree: " : item(0, 0) + ": ranks disagree: ";
  std::vector<bool> told(of_ranks.size());
  for (std::size_t r = 0; r < of_ranks.size(); ++r) {
    if (told[r]) continue;
    std::vector<std::size_t> same;
    for (std::size_t s = r; s < of_ranks.size(); ++s)
      if (item(s, at) == item(r, at)) same.push_back(s), told[s] = true;
    out += (r > 0 ? ", " : "") + std::string(same.size() > 1 ? "ranks " : "rank ");
    for (std::size_t k = 0; k < same.size(); ++k) {
      const bool last = k + 1 == same.size();
      // Of many, some.
      if (k == 8 && !last) {
        out += " and " + std::to_string(same.size() - k) + " more";
        break;
      }
      out += (k == 0 ? "" : last ? " and " : ", ") + std::to_string(same[k]);
    }
    out += (at == 0 ? same.size() > 1 ? " are at " : " is at " : same.size() > 1 ? " have " : " has ") + item(r, at);
  }
  return out;
}

/// A number that stands for what a rank is about to do.
/// Source: FNV-1a, word by word.
class fingerprint {
 public:
  constexpr void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3u ^ value_ >> 29; }
  constexpr void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace detail

/// A number of processes that run the same program, called ranks, such as those of `jig::mpi::world`. All of them call the same functions
/// in the same order, each from one thread.
class ranks {
 public:
  constexpr ranks() = default;
  ranks(const ranks&) = delete;
  ranks& operator=(const ranks&) = delete;
  virtual ~ranks() = default;

  /// Which one this is, from 0 on.
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// So many bytes of every rank, in the order of the ranks, for all of them. Where mine is null they are at their place already.
  virtual void all_gather(const void* mine, std::size_t bytes, void* all) const = 0;
  /// For every rank so many pieces, which lie `stride` apart and in which the ranks' parts of so many bytes follow one another. What comes
  /// lies without gaps: the pieces of rank 0, then those of rank 1 and so on.
  /// Units: bytes, of the stride too
  virtual void all_to_all(const void* pieces, std::size_t count, std::size_t stride, std::size_t bytes, void* received) const = 0;
  /// The bytes of one rank, for all.
  virtual void broadcast(void* data, std::size_t bytes, int root) const = 0;
  /// So many bytes for another rank, which calls this too, and as many from it.
  virtual void swap(int other, const void* mine, void* theirs, std::size_t bytes) const = 0;

  /// Shows that all ranks are about to do the same thing: `key` stands for it, and items() lists what that is, its name first.
  /// Errors: where the keys differ all ranks throw invalid_argument, with one sentence that says who is about to do what.
  /// Cost: log2(ranks) messages of 8 bytes, one after another; where the ranks are no power of two, one to each rank.
  template <class Items>
  void agree(std::uint64_t key, Items items) const {
    const auto count = static_cast<std::size_t>(size());
    if (count == 1) return;
    if (std::has_single_bit(count)) {
      // What twice as many ranks know with every step: their key, or that they have several.
      const std::uint64_t several = 0;
      std::uint64_t known = key == several ? ~key : key, theirs = 0;
      for (int distance = 1, self = rank(); distance < static_cast<int>(count); distance *= 2) {
        swap(self ^ distance, &known, &theirs, sizeof known);
        if (theirs != known) known = several;
      }
      if (known == several) throw_disagreement(items());
      return;
    }
    auto* keys = reinterpret_cast<std::uint64_t*>(memory_for(keys_, 8 * count));
    all_gather(&key, 8, keys);
    for (std::size_t r = 0; r < count; ++r)
      if (keys[r] != key) throw_disagreement(items());
  }
  /// The same for what is a list anyway.
  void agree(const std::vector<std::string>& items) const {
    detail::fingerprint key;
    for (const std::string& item : items) key.add(item), key.add(item.size());
    agree(key.value(), [&] { return items; });
  }

  /// Memory for messages, which the next call of this function takes again. What is new of it is zero.
  /// Units: bytes
  std::byte* memory(std::size_t bytes) const { return memory_for(buffer_, bytes); }

 private:
  struct block {
    std::unique_ptr<std::byte[]> bytes;
    std::byte* first = nullptr;
    std::size_t size = 0;
  };
  static std::byte* memory_for(block& of, std::size_t bytes) {
    if (of.size < bytes) {
      of.bytes.reset(new std::byte[bytes + alignment]());
      const auto behind = reinterpret_cast<std::uintptr_t>(of.bytes.get()) % alignment;
      of.first = of.bytes.get() + (alignment - behind);
      of.size = bytes;
    }
    return of.first;
  }
  [[noreturn, gnu::cold, gnu::noinline]] void throw_disagreement(const std::vector<std::string>& items) const {
    std::string mine;
    for (const std::string& item : items) mine += item + '\n';
    const auto count = static_cast<std::size_t>(size());
    const std::uint64_t length = mine.size();
    std::vector<std::uint64_t> lengths(count);
    all_gather(&length, 8, lengths.data());
    const auto longest = static_cast<std::size_t>(*std::max_element(lengths.begin(), lengths.end()));
    mine.resize(longest);
    std::string texts(count * longest, '\0');
    all_gather(mine.data(), longest, texts.data());
    std::vector<std::vector<std::string>> of_ranks(count);
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t at = r * longest, end = at + static_cast<std::size_t>(lengths[r]); at < end;) {
        const std::size_t behind = texts.find('\n', at);
        of_ranks[r].push_back(texts.substr(at, behind - at));
        at = behind + 1;
      }
    const std::string sentence = detail::disagreement(of_ranks);
    detail::throw_invalid_argument(sentence.empty() ? "ranks disagree, though all say that they have the same" : sentence);
  }

  mutable block keys_, buffer_;
};

namespace detail {

/// The leaves of a structure, in their order. Those that are written are not const.
template <bool Written, class X>
auto views_of_leaves(X& x) {
  std::array<any_view, leaves_of<std::remove_const_t<X>>::size> out;
  std::size_t i = 0;
  for_each_leaf(x, [&](auto& leaf) {
    using Leaf = std::remove_cvref_t<decltype(leaf)>;
    static_assert(Argument<Leaf>, "jig: what ranks exchange are variables, tensors, containers and structures of them");
    const auto seen = argument<Leaf>::bind(leaf);
    using pointer = decltype(seen.data());
    static_assert(!Written || !std::is_const_v<std::remove_pointer_t<pointer>>,
                  "jig: what ranks exchange is written, and must not be const");
    static_assert(!std::is_same_v<std::remove_const_t<std::remove_pointer_t<pointer>>, std::string>, "jig: ranks exchange no strings");
    out[i++] = untyped(seen);
  });
  return out;
}

// Elements between memory at strides and dense memory.
template <bool Packs>
void copy_leaf(char* strided, const any_view& v, int axis, std::byte*& dense, std::size_t size) {
  const index step = v.strides[axis] * static_cast<index>(size);
  if (axis + 1 == v.extents.rank && v.strides[axis] == 1) {
    const std::size_t bytes = static_cast<std::size_t>(v.extents[axis]) * size;
    if (bytes > 0) std::memcpy(Packs ? static_cast<void*>(dense) : strided, Packs ? static_cast<const void*>(strided) : dense, bytes);
    dense += bytes;
    return;
  }
  for (index i = 0; i < v.extents[axis]; ++i, strided += step) {
    if (axis + 1 < v.extents.rank) {
      copy_leaf<Packs>(strided, v, axis + 1, dense, size);
    } else {
      std::memcpy(Packs ? static_cast<void*>(dense) : strided, Packs ? static_cast<const void*>(strided) : dense, size);
      dense += size;
    }
  }
}
/// The elements of a leaf into dense memory, or back.
template <bool Packs>
void copy_leaf(const any_view& v, std::byte* dense) {
  char* memory = const_cast<char*>(static_cast<const char*>(v.data));
  const std::size_t size = size_of(v.dtype), bytes = static_cast<std::size_t>(v.extents.size()) * size;
  if (bytes == 0) return;
  if (v.strides == row_major_strides(v.extents))
    std::memcpy(Packs ? static_cast<void*>(dense) : memory, Packs ? static_cast<const void*>(memory) : dense, bytes);
  else copy_leaf<Packs>(memory, v, 0, dense, size);
}

/// What a function is called with: its name, and dtype and shape of every leaf.
template <class Leaves>
std::uint64_t exchange_key(std::string_view name, const Leaves& leaves) {
  fingerprint key;
  key.add(name);
  for (const any_view& v : leaves) {
    key.add(static_cast<std::uint64_t>(v.dtype) << 8 | static_cast<std::uint64_t>(v.extents.rank));
    for (int a = 0; a < v.extents.rank; ++a) key.add(static_cast<std::uint64_t>(v.extents[a]));
  }
  return key.value();
}
template <class Leaves>
std::vector<std::string> exchange_items(std::string_view name, const Leaves& leaves) {
  std::vector<std::string> out{std::string(name)};
  for (const any_view& v : leaves) {
    message m;
    m << tensor_spec{v.dtype, v.extents} << " as part " << static_cast<index>(out.size());
    out.emplace_back(m.view());
  }
  return out;
}

/// Gives leaves the values that they have in one rank.
template <class Leaves>
void broadcast_leaves(const Leaves& leaves, int root, const ranks& among) {
  if (root < 0 || root >= among.size())
    throw_invalid_argument("broadcast: rank " + std::to_string(root) + " is none of " + std::to_string(among.size()));
  if (among.size() == 1) return;
  const std::string name = "broadcast from rank " + std::to_string(root);
  among.agree(exchange_key(name, leaves), [&] { return exchange_items(name, leaves); });
  std::size_t bytes = 0;
  for (const any_view& v : leaves)
    if (v.dtype == dtype::string) throw_invalid_argument("broadcast: ranks exchange no strings");
  for (const any_view& v : leaves) bytes += static_cast<std::size_t>(v.extents.size()) * size_of(v.dtype);
  const auto each = [&](auto copy) {
    std::byte* at = among.memory(bytes);
    for (const any_view& v : leaves) {
      copy(v, at);
      at += static_cast<std::size_t>(v.extents.size()) * size_of(v.dtype);
    }
  };
  if (among.rank() == root) each([](const any_view& v, std::byte* at) { copy_leaf<true>(v, at); });
  among.broadcast(among.memory(bytes), bytes, root);
  if (among.rank() != root) each([](const any_view& v, std::byte* at) { copy_leaf<false>(v, at); });
}

}  // namespace detail

}  // namespace jig
