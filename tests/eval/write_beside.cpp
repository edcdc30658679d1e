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
constexpr auto sums = jig::function<"sums(x, y)">([](auto x, auto y) { return jig::cumsum<0>(x) + y; });

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
