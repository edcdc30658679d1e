// SPDX-License-Identifier: MIT
#pragma once
// The front door: functions that are traced once for each signature and run at the speed of a loop written by hand.

#include <jig/capped_function.hpp>
#include <jig/closed_function.hpp>
#include <jig/eval/call.hpp>
#include <jig/eval/nest_text.hpp>
#include <jig/eval/plan_text.hpp>
#include <jig/graph/lifted.hpp>
#include <jig/passes/check_numerics.hpp>
#include <jig/passes/notes.hpp>
#include <jig/passes/unroll.hpp>
#include <jig/relaxed_function.hpp>
#include <jig/trace/registry.hpp>
#include <jig/trace/run_functions_eagerly.hpp>
#include <jig/trace/signature_text.hpp>

namespace jig {

namespace detail {

template <class S>
struct spec_of_leaf {
  using type = spec<canonical<typename literal_element<S>::type>>;
};
template <class T>
  requires(world_of<T> == world::traced)
struct spec_of_leaf<T> {
  using type = typename operand_spec<T>::type;
};
template <class T>
  requires(world_of<T> == world::eager || world_of<T> == world::dual)
struct spec_of_leaf<T> {
  using type = typename argument<T>::spec_type;
};

template <class S>
struct spec_structure {
  using type = typename spec_of_leaf<S>::type;
};
template <>
struct spec_structure<void> {
  using type = void;
};
template <class S>
  requires(structure<S>::nested)
struct spec_structure<S> {
  template <std::size_t... I>
  static auto make(std::index_sequence<I...>) {
    return structure<S>::make(typename spec_structure<part<S, I>>::type()...);
  }
  using type = decltype(make(std::make_index_sequence<structure<S>::size>()));
};

// A trace whose graph is the one that runs, with its values checked.
template <class Trace>
struct checked_trace : Trace {
  using passes = no_passes;
  static_assert(!has_varying_extents(Trace::graph),
                "jig: check_numerics: a function whose loops have shape invariants runs op by op, without these checks");
  static constexpr graph_sizes sizes = sizes_of(jig::check_numerics(prune(Trace::graph)).view());
  static constexpr static_graph<sizes> storage{jig::check_numerics(prune(Trace::graph)).view()};
  static constexpr graph_view graph = storage.view();
};

// A trace whose graph has its loops unrolled.
template <class Trace, int Most>
struct unrolled_trace : Trace {
  static constexpr graph_sizes sizes = sizes_of(unroll(Trace::graph, Most).view());
  static constexpr static_graph<sizes> storage{unroll(Trace::graph, Most).view()};
  static constexpr graph_view graph = storage.view();
};
template <text Name, int Most>
struct unroll_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": unrolled: the loops make more than " << Most << " trips in all: allow more with unrolled<N>()";
    return m;
  }();
};

// A lambda whose graphs go through other passes.
template <class F, class Passes>
struct lambda_with : F {
  using passes = Passes;
};
template <class F>
struct passes_of_lambda {
  using lambda = F;
  template <class Pass>
  using with = lambda_with<F, passes_with<Pass>>;
};
template <class F>
struct passes_of_lambda<lambda_with<F, no_passes>> {
  using lambda = F;
  template <class Pass>
  using with = lambda_with<F, passes_with<Pass>>;
};
template <class F, class... P>
struct passes_of_lambda<lambda_with<F, passes_with<P...>>> {
  using lambda = F;
  template <class Pass>
  using with = lambda_with<F, passes_with<P..., Pass>>;
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

// Variables are passed as they are, all else as const.
template <class X>
constexpr auto& passed(X& x) {
  if constexpr (holds_variables<std::remove_const_t<X>>) return x;
  else return std::as_const(x);
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

}  // namespace detail

template <text Name, class F>
class function_object;

/// The trace of the lambda itself; only what runs is another graph.
template <class F, class Passes, text Name, class... Key>
class trace<detail::lambda_with<F, Passes>, Name, Key...> : public trace<F, Name, Key...> {
 public:
  using passes = Passes;
};

/// One signature of a function with another graph, which computes the same: checked, or with its loops unrolled.
template <class Trace, text Name, class... Key>
class transformed_function {
 public:
  static constexpr const graph_view& graph() { return Trace::graph; }

