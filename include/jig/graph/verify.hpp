// SPDX-License-Identifier: MIT
#pragma once
// Checks that a graph is well formed: everything it refers to exists, and its specs are what the shape rules say.
// Passes and file readers are tested with it; other algorithms rely on graphs that pass.

#include <jig/core/error.hpp>
#include <jig/graph/graph.hpp>

namespace jig {

namespace detail {

/// What is wrong with a graph, and at which node; -1 when it is no node's fault.
struct flaw {
  const char* what = nullptr;
  int node = -1;
};

constexpr bool within(const range_of_pool& r, std::size_t pool) {
  return r.first >= 0 && r.count >= 0 && static_cast<std::size_t>(r.first) + static_cast<std::size_t>(r.count) <= pool;
}

/// Whether e is an output of one of the first `count` nodes.
constexpr bool exists(const graph_view& g, const edge& e, int count) {
  return e.node >= 0 && e.node < count && e.port >= 0 && e.port <= g.data(e.node).more_specs.count;
}

constexpr const char* range_flaw(const graph_view& g, const node_data& n) {
  if (!within(n.inputs, g.edges_.size())) return "the inputs lie outside their pool";
  if (!within(n.attributes, g.attributes_.size())) return "the attributes lie outside their pool";
  if (!within(n.more_specs, g.specs_.size())) return "the specs of further outputs lie outside their pool";
  for (int i = 0; i < n.attributes.count; ++i) {
    const auto& a = g.attributes_[static_cast<std::size_t>(n.attributes.first + i)];
    std::size_t pool = a.kind == attribute_kind::text    ? g.characters_.size()
                       : a.kind == attribute_kind::words ? g.words_.size()
                                                         : g.integers_.size();
    if (!within(a.values, pool)) return "the values of an attribute lie outside their pool";
  }
  return nullptr;
}

constexpr const char* spec_flaw(const tensor_spec& s) {
  if (static_cast<int>(s.dtype) >= dtype_count) return "there is no such dtype";
  if (s.shape.rank < 0 || s.shape.rank > max_rank) return "there is no such rank";
  for (int a = 0; a < s.shape.rank; ++a) {
    index e = s.shape[a];
    if (!is_static_extent(e) && e != dyn && !is_named_extent(e))
      return "an extent is neither a number, nor a wildcard, nor a name";
  }
  return nullptr;
}

constexpr const char* constant_flaw(const node_view& n) {
  auto value = n.attribute("value");
  if (value.key.empty() || value.kind != attribute_kind::words) return "a constant has no value";
  if (static_cast<index>(value.words.size()) != n.spec().shape.size())
    return "a constant has not as many words as elements";
  if (n.dtype() != dtype::string) return nullptr;
  std::size_t rest = n.attribute("text").text.size();
  for (auto length : value.words) {
    if (length > rest) return "the lengths of a constant's strings are not those of its text";
    rest -= static_cast<std::size_t>(length);
  }
  return rest == 0 ? nullptr : "the lengths of a constant's strings are not those of its text";
}

// A rule reads as many inputs as its op has and cannot be asked how many: a node with too few is not found out here.
constexpr const char* rule_flaw(const graph_view& g, int id) {
  extent_algebra unknown;
  node_facts facts(g, id);
  auto n = g.node(id);
  for (int port = 0; port < n.outputs(); ++port) {
    auto c = facts.context(&unknown, port);
    n.kind().rule(c);
    if (c.failure != nullptr) return c.failure;
    if (!(c.result == n.spec(port))) return "the spec is not what the shape rule of the op says";
  }
  return nullptr;
}

constexpr const char* node_flaw(const graph_view& g, int id) {
  const node_data& n = g.data(id);
  if (n.kind == nullptr) return "the node has no op";
  if (const char* what = range_flaw(g, n)) return what;
  for (int port = 0; port <= n.more_specs.count; ++port)
    if (const char* what = spec_flaw(g.spec({id, port}))) return what;
  for (const auto& e : g.inputs_of(id))
    if (!exists(g, e, id)) return "an input is not the output of an earlier node";
  if (n.kind->is(fact::constant)) return constant_flaw(g.node(id));
  return n.kind->rule == nullptr ? nullptr : rule_flaw(g, id);
}

constexpr flaw find_flaw(const graph_view& g) {
  std::vector<int> listed;
  for (int id = 0; id < g.size(); ++id) {
    if (const char* what = node_flaw(g, id)) return {what, id};
    listed.push_back(0);
  }
  for (int id : g.inputs()) {
    if (id < 0 || id >= g.size()) return {"an argument is no node of the graph"};
    if (!g.data(id).kind->is(fact::input)) return {"a node is listed as an argument and is none", id};
    if (listed[static_cast<std::size_t>(id)]++ > 0) return {"an argument is listed twice", id};
  }
  for (int id = 0; id < g.size(); ++id)
    if (g.data(id).kind->is(fact::input) && listed[static_cast<std::size_t>(id)] == 0)
      return {"an argument is not listed", id};
  for (const auto& e : g.outputs())
    if (!exists(g, e, g.size())) return {"a result is not the output of a node"};
  return {};
}

}  // namespace detail

/// What is wrong with the graph, or null when it is well formed.
constexpr const char* verify(const graph_view& g) { return detail::find_flaw(g).what; }

/// Does nothing when the graph is well formed.
/// Errors: throws jig::error that says what is wrong, and names the node.
inline void require_valid(const graph_view& g) {
  detail::flaw found = detail::find_flaw(g);
  if (found.what == nullptr) return;
  message m;
  m << "malformed graph: ";
  if (found.node >= 0) {
    m << "node " << found.node;
    if (const op* kind = g.data(found.node).kind) m << " (" << kind->name << ')';
    m << ": ";
  }
  m << found.what;
  throw error(std::string(m.view()));
}

}  // namespace jig
