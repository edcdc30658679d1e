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
  const auto k = static_cast<int>(indices.extent(indices.rank() - 1));
  const index size = some_axes(out.shape(), k, out.rank()).size();
  element_cursor<Updates> update(updates);
  for_each_position(op, indices, out.shape(), out.strides(), [&](index offset) {
    for (index i = 0; i < size; ++i) {
      auto& to = out.data()[offset + i];
      to = combine(to, update.next());
    }
  });
}

}  // namespace detail

template <>
struct kernel<ops::scatter_nd> {
  template <class Attributes, class Out, class Indices, class Updates>
  static void run(Attributes, const Out& out, const Indices& indices, const Updates& updates) {
    using T = typename Out::value_type;
    std::fill_n(out.data(), out.size(), T(0));
    detail::scatter("ScatterNd", out, indices, updates, detail::wrapping_add<T>);
  }
};
template <>
struct kernel<ops::tensor_scatter_update> {
  template <class Attributes, class T, index... E, class I, index... U>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, 1, 1>& which, const dense_view<const T, U...>& updates) {
    detail::update_part("TensorScatterUpdate", out, in, which, updates, detail::take_update<T>);
  }
  template <class Attributes, class Out, class In, class Indices, class Updates>
  static void run(Attributes, const Out& out, const In& in, const Indices& indices, const Updates& updates) {
    using T = typename Out::value_type;
    detail::copy_unless_there(out, in);
    detail::scatter("TensorScatterUpdate", out, indices, updates, detail::take_update<T>);
  }
};
template <>
struct kernel<ops::tensor_scatter_add> {
  template <class Attributes, class T, index... E, class I, index... U>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, 1, 1>& which, const dense_view<const T, U...>& updates) {
    detail::update_part("TensorScatterAdd", out, in, which, updates, detail::wrapping_add<T>);
  }
  template <class Attributes, class Out, class In, class Indices, class Updates>
  static void run(Attributes, const Out& out, const In& in, const Indices& indices, const Updates& updates) {
    using T = typename Out::value_type;
    detail::copy_unless_there(out, in);
    detail::scatter("TensorScatterAdd", out, indices, updates, detail::wrapping_add<T>);
  }
};

/// Zeros to which updates are added at these positions; updates of one position add up.
/// Shape: (E...)
/// Errors: an index out of range throws invalid_argument with the index.
template <index... E, Operand I, Operand U>
constexpr auto scatter_nd(const I& indices, const U& updates) {
  return call<ops::scatter_nd, attributes<integers<"shape", E...>>>(indices, updates);
}

/// x with updates in place of what lies at these positions; the last update of one position stays.
/// Errors: an index out of range throws invalid_argument with the index.
template <Operand X, Operand I, Operand U>
constexpr auto tensor_scatter_update(const X& x, const I& indices, const U& updates) {
  return call<ops::tensor_scatter_update>(x, indices, updates);
}

/// x with updates added at these positions; updates of one position add up.
/// Errors: an index out of range throws invalid_argument with the index.
template <Operand X, Operand I, Operand U>
constexpr auto tensor_scatter_add(const X& x, const I& indices, const U& updates) {
  return call<ops::tensor_scatter_add>(x, indices, updates);
}

namespace detail {

// One index as the positions of a scatter, one number as a row; literals stay constants.
template <class I>
constexpr auto as_positions(const I& i) {
  if constexpr (world_of<I> == world::literal)
    return tensor<typename literal_element<I>::type, 1, 1>{{static_cast<typename literal_element<I>::type>(number_in(i))}};
  else return reshape<1, 1>(i);
}
template <class T, class R>
constexpr auto as_rows(const R& row) {
  if constexpr (world_of<R> != world::literal) return expand_dims<0>(row);
  else if constexpr (literal_joins<typename literal_element<R>::type, T>()) return tensor<T, 1>{static_cast<T>(number_in(row))};
  else return row;  // to be refused
}

// The same in a dynamic trace.
template <class Traced, class R>
auto dynamic_rows(const Traced& traced, dtype d, const R& row) {
  if constexpr (world_of<R> != world::literal) return expand_dims<0>(row);
  else if (literal_joins(dtype_of<typename literal_element<R>::type>, d)) return dynamic_constant(traced, d, number_in(row), 1);
  else throw_invalid_argument(literal_refusal(ops::tensor_scatter_update, d).view());
}

}  // namespace detail

/// x with another part at position i of its first axis.
/// Errors: an index out of range, also a negative one, throws invalid_argument with the index.
template <Operand X, Operand I, Operand R>
constexpr auto set_row(const X& x, const I& i, const R& row) {
  using T = typename detail::element_of_operand<X>::type;
  const auto& traced = detail::traced_one_of(x, i, row);
  if constexpr (detail::is_dynamic<X, I, R>) {
    // Constants are made by the call, in the order of its operands, but for a row, whose dtype the call cannot know.
    const auto positions = [&] {
      auto at = detail::as_positions(detail::beside(traced, i));
      if constexpr (world_of<R> == world::literal) return detail::as_dynamic(traced, at);
      else return at;
    }();
    return tensor_scatter_update(x, positions,
                                 detail::dynamic_rows(traced, detail::dtype_of_first(x, row, traced), detail::beside(traced, row)));
  } else return tensor_scatter_update(x, detail::as_positions(detail::beside(traced, i)), detail::as_rows<T>(detail::beside(traced, row)));
}

}  // namespace jig
