// SPDX-License-Identifier: MIT
#pragma once
// Control flow as functions: cond, switch_case, while_loop, scan and map. On tensors they run at once.

#include <jig/ops/set_shape.hpp>
#include <jig/trace/tensor_array.hpp>
#include <jig/trace/trace.hpp>

namespace jig {

namespace detail {

// The type of a traced value like a leaf of a result: literals and tensors become constants.
template <class X>
struct traced_leaf {
  using type = typename symbol_of_spec<typename argument<std::conditional_t<Argument<X>, X, float>>::spec_type>::type;
};
template <class X>
  requires is_symbol<X>
struct traced_leaf<X> {
  using type = typename symbol_of_spec<typename operand_spec<X>::type>::type;
};
template <Constant X>
struct traced_leaf<X> {
  using type = symbol<canonical<typename X::value_type>>;
};
template <class X>
  requires(world_of<X> == world::dynamic)
struct traced_leaf<X> {
  using type = dynamic_symbol;
};

template <class X>
inline constexpr bool holds_dynamic = is_dynamic<X>;
template <class X>
  requires(structure<X>::nested)
inline constexpr bool holds_dynamic<X> = []<std::size_t... I>(std::index_sequence<I...>) {
  return (holds_dynamic<part<X, I>> || ...);
}(std::make_index_sequence<structure<X>::size>());

// In a dynamic trace all leaves are dynamic.
template <class X, bool Dynamic>
using traced_like = typename traced_leaf<std::conditional_t<Dynamic, dynamic_symbol, X>>::type;

template <bool Dynamic, class X>
constexpr edge place_in(builder* b, const X& x) {
  if constexpr (Dynamic) return dynamic_place(*b, x);
  else return result_place(*b, x);
}

// A structure like x of traced values of their own.
template <bool Dynamic = false, class X>
constexpr auto traced_copy(builder* b, const X& x) {
  using S = structure<X>;
  if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using parts_t = std::tuple<decltype(traced_copy<Dynamic>(b, S::template get<I>(x)))...>;
      parts_t parts{traced_copy<Dynamic>(b, S::template get<I>(x))...};
      return S::make(std::get<I>(parts)...);
    }(std::make_index_sequence<S::size>());
  } else {
    return traced_like<X, Dynamic>(b, place_in<Dynamic>(b, x));
  }
}

// A structure of the type of x whose values are not known yet, and if they are dynamic, nor are their specs.
template <class X, bool Dynamic = false>
constexpr auto traced_unknown(builder* b) {
  using S = structure<X>;
  if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using parts_t = std::tuple<decltype(traced_unknown<part<X, I>, Dynamic>(b))...>;
      parts_t parts{traced_unknown<part<X, I>, Dynamic>(b)...};
      return S::make(std::get<I>(parts)...);
    }(std::make_index_sequence<S::size>());
  } else {
    using T = traced_like<X, Dynamic>;
    if constexpr (Dynamic) return T(b, b->parameter({}));
    else return T(b, b->parameter(T::spec_type::value()));
  }
}

// Whether values of a structure Y can be assigned to one of a structure X.
template <class X, class Y, bool Dynamic = false>
constexpr bool same_structure() {
  if constexpr (structure<X>::nested && structure<Y>::nested) {
    if constexpr (structure<X>::size != structure<Y>::size) return false;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (same_structure<part<X, I>, part<Y, I>, Dynamic>() && ...);
      }(std::make_index_sequence<structure<X>::size>());
  } else if constexpr (structure<X>::nested || structure<Y>::nested) {
    return false;
  } else {
    return std::is_same_v<traced_like<X, Dynamic>, traced_like<Y, Dynamic>>;
  }
}

template <class X, class Y>
constexpr void assign_all(builder* b, X& to, const Y& from) {
  if constexpr (structure<X>::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (assign_all(b, structure<X>::template get<I>(to), structure<Y>::template get<I>(from)), ...);
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    to = X(b, place_in<is_dynamic<X>>(b, from));
  }
}

template <class F, class X>
constexpr auto apply_to(F& f, X& x) {
  if constexpr (structure<X>::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return f(structure<X>::template get<I>(x)...);
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    return f(x);
  }
}

