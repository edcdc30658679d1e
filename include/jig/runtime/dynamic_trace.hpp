// SPDX-License-Identifier: MIT
#pragma once
// Dynamic traces: a callable is run at run time, with values whose specs are known only then, and leaves the graph that a static
// trace of it would.

#include <jig/core/threads.hpp>
#include <jig/graph/verify.hpp>
#include <jig/runtime/dynamic_control.hpp>
#include <jig/runtime/dynamic_gradient.hpp>
#include <jig/runtime/dynamic_host_call.hpp>
#include <jig/runtime/dynamic_part.hpp>
#include <jig/runtime/dynamic_struct.hpp>
#include <jig/runtime/dynamic_variable.hpp>
#include <jig/trace/effect.hpp>
#include <jig/trace/record.hpp>
#include <jig/trace/traceable.hpp>

#include <limits>

namespace jig::detail {

// Recordings that traced values look at which outlived their trace. They stay, and can be found by who looks for leaks.
struct kept_recording {
  builder* recording;
  kept_recording* next;
};
inline constinit kept_recording* kept_recordings = nullptr;
inline void keep_recording(builder* b) {
  auto* link = new kept_recording{b, __atomic_load_n(&kept_recordings, __ATOMIC_RELAXED)};
  while (!__atomic_compare_exchange_n(&kept_recordings, &link->next, link, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

/// The recordings of a dynamic trace. A program may keep a traced value that it should not: what such values look at stays.
class dynamic_recordings {
 public:
  dynamic_recordings() = default;
  dynamic_recordings(const dynamic_recordings&) = delete;
  dynamic_recordings& operator=(const dynamic_recordings&) = delete;
  ~dynamic_recordings() {
    for (builder* b : runs_) {
      if (b != nullptr && outlived(*b)) keep_recording(b);
      else delete b;
    }
  }
  builder& add() {
    runs_.push_back(nullptr);
    return *(runs_.back() = new builder);
  }
  int size() const { return static_cast<int>(runs_.size()); }
  const builder& operator[](int run) const { return *runs_[run]; }
  graph_view graph(int run) const { return runs_[run]->graph.view(); }

  static bool outlived(const builder& b) {
    for (char alive : b.alive)
      if (alive) return true;
    return false;
  }
  [[noreturn]] static void throw_outlived() {
    throw_invalid_argument("a traced value has been kept by the lambda: what it computes must be returned");
  }

 private:
  list<builder*> runs_;
};

/// The spec of a number, and whether it takes the dtype of what it meets.
struct number_spec : tensor_spec {
  jig::typing typing;
};

/// One argument of the lambda: specs become dynamic symbols; literals stay. A spec is a tensor_spec or a jig::spec.
template <class X>
auto dynamic_argument(builder& b, const X& x, const message& name) {
  using S = structure<X>;
  if constexpr (S::nested && !is_struct_key<X>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto part_name = [&](std::string_view part) {
        message m = name;
        m << '_' << part;
        return m;
      };
      using parts_t = std::tuple<decltype(detail::dynamic_argument(b, S::template get<I>(x), name))...>;
      parts_t parts{detail::dynamic_argument(b, S::template get<I>(x), part_name(S::template name<I>()))...};
      return S::make(std::move(std::get<I>(parts))...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_typed_spec<X>) {
    return typed_value(&b, b.input(X::type::value(), name.view()), typename X::type());
  } else if constexpr (std::is_same_v<X, number_spec>) {
    return dynamic_symbol(&b, b.input(x, name.view()), x.typing);
  } else if constexpr (is_weak_spec<X>) {
    return dynamic_symbol(&b, b.input(X::value(), name.view()), typing::weak);
  } else if constexpr (std::is_same_v<X, tensor_spec>) {
    return dynamic_symbol(&b, b.input(x, name.view()));
  } else if constexpr (is_dynamic_struct_key<X>) {
    return detail::dynamic_struct(b, x, name);
  } else if constexpr (std::is_same_v<X, dynamic_variable_key>) {
    return dynamic_variable_for(b, x, name.view());
  } else if constexpr (is_spec<X> && !is_variable_spec<X>) {
    return dynamic_symbol(&b, b.input(X::value(), name.view()));
  } else if constexpr (Constant<X>) {
    return x;
  } else {
    return refuse_with<"an argument of a dynamic trace is neither a spec nor a literal nor a structure of these", X>();
  }
}

template <class F, class... X>
using dynamic_result = std::remove_cvref_t<
    std::invoke_result_t<F&, decltype(detail::dynamic_argument(std::declval<builder&>(), std::declval<const X&>(), message()))&...>>;

/// What a dynamic trace leaves. `Result` is what the lambda returns: void, or a structure of dynamic symbols, literals and tensors.
template <class Result>
struct dynamic_trace_result {
  using result_structure = Result;
  /// How many results the graph has: the leaves of the structure, in order.
  static constexpr int results = leaf_count_of_result<Result>;
  jig::graph graph;
  /// Whether the lambda asks for gradients, which only a trace has.
  bool differentiates = false;
  /// The distinct variables that are assigned. Their new values are the results behind the lambda's, in this order.
  list<int> updated{};
};

/// The structure of X with what next() returns in place of its leaves, left to right.
template <class X, class Next>
auto structure_of_leaves(Next& next) {
  using S = structure<X>;
  if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::tuple<decltype(structure_of_leaves<part<X, I>>(next))...> parts{structure_of_leaves<part<X, I>>(next)...};
      return S::make(std::move(std::get<I>(parts))...);
    }(std::make_index_sequence<S::size>());
  } else {
    return next();
  }
}

// The results of every way through the lambda have the specs of those of the first.
template <class Graph>
void check_results(std::string_view declaration, const Graph& g, list<tensor_spec>& first, bool is_first) {
  for (std::size_t k = 0; k < g.output_edges.size(); ++k) {
    const tensor_spec& s = g.view().spec(g.output_edges[k]);
    if (is_first) first.push_back(s);
    if (s == first[k]) continue;
    message m;
    m << function_name(declaration) << ": the ways through the lambda return values of different specs: " << first[k] << " and " << s;
    throw_invalid_argument(m.view());
  }
}

// Two runs are the same up to the decision where they part. A lambda whose captures change while it is traced does otherwise.
inline bool part_at_a_decision(const builder& a, const builder& b) {
  std::size_t k = 0;
  while (k < a.events.size() && k < b.events.size() && a.events[k].outcome == b.events[k].outcome) ++k;
  if (k == a.events.size() || k == b.events.size()) return false;
  trace_event other = b.events[k];
  other.outcome = a.events[k].outcome;
  return same_event(a, a.events[k], b, other) && same_recording(a, b, 0, a.events[k].at, 0, static_cast<int>(k));
}

struct dynamically_returnable {
  template <class X>
  static constexpr bool of() {
    return world_of<X> == world::dynamic || world_of<X> == world::dual || world_of<X> == world::eager || world_of<X> == world::literal;
  }
};

// The numbers of the inputs that are distinct variables.
template <class... X>
list<int> inputs_of_variables(const X&... arguments) {
  list<int> out;
  int input = 0;
  [[maybe_unused]] auto look = [&]<class Leaf>(const Leaf& leaf) {
    const auto look_at = [&](int object) {
      if (object == static_cast<int>(out.size())) out.push_back(input);
      ++input;
    };
    if constexpr (is_dynamic_struct_key<Leaf>)
      for (std::size_t k = 0; k + 1 < leaf.objects.size(); ++k) look_at(leaf.objects[k]);
    else if constexpr (std::is_same_v<Leaf, dynamic_variable_key>) look_at(leaf.object);
    else if constexpr (!Constant<Leaf>) ++input;
  };
  (for_each_leaf(arguments, look), ...);
  return out;
}

/// Makes the graph of what was recorded. Compiled once in programs with prebuilt kernels.
/// Errors: whatever cannot be a graph throws invalid_argument.
template <class Recordings>
void finish_recording(const Recordings& runs, recorded_graph& out, std::string_view declaration) {
  message why;
  join_ways(runs, out);
  make_gradients(out, &why);
  if (out.failure == trace_failure::no_gradient) {
    message m;
    m << function_name(declaration) << ": " << why.view();
    throw_invalid_argument(m.view());
  }
  if (out.failure != trace_failure::none) throw_invalid_argument(failure_sentence(declaration, out.failure).view());
#ifdef JIG_VERIFY_GRAPHS
  require_valid(out.graph.view());
#endif
}

/// Makes a recording that of this thread.
class recording_scope {
 public:
  explicit recording_scope(builder& b) : before_(current()) {
    current() = &b;
    const recording_finder find = [] { return current(); };
    __atomic_store_n(&find_recording, find, __ATOMIC_RELAXED);
  }
  recording_scope(const recording_scope&) = delete;
  recording_scope& operator=(const recording_scope&) = delete;
  ~recording_scope() { current() = before_; }

 private:
  static builder*& current() {
    static JIG_THREAD_LOCAL builder* recording = nullptr;
    return recording;
  }
  builder* before_;
};

/// The graph of a callable, which may capture, for arguments of these specs and literals: tensor_specs, jig::specs, jig::lit, and
/// structures of them. The declaration, `name(a, b)` or nothing, names it and its parameters.
/// Errors: whatever a static trace refuses throws invalid_argument with the same sentence.
template <class F, class... X>
auto dynamic_trace(std::string_view declaration, F&& f, const X&... arguments) {
  using result = dynamic_result<F, X...>;
  static_assert(std::is_void_v<result> || all_leaves<dynamically_returnable, result>(),
                "jig: the lambda returns what is neither a traced value nor a number, literal or tensor, nor a structure of these");
  list<tensor_spec> specs;
  const builder* previous = nullptr;
  auto run = [&](builder& b) {
    const recording_scope scope(b);
    const variables_of_trace variables(b);
    auto parameters = [&]<std::size_t... I>(std::index_sequence<I...>) {
      using tuple = std::tuple<decltype(detail::dynamic_argument(b, arguments, message()))...>;
      return tuple{detail::dynamic_argument(b, arguments, parameter_name(declaration, I))...};
    }(std::index_sequence_for<X...>());
    b.has_arguments = true;
    if constexpr (std::is_void_v<result>) {
      std::apply(f, parameters);
    } else {
      const auto leaves = std::apply(f, parameters);
      for_each_leaf(leaves, [&](const auto& leaf) { b.graph.output_edges.push_back(dynamic_place(b, leaf)); });
    }
    for (int serial : b.variables) b.graph.output_edges.push_back(b.value[static_cast<std::size_t>(serial)]);
  };
  auto record = [&](builder& b) {
    // What decides without end is ended by an error.
    if (!attempt<invalid_argument>([&] { run(b); }, [&] { return b.failure == trace_failure::too_many_paths; })) return;
    if (dynamic_recordings::outlived(b)) dynamic_recordings::throw_outlived();
    if (b.failure != trace_failure::none) return;
    check_results(declaration, b.graph, specs, previous == nullptr);
    if (previous != nullptr && !part_at_a_decision(*previous, b)) {
      message m;
      m << function_name(declaration) << ": the lambda runs once for every way through it, and what it captures must not change";
      throw_invalid_argument(m.view());
    }
    previous = &b;
  };
  dynamic_recordings runs;
  recorded_graph recorded;
  record_ways(runs, recorded, record);
  if (recorded.has_blocks && recorded.failure == trace_failure::none)
    recorded.failure = run_again(
                           runs,
                           [&](builder& b) {
                             if (!attempt<invalid_argument>([&] { run(b); }, [] { return true; })) b.failure = trace_failure::native_change;
                           },
                           0, (std::numeric_limits<int>::max)())
                           .failure;
  finish_recording(runs, recorded, declaration);
  dynamic_trace_result<result> out{std::move(recorded.graph), recorded.differentiates};
  out.updated = keep_assigned(out.graph, out.results, detail::inputs_of_variables(arguments...));
  return out;
}

}  // namespace jig::detail
