// SPDX-License-Identifier: MIT
// Loops alone, and behind products and convolutions whose rectangles they follow.
#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>
#include <jig/runtime/planned_loop.hpp>

#include "../stored_programs.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <sstream>
#include <thread>
#include <vector>

namespace {

using jig::any_tensor;
using jig::dtype;
using jig::index;
using jig::shape;
namespace detail = jig::detail;

void subtract(const void* const* in, void* out, index n) {
  for (index i = 0; i < n; ++i) static_cast<int*>(out)[i] = static_cast<const int*>(in[0])[i] - static_cast<const int*>(in[1])[i];
}

// What stands on the right of a loop that subtracts: along all of the space, a row, a column or a number for all of it.
enum class right { all, row, column, one };

struct difference {
  index rows, columns;
  right kind;
  std::vector<int> x, y, z;
  detail::planned_loop<> loop{};

  difference(index m, index n, right k) : rows(m), columns(n), kind(k), x(size(m, n)), z(size(m, n) + 1, untouched) {
    const shape space{2, {m, n}}, own = k == right::all      ? space
                                        : k == right::row    ? shape{1, {n}}
                                        : k == right::column ? shape{2, {m, 1}}
                                                             : shape{0, {}};
    y.resize(static_cast<std::size_t>(own.size()));
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(3 * i);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<int>(1000 + 7 * i);
    loop = detail::planned_loop<>(space);
    const auto operand = [](int node, const shape& s) {
      return detail::loop_operand{node, dtype::int32, s, detail::row_major_strides(s), true};
    };
    const int from[] = {loop.add_leaf(operand(0, space)), loop.add_leaf(operand(1, own))};
    const int result = loop.program.add(subtract, from, dtype::int32);
    loop.add_root(operand(2, space), result, {});
    loop.finish();
  }
  static constexpr int untouched = -77;
  static std::size_t size(index m, index n) { return static_cast<std::size_t>(m * n); }
  int expected(index i, index j) const {
    const index at = kind == right::all ? i * columns + j : kind == right::row ? j : kind == right::column ? i : 0;
    return x[static_cast<std::size_t>(i * columns + j)] - y[static_cast<std::size_t>(at)];
  }
  // Elements of a rectangle that are not what they should be, and those outside of it that were touched.
  int wrong(index row, index m, index column, index n) const {
    int count = z.back() != untouched;
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j) {
        const bool inside = i >= row && i < row + m && j >= column && j < column + n;
        count += z[static_cast<std::size_t>(i * columns + j)] != (inside ? expected(i, j) : untouched);
      }
    return count;
  }
  std::array<void*, 3> data() { return {x.data(), y.data(), z.data()}; }
};

constexpr right kinds[] = {right::all, right::row, right::column, right::one};
// On both sides of rows that are run in blocks, and of what is gathered at a time.
constexpr index lengths[] = {1, 2, 3, 16, 17, 63, 64, 65, 255, 256, 511, 512, 513, 2047, 2049};

TEST_CASE("a loop over all of its space, or over some rows") {
  for (const right kind : kinds)
    for (const index n : lengths)
      for (const index m : {index{1}, index{2}, index{9}, index{40}}) {
        CAPTURE(n);
        CAPTURE(m);
        difference d(m, n, kind);
        d.loop.run(d.data().data(), d.loop.all_rows);
        CHECK(d.wrong(0, m, 0, n) == 0);
        difference some(m, n, kind);
        some.loop.run(some.data().data(), (m + 1) / 2);
        CHECK(some.wrong(0, (m + 1) / 2, 0, n) == 0);
      }
  difference nothing(0, 5, right::row);
  nothing.loop.run(nothing.data().data(), nothing.loop.all_rows);
  CHECK(nothing.z[0] == difference::untouched);
}

void copy(const void* const* in, void* out, index n) { std::memcpy(out, in[0], static_cast<std::size_t>(n) * sizeof(int)); }

