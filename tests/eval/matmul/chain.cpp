// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/chain.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

template <class F, class... S>
constexpr int chains(F f, S...) {
  int n = 0;
  for (const auto& r : decltype(f.get_concrete_function(S()...))::plan().regions) n += r.kind == jig::region_kind::chain;
  return n;
}

constexpr auto powers = jig::function<"powers(a, b)">([](auto a, auto b) {
  for (int i = 0; i < 7; ++i) b = jig::matmul(a, b);
  return b;
});
constexpr auto several =
    jig::function<"several(a, b, c, x)">([](auto a, auto b, auto c, auto x) { return jig::matmul(c, jig::matmul(b, jig::matmul(a, x))); });

template <class T>
using wide = std::conditional_t<std::is_integral_v<T>, std::make_unsigned_t<std::conditional_t<std::is_integral_v<T>, T, int>>, double>;

template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b, int k, int n) {
  std::vector<T> out(static_cast<std::size_t>(k * n));
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < n; ++j) {
      wide<T> sum = 0;
      for (int p = 0; p < k; ++p)
        sum += static_cast<wide<T>>(a[static_cast<std::size_t>(i * k + p)]) * static_cast<wide<T>>(b[static_cast<std::size_t>(p * n + j)]);
      out[static_cast<std::size_t>(i * n + j)] = static_cast<T>(sum);
    }
  return out;
}
template <class T>
std::vector<T> numbers(int n, int seed) {
  std::vector<T> out;
  for (int i = 0; i < n; ++i)
    out.push_back(static_cast<T>(static_cast<T>((i * 7 + seed * 5) % 11 - 5) / static_cast<T>(std::is_integral_v<T> ? 1 : 16)));
  return out;
}
template <class T, jig::index... E>
jig::tensor<T, E...> tensor_of(const std::vector<T>& x) {
  jig::tensor<T, E...> out;
  std::copy(x.begin(), x.end(), out.data());
  return out;
}
template <class T>
bool close(const T* found, const std::vector<T>& expected) {
  bool same = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if constexpr (std::is_integral_v<T>) same = same && found[i] == expected[i];
    else same = same && std::abs(found[i] - expected[i]) <= 1e-5 * (1 + std::abs(expected[i]));
  }
  return same;
}

template <class T, int K, int N>
void check_chains() {
  CAPTURE(K);
  CAPTURE(N);
  const auto a = numbers<T>(K * K, 1), b = numbers<T>(K * K, 2), c = numbers<T>(K * K, 3), x = numbers<T>(K * N, 4);
  auto expected = x;
  for (int i = 0; i < 7; ++i) expected = product(a, expected, K, N);
  auto ta = tensor_of<T, K, K>(a);
  auto tx = tensor_of<T, K, N>(x);
  CHECK(close(powers(ta, tx).data(), expected));
  powers.into(tx, ta, tx);
  CHECK(close(tx.data(), expected));
  if constexpr (K == N) {
    powers.into(ta, ta, tensor_of<T, K, N>(x));
    CHECK(close(ta.data(), expected));
  }
  const auto other = product(c, product(b, product(a, x, K, N), K, N), K, N);
  CHECK(close(several(tensor_of<T, K, K>(a), tensor_of<T, K, K>(b), tensor_of<T, K, K>(c), tensor_of<T, K, N>(x)).data(), other));
  constexpr bool expects = K >= 5 && K <= 16 && K != 8 && N >= 2 && N <= 32;
  static_assert(chains(powers, jig::spec<T, K, K>(), jig::spec<T, K, N>()) == expects);
  static_assert(chains(several, jig::spec<T, K, K>(), jig::spec<T, K, K>(), jig::spec<T, K, K>(), jig::spec<T, K, N>()) == expects);
}

