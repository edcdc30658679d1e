// SPDX-License-Identifier: MIT
#include <jig/eval/kernel_scratch.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

constexpr auto product = jig::function([](auto x, auto y) { return jig::matmul(x, y); });
constexpr auto turned = jig::function([](auto x, auto y) { return jig::matmul(x, y, jig::transpose_b); });

template <class T, jig::index M, jig::index N, jig::index K>
constexpr jig::index scratch = product.get_concrete_function(jig::spec<T, M, K>{}, jig::spec<T, K, N>{}).peak_workspace();

}  // namespace

TEST_CASE("products of small operands, of vectors and of what fills its registers need nothing") {
  static_assert(jig::detail::scratch_of_product<float>(64, 64, 64, false, false) == 0);
  static_assert(jig::detail::scratch_of_product<float>(1, 1000, 1000, false, false) == 0);
  static_assert(jig::detail::scratch_of_product<float>(1000, 1, 1000, true, true) == 0);
  static_assert(jig::detail::scratch_of_product<float>(128, 128, 128, false, false) == 0);
  static_assert(jig::detail::scratch_of_product<double>(0, 100, 100, false, false) == 0);
  static_assert(jig::detail::scratch_of_product<double>(100, 100, 0, false, false) == 0);
  static_assert(scratch<float, 128, 128, 128> == 0);
}

TEST_CASE("what is packed counts, but for what lies on the stack") {
  // Of the last registers of a row, k times as many as a tile has columns.
  constexpr jig::index columns = jig::detail::blocks<float>::columns;
  constexpr jig::index on_stack = 4096 / 4 / columns;
  static_assert(jig::detail::scratch_of_product<float>(100, 65, on_stack, false, false) == 0);
  static_assert(jig::detail::scratch_of_product<float>(100, 65, on_stack + 1, false, false) >= 4096);
  // Rows of what is read by columns are packed; so many at most as a block has.
  static_assert(jig::detail::scratch_of_product<float>(100, 128, 128, false, true) >= 128 * 128 * 4);
  constexpr jig::index large = jig::detail::scratch_of_product<float>(5000, 5000, 5000, true, true);
  static_assert(large > 0 && large <= (256 + 512) * 1024 + 4096 && large % 64 == 0);
  static_assert(scratch<std::int8_t, 200, 201, 300> > 4096);
}

TEST_CASE("the workspace of a graph has the most that one of its kernels needs") {
  constexpr auto g = jig::function([](auto x, auto y) { return jig::matmul(jig::matmul(x, y), y); });
  constexpr auto both = g.get_concrete_function(jig::spec<float, 90, 131>{}, jig::spec<float, 131, 131>{});
  static_assert(both.peak_workspace() == (90 * 131 * 4 + 63) / 64 * 64 + scratch<float, 90, 131, 131>);
  static_assert(turned.get_concrete_function(jig::spec<float, 100, 128>{}, jig::spec<float, 128, 128>{}).peak_workspace() >= 128 * 128 * 4);
  static_assert(product.get_concrete_function(jig::spec<float, jig::dyn, 128>{}, jig::spec<float, 128, 128>{}).peak_workspace() == -1);
  CHECK(both.peak_workspace() > 0);
}

TEST_CASE("a packed filter counts") {
  constexpr auto convolve = jig::function([](auto x, auto w) { return jig::conv2d(x, w, jig::same_padding); });
  constexpr auto transpose = jig::function([](auto x, auto w) { return jig::conv2d_transpose(x, w, jig::same_padding); });
  constexpr jig::index lanes = jig::simd::lanes<float>, whole = (5 + lanes - 1) / lanes * lanes;
  constexpr jig::spec<float, 3, 3, 4, 5> w;
  // Enough positions, and one too few.
  constexpr jig::index rows = 4 * jig::detail::blocks<float>::rows;
  static_assert(convolve.get_concrete_function(jig::spec<float, 1, 1, rows, 4>{}, w).peak_workspace() ==
                (9 * 4 * whole * 4 + 63) / 64 * 64);
  static_assert(convolve.get_concrete_function(jig::spec<float, 1, 1, rows - 1, 4>{}, w).peak_workspace() == 0);
  // Columns of the filter that are no neighbours.
  static_assert(transpose.get_concrete_function(jig::spec<float, 1, 2, 2, 5>{}, w).peak_workspace() ==
                (9 * 5 * ((4 + lanes - 1) / lanes * lanes) * 4 + 63) / 64 * 64);
  static_assert(convolve.get_concrete_function(jig::spec<float, 1, jig::dyn, 2, 4>{}, w).peak_workspace() == -1);
  CHECK(convolve.get_concrete_function(jig::spec<float, 1, 1, rows, 4>{}, w).peak_workspace() > 0);
}

