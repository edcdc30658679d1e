// SPDX-License-Identifier: MIT
#pragma once
// The graph that is made of an ONNX model while bodies of it may be open: what is known of its elements, and what bodies see of the graph
// around them.

#include <jig/io/limits.hpp>
#include <jig/io/onnx/value.hpp>
#include <jig/runtime/all_kernels.hpp>
#include <jig/runtime/node_by_node.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace jig::onnx {

/// A body that was made and not stored yet.
struct unstored_body {
  graph::surroundings made;
  /// What it sees of the graph around it, in order, and the arguments that stand for it.
  std::vector<edge> around{};
  std::map<std::pair<int, int>, int> argument_for{};
};

/// A graph, in which bodies are begun and ended, and the elements of values that follow from constants.
class graph_in_making {
 public:
  explicit graph_in_making(const load_limits& limits) : limits_(limits) {}

  graph made;

  const load_limits& limits() const { return limits_; }
  // Of what is empty or not known whole each extent has to be one, too: extents are counted to and multiplied.
  void require_size(const tensor_spec& s) const {
    bool fits = detail::is_possible(s.dtype, s.shape) && s.shape.size() <= limits_.elements;
    for (int a = 0; a < s.shape.rank; ++a) fits = fits && s.shape[a] <= limits_.elements;
    if (!fits) detail::throw_invalid_argument("a value has more elements than load_limits allow");
  }
  tensor_spec spec(edge e) const { return made.view().spec(e); }
  /// How many bodies are open: those that are being made.
  int depth() const { return static_cast<int>(open_.size()); }

  /// Begins a body with arguments of these specs. More than that is known of them only where elements of the arguments of the graph
  /// with the numbers `deciding` are.
  std::vector<edge> begin_body(const std::vector<tensor_spec>& specs, std::vector<int> deciding = {}) {
    open_.push_back({made.begin_body(), std::exchange(known_, {}), {}, {}, std::move(deciding)});
    std::vector<edge> arguments;
    for (const auto& s : specs) arguments.emplace_back(body_argument(s));
    return arguments;
  }
  unstored_body end_body(const std::vector<edge>& results) {
    for (const edge& e : results) made.output_edges.push_back(e);
    unstored_body out = std::move(open_.back().body);
    out.made = made.begin_body();
    leave_body();
    return out;
  }
  /// Leaves a body that is not to be.
  void leave_body() {
    open_body& of = open_.back();
    made.nodes = std::move(of.outer.nodes);
    made.input_nodes = std::move(of.outer.inputs);
    made.output_edges = std::move(of.outer.outputs);
    known_ = std::move(of.known);
    open_.pop_back();
  }
  /// Stores a body that takes, behind its own arguments, these values of the graph around it. Returns its number.
  index store_body(unstored_body b, const std::vector<edge>& around) {
    std::vector<tensor_spec> specs;
    for (const edge& e : around) specs.push_back(spec(e));
    auto outer = made.begin_body();
    made.nodes = std::move(b.made.nodes);
    made.output_edges = std::move(b.made.outputs);
    // Its own arguments are its first nodes.
    const int own = static_cast<int>(b.made.inputs.size() - b.around.size());
    for (int k = 0; k < own; ++k) made.input_nodes.push_back(k);
    for (std::size_t k = 0; k < around.size(); ++k) {
      const auto found = b.argument_for.find(key(around[k]));
      if (found != b.argument_for.end()) made.input_nodes.push_back(found->second);
      else body_argument(specs[k]);
    }
    return made.end_body(std::move(outer));
  }
  /// What stands in the body that is being made for a value from where so many bodies were open.
  edge seen(edge e, int from) {
    for (auto k = static_cast<std::size_t>(from); k < open_.size(); ++k) e = seen_in(open_[k], k, e);
    return e;
  }

  /// The elements of a value.
  /// Errors: those that depend on arguments throw elements_needed.
  const any_tensor& known(edge e) {
    if (const auto at = known_.find(key(e)); at != known_.end()) return at->second;
    const dependence on = dependence_of(e);
    if (!on.arguments.empty()) raise_needed({on.arguments.begin(), on.arguments.end()});
    if (on.changes) detail::throw_invalid_argument("what a loop computes steers the graph");
    for (const auto& [depth, id] : on.unknown) compute(depth, id);
    return known_.at(key(e));
  }
  bool is_known(edge e) const {
    const dependence on = dependence_of(e);
    return on.arguments.empty() && !on.changes;
  }
  /// The numbers of the arguments without whose elements those of a value are not known.
  std::vector<int> needed_for(edge e) const {
    const dependence on = dependence_of(e);
    return {on.arguments.begin(), on.arguments.end()};
  }

 protected:
  // What was made in vain counts too: attempts at bodies inside bodies could take any time.
  void require_room(index more) {
    nodes_ += more;
    if (nodes_ > limits_.nodes) detail::throw_invalid_argument("the graph has more nodes than load_limits allow");
  }
  void note(edge e, any_tensor elements) { known_[key(e)] = std::move(elements); }