template <class X>
constexpr void describe_structure(message& m) {
  if constexpr (structure<X>::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      m << '(';
      ((m << (I == 0 ? "" : "; "), describe_structure<part<X, I>>(m)), ...);
      m << ')';
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    m << traced_leaf<X>::type::spec_type::value();
  }
}

constexpr const char* structures_differ(std::string_view name) {
  return name == "cond"
             ? " differ: both branches must return values of equal specs"
             : " differ: a value that a loop carries must keep its spec, or have wildcard extents declared with jig::shape_invariants";
}
template <text Op, class X, class Y>
struct structure_reason {
  static constexpr message sentence = [] {
    message m;
    m << Op.view() << ": ";
    describe_structure<X>(m);
    m << " and ";
    describe_structure<Y>(m);
    m << structures_differ(Op.view());
    return m;
  }();
};

// The same of values whose specs only run time knows.
template <class X>
void describe_specs(message& m, const X& x) {
  if constexpr (structure<X>::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      m << '(';
      ((m << (I == 0 ? "" : "; "), describe_specs(m, structure<X>::template get<I>(x))), ...);
      m << ')';
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    m << spec_now(x);
  }
}
template <class X>
list<tensor_spec> specs_now(const X& x) {
  list<tensor_spec> specs;
  for_each_leaf(x, [&](const auto& leaf) { specs.push_back(spec_now(leaf)); });
  return specs;
}
template <class X, class Y>
void check_same_specs(std::string_view name, const X& x, const Y& y) {
  const list<tensor_spec> first = specs_now(x), second = specs_now(y);
  bool same = true;
  for (std::size_t k = 0; k < first.size(); ++k) same = same && first[k] == second[k];
  if (same) return;
  message m;
  m << name << ": ";
  describe_specs(m, x);
  m << " and ";
  describe_specs(m, y);
  m << structures_differ(name);
  throw_invalid_argument(m.view());
}

template <class X>
void take_specs(const X& unknown, const list<tensor_spec>& specs) {
  std::size_t next = 0;
  for_each_leaf(unknown, [&](const auto& leaf) { leaf.builder()->graph.nodes[leaf.place().node].spec = specs[next++]; });
}
// The result of a dynamic branch stands for parameters until its first block tells its specs; those take them, and so do what they
// become behind the branch.
template <class X, class Y>
void take_specs(builder* b, std::size_t begin, const X& unknown, const list<edge>& parameters, const Y& known) {
  const list<tensor_spec> specs = specs_now(known);
  const trace_event& e = b->events[begin];
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    b->graph.nodes[parameters[k].node].spec = specs[k];
    for (int i = 0; i < e.before.count; ++i)
      if (b->pool[e.before.first + i] == parameters[k]) b->graph.nodes[b->pool[e.after.first + i].node].spec = specs[k];
  }
  take_specs(unknown, specs);
}

template <class Condition, class Yes, class No>
auto dynamic_cond(const Condition& c, Yes& yes, No& no) {
  using first = std::remove_cvref_t<std::invoke_result_t<Yes&>>;
  using second = std::remove_cvref_t<std::invoke_result_t<No&>>;
  builder* b = c.builder();
  const edge condition = c.condition();
  if constexpr (std::is_void_v<first>) {
    branch_scope scope(b, condition);
    while (scope.next()) {
      if (scope.first()) yes();
      else no();
    }
  } else if constexpr (!same_structure<first, second, true>()) {
    static_assert(same_structure<first, second, true>(), "jig: cond: both branches must return structures of the same kind");
  } else {
    auto result = traced_unknown<first, true>(b);
    if (b->computed != nullptr) {
      auto take = [&](const auto& value) {
        take_specs(result, specs_now(value));
        assign_all(b, result, value);
      };
      if (b->computed->holds(condition)) take(yes());
      else take(no());
      return result;
    }
    list<edge> parameters;
    for_each_leaf(result, [&](const auto& leaf) { parameters.push_back(leaf.place()); });
    const std::size_t begin = b->events.size();
    branch_scope scope(b, condition);
    while (scope.next()) {
      if (scope.first()) {
        const auto value = yes();
        take_specs(b, begin, result, parameters, value);
        assign_all(b, result, value);
      } else {
        const auto value = no();
        check_same_specs("cond", result, value);
        assign_all(b, result, value);
      }
    }
    return result;
  }
}