TEST_CASE("a loop that only moves its elements, over all of its space or some rows, turned or backwards") {
  int wrong = 0;
  for (const index n : lengths)
    for (const index m : {index{1}, index{2}, index{40}})
      for (const bool backwards : {false, true})
        for (const index rows : {m, (m + 1) / 2}) {
          std::vector<int> x(static_cast<std::size_t>(m * n)), z(static_cast<std::size_t>(m * n) + 1, difference::untouched);
          for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(3 * i);
          const shape space{2, {m, n}}, strides = backwards ? shape{2, {n, -1}} : shape{2, {1, m}};
          detail::planned_loop<> loop(space);
          const int from[] = {loop.add_leaf({0, dtype::int32, space, strides, false})};
          loop.add_root({1, dtype::int32, space, detail::row_major_strides(space), true}, loop.program.add(copy, from, dtype::int32), {});
          loop.finish(true);
          const index begin = backwards ? n - 1 : 0;
          void* const data[] = {x.data() + begin, z.data()};
          loop.run(data, rows == m ? loop.all_rows : rows);
          for (index i = 0; i < m * n; ++i) {
            const index at = begin + i / n * strides[0] + i % n * strides[1];
            wrong += z[static_cast<std::size_t>(i)] != (i < rows * n ? x[static_cast<std::size_t>(at)] : difference::untouched);
          }
          wrong += z.back() != difference::untouched;
        }
  CHECK(wrong == 0);
}

TEST_CASE("rectangles of a loop") {
  for (const right kind : kinds)
    for (const index n : lengths) {
      const index m = 11;
      for (const auto& [row, rows, column, columns] : {std::array<index, 4>{0, m, 0, n},
                                                       {3, 5, 0, n},
                                                       {10, 1, 0, n},
                                                       {2, 7, n / 3, n - n / 3},
                                                       {0, m, n / 2, 1},
                                                       {4, 0, 0, n},
                                                       {4, 2, 0, 0}}) {
        CAPTURE(n);
        CAPTURE(row);
        CAPTURE(columns);
        difference d(m, n, kind);
        d.loop.run_tile(d.data().data(), row, rows, column, columns);
        CHECK(d.wrong(row, rows, column, columns) == 0);
      }
    }
}

// Small integers: every order of summation gives the same.
any_tensor numbers(dtype d, const shape& s, int seed) {
  any_tensor out = any_tensor::empty(d, s);
  detail::with_type_of(d, [&]<class T>(const T&) {
    if constexpr (jig::is_number(jig::dtype_of<T>))
      for (index i = 0; i < s.size(); ++i) static_cast<T*>(out.mutable_data())[i] = T(static_cast<float>((i * 7 + seed) % 5 - 2));
  });
  return out;
}
double at(const any_tensor& x, index i) {
  double found = 0;
  detail::with_type_of(x.dtype(), [&]<class T>(const T&) {
    if constexpr (jig::is_number(jig::dtype_of<T>)) found = static_cast<double>(static_cast<const T*>(x.data())[i]);
  });
  return found;
}
// The element of a tensor that broadcasts to `space` at position i of that.
double broadcast(const any_tensor& x, const shape& space, index i) {
  const shape own = x.shape();
  index offset = 0, step = 1;
  for (int a = space.rank; a-- > 0; i /= space[a]) {
    const int b = a - space.rank + own.rank;
    if (b < 0) break;
    offset += own[b] == 1 ? 0 : i % space[a] * step;
    step *= own[b];
  }
  return at(x, offset);
}

// Calls with many shapes are what the warning about traces is for; here they are meant.
void expect_many_traces() {
  static std::ostringstream out;
  jig::set_warning_stream(out);
}

const auto layer = jig::dynamic_function([](auto x, auto w, auto b) {
  const auto h = jig::matmul(x, w) + b;
  return h * h - 2 * h;
});

// A matrix of x times the same or another one of w, with what is added behind.
int wrong_in_layer(const any_tensor& x, const any_tensor& w, const any_tensor& b) {
  const any_tensor y = layer(x, w, b);
  const shape space = y.shape(), sx = x.shape(), sw = w.shape();
  const index m = sx[sx.rank - 2], k = sx[sx.rank - 1], n = sw[sw.rank - 1];
  int wrong = 0;
  for (index i = 0; i < space.size(); ++i) {
    const index column = i % n, row = i / n % m, item = n * m == 0 ? 0 : i / (n * m);
    double sum = 0;
    for (index q = 0; q < k; ++q) sum += at(x, (item * m + row) * k + q) * at(w, (sw.rank > 2 ? item * k * n : 0) + q * n + column);
    sum += broadcast(b, space, i);
    wrong += at(y, i) != sum * sum - 2 * sum;
  }
  return wrong;
}

