// SPDX-License-Identifier: MIT
#pragma once
// Concrete functions: one signature of a function, to call and to look at.

#include <jig/eval/call.hpp>
#include <jig/eval/nest_text.hpp>
#include <jig/eval/plan_text.hpp>
#include <jig/graph/lifted.hpp>
#include <jig/passes/notes.hpp>
#include <jig/trace/named_argument.hpp>
#include <jig/trace/signature_text.hpp>
#include <jig/trace/trace_with_options.hpp>
#include <jig/trace/traceable.hpp>

#include <cstddef>
#include <span>

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

// Variables are passed as they are, all else as const.
template <class X>
constexpr auto& passed(X& x) {
  if constexpr (holds_variables<std::remove_const_t<X>>) return x;
  else return std::as_const(x);
}
// One signature of a function, to call. Apart from concrete_function, so that who only calls a function does not pay for the
// types of its nodes.
template <class Trace, text Name, class... Key>
class callable {
  using result_structure = typename Trace::result_structure;
  template <class... X>
  static constexpr bool takes = arguments_fit<Name, std::tuple<Key...>, std::tuple<key_of<X>...>>::value;

 public:
  /// The lambda's result with specs in place of tensors.
  using output_spec = typename spec_structure<result_structure>::type;
  /// The trace whose graph runs.
  using traced = Trace;
  /// Whether the lambda asks for gradients: where it runs as it stands, what it computes has to be recorded.
  static constexpr bool differentiates = Trace::differentiates;
  /// The same signature, whose calls jig/profile.hpp watches.
  using watched = callable<watched_trace<Trace>, Name, Key...>;
  /// The signature as plain data.
  using recorded = recorded_signature<Name, output_spec, Key...>;

  /// Runs the graph. Arguments may be more general than the signature: what only the call knows is checked then.
  /// Errors: an argument that does not fit throws invalid_argument naming it, or is refused when its type says so.
  template <class... X>
  [[gnu::always_inline]] auto operator()(X&&... x) const {
    if constexpr (any_named<X...>) return call_by_name<Name>(*this, x...);
    else if constexpr (takes<X...>) return call_traced<Trace, Name, Key...>(memory_of_threads, new_results(), passed(x)...);
    else return refused<>();
  }

  /// Runs the graph and writes the results into memory of the caller: one object for one result, a structure of objects
  /// for several. Allocates nothing once the thread's workspace has grown to its size; results may be arguments too.
  /// Errors: as for a call; also when a result does not fit. Nothing is written then.
  template <class Out, class... X>
  [[gnu::always_inline]] void into(Out&& out, X&&... x) const {
    if constexpr (any_named<X...>) call_by_name<Name>([&](auto&... ordered) { into(out, ordered...); }, x...);
    else into_in(memory_of_threads, out, x...);
  }
  /// The same with workspaces from there; `with_workspace` calls it.
  template <class Out, class... X>
  [[gnu::always_inline]] void into_in(memory_source& memory, Out& out, X&&... x) const {
    if constexpr (takes<X...>) call_traced<Trace, Name, Key...>(memory, detail::tensor_leaves(out), passed(x)...);
  }
};

}  // namespace detail

template <class F, text Name, class O, class... Key>
class concrete_function;
template <class Function>
class function_with_workspace;
template <class Function, class... Bound>
class bound_function;

namespace detail {

// Whether values of a graph, or of bodies in it, are text.
constexpr bool has_text(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    bool inside = g.data(v).spec.dtype == dtype::string;
    g.for_each_body(g.data(v), [&](const graph_view& body) { inside = inside || has_text(body); });
    if (inside) return true;
  }
  return false;
}

/// The concrete function of a signature, or a refused object.
template <class F, text Name, class O, class... Key>
constexpr auto concrete_with() {
  constexpr auto traceable = possible_with<F, Name, O, Key...>(traceable_for<F, Name, Key...>());
  if constexpr (is_refused<std::remove_const_t<decltype(traceable)>>) return traceable;
  else return concrete_function<F, Name, options_of_graph<O>, Key...>();
}

}  // namespace detail

