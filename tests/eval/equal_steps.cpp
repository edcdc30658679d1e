// SPDX-License-Identifier: MIT
#include <jig/eval/equal_steps.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace {

using jig::index;

template <auto F, class... E>
using program_of = jig::program<jig::trace<decltype(F), "f", E...>, static_cast<char>(sizeof(E) > 0)...>;

// How many steps of a program are compiled with others, and how many different ones these are.
struct shared_steps {
  int steps = 0, kinds = 0;
  bool operator==(const shared_steps&) const = default;
};
template <class P>
constexpr shared_steps shared_in = []<int... S>(std::integer_sequence<int, S...>) {
  shared_steps out;
  ((out.steps += jig::detail::is_compiled_once<P, S>,
    out.kinds += jig::detail::is_compiled_once<P, S> && jig::detail::equal_steps<P>::table.first[S] == S),
   ...);
  return out;
}(std::make_integer_sequence<int, P::plan.size.steps>());

template <int Layers>
constexpr auto net = [](auto x, auto w, auto b) {
  auto y = x * 2;
  for (int k = 0; k < Layers; ++k) y = y + jig::relu(jig::matmul(y, w) + b);
  return y;
};
template <index M, index N, int Layers>
using net_program = program_of<net<Layers>, jig::spec<float, M, N>, jig::spec<float, N, N>, jig::spec<float, N>>;

template <int Layers>
constexpr auto loss = jig::function([](auto x, auto w, auto b) { return jig::reduce_sum(net<Layers>(x, w, b)); });

std::vector<float> some_numbers(std::size_t n, int seed) {
  std::vector<float> out;
  for (std::size_t i = 0; i < n; ++i) out.push_back(static_cast<float>((static_cast<int>(i) * 37 + seed * 11) % 23 - 11) / 64);
  return out;
}

std::vector<float> net_by_hand(std::vector<float> x, const std::vector<float>& w, const std::vector<float>& b, int layers) {
  const std::size_t n = b.size(), m = x.size() / n;
  for (auto& v : x) v *= 2;
  for (; layers > 0; --layers) {
    const auto y = x;
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += static_cast<double>(y[i * n + k]) * static_cast<double>(w[k * n + j]);
        const float z = static_cast<float>(sum) + b[j];
        x[i * n + j] += z > 0 ? z : 0;
      }
  }
  return x;
}

template <index M, index N, int Layers>
void check_net() {
  const auto x = some_numbers(static_cast<std::size_t>(M * N), 1), w = some_numbers(static_cast<std::size_t>(N * N), 2),
             b = some_numbers(static_cast<std::size_t>(N), 3);
  const auto expected = net_by_hand(x, w, b, Layers);
  constexpr auto f = jig::function(net<Layers>);
  jig::tensor<float, M, N> tx;
  jig::tensor<float, N, N> tw;
  jig::tensor<float, N> tb;
  std::copy(x.begin(), x.end(), tx.data());
  std::copy(w.begin(), w.end(), tw.data());
  std::copy(b.begin(), b.end(), tb.data());
  const auto compare = [&](const auto& y) {
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::abs(y.data()[i] - expected[i]) <= 1e-4f * (1 + std::abs(expected[i])));
  };
  compare(f(tx, tw, tb));
  // Extents that only the call knows, then a result on top of an argument.
  const jig::view<jig::row_major<const float>, jig::dyn, N> rows(x.data(), M);
  compare(f(rows, tw, tb));
  f.into(tx, tx, tw, tb);
  compare(tx);
}

TEST_CASE("equal layers share their loops, from so many elements on") {
  // The last layer stores a result of the call, which loops over much memory do not keep in caches.
  static_assert(shared_in<net_program<32, 64, 8>> == shared_steps{7, 1});
  static_assert(shared_in<net_program<32, 64, 1>> == shared_steps{0, 0});
  static_assert(shared_in<net_program<8, 32, 9>> == shared_steps{8, 1});
  static_assert(shared_in<net_program<8, 32, 8>> == shared_steps{0, 0});
  check_net<32, 64, 8>();
  check_net<8, 32, 9>();
  check_net<8, 32, 8>();
  check_net<7, 67, 6>();
}

// All of these would be one loop if nothing stood between them.
constexpr auto different_constants = [](auto x, auto w) {
  auto y = jig::matmul(x * 2, w);
  y = jig::matmul(y * 3, w);
  y = jig::matmul(y * 2, w);
  return jig::exp(y);
};
constexpr auto different_axes = [](auto x, auto w) {
  auto y = x;
  y = jig::matmul(jig::exp(y - jig::reduce_sum<0>(y, jig::keepdims)), w);
  y = jig::matmul(jig::exp(y - jig::reduce_sum<1>(y, jig::keepdims)), w);
  y = jig::matmul(jig::exp(y - jig::reduce_sum<0>(y, jig::keepdims)), w);
  return y;
};
constexpr auto different_strides = [](auto x, auto w) {
  auto y = x;
  y = jig::matmul(jig::exp(jig::transpose(y)), w);
  y = jig::matmul(jig::exp(y), w);
  y = jig::matmul(jig::exp(jig::transpose(y)), w);
  y = jig::matmul(jig::exp(y), w);
  return y;
};

