// SPDX-License-Identifier: MIT
#pragma once
// Checks that a graph is well formed: everything it refers to exists, and its specs are what the shape rules
// say. Passes and file readers are tested with it; other algorithms rely on graphs that pass.

#include <jig/core/error.hpp>
#include <jig/graph/graph.hpp>

#include <type_traits>

namespace jig {

namespace detail {

/// Looks for the first flaw of a graph. Every check is true when it found none.
template <class Graph>
class verifier {
 public:
  bool failed = false;
  const char* what = "";
  int node = -1;  // where the flaw is, -1 when it is in the lists of arguments and results

  constexpr explicit verifier(const Graph& g) : g_(g) {
    for (int id = 0; id < g_.size(); ++id)
      if (!node_is_sound(id)) {
        node = id;
        return;
      }
    if (arguments_are_listed())
      for (const auto& e : g_.outputs()) expect(exists(e, g_.size()), "a result is not the output of a node");
  }

 private:
  const Graph& g_;

  constexpr bool expect(bool holds, const char* otherwise) {
    if (!holds && !failed) what = otherwise;
    failed = failed || !holds;
    return holds;
  }

  static constexpr bool within(const range_of_pool& r, std::size_t pool) {
    return r.first >= 0 && r.count >= 0 && static_cast<std::size_t>(r.first) + static_cast<std::size_t>(r.count) <= pool;
  }

  /// Whether e is an output of one of the first `count` nodes.
  constexpr bool exists(const edge& e, int count) const {
    return e.node >= 0 && e.node < count && e.port >= 0 && e.port <= g_.data(e.node).more_specs.count;
  }

  constexpr bool node_is_sound(int id) {
    const node_data& n = g_.data(id);
    // GCC with -fsanitize=undefined takes no comparison with null for a constant; there, using a null op is
    // an error.
    if (!std::is_constant_evaluated() && !expect(n.kind != nullptr, "the node has no op")) return false;
    return ranges_fit(n) && specs_are_possible(id) && inputs_exist(id) &&
           (n.kind->is(fact::constant)  ? constant_is_whole(id)
            : n.kind->is(fact::control) ? bodies_are_sound(id)
                                        : n.kind->is(fact::input) || rule_agrees(id));
  }

  constexpr bool ranges_fit(const node_data& n) {
    return expect(within(n.inputs, g_.edges_.size()), "the inputs lie outside their pool") &&
           expect(within(n.more_specs, g_.specs_.size()), "the specs of further outputs lie outside their pool") &&
           expect(within(n.attributes, g_.attributes_.size()), "the attributes lie outside their pool") && attribute_ranges_fit(n);
  }

  constexpr bool attribute_ranges_fit(const node_data& n) {
    for (int i = 0; i < n.attributes.count; ++i) {
      const auto& a = g_.attributes_[static_cast<std::size_t>(n.attributes.first + i)];
      std::size_t pool = a.kind == attribute_kind::text    ? g_.characters_.size()
                         : a.kind == attribute_kind::words ? g_.words_.size()
                                                           : g_.integers_.size();
      if (!expect(within(a.values, pool), "the values of an attribute lie outside their pool")) return false;
    }
    return true;
  }

  constexpr bool specs_are_possible(int id) {
    for (int port = 0; port <= g_.data(id).more_specs.count; ++port) {
      const tensor_spec& s = g_.spec({id, port});
      if (!expect(static_cast<int>(s.dtype) < dtype_count, "there is no such dtype")) return false;
      if (!expect(s.shape.rank >= 0 && s.shape.rank <= max_rank, "there is no such rank")) return false;
      for (int a = 0; a < s.shape.rank; ++a)
        if (!expect(s.shape[a] >= dyn || is_named_extent(s.shape[a]), "an extent is neither a number, nor a wildcard, nor a name"))
          return false;
    }
    return true;
  }

  constexpr bool inputs_exist(int id) {
    for (const auto& e : g_.inputs_of(id))
      if (!expect(exists(e, id), "an input is not the output of an earlier node")) return false;
    return true;
  }