template <class Condition, class Yes, class No>
constexpr auto traced_cond(const Condition& c, Yes& yes, No& no) {
  using first = std::remove_cvref_t<std::invoke_result_t<Yes&>>;
  using second = std::remove_cvref_t<std::invoke_result_t<No&>>;
  if constexpr (is_refused<first>) {
    return first();
  } else if constexpr (is_refused<second>) {
    return second();
  } else if constexpr (std::is_void_v<first>) {
    branch_scope scope(c.builder(), c.place());
    while (scope.next()) {
      if (scope.first()) yes();
      else no();
    }
  } else if constexpr (!same_structure<first, second>()) {
    return refuse<structure_reason<"cond", first, second>>();
  } else {
    builder* b = c.builder();
    auto result = traced_unknown<first>(b);
    branch_scope scope(b, c.place());
    while (scope.next()) {
      if (scope.first()) assign_all(b, result, yes());
      else assign_all(b, result, no());
    }
    return result;
  }
}

}  // namespace detail

/// What `yes()` returns if the condition holds, else what `no()` returns. Both become part of the graph; one runs.
/// Errors: a condition that is no bool scalar, or results of different specs, are refused at compile time.
template <Operand Condition, class Yes, class No>
constexpr auto cond(const Condition& c, Yes yes, No no) {
  if constexpr (is_refused<Condition>) return c;
  else if constexpr (!detail::is_scalar_bool<Condition>) return refuse<detail::condition_reason<Condition>>();
  else if constexpr (world_of<Condition> == world::traced) return detail::traced_cond(c, yes, no);
  else if constexpr (detail::is_dynamic<Condition>) return detail::dynamic_cond(c, yes, no);
  else return static_cast<bool>(detail::number_of(c)) ? yes() : no();
}

/// What the function with this number returns; the last one is also for all numbers without a function.
/// Errors: an index that is no integer scalar, or results of different specs, are refused at compile time.
template <Operand I, class F>
constexpr auto switch_case(const I&, F last) {
  return last();
}
template <Operand I, class F, class... More>
  requires(sizeof...(More) > 0)
constexpr auto switch_case(const I& i, F first, More... more) {
  return cond(i == 0, first, [&] { return switch_case(i - 1, more...); });
}

/// What the values that a while_loop carries have in all trips: one spec for each, whose wildcard extents may change:
/// `jig::shape_invariants<jig::spec<int>, jig::spec<float, jig::dyn, 3>>()`.
template <class... Spec>
struct shape_invariants {};

namespace detail {

template <class Invariants>
struct specs_of_invariants;
template <class... Spec>
struct specs_of_invariants<shape_invariants<Spec...>> {
  static constexpr std::size_t size = sizeof...(Spec);
  template <std::size_t K>
  using at = std::tuple_element_t<K, std::tuple<Spec...>>;
  static constexpr bool vary = !(Spec::value().shape.is_static() && ...);
  static constexpr void describe(message& m) {
    std::size_t k = 0;
    m << '(';
    ((m << (k++ == 0 ? "" : "; ") << Spec::value()), ...);
    m << ')';
  }
};

// Calls f<Spec>(leaf) for every leaf of a structure and returns the structure of the results.
template <class Invariants, std::size_t First = 0, class X, class F>
constexpr auto map_with_specs(const X& x, const F& f) {
  using S = structure<X>;
  if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      constexpr auto start = [](std::size_t n) {
        constexpr std::size_t counts[] = {leaf_count<part<X, I>>..., 0};
        std::size_t first = First;
        for (std::size_t i = 0; i < n; ++i) first += counts[i];
        return first;
      };
      using parts_t = std::tuple<decltype(map_with_specs<Invariants, start(I)>(S::template get<I>(x), f))...>;
      parts_t parts{map_with_specs<Invariants, start(I)>(S::template get<I>(x), f)...};
      return S::make(std::get<I>(parts)...);
    }(std::make_index_sequence<S::size>());
  } else {
    return f.template of<typename specs_of_invariants<Invariants>::template at<First>>(x);
  }
}
// Whether the leaves of X may have these specs.
template <class Invariants, std::size_t First = 0, class X>
constexpr bool may_have_specs() {
  if constexpr (structure<X>::nested) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      constexpr auto start = [](std::size_t n) {
        constexpr std::size_t counts[] = {leaf_count<part<X, I>>..., 0};
        std::size_t at = First;
        for (std::size_t i = 0; i < n; ++i) at += counts[i];
        return at;
      };
      return (may_have_specs<Invariants, start(I), part<X, I>>() && ...);
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    return may_be_equal(traced_leaf<X>::type::spec_type::value(), specs_of_invariants<Invariants>::template at<First>::value());
  }
}

