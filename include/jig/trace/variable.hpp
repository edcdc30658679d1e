// SPDX-License-Identifier: MIT
#pragma once
// Variables: state that functions take as arguments, read and assign. In a trace a variable is a name for a value of the
// graph; elsewhere it owns a tensor.

#include <jig/ops/compound_assignment.hpp>
#include <jig/ops/set_shape.hpp>
#include <jig/trace/dual_call.hpp>
#include <jig/trace/dual_part.hpp>

namespace jig {

namespace detail {

/// Which entry of a builder's table a variable is in a trace.
struct variable_handle {
  jig::builder* recorder;
  int serial;
  // Memory of a default constructor: with it a variable of static storage cannot be initialised in constant evaluation.
  char* anchor;
  bool copy;  // has its own entry, which nobody looks at later
  bool owns;  // ends its entry
  constexpr variable_handle(jig::builder* b = nullptr, int number = -1, char* memory = nullptr, bool is_copy = false, bool is_owner = false)
      : recorder(b), serial(number), anchor(memory), copy(is_copy), owns(is_owner) {}

  /// That of a variable with the value that this one has now.
  constexpr variable_handle copied(edge now, bool is_copy) const { return {recorder, recorder->track(now), nullptr, is_copy, true}; }
  /// That of a variable that is made of this one, which is at its end: the same one, until the arguments of the lambda are in place.
  constexpr variable_handle moved() {
    if (recorder != nullptr && recorder->has_arguments) return copied(recorder->value[static_cast<std::size_t>(serial)], copy);
    return {recorder, serial, std::exchange(anchor, nullptr), copy, std::exchange(owns, false)};
  }
  constexpr void end() const {
    if (anchor != nullptr) std::allocator<char>().deallocate(anchor, 1);
    else if (owns) recorder->release(serial);
  }
};
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_no_variable_of_the_trace() {
  throw_invalid_argument("a variable takes part in a trace that does not have it as an argument: pass it, or the struct that has it");
}

// Its name is what compilers say where constant evaluation meets it.
inline void variables_are_not_created_in_a_traced_function_pass_a_struct_that_has_them_or_pass_them_as_arguments() {
  raise<error>("variables are not created in a traced function");
}

inline void values_of_run_time_are_not_assigned_in_a_traced_function() {
  raise<error>("values of run time are not assigned in a traced function");
}

template <class Expected, class Given>
struct assign_reason {
  static constexpr message sentence = [] {
    message m;
    m << "assign: expected " << Expected::value() << ", given ";
    if constexpr (std::is_void_v<Given>) m << "what is no tensor, number or literal";
    else m << Given::value();
    return m;
  }();
};

// The spec with which x is assigned to a variable of this spec: a literal joins its dtype.
template <class Expected, class X>
struct assigned_spec {
  using type = spec_beside<typename Expected::value_type, X>;
};
template <class Expected, class X>
  requires(world_of<X> == world::literal)
struct assigned_spec<Expected, X> {
  using L = typename literal_element<X>::type;
  using T = typename Expected::value_type;
  using type = spec<std::conditional_t<std::is_same_v<L, T> || literal_joins<L, T>(), T, L>>;
};
template <class Expected, class X>
  requires(world_of<X> == world::foreign)
struct assigned_spec<Expected, X> {
  using type = std::conditional_t<std::is_convertible_v<const X&, const char*>, spec<std::string>, void>;
};

template <class Expected, class X>
constexpr bool is_assignable() {
  using given = typename assigned_spec<Expected, X>::type;
  if constexpr (std::is_void_v<given>) return false;
  else return may_be_equal(given::value(), Expected::value());
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_assign_misfit(const tensor_spec& expected, const shape& given) {
  message m;
  m << "assign: expected " << expected << ", given " << tensor_spec{expected.dtype, given};
  throw_invalid_argument(m.view());
}

template <class T, index... E>
view<T, E...> as_view(const view<T, E...>& v) {
  return v;
}
template <class T, index... E>
view<T, E...> as_view(const dense_view<T, E...>& v) {
  return v;
}

/// What a variable with this spec stores of x.
template <class Tensor, class X>
Tensor stored_as(const X& x) {
  using T = typename Tensor::value_type;
  if constexpr (std::is_same_v<X, Tensor>) {
    return x;
  } else if constexpr (is_weak<X>) {
    return Tensor(number_as<T>(x));
  } else if constexpr (world_of<X> == world::dual) {
    return stored_as<Tensor>(x.value());
  } else if constexpr (Constant<X>) {
    return stored_as<Tensor>(X::value);
  } else if constexpr (world_of<X> == world::literal) {
    if (!literal_fits<T>(x)) throw_invalid_argument("assign: the number does not fit the dtype of the variable");
    return Tensor(static_cast<T>(x));
  } else if constexpr (!Argument<X>) {
    return Tensor(std::string(x));
  } else {
    auto seen = argument<X>::bind(x);
    constexpr shape expected = Tensor::spec_type::value().shape;
    for (int a = 0; a < expected.rank; ++a)
      if (is_static_extent(expected[a]) && expected[a] != seen.extent(a)) throw_assign_misfit(Tensor::spec_type::value(), seen.shape());
    return Tensor(as_view(seen));
  }
}

}  // namespace detail

/// A variable of dtype T and extents E…: a tensor that functions take by reference and may assign. It starts at zero, with
/// wildcard extents of 0. Traces are keyed by its spec, not by the object.
/// Errors: creating one inside a traced function does not compile: variables are members of a struct, or arguments. Neither
/// does an assignment to a copy of one there, such as a parameter that is not a reference.
template <class T, index... E>
class variable {
  static_assert(std::is_same_v<T, canonical<T>>, "jig::variable: use the standard type of this dtype, such as std::int64_t");

