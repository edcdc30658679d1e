// SPDX-License-Identifier: MIT
#pragma once
// Traces: the lambda is run once in constant evaluation for each signature, and the graph it leaves is a constant.

#include <jig/graph/walk.hpp>
#include <jig/ops/gradient.hpp>
// Before what includes it by way of others: messages of compilers about parts of values name fewer files.
#include <jig/trace/element_reference.hpp>
#include <jig/trace/record.hpp>
#include <jig/trace/traced_argument.hpp>

namespace jig {

/// Whether F can be traced: captureless, so that nothing it computes with is hidden from its signature.
template <class F>
inline constexpr bool is_traceable = std::is_empty_v<F> && std::is_default_constructible_v<F>;

namespace detail {

template <class S>
inline constexpr std::size_t leaf_count = leaves_of<S>::size;

// How many specs are among the leaves of a key.
template <class Key, class Leaves = leaves_of<Key>>
inline constexpr std::size_t spec_count = 0;
template <class Key, class... L>
inline constexpr std::size_t spec_count<Key, leaf_list<L...>> = (std::size_t{0} + ... + (is_spec<L> ? 1 : 0));

template <class Key, class Leaves = leaves_of<Key>>
inline constexpr bool holds_variable_specs = false;
template <class Key, class... L>
inline constexpr bool holds_variable_specs<Key, leaf_list<L...>> = (is_variable_spec<L> || ...);

template <class... L>
constexpr void flag_variables(leaf_list<L...>, [[maybe_unused]] bool*& to) {
  ((is_spec<L> ? void(*to++ = is_variable_spec<L>) : void()), ...);
}
// Which inputs are variables.
template <std::size_t N, class... Key>
constexpr std::array<bool, N + 1> variable_flags() {
  std::array<bool, N + 1> out{};
  bool* to = out.data();
  (flag_variables(leaves_of<Key>(), to), ...);
  return out;
}

// Numbers the objects of which inputs are parts; parts of one object are never the same variable, others may be.
template <class Key>
inline constexpr bool is_one_object = is_struct_key<Key>;
template <class T, std::size_t N>
inline constexpr bool is_one_object<std::array<T, N>> = true;
template <class Key>
constexpr void number_objects(int*& to, int& next, bool inside) {
  if constexpr (structure<Key>::nested) {
    const bool one = inside || is_one_object<Key>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (number_objects<part<Key, I>>(to, next, one), ...);
    }(std::make_index_sequence<structure<Key>::size>());
    if (one && !inside) ++next;
  } else if constexpr (is_spec<Key>) {
    *to++ = inside ? next : next++;
  }
}

/// Keeps of the last outputs of a graph, the values of its variables at the end, those that were assigned. In front of them are
/// `results` others; the variables are these inputs. Returns the numbers of the ones kept, in order.
constexpr list<int> keep_assigned(graph& g, int results, const list<int>& variables) {
  list<int> updated;
  list<edge> kept;
  for (int k = 0; k < results; ++k) kept.push_back(g.output_edges[k]);
  for (int k = 0; k < static_cast<int>(variables.size()); ++k) {
    const edge e = g.output_edges[results + k];
    if (e == edge{g.input_nodes[variables[k]], 0}) continue;
    kept.push_back(e);
    updated.push_back(k);
  }
  g.output_edges = std::move(kept);
  return updated;
}

template <class S>
inline constexpr int leaf_count_of_result = static_cast<int>(leaf_count<S>);
template <>
inline constexpr int leaf_count_of_result<void> = 0;

}  // namespace detail

/// One trace: what lambda F makes of arguments with these keys. `Name` names function and parameters.
template <class F, text Name, class... Key>
class trace {
  static constexpr std::size_t inputs = (std::size_t{0} + ... + detail::spec_count<Key>);
  using argument_tuple = std::tuple<decltype(detail::traced_argument(std::declval<builder&>(), Key(), message()))...>;

