// SPDX-License-Identifier: MIT
#pragma once
// ONNX's branches and loops as nodes with bodies, where what decides is known in a call only.

#include <jig/io/onnx/node.hpp>

#include <functional>

namespace jig::onnx {

// Defined in importer.hpp: a graph among the attributes of a node on these values; what makes nodes with bodies or says why it cannot;
// whether the arguments of a call are at hand.
std::vector<value> run_subgraph(node_context& c, std::string_view key, const std::vector<value>& inputs);
std::optional<obstacle> make_or_say(node_context& c, const std::function<void()>& make);
bool specialises(node_context& c);

/// More trips than that are written out only where they cannot be a loop.
inline constexpr index most_written_trips = 256;

// The arguments that decide are asked for where they would help.
inline void make_or_ask(node_context& c, const std::vector<int>& deciding, const std::function<void()>& make) {
  const auto why = make_or_say(c, make);
  if (!why) return;
  if (deciding.empty()) c.fail(why->reason);
  raise_needed(deciding, *why);
}

inline edge as_condition(node_context& c, const value& v) {
  if (v.is != value::kind::tensor || c.m.type(v.at) != dtype::boolean) c.fail("a condition is a tensor of dtype bool");
  if (c.m.extents(v.at).is_static() && c.m.extents(v.at).size() != 1) c.fail("a condition has one element");
  return c.m.reshape(v.at, {});
}

// A spec of which both are special cases. With the arguments of a call at hand only what is no different passes: the graph for this call
// has all of its extents then. Extents that cannot be the same pass in loops only, whose state may grow.
inline tensor_spec joined(node_context& c, const tensor_spec& a, const tensor_spec& b, bool may_differ, const char* what) {
  if (a == b) return a;
  if (a.dtype != b.dtype || a.shape.rank != b.shape.rank || specialises(c) || !(may_differ || may_be_equal(a, b))) {
    message m;
    m << what << ": " << a << " and " << b;
    c.fail(std::string(m.view()));
  }
  return most_specific_common_supertype(a, b);
}

inline edge tensor_of(node_context& c, const value& v) {
  if (v.is != value::kind::tensor) c.fail("only tensors come out of a branch or a loop whose course is not known before a call");
  return v.at;
}

/// What bodies see of the graph around them.
inline std::vector<edge> seen_by(const unstored_body& a, const unstored_body& b) {
  std::vector<edge> out = a.around;
  for (const edge& e : b.around)
    if (a.argument_for.count({e.node, e.port}) == 0) out.push_back(e);
  return out;
}

inline void make_if_node(node_context& c) {
  std::vector<edge> inputs{as_condition(c, c.in(0))};
  std::vector<tensor_spec> specs;
  unstored_body bodies[2];
  for (const int otherwise : {0, 1}) {
    c.m.begin_body({});
    std::vector<edge> results;
    for (const value& v : run_subgraph(c, otherwise ? "else_branch" : "then_branch", {})) results.push_back(tensor_of(c, v));
    if (otherwise && results.size() != specs.size()) c.fail("its branches have different numbers of results");
    for (std::size_t k = 0; k < results.size(); ++k) {
      const tensor_spec s = c.m.spec(results[k]);
      if (!otherwise) specs.push_back(s);
      else specs[k] = joined(c, specs[k], s, false, "its branches have results of different specs");
    }
    bodies[otherwise] = c.m.end_body(results);
  }
  if (specs.empty()) return;
  const std::vector<edge> around = seen_by(bodies[0], bodies[1]);
  inputs.insert(inputs.end(), around.begin(), around.end());
  const index numbers[] = {c.m.store_body(std::move(bodies[0]), around), c.m.store_body(std::move(bodies[1]), around)};
  const attribute_view with[] = {{"then_branch", attribute_kind::body, {&numbers[0], 1}},
                                 {"else_branch", attribute_kind::body, {&numbers[1], 1}}};
  const edge made = c.m.made.add(ops::if_op, specs[0], inputs, with);
  for (std::size_t k = 1; k < specs.size(); ++k) c.m.made.add_output(specs[k]);
  for (std::size_t k = 0; k < specs.size(); ++k) c.out(edge{made.node, static_cast<int>(k)}, k);
}

inline void import_if(node_context& c) {
  if (!c.m.is_known(c.x(0))) return make_or_ask(c, c.m.needed_for(c.x(0)), [&] { make_if_node(c); });
  const auto results = run_subgraph(c, c.m.known_truth(c.x(0)) ? "then_branch" : "else_branch", {});
  for (std::size_t k = 0; k < results.size(); ++k) c.out(results[k], k);
}

/// A loop over values, from these on: `next(values)` are those behind a trip, `goes(values)` is whether there is one. Returns its node.
template <class Next, class Goes>
int make_while(node_context& c, const std::vector<edge>& from, const std::vector<int>& deciding, const Next& next, const Goes& goes) {
  std::vector<tensor_spec> specs;
  for (const edge& e : from) specs.push_back(c.m.spec(e));
  // Extents that a trip changes are not known, nor are those that follow from them.
  bool varies = false;
  unstored_body body;
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<edge> behind = next(c.m.begin_body(specs, deciding));
    for (std::size_t k = 0; k < behind.size(); ++k) {
      const tensor_spec s = joined(c, specs[k], c.m.spec(behind[k]), true, "the body returns another spec than it takes");
      changed = changed || !(s == specs[k]);
      specs[k] = s;
    }
    varies = varies || changed;
    if (changed) c.m.leave_body();
    else body = c.m.end_body(behind);
  }
  const auto state = c.m.begin_body(specs);
  unstored_body condition = c.m.end_body({goes(state)});

