// SPDX-License-Identifier: MIT
#pragma once
// An ONNX file as its messages have it. Texts and elements stay where they lie in the bytes.

#include <jig/core/extent.hpp>
#include <jig/core/list.hpp>
#include <jig/io/wire.hpp>

namespace jig::onnx {

/// What TensorProto.DataType counts.
enum class element_type : int {
  none = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16
};

/// A TensorProto.
struct tensor_message {
  std::string_view name;
  element_type type = element_type::none;
  list<index> dims;
  std::string_view raw;
  bool has_raw = false, is_external = false;
  list<std::uint64_t> numbers;  // of int32_data, int64_data, uint64_data and the bits of float_data and double_data
  list<std::string_view> texts;
  std::size_t offset = 0;
};

/// A dimension: a number, a name or neither.
struct dimension {
  index value = dyn;
  std::string_view name;
};

/// A TypeProto: sequences and optionals are written around the tensor that they hold in the end.
struct type_message {
  enum class kind : unsigned char { tensor, sequence, optional, other };
  list<kind> around;  // from outside to inside; without what is around it, a tensor
  element_type element = element_type::none;
  bool has_shape = false;
  list<dimension> dims;
};

struct graph_message;

/// An AttributeProto. Graphs stay bytes until they are asked for.
struct attribute_message {
  std::string_view name;
  int type = 0;
  float real = 0;
  index integer = 0;
  std::string_view text;
  list<float> reals;
  list<index> integers;
  list<std::string_view> texts;
  list<tensor_message> tensors;
  std::string_view graph;
  std::size_t graph_offset = 0;
  bool has_graph = false;
};

/// A NodeProto.
struct node_message {
  std::string_view name, kind, domain;
  list<std::string_view> inputs, outputs;
  list<attribute_message> attributes;
  std::size_t offset = 0;
};

/// A ValueInfoProto.
struct value_message {
  std::string_view name;
  type_message type;
};

/// A GraphProto.
struct graph_message {
  std::string_view name;
  list<node_message> nodes;
  list<tensor_message> initializers;
  list<value_message> inputs, outputs;
  bool has_sparse = false;
};

/// A FunctionProto.
struct function_message {
  std::string_view name, domain;
  list<std::string_view> inputs, outputs;
  list<node_message> nodes;
};

/// An OperatorSetIdProto.
struct opset_message {
  std::string_view domain;
  index version = 1;
};

/// A ModelProto.
struct model_message {
  index ir_version = 0;
  list<opset_message> opsets;
  graph_message graph;
  list<function_message> functions;
  bool has_graph = false;
};

constexpr tensor_message read_tensor(wire_reader r) {
  tensor_message t;
  t.offset = r.offset();
  while (r.next()) switch (r.field()) {
      case 1: r.each_number([&](std::uint64_t x) { t.dims.push_back(static_cast<index>(x)); }); break;
      case 2: t.type = static_cast<element_type>(r.number() < 1000 ? r.number() : 1000); break;
      case 3: r.problem().note(r.offset(), "tensors in segments are not read"); break;
      case 4: r.each_fixed32([&](std::uint32_t x) { t.numbers.push_back(x); }); break;
      case 6: t.texts.push_back(r.bytes()); break;
      case 5:
      case 7:
      case 11: r.each_number([&](std::uint64_t x) { t.numbers.push_back(x); }); break;
      case 8: t.name = r.bytes(); break;
      case 9:
        t.raw = r.bytes();
        t.has_raw = true;
        break;
      case 10: r.each_fixed64([&](std::uint64_t x) { t.numbers.push_back(x); }); break;
      case 13: t.is_external = true; break;
      case 14: t.is_external = t.is_external || r.number() != 0; break;
      default: break;
    }
  return t;
}

constexpr void read_type(wire_reader r, type_message& t) {
  using kind = type_message::kind;
  while (r.next()) switch (r.field()) {
      case 1: {
        wire_reader tensor = r.message();
        while (tensor.next()) {
          if (tensor.field() == 1) t.element = static_cast<element_type>(tensor.number() < 1000 ? tensor.number() : 1000);
          if (tensor.field() != 2) continue;
          t.has_shape = true;
          wire_reader shape = tensor.message();
          while (shape.next()) {
            if (shape.field() != 1) continue;
            dimension d;
            wire_reader dim = shape.message();
            while (dim.next()) {
              if (dim.field() == 1) d.value = dim.integer();
              if (dim.field() == 2) d.name = dim.bytes();
            }
            t.dims.push_back(d);
          }
        }
        break;
      }
      case 4:
      case 9: {
        t.around.push_back(r.field() == 4 ? kind::sequence : kind::optional);
        wire_reader inside = r.message();
        while (inside.next())
          if (inside.field() == 1) read_type(inside.message(), t);
        break;
      }
      case 5:
      case 8: t.around.push_back(kind::other); break;
      default: break;
    }
}

constexpr value_message read_value(wire_reader r) {
  value_message v;
  while (r.next()) {
    if (r.field() == 1) v.name = r.bytes();
    if (r.field() == 2) read_type(r.message(), v.type);
  }
  return v;
}

constexpr attribute_message read_attribute(wire_reader r) {
  attribute_message a;
  while (r.next()) switch (r.field()) {
      case 1: a.name = r.bytes(); break;
      case 2: a.real = r.real(); break;
      case 3: a.integer = r.integer(); break;
      case 4: a.text = r.bytes(); break;
      case 5:
      case 10: a.tensors.push_back(read_tensor(r.message())); break;
      case 6:
        a.graph = r.bytes();
        a.graph_offset = r.inside();
        a.has_graph = true;
        break;
      case 7: r.each_fixed32([&](std::uint32_t x) { a.reals.push_back(std::bit_cast<float>(x)); }); break;
      case 8: r.each_number([&](std::uint64_t x) { a.integers.push_back(static_cast<index>(x)); }); break;
      case 9: a.texts.push_back(r.bytes()); break;
      case 20: a.type = static_cast<int>(r.number() & 255); break;
      case 21: r.problem().note(r.offset(), "attributes that refer to those of a function are not read"); break;
      case 22: r.problem().note(r.offset(), "sparse tensors are not read"); break;
      default: break;
    }
  return a;
}

constexpr node_message read_node(wire_reader r, std::size_t offset) {
  node_message n;
  n.offset = offset;
  while (r.next()) switch (r.field()) {
      case 1: n.inputs.push_back(r.bytes()); break;
      case 2: n.outputs.push_back(r.bytes()); break;
      case 3: n.name = r.bytes(); break;
      case 4: n.kind = r.bytes(); break;
      case 5: n.attributes.push_back(read_attribute(r.message())); break;
      case 7: n.domain = r.bytes(); break;
      default: break;
    }
  return n;
}

constexpr graph_message read_graph(wire_reader r) {
  graph_message g;
  while (r.next()) switch (r.field()) {
      case 1: g.nodes.push_back(read_node(r.message(), r.offset())); break;
      case 2: g.name = r.bytes(); break;
      case 5: g.initializers.push_back(read_tensor(r.message())); break;
      case 11: g.inputs.push_back(read_value(r.message())); break;
      case 12: g.outputs.push_back(read_value(r.message())); break;
      case 15: g.has_sparse = true; break;
      default: break;
    }
  return g;
}

constexpr opset_message read_opset(wire_reader r) {
  opset_message o;
  while (r.next()) {
    if (r.field() == 1) o.domain = r.bytes();
    if (r.field() == 2) o.version = r.integer();
  }
  return o;
}

constexpr function_message read_function(wire_reader r) {
  function_message f;
  while (r.next()) switch (r.field()) {
      case 1: f.name = r.bytes(); break;
      case 4: f.inputs.push_back(r.bytes()); break;
      case 5: f.outputs.push_back(r.bytes()); break;
      case 7: f.nodes.push_back(read_node(r.message(), r.offset())); break;
      case 10: f.domain = r.bytes(); break;
      default: break;
    }
  return f;
}

/// Reads a whole model. What is wrong is noted in `problem`.
constexpr model_message read_model(std::string_view bytes, wire_problem& problem) {
  model_message m;
  wire_reader r(bytes, problem);
  while (r.next()) switch (r.field()) {
      case 1: m.ir_version = r.integer(); break;
      case 7:
        m.graph = read_graph(r.message());
        m.has_graph = true;
        break;
      case 8: m.opsets.push_back(read_opset(r.message())); break;
      case 25: m.functions.push_back(read_function(r.message())); break;
      default: break;
    }
  return m;
}

/// The version of a set of ops that a model asks for.
constexpr index opset_of(const model_message& m, std::string_view domain) {
  for (const auto& o : m.opsets)
    if (o.domain == domain || (domain.empty() && o.domain == "ai.onnx")) return o.version;
  return domain.empty() ? 1 : 0;
}

}  // namespace jig::onnx
