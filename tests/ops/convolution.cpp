// SPDX-License-Identifier: MIT
#include <jig/ops/convolution.hpp>

#include <jig.hpp>

#include "../convolution_loops.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace convolution_ops {
namespace {

using ::convolutions::index;
using ::convolutions::problem;

using jig::dyn;

constexpr auto valid = jig::function([](auto x, auto w) { return jig::conv2d(x, w); });
constexpr auto same = jig::function([](auto x, auto w) { return jig::conv2d(x, w, jig::same_padding, jig::strides<2>); });
constexpr auto wide = jig::function(
    [](auto x, auto w) { return jig::conv2d(x, w, jig::strides<2, 1>, jig::dilations<1, 3>, jig::explicit_padding<1, 2, 3, 4>); });
constexpr auto first = jig::function([](auto x, auto w) { return jig::conv2d(x, w, jig::channels_first, jig::same_padding); });
constexpr auto line = jig::function([](auto x, auto w) { return jig::conv1d(x, w, jig::same_padding, jig::strides<2>); });
constexpr auto solid = jig::function([](auto x, auto w) { return jig::conv3d(x, w, jig::strides<1, 2, 3>); });
constexpr auto back = jig::function([](auto x, auto w) { return jig::conv2d_transpose(x, w, jig::strides<2>); });
constexpr auto back_same = jig::function([](auto x, auto w) { return jig::conv2d_transpose(x, w, jig::strides<2>, jig::same_padding); });
constexpr auto by_channel =
    jig::function([](auto x, auto w) { return jig::depthwise_conv2d(x, w, jig::same_padding, jig::strides<2>, jig::dilations<1, 2>); });
constexpr auto by_channel_first =
    jig::function([](auto x, auto w) { return jig::depthwise_conv2d(x, w, jig::channels_first, jig::explicit_padding<1, 0, 0, 2>); });
constexpr auto by_channel_gradients = jig::function([](auto x, auto w) {
  auto y = jig::depthwise_conv2d(x, w, jig::same_padding, jig::strides<2>, jig::dilations<1, 2>);
  return jig::gradient(jig::reduce_sum(y * y), x, w);
});
constexpr auto gradients = jig::function([](auto x, auto w) {
  auto y = jig::conv2d(x, w, jig::strides<2, 1>, jig::dilations<1, 3>, jig::explicit_padding<1, 2, 3, 4>);
  return jig::gradient(jig::reduce_sum(y * y), x, w);
});

template <index... E>
using f32 = jig::spec<float, E...>;
template <class Expected, class F, class X, class W>
constexpr bool gives(const F&, X, W) {
  return std::is_same_v<typename decltype(F().get_concrete_function(X(), W()))::output_spec, Expected>;
}

template <index... E>
jig::tensor<float, E...> numbers(int seed) {
  jig::tensor<float, E...> x;
  for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7 + seed) % 11 - 5);
  return x;
}

template <class X, class W>
problem problem_of(const X& x, const W& w, std::initializer_list<index> strides, const char* padding) {
  problem p;
  p.axes = x.rank() - 2;
  p.batch = x.extent(0);
  p.in = w.extent(p.axes);
  p.groups = x.extent(p.axes + 1) / p.in;
  p.out = w.extent(p.axes + 1) / p.groups;
  for (int a = 0; a < p.axes; ++a) {
    p.extents[a] = x.extent(a + 1);
    p.taps[a] = w.extent(a);
    p.strides[a] = strides.begin()[a];
  }
  p.padding = padding;
  p.finish();
  return p;
}

template <class Y>
int wrong_elements(const problem& p, const float* x, const float* w, const Y& y) {
  if (!(y.shape() == p.y_shape())) return -1;
  std::vector<float> expected(static_cast<std::size_t>(y.size()));
  p.each_product([&](index i, index j, index k) { expected[static_cast<std::size_t>(k)] += x[i] * w[j]; });
  int wrong = 0;
  for (index i = 0; i < y.size(); ++i) wrong += y.data()[i] == expected[static_cast<std::size_t>(i)] ? 0 : 1;
  return wrong;
}

}  // namespace

