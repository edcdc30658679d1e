// SPDX-License-Identifier: MIT
#pragma once
// Signatures: what a function's name and parameters are called, and which specs and literals key a trace.

#include <jig/adapt/structure.hpp>
#include <jig/trace/symbol.hpp>

namespace jig {

namespace detail {

constexpr std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

// Character by character, since GCC with -fsanitize=undefined cannot search the text of a template argument in constant
// evaluation.
constexpr std::size_t position_of(std::string_view s, char c, std::size_t from = 0) {
  for (std::size_t i = from; i < s.size(); ++i)
    if (s[i] == c) return i;
  return s.size();
}

/// The k-th parameter in `name(a, b)`, or an empty text.
constexpr std::string_view parameter(std::string_view declaration, std::size_t k) {
  std::size_t begin = position_of(declaration, '(') + 1;
  std::size_t end = position_of(declaration, ')');
  for (; begin < end; --k) {
    std::size_t stop = position_of(declaration, ',', begin);
    if (stop > end) stop = end;
    if (k == 0) return trimmed(declaration.substr(begin, stop - begin));
    begin = stop + 1;
  }
  return {};
}

constexpr std::size_t parameter_count(std::string_view declaration) {
  std::size_t n = 0;
  while (!parameter(declaration, n).empty()) ++n;
  return n;
}

}  // namespace detail

/// The name in `name(a, b)`; `function` when none was given.
constexpr std::string_view function_name(std::string_view declaration) {
  auto name = detail::trimmed(declaration.substr(0, detail::position_of(declaration, '(')));
  return name.empty() ? "function" : name;
}

/// The name of parameter k in `name(a, b)`; `args_k` when none was given.
constexpr message parameter_name(std::string_view declaration, std::size_t k) {
  message m;
  auto name = detail::parameter(declaration, k);
  if (name.empty()) m << "args_" << static_cast<index>(k);
  else m << name;
  return m;
}

namespace detail {

template <class X>
constexpr auto leaf_key(const X& x) {
  if constexpr (is_spec<X> || Constant<X>) return x;
  else if constexpr (std::is_convertible_v<const X&, const char*>) return spec<std::string>();
  else if constexpr (is_symbol<X>) return typename X::spec_type();
  else if constexpr (Argument<X>) return typename argument<X>::spec_type();
  else
    return refuse_with<"this argument is neither a tensor, number or literal nor a container or structure of them: "
                       "include its header from jig/adapt, or specialise jig::argument",
                       X>();
}

struct to_leaf_key {
  constexpr auto operator()(const auto& leaf) const { return leaf_key(leaf); }
};

}  // namespace detail

/// What an argument contributes to the key of a trace: its spec, its literal, or a structure of these.
template <class X>
using key_of = decltype(map_leaves(std::declval<const X&>(), detail::to_leaf_key()));

}  // namespace jig
