// SPDX-License-Identifier: MIT
#pragma once
// Jacobians: the gradient of every element of a value, alone or in every place of a batch.

#include <jig/gradient.hpp>
#include <jig/ops/join.hpp>

#include <vector>

namespace jig {

namespace detail {

/// So many elements may a value have of which a Jacobian is taken: each of them adds a gradient to the graph.
inline constexpr index most_rows_of_jacobian = 32;

// `axes` are those in front that stay: none, or that of the batch.
constexpr bool has_jacobian(const shape& s, int axes) {
  index rows = s.rank < axes ? 0 : 1;
  for (int a = axes; a < s.rank; ++a) {
    if (!is_static_extent(s[a]) || s[a] > most_rows_of_jacobian) return false;
    rows *= s[a];
  }
  return rows > 0 && rows <= most_rows_of_jacobian;
}
inline constexpr text jacobian_refusal =
    "jacobian: the target needs from 1 to 32 elements, of known extents: take gradients of what is summed of it";
inline constexpr text batch_jacobian_refusal =
    "batch_jacobian: the target needs from 1 to 32 elements, of known extents, in every place of its first axis";
inline constexpr text batch_refusal = "batch_jacobian: the first axes of the target and of its sources must be one batch";

// Values, or structures of them, along a new axis.
template <int Axis, class X, class... More>
constexpr auto stack_leaves(const X& x, const More&... more) {
  using S = structure<X>;
  if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      constexpr auto leaf = []<std::size_t K>(const auto&... all) { return stack_leaves<Axis>(S::template get<K>(all)...); };
      return S::make(leaf.template operator()<I>(x, more...)...);
    }(std::make_index_sequence<S::size>());
  } else {
    return stack<Axis>(x, more...);
  }
}

template <int Axis, class Y, class X>
constexpr auto static_jacobian(const Y& y, const X& x) {
  if constexpr (operand_shape<Y>().rank == Axis) {
    return gradient(y, x);
  } else {
    return std::apply([&](const auto&... row) { return stack_leaves<Axis>(static_jacobian<Axis>(row, x)...); }, unstack<Axis>(y));
  }
}

// Defined in runtime/dynamic_gradient.hpp.
template <class Y>
void enter_kernels_of_jacobians();

template <int Axis, class Y, class X>
auto dynamic_jacobian(const Y& y, const X& x) {
  using made = decltype(gradient(y, x));
  if (y.rank() == Axis) return gradient(y, x);
  std::vector<made> rows;
  for (const auto& row : unstack<Axis>(y)) rows.push_back(dynamic_jacobian<Axis>(row, x));
  std::vector<list<edge>> leaves;
  for (const auto& row : rows) {
    std::size_t leaf = 0;
    for_each_leaf(row, [&](const auto& part) {
      if (leaf == leaves.size()) leaves.emplace_back();
      leaves[leaf++].push_back(part.place());
    });
  }
  std::size_t leaf = 0;
  const index axis = Axis;
  const attribute_view with[] = {{"axis", attribute_kind::integer, {&axis, 1}}};
  return map_leaves(rows[0], [&]<class L>(const L&) { return L(y.builder(), record_node(*y.builder(), ops::pack, leaves[leaf++], with)); });
}

template <int Axis, text Refusal, class Y, class X>
constexpr auto jacobian_behind(const Y& y, const X& x) {
  if constexpr (is_dynamic<Y>) {
    if (!has_jacobian(y.shape(), Axis)) throw_invalid_argument(Refusal.view());
    enter_kernels_of_jacobians<Y>();
    return dynamic_jacobian<Axis>(y, x);
  } else if constexpr (!has_jacobian(operand_shape<Y>(), Axis)) {
    return refuse_with<Refusal, Y>();
  } else {
    return static_jacobian<Axis>(y, x);
  }
}

constexpr bool is_one_batch(const shape& y, const shape& x) {
  return y.rank > 0 && x.rank > 0 && (x[0] == y[0] || !is_static_extent(x[0]) || !is_static_extent(y[0]));
}
// Whether the sources of a value whose shape the trace knows may have its first axis.
template <class Y, class X>
constexpr bool are_one_batch() {
  return []<class... L>(leaf_list<L...>) {
    return (is_one_batch(operand_shape<Y>(), operand_spec<L>::type::value().shape) && ...);
  }(leaves_of<X>());
}

}  // namespace detail

/// The Jacobian of y with respect to x: the gradients of all elements of y. Several sources, a structure of values or a struct of
/// variables give a structure of Jacobians. That of a gradient is a Hessian: `jacobian(gradient(y, x), x)`. In a function only.
/// Shape: that of y, and behind it that of x
/// Errors: as of gradient; a y of no elements, of more than 32, or of extents that the trace does not know is refused at compile time or
/// throws invalid_argument.
/// Cost: a gradient for each element of y, of which what they share is computed once.
template <class Y, class X>
constexpr auto jacobian(const Y& y, const X& x) {
  if constexpr (is_refused<decltype(gradient(y, x))>) return gradient(y, x);
  else return detail::jacobian_behind<0, detail::jacobian_refusal>(y, x);
}
template <class Y, class X, class... More>
  requires(sizeof...(More) > 0)
constexpr auto jacobian(const Y& y, const X& x, const More&... more) {
  return jacobian(y, std::tuple<const X&, const More&...>(x, more...));
}

/// The Jacobian in every place of a batch, where y in one place depends on x in that place alone: with respect to x, or a structure of
/// such sources. The batch may be a wildcard. In a function only.
/// Shape: [batch, y…] and [batch, x…] -> [batch, y…, x…]
/// Errors: as of gradient; first axes that the trace knows to differ, and a y that has in one place no elements, more than 32, or extents
/// that the trace does not know are refused at compile time or throw invalid_argument. That wildcards are one batch is not checked: the
/// result has that of x.
/// Cost: a gradient of the whole batch for each element of y in one place of it.
template <class Y, class X>
constexpr auto batch_jacobian(const Y& y, const X& x) {
  if constexpr (is_refused<decltype(gradient(y, x))>) {
    return gradient(y, x);
  } else if constexpr (detail::is_dynamic<Y> || detail::holds_dynamic<X>) {
    for_each_leaf(x, [&](const auto& leaf) {
      if (!detail::is_one_batch(y.spec().shape, detail::spec_now(leaf).shape)) detail::throw_invalid_argument(detail::batch_refusal.view());
    });
    return detail::jacobian_behind<1, detail::batch_jacobian_refusal>(y, x);
  } else if constexpr (!detail::are_one_batch<Y, X>()) {
    return refuse_with<detail::batch_refusal, Y, X>();
  } else {
    return detail::jacobian_behind<1, detail::batch_jacobian_refusal>(y, x);
  }
}
template <class Y, class X, class... More>
  requires(sizeof...(More) > 0)
constexpr auto batch_jacobian(const Y& y, const X& x, const More&... more) {
  return batch_jacobian(y, std::tuple<const X&, const More&...>(x, more...));
}

}  // namespace jig
