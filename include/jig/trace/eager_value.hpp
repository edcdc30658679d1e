// SPDX-License-Identifier: MIT
#pragma once
// Values of lambdas that run as they stand: what symbol is in a trace.

#include <jig/trace/variable_value.hpp>

namespace jig {

/// An argument of a lambda that runs as it stands, or what was computed of such: a variable_value that is never traced. What is done with
/// it records nothing, so that programs contain nothing of graphs for it.
template <class T, index... E>
class eager_value : public variable_value<T, E...> {
  using base = variable_value<T, E...>;

 public:
  using base::base;
  using base::operator=;
  eager_value(const eager_value&) = default;
  eager_value(eager_value&&) noexcept = default;
  eager_value& operator=(const eager_value&) & = default;
  eager_value& operator=(eager_value&&) & = default;
  /// As of a variable_value: `x[i] = v`.
  eager_value& operator=(const eager_value& x) && {
    static_cast<base&&>(*this) = static_cast<const base&>(x);
    return *this;
  }

  /// Parts, as of a variable_value.
  template <class I>
  auto operator[](const I& i) & {
    return detail::part_of_dual<true>(*this, i);
  }
  template <class I>
  auto operator[](const I& i) const& {
    return detail::value_of_dual_part<true>(*this, i);
  }
  template <class I>
  auto operator[](const I& i) && {
    return detail::part_of_dual_part<true>(*this, i);
  }
  template <class... I>
    requires(sizeof...(I) > 0)
  auto operator()(const I&... i) & {
    return detail::part_of_dual<false>(*this, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0 && !(std::convertible_to<I, index> && ...))
  auto operator()(const I&... i) const& {
    return detail::value_of_dual_part<false>(*this, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0 && !(std::convertible_to<I, index> && ...))
  auto operator()(const I&... i) && {
    return detail::part_of_dual_part<false>(*this, i...);
  }
  template <std::convertible_to<index>... I>
    requires(sizeof...(I) == sizeof...(E))
  const T& operator()(I... i) const {
    return this->value()(i...);
  }
};

template <class T, index... E>
inline constexpr bool is_variable_value<eager_value<T, E...>> = true;
template <class T, index... E>
inline constexpr bool is_value<eager_value<T, E...>> = true;

template <class T, index... E>
struct argument<eager_value<T, E...>> : argument<variable_value<T, E...>> {};

template <class T, index... E>
inline constexpr world world_of<eager_value<T, E...>> = world::dual;

namespace detail {

template <class T, index... E>
inline constexpr bool is_eager_value<eager_value<T, E...>> = true;

template <class T, index... E>
struct operand_spec<eager_value<T, E...>> : operand_spec<variable_value<T, E...>> {};

template <class T, index... E>
struct compound_assignment<eager_value<T, E...>> : compound_assignment<variable_value<T, E...>> {};
template <class T, index... E>
inline constexpr bool may_change<const eager_value<T, E...>> = false;

}  // namespace detail

}  // namespace jig
