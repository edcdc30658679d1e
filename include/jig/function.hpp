// SPDX-License-Identifier: MIT
#pragma once
// The front door: functions that are traced once for each signature and run at the speed of a loop written by hand.

#include <jig/bound_function.hpp>
#include <jig/eval/call_signature.hpp>
#include <jig/eval/concrete_function.hpp>
#include <jig/runtime/dynamic_function.hpp>
#include <jig/runtime/recorded_eager.hpp>
#include <jig/trace/registry.hpp>
#include <jig/trace/run_functions_eagerly.hpp>
#include <jig/trace/traceable.hpp>
#include <jig/trace/traced_structure.hpp>
#include <jig/with_workspace.hpp>

namespace jig {

namespace detail {

struct is_constant_leaf {
  template <class X>
  static constexpr bool of() {
    return Constant<X>;
  }
};

template <class X>
inline constexpr bool is_dual = world_of<X> == world::dual || Constant<X>;
template <class X>
  requires(structure<X>::nested)
inline constexpr bool is_dual<X> = []<std::size_t... I>(std::index_sequence<I...>) {
  return (is_dual<part<X, I>> && ...);
}(std::make_index_sequence<structure<X>::size>());
template <class... X>
inline constexpr bool are_dual = (is_dual<X> && ...) && !(Constant<X> && ...);

// Nothing but literals, or nothing at all.
template <class... X>
inline constexpr bool are_constants = (!is_struct_of_variables<X> && ...) && (all_leaves<is_constant_leaf, X>() && ...);
/// Whether a lambda that gets nothing but constants can be traced. If it has effects it cannot: they would have to be beside a traced
/// value.
template <class F, class... X>
concept ConstantCall = requires { typename std::bool_constant<(static_cast<void>(F{}(key_object<X>...)), true)>; };

// Whether this is inside a trace, as constant evaluation and values among the leaves of structures tell.
template <class... X>
constexpr bool are_in_trace(const X&... x) {
  bool found = std::is_constant_evaluated();
  (for_each_leaf(x, [&](const auto& leaf) { found = found || in_trace(leaf); }), ...);
  return found;
}

// In a trace every variable may be assigned.
template <class X>
constexpr auto& changeable(X& x) {
  return const_cast<std::remove_const_t<X>&>(x);
}

// A result with the values of variables in place of copies of them.
struct to_value {
  template <class X>
  constexpr auto operator()(const X& x) const {
    if constexpr (is_variable<X>) return x.read();
    else return x;
  }
};
template <class X>
constexpr auto without_variables(const X& x) {
  return map_leaves(x, to_value());
}

// Tensors in the structure of Result, as its leaves.
template <class Result, class X>
Result as_duals(X& x) {
  if constexpr (structure<Result>::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return structure<Result>::make(as_duals<part<Result, I>>(structure<X>::template get<I>(x))...);
    }(std::make_index_sequence<structure<Result>::size>());
  } else if constexpr (is_variable_value<Result>) {
    return Result(typename Result::tensor_type(std::move(x)));
  } else if constexpr (Constant<Result>) {
    return Result();
  } else {
    return static_cast<Result>(x);
  }
}

// The results of an eager run in the types of a traced one.
template <class Result, class X>
Result as_results(const X& x) {
  if constexpr (structure<Result>::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return structure<Result>::make(as_results<part<Result, I>>(structure<X>::template get<I>(x))...);
    }(std::make_index_sequence<structure<Result>::size>());
  } else {
    return stored_as<Result>(x);
  }
}

// Runs the lambda as it stands, with the results of its graph.
template <class F, class Result, class... X>
[[gnu::noinline, gnu::cold]] Result run_lambda(X&... x) {
  if constexpr (std::is_void_v<Result>) eager_run<F>(passed(x)...);
  else return as_results<Result>(eager_run<F>(passed(x)...));
}

// Names the list of a function's signatures, without its options: one function has one list.
template <text Name, class F>
struct listed_function;

}  // namespace detail

/// A function: call it like the lambda it was made from. Each combination of specs and literals is traced once, at compile
/// time. Its options come from methods: see function_options.
template <text Name, class F, class O = options<>>
class function_object : public detail::function_options<function_object<Name, F, O>, O> {
  using listed = detail::listed_function<Name, F>;

