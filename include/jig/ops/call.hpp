// SPDX-License-Identifier: MIT
#pragma once
// Calls of ops: one function serves traced values, tensors and containers. Here is what all worlds share: what an op's shape rule says
// about the types of the operands. Traced values whose specs are known at run time only go another way, where the same rules are asked
// then.

#include <jig/ops/line_scope.hpp>
#include <jig/ops/operands.hpp>

namespace jig {

namespace detail {

/// Whether the result of an op is weak again: a scalar of the dtype of its operands, which are.
template <const op& Op, class Inferred, class... X>
constexpr bool gives_weak() {
  if constexpr ((is_weak<X> || ...) && Op.outputs == 1 && &Op != &ops::cast) {
    using read = operands<Op, X...>;
    return read::only_weak && Inferred::value == tensor_spec{dtype_of<typename read::element>, {}};
  } else {
    return false;
  }
}

/// What the rule of an op says about operands of these specs, for one of its results.
template <const op& Op, class A, class Specs, int Port = 0>
struct inferred;
template <const op& Op, class A, class... S, int Port>
struct inferred<Op, A, types<S...>, Port> {
  static constexpr tensor_spec inputs[sizeof...(S) + 1] = {S::value()..., {}};
  static constexpr inference outcome = infer(Op, {inputs, sizeof...(S)}, A::view(), Port);
  template <int Other>
  using output = inferred<Op, A, types<S...>, Other>;
  static constexpr const tensor_spec& value = outcome.result;
  static constexpr bool accepted = !outcome.failed;
  static constexpr message why() { return refusal(Op, outcome.failure, {inputs, sizeof...(S)}); }
};
/// What a call of a composite op stands for and results in.
template <const op& Op, class A, class... S>
  requires(Op.is(fact::composite))
struct inferred<Op, A, types<S...>, 0> {
 private:
  static constexpr tensor_spec inputs[sizeof...(S) + 1] = {S::value()..., {}};
  static constexpr int n = sizeof...(S);
  static constexpr graph_sizes usual_room{n + 12, 24, 0, 24, 64, 0, 0, n, 1, 0, 0, 0, 0};
  struct usual {
    static constexpr expansion_in_room<usual_room> made{Op, {inputs, sizeof...(S)}, A::view()};
  };
  struct exact {
    static constexpr expansion_in_room<usual::made.size> made{Op, {inputs, sizeof...(S)}, A::view()};
  };

