// SPDX-License-Identifier: MIT
#include <jig/eval/call.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <vector>

#include "../counted_allocations.hpp"

namespace {

constexpr auto normalize = jig::function<"normalize(x)">([](auto x) {
  auto e = jig::exp(x - jig::reduce_max<1>(x, jig::keepdims));
  return e / jig::reduce_sum<1>(e, jig::keepdims);
});
constexpr auto layer = jig::function<"layer(x, w)">([](auto x, auto w) { return jig::tanh(jig::matmul(x, w)) * 2; });

std::size_t allocations_of(auto call) {
  // The thread's workspace grows while the first calls run.
  for (int i = 0; i < 3; ++i) call();
  std::size_t before = allocations;
  call();
  return allocations - before;
}

}  // namespace

TEST_CASE("writing into given memory does not allocate") {
  std::vector<float> x(70 * 300, 0.5f), out(70 * 300), w(300 * 300, 0.01f);
  jig::view<jig::row_major<const float>, jig::dyn, jig::dyn> in(x.data(), 70, 300), weights(w.data(), 300, 300);
  jig::view<jig::row_major<float>, jig::dyn, jig::dyn> to(out.data(), 70, 300);
  CHECK(allocations_of([&] { normalize.into(to, in); }) == 0);
  CHECK(allocations_of([&] { layer.into(to, in, weights); }) == 0);
  SUBCASE("nor when the result is an argument of several steps") {
    jig::view<jig::row_major<float>, jig::dyn, jig::dyn> both(x.data(), 70, 300);
    CHECK(allocations_of([&] { normalize.into(both, in); }) == 0);
    CHECK(x[5] == doctest::Approx(1.0 / 300));
  }
  SUBCASE("nor when it is strided") {
    jig::view<float, jig::dyn, jig::dyn> turned(out.data(), jig::shape{2, {70, 300}}, jig::shape{2, {1, 70}});
    CHECK(allocations_of([&] { normalize.into(turned, in); }) == 0);
    CHECK(turned(3, 4) == doctest::Approx(1.0 / 300));
  }
}

TEST_CASE("strings as results that overlap arguments") {
  static constexpr auto twice = jig::function<"twice(x)">([](auto x) { return x + x; });
  jig::tensor<std::string, 3> words{"a", "a string too long to be stored inside the object", "c"};
  jig::view<std::string, jig::dyn> first(words.data(), 2), last(words.data() + 1, 2);
  twice.into(last, first);
  CHECK(words(1) == "aa");
  CHECK(words(2) == "a string too long to be stored inside the objecta string too long to be stored inside the object");
}

TEST_CASE("one function may run in many threads at once") {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::vector<double> x(40 * 50, t), out(40 * 50);
      for (int i = 0; i < 100; ++i) {
        normalize.into(jig::view<jig::row_major<double>, jig::dyn, 50>(out.data(), 40),
                       jig::view<jig::row_major<const double>, jig::dyn, 50>(x.data(), 40));
        for (double v : out) wrong += std::abs(v - 0.02) > 1e-12;
      }
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("long long memory is read and written as what it is") {
  static constexpr auto twice = jig::function<"twice(x)">([](auto x) { return x * 2; });
  long long c[3] = {5, 6, 7};
  CHECK(twice(c)(2) == 14);
  c[2] = 11;
  CHECK(twice(c)(2) == 22);
  long long out[2] = {1, 2};
  long in[2] = {11, 4};
  twice.into(std::span<long long>(out), std::span<long>(in));
  CHECK(out[0] == 22);
  out[1] = 5;
  twice.into(std::span<long>(in), std::span<long long>(out));
  CHECK(in[1] == 10);
}

// Results of programs of one small step that lie anywhere with regard to their arguments.
template <class T, int M, int N, int K>
void check_products_that_overlap() {
  static constexpr auto product = jig::function<"product(a, b)">([](auto a, auto b) { return jig::matmul(a, b); });
  static constexpr auto turned = jig::function<"turned(a, b)">([](auto a, auto b) { return jig::matmul(a, jig::transpose(b)); });
  constexpr int room = M * K + K * N + 2 * M * N;
  T start[room];
  for (int i = 0; i < room; ++i) start[i] = static_cast<T>(i % 7 - 3);
  for (int at = 0; at + M * N <= room; ++at)
    for (bool transpose : {false, true}) {
      std::array<T, static_cast<std::size_t>(room)> memory;
      std::copy_n(start, room, memory.data());
      const T *a = start + M * N, *b = a + M * K;
      auto& from_a = *reinterpret_cast<T(*)[M][K]>(memory.data() + M * N);
      auto& to = *reinterpret_cast<T(*)[M][N]>(memory.data() + at);
      if (transpose) turned.into(to, from_a, *reinterpret_cast<T(*)[N][K]>(memory.data() + M * N + M * K));
      else product.into(to, from_a, *reinterpret_cast<T(*)[K][N]>(memory.data() + M * N + M * K));
      bool same = true;
      for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
          T sum = 0;
          for (int k = 0; k < K; ++k) sum += a[i * K + k] * b[transpose ? j * K + k : k * N + j];
          same = same && to[i][j] == sum;
        }
      CAPTURE(at);
      CHECK(same);
    }
}

