// SPDX-License-Identifier: MIT
#pragma once
// Structs of variables in dynamic traces: the lambda gets such a struct, whose variables are names for values of the graph. Their types
// say what they are, so what is computed of them alone has types too; beside dynamic values it is dynamic.

#include <jig/runtime/dynamic_part.hpp>
#include <jig/runtime/dynamic_variable.hpp>
#include <jig/trace/traced_argument.hpp>

#include <array>

namespace jig::detail {

/// What a dynamic trace knows of a struct of variables: of each which of the distinct variables of the call it is. Their specs are those
/// of their types.
template <class S, std::size_t Count>
struct dynamic_struct_key {
  using type = S;
  std::array<int, Count + 1> objects{};
};
template <class Key>
inline constexpr bool is_dynamic_struct_key = false;
template <class S, std::size_t Count>
inline constexpr bool is_dynamic_struct_key<dynamic_struct_key<S, Count>> = true;

template <class S, class Leaves = leaves_of<S>>
inline constexpr std::size_t variable_count = 0;
template <class S, class... L>
inline constexpr std::size_t variable_count<S, leaf_list<L...>> = (std::size_t{0} + ... + (is_variable<L> ? 1 : 0));

/// The key of a struct whose variables are these objects, one after the other.
template <class S>
auto struct_key_of(const int*& object) {
  dynamic_struct_key<S, variable_count<S>> key;
  for (std::size_t k = 0; k < variable_count<S>; ++k) key.objects[k] = *object++;
  return key;
}

// All variables of a struct become inputs, or second names of those that are.
template <class X>
void bind_dynamic_variables(builder& b, X& x, const int*& object, const message& name) {
  using S = structure<X>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto bind_part = [&](auto& part, std::string_view part_name) {
        message m = name;
        m << '_' << part_name;
        detail::bind_dynamic_variables(b, part, object, m);
      };
      (bind_part(S::template get<I>(x), S::template name<I>()), ...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_variable<X>) {
    const int number = *object++;
    const edge input = b.input(X::spec_type::value(), name.view());
    if (number == static_cast<int>(b.variables.size())) b.variables.push_back(b.track(input));
    variable_access::bind(x, &b, b.variables[number]);
  }
}
template <class Key>
auto dynamic_struct(builder& b, const Key& key, const message& name) {
  typename Key::type out;
  const int* object = key.objects.data();
  detail::bind_dynamic_variables(b, out, object, name);
  return out;
}

/// What an eager run knows of a tensor or number whose type is known.
template <class Spec>
struct typed_spec {
  using type = Spec;
};
template <class Key>
inline constexpr bool is_typed_spec = false;
template <class Spec>
inline constexpr bool is_typed_spec<typed_spec<Spec>> = true;

template <class T, index... E>
variable_value<T, E...> typed_value(builder* b, const edge& e, spec<T, E...>) {
  return {b, e};
}
template <class T>
weak_value<T> typed_value(builder* b, const edge& e, weak_spec<T>) {
  return {b, e};
}

/// The end of a trace's own hold on its variables: those objects that are left then have been kept by the lambda.
class variables_of_trace {
 public:
  explicit variables_of_trace(builder& b) : b_(b) {}
  variables_of_trace(const variables_of_trace&) = delete;
  variables_of_trace& operator=(const variables_of_trace&) = delete;
  ~variables_of_trace() {
    for (int serial : b_.variables) b_.release(serial);
  }

 private:
  builder& b_;
};

template <class Dual>
auto as_dynamic_symbol(const Dual& x) {
  return dynamic_symbol(x.builder(), x.place(), is_weak<Dual> ? typing::weak : typing::strong);
}

template <class Dual, class X>
edge place_for_dual(const Dual& to, const X& x) {
  if constexpr (is_variable<Dual>)
    if (dual_access::lost(to)) an_assignment_to_a_copy_of_a_variable_is_lost_take_the_variable_by_reference();
  return assigned_place(*to.builder(), operand_spec<Dual>::type::value(), dynamic_operand_of(x));
}
template <class Dual, class X>
void put_in_dual_part(const Dual& part, int of, const X& x) {
  enter_kernels_of_updates<X>();
  update_whole(part.builder(), of, place_for_part(as_dynamic_symbol(part), x));
}
template <bool Element, class X, class... I>
auto dynamic_part_of_dual(const X& x, int serial, bool lost, const I&... i) {
  return dynamic_part<Element>(as_dynamic_symbol(x), serial, lost, i...);
}
template <bool Element, class X, class... I>
auto dynamic_part_of_dual_part(const X& x, int part, const I&... i) {
  return dynamic_part_of_part<Element>(as_dynamic_symbol(x), part, i...);
}

}  // namespace jig::detail