  /// Runs the graph; see concrete_function.
  template <class... X>
  auto operator()(X&&... x) const {
    if constexpr (detail::arguments_fit<Name, std::tuple<Key...>, std::tuple<key_of<X>...>>::value)
      return detail::call_traced<Trace, Name, Key...>(detail::passed(x)...);
    else return refused<>();
  }
  /// Runs the graph and writes the results into memory of the caller; see concrete_function.
  template <class Out, class... X>
  void into(Out&& out, X&&... x) const {
    if constexpr (detail::arguments_fit<Name, std::tuple<Key...>, std::tuple<key_of<X>...>>::value)
      detail::call_traced_into<Trace, Name, Key...>(out, detail::passed(x)...);
  }
};

namespace detail {

// One signature of a function, to call. Apart from concrete_function, so that who only calls a function does not pay for the
// types of its nodes.
template <class F, text Name, class... Key>
class callable {
 protected:
  using traced = jig::trace<F, Name, Key...>;
  using result_structure = typename traced::result_structure;
  template <class... X>
  static constexpr bool takes = arguments_fit<Name, std::tuple<Key...>, std::tuple<key_of<X>...>>::value;

 public:
  /// The lambda's result with specs in place of tensors.
  using output_spec = typename spec_structure<result_structure>::type;
  /// Whether the lambda asks for gradients, so that it cannot run as it stands.
  static constexpr bool differentiates = traced::differentiates;
  /// The signature as plain data.
  using recorded = recorded_signature<Name, output_spec, Key...>;

  /// Runs the graph. Arguments may be more general than the signature: what only the call knows is checked then.
  /// Errors: an argument that does not fit throws invalid_argument naming it, or is refused when its type says so.
  template <class... X>
  [[gnu::always_inline]] auto operator()(X&&... x) const {
    if constexpr (takes<X...>) return call_traced<traced, Name, Key...>(passed(x)...);
    else return refused<>();
  }

  /// Runs the graph and writes the results into memory of the caller: one object for one result, a structure of objects
  /// for several. Allocates nothing once the thread's workspace has grown to its size; results may be arguments too.
  /// Errors: as for a call; also when a result does not fit. Nothing is written then.
  template <class Out, class... X>
  [[gnu::always_inline]] void into(Out&& out, X&&... x) const {
    if constexpr (takes<X...>) call_traced_into<traced, Name, Key...>(out, passed(x)...);
  }
};

}  // namespace detail

/// One signature of a function: its graph is a constant, calls run it. Equal signatures are equal types.
template <class F, text Name, class... Key>
class concrete_function : public detail::callable<F, Name, Key...> {
  using traced = jig::trace<F, Name, Key...>;

 public:
  using typename detail::callable<F, Name, Key...>::output_spec;
  using typename detail::callable<F, Name, Key...>::recorded;

  /// The arguments' specs and literals.
  static constexpr std::tuple<Key...> structured_input_signature() { return {}; }
  /// The results' specs.
  static constexpr output_spec structured_outputs() { return output_spec(); }
  /// The signature as TensorFlow prints it: `name(x)`, Args and Returns, or in full with TensorSpecs.
  static std::string pretty_printed_signature(bool full = false) {
    return full ? detail::printed<true>(recorded::record) : detail::printed<false>(recorded::record);
  }

  /// The graph as it was traced.
  static constexpr const graph_view& graph() { return traced::graph; }
  /// What the passes make of it: the same function, node for node in the terms of TensorFlow.
  static constexpr const graph_view& optimized_graph() { return detail::optimized_graph_of<traced>::graph; }
  /// The graph that runs on dense arguments, which the plan is made from; see lower().
  static constexpr const graph_view& lowered_graph() { return dense_program_of<traced>::graph; }
  /// How it runs on dense arguments: what is computed together, in which order, and where values lie; to_text() prints it.
  static constexpr plan_view plan() { return dense_program_of<traced>::plan.view(lowered_graph()); }
  /// How its loops go through memory, a line for each step that is a loop or a reduction: the axes of its nest, those that are reduced
  /// with a star, and what the lanes of registers are. It depends on the machine that the program is compiled for.
  static std::string loop_nests() { return detail::text_of_nests<dense_program_of<traced>>(); }
  /// The texts that trace_note has left in the trace, in order, as a std::array.
  static constexpr auto notes() {
    constexpr auto count = [] { return jig::notes(traced::graph).size(); };
    std::array<std::string_view, count()> out{};
    const auto found = jig::notes(traced::graph);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = found[k];
    return out;
  }
  /// Units: bytes of memory that a call needs besides arguments and results; -1 when an extent is not static.
  static constexpr index peak_workspace() { return detail::workspace_of(optimized_graph()); }

