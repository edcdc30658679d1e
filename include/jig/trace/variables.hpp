// SPDX-License-Identifier: MIT
#pragma once
// The variables of a structure by name, and variables as text.

#include <jig/adapt/structure.hpp>
#include <jig/core/print.hpp>
#include <jig/trace/variable.hpp>

namespace jig {

/// One variable of a structure.
class named_variable {
 public:
  named_variable(std::string name, tensor_spec spec) : name_(std::move(name)), spec_(spec) {}
  /// The member's name, behind the names of the structures around it: `layer/w`.
  const char* name() const { return name_.c_str(); }
  jig::dtype dtype() const { return spec_.dtype; }
  /// The extents that it has now.
  const jig::shape& shape() const { return spec_.shape; }

 private:
  std::string name_;
  tensor_spec spec_;
};

namespace detail {

template <class Found, class X>
void list_variables(Found& found, const X& x, const std::string& name) {
  using S = structure<X>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (list_variables(found, S::template get<I>(x), name + (name.empty() ? "" : "/") + std::string(S::template name<I>())), ...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (is_variable<X>) {
    found.emplace_back(name, tensor_spec{dtype_of<typename X::value_type>, x.shape()});
  }
}

}  // namespace detail

/// The variables of a structure in their order. Members of a struct have their names, parts of tuples and arrays their
/// numbers; what is no variable is left out.
template <class X, class Named = named_variable>
std::vector<Named> variables(const X& x) {
  std::vector<Named> found;
  detail::list_variables(found, x, "");
  return found;
}

/// A variable as TensorFlow prints it, its elements as those of a tensor: `<tf.Variable 'Variable:0' shape=() dtype=int32,
/// numpy=1>`.
template <class T, index... E>
std::string to_text(const variable<T, E...>& v) {
  const jig::shape extents = v.shape(), strides = v.value().strides();
  auto rank = static_cast<std::size_t>(extents.rank);
  std::string elements = array_text<T>(v.value().data(), {extents.extents, rank}, {strides.extents, rank});
  message head;
  head << "<tf.Variable 'Variable:0' shape=" << extents << " dtype=" << name_of(dtype_of<T>) << ", numpy=";
  // Several lines begin on one of their own.
  return std::string(head.view()) + (elements.find('\n') != std::string::npos ? "\n" : "") + elements + '>';
}
template <class T, index... E>
std::string to_text(const variable_value<T, E...>& x) {
  return to_text(x.value());
}

// Templates, so that <ostream> is only needed where something is printed.
template <class Char, class Traits, class T, index... E>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const variable<T, E...>& v) {
  return out << to_text(v);
}
template <class Char, class Traits, class T, index... E>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const variable_value<T, E...>& x) {
  return out << to_text(x);
}

}  // namespace jig
