// SPDX-License-Identifier: MIT
#pragma once
// Elements and rows by their positions, which are values of the computation.

#include <jig/ops/positions.hpp>
#include <jig/ops/strided_slice.hpp>

namespace jig {

namespace ops {

extern const op gather_add, tensor_scatter_add;

}  // namespace ops

namespace detail {

constexpr void gather_rule(rule_context& c) {
  if (!is_integer(c.inputs[1].dtype)) return c.fail(indices_are_integers);
  const shape& from = c.inputs[0].shape;
  const shape& at = c.inputs[1].shape;
  int axis = c.axis(c.integer("axis"), from.rank);
  if (c.failed) return;
  const index batch = c.integer("batch_dims"), first = batch < 0 ? batch + at.rank : batch;
  if (first < 0 || first > at.rank) return c.fail("the indices have fewer axes than batch_dims says");
  if (first > axis) return c.fail("the axis must lie behind the batch_dims first ones");
  if (from.rank - 1 + at.rank - first > max_rank) return c.fail("a tensor has at most 8 axes");
  shape out;
  for (int a = 0; a < first; ++a) out.push_back(c.equal(from[a], at[a], "the batch axes of the indices differ from those of the tensor"));
  for (int a = static_cast<int>(first); a < axis; ++a) out.push_back(from[a]);
  for (int a = static_cast<int>(first); a < at.rank; ++a) out.push_back(at[a]);
  for (int a = axis + 1; a < from.rank; ++a) out.push_back(from[a]);
  c.result = {c.inputs[0].dtype, out};
}

constexpr void gather_nd_rule(rule_context& c) { c.result = {c.inputs[0].dtype, picked_shape(c, c.inputs[1], c.inputs[0].shape)}; }

constexpr void gather_gradient(gradient_context& c) { position_gradient(c, ops::gather_add); }
constexpr void gather_nd_gradient(gradient_context& c) { c.give_into(0, ops::tensor_scatter_add, {c.input(1), c.full_adjoint()}, {}); }

}  // namespace detail

namespace ops {

/// Attributes `axis` and, if it is not 0, `batch_dims`. Inputs: a tensor and positions along that axis, with as many first axes alike.
inline constexpr op gather = detail::picking_op("GatherV2", detail::gather_rule, 2, detail::gather_gradient)
                                 .making(made_ops<gather_add>)
                                 .taking({.moves = true, .positions = 2});
/// Inputs: a tensor and positions, whose last axis holds one number for each of the first axes.
inline constexpr op gather_nd = detail::indexing_op("GatherNd", detail::gather_nd_rule, 2, detail::gather_nd_gradient)
                                    .making(made_ops<tensor_scatter_add>)
                                    .taking({.moves = true, .positions = 2});

/// Adds the second input where GatherV2 with the third one and these attributes finds the elements of the first.
inline constexpr op gather_add = detail::adding_op("GatherGrad",
                                                   [](gradient_context& c) {
                                                     c.give(0, c.adjoint());
                                                     if (c.wants(1)) c.give(1, c.call_alike(gather, {c.full_adjoint(), c.input(2)}));
                                                   })
                                     .making(made_ops<gather>)
                                     .taking({.elements = numbers, .positions = 4});

}  // namespace ops

namespace detail {

// How many first axes of the indices are those of the tensor.
constexpr int batch_dims_in(stretch<index> given, int rank) {
  const index batch = given.empty() ? 0 : given[0];
  return static_cast<int>(batch < 0 ? batch + rank : batch);
}
template <class Attributes, class Indices>
[[gnu::always_inline]] constexpr int batch_dims_of(const Attributes& attributes, const Indices& indices) {
  return batch_dims_in(attribute_of<"batch_dims">(attributes).values, indices.rank());
}

// The part at one position, whose size may be a constant.
template <index Known, class T, class I>
[[gnu::always_inline]] inline void gather_part(T* to, const T* from, index size, index extent, int axis, I at) {
  const auto i = static_cast<index>(at);
  if (i < 0 || i >= extent) [[unlikely]]
    throw_bad_index("GatherV2", i, axis, extent);
  if constexpr (Known >= 0) copy_run<Known>(to, from + i * Known);
  else copy_run(to, from + i * size, size);
}
// The parts at the same positions of several rows: the positions are looked at once. Count is how many there are, or -1.
template <index Known, int Axis, index Count, class T, class I>
[[gnu::noinline]] void gather_of_rows(T* to, const T* from, index size, index extent, index outer, const I* at, index positions) {
  const index count = Count >= 0 ? Count : positions, part = Known >= 0 ? Known : size;
  // A few are held in registers.
  index offset[array_bound(Count)];
  for (index k = 0; k < count; ++k) {
    const auto i = static_cast<index>(at[k]);
    if (i < 0 || i >= extent) [[unlikely]]
      throw_bad_index("GatherV2", i, Axis, extent);
    if constexpr (Count > 0) offset[k] = i * part;
  }
  for (; outer > 0; --outer, from += extent * part, to += count * part) {
    // Compilers that make registers of several rows are slower.
    asm("" : "+r"(from));
#pragma GCC unroll 16
    for (index k = 0; k < count; ++k) {
      const index i = Count > 0 ? offset[k] : static_cast<index>(at[k]) * part;
      if constexpr (Known >= 0) copy_run<Known>(to + k * Known, from + i);
      else copy_run(to + k * part, from + i, part);
    }
  }
}
// The parts at many positions of dense memory.
template <index Known, class T, class I>
[[gnu::noinline]] void gather_parts(T* to, const T* from, index size, index extent, int axis, const I* at, index count) {
  constexpr index block = 8;
  index k = 0;
  if constexpr (Known >= 0 && Known <= 16)
    // One question for several positions.
    for (; k + block <= count; k += block, to += block * Known) {
      bool out_of_range = false;
#pragma GCC unroll 8
      for (index b = 0; b < block; ++b)
        out_of_range = out_of_range || static_cast<std::uint64_t>(at[k + b]) >= static_cast<std::uint64_t>(extent);
      if (out_of_range) [[unlikely]]
        break;
#pragma GCC unroll 8
      for (index b = 0; b < block; ++b) copy_run<Known>(to + b * Known, from + static_cast<index>(at[k + b]) * Known);
    }
  for (; k < count; ++k, to += size) gather_part<Known>(to, from, size, extent, axis, at[k]);
}

// How many positions there are along each axis, and how far apart these lie.
template <int Axes>
struct gathered_axes {
  index extent[array_bound(Axes)], stride[array_bound(Axes)];
};

// The element at a position whose number along axis A is number(A).
template <class T, class Numbers, int... A>
[[gnu::always_inline]] inline const T& gathered_element(const T* from, const gathered_axes<sizeof...(A)>& axes, const Numbers& number,
                                                        std::integer_sequence<int, A...>) {
  const index i[] = {static_cast<index>(number(std::integral_constant<int, A>()))...};
  if (((static_cast<std::uint64_t>(i[A]) >= static_cast<std::uint64_t>(axes.extent[A])) || ...)) [[unlikely]]
    for (int a = 0;; ++a)
      if (i[a] < 0 || i[a] >= axes.extent[a]) throw_bad_index("GatherNd", i[a], a, axes.extent[a]);
  return from[((i[A] * axes.stride[A]) + ...)];
}

// The axes of a tensor, all of them.
template <class In, int... A>
[[gnu::always_inline]] inline gathered_axes<sizeof...(A)> gathered_axes_of(const In& in, std::integer_sequence<int, A...>) {
  return {{in.extent(A)...}, {in.stride(A)...}};
}
// The elements at n positions whose numbers lie side by side.
template <class T, class I, int... A>
[[gnu::noinline]] void gather_positions(T* to, const T* from, index n, gathered_axes<sizeof...(A)> axes,
                                        std::integer_sequence<int, A...> numbers, const I* at) {
  for (; n > 0; --n, at += sizeof...(A)) *to++ = gathered_element(from, axes, [&](auto a) { return at[a]; }, numbers);
}

}  // namespace detail

template <>
struct kernel<ops::gather> {
  template <class Attributes, class T, index... OE, index... IE, class I, index... At>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, OE...>& out, const dense_view<const T, IE...>& in,
                                              const dense_view<const I, At...>& which) {
    constexpr int axis = detail::axis_attribute<Attributes>(sizeof...(IE));
    constexpr int batch = detail::batch_dims_in(find_attribute(Attributes::view(), "batch_dims").values, sizeof...(At));
    if constexpr (batch == 0) {
      find<axis, batch>(out.data(), in, in.data(), which, which.data());
    } else {
      const index positions = detail::elements_along(which, batch, sizeof...(At)), each = detail::elements_along(out, batch, sizeof...(OE)),
                  item = detail::elements_along(in, batch, sizeof...(IE));
      for (index k = 0, n = detail::elements_along(in, 0, batch); k < n; ++k)
        find<axis, batch>(out.data() + k * each, in, in.data() + k * item, which, which.data() + k * positions);
    }
  }
  template <class Attributes, class Out, class In, class Indices>
  static void run(Attributes attributes, const Out& out, const In& in, const Indices& indices) {
    const int axis = detail::axis_of(attributes, in), batch = detail::batch_dims_of(attributes, indices);
    const detail::part_shape part(in.shape(), in.strides(), axis + 1);
    const index extent = in.extent(axis), stride = in.stride(axis), batches = detail::elements_along(in, 0, batch),
                outer = detail::elements_along(in, batch, axis), count = detail::elements_along(indices, batch, indices.rank());
    auto* to = out.data();
    detail::element_cursor<Indices> first(indices), at = first;
    if (batches == 1 && outer == 1 && part.dense && (extent <= 1 || stride == part.size))
      return gather_apart<known_part<Attributes>(std::type_identity<In>())>(to, in.data(), part.size, extent, axis, at, count);
    for (index row = 0, b = 0; b < batches; ++b, first = at)
      // The rows of a batch have the same positions.
      for (index o = 0; o < outer; ++o, ++row) {
        index rest = row, offset = 0;
        for (int a = axis; a-- > 0;) {
          offset += rest % in.extent(a) * in.stride(a);
          rest /= in.extent(a);
        }
        at = first;
        for (index k = 0; k < count; ++k, to += part.size) {
          const auto i = static_cast<index>(at.next());
          if (i < 0 || i >= extent) detail::throw_bad_index("GatherV2", i, axis, extent);
          part.copy(to, in.data() + offset + i * stride);
        }
      }
  }

