// SPDX-License-Identifier: MIT
#include <jig/eval/spread_leaves.hpp>

#include <jig.hpp>
#include <jig/parallel.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace {

using jig::dyn;

// Whole numbers that all sums of have no rounding.
template <class T>
std::vector<T> numbers(jig::index n, unsigned seed) {
  std::vector<T> out(static_cast<std::size_t>(n));
  for (auto& v : out) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<T>(static_cast<int>(seed >> 24 & 7) - 3);
  }
  return out;
}

// Sums and greatest of products, where either operand may have one element along an axis where the other has more.
template <class T>
struct reduced {
  std::vector<T> sum, most;
};
template <class T, std::size_t Rank>
reduced<T> plainly(const std::array<std::vector<T>, 2>& x, const std::array<std::array<jig::index, Rank>, 2>& own, unsigned axes) {
  std::array<jig::index, Rank> space{};
  jig::index kept = 1, all = 1;
  for (std::size_t a = 0; a < Rank; ++a) {
    space[a] = own[0][a] == 1 ? own[1][a] : own[0][a];
    all *= space[a];
    if ((axes >> a & 1) == 0) kept *= space[a];
  }
  reduced<T> out{std::vector<T>(static_cast<std::size_t>(kept)),
                 std::vector<T>(static_cast<std::size_t>(kept), std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                                                                     : std::numeric_limits<T>::lowest())};
  for (jig::index i = 0; i < all; ++i) {
    jig::index left = i, place = 0, stride = 1, from[2] = {}, step[2] = {1, 1};
    for (std::size_t a = Rank; a-- > 0; left /= space[a]) {
      const jig::index at = left % space[a];
      for (std::size_t k = 0; k < 2; ++k) {
        from[k] += own[k][a] == 1 ? 0 : at * step[k];
        step[k] *= own[k][a];
      }
      if ((axes >> a & 1) != 0) continue;
      place += at * stride;
      stride *= space[a];
    }
    const T product = static_cast<T>(x[0][static_cast<std::size_t>(from[0])] * x[1][static_cast<std::size_t>(from[1])]);
    T& sum = out.sum[static_cast<std::size_t>(place)];
    sum = static_cast<T>(sum + product);
    T& most = out.most[static_cast<std::size_t>(place)];
    most = (std::max)(most, product);
  }
  return out;
}

template <class T, int... Axes>
constexpr auto of_products = [](auto x, auto y) {
  auto z = x * y;
  return std::tuple(jig::reduce_sum<Axes...>(z), jig::reduce_max<Axes...>(z));
};

template <class T, std::size_t Rank, bool Threads, int... Axes>
void compare(const std::array<std::array<jig::index, Rank>, 2>& own) {
  auto f = jig::function(of_products<T, Axes...>);
  std::array<std::vector<T>, 2> values;
  for (std::size_t k = 0; k < 2; ++k) {
    jig::index n = 1;
    for (const jig::index e : own[k]) n *= e;
    values[k] = numbers<T>(n, static_cast<unsigned>(k + 7));
  }
  const auto expected = plainly<T, Rank>(values, own, ((1u << Axes) | ...));
  const auto shown = [&](std::size_t k) {
    return [&]<std::size_t... A>(std::index_sequence<A...>) {
      return jig::view<const T, (static_cast<void>(A), dyn)...>(values[k].data(), jig::shape{static_cast<int>(Rank), {own[k][A]...}});
    }(std::make_index_sequence<Rank>());
  };
  const auto [sum, most] = [&] {
    if constexpr (Threads) return jig::parallel(f)(shown(0), shown(1));
    else return f(shown(0), shown(1));
  }();
  CAPTURE(own[0][0]);
  CAPTURE(own[0][1]);
  CAPTURE(own[1][0]);
  CAPTURE(own[1][1]);
  CHECK(std::equal(expected.sum.begin(), expected.sum.end(), sum.data(), sum.data() + sum.size()));
  CHECK(std::equal(expected.most.begin(), expected.most.end(), most.data(), most.data() + most.size()));
}

// Every way in which one or both operands have one element along some axes.
template <class T, std::size_t Rank, bool Threads, int... Axes>
void compare_all(const std::array<jig::index, Rank>& space) {
  for (unsigned first = 0; first < 1u << Rank; ++first)
    for (unsigned second = 0; second < 1u << Rank; ++second) {
      if ((first & second) != 0) continue;
      std::array<std::array<jig::index, Rank>, 2> own{space, space};
      for (std::size_t a = 0; a < Rank; ++a) {
        if ((first >> a & 1) != 0) own[0][a] = 1;
        if ((second >> a & 1) != 0) own[1][a] = 1;
      }
      compare<T, Rank, Threads, Axes...>(own);
    }
}

}  // namespace