TEST_CASE("extents follow from padding, strides and dilations, static and wildcard") {
  static_assert(gives<f32<2, 5, 6, 7>>(valid, f32<2, 7, 7, 3>(), f32<3, 2, 3, 7>()));
  static_assert(gives<f32<2, 0, 6, 7>>(valid, f32<2, 2, 7, 3>(), f32<3, 2, 3, 7>()));
  static_assert(gives<f32<2, 4, 3, 7>>(same, f32<2, 7, 6, 3>(), f32<3, 2, 3, 7>()));
  static_assert(gives<f32<2, 4, 11, 7>>(wide, f32<2, 7, 7, 3>(), f32<3, 2, 3, 7>()));
  static_assert(gives<f32<2, 5, 7, 6>>(first, f32<2, 3, 7, 6>(), f32<3, 2, 3, 5>()));
  static_assert(gives<f32<2, 4, 5>>(line, f32<2, 7, 3>(), f32<3, 3, 5>()));
  static_assert(gives<f32<2, 3, 2, 2, 5>>(solid, f32<2, 4, 5, 6, 3>(), f32<2, 3, 2, 3, 5>()));
  static_assert(gives<f32<2, 7, 10, 3>>(back, f32<2, 3, 5, 4>(), f32<3, 1, 3, 4>()));
  static_assert(gives<f32<2, 6, 10, 3>>(back_same, f32<2, 3, 5, 4>(), f32<3, 1, 3, 4>()));
  static_assert(gives<f32<dyn, dyn, dyn, 7>>(same, f32<dyn, dyn, dyn, 3>(), f32<3, 2, 3, 7>()));
  // Two groups of channels.
  static_assert(gives<f32<2, 5, 6, 8>>(valid, f32<2, 7, 7, 6>(), f32<3, 2, 3, 8>()));
}

TEST_CASE("values are those of loops") {
  {
    const auto x = numbers<2, 7, 6, 3>(1);
    const auto w = numbers<3, 2, 3, 7>(2);
    const problem p = problem_of(x, w, {2, 2}, "SAME");
    CHECK(wrong_elements(p, x.data(), w.data(), same(x, w)) == 0);
    const jig::tensor<float, dyn, dyn, dyn, dyn> any_x(x);
    CHECK(wrong_elements(p, x.data(), w.data(), same(any_x, w)) == 0);
    problem q = problem_of(x, w, {2, 1}, "EXPLICIT");
    q.dilations[1] = 3;
    q.before[0] = 1;
    q.after[0] = 2;
    q.before[1] = 3;
    q.after[1] = 4;
    q.finish();
    CHECK(wrong_elements(q, x.data(), w.data(), wide(x, w)) == 0);
    // The gradient of the sum of squares: twice the result at every product.
    std::vector<float> y(static_cast<std::size_t>(q.y_shape().size())), gx(static_cast<std::size_t>(x.size())),
        gw(static_cast<std::size_t>(w.size()));
    q.each_product([&](index i, index j, index k) { y[static_cast<std::size_t>(k)] += x.data()[i] * w.data()[j]; });
    q.each_product([&](index i, index j, index k) {
      gx[static_cast<std::size_t>(i)] += 2 * y[static_cast<std::size_t>(k)] * w.data()[j];
      gw[static_cast<std::size_t>(j)] += 2 * y[static_cast<std::size_t>(k)] * x.data()[i];
    });
    const auto check = [&](const auto& found) {
      int wrong = 0;
      for (std::size_t i = 0; i < gx.size(); ++i) wrong += std::get<0>(found).data()[i] == gx[i] ? 0 : 1;
      for (std::size_t i = 0; i < gw.size(); ++i) wrong += std::get<1>(found).data()[i] == gw[i] ? 0 : 1;
      CHECK(wrong == 0);
    };
    check(gradients(x, w));
    check(gradients(any_x, w));
  }
  {
    const auto x = numbers<2, 7, 6>(1);
    const auto five = numbers<3, 6, 5>(2);
    CHECK(wrong_elements(problem_of(x, five, {2}, "SAME"), x.data(), five.data(), line(x, five)) == 0);
    const auto six = numbers<3, 2, 6>(3);
    CHECK(wrong_elements(problem_of(x, six, {2}, "SAME"), x.data(), six.data(), line(x, six)) == 0);
  }
  {
    const auto x = numbers<2, 4, 5, 6, 3>(1);
    const auto w = numbers<2, 3, 2, 3, 5>(2);
    CHECK(wrong_elements(problem_of(x, w, {1, 2, 3}, "VALID"), x.data(), w.data(), solid(x, w)) == 0);
  }
}

