// SPDX-License-Identifier: MIT
#pragma once
// Loops as functions: while_loop, also of values whose extents change. On tensors it runs at once.

#include <jig/ops/set_shape.hpp>
#include <jig/trace/region.hpp>
#include <jig/trace/traced_structure.hpp>

namespace jig {

/// What the values that a while_loop carries have in all trips: one spec for each, whose wildcard extents may change:
/// `jig::shape_invariants<jig::spec<int>, jig::spec<float, jig::dyn, 3>>()`.
template <class... Spec>
struct shape_invariants {};

namespace detail {

// Of a loop without them: what it carries keeps its specs.
struct no_invariants {};

template <class Invariants>
struct specs_of_invariants;
template <>
struct specs_of_invariants<no_invariants> {
  static constexpr bool vary = false;
};
template <class... Spec>
struct specs_of_invariants<shape_invariants<Spec...>> {
  template <std::size_t K>
  using at = std::tuple_element_t<K, std::tuple<Spec...>>;
  static constexpr bool vary = !(Spec::value().shape.is_static() && ...);
  static constexpr bool fit(const list<tensor_spec>& given) {
    std::size_t k = 0;
    return ((given.size() == sizeof...(Spec)) && ... && may_be_equal(given[k++], Spec::value()));
  }
  template <class X>
  static constexpr message refusal(const list<tensor_spec>& given) {
    message m;
    std::size_t k = 0;
    m << "while_loop: the shape invariants (";
    ((m << (k++ == 0 ? "" : "; ") << Spec::value()), ...);
    describe<X>(m << ") do not fit the values ", given);
    return m;
  }
};
template <class Invariants, class X>
struct invariants_reason {
  static constexpr message sentence = specs_of_invariants<Invariants>::template refusal<X>(specs_of_leaves<X>());
};
template <class Invariants, class X>
void check_invariants(const X& x) {
  const list<tensor_spec> given = specs_now(x);
  if (!specs_of_invariants<Invariants>::fit(given))
    throw_invalid_argument(specs_of_invariants<Invariants>::template refusal<X>(given).view());
}

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
// A value as a traced one that is declared to have a spec.
template <bool Dynamic>
struct traced_with_spec {
  builder* b;
  template <class Spec, class X>
  constexpr auto of(const X& x) const {
    edge e = place_in<Dynamic>(b, x);
    if (!(spec_now(x) == Spec::value())) {
      constexpr shape extents = Spec::value().shape;
      const attribute_view with[] = {{"shape", attribute_kind::integers, {extents.extents, static_cast<std::size_t>(extents.rank)}}};
      e = b->graph.add(ops::set_shape, Spec::value(), {&e, 1}, with);
    }
    if constexpr (Dynamic) return traced_like<X, true>(b, e);
    else return typename symbol_of_spec<Spec>::type(b, e);
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

// Whether values of a type may have these specs; of dynamic ones a trace tells.
template <bool Dynamic, class Invariants, class X>
constexpr bool may_have_invariants() {
  if constexpr (Dynamic || std::is_same_v<Invariants, no_invariants>) return true;
  else return specs_of_invariants<Invariants>::fit(specs_of_leaves<X>());
}

// What a loop begins with, as values of its own.
template <bool Dynamic, class Invariants, class X>
constexpr auto carried_values(builder* b, const X& init) {
  if constexpr (std::is_same_v<Invariants, no_invariants>) {
    return traced_copy<Dynamic>(b, init);
  } else {
    if constexpr (Dynamic) check_invariants<Invariants>(init);
    return map_with_specs<Invariants>(init, traced_with_spec<Dynamic>{b});
  }
}
// Whether a trip can give values of this type.
template <bool Dynamic, class Invariants, class Values, class Next>
constexpr bool can_be_carried() {
  if constexpr (std::is_same_v<Invariants, no_invariants>) return same_structure<Values, Next, Dynamic>();
  else return same_structure<Values, Next, true>();
}
template <bool Dynamic, class Invariants, class X, class Y>
constexpr void end_trip(builder* b, X& values, const Y& changed) {
  if constexpr (std::is_same_v<Invariants, no_invariants>) {
    if constexpr (Dynamic) check_same_specs("while_loop", values, changed);
    assign_all(b, values, changed);
  } else {
    if constexpr (Dynamic) check_invariants<Invariants>(changed);
    assign_all(b, values, map_with_specs<Invariants>(changed, traced_with_spec<Dynamic>{b}));
  }
}

template <bool Dynamic, class X>
constexpr edge place_of_answer(builder* b, const X& x) {
  if constexpr (is_dynamic<X>) return x.condition();
  else return place_in<Dynamic>(b, x);
}

// Records a loop with a condition, or runs all trips of it in an eager run.
template <class Condition, class Trip>
constexpr void record_loop(builder* b, const trace_event& begin, Condition condition, Trip trip) {
  if (b->computed != nullptr) {
    while (b->computed->holds(condition())) trip();
    return;
  }
  open_region region;
  region.begin_loop(b, begin, false);
  do {
    region.condition(condition());
    if (!region.runs_trip()) return;
    trip();
  } while (region.end_trip());
}

template <class Invariants, class Condition, class Body, class X>
constexpr auto recorded_while_loop(Condition& condition, Body& body, const X& init) {
  constexpr bool dynamic = holds_dynamic<X>;
  builder* b = builder_in(init);
  auto values = carried_values<dynamic, Invariants>(b, init);
  using answer = std::remove_cvref_t<decltype(apply_to(condition, values))>;
  using next = std::remove_cvref_t<decltype(apply_to(body, values))>;
  if constexpr (is_refused<answer>) {
    return answer();
  } else if constexpr (is_refused<next>) {
    return next();
  } else if constexpr (!is_scalar_bool<answer>) {
    return refuse<condition_reason<answer>>();
  } else if constexpr (!can_be_carried<dynamic, Invariants, decltype(values), next>()) {
    return refuse_structures<"while_loop", dynamic, decltype(values), next>();
  } else if constexpr (!may_have_invariants<dynamic, Invariants, next>()) {
    return refuse<invariants_reason<Invariants, next>>();
  } else {
    trace_event e = b->begin_event(event_kind::while_loop);
    e.varies = specs_of_invariants<Invariants>::vary;
    record_loop(
        b, e, [&] { return place_of_answer<dynamic>(b, apply_to(condition, values)); },
        [&] { end_trip<dynamic, Invariants>(b, values, apply_to(body, values)); });
    return values;
  }
}

}  // namespace detail

/// Repeats `values = body(values…)` as long as `condition(values…)` holds, and returns the values. They are one value or a
/// structure of several, which are passed one by one.
/// Errors: values that change their spec, or a condition that is no bool scalar, are refused at compile time.
template <class Condition, class Body, class Values>
constexpr auto while_loop(Condition condition, Body body, const Values& init) {
  if constexpr (detail::holds_recorded<Values>) {
    return detail::recorded_while_loop<detail::no_invariants>(condition, body, init);
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
constexpr auto while_loop(Condition condition, Body body, const Values& init, shape_invariants<Spec...>) {
  using all_invariants = shape_invariants<Spec...>;
  if constexpr (detail::leaf_count<Values> != sizeof...(Spec) ||
                !detail::may_have_invariants<detail::holds_dynamic<Values>, all_invariants, Values>()) {
    return refuse<detail::invariants_reason<all_invariants, Values>>();
  } else if constexpr (detail::holds_recorded<Values>) {
    return detail::recorded_while_loop<all_invariants>(condition, body, init);
  } else {
    const detail::tensor_with_spec fit;
    auto values = detail::map_with_specs<all_invariants>(init, fit);
    while (static_cast<bool>(detail::number_of(detail::apply_to(condition, values))))
      values = detail::map_with_specs<all_invariants>(detail::apply_to(body, values), fit);
    return values;
  }
}

}  // namespace jig
