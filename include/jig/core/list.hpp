// SPDX-License-Identifier: MIT
#pragma once
// The list that graph algorithms work with in constant evaluation. std::vector would do, but compilers take several times
// as long to instantiate it and to evaluate it; so they do with std::swap and std::exchange of each pointer type.

#include <cstddef>
#include <initializer_list>
#include <type_traits>

namespace jig {

/// A growing array of values that are cheap to copy.
template <class T>
class list {
 public:
  constexpr list() = default;
  /// n zeros, in one go.
  constexpr explicit list(int n) : items_(new T[static_cast<std::size_t>(n)]{}), size_(n), capacity_(n) {}
  constexpr list(std::initializer_list<T> items) : list(static_cast<int>(items.size())) {
    T* to = items_;
    for (const T& x : items) *to++ = x;
  }
  constexpr list(const list& o) : list(o.size_) {
    for (int i = 0; i < size_; ++i) items_[i] = o.items_[i];
  }
  constexpr list(list&& o) noexcept : items_(o.items_), size_(o.size_), capacity_(o.capacity_) { o.forget(); }
  constexpr list& operator=(const list& o) { return *this = list(o); }
  constexpr list& operator=(list&& o) noexcept {
    if (this == &o) return *this;
    delete[] items_;
    items_ = o.items_;
    size_ = o.size_;
    capacity_ = o.capacity_;
    o.forget();
    return *this;
  }
  constexpr ~list() { delete[] items_; }

  constexpr void push_back(const T& x) {
    if (size_ == capacity_) {
      T copy = x;
      reserve(capacity_ == 0 ? 8 : 2 * capacity_);
      items_[size_++] = copy;
    } else {
      items_[size_++] = x;
    }
  }
  /// Appends n items, of which none are in the list.
  constexpr void append(const T* from, std::size_t n) {
    const int count = static_cast<int>(n);
    if (size_ + count > capacity_) reserve(size_ + count > 2 * capacity_ ? size_ + count : 2 * capacity_);
    for (int i = 0; i < count; ++i) items_[size_ + i] = from[i];
    size_ += count;
  }
  constexpr void pop_back() { --size_; }
  constexpr void clear() { size_ = 0; }
  /// Keeps the first n.
  constexpr void cut(int n) { size_ = n; }
  constexpr void reserve(int n) {
    if (n <= capacity_) return;
    // Only constant evaluation minds what is not written.
    T* more = std::is_constant_evaluated() ? new T[static_cast<std::size_t>(n)]{} : new T[static_cast<std::size_t>(n)];
    for (int i = 0; i < size_; ++i) more[i] = items_[i];
    delete[] items_;
    items_ = more;
    capacity_ = n;
  }

  constexpr std::size_t size() const { return static_cast<std::size_t>(size_); }
  constexpr bool empty() const { return size_ == 0; }
  template <class Index>
  constexpr T& operator[](Index i) {
    return items_[i];
  }
  template <class Index>
  constexpr const T& operator[](Index i) const {
    return items_[i];
  }
  constexpr T& back() { return items_[size_ - 1]; }
  constexpr T* data() { return items_; }
  constexpr const T* data() const { return items_; }
  constexpr T* begin() { return items_; }
  constexpr T* end() { return items_ + size_; }
  constexpr const T* begin() const { return items_; }
  constexpr const T* end() const { return items_ + size_; }

 private:
  constexpr void forget() {
    items_ = nullptr;
    size_ = capacity_ = 0;
  }
  T* items_ = nullptr;
  int size_ = 0, capacity_ = 0;
};

namespace detail {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace detail

}  // namespace jig