TEST_CASE("a depthwise convolution has filters for each channel, in all worlds") {
  static_assert(gives<f32<2, 4, 3, 10>>(by_channel, f32<2, 7, 6, 5>(), f32<3, 2, 5, 2>()));
  static_assert(gives<f32<2, 10, 6, 7>>(by_channel_first, f32<2, 5, 7, 6>(), f32<3, 2, 5, 2>()));
  static_assert(gives<f32<dyn, dyn, dyn, 10>>(by_channel, f32<dyn, dyn, dyn, dyn>(), f32<3, 2, 5, 2>()));
  static_assert(by_channel.get_concrete_function(f32<2, 7, 6, 5>(), f32<3, 2, 5, 2>()).graph().count("DepthwiseConv2dNative") == 1);
  const auto x = numbers<2, 7, 6, 5>(1);
  const auto w = numbers<3, 2, 5, 2>(2);
  const jig::tensor<float, dyn, dyn, dyn, dyn> any_x(x), any_w(w);
  problem p = problem_of(x, jig::reshape<3, 2, 1, 10>(w), {2, 2}, "SAME");
  p.dilations[1] = 2;
  p.finish();
  CHECK(wrong_elements(p, x.data(), w.data(), by_channel(x, w)) == 0);
  CHECK(wrong_elements(p, x.data(), w.data(), by_channel(any_x, w)) == 0);
  CHECK(wrong_elements(p, x.data(), w.data(), by_channel(any_x, any_w)) == 0);
  std::vector<float> y(static_cast<std::size_t>(p.y_shape().size())), gx(static_cast<std::size_t>(x.size())),
      gw(static_cast<std::size_t>(w.size()));
  p.each_product([&](index i, index j, index k) { y[static_cast<std::size_t>(k)] += x.data()[i] * w.data()[j]; });
  p.each_product([&](index i, index j, index k) {
    gx[static_cast<std::size_t>(i)] += 2 * y[static_cast<std::size_t>(k)] * w.data()[j];
    gw[static_cast<std::size_t>(j)] += 2 * y[static_cast<std::size_t>(k)] * x.data()[i];
  });
  const auto wrong = [&](const auto& found) {
    int n = 0;
    for (std::size_t i = 0; i < gx.size(); ++i) n += std::get<0>(found).data()[i] == gx[i] ? 0 : 1;
    for (std::size_t i = 0; i < gw.size(); ++i) n += std::get<1>(found).data()[i] == gw[i] ? 0 : 1;
    return n;
  };
  CHECK(wrong(by_channel_gradients(x, w)) == 0);
  CHECK(wrong(by_channel_gradients(any_x, any_w)) == 0);
  CHECK_THROWS_AS(by_channel(any_x, numbers<3, 2, 4, 2>(1)), jig::invalid_argument);
  const auto first_x = jig::transpose<0, 3, 1, 2>(x);
  const auto expected = jig::transpose<0, 3, 1, 2>(jig::depthwise_conv2d(x, w, jig::explicit_padding<1, 0, 0, 2>));
  const auto found = by_channel_first(first_x, w);
  REQUIRE(found.shape() == expected.shape());
  CHECK(std::equal(found.data(), found.data() + found.size(), expected.data()));
}