  // GCC tells every call that leads to what cannot be a constant, so there are few.
  template <class Positions>
  struct recorder;
  template <std::size_t... I>
  struct recorder<std::index_sequence<I...>> {
    constexpr void operator()(builder& b) const {
      argument_tuple parameters{detail::traced_argument(b, Key(), parameter_name(Name.view(), I))...};
      b.has_arguments = true;
      if constexpr (std::is_void_v<result_structure>) {
        F{}(std::get<I>(parameters)...);
      } else {
        auto result = F{}(std::get<I>(parameters)...);
        for_each_leaf(result, [&](const auto& leaf) { b.graph.output_edges.push_back(detail::result_place(b, leaf)); });
      }
      for (int serial : b.variables) b.graph.output_edges.push_back(b.value[static_cast<std::size_t>(serial)]);
    }
  };
  using record = recorder<std::index_sequence_for<Key...>>;

 public:
  /// Whether variables are among the arguments.
  static constexpr bool has_variables = (detail::holds_variable_specs<Key> || ...);
  /// What the lambda returns: a symbol or a structure of symbols.
  using result_structure = std::remove_cvref_t<decltype(F{}(std::declval<detail::argument_for<Key>&>()...))>;
  /// How many results are what the lambda returns. The others are new values of variables.
  static constexpr int results = detail::leaf_count_of_result<result_structure>;

 private:
  // What is known about a trace besides its graph.
  struct about_trace {
    graph_sizes sizes{};
    trace_failure failure = trace_failure::none;
    unfit_literal unfit{};
    bool differentiates = false;
    bool has_blocks = false;
    // Whether the graph is still to be made of what was recorded, in an evaluation of its own: most lambdas have one way and no
    // gradients, and their traces do not instantiate what joins ways and differentiates.
    bool unfinished = false;
    // By input: the number of the result that is its new value, or -1.
    int update[inputs + 1] = {};
  };
  static constexpr void drop_unassigned(jig::graph& g, about_trace& about) {
    constexpr auto is_variable = detail::variable_flags<inputs, Key...>();
    list<int> variables;
    for (std::size_t i = 0; i < inputs; ++i)
      if (is_variable[i]) variables.push_back(static_cast<int>(i));
    const list<int> updated = detail::keep_assigned(g, results, variables);
    for (std::size_t i = 0; i < inputs; ++i) about.update[i] = -1;
    for (std::size_t k = 0; k < updated.size(); ++k) about.update[variables[updated[k]]] = results + static_cast<int>(k);
  }
  // The trace as a constant with room for pools of sizes S. When they do not suffice, or the graph is not finished, it is empty.
  template <graph_sizes S, bool Finished>
  struct trace_in_room {
    about_trace about;
    bool fits;
    static_graph<S> storage;
    constexpr explicit trace_in_room(detail::recordings runs = {}, detail::recorded_graph r = {})
        : about((detail::record_ways(runs, r, record()), about_recorded(runs, r))),
          fits(!about.unfinished && holds(S, about.sizes)),
          storage(fits ? r.graph.view() : graph_view()) {}

   private:
    static constexpr about_trace about_recorded(const detail::recordings& runs, detail::recorded_graph& r) {
      about_trace out;
      if constexpr (Finished) {
        detail::join_ways(runs, r);
        detail::make_gradients(r, nullptr);
      } else if (detail::is_unfinished(r)) {
        out.unfinished = true;
        out.sizes = detail::sizes_behind(runs, r);
        return out;
      }
      if constexpr (has_variables)
        if (r.failure == trace_failure::none) drop_unassigned(r.graph, out);
      out.sizes = sizes_of(r.graph.view());
      out.failure = r.failure;
      out.unfit = r.unfit;
      out.differentiates = r.differentiates;
      out.has_blocks = r.has_blocks;
      return out;
    }
  };
  // Room for most traces: what fits is recorded once.
  static constexpr graph_sizes usual_room = [] {
    constexpr int n = static_cast<int>(inputs);
    return graph_sizes{16 + 8 * n, 32 + 16 * n, 8, 32 + 8 * n, 64 + 8 * n, 64 + 16 * n, 16 + 2 * n, n, 8 + 2 * n, 0, 0, 0, 0};
  }();

