// SPDX-License-Identifier: MIT
#pragma once
// The matrices of a view, which are its last two axes.

#include <jig/core/any_rank_view.hpp>

#include <cstddef>
#include <utility>

namespace jig::detail {

/// The extents of a view's last axes as far as its type tells them.
template <class View>
struct matrix_extents {
  static constexpr index rows = dyn, columns = dyn;
};
template <template <class, index...> class View, class T, index... E>
  requires(sizeof...(E) >= 2)
struct matrix_extents<View<T, E...>> {
  static constexpr index from_end(std::size_t axis) {
    const index all[] = {E...};
    return all[sizeof...(E) - axis];
  }
  static constexpr index rows = from_end(2), columns = from_end(1);
};

/// Matrices, one after the other along the axes before their own.
template <class T>
class matrix_walk {
 public:
  T* data;
  index row = 0, column = 0;  // steps from one to the next

  template <class View>
  explicit matrix_walk(const View& v, int axes_of_matrix = 2) : data(v.data()), batches_(v.rank() - axes_of_matrix) {
    if (axes_of_matrix == 2) {
      row = v.stride(batches_);
      column = v.stride(batches_ + 1);
    }
    for (int a = 0; a < batches_; ++a) {
      extent_[a] = v.extent(a);
      stride_[a] = v.stride(a);
    }
  }
  void transpose() { std::swap(row, column); }
  index count() const {
    index n = 1;
    for (int a = 0; a < batches_; ++a) n *= extent_[a];
    return n;
  }
  void next() {
    for (int a = batches_ - 1; a >= 0; --a) {
      data += stride_[a];
      if (++at_[a] < extent_[a]) return;
      data -= stride_[a] * extent_[a];
      at_[a] = 0;
    }
  }

 private:
  int batches_;
  index extent_[max_rank] = {}, stride_[max_rank] = {}, at_[max_rank] = {};
};

/// A matrix that is the only one.
template <class T, index Row, index Column>
struct single_matrix {
  T* data;
  static constexpr index row = Row, column = Column;
  void next() {}
};

}  // namespace jig::detail
