// SPDX-License-Identifier: MIT
#pragma once
// Traces: the lambda is run once in constant evaluation for each signature, and the graph it leaves is a constant.

#include <jig/trace/lower.hpp>
#include <jig/trace/signature.hpp>

namespace jig {

/// Whether F can be traced: captureless, so that nothing it computes with is hidden from its signature.
template <class F>
inline constexpr bool is_traceable = std::is_empty_v<F> && std::is_default_constructible_v<F>;

namespace detail {

template <class X>
struct symbol_for;
template <class T, index... E>
struct symbol_for<spec<T, E...>> : std::type_identity<symbol<T, E...>> {};

// One argument of the lambda: its specs become symbols, literals stay.
template <class Key>
constexpr auto traced_argument(builder& b, const Key& key, const message& name) {
  using S = structure<Key>;
  if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto part_name = [&](std::string_view part) {
        message m = name;
        m << '_' << part;
        return m;
      };
      using parts_t = std::tuple<decltype(traced_argument(b, S::template get<I>(key), name))...>;
      parts_t parts{traced_argument(b, S::template get<I>(key), part_name(S::template name<I>()))...};
      return S::make(std::get<I>(parts)...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_spec<Key>) {
    return typename symbol_for<Key>::type(&b, b.input(Key::value(), name.view()));
  } else {
    return key;
  }
}

template <class F, class... A>
constexpr auto run_traced(std::tuple<A...>& arguments) {
  return std::apply([](auto&... a) { return F{}(a...); }, arguments);
}

}  // namespace detail

namespace detail {

struct recorded_graph {
  jig::graph graph;
  trace_failure failure = trace_failure::none;
};

// The most ways through a lambda that are followed.
inline constexpr int most_paths = 64;

// Records all ways through a lambda and makes one graph of them.
template <class Record>
constexpr recorded_graph record_all(Record record) {
  recordings runs;
  list<char> decisions;
  while (true) {
    builder& b = runs.add();
    b.decisions = decisions;
    record(b);
    if (b.failure != trace_failure::none) return {{}, b.failure};
    if (b.events.empty()) return {std::move(b.graph), trace_failure::none};
    decisions = b.decisions;
    while (!decisions.empty() && !decisions.back()) decisions.pop_back();
    if (decisions.empty()) break;
    decisions.back() = 0;
    if (runs.size() == most_paths) return {{}, trace_failure::too_many_paths};
  }
  structure_of_runs structure(runs);
  if (structure.failure != trace_failure::none) return {{}, structure.failure};
  lowering to_graph(runs, structure);
  recorded_graph out;
  out.graph = to_graph.run();
  out.failure = to_graph.failure;
  return out;
}

}  // namespace detail

/// One trace: what lambda F makes of arguments with these keys. `Name` names function and parameters.
template <class F, text Name, class... Key>
class trace {
  using argument_tuple = std::tuple<decltype(detail::traced_argument(std::declval<builder&>(), Key(), message()))...>;

  static constexpr void record(builder& b) {
    auto parameters = arguments_tuple(b);
    if constexpr (std::is_void_v<result_structure>) {
      detail::run_traced<F>(parameters);
    } else {
      auto result = detail::run_traced<F>(parameters);
      for_each_leaf(result, [&](const auto& leaf) { b.graph.output_edges.push_back(detail::result_place(b, leaf)); });
    }
  }
  static constexpr argument_tuple arguments_tuple(builder& b) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return argument_tuple{detail::traced_argument(b, Key(), parameter_name(Name.view(), I))...};
    }(std::index_sequence_for<Key...>());
  }

 public:
  /// What the lambda returns: a symbol or a structure of symbols.
  using result_structure = decltype(detail::run_traced<F>(std::declval<argument_tuple&>()));

 private:
  static constexpr detail::recorded_graph made() {
    return detail::record_all([](builder& b) { record(b); });
  }
  struct size_of_trace {
    graph_sizes sizes;
    trace_failure failure;
  };
  static constexpr size_of_trace size = [] {
    auto r = made();
    return size_of_trace{sizes_of(r.graph.view()), r.failure};
  }();
  static constexpr static_graph<size.sizes> storage{made().graph.view()};

 public:
  /// The graph as it was traced.
  static constexpr graph_view graph = storage.view();
  /// Whether constant evaluation reached the end of the lambda.
  static constexpr bool recorded = requires { typename std::bool_constant<(size.sizes.nodes >= 0)>; };
  /// Why the lambda has no graph all the same.
  static constexpr trace_failure failure = size.failure;
};