  // What a body takes is what stands at the end of the node's inputs; what it returns besides a condition are the node's
  // results.
  constexpr bool bodies_are_sound(int id) {
    auto n = g_.node(id);
    auto given = n.inputs();
    int bodies = 0;
    for (int i = 0; i < n.attribute_count(); ++i) {
      auto a = n.attribute(i);
      if (a.kind != attribute_kind::body) continue;
      ++bodies;
      if (!expect(a.values.size() == 1 && a.values[0] >= 0 && a.values[0] < static_cast<index>(g_.bodies_.size()), "there is no such body"))
        return false;
      const auto& stored = g_.bodies_[static_cast<std::size_t>(a.values[0])];
      if (!expect(within(stored.nodes, g_.body_nodes_.size()) && within(stored.inputs, g_.body_inputs_.size()) &&
                      within(stored.outputs, g_.body_outputs_.size()),
                  "a body lies outside its pool"))
        return false;
      Graph body = g_.body(a.values[0]);
      verifier<Graph> inside(body);
      if (!expect(!inside.failed, inside.what)) return false;
      if (!expect(body.inputs().size() <= given.size(), "a body takes more than its node")) return false;
      auto skipped = given.size() - body.inputs().size();
      for (std::size_t k = 0; k < body.inputs().size(); ++k)
        if (!expect(may_be_equal(g_.spec(given[k + skipped]), body.data(body.inputs()[k]).spec), "a body takes another spec than its node"))
          return false;
      bool condition = a.key == "cond";
      if (!expect(body.outputs().size() == (condition ? std::size_t{1} : results_of(n)),
                  "a body has another number of results than its node"))
        return false;
      for (std::size_t k = 0; k < body.outputs().size(); ++k)
        if (!expect(condition ? body.spec(body.outputs()[k]) == tensor_spec{dtype::boolean, {}}
                              : may_be_equal(body.spec(body.outputs()[k]), n.spec(static_cast<int>(k))),
                    "a body returns another spec than its node"))
          return false;
    }
    return expect(bodies == 2, "the node has not two bodies");
  }
  // A node whose bodies return nothing has one output all the same.
  static constexpr std::size_t results_of(const node_view& n) {
    return n.attribute("effects_only").values.empty() ? static_cast<std::size_t>(n.outputs()) : 0;
  }

  constexpr bool constant_is_whole(int id) {
    auto n = g_.node(id);
    auto value = n.attribute("value");
    return expect(!value.key.empty() && value.kind == attribute_kind::words, "a constant has no value") &&
           expect(static_cast<index>(value.words.size()) == n.spec().shape.size(), "a constant has not as many words as elements") &&
           (n.dtype() != dtype::string ||
            expect(add_up(value.words, n.attribute("text").text.size()), "the lengths of a constant's strings are not those of its text"));
  }

  static constexpr bool add_up(stretch<std::uint64_t> lengths, std::size_t total) {
    for (auto length : lengths) {
      if (length > total) return false;
      total -= static_cast<std::size_t>(length);
    }
    return total == 0;
  }

  // A rule reads as many inputs as its op has and cannot be asked how many: a node with too few is not found
  // out here.
  constexpr bool rule_agrees(int id) {
    extent_algebra unknown;
    node_facts facts(g_, id);
    auto n = g_.node(id);
    for (int port = 0; port < n.outputs(); ++port) {
      auto c = facts.context(&unknown, port);
      detail::apply_rule(n.kind(), c);
      if (c.failed) return has_no_rule(c) || expect(false, c.failure);
      if (!expect(says_as_much(n.spec(port), c.result), "the spec is not what the shape rule of the op says")) return false;
    }
    return true;
  }

  // A spec may leave open what the rule knows, as that of a range whose bounds are values does.
  static constexpr bool says_as_much(const tensor_spec& spec, const tensor_spec& known) {
    if (spec.dtype != known.dtype || spec.shape.rank != known.shape.rank) return false;
    for (int a = 0; a < spec.shape.rank; ++a)
      if (spec.shape[a] != known.shape[a] && !(spec.shape[a] == dyn && is_static_extent(known.shape[a]))) return false;
    return true;
  }
  // Known by its sentence, since pointers to functions are not compared either.
  static constexpr bool has_no_rule(const rule_context& c) {
    rule_context without;
    no_rule(without);
    return std::string_view(c.failure) == without.failure;
  }

  constexpr bool arguments_are_listed() {
    list<int> listed;
    for (int id = 0; id < g_.size(); ++id) listed.push_back(0);
    for (int id : g_.inputs()) {
      node = -1;
      if (!expect(id >= 0 && id < g_.size(), "an argument is no node of the graph")) return false;
      node = id;
      if (!expect(g_.data(id).kind->is(fact::input), "the node is listed as an argument and is none")) return false;
      if (!expect(listed[static_cast<std::size_t>(id)]++ == 0, "the argument is listed twice")) return false;
    }
    for (int id = 0; id < g_.size(); ++id) {
      node = id;
      if (!expect(!g_.data(id).kind->is(fact::input) || listed[static_cast<std::size_t>(id)] == 1, "the argument is not listed"))
        return false;
    }
    node = -1;
    return true;
  }
};

}  // namespace detail

/// What is wrong with the graph, or null when it is well formed.
template <class Graph = graph_view>
constexpr const char* verify(const std::type_identity_t<Graph>& g) {
  detail::verifier<Graph> found(g);
  return found.failed ? found.what : nullptr;
}

/// Does nothing when the graph is well formed.
/// Errors: throws jig::error that says what is wrong, and names the node.
template <class Graph = graph_view>
void require_valid(const std::type_identity_t<Graph>& g) {
  detail::verifier<Graph> found(g);
  if (!found.failed) return;
  message m;
  m << "malformed graph: ";
  if (found.node >= 0) {
    m << "node " << found.node;
    if (const op* kind = g.data(found.node).kind) m << " (" << kind->name << ')';
    m << ": ";
  }
  m << found.what;
  detail::raise<error>(m.view());
}

}  // namespace jig
