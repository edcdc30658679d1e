// SPDX-License-Identifier: MIT
#pragma once
// Traces: the lambda is run once in constant evaluation for each signature, and the graph it leaves is a constant.

#include <jig/trace/record.hpp>
#include <jig/trace/signature.hpp>

namespace jig {

/// Whether F can be traced: captureless, so that nothing it computes with is hidden from its signature.
template <class F>
inline constexpr bool is_traceable = std::is_empty_v<F> && std::is_default_constructible_v<F>;

namespace detail {

template <class X>
struct variable_for;
template <class T, index... E>
struct variable_for<variable_spec<T, E...>> : std::type_identity<variable<T, E...>> {};

template <class V>
constexpr void bind_variable(builder& b, V& v, const message& name) {
  const int serial = b.track(b.input(V::spec_type::value(), name.view()));
  b.variables.push_back(serial);
  variable_access::bind(v, &b, serial);
}

// All variables of a struct that has nothing else become inputs.
template <class X>
constexpr void bind_variables(builder& b, X& x, const message& name) {
  using S = structure<X>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (
          [&] {
            message m = name;
            m << '_' << S::template name<I>();
            bind_variables(b, S::template get<I>(x), m);
          }(),
          ...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_variable<X>) {
    bind_variable(b, x, name);
  }
}

// One argument of the lambda: its specs become symbols and variables, structs of variables such structs; literals stay.
template <class Key>
constexpr auto traced_argument(builder& b, const Key& key, const message& name) {
  using S = structure<Key>;
  if constexpr (is_struct_key<Key>) {
    typename Key::type out;
    bind_variables(b, out, name);
    return out;
  } else if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto part_name = [&](std::string_view part) {
        message m = name;
        m << '_' << part;
        return m;
      };
      using parts_t = std::tuple<decltype(traced_argument(b, S::template get<I>(key), name))...>;
      parts_t parts{traced_argument(b, S::template get<I>(key), part_name(S::template name<I>()))...};
      return S::make(std::move(std::get<I>(parts))...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_variable_spec<Key>) {
    typename variable_for<Key>::type out;
    bind_variable(b, out, name);
    return out;
  } else if constexpr (is_spec<Key>) {
    return typename symbol_of_spec<Key>::type(&b, b.input(Key::value(), name.view()));
  } else {
    return key;
  }
}

template <class S>
inline constexpr std::size_t leaf_count = leaves_of<S>::size;

/// Stands beside the calls of a lambda: worse for its arguments, better for the object itself.
struct rival_call {
  struct chosen {};
  chosen operator()(...);
};
template <class F>
struct lambda_and_rival : F, rival_call {
  using F::operator();
  using rival_call::operator();
};
/// An argument that only parameters without a type take.
template <class>
struct untyped_argument {};
/// Whether a lambda has the parameters for such arguments. Its body is not looked at, so that mistakes in there are told as what they
/// are: the call is ambiguous if the lambda takes part.
template <class F, class... A>
concept TakesArguments =
    (sizeof...(A) == 0 && std::is_invocable_v<F>) || (sizeof...(A) > 0 && !requires(lambda_and_rival<F>& both, A&... a) {
      { both(a...) } -> std::same_as<rival_call::chosen>;
    });

/// What the lambda gets for an argument with this key.
template <class Key>
using argument_for = decltype(detail::traced_argument(std::declval<builder&>(), Key(), message()));

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

namespace detail {

template <class Test, class X>
constexpr bool all_leaves() {
  return []<class... L>(leaf_list<L...>) { return (Test::template of<L>() && ...); }(leaves_of<X>());
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
    if constexpr (world_of<X> == world::dual) return true;
    else if constexpr (Argument<X>)
      return argument_layout<X> == memory_layout::row_major && argument<X>::spec_type::value().shape.is_static();
    else return is_recorded<X> || Constant<X>;
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
    if (is_variable_spec<Key>) m << "variable ";
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

template <text Name>
struct reference_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": the lambda returns a reference, to what may be gone by then: return a value, as `-> auto` does";
    return m;
  }();
};

// Why there is no graph, of failures that tell no more.
constexpr message failure_sentence(std::string_view declaration, trace_failure failure) {
  message m;
  m << function_name(declaration) << ": ";
  if (failure == trace_failure::too_many_paths)
    m << "more than 64 ways through the ifs of the lambda, or more than 32 ifs on one of them: write ifs that join again with "
         "JIG_IF, choose values with jig::where, loops with jig::range or JIG_WHILE, end recursions on jig::lit";
  else if (failure == trace_failure::endless_loop) m << "every way through the body of a loop leaves it: use an if instead of the loop";
  else if (failure == trace_failure::left_branch) m << "JIG_IF cannot be left by return, break or continue: use a plain if";
  else if (failure == trace_failure::native_change)
    m << "a C++ variable changes inside a traced loop or a block of JIG_IF, which is recorded once: make it a traced value, "
         "`auto n = jig::constant_like(x, 0)` for a traced x";
  else if (failure == trace_failure::outlived_block)
    m << "a traced value that is made inside a traced loop or a block of JIG_IF is kept behind it, in a std::vector or std::optional, say: "
         "make it before, and assign to it inside";
  else if (failure == trace_failure::large_gradient)
    m << "the gradient of a graph of so many nodes takes more than the " << most_differentiated_nodes
      << " that compilers evaluate by default: make loops of numbers one node with jig::range(first, last, jig::beside(x)), or raise "
         "-fconstexpr-ops-limit (GCC) or -fconstexpr-steps (Clang) and say how many times with the macro JIG_CONSTEXPR_LIMITS";
  else if (failure == trace_failure::branching_condition) m << "the condition of JIG_WHILE must not branch itself: use jig::where";
  else m << "a value that leaves a loop early needs a static shape";
  return m;
}
template <text Name, trace_failure Failure>
struct failure_reason {
  static constexpr message sentence = failure_sentence(Name.view(), Failure);
};

template <text Name, class Trace>
struct gradient_failure_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": " << Trace::why.view();
    return m;
  }();
};

