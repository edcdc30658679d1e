// SPDX-License-Identifier: MIT
#pragma once
// Arguments of random programs of tensors in all their forms, what such programs say besides functions of the library, and comparisons.

#include <random/reference.hpp>
#include <random/run.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace random_programs {

using jig::index;
using plain = reference::plain<double>;

/// What a condition says to C++ and to JIG_IF.
template <class X>
constexpr auto truth(const X& x) {
  return x;
}
/// Parts of a tensor along an axis: a few, and some that lie one behind the other.
template <index Axis, index... Which, class X>
constexpr auto picked(const X& x) {
  return jig::gather<Axis>(x, jig::tensor<std::int32_t, sizeof...(Which)>{static_cast<std::int32_t>(Which)...});
}
template <index Axis, index First, index Last, class X>
constexpr auto part(const X& x) {
  if constexpr (Axis == 1) return jig::strided_slice<jig::all, jig::range_of(First, Last)>(x);
  else return jig::strided_slice<jig::all, jig::all, jig::range_of(First, Last)>(x);
}
template <class X, class Y>
constexpr auto matvec(const X& x, const Y& y) {
  return jig::einsum<"nij,nj->ni">(x, y);
}

/// Numbers between -2 and 2.
inline std::vector<double> some_numbers(std::size_t n, unsigned seed) {
  std::vector<double> out;
  std::uint64_t state = 0x9e3779b97f4a7c15 * (seed + 1);
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    out.push_back(static_cast<double>((state >> 33) % 4001) / 1000 - 2.0005);
  }
  return out;
}

// Extents: 0 static, 1 wildcards, 2 names.
template <int Extents, index N, index M, index K>
class tensor_arguments {
  static constexpr index n = Extents == 0 ? N : Extents == 1 ? jig::dyn : jig::dim<"n">;
  static constexpr index m = Extents == 0 ? M : Extents == 1 ? jig::dyn : jig::dim<"m">;
  static constexpr index k = Extents == 0 ? K : Extents == 1 ? jig::dyn : jig::dim<"k">;

  // The same numbers one behind the other, and with gaps between them, from the last to the first along the first axis.
  struct memory {
    std::vector<double> dense, spaced;
    explicit memory(std::vector<double> numbers, index rows) : dense(std::move(numbers)), spaced(2 * dense.size()) {
      const std::size_t row = dense.size() / static_cast<std::size_t>(rows);
      for (std::size_t i = 0; i < dense.size(); ++i)
        spaced[2 * ((static_cast<std::size_t>(rows) - 1 - i / row) * row + i % row)] = dense[i];
    }
    // A tensor, whose type tells how it lies.
    template <index... E>
    jig::tensor<double, E...> tensor(jig::shape extents) const {
      jig::tensor<double, E...> out(jig::uninitialized, extents);
      std::copy(dense.begin(), dense.end(), out.data());
      return out;
    }
    template <index... E>
    jig::view<const double, E...> view(jig::shape extents) const {
      jig::shape strides = jig::detail::row_major_strides(extents);
      for (int a = 0; a < strides.rank; ++a) strides[a] *= 2;
      const double* at = spaced.data() + strides[0] * (extents[0] - 1);
      strides[0] = -strides[0];
      return {at, extents, strides};
    }
  };
  template <class T>
  static reference::plain<T> plain_of(const memory& from, std::vector<index> extents) {
    return {std::move(extents), std::vector<T>(from.dense.begin(), from.dense.end())};
  }
  memory x_, a_, b_;
  double s_;

 public:
  explicit tensor_arguments(unsigned seed)
      : x_(some_numbers(N, seed), N),
        a_(some_numbers(M * N, seed + 100), M),
        b_(some_numbers(K * 9, seed + 200), K),
        s_(some_numbers(1, seed + 300)[0]) {}

  auto x() const { return x_.template tensor<n>({1, {N}}); }
  auto a() const { return a_.template tensor<m, n>({2, {M, N}}); }
  auto b() const { return b_.template tensor<k, 3, 3>({3, {K, 3, 3}}); }
  auto strided_x() const { return x_.template view<n>({1, {N}}); }
  auto strided_a() const { return a_.template view<m, n>({2, {M, N}}); }
  auto strided_b() const { return b_.template view<k, 3, 3>({3, {K, 3, 3}}); }
  double s() const { return s_; }
  template <class T>
  auto plain_x() const {
    return plain_of<T>(x_, {N});
  }
  template <class T>
  auto plain_a() const {
    return plain_of<T>(a_, {M, N});
  }
  template <class T>
  auto plain_b() const {
    return plain_of<T>(b_, {K, 3, 3});
  }
  template <class T>
  reference::plain<T> plain_s() const {
    return {{}, T(s_)};
  }
};

/// Says where a result differs.
template <class Tensor>
bool agrees(std::ostream& out, const char* world, int trips, int result, const Tensor& given, const plain& expected) {
  const jig::any_tensor found(given);
  std::vector<index> shape;
  for (int a = 0; a < found.rank(); ++a) shape.push_back(found.shape()[a]);
  if (shape != expected.shape) {
    out << world << ", " << trips << " trips: the shapes of result " << result << " differ";
    return false;
  }
  const double largest = reference::largest;
  std::size_t i = 0;
  for (double x : found.as<double>()) {
    const double y = expected.data[i++];
    if (x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= 1e-9 * (1 + largest + std::abs(y))) continue;
    out << world << ", " << trips << " trips: element " << i - 1 << " of result " << result << " is " << x << ", not " << y;
    return false;
  }
  return true;
}

/// Runs a comparison that may throw.
template <class Check>
bool checked(std::ostream& out, const char* world, const Check& check) {
  try {
    return check(world);
  } catch (const std::exception& e) {
    out << world << " throws " << e.what();
    return false;
  }
}

}  // namespace random_programs
