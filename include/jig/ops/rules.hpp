// SPDX-License-Identifier: MIT
#pragma once
// Shape rules that many ops share, and the scalar half of the functions that meanings are written with.

#include <jig/graph/op.hpp>

#include <type_traits>

namespace jig {

namespace detail {

constexpr const char* wrong_kind(unsigned kinds_set) {
  switch (kinds_set) {
    case floats: return "the dtype must be floating, use jig::cast";
    case integers_only: return "the dtype must be an integer";
    case booleans: return "the dtype must be bool";
    case numbers: return "the dtype must be a number, use jig::cast";
    default: return "there is no such operation on this dtype";
  }
}

/// All inputs from `first` on have the same dtype, out of the given kinds.
constexpr void check_dtypes(rule_context& c, unsigned kinds_set, std::size_t first = 0) {
  for (std::size_t i = first; i < c.inputs.size(); ++i) {
    if (c.inputs[i].dtype != c.inputs[first].dtype) return c.fail("dtypes differ, convert one with jig::cast");
    if (!is_of(c.inputs[i].dtype, kinds_set)) return c.fail(wrong_kind(kinds_set));
  }
}

/// NumPy's broadcasting of two shapes.
constexpr shape broadcast(rule_context& c, const shape& a, const shape& b) {
  shape out;
  out.rank = a.rank > b.rank ? a.rank : b.rank;
  for (int back = 1; back <= out.rank; ++back) {
    index x = back <= a.rank ? a[a.rank - back] : 1;
    index y = back <= b.rank ? b[b.rank - back] : 1;
    out[out.rank - back] = c.broadcast(x, y);
  }
  return out;
}

constexpr shape broadcast_all(rule_context& c) {
  shape out = c.inputs[0].shape;
  for (std::size_t i = 1; i < c.inputs.size(); ++i) out = broadcast(c, out, c.inputs[i].shape);
  return out;
}

}  // namespace detail

/// Elementwise: one dtype in, the same out.
template <unsigned Kinds>
constexpr void elementwise_rule(rule_context& c) {
  detail::check_dtypes(c, Kinds);
  c.result = {c.inputs[0].dtype, detail::broadcast_all(c)};
}

/// Elementwise: one dtype in, bool out.
template <unsigned Kinds>
constexpr void predicate_rule(rule_context& c) {
  detail::check_dtypes(c, Kinds);
  c.result = {dtype::boolean, detail::broadcast_all(c)};
}

namespace detail {

constexpr index elements_of_first_input(const rule_context& c) { return c.inputs[0].shape.size(); }

// The scalar halves; batches find theirs by argument-dependent lookup.
template <class T>
constexpr T select(bool condition, const T& yes, const T& no) {
  return condition ? yes : no;
}
// Of two numbers of which one is NaN the second one.
template <class T>
constexpr T(max)(const T& x, const T& y) {
  return x > y ? x : y;
}
template <class T>
constexpr T(min)(const T& x, const T& y) {
  return x < y ? x : y;
}
// What is not true. Not with `!` of registers, which xsimd 8.1 does lane by lane for some dtypes, as `==` of truth values.
constexpr auto inverse(const auto& x) {
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(x)>, bool>) return !x;
  else return ~x;
}
// Whether something is a truth value, or a register of them.
template <class T>
inline constexpr bool is_truth = std::is_same_v<T, bool>;
template <class M>
  requires(!std::is_arithmetic_v<M> &&
           requires {
             typename M::batch_type;
             requires std::is_same_v<typename M::value_type, bool>;
           })
inline constexpr bool is_truth<M> = true;
template <class T, class U>
constexpr auto equal(const T& x, const U& y) {
  if constexpr (is_truth<T> && !std::is_same_v<T, bool>) return (x & y) | inverse(x | y);
  else return x == y;
}
// Whether a number, or what a register holds, is an integer.
template <class T>
inline constexpr bool has_integers = std::is_integral_v<T>;
template <class B>
  requires requires { typename B::value_type; }
inline constexpr bool has_integers<B> = std::is_integral_v<typename B::value_type>;

}  // namespace detail
}  // namespace jig