  static detail::function_signatures<> signatures() {
    return {Name.view(), detail::signatures_of<listed>, detail::run_time_signatures_of<listed>};
  }
  static void check_traces() {
    if constexpr (O::values.most_traces >= 0) signatures().require_at_most(O::values.most_traces);
  }

  // The signature with these keys, entered into the list of this function's signatures before main; or why there is none.
  template <class... Key>
  static constexpr auto entered_keys(detail::types<Key...>) {
    if constexpr ((detail::leaves_rank_open<Key> || ...)) {
      return refuse_with<"a signature of unknown rank has no concrete function: it is traced when it is called", Key...>();
    } else {
      constexpr auto traceable = detail::possible_with<F, Name, O, Key...>(detail::traceable_for<F, Name, Key...>());
      if constexpr (is_refused<std::remove_const_t<decltype(traceable)>>) {
        return traceable;
      } else {
        using traced = trace<F, Name, Key...>;
        using callable = detail::callable<detail::traced_with<traced, detail::options_of_call<O, traced>>, Name, Key...>;
        (void)&detail::registration<listed, typename callable::recorded>::entered;
        return callable();
      }
    }
  }
  template <class Refused>
  static constexpr Refused entered_keys(Refused why) {
    return why;
  }
  // The keys of the signature that runs for arguments of these types.
  template <class... X>
  static constexpr auto keys() {
    if constexpr (std::is_same_v<O, options<>>) return detail::keys_of<X...>();
    else return detail::signature_with_options<Name, O, detail::keys_of<X...>, typename O::signatures>::find();
  }

  // Runs the graph of a signature, or the lambda as it stands if that is switched on.
  template <class Signature, class... X>
  [[gnu::always_inline]] static auto run(X&... x) {
    check_traces();
    if constexpr (!is_refused<Signature> && !O::values.checked_numerics) {
      // Other lambdas that always run eagerly do so in what their trace calls.
      if constexpr (O::values.eager && Signature::differentiates) return run_eagerly_as<Signature>(x...);
#ifndef JIG_NO_EAGER
      else if constexpr (!Signature::differentiates || detail::records_gradients)
        if (functions_run_eagerly()) [[unlikely]]
          return run_eagerly_as<Signature>(x...);
#endif
    }
    return Signature()(x...);
  }
  // Runs the lambda of a signature as it stands. What gradients are taken of is recorded.
  template <class Signature, class... X>
  [[gnu::always_inline]] static auto run_eagerly_as(X&... x) {
    using result = decltype(Signature()(x...));
    if constexpr (Signature::differentiates) return detail::run_recorded<typename Signature::traced, result>(Name.view(), x...);
    else return detail::run_lambda<F, result>(x...);
  }

  // With nothing but variables and what was read from them, only they tell whether this is inside a trace.
  template <class... X>
  [[gnu::always_inline]] static constexpr auto call_dual(X&... x) {
    using signature = decltype(entered_keys(keys<std::remove_const_t<X>...>()));
    if constexpr (is_refused<signature>) {
      return signature();
    } else {
      using returned = decltype(F{}(detail::changeable(x)...));
      if constexpr (std::is_void_v<returned>) {
        if (detail::are_in_trace(x...)) F{}(detail::changeable(x)...);
        else run<signature>(x...);
      } else if constexpr (detail::holds_symbols<returned>) {
        return run<signature>(x...);
      } else {
        using result = decltype(detail::without_variables(std::declval<const returned&>()));
        if (detail::are_in_trace(x...)) return detail::without_variables(F{}(detail::changeable(x)...));
        return run_dual<result, signature>(x...);
      }
    }
  }
  template <class Result, class Signature, class... X>
  [[gnu::always_inline]] static Result run_dual(X&... x) {
    auto results = run<Signature>(x...);
    return detail::as_duals<Result>(results);
  }

