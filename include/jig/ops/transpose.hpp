// SPDX-License-Identifier: MIT
#pragma once
// Other orders: of the axes and of the elements along them.

#include <jig/ops/view.hpp>

namespace jig {

namespace ops {

extern const op transpose;

}  // namespace ops

namespace detail {

constexpr void transpose_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  auto order = c.integers("perm");
  if (order.size() != static_cast<std::size_t>(from.rank)) return c.fail("a permutation names every axis once");
  shape to;
  unsigned seen = 0;
  for (index listed : order) {
    int a = c.axis(listed, from.rank);
    seen |= 1u << a;
    to.push_back(from[a]);
  }
  if (seen != (1u << from.rank) - 1) return c.fail("a permutation names every axis once");
  c.result = {c.inputs[0].dtype, to};
}
constexpr taken_axis transpose_takes(stretch<attribute_view> attributes, int a, int rank) {
  int to = 0;
  for (const index from : find_attribute(attributes, "perm").values) {
    if ((from < 0 ? from + rank : from) == a) break;
    ++to;
  }
  return {whole_axis, to};
}

constexpr void simplify_transpose(simplification& s) {
  const edge x = s.inputs[0];
  const auto order = s.axes_of("perm");
  const int rank = s.result.shape.rank;
  const auto axis = [&](index a) { return a < 0 ? a + rank : a; };
  bool stays = true;
  for (int a = 0; a < rank; ++a) stays = stays && axis(order[static_cast<std::size_t>(a)]) == a;
  if (stays) return s.become_input(x);
  if (!s.is(x, s.kind)) return;
  const list<index> before = s.integers(x, "perm");
  list<index> both;
  for (index a : order) both.push_back(axis(before[axis(a)]));
  const edge from = s.input(x);
  const attribute_view with[] = {{"perm", attribute_kind::integers, both}};
  s.become(s.make(s.kind, s.result, {from}, with));
}

constexpr void transpose_gradient(gradient_context& c) {
  auto order = c.integers("perm");
  const auto rank = static_cast<index>(order.size());
  index back[max_rank] = {};
  for (index i = 0; i < rank; ++i) {
    const index a = order[static_cast<std::size_t>(i)];
    back[a < 0 ? a + rank : a] = i;
  }
  attribute_view with{"perm", attribute_kind::integers, {back, order.size()}};
  c.give(0, c.call(ops::transpose, {c.full_adjoint()}, {&with, 1}));
}

constexpr void reverse_rule(rule_context& c) {
  unsigned seen = 0;
  for (index listed : c.integers("axis")) {
    unsigned bit = 1u << c.axis(listed, c.inputs[0].shape.rank);
    if ((seen & bit) != 0) return c.fail("an axis is named twice");
    seen |= bit;
  }
  c.result = c.inputs[0];
}
constexpr taken_axis reverse_takes(stretch<attribute_view> attributes, int a, int rank) {
  axis_slice s = whole_axis;
  for (const index listed : find_attribute(attributes, "axis").values)
    if ((listed < 0 ? listed + rank : listed) == a) s.step = -1;
  return {s, a};
}

constexpr void simplify_reverse(simplification& s) {
  const edge x = s.inputs[0];
  const auto axes = [&](stretch<index> listed) {
    unsigned set = 0;
    for (index a : listed) set |= 1u << (a < 0 ? a + s.result.shape.rank : a);
    return set;
  };
  const unsigned own = axes(s.axes_of("axis"));
  if (own == 0) s.become(x);
  else if (s.is(x, s.kind) && axes(s.integers(x, "axis")) == own) s.become(s.input(x));
}

}  // namespace detail

namespace ops {

/// Attribute `perm`.
inline constexpr op transpose = detail::view_op<detail::transpose_takes>("Transpose", detail::transpose_rule, detail::transpose_gradient)
                                    .simplified_by(detail::simplify_transpose);
/// Attribute `axis`: several axes.
inline constexpr op reverse = detail::view_op<detail::reverse_takes>("ReverseV2", detail::reverse_rule, detail::view_again_gradient)
                                  .simplified_by(detail::simplify_reverse);

}  // namespace ops

/// The axes in another order: axis i of the result is axis Order[i] of x. Without an order they are reversed.
template <index... Order, Operand X>
constexpr auto transpose(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  if constexpr (sizeof...(Order) > 0) {
    return call<ops::transpose, attributes<integers<"perm", Order...>>>(x);
  } else {
    constexpr auto reversed = [](const shape& of) {
      detail::found_integers<max_rank> order;
      for (int a = of.rank; a-- > 0;) order.push_back(a);
      return order;
    };
    return detail::call_with_found<ops::transpose, "perm">(reversed, x);
  }
}

/// x with the order of elements reversed along these axes, or along all.
template <index... Axes, Operand X>
constexpr auto reverse(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  if constexpr (sizeof...(Axes) > 0) {
    return call<ops::reverse, attributes<integers<"axis", Axes...>>>(x);
  } else {
    constexpr auto every = [](const shape& of) {
      detail::found_integers<max_rank> axes;
      for (int a = 0; a < of.rank; ++a) axes.push_back(a);
      return axes;
    };
    return detail::call_with_found<ops::reverse, "axis">(every, x);
  }
}

}  // namespace jig
