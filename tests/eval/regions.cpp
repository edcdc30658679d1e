// SPDX-License-Identifier: MIT
#include <jig/eval/regions.hpp>

#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace {

using jig::dyn;

template <class T, jig::index... E>
jig::tensor<T, E...> numbers(jig::index n, int seed) {
  jig::tensor<T, E...> x(jig::uninitialized, {sizeof...(E), {(E == dyn ? n : E)...}});
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7 + seed) % 11 - 5);
  return x;
}

struct centred {
  constexpr auto operator()(auto x) const { return x - jig::reduce_max<-1>(x, jig::keepdims); }
};
struct scaled {
  constexpr auto operator()(auto x, auto w) const { return centred()(x * w); }
};
struct product {
  constexpr auto operator()(auto a, auto b) const { return jig::matmul(a, b) * 2 - a; }
};

template <class F, class... E>
using program_of = jig::program<jig::trace<F, "f", E...>, static_cast<char>(sizeof(E) > 0)...>;

template <int N>
int wrong_rows(const float* x, const float* y, jig::index rows) {
  int wrong = 0;
  for (jig::index i = 0; i < rows; ++i) {
    const float most = *std::max_element(x + i * N, x + (i + 1) * N);
    for (int j = 0; j < N; ++j) wrong += y[i * N + j] != x[i * N + j] - most;
  }
  return wrong;
}
template <int N>
void check_rows(jig::index rows) {
  CAPTURE(rows);
  constexpr auto f = jig::function(centred());
  auto x = numbers<float, dyn, N>(rows, 3);
  CHECK(wrong_rows<N>(x.data(), f(x).data(), rows) == 0);
  const auto before = x;
  f.into(x, x);
  CHECK(wrong_rows<N>(before.data(), x.data(), rows) == 0);
}

int wrong_products(const auto& a, const auto& b, const auto& c) {
  int wrong = 0;
  for (jig::index i = 0; i < a.extent(0); ++i)
    for (int r = 0; r < 4; ++r)
      for (int k = 0; k < 4; ++k) {
        float sum = 0;
        for (int j = 0; j < 4; ++j) sum += a(i, r, j) * b(i, j, k);
        wrong += c(i, r, k) != sum * 2 - a(i, r, k);
      }
  return wrong;
}

// Runs f with threads that there are not, and says whether it asked for several.
bool asks_for_threads(auto f) {
  static bool apart;
  apart = false;
  static constexpr jig::detail::parallel_runner runner{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
    apart = apart || blocks > 1;
    for (jig::index b = blocks; b-- > 0;) run(work, b);
  }};
  jig::detail::current_parallel_runner = &runner;
  f();
  jig::detail::current_parallel_runner = nullptr;
  return apart;
}

}  // namespace

TEST_CASE("the plan says how many rows are a chunk and how few may be one") {
  using three = program_of<centred, jig::spec<float, dyn, 3>>;
  static_assert(three::region(0).chunk == 256 && three::region(0).least == 64);
  using twelve = program_of<centred, jig::spec<float, dyn, 12>>;
  static_assert(twelve::region(0).chunk == 64 && twelve::region(0).least == 64);
  using six = program_of<centred, jig::spec<float, dyn, 6>>;
  static_assert(six::region(0).chunk == 128 && six::region(0).least == 64);
  // Longer ones stay in the first cache together, up to 128 elements.
  using rows_of_32 = program_of<centred, jig::spec<float, dyn, 32>>;
  static_assert(rows_of_32::region(0).chunk == 64 && rows_of_32::region(0).least == 64);
  using rows_of_128 = program_of<centred, jig::spec<float, dyn, 128>>;
  static_assert(rows_of_128::region(0).chunk == 32 && rows_of_128::region(0).least == 32);
  using long_rows = program_of<centred, jig::spec<float, dyn, 129>>;
  static_assert(long_rows::region(0).chunk == 1 && long_rows::region(0).least == 1);
  using items = program_of<product, jig::spec<float, dyn, 4, 4>, jig::spec<float, dyn, 4, 4>>;
  static_assert(items::region(0).kind == jig::region_kind::batch && items::region(0).chunk > 1 && items::region(0).least == 1);
}