TEST_CASE("a loop follows the rectangles of a product") {
  expect_many_traces();
  struct extents {
    index m, n, k;
  };
  // One rectangle and several, columns in several blocks, and results on both sides of those that are worth it.
  for (const auto& [m, n, k] : {extents{1, 5, 3},
                                {64, 64, 3},
                                {64, 65, 3},
                                {5, 1, 9},
                                {700, 130, 5},
                                {3, 5000, 4},
                                {4500, 1, 4},
                                {300, 40, 520},
                                {70, 1100, 260},
                                {9, 530, 257}}) {
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const any_tensor x = numbers(dtype::float32, {2, {m, k}}, 1), w = numbers(dtype::float32, {2, {k, n}}, 2);
    for (const shape& s : {shape{1, {n}}, shape{2, {m, n}}, shape{2, {m, 1}}, shape{2, {1, n}}, shape{0, {}}, shape{2, {1, 1}}})
      CHECK(wrong_in_layer(x, w, numbers(dtype::float32, s, 3)) == 0);
  }
}

TEST_CASE("of any dtype") {
  expect_many_traces();
  for (const dtype d : {dtype::float64, dtype::int32, dtype::float16, dtype::bfloat16}) {
    CAPTURE(jig::name_of(d));
    CHECK(wrong_in_layer(numbers(d, {2, {90, 3}}, 1), numbers(d, {2, {3, 70}}, 2), numbers(d, {1, {70}}, 3)) == 0);
  }
}

TEST_CASE("batches of products") {
  expect_many_traces();
  for (const index items : {1, 3, 70}) {
    CAPTURE(items);
    const any_tensor x = numbers(dtype::float32, {3, {items, 9, 5}}, 1);
    for (const any_tensor& w : {numbers(dtype::float32, {2, {5, 150}}, 2), numbers(dtype::float32, {3, {items, 5, 150}}, 2)})
      for (const shape& s : {shape{1, {150}}, shape{3, {items, 9, 150}}, shape{3, {items, 9, 1}}, shape{2, {9, 150}},
                             shape{3, {items, 1, 150}}, shape{3, {items, 1, 1}}, shape{3, {1, 1, 150}}})
        CHECK(wrong_in_layer(x, w, numbers(dtype::float32, s, 3)) == 0);
  }
}

TEST_CASE("convolutions") {
  expect_many_traces();
  const auto f = jig::dynamic_function([](auto x, auto w, auto b) { return jig::relu(jig::conv2d(x, w, jig::same_padding) + b) * 3; });
  for (const index channels : {1, 3, 16, 40})
    for (const index side : {5, 34}) {
      CAPTURE(channels);
      CAPTURE(side);
      const any_tensor x = numbers(dtype::float32, {4, {5, side, side, 2}}, 1), w = numbers(dtype::float32, {4, {3, 3, 2, channels}}, 2);
      for (const shape& s : {shape{1, {channels}}, shape{4, {5, side, side, channels}}}) {
        const any_tensor b = numbers(dtype::float32, s, 3), y = f(x, w, b);
        int wrong = 0;
        for (index i = 0; i < y.size(); ++i) {
          const index c = i % channels, column = i / channels % side, row = i / channels / side % side, item = i / channels / side / side;
          double sum = broadcast(b, y.shape(), i);
          for (index p = std::max(row - 1, index{0}); p <= std::min(row + 1, side - 1); ++p)
            for (index q = std::max(column - 1, index{0}); q <= std::min(column + 1, side - 1); ++q)
              for (index in = 0; in < 2; ++in)
                sum +=
                    at(x, ((item * side + p) * side + q) * 2 + in) * at(w, (((p - row + 1) * 3 + q - column + 1) * 2 + in) * channels + c);
          wrong += at(y, i) != 3 * std::max(sum, 0.0);
        }
        CHECK(wrong == 0);
      }
    }
}

