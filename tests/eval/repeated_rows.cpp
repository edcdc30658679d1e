// SPDX-License-Identifier: MIT
#include <jig/eval/repeated_rows.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using jig::dyn;

struct scaled {
  constexpr auto operator()(auto x, auto m, auto s) const { return (x - m) * s; }
};
struct product {
  constexpr auto operator()(auto x, auto m) const { return x * m; }
};
struct turned {
  constexpr auto operator()(auto x, auto m) const { return jig::transpose(x) * m; }
};

template <class F, class... E>
constexpr bool repeats = [] {
  using P = jig::program<jig::trace<F, "f", E...>, static_cast<char>(sizeof(E) > 0)...>;
  return jig::detail::repeats_rows<jig::step<P, 0>>;
}();
using table = jig::spec<float, dyn, dyn>;
using row = jig::spec<float, dyn>;

static_assert(repeats<scaled, table, row, row> && repeats<product, table, jig::spec<float, 1, dyn>> && repeats<product, row, table>);
static_assert(repeats<product, jig::spec<float, dyn, dyn, dyn>, row>);
// A column, a row of a static length, nothing that is the same, what is read across memory.
static_assert(!repeats<product, table, jig::spec<float, dyn, 1>> && !repeats<scaled, table, row, jig::spec<float, dyn, 1>>);
static_assert(!repeats<product, jig::spec<float, dyn, 20>, jig::spec<float, 20>>);
static_assert(!repeats<product, table, table> && !repeats<turned, table, row>);

constexpr auto lanes = static_cast<jig::index>(jig::simd::lanes<float>);

template <jig::index... E>
jig::tensor<float, E...> numbers(const jig::shape& extents, int seed) {
  jig::tensor<float, E...> x(jig::uninitialized, extents);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7 + seed) % 23 - 11);
  return x;
}

int wrong_elements(const jig::tensor<float, dyn, dyn>& y, const auto& x, const auto& m, const auto& s) {
  int wrong = 0;
  for (jig::index i = 0; i < y.extent(0); ++i)
    for (jig::index k = 0; k < y.extent(1); ++k) {
      const float e = (x(i, k) - m(m.extent(0) == 1 ? 0 : k)) * s(s.extent(0) == 1 ? 0 : k);
      wrong += !(y(i, k) == e || (std::isnan(y(i, k)) && std::isnan(e)));
    }
  return wrong;
}

}  // namespace

TEST_CASE("many short rows and few, shorter and longer ones, with rows that are the same for each") {
  constexpr auto f = jig::function(scaled());
  for (jig::index n : {jig::index{0}, jig::index{1}, jig::index{3}, lanes - 1, lanes, lanes + 1, 2 * lanes, 2 * lanes + 3, 4 * lanes - 1,
                       4 * lanes, 4 * lanes + 1, jig::index{63}, jig::index{65}})
    // No rows, one, as many as make it worth it, one less, and more than a block has.
    for (jig::index rows : {jig::index{0}, jig::index{1}, jig::index{9}, jig::index{127}, jig::index{128}, 256 * lanes / (n + 1),
                            n == 0 ? 1 : (256 * lanes + n - 1) / n, jig::index{700}}) {
      CAPTURE(n);
      CAPTURE(rows);
      auto x = numbers<dyn, dyn>({2, {rows, n}}, 1);
      if (x.size() > 2) x.data()[x.size() / 2] = std::numeric_limits<float>::quiet_NaN();
      const auto m = numbers<dyn>({1, {n}}, 5), s = numbers<dyn>({1, {n}}, 9), one = numbers<dyn>({1, {1}}, 2);
      CHECK(wrong_elements(f(x, m, s), x, m, s) == 0);
      if (n > 0) CHECK(wrong_elements(f(x, one, s), x, one, s) == 0);
      // On top of what is read.
      const auto before = x;
      f.into(x, x, m, s);
      CHECK(wrong_elements(x, before, m, s) == 0);
    }
}

TEST_CASE("rows that are parts of longer ones, and a row that is one of a table and is written") {
  constexpr auto f = jig::function(scaled());
  const jig::index n = lanes + 3, rows = 600;
  std::vector<float> memory(static_cast<std::size_t>(rows * (n + 2)));
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i % 19);
  const jig::view<const float, dyn, dyn> x(memory.data(), {rows, n}, {n + 2, 1});
  const auto m = numbers<dyn>({1, {n}}, 5), s = numbers<dyn>({1, {n}}, 9);
  CHECK(wrong_elements(f(x, m, s), x, m, s) == 0);
  auto y = numbers<dyn, dyn>({2, {rows, n}}, 3);
  const auto before = y;
  jig::tensor<float, dyn> last(jig::uninitialized, {1, {n}});
  for (jig::index k = 0; k < n; ++k) last(k) = y(rows / 2, k);
  f.into(y, y, jig::view(y.data() + rows / 2 * n, n), s);
  CHECK(wrong_elements(y, before, last, s) == 0);
}