TEST_CASE("small products may lie on top of their operands") {
  check_products_that_overlap<float, 2, 2, 2>();
  check_products_that_overlap<float, 3, 2, 4>();
  check_products_that_overlap<float, 4, 4, 4>();
  check_products_that_overlap<float, 8, 8, 8>();
  check_products_that_overlap<float, 5, 5, 5>();
  check_products_that_overlap<float, 10, 10, 10>();
  check_products_that_overlap<double, 4, 4, 4>();
  check_products_that_overlap<double, 6, 3, 7>();
  check_products_that_overlap<int, 4, 4, 4>();
  check_products_that_overlap<int, 16, 16, 16>();
}

template <int N>
void check_few_that_overlap() {
  static constexpr auto f = jig::function<"f(a, b)">([](auto a, auto b) { return a * 2 + b; });
  for (int at = 0; at <= 2 * N; ++at) {
    float memory[3 * N], before[3 * N];
    for (int i = 0; i < 3 * N; ++i) memory[i] = before[i] = static_cast<float>(i);
    auto part = [&](int first) -> auto& { return *reinterpret_cast<float(*)[N]>(memory + first); };
    f.into(part(at), part(N), part(2 * N));
    for (int i = 0; i < N; ++i) CHECK(part(at)[i] == before[N + i] * 2 + before[2 * N + i]);
  }
}

TEST_CASE("few elements may lie on top of what they are computed from") {
  check_few_that_overlap<1>();
  check_few_that_overlap<2>();
  check_few_that_overlap<3>();
  check_few_that_overlap<4>();
  check_few_that_overlap<5>();
  check_few_that_overlap<40>();
}

constexpr auto shifted = jig::function<"shifted(x, y)">([](auto x, auto y) { return jig::softmax<-1>(x * 2 + y) - y; });

// The rows of a matrix by plain loops, from wherever they lie.
void shifted_rows(const float* x, const float* y, float* out, jig::index rows, jig::index columns, jig::index row, jig::index column) {
  for (jig::index i = 0; i < rows; ++i) {
    double sum = 0;
    const auto at = [&](jig::index j) { return double(x[i * row + j * column]) * 2 + double(y[j]); };
    for (jig::index j = 0; j < columns; ++j) sum += std::exp(at(j));
    for (jig::index j = 0; j < columns; ++j) out[i * columns + j] = static_cast<float>(std::exp(at(j)) / sum - double(y[j]));
  }
}

