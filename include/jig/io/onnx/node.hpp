// SPDX-License-Identifier: MIT
#pragma once
// One node of a model as the functions see it that import it: its inputs as values of the graph, its attributes, its outputs.

#include <jig/io/onnx/maker.hpp>

#include <cstring>

namespace jig::onnx {

/// The dtype of an element type, if jig has it.
constexpr std::optional<dtype> dtype_of_element(element_type t) {
  switch (t) {
    case element_type::float32: return dtype::float32;
    case element_type::uint8: return dtype::uint8;
    case element_type::int8: return dtype::int8;
    case element_type::uint16: return dtype::uint16;
    case element_type::int16: return dtype::int16;
    case element_type::int32: return dtype::int32;
    case element_type::int64: return dtype::int64;
    case element_type::string: return dtype::string;
    case element_type::boolean: return dtype::boolean;
    case element_type::float16: return dtype::float16;
    case element_type::float64: return dtype::float64;
    case element_type::uint32: return dtype::uint32;
    case element_type::uint64: return dtype::uint64;
    case element_type::bfloat16: return dtype::bfloat16;
    default: return std::nullopt;
  }
}
inline dtype require_dtype(element_type t) {
  if (const auto d = dtype_of_element(t)) return *d;
  detail::throw_invalid_argument("jig has no dtype for ONNX's element type " + std::to_string(static_cast<int>(t)));
}

/// The elements of a TensorProto.
/// Errors: numbers of elements that do not fit the dims, elements in other files and dtypes that jig does not have throw invalid_argument.
inline any_tensor elements_of(const tensor_message& t) {
  if (t.is_external) detail::throw_invalid_argument("elements in another file are not read");
  const dtype d = require_dtype(t.type);
  if (t.dims.size() > static_cast<std::size_t>(max_rank)) detail::throw_invalid_argument("a tensor has at most 8 axes");
  shape s;
  for (const index e : t.dims) {
    if (e < 0) detail::throw_invalid_argument("an extent is negative");
    s.push_back(e);
  }
  if (!detail::is_possible(d, s)) detail::throw_invalid_argument("a tensor has too many elements");
  const index n = s.size();
  const auto given = static_cast<index>(d == dtype::string ? t.texts.size() : t.has_raw ? t.raw.size() / size_of(d) : t.numbers.size());
  const bool whole = d == dtype::string || !t.has_raw || t.raw.size() % size_of(d) == 0;
  if (given != n || !whole) detail::throw_invalid_argument("a tensor has another number of elements than its dims say");
  any_tensor out = any_tensor::empty(d, s);
  detail::with_type_of(d, [&]<class T>(const T&) {
    T* to = static_cast<T*>(out.mutable_data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      if constexpr (std::is_same_v<T, std::string>) to[i] = std::string(t.texts[i]);
      else if constexpr (std::is_same_v<T, bool>) to[i] = t.has_raw ? t.raw[i] != 0 : t.numbers[i] != 0;
      else if (t.has_raw) std::memcpy(&to[i], t.raw.data() + i * sizeof(T), sizeof(T));
      else to[i] = detail::from_word<T>(t.numbers[i]);
    }
  });
  return out;
}

class importer;

/// One node that is imported.
class node_context {
 public:
  node_context(importer& of, maker& m_, const node_message& n_, index version) : m(m_), n(n_), opset(version), of_(of) {
    outputs.resize(n.outputs.size());
  }

  maker& m;
  const node_message& n;
  index opset;
  std::vector<value> inputs, outputs;

  importer& imported() { return of_; }
  bool has(std::size_t i) const { return i < n.inputs.size() && !n.inputs[i].empty(); }
  /// Errors: no such input, or one that is no tensor, throws invalid_argument.
  edge x(std::size_t i) const {
    if (!has(i)) detail::throw_invalid_argument("input " + std::to_string(i) + " is missing");
    if (inputs[i].is != value::kind::tensor) detail::throw_invalid_argument("input " + std::to_string(i) + " is no tensor");
    return inputs[i].at;
  }
  const value& in(std::size_t i) const {
    if (!has(i)) detail::throw_invalid_argument("input " + std::to_string(i) + " is missing");
    return inputs[i];
  }
  const std::vector<value>& sequence(std::size_t i) const {
    if (in(i).is != value::kind::sequence) detail::throw_invalid_argument("input " + std::to_string(i) + " is no sequence");
    return inputs[i].items;
  }
  bool wants(std::size_t i) const { return i < n.outputs.size() && !n.outputs[i].empty(); }
  void out(const value& v, std::size_t i = 0) {
    if (i < outputs.size()) outputs[i] = v;
  }

  const attribute_message* find(std::string_view key) const {
    for (std::size_t k = 0; k < n.attributes.size(); ++k)
      if (n.attributes[k].name == key) return &n.attributes[k];
    return nullptr;
  }
  bool given(std::string_view key) const { return find(key) != nullptr; }
  index integer(std::string_view key, index otherwise) const { return given(key) ? find(key)->integer : otherwise; }
  bool flag(std::string_view key, bool otherwise = false) const { return integer(key, otherwise) != 0; }
  double real(std::string_view key, double otherwise) const { return given(key) ? static_cast<double>(find(key)->real) : otherwise; }
  std::string_view text(std::string_view key, std::string_view otherwise = "") const { return given(key) ? find(key)->text : otherwise; }
  list<index> integers(std::string_view key) const { return given(key) ? find(key)->integers : list<index>(); }
  list<float> reals(std::string_view key) const { return given(key) ? find(key)->reals : list<float>(); }
  any_tensor tensor(std::string_view key) const {
    if (!given(key) || find(key)->tensors.empty()) detail::throw_invalid_argument("attribute " + std::string(key) + " is missing");
    return elements_of(find(key)->tensors[0]);
  }
  /// An axis counted from the start.
  /// Errors: no such axis throws invalid_argument.
  int axis(index a, int rank) const {
    if (a < -rank || a >= rank) detail::throw_invalid_argument("there is no axis " + std::to_string(a));
    return static_cast<int>(a < 0 ? a + rank : a);
  }
  /// Integers that are an attribute in older opsets and an input in newer ones.
  list<index> steering(std::string_view key, std::size_t input) const {
    if (given(key)) return integers(key);
    list<index> out;
    if (has(input))
      for (const index i : m.known_integers(x(input))) out.push_back(i);
    return out;
  }
  [[noreturn]] void fail(const std::string& why) const { detail::throw_invalid_argument(why); }

 private:
  importer& of_;
};

using node_function = void (*)(node_context&);

/// An op that is imported.
struct op_entry {
  std::string_view kind;
  node_function make;
  std::string_view domain = "";
};

inline list<index> list_of(const shape& s) {
  list<index> out;
  for (int a = 0; a < s.rank; ++a) out.push_back(s[a]);
  return out;
}
inline shape shape_of_list(const list<index>& x) {
  if (x.size() > static_cast<std::size_t>(max_rank)) detail::throw_invalid_argument("a tensor has at most 8 axes");
  shape s;
  for (const index e : x) s.push_back(e);
  return s;
}

}  // namespace jig::onnx