TEST_CASE("spread_leaves: tables that the call broadcasts, of few and many rows and columns") {
  // Around a register, 64 columns, 1024 columns, and what 16 kB have room for.
  constexpr std::array<jig::index, 2> spaces[] = {{1, 1},    {5, 3},    {17, 16},  {40, 63},  {3, 64},   {300, 65},
                                                  {70, 129}, {9, 1023}, {9, 1025}, {3, 4100}, {4100, 3}, {2000, 70}};
  for (const auto& space : spaces) {
    compare_all<float, 2, false, 0>(space);
    compare_all<float, 2, false, 1>(space);
    compare_all<float, 2, false, 0, 1>(space);
  }
}
TEST_CASE("spread_leaves: numbers of other sizes") {
  constexpr std::array<jig::index, 2> spaces[] = {{7, 5}, {66, 70}, {300, 130}};
  for (const auto& space : spaces) {
    compare_all<double, 2, false, 0>(space);
    compare_all<double, 2, false, 1>(space);
    compare_all<std::int8_t, 2, false, 0>(space);
    compare_all<std::int8_t, 2, false, 1>(space);
  }
}
TEST_CASE("spread_leaves: axes that are one in the nest") {
  constexpr std::array<jig::index, 3> spaces[] = {{2, 3, 5}, {4, 30, 33}, {20, 7, 70}, {1, 90, 100}, {70, 1, 90}};
  for (const auto& space : spaces) {
    compare_all<float, 3, false, 0>(space);
    compare_all<float, 3, false, 1>(space);
    compare_all<float, 3, false, 2>(space);
    compare_all<float, 3, false, 1, 2>(space);
  }
}
TEST_CASE("spread_leaves: nothing") {
  compare<float, 2, false, 0>({{{0, 5}, {1, 5}}});
  compare<float, 2, false, 0>({{{5, 0}, {5, 1}}});
  const auto [sum, most] = jig::function(of_products<float, 1>)(jig::tensor<float, dyn, dyn>(5, 0), jig::tensor<float, dyn, dyn>(5, 1));
  CHECK(sum.size() == 5);
  CHECK(std::all_of(most.begin(), most.end(), [](float v) { return v == -std::numeric_limits<float>::infinity(); }));
}

TEST_CASE("spread_leaves: last axes that are static") {
  auto f = jig::function([](auto x, auto c) { return jig::reduce_sum<0>(x * c); });
  auto g = jig::function([](auto x, auto c) { return jig::reduce_sum<1>(x * c); });
  for (const jig::index n : {1, 2, 15, 16, 17, 64, 65, 1000, 5000}) {
    const auto x = numbers<float>(n * 4, 1), c = numbers<float>(4, 2);
    const jig::view<const float, dyn, 4> all(x.data(), jig::shape{2, {n, 4}}), one(c.data(), jig::shape{2, {1, 4}});
    const auto over_rows = f(all, one);
    const auto over_columns = g(all, one);
    CAPTURE(n);
    float sums[4] = {};
    for (jig::index i = 0; i < n; ++i) {
      float row = 0;
      for (jig::index j = 0; j < 4; ++j) {
        const float product = x[static_cast<std::size_t>(4 * i + j)] * c[static_cast<std::size_t>(j)];
        sums[j] += product;
        row += product;
      }
      CHECK(over_columns.data()[i] == row);
    }
    CHECK(std::equal(sums, sums + 4, over_rows.data()));
  }
}

TEST_CASE("spread_leaves: operands that are no tables of their own") {
  // A transposed operand has strides of its own: elements are gathered one by one.
  auto f = jig::function([](auto x, auto c) { return jig::reduce_sum<1>(x * jig::transpose<1, 0>(c)); });
  const jig::index n = 90, m = 40;
  const auto x = numbers<float>(n * m, 3), row = numbers<float>(m, 4);
  const auto out = f(jig::view<const float, dyn, dyn>(x.data(), jig::shape{2, {n, m}}),
                     jig::view<const float, dyn, dyn>(row.data(), jig::shape{2, {m, 1}}));
  for (jig::index i = 0; i < n; ++i) {
    float sum = 0;
    for (jig::index j = 0; j < m; ++j) sum += x[static_cast<std::size_t>(i * m + j)] * row[static_cast<std::size_t>(j)];
    CHECK(out.data()[i] == sum);
  }
}

TEST_CASE("spread_leaves: lent memory that has room for copies, and that has none") {
  auto f = jig::function([](auto x, auto c) { return jig::reduce_max<1>(x - c); });
  const jig::index n = 50, m = 100;
  const auto x = numbers<float>(n * m, 5), c = numbers<float>(n, 6);
  const jig::view<const float, dyn, dyn> all(x.data(), jig::shape{2, {n, m}}), one(c.data(), jig::shape{2, {n, 1}});
  alignas(64) static std::array<std::byte, 65536> memory;
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{64}, memory.size()}) {
    jig::tensor<float, dyn> out(n);
    f.with_workspace(std::span(memory).first(bytes)).into(out, all, one);
    for (jig::index i = 0; i < n; ++i) {
      const auto row = x.begin() + i * m;
      CHECK(out.data()[i] == *std::max_element(row, row + m) - c[static_cast<std::size_t>(i)]);
    }
  }
}

TEST_CASE("spread_leaves: several threads") {
  compare_all<float, 2, true, 0>({3000, 200});
  compare_all<float, 2, true, 1>({3000, 200});
  compare_all<float, 2, true, 1>({40, 30000});
}
