// SPDX-License-Identifier: MIT
#pragma once
// What the algebra of an op sees of a node that is about to be made, and how it names another value in its place.

#include <jig/graph/graph.hpp>

namespace jig {

/// The values of a graph that grows. What it returns refers to the graph, whose pools move when they grow.
class graph_values {
 public:
  /// Larger constants are not looked at.
  static constexpr std::size_t most_uniform = 64;

  constexpr explicit graph_values(const graph& g) : graph_(g) {}

  constexpr const node_data& data(const edge& x) const { return graph_.nodes[x.node]; }
  constexpr const tensor_spec& spec(const edge& x) const {
    return x.port == 0 ? data(x).spec : graph_.specs[data(x).more_specs.first + x.port - 1];
  }
  constexpr bool is(const edge& x, const op& kind) const { return detail::is_op(*data(x).kind, kind); }
  constexpr edge input(const edge& x, std::size_t k = 0) const { return graph_.edges[static_cast<std::size_t>(data(x).inputs.first) + k]; }
  constexpr bool is_constant(const edge& x) const { return data(x).kind->is(fact::constant); }
  /// Of a constant.
  constexpr stretch<std::uint64_t> words(const edge& x) const { return graph_.node(x).attribute("value").words; }
  /// A copy, which lasts while the graph grows.
  constexpr list<index> integers(const edge& x, std::string_view key) const {
    list<index> out;
    for (index i : graph_.node(x).attribute(key).values) out.push_back(i);
    return out;
  }
  /// What all elements of a value are, as far as is known: of a constant with few elements.
  constexpr known_bits uniform(const edge& x) const {
    if (!is_constant(x) || spec(x).dtype == dtype::string) return {};
    const auto found = words(x);
    if (found.empty() || found.size() > most_uniform) return {};
    for (const auto w : found)
      if (w != found[0]) return {};
    return {true, found[0]};
  }
  /// Whether nothing is lost when nobody computes a value: neither an exception nor a check of extents.
  constexpr bool is_harmless(const edge& x) const {
    int budget = most_visited;
    return is_harmless(x, budget);
  }

 private:
  static constexpr int most_visited = 32;

  constexpr bool is_harmless(const edge& x, int& budget) const {
    if (--budget < 0 || !spec(x).shape.is_static()) return false;
    if (data(x).kind->is(fact::checked | fact::stateful | fact::control)) return false;
    for (int k = 0; k < data(x).inputs.count; ++k)
      if (!is_harmless(input(x, static_cast<std::size_t>(k)), budget)) return false;
    return true;
  }

  const graph& graph_;
};

/// A node that simplify_arithmetic is about to make, with the inputs that it will have. The rule of its op (`op::simplify`) may name
/// another value in its place: one that there is, or one that is made of new nodes.
class simplification : public graph_values {
 public:
  /// A node that the rule wants, of an op, or a constant.
  struct wanted_node {
    bool is_constant;
    const op* kind;
    tensor_spec spec;
    list<edge> inputs;
    list<attribute_view> attributes;
    list<index> values;  // of the attributes, one after the other
    list<std::uint64_t> words;
  };

  const op& kind;
  const tensor_spec& result;
  stretch<edge> inputs;
  stretch<attribute_view> attributes;
  /// Whether rules may be used that hold for real numbers and only nearly, or not for NaN, infinity and -0, for floating ones.
  const bool value_changing;

  constexpr simplification(const graph& g, const op& k, const tensor_spec& s, stretch<edge> in, stretch<attribute_view> with, bool changing)
      : graph_values(g), kind(k), result(s), inputs(in), attributes(with), value_changing(changing) {}

  constexpr stretch<index> axes_of(std::string_view key) const { return find_attribute(attributes, key).values; }
  /// Whether the dtype of the inputs knows neither rounding nor NaN.
  constexpr bool is_exact() const { return !is_floating(spec(inputs.back()).dtype); }
  /// Whether rules of real numbers hold.
  constexpr bool is_real() const { return value_changing || is_exact(); }
  /// Both inputs are the same value.
  constexpr bool has_twins() const { return inputs.size() == 2 && inputs[0] == inputs[1]; }

  /// Another node. Ops make those that they declare (`op::makes`), themselves and constants.
  constexpr edge make(const op& other, const tensor_spec& to, std::initializer_list<edge> in, stretch<attribute_view> with = {}) {
    wanted_node n{false, &other, to, {}, {}, {}, {}};
    for (const auto& e : in) n.inputs.push_back(e);
    for (const auto& a : with) {
      n.attributes.push_back(a);
      for (index v : a.values) n.values.push_back(v);
    }
    return wanted(n);
  }
  constexpr edge make_constant(const tensor_spec& to, const list<std::uint64_t>& words) {
    return wanted({true, &kind, to, {}, {}, {}, words});
  }

  /// The value in place of the node.
  constexpr void become(const edge& x) { found_ = x; }
  constexpr void become(const op& other, std::initializer_list<edge> in) { found_ = make(other, result, in); }
  /// x, if it is what the node is to anyone who reads it.
  constexpr void become_input(const edge& x) {
    if (spec(x) == result) found_ = x;
  }
  /// A small integer, if the node reads x for its shape only.
  constexpr void become_number(int value, const edge& x) {
    if (!is_harmless(x) || !result.shape.is_static()) return;
    has_number_ = true;
    number_ = value;
  }

  /// What the rule named: a number, an edge of the graph, or one whose node is -2 - k for wanted node k; no edge for nothing.
  constexpr bool has_number() const { return has_number_; }
  constexpr int number() const { return number_; }
  constexpr const edge& found() const { return found_; }
  constexpr const list<wanted_node>& wanted() const { return wanted_; }

 private:
  constexpr edge wanted(const wanted_node& n) {
    wanted_.push_back(n);
    return {-1 - static_cast<int>(wanted_.size()), 0};
  }

  edge found_{};
  bool has_number_ = false;
  int number_ = 0;
  list<wanted_node> wanted_;
};

/// Of two inputs the one that has the same bits everywhere, and the other one.
struct constant_input {
  bool known = false;
  bool right = false;  // it is the second one
  edge c, x;
  dtype type{};
  std::uint64_t bits = 0;

  constexpr explicit constant_input(const simplification& s) {
    if (s.inputs.size() != 2) return;
    for (std::size_t k : {std::size_t{1}, std::size_t{0}}) {
      const known_bits found = s.uniform(s.inputs[k]);
      if (!found.known) continue;
      known = true;
      right = k == 1;
      c = s.inputs[k];
      x = s.inputs[1 - k];
      type = s.spec(c).dtype;
      bits = found.bits;
      return;
    }
  }
  constexpr bool is(int value) const { return known && bits == detail::bits_of_number(type, value); }
  constexpr bool is_minus_zero() const { return known && is_floating(type) && bits == detail::sign_bit(type); }
  /// Whether x + c is x: of floating numbers -0, since 0 + -0 is 0.
  constexpr bool adds_nothing(bool real) const { return is_minus_zero() || (real && is(0)); }
};

}  // namespace jig