 public:
  using value_type = T;
  using spec_type = spec<T, E...>;
  using tensor_type = tensor<T, E...>;

  constexpr variable() : is_traced_(std::is_constant_evaluated()) {
    if (is_traced_) std::construct_at(&handle_, nullptr, -1, std::allocator<char>().allocate(1));
    else std::construct_at(&value_);
  }
  /// The elements from a number or a braced list.
  constexpr variable(const typename detail::nested_list<T, sizeof...(E)>::type& list) {
    create([&] { return tensor_type(list); });
  }
  /// The elements of a tensor, view, container, number or literal.
  /// Errors: as for assign.
  template <class X>
    requires(!std::is_same_v<X, variable>)
  constexpr explicit variable(const X& x) {
    create([&] {
      if constexpr (fits<X>()) return detail::stored_as<tensor_type>(x);
      else return tensor_type();
    });
  }

  /// A variable of its own with the same value.
  constexpr variable(const variable& o) : is_traced_(o.is_traced_) {
    if (is_traced_) std::construct_at(&handle_, o.handle_.copied(o.place(), true));
    else std::construct_at(&value_, o.value_);
  }
  constexpr variable(variable&& o) noexcept : is_traced_(o.is_traced_) {
    if (is_traced_) std::construct_at(&handle_, o.handle_.moved());
    else std::construct_at(&value_, std::move(o.value_));
  }
  constexpr variable& operator=(const variable& o) { return assign(o); }
  constexpr variable& operator=(variable&& o) {
    if (is_traced_ || o.is_traced_) assign(o);
    else value_ = std::move(o.value_);
    return *this;
  }
  /// The same as assign.
  template <class X>
    requires(!std::is_same_v<std::remove_cvref_t<X>, variable>)
  constexpr variable& operator=(X&& x) {
    return assign(std::forward<X>(x));
  }
  constexpr ~variable() {
    if (is_traced_) handle_.end();
    if (!is_traced_ || (!std::is_constant_evaluated() && has_value_)) std::destroy_at(&value_);
  }

  /// The value at this moment; later assignments do not change it.
  constexpr variable_value<T, E...> read() const {
    if (is_traced_) return variable_value<T, E...>(builder(), place());
    return copied();
  }
  /// The elements; not in a trace.
  const tensor_type& value() const {
    if (is_traced_) [[unlikely]]
      return detail::computed_elements(*builder(), place(), value_, has_value_);
    return value_;
  }

  /// Replaces the value by that of a tensor, view, container, number or literal of the same dtype and shape.
  /// Errors: another dtype or shape is refused at compile time; extents known only at run time throw invalid_argument.
  template <class X>
  constexpr variable& assign(X&& x) {
    using Plain = std::remove_cvref_t<X>;
    if constexpr (world_of<Plain> == world::dynamic) {
      builder()->value[serial()] = detail::place_for_dual(*this, x);
    } else if constexpr (fits<Plain>()) {
      if (is_traced_) set(x);
      else if constexpr (world_of<Plain> != world::traced) store(std::forward<X>(x));
    }
    return *this;
  }
  /// Adds to the value, to which x is broadcast.
  /// Errors: as for assign and `+`.
  template <class X>
  constexpr variable& assign_add(const X& x) {
    return assign(call<ops::add>(*this, x));
  }
  /// Subtracts from the value, to which x is broadcast.
  /// Errors: as for assign and `-`.
  template <class X>
  constexpr variable& assign_sub(const X& x) {
    return assign(call<ops::subtract>(*this, x));
  }

  static constexpr int rank() { return sizeof...(E); }
  index extent(int axis) const { return value().extent(axis); }
  jig::shape shape() const { return value().shape(); }
  index size() const { return value().size(); }

  /// The part at position i of the first axis: an element, a row and so on. `x[i] = v` changes the variable.
  /// A negative number counts from the end.
  /// Errors: an index out of range throws invalid_argument.
  template <class I>
  constexpr auto operator[](const I& i) & {
    return detail::part_of_dual<true>(*this, i);
  }
  template <class I>
  constexpr auto operator[](const I& i) const& {
    return element(*this, i);
  }
  /// The part at these positions, one for each axis, `jig::all` for a whole one. `x(i, j) = v` changes the variable.
  /// Errors: as for `x[i]`.
  template <class... I>
    requires(sizeof...(I) > 0)
  constexpr auto operator()(const I&... i) & {
    return detail::part_of_dual<false>(*this, i...);
  }

