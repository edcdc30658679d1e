// SPDX-License-Identifier: MIT
#pragma once
// Arguments by name: `f(jig::arg<"x"> = x)` for a function that was made with the names of its parameters.

#include <jig/core/error.hpp>
#include <jig/trace/signature.hpp>

#include <array>
#include <tuple>

namespace jig {

namespace detail {

/// An argument with the name of its parameter. It refers to the argument, as the call does.
template <text Name, class X>
struct named_argument {
  X&& value;
};
template <class>
inline constexpr bool is_named_argument = false;
template <text Name, class X>
inline constexpr bool is_named_argument<named_argument<Name, X>> = true;

template <class>
inline constexpr std::string_view name_given = "";
template <text Name, class X>
inline constexpr std::string_view name_given<named_argument<Name, X>> = Name.view();

/// What is named in front of it.
template <text Name>
struct named_parameter {
  template <class X>
  constexpr named_argument<Name, X> operator=(X&& x) const {
    return {static_cast<X&&>(x)};
  }
};

// Which argument each parameter has, in the order of the parameters; or what is wrong.
template <std::size_t N>
struct argument_order {
  std::array<std::size_t, N> from{};
  message wrong;
};
constexpr message list_of_parameters(std::string_view declaration) {
  message m;
  for (std::size_t k = 0; k < parameter_count(declaration); ++k) m << (k == 0 ? "" : ", ") << parameter(declaration, k);
  return m;
}
template <std::size_t N>
constexpr argument_order<N> order_of_arguments(std::string_view declaration, const std::array<std::string_view, N>& given) {
  argument_order<N> out;
  std::array<bool, N> set{};
  bool named = false;
  const auto refuse = [&](std::string_view what, std::string_view name, const char* then) {
    if (out.wrong.length == 0) out.wrong << function_name(declaration) << ": " << what << name << then;
    return out;
  };
  for (std::size_t i = 0; i < N; ++i) {
    if (given[i].empty() && named) return refuse("an argument without a name follows one with a name", "", "");
    named = named || !given[i].empty();
    std::size_t k = i;
    if (!given[i].empty()) {
      for (k = 0; k < parameter_count(declaration) && parameter(declaration, k) != given[i];) ++k;
      if (k == parameter_count(declaration)) {
        refuse("there is no parameter ", given[i], "");
        if (k > 0) out.wrong << "; there are " << list_of_parameters(declaration).view();
        return out;
      }
    }
    if (k >= N) return refuse("too few arguments for the parameter ", given[i], " to have one");
    if (set[k]) return refuse("two arguments for the parameter ", given[i], "");
    set[k] = true;
    out.from[k] = i;
  }
  return out;
}
template <text Name, class... X>
inline constexpr auto named_order =
    order_of_arguments<sizeof...(X)>(Name.view(), std::array<std::string_view, sizeof...(X)>{name_given<std::remove_cvref_t<X>>...});
template <text Name, class... X>
struct order_reason {
  static constexpr message sentence = named_order<Name, X...>.wrong;
};

template <class X>
constexpr decltype(auto) value_of_argument(X& x) {
  if constexpr (is_named_argument<std::remove_cvref_t<X>>) return static_cast<decltype(x.value)&&>(x.value);
  else return (x);
}

/// Calls `f` with the arguments in the order of the parameters that Name declares.
template <text Name, class F, class... X>
constexpr auto call_by_name(const F& f, X&&... x) {
  if constexpr (named_order<Name, X...>.wrong.length > 0) {
    return refuse<order_reason<Name, X...>>();
  } else {
    const std::tuple<X&...> all(x...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return f(value_of_argument(std::get<named_order<Name, X...>.from[I]>(all))...);
    }(std::index_sequence_for<X...>());
  }
}

template <class... X>
inline constexpr bool any_named = (is_named_argument<std::remove_cvref_t<X>> || ...);

}  // namespace detail

/// An argument by the name of its parameter: `f(1.0f, jig::arg<"b"> = 2.0f)` for f made by `jig::function<"f(a, b)">`. Those with names
/// follow those without, in any order; `into` and concrete functions take them too.
/// Errors: a name that there is not, or twice, is refused at compile time.
template <text Name>
inline constexpr detail::named_parameter<Name> arg{};

}  // namespace jig
