// SPDX-License-Identifier: MIT
#pragma once
// An array of a size known when it is made, for algorithms in constant evaluation: there a vector is filled element by
// element at the price of several calls each, this is zero in one go.

#include <cstddef>

namespace jig::detail {

template <class T>
class flat_array {
 public:
  constexpr explicit flat_array(int n) : data_(new T[static_cast<std::size_t>(n) + 1]{}), size_(n) {}
  flat_array(const flat_array&) = delete;
  flat_array& operator=(const flat_array&) = delete;
  constexpr ~flat_array() { delete[] data_; }
  constexpr T& operator[](int i) { return data_[i]; }
  constexpr const T& operator[](int i) const { return data_[i]; }
  constexpr int size() const { return size_; }
  constexpr T* begin() { return data_; }
  constexpr T* end() { return data_ + size_; }

 private:
  T* data_;
  int size_;
};

}  // namespace jig::detail
