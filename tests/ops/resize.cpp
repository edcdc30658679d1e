// SPDX-License-Identifier: MIT
#include <jig/ops/resize.hpp>

#include <jig.hpp>

#include "../check_gradients.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

namespace resizes {
namespace {

using jig::dyn;
using jig::index;
template <index... E>
using f32 = jig::spec<float, E...>;

constexpr auto larger = [](auto x) { return jig::resize<4, 4>(x); };
constexpr auto other = [](auto x) { return jig::resize<4, 3>(x, jig::nearest); };
constexpr auto with_name = [](auto x) { return jig::resize<jig::dim<"h">, 5>(x); };
constexpr auto alike = [](auto x, auto y) { return jig::resize_like(x, y); };

template <class Expected, class F, class... X>
constexpr bool gives(F, X...) {
  return std::is_same_v<typename decltype(jig::function(F()).get_concrete_function(X()...))::output_spec, Expected>;
}

}  // namespace

TEST_CASE("resize: extents are numbers, those of another image, or the operand's") {
  static_assert(gives<f32<2, 4, 4, 3>>(larger, f32<2, 7, 8, 3>()));
  static_assert(gives<f32<dyn, 4, 4, dyn>>(larger, f32<dyn, dyn, dyn, dyn>()));
  static_assert(gives<f32<2, 5, 6, 3>>(alike, f32<2, 7, 8, 3>(), jig::spec<int, 1, 5, 6, 1>()));
  static_assert(gives<f32<2, dyn, dyn, 3>>(alike, f32<2, 7, 8, 3>(), f32<dyn, dyn, dyn, dyn>()));
  static_assert(gives<f32<1, jig::dim<"h">, 5, 1>>(with_name, f32<1, jig::dim<"h">, 4, 1>()));
  static_assert(gives<jig::spec<bool, 1, 4, 3, 2>>(other, jig::spec<bool, 1, 2, 2, 2>()));
  const auto why = []<class S>(S) {
    using found = jig::detail::inferred<jig::ops::resize_bilinear, jig::attributes<jig::integers<"size", 4, 4>>, jig::detail::types<S, S>>;
    static_assert(!found::accepted);
    return std::string(found::why().view());
  };
  CHECK(why(f32<2, 3, 4>()) ==
        "ResizeBilinear: an image needs four axes, [batch, rows, columns, channels]: float32 (2, 3, 4) and float32 (2, 3, 4)");
  CHECK(why(f32<1, 0, 2, 1>()).find("an image without elements cannot be resized") != std::string::npos);
  CHECK(why(jig::spec<int, 1, 2, 2, 1>()).find("the dtype must be floating") != std::string::npos);
}

TEST_CASE("resize: TensorFlow's numbers, in every world") {
  // tf.image.resize of 2 x 2 numbers to 4 x 4.
  const float expected[] = {0, 0.25f, 0.75f, 1, 0.5f, 0.75f, 1.25f, 1.5f, 1.5f, 1.75f, 2.25f, 2.5f, 2, 2.25f, 2.75f, 3};
  const float nearest[] = {0, 1, 1, 0, 1, 1, 2, 3, 3, 2, 3, 3};
  const auto x = jig::tensor<float, 1, 2, 2, 1>{{{{0}, {1}}, {{2}, {3}}}};
  const auto check = [&](const auto& y, const auto& z) {
    int wrong = 0;
    for (int i = 0; i < 16; ++i) wrong += y.data()[i] != expected[i];
    for (int i = 0; i < 12; ++i) wrong += z.data()[i] != nearest[i];
    CHECK(wrong == 0);
  };
  check(jig::function(larger)(x), jig::function(other)(x));
  check(larger(x), other(x));
  const jig::any_tensor any = x;
  check(jig::dynamic_function("f(x)", larger)(any).as<float, 1, 4, 4, 1>(),
        jig::dynamic_function("f(x)", other)(any).as<float, 1, 4, 3, 1>());
  CHECK_THROWS_AS(jig::function(larger)(jig::zeros<float, 1, dyn, 2, 1>(0)), jig::invalid_argument);
}

TEST_CASE("resize: gradients, and theirs") {
  const auto x = numbers<jig::tensor<double, 2, 3, 2, 2>>(-1, 1);
  check_gradients([](auto y) { return jig::resize<5, 3>(y); }, x);
  check_gradients([](auto y) { return jig::resize<2, 4>(y, jig::nearest); }, x);
  check_gradients(
      [](auto y) {
        auto z = jig::resize<2, 3>(y) + jig::resize<2, 3>(y, jig::nearest);
        return jig::gradient(jig::reduce_sum(z * z * z), y);
      },
      x);
}

}  // namespace resizes
