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
template <class Trace, std::size_t I = 0, class... Leaf>
constexpr bool updates_are_allowed(types<Leaf...>) {
  if constexpr (!Trace::has_variables || I == sizeof...(Leaf)) {
    return true;
  } else if constexpr (Trace::update_of(I) >= 0 && std::is_const_v<std::remove_reference_t<std::tuple_element_t<I, std::tuple<Leaf...>>>>) {
    (void)refuse<const_reason<Trace, static_cast<int>(I)>>();
    return false;
  } else {
    return updates_are_allowed<Trace, I + 1>(types<Leaf...>());
  }
}
template <class... Leaf>
types<Leaf...> types_of(const objects<Leaf...>&);

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

/// In place of memory for results: they are new tensors, in the structure that the lambda returned.
struct new_results {};

// Runs a call on arguments.
template <class Call, class Trace, class Leaves, class... X>
[[gnu::always_inline]] inline auto run_call(Leaves& leaves, new_results, memory_source& memory, X&... x) {
  Call bound(leaves, memory);
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
template <class Call, class Trace, class Leaves, class... Out, class... X>
[[gnu::always_inline]] inline void run_call(Leaves& leaves, objects<Out...>& outs, memory_source& memory, X&... x) {
  Call bound(leaves, memory);
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
// In a function of its own, for what happens less often.
template <class Call, class Trace, class Leaves, class Outs, class... X>
[[gnu::noinline]] auto run_call_apart(Leaves leaves, Outs outs, memory_source& memory, X&... x) {
  return run_call<Call, Trace>(leaves, outs, memory, x...);
}

// Runs the program for equal wildcards when there is one and they are.
template <class Call, class Trace, class Leaves, class Outs, class... X>
[[gnu::always_inline]] inline auto run_call_of_equal(Leaves& leaves, Outs& outs, memory_source& memory, X&... x) {
  if constexpr (pays_for_equal<Call, Trace>()) {
    if (equal_wildcards<typename Call::P>::agree(leaves)) [[likely]]
      return run_call<typename call_of_equal<Call>::type, Trace>(leaves, outs, memory, x...);
    return run_call_apart<Call, Trace>(leaves, outs, memory, x...);
  } else {
    return run_call<Call, Trace>(leaves, outs, memory, x...);
  }
}
// In a function of its own, for arguments that may have gaps where most have none.
template <class Call, class Trace, class Leaves, class Outs, class... X>
[[gnu::noinline]] auto run_call_with_gaps(Leaves leaves, Outs outs, memory_source& memory, X&... x) {
  return run_call_of_equal<Call, Trace>(leaves, outs, memory, x...);
}

/// Runs a trace on arguments, in this memory. The results go into `outs`, the leaves of the caller's structure, or are `new_results`.
template <class Trace, text Name, class... Key, class Outs, class... X>
[[gnu::always_inline]] inline auto call_traced(memory_source& memory, Outs outs, X&&... x) {
  constexpr bool returns = std::is_same_v<Outs, new_results>;
  auto leaves = detail::tensor_leaves(x...);
  using specs = spec_leaves<Key...>;
  using all = decltype(leaves);
  using results = std::conditional_t<returns, objects<>, Outs>;
  if constexpr (updates_are_allowed<Trace>(decltype(detail::types_of(leaves))())) {
    using call = bound_call<Trace, Name, specs, all, results>;
    if constexpr (call::may_lie_dense && !(returns && runs_one_op<Trace>)) {
      if (call::template lie<memory_layout::row_major>(leaves)) [[likely]]
        return run_call_of_equal<bound_call<Trace, Name, specs, all, results, memory_layout::row_major>, Trace>(leaves, outs, memory, x...);
      if constexpr (call::may_lie_column_major)
        if (call::template lie<memory_layout::column_major>(leaves))
          return run_call_with_gaps<bound_call<Trace, Name, specs, all, results, memory_layout::column_major>, Trace>(leaves, outs, memory,
                                                                                                                      x...);
      return run_call_with_gaps<call, Trace>(leaves, outs, memory, x...);
    } else {
      return run_call_of_equal<call, Trace>(leaves, outs, memory, x...);
    }
  } else if constexpr (returns) {
    return refused<>();
  }
}

}  // namespace jig::detail
