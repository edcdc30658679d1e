// SPDX-License-Identifier: MIT
#include <jig/eval/image_resize.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace image_resizes {
namespace {

using jig::dyn;
using jig::index;
using image = jig::tensor<float, dyn, dyn, dyn, dyn>;

constexpr auto both_ways =
    jig::function([](auto x, auto like) { return std::tuple(jig::resize_like(x, like), jig::resize_like(x, like, jig::nearest)); });
constexpr auto slopes = jig::function([](auto x, auto g) {
  auto y = jig::resize_like(x, g) + 2 * jig::resize_like(x, g, jig::nearest);
  return jig::gradient(jig::reduce_sum(y * g), x);
});

// How much each element along an axis counts for one of the result.
std::vector<double> weights(index from, index to, index at, bool nearest) {
  std::vector<double> w(static_cast<std::size_t>(from));
  const double middle = (static_cast<double>(at) + 0.5) * static_cast<double>(from) / static_cast<double>(to);
  if (nearest) {
    w[static_cast<std::size_t>(std::min(from - 1, static_cast<index>(std::floor(middle + 1e-9))))] = 1;
    return w;
  }
  const double place = std::clamp(middle - 0.5, 0.0, static_cast<double>(from - 1));
  for (index i = 0; i < from; ++i) w[static_cast<std::size_t>(i)] = std::max(0.0, 1 - std::abs(place - static_cast<double>(i)));
  return w;
}

float number(index i) { return static_cast<float>(i * 37 % 101) / 50 - 1; }

}  // namespace

TEST_CASE("an axis that is resized") {
  constexpr jig::detail::resized_axis up{2, 4}, same{3, 3}, down{5, 2}, one{1, 3};
  static_assert(up.around(0).low == 0 && up.around(0).high == 0);
  static_assert(up.around(1).low == 0 && up.around(1).high == 1 && up.around(1).weight == 0.25);
  static_assert(up.around(3).low == 1 && up.around(3).high == 1);
  static_assert(same.around(1).low == 1 && same.around(1).weight == 0 && same.nearest(2) == 2);
  static_assert(down.nearest(0) == 1 && down.nearest(1) == 3 && down.around(0).weight == 0.75);
  static_assert(one.around(2).high == 0 && one.nearest(2) == 0);
}

TEST_CASE("images of many extents are resized as by loops, and pass back what they got") {
  const jig::shape cases[] = {{4, {1, 1, 1, 1}}, {4, {2, 3, 5, 3}},  {4, {1, 7, 4, 16}}, {4, {1, 2, 9, 17}},
                              {4, {0, 3, 3, 2}}, {4, {1, 3, 40, 1}}, {4, {1, 2, 40, 2}}, {4, {2, 3, 21, 3}}};
  const index sizes[][2] = {{1, 1}, {4, 9}, {7, 3}, {14, 8}, {6, 80}, {4, 63}};
  for (const auto& s : cases)
    for (const auto& to : sizes) {
      CAPTURE(s[3]);
      CAPTURE(to[0]);
      auto x = jig::zeros<float, dyn, dyn, dyn, dyn>(s[0], s[1], s[2], s[3]);
      auto g = jig::zeros<float, dyn, dyn, dyn, dyn>(s[0], to[0], to[1], s[3]);
      for (index i = 0; i < x.size(); ++i) x.data()[i] = number(i);
      for (index i = 0; i < g.size(); ++i) g.data()[i] = number(i + 5);
      const auto [between, near] = both_ways(x, g);
      const auto slope = slopes(x, g);
      std::vector<double> expected_slope(static_cast<std::size_t>(x.size()));
      int wrong = 0;
      for (index n = 0; n < s[0]; ++n)
        for (index i = 0; i < to[0]; ++i)
          for (index j = 0; j < to[1]; ++j)
            for (index c = 0; c < s[3]; ++c)
              for (bool nearest : {false, true}) {
                const auto rows = weights(s[1], to[0], i, nearest), columns = weights(s[2], to[1], j, nearest);
                double sum = 0;
                for (index k = 0; k < s[1]; ++k)
                  for (index l = 0; l < s[2]; ++l) {
                    const double w = rows[static_cast<std::size_t>(k)] * columns[static_cast<std::size_t>(l)];
                    sum += w * static_cast<double>(x(n, k, l, c));
                    expected_slope[static_cast<std::size_t>(((n * s[1] + k) * s[2] + l) * s[3] + c)] +=
                        (nearest ? 2 : 1) * w * static_cast<double>(g(n, i, j, c));
                  }
                if (!(std::abs(static_cast<double>(nearest ? near(n, i, j, c) : between(n, i, j, c)) - sum) < 1e-5)) ++wrong;
              }
      for (index i = 0; i < x.size(); ++i)
        if (!(std::abs(static_cast<double>(slope.data()[i]) - expected_slope[static_cast<std::size_t>(i)]) < 1e-4)) ++wrong;
      CHECK(wrong == 0);
    }
}

TEST_CASE("images that do not lie in a row are read where they are") {
  jig::tensor<float, 1, 2, 4, 3> x;
  for (index i = 0; i < x.size(); ++i) x.data()[i] = number(i);
  constexpr auto turned = jig::function([](auto y) {
    auto z = jig::transpose<0, 2, 1, 3>(y);
    return jig::resize<6, 3>(z) - jig::transpose<0, 2, 1, 3>(jig::resize<3, 6>(y)) + jig::resize<6, 3>(z, jig::nearest) -
           jig::transpose<0, 2, 1, 3>(jig::resize<3, 6>(y, jig::nearest));
  });
  for (float d : turned(x)) CHECK(std::abs(d) < 1e-6f);
}

}  // namespace image_resizes