  std::vector<edge> inputs = from;
  const std::vector<edge> around = seen_by(body, condition);
  inputs.insert(inputs.end(), around.begin(), around.end());
  const index numbers[] = {c.m.store_body(std::move(condition), around), c.m.store_body(std::move(body), around)};
  const index yes = 1;
  const attribute_view with[] = {{"cond", attribute_kind::body, {&numbers[0], 1}},
                                 {"body", attribute_kind::body, {&numbers[1], 1}},
                                 {"shape_invariants", attribute_kind::boolean, {&yes, 1}}};
  const edge made = c.m.made.add(ops::while_op, specs[0], inputs, {with, varies ? 3u : 2u});
  for (std::size_t k = 1; k < specs.size(); ++k) c.m.made.add_output(specs[k]);
  return made.node;
}

// An extent that only a call knows, as an int32.
inline edge extent_of(node_context& c, edge x, int axis) {
  return c.m.call(ops::strided_slice, {c.m.unary(ops::shape_of, x)},
                  {attr::ints("begin", {axis}), attr::ints("end", {axis + 1}), attr::ints("strides", {1}), attr::number("begin_mask", 0),
                   attr::number("end_mask", 0), attr::number("shrink_axis_mask", 1)});
}
// Which part trip t takes, from the first on or from the last.
inline edge trip(node_context& c, edge t, edge count, bool turned) {
  return turned ? c.m.sub(c.m.sub(count, c.m.number(dtype::int32, 1)), t) : t;
}

// A loop carries the number of the trip and whether there is a next one before what ONNX's carries.
inline void make_loop_node(node_context& c, const std::vector<int>& deciding) {
  const std::size_t carried = c.n.inputs.size() < 2 ? 0 : c.n.inputs.size() - 2;
  if (c.n.outputs.size() > carried) c.fail("results of every trip are collected, and the number of trips is not known before a call");
  std::vector<edge> inputs{c.m.number(dtype::int64, 0), c.has(1) ? as_condition(c, c.in(1)) : c.m.number(dtype::boolean, 1)};
  for (std::size_t k = 0; k < carried; ++k) inputs.push_back(tensor_of(c, c.in(k + 2)));
  std::optional<edge> trips;
  if (c.has(0)) {
    if (c.m.extents(c.x(0)).is_static() && c.m.extents(c.x(0)).size() != 1) c.fail("the number of trips is one number");
    trips = c.m.reshape(c.m.cast(c.x(0), dtype::int64), {});
  }
  const auto next = [&](const std::vector<edge>& x) {
    const auto results = run_subgraph(c, "body", {x.begin(), x.end()});
    if (results.size() != carried + 1) c.fail("the body returns another number of values than the loop carries");
    std::vector<edge> out{c.m.add(x[0], c.m.number(dtype::int64, 1)), as_condition(c, results[0])};
    for (std::size_t k = 0; k < carried; ++k) out.push_back(tensor_of(c, results[k + 1]));
    return out;
  };
  const auto goes = [&](const std::vector<edge>& x) {
    return trips ? c.m.binary(ops::logical_and, x[1], c.m.binary(ops::less, x[0], c.m.seen(*trips, c.m.depth() - 1))) : x[1];
  };
  const int made = make_while(c, inputs, deciding, next, goes);
  for (std::size_t k = 0; k < carried; ++k) c.out(edge{made, static_cast<int>(k) + 2}, k);
}
inline void make_loop(node_context& c, const std::vector<int>& deciding) {
  make_or_ask(c, deciding, [&] { make_loop_node(c, deciding); });
}

}  // namespace jig::onnx
