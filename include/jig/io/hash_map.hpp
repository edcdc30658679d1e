// SPDX-License-Identifier: MIT
#pragma once
// A hash map that constant evaluation can use.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace jig::detail {

/// Values by keys, which are texts or integers. Entries stand in the order in which they came.
template <class Key, class Value>
class hash_map {
 public:
  /// The value of a key, or null.
  template <class Like>
  constexpr const Value* find(const Like& key) const {
    const std::size_t at = entry_of(key);
    return at == none ? nullptr : &entries_[at].second;
  }
  template <class Like>
  constexpr Value* find(const Like& key) {
    const std::size_t at = entry_of(key);
    return at == none ? nullptr : &entries_[at].second;
  }
  /// Whether the key was not there; where it was its value stays.
  constexpr bool add(Key key, Value value) {
    if (find(key) != nullptr) return false;
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    slots_[free_slot(key)] = entries_.size() + 1;
    entries_.emplace_back(std::move(key), std::move(value));
    return true;
  }
  constexpr void set(const Key& key, Value value) {
    if (Value* const there = find(key)) *there = std::move(value);
    else add(key, std::move(value));
  }
  constexpr std::size_t size() const { return entries_.size(); }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  template <class Like>
  static constexpr std::size_t hash(const Like& key) {
    std::uint64_t h = 0xcbf29ce484222325;
    if constexpr (std::is_integral_v<Like>) {
      h = static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15;
    } else {
      const std::string_view text(key);
      if (!std::is_constant_evaluated()) h = std::hash<std::string_view>()(text);
      else
        for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    return static_cast<std::size_t>(h ^ h >> 32);
  }
  // The number of slots is a power of two, at least twice that of entries, so that there is a free one.
  template <class Like>
  constexpr std::size_t entry_of(const Like& key) const {
    if (slots_.empty()) return none;
    for (std::size_t s = hash(key);; ++s) {
      const std::size_t at = slots_[s & (slots_.size() - 1)];
      if (at == 0) return none;
      if (entries_[at - 1].first == key) return at - 1;
    }
  }
  constexpr std::size_t free_slot(const Key& key) const {
    std::size_t s = hash(key) & (slots_.size() - 1);
    while (slots_[s] != 0) s = (s + 1) & (slots_.size() - 1);
    return s;
  }
  constexpr void grow() {
    slots_.assign(slots_.empty() ? 16 : 2 * slots_.size(), 0);
    for (std::size_t k = 0; k < entries_.size(); ++k) slots_[free_slot(entries_[k].first)] = k + 1;
  }

  std::vector<std::pair<Key, Value>> entries_;
  std::vector<std::size_t> slots_;  // one more than the number of an entry, or 0
};

}  // namespace jig::detail