template <jig::index... E>
void check_views(const float* x, jig::index rows, jig::index columns, jig::index row, jig::index column) {
  std::vector<float> y, expected(static_cast<std::size_t>(rows * columns));
  for (jig::index j = 0; j < columns; ++j) y.push_back(static_cast<float>(j % 5) / 4);
  shifted_rows(x, y.data(), expected.data(), rows, columns, row, column);
  const jig::view<const float, E...> from(x, jig::shape{2, {rows, columns}}, jig::shape{2, {row, column}});
  const jig::view<const float, jig::dyn> bias(y.data(), columns);
  const auto returned = shifted(from, bias);
  const auto same = [&](const float* at, jig::index to_row, jig::index to_column) {
    bool all = true;
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < columns; ++j)
        all = all && std::abs(at[i * to_row + j * to_column] - expected[static_cast<std::size_t>(i * columns + j)]) < 1e-6f;
    return all;
  };
  CAPTURE(rows);
  CAPTURE(columns);
  CAPTURE(row);
  CAPTURE(column);
  CHECK(same(returned.data(), columns, 1));
  for (const jig::index gap : {jig::index(0), jig::index(1), jig::index(3)})
    for (const bool transposed : {false, true}) {
      const jig::index to_row = transposed ? 1 : columns + gap, to_column = transposed ? rows + gap : 1;
      std::vector<float> memory(static_cast<std::size_t>(rows * to_row + columns * to_column + 1), 7.0f);
      jig::view<float, E...> to(memory.data(), jig::shape{2, {rows, columns}}, jig::shape{2, {to_row, to_column}});
      shifted.into(to, from, bias);
      CHECK(same(memory.data(), to_row, to_column));
      std::size_t written = 0;
      for (float v : memory) written += v != 7.0f;
      CHECK(written <= static_cast<std::size_t>(rows * columns));
    }
}

TEST_CASE("views are dense or not as the call finds them") {
  std::vector<float> memory;
  for (int i = 0; i < 4000; ++i) memory.push_back(static_cast<float>(i * 37 % 101) / 50 - 1);
  const float* x = memory.data();
  for (const jig::index rows : {1, 2, 7, 33})
    for (const jig::index columns : {1, 2, 15, 16, 17, 40}) {
      check_views<jig::dyn, jig::dyn>(x, rows, columns, columns, 1);                    // dense
      check_views<jig::dyn, jig::dyn>(x, rows, columns, columns + 3, 1);                // rows of a wider matrix
      check_views<jig::dyn, jig::dyn>(x, rows, columns, 1, rows);                       // transposed
      check_views<jig::dyn, jig::dyn>(x, rows, columns, 0, 1);                          // one row again and again
      check_views<jig::dyn, jig::dyn>(x + rows * columns, rows, columns, -columns, 1);  // backwards
      check_views<jig::dyn, jig::dyn>(x, rows, columns, rows == 1 ? 99 : columns, 1);   // strides of one row do not count
      check_views<jig::dyn, jig::dyn>(x, rows, columns, columns == 1 ? 1 : columns, columns == 1 ? 99 : 1);
    }
  check_views<3, 5>(x, 3, 5, 5, 1);
  check_views<3, 5>(x, 3, 5, 1, 3);
  check_views<33, 17>(x, 33, 17, 17, 1);
  check_views<33, 17>(x, 33, 17, 20, 1);
}

TEST_CASE("views of nothing, and results on top of views") {
  static constexpr auto sum = jig::function<"sum(x, y)">([](auto x, auto y) { return x + y; });
  float memory[12];
  jig::view<float, jig::dyn, jig::dyn> none(memory, jig::shape{2, {0, 3}}, jig::shape{2, {5, 2}});
  CHECK(sum(none, none).size() == 0);
  sum.into(none, none, none);
  for (const jig::index step : {jig::index(1), jig::index(2), jig::index(-1)}) {
    const jig::index n = step == 2 ? 6 : 12;
    for (int i = 0; i < 12; ++i) memory[i] = static_cast<float>(i);
    const jig::view<float, jig::dyn> forwards(memory, {n}, {1});
    jig::view<float, jig::dyn> x(step < 0 ? memory + 11 : memory, {n}, {step});
    sum.into(x, forwards, x);
    for (jig::index i = 0; i < n; ++i) CHECK(x(i) == static_cast<float>(i + (step < 0 ? 11 - i : i * step)));
  }
}
