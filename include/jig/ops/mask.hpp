// SPDX-License-Identifier: MIT
#pragma once
// What bool tensors pick. How much that is only the run tells, so the first extent of these results is a wildcard.

#include <jig/ops/einsum.hpp>
#include <jig/ops/index.hpp>

namespace jig {

namespace detail {

constexpr void where_rule(rule_context& c) {
  check_dtypes(c, booleans);
  shape out;
  out.push_back(c.up_to(number_of_elements(c, c.inputs[0].shape)));
  out.push_back(c.inputs[0].shape.rank);
  c.result = {dtype::int64, out};
}

}  // namespace detail

namespace ops {

inline constexpr op where = detail::copying_op("Where", detail::where_rule).taking({.elements = booleans, .results = {result_kind::int64}});

}  // namespace ops

template <>
struct kernel<ops::where> {
  template <class Attributes, class Out, class In>
  static index run(Attributes, const Out& out, const In& in) {
    std::int64_t at[max_rank] = {};
    auto* to = out.data();
    index found = 0;
    detail::for_each_element(in, [&](bool picked) {
      if (picked) {
        for (int a = 0; a < in.rank(); ++a) *to++ = at[a];
        ++found;
      }
      for (int a = in.rank(); a-- > 0;) {
        if (++at[a] < in.extent(a)) break;
        at[a] = 0;
      }
    });
    return found;
  }
};

/// The positions where the condition is true, in row-major order.
/// Shape: [...] -> (None, number of axes)
template <Operand C>
constexpr auto where(const C& condition) {
  return call<ops::where>(condition);
}

namespace detail {

// The first axes as one.
template <int Axes, class X>
constexpr decltype(auto) with_joined_axes(const X& x) {
  if constexpr (Axes == 1) {
    return (x);
  } else {
    constexpr extent_list extents = [] {
      shape s = operand_shape<X>();
      extent_list e;
      e.push_back(listed_product(s, 0, 0, Axes));
      for (int a = Axes; a < s.rank; ++a) e.push_back(listed_product(s, 0, a, 1));
      return e;
    }();
    return reshaped<extents>(x);
  }
}

inline constexpr text mask_refusal = "boolean_mask: the axes of the mask must be the first ones of the tensor";

// The same in a dynamic trace.
template <class X>
X with_joined_axes(const X& x, int axes) {
  if (axes == 1) return x;
  const shape s = x.shape();
  list<index> extents{listed_product(s, 0, 0, axes)};
  for (int a = axes; a < s.rank; ++a) extents.push_back(listed_product(s, 0, a, 1));
  return call_with_integers<ops::reshape>("shape", extents, x);
}
template <class X, class M>
auto dynamic_mask(const X& x, const M& mask) {
  const int axes = shape_now(mask).rank;
  if (axes == 0 || axes > shape_now(x).rank) throw_invalid_argument(mask_refusal.view());
  list<index> same;
  for (int a = 0; a < axes; ++a) {
    same.push_back(a);
    same.push_back(a);
  }
  const auto checked = call_with_integers<ops::ensure_shape>("axes", same, x, mask);
  const auto parts = with_joined_axes(checked, axes);
  const auto chosen = as_dynamic(traced_one_of(x, mask), mask);
  return gather(parts, squeeze<1>(where(with_joined_axes(chosen, axes))));
}

}  // namespace detail

/// The parts of x for which the mask, whose axes are the first ones of x, is true.
/// Shape: x [m..., rest...], mask [m...] -> (None, rest...)
/// Errors: extents that differ are refused at compile time or throw invalid_argument.
template <Operand X, Operand M>
constexpr auto boolean_mask(const X& x, const M& mask) {
  constexpr int axes = detail::operand_shape<M>().rank;
  if constexpr (is_refused<X> || is_refused<M>) {
    return detail::first_refused(x, mask);
  } else if constexpr (detail::is_dynamic<X, M>) {
    return detail::dynamic_mask(x, mask);
  } else if constexpr (axes == 0 || axes > detail::operand_shape<X>().rank) {
    return refuse_with<detail::mask_refusal, X, M>();
  } else {
    return [&]<std::size_t... A>(std::index_sequence<A...>) {
      using same = attributes<integers<"axes", static_cast<index>(A / 2)...>>;
      const auto& traced = detail::traced_one_of(x, mask);
      auto parts = detail::with_joined_axes<axes>(call<ops::ensure_shape, same>(x, mask));
      return gather(parts, squeeze<1>(where(detail::with_joined_axes<axes>(detail::beside(traced, mask)))));
    }(std::make_index_sequence<static_cast<std::size_t>(2 * axes)>());
  }
}

}  // namespace jig