/// One signature of a function: its graph is a constant, calls run it. Equal signatures with equal options of their graphs, such as
/// checks, are equal types.
template <class F, text Name, class O, class... Key>
class concrete_function : public detail::callable<detail::traced_with<trace<F, Name, Key...>, O>, Name, Key...>,
                          public detail::graph_options<concrete_function<F, Name, O, Key...>, O> {
  using traced = detail::traced_with<trace<F, Name, Key...>, O>;
  using callable = detail::callable<traced, Name, Key...>;

 public:
  using typename callable::output_spec;
  using typename callable::recorded;

  /// The same signature with other options.
  template <class P>
  constexpr auto with_options() const {
    return detail::concrete_with<F, Name, P, Key...>();
  }

  /// The arguments' specs and literals.
  static constexpr std::tuple<Key...> structured_input_signature() { return {}; }
  /// The same as TensorFlow prints it: `((TensorSpec(shape=(None,), dtype=tf.float32, name='x'), 2), {})`.
  static std::string structured_input_signature_text() { return detail::input_signature_text(recorded::record); }
  /// The results' specs.
  static constexpr output_spec structured_outputs() { return output_spec(); }
  /// The signature as TensorFlow prints it: `name(x)`, Args and Returns, or in full with TensorSpecs.
  static std::string pretty_printed_signature(bool full = false) {
    return full ? detail::printed<true>(recorded::record) : detail::printed<false>(recorded::record);
  }

  /// The graph as it was traced, with its loops unrolled and its values checked where options say so.
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
  /// Calls f(argument, result) for each argument of the graph that is a variable, by their numbers; the result is its new value, -1 where
  /// it is never assigned.
  template <class Each>
  static void for_each_variable(Each f) {
    constexpr std::size_t inputs = traced::graph.inputs().size();
    constexpr auto is_variable = detail::variable_flags<inputs, Key...>();
    for (std::size_t i = 0; i < inputs; ++i)
      if (is_variable[i]) f(static_cast<int>(i), traced::update_of(i));
  }
  /// The texts that trace_note has left in the trace, in order, as a std::array.
  static constexpr auto notes() {
    constexpr std::size_t count = [] {
      const auto found = jig::notes(trace<F, Name, Key...>::graph);
      return found.size();
    }();
    std::array<std::string_view, count> out{};
    const auto found = jig::notes(trace<F, Name, Key...>::graph);
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = found[k];
    return out;
  }
  /// The same as lines that Python prints while TensorFlow traces, with what the values are; see notes_text.
  static std::string notes_text() { return jig::notes_text(trace<F, Name, Key...>::graph); }
  /// Units: bytes of memory that a call with dense arguments and results that lie apart needs besides these; -1 when an extent is not
  /// static.
  static constexpr index peak_workspace() { return detail::workspace_of(optimized_graph(), O::values.concurrent); }

  /// Whether calls of `into` allocate memory whatever the workspace is: for text, for extents that only the run tells, or to remember what
  /// loops of any number of trips computed.
  static constexpr bool allocates() {
    using P = dense_program_of<traced>;
    return P::remembers || P::plan.any_late || has_varying_extents(graph()) || detail::has_text(P::graph);
  }
  /// The same signature with memory that calls of `into` work in; see function_with_workspace.
  constexpr auto with_workspace(std::span<std::byte> memory) const { return function_with_workspace<concrete_function>(memory); }

  /// The same signature with its first arguments, such as the variables of a model: calls take the others; see bound_function.
  template <class... X>
  constexpr auto bind(X&&... x) const {
    return bound_function<concrete_function, X...>(std::forward<X>(x)...);
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

template <class F, text Name, class O, class... Key>
constexpr typename concrete_function<F, Name, O, Key...>::graph_type::node_tuple concrete_function<F, Name, O, Key...>::nodes{};

}  // namespace jig
