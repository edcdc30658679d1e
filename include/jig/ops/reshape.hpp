// SPDX-License-Identifier: MIT
#pragma once
// Other extents for the same elements: reshaped, with axes of extent 1 more or less, or repeated along axes where there is one.

#include <jig/ops/view.hpp>

namespace jig {

/// As an extent of reshape: the one that makes the number of elements fit.
inline constexpr index infer = dyn;

namespace ops {

extern const op reshape;

}  // namespace ops

namespace detail {

// The product of some axes of an input with this shape, as an entry of a reshape.
constexpr index listed_product(const shape& s, int input, int first, int count) {
  index product = 1;
  for (int a = first; a < first + count; ++a) {
    if (!is_static_extent(s[a])) return product_of_axes(input, first, count);
    product *= s[a];
  }
  return product;
}
constexpr index listed_extent(rule_context& c, index e) {
  if (is_static_extent(e)) return e;
  if (e >= lowest_name) {
    c.fail("a named extent must be one of the input");
    return 1;
  }
  const axes_product axes = axes_of_product(e);
  const shape& s = c.inputs[static_cast<std::size_t>(axes.input)].shape;
  index product = 1;
  for (int a = axes.first; a < axes.first + axes.count; ++a) product = c.product(product, s[a]);
  return product;
}
// A name stands for the axis that bears it.
constexpr index without_name(index e, const shape& s) {
  if (!is_named_extent(e)) return e;
  for (int a = 0; a < s.rank; ++a)
    if (s[a] == e) return product_of_axes(0, a);
  return e;
}
constexpr index number_of_elements(rule_context& c, const shape& s) {
  index n = 1;
  for (int a = 0; a < s.rank; ++a) n = c.product(n, s[a]);
  return n;
}

// The extent that is left when the others of the result are known.
constexpr index inferred_extent(rule_context& c, const shape& from, index known) {
  if (known == 0) {
    c.fail("no extent can be inferred beside one of 0");
    return 0;
  }
  // A single unknown extent of the input is itself the answer, with its name, where all the others cancel.
  index static_product = 1, unknown = 1;
  int unknowns = 0;
  for (int a = 0; a < from.rank; ++a) {
    if (is_static_extent(from[a])) static_product *= from[a];
    else unknown = from[a], ++unknowns;
  }
  if (unknowns == 1 && static_product == known) return unknown;
  return c.quotient(number_of_elements(c, from), known, "the elements do not divide by these extents");
}

constexpr void reshape_rule(rule_context& c) {
  auto listed = c.integers("shape");
  if (listed.size() > static_cast<std::size_t>(max_rank)) return c.fail("a tensor has at most 8 axes");
  const shape& from = c.inputs[0].shape;
  shape to;
  int open = -1;
  index known = 1;
  for (index e : listed) {
    if (e == jig::infer) {
      if (open >= 0) return c.fail("only one extent can be inferred");
      open = to.rank;
    } else {
      e = listed_extent(c, e);
      known = c.product(known, e);
    }
    to.push_back(e);
  }
  if (open >= 0) to[open] = inferred_extent(c, from, known);
  else c.equal(number_of_elements(c, from), known, "the numbers of elements differ");
  c.result = {c.inputs[0].dtype, to};
}

constexpr void expand_dims_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  if (from.rank == max_rank) return c.fail("a tensor has at most 8 axes");
  int at = c.axis(c.integer("dim"), from.rank + 1);
  shape to;
  for (int a = 0; a <= from.rank; ++a) to.push_back(a < at ? from[a] : a == at ? 1 : from[a - 1]);
  c.result = {c.inputs[0].dtype, to};
}

constexpr void squeeze_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  unsigned gone = 0;
  for (index listed : c.integers("squeeze_dims")) {
    int a = c.axis(listed, from.rank);
    if (c.failed) return;
    c.equal(from[a], 1, "a squeezed axis must have extent 1");
    gone |= 1u << a;
  }
  shape to;
  for (int a = 0; a < from.rank; ++a)
    if ((gone >> a & 1) == 0) to.push_back(from[a]);
  c.result = {c.inputs[0].dtype, to};
}

constexpr void broadcast_to_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  auto listed = c.integers("shape");
  if (listed.size() > static_cast<std::size_t>(max_rank)) return c.fail("a tensor has at most 8 axes");
  int added = static_cast<int>(listed.size()) - from.rank;
  if (added < 0) return c.fail("it has more axes than the target");
  shape to;
  for (int a = 0; a < from.rank + added; ++a) {
    index e = listed[static_cast<std::size_t>(a)];
    if (e == dyn) {
      if (a < added) return c.fail("a new axis needs an extent");
      to.push_back(from[a - added]);
      continue;
    }
    e = listed_extent(c, e);
    if (a >= added && from[a - added] != 1) {
      index own = from[a - added];
      if (!is_static_extent(own)) own = c.broadcast(own, e);
      e = c.equal(own, e, "its extents must be 1 or those of the target");
    }
    to.push_back(e);
  }
  c.result = {c.inputs[0].dtype, to};
}
constexpr void broadcast_to_strides(const restride_context& c, index&, shape& strides) {
  int added = c.result.rank - c.input.rank;
  for (int a = 0; a < c.result.rank; ++a) strides[a] = a < added || c.input[a - added] == 1 ? 0 : c.input_strides[a - added];
}
constexpr void broadcast_to_gradient(gradient_context& c) { c.give_summed(0, c.full_adjoint()); }
// An extent of another axis, or of another input, may differ from that of the input, or has to be checked.
constexpr void simplify_broadcast(simplification& s) {
  bool known = true;
  for (const auto& e : s.inputs) known = known && s.spec(e).shape.is_static();
  for (index listed : s.axes_of("shape"))
    if (!known && listed < dyn) return;
  s.become_input(s.inputs[0]);
}

