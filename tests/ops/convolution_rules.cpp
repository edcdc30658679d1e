// SPDX-License-Identifier: MIT
#include <jig/ops/convolution_rules.hpp>

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string_view>
#include <vector>

namespace {

using jig::attribute_kind, jig::attribute_view, jig::dtype, jig::shape, jig::tensor_spec;

struct options {
  std::array<jig::index, 2> strides{1, 1}, dilations{1, 1};
  std::string_view padding = "VALID";
  std::array<jig::index, 4> zeros{};
};

// What a rule says with the lists as TensorFlow writes them, which have entries for batch and channels as well.
struct outcome {
  tensor_spec result;
  std::string_view failure;
};
outcome apply(void (*rule)(jig::rule_context&), std::vector<tensor_spec> inputs, const options& o) {
  const std::array<jig::index, 4> strides{1, o.strides[0], o.strides[1], 1}, dilations{1, o.dilations[0], o.dilations[1], 1};
  const std::array<jig::index, 8> zeros{0, 0, o.zeros[0], o.zeros[1], o.zeros[2], o.zeros[3], 0, 0};
  const attribute_view with[] = {{"strides", attribute_kind::integers, strides},
                                 {"dilations", attribute_kind::integers, dilations},
                                 {"padding", attribute_kind::text, {}, o.padding},
                                 {"explicit_paddings", attribute_kind::integers, zeros}};
  jig::extent_algebra unknown;
  jig::rule_context c;
  c.inputs = inputs;
  c.attributes = with;
  c.algebra = &unknown;
  rule(c);
  return {c.result, c.failed ? c.failure : std::string_view()};
}
tensor_spec floats(jig::index a, jig::index b, jig::index c, jig::index d) { return {dtype::float32, shape{4, {a, b, c, d}}}; }

// Positions from `before` zeros on, as long as the filter ends within the zeros behind; with SAME one for every stride that begins.
jig::index counted(jig::index in, jig::index taps, jig::index stride, jig::index dilation, std::string_view padding, jig::index before,
                   jig::index behind) {
  jig::index n = 0;
  if (padding == "SAME") {
    for (jig::index at = 0; at < in; at += stride) ++n;
    return n;
  }
  if (padding == "VALID") before = behind = 0;
  for (jig::index at = -before; at + (taps - 1) * dilation < in + behind; at += stride) ++n;
  return n;
}

}  // namespace

TEST_CASE("a convolution has as many positions as a filter that is moved along") {
  std::mt19937 random(3);
  const auto number = [&](int least, int most) { return static_cast<jig::index>(std::uniform_int_distribution<>(least, most)(random)); };
  for (int k = 0; k < 2000; ++k) {
    options o;
    o.padding = std::array<std::string_view, 3>{"VALID", "SAME", "EXPLICIT"}[static_cast<std::size_t>(k % 3)];
    for (auto& n : o.strides) n = number(1, 4);
    for (auto& n : o.dilations) n = number(1, 3);
    for (auto& n : o.zeros) n = number(0, 3);
    const jig::index rows = number(0, 20), columns = number(1, 20), tall = number(1, 5), wide = number(1, 5);
    const auto made = apply(jig::detail::convolution_rule<2>, {floats(2, rows, columns, 3), floats(tall, wide, 3, 5)}, o);
    REQUIRE(made.failure == "");
    const jig::index high = counted(rows, tall, o.strides[0], o.dilations[0], o.padding, o.zeros[0], o.zeros[1]);
    const jig::index broad = counted(columns, wide, o.strides[1], o.dilations[1], o.padding, o.zeros[2], o.zeros[3]);
    CHECK(made.result == floats(2, high, broad, 5));
    const auto each = apply(jig::detail::depthwise_rule, {floats(2, rows, columns, 3), floats(tall, wide, 3, 2)}, o);
    CHECK(each.result == floats(2, high, broad, 6));

    // What is convolved back has an extent that gives as many positions again.
    if (high == 0 || broad == 0) continue;
    const auto back = apply(jig::detail::convolution_input_rule<2>, {floats(tall, wide, 3, 5), floats(2, high, broad, 5)}, o);
    REQUIRE(back.failure == "");
    const shape s = back.result.shape;
    CHECK(s[3] == 3);
    CHECK(counted(s[1], tall, o.strides[0], o.dilations[0], o.padding, o.zeros[0], o.zeros[1]) == high);
    CHECK(counted(s[2], wide, o.strides[1], o.dilations[1], o.padding, o.zeros[2], o.zeros[3]) == broad);
  }
}