 private:
  using output_key = std::pair<int, int>;
  struct open_body {
    graph::surroundings outer;
    std::map<output_key, any_tensor> known;  // of the graph around it
    unstored_body body;
    std::map<int, edge> stands_for;  // by its arguments
    std::vector<int> deciding;
  };
  // What the elements of a value depend on: values that are not known yet, by how many bodies were open and then in order.
  struct dependence {
    std::set<std::pair<std::size_t, int>> unknown;
    std::set<int> arguments;
    bool changes = false;  // from trip to trip
  };

  static output_key key(edge e) { return {e.node, e.port}; }
  edge body_argument(const tensor_spec& s) {
    require_room(1);
    const edge e = made.add(ops::placeholder, s, {});
    made.input_nodes.push_back(e.node);
    return e;
  }
  edge seen_in(open_body& of, std::size_t depth, edge e) {
    if (const auto found = of.body.argument_for.find(key(e)); found != of.body.argument_for.end()) return {found->second, 0};
    const tensor_spec s = view_at(depth).spec(e);
    edge inside;
    if (depth + 1 == open_.size()) {
      inside = body_argument(s);
    } else {
      // In a body around the one that is being made.
      auto& outer = open_[depth + 1].outer;
      std::swap(made.nodes, outer.nodes);
      std::swap(made.input_nodes, outer.inputs);
      inside = body_argument(s);
      std::swap(made.nodes, outer.nodes);
      std::swap(made.input_nodes, outer.inputs);
    }
    of.body.around.push_back(e);
    of.body.argument_for[key(e)] = inside.node;
    of.stands_for[inside.node] = e;
    return inside;
  }

  // The nodes where so many bodies are open, and what is known of them.
  graph_view view_at(std::size_t depth) const {
    graph_view g = made.view();
    if (depth == open_.size()) return g;
    g.nodes_ = open_[depth].outer.nodes;
    g.inputs_ = open_[depth].outer.inputs;
    return g;
  }
  const std::map<output_key, any_tensor>& known_at(std::size_t depth) const { return depth == open_.size() ? known_ : open_[depth].known; }
  std::map<output_key, any_tensor>& known_at(std::size_t depth) { return depth == open_.size() ? known_ : open_[depth].known; }

  dependence dependence_of(edge of) const {
    dependence found;
    std::vector<std::pair<std::size_t, int>> left{{open_.size(), of.node}};
    while (!left.empty()) {
      const auto [depth, id] = left.back();
      left.pop_back();
      if (known_at(depth).count({id, 0}) > 0 || !found.unknown.insert({depth, id}).second) continue;
      const graph_view g = view_at(depth);
      for (const auto& e : g.inputs_of(id)) left.emplace_back(depth, e.node);
      if (!g.data(id).kind->is(fact::input)) continue;
      if (depth == 0) {
        // Arguments are in the order of their nodes.
        const auto all = g.inputs();
        found.arguments.insert(static_cast<int>(std::lower_bound(all.begin(), all.end(), id) - all.begin()));
        continue;
      }
      const open_body& in = open_[depth - 1];
      if (const auto outside = in.stands_for.find(id); outside != in.stands_for.end()) {
        left.emplace_back(depth - 1, outside->second.node);
      } else {
        found.changes = true;
        found.arguments.insert(in.deciding.begin(), in.deciding.end());
      }
    }
    return found;
  }
  void compute(std::size_t depth, int id) {
    auto& known = known_at(depth);
    if (known.count({id, 0}) > 0) return;
    const graph_view g = view_at(depth);
    const auto n = g.node(id);
    if (n.kind().is(fact::input)) {
      const edge outside = open_[depth - 1].stands_for.at(id);
      known[{id, 0}] = known_at(depth - 1).at(key(outside));
      return;
    }
    if (n.kind().is(fact::constant)) {
      known[{id, 0}] = detail::constant_tensor<>(g, id);
      return;
    }
    std::vector<any_tensor> inputs;
    std::vector<any_view> views;
    for (const auto& e : n.inputs()) inputs.push_back(known.at(key(e)));
    for (const auto& t : inputs) views.push_back(t.view());
    if (n.kind().is(fact::control)) detail::throw_invalid_argument("what a loop computes steers the graph");
    if (detail::is_op(n.kind(), ops::gradient)) detail::throw_invalid_argument("a gradient steers the graph");
    const auto all = n.attributes();
    auto results = detail::op_run<>(n.kind(), all, std::move(views))(n.outputs());
    for (std::size_t k = 0; k < results.size(); ++k) known[{id, static_cast<int>(k)}] = std::move(results[k]);
  }

  load_limits limits_;
  index nodes_ = 0;
  std::map<output_key, any_tensor> known_;
  std::vector<open_body> open_;
};

}  // namespace jig::onnx