 private:
  // How many elements a part has, if types tell it; -1 if they do not.
  template <class Attributes>
  static constexpr index known_part(const auto&) {
    return -1;
  }
  template <class Attributes, class T, index... IE>
    requires requires { std::integral_constant<int, detail::axis_attribute<Attributes>(1)>(); }
  static constexpr index known_part(std::type_identity<view<T, IE...>>) {
    return detail::some_axes({sizeof...(IE), {IE...}}, detail::axis_attribute<Attributes>(sizeof...(IE)) + 1, sizeof...(IE)).size();
  }
  // Positions that lie apart are brought together, some at a time.
  template <index Known, class T, class Cursor>
  static void gather_apart(T* to, const T* from, index size, index extent, int axis, Cursor& at, index left) {
    constexpr index some = 64;
    index beside[some];
    for (; left > 0; left -= some) {
      const index count = left < some ? left : some;
      for (index k = 0; k < count; ++k) beside[k] = static_cast<index>(at.next());
      detail::gather_parts<Known>(to, from, size, extent, axis, beside, count);
      to += count * size;
    }
  }
  // The parts at the positions of one batch.
  template <int Axis, int Batch, class T, class I, index... IE, index... At>
  [[gnu::always_inline]] static void find(T* to, const dense_view<const T, IE...>& in, const T* from,
                                          const dense_view<const I, At...>& which, const I* at) {
    constexpr index known = detail::some_axes({sizeof...(IE), {IE...}}, Axis + 1, sizeof...(IE)).size();
    constexpr index outer = detail::some_axes({sizeof...(IE), {IE...}}, Batch, Axis).size();
    constexpr index count = detail::some_axes({sizeof...(At), {At...}}, Batch, sizeof...(At)).size();
    const index part = known >= 0 ? known : detail::elements_along(in, Axis + 1, sizeof...(IE)), extent = in.extent(Axis);
    if constexpr (outer == 1 && count == 1) {
      detail::gather_part<known>(to, from, part, extent, Axis, *at);
    } else if constexpr (outer == 1 && count >= 0 && count * (known < 0 ? detail::most_moves : known) <= detail::most_moves) {
      [&]<index... K>(std::integer_sequence<index, K...>) __attribute__((always_inline)) {
        (detail::gather_part<known>(to + K * part, from, part, extent, Axis, at[K]), ...);
      }(std::make_integer_sequence<index, count>());
    } else {
      const index n = detail::elements_along(in, Batch, Axis), positions = detail::elements_along(which, Batch, sizeof...(At));
      if constexpr (outer != 1) {
        constexpr index few = count >= 0 && count <= 16 ? count : -1;
        if (n > 1) return detail::gather_of_rows<known, Axis, few>(to, from, part, extent, n, at, positions);
      }
      if (n > 0) detail::gather_parts<known>(to, from, part, extent, Axis, at, positions);
    }
  }
};
template <>
struct kernel<ops::gather_nd> {
  template <class Attributes, class T, index... E, index... IE, class I, index... At>
    requires(sizeof...(IE) > 0 && detail::known_numbers<dense_view<const I, At...>> == sizeof...(IE))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, IE...>& in,
                                              const dense_view<const I, At...>& which) {
    constexpr std::make_integer_sequence<int, static_cast<int>(sizeof...(IE))> axes{};
    detail::gather_positions(out.data(), in.data(), out.size(), detail::gathered_axes_of(in, axes), axes, which.data());
  }
  template <class Attributes, class Out, class In, class Indices>
  static void run(Attributes, const Out& out, const In& in, const Indices& indices) {
    const detail::position_count positions(indices);
    const detail::part_shape part(in.shape(), in.strides(), positions.numbers);
    constexpr bool elements = detail::known_rank<In> >= 0 && detail::known_rank<In> == detail::known_numbers<Indices>;
    const auto* const from = in.data();
    auto* to = out.data();
    detail::with_cursors(
        [&](auto at) {
          detail::for_each_position("GatherNd", positions, at, in.shape(), in.strides(), [&](index offset) {
            if (elements) return void(*to++ = from[offset]);
            if (part.size == 1) *to = from[offset];
            else part.copy(to, from + offset);
            to += part.size;
          });
        },
        indices);
  }
};
template <>
struct kernel<ops::gather_add> {
  // One part along the first axis.
  template <class Attributes, class T, index... E, index... P, class I>
    requires(detail::axis_attribute<Attributes>(sizeof...(E)) == 0)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, E...>& in,
                                              const dense_view<const T, P...>& part, const dense_view<const I>& which) {
    detail::update_part("GatherGrad", out, in, which, part, detail::wrapping_add);
  }
  template <class Attributes, class Out, class In, class Part, class Indices>
  static void run(Attributes attributes, const Out& out, const In& in, const Part& part, const Indices& indices) {
    using T = typename Out::value_type;
    const int axis = detail::axis_of(attributes, out), batch = detail::batch_dims_of(attributes, indices);
    detail::copy_unless_there(out, in);
    const index batches = detail::elements_along(out, 0, batch), outer = detail::elements_along(out, batch, axis),
                extent = out.extent(axis), inner = detail::elements_along(out, axis + 1, out.rank()),
                count = detail::elements_along(indices, batch, indices.rank());
    T* rows = out.data();
    detail::with_cursors(
        [&](auto first, auto from) {
          auto at = first;
          for (index b = 0; b < batches; ++b, first = at)
            // The rows of a batch have the same positions.
            for (index o = 0; o < outer; ++o, rows += extent * inner) {
              at = first;
              for (index n = count; n > 0; --n) {
                const auto i = static_cast<index>(at.next());
                if (i < 0 || i >= extent) [[unlikely]]
                  detail::throw_bad_index("GatherGrad", i, axis, extent);
                T* const to = rows + i * inner;
                for (index k = 0; k < inner; ++k) to[k] = detail::wrapping_add(to[k], from.next());
              }
            }
        },
        indices, part);
  }
};