TEST_CASE("steps that differ in a constant, an axis or a stride are apart") {
  using x = jig::spec<double, 48, 48>;
  static_assert(shared_in<program_of<different_constants, x, x>> == shared_steps{2, 1});
  static_assert(shared_in<program_of<different_axes, x, x>> == shared_steps{4, 2});
  static_assert(shared_in<program_of<different_strides, x, x>>.kinds >= 1);
  constexpr std::size_t n = 48;
  jig::tensor<double, 48, 48> a, w;
  for (std::size_t i = 0; i < n * n; ++i) a.data()[i] = static_cast<double>(i % 13) / 64, w.data()[i] = static_cast<double>(i % 7) / 2048;
  const auto multiplied = [&](const std::vector<double>& y) {
    std::vector<double> out(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) out[i * n + j] += y[i * n + k] * w.data()[k * n + j];
    return out;
  };
  const auto near = [&](const auto& y, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < n * n; ++i) CHECK(std::abs(y.data()[i] - expected[i]) <= 1e-10 * (1 + std::abs(expected[i])));
  };
  const std::vector<double> first(a.data(), a.data() + n * n);
  {
    auto y = first;
    for (double factor : {2.0, 3.0, 2.0}) {
      for (auto& v : y) v *= factor;
      y = multiplied(y);
    }
    for (auto& v : y) v = std::exp(v);
    near(jig::function(different_constants)(a, w), y);
  }
  {
    auto y = first;
    for (bool columns : {true, false, true}) {
      std::vector<double> sums(n);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) sums[columns ? j : i] += y[i * n + j];
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) y[i * n + j] = std::exp(y[i * n + j] - sums[columns ? j : i]);
      y = multiplied(y);
    }
    near(jig::function(different_axes)(a, w), y);
  }
  {
    auto y = first;
    for (bool turned : {true, false, true, false}) {
      auto z = y;
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) z[i * n + j] = std::exp(turned ? y[j * n + i] : y[i * n + j]);
      y = multiplied(z);
    }
    near(jig::function(different_strides)(a, w), y);
  }
}

TEST_CASE("the gradient of forty layers is planned, with few different steps") {
  constexpr auto gradient = jig::grad<1, 2>(loss<40>);
  constexpr auto f = gradient.get_concrete_function(jig::spec<float, 32, 64>(), jig::spec<float, 64, 64>(), jig::spec<float, 64>());
  static_assert(f.optimized_graph().size() > 400);
  const auto x = some_numbers(32 * 64, 1), w = some_numbers(64 * 64, 2), b = some_numbers(64, 3);
  jig::tensor<float, 32, 64> tx;
  jig::tensor<float, 64, 64> tw;
  jig::tensor<float, 64> tb;
  std::copy(x.begin(), x.end(), tx.data());
  for (std::size_t i = 0; i < w.size(); ++i) tw.data()[i] = w[i] / 16;
  std::copy(b.begin(), b.end(), tb.data());
  const auto [dw, db] = f(tx, tw, tb);

  // By hand: forward with what every layer begins with, then backward.
  constexpr std::size_t rows = 32, n = 64, layers = 40;
  using numbers = std::vector<double>;
  std::vector<numbers> begin{numbers(x.begin(), x.end())};
  std::vector<numbers> open;
  for (auto& v : begin[0]) v *= 2;
  for (std::size_t k = 0; k < layers; ++k) {
    const numbers& y = begin.back();
    numbers next = y, is_open(rows * n);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        double z = static_cast<double>(b[j]);
        for (std::size_t l = 0; l < n; ++l) z += y[i * n + l] * static_cast<double>(tw.data()[l * n + j]);
        is_open[i * n + j] = z > 0 ? 1 : 0;
        next[i * n + j] += z > 0 ? z : 0;
      }
    open.push_back(is_open);
    begin.push_back(next);
  }
  numbers g(rows * n, 1), expected_w(n * n), expected_b(n);
  for (std::size_t k = layers; k-- > 0;) {
    numbers before = g;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const double d = g[i * n + j] * open[k][i * n + j];
        expected_b[j] += d;
        for (std::size_t l = 0; l < n; ++l) {
          expected_w[l * n + j] += begin[k][i * n + l] * d;
          before[i * n + l] += d * static_cast<double>(tw.data()[l * n + j]);
        }
      }
    g = before;
  }
  // A sum of floats near zero may open or close a unit that the sum of doubles does not.
  for (std::size_t j = 0; j < n; ++j)
    CHECK(std::abs(static_cast<double>(db.data()[j]) - expected_b[j]) <= 2e-3 * std::abs(expected_b[j]) + 0.1);
  for (std::size_t j = 0; j < n * n; ++j)
    CHECK(std::abs(static_cast<double>(dw.data()[j]) - expected_w[j]) <= 2e-3 * std::abs(expected_w[j]) + 0.1);
}

}  // namespace
