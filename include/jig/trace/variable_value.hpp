// SPDX-License-Identifier: MIT
#pragma once
// Values of variables. One type serves both worlds, since a struct of variables and its methods know only one: in constant
// evaluation, and in traces at run time that take such structs, it is a traced value, elsewhere a tensor.

#include <jig/trace/element_reference.hpp>
#include <jig/trace/symbol.hpp>

namespace jig {

template <class T>
inline constexpr bool is_variable_value = false;

namespace detail {
template <bool Element, class X, class... I>
constexpr auto part_of_dual(X& x, const I&... i);
template <bool Element, class X, class... I>
constexpr auto part_of_dual_part(const X& x, const I&... i);
template <bool Element, class X, class... I>
constexpr auto value_of_dual_part(const X& x, const I&... i);

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_no_elements() {
  throw_invalid_argument("a traced value has no elements: what the lambda makes of it has to be computed with functions of jig");
}
/// The elements of a value of an eager run that records, which are kept in `value`.
/// Errors: in a trace throws invalid_argument.
template <class T, index... E>
const tensor<T, E...>& computed_elements(const builder& b, edge of, tensor<T, E...>& value, bool& has_value) {
  if (b.computed == nullptr) throw_no_elements();
  const any_view now = b.computed->value(of);
  tensor<T, E...> made(jig::view<const T, E...>(static_cast<const T*>(now.data), now.extents, now.strides));
  if (has_value) value = std::move(made);
  else std::construct_at(&value, std::move(made));
  has_value = true;
  return value;
}

// Defined in runtime/dynamic_struct.hpp: the place of a dynamic value for what is dual, and its assignment to a part of that.
template <class Dual, class X>
edge place_for_dual(const Dual& to, const X& x);
template <class Dual, class X>
void put_in_dual_part(const Dual& part, int of, const X& x);

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_other_world() {
  throw_invalid_argument("a value that was read from a variable cannot become one of another trace, or of none");
}

// Where a tensor whose shape is known only at run time takes part, this is no part of a trace.
template <class X>
inline constexpr bool may_be_constant = [] {
  if constexpr (world_of<X> != world::eager) return true;
  else return argument_layout<X> == memory_layout::row_major && argument<X>::spec_type::value().shape.is_static();
}();

/// What the library may do with a variable: give it a place in a trace, write its elements elsewhere.
struct variable_access {
  template <class V>
  static constexpr void bind(V& v, jig::builder* b, int serial) {
    if (v.is_traced_) {
      v.handle_.end();
    } else {
      std::destroy_at(&v.value_);
      std::construct_at(&v.handle_);
      v.is_traced_ = true;
    }
    v.handle_ = {b, serial};
    if (!std::is_constant_evaluated()) {
      b->share(serial);
      v.handle_.owns = true;
    }
  }
  template <class V>
  static auto& tensor_of(V& v) {
    return v.value_;
  }
  template <class V>
  static constexpr const auto& handle_of(const V& v) {
    return v.handle_;
  }
};

/// What `x[i]` and `x(i, j)` need of what is dual.
struct dual_access {
  template <class V>
    requires(!is_variable_value<V>)
  static constexpr int serial(const V& v) {
    return variable_access::handle_of(v).serial;
  }
  template <class V>
    requires(!is_variable_value<V>)
  static constexpr bool lost(const V& v) {
    return variable_access::handle_of(v).copy;
  }
  template <class V>
    requires(!is_variable_value<V>)
  static auto& tensor_of(V& v) {
    return variable_access::tensor_of(v);
  }
  template <class T, index... E>
  static constexpr int serial(const variable_value<T, E...>& x) {
    return x.traced_.serial();
  }
  template <class T, index... E>
  static constexpr bool lost(const variable_value<T, E...>&) {
    return false;
  }
  template <class T, index... E>
  static constexpr int part(const variable_value<T, E...>& x) {
    return x.traced_.part();
  }
  template <class T, index... E>
  static auto& tensor_of(variable_value<T, E...>& x) {
    return x.value_;
  }
  template <class T, index... E>
  static T* memory(const variable_value<T, E...>& x) {
    return x.whole_;
  }
  template <class T, index... E>
  static shape strides(const variable_value<T, E...>& x) {
    shape s;
    for (index a : x.strides_) s.push_back(a);
    --s.rank;
    return s;
  }
};
}  // namespace detail

/// What was read from a variable, or computed from such values and literals only: in a trace a traced value, elsewhere a
/// tensor, to which it converts.
template <class T, index... E>
class variable_value {
 public:
  using value_type = T;
  using spec_type = spec<T, E...>;
  using tensor_type = tensor<T, E...>;

