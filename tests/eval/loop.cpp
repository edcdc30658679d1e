// SPDX-License-Identifier: MIT
#include <jig/eval/loop.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <span>
#include <vector>

namespace {

constexpr auto two_results = jig::function([](auto a, auto b) { return std::tuple(a * b, a - b); });
constexpr auto twice = jig::function([](auto a) { return a + a; });

float number(std::size_t i) { return static_cast<float>(i % 1009); }

}  // namespace

TEST_CASE("results that are streamed equal a plain loop, wherever they begin and end") {
  constexpr auto least = static_cast<std::size_t>(jig::detail::streamed_bytes) / sizeof(float);
  std::vector<float> a(least + 64), b(least + 64), sum(least + 64), difference(least + 64);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = number(i);
    b[i] = number(i * 7);
  }
  // The second result begins at another place of its register in the last case.
  for (auto [extra, first, second] : {std::array<std::size_t, 3>{0, 0, 0}, {1, 1, 1}, {37, 3, 19}, {5, 2, 3}}) {
    CAPTURE(extra);
    const std::size_t n = least + extra;
    std::fill(sum.begin(), sum.end(), -1.f);
    std::fill(difference.begin(), difference.end(), -1.f);
    std::span<float> product_out(sum.data() + first, n), difference_out(difference.data() + second, n);
    two_results.into(std::tie(product_out, difference_out), std::span<const float>(a.data() + 1, n), std::span<const float>(b.data(), n));
    bool right = true;
    for (std::size_t i = 0; i < n; ++i)
      right = right && product_out[i] == a[i + 1] * b[i] && difference_out[i] == a[i + 1] - b[i];
    CHECK(right);
    for (std::size_t i = 0; i < sum.size(); ++i)
      right = right && (sum[i] == -1.f || (i >= first && i < first + n)) && (difference[i] == -1.f || (i >= second && i < second + n));
    CHECK(right);  // nothing beside them
  }
  std::span<float> all(a.data(), least);
  twice.into(all, all);
  bool right = true;
  for (std::size_t i = 0; i < least; ++i) right = right && a[i] == 2 * number(i);
  CHECK(right);
}
