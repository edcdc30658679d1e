// SPDX-License-Identifier: MIT
#pragma once
// Parts of a tensor that begin at a position which is a value of the computation.

#include <jig/ops/positions.hpp>

namespace jig {

namespace ops {

extern const op slice, slice_update, slice_add;

}  // namespace ops

namespace detail {

constexpr void slice_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  const tensor_spec& begin = c.inputs[1];
  auto sizes = c.integers("size");
  if (!is_integer(begin.dtype)) return c.fail("the begin of a slice must be integers");
  if (sizes.size() != static_cast<std::size_t>(from.rank)) return c.fail("a slice needs a size for every axis");
  if (begin.shape.rank > 1 || (begin.shape.rank == 0 && from.rank != 1)) return c.fail("the begin of a slice has one axis");
  if (begin.shape.rank == 1) c.equal(begin.shape[0], from.rank, "a slice needs a begin for every axis");
  shape out;
  for (int a = 0; a < from.rank; ++a) {
    index size = sizes[static_cast<std::size_t>(a)];
    if (size == dyn) {
      out.push_back(from[a]);
      continue;
    }
    if (size < 0) return c.fail("the size of a slice must not be negative");
    if (c.difference(from[a], size) < 0 && is_static_extent(from[a])) return c.fail("the slice is longer than its axis");
    out.push_back(size);
  }
  c.result = {c.inputs[0].dtype, out};
}

constexpr void slice_update_rule(rule_context& c) {
  slice_rule(c);
  const shape part = c.result.shape, &update = c.inputs[2].shape;
  c.result = c.inputs[0];
  if (c.failed) return;
  if (c.inputs[0].dtype != c.inputs[2].dtype) return c.fail("dtypes differ, convert one with jig::cast");
  if (update.rank != part.rank) return c.fail("the update does not have the shape of the slice");
  for (int a = 0; a < part.rank; ++a) c.equal(part[a], update[a], "the update does not have the shape of the slice");
}

constexpr void slice_gradient(gradient_context& c) { position_gradient(c, ops::slice_add); }
constexpr void slice_update_gradient(gradient_context& c) {
  auto g = c.full_adjoint();
  // Read before it is overwritten, so that this may happen in place.
  auto part = c.call_alike(ops::slice, {g, c.input(1)});
  if (c.wants(2)) c.give(2, part);
  if (c.wants(0)) c.give(0, c.call_alike(ops::slice_update, {g, c.input(1), c.zeros_like(part)}));
}

}  // namespace detail

namespace ops {

/// Attribute `size`: extents, -1 for a whole axis. Inputs: a tensor and the first position along each axis.
inline constexpr op slice = detail::indexing_op("Slice", detail::slice_rule, 2, detail::slice_gradient)
                                .making(made_ops<slice_add>)
                                .taking({.moves = true, .positions = 2});
/// Attribute `size`, as that of Slice. Inputs: a tensor, the first position along each axis, and what is put there.
inline constexpr op slice_update = detail::updating_op("SliceUpdate", detail::slice_update_rule, detail::slice_update_gradient)
                                       .making(made_ops<slice>)
                                       .taking({.moves = true, .positions = 2});
/// The same for Slice and its begin.
inline constexpr op slice_add = detail::adding_op("SliceGrad",
                                                  [](gradient_context& c) {
                                                    c.give(0, c.adjoint());
                                                    if (c.wants(1)) c.give(1, c.call_alike(slice, {c.full_adjoint(), c.input(2)}));
                                                  })
                                    .making(made_ops<slice>)
                                    .taking({.elements = numbers, .positions = 4});

}  // namespace ops

template <>
struct kernel<ops::slice> {
  // A single element.
  template <class Attributes, class T, index... O, index... E, class I>
    requires(sizeof...(O) == sizeof...(E) && ((O == 1) && ...))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, O...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, static_cast<index>(sizeof...(E))>& begin) {
    *out.data() = in.data()[detail::offset_of_element(in, begin)];
  }
  template <class Attributes, class Out, class In, class Begin>
  static void run(Attributes, const Out& out, const In& in, const Begin& begin) {
    index offset = 0;
    int axis = 0;
    detail::for_each_element(begin, [&](auto value) {
      auto i = static_cast<index>(value);
      index size = out.extent(axis), extent = in.extent(axis);
      if (i < 0 || i > extent - size) detail::throw_bad_slice(i, size, axis, extent);
      offset += i * in.stride(axis);
      ++axis;
    });
    if (out.size() > 0) detail::copy_strided(out.data(), out.strides(), in.data() + offset, in.strides(), out.shape());
  }
};
template <>
struct kernel<ops::slice_add> {
  template <class Attributes, class Out, class In, class Part, class Begin>
  static void run(Attributes, const Out& out, const In& in, const Part& part, const Begin& begin) {
    detail::copy_unless_there(out, in);
    index offset = 0;
    int axis = 0;
    detail::for_each_element(begin, [&](auto value) {
      const auto i = static_cast<index>(value);
      if (i < 0 || i > out.extent(axis) - part.extent(axis)) detail::throw_bad_slice(i, part.extent(axis), axis, out.extent(axis));
      offset += i * out.stride(axis++);
    });
    detail::add_strided(out.data() + offset, out.strides(), part);
  }
};
template <>
struct kernel<ops::slice_update> {
  // A single element.
  template <class Attributes, class T, index... E, class I, index... U>
    requires(sizeof...(E) == sizeof...(U) && ((U == 1) && ...))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const I, static_cast<index>(sizeof...(E))>& begin,
                                              const dense_view<const T, U...>& update) {
    const index at = detail::offset_of_element(out, begin);
    if (in.data() != out.data()) std::copy_n(in.data(), out.size(), out.data());
    out.data()[at] = *update.data();
  }
  template <class Attributes, class Out, class In, class Begin, class Update>
  static void run(Attributes, const Out& out, const In& in, const Begin& begin, const Update& update) {
    detail::copy_unless_there(out, in);
    index offset = 0;
    int axis = 0;
    detail::for_each_element(begin, [&](auto value) {
      const auto i = static_cast<index>(value);
      if (i < 0 || i > out.extent(axis) - update.extent(axis)) detail::throw_bad_slice(i, update.extent(axis), axis, out.extent(axis));
      offset += i * out.stride(axis++);
    });
    if (update.size() > 0) detail::copy_strided(out.data() + offset, out.strides(), update.data(), update.strides(), update.shape());
  }
};

/// The part of x that begins at a position for each axis and has these extents; `jig::dyn` stands for a whole
/// axis.
/// Shape: (Sizes...)
/// Errors: a slice that does not lie within x is refused at compile time or throws invalid_argument.
template <index... Sizes, Operand X, Operand B>
constexpr auto slice(const X& x, const B& begin, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, begin);
  return call<ops::slice, attributes<integers<"size", Sizes...>>>(x, begin);
}

/// x with another part in place of the one that `slice<Sizes...>(x, begin)` gives.
/// Shape: that of x
/// Errors: a slice that does not lie within x, or an update of another shape than it, is refused at compile time or throws
/// invalid_argument.
template <index... Sizes, Operand X, Operand B, Operand U>
constexpr auto slice_update(const X& x, const B& begin, const U& update, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, begin, update);
  return call<ops::slice_update, attributes<integers<"size", Sizes...>>>(x, begin, update);
}

}  // namespace jig