  /// The same function with a check behind every floating value: a call throws invalid_argument that names the first node that
  /// made NaN or infinity, and its inputs: `check_numerics: truediv = RealDiv(x, y) made NaN at (0,)`.
  static constexpr transformed_function<detail::checked_trace<traced>, Name, Key...> check_numerics() { return {}; }

  /// The same function with its loops unrolled whose number of trips follows from constants.
  /// Errors: more than Most trips in all are refused at compile time.
  template <int Most = most_unrolled_trips>
  static constexpr auto unrolled() {
    if constexpr (can_unroll(traced::graph, Most)) return transformed_function<detail::unrolled_trace<traced, Most>, Name, Key...>();
    else return refuse<detail::unroll_reason<Name, Most>>();
  }

  /// The graph as a type: a flat list of node types.
  using graph_type = lifted<traced>;
  /// The node types as a Hana tuple; made only when asked for, by a program that includes Hana's tuple and type.
  static const typename graph_type::node_tuple nodes;

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const concrete_function&) {
    return out << "ConcreteFunction " << detail::printed<false>(recorded::record);
  }
};

template <class F, text Name, class... Key>
constexpr typename concrete_function<F, Name, Key...>::graph_type::node_tuple concrete_function<F, Name, Key...>::nodes{};

/// A function: call it like the lambda it was made from. Each combination of specs and literals is traced once, at compile
/// time.
template <text Name, class F>
class function_object {
  // The signature of these arguments, entered into the list of this function's signatures before main; or why there is none.
  template <class... X>
  static constexpr auto entered() {
    constexpr auto traceable = detail::traceable_for<F, Name, key_of<X>...>();
    if constexpr (is_refused<std::remove_const_t<decltype(traceable)>>) {
      return traceable;
    } else {
      using callable = detail::callable<F, Name, key_of<X>...>;
      (void)&detail::registration<function_object, typename callable::recorded>::entered;
      return callable();
    }
  }

  // Runs the graph of a signature, or the lambda as it stands if that is switched on.
  template <class Signature, class... X>
  [[gnu::always_inline]] static auto run(X&... x) {
#ifndef JIG_NO_EAGER
    if constexpr (!is_refused<Signature>)
      if constexpr (!Signature::differentiates)
        if (functions_run_eagerly()) [[unlikely]]
          return run_eagerly<decltype(Signature()(x...))>(x...);
#endif
    return Signature()(x...);
  }
  template <class Result, class... X>
  [[gnu::noinline, gnu::cold]] static Result run_eagerly(X&... x) {
    if constexpr (std::is_void_v<Result>) detail::eager_run<F>(detail::passed(x)...);
    else return detail::as_results<Result>(detail::eager_run<F>(detail::passed(x)...));
  }

  // With nothing but variables and what was read from them, only constant evaluation tells whether this is inside a trace.
  template <class... X>
  [[gnu::always_inline]] static constexpr auto call_dual(X&... x) {
    using signature = decltype(entered<std::remove_const_t<X>...>());
    if constexpr (is_refused<signature>) {
      return signature();
    } else {
      using returned = decltype(F{}(detail::changeable(x)...));
      if constexpr (std::is_void_v<returned>) {
        if (std::is_constant_evaluated()) F{}(detail::changeable(x)...);
        else run<signature>(x...);
      } else if constexpr (detail::holds_symbols<returned>) {
        return run<signature>(x...);
      } else {
        using result = decltype(detail::without_variables(std::declval<const returned&>()));
        if (std::is_constant_evaluated()) return detail::without_variables(F{}(detail::changeable(x)...));
        return run_dual<result, signature>(x...);
      }
    }
  }
  // Traces made at run time belong to this function, wherever it is called.
  template <class... X>
  static auto call_at_run_time(X&... x) {
    F lambda{};
    return detail::call_at_run_time(detail::run_time_signatures_of<function_object>, Name.view(), {}, lambda, x...);
  }
  template <class Result, class Signature, class... X>
  [[gnu::always_inline]] static Result run_dual(X&... x) {
    auto results = run<Signature>(x...);
    return detail::as_duals<Result>(results);
  }

