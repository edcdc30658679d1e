// SPDX-License-Identifier: MIT
#pragma once
// Views whose element type is known and whose rank is a value: what as<T>() of a tensor without a type gives, and what kernels see
// where only the run tells ranks.

#include <jig/core/any_view.hpp>
#include <jig/core/view.hpp>

#include <concepts>
#include <iterator>
#include <type_traits>

namespace jig {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_wrong_index_count(int given, int rank) {
  message m;
  m << given << (given == 1 ? " index" : " indices") << " for a tensor of rank " << rank;
  throw_invalid_argument(m.view());
}

}  // namespace detail

/// A non-owning tensor over memory of somebody else whose rank is known at run time only. Strides are in elements and may be
/// negative or zero; the element may be const. With `const shape&` for `Shape` it refers to the extents and strides that it is made of.
template <class T, class Shape = jig::shape>
class any_rank_view {
  static_assert(Element<std::remove_const_t<T>> || std::is_reference_v<Shape>,
                "jig::any_rank_view: the element type must be a floating or integer type, bool or std::string");

 public:
  using value_type = std::remove_const_t<T>;
  class iterator;

  /// Row-major memory with all extents.
  constexpr any_rank_view(T* data, const jig::shape& extents)
    requires(!std::is_reference_v<Shape>)
      : any_rank_view(data, extents, detail::row_major_strides(extents)) {}
  /// Memory with all extents and strides, in elements.
  constexpr any_rank_view(T* data, const jig::shape& extents, const jig::shape& strides)
      : data_(data), extents_(extents), strides_(strides) {}
  /// The element type has to have the size of the dtype's.
  explicit any_rank_view(const any_view& v) : any_rank_view(static_cast<T*>(const_cast<void*>(v.data)), v.extents, v.strides) {}

  /// The same elements with extents in the type.
  /// Errors: extents that contradict the static ones throw invalid_argument.
  template <class U, index... E>
    requires std::convertible_to<T*, U*>
  constexpr explicit operator view<U, E...>() const {
    return view<U, E...>(data_, extents_, strides_);
  }

  constexpr int rank() const { return extents_.rank; }
  constexpr T* data() const { return data_; }
  constexpr index extent(int axis) const { return extents_[axis]; }
  constexpr index stride(int axis) const { return strides_[axis]; }
  constexpr const jig::shape& shape() const { return extents_; }
  constexpr const jig::shape& strides() const { return strides_; }
  constexpr index size() const { return extents_.size(); }

  /// One element; as many indices as the rank.
  /// Errors: another number of indices, or an index out of range, throws invalid_argument.
  template <std::convertible_to<index>... I>
  constexpr T& operator()(I... i) const {
    const index at[] = {static_cast<index>(i)..., 0};
    if (sizeof...(I) != static_cast<std::size_t>(rank())) detail::throw_wrong_index_count(sizeof...(I), rank());
    index offset = 0;
    for (int a = 0; a < static_cast<int>(sizeof...(I)); ++a) {
      if (at[a] < 0 || at[a] >= extents_[a]) detail::throw_out_of_range(at[a], a, extents_[a]);
      offset += at[a] * strides_[a];
    }
    return data_[offset];
  }

  /// The elements in row-major order.
  constexpr iterator begin() const { return iterator(*this, 0); }
  constexpr iterator end() const { return iterator(*this, size()); }

 private:
  T* data_;
  Shape extents_, strides_;
};

/// Goes through the elements in row-major order, whatever the strides are.
template <class T, class Shape>
class any_rank_view<T, Shape>::iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = index;
  using pointer = T*;
  using reference = T&;

  constexpr iterator() = default;
  constexpr iterator(const any_rank_view& v, index flat) : data_(v.data()), extents_(v.shape()), strides_(v.strides()), flat_(flat) {}

  constexpr T& operator*() const { return data_[offset_]; }
  constexpr T* operator->() const { return data_ + offset_; }
  constexpr iterator& operator++() {
    ++flat_;
    for (int a = extents_.rank; a-- > 0;) {
      offset_ += strides_[a];
      if (++at_[a] < extents_[a]) break;
      offset_ -= strides_[a] * extents_[a];
      at_[a] = 0;
    }
    return *this;
  }
  constexpr iterator operator++(int) {
    iterator old = *this;
    ++*this;
    return old;
  }
  constexpr bool operator==(const iterator& o) const { return flat_ == o.flat_; }

 private:
  T* data_ = nullptr;
  jig::shape extents_, strides_, at_;
  index flat_ = 0, offset_ = 0;
};

namespace detail {

template <class T>
using rank_erased = any_rank_view<T, const jig::shape&>;

}  // namespace detail

}  // namespace jig
