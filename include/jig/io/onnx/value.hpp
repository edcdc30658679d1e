// SPDX-License-Identifier: MIT
#pragma once
// What the import of an ONNX model is about: values, arguments, attributes of nodes, and that elements of arguments are needed.

#include <jig/graph/graph.hpp>
#include <jig/io/load_error.hpp>
#include <jig/runtime/any_tensor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jig::onnx {

/// What a name of a model stands for: a tensor, a sequence, or an optional value that is not there. An optional value that is there is that
/// value.
struct value {
  enum class kind : unsigned char { nothing, tensor, sequence };
  kind is = kind::nothing;
  edge at{};
  std::vector<value> items{};

  value() = default;
  value(edge e) : is(kind::tensor), at(e) {}
  static value sequence(std::vector<value> x) {
    value v;
    v.is = kind::sequence;
    v.items = std::move(x);
    return v;
  }
};

/// An argument of a call as elements: a tensor, a sequence, or nothing.
struct data {
  value::kind is = value::kind::nothing;
  any_tensor tensor{};
  std::vector<data> items{};

  data() = default;
  data(any_tensor t) : is(value::kind::tensor), tensor(std::move(t)) {}
  static data sequence(std::vector<data> x) {
    data d;
    d.is = value::kind::sequence;
    d.items = std::move(x);
    return d;
  }
};

/// Why a branch or loop cannot be one in the graph.
struct obstacle {
  std::string reason;
  /// Where it is in the file. With a place the reason names the node.
  std::size_t offset = load_error::nowhere;
};

/// That a graph cannot be made before the elements of these arguments are known.
struct elements_needed : error {
  explicit elements_needed(std::vector<int> which, std::optional<obstacle> why_ = std::nullopt)
      : error("the elements of an argument steer the graph"), inputs(std::move(which)), why(std::move(why_)) {}
  std::vector<int> inputs;
  /// Where only this keeps the graph from being made.
  std::optional<obstacle> why;
};

/// An attribute of a node that is being made.
struct attr {
  std::string_view key;
  attribute_kind kind;
  list<index> values{};
  std::string_view text{};
  static attr ints(std::string_view key, list<index> values) { return {key, attribute_kind::integers, std::move(values)}; }
  static attr number(std::string_view key, index value) { return {key, attribute_kind::integer, {value}}; }
  static attr flag(std::string_view key, bool value) { return {key, attribute_kind::boolean, {value}}; }
  static attr type(std::string_view key, dtype d) { return {key, attribute_kind::type, {static_cast<index>(d)}}; }
  static attr words(std::string_view key, std::string_view text) { return {key, attribute_kind::text, {}, text}; }
};

[[noreturn]] inline void raise_needed(std::vector<int> arguments, const std::optional<obstacle>& why = std::nullopt) {
#ifdef __cpp_exceptions
  throw elements_needed(std::move(arguments), why);
#else
  const elements_needed raised(std::move(arguments));
  detail::raise<error>(why ? why->reason.c_str() : raised.what());
#endif
}

}  // namespace jig::onnx
