// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

using jig::dyn;

namespace {

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(x);
  else return false;
}

// The largest element of a window, or NaN if it has some.
template <jig::index K, jig::index L>
auto largest_of(const auto& x, jig::index n, jig::index h, jig::index w, jig::index c) {
  auto best = x(n, h * K, w * L, c);
  for (jig::index k = 0; k < K * L; ++k) {
    const auto e = x(n, h * K + k / L, w * L + k % L, c);
    if (!is_nan(best)) best = is_nan(e) ? e : std::max(best, e);
  }
  return best;
}

// The largest element and the mean of windows that lie side by side, beside loops; static and with a batch that only the call tells.
template <class T, jig::index N, jig::index H, jig::index W, jig::index C, jig::index K, jig::index L>
void pools() {
  auto x = jig::zeros<T, N, H, W, C>();
  int i = 1;
  for (auto& e : x) {
    i = (i * 37 + 11) % 211;
    e = static_cast<T>(i % 100) - static_cast<T>(std::is_signed_v<T> ? 50 : 0);
    if constexpr (std::is_floating_point_v<T>)
      if (i % 53 == 0) e = std::numeric_limits<T>::quiet_NaN();
  }
  static constexpr auto largest = jig::function<"largest(x)">([](auto t) { return jig::max_pool2d<K, L>(t); });
  const auto check = [&](const auto& most, const auto& means) {
    REQUIRE(most.shape() == jig::shape{4, {N, H / K, W / L, C}});
    bool same = true;
    for (jig::index n = 0; n < N; ++n)
      for (jig::index h = 0; h < H / K; ++h)
        for (jig::index w = 0; w < W / L; ++w)
          for (jig::index c = 0; c < C; ++c) {
            const T best = largest_of<K, L>(x, n, h, w, c);
            double sum = 0;
            for (jig::index k = 0; k < K * L; ++k) sum += static_cast<double>(x(n, h * K + k / L, w * L + k % L, c));
            same = same && (most(n, h, w, c) == best || (is_nan(best) && is_nan(most(n, h, w, c))));
            if constexpr (std::is_floating_point_v<T>) {
              const double mean = sum / (K * L);
              same = same && (is_nan(mean) ? is_nan(means(n, h, w, c)) : std::fabs(means(n, h, w, c) - mean) < 1e-4);
            }
          }
    CHECK(same);
  };
  auto rows = jig::zeros<T, dyn, H, W, C>(N);
  std::copy(x.begin(), x.end(), rows.begin());
  if constexpr (std::is_floating_point_v<T>) {
    static constexpr auto mean = jig::function<"mean(x)">([](auto t) { return jig::avg_pool2d<K, L>(t); });
    check(largest(x), mean(x));
    check(largest(rows), mean(rows));
  } else {
    check(largest(x), x);
    check(largest(rows), x);
  }
}

std::string lowered_text(auto f, auto spec) { return jig::to_text(jig::lower(jig::graph_of(f, spec))); }
bool is_reduced(auto f, auto spec) {
  const std::string text = lowered_text(f, spec);
  return text.find("Pool") == text.npos && (text.find("Max(") != text.npos || text.find("Mean(") != text.npos);
}
using image = jig::spec<float, 2, 12, 12, 3>;

// What gradients of pools pass back: to the first place that is the largest, and to all places alike. Twice, so that it is differentiated.
template <class T, jig::index N, jig::index H, jig::index W, jig::index C, jig::index K, jig::index L>
void gradients() {
  auto x = jig::zeros<T, N, H, W, C>();
  auto g = jig::zeros<T, N, H / K, W / L, C>();
  int i = 5;
  for (auto& e : x) {
    i = (i * 37 + 11) % 211;
    e = i % 41 == 0 ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(i % 7);
  }
  for (auto& e : g) e = static_cast<T>((i = (i * 37 + 11) % 211) - 100);
  static constexpr auto largest =
      jig::function<"largest(x, g)">([](auto t, auto a) { return jig::gradient(jig::reduce_sum(jig::max_pool2d<K, L>(t) * a), t); });
  static constexpr auto mean =
      jig::function<"mean(x, g)">([](auto t, auto a) { return jig::gradient(jig::reduce_sum(jig::avg_pool2d<K, L>(t) * a), t); });
  const auto check = [&](const auto& to_largest, const auto& to_all) {
    bool same = true;
    for (jig::index n = 0; n < N; ++n)
      for (jig::index h = 0; h < H / K; ++h)
        for (jig::index w = 0; w < W / L; ++w)
          for (jig::index c = 0; c < C; ++c) {
            const T best = largest_of<K, L>(x, n, h, w, c);
            bool found = false;
            for (jig::index k = 0; k < K * L; ++k) {
              const jig::index row = h * K + k / L, column = w * L + k % L;
              const bool here = !found && x(n, row, column, c) == best;
              found = found || here;
              same = same && to_largest(n, row, column, c) == (here ? g(n, h, w, c) : T(0));
              same = same && std::fabs(to_all(n, row, column, c) - g(n, h, w, c) / (K * L)) < 1e-5;
            }
          }
    CHECK(same);
  };
  check(largest(x, g), mean(x, g));
  auto rows = jig::zeros<T, dyn, H, W, C>(N);
  auto adjoints = jig::zeros<T, dyn, H / K, W / L, C>(N);
  std::copy(x.begin(), x.end(), rows.begin());
  std::copy(g.begin(), g.end(), adjoints.begin());
  check(largest(rows, adjoints), mean(rows, adjoints));
}

}  // namespace