// A result in between, which ends a chain; one that a loop reads; results as factors on the left, on both sides, transposed.
constexpr auto results = jig::function<"results(a, b)">([](auto a, auto b) {
  const auto second = jig::matmul(a, jig::matmul(a, b));
  return std::tuple(second, jig::matmul(a, second));
});
constexpr auto added = jig::function<"added(a, b)">([](auto a, auto b) {
  const auto first = jig::matmul(a, b);
  return jig::matmul(a, first) + first;
});
constexpr auto left = jig::function<"left(a, b)">([](auto a, auto b) { return jig::matmul(jig::matmul(a, b), a); });
constexpr auto both = jig::function<"both(a)">([](auto a) {
  const auto squared = jig::matmul(a, a);
  return jig::matmul(squared, squared);
});
constexpr auto turned =
    jig::function<"turned(a, b)">([](auto a, auto b) { return jig::matmul(a, jig::matmul(a, b, jig::transpose_b), jig::transpose_b); });
// Factors that are computed, in one chain with an argument.
constexpr auto made =
    jig::function<"made(a, b)">([](auto a, auto b) { return jig::matmul(jig::eye_like(a), jig::matmul(a + 1, jig::matmul(a, b))) * 2; });

}  // namespace

TEST_CASE_TEMPLATE("chains of small products", T, float, double, int, std::int64_t) {
  check_chains<T, 4, 4>();
  check_chains<T, 5, 2>();
  check_chains<T, 5, 5>();
  check_chains<T, 7, 16>();
  check_chains<T, 8, 8>();
  check_chains<T, 10, 10>();
  check_chains<T, 10, 1>();
}
TEST_CASE_TEMPLATE("chains that fill the registers, or more than these", T, float, int) {
  check_chains<T, 6, 17>();
  check_chains<T, 12, 32>();
  check_chains<T, 15, 16>();
  check_chains<T, 16, 16>();
  check_chains<T, 16, 33>();
  check_chains<T, 17, 10>();
}

TEST_CASE("what others read of a chain is stored") {
  using square = jig::spec<float, 10, 10>;
  const auto a = numbers<float>(100, 1), b = numbers<float>(100, 2);
  const auto x = tensor_of<float, 10, 10>(a), y = tensor_of<float, 10, 10>(b);
  const auto once = product(a, b, 10, 10), twice = product(a, once, 10, 10);
  static_assert(chains(results, square(), square()) == 1 && chains(added, square(), square()) == 0);
  const auto [second, third] = results(x, y);
  CHECK(close(second.data(), twice));
  CHECK(close(third.data(), product(a, twice, 10, 10)));
  auto sum = once;
  for (std::size_t i = 0; i < 100; ++i) sum[i] += twice[i];
  CHECK(close(added(x, y).data(), sum));
  static_assert(chains(left, square(), square()) == 0 && chains(both, square()) == 0 && chains(turned, square(), square()) == 0);
  CHECK(close(left(x, y).data(), product(once, a, 10, 10)));
  CHECK(close(both(x).data(), product(product(a, a, 10, 10), product(a, a, 10, 10), 10, 10)));
  static_assert(chains(made, square(), square()) == 1);
  auto more = a;
  for (float& v : more) v += 1;
  auto expected = product(more, once, 10, 10);
  for (float& v : expected) v *= 2;
  CHECK(close(made(x, y).data(), expected));
}

TEST_CASE("factors of a chain may be views, dense or not") {
  const auto a = numbers<float>(100, 1), b = numbers<float>(100, 2);
  const auto y = tensor_of<float, 10, 10>(b);
  std::vector<float> spread(200);
  for (std::size_t i = 0; i < 100; ++i) spread[2 * i] = a[i];
  auto expected = b;
  for (int i = 0; i < 7; ++i) expected = product(a, expected, 10, 10);
  CHECK(close(powers(jig::view<const float, 10, 10>(a.data()), y).data(), expected));
  CHECK(close(powers(jig::view<const float, 10, 10>(spread.data(), {10, 10}, {20, 2}), y).data(), expected));
}
