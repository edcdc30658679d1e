// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's messages as values: what GraphDef files say, however they are written. Names of fields are those of its schema.

#include <jig/core/shape.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace jig::detail::tensorflow {

/// TensorShapeProto. An extent is -1 where it is unknown.
struct shape_message {
  struct dimension {
    index size = -1;
    std::string name{};
  };
  bool unknown_rank = false;
  std::vector<dimension> dims{};
};

/// TensorProto. Its elements are the bytes of tensor_content, or words as graphs store them (of the lists `float_val` and so on; the last
/// one stands for all that follow), or strings.
struct tensor_message {
  int dtype = 0;
  shape_message tensor_shape{};
  std::string tensor_content{};
  std::vector<std::uint64_t> words{};
  std::vector<std::string> string_val{};
};

enum class attr_kind : unsigned char { none, list, s, i, f, b, type, shape, tensor, placeholder, func };

/// AttrValue. Of numbers, truth values and types the value is in `i`, of functions the name is in `s`.
struct attr_value {
  attr_kind kind = attr_kind::none;
  attr_kind of = attr_kind::none;  // of a list: what its entries are; an empty one does not tell
  std::string s{};
  index i = 0;
  float f = 0;
  shape_message shape{};
  tensor_message tensor{};
  std::vector<attr_value> list{};
};
struct named_attr {
  std::string key;
  attr_value value;
};

/// NodeDef.
struct node_def {
  std::string name{}, op{};
  std::vector<std::string> input{};
  std::string device{};
  std::vector<named_attr> attr{};
  std::size_t offset = static_cast<std::size_t>(-1);  // in the file

  constexpr const attr_value* find(std::string_view key) const {
    for (const auto& a : attr)
      if (a.key == key) return &a.value;
    return nullptr;
  }
};

/// OpDef.ArgDef.
struct arg_def {
  std::string name{};
  int type = 0;
};
struct ret_entry {
  std::string key, value;
};
/// FunctionDef with its signature.
struct function_def {
  std::string name{};
  std::vector<arg_def> input_arg{}, output_arg{};
  std::vector<named_attr> attr{};
  std::vector<node_def> node{};
  std::vector<ret_entry> ret{}, control_ret{};
  bool is_stateful = false;
};

/// GraphDef.
struct graph_message {
  std::vector<node_def> node{};
  std::vector<function_def> library{};
  index producer = 0, min_consumer = 0;
};

// DataType, by jig's dtypes.
inline constexpr int types[dtype_count] = {1, 2, 19, 14, 6, 5, 3, 9, 4, 17, 22, 23, 10, 7};
inline constexpr std::string_view type_names[] = {"DT_INVALID",    "DT_FLOAT",  "DT_DOUBLE",    "DT_INT32",   "DT_UINT8",   "DT_INT16",
                                                  "DT_INT8",       "DT_STRING", "DT_COMPLEX64", "DT_INT64",   "DT_BOOL",    "DT_QINT8",
                                                  "DT_QUINT8",     "DT_QINT32", "DT_BFLOAT16",  "DT_QINT16",  "DT_QUINT16", "DT_UINT16",
                                                  "DT_COMPLEX128", "DT_HALF",   "DT_RESOURCE",  "DT_VARIANT", "DT_UINT32",  "DT_UINT64"};
inline constexpr int variant_type = 21;

constexpr int type_of_dtype(dtype d) { return types[static_cast<int>(d)]; }
/// The dtype of a DataType, or false.
constexpr bool dtype_of_type(index type, dtype& to) {
  for (int d = 0; d < dtype_count; ++d)
    if (types[d] == type) {
      to = static_cast<dtype>(d);
      return true;
    }
  return false;
}
/// The name of a DataType: `DT_FLOAT`.
constexpr std::string name_of_type(index type) {
  constexpr index count = static_cast<index>(std::size(type_names));
  return type >= 0 && type < count ? std::string(type_names[type]) : "DataType " + std::to_string(type);
}
/// The DataType of a name, or -1.
constexpr int type_of_name(std::string_view name) {
  for (std::size_t t = 0; t < std::size(type_names); ++t)
    if (type_names[t] == name) return static_cast<int>(t);
  return -1;
}

}  // namespace jig::detail::tensorflow