  /// Whether it is a name for a value of a trace: in constant evaluation, and in traces at run time.
  constexpr bool is_traced() const { return is_traced_; }
  constexpr jig::builder* builder() const {
    if (!is_traced_) detail::throw_no_variable_of_the_trace();
    if (handle_.recorder == nullptr)
      detail::variables_are_not_created_in_a_traced_function_pass_a_struct_that_has_them_or_pass_them_as_arguments();
    return handle_.recorder;
  }
  constexpr edge place() const { return builder()->value[serial()]; }
  constexpr edge place_in(const jig::builder&) const { return place(); }

 private:
  friend struct detail::variable_access;

  // In a trace a value has no part: variables of arguments, whose structs may have initialisers, become names for others, and who uses
  // one of the trace itself is told.
  template <class F>
  constexpr void create(F value) {
    is_traced_ = std::is_constant_evaluated();
    if (is_traced_) std::construct_at(&handle_, nullptr, -1, std::allocator<char>().allocate(1));
    else std::construct_at(&value_, value());
  }
  constexpr std::size_t serial() const { return static_cast<std::size_t>(handle_.serial); }
  variable_value<T, E...> copied() const { return variable_value<T, E...>(value_); }

  template <class X>
  static constexpr bool fits() {
    if constexpr (is_refused<X>) {
      return false;
    } else {
      constexpr bool fit = detail::is_assignable<spec_type, X>();
      if constexpr (!fit) (void)refuse<detail::assign_reason<spec_type, typename detail::assigned_spec<spec_type, X>::type>>();
      return fit;
    }
  }

  template <class X>
  constexpr void set(const X& x) {
    if constexpr (world_of<X> == world::foreign || !detail::may_be_constant<X>) {
      detail::values_of_run_time_are_not_assigned_in_a_traced_function();
    } else {
      using given = typename detail::assigned_spec<spec_type, X>::type;
      jig::builder* b = builder();
      if (handle_.copy) detail::an_assignment_to_a_copy_of_a_variable_is_lost_take_the_variable_by_reference();
      edge e = detail::place_of<given>(b, x);
      if constexpr (!std::is_same_v<given, spec_type>) {
        e = b->graph.add(ops::set_shape, spec_type::value(), {&e, 1}, attributes<integers<"shape", E...>>::view());
      }
      b->value[serial()] = e;
    }
  }

  template <class X>
  void store(X&& x) {
    using Plain = std::remove_cvref_t<X>;
    if constexpr (std::is_same_v<X, tensor_type>) value_ = std::move(x);
    else if constexpr (std::is_base_of_v<variable_value<T, E...>, X>) value_ = std::move(x).value();
    else if constexpr (std::is_same_v<Plain, variable>) store(x.value());
    else if constexpr (std::is_same_v<Plain, tensor_type> && std::is_trivially_copyable_v<T>) copy(x);
    else value_ = detail::stored_as<tensor_type>(x);
  }
  void copy(const tensor_type& x) {
    if (!(x.shape() == shape())) value_ = x;
    else
      for (index i = 0; i < x.size(); ++i) value_.data()[i] = x.data()[i];
  }

  union {
    detail::variable_handle handle_;  // in a trace
  };
  union {
    mutable tensor_type value_;
  };
  bool is_traced_ = false;
  mutable bool has_value_ = false;  // besides being traced: in an eager run that records, once somebody has asked
};

template <class T>
inline constexpr bool is_variable = false;
template <class T, index... E>
inline constexpr bool is_variable<variable<T, E...>> = true;

template <class T, index... E>
struct argument<variable<T, E...>> {
  using spec_type = spec<T, E...>;
  static auto bind(const variable<T, E...>& x) { return argument<tensor<T, E...>>::bind(x.value()); }
  static auto bind(variable<T, E...>& x) { return argument<tensor<T, E...>>::bind(detail::variable_access::tensor_of(x)); }
};

template <class T, index... E>
inline constexpr world world_of<variable<T, E...>> = world::dual;
template <class T, index... E>
inline constexpr bool is_value<variable<T, E...>> = true;

namespace detail {

template <class T, index... E>
struct compound_assignment<variable<T, E...>> {
  static constexpr bool of_temporaries = false;
  template <class Y>
  static constexpr void assign(variable<T, E...>& x, const Y& y) {
    x.assign(y);
  }
};
template <class T, index... E>
inline constexpr bool may_change<const variable<T, E...>> = false;

template <class T, index... E>
struct operand_spec<variable<T, E...>> {
  using type = spec<T, E...>;
  using element = T;
};

}  // namespace detail

}  // namespace jig
