// SPDX-License-Identifier: MIT
#pragma once
// Tensors joined along an axis, and taken apart again.

#include <jig/ops/strided_slice.hpp>

#include <array>
#include <tuple>
#include <utility>
#include <vector>

namespace jig {

namespace ops {

extern const op split, split_add, concat_part;

}  // namespace ops

namespace detail {

// All inputs have the same extents, except along `except`; the result gets what each knows of them.
constexpr shape common_shape(rule_context& c, int except, const char* reason) {
  shape out = c.inputs[0].shape;
  for (std::size_t i = 1; i < c.inputs.size(); ++i) {
    const shape& s = c.inputs[i].shape;
    if (s.rank != out.rank) {
      c.fail("ranks differ");
      return out;
    }
    for (int a = 0; a < out.rank; ++a)
      if (a != except) out[a] = c.equal(out[a], s[a], reason);
  }
  return out;
}

constexpr void concat_rule(rule_context& c) {
  check_dtypes(c, anything);
  if (c.inputs[0].shape.rank == 0) return c.fail("values of rank 0 have no axis to join, use jig::stack");
  int axis = c.axis(c.integer("axis"), c.inputs[0].shape.rank);
  shape out = common_shape(c, axis, "extents differ beside the joined axis");
  if (c.failed) return;
  for (std::size_t i = 1; i < c.inputs.size(); ++i) out[axis] = c.sum(out[axis], c.inputs[i].shape[axis]);
  c.result = {c.inputs[0].dtype, out};
}

constexpr void pack_rule(rule_context& c) {
  check_dtypes(c, anything);
  shape each = common_shape(c, -1, "shapes differ");
  if (c.failed) return;
  if (each.rank == max_rank) return c.fail("a tensor has at most 8 axes");
  int at = c.axis(c.integer("axis"), each.rank + 1);
  shape out;
  for (int a = 0; a <= each.rank; ++a) out.push_back(a < at ? each[a] : a == at ? static_cast<index>(c.inputs.size()) : each[a - 1]);
  c.result = {c.inputs[0].dtype, out};
}

constexpr void concat_gradient(gradient_context& c) {
  rule_context numbers;
  auto g = c.full_adjoint();
  const int axis = numbers.axis(c.integer("axis"), c.spec(g).shape.rank);
  list<edge> before;
  before.push_back(g.at);
  index first = 0;
  for (std::size_t i = 0; i < c.inputs(); ++i) {
    const index extent = c.spec(c.input(i)).shape[axis];
    before.push_back(c.input(i).at);
    if (first < 0 || !is_static_extent(extent)) {
      first = -1;
      if (!c.wants(i)) continue;
      index a = axis;
      attribute_view with{"axis", attribute_kind::integer, {&a, 1}};
      c.give(i, c.call(ops::concat_part, before, {&with, 1}));
      continue;
    }
    if (c.wants(i)) c.give(i, part_of_axis(c, g, axis, first, first + extent, false, false));
    first += extent;
  }
}
constexpr void pack_gradient(gradient_context& c) {
  rule_context numbers;
  auto g = c.full_adjoint();
  const int axis = numbers.axis(c.integer("axis"), c.spec(g).shape.rank);
  for (std::size_t i = 0; i < c.inputs(); ++i)
    if (c.wants(i)) c.give(i, part_of_axis(c, g, axis, static_cast<index>(i), static_cast<index>(i) + 1, false, true));
}

constexpr void split_rule(rule_context& c) {
  shape out = c.inputs[0].shape;
  int axis = c.axis(c.integer("axis"), out.rank);
  index parts = c.integer("num_split");
  if (parts < 1) return c.fail("there must be at least one part");
  if (c.failed) return;
  out[axis] = c.quotient(out[axis], parts, "the axis does not divide into equal parts");
  c.result = {c.inputs[0].dtype, out};
}
constexpr void split_strides(const restride_context& c, index& offset, shape& strides) {
  rule_context numbers;
  numbers.attributes = c.attributes;
  int axis = numbers.axis(numbers.integer("axis"), c.input.rank);
  strides = c.input_strides;
  offset = numbers.integer("part") * c.result[axis] * strides[axis];
}

constexpr void split_gradient(gradient_context& c) { view_gradient(c, ops::split_add); }
constexpr void split_gradient_again(gradient_context& c) { view_update_gradient(c, ops::split); }

constexpr void expand_unpack(expansion& c) {
  const shape s = c.extents(c.input(0));
  index axis = c.attribute("axis").values[0];
  if (axis < 0) axis += s.rank;
  if (axis < 0 || axis >= s.rank) return c.fail("unstack: there is no such axis");
  if (!is_static_extent(s[static_cast<int>(axis)])) return c.fail("unstack: the extent of the axis must be known in the trace");
  const index at = c.attribute("part").values[0], last = index{1} << axis, before = last - 1;
  list<index> begin, end, strides;
  for (index a = 0; a <= axis; ++a) {
    begin.push_back(a == axis ? at : 0);
    end.push_back(a == axis ? at + 1 : 0);
    strides.push_back(1);
  }
  const attribute_view with[] = {
      {"begin", attribute_kind::integers, begin},          {"end", attribute_kind::integers, end},
      {"strides", attribute_kind::integers, strides},      {"begin_mask", attribute_kind::integer, {&before, 1}},
      {"end_mask", attribute_kind::integer, {&before, 1}}, {"shrink_axis_mask", attribute_kind::integer, {&last, 1}}};
  c.give(c.call(ops::strided_slice, {c.input(0)}, with));
}

}  // namespace detail

namespace ops {

/// Attribute `axis`.
inline constexpr op concat = detail::copying_op("ConcatV2", detail::concat_rule, 0, detail::concat_gradient)
                                 .making(made_ops<strided_slice, concat_part>)
                                 .taking({.moves = true, .is_list = true});
/// Attribute `axis`.
inline constexpr op pack = detail::copying_op("Pack", detail::pack_rule, 0, detail::pack_gradient)
                               .making(made_ops<strided_slice>)
                               .taking({.moves = true, .is_list = true});
/// The part of the first input, a ConcatV2 of the others and more along attribute `axis`, that is the last of them.
inline constexpr op concat_part = detail::copying_op("ConcatPart", [](rule_context& c) {
                                    c.result = c.inputs.back();
                                  }).taking({.moves = true, .is_list = true, .first_of_list = 1});
/// Attributes `axis`, `num_split` and `part`, the one of the parts that this node is.
inline constexpr op split =
    detail::view_op("Split", detail::split_rule, detail::split_strides, detail::split_gradient).making(made_ops<split_add>);

/// Adds the second input to what a Split of the first one with these attributes shows.
inline constexpr op split_add =
    detail::view_update_op("SplitGrad", detail::split_gradient_again).making(made_ops<split>).taking({.elements = numbers});
/// Attributes `axis`, which goes, and `part`: a position along it.
inline constexpr op unpack{
    .name = "Unpack", .label = "unstack", .facts = fact::composite, .makes = made_ops<strided_slice>, .expand = detail::expand_unpack};

}  // namespace ops

template <>
struct kernel<ops::split_add> : detail::view_update_kernel<ops::split> {};
template <>
struct kernel<ops::concat_part> {
  template <class Attributes, class Out, class In, class... Parts>
  static void run(Attributes attributes, const Out& out, const In& in, const Parts&... parts) {
    const int axis = detail::axis_of(attributes, out);
    index end = 0;
    detail::for_each_input([&](const auto& part) { end += part.extent(axis); }, parts...);
    if (out.size() > 0)
      detail::copy_strided(out.data(), out.strides(), in.data() + (end - out.extent(axis)) * in.stride(axis), in.strides(), out.shape());
  }
};

namespace detail {

// Calls f<0>() … f<N - 1>() in this order and returns their results as a tuple.
template <class F, std::size_t... I>
constexpr auto tuple_in_order(F&& f, std::index_sequence<I...>) {
  return std::tuple<decltype(f.template operator()<I>())...> { f.template operator()<I>()... };
}

// The parts along an axis, one call each.
template <index Axis, class X>
auto dynamic_unstack(const X& x) {
  using part = decltype(dynamic_call<ops::unpack>({}, x));
  const shape s = x.shape();
  const index axis = Axis, along = Axis < 0 ? Axis + s.rank : Axis;
  const bool known = along >= 0 && along < s.rank && is_static_extent(s[static_cast<int>(along)]);
  std::vector<part> out;
  if (known) out.reserve(static_cast<std::size_t>(s[static_cast<int>(along)]));
  // What cannot be taken apart has no first part.
  for (index at = 0; at < (known ? s[static_cast<int>(along)] : 1); ++at) {
    const attribute_view with[] = {{"axis", attribute_kind::integer, {&axis, 1}}, {"part", attribute_kind::integer, {&at, 1}}};
    out.push_back(dynamic_call<ops::unpack>(with, x));
  }
  return out;
}

// Defined in runtime/dynamic_call.hpp.
template <const op& Op, class X>
auto dynamic_call_of_all(stretch<attribute_view> with, const std::vector<X>& parts);

template <class Parts>
inline constexpr bool are_operands = false;
template <class First, class... More>
inline constexpr bool are_operands<std::tuple<First, More...>> = (Operand<First> && ... && Operand<More>);
template <class X, std::size_t N>
inline constexpr bool are_operands<std::array<X, N>> = N > 0 && Operand<X> && !Argument<std::array<X, N>>;

template <index Axis, const op& Op, class X>
constexpr auto joined_list(const std::vector<X>& parts) {
  if constexpr (is_dynamic<X>) {
    const index axis = Axis;
    const attribute_view with[] = {{"axis", attribute_kind::integer, {&axis, 1}}};
    return dynamic_call_of_all<Op>(with, parts);
  } else {
    return refuse_with<
        "stack, concat: the type of the result has the number of parts: pass them one by one, or as a std::array or std::tuple",
        std::vector<X>>();
  }
}

}  // namespace detail

/// Tensors one behind the other along an axis that they have.
/// Errors: other extents that differ are refused at compile time or throw invalid_argument.
template <index Axis, Operand X, Operand... More>
  requires(sizeof...(More) != 1)
constexpr auto concat(const X& x, const More&... more) {
  return call<ops::concat, attributes<integer<"axis", Axis>>>(x, more...);
}
template <index Axis, Operand X, Operand Y>
constexpr auto concat(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return call<ops::concat, attributes<integer<"axis", Axis>>>(x, y);
}
/// The same of all in a std::array or std::tuple.
template <index Axis, class Parts>
  requires(detail::are_operands<Parts>)
constexpr auto concat(const Parts& parts) {
  return std::apply([](const auto&... x) { return jig::concat<Axis>(x...); }, parts);
}
/// The same of a list, while a lambda is traced at run time; elsewhere it is refused.
/// Errors: an empty one throws invalid_argument.
template <index Axis, class X>
  requires(!Argument<std::vector<X>> && Operand<X>)
constexpr auto concat(const std::vector<X>& parts) {
  return detail::joined_list<Axis, ops::concat>(parts);
}

/// Tensors of one shape along a new axis.
/// Errors: shapes that differ are refused at compile time or throw invalid_argument.
template <index Axis = 0, Operand X, Operand... More>
  requires(sizeof...(More) != 1)
constexpr auto stack(const X& x, const More&... more) {
  return call<ops::pack, attributes<integer<"axis", Axis>>>(x, more...);
}
template <index Axis = 0, Operand X, Operand Y>
constexpr auto stack(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return call<ops::pack, attributes<integer<"axis", Axis>>>(x, y);
}

/// The same of all in a std::array or std::tuple.
template <index Axis = 0, class Parts>
  requires(detail::are_operands<Parts>)
constexpr auto stack(const Parts& parts) {
  return std::apply([](const auto&... x) { return jig::stack<Axis>(x...); }, parts);
}
/// The same of a list, while a lambda is traced at run time; elsewhere it is refused.
/// Errors: an empty one throws invalid_argument.
template <index Axis = 0, class X>
  requires(!Argument<std::vector<X>> && Operand<X>)
constexpr auto stack(const std::vector<X>& parts) {
  return detail::joined_list<Axis, ops::pack>(parts);
}

/// The parts of x along an axis that goes, as a std::tuple; of a dynamic symbol as a std::vector.
/// Errors: an axis whose extent is not known at compile time is refused.
template <index Axis = 0, Operand X>
constexpr auto unstack(const X& x) {
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (detail::is_dynamic<X>) {
    return detail::dynamic_unstack<Axis>(x);
  } else {
    constexpr auto part = []<std::size_t I>(const X& of) {
      return call<ops::unpack, attributes<integer<"axis", Axis>, integer<"part", static_cast<index>(I)>>>(of);
    };
    constexpr shape s = detail::operand_shape<X>();
    constexpr index axis = Axis < 0 ? Axis + s.rank : Axis;
    constexpr bool known = axis >= 0 && axis < s.rank && is_static_extent(s[static_cast<int>(axis < 0 ? 0 : axis)]);
    if constexpr (!known) return part.template operator()<0>(x);
    else
      return detail::tuple_in_order([&]<std::size_t I>() { return part.template operator()<I>(x); },
                                    std::make_index_sequence<static_cast<std::size_t>(s[static_cast<int>(axis)])>());
  }
}

/// Equal parts of x along an axis, as a std::tuple.
/// Errors: an extent that does not divide is refused at compile time or throws invalid_argument.
template <index Parts, index Axis = 0, Operand X>
constexpr auto split(const X& x) {
  static_assert(Parts > 0, "jig::split: there must be at least one part");
  return detail::tuple_in_order(
      [&]<std::size_t I>() {
        return call<ops::split, attributes<integer<"axis", Axis>, integer<"num_split", Parts>, integer<"part", static_cast<index>(I)>>>(x);
      },
      std::make_index_sequence<static_cast<std::size_t>(Parts)>());
}

}  // namespace jig