 public:
  /// The signature that arguments of these types, or these specs and literals, have.
  template <class... X>
  constexpr auto get_concrete_function(const X&...) const {
    constexpr auto signature = entered<X...>();
    if constexpr (is_refused<std::remove_const_t<decltype(signature)>>) return signature;
    else return concrete_function<F, Name, key_of<X>...>();
  }

  /// Runs the graph of the arguments' signature and returns new tensors; inside a trace, becomes part of it.
  /// Errors: extents that do not fit throw invalid_argument.
  template <class... X>
  [[gnu::always_inline]] constexpr auto operator()(X&&... x) const {
    if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) return call_at_run_time(x...);
    else if constexpr (detail::are_dual<std::remove_cvref_t<X>...>) return call_dual(x...);
    else if constexpr (!(detail::holds_symbols<std::remove_cvref_t<X>> || ...))
      return run<decltype(entered<std::remove_cvref_t<X>...>())>(x...);
    else if constexpr (std::is_invocable_v<F, X...>) return F{}(std::forward<X>(x)...);
    else return refuse<detail::uncallable_reason<Name, key_of<std::remove_cvref_t<X>>...>>();
  }

  /// As a call, but writes the results into memory of the caller; see concrete_function::into.
  template <class Out, class... X>
  [[gnu::always_inline]] void into(Out&& out, X&&... x) const {
    entered<std::remove_cvref_t<X>...>().into(out, x...);
  }

  /// What the lambda returns when it runs as it stands, op by op, on tensors and the given variables: for a debugger.
  template <class... X>
  auto eager(X&&... x) const {
    if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) {
      F lambda{};
      return detail::call_eagerly_at_run_time(Name.view(), lambda, x...);
    } else if constexpr (std::is_void_v<decltype(detail::eager_run<F>(detail::passed(x)...))>) {
      detail::eager_run<F>(detail::passed(x)...);
    } else {
      const auto result = detail::eager_run<F>(detail::passed(x)...);
      return map_leaves(result, detail::to_tensor());
    }
  }

  /// The same function with graphs that run as they were traced, but for nodes that nobody needs: for a debugger, and to see
  /// what passes do.
  static constexpr auto without_passes() {
    return function_object<Name, detail::lambda_with<typename detail::passes_of_lambda<F>::lambda, detail::no_passes>>();
  }
  /// The same function with one more pass behind the standard ones and those that were added before: a captureless callable that
  /// takes a graph_view and returns a graph, in constant evaluation. Nodes that it leaves without a use are dropped.
  /// Errors: a pass that captures is refused at compile time.
  template <class Pass>
  static constexpr auto with_pass(Pass) {
    if constexpr (is_traceable<Pass>) return function_object<Name, typename detail::passes_of_lambda<F>::template with<Pass>>();
    else return refuse_with<"with_pass: a pass must not capture: it works in constant evaluation", Pass>();
  }

  /// The same function with these signatures and no others, each a list of specs and literals, `with_signature<A...>()` the first
  /// of them: see closed_function.
  template <class... Key>
  static constexpr auto with_signature() {
    return closed_function<function_object, detail::types<key_of<Key>...>>();
  }

  /// The same function traced for wildcards in place of extents, so that one trace serves all shapes: see relaxed_function.
  static constexpr auto relax_shapes() { return relaxed_function<function_object>(); }

  /// The same function, which refuses to run when the program has more than N signatures of it: see capped_function.
  template <int N>
  static constexpr auto max_traces() {
    return capped_function<function_object, N>();
  }

  /// How many signatures of this function the program has: those of types are traced once, at compile time, those of run-time
  /// tensors when they are first called.
  static int experimental_get_tracing_count() {
    return detail::signatures_of<function_object>.count + detail::run_time_signatures_of<function_object>.count();
  }
  /// All signatures of this function in the program, as TensorFlow prints them, with a blank line between two.
  static std::string pretty_printed_concrete_signatures(bool full = false) {
    std::string out;
    for (auto* signature = detail::signatures_of<function_object>.first; signature; signature = signature->next) {
      if (!out.empty()) out += '\n';
      out += full ? detail::printed<true>(*signature->record) : detail::printed<false>(*signature->record);
    }
    const auto& later = detail::run_time_signatures_of<function_object>;
    for (int i = 0; i < later.count(); ++i) out += (out.empty() ? "" : "\n") + detail::printed_at_run_time(Name.view(), later[i], full);
    return out;
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
