// SPDX-License-Identifier: MIT
#pragma once
// Values of variables. One type serves both worlds, since a struct of variables and its methods know only one: in constant
// evaluation such a value is traced, at run time it is a tensor.

#include <jig/trace/symbol.hpp>

namespace jig {

/// What was read from a variable, or computed from such values and literals only: in a trace a traced value, elsewhere a
/// tensor, to which it converts.
template <class T, index... E>
class variable_value {
 public:
  using value_type = T;
  using spec_type = spec<T, E...>;
  using tensor_type = tensor<T, E...>;

  constexpr variable_value(jig::builder* b, edge e) : traced_(b, e) {}
  explicit variable_value(tensor_type x) : value_(std::move(x)) {}
  constexpr variable_value(const variable_value& o) {
    if (std::is_constant_evaluated()) std::construct_at(&traced_, o.traced_);
    else std::construct_at(&value_, o.value_);
  }
  constexpr variable_value(variable_value&& o) noexcept {
    if (std::is_constant_evaluated()) std::construct_at(&traced_, o.traced_);
    else std::construct_at(&value_, std::move(o.value_));
  }
  constexpr variable_value& operator=(const variable_value& o) {
    if (std::is_constant_evaluated()) traced_ = o.traced_;
    else value_ = o.value_;
    return *this;
  }
  constexpr variable_value& operator=(variable_value&& o) noexcept {
    if (std::is_constant_evaluated()) traced_ = o.traced_;
    else value_ = std::move(o.value_);
    return *this;
  }
  constexpr variable_value& operator=(const symbol<T, E...>& x) {
    traced_ = x;
    return *this;
  }
  constexpr variable_value& operator=(const tensor_type& x) {
    if (std::is_constant_evaluated()) traced_ = symbol<T, E...>(builder(), detail::place_of<spec_type>(builder(), x));
    else value_ = x;
    return *this;
  }
  constexpr ~variable_value() {
    if (std::is_constant_evaluated()) std::destroy_at(&traced_);
    else std::destroy_at(&value_);
  }

  constexpr jig::builder* builder() const { return traced_.builder(); }
  constexpr edge place() const { return traced_.place(); }
  constexpr operator symbol<T, E...>() const { return traced_; }

  /// The elements; not in a trace.
  const tensor_type& value() const& { return value_; }
  tensor_type value() && { return std::move(value_); }
  operator const tensor_type&() const& { return value_; }
  operator tensor_type() && { return std::move(value_); }

  static constexpr int rank() { return sizeof...(E); }
  const T* data() const { return value_.data(); }
  index extent(int axis) const { return value_.extent(axis); }
  jig::shape shape() const { return value_.shape(); }
  jig::shape strides() const { return value_.strides(); }
  index size() const { return value_.size(); }
  const T* begin() const { return value_.begin(); }
  const T* end() const { return value_.end(); }
  jig::view<const T, E...> view() const { return value_.view(); }

  /// The part at position i of the first axis: an element, a row and so on.
  /// Errors: an index out of range throws invalid_argument.
  template <class I>
  constexpr auto operator[](const I& i) const {
    return element(*this, i);
  }
  /// One element, not in a trace. Errors: an index out of range throws invalid_argument with the index.
  template <std::convertible_to<index>... I>
    requires(sizeof...(I) == sizeof...(E))
  const T& operator()(I... i) const {
    return value_(i...);
  }
  /// A value of rank 0 as its element; in a trace only of dtype bool, where it is the way the C++ program goes.
  constexpr explicit operator T() const
    requires(sizeof...(E) == 0)
  {
    if constexpr (std::is_same_v<T, bool>)
      if (std::is_constant_evaluated()) return static_cast<bool>(traced_);
    return element_of_tensor();
  }

 private:
  T element_of_tensor() const { return value_.data()[0]; }
  union {
    symbol<T, E...> traced_;  // in constant evaluation
    tensor_type value_;       // at run time
  };
};

template <class T>
inline constexpr bool is_variable_value = false;
template <class T, index... E>
inline constexpr bool is_variable_value<variable_value<T, E...>> = true;

template <class T, index... E>
struct argument<variable_value<T, E...>> {
  using spec_type = spec<canonical<T>, E...>;
  static constexpr bool dense = true;
  static auto bind(const variable_value<T, E...>& x) { return argument<tensor<T, E...>>::bind(x.value()); }
};

template <class T, index... E>
inline constexpr world world_of<variable_value<T, E...>> = world::dual;
template <class T, index... E>
inline constexpr bool is_value<variable_value<T, E...>> = true;

namespace detail {

template <class T, index... E>
struct operand_spec<variable_value<T, E...>> {
  using type = spec<canonical<T>, E...>;
  using element = canonical<T>;
};

template <class X>
constexpr const auto& tensor_if_dual(const X& x) {
  if constexpr (world_of<X> == world::dual) return x.value();
  else return x;
}

template <const op& Op, class A, class Inferred, class Specs, class... X>
auto eager_call_of_duals(const X&... x) {
  return eager_call<Op, A, Inferred, Specs>(tensor_if_dual(x)...);
}

// Where a tensor whose shape is known only at run time takes part, this is no part of a trace.
template <class X>
inline constexpr bool may_be_constant = [] {
  if constexpr (world_of<X> != world::eager) return true;
  else return argument<X>::dense && argument<X>::spec_type::value().shape.is_static();
}();

// Not constexpr, and with a return type that is written down: constant evaluation never looks inside.
template <class Result, const op& Op, class A, class Inferred, class Specs, class... X>
Result computed_dual(const X&... x) {
  return Result(eager_call_of_duals<Op, A, Inferred, Specs>(x...));
}

template <const op& Op, class A, class Inferred, class Specs, class... X>
constexpr auto dual_call(const X&... x) {
  if constexpr ((may_be_constant<X> && ...)) {
    using result = results_of<variable_value, Op, Inferred>;
    if (std::is_constant_evaluated()) return append<result, Op, A, Inferred>(Specs(), x...);
    return computed_dual<result, Op, A, Inferred, Specs>(x...);
  } else {
    return eager_call_of_duals<Op, A, Inferred, Specs>(x...);
  }
}

template <class T>
variable_value<T> dual_number(T value) {
  return variable_value<T>(tensor<T>(value));
}
template <class T, class X, class V>
constexpr variable_value<T> dual_constant(const X& x, V value) {
  if (std::is_constant_evaluated()) return variable_value<T>(x.builder(), x.builder()->template literal<T>(value));
  return dual_number<T>(static_cast<T>(value));
}

}  // namespace detail

}  // namespace jig