 public:
  /// The lambda as it was evaluated: with room that most traces find enough, which compilers name where it is no constant expression,
  /// and with all the room that it needs.
  struct first {
    static constexpr trace_in_room<usual_room, false> what_a_traced_lambda_does_must_be_constexpr{};
  };

 private:
  struct joined {
    static constexpr trace_in_room<first::what_a_traced_lambda_does_must_be_constexpr.about.sizes, true>
        what_a_traced_lambda_does_must_be_constexpr{};
  };

 public:
  /// The same behind the second evaluation, where the first one did not finish.
  struct finished : std::conditional_t<first::what_a_traced_lambda_does_must_be_constexpr.about.unfinished, joined, first> {};

 private:
  struct exact {
    static constexpr trace_in_room<finished::what_a_traced_lambda_does_must_be_constexpr.about.sizes,
                                   first::what_a_traced_lambda_does_must_be_constexpr.about.unfinished>
        what_a_traced_lambda_does_must_be_constexpr{};
  };
  static constexpr const about_trace& known = finished::what_a_traced_lambda_does_must_be_constexpr.about;

  template <int First>
  static constexpr detail::rerun_progress reruns = detail::record_again<detail::recordings>(record(), First);
  template <int First>
  static constexpr trace_failure failure_of_reruns() {
    if constexpr (reruns<First>.failure != trace_failure::none || reruns<First>.next < 0) return reruns<First>.failure;
    else return failure_of_reruns<reruns<First>.next>();
  }

 public:
  /// The graph as it was traced.
  static constexpr graph_view graph = std::conditional_t<finished::what_a_traced_lambda_does_must_be_constexpr.fits, finished,
                                                         exact>::what_a_traced_lambda_does_must_be_constexpr.storage.view(known.sizes);
  /// The lambda that was traced.
  using lambda = F;
  /// The ops that the lambda calls on any way through it, each once, also those whose results nobody needs; not those that gradients stand
  /// for.
  static constexpr list<const op*> called_ops() {
    detail::recordings runs;
    detail::recorded_graph recorded;
    detail::record_ways(runs, recorded, record());
    list<const op*> out;
    const auto add = [&](const graph_view& g) {
      holds_for_any(g, [&](const graph_view&, const node_data& n) {
        bool known = detail::is_op(*n.kind, ops::gradient) || detail::is_op(*n.kind, ops::custom_gradient) ||
                     detail::is_op(*n.kind, ops::adjoint_of);
        for (const op* other : out) known = known || other->identity == n.kind->identity;
        if (!known) out.push_back(n.kind);
        return false;
      });
    };
    add(recorded.graph.view());
    for (int run = 0; run < runs.size(); ++run) add(runs.graph(run));
    return out;
  }
  /// The number of the result that is the new value of the variable that is input i; -1 if it is never assigned.
  static constexpr int update_of(std::size_t i) { return has_variables ? known.update[i] : -1; }
  /// Whether two arguments may be one variable, which is assigned.
  static constexpr bool may_alias() {
    constexpr auto is_variable = detail::variable_flags<inputs, Key...>();
    int object[inputs + 1] = {}, next = 0;
    int* to = object;
    (detail::number_objects<Key>(to, next, false), ...);
    for (std::size_t i = 0; i < inputs; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (is_variable[i] && is_variable[j] && object[i] != object[j] && (update_of(i) >= 0 || update_of(j) >= 0) &&
            may_be_equal(graph.data(graph.inputs()[i]).spec, graph.data(graph.inputs()[j]).spec))
          return true;
    return false;
  }
  /// Why the lambda has no graph all the same.
  static constexpr trace_failure failure = [] {
    if constexpr (known.failure != trace_failure::none || !known.has_blocks) return known.failure;
    else return failure_of_reruns<0>();
  }();
  /// The literal that does not fit, of trace_failure::unfit_literal.
  static constexpr unfit_literal unfit = known.unfit;
  /// More about it, of trace_failure::no_gradient.
  static constexpr message why = [] {
    message m;
    (void)detail::record_all(record(), &m);
    return m;
  }();
  /// Whether the lambda asks for gradients, which only a trace has.
  static constexpr bool differentiates = known.differentiates;
};

}  // namespace jig
