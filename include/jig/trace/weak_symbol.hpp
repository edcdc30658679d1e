// SPDX-License-Identifier: MIT
#pragma once
// Numbers that functions are called with, in a trace: they take the dtype of what they meet, as literals do.

#include <jig/ops/select.hpp>
#include <jig/trace/symbol.hpp>

namespace jig {

/// A traced number that a function was called with, or that was computed of such and of literals only. Beside another value it is
/// converted to the dtype of that one, as by `jig::cast`; alone it has its own. Assigned to, it stays one, with values of its dtype.
template <class T>
class weak_symbol : public symbol<T> {
 public:
  using symbol<T>::symbol;
  using symbol<T>::operator=;
  constexpr weak_symbol(const weak_symbol&) = default;
  constexpr weak_symbol& operator=(const weak_symbol&) = default;
  constexpr ~weak_symbol() = default;
};

template <class T>
inline constexpr bool is_symbol<weak_symbol<T>> = true;
template <class T>
inline constexpr world world_of<weak_symbol<T>> = world::traced;
template <class T>
inline constexpr bool is_value<weak_symbol<T>> = true;

namespace detail {

template <class T>
struct operand_spec<weak_symbol<T>> : operand_spec<symbol<T>> {};

template <class T, class Builder>
constexpr edge converted(Builder& b, const edge& e) {
  return b.graph.add(ops::cast, {dtype_of<T>, {}}, {&e, 1}, attributes<type_attribute<"DstT", dtype_of<T>>>::view());
}

}  // namespace detail

}  // namespace jig