template <text Name, unfit_literal Unfit>
struct unfit_literal_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": the literal";
    if (Unfit.is_integer) m << ' ' << Unfit.value;
    m << " does not fit dtype " << name_of(Unfit.to) << " of the tensor that it joins: use jig::cast";
    return m;
  }();
};

/// true_type if lambda F can be traced for these keys, otherwise a refused object. Looks before the trace is made, so that
/// the user reads one sentence and not what follows from it.
template <class F, text Name, class... Key>
constexpr auto traceable_for() {
  using traced = trace<F, Name, Key...>;
  if constexpr (!(all_leaves<not_refused, Key>() && ...)) {
    return refused<>();
  } else if constexpr (!TakesArguments<F, argument_for<Key>...>) {
    return refuse<uncallable_reason<Name, Key...>>();
  } else if constexpr (
      !requires { F{}(std::declval<argument_for<Key>&>()...); } || !requires { F{}(std::declval<argument_for<Key>&>()...); }) {
    // If the parameters take anything, the compiler has said what is wrong with the body. Clang knows only the second time, if there is a
    // type that it returns.
    if constexpr (TakesArguments<F, untyped_argument<Key>...>) return refused<>();
    else return refuse<uncallable_reason<Name, Key...>>();
  } else {
    using given = decltype(F{}(std::declval<argument_for<Key>&>()...));
    using result = std::remove_cvref_t<given>;
    if constexpr (!std::is_void_v<result> && !all_leaves<not_refused, result>()) return refused<>();
    else if constexpr (std::is_reference_v<given>) return refuse<reference_reason<Name>>();
    else if constexpr (!std::is_void_v<result> && !all_leaves<returnable, result>()) return refuse<result_reason<Name, result>>();
    else if constexpr (!requires { typename std::bool_constant<traced::first::what_a_traced_lambda_does_must_be_constexpr.fits>; })
      return refused<>();  // constant evaluation did not reach the end of the lambda, and the compiler has said why
    else if constexpr (!requires { typename std::bool_constant<traced::finished::what_a_traced_lambda_does_must_be_constexpr.fits>; })
      return refused<>();  // nor that of its gradients
    else if constexpr (traced::failure == trace_failure::refused) return refused<>();
    else if constexpr (traced::failure == trace_failure::unfit_literal) return refuse<unfit_literal_reason<Name, traced::unfit>>();
    else if constexpr (traced::failure == trace_failure::no_gradient) return refuse<gradient_failure_reason<Name, traced>>();
    else if constexpr (traced::failure != trace_failure::none) return refuse<failure_reason<Name, traced::failure>>();
    else return std::true_type();
  }
}

}  // namespace detail

}  // namespace jig
