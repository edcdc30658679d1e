// SPDX-License-Identifier: MIT
#pragma once
// Elements and rows that are put or added at positions, which are values of the computation.

#include <jig/ops/create.hpp>
#include <jig/ops/gather.hpp>
#include <jig/ops/reshape.hpp>

namespace jig {

namespace ops {

extern const op tensor_scatter_update;

}  // namespace ops

namespace detail {

constexpr void scatter_nd_rule(rule_context& c) {
  shape out;
  auto listed = c.integers("shape");
  if (listed.size() > static_cast<std::size_t>(max_rank)) return c.fail("a tensor has at most 8 axes");
  for (index e : listed) {
    if (!is_static_extent(e)) return c.fail("the extents of the result must be known at compile time");
    out.push_back(e);
  }
  check_dtypes(c, numbers, 1);
  check_updates(c, c.inputs[0], c.inputs[1].shape, out);
  c.result = {c.inputs[1].dtype, out};
}

template <unsigned Kinds>
constexpr void tensor_scatter_rule(rule_context& c) {
  if (c.inputs[0].dtype != c.inputs[2].dtype) return c.fail("dtypes differ, convert one with jig::cast");
  check_dtypes(c, Kinds, 2);
  check_updates(c, c.inputs[1], c.inputs[2].shape, c.inputs[0].shape);
  c.result = c.inputs[0];
}

constexpr void scatter_nd_gradient(gradient_context& c) { c.give(1, c.call(ops::gather_nd, {c.full_adjoint(), c.input(0)})); }
constexpr void scatter_update_gradient(gradient_context& c) {
  auto g = c.full_adjoint();
  // Read before it is overwritten, so that this may happen in place.
  auto parts = c.call(ops::gather_nd, {g, c.input(1)});
  if (c.wants(2)) c.give(2, parts);
  if (c.wants(0)) c.give(0, c.call(ops::tensor_scatter_update, {g, c.input(1), c.zeros_like(parts)}));
}
constexpr void scatter_add_gradient(gradient_context& c) {
  c.give(0, c.adjoint());
  if (c.wants(2)) c.give(2, c.call(ops::gather_nd, {c.full_adjoint(), c.input(1)}));
}

}  // namespace detail

namespace ops {

/// Attribute `shape`. Inputs: positions as for GatherNd, and what is added there.
inline constexpr op scatter_nd = detail::indexing_op("ScatterNd", detail::scatter_nd_rule, 1, detail::scatter_nd_gradient)
                                     .making(made_ops<gather_nd>)
                                     .taking({.elements = numbers, .positions = 1});
/// Inputs: a tensor, positions as for GatherNd, and what is put there.
inline constexpr op tensor_scatter_update =
    detail::updating_op("TensorScatterUpdate", detail::tensor_scatter_rule<anything>, detail::scatter_update_gradient)
        .making(made_ops<gather_nd>)
        .taking({.moves = true, .positions = 2});
/// Inputs: a tensor, positions as for GatherNd, and what is added there.
inline constexpr op tensor_scatter_add =
    detail::updating_op("TensorScatterAdd", detail::tensor_scatter_rule<numbers>, detail::scatter_add_gradient)
        .making(made_ops<gather_nd>)
        .taking({.elements = numbers, .positions = 2});

}  // namespace ops

namespace detail {

// Combines the updates with the elements of a dense tensor at these positions, one update after the other.
template <class Out, class Indices, class Updates, class Combine>
void scatter(std::string_view op, const Out& out, const Indices& indices, const Updates& updates, Combine&& combine) {
  const position_count positions(indices);
  constexpr bool elements = known_rank<Out> >= 0 && known_rank<Out> == known_numbers<Indices>;
  const index size = some_axes(out.shape(), positions.numbers, out.rank()).size();
  auto* const to = out.data();
  with_cursors(
      [&](auto at, auto update) {
        for_each_position(op, positions, at, out.shape(), out.strides(), [&](index offset) {
          if constexpr (elements) to[offset] = combine(to[offset], update.next());
          else
            for (index i = 0; i < size; ++i) to[offset + i] = combine(to[offset + i], update.next());
        });
      },
      indices, updates);
}

}  // namespace detail

template <>
struct kernel<ops::scatter_nd> {
  template <class Attributes, class Out, class Indices, class Updates>
  static void run(Attributes, const Out& out, const Indices& indices, const Updates& updates) {
    std::fill_n(out.data(), out.size(), typename Out::value_type(0));
    detail::scatter("ScatterNd", out, indices, updates, detail::wrapping_add);
  }
};
template <>
struct kernel<ops::tensor_scatter_update> {
  template <class Attributes, class T, index... E, class I, index... U>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, 1, 1>& which, const dense_view<const T, U...>& updates) {
    detail::update_part("TensorScatterUpdate", out, in, which, updates, detail::take_update);
  }
  template <class Attributes, class Out, class In, class Indices, class Updates>
  static void run(Attributes, const Out& out, const In& in, const Indices& indices, const Updates& updates) {
    detail::copy_unless_there(out, in);
    detail::scatter("TensorScatterUpdate", out, indices, updates, detail::take_update);
  }
};
template <>
struct kernel<ops::tensor_scatter_add> {
  template <class Attributes, class T, index... E, class I, index... U>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, 1, 1>& which, const dense_view<const T, U...>& updates) {
    detail::update_part("TensorScatterAdd", out, in, which, updates, detail::wrapping_add);
  }
  template <class Attributes, class Out, class In, class Indices, class Updates>
  static void run(Attributes, const Out& out, const In& in, const Indices& indices, const Updates& updates) {
    detail::copy_unless_there(out, in);
    detail::scatter("TensorScatterAdd", out, indices, updates, detail::wrapping_add);
  }
};

