// SPDX-License-Identifier: MIT
#pragma once
// Variables in dynamic traces, and how the values that a call computes for them reach them.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/set_shape.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/dynamic_call.hpp>
#include <jig/trace/signature.hpp>

#include <memory>
#include <vector>

namespace jig {

namespace detail {

/// A value with the spec of the variable that it is assigned to.
inline edge place_with_spec(builder& b, const tensor_spec& own, const tensor_spec& given, edge e) {
  if (!(given == own)) {
    const attribute_view with[] = {{"shape", attribute_kind::integers, {own.shape.extents, static_cast<std::size_t>(own.shape.rank)}}};
    e = b.graph.add(ops::set_shape, own, {&e, 1}, with);
  }
  return e;
}
/// Errors: what cannot be assigned to a variable of this spec throws invalid_argument.
inline void require_assignable(const tensor_spec& own, const tensor_spec& given) {
  if (may_be_equal(given, own)) return;
  message m;
  m << "assign: expected " << own << ", given " << given;
  throw_invalid_argument(m.view());
}
/// The place of what is assigned to a variable of this spec. A literal joins its dtype.
/// Errors: another dtype or shape throws invalid_argument.
template <class Operand>
edge assigned_place(builder& b, const tensor_spec& own, const Operand& x) {
  tensor_spec given = x.spec;
  if ((x.from == world::literal || x.weak) && literal_joins(given.dtype, own.dtype)) given.dtype = own.dtype;
  require_assignable(own, given);
  return place_with_spec(b, own, given, place_of_operand(b, x, given.dtype));
}

}  // namespace detail

/// A variable while a lambda is traced at run time: a name for a value of the graph, which assignments change.
class dynamic_variable : public dynamic_symbol {
 public:
  /// The one that the builder tracks with this number.
  dynamic_variable(jig::builder* b, int serial) : dynamic_symbol(b, serial) {}
  /// A copy has the same value. Assignments to it are refused: they would be lost.
  dynamic_variable(const dynamic_variable& o) : dynamic_symbol(o), copy_(true) {}
  /// The same variable, until the arguments of the lambda are in place; then another one with the same value.
  dynamic_variable(dynamic_variable&& o) noexcept : dynamic_symbol(o, taking()), copy_(o.copy_) {}
  dynamic_variable& operator=(const dynamic_variable& o) {
    require_no_copy();
    const tensor_spec own = spec(), given = o.spec();
    detail::require_assignable(own, given);
    if (o.builder() != builder()) throw_other_trace();
    rebind(detail::place_with_spec(*builder(), own, given, o.place()));
    return *this;
  }
  /// The same as assign.
  template <class X>
    requires(!std::is_base_of_v<dynamic_variable, X>)
  dynamic_variable& operator=(const X& x) {
    return assign(x);
  }

  /// The part at position i of the first axis. `x[i] = v` changes the variable.
  /// A negative number counts from the end.
  /// Errors: an index out of range throws invalid_argument when the graph runs.
  template <class I>
  auto operator[](const I& i) {
    return detail::dynamic_part<true>(*this, serial(), copy_, i);
  }
  template <class I>
  auto operator[](const I& i) const {
    return detail::dynamic_part_of_part<true>(*this, -1, i);
  }
  /// The part at these positions, one for each axis, `jig::all` for a whole one. `x(i, j) = v` changes the variable.
  /// Errors: as for `x[i]`.
  template <class... I>
    requires(sizeof...(I) > 0)
  auto operator()(const I&... i) {
    return detail::dynamic_part<false>(*this, serial(), copy_, i...);
  }
  template <class... I>
    requires(sizeof...(I) > 0)
  auto operator()(const I&... i) const {
    return detail::dynamic_part_of_part<false>(*this, -1, i...);
  }

  /// The value at this moment; later assignments do not change it.
  dynamic_symbol read() const { return *this; }

  /// Replaces the value.
  /// Errors: another dtype or shape, or an assignment to a copy, throws invalid_argument.
  template <class X>
  dynamic_variable& assign(const X& x) {
    require_no_copy();
    if constexpr (world_of<X> == world::foreign && std::is_convertible_v<const X&, const char*>)
      set(detail::dynamic_operand_of(tensor<std::string>(std::string(x))));
    else set(detail::dynamic_operand_of(x));
    return *this;
  }
  /// Adds to the value, to which x is broadcast.
  /// Errors: as for assign and `+`.
  template <class X>
  dynamic_variable& assign_add(const X& x) {
    return assign(call<ops::add>(*this, x));
  }
  /// Subtracts from the value, to which x is broadcast.
  /// Errors: as for assign and `-`.
  template <class X>
  dynamic_variable& assign_sub(const X& x) {
    return assign(call<ops::subtract>(*this, x));
  }

