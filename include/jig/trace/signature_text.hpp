// SPDX-License-Identifier: MIT
#pragma once
// Signatures as TensorFlow prints them, short (`double(a)`, Args, Returns) and in full (Input Parameters,
// Output Type). The printers work on plain data, so that a signature costs one small template and no more;
// they are cold, so that compilers make small code of them, in two thirds of the time.

#include <jig/adapt/structure.hpp>
#include <jig/core/array_text.hpp>
#include <jig/core/spec.hpp>
#include <jig/core/stretch.hpp>
#include <jig/trace/signature.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jig {

/// What a signature says about one value: a parameter, a result, or a part of either.
struct signature_value {
  enum class form : unsigned char { nothing, tensor, variable, literal, tuple, list, mapping };

  form kind = form::nothing;
  std::string name;                    // of the parameter, or the key in a mapping
  tensor_spec spec{};                  // of a tensor or variable
  std::string literal;                 // of a literal, as it is printed
  std::vector<signature_value> parts;  // of a tuple, list or mapping
  int alias{};                         // the number of a variable among those of the signature
};

namespace detail {

template <class X>
inline constexpr auto form_of_structure = signature_value::form::tuple;
template <class T, std::size_t N>
inline constexpr auto form_of_structure<std::array<T, N>> = signature_value::form::list;
template <auto... V>
inline constexpr auto form_of_structure<literal_list<V...>> = signature_value::form::list;
template <class X>
  requires requires { typename structure<X>::key_tuple; }
inline constexpr auto form_of_structure<X> = signature_value::form::mapping;

/// One part of a signature as plain data; a structure is followed by its parts.
struct signature_entry {
  signature_value::form kind = signature_value::form::nothing;
  std::string_view name{};  // the key in a mapping
  tensor_spec spec{};       // of a tensor or variable; of a literal its dtype
  std::uint64_t bits = 0;   // of a literal
  int parts = 0;
};

template <class Key>
constexpr int entry_count() {
  using parts = structure<Key>;
  if constexpr (parts::nested) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (1 + ... + entry_count<std::remove_cvref_t<decltype(parts::template get<I>(std::declval<Key&>()))>>());
    }(std::make_index_sequence<parts::size>());
  } else {
    return 1;
  }
}

template <class Key>
constexpr void describe(const Key& key, std::string_view name, signature_entry*& to) {
  using parts = structure<Key>;
  signature_entry& e = *to++;
  e.name = name;
  if constexpr (parts::nested) {
    e.kind = form_of_structure<Key>;
    e.parts = static_cast<int>(parts::size);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (describe(parts::template get<I>(key), parts::template name<I>(), to), ...);
    }(std::make_index_sequence<parts::size>());
  } else if constexpr (is_spec<Key>) {
    e.kind = is_variable_spec<Key> ? signature_value::form::variable : signature_value::form::tensor;
    e.spec = Key::value();
  } else {
    static_assert(Constant<Key>, "jig: a key consists of specs, literals and structures of these");
    using T = canonical<typename Key::value_type>;
    e.kind = signature_value::form::literal;
    e.spec.dtype = dtype_of<T>;
    e.bits = to_word(static_cast<T>(Key::value));
  }
}

/// The entries of a key, as a constant.
template <class Key>
struct described_key {
  static constexpr int count = entry_count<Key>();
  struct list {
    signature_entry at[detail::array_bound(count)];
  };
  static constexpr list entries = [] {
    list out;
    signature_entry* to = out.at;
    describe(Key(), {}, to);
    return out;
  }();
};
template <>
struct described_key<void> {
  static constexpr int count = 1;
  struct list {
    signature_entry at[1];
  };
  static constexpr list entries{};
};

/// A signature as plain data: what calls leave behind, so that the printers are compiled only where they are used.
struct signature_record {
  struct part {
    const signature_entry* entries;
  };
  std::string_view declaration;
  const part* parameters;
  int count;
  part result;
};

template <text Name, class Result, class... Key>
struct recorded_signature {
  static constexpr signature_record::part parameters[sizeof...(Key) + 1] = {{described_key<Key>::entries.at}..., {nullptr}};
  static constexpr signature_record record{Name.view(), parameters, static_cast<int>(sizeof...(Key)), {described_key<Result>::entries.at}};
};

template <std::size_t... D>
std::string literal_text(const signature_entry& e, std::index_sequence<D...>) {
  std::string out;
  ((static_cast<std::size_t>(e.spec.dtype) == D ? void(out = scalar_text(from_word<type_of<static_cast<dtype>(D)>>(e.bits))) : void()),
   ...);
  return out;
}

// A template, like printed: it and the texts of all types of literals are compiled only where a signature is printed.
template <class Entry>
[[gnu::cold]] signature_value value_of(const Entry*& from) {
  const Entry& e = *from++;
  signature_value out;
  out.kind = e.kind;
  out.name = e.name;
  out.spec = e.spec;
  // A string cannot be a literal.
  if (e.kind == signature_value::form::literal)
    out.literal = literal_text(e, std::make_index_sequence<static_cast<std::size_t>(dtype::string)>());
  for (int i = 0; i < e.parts; ++i) out.parts.push_back(value_of(from));
  return out;
}

}  // namespace detail

/// Describes the key of a parameter, or a structure of specs and literals that is a result.
template <class Key>
signature_value signature_value_of(const Key&, std::string_view name = {}) {
  const detail::signature_entry* entries = detail::described_key<Key>::entries.at;
  signature_value out = detail::value_of(entries);
  out.name = name;
  return out;
}