struct traced_with_spec {
  builder* b;
  template <class Spec, class X>
  constexpr auto of(const X& x) const {
    using T = typename symbol_of_spec<Spec>::type;
    edge e = result_place(*b, x);
    if constexpr (!std::is_same_v<T, typename traced_leaf<X>::type>) {
      constexpr shape extents = Spec::value().shape;
      attribute_view with[] = {{"shape", attribute_kind::integers, {extents.extents, static_cast<std::size_t>(extents.rank)}, {}, {}}};
      e = b->graph.add(ops::set_shape, Spec::value(), {&e, 1}, with);
    }
    return T(b, e);
  }
};
struct tensor_with_spec {
  template <class T, index... E>
  static tensor<T, E...> like(spec<T, E...>);
  template <class Spec, class X>
  auto of(const X& x) const {
    return stored_as<decltype(like(Spec()))>(x);
  }
};

template <class Invariants, class X>
struct invariants_reason {
  static constexpr message sentence = [] {
    message m;
    m << "while_loop: the shape invariants ";
    specs_of_invariants<Invariants>::describe(m);
    describe_structure<X>(m << " do not fit the values ");
    return m;
  }();
};

// The values of a dynamic loop have the specs that are declared.
template <class Invariants, class X>
void check_invariants(const X& x) {
  const list<tensor_spec> given = specs_now(x);
  bool fit = true;
  std::size_t k = 0;
  [&]<class... Spec>(shape_invariants<Spec...>) { ((fit = fit && may_be_equal(given[k++], Spec::value())), ...); }(Invariants());
  if (fit) return;
  message m;
  m << "while_loop: the shape invariants ";
  specs_of_invariants<Invariants>::describe(m);
  describe_specs(m << " do not fit the values ", x);
  throw_invalid_argument(m.view());
}
struct dynamic_with_spec {
  builder* b;
  template <class Spec, class X>
  auto of(const X& x) const {
    edge e = dynamic_place(*b, x);
    if (!(spec_now(x) == Spec::value())) {
      constexpr shape extents = Spec::value().shape;
      attribute_view with[] = {{"shape", attribute_kind::integers, {extents.extents, static_cast<std::size_t>(extents.rank)}, {}, {}}};
      e = b->graph.add(ops::set_shape, Spec::value(), {&e, 1}, with);
    }
    return traced_like<X, true>(b, e);
  }
};

template <class X>
constexpr edge place_of_answer(builder* b, const X& x) {
  if constexpr (is_dynamic<X>) return x.condition();
  else return dynamic_place(*b, x);
}

// Records a loop with a condition.
template <class Condition, class Trip>
constexpr void record_loop(builder* b, const trace_event& begin, Condition condition, Trip trip) {
  open_region region;
  region.begin_loop(b, begin, false);
  do {
    region.condition(condition());
    if (!region.runs_trip()) return;
    trip();
  } while (region.end_trip());
}

// The same, or all trips of it in an eager run.
template <class Condition, class Trip>
void dynamic_loop(builder* b, const trace_event& begin, Condition condition, Trip trip) {
  if (b->computed != nullptr) {
    while (b->computed->holds(condition())) trip();
    return;
  }
  record_loop(b, begin, condition, trip);
}