  // What a lambda makes of nothing but constants has no place in a trace: there it is a constant too. A lambda with effects runs as it
  // stands in every call.
  template <class... X>
  [[gnu::always_inline]] static constexpr auto call_with_constants(const X&... x) {
    if constexpr (!detail::TakesArguments<F, const X...> || detail::ConstantCall<F, X...>) {
      using signature = decltype(entered_keys(keys<X...>()));
      if constexpr (is_refused<signature>) {
        return signature();
      } else {
        using result = decltype(run<signature>(x...));
        if constexpr (std::is_same_v<result, decltype(F{}(x...))>)
          if (std::is_constant_evaluated()) return F{}(x...);
        return run<signature>(x...);
      }
    } else {
      using result = std::remove_cvref_t<decltype(F{}(x...))>;
      using spec_of_result = typename detail::spec_structure<result>::type;
      (void)&detail::registration<listed, detail::recorded_signature<Name, spec_of_result, X...>>::entered;
      return run_as_it_stands<result>(x...);
    }
  }
  template <class Result, class... X>
  static auto run_as_it_stands(const X&... x) {
    check_traces();
    if constexpr (std::is_void_v<Result>) {
      F{}(x...);
    } else {
      const auto result = F{}(x...);
      return map_leaves(result, detail::to_tensor());
    }
  }

  // Inside a trace the lambda becomes part of it.
  template <class... X>
  static constexpr auto call_in_trace(X&&... x) {
    if constexpr (!detail::TakesArguments<F, std::remove_reference_t<X>...>) {
      return refuse<detail::uncallable_reason<Name, key_of<std::remove_cvref_t<X>>...>>();
    } else if constexpr (!detail::has_signatures<O> || !(detail::all_leaves<detail::not_refused, std::remove_cvref_t<X>>() && ...)) {
      return F{}(std::forward<X>(x)...);
    } else if constexpr ((detail::holds_dynamic<std::remove_cvref_t<X>> || ...)) {
      detail::require_declared<typename O::signatures>(Name.view(), x...);
      return F{}(std::forward<X>(x)...);
    } else if constexpr (is_refused<decltype(keys<std::remove_cvref_t<X>...>())>) {
      return keys<std::remove_cvref_t<X>...>();
    } else {
      return F{}(std::forward<X>(x)...);
    }
  }

  // Traces made at run time belong to this function, wherever it is called. Declared signatures are compiled.
  template <class... X>
  static auto call_at_run_time(X&... x) {
    if constexpr (detail::has_signatures<O> && !detail::has_unknown_ranks<O>) {
      const auto run_keys = [](auto keys, auto&... typed) { return run<decltype(entered_keys(keys))>(typed...); };
      return detail::call_declared<typename O::signatures>(Name.view(), run_keys, x...);
    } else {
      F lambda{};
      return detail::call_at_run_time<O>(signatures(), lambda, x...);
    }
  }

  template <class... X>
  static constexpr bool is_called_at_run_time = (detail::holds_any_tensors<std::remove_cvref_t<X>> || ...) ||
                                                (detail::has_unknown_ranks<O> && !(detail::holds_symbols<std::remove_cvref_t<X>> || ...));

 public:
  /// The same function with other options, which is what the methods named for them return.
  template <class P>
  constexpr auto with_options() const {
    return function_object<Name, F, P>();
  }

  /// The same function with another name, and names of its parameters, wherever a signature is printed: `f.named<"add(a, b)">()`.
  template <text Other>
  constexpr auto named() const {
    return function_object<Other, F, O>();
  }

  /// The signature that arguments of these types, or these specs and literals, have; of a function with declared signatures the one
  /// that takes them, without arguments the first.
  template <class... X>
  constexpr auto get_concrete_function(const X&...) const {
    if constexpr (sizeof...(X) == 0 && detail::has_signatures<O>) return concrete(detail::first_of(typename O::signatures()));
    else return concrete(keys<X...>());
  }

  /// Runs the graph of the arguments' signature and returns new tensors; inside a trace, becomes part of it.
  /// Errors: extents that do not fit throw invalid_argument.
  template <class... X>
  [[gnu::always_inline]] constexpr auto operator()(X&&... x) const {
    if constexpr (detail::any_named<X...>) return detail::call_by_name<Name>(*this, x...);
    else if constexpr (is_called_at_run_time<X...>) return call_at_run_time(x...);
    else if constexpr (detail::are_constants<std::remove_cvref_t<X>...>) return call_with_constants(x...);
    else if constexpr (detail::are_dual<std::remove_cvref_t<X>...>) return call_dual(x...);
    else if constexpr (!(detail::holds_symbols<std::remove_cvref_t<X>> || ...))
      return run<decltype(entered_keys(keys<std::remove_cvref_t<X>...>()))>(x...);
    else return call_in_trace(std::forward<X>(x)...);
  }

