// SPDX-License-Identifier: MIT
#pragma once
// Symbols: what a lambda computes with while it is traced. The type carries dtype and extents, so that they are
// checked at the user's own line; the value is a place in the graph that is being built.

#include <jig/core/spec.hpp>
#include <jig/ops/literals.hpp>
#include <jig/trace/builder.hpp>
#include <jig/trace/line_operators.hpp>

namespace jig {

namespace detail {

/// The number that a value of dtype T would be, if it were one. Its name is what compilers say where a program asks for it.
template <class T>
using a_traced_value_is_no_number__write_jig_sin_for_std_sin__jig_where_for_conditionals__auto_for_float =
    std::conditional_t<std::is_same_v<T, bool>, int, std::conditional_t<std::is_arithmetic_v<T>, T, float>>;

template <class X>
struct condition_reason;
template <class To, class From>
struct assignment_reason;

// Defined in trace/element_reference.hpp: parts of traced values, and the nodes of an assignment to one.
template <bool Element, class X, class... I>
constexpr auto part_of_symbol(const X& x, int serial, const I&... i);
template <bool Element, class X, class... I>
constexpr auto part_of_part(const X& x, int part, const I&... i);
template <class Part, class X>
constexpr auto fit_to_part(const Part& part, const X& x);
template <class X, class T, index... E>
constexpr auto broadcast_to_part(const X& x, const symbol<T, E...>& part);
template <class Builder>
constexpr void update_whole(Builder* b, int part, const edge& e);
template <class Spec, class X>
constexpr edge place_of(builder* b, const X& x);

// Defined in trace/weak_symbol.hpp: a scalar as one of dtype T.
template <class T, class Builder>
constexpr edge converted(Builder& b, const edge& e);

template <class X>
constexpr auto number_of(const X& x) {
  if constexpr (world_of<X> == world::literal) return number_in(x);
  else return argument<X>::bind(x).data()[0];
}

}  // namespace detail

/// A traced value of dtype T and extents E…. Exists only in constant evaluation.
template <class T, index... E>
class symbol : public detail::line_operators<symbol<T, E...>> {
 public:
  using value_type = T;
  using spec_type = spec<T, E...>;

  constexpr symbol(jig::builder* b, edge e, int part = -1) : builder_(b), serial_(b->track(e)), part_(part) {}
  constexpr symbol(const symbol& o) : symbol(o.builder_, o.place()) {}
  constexpr symbol& operator=(const symbol& o) & { return rebind(o.place()); }
  /// A scalar takes the value of a number.
  template <class X>
    requires(sizeof...(E) == 0 && world_of<X> == world::literal && detail::literal_joins<typename detail::literal_element<X>::type, T>())
  constexpr symbol& operator=(const X& x) & {
    return rebind(builder_->template literal<T>(detail::number_of(x)));
  }
  /// A tensor or container of this spec becomes a constant.
  template <class X>
    requires(world_of<X> == world::eager && std::is_same_v<typename detail::operand_spec<X>::type, spec_type>)
  constexpr symbol& operator=(const X& x) & {
    return rebind(detail::place_of<spec_type>(builder_, x));
  }
  /// A scalar takes the value of a number that the function was called with, as that of a literal.
  template <class X>
    requires(sizeof...(E) == 0 && detail::is_weak<X> && !std::is_base_of_v<symbol, X> && detail::weak_joins<X, T>())
  constexpr symbol& operator=(const X& x) & {
    return rebind(detail::place_of<spec_type>(builder_, x));
  }
  /// Refused: a value keeps its spec, also where loops and branches change it.
  template <class X>
    requires(world_of<X> == world::traced && !std::is_base_of_v<symbol, X> && !(sizeof...(E) == 0 && detail::weak_joins<X, T>()))
  constexpr symbol& operator=(const X&) & {
    (void)refuse<detail::assignment_reason<symbol, X>>();
    builder_->refuse();
    return *this;
  }
  /// Of `x[i] = v` and `x(i, j) = v`: x takes a value that is v in this part, to which v is broadcast, and x elsewhere. What `auto v =
  /// x[i]` names is a value of its own.
  /// Errors: another dtype, or a shape that does not broadcast to that of the part, is refused at
  /// compile time; what only a call knows throws invalid_argument. A value that is no part of an object takes none.
  constexpr symbol& operator=(const symbol& o) && { return update(detail::broadcast_to_part(o, *this).place()); }
  template <class X>
    requires(!std::is_base_of_v<symbol, X> && Operand<X>)
  constexpr symbol& operator=(const X& x) && {
    if constexpr (!is_refused<X>) {
      auto fitting = detail::fit_to_part(*this, x);
      if constexpr (!is_refused<decltype(fitting)>) update(fitting.place());
    }
    return *this;
  }
  constexpr ~symbol() { builder_->alive[static_cast<std::size_t>(serial_)] = 0; }

