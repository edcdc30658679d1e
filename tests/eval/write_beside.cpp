// SPDX-License-Identifier: MIT
// Results that are written over the arguments they are computed from, shifted by every distance, beside a plain loop.
#include <jig/eval/write_beside.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
#include <numeric>
#include <vector>

namespace {

using jig::dyn, jig::view;

constexpr auto line = jig::function<"line(x, y)">([](auto x, auto y) { return 2 * x + y; });
constexpr auto turned = jig::function<"turned(x, y)">([](auto x, auto y) { return jig::reverse<0>(x) - y; });
// Steps behind one another: x is read by the first one alone, y by the last one too, which writes both results.
constexpr auto states = jig::function<"states(x, y)">([](auto x, auto y) {
  auto scan = jig::cumsum<0>(x);
  return std::tuple(scan + y, scan - y);
});
constexpr auto sums = jig::function<"sums(x, y)">([](auto x, auto y) { return jig::cumsum<0>(x) + y; });

// So many pairs of arguments and results that tables tell what may lie beside what.
constexpr auto many = jig::function<"many(x, a, b, c, d)">([](auto x, auto a, auto b, auto c, auto d) {
  auto scan = jig::cumsum<0>(x);
  return std::tuple(scan + a, scan - b, scan * c, scan + 2 * d);
});

// One memory for x, y and the result, which begin at these places of it.
template <class F, class G, class View>
bool fits(const F& f, G plain, int n, int x, int y, int out, View at) {
  std::vector<double> memory(static_cast<std::size_t>(3 * n + 2));
  std::iota(memory.begin(), memory.end(), 1.);
  std::vector<double> expected = memory;
  for (int i = 0; i < n; ++i) expected[static_cast<std::size_t>(out + i)] = plain(memory.data() + x, memory.data() + y, i, n);
  f.into(at(memory.data() + out), at(memory.data() + x), at(memory.data() + y));
  return memory == expected;
}

template <class View>
void every_distance(int n, View at) {
  for (int out = 0; out <= 2 * n; ++out) {
    CAPTURE(out);
    CHECK(fits(line, [](auto* x, auto* y, int i, int) { return 2 * x[i] + y[i]; }, n, n, n + 1, out, at));
    CHECK(fits(turned, [](auto* x, auto* y, int i, int last) { return x[last - 1 - i] - y[i]; }, n, n, 0, out, at));
    CHECK(fits(
        sums,
        [](auto* x, auto* y, int i, int) {
          double sum = 0;
          for (int k = 0; k <= i; ++k) sum += x[k];
          return sum + y[i];
        },
        n, 0, n, out, at));
  }
}

}  // namespace

TEST_CASE("few elements are all read first") {
  every_distance(3, [](double* p) { return view<double, 3>(p); });
  every_distance(8, [](double* p) { return view<double, 8>(p); });
}

TEST_CASE("more elements, of static and wildcard extents") {
  every_distance(67, [](double* p) { return view<double, 67>(p); });
  every_distance(67, [](double* p) { return view<double, dyn>(p, 67); });
  every_distance(1, [](double* p) { return view<double, dyn>(p, 1); });
}

TEST_CASE("results of several steps over arguments that nobody reads any more, and over such that somebody does") {
  const auto run = []<class V>(int n, int first, int second, V at) {
    std::vector<double> memory(static_cast<std::size_t>(4 * n));
    std::iota(memory.begin(), memory.end(), 1.);
    std::vector<double> expected = memory;
    double scan = 0;
    for (int i = 0; i < n; ++i) {
      const double y = memory[static_cast<std::size_t>(n + i)];
      scan += memory[static_cast<std::size_t>(i)];
      expected[static_cast<std::size_t>(first + i)] = scan + y;
      expected[static_cast<std::size_t>(second + i)] = scan - y;
    }
    auto results = std::tuple(at(memory.data() + first), at(memory.data() + second));
    states.into(results, at(memory.data()), at(memory.data() + n));
    return memory == expected;
  };
  const auto everywhere = [&](int n, auto at) {
    for (int first = 0; first <= 3 * n; ++first)
      for (int second = 0; second <= 3 * n; ++second)
        if (first - second >= n || second - first >= n) {
          CAPTURE(first);
          CAPTURE(second);
          CHECK(run(n, first, second, at));
        }
  };
  everywhere(8, [](double* p) { return view<jig::row_major<double>, 8>(p); });
  everywhere(11, [](double* p) { return view<jig::row_major<double>, dyn>(p, 11); });
  CHECK(run(3000, 0, 3000, [](double* p) { return view<jig::row_major<double>, dyn>(p, 3000); }));
  CHECK(run(3000, 3000, 0, [](double* p) { return view<jig::row_major<double>, 3000>(p); }));
}

