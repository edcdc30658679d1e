// SPDX-License-Identifier: MIT
#pragma once
// Random programs of loops, kernels and reductions on integer matrices, whose values have to be stored in between: with jig, and with
// loops over memory of their own.

#include <jig.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace stored_programs {

enum class kind : int { sum, scaled, larger, product, product_of_weights, transposed, reversed, running_sum, centred, turned, count };

struct statement {
  kind what;
  int a, b;  // values: 0 and 1 are the arguments
};
inline constexpr int statements = 9;
using program = std::array<statement, statements>;

// The same seed gives the same program everywhere.
constexpr program program_of(unsigned seed) {
  std::uint64_t state = seed * 2654435761u + 17;
  const auto below = [&](int n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(n));
  };
  program p{};
  for (int i = 0; i < statements; ++i) {
    // Most read what is new.
    const auto value = [&] { return below(3) > 0 ? i + 1 : below(i + 2); };
    p[static_cast<std::size_t>(i)] = {static_cast<kind>(below(static_cast<int>(kind::count))), value(), value()};
  }
  return p;
}

// Integers that wrap.
struct matrix {
  int n;
  std::vector<std::uint32_t> at;
  explicit matrix(int extent) : n(extent), at(static_cast<std::size_t>(extent * extent)) {}
  std::uint32_t& operator()(int i, int j) { return at[static_cast<std::size_t>(i * n + j)]; }
  std::uint32_t operator()(int i, int j) const { return at[static_cast<std::size_t>(i * n + j)]; }
};
template <class F>
matrix each(int n, F f) {
  matrix out(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) out(i, j) = f(i, j);
  return out;
}
inline bool is_less(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b); }
inline matrix product(const matrix& a, const matrix& b) {
  return each(a.n, [&](int i, int j) {
    std::uint32_t sum = 0;
    for (int k = 0; k < a.n; ++k) sum += a(i, k) * b(k, j);
    return sum;
  });
}
inline matrix apply(kind what, const matrix& a, const matrix& b, const matrix& w) {
  const int n = a.n;
  switch (what) {
    case kind::sum: return each(n, [&](int i, int j) { return a(i, j) + b(i, j); });
    case kind::scaled: return each(n, [&](int i, int j) { return a(i, j) * 3 - 1; });
    case kind::larger: return each(n, [&](int i, int j) { return is_less(a(i, j), b(i, j)) ? b(i, j) : a(i, j); });
    case kind::product: return product(a, w);
    case kind::product_of_weights: return product(w, a);
    case kind::transposed: return each(n, [&](int i, int j) { return a(j, i); });
    case kind::reversed: return each(n, [&](int i, int j) { return a(n - 1 - i, j) * 2; });
    case kind::running_sum: {
      matrix out = a;
      for (int i = 0; i < n; ++i)
        for (int j = 1; j < n; ++j) out(i, j) += out(i, j - 1);
      return out;
    }
    case kind::centred:
      return each(n, [&](int i, int j) {
        std::uint32_t most = a(i, 0);
        for (int k = 1; k < n; ++k) most = is_less(most, a(i, k)) ? a(i, k) : most;
        return a(i, j) - most;
      });
    default: return each(n, [&](int i, int j) { return a(i, j) * a(i, j) + b(i, j); });
  }
}
template <class X>
constexpr X apply(kind what, const X& a, const X& b, const X& w) {
  switch (what) {
    case kind::sum: return a + b;
    case kind::scaled: return a * 3 - 1;
    case kind::larger: return jig::maximum(a, b);
    case kind::product: return jig::matmul(a, w);
    case kind::product_of_weights: return jig::matmul(w, a);
    case kind::transposed: return jig::transpose(a);
    case kind::reversed: return jig::reverse<0>(a) * 2;
    case kind::running_sum: return jig::cumsum<1>(a);
    case kind::centred: return a - jig::reduce_max<1>(a, jig::keepdims);
    default: return jig::reshape_like(jig::square(jig::flatten(a)), a) + b;
  }
}

// The values of a program, the arguments first.
template <class X>
constexpr std::vector<X> values_of(const program& p, const X& x, const X& w) {
  std::vector<X> values{x, w};
  for (const statement& s : p)
    values.push_back(apply(s.what, values[static_cast<std::size_t>(s.a)], values[static_cast<std::size_t>(s.b)], w));
  return values;
}

inline matrix argument(int n, int seed) {
  return each(n, [&](int i, int j) { return static_cast<std::uint32_t>((i * 31 + j * 17 + seed) % 11 - 5); });
}
// Elements of a result that are not those of the reference.
inline int wrong(const matrix& expected, const std::int32_t* found) {
  int count = 0;
  for (std::size_t i = 0; i < expected.at.size(); ++i) count += expected.at[i] != static_cast<std::uint32_t>(found[i]);
  return count;
}

}  // namespace stored_programs
