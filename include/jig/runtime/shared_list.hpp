// SPDX-License-Identifier: MIT
#pragma once
// Lists that threads read while another one adds to them, without a lock.

#include <jig/core/extent.hpp>

#include <memory>

namespace jig::detail {

/// A list that grows while others read it; entries stay where they are.
template <class T, int Most>
class shared_list {
 public:
  shared_list() = default;
  shared_list(const shared_list&) = delete;
  shared_list& operator=(const shared_list&) = delete;
  ~shared_list() {
    for (int i = 0; i < size(); ++i) delete items_[i];
  }
  int size() const { return __atomic_load_n(&size_, __ATOMIC_ACQUIRE); }
  const T& operator[](int i) const { return *items_[i]; }
  T& operator[](int i) { return *items_[i]; }
  /// Adds an entry unless one is there for which `same` holds; null when the list is full.
  template <class Same>
  T* add(std::unique_ptr<T>& item, Same same) {
    while (__atomic_test_and_set(&locked_, __ATOMIC_ACQUIRE)) {
    }
    T* found = nullptr;
    for (int i = 0; i < size_ && found == nullptr; ++i)
      if (same(*items_[i])) found = items_[i];
    if (found == nullptr && size_ < Most) {
      found = items_[size_] = item.release();
      __atomic_store_n(&size_, size_ + 1, __ATOMIC_RELEASE);
    }
    __atomic_clear(&locked_, __ATOMIC_RELEASE);
    return found;
  }

 private:
  T* items_[array_bound(Most)] = {};
  int size_ = 0;
  bool locked_ = false;
};

}  // namespace jig::detail