TEST_CASE("an operand that is spread to lanes counts") {
  constexpr auto convolve = jig::function([](auto x, auto w) { return jig::depthwise_conv2d(x, w); });
  constexpr auto for_filter = jig::function([](auto x, auto w) { return jig::gradient(jig::reduce_sum(jig::depthwise_conv2d(x, w)), w); });
  constexpr jig::index lanes = jig::simd::lanes<float>, many = lanes / 4;
  constexpr jig::spec<float, 1, 5, 6, 8> x;
  constexpr jig::spec<float, 3, 3, 8, 1> one;
  constexpr jig::spec<float, 3, 3, 8, many> some;
  static_assert(convolve.get_concrete_function(x, one).peak_workspace() == 0);
  // Registers of four lanes hold one channel of each group, which needs no copy.
  constexpr jig::index spread = many > 1 ? ((30 * 8 * many + lanes) * 4 + 63) / 64 * 64 : 0;
  static_assert(convolve.get_concrete_function(x, some).peak_workspace() == spread);
  static_assert(for_filter.get_concrete_function(x, some).peak_workspace() >= spread);
  CHECK(convolve.get_concrete_function(x, some).peak_workspace() >= 0);
}

namespace {

// A call gets along with the workspace that its function asks for.
template <class Spec, class F, class X>
void check_workspace(F, const X& x) {
  constexpr auto f = F().get_concrete_function(Spec{});
  constexpr jig::index bytes = f.peak_workspace();
  static_assert(bytes > 0);
  std::vector<std::byte> memory(static_cast<std::size_t>(bytes) + 64);
  auto result = f(x);
  const auto expected = result;
  for (auto& e : result) e = 7;
  f.with_workspace(memory).into(result, x);
  CHECK(std::equal(result.begin(), result.end(), expected.begin()));
}

}  // namespace

TEST_CASE("lines of convolutions with few channels count") {
  using images = jig::spec<float, 2, 20, 100, 3>;
  const auto x = jig::ones<float, 2, 20, 100, 3>();
  check_workspace<images>(jig::function([](auto v) { return jig::conv2d(v, jig::ones<float, 3, 3, 3, 1>(), jig::same_padding); }), x);
  check_workspace<images>(jig::function([](auto v) { return jig::conv2d(v, jig::ones<float, 3, 5, 3, 2>(), jig::strides<2>); }), x);
  check_workspace<images>(jig::function([](auto v) { return jig::depthwise_conv2d(v, jig::ones<float, 3, 3, 3, 1>()); }), x);
  check_workspace<images>(
      jig::function([](auto v) { return jig::gradient(jig::reduce_sum(jig::conv2d(v, jig::ones<float, 3, 3, 3, 4>())), v); }), x);
  // Infinite numbers take the way of many channels.
  check_workspace<images>(jig::function([](auto v) {
                            return jig::conv2d(v, jig::full<float, 3, 3, 3, 1>(std::numeric_limits<float>::infinity()), jig::same_padding);
                          }),
                          x);
}

TEST_CASE("windows and resized images count") {
  using one_channel = jig::spec<float, 1, 40, 300, 1>;
  using many_channels = jig::spec<float, 1, 6, 6, 70>;
  const auto one = jig::ones<float, 1, 40, 300, 1>();
  const auto many = jig::ones<float, 1, 6, 6, 70>();
  check_workspace<one_channel>(jig::function([](auto x) { return jig::max_pool2d<2>(x, jig::strides<3>); }), one);
  check_workspace<one_channel>(jig::function([](auto x) { return jig::max_pool2d<3>(x, jig::strides<1>); }), one);
  check_workspace<many_channels>(jig::function([](auto x) { return jig::avg_pool2d<3>(x, jig::strides<2>); }), many);
  constexpr auto most = [](auto x) { return jig::gradient(jig::reduce_sum(jig::max_pool2d<2>(x, jig::strides<1>)), x); };
  check_workspace<one_channel>(jig::function(most), one);
  check_workspace<many_channels>(jig::function(most), many);
  check_workspace<one_channel>(
      jig::function([](auto x) { return jig::gradient(jig::reduce_sum(jig::avg_pool2d<2>(x, jig::strides<1>)), x); }), one);
  check_workspace<one_channel>(jig::function([](auto x) { return jig::resize<50, 50>(x); }), one);
  check_workspace<one_channel>(jig::function([](auto x) { return jig::resize<50, 50>(x, jig::nearest); }), one);
  check_workspace<one_channel>(jig::function([](auto x) { return jig::gradient(jig::reduce_sum(jig::resize<50, 50>(x)), x); }), one);
}