  constexpr variable_value(jig::builder* b, edge e, int part = -1) : traced_(b, e, part), is_traced_(true) {}
  explicit variable_value(tensor_type x) : value_(std::move(x)) {}
  /// A copy of the elements at `from`, which assignments to this change as long as it has no name.
  variable_value(T* from, const jig::shape& extents, const jig::shape& strides)
      : value_(jig::view<const T, E...>(from, extents, strides)), whole_(from) {
    for (int a = 0; a < rank(); ++a) strides_[a] = strides[a];
  }
  constexpr variable_value(const variable_value& o) : is_traced_(o.is_traced_) {
    if (is_traced_) std::construct_at(&traced_, o.traced_);
    else std::construct_at(&value_, o.value_);
  }
  constexpr variable_value(variable_value&& o) noexcept : is_traced_(o.is_traced_) {
    if (is_traced_) std::construct_at(&traced_, o.traced_);
    else std::construct_at(&value_, std::move(o.value_));
  }
  constexpr variable_value& operator=(const variable_value& o) & {
    require_world_of(o);
    if (is_traced_) traced_ = o.traced_;
    else value_ = o.value_;
    return *this;
  }
  constexpr variable_value& operator=(variable_value&& o) & {
    require_world_of(o);
    if (is_traced_) traced_ = o.traced_;
    else value_ = std::move(o.value_);
    return *this;
  }
  /// Errors: of a trace at run time, a value of another spec throws invalid_argument.
  template <class X>
    requires(world_of<X> == world::dynamic)
  variable_value& operator=(const X& x) & {
    if (!is_traced_) detail::throw_other_world();
    traced_ = symbol<T, E...>(builder(), detail::place_for_dual(*this, x));
    return *this;
  }
  constexpr variable_value& operator=(const symbol<T, E...>& x) & {
    traced_ = x;
    return *this;
  }
  constexpr variable_value& operator=(const tensor_type& x) & {
    if (is_traced_) traced_ = symbol<T, E...>(builder(), detail::place_of<spec_type>(builder(), x));
    else value_ = x;
    return *this;
  }
  /// A scalar takes the value of a number.
  template <class X>
    requires(sizeof...(E) == 0 && world_of<X> == world::literal && detail::literal_joins<typename detail::literal_element<X>::type, T>())
  constexpr variable_value& operator=(const X& x) & {
    if (is_traced_) traced_ = x;
    else take(x);
    return *this;
  }
  template <class X>
    requires(sizeof...(E) == 0 && !std::is_base_of_v<variable_value, X> && detail::weak_joins<X, T>())
  constexpr variable_value& operator=(const X& x) & {
    if (is_traced_) traced_ = x;
    else if constexpr (world_of<X> == world::dual) take(x);
    return *this;
  }
  /// Of `x[i] = v` and `x(i, j) = v`: x changes in this part, to which v is broadcast. What `auto v = x[i]` names is a value of its own.
  /// Errors: another dtype, or a shape that does not broadcast to that of the part, is refused at compile time; extents known
  /// only at run time throw invalid_argument.
  constexpr variable_value& operator=(const variable_value& x) && { return put(x); }
  template <class X>
    requires Operand<X>
  constexpr variable_value& operator=(const X& x) && {
    return put(x);
  }
  constexpr ~variable_value() {
    if (is_traced_) std::destroy_at(&traced_);
    if (!is_traced_ || (!std::is_constant_evaluated() && has_value_)) std::destroy_at(&value_);
  }

  /// Whether it is a value of a trace: in constant evaluation, and in traces at run time.
  constexpr bool is_traced() const { return is_traced_; }
  constexpr jig::builder* builder() const {
    if (!is_traced_) detail::throw_other_world();
    return traced_.builder();
  }
  constexpr edge place() const { return traced_.place(); }
  /// The same in the graph of a trace, where what was read outside becomes a constant.
  constexpr edge place_in(jig::builder& b) const { return is_traced_ ? traced_.place() : constant_in(b); }
  constexpr operator symbol<T, E...>() const { return traced_; }

  /// The elements; not in a trace.
  const tensor_type& value() const& {
    if (is_traced_) [[unlikely]]
      return detail::computed_elements(*builder(), place(), value_, has_value_);
    return value_;
  }
  tensor_type value() && { return std::move(const_cast<tensor_type&>(std::as_const(*this).value())); }
  operator const tensor_type&() const& { return value(); }
  operator tensor_type() && { return std::move(*this).value(); }

  static constexpr int rank() { return sizeof...(E); }
  const T* data() const { return value().data(); }
  index extent(int axis) const { return value().extent(axis); }
  jig::shape shape() const { return value().shape(); }
  jig::shape strides() const { return value().strides(); }
  index size() const { return value().size(); }
  const T* begin() const { return value().begin(); }
  const T* end() const { return value().end(); }
  jig::view<const T, E...> view() const { return value().view(); }