TEST_CASE("with channels first the operand and the result are transposed") {
  const auto x = numbers<2, 3, 7, 6>(1);
  const auto w = numbers<3, 2, 3, 5>(2);
  const auto y = first(x, w), expected = jig::transpose<0, 3, 1, 2>(jig::conv2d(jig::transpose<0, 2, 3, 1>(x), w, jig::same_padding));
  int wrong = 0;
  for (index i = 0; i < y.size(); ++i) wrong += y.data()[i] == expected.data()[i] ? 0 : 1;
  CHECK(wrong == 0);
}

TEST_CASE("a transposed convolution is the adjoint of the convolution") {
  // <conv(x), g> == <x, conv_transpose(g)>, of small whole numbers exactly.
  const auto w = numbers<3, 2, 3, 4>(2);
  const auto check = [&](const auto& x, const auto& y, const auto& g, const auto& gx) {
    REQUIRE(y.shape() == g.shape());
    REQUIRE(gx.shape() == x.shape());
    double left = 0, right = 0;
    for (index i = 0; i < y.size(); ++i) left += static_cast<double>(y.data()[i]) * static_cast<double>(g.data()[i]);
    for (index i = 0; i < x.size(); ++i) right += static_cast<double>(x.data()[i]) * static_cast<double>(gx.data()[i]);
    CHECK(left == right);
  };
  const auto g = numbers<2, 3, 5, 4>(5);
  const auto x = numbers<2, 7, 10, 3>(1);
  check(x, jig::conv2d(x, w, jig::strides<2>), g, back(g, w));
  const auto x_same = numbers<2, 6, 10, 3>(1);
  check(x_same, jig::conv2d(x_same, w, jig::strides<2>, jig::same_padding), g, back_same(g, w));
}

TEST_CASE("batches of several axes") {
  const auto w = numbers<3, 2, 3, 4>(2);
  const auto x = numbers<2, 3, 7, 6, 3>(1);
  jig::tensor<float, 6, 7, 6, 3> one;
  std::copy(x.begin(), x.end(), one.begin());
  const auto alike = [](const auto& a, const auto& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); };
  static_assert(gives<f32<2, 3, 4, 3, 4>>(same, f32<2, 3, 7, 6, 3>(), f32<3, 2, 3, 4>()));
  static_assert(gives<f32<2, dyn, 4, 3, 4>>(same, f32<2, dyn, 7, 6, 3>(), f32<3, 2, 3, 4>()));
  static_assert(gives<f32<5, 2, 4, 3, 6>>(first, f32<5, 2, 3, 3, 6>(), f32<3, 2, 3, 4>()));
  static_assert(gives<f32<5, 2, 4, 4>>(line, f32<5, 2, 7, 3>(), f32<2, 3, 4>()));
  CHECK(alike(same(x, w), same(one, w)));
  const jig::tensor<float, dyn, dyn, dyn, dyn, dyn> any(x);
  CHECK(same(any, w).shape() == jig::shape{5, {2, 3, 4, 3, 4}});
  CHECK(alike(same(any, w), same(one, w)));
  const auto [gx, gw] = gradients(x, w);
  const auto [gone, gw_of_one] = gradients(one, w);
  CHECK(gx.shape() == x.shape());
  CHECK(alike(gx, gone));
  CHECK(alike(gw, gw_of_one));
  const auto when_it_runs = jig::dynamic_function([](auto images, auto filter) { return jig::conv2d(images, filter); });
  const auto found = when_it_runs(jig::any_tensor(x), jig::any_tensor(w)).as<float, 2, 3, 5, 5, 4>();
  CHECK(alike(found, valid(one, w)));
}

