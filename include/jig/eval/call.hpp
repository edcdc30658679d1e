// SPDX-License-Identifier: MIT
#pragma once
// Calls of traces with arguments of the caller, which return results or write them.

#include <jig/eval/bound_call.hpp>
#include <jig/eval/equal_wildcards.hpp>

namespace jig::detail {

template <class Trace, int Input>
struct const_reason {
  static constexpr message sentence = [] {
    message m;
    m << "the function assigns its argument " << Trace::graph.node(Trace::graph.inputs()[Input]).attribute("name").text
      << ", which is const here: pass a variable that may change";
    return m;
  }();
};

// Whether all variables that the trace assigns may change; refuses with a sentence if not.
template <class Trace, class Leaves, std::size_t I = 0>
constexpr bool updates_are_allowed() {
  if constexpr (!Trace::has_variables || I == std::tuple_size_v<Leaves>) {
    return true;
  } else if constexpr (Trace::update_of(I) >= 0 && std::is_const_v<std::remove_reference_t<std::tuple_element_t<I, Leaves>>>) {
    (void)refuse<const_reason<Trace, static_cast<int>(I)>>();
    return false;
  } else {
    return updates_are_allowed<Trace, Leaves, I + 1>();
  }
}

// Whether a trace is one op that an eager program calls: its results are new tensors, which cost more than how its arguments lie.
template <class Trace>
inline constexpr bool runs_one_op = std::is_same_v<typename passes_of<Trace>::type, as_traced>;

// The same call with equal wildcards. Where arguments may have gaps there are enough programs.
template <class Call>
struct call_of_equal;
template <class Trace, text Name, class Specs, class Leaves, class Outs, memory_layout Assumed>
struct call_of_equal<bound_call<Trace, Name, Specs, Leaves, Outs, Assumed>> {
  using type = bound_call<trace_of_equal<Trace>, Name, Specs, Leaves, Outs, Assumed>;
};
template <class Call, class Trace>
constexpr bool pays_for_equal() {
  if constexpr (!std::is_same_v<typename passes_of<Trace>::type, passes_with<true>> || Call::varies || Call::may_lie_dense) return false;
  else if constexpr (Call::P::plan.size.steps < 2 || Call::P::plan.size.sources == 0) return false;
  else return equal_wildcards<typename Call::P>::pays;
}

// Runs a call on arguments and returns new tensors, in the structure that the lambda returned.
template <class Call, class Trace, class Leaves, class... X>
[[gnu::always_inline]] inline auto run_and_return(Leaves& leaves, X&... x) {
  Call bound(leaves);
  if constexpr (Call::varies) {
    auto results = Call::run_eagerly(x...);
    if constexpr (Trace::results > 0) return with_leaves<typename Trace::result_structure>(results);
  } else if constexpr (Call::may_alias && !Trace::differentiates) {
    auto results = Call::aliased(leaves) ? Call::run_eagerly(x...) : bound.run(leaves);
    if constexpr (Trace::results > 0) return with_leaves<typename Trace::result_structure>(results);
  } else {
    if constexpr (Call::may_alias) Call::refuse_aliases(leaves);
    auto results = bound.run(leaves);
    if constexpr (!std::is_void_v<typename Trace::result_structure>) return with_leaves<typename Trace::result_structure>(results);
  }
}

// Runs a call on arguments and writes its results into `outs`.
template <class Call, class Trace, class Leaves, class Outs, class... X>
[[gnu::always_inline]] inline void run_and_write(Leaves& leaves, Outs& outs, X&... x) {
  Call bound(leaves);
  if constexpr (Call::varies) {
    auto results = Call::run_eagerly(x...);
    return bound.copy_into(results, outs);
  }
  if constexpr (Call::may_alias && Trace::differentiates) {
    Call::refuse_aliases(leaves);
  } else if constexpr (Call::may_alias) {
    if (Call::aliased(leaves)) {
      auto results = Call::run_eagerly(x...);
      return bound.copy_into(results, outs);
    }
  }
  if constexpr (!Call::varies) bound.run_into(leaves, outs);
}

// The same in functions of their own, for what happens less often.
template <class Call, class Trace, class Leaves, class... X>
[[gnu::noinline]] auto run_and_return_apart(Leaves leaves, X&... x) {
  return run_and_return<Call, Trace>(leaves, x...);
}
template <class Call, class Trace, class Leaves, class Outs, class... X>
[[gnu::noinline]] void run_and_write_apart(Leaves leaves, Outs outs, X&... x) {
  run_and_write<Call, Trace>(leaves, outs, x...);
}

// Runs the program for equal wildcards when there is one and they are.
template <class Call, class Trace, class Leaves, class... X>
[[gnu::always_inline]] inline auto return_results(Leaves& leaves, X&... x) {
  if constexpr (pays_for_equal<Call, Trace>()) {
    if (equal_wildcards<typename Call::P>::agree(leaves)) [[likely]]
      return run_and_return<typename call_of_equal<Call>::type, Trace>(leaves, x...);
    return run_and_return_apart<Call, Trace>(leaves, x...);
  } else {
    return run_and_return<Call, Trace>(leaves, x...);
  }
}
template <class Call, class Trace, class Leaves, class Outs, class... X>
[[gnu::always_inline]] inline void write_results(Leaves& leaves, Outs& outs, X&... x) {
  if constexpr (pays_for_equal<Call, Trace>()) {
    if (equal_wildcards<typename Call::P>::agree(leaves)) [[likely]]
      return run_and_write<typename call_of_equal<Call>::type, Trace>(leaves, outs, x...);
    run_and_write_apart<Call, Trace>(leaves, outs, x...);
  } else {
    run_and_write<Call, Trace>(leaves, outs, x...);
  }
}

// The same in functions of their own, for arguments that may have gaps where most have none.
template <class Call, class Trace, class Leaves, class... X>
[[gnu::noinline]] auto return_results_apart(Leaves leaves, X&... x) {
  return return_results<Call, Trace>(leaves, x...);
}
template <class Call, class Trace, class Leaves, class Outs, class... X>
[[gnu::noinline]] void write_results_apart(Leaves leaves, Outs outs, X&... x) {
  write_results<Call, Trace>(leaves, outs, x...);
}

/// Runs a trace on arguments and returns new tensors, in the structure that the lambda returned.
template <class Trace, text Name, class... Key, class... X>
[[gnu::always_inline]] inline auto call_traced(X&&... x) {
  auto leaves = std::tuple_cat(detail::tensor_leaves(x)...);
  using specs = decltype(std::tuple_cat(detail::spec_leaves(Key())...));
  using all = decltype(leaves);
  if constexpr (updates_are_allowed<Trace, all>()) {
    using call = bound_call<Trace, Name, specs, all>;
    if constexpr (call::may_lie_dense && !runs_one_op<Trace>) {
      using none = std::tuple<>;
      if (call::template lie<memory_layout::row_major>(leaves)) [[likely]]
        return return_results<bound_call<Trace, Name, specs, all, none, memory_layout::row_major>, Trace>(leaves, x...);
      if constexpr (call::may_lie_column_major)
        if (call::template lie<memory_layout::column_major>(leaves))
          return return_results_apart<bound_call<Trace, Name, specs, all, none, memory_layout::column_major>, Trace>(leaves, x...);
      return return_results_apart<call, Trace>(leaves, x...);
    } else {
      return return_results<call, Trace>(leaves, x...);
    }
  } else {
    return refused<>();
  }
}

/// Runs a trace on arguments and writes its results into the leaves of `out`.
template <class Trace, text Name, class... Key, class Out, class... X>
[[gnu::always_inline]] inline void call_traced_into(Out& out, X&&... x) {
  auto leaves = std::tuple_cat(tensor_leaves(x)...);
  auto outs = tensor_leaves(out);
  using specs = decltype(std::tuple_cat(spec_leaves(Key())...));
  using all = decltype(leaves);
  using results = decltype(outs);
  if constexpr (updates_are_allowed<Trace, all>()) {
    using call = bound_call<Trace, Name, specs, all, results>;
    if constexpr (call::may_lie_dense) {
      if (call::template lie<memory_layout::row_major>(leaves)) [[likely]]
        return write_results<bound_call<Trace, Name, specs, all, results, memory_layout::row_major>, Trace>(leaves, outs, x...);
      if constexpr (call::may_lie_column_major)
        if (call::template lie<memory_layout::column_major>(leaves))
          return write_results_apart<bound_call<Trace, Name, specs, all, results, memory_layout::column_major>, Trace>(leaves, outs, x...);
      return write_results_apart<call, Trace>(leaves, outs, x...);
    } else {
      write_results<call, Trace>(leaves, outs, x...);
    }
  }
}

}  // namespace jig::detail
