// SPDX-License-Identifier: MIT
#pragma once
// Numbers that functions are called with where the lambda runs as it stands: what weak_symbol is in a trace.

#include <jig/trace/dual_call.hpp>
#include <jig/trace/weak_symbol.hpp>

namespace jig {

/// A number that a function was called with, in an eager run, or what was computed of such and of literals only. Beside another value it
/// is converted to the dtype of that one, as by `jig::cast`.
template <class T>
class weak_value : public variable_value<T> {
 public:
  using variable_value<T>::variable_value;
  using variable_value<T>::operator=;
  constexpr weak_value(const weak_value&) = default;
  constexpr weak_value(weak_value&&) noexcept = default;
  constexpr weak_value& operator=(const weak_value&) = default;
  constexpr weak_value& operator=(weak_value&&) = default;
  constexpr ~weak_value() = default;
};

template <class T>
inline constexpr bool is_variable_value<weak_value<T>> = true;

template <class T>
struct argument<weak_value<T>> : argument<variable_value<T>> {};

template <class T>
inline constexpr world world_of<weak_value<T>> = world::dual;
template <class T>
inline constexpr bool is_value<weak_value<T>> = true;

namespace detail {

template <class T>
struct operand_spec<weak_value<T>> : operand_spec<variable_value<T>> {};

}  // namespace detail

}  // namespace jig
