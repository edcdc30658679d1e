// SPDX-License-Identifier: MIT
#pragma once
// What graph algorithms look at. std::span would do, but its concepts and iterators are instantiated anew for every type:
// with it, including the library takes a fifth longer.

#include <cstddef>

namespace jig {

/// Values in a row, to look at: what std::span<const T> is, and converts to one.
template <class T>
class stretch {
 public:
  constexpr stretch() = default;
  constexpr stretch(const T* data, std::size_t size) : data_(data), size_(size) {}
  template <std::size_t N>
  constexpr stretch(const T (&items)[N]) : data_(items), size_(N) {}
  /// Of a std::vector, a list, a std::span: whatever has its values in a row.
  template <class Items>
    requires requires(const Items& items, const T*& data) { data = items.data(); }
  constexpr stretch(const Items& items) : data_(items.data()), size_(items.size()) {}

  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](std::size_t i) const { return data_[i]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  constexpr stretch first(std::size_t n) const { return {data_, n}; }
  constexpr stretch last(std::size_t n) const { return {data_ + (size_ - n), n}; }
  constexpr stretch subspan(std::size_t from) const { return {data_ + from, size_ - from}; }
  constexpr stretch subspan(std::size_t from, std::size_t n) const { return {data_ + from, n}; }
  constexpr const T* data() const { return data_; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace jig