  static constexpr int rank() { return sizeof...(E); }
  /// The part at position i of the first axis: an element, a row and so on, or several where i is a range. `x[i] = v` changes x, `auto v =
  /// x[i]` is a value of its own.
  /// A negative number counts from the end.
  /// Errors: an index out of range throws invalid_argument when the graph runs.
  template <class I>
  constexpr auto operator[](const I& i) & {
    return detail::part_of_symbol<true>(*this, serial_, i);
  }
  template <class I>
  constexpr auto operator[](const I& i) const& {
    return detail::part_of_part<true>(*this, -1, i);
  }
  template <class I>
  constexpr auto operator[](const I& i) && {
    return detail::part_of_part<true>(*this, part_, i);
  }
  /// The part at these positions, one for each axis, `jig::all` for a whole one. `x(i, j) = v` changes x.
  /// Errors: as for `x[i]`.
  template <class... I>
    requires(sizeof...(I) > 0)
  constexpr auto operator()(const I&... i) & {
    return detail::part_of_symbol<false>(*this, serial_, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0)
  constexpr auto operator()(const I&... i) const& {
    return detail::part_of_part<false>(*this, -1, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0)
  constexpr auto operator()(const I&... i) && {
    return detail::part_of_part<false>(*this, part_, i...);
  }
  /// Whether the C++ program goes the way where this is true: `if (x > 0)`. Scalars of dtype bool only.
  constexpr explicit operator bool() const {
    if constexpr (std::is_same_v<T, bool> && rank() == 0) {
      return builder_->decide(place());
    } else {
      (void)refuse<detail::condition_reason<spec_type>>();
      builder_->refuse();
      return false;
    }
  }
  // Deleted, so that compilers find it where a number is asked for. They print this line.
  constexpr operator detail::a_traced_value_is_no_number__write_jig_sin_for_std_sin__jig_where_for_conditionals__auto_for_float<T>() const =
      delete;
  /// Refused: what rows there are is known in a call.
  template <class X = symbol>
  constexpr auto begin() const {
    builder_->refuse();
    return iterator_of(refuse_with<"a traced value has no iterators: write for (auto row : jig::rows(x))", X>());
  }
  template <class X = symbol>
  constexpr auto end() const {
    return begin<X>();
  }

  constexpr jig::builder* builder() const { return builder_; }
  /// The output of a node that this object stands for at the moment.
  constexpr edge place() const { return builder_->value[static_cast<std::size_t>(serial_)]; }
  /// The number of the part that it is of another object, or -1.
  constexpr int part() const { return part_; }
  /// Under which number the builder tracks it.
  constexpr int serial() const { return serial_; }

 private:
  template <class X>
  static constexpr const X* iterator_of(const X&) {
    return nullptr;
  }
  constexpr symbol& rebind(const edge& e) {
    builder_->value[static_cast<std::size_t>(serial_)] = e;
    return *this;
  }
  constexpr symbol& update(const edge& e) {
    detail::update_whole(builder_, part_, e);
    return rebind(e);
  }
  jig::builder* builder_;
  int serial_;
  int part_;
};

/// Refused: a traced value has no elements yet.
template <class Char, class Traits, class T, index... E>
constexpr auto operator<<(std::basic_ostream<Char, Traits>&, const symbol<T, E...>& x) {
  x.builder()->refuse();
  return refuse_with<"a traced value has no elements to print: jig::print(x) prints them in every call", Char, Traits>();
}

template <class T>
inline constexpr bool is_symbol = false;
template <class T, index... E>
inline constexpr bool is_symbol<symbol<T, E...>> = true;

template <class T, index... E>
inline constexpr world world_of<symbol<T, E...>> = world::traced;
template <class T, index... E>
inline constexpr bool is_value<symbol<T, E...>> = true;

namespace detail {

template <class T, index... E>
struct operand_spec<symbol<T, E...>> {
  using type = spec<T, E...>;
  using element = T;
};

constexpr message assignment_refusal(const tensor_spec& to, const tensor_spec& from) {
  message m;
  m << "a traced value of spec " << to << " cannot become one of spec " << from
    << ": what a loop or branch changes keeps its dtype and shape";
  return m;
}
template <class To, class From>
struct assignment_reason {
  static constexpr message sentence = assignment_refusal(operand_spec<To>::type::value(), operand_spec<From>::type::value());
};

template <class Given>
constexpr message condition_refusal(const Given& given) {
  message m;
  m << "a condition must be a scalar of dtype bool, given " << given << ": compare, or use jig::reduce_all or jig::reduce_any";
  return m;
}
template <class X>
struct condition_reason {
  static constexpr message sentence = [] {
    if constexpr (is_spec<X>) return condition_refusal(X::value());
    else if constexpr (world_of<X> == world::literal) return condition_refusal("a number");
    else return condition_refusal(operand_spec<X>::type::value());
  }();
};

template <class X>
constexpr tensor_spec spec_now(const X& x) {
  if constexpr (world_of<X> == world::dynamic) return x.spec();
  else if constexpr (world_of<X> == world::literal) return {dtype_of<typename literal_element<X>::type>, {}};
  else return operand_spec<X>::type::value();
}

template <class Result, std::size_t... Port>
constexpr Result outputs_at(builder* b, int node, std::index_sequence<Port...>) {
  return Result(std::tuple_element_t<Port, Result>(b, edge{node, static_cast<int>(Port)})...);
}

// The same at these places.
template <class Result, std::size_t... Port>
constexpr Result outputs_at(builder* b, const list<edge>& at, std::index_sequence<Port...>) {
  return Result(std::tuple_element_t<Port, Result>(b, at[Port])...);
}

/// Whether one of these is a value of a trace. What is dual is one in constant evaluation, and where a trace at run time takes structs of
/// variables.
template <class... X>
constexpr bool in_trace([[maybe_unused]] const X&... x) {
  [[maybe_unused]] const auto is = []<class Y>(const Y& y) {
    if constexpr (world_of<Y> == world::dual) return y.is_traced();
    else return is_recorded<Y>;
  };
  return (is(x) || ...);
}

template <class First, class... Rest>
constexpr builder* builder_of(const First& x, const Rest&... rest) {
  if constexpr (is_recorded<First>) {
    return x.builder();
  } else if constexpr (world_of<First> == world::dual) {
    if constexpr (((is_recorded<Rest> || world_of<Rest> == world::dual) || ...))
      if (!x.is_traced()) return builder_of(rest...);
    return x.builder();
  } else {
    return builder_of(rest...);
  }
}

template <class X>
constexpr edge result_place(builder& b, const X& x);

// The place of an operand in the graph; literals and tensors become constants, weak numbers are converted.
template <class Spec, class X>
constexpr edge place_of(builder* b, const X& x) {
  if constexpr (is_weak<X>) {
    using T = typename Spec::value_type;
    if constexpr (std::is_same_v<T, typename operand_spec<X>::element>) return result_place(*b, x);
    else return converted<T>(*b, result_place(*b, x));
  } else if constexpr (world_of<X> == world::dual) {
    return x.place_in(*b);
  } else if constexpr (is_recorded<X>) {
    return x.place();
  } else if constexpr (Constant<X>) {
    return b->template literal<typename Spec::value_type>(X::value);
  } else if constexpr (std::is_arithmetic_v<X>) {
    return b->template literal<typename Spec::value_type>(x);
  } else {
    auto seen = elements_of_constant(x);
    static_assert(argument_layout<X> == memory_layout::row_major && Spec::value().shape.is_static(),
                  "jig: only tensors and arrays of static shape can be constants of a trace");
    return b->template constant<typename Spec::value_type>(seen.shape(), seen.data());
  }
}

// The same for a value that stands alone, such as a leaf of the result: literals keep their own dtype.
template <class X>
constexpr edge result_place(builder& b, const X& x) {
  if constexpr (world_of<X> == world::dual) return x.place_in(b);
  else if constexpr (is_recorded<X>) return x.place();
  else if constexpr (world_of<X> == world::literal) return place_of<spec<typename literal_element<X>::type>>(&b, x);
  else return place_of<typename argument<X>::spec_type>(&b, x);
}

// Appends a node and returns its results as objects of one type or of a tuple of types.
template <class Result, const op& Op, class A, class Inferred, class... S, class... X>
constexpr Result append(types<S...>, const X&... x) {
  builder* b = builder_of(x...);
  b->require_room();
  edge inputs[] = {place_of<S>(b, x)...};
  if constexpr (Op.is(fact::composite)) {
    const list<edge> made = append_expansion(b->graph, Inferred::nodes, inputs);
    b->compute();
    if constexpr (Op.outputs == 1) return Result(b, made[0]);
    else return outputs_at<Result>(b, made, std::make_index_sequence<static_cast<std::size_t>(Op.outputs)>());
  } else if constexpr (Op.outputs == 1) {
    const edge made = b->graph.add(Op, Inferred::value, inputs, A::view());
    b->compute();
    return Result(b, made);
  } else {
    const int made = b->graph.add(Op, Inferred::value, inputs, A::view()).node;
    return [&]<int... Port>(std::integer_sequence<int, 0, Port...>) {
      (b->graph.add_output(Inferred::template output<Port>::value), ...);
      b->compute();
      return outputs_at<Result>(b, made, std::make_index_sequence<sizeof...(Port) + 1>());
    }(std::make_integer_sequence<int, Op.outputs>());
  }
}

template <const op& Op, class A, class Inferred, class Specs, class... X>
constexpr auto traced_call(const X&... x) {
  if constexpr (gives_weak<Op, Inferred, X...>())
    return append<weak_symbol<type_of<Inferred::value.dtype>>, Op, A, Inferred>(Specs(), x...);
  else return append<results_of<symbol, Op, Inferred>, Op, A, Inferred>(Specs(), x...);
}

}  // namespace detail

}  // namespace jig
