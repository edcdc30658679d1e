// SPDX-License-Identifier: MIT
#pragma once
// Functions with a limit on their signatures, for programs in which an argument that makes many of them would be a mistake.

#include <jig/eval/call.hpp>
#include <jig/runtime/dispatch.hpp>

namespace jig {

template <text Name, class F>
class function_object;

/// A function that refuses to run when the program has more than `Most` signatures of it. Those of static arguments are all known
/// before main begins; those of run-time tensors are counted as they come.
template <class Function, int Most>
class capped_function;
template <text Name, class F, int Most>
class capped_function<function_object<Name, F>, Most> {
  using function_type = function_object<Name, F>;

  [[noreturn, gnu::cold, gnu::noinline]] static void refuse() {
    message m;
    m << function_name(Name.view()) << ": max_traces: the limit of " << static_cast<index>(Most) << " is exceeded:\n";
    throw invalid_argument(std::string(m.view()) + function_type::pretty_printed_concrete_signatures());
  }
  static void check_traces() {
    if (function_type::experimental_get_tracing_count() > Most) [[unlikely]]
      refuse();
  }

 public:
  /// The signature that arguments of these types have.
  template <class... X>
  constexpr auto get_concrete_function(const X&... x) const {
    return function_type().get_concrete_function(x...);
  }
  /// Runs the graph of that signature; see function_object.
  /// Errors: more signatures than allowed throw invalid_argument with the list of them; nothing runs then.
  template <class... X>
  constexpr auto operator()(X&&... x) const {
    if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) {
      check_traces();
      F lambda{};
      const detail::trace_options limit{.most_traces = Most - detail::signatures_of<function_type>.count, .refuse = &refuse};
      return detail::call_at_run_time(detail::run_time_signatures_of<function_type>, Name.view(), limit, lambda, x...);
    } else {
      if constexpr (!(detail::holds_symbols<std::remove_cvref_t<X>> || ...))
        if (!std::is_constant_evaluated()) check_traces();
      return function_type()(std::forward<X>(x)...);
    }
  }
  /// As a call, but writes the results into memory of the caller.
  template <class Out, class... X>
  void into(Out&& out, X&&... x) const {
    check_traces();
    function_type().into(std::forward<Out>(out), std::forward<X>(x)...);
  }
  /// How many signatures the program has.
  static int experimental_get_tracing_count() { return function_type::experimental_get_tracing_count(); }
  /// All of them, as TensorFlow prints them.
  static std::string pretty_printed_concrete_signatures(bool full = false) {
    return function_type::pretty_printed_concrete_signatures(full);
  }
};

}  // namespace jig
