// SPDX-License-Identifier: MIT
#pragma once
// Tensors that grow: by copies of themselves or by a value around them.

#include <jig/ops/create.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/strided_slice.hpp>

namespace jig {

namespace ops {

extern const op tile_sum, pad_like;

}  // namespace ops

namespace detail {

constexpr void tile_rule(rule_context& c) {
  shape out = c.inputs[0].shape;
  auto multiples = c.integers("multiples");
  if (multiples.size() != static_cast<std::size_t>(out.rank)) return c.fail("every axis needs a multiple");
  for (int a = 0; a < out.rank; ++a) {
    index m = multiples[static_cast<std::size_t>(a)];
    if (m < 0) return c.fail("a multiple must not be negative");
    out[a] = c.product(out[a], m);
  }
  c.result = {c.inputs[0].dtype, out};
}

// Reshape does not look at what further inputs hold.
constexpr void like_second_rule(rule_context& c) { c.result = {c.inputs[0].dtype, c.inputs[1].shape}; }
constexpr void tile_gradient(gradient_context& c) { c.give(0, c.call(ops::tile_sum, {c.full_adjoint(), c.input(0)})); }

constexpr void pad_rule(rule_context& c) {
  check_dtypes(c, anything);
  shape out = c.inputs[0].shape;
  auto paddings = c.integers("paddings");
  if (paddings.size() != 2 * static_cast<std::size_t>(out.rank)) return c.fail("every axis needs a padding before and one after");
  if (c.inputs[1].shape.rank != 0) return c.fail("the padding value must have rank 0");
  for (int a = 0; a < out.rank; ++a) {
    index before = paddings[2 * static_cast<std::size_t>(a)], after = paddings[2 * static_cast<std::size_t>(a) + 1];
    if (before < 0 || after < 0) return c.fail("a padding must not be negative");
    out[a] = c.sum(out[a], c.sum(before, after));
  }
  c.result = {c.inputs[0].dtype, out};
}

// The paddings leave as much of the shape of the third input as the first one has, or nothing.
constexpr void pad_like_rule(rule_context& c) {
  const shape &in = c.inputs[0].shape, &out = c.inputs[2].shape;
  auto paddings = c.integers("paddings");
  if (paddings.size() != 2 * static_cast<std::size_t>(out.rank)) return c.fail("every axis needs a padding before and one after");
  if (c.inputs[1].shape.rank != 0) return c.fail("the padding value must have rank 0");
  if (in.rank != 0 && in.rank != out.rank) return c.fail("what is padded has another rank");
  for (int a = 0; a < in.rank; ++a) {
    const auto k = 2 * static_cast<std::size_t>(a);
    c.equal(in[a], c.excess(out[a], paddings[k] + paddings[k + 1]), "the paddings do not lead to the shape");
  }
  c.result = {c.inputs[0].dtype, out};
}

inline constexpr index no_axes_kept[] = {0};
constexpr void pad_gradient(gradient_context& c) {
  list<index> paddings;  // those of the node move when the graph grows
  for (index n : c.integers("paddings")) paddings.push_back(n);
  auto inner = c.full_adjoint();
  for (int a = 0; a < c.spec(inner).shape.rank; ++a) {
    const auto at = 2 * static_cast<std::size_t>(a);
    if (paddings[at] != 0 || paddings[at + 1] != 0)
      inner = part_of_axis(c, inner, a, paddings[at], -paddings[at + 1], paddings[at + 1] == 0, false);
  }
  c.give(0, inner);
  if (!c.wants(1)) return;
  attribute_view with[] = {{"axes", attribute_kind::integers, {}}, {"keep_dims", attribute_kind::boolean, no_axes_kept}};
  c.give(1, c.call(ops::reduce_sum, {c.full_adjoint()}, with) - c.call(ops::reduce_sum, {inner}, with));
}

}  // namespace detail

namespace ops {

/// Attribute `multiples`.
inline constexpr op tile =
    detail::copying_op("Tile", detail::tile_rule, 0, detail::tile_gradient).making(made_ops<tile_sum>).taking({.moves = true});
/// Attribute `paddings`: before and after for each axis. Inputs: a tensor and the value to pad with.
inline constexpr op pad =
    detail::copying_op("PadV2", detail::pad_rule, 0, detail::pad_gradient).making(made_ops<strided_slice>).taking({.moves = true});
/// The first input, or copies of it if it has rank 0, with the second one around it, as large as the third one. Attribute `paddings`:
/// before and after for each axis. Where these are more than there is, nothing of the first input is left. Lowering makes it, gradients do
/// not.
inline constexpr op pad_like = detail::copying_op("PadLike", detail::pad_like_rule).taking({.moves = true, .shapes = 4});
/// The sums over all copies of each element in the first input, a Tile of the second.
inline constexpr op tile_sum = detail::copying_op("TileGrad", detail::like_second_rule).taking({.elements = numbers, .shapes = 2});

}  // namespace ops

template <>
struct kernel<ops::tile_sum> {
  template <class Attributes, class Out, class In, class Like>
  static void run(Attributes, const Out& out, const In& in, const Like&) {
    using T = typename Out::value_type;
    std::fill_n(out.data(), out.size(), T(0));
    index at[max_rank + 1] = {};
    const T* from = in.data();
    for (index n = in.size(); n > 0; --n) {
      index to = 0;
      for (int a = 0; a < out.rank(); ++a) to += at[a] % out.extent(a) * out.stride(a);
      out.data()[to] = static_cast<T>(out.data()[to] + *from);
      for (int a = out.rank(); a-- > 0;) {
        from += in.stride(a);
        if (++at[a] < in.extent(a)) break;
        from -= in.stride(a) * in.extent(a);
        at[a] = 0;
      }
    }
  }
};

/// Copies of x side by side, this many along each axis.
template <index... Multiples, Operand X>
constexpr auto tile(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::tile, attributes<integers<"multiples", Multiples...>>>(x);
}

/// x with a value around it: `pad<before0, after0, before1, after1, …>(x, value)`.
template <index... Paddings, Operand X, Operand V>
constexpr auto pad(const X& x, const V& value, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, value);
  return call<ops::pad, attributes<integers<"paddings", Paddings...>>>(x, value);
}
/// x with zeros around it.
template <index... Paddings, Operand X>
constexpr auto pad(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  if constexpr (is_refused<X>) return x;
  else return pad<Paddings...>(x, detail::number_beside(x, 0));
}

}  // namespace jig
