// SPDX-License-Identifier: MIT
#pragma once
// Memory of tensors: 64-byte aligned on the heap, or inline for small static shapes. Both work in constant evaluation.

#include <jig/core/error_handler.hpp>
#include <jig/core/extent.hpp>

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace jig {

/// Units: bytes. Heap memory of tensors starts at a multiple of this, so that vectors of any width load aligned.
inline constexpr std::size_t alignment = 64;

/// Units: bytes. Static tensors up to this size live inside the object.
inline constexpr std::size_t inline_capacity = 1024;

/// Asks for elements that are not set yet, for a result that is about to be written.
struct uninitialized_t {};
inline constexpr uninitialized_t uninitialized{};

namespace detail {

// Aligned memory, found within a few bytes more, before which stands where these begin: to ask for aligned memory takes several times as
// long as the work on a small tensor.
inline void* allocate_aligned(std::size_t bytes) {
  static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= sizeof(void*));
  char* const begin = static_cast<char*>(::operator new(bytes + alignment));
  void** const aligned = reinterpret_cast<void**>(begin + (alignment - reinterpret_cast<std::uintptr_t>(begin) % alignment));
  aligned[-1] = begin;
  return aligned;
}
inline void deallocate_aligned(void* aligned) { ::operator delete(static_cast<void**>(aligned)[-1]); }

// Copies elements over others. Where that may throw they are copied elsewhere first, so that all or none change.
template <class Storage, class T>
constexpr void assign_elements(T* to, const Storage& from, index n) {
  if constexpr (std::is_nothrow_copy_assignable_v<T>) {
    for (index i = 0; i < n; ++i) to[i] = from.data()[i];
  } else {
    Storage copies(from);
    for (index i = 0; i < n; ++i) to[i] = std::move(copies.data()[i]);
  }
}

// A heap array of elements. In constant evaluation it comes from std::allocator, since aligned new is not allowed there.
template <class T>
class heap_storage {
 public:
  constexpr heap_storage() = default;
  constexpr explicit heap_storage(index n) : heap_storage(n, uninitialized) {
    if constexpr (std::is_trivially_copyable_v<T>)
      for (index i = 0; i < n; ++i) data_[i] = T();
  }
  // Elements of class type are constructed all the same.
  constexpr heap_storage(index n, uninitialized_t) : data_(allocate(n)), size_(n) {
    if (!std::is_trivially_copyable_v<T> || std::is_constant_evaluated())
      for (index i = 0; i < n; ++i) std::construct_at(data_ + i);
  }
  constexpr heap_storage(const heap_storage& o) : heap_storage(o.size_, uninitialized) {
    for (index i = 0; i < size_; ++i) data_[i] = o.data_[i];
  }
  constexpr heap_storage(heap_storage&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  // Where there are as many elements the memory stays. One that throws changes nothing.
  constexpr heap_storage& operator=(const heap_storage& o) {
    if (size_ != o.size_) swap_memory(heap_storage(o));
    else if (this != &o) assign_elements(data_, o, size_);
    return *this;
  }
  constexpr heap_storage& operator=(heap_storage&& o) noexcept {
    swap_memory(heap_storage(std::move(o)));
    return *this;
  }
  constexpr ~heap_storage() {
    if (data_ == nullptr) return;
    if constexpr (!std::is_trivially_destructible_v<T>)
      for (index i = 0; i < size_; ++i) std::destroy_at(data_ + i);
    if (std::is_constant_evaluated()) std::allocator<T>().deallocate(data_, static_cast<std::size_t>(size_));
    else deallocate_aligned(data_);
  }
  constexpr T* data() { return data_; }
  constexpr const T* data() const { return data_; }
  // Keeps the first n elements, and not much more memory than they take.
  void shrink(index n) {
    if (2 * n < size_) {
      heap_storage kept(n, uninitialized);
      for (index i = 0; i < n; ++i) kept.data_[i] = std::move(data_[i]);
      *this = std::move(kept);
    } else {
      for (; size_ > n; --size_) std::destroy_at(data_ + size_ - 1);
    }
  }

 private:
  constexpr void swap_memory(heap_storage&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
  }
  static constexpr T* allocate(index n) {
    if (n == 0) return nullptr;
    const auto count = static_cast<std::size_t>(n);
    if (std::is_constant_evaluated()) return std::allocator<T>().allocate(count);
    if (static_cast<std::uint64_t>(n) > static_cast<std::size_t>(-1) / 2 / sizeof(T))
      detail::raise<std::bad_array_new_length>("a tensor has more elements than there is memory");
    return static_cast<T*>(allocate_aligned(count * sizeof(T)));
  }
  T* data_ = nullptr;
  index size_ = 0;
};

constexpr std::size_t inline_alignment(std::size_t bytes, std::size_t least) {
  std::size_t a = least;
  while (a < bytes && a < alignment) a *= 2;
  return a;
}

// An array inside the object. It is always set: that is cheap, and constant evaluation asks for it.
template <class T, index N>
class inline_storage {
  static constexpr std::size_t bytes_aligned = inline_alignment(sizeof(T) * (N == 0 ? 1 : N), alignof(T));

 public:
  constexpr inline_storage() = default;
  constexpr inline_storage(const inline_storage&) = default;
  constexpr inline_storage(inline_storage&&) = default;
  constexpr inline_storage& operator=(inline_storage&&) = default;
  constexpr ~inline_storage() = default;
  // Not trivial, so that calls pass a reference to the copy they make: where a trivial class with the alignment of a vector register lies
  // among the parameters has changed from GCC to GCC, which it would tell at each such function of the program.
  constexpr ~inline_storage()
    requires(bytes_aligned > alignof(std::max_align_t))
  {}
  constexpr explicit inline_storage(index) {}
  constexpr inline_storage(index, uninitialized_t) {}
  constexpr inline_storage& operator=(const inline_storage&)
    requires std::is_nothrow_copy_assignable_v<T>
  = default;
  constexpr inline_storage& operator=(const inline_storage& o)
    requires(!std::is_nothrow_copy_assignable_v<T>)
  {
    if (this != &o) assign_elements(data_, o, N);
    return *this;
  }
  constexpr T* data() { return data_; }
  constexpr const T* data() const { return data_; }

 private:
  alignas(bytes_aligned) T data_[array_bound(N)]{};
};

}  // namespace detail

}  // namespace jig