/// The parts of x at these positions along an axis: integers of any shape, or one number, whose axis goes. The first BatchDims axes of
/// both are the same, and each of their items has positions of its own: `gather<1, 1>(x, i)` of matrices picks elements of each row.
/// Shape: that of x with the axis replaced by the shape of the indices behind their batch axes
/// Errors: an index out of range, also a negative one, throws invalid_argument with the index. An axis among the batch axes is refused,
/// as are batch axes of other extents.
template <index Axis = 0, index BatchDims = 0, Operand X, Operand I>
constexpr auto gather(const X& x, const I& indices, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, indices);
  if constexpr (BatchDims == 0) return call<ops::gather, attributes<integer<"axis", Axis>>>(x, indices);
  else return call<ops::gather, attributes<integer<"axis", Axis>, integer<"batch_dims", BatchDims>>>(x, indices);
}

/// Part i of x along its first axis: what `x[i]` gives.
/// Errors: an index out of range, also a negative one, throws invalid_argument; a compile-time constant
/// (`jig::lit`) may count from the end, and is refused at compile time where the extent is known.
template <Operand X, Operand I>
constexpr auto element(const X& x, const I& i) {
  if constexpr (Constant<I>) return strided_slice<static_cast<index>(I::value)>(x);
  else return gather(x, i);
}

template <Operand X, std::derived_from<slice_range> I>
constexpr auto element(const X&, const I&) {
  return refuse_with<
      "element: one position; a range goes into x[range], or into x(i, j) beside a position, a range or jig::all for each other axis", X,
      I>();
}

/// Elements or rows of x at positions that the last axis of the indices holds, one number for each of the
/// first axes of x.
/// Shape: x, indices [..., k] -> [...] and the axes of x behind the first k
/// Errors: an index out of range throws invalid_argument with the index.
template <Operand X, Operand I>
constexpr auto gather_nd(const X& x, const I& indices, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, indices);
  return call<ops::gather_nd>(x, indices);
}

}  // namespace jig