  /// As a call, but writes the results into memory of the caller; see concrete_function::into. Results of calls with run-time
  /// tensors are copied.
  template <class Out, class... X>
  [[gnu::always_inline]] void into(Out&& out, X&&... x) const {
    if constexpr (detail::any_named<X...>) {
      detail::call_by_name<Name>([&](auto&... ordered) { into(out, ordered...); }, x...);
    } else if constexpr (is_called_at_run_time<X...>) {
      detail::copy_results(Name.view(), call_at_run_time(x...), out);
    } else {
      check_traces();
      entered_keys(keys<std::remove_cvref_t<X>...>()).into(out, x...);
    }
  }
  /// As `into`, with workspaces from there; `with_workspace` calls it.
  template <class Out, class... X>
  [[gnu::always_inline]] void into_in(detail::memory_source& memory, Out& out, X&&... x) const {
    check_traces();
    entered_keys(keys<std::remove_cvref_t<X>...>()).into_in(memory, out, x...);
  }

  /// The same function with memory that calls of `into` work in, and nothing else; see function_with_workspace.
  constexpr auto with_workspace(std::span<std::byte> memory) const { return function_with_workspace<function_object>(memory); }

  /// The same function with its first arguments: `f.bind(model)(x)` is `f(model, x)`; see bound_function.
  template <class... X>
  constexpr auto bind(X&&... x) const {
    return bound_function<function_object, X...>(std::forward<X>(x)...);
  }

  /// What the lambda returns when it runs as it stands, op by op, on tensors and the given variables: for a debugger.
  template <class... X>
  auto eager(X&&... x) const {
    if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) {
      F lambda{};
      return detail::call_eagerly_at_run_time<O>(Name.view(), lambda, x...);
    } else if constexpr (detail::has_signatures<O> && is_refused<decltype(keys<std::remove_cvref_t<X>...>())>) {
      return keys<std::remove_cvref_t<X>...>();
    } else if constexpr (std::is_void_v<decltype(detail::eager_run<F>(detail::passed(x)...))>) {
      detail::eager_run<F>(detail::passed(x)...);
    } else {
      const auto result = detail::eager_run<F>(detail::passed(x)...);
      return map_leaves(result, detail::to_tensor());
    }
  }

  /// How many signatures of this function the program has: those of types are traced once, at compile time, those of run-time
  /// tensors when they are first called. The function counts with all options that it is called with.
  static int experimental_get_tracing_count() { return signatures().count(); }
  /// All signatures of this function in the program, as TensorFlow prints them, with a blank line between two.
  static std::string pretty_printed_concrete_signatures(bool full = false) { return signatures().printed(full); }

 private:
  template <class... Key>
  static constexpr auto concrete(detail::types<Key...> keys) {
    constexpr auto signature = entered_keys(keys);
    if constexpr (is_refused<std::remove_const_t<decltype(signature)>>) return signature;
    else return detail::concrete_with<F, Name, O, Key...>();
  }
  template <class Refused>
  static constexpr Refused concrete(Refused why) {
    return why;
  }
};

/// Makes a function of a captureless lambda. The text, which may be left out, names it and its parameters wherever a
/// signature is printed: `jig::function<"add(a, b)">([](auto a, auto b) { return a + b; })`.
/// Errors: a lambda that captures is refused at compile time.
template <text Name = "", class F>
constexpr auto function(F) {
  if constexpr (is_traceable<F>) return function_object<Name, F>();
  else
    return refuse_with<
        "a traced lambda must not capture: what varies has to be an argument (a tensor, a number, jig::lit<v> or a "
        "structure of them)",
        F>();
}

/// The graph of a lambda for the given specs and literals.
template <class F, class... Key>
constexpr const graph_view& graph_of(F, Key...) {
  return trace<F, "", Key...>::graph;
}

}  // namespace jig