TEST_CASE("one of many results over any of many arguments") {
  constexpr int n = 7, length = 9 * n;
  const auto at = [](double* p) { return view<jig::row_major<double>, dyn>(p, n); };
  const auto run = [&](int which, int out) {
    std::vector<double> memory(length + 1);
    std::iota(memory.begin(), memory.end(), 1.);
    std::vector<double> expected = memory;
    // The others lie behind the arguments.
    std::array<int, 4> place{5 * n, 6 * n, 7 * n, 8 * n};
    place[static_cast<std::size_t>(which)] = out;
    double scan = 0;
    for (int i = 0; i < n; ++i) {
      const auto x = [&](int k) { return memory[static_cast<std::size_t>(k * n + i)]; };
      scan += x(0);
      const double results[] = {scan + x(1), scan - x(2), scan * x(3), scan + 2 * x(4)};
      for (std::size_t r = 0; r < 4; ++r) expected[static_cast<std::size_t>(place[r] + i)] = results[r];
    }
    auto results =
        std::tuple(at(memory.data() + place[0]), at(memory.data() + place[1]), at(memory.data() + place[2]), at(memory.data() + place[3]));
    many.into(results, at(memory.data()), at(memory.data() + n), at(memory.data() + 2 * n), at(memory.data() + 3 * n),
              at(memory.data() + 4 * n));
    return memory == expected;
  };
  for (int which = 0; which < 4; ++which)
    for (int out = 0; out <= 4 * n; ++out) {
      CAPTURE(which);
      CAPTURE(out);
      CHECK(run(which, out));
    }
}

TEST_CASE("variables that are assigned beside others of which there are many") {
  constexpr auto advance = jig::function<"advance(a, b, c, d, x)">([](auto& a, auto& b, auto& c, auto& d, auto x) {
    auto scan = jig::cumsum<0>(x);
    auto before = a + 0.;
    a.assign(b + scan);
    b.assign(c - scan);
    c.assign(d * scan);
    d.assign(before);
    return jig::reduce_sum(scan);
  });
  jig::variable<double, 5> a, b, c, d;
  std::array<std::array<double, 5>, 4> plain{};
  for (std::size_t i = 0; i < 5; ++i) plain[0][i] = 1. + static_cast<double>(i), plain[1][i] = 2, plain[2][i] = -1, plain[3][i] = 0.5;
  a.assign(plain[0]), b.assign(plain[1]), c.assign(plain[2]), d.assign(plain[3]);
  const std::array<double, 5> x{1, 2, 3, 4, 5};
  for (int k = 0; k < 3; ++k) {
    CHECK(advance(a, b, c, d, x)() == 35);
    double scan = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      scan += x[i];
      const double before = plain[0][i];
      plain[0][i] = plain[1][i] + scan, plain[1][i] = plain[2][i] - scan, plain[2][i] = plain[3][i] * scan, plain[3][i] = before;
    }
  }
  int wrong = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const auto k = static_cast<jig::index>(i);
    wrong += a.value()(k) != plain[0][i] || b.value()(k) != plain[1][i] || c.value()(k) != plain[2][i] || d.value()(k) != plain[3][i];
  }
  CHECK(wrong == 0);
}

TEST_CASE("elements with gaps are read by their reach in memory") {
  for (int out = 0; out <= 40; ++out) {
    CAPTURE(out);
    std::vector<double> memory(64);
    std::iota(memory.begin(), memory.end(), 1.);
    std::vector<double> expected = memory;
    for (int i = 0; i < 10; ++i) expected[static_cast<std::size_t>(out + i)] = 2 * memory[static_cast<std::size_t>(38 - 3 * i)] + 1;
    const view<double, dyn> backwards(memory.data() + 38, jig::shape{1, {10}}, jig::shape{1, {-3}});
    const std::array<double, 1> one{1};
    line.into(view<double, dyn>(memory.data() + out, 10), backwards, one);
    CHECK(memory == expected);
  }
}