TEST_CASE("rows on both sides of the first and the last chunk") {
  for (jig::index rows : {255, 256, 257, 319, 320, 321, 511, 512, 575, 576, 577, 1000}) check_rows<3>(rows);
  for (jig::index rows : {127, 128, 129, 191, 192, 193}) check_rows<12>(rows);
  for (jig::index rows = 0; rows < 70; ++rows) check_rows<3>(rows), check_rows<12>(rows), check_rows<20>(rows);
  for (jig::index rows : {0, 1, 63, 64, 65, 127, 128, 129}) check_rows<32>(rows);
  for (jig::index rows : {0, 1, 31, 32, 33, 63, 64, 65}) check_rows<128>(rows);
  for (jig::index rows : {0, 1, 2, 100}) check_rows<129>(rows);
}

TEST_CASE("how few rows run many at a time depends on the blocks of the steps") {
  const auto check = [&]<int N>(std::integral_constant<int, N>) {
    constexpr auto f = jig::function([](auto x) { return jig::softmax(x); });
    for (jig::index rows = 0; rows < 40; ++rows) {
      CAPTURE(rows);
      const auto x = numbers<float, dyn, N>(rows, 7);
      const auto y = f(x);
      int wrong = 0;
      for (jig::index i = 0; i < rows; ++i) {
        double sum = 0, most = x(i, 0);
        for (int j = 1; j < N; ++j) most = std::max<double>(most, x(i, j));
        for (int j = 0; j < N; ++j) sum += std::exp(x(i, j) - most);
        for (int j = 0; j < N; ++j) wrong += !(std::abs(y(i, j) - std::exp(x(i, j) - most) / sum) <= 1e-6);
      }
      CHECK(wrong == 0);
    }
  };
  check(std::integral_constant<int, 2>());
  check(std::integral_constant<int, 3>());
  check(std::integral_constant<int, 10>());
  check(std::integral_constant<int, 17>());
  using known = program_of<centred, jig::spec<float, 5, 3>>;
  using unknown = program_of<centred, jig::spec<float, dyn, 3>>;
  static_assert(jig::detail::fewest_rows<unknown, 0> <= unknown::region(0).least);
  static_assert(known::region(0).kind != jig::region_kind::rows || jig::detail::fewest_rows<known, 0> <= 5);
}

TEST_CASE("a region runs when some of its steps have strides and others have none") {
  using mixed = program_of<scaled, jig::spec<float, 6, 5, 40>, jig::spec<float, 5, 40>>;
  using jig::detail::places_walk, jig::detail::walk_of_step;
  constexpr int last = mixed::region(0).count - 1;
  static_assert(mixed::plan.size.regions == 1 && last > 0);
  static_assert(walk_of_step<mixed, 0, 0, false>() == places_walk::strided && walk_of_step<mixed, 0, last, false>() != places_walk::nest);
  constexpr auto f = jig::function(scaled());
  const auto x = numbers<float, 6, 5, 40>(0, 1);
  const auto w = numbers<float, 5, 40>(0, 4);
  auto y = x;
  for (jig::index i = 0; i < y.size(); ++i) y.data()[i] *= w.data()[i % w.size()];
  CHECK(wrong_rows<40>(y.data(), f(x, w).data(), 30) == 0);
  // The same with rows that go through all axes, so that every step is plain.
  using plain = program_of<scaled, jig::spec<float, 6, 5, 40>, jig::spec<float, 6, 5, 40>>;
  static_assert(walk_of_step<plain, 0, 0, false>() == places_walk::each);
}

