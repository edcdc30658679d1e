// SPDX-License-Identifier: MIT
#pragma once
// Elements in order. NaN counts as largest. The kernels are in eval/sort.hpp.

#include <jig/ops/positions.hpp>

namespace jig {

/// Asks a sort for the largest element first.
struct descending_t {};
inline constexpr descending_t descending{};

namespace detail {

constexpr void sort_rule(rule_context& c) {
  c.axis(c.integer("axis"), c.inputs[0].shape.rank);
  c.result = c.inputs[0];
}
constexpr void argsort_rule(rule_context& c) {
  sort_rule(c);
  c.result.dtype = dtype::int32;
}

constexpr void top_k_rule(rule_context& c) {
  check_dtypes(c, numbers);
  shape out = c.inputs[0].shape;
  if (out.rank == 0) return c.fail("there is no axis to search along");
  const index k = c.integer("k");
  if (k < 0) return c.fail("k must not be negative");
  index& last = out[out.rank - 1];
  if (c.difference(last, k) < 0 && is_static_extent(last)) return c.fail("the last axis has fewer than k elements");
  last = k;
  c.result = {c.port == 0 ? c.inputs[0].dtype : dtype::int32, out};
}

constexpr void unique_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  if (from.rank != 1) return c.fail("the input must have one axis");
  if (c.port == 0) c.result = {c.inputs[0].dtype, shape{1, {c.up_to(from[0])}}};
  else c.result = {dtype::int32, from};
}

constexpr void along_axis_rule(rule_context& c) { c.result = {c.inputs[0].dtype, c.inputs[2].shape}; }

constexpr void sort_gradient(gradient_context&);
constexpr void top_k_gradient(gradient_context&);

constexpr op several_results(std::string_view name, void (*rule)(rule_context&), fact facts, int outputs,
                             void (*gradient)(gradient_context&) = no_gradient) {
  op o = axis_op(name, rule, facts, gradient);
  o.outputs = outputs;
  return o;
}

}  // namespace detail

namespace ops {

extern const op argsort, along_axis_place;

/// Attributes `axis` and `descending`.
inline constexpr op sort =
    detail::axis_op("Sort", detail::sort_rule, fact::none, detail::sort_gradient).making(made_ops<argsort, along_axis_place>);
inline constexpr op argsort = detail::axis_op("ArgSort", detail::argsort_rule, fact::checked).taking({.results = {result_kind::int32}});
/// Attribute `k`. Results: values and positions.
inline constexpr op top_k = detail::several_results("TopKV2", detail::top_k_rule, fact::checked, 2, detail::top_k_gradient)
                                .making(made_ops<along_axis_place>)
                                .taking({.elements = numbers, .results = {result_kind::elements, result_kind::int32}});
/// Results: the elements, and for every element of the input its position among them.
inline constexpr op unique = detail::several_results("Unique", detail::unique_rule, fact::checked, 2)
                                 .taking({.results = {result_kind::elements, result_kind::int32}});

/// Zeros with the extents of the third input, and the first input added at the positions along attribute `axis` that the second
/// one names.
inline constexpr op along_axis_place = {.name = "PutAlongAxis",
                                        .label = "PutAlongAxis",
                                        .facts = fact::checked,
                                        .rule = detail::along_axis_rule,
                                        .free_inputs = 6,
                                        .flops = detail::no_flops,
                                        .operands = {.elements = numbers, .positions = 2, .shapes = 4}};

}  // namespace ops

template <>
struct kernel<ops::along_axis_place> {
  template <class Attributes, class Out, class In, class Positions, class Like>
  static void run(Attributes attributes, const Out& out, const In& in, const Positions& positions, const Like&) {
    using T = typename Out::value_type;
    const int axis = detail::axis_of(attributes, out);
    std::fill_n(out.data(), out.size(), T(0));
    const index n = in.extent(axis), extent = out.extent(axis), inner = detail::elements_along(out, axis + 1, out.rank());
    detail::element_cursor<In> from(in);
    index k = 0;
    detail::for_each_element(positions, [&](auto value) {
      const auto i = static_cast<index>(value);
      if (i < 0 || i >= extent) detail::throw_bad_index("PutAlongAxis", i, axis, extent);
      T& to = out.data()[(k / inner / n * extent + i) * inner + k % inner];
      to = detail::wrapping_add(to, from.next());
      ++k;
    });
  }
};

namespace detail {

constexpr void sort_gradient(gradient_context& c) {
  auto positions = c.call_alike(ops::argsort, {c.input(0)});
  c.give(0, c.call_alike(ops::along_axis_place, {c.full_adjoint(), positions, c.input(0)}));
}
constexpr void top_k_gradient(gradient_context& c) {
  const index last = -1;
  attribute_view with{"axis", attribute_kind::integer, {&last, 1}};
  if (c.has_adjoint(0)) c.give(0, c.call(ops::along_axis_place, {c.full_adjoint(), c.output(1), c.input(0)}, {&with, 1}));
  else c.nothing();
}

template <const op& Op, index Axis, bool Descending, class X>
constexpr auto sort_along(const X& x) {
  return call<Op, attributes<integer<"axis", Axis>, boolean<"descending", Descending>>>(x);
}

}  // namespace detail

/// The elements in order along an axis, the smallest or with `jig::descending` the largest first. NaN counts as largest.
/// Shape: that of x
/// Cost: n log n comparisons for each row; of up to 16 numbers for as many rows at once as a register has lanes.
template <index Axis = -1, Operand X>
constexpr auto sort(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::sort_along<ops::sort, Axis, false>(x);
}
template <index Axis = -1, Operand X>
constexpr auto sort(const X& x, descending_t) {
  return detail::sort_along<ops::sort, Axis, true>(x);
}

/// The positions of the elements in order along an axis, as int32; of equal elements the first one comes first.
/// Shape: that of x
/// Errors: an axis too long for int32 throws invalid_argument.
/// Cost: as of sort
template <index Axis = -1, Operand X>
constexpr auto argsort(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::sort_along<ops::argsort, Axis, false>(x);
}
template <index Axis = -1, Operand X>
constexpr auto argsort(const X& x, descending_t) {
  return detail::sort_along<ops::argsort, Axis, true>(x);
}

/// The K largest elements along the last axis, the largest first, and their positions as int32: a std::tuple of both.
/// Of equal elements the first one comes first.
/// Shape: [..., n] -> [..., K] both
/// Errors: an axis with fewer elements is refused at compile time or throws invalid_argument.
/// Cost: n log K comparisons for each row; of up to 16 numbers as of sort
template <index K, Operand X>
constexpr auto top_k(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::top_k, attributes<integer<"k", K>>>(x);
}

/// The different elements of a vector in the order in which they come, and for every element of x its position among
/// them as int32: a std::tuple of both. NaN equals nothing.
/// Shape: (n) -> (None) and (n)
template <Operand X>
constexpr auto unique(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::unique, attributes<>>(x);
}

}  // namespace jig