namespace detail {

bool holds_tensor(const auto& v) {
  if (v.kind == signature_value::form::tensor || v.kind == signature_value::form::variable) return true;
  for (const auto& part : v.parts)
    if (holds_tensor(part)) return true;
  return false;
}

[[gnu::cold]] std::string shape_text(const auto& s) {
  message m;
  m << s;
  return std::string(m.view());
}

/// A value as Python writes it, every leaf as `leaf(value)` says.
template <class Value, class Leaf>
[[gnu::cold]] std::string python_text(const Value& v, Leaf& leaf) {
  using form = signature_value::form;
  if (v.kind == form::nothing) return "None";
  if (v.kind == form::tensor || v.kind == form::variable || v.kind == form::literal) return leaf(v);
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

template <class Value>
[[gnu::cold]] std::string leaf_text(const Value& v) {
  if (v.kind == signature_value::form::literal) return v.literal;
  return std::string(name_of(v.spec.dtype)) + (v.kind == signature_value::form::variable ? " Variable, shape=" : " Tensor, shape=") +
         shape_text(v.spec.shape);
}

/// `float32 Tensor, shape=()`; a structure becomes `(<1>, <2>)` and a line for each number.
template <class Value>
[[gnu::cold]] std::string described(const Value& v) {
  if (v.parts.empty()) return python_text(v, leaf_text<Value>);
  std::string lines;
  int number = 0;
  auto numbered = [&](const Value& part) {
    std::string marker = '<' + std::to_string(++number) + '>';
    lines += "\n      " + marker + ": " + leaf_text(part);
    return marker;
  };
  std::string out = python_text(v, numbered);
  return out + lines;
}

/// `TensorSpec(…)`, `VariableSpec(…)`, `Literal[5]`, `Tuple[…]`, `List[…]`, `Dict[['a', …]]`.
[[gnu::cold]] std::string type_text(const auto& v) {
  using form = signature_value::form;
  switch (v.kind) {
    case form::nothing: return "None";
    case form::literal: return "Literal[" + v.literal + ']';
    case form::tensor:
      return "TensorSpec(shape=" + shape_text(v.spec.shape) + ", dtype=tf." + std::string(name_of(v.spec.dtype)) + ", name=None)";
    case form::variable:
      return "VariableSpec(shape=" + shape_text(v.spec.shape) + ", dtype=tf." + std::string(name_of(v.spec.dtype)) +
             ", trainable=True, alias_id=" + std::to_string(v.alias) + ')';
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
template <class Value = signature_value>
[[gnu::cold]] std::string signature_text(std::string_view function_name, stretch<std::type_identity_t<Value>> parameters,
                                         const std::type_identity_t<Value>& result) {
  std::string head, arguments;
  for (const auto& p : parameters) {
    head += (head.empty() ? "" : ", ") + p.name;
    if (detail::holds_tensor(p)) arguments += "    " + p.name + ": " + detail::described(p) + '\n';
    else head += '=' + detail::python_text(p, detail::leaf_text<Value>);
  }
  if (!arguments.empty()) arguments = "  Args:\n" + arguments;
  return std::string(function_name) + '(' + head + ")\n" + arguments + "  Returns:\n    " + detail::described(result) + '\n';
}

/// A signature in TensorFlow's full form: Input Parameters, Output Type and Captures, of which jig has none.
template <class Value = signature_value>
[[gnu::cold]] std::string function_type_text(stretch<std::type_identity_t<Value>> parameters, const std::type_identity_t<Value>& result) {
  std::string inputs;
  for (const auto& p : parameters) inputs += "  " + p.name + " (POSITIONAL_OR_KEYWORD): " + detail::type_text(p) + '\n';
  if (inputs.empty()) inputs = "  None\n";
  return "Input Parameters:\n" + inputs + "Output Type:\n  " + detail::type_text(result) + "\nCaptures:\n  None\n";
}

namespace detail {

// Numbers variables in the order in which they appear.
[[gnu::cold]] void number_variables(auto& v, int& next) {
  if (v.kind == signature_value::form::variable) v.alias = next++;
  for (auto& part : v.parts) number_variables(part, next);
}

/// What a recorded signature says about its parameters.
template <class Record>
[[gnu::cold]] std::vector<signature_value> values_of_parameters(const Record& r) {
  std::vector<signature_value> parameters;
  int variables = 0;
  for (int k = 0; k < r.count; ++k) {
    const signature_entry* entries = r.parameters[k].entries;
    parameters.push_back(value_of(entries));
    number_variables(parameters.back(), variables);
    parameters.back().name = parameter_name(r.declaration, static_cast<std::size_t>(k)).view();
  }
  return parameters;
}

/// The parameters of a recorded signature as Python's structured_input_signature: those by position, and none by name.
template <class Record>
[[gnu::cold]] std::string input_signature_text(const Record& r) {
  signature_value all;
  all.kind = signature_value::form::tuple;
  all.parts = values_of_parameters(r);
  if (all.parts.empty()) return "((), {})";
  const auto leaf = [](const auto& v) {
    if (v.kind == signature_value::form::literal) return v.literal;
    std::string text = type_text(v);
    if (const auto none = text.find("name=None"); none != text.npos && !v.name.empty()) text.replace(none + 5, 4, '\'' + v.name + '\'');
    return text;
  };
  return '(' + python_text(all, leaf) + ", {})";
}

/// A recorded signature as TensorFlow prints it.
template <bool Full, class Record>
[[gnu::cold]] std::string printed(const Record& r) {
  const std::vector<signature_value> parameters = values_of_parameters(r);
  const signature_entry* entries = r.result.entries;
  signature_value result = value_of(entries);
  if constexpr (Full) return function_type_text(parameters, result);
  else return signature_text(function_name(r.declaration), parameters, result);
}

}  // namespace detail

}  // namespace jig