  /// The part at position i of the first axis: an element, a row and so on.
  /// A negative number counts from the end.
  /// Errors: an index out of range throws invalid_argument.
  template <class I>
  constexpr auto operator[](const I& i) & {
    return detail::part_of_dual<true>(*this, i);
  }
  template <class I>
  constexpr auto operator[](const I& i) const& {
    return detail::value_of_dual_part<true>(*this, i);
  }
  template <class I>
  constexpr auto operator[](const I& i) && {
    return detail::part_of_dual_part<true>(*this, i);
  }
  /// The part at these positions, one for each axis, `jig::all` for a whole one. `x(i, j) = v` changes x.
  /// Errors: as for `x[i]`.
  template <class... I>
    requires(sizeof...(I) > 0)
  constexpr auto operator()(const I&... i) & {
    return detail::part_of_dual<false>(*this, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0 && !(std::convertible_to<I, index> && ...))
  constexpr auto operator()(const I&... i) const& {
    return detail::value_of_dual_part<false>(*this, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0 && !(std::convertible_to<I, index> && ...))
  constexpr auto operator()(const I&... i) && {
    return detail::part_of_dual_part<false>(*this, i...);
  }
  /// One element, not in a trace.
  /// Errors: an index out of range throws invalid_argument with the index.
  template <std::convertible_to<index>... I>
    requires(sizeof...(I) == sizeof...(E))
  const T& operator()(I... i) const {
    return value()(i...);
  }
  /// A value of rank 0 as its element, and any other number where the program asks for one; in a trace only of dtype bool, where it is
  /// the way the C++ program goes.
  template <std::same_as<T> U>
    requires(sizeof...(E) == 0)
  constexpr explicit(std::is_same_v<T, bool>) operator U() const {
    if constexpr (std::is_same_v<T, bool>)
      if (is_traced_) return static_cast<bool>(traced_);
    return a_traced_value_has_no_number__keep_it_in_auto_and_compute_with_functions_of_jig();
  }
  template <class U>
    requires(sizeof...(E) == 0 && std::is_arithmetic_v<U> && !std::is_same_v<U, bool> && !std::is_same_v<U, T> &&
             !std::is_same_v<T, std::string>)
  explicit operator U() const {
    return static_cast<U>(a_traced_value_has_no_number__keep_it_in_auto_and_compute_with_functions_of_jig());
  }

  /// Refused: only a scalar is a condition.
  constexpr explicit operator bool() const
    requires(sizeof...(E) > 0 || !std::is_arithmetic_v<T>)
  {
    (void)refuse<detail::condition_reason<spec_type>>();
    return false;
  }

 private:
  friend struct detail::dual_access;

  template <class X>
  constexpr variable_value& put(const X& x) {
    if constexpr (world_of<X> == world::dynamic) {
      detail::put_in_dual_part(*this, traced_.part(), x);
    } else if constexpr (detail::fits_into<spec_type, X>()) {
      if constexpr (detail::may_be_constant<X>)
        if (is_traced_) {
          std::move(traced_) = x;
          return *this;
        }
      if constexpr (world_of<X> != world::traced) put_elements(x);
    }
    return *this;
  }
  // Not constexpr: constant evaluation never looks inside.
  template <class X>
  void take(const X& x) {
    detail::fill_from(value_, x);
  }
  template <class X>
  void put_elements(const X& x) {
    if (whole_ == nullptr && value_.size() > 0)
      detail::an_assignment_to_a_temporary_value_is_lost_assign_to_an_element_of_a_named_value_or_to_the_value_itself();
    take(x);
    jig::shape strides;
    for (int a = 0; a < rank(); ++a) strides.push_back(strides_[a]);
    detail::put_broadcast(whole_, shape(), strides, value_.data(), shape(), value_.strides());
  }
  // Its name is what compilers say where constant evaluation meets it.
  T a_traced_value_has_no_number__keep_it_in_auto_and_compute_with_functions_of_jig() const { return value().data()[0]; }
  edge constant_in(jig::builder& b) const { return b.constant<T>(value_.shape(), value_.data()); }
  constexpr void require_world_of(const variable_value& o) const {
    if (is_traced_ != o.is_traced_) detail::throw_other_world();
  }
  union {
    symbol<T, E...> traced_;
  };
  union {
    mutable tensor_type value_;
  };
  bool is_traced_ = false;
  mutable bool has_value_ = false;  // besides being traced: in an eager run that records, once somebody has asked
  // At run time, of a part: the memory that it is a copy of.
  T* whole_ = nullptr;
  index strides_[sizeof...(E) + 1] = {};
};

template <class T, index... E>
inline constexpr bool is_variable_value<variable_value<T, E...>> = true;

template <class T, index... E>
struct argument<variable_value<T, E...>> {
  using spec_type = spec<canonical<T>, E...>;
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

// What broadcasting leaves unknown is checked to be the extents of x.
template <class T, index... E>
struct compound_assignment<variable_value<T, E...>> {
  static constexpr bool of_temporaries = true;
  template <class Y>
  static constexpr void assign(variable_value<T, E...>& x, const Y& y) {
    using given = typename operand_spec<Y>::type;
    if constexpr (!std::is_same_v<given, spec<T, E...>> && may_be_equal(given::value(), spec<T, E...>::value()))
      x = call<ops::set_shape, attributes<integers<"shape", E...>>>(y);
    else x = y;
  }
  template <class Y>
  static constexpr void assign(variable_value<T, E...>&& x, const Y& y) {
    std::move(x) = y;
  }
};
template <class T, index... E>
inline constexpr bool may_change<const variable_value<T, E...>> = false;

}  // namespace detail

}  // namespace jig
