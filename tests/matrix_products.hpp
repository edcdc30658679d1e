// SPDX-License-Identifier: MIT
#pragma once
// Kernels of matrix products beside plain sums, for operands that lie in any way.

#include <jig/eval/matmul.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using jig::index;
using jig::shape;

template <bool A, bool B>
using flags = jig::attributes<jig::boolean<"transpose_a", A>, jig::boolean<"transpose_b", B>>;

shape shape_of(std::initializer_list<index> extents) {
  shape s;
  for (index e : extents) s.push_back(e);
  return s;
}

std::string text_of(const shape& s) {
  jig::message m;
  m << s;
  return std::string(m.view());
}

// Elements that a view with these strides reaches, and nothing more, so that a sanitizer sees what reads
// beyond them.
template <class T>
class operand {
 public:
  operand(const shape& extents, const shape& strides, unsigned seed) : extents_(extents), strides_(strides) {
    index first = 0, last = 0;
    for (int a = 0; a < extents.rank; ++a) (strides[a] < 0 ? first : last) += strides[a] * std::max<index>(extents[a] - 1, 0);
    size_ = extents.size() == 0 ? 0 : static_cast<std::size_t>(last - first + 1);
    origin_ = extents.size() == 0 ? 0 : -first;
    data_ = std::make_unique<T[]>(size_);
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < size_; ++i) {
      if constexpr (std::is_integral_v<T>) data_[i] = static_cast<T>(random());
      else data_[i] = static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(random));
    }
  }
  operand(const shape& extents, unsigned seed) : operand(extents, jig::detail::row_major_strides(extents), seed) {}

  T* data() const { return data_.get() + origin_; }
  const shape& extents() const { return extents_; }
  template <index... E>
  jig::view<const T, E...> seen() const {
    return jig::view<const T, E...>(data(), extents_, strides_);
  }
  // The element in a row and a column of the matrix of a batch; `at` counts batches of the result.
  T& element(const shape& at, index row, index column) const {
    index offset = 0;
    int skip = at.rank - (extents_.rank - 2);
    for (int a = 0; a + 2 < extents_.rank; ++a)
      if (extents_[a] != 1) offset += at[a + skip] * strides_[a];
    return data()[offset + row * strides_[extents_.rank - 2] + column * strides_[extents_.rank - 1]];
  }

 private:
  shape extents_, strides_;
  std::unique_ptr<T[]> data_;
  std::size_t size_ = 0;
  index origin_ = 0;
};

// A dense result between guards.
template <class T>
class result {
 public:
  explicit result(const shape& extents) : extents_(extents), memory_(bytes() + 2 * guard, std::byte{0xa5}) {}
  T* data() { return reinterpret_cast<T*>(memory_.data() + guard); }
  template <index... E>
  jig::view<T, E...> seen() {
    return jig::view<T, E...>(data(), extents_);
  }
  bool guards_hold() const {
    auto untouched = [](std::byte b) { return b == std::byte{0xa5}; };
    return std::all_of(memory_.begin(), memory_.begin() + guard, untouched) && std::all_of(memory_.end() - guard, memory_.end(), untouched);
  }
  const shape& extents() const { return extents_; }

 private:
  static constexpr std::ptrdiff_t guard = 256;
  std::size_t bytes() const { return static_cast<std::size_t>(extents_.size()) * sizeof(T); }
  shape extents_;
  std::vector<std::byte> memory_;
};

template <class T>
bool agrees(T got, double exact, double magnitude, index k) {
  if (std::isnan(exact)) return std::isnan(got);
  if (std::isinf(exact)) return static_cast<double>(got) == exact;
  double error = (static_cast<double>(k) + 2) * static_cast<double>(std::numeric_limits<T>::epsilon()) * magnitude;
  return std::abs(static_cast<double>(got) - exact) <= error;
}

// How many elements of one batch of the result are wrong.
template <class T>
int wrong_elements(const T* out, const operand<T>& a, const operand<T>& b, bool ta, bool tb, const shape& at, index m, index n, index k) {
  int wrong = 0;
  for (index i = 0; i < m; ++i)
    for (index j = 0; j < n; ++j) {
      auto x = [&](index p) { return ta ? a.element(at, p, i) : a.element(at, i, p); };
      auto y = [&](index p) { return tb ? b.element(at, j, p) : b.element(at, p, j); };
      T got = out[i * n + j];
      if constexpr (std::is_integral_v<T>) {
        std::uint64_t sum = 0;
        for (index p = 0; p < k; ++p) sum += static_cast<std::uint64_t>(x(p)) * static_cast<std::uint64_t>(y(p));
        wrong += got != static_cast<T>(sum);
      } else {
        double sum = 0, magnitude = 0;
        for (index p = 0; p < k; ++p) {
          double term = static_cast<double>(x(p)) * static_cast<double>(y(p));
          sum += term;
          magnitude += std::abs(term);
        }
        wrong += !agrees(got, sum, magnitude, k);
      }
    }
  return wrong;
}