template <class Condition, class Body, class X>
auto dynamic_while_loop(builder* b, Condition& condition, Body& body, const X& init) {
  auto values = traced_copy<true>(b, init);
  using next = std::remove_cvref_t<decltype(apply_to(body, values))>;
  static_assert(same_structure<decltype(values), next, true>(), "jig: while_loop: the body must return a structure like its arguments");
  dynamic_loop(
      b, b->begin_event(event_kind::while_loop), [&] { return place_of_answer(b, apply_to(condition, values)); },
      [&] {
        const auto changed = apply_to(body, values);
        check_same_specs("while_loop", values, changed);
        assign_all(b, values, changed);
      });
  return values;
}
template <class Condition, class Body, class X, class Invariants>
auto dynamic_while_loop(builder* b, Condition& condition, Body& body, const X& init, Invariants) {
  check_invariants<Invariants>(init);
  dynamic_with_spec fit{b};
  auto values = map_with_specs<Invariants>(init, fit);
  using next = std::remove_cvref_t<decltype(apply_to(body, values))>;
  static_assert(same_structure<decltype(values), next, true>(), "jig: while_loop: the body must return a structure like its arguments");
  trace_event e = b->begin_event(event_kind::while_loop);
  e.varies = specs_of_invariants<Invariants>::vary;
  dynamic_loop(
      b, e, [&] { return place_of_answer(b, apply_to(condition, values)); },
      [&] {
        const auto changed = apply_to(body, values);
        check_invariants<Invariants>(changed);
        assign_all(b, values, map_with_specs<Invariants>(changed, fit));
      });
  return values;
}

template <class Condition, class Body, class X>
constexpr auto traced_while_loop(builder* b, Condition& condition, Body& body, const X& init) {
  auto values = traced_copy(b, init);
  using answer = std::remove_cvref_t<decltype(apply_to(condition, values))>;
  using next = std::remove_cvref_t<decltype(apply_to(body, values))>;
  if constexpr (is_refused<answer>) {
    return answer();
  } else if constexpr (is_refused<next>) {
    return next();
  } else if constexpr (!is_scalar_bool<answer>) {
    return refuse<condition_reason<answer>>();
  } else if constexpr (!same_structure<decltype(values), next>()) {
    return refuse<structure_reason<"while_loop", decltype(values), next>>();
  } else {
    record_loop(
        b, b->begin_event(event_kind::while_loop), [&] { return result_place(*b, apply_to(condition, values)); },
        [&] { assign_all(b, values, apply_to(body, values)); });
    return values;
  }
}

template <class Condition, class Body, class X, class Invariants>
constexpr auto traced_while_loop(builder* b, Condition& condition, Body& body, const X& init, Invariants) {
  traced_with_spec fit{b};
  auto values = map_with_specs<Invariants>(init, fit);
  using answer = std::remove_cvref_t<decltype(apply_to(condition, values))>;
  using next = std::remove_cvref_t<decltype(apply_to(body, values))>;
  if constexpr (is_refused<answer>) {
    return answer();
  } else if constexpr (is_refused<next>) {
    return next();
  } else if constexpr (!is_scalar_bool<answer>) {
    return refuse<condition_reason<answer>>();
  } else if constexpr (leaf_count<next> != leaf_count<X>) {
    return refuse<structure_reason<"while_loop", decltype(values), next>>();
  } else if constexpr (!may_have_specs<Invariants, 0, next>()) {
    return refuse<invariants_reason<Invariants, next>>();
  } else {
    trace_event e = b->begin_event(event_kind::while_loop);
    e.varies = specs_of_invariants<Invariants>::vary;
    record_loop(
        b, e, [&] { return result_place(*b, apply_to(condition, values)); },
        [&] { assign_all(b, values, map_with_specs<Invariants>(apply_to(body, values), fit)); });
    return values;
  }
}

// The builder of the first traced value in a structure.
template <class X>
constexpr builder* builder_in(const X& x) {
  builder* b = nullptr;
  for_each_leaf(x, [&](const auto& leaf) {
    if constexpr (is_recorded<std::remove_cvref_t<decltype(leaf)>>) b = leaf.builder();
  });
  return b;
}

template <class X>
inline constexpr bool is_traced = is_symbol<X>;
template <class X>
  requires(structure<X>::nested)
inline constexpr bool is_traced<X> = []<std::size_t... I>(std::index_sequence<I...>) {
  return (is_traced<part<X, I>> || ...);
}(std::make_index_sequence<structure<X>::size>());

}  // namespace detail