constexpr graph_value reshaped_like(gradient_context& c, const graph_value& x, const graph_value& like) {
  shape to = c.spec(like).shape;
  const bool known = to.is_static();
  for (int a = 0; a < to.rank; ++a)
    if (!is_static_extent(to[a])) to[a] = product_of_axes(1, a);
  attribute_view with{"shape", attribute_kind::integers, {to.extents, static_cast<std::size_t>(to.rank)}};
  return known ? c.call(ops::reshape, {x}, {&with, 1}) : c.call(ops::reshape, {x, like}, {&with, 1});
}
constexpr void reshape_gradient(gradient_context& c) { c.give(0, reshaped_like(c, c.full_adjoint(), c.input(0))); }

}  // namespace detail

namespace ops {

/// Attribute `shape`: extents, -1 for one that is inferred; values below every name are products of axes of
/// an input (detail::product_of_axes). Further inputs are looked at for their extents only.
inline constexpr op reshape = detail::view_op("Reshape", detail::reshape_rule, detail::reshape_gradient);
/// Attribute `dim`.
inline constexpr op expand_dims =
    detail::view_op("ExpandDims", detail::expand_dims_rule, detail::reshape_gradient).making(made_ops<reshape>);
/// Attribute `squeeze_dims`.
inline constexpr op squeeze = detail::view_op("Squeeze", detail::squeeze_rule, detail::reshape_gradient).making(made_ops<reshape>);
/// Attribute `shape`, as that of Reshape; -1 keeps an extent.
inline constexpr op broadcast_to =
    detail::view_op("BroadcastTo", detail::broadcast_to_rule, detail::broadcast_to_strides, detail::broadcast_to_gradient)
        .simplified_by(detail::simplify_broadcast);

}  // namespace ops

namespace detail {

// With these extents, of which a name stands for the axis of x that bears it, or with those of y.
template <const op& Op, index... E, class X>
constexpr auto call_with_extents(const X& x) {
  return call_with_found<Op, "shape">([](const shape& s) { return found_integers<sizeof...(E)>{{without_name(E, s)..., 0}, sizeof...(E)}; },
                                      x);
}
template <const op& Op, class X, class Y>
constexpr auto call_with_extents_of(const X& x, const Y& y) {
  constexpr auto extents_of_second = [](const shape&, const shape& s) {
    found_integers<max_rank> extents;
    for (int a = 0; a < s.rank; ++a) extents.push_back(product_of_axes(1, a));
    return extents;
  };
  return call_with_found<Op, "shape">(extents_of_second, x, y);
}

}  // namespace detail

/// The same elements in row-major order with other extents. One may be `jig::infer`; a name stands for the
/// axis of x that bears it.
/// Shape: (E...)
/// Errors: another number of elements is refused at compile time or throws invalid_argument.
template <index... E, Operand X>
constexpr auto reshape(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::call_with_extents<ops::reshape, E...>(x);
}

/// The elements of x with the extents of y, which may be wildcards.
/// Errors: another number of elements is refused at compile time or throws invalid_argument.
template <Operand X, Operand Y>
constexpr auto reshape_like(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return detail::call_with_extents_of<ops::reshape>(x, y);
}

/// All elements along one axis.
/// Shape: (n)
template <Operand X>
constexpr auto flatten(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return reshape<infer>(x);
}

/// x with one more axis of extent 1, which becomes number Axis.
template <index Axis, Operand X>
constexpr auto expand_dims(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::expand_dims, attributes<integer<"dim", Axis>>>(x);
}

/// x without axes of extent 1: these, or all whose extent is known at compile time to be 1.
/// Errors: another extent is refused at compile time or throws invalid_argument.
template <index... Axes, Operand X>
constexpr auto squeeze(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  if constexpr (sizeof...(Axes) > 0) {
    return call<ops::squeeze, attributes<integers<"squeeze_dims", Axes...>>>(x);
  } else {
    constexpr auto ones = [](const shape& of) {
      detail::found_integers<max_rank> axes;
      for (int a = 0; a < of.rank; ++a)
        if (of[a] == 1) axes.push_back(a);
      return axes;
    };
    return detail::call_with_found<ops::squeeze, "squeeze_dims">(ones, x);
  }
}

/// x repeated along axes where it has extent 1 or none. `jig::dyn` keeps the extent of x.
/// Shape: (E...)
/// Errors: extents that are neither 1 nor those of the target are refused at compile time or throw
/// invalid_argument.
template <index... E, Operand X>
constexpr auto broadcast_to(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::call_with_extents<ops::broadcast_to, E...>(x);
}

/// x repeated to the extents of y, which may be wildcards.
/// Errors: extents that are neither 1 nor those of y are refused at compile time or throw invalid_argument.
template <Operand X, Operand Y>
constexpr auto broadcast_like(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return detail::call_with_extents_of<ops::broadcast_to>(x, y);
}

}  // namespace jig