TEST_CASE("pools of windows side by side are reductions") {
  CHECK(is_reduced([](auto x) { return jig::max_pool2d<2>(x); }, image()));
  CHECK(is_reduced([](auto x) { return jig::avg_pool2d<3>(x); }, image()));
  CHECK(is_reduced([](auto x) { return jig::max_pool2d<2, 3>(x, jig::same_padding); }, image()));
  CHECK(is_reduced([](auto x) { return jig::max_pool2d<12>(x); }, image()));
  CHECK(is_reduced([](auto x) { return jig::max_pool2d<2>(x); }, jig::spec<float, dyn, 12, 12, 3>()));
  CHECK(is_reduced([](auto x) { return jig::max_pool1d<4>(x); }, jig::spec<int, 2, 12, 3>()));
  CHECK(is_reduced([](auto x) { return jig::avg_pool3d<2>(x); }, jig::spec<double, 2, 4, 6, 8, 3>()));
}
TEST_CASE("others stay pools") {
  CHECK(!is_reduced([](auto x) { return jig::max_pool2d<3>(x, jig::strides<2>); }, image()));
  CHECK(!is_reduced([](auto x) { return jig::max_pool2d<2>(x, jig::strides<3>); }, image()));
  CHECK(!is_reduced([](auto x) { return jig::avg_pool2d<5>(x); }, image()));
  CHECK(!is_reduced([](auto x) { return jig::avg_pool2d<5>(x, jig::same_padding); }, image()));
  CHECK(!is_reduced([](auto x) { return jig::max_pool2d<2>(x); }, jig::spec<float, 2, dyn, 12, 3>()));
  CHECK(!is_reduced([](auto x) { return jig::max_pool2d<2>(x); }, jig::spec<jig::bfloat16, 2, 12, 12, 3>()));
  // As many windows as without the padding, but they begin before the operand.
  CHECK(!is_reduced([](auto x) { return jig::max_pool2d<2>(x, jig::explicit_padding<1, 0, 1, 0>); }, image()));
}
TEST_CASE("their values") {
  pools<float, 3, 8, 12, 1, 2, 2>();
  pools<float, 3, 8, 12, 3, 2, 3>();
  pools<double, 1, 12, 6, 5, 3, 2>();
  pools<float, 2, 6, 40, 16, 3, 4>();
  pools<float, 2, 35, 7, 17, 7, 7>();
  pools<float, 2, 8, 6, 40, 1, 2>();
  pools<double, 2, 9, 9, 8, 3, 3>();
  pools<std::uint8_t, 2, 8, 8, 3, 2, 2>();
  pools<int, 2, 8, 8, 16, 4, 2>();
}
TEST_CASE("of what is computed, with what goes on, and of nothing") {
  static constexpr auto f = jig::function<"f(x, b)">([](auto x, auto b) { return jig::relu(jig::max_pool2d<2>(2 * x + b) - 1); });
  auto x = jig::zeros<float, 2, 6, 4, 3>();
  int i = 0;
  for (auto& e : x) e = static_cast<float>((i = (i * 31 + 17) % 101) - 50);
  const jig::tensor<float, 3> b{1, -2, 3};
  const auto y = f(x, b);
  for (jig::index n = 0; n < 2; ++n)
    for (jig::index h = 0; h < 3; ++h)
      for (jig::index w = 0; w < 2; ++w)
        for (jig::index c = 0; c < 3; ++c) {
          float most = 2 * x(n, 2 * h, 2 * w, c) + b(c);
          for (jig::index a = 0; a < 2; ++a)
            for (jig::index k = 0; k < 2; ++k) most = std::max(most, 2 * x(n, 2 * h + a, 2 * w + k, c) + b(c));
          CHECK(y(n, h, w, c) == std::max(most - 1, 0.f));
        }
  static constexpr auto g = jig::function<"g(x)">([](auto t) { return jig::max_pool2d<2>(t); });
  const auto none = jig::zeros<float, dyn, 4, 4, 2>(0);
  CHECK(g(none).shape() == jig::shape{4, {0, 2, 2, 2}});
}
TEST_CASE("what gradients of such pools pass back is elementwise") {
  const auto most = []<jig::index... K>(std::integer_sequence<jig::index, K...>) {
    return [](auto x) { return jig::gradient(jig::reduce_sum(jig::square(jig::max_pool2d<K...>(x))), x); };
  };
  CHECK(lowered_text(most(std::integer_sequence<jig::index, 4, 4>()), image()).find("MaxPoolGrad") == std::string::npos);
  CHECK(lowered_text(most(std::integer_sequence<jig::index, 4, 6>()), image()).find("MaxPoolGrad") != std::string::npos);
  const auto mean = [](auto x) { return jig::gradient(jig::reduce_sum(jig::square(jig::avg_pool2d<4, 6>(x))), x); };
  CHECK(lowered_text(mean, image()).find("AvgPoolGrad") == std::string::npos);
  gradients<float, 3, 8, 12, 1, 2, 2>();
  gradients<float, 2, 6, 6, 3, 2, 3>();
  gradients<double, 2, 6, 40, 5, 3, 4>();
  gradients<float, 2, 8, 6, 16, 1, 2>();
  gradients<float, 1, 9, 9, 17, 3, 3>();
}
TEST_CASE("images whose elements are repeated, and what that passes back") {
  const auto enlarged = []<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    return [](auto x) { return jig::resize<N...>(x, jig::nearest); };
  };
  const auto keeps = [](auto f, auto spec) { return lowered_text(f, spec).find("ResizeNearestNeighbor") != std::string::npos; };
  CHECK(!keeps(enlarged(std::integer_sequence<jig::index, 24, 36>()), image()));
  CHECK(!keeps(enlarged(std::integer_sequence<jig::index, 12, 24>()), jig::spec<std::uint8_t, dyn, 12, 12, 3>()));
  CHECK(keeps(enlarged(std::integer_sequence<jig::index, 12, 12>()), image()));
  CHECK(keeps(enlarged(std::integer_sequence<jig::index, 24, 18>()), image()));
  CHECK(keeps(enlarged(std::integer_sequence<jig::index, 6, 24>()), image()));
  CHECK(keeps(enlarged(std::integer_sequence<jig::index, 24, 24>()), jig::spec<bool, 2, 12, 12, 3>()));
  CHECK(keeps(enlarged(std::integer_sequence<jig::index, 24, 24>()), jig::spec<float, 2, dyn, 12, 3>()));
  const auto back = [](auto x) { return jig::gradient(jig::reduce_sum(jig::square(jig::resize<36, 24>(x, jig::nearest))), x); };
  CHECK(!keeps(back, image()));

  const auto check = []<class T, jig::index C, jig::index K, jig::index L>(const auto& x) {
    const jig::index n = x.extent(0);
    const auto y = jig::function<"f(x)">([](auto t) { return jig::resize<5 * K, 7 * L>(t, jig::nearest); })(x);
    bool same = y.shape() == jig::shape{4, {n, 5 * K, 7 * L, C}};
    for (jig::index i = 0; i < n; ++i)
      for (jig::index h = 0; same && h < 5 * K; ++h)
        for (jig::index w = 0; w < 7 * L; ++w)
          for (jig::index c = 0; c < C; ++c) same = same && y(i, h, w, c) == x(i, h / K, w / L, c);
    CHECK(same);
    if constexpr (std::is_floating_point_v<T>) {
      const auto g = jig::function<"g(x)">(
          [](auto t) { return jig::gradient(jig::reduce_sum(jig::square(jig::resize<5 * K, 7 * L>(t, jig::nearest))), t); })(x);
      for (jig::index i = 0; i < n; ++i)
        for (jig::index h = 0; h < 5; ++h)
          for (jig::index w = 0; w < 7; ++w)
            for (jig::index c = 0; c < C; ++c) same = same && std::fabs(g(i, h, w, c) - 2 * K * L * x(i, h, w, c)) < 1e-3;
      CHECK(same);
    }
  };
  const auto filled = [](auto x) {
    int i = 3;
    for (auto& e : x) e = static_cast<std::remove_reference_t<decltype(e)>>((i = (i * 37 + 11) % 211) % 100);
    return x;
  };
  check.template operator()<float, 1, 2, 2>(filled(jig::zeros<float, 3, 5, 7, 1>()));
  check.template operator()<float, 3, 3, 1>(filled(jig::zeros<float, dyn, 5, 7, 3>(2)));
  check.template operator()<float, 3, 3, 1>(filled(jig::zeros<float, dyn, 5, 7, 3>(0)));
  check.template operator()<double, 17, 2, 4>(filled(jig::zeros<double, 2, 5, 7, 17>()));
  check.template operator()<std::uint8_t, 3, 2, 2>(filled(jig::zeros<std::uint8_t, 2, 5, 7, 3>()));
  check.template operator()<std::int64_t, 4, 1, 2>(filled(jig::zeros<std::int64_t, 2, 5, 7, 4>()));
}
