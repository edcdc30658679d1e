// SPDX-License-Identifier: MIT
#pragma once
// Functions whose signatures have wildcards in place of extents: one trace serves all shapes of a rank.

#include <jig/eval/call.hpp>
#include <jig/runtime/dispatch.hpp>

namespace jig {

template <text Name, class F>
class function_object;

namespace detail {

struct relaxed_spec {
  template <class X>
  constexpr auto operator()(const X& x) const {
    if constexpr (is_spec<X> && !is_variable_spec<X>) return relaxed(x);
    else return x;
  }
  template <class T, index... E>
  static constexpr auto relaxed(spec<T, E...>) {
    return spec<T, (static_cast<void>(E), dyn)...>();
  }
};
template <class Key>
constexpr auto relaxed_key(const Key& key) {
  if constexpr (is_struct_key<Key>) return key;
  else return map_leaves(key, relaxed_spec());
}

}  // namespace detail

/// A function that is traced for wildcards in place of the extents of its arguments, but for those of variables. Of run-time
/// tensors, extents become wildcards when they change.
template <class Function>
class relaxed_function;
template <text Name, class F>
class relaxed_function<function_object<Name, F>> {
  using function_type = function_object<Name, F>;

 public:
  /// The signature that arguments of these types have.
  template <class... X>
  constexpr auto get_concrete_function(const X&...) const {
    return function_type().get_concrete_function(detail::relaxed_key(key_of<X>())...);
  }
  /// Runs the graph of that signature; see function_object.
  template <class... X>
  auto operator()(X&&... x) const {
    if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) {
      F lambda{};
      return detail::call_at_run_time(detail::run_time_signatures_of<relaxed_function>, Name.view(), {.relaxed = true}, lambda, x...);
    } else {
      return get_concrete_function(x...)(std::forward<X>(x)...);
    }
  }
  /// How many signatures the program has, those of the function itself included.
  static int experimental_get_tracing_count() {
    return function_type::experimental_get_tracing_count() + detail::run_time_signatures_of<relaxed_function>.count();
  }
};

}  // namespace jig
