// SPDX-License-Identifier: MIT
#pragma once
// The ops that gradients need besides those of the graph they are taken of. The kernels of tapes are in eval/tape.hpp.

#include <jig/ops/compare.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/source.hpp>

namespace jig {

namespace detail {

constexpr void second_rule(rule_context& c) { c.result = c.inputs[1]; }
// Both inputs have one dtype, and the extents of `part` broadcast to those of `whole`, as far as they are known.
constexpr void extents_of_second(rule_context& c, const shape& part, const shape& whole) {
  c.result = {c.inputs[0].dtype, c.inputs[1].shape};
  if (c.inputs[0].dtype != c.inputs[1].dtype) return c.fail("dtypes differ, convert one with jig::cast");
  if (part.rank > whole.rank) return c.fail("it has more axes than the target");
  for (int back = 1; back <= part.rank; ++back) {
    const index e = part[part.rank - back], to = whole[whole.rank - back];
    if (e != 1 && e != to && is_static_extent(e) && is_static_extent(to)) return c.fail("its extents must be 1 or those of the target");
  }
}
constexpr void broadcast_like_rule(rule_context& c) { extents_of_second(c, c.inputs[0].shape, c.inputs[1].shape); }
constexpr void sum_like_rule(rule_context& c) { extents_of_second(c, c.inputs[1].shape, c.inputs[0].shape); }
constexpr void shrinkage_rule(rule_context& c) { c.result = {c.inputs[0].dtype, {}}; }
constexpr void push_rule(rule_context& c) { c.result = {dtype::int64, {}}; }
constexpr void recall_rule(rule_context& c) { c.result = c.inputs[2]; }

}  // namespace detail

namespace ops {

extern const op broadcast_like, sum_like, shrinkage, tape_write, tape_read, new_array, array_write, gather;

/// The gradient of the first input with respect to each of the others, as long as the graph is being made. It makes what the gradients
/// of all ops are made of, those of loops included.
inline constexpr op gradient{
    .name = "SymbolicGradient",
    .label = "gradients",
    .rule = detail::second_rule,
    .makes = made_ops<add, subtract, multiply, divide, neg, select, equal, less, greater_equal, log, cast, reduce_sum, squeeze, expand_dims,
                      zeros_like, ones_like, broadcast_like, sum_like, shrinkage, tape_write, tape_read, new_array, array_write, gather>};

/// The first input, whose gradient is said by the program. Inputs: the value, what stands for its adjoint, then pairs of a value
/// and its share.
inline constexpr op custom_gradient{.name = "IdentityN", .label = "IdentityN", .rule = detail::same_rule, .free_inputs = ~0u};
/// What stands for the adjoint of its input, as long as the graph is being made.
inline constexpr op adjoint_of{.name = "PlaceholderWithDefault", .label = "adjoint", .facts = fact::elementwise, .rule = detail::same_rule};

/// The first input with the extents of the second, to which it broadcasts.
inline constexpr op broadcast_like{.name = "BroadcastLike",
                                   .label = "BroadcastLike",
                                   .facts = fact::elementwise,
                                   .rule = detail::broadcast_like_rule,
                                   .flops = detail::no_flops,
                                   .gradient = [](gradient_context& c) { c.give(0, c.full_adjoint()); },
                                   .operands = {.shapes = 2}};
/// The first input summed to the extents of the second, which broadcast to those of the first.
inline constexpr op sum_like{.name = "SumLike",
                             .label = "SumLike",
                             .rule = detail::sum_like_rule,
                             .flops = detail::elements_of_first_input,
                             .gradient =
                                 [](gradient_context& c) {
                                   auto g = c.full_adjoint();
                                   c.give(0, c.call(broadcast_like, {g, c.input(0)}));
                                 },
                             .operands = {.elements = numbers, .shapes = 2}};
/// How many elements the second input has for each of the first.
inline constexpr op shrinkage{.name = "Shrinkage",
                              .label = "Shrinkage",
                              .rule = detail::shrinkage_rule,
                              .gradient = detail::zero_gradient,
                              .operands = {.elements = numbers, .shapes = 3}};

/// A value put into a tape. Inputs: the position and the value. The result is the position behind it. Attribute `tape`: which
/// one.
inline constexpr op tape_write{.name = "TensorListPushBack",
                               .label = "TensorListPushBack",
                               .facts = fact::tape,
                               .rule = detail::push_rule,
                               .free_inputs = 3,
                               .flops = detail::no_flops,
                               .operands = {.moves = true, .positions = 1, .results = {result_kind::int64}}};
/// A value of a tape. Inputs: what was returned when the last value was put there, so that this comes first, the position, and a
/// value of the same spec. Attribute `tape`.
inline constexpr op tape_read{.name = "TensorListGetItem",
                              .label = "TensorListGetItem",
                              .facts = fact::tape,
                              .rule = detail::recall_rule,
                              .free_inputs = 7,
                              .flops = detail::no_flops,
                              .operands = {.moves = true, .positions = 3, .shapes = 4}};

}  // namespace ops

template <>
struct functor<ops::broadcast_like> {
  static auto apply(const auto& x, const auto&) { return x; }
};
template <>
struct kernel<ops::sum_like> {
  template <class Attributes, class Out, class In, class Like>
  static void run(Attributes, const Out& out, const In& in, const Like&) {
    using T = typename Out::value_type;
    // Along axes that the result does not have, or has with extent 1, its position stays.
    shape strides = in.shape();
    for (int a = 0; a < in.rank(); ++a) {
      const int b = a - (in.rank() - out.rank());
      strides[a] = b < 0 || out.extent(b) == 1 ? 0 : out.stride(b);
    }
    if (in.size() == out.size()) return detail::copy_strided(out.data(), strides, in.data(), in.strides(), in.shape());
    std::fill_n(out.data(), out.size(), T(0));
    detail::add_strided(out.data(), strides, in);
  }
};
template <>
struct kernel<ops::shrinkage> {
  template <class Attributes, class Out, class In, class Like>
  static void run(Attributes, const Out& out, const In& in, const Like& like) {
    using T = typename Out::value_type;
    *out.data() = in.size() == 0 ? T(0) : T(static_cast<double>(like.size()) / static_cast<double>(in.size()));
  }
};

}  // namespace jig
