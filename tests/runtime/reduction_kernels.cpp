// SPDX-License-Identifier: MIT
#include "../run_kernel.hpp"

#include <jig/eval/parallel_runner.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace ops = jig::ops;

namespace {

template <bool Keep, jig::index... Axes>
using over = jig::attributes<jig::integers<"axes", Axes...>, jig::boolean<"keep_dims", Keep>>;

}  // namespace

TEST_CASE("all elements") {
  same_as_static<ops::reduce_sum, over<false>>(some_numbers<float>());
  same_as_static<ops::reduce_sum, over<true>>(some_numbers<float, 3, 25>());
  for (jig::index n : {0, 1, 3, 4, 8, 9, 31, 64, 1000, 5000}) {
    same_as_static<ops::reduce_sum, over<false>>(some_numbers<float, jig::dyn>(n));
    same_as_static<ops::reduce_max, over<false>>(some_numbers<jig::bfloat16, jig::dyn>(n));
  }
}

TEST_CASE("some axes") {
  const auto x = some_numbers<float, 6, 7, 20>();
  same_as_static<ops::reduce_sum, over<false, 0>>(x);
  same_as_static<ops::reduce_sum, over<true, 1>>(x);
  same_as_static<ops::reduce_sum, over<false, -1>>(x);
  same_as_static<ops::reduce_mean, over<false, 0, 2>>(x);
  same_as_static<ops::reduce_min, over<false, 0, 1>>(x);
  same_as_static<ops::reduce_sum, over<false, 1>>(some_numbers<float, 4, 1, 1>());
}

TEST_CASE("dtypes") {
  same_as_static<ops::reduce_mean, over<false, 0>>(some_numbers<std::int16_t, 5, 9>());
  same_as_static<ops::reduce_sum, over<false, 1>>(some_numbers<jig::half, 5, 900>());
  same_as_static<ops::reduce_all, over<false, 1>>(some_numbers<bool, 3, 40>());
}

TEST_CASE("operands that are not dense") {
  const auto x = some_numbers<float, 900>();
  const jig::view<const float, 30, 30> transposed(x.data(), {30, 30}, {1, 30});
  same_as_static<ops::reduce_sum, over<false, 0>>(transposed);
  same_as_static<ops::reduce_sum, over<false, 1>>(transposed);
  same_as_static<ops::reduce_sum, over<false>>(transposed);
  const jig::view<const float, 9, 40> backwards(x.data() + 899, {9, 40}, {-50, -1});
  same_as_static<ops::reduce_mean, over<false, 1>>(backwards);
  const jig::view<const float, 4, 5, 6> spread(x.data(), {4, 5, 6}, {0, 1, 0});
  same_as_static<ops::reduce_max, over<true, 0, 1>>(spread);
}

TEST_CASE("reductions of nothing") {
  same_as_static<ops::reduce_sum, over<false, 1>>(some_numbers<float, 3, jig::dyn>(0));
  same_as_static<ops::reduce_mean, over<false, 0>>(some_numbers<float, jig::dyn, 5>(0));
  same_as_static<ops::reduce_max, over<false, 0>>(some_numbers<std::int32_t, jig::dyn, 2>(0));
}

TEST_CASE("a plain loop") {
  const auto x = some_numbers<std::int32_t, 7, 11>();
  auto sum = jig::zeros<std::int32_t, 11>();
  run_kernel<ops::reduce_sum, over<false, 0>>(std::tie(sum), x);
  for (jig::index k = 0; k < 11; ++k) {
    std::int32_t expected = 0;
    for (jig::index i = 0; i < 7; ++i) expected += x(i, k);
    CHECK(sum(k) == expected);
  }
}

template <class T>
void check_rows() {
  constexpr auto lanes = static_cast<jig::index>(jig::simd::lanes<T>);
  int wrong = 0;
  std::mt19937 random(5);
  for (jig::index n : {jig::index{1}, jig::index{2}, jig::index{3}, lanes - 1, lanes, lanes + 1, 3 * lanes - 1, 4 * lanes + 1, 8 * lanes,
                       16 * lanes, 16 * lanes + 1, 17 * lanes})
    for (jig::index rows : {jig::index{1}, jig::index{2}, lanes / 4 + 1, lanes - 1, lanes, lanes + 1, 2 * lanes + 3}) {
      // Rows of a table of which some columns are not looked at.
      const jig::index apart = n + 3;
      std::vector<T> numbers(static_cast<std::size_t>(2 * rows * apart));
      for (T& x : numbers) x = static_cast<T>(static_cast<int>(random() % 2001) - 1000) / static_cast<T>(std::is_integral_v<T> ? 50 : 7);
      if (std::is_floating_point_v<T> && rows > 1) numbers[static_cast<std::size_t>(apart)] = static_cast<T>(NAN);
      const jig::view<const T, jig::dyn, jig::dyn, jig::dyn> x(numbers.data(), {2, rows, n}, {rows * apart, apart, 1});
      jig::tensor<T, jig::dyn, jig::dyn> sum(2, rows), largest(2, rows);
      jig::tensor<T, 1> alone;
      run_kernel<ops::reduce_sum, over<false, 2>>(std::tie(sum), x);
      run_kernel<ops::reduce_max, over<false, 2>>(std::tie(largest), x);
      for (jig::index i = 0; i < 2; ++i)
        for (jig::index k = 0; k < rows; ++k) {
          const T* row = numbers.data() + (i * rows + k) * apart;
          run_kernel<ops::reduce_sum, over<false, 1>>(std::tie(alone), jig::view<const T, 1, jig::dyn>(row, {1, n}));
          wrong += std::memcmp(&alone(0), &sum(i, k), sizeof(T)) != 0;
          double total = 0, size = 0;
          T most = row[0];
          for (jig::index j = 0; j < n; ++j) {
            total += static_cast<double>(row[j]);
            size += std::abs(static_cast<double>(row[j]));
            most = std::max(most, row[j]);
          }
          if (row[0] != row[0]) wrong += sum(i, k) == sum(i, k) || largest(i, k) == largest(i, k);
          else if (std::is_integral_v<T>) wrong += sum(i, k) != static_cast<T>(total) || largest(i, k) != most;
          else wrong += std::abs(static_cast<double>(sum(i, k)) - total) > 1e-6 * size || largest(i, k) != most;
        }
    }
  CHECK(wrong == 0);
}

