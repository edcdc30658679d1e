// SPDX-License-Identifier: MIT
#pragma once
// Names of nodes, as TensorFlow chooses them when nobody does. Graphs do not store names: they follow from
// the ops and their order. Cold as what writes them in graph/text.hpp.

#include <jig/graph/graph.hpp>

#include <string>
#include <vector>

namespace jig {

namespace detail {

/// Hands out names that differ from each other even without regard to capitals: `add`, `add_1`, `Add_2`.
class name_scope {
 public:
  template <class String = std::string>
  [[gnu::cold]] String unique(const std::type_identity_t<String>& wanted) {
    String key = wanted;
    for (char& c : key)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    int n = uses(key)++;
    if (n == 0) return wanted;
    while (uses(key + '_' + std::to_string(n)) != 0) ++n;
    uses(key + '_' + std::to_string(n)) = 1;
    return wanted + '_' + std::to_string(n);
  }

 private:
  // A search from the end: a map would take longer to compile than all graphs that are printed take to search.
  int& uses(const auto& key) {
    for (std::size_t i = keys_.size(); i-- > 0;)
      if (keys_[i] == key) return counts_[i];
    keys_.push_back(key);
    counts_.push_back(0);
    return counts_.back();
  }
  std::vector<std::string> keys_;
  list<int> counts_;
};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// A parameter's name as a node may bear it: others than letters and digits become `_`, the first is a letter.
[[gnu::cold]] std::string argument_name(const auto& parameter) {
  std::string name(parameter);
  for (char& c : name)
    if (!is_letter(c) && !(c >= '0' && c <= '9')) c = '_';
  return is_letter(name.front()) ? name : "arg_" + name;
}

std::string default_name(const auto& n) {
  auto parameter = n.attribute("name").text;
  if (n.kind().is(fact::input) && !parameter.empty()) return argument_name(parameter);
  return std::string(n.kind().label.empty() ? n.kind().name : n.kind().label);
}

/// For every node: if it is a scalar constant, the input (its `port`) of the node that uses it first.
list<edge> first_uses_of_scalars(const auto& g) {
  list<edge> first(g.size());
  for (int id = 0; id < g.size(); ++id) {
    auto inputs = g.inputs_of(id);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const auto& used = g.data(inputs[k].node);
      edge& use = first[inputs[k].node];
      if (use.node < 0 && used.kind->is(fact::constant) && used.spec.shape.rank == 0) use = {id, static_cast<int>(k)};
    }
  }
  return first;
}

// Arguments without a name of their own are called as `arguments` says.
[[gnu::cold]] std::vector<std::string> node_names(const auto& g, name_scope& scope, const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> names(static_cast<std::size_t>(g.size()));
  auto name = [&](int id) -> std::string& { return names[static_cast<std::size_t>(id)]; };
  auto first_uses = first_uses_of_scalars(g);
  // A scalar that is first seen as operand 0 or 1 was written as a literal there; its name begins with the
  // user's.
  auto literal_of = [&](int id) {
    edge use = first_uses[static_cast<std::size_t>(id)];
    return use.port < 2 ? use : edge{};
  };

  // Arguments come first, so that nothing else takes their names.
  for (std::size_t k = 0; k < g.inputs().size(); ++k) {
    auto n = g.node(g.inputs()[k]);
    name(n.id()) = scope.unique(k < arguments.size() && n.attribute("name").text.empty() ? arguments[k] : default_name(n));
  }
  for (int id = 0; id < g.size(); ++id) {
    if (!name(id).empty() || literal_of(id).node >= 0) continue;
    name(id) = scope.unique(default_name(g.node(id)));
    auto inputs = g.inputs_of(id);
    for (int k = 0; k < static_cast<int>(inputs.size()) && k < 2; ++k) {
      int operand = inputs[static_cast<std::size_t>(k)].node;
      if (literal_of(operand) == edge{id, k}) name(operand) = scope.unique(name(id) + (k == 0 ? "/x" : "/y"));
    }
  }
  return names;
}

/// An output as it is written where it is used: `Split`, `Split:1`.
std::string output_name(const auto& names, const edge& e) {
  const auto& name = names[static_cast<std::size_t>(e.node)];
  return e.port == 0 ? name : name + ':' + std::to_string(e.port);
}

// The names of the nodes of a body of `n`: an argument is called like what it stands for around the body.
[[gnu::cold]] std::vector<std::string> body_names(const auto& body, const auto& n, const auto& around) {
  std::vector<std::string> arguments;
  for (const auto& e : n.inputs().last(body.inputs().size())) {
    arguments.push_back(output_name(around, e));
    for (char& c : arguments.back())
      if (c == ':') c = '_';
  }
  name_scope scope;
  return node_names(body, scope, arguments);
}

}  // namespace detail

/// The names of all nodes, in order: arguments are called like their parameters, a literal like the place it
/// is used at
/// (`add/y`), others like their op. Names are unique without regard to capitals (`add`, `add_1`).
template <class Graph = graph_view>
[[gnu::cold]] std::vector<std::string> node_names(const std::type_identity_t<Graph>& g) {
  detail::name_scope scope;
  return detail::node_names(g, scope);
}

}  // namespace jig