TEST_CASE("a product that others read as well, and operands that its loop may not overwrite") {
  const auto f = jig::dynamic_function([](auto x, auto w, auto b) {
    const auto p = jig::matmul(x, w);
    const auto q = jig::minimum(p, 3) - b;
    return std::tuple(p, q, jig::minimum(jig::matmul(q, w), 2) - q, p > 0);
  });
  const index n = 90;
  const any_tensor x = numbers(dtype::float32, {2, {n, n}}, 1), w = numbers(dtype::float32, {2, {n, n}}, 2),
                   b = numbers(dtype::float32, {1, {n}}, 3);
  const auto product = [&](const std::vector<double>& a) {
    std::vector<double> c(a.size());
    for (index i = 0; i < n; ++i)
      for (index q = 0; q < n; ++q)
        for (index j = 0; j < n; ++j) c[static_cast<std::size_t>(i * n + j)] += a[static_cast<std::size_t>(i * n + q)] * at(w, q * n + j);
    return c;
  };
  std::vector<double> given(static_cast<std::size_t>(n * n));
  for (index i = 0; i < n * n; ++i) given[static_cast<std::size_t>(i)] = at(x, i);
  const std::vector<double> p = product(given);
  std::vector<double> q = p;
  for (index i = 0; i < n * n; ++i) q[static_cast<std::size_t>(i)] = std::min(p[static_cast<std::size_t>(i)], 3.0) - at(b, i % n);
  const std::vector<double> r = product(q);
  const auto found = f(x, w, b);
  int wrong = 0;
  for (index i = 0; i < n * n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    wrong += at(std::get<0>(found), i) != p[k];
    wrong += at(std::get<1>(found), i) != q[k];
    wrong += at(std::get<2>(found), i) != std::min(r[k], 2.0) - q[k];
    wrong += static_cast<const bool*>(std::get<3>(found).data())[i] != (p[k] > 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("on several threads") {
  const any_tensor x = numbers(dtype::float32, {2, {1500, 120}}, 1), w = numbers(dtype::float32, {2, {120, 300}}, 2);
  const any_tensor b = numbers(dtype::float32, {1, {300}}, 3);
  const any_tensor alone = layer(x, w, b);
  static constexpr detail::parallel_runner runner{[](index blocks, detail::parallel_work run, void* work) {
    std::vector<std::thread> threads;
    for (index block = 0; block < blocks; ++block) threads.emplace_back(run, work, block);
    for (auto& thread : threads) thread.join();
  }};
  detail::current_parallel_runner = &runner;
  const any_tensor shared = layer(x, w, b);
  detail::current_parallel_runner = nullptr;
  int wrong = 0;
  for (index i = 0; i < alone.size(); ++i) wrong += at(alone, i) != at(shared, i);
  CHECK(wrong == 0);
}

TEST_CASE("products and loops at random") {
  expect_many_traces();
  std::mt19937 random(20261127);
  const auto pick = [&](index low, index high) { return std::uniform_int_distribution<index>(low, high)(random); };
  for (int trial = 0; trial < 40; ++trial) {
    const index m = pick(1, 200), n = pick(1, 600), k = pick(0, 40), items = pick(1, 3);
    const shape whole{3, {items, m, n}};
    shape s = whole;
    for (int a = 0; a < 3; ++a)
      if (pick(0, 1) == 0) s[a] = 1;
    CAPTURE(items);
    CAPTURE(m);
    CAPTURE(n);
    CAPTURE(k);
    const any_tensor w = pick(0, 1) == 0 ? numbers(dtype::float32, {2, {k, n}}, 2) : numbers(dtype::float32, {3, {items, k, n}}, 2);
    CHECK(wrong_in_layer(numbers(dtype::float32, {3, {items, m, k}}, 1), w, numbers(dtype::float32, s, 3)) == 0);
  }
}

TEST_CASE("random programs whose values are stored in between") {
  static stored_programs::program written;
  const auto tensor_of = [](const stored_programs::matrix& from) {
    any_tensor to = any_tensor::empty(dtype::int32, {2, {from.n, from.n}});
    for (std::size_t i = 0; i < from.at.size(); ++i) static_cast<std::uint32_t*>(to.mutable_data())[i] = from.at[i];
    return to;
  };
  for (unsigned seed = 0; seed < 800; ++seed) {
    CAPTURE(seed);
    written = stored_programs::program_of(seed);
    const int n = seed % 2 == 0 ? 66 : 9;
    const auto x = stored_programs::argument(n, 1), w = stored_programs::argument(n, 2);
    const auto f = jig::dynamic_function([](auto a, auto b) {
      const auto values = stored_programs::values_of(written, a, b);
      return std::tuple(values[values.size() - 1], values[values.size() - 3]);
    });
    const auto [last, before] = f(tensor_of(x), tensor_of(w));
    const auto expected = stored_programs::values_of(written, x, w);
    CHECK(stored_programs::wrong(expected[expected.size() - 1], static_cast<const std::int32_t*>(last.data())) == 0);
    CHECK(stored_programs::wrong(expected[expected.size() - 3], static_cast<const std::int32_t*>(before.data())) == 0);
  }
}

}  // namespace