namespace detail {

template <class S, std::size_t I>
using part = std::remove_cvref_t<decltype(structure<S>::template get<I>(std::declval<S&>()))>;

template <class Test, class X>
constexpr bool all_leaves() {
  if constexpr (structure<X>::nested) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (all_leaves<Test, part<X, I>>() && ...);
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    return Test::template of<X>();
  }
}

struct not_refused {
  template <class X>
  static constexpr bool of() {
    return !is_refused<X>;
  }
};
struct returnable {
  template <class X>
  static constexpr bool of() {
    if constexpr (Argument<X>) return argument<X>::dense && argument<X>::spec_type::value().shape.is_static();
    else return is_symbol<X> || Constant<X>;
  }
};

// What a key expects or an argument gives, as messages say it.
constexpr void describe_key(message& m, const tensor_spec& s) { m << name_of(s.dtype) << " shape=" << s.shape; }
template <class Key>
constexpr void describe_key(message& m) {
  if constexpr (structure<Key>::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      m << '(';
      ((m << (I == 0 ? "" : "; "), describe_key<part<Key, I>>(m)), ...);
      m << ')';
    }(std::make_index_sequence<structure<Key>::size>());
  } else if constexpr (is_spec<Key>) {
    describe_key(m, Key::value());
  } else {
    using T = canonical<typename Key::value_type>;
    m << name_of(dtype_of<T>) << " literal";
    if constexpr (std::is_integral_v<T>) m << ' ' << static_cast<index>(Key::value);
  }
}

template <text Name, class... Key>
struct uncallable_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": the lambda cannot be called with " << static_cast<index>(sizeof...(Key))
      << (sizeof...(Key) == 1 ? " argument: " : " arguments: ");
    describe_key<std::tuple<Key...>>(m);
    return m;
  }();
};

template <text Name, class Result>
struct result_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view())
      << ": the lambda returns what is neither a traced value nor a number, literal or tensor of static shape, nor a "
         "structure of these";
    return m;
  }();
};

template <text Name, trace_failure Failure>
struct failure_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": ";
    if (Failure == trace_failure::too_many_paths)
      m << "more than 64 ways through the ifs of the lambda, or more than 32 ifs on one of them: write ifs that join again with "
           "JIG_IF, choose values with jig::where, end recursions on jig::lit";
    else if (Failure == trace_failure::endless_loop)
      m << "every way through the body of a loop leaves it: use an if instead of the loop";
    else if (Failure == trace_failure::left_branch)
      m << "JIG_IF cannot be left by return, break or continue: use a plain if";
    else if (Failure == trace_failure::branching_condition)
      m << "the condition of JIG_WHILE must not branch itself: use jig::where";
    else
      m << "a value that leaves a loop early needs a static shape";
    return m;
  }();
};

/// true_type if lambda F can be traced for these keys, otherwise a refused object. Looks before the trace is made, so that
/// the user reads one sentence and not what follows from it.
template <class F, text Name, class... Key>
constexpr auto traceable_for() {
  if constexpr (!(all_leaves<not_refused, Key>() && ...)) {
    return refused<>();
  } else if constexpr (!std::is_invocable_v<F, decltype(traced_argument(std::declval<builder&>(), Key(), message()))&...>) {
    return refuse<uncallable_reason<Name, Key...>>();
  } else {
    using result = std::remove_cvref_t<
        std::invoke_result_t<F, decltype(traced_argument(std::declval<builder&>(), Key(), message()))&...>>;
    if constexpr (!std::is_void_v<result> && !all_leaves<not_refused, result>()) return refused<>();
    else if constexpr (!std::is_void_v<result> && !all_leaves<returnable, result>()) return refuse<result_reason<Name, result>>();
    else if constexpr (!trace<F, Name, Key...>::recorded) return refused<>();
    else if constexpr (trace<F, Name, Key...>::failure != trace_failure::none)
      return refuse<failure_reason<Name, trace<F, Name, Key...>::failure>>();
    else return std::true_type();
  }
}

}  // namespace detail

}  // namespace jig
