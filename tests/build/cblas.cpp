// SPDX-License-Identifier: MIT
// Large products go through CBLAS where JIG_USE_CBLAS is defined: every way it reads an operand, and those it cannot read.
#include <jig.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using matrix = jig::tensor<double, jig::dyn, jig::dyn>;

constexpr auto product = jig::function([](auto a, auto b) { return jig::matmul(a, b); });
constexpr auto product_turned = jig::function([](auto a, auto b) { return jig::matmul(a, b, jig::transpose_a, jig::transpose_b); });
constexpr auto layer = jig::function([](auto x, auto w, auto b) { return jig::relu(jig::matmul(x, w) + b); });

template <class T>
jig::tensor<T, jig::dyn, jig::dyn> numbers(jig::index rows, jig::index columns, int seed) {
  jig::tensor<T, jig::dyn, jig::dyn> out(jig::uninitialized, {2, {rows, columns}});
  for (jig::index i = 0; i < out.size(); ++i) out.data()[i] = static_cast<T>((i * 7 + seed) % 13 - 6);
  return out;
}

template <class T>
jig::tensor<T, jig::dyn, jig::dyn> turned(const jig::tensor<T, jig::dyn, jig::dyn>& x) {
  jig::tensor<T, jig::dyn, jig::dyn> out(jig::uninitialized, {2, {x.extent(1), x.extent(0)}});
  for (jig::index i = 0; i < x.extent(0); ++i)
    for (jig::index j = 0; j < x.extent(1); ++j) out(j, i) = x(i, j);
  return out;
}

// Small integers are exact in every order of summation.
template <class T>
void check(const char* what, const auto& a, const auto& b, const auto& c, T least = static_cast<T>(-1e30)) {
  for (jig::index i = 0; i < a.extent(0); ++i)
    for (jig::index j = 0; j < b.extent(1); ++j) {
      T sum = 0;
      for (jig::index k = 0; k < a.extent(1); ++k) sum += a(i, k) * b(k, j);
      if (c(i, j) == (sum < least ? least : sum)) continue;
      std::fprintf(stderr, "%s: element (%td, %td) is wrong\n", what, i, j);
      std::exit(1);
    }
}

template <class T>
void check_all(jig::index m, jig::index n, jig::index k) {
  auto a = numbers<T>(m, k, 1), b = numbers<T>(k, n, 2);
  auto at = turned(a), bt = turned(b);
  check<T>("plain", a, b, product(a, b));
  check<T>("transposed", a, b, product_turned(at, bt));
  jig::view<const T, jig::dyn, jig::dyn> part(a.data(), {m / 2, k}, {2 * k, 1});
  check<T>("every other row", part, b, product(part, b));
  jig::view<const T, jig::dyn, jig::dyn> same(a.data(), {m, k}, {0, 1});
  check<T>("one row again and again", same, b, product(same, b));
  jig::view<const T, jig::dyn, jig::dyn> backwards(a.data() + (m - 1) * k, {m, k}, {-k, 1});
  check<T>("backwards", backwards, b, product(backwards, b));
  jig::tensor<T, jig::dyn> zeros(jig::uninitialized, {1, {n}});
  for (jig::index j = 0; j < n; ++j) zeros(j) = 0;
  check<T>("with a bias", a, b, layer(a, b, zeros), T(0));
}

}  // namespace

int main() {
  check_all<float>(300, 257, 260);
  check_all<double>(256, 300, 270);
  check_all<float>(5, 7, 9);
  auto a = numbers<double>(300, 300, 1);
  auto c = product(a, a);
  product.into(a, a, a);  // the result is an operand too
  for (jig::index i = 0; i < a.size(); ++i)
    if (a.data()[i] != c.data()[i]) return 1;
}