TEST_CASE("threads share rows and items where there are enough elements") {
  constexpr auto f = jig::function(product());
  for (jig::index n : {0, 1, 4095, 4096, 4097, 9000}) {
    CAPTURE(n);
    const auto a = numbers<float, dyn, 4, 4>(n, 1), b = numbers<float, dyn, 4, 4>(n, 2);
    CHECK(asks_for_threads([&] { CHECK(wrong_products(a, b, f(a, b)) == 0); }) == (n >= 4096));
  }
  CHECK(!asks_for_threads([] { check_rows<3>(21'845); }));
  CHECK(asks_for_threads([] { check_rows<3>(21'846); }));
  CHECK(!asks_for_threads([] { check_rows<32>(2'047); }));
  CHECK(asks_for_threads([] { check_rows<32>(2'048); }));
}

TEST_CASE("chunks that no thread shares evenly") {
  for (jig::index rows : {21'847, 22'000, 43'691, 50'001}) CHECK(asks_for_threads([&] { check_rows<3>(rows); }));
}

namespace {

struct lengths_and_units {
  constexpr auto operator()(auto x) const {
    const auto length = jig::sqrt(jig::reduce_sum<1>(x * x, jig::keepdims) + 1);
    return std::tuple(jig::squeeze<1>(jig::log(length)), x / length);
  }
};
struct standardised {
  constexpr auto operator()(auto x, auto scale) const {
    const auto d = x - jig::reduce_mean<1>(x, jig::keepdims);
    return scale * d / jig::sqrt(jig::reduce_mean<1>(d * d, jig::keepdims) + 1);
  }
};

template <class T>
void check_rows_one_by_one() {
  constexpr auto both = jig::function(lengths_and_units());
  constexpr auto standardise = jig::function(standardised());
  const auto near = [](T a, double b) { return std::abs(static_cast<double>(a) - b) <= 1e-5 * (1 + std::abs(b)); };
  for (jig::index rows : {1, 2, 7, 8, 9, 15, 16, 17, 33})
    for (jig::index columns : {1, 3, 16, 17, 127, 128, 129, 300, 2100}) {
      if (rows > 9 && columns > 300) continue;
      CAPTURE(rows);
      CAPTURE(columns);
      jig::tensor<T, dyn, dyn> x(jig::uninitialized, jig::shape{2, {rows, columns}});
      jig::tensor<T, dyn> scale(jig::uninitialized, jig::shape{1, {columns}});
      for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7 + 3) % 23 - 11) / 4;
      for (jig::index j = 0; j < columns; ++j) scale.data()[j] = static_cast<T>(j % 5 + 1);
      const auto [logs, units] = both(x);
      const auto y = standardise(x, scale);
      auto over = x;
      standardise.into(over, over, scale);
      int wrong = 0;
      for (jig::index i = 0; i < rows; ++i) {
        const T* row = x.data() + i * columns;
        double squares = 1, sum = 0, spread = 0;
        for (jig::index j = 0; j < columns; ++j) {
          squares += static_cast<double>(row[j]) * static_cast<double>(row[j]);
          sum += static_cast<double>(row[j]);
        }
        const double mean = sum / static_cast<double>(columns);
        for (jig::index j = 0; j < columns; ++j) spread += (static_cast<double>(row[j]) - mean) * (static_cast<double>(row[j]) - mean);
        const double deviation = std::sqrt(spread / static_cast<double>(columns) + 1);
        wrong += near(logs.data()[i], std::log(std::sqrt(squares))) ? 0 : 1;
        for (jig::index j = 0; j < columns; ++j) {
          const jig::index at = i * columns + j;
          wrong += near(units.data()[at], static_cast<double>(row[j]) / std::sqrt(squares)) ? 0 : 1;
          wrong += near(y.data()[at], static_cast<double>(scale.data()[j]) * (static_cast<double>(row[j]) - mean) / deviation) ? 0 : 1;
          wrong += over.data()[at] == y.data()[at] ? 0 : 1;
        }
      }
      CHECK(wrong == 0);
    }
}

}  // namespace

TEST_CASE("rows of a length that only the call knows run several at a time, with what they have one element of") {
  check_rows_one_by_one<float>();
  check_rows_one_by_one<double>();
}