TEST_CASE("what does not fit is refused with a reason") {
  using jig::detail::convolution_attributes;
  const auto why = []<class With, class X, class W>(With, X, W) {
    return std::string(jig::detail::inferred<jig::ops::conv2d, With, jig::detail::types<X, W>>::why().view());
  };
  const f32<2, 7, 6, 3> x{};
  const f32<3, 2, 3, 5> w{};
  using plain = convolution_attributes<2, 2>;
  CHECK(why(plain(), x, f32<3, 2, 2, 5>()) ==
        "Conv2D: channels of the operand are no multiple of the filter's: float32 (2, 7, 6, 3) and float32 (3, 2, 2, 5)");
  CHECK(why(plain(), x, f32<3, 2, 1, 5>()).find("no multiple of the groups of channels") != std::string::npos);
  CHECK(why(plain(), x, f32<3, 2, 5>()).find("the filter needs") != std::string::npos);
  CHECK(why(plain(), f32<7, 6, 3>(), w).find("the operand needs 4 axes") != std::string::npos);
  CHECK(why(convolution_attributes<2, 2, jig::strides_t<0>>(), x, w).find("must be positive") != std::string::npos);
  CHECK(why(convolution_attributes<2, 2, jig::explicit_padding_t<1, 1, -1, 1>>(), x, w).find("must not be negative") != std::string::npos);
  CHECK(why(plain(), x, jig::spec<double, 3, 2, 3, 5>()).find("dtypes differ") != std::string::npos);
  using tiles = convolution_attributes<2, 2, jig::winograd_t>;
  const std::string_view no_tiles = "jig::winograd needs a filter of 3 x 3 taps, strides and dilations of 1, and no groups of channels";
  CHECK(why(tiles(), x, w) == "Conv2D: " + std::string(no_tiles) + ": float32 (2, 7, 6, 3) and float32 (3, 2, 3, 5)");
  const f32<3, 3, 3, 6> three{};
  CHECK(why(convolution_attributes<2, 2, jig::winograd_t, jig::strides_t<1, 2>>(), x, three).find(no_tiles) != std::string::npos);
  CHECK(why(convolution_attributes<2, 2, jig::dilations_t<2>, jig::winograd_t>(), x, three).find(no_tiles) != std::string::npos);
  CHECK(why(tiles(), f32<2, 7, 6, 9>(), three).find(no_tiles) != std::string::npos);
  CHECK(why(tiles(), jig::spec<jig::half, 2, 7, 6, 3>(), jig::spec<jig::half, 3, 3, 3, 6>()).find("jig::winograd computes float32") !=
        std::string::npos);
  CHECK(jig::detail::inferred<jig::ops::conv2d, tiles, jig::detail::types<f32<2, 7, 6, 3>, f32<3, 3, 3, 6>>>::accepted);
  CHECK(jig::detail::inferred<jig::ops::conv2d, tiles, jig::detail::types<f32<dyn, dyn, dyn, dyn>, f32<dyn, dyn, dyn, dyn>>>::accepted);
  const auto why_not_by_channel = []<class X, class W>(X, W) {
    return std::string(jig::detail::inferred<jig::ops::depthwise_conv2d, plain, jig::detail::types<X, W>>::why().view());
  };
  CHECK(why_not_by_channel(x, f32<3, 2, 2, 5>()) ==
        "DepthwiseConv2dNative: channels of the operand and the filter differ: float32 (2, 7, 6, 3) and float32 (3, 2, 2, 5)");
  CHECK(why_not_by_channel(x, f32<3, 2, 3>()).find("the filter needs") != std::string::npos);
  CHECK(why_not_by_channel(f32<7, 6, 3>(), w).find("the operand needs 4 axes") != std::string::npos);
  static_assert(convolution_attributes<2, 2, jig::strides_t<1, 2>>::options.fits);
  static_assert(!convolution_attributes<2, 2, jig::strides_t<1, 2, 3>>::options.fits);
  static_assert(!convolution_attributes<2, 2, jig::explicit_padding_t<1, 1>>::options.fits);
  static_assert(jig::detail::are_convolution_options<jig::channels_first_t, jig::strides_t<2>>);
  static_assert(!jig::detail::are_convolution_options<int>);
  // Channels that only the call tells.
  const jig::tensor<float, dyn, dyn, dyn, dyn> any(numbers<2, 7, 6, 3>(1));
  CHECK_THROWS_AS(valid(any, numbers<3, 2, 2, 5>(1)), jig::invalid_argument);
}

}  // namespace convolution_ops