 public:
  static constexpr bool accepted = !usual::made.failed;
  static constexpr graph_view nodes = std::conditional_t<usual::made.fits, usual, exact>::made.storage.view(usual::made.size);
  static constexpr tensor_spec value = nodes.spec(nodes.outputs()[0]);
  template <int Port>
  struct output {
    static constexpr tensor_spec value = nodes.spec(nodes.outputs()[Port]);
  };
  static constexpr message why() { return expand(Op, {inputs, sizeof...(S)}, A::view()).why(); }
};

// The results of an op as Templates: one, or a tuple of them.
template <template <class, index...> class Template, class Inferred, class Ports>
struct typed_outputs;
template <template <class, index...> class Template, class Inferred, int... Port>
struct typed_outputs<Template, Inferred, std::integer_sequence<int, Port...>> {
  using type = std::tuple<typed<Template, typename Inferred::template output<Port>>...>;
};
template <template <class, index...> class Template, class Inferred>
struct typed_outputs<Template, Inferred, std::integer_sequence<int, 0>> {
  using type = typed<Template, Inferred>;
};
template <template <class, index...> class Template, const op& Op, class Inferred>
using results_of = typename typed_outputs<Template, Inferred, std::make_integer_sequence<int, Op.outputs>>::type;

template <class Inferred>
struct rule_reason {
  static constexpr message sentence = Inferred::why();
};

constexpr message literal_refusal(const op& o, dtype d) {
  message m;
  m << o.name << ": a literal of another kind cannot join a tensor of dtype " << name_of(d)
    << ": use jig::cast, or write the literal as that kind";
  return m;
}
template <const op& Op, class Element>
struct literal_reason {
  static constexpr message sentence = literal_refusal(Op, dtype_of<Element>);
};
// The same of a number that a function was called with.
constexpr message number_refusal(const op& o, dtype number, dtype d) {
  message m;
  m << o.name << ": a number of dtype " << name_of(number) << " cannot join a tensor of dtype " << name_of(d)
    << ": use jig::cast, or call with a number of that kind";
  return m;
}
template <const op& Op, class Number, class Element>
struct number_reason {
  static constexpr message sentence = number_refusal(Op, dtype_of<Number>, dtype_of<Element>);
};
template <const op& Op, class Element, class First, class... Rest>
constexpr auto refuse_number() {
  if constexpr (is_weak<First>) {
    using number = typename operand_spec<First>::element;
    if constexpr (!literal_joins<number, Element>()) return refuse<number_reason<Op, number, Element>>();
    else if constexpr (sizeof...(Rest) > 0) return refuse_number<Op, Element, Rest...>();
    else return refuse<literal_reason<Op, Element>>();
  } else if constexpr (sizeof...(Rest) > 0) {
    return refuse_number<Op, Element, Rest...>();
  } else {
    return refuse<literal_reason<Op, Element>>();
  }
}

template <class First, class... Rest>
constexpr auto first_refused(const First& x, const Rest&... rest) {
  if constexpr (is_refused<First>) return x;
  else return first_refused(rest...);
}

// Defined by the worlds: trace/symbol.hpp, trace/variable_value.hpp, eager.hpp and runtime/dynamic_call.hpp.
template <const op& Op, class A, class Inferred, class Specs, class... X>
constexpr auto traced_call(const X&... x);
template <const op& Op, class A, class Inferred, class Specs, class... X>
constexpr auto dual_call(const X&... x);
template <const op& Op, class A, class Inferred, class Specs, class... X>
constexpr auto eager_call(const X&... x);
template <const op& Op, class... X>
auto dynamic_call(stretch<attribute_view> with, const X&... x);

// A call with lists of literals among the operands; see ops/literals.hpp.
template <const op& Op, class A, class... X>
constexpr auto call_with_lists(const X&... x);

// The place of a value in a dynamic trace.
template <class Builder, class X>
auto dynamic_place(Builder& b, const X& x);
// A value as one of the dynamic trace that x belongs to.
template <class X, class V>
auto as_dynamic(const X& x, const V& v);
// Makes sure that the interpreter has the kernels of these ops.
template <const op&... Op>
void enter_kernels();

// The specs of the operands of a dynamic call, where literals have the dtype of the others.
template <const op& Op, class... X>
list<tensor_spec> dynamic_specs(const X&... x);

// A dynamic call with a list of integers that only run time knows.
template <const op& Op, class... X>
auto call_with_integers(std::string_view key, stretch<index> values, const X&... x) {
  const attribute_view with[] = {{key, attribute_kind::integers, values}};
  return dynamic_call<Op>(with, x...);
}

// dtype and extents of an operand, known at compile time; a literal has rank 0.
template <class X>
constexpr shape operand_shape() {
  if constexpr (std::is_void_v<typename operand_spec<X>::type>) return {};
  else return operand_spec<X>::type::value().shape;
}

// The extents of an operand of a dynamic call.
template <class X>
shape dynamic_shape(const X& x) {
  if constexpr (world_of<X> == world::literal) return {};
  else if constexpr (world_of<X> == world::dynamic) return x.shape();
  else if constexpr (world_of<X> == world::dual) return x.is_traced() ? operand_spec<X>::type::value().shape : x.shape();
  else return argument<X>::bind(x).shape();
}

// The extents that are known of an operand where it is traced.
template <class X>
constexpr shape known_shape(const X& x) {
  if constexpr (world_of<X> == world::dynamic) return x.shape();
  else return operand_shape<X>();
}

}  // namespace detail

/// Applies an op: appends a node when an operand is traced, computes at once otherwise.
/// Errors: dtypes, literals or shapes that do not fit are refused at compile time; what is known only at run time throws
/// invalid_argument.
template <const op& Op, class A = attributes<>, class... X>
constexpr auto call(const X&... x) {
  if constexpr ((is_refused<X> || ...)) {
    return detail::first_refused(x...);
  } else if constexpr ((is_literal_list<X> || ...)) {
    return detail::call_with_lists<Op, A>(x...);
  } else if constexpr (detail::is_dynamic<X...>) {
    return detail::dynamic_call<Op>(A::view(), x...);
  } else {
    using read = detail::operands<Op, X...>;
    if constexpr (!read::literals_join) {
      return detail::refuse_number<Op, typename read::element, X...>();
    } else {
      using result = detail::inferred<Op, A, typename read::specs>;
      if constexpr (!result::accepted) return refuse<detail::rule_reason<result>>();
      else if constexpr (((world_of<X> == world::traced) || ...)) return detail::traced_call<Op, A, result, typename read::specs>(x...);
      else if constexpr (((world_of<X> == world::dual) || ...)) return detail::dual_call<Op, A, result, typename read::specs>(x...);
      else return detail::eager_call<Op, A, result, typename read::specs>(x...);
    }
  }
}

namespace detail {

// Up to N integers that are found in constant evaluation.
template <std::size_t N>
struct found_integers {
  index at[N + 1] = {};
  std::size_t count = 0;
  constexpr void push_back(index i) { at[count++] = i; }
  constexpr std::size_t size() const { return count; }
  constexpr const index* data() const { return at; }
};

/// A call with a list of integers that a function of the operands' shapes finds.
template <const op& Op, text Key, class Find, class... X>
constexpr auto call_with_found(Find find, const X&... x) {
  if constexpr ((is_refused<X> || ...)) {
    return first_refused(x...);
  } else if constexpr (is_dynamic<X...>) {
    return call_with_integers<Op>(Key.view(), find(dynamic_shape(x)...), x...);
  } else {
    constexpr auto found = Find{}(operand_shape<X>()...);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return call<Op, attributes<integers<Key, found.at[I]...>>>(x...);
    }(std::make_index_sequence<found.count>());
  }
}

/// A call of one of two ops, as a function of the operands' specs says.
template <const op& Yes, const op& No, class A = attributes<>, class Choose, class... X>
constexpr auto call_one_of(Choose choose, const X&... x) {
  if constexpr ((is_refused<X> || ...)) {
    return first_refused(x...);
  } else if constexpr (is_dynamic<X...>) {
    return choose(dynamic_specs<No>(x...)) ? call<Yes, A>(x...) : call<No, A>(x...);
  } else {
    constexpr bool yes = []<class... S>(types<S...>) {
      constexpr tensor_spec specs[] = {S::value()...};
      return Choose{}(stretch<tensor_spec>(specs));
    }(typename operands<No, X...>::specs());
    if constexpr (yes) return call<Yes, A>(x...);
    else return call<No, A>(x...);
  }
}

}  // namespace detail

}  // namespace jig