template <class T>
int wrong_elements(const T* out, const shape& extents, const operand<T>& a, const operand<T>& b, bool ta, bool tb) {
  const index m = extents[extents.rank - 2], n = extents[extents.rank - 1];
  const index k = a.extents()[a.extents().rank - (ta ? 2 : 1)];
  if (extents.size() == 0) return 0;
  shape batches = extents, at = extents;
  batches.rank = at.rank = extents.rank - 2;
  for (auto& e : at.extents) e = 0;
  int wrong = 0;
  for (index count = batches.size(); count > 0; --count, out += m * n) {
    wrong += wrong_elements(out, a, b, ta, tb, at, m, n, k);
    for (int axis = at.rank; axis-- > 0;) {
      if (++at[axis] < batches[axis]) break;
      at[axis] = 0;
    }
  }
  return wrong;
}

// Runs a kernel and compares with plain sums.
template <class T>
void check_product(const operand<T>& a, const operand<T>& b, const shape& extents, bool ta, bool tb,
                   void (*run)(result<T>&, const operand<T>&, const operand<T>&)) {
  INFO("a ", text_of(a.extents()), ta ? " transposed" : "", ", b ", text_of(b.extents()), tb ? " transposed" : "", ", out ",
       text_of(extents));
  result<T> out(extents);
  run(out, a, b);
  CHECK(wrong_elements(out.data(), extents, a, b, ta, tb) == 0);
  CHECK(out.guards_hold());
}

// The same with views that have the extents E… in their types.
template <const jig::op& Op, bool TA, bool TB, class OutExtents, class AExtents, class BExtents>
struct product_of;
template <const jig::op& Op, bool TA, bool TB, index... OE, index... AE, index... BE>
struct product_of<Op, TA, TB, std::integer_sequence<index, OE...>, std::integer_sequence<index, AE...>,
                  std::integer_sequence<index, BE...>> {
  template <class T>
  static void check(const operand<T>& a, const operand<T>& b, const shape& extents) {
    check_product<T>(a, b, extents, TA, TB, [](result<T>& out, const operand<T>& x, const operand<T>& y) {
      jig::kernel<Op>::run(flags<TA, TB>(), out.template seen<OE...>(), x.template seen<AE...>(), y.template seen<BE...>());
    });
  }
};

template <index... E>
using list = std::integer_sequence<index, E...>;

// Matrices whose extents are known when they are made.
template <bool TA, bool TB, class T>
void check_dynamic(const operand<T>& a, const operand<T>& b) {
  const index m = a.extents()[TA ? 1 : 0], n = b.extents()[TB ? 0 : 1];
  using jig::dyn;
  product_of<jig::ops::matmul, TA, TB, list<dyn, dyn>, list<dyn, dyn>, list<dyn, dyn>>::check(a, b, shape_of({m, n}));
}

template <bool TA, bool TB, class T>
void check_dense(index m, index n, index k) {
  operand<T> a(TA ? shape_of({k, m}) : shape_of({m, k}), 1), b(TB ? shape_of({n, k}) : shape_of({k, n}), 2);
  check_dynamic<TA, TB>(a, b);
}

template <class T>
void check_all_flags(index m, index n, index k) {
  check_dense<false, false, T>(m, n, k);
  check_dense<true, false, T>(m, n, k);
  check_dense<false, true, T>(m, n, k);
  check_dense<true, true, T>(m, n, k);
}

// Matrices with static extents.
template <class T, index M, index N, index K, bool TA = false, bool TB = false>
void check_static() {
  using a_extents = std::conditional_t<TA, list<K, M>, list<M, K>>;
  using b_extents = std::conditional_t<TB, list<N, K>, list<K, N>>;
  operand<T> a(TA ? shape_of({K, M}) : shape_of({M, K}), 3), b(TB ? shape_of({N, K}) : shape_of({K, N}), 4);
  product_of<jig::ops::matmul, TA, TB, list<M, N>, a_extents, b_extents>::check(a, b, shape_of({M, N}));
}

template <class T, index... Size>
void check_static_squares(list<Size...>) {
  (check_static<T, Size, Size, Size>(), ...);
}

}  // namespace
