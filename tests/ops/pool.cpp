// SPDX-License-Identifier: MIT
#include <jig/ops/pool.hpp>

#include <jig.hpp>

#include "../convolution_loops.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

namespace pool_ops {
namespace {

using ::convolutions::index;
using ::convolutions::problem;

using jig::dyn;
template <index... E>
using f32 = jig::spec<float, E...>;

constexpr auto halves = jig::function([](auto x) { return jig::max_pool2d<2>(x); });
constexpr auto overlapping = jig::function([](auto x) { return jig::max_pool2d<3, 2>(x, jig::strides<2, 1>, jig::same_padding); });
constexpr auto means = jig::function([](auto x) { return jig::avg_pool2d<3, 2>(x, jig::strides<2, 1>, jig::same_padding); });
constexpr auto first = jig::function([](auto x) { return jig::avg_pool2d<2>(x, jig::channels_first); });
constexpr auto line = jig::function([](auto x) { return jig::max_pool1d<3>(x, jig::explicit_padding<1, 1>); });
constexpr auto solid = jig::function([](auto x) { return jig::avg_pool3d<2, 1, 3>(x); });
constexpr auto gradients = jig::function([](auto x) {
  auto y =
      jig::max_pool2d<3, 2>(x, jig::strides<2, 1>, jig::same_padding) + jig::avg_pool2d<3, 2>(x, jig::strides<2, 1>, jig::same_padding);
  return jig::gradient(jig::reduce_sum(y * y), x);
});

template <class Expected, class F, class X>
constexpr bool gives(const F&, X) {
  return std::is_same_v<typename decltype(F().get_concrete_function(X()))::output_spec, Expected>;
}

}  // namespace

TEST_CASE("extents follow from windows, strides and padding") {
  static_assert(gives<f32<2, 3, 4, 5>>(halves, f32<2, 7, 8, 5>()));
  static_assert(gives<f32<2, 4, 8, 5>>(overlapping, f32<2, 7, 8, 5>()));
  static_assert(gives<f32<2, 5, 3, 4>>(first, f32<2, 5, 7, 8>()));
  static_assert(gives<f32<2, 3, 5>>(line, f32<2, 7, 5>()));
  static_assert(gives<f32<2, 2, 5, 2, 3>>(solid, f32<2, 4, 5, 6, 3>()));
  static_assert(gives<f32<dyn, dyn, dyn, 5>>(halves, f32<dyn, dyn, dyn, 5>()));
}

TEST_CASE("values and gradients are those of loops, static and wildcard") {
  jig::tensor<float, 2, 7, 6, 5> x;
  for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 37 % 101);
  problem p;
  p.axes = 2;
  p.batch = 2;
  p.groups = 5;
  p.extents[0] = 7;
  p.extents[1] = 6;
  p.taps[0] = 3;
  p.taps[1] = 2;
  p.strides[0] = 2;
  p.padding = "SAME";
  p.finish();
  const auto n = static_cast<std::size_t>(p.y_shape().size());
  std::vector<float> largest(n, -1), sums(n), counts(n), gx(static_cast<std::size_t>(x.size()));
  p.each_product([&](index i, index, index k) {
    const auto to = static_cast<std::size_t>(k);
    if (x.data()[i] > largest[to]) largest[to] = x.data()[i];
    sums[to] += x.data()[i];
    counts[to] += 1;
  });
  p.each_product([&](index i, index, index k) {
    const auto to = static_cast<std::size_t>(k);
    const float y = largest[to] + sums[to] / counts[to];
    gx[static_cast<std::size_t>(i)] += 2 * y * ((x.data()[i] == largest[to] ? 1.0f : 0.0f) + 1 / counts[to]);
  });
  const auto check = [&](const auto& argument) {
    const auto found_largest = overlapping(argument);
    const auto found_means = means(argument);
    const auto found_gradient = gradients(argument);
    REQUIRE(found_largest.shape() == p.y_shape());
    int wrong = 0;
    const auto near_to = [](float a, float b) { return a - b < 1e-2f && b - a < 1e-2f; };
    for (std::size_t k = 0; k < n; ++k) {
      if (found_largest.data()[k] != largest[k]) ++wrong;
      if (!near_to(found_means.data()[k], sums[k] / counts[k])) ++wrong;
    }
    for (std::size_t i = 0; i < gx.size(); ++i) wrong += near_to(found_gradient.data()[i], gx[i]) ? 0 : 1;
    CHECK(wrong == 0);
  };
  check(x);
  check(jig::tensor<float, dyn, dyn, dyn, 5>(x));
}

TEST_CASE("options are those of convolutions but for dilations; windows are the strides unless others are given") {
  using plain = jig::detail::pool_attributes<2, jig::integers<"ksize", 2, 3>>;
  CHECK(plain::view()[0].values[1] == 2);
  CHECK(plain::view()[0].values[2] == 3);
  CHECK(jig::find_attribute(plain::view(), "strides").values[2] == 3);
  using strided = jig::detail::pool_attributes<2, jig::integers<"ksize", 2>, jig::strides_t<4>>;
  CHECK(strided::view()[0].values[1] == 1);
  CHECK(strided::view()[0].values[2] == 2);
  CHECK(jig::find_attribute(strided::view(), "strides").values[2] == 4);
  static_assert(jig::detail::is_dilation<jig::dilations_t<2>> && !jig::detail::is_dilation<jig::strides_t<2>>);
  const auto why = []<class With, class X>(With, X) {
    return std::string(jig::detail::inferred<jig::ops::avg_pool2d, With, jig::detail::types<X>>::why().view());
  };
  CHECK(why(plain(), f32<7, 6, 3>()).find("needs its batch") != std::string::npos);
  CHECK(why(plain(), jig::spec<int, 2, 7, 6, 3>()).find("floating") != std::string::npos);
  CHECK(why(jig::detail::pool_attributes<2, jig::integers<"ksize", 0, 2>, jig::strides_t<1>>(), f32<2, 7, 6, 3>())
            .find("must have elements") != std::string::npos);
}

TEST_CASE("windows with gaps are refused, not read as if they had none") {
  const auto why = [](const jig::op& kind, std::initializer_list<jig::index> dilations) {
    const std::size_t all = dilations.size();
    const std::vector<jig::index> ones(all, 1);
    const jig::attribute_view with[] = {{"ksize", jig::attribute_kind::integers, {ones.data(), all}},
                                        {"strides", jig::attribute_kind::integers, {ones.data(), all}},
                                        {"dilations", jig::attribute_kind::integers, {dilations.begin(), all}},
                                        {"padding", jig::attribute_kind::text, {}, "VALID"}};
    const jig::tensor_spec x{jig::dtype::float32, all == 4 ? jig::shape{4, {2, 7, 6, 3}} : jig::shape{5, {2, 5, 7, 6, 3}}};
    const auto outcome = jig::detail::infer(kind, {&x, 1}, with);
    return std::string(outcome.failed ? outcome.failure : "");
  };
  const char* const refusal = "the elements of a window must lie side by side, dilations of 1";
  CHECK(why(jig::ops::max_pool2d, {1, 1, 1, 1}) == "");
  CHECK(why(jig::ops::max_pool2d, {1, 1, 2, 1}) == refusal);
  CHECK(why(jig::ops::avg_pool2d, {1, 3, 1, 1}) == refusal);
  CHECK(why(jig::ops::max_pool3d, {1, 2, 1, 1, 1}) == refusal);
  CHECK(why(jig::ops::avg_pool3d, {1, 1, 1, 2, 1}) == refusal);
}

}  // namespace pool_ops