 private:
  void require_no_copy() const {
    if (copy_) detail::throw_invalid_argument("an assignment to a copy of a variable is lost: take the variable by reference");
  }
  template <class Operand>
  void set(const Operand& x) {
    rebind(detail::assigned_place(*builder(), spec(), x));
  }
  bool copy_ = false;
};

template <>
inline constexpr world world_of<dynamic_variable> = world::dynamic;
template <>
inline constexpr bool is_value<dynamic_variable> = true;

namespace detail {

template <>
struct compound_assignment<dynamic_variable> {
  static constexpr bool of_temporaries = false;
  template <class Y>
  static void assign(dynamic_variable& x, const Y& y) {
    x.assign(y);
  }
};
template <>
inline constexpr bool may_change<const dynamic_variable> = false;

/// What a dynamic trace knows of a variable: its spec, and which of the distinct variables of the call it is.
struct dynamic_variable_key {
  tensor_spec spec;
  int object;
};

/// The argument for it. Variables that are one object have one name.
template <class Builder>
dynamic_variable dynamic_variable_for(Builder& b, const dynamic_variable_key& key, std::string_view name) {
  const edge input = b.input(key.spec, name);
  if (key.object == static_cast<int>(b.variables.size())) b.variables.push_back(b.track(input));
  return dynamic_variable(&b, b.variables[key.object]);
}

/// How a variable of a type takes a new value.
struct variable_type {
  /// What may fail: makes the tensor that the variable is to have. Null where the elements can be copied over the old ones.
  std::shared_ptr<void> (*prepare)(const void* variable, const any_tensor& x);
  void (*commit)(void* variable, void* prepared, const any_tensor& x) noexcept;
};
template <class V>
inline constexpr variable_type variable_type_of{};
template <class T, index... E>
inline constexpr variable_type variable_type_of<variable<T, E...>>{
    [](const void* v, const any_tensor& x) -> std::shared_ptr<void> {
      if (std::is_trivially_copyable_v<T> && x.shape() == static_cast<const variable<T, E...>*>(v)->shape()) return nullptr;
      return std::make_shared<tensor<T, E...>>(x);
    },
    [](void* v, void* prepared, const any_tensor& x) noexcept {
      auto& to = variable_access::tensor_of(*static_cast<variable<T, E...>*>(v));
      const T* from = static_cast<const T*>(x.data());
      if (prepared != nullptr) to = std::move(*static_cast<tensor<T, E...>*>(prepared));
      else if constexpr (std::is_trivially_copyable_v<T>) std::copy(from, from + to.size(), to.data());
    }};

/// The variables among the arguments of a call.
template <class Tensor = any_tensor>
class bound_variables {
  struct variable {
    const void* address;
    const variable_type* type;
    bool constant;
  };

 public:
  /// Adds the next argument that is one.
  template <class V>
  void add(V& v) {
    std::size_t object = 0;
    while (object < distinct_.size() && distinct_[object].address != &v) ++object;
    if (object == distinct_.size()) distinct_.push_back({&v, &variable_type_of<std::remove_const_t<V>>, true});
    if (!std::is_const_v<V>) distinct_[object].constant = false;
    objects_.push_back(static_cast<int>(object));
  }
  /// Of each argument that is a variable: which of the distinct ones it is.
  const std::vector<int>& objects() const { return objects_; }

  /// Errors: a constant variable among those that are assigned throws invalid_argument.
  void require_assignable(const list<int>& updated) const {
    for (int object : updated)
      if (at(object).constant) throw_invalid_argument("assign: the variable is constant");
  }
  /// Gives distinct variable updated[k] the value values[k]. Dense values; an exception leaves all variables as they were.
  void commit(const list<int>& updated, const Tensor* values) const {
    std::vector<std::shared_ptr<void>> prepared;
    const Tensor* x = values;
    for (int object : updated) prepared.push_back(at(object).type->prepare(at(object).address, *x++));
    x = values;
    auto tensor = prepared.begin();
    for (int object : updated) at(object).type->commit(const_cast<void*>(at(object).address), (tensor++)->get(), *x++);
  }

 private:
  const variable& at(int object) const { return distinct_[static_cast<std::size_t>(object)]; }
  std::vector<variable> distinct_;
  std::vector<int> objects_;
};

}  // namespace detail

}  // namespace jig