/// Repeats `values = body(values…)` as long as `condition(values…)` holds, and returns the values. They are one value or a
/// structure of several, which are passed one by one.
/// Errors: values that change their spec, or a condition that is no bool scalar, are refused at compile time.
template <class Condition, class Body, class Values>
constexpr auto while_loop(Condition condition, Body body, const Values& init) {
  if constexpr (detail::is_traced<Values>) {
    return detail::traced_while_loop(detail::builder_in(init), condition, body, init);
  } else if constexpr (detail::holds_dynamic<Values>) {
    return detail::dynamic_while_loop(detail::builder_in(init), condition, body, init);
  } else {
    auto values = init;
    while (static_cast<bool>(detail::number_of(detail::apply_to(condition, values)))) values = detail::apply_to(body, values);
    return values;
  }
}
/// The same for values whose extents may change from trip to trip, as the wildcards of their shape invariants say. A function
/// with such a loop runs op by op, with memory for every value.
/// Errors: values that cannot have these specs are refused at compile time, or throw invalid_argument.
template <class Condition, class Body, class Values, class... Spec>
constexpr auto while_loop(Condition condition, Body body, const Values& init, shape_invariants<Spec...> invariants) {
  using all_invariants = shape_invariants<Spec...>;
  if constexpr (detail::leaf_count<Values> != sizeof...(Spec)) {
    return refuse<detail::invariants_reason<all_invariants, Values>>();
  } else if constexpr (detail::holds_dynamic<Values>) {
    return detail::dynamic_while_loop(detail::builder_in(init), condition, body, init, invariants);
  } else if constexpr (!detail::may_have_specs<all_invariants, 0, Values>()) {
    return refuse<detail::invariants_reason<all_invariants, Values>>();
  } else if constexpr (detail::is_traced<Values>) {
    return detail::traced_while_loop(detail::builder_in(init), condition, body, init, invariants);
  } else {
    const detail::tensor_with_spec fit;
    auto values = detail::map_with_specs<all_invariants>(init, fit);
    while (static_cast<bool>(detail::number_of(detail::apply_to(condition, values))))
      values = detail::map_with_specs<all_invariants>(detail::apply_to(body, values), fit);
    return values;
  }
}

/// The states of a loop over the parts of xs along its first axis: state = f(state, part), all states along a new first axis.
/// Errors: a state that changes its spec is refused at compile time.
template <class F, Operand X, Operand State>
constexpr auto scan(F f, const X& xs, const State& init) {
  auto state = init;
  auto states = tensor_array(extent<0>(xs), state);
  for (auto i : range(extent<0>(xs))) {
    state = f(state, element(xs, i));
    states = states.write(i, state);
  }
  return states.stack();
}

namespace detail {

// The spec of what a function returns, without a trace of the call.
template <class F>
tensor_spec spec_of_call(builder* b, F f) {
  const int nodes = b->graph.size(), decided = b->decided;
  const std::size_t events = b->events.size(), objects = b->value.size();
  list<edge> values = b->value;
  const tensor_spec found = [&] {
    struct pause {
      builder* b;
      computed_values* computed = std::exchange(b->computed, nullptr);
      ~pause() { b->computed = computed; }
    } recording_only{b};
    return spec_now(f());
  }();
  b->forget_nodes(nodes);
  b->decided = decided;
  while (b->events.size() > events) b->events.pop_back();
  for (std::size_t k = 0; k < objects; ++k) b->value[k] = values[k];
  return found;
}

template <class F, class X>
auto dynamic_results_of_map(F& f, const X& xs) {
  const tensor_spec s = spec_of_call(xs.builder(), [&] { return f(element(xs, 0)); });
  if (s.shape.is_static()) return dynamic_array_for_rows(xs, s);
  return tensor_array(extent<0>(xs), f(element(xs, 0)));
}

template <class F, class X>
constexpr auto results_of_map(F& f, const X& xs) {
  using result = typename operand_spec<std::remove_cvref_t<std::invoke_result_t<F&, decltype(element(xs, 0))>>>::type;
  if constexpr (result::value().shape.is_static()) return array_for_rows(xs, result());
  else return tensor_array(extent<0>(xs), f(element(xs, 0)));
}

}  // namespace detail

/// f of every part of xs along its first axis, along a new first axis.
/// Errors: results of f with wildcard extents need at least one part; without any, invalid_argument is thrown.
template <class F, Operand X>
constexpr auto map(F f, const X& xs) {
  auto results = [&] {
    if constexpr (detail::is_dynamic<X>) return detail::dynamic_results_of_map(f, xs);
    else return detail::results_of_map(f, xs);
  }();
  for (auto i : range(extent<0>(xs))) results = results.write(i, f(element(xs, i)));
  return results.stack();
}

}  // namespace jig