TEST_CASE("a filter of fewer channels is one of groups; what does not divide is refused") {
  const auto convolve = [](jig::index channels, jig::index each, jig::index out) {
    return apply(jig::detail::convolution_rule<2>, {floats(1, 4, 4, channels), floats(3, 3, each, out)}, {});
  };
  CHECK(convolve(6, 2, 9).result == floats(1, 2, 2, 9));
  CHECK(convolve(6, 6, 7).result == floats(1, 2, 2, 7));
  CHECK(convolve(6, 4, 8).failure == "channels of the operand are no multiple of the filter's");
  CHECK(convolve(6, 2, 8).failure == "channels of the result are no multiple of the groups of channels");
  CHECK(convolve(6, 0, 8).failure == "channels of the operand are no multiple of the filter's");
  CHECK(convolve(0, 0, 8).result == floats(1, 2, 2, 8));
}

TEST_CASE("lists that are none of a convolution are refused") {
  const std::vector<tensor_spec> operands{floats(1, 4, 4, 1), floats(3, 3, 1, 1)};
  const auto refusal = [&](options o) { return apply(jig::detail::convolution_rule<2>, operands, o).failure; };
  CHECK(refusal({}) == "");
  CHECK(refusal({.strides = {0, 1}}) == "strides and dilations must be positive");
  CHECK(refusal({.dilations = {1, -2}}) == "strides and dilations must be positive");
  CHECK(refusal({.padding = "FULL"}) == "the padding must be SAME, VALID or EXPLICIT");
  CHECK(refusal({.padding = "EXPLICIT", .zeros = {0, 1, 0, -1}}) == "a padding must not be negative");
  CHECK(apply(jig::detail::convolution_rule<3>, operands, {}).failure == "the operand needs 5 axes: batch, three of space, channels");
  CHECK(apply(jig::detail::convolution_rule<2>, {operands[0], {dtype::float32, shape{3, {3, 3, 1}}}}, {}).failure ==
        "the filter needs its spatial axes, channels in and channels out");
}

TEST_CASE("where SAME lays its zeros, as the call knows the extents") {
  // TensorFlow: the smaller half before, the larger one behind.
  const std::array<jig::index, 4> strides{1, 2, 1, 1}, dilations{1, 1, 3, 1};
  const attribute_view with[] = {{"strides", attribute_kind::integers, strides},
                                 {"dilations", attribute_kind::integers, dilations},
                                 {"padding", attribute_kind::text, {}, "SAME"}};
  const auto first = jig::detail::numbers_of_axis(with, 0), second = jig::detail::numbers_of_axis(with, 1);
  CHECK(jig::detail::axis_of_call(first, 7, 3, 4).before == 1);   // 3 * 2 + 3 - 7 = 2 zeros
  CHECK(jig::detail::axis_of_call(first, 8, 3, 4).before == 0);   // 3 * 2 + 3 - 8 = 1
  CHECK(jig::detail::axis_of_call(first, 8, 1, 4).before == 0);   // none
  CHECK(jig::detail::axis_of_call(second, 8, 3, 8).before == 3);  // 7 + 7 - 8 = 6
}

TEST_CASE("floating-point operations of a convolution") {
  // Two for each tap, channel in and element of the result.
  CHECK(jig::detail::convolution_flops(2 * 5 * 6 * 7, shape{4, {3, 2, 4, 7}}) == 2 * (2 * 5 * 6 * 7) * (3 * 2 * 4));
}
