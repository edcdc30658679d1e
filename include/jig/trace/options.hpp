// SPDX-License-Identifier: MIT
#pragma once
// Options of functions, as tf.function has them as keyword arguments: what is traced, what becomes of the graph and how it runs.
// Each is asked for by a method that returns the function with it, in any order.

#include <jig/passes/unroll.hpp>
#include <jig/trace/trace.hpp>

namespace jig {

/// The options that are values.
struct option_values {
  int most_traces = -1;     // signatures that the program may have; -1: any number
  int unrolled_trips = -1;  // trips of loops that may be copied; -1: loops stay
  bool relaxed_shapes = false;
  bool eager = false;
  bool without_passes = false;
  bool checked_numerics = false;
  bool concurrent = false;  // Steps that need not wait for one another may run at the same time: jig/parallel.hpp.
};

/// The options of a function. Those that are types: its declared signatures, each a detail::types of keys, and its own passes.
template <option_values Values = option_values(), class Signatures = detail::types<>, class Passes = detail::types<>>
struct options {
  static constexpr option_values values = Values;
  using signatures = Signatures;
  using passes = Passes;
};

namespace detail {

template <class O, auto Member>
constexpr option_values changed_values(auto value) {
  option_values out = O::values;
  out.*Member = value;
  return out;
}
template <class O, auto Member, auto Value>
using with_value = options<changed_values<O, Member>(Value), typename O::signatures, typename O::passes>;

template <class List, class... More>
struct list_with;
template <class... X, class... More>
struct list_with<types<X...>, More...> : std::type_identity<types<X..., More...>> {};

constexpr option_values values_of_graph(option_values v) {
  v.most_traces = -1;
  v.relaxed_shapes = v.eager = false;
  return v;
}
/// The options that say which graph runs, without all others.
template <class O>
using options_of_graph = options<values_of_graph(O::values), types<>, typename O::passes>;

/// Whether an option list says which signatures there are.
template <class O>
inline constexpr bool has_signatures = !std::is_same_v<typename O::signatures, types<>>;

// Whether one of the signatures leaves a rank open.
template <class Signatures>
inline constexpr bool have_unknown_ranks = false;
template <class... Key>
inline constexpr bool have_unknown_ranks<types<types<Key...>>> = (leaves_rank_open<Key> || ...);
template <class First, class Second, class... Rest>
inline constexpr bool have_unknown_ranks<types<First, Second, Rest...>> =
    have_unknown_ranks<types<First>> || have_unknown_ranks<types<Second, Rest...>>;
template <class O>
inline constexpr bool has_unknown_ranks = have_unknown_ranks<typename O::signatures>;

/// The options of graphs, as methods of a function: `with_options<P>()` of the function returns it with other options.
template <class Function, class O>
class graph_options {
 protected:
  template <class P>
  constexpr auto changed() const {
    return static_cast<const Function&>(*this).template with_options<P>();
  }

 public:
  /// The same function without the standard passes: its graphs run as they were traced, but for nodes that nobody needs and for
  /// passes that with_pass adds. For a debugger, and to see what passes do.
  constexpr auto without_passes() const { return changed<with_value<O, &option_values::without_passes, true>>(); }

  /// The same function with one more pass behind the standard ones and those that were added before: a captureless callable that
  /// takes a graph_view and returns a graph, in constant evaluation, and in calls with run-time tensors. Nodes that it leaves
  /// without a use are dropped. For run-time tensors, ops that it makes and that the lambda does not use stand in its member
  /// `static constexpr auto makes = jig::made_ops<…>`.
  /// Errors: a pass that captures is refused at compile time.
  template <class Pass>
  constexpr auto with_pass(Pass) const {
    if constexpr (is_traceable<Pass>)
      return changed<options<O::values, typename O::signatures, typename list_with<typename O::passes, Pass>::type>>();
    else return refuse_with<"with_pass: a pass must not capture: it works in constant evaluation", Pass>();
  }

  /// The same function with a check behind every floating value: a call throws invalid_argument that names the first node that
  /// made NaN or infinity, and its inputs: `check_numerics: truediv = RealDiv(x, y) made NaN at (0,)`. The checks are of the graph as
  /// it was traced, which the standard passes leave alone then, and it is the graph that runs, never the lambda op by op.
  constexpr auto check_numerics() const { return changed<with_value<O, &option_values::checked_numerics, true>>(); }

  /// The same function with its loops unrolled whose number of trips follows from constants.
  /// Errors: more than Most trips in all are refused at compile time; calls with run-time tensors throw invalid_argument.
  template <int Most = most_unrolled_trips>
  constexpr auto unrolled() const {
    static_assert(Most >= 0, "jig: unrolled: a number of trips is not negative");
    return changed<with_value<O, &option_values::unrolled_trips, Most>>();
  }

  /// The same function, planned so that steps that need not wait for one another can run at the same time; jig::parallel runs them so.
  constexpr auto concurrent() const { return changed<with_value<O, &option_values::concurrent, true>>(); }
};

/// All options, as methods of a function.
template <class Function, class O>
class function_options : public graph_options<Function, O> {
 public:
  /// The same function with declared signatures, each a list of specs and literals, `with_signature<A...>()` one more. A call runs
  /// the most specific one that takes its arguments, of incomparable ones the first. The types of static arguments tell which at
  /// compile time; run-time tensors are looked at in the call. Shapes that are declared are not relaxed. With spec_of_unknown_rank in one
  /// of them all calls are those with run-time tensors: the first call with arguments of some ranks traces for them, with wildcards for
  /// extents; all these traces count, and are printed, as the one signature that was declared.
  /// Errors: arguments that no signature takes are refused at compile time, or throw invalid_argument with both.
  template <class... Key>
  constexpr auto with_signature() const {
    return this->template changed<
        options<O::values, typename list_with<typename O::signatures, keys_of<std::remove_cvref_t<Key>...>>::type, typename O::passes>>();
  }

  /// The same function traced for wildcards in place of the extents of its arguments, but for those of variables, so that one
  /// trace serves all shapes of a rank. Of run-time tensors, extents become wildcards when they change.
  constexpr auto relax_shapes() const { return this->template changed<with_value<O, &option_values::relaxed_shapes, true>>(); }

  /// The same function, which refuses to run when the program has more than N signatures of it. Those of static arguments are all
  /// known before main begins; those of run-time tensors are counted as they come.
  /// Errors: more throw invalid_argument with the list of them; nothing runs then.
  template <int N>
  constexpr auto max_traces() const {
    static_assert(N >= 0, "jig: max_traces: a number of signatures is not negative");
    return this->template changed<with_value<O, &option_values::most_traces, N>>();
  }

  /// The same function, whose calls run the lambda as it stands, op by op, for a debugger that stops inside it: what
  /// run_functions_eagerly does for all functions. Results have the types of the graph's. Where the lambda takes gradients, what it
  /// computes is recorded to be differentiated, and variables have their new values at the end; without jig's run-time library the
  /// kernels of its ops are compiled for that, which takes long.
  constexpr auto run_eagerly() const { return this->template changed<with_value<O, &option_values::eager, true>>(); }
};

}  // namespace detail

}  // namespace jig