TEST_CASE("rows of every length, many and few: the bits of each row alone, which are right") {
  check_rows<float>();
  check_rows<double>();
  check_rows<std::int32_t>();
  check_rows<std::int16_t>();
  check_rows<std::int64_t>();
}

TEST_CASE("rows whose elements lie apart, as long as what is gathered at a time") {
  int wrong = 0;
  for (jig::index n : {64, 511, 512, 513}) {
    const jig::index rows = 70, apart = 2 * n + 5;
    std::vector<std::uint8_t> numbers(static_cast<std::size_t>(rows * apart));
    // The largest one of every row is another.
    for (jig::index i = 0; i < rows * apart; ++i)
      numbers[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(i * 7919 % 251 % (10 + 3 * (i / apart)));
    const jig::view<const std::uint8_t, jig::dyn, jig::dyn> x(numbers.data(), {2, {rows, n}}, {2, {apart, 2}});
    jig::tensor<std::uint8_t, jig::dyn> largest(rows);
    run_kernel<ops::reduce_max, over<false, 1>>(std::tie(largest), x);
    for (jig::index i = 0; i < rows; ++i) {
      std::uint8_t most = 0;
      for (jig::index j = 0; j < n; ++j) most = std::max(most, numbers[static_cast<std::size_t>(i * apart + 2 * j)]);
      wrong += largest(i) != most;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("rows of truth, of halves and of means") {
  int wrong = 0;
  for (jig::index n : {1, 2, 15, 16, 17, 63, 64, 65, 300})
    for (jig::index rows : {1, 3, 17, 64, 70}) {
      jig::tensor<bool, jig::dyn, jig::dyn> x(rows, n);
      jig::tensor<jig::half, jig::dyn, jig::dyn> h(rows, n);
      for (jig::index i = 0; i < rows; ++i)
        for (jig::index j = 0; j < n; ++j) {
          // Rows of truth, of falsehood, and with one element that is otherwise.
          x(i, j) = i % 4 < 2 ? i % 4 == 0 : (j == n / 2) == (i % 4 == 2);
          h(i, j) = jig::half(static_cast<float>((i + j) % 3));
        }
      jig::tensor<bool, jig::dyn> some(rows), every(rows);
      jig::tensor<jig::half, jig::dyn> mean(rows);
      run_kernel<ops::reduce_any, over<false, 1>>(std::tie(some), x);
      run_kernel<ops::reduce_all, over<false, 1>>(std::tie(every), x);
      run_kernel<ops::reduce_mean, over<false, 1>>(std::tie(mean), h);
      for (jig::index i = 0; i < rows; ++i) {
        bool any = false, all = true;
        float total = 0;
        for (jig::index j = 0; j < n; ++j) {
          any = any || x(i, j);
          all = all && x(i, j);
          total += static_cast<float>((i + j) % 3);
        }
        wrong += some(i) != any || every(i) != all;
        wrong += static_cast<float>(mean(i)) != static_cast<float>(jig::half(total / static_cast<float>(n)));
      }
    }
  CHECK(wrong == 0);
  jig::tensor<bool, 3> result{true, true, true};
  run_kernel<ops::reduce_any, over<false, 1>>(std::tie(result), jig::tensor<bool, 3, 0>());
  CHECK((!result(0) && !result(1) && !result(2)));
  run_kernel<ops::reduce_all, over<false, 1>>(std::tie(result), jig::tensor<bool, 3, 0>());
  CHECK((result(0) && result(1) && result(2)));
}

TEST_CASE("threads share the places that are kept, of the last axis some rows' registers at least") {
  static jig::index most;
  static constexpr jig::detail::parallel_runner runner{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
    most = (std::max)(most, blocks);
    for (jig::index b = blocks; b-- > 0;) run(work, b);
  }};
  int wrong = 0;
  const auto blocks_of = [&](jig::index rows, jig::index columns) {
    jig::tensor<float, jig::dyn, jig::dyn> x(jig::uninitialized, {2, {rows, columns}});
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7919) % 1013) * 0x1p-4f;
    jig::tensor<float, jig::dyn> alone(jig::uninitialized, {1, {columns}}), together = alone;
    run_kernel<ops::reduce_sum, over<false, 0>>(std::tie(alone), x);
    const jig::detail::parallel_runner_scope scope(&runner);
    most = 0;
    run_kernel<ops::reduce_sum, over<false, 0>>(std::tie(together), x);
    for (jig::index k = 0; k < columns; ++k) {
      double expected = 0;
      for (jig::index i = 0; i < rows; ++i) expected += static_cast<double>(x(i, k));
      wrong += together(k) != alone(k) || std::abs(together(k) - expected) > 1e-5 * expected;
    }
    return most;
  };
  CHECK(blocks_of(1024, 1024) == 4);
  CHECK(blocks_of(1024, 511) == 1);
  CHECK(blocks_of(300, 515) == 2);
  CHECK(blocks_of(2, 100'000) == 6);
  CHECK(blocks_of(3, 1000) == 0);
  CHECK(wrong == 0);
}
