// SPDX-License-Identifier: MIT
#pragma once
// What the functions see that read nodes of TensorFlow's: a node, its inputs in the graph that is being made, and its attributes.

#include <jig/graph/graph.hpp>
#include <jig/io/tensorflow/messages.hpp>

#include <string>
#include <vector>

namespace jig::detail::tensorflow {

/// Attributes under way, with their values.
class attribute_list {
 public:
  constexpr attribute_list() = default;
  attribute_list(const attribute_list&) = delete;
  constexpr attribute_list& operator=(attribute_list&&) = default;
  constexpr attribute_list& integer(std::string_view key, index value) { return add(key, attribute_kind::integer, {value}); }
  constexpr attribute_list& integers(std::string_view key, std::vector<index> values) {
    return add(key, attribute_kind::integers, std::move(values));
  }
  constexpr attribute_list& boolean(std::string_view key, bool value) { return add(key, attribute_kind::boolean, {value}); }
  constexpr attribute_list& type(std::string_view key, dtype value) { return add(key, attribute_kind::type, {static_cast<index>(value)}); }
  constexpr attribute_list& body(std::string_view key, int number) { return add(key, attribute_kind::body, {number}); }
  constexpr attribute_list& text(std::string_view key, std::string_view value) {
    texts_.emplace_back(value.begin(), value.end());
    list_.push_back({key, attribute_kind::text, {}, {texts_.back().data(), texts_.back().size()}, {}});
    return *this;
  }
  constexpr stretch<attribute_view> view() const { return list_; }

 private:
  constexpr attribute_list& add(std::string_view key, attribute_kind kind, std::vector<index> values) {
    values_.push_back(std::move(values));
    list_.push_back({key, kind, stretch<index>(values_.back()), {}, {}});
    return *this;
  }
  // Vectors that are moved keep their elements where they are.
  std::vector<std::vector<index>> values_;
  std::vector<std::vector<char>> texts_;
  std::vector<attribute_view> list_;
};

class importer;

/// A node that becomes part of a graph.
struct imported_node {
  importer& to;
  const node_def& node;
  const std::vector<edge>& inputs;

  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail_for_extents(const std::string& why) const;
  constexpr tensor_spec spec(std::size_t k) const;
  constexpr void require_inputs(std::size_t least, std::size_t most) const {
    if (inputs.size() < least || inputs.size() > most)
      fail("it has " + std::to_string(inputs.size()) + " inputs, not " + std::to_string(least) + (most > least ? " or more" : ""));
  }
  constexpr void require_inputs(std::size_t count) const { require_inputs(count, count); }
  constexpr edge call(const op& kind, std::vector<edge> of, const attribute_list& with = {}) const;

  /// Attributes of a kind; those that are missing are what is said.
  constexpr const attr_value* attr(std::string_view key, attr_kind kind) const {
    const attr_value* const a = node.find(key);
    if (a != nullptr && a->kind != kind) fail("its attribute " + std::string(key) + " is of another kind");
    return a;
  }
  constexpr index integer(std::string_view key, index otherwise) const {
    const auto* a = attr(key, attr_kind::i);
    return a ? a->i : otherwise;
  }
  constexpr bool truth(std::string_view key, bool otherwise) const {
    const auto* a = attr(key, attr_kind::b);
    return a ? a->i != 0 : otherwise;
  }
  constexpr std::string text(std::string_view key, const char* otherwise) const {
    const auto* a = attr(key, attr_kind::s);
    if (a == nullptr) return otherwise;
    return a->s;
  }
  constexpr bool has(std::string_view key) const { return node.find(key) != nullptr; }
  constexpr std::vector<index> integers(std::string_view key) const {
    std::vector<index> out;
    if (const auto* a = attr(key, attr_kind::list)) {
      if (a->list.size() > 64) fail("its attribute " + std::string(key) + " has too many numbers");
      for (const auto& x : a->list) {
        if (x.kind != attr_kind::i) fail("its attribute " + std::string(key) + " is no list of integers");
        out.push_back(x.i);
      }
    }
    return out;
  }
  /// Dilations, which are 1 where the node does not say them.
  constexpr std::vector<index> dilations(std::size_t axes) const {
    if (has("dilations")) return integers("dilations");
    return std::vector<index>(axes, 1);
  }
  constexpr dtype type(std::string_view key) const {
    const auto* a = attr(key, attr_kind::type);
    if (a == nullptr) fail("its attribute " + std::string(key) + " is missing");
    dtype d = dtype::float32;
    if (!dtype_of_type(a->i, d)) fail("jig has no dtype like " + name_of_type(a->i));
    return d;
  }

  /// The integers that input k is, which have to be known.
  constexpr std::vector<index> constant(std::size_t k, const char* what) const;
  /// The only one of them.
  constexpr index scalar(std::size_t k, const char* what) const;
};

}  // namespace jig::detail::tensorflow