/// Zeros to which updates are added at these positions; updates of one position add up.
/// Shape: (E...)
/// Errors: an index out of range throws invalid_argument with the index.
template <index... E, Operand I, Operand U>
constexpr auto scatter_nd(const I& indices, const U& updates, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, indices, updates);
  return call<ops::scatter_nd, attributes<integers<"shape", E...>>>(indices, updates);
}

/// x with updates in place of what lies at these positions; the last update of one position stays. As in TensorFlow, its gradient goes to
/// all of them.
/// Errors: an index out of range throws invalid_argument with the index.
template <Operand X, Operand I, Operand U>
constexpr auto tensor_scatter_update(const X& x, const I& indices, const U& updates, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, indices, updates);
  return call<ops::tensor_scatter_update>(x, indices, updates);
}

/// x with updates added at these positions; updates of one position add up.
/// Errors: an index out of range throws invalid_argument with the index.
template <Operand X, Operand I, Operand U>
constexpr auto tensor_scatter_add(const X& x, const I& indices, const U& updates, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, indices, updates);
  return call<ops::tensor_scatter_add>(x, indices, updates);
}

namespace detail {

constexpr void expand_set_row(expansion& c) {
  const index one[] = {1, 1}, first = 0;
  const attribute_view along{"dim", attribute_kind::integer, {&first, 1}};
  const edge positions = c.call(ops::reshape, {c.input(1)}, "shape", one), rows = c.call(ops::expand_dims, {c.input(2)}, {&along, 1});
  c.give(c.call(ops::tensor_scatter_update, {c.input(0), positions, rows}));
}

}  // namespace detail

namespace ops {

/// Inputs: a tensor, a position along its first axis, and the part that is put there.
inline constexpr op set_row{.name = "SetRow",
                            .label = "set_row",
                            .facts = fact::composite,
                            .free_inputs = 2,
                            .makes = made_ops<reshape, expand_dims, tensor_scatter_update>,
                            .expand = detail::expand_set_row};

}  // namespace ops

/// x with another part at position i of its first axis.
/// Errors: an index out of range, also a negative one, throws invalid_argument with the index.
template <Operand X, Operand I, Operand R>
constexpr auto set_row(const X& x, const I& i, const R& row, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, i, row);
  return call<ops::set_row>(x, i, row);
}

}  // namespace jig
