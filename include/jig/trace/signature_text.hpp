// SPDX-License-Identifier: MIT
#pragma once
// Signatures as TensorFlow prints them, short (`double(a)`, Args, Returns) and in full (Input Parameters,
// Output Type). The printers work on plain data, so that a signature costs one small template and no more.

#include <jig/adapt/structure.hpp>
#include <jig/core/array_text.hpp>
#include <jig/core/spec.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jig {

/// What a signature says about one value: a parameter, a result, or a part of either.
struct signature_value {
  enum class form : unsigned char { nothing, tensor, literal, tuple, list, mapping };

  form kind = form::nothing;
  std::string name;                    // of the parameter, or the key in a mapping
  tensor_spec spec{};                  // of a tensor
  std::string literal;                 // of a literal, as it is printed
  std::vector<signature_value> parts;  // of a tuple, list or mapping
};

namespace detail {

template <class X>
inline constexpr auto form_of_structure = signature_value::form::tuple;
template <class T, std::size_t N>
inline constexpr auto form_of_structure<std::array<T, N>> = signature_value::form::list;
template <class X>
  requires requires { typename structure<X>::key_tuple; }
inline constexpr auto form_of_structure<X> = signature_value::form::mapping;

}  // namespace detail

/// Describes the key of a parameter, or a structure of specs and literals that is a result.
template <class Key>
signature_value signature_value_of(const Key& key, std::string_view name = {}) {
  using form = signature_value::form;
  using parts = structure<Key>;
  signature_value out;
  out.name = name;
  if constexpr (parts::nested) {
    out.kind = detail::form_of_structure<Key>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (out.parts.push_back(signature_value_of(parts::template get<I>(key), parts::template name<I>().view())),
       ...);
    }(std::make_index_sequence<parts::size>());
  } else if constexpr (is_spec<Key>) {
    out.kind = form::tensor;
    out.spec = Key::value();
  } else {
    static_assert(Constant<Key>, "jig: a key consists of specs, literals and structures of these");
    out.kind = form::literal;
    out.literal = scalar_text(static_cast<canonical<typename Key::value_type>>(Key::value));
  }
  return out;
}

namespace detail {

inline bool holds_tensor(const signature_value& v) {
  if (v.kind == signature_value::form::tensor) return true;
  for (const auto& part : v.parts)
    if (holds_tensor(part)) return true;
  return false;
}

inline std::string shape_text(const shape& s) {
  message m;
  m << s;
  return std::string(m.view());
}

/// A value as Python writes it, every leaf as `leaf(value)` says.
template <class Leaf>
std::string python_text(const signature_value& v, Leaf& leaf) {
  using form = signature_value::form;
  if (v.kind == form::nothing) return "None";
  if (v.kind == form::tensor || v.kind == form::literal) return leaf(v);
  std::string out;
  for (const auto& part : v.parts) {
    if (!out.empty()) out += ", ";
    if (v.kind == form::mapping) out += '\'' + part.name + "': ";
    out += python_text(part, leaf);
  }
  if (v.kind == form::list) return '[' + out + ']';
  if (v.kind == form::mapping) return '{' + out + '}';
  return '(' + out + (v.parts.size() == 1 ? ",)" : ")");
}

inline std::string leaf_text(const signature_value& v) {
  if (v.kind == signature_value::form::literal) return v.literal;
  return std::string(name_of(v.spec.dtype)) + " Tensor, shape=" + shape_text(v.spec.shape);
}

/// `float32 Tensor, shape=()`; a structure becomes `(<1>, <2>)` and a line for each number.
inline std::string described(const signature_value& v) {
  if (v.parts.empty()) return python_text(v, leaf_text);
  std::string lines;
  int number = 0;
  auto numbered = [&](const signature_value& part) {
    std::string marker = '<' + std::to_string(++number) + '>';
    lines += "\n      " + marker + ": " + leaf_text(part);
    return marker;
  };
  std::string out = python_text(v, numbered);
  return out + lines;
}

/// `TensorSpec(…)`, `Literal[5]`, `Tuple[…]`, `List[…]`, `Dict[['a', …]]`.
inline std::string type_text(const signature_value& v) {
  using form = signature_value::form;
  switch (v.kind) {
    case form::nothing: return "None";
    case form::literal: return "Literal[" + v.literal + ']';
    case form::tensor:
      return "TensorSpec(shape=" + shape_text(v.spec.shape) + ", dtype=tf." +
             std::string(name_of(v.spec.dtype)) + ", name=None)";
    case form::tuple:
    case form::list:
    case form::mapping: break;
  }
  std::string out;
  for (const auto& part : v.parts) {
    if (!out.empty()) out += ", ";
    out += v.kind == form::mapping ? "['" + part.name + "', " + type_text(part) + ']' : type_text(part);
  }
  return (v.kind == form::tuple ? "Tuple[" : v.kind == form::list ? "List[" : "Dict[") + out + ']';
}

}  // namespace detail

/// A signature in TensorFlow's short form: `double(a)`, then Args and Returns. Parameters without tensors
/// stand in the head with their values, as in `power(x, n=5)`.
inline std::string signature_text(std::string_view function_name, std::span<const signature_value> parameters,
                                  const signature_value& result) {
  std::string head, arguments;
  for (const auto& p : parameters) {
    head += (head.empty() ? "" : ", ") + p.name;
    if (detail::holds_tensor(p)) arguments += "    " + p.name + ": " + detail::described(p) + '\n';
    else head += '=' + detail::python_text(p, detail::leaf_text);
  }
  if (!arguments.empty()) arguments = "  Args:\n" + arguments;
  return std::string(function_name) + '(' + head + ")\n" + arguments + "  Returns:\n    " +
         detail::described(result) + '\n';
}

/// A signature in TensorFlow's full form: Input Parameters, Output Type and Captures, of which jig has none.
inline std::string function_type_text(std::span<const signature_value> parameters,
                                      const signature_value& result) {
  std::string inputs;
  for (const auto& p : parameters)
    inputs += "  " + p.name + " (POSITIONAL_OR_KEYWORD): " + detail::type_text(p) + '\n';
  if (inputs.empty()) inputs = "  None\n";
  return "Input Parameters:\n" + inputs + "Output Type:\n  " + detail::type_text(result) +
         "\nCaptures:\n  None\n";
}

}  // namespace jig
