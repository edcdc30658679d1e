// SPDX-License-Identifier: MIT
#pragma once
// ONNX's control flow, sequences and optional values. Where what decides about it is known when the graph is made, loops are written out
// trip by trip, and of two branches the graph has one; otherwise bodies.hpp makes nodes with bodies.

#include <jig/io/onnx/scan.hpp>

namespace jig::onnx {

inline void import_loop(node_context& c) {
  const std::size_t carried = c.n.inputs.size() < 2 ? 0 : c.n.inputs.size() - 2;
  const bool counted = c.has(0);
  index trips = c.m.limits().nodes;
  if (counted) {
    if (!c.m.is_known(c.x(0))) return make_loop(c, c.m.needed_for(c.x(0)));
    const auto given = c.m.known_integers(c.x(0));
    if (given.size() != 1) c.fail("the number of trips is one number");
    trips = given[0];
  }
  value go = c.has(1) ? c.in(1) : value(c.m.number(dtype::boolean, 1));
  std::vector<value> now;
  for (std::size_t k = 0; k < carried; ++k) now.push_back(c.inputs[k + 2]);
  std::vector<std::vector<value>> collected(c.n.outputs.size() > carried ? c.n.outputs.size() - carried : 0);
  for (index trip = 0; trip < trips; ++trip) {
    if (go.is != value::kind::tensor) c.fail("the condition is no tensor");
    if (!c.m.is_known(go.at)) return make_loop(c, c.m.needed_for(go.at));
    if (!c.m.known_truth(go.at)) break;
    // What cannot be a loop is written out all the same.
    const bool many = trip == most_written_trips || (trip == 0 && counted && trips > most_written_trips);
    if (many && collected.empty() && !make_or_say(c, [&] { make_loop_node(c, {}); })) return;
    std::vector<value> inputs{value(c.m.number(dtype::int64, trip)), go};
    inputs.insert(inputs.end(), now.begin(), now.end());
    const auto results = run_subgraph(c, "body", inputs);
    if (results.size() < carried + 1) c.fail("the body returns too few values");
    go = results[0];
    for (std::size_t k = 0; k < carried; ++k) now[k] = results[k + 1];
    for (std::size_t k = 0; k < collected.size() && k + carried + 1 < results.size(); ++k) collected[k].push_back(results[k + carried + 1]);
  }
  for (std::size_t k = 0; k < carried; ++k) c.out(now[k], k);
  for (std::size_t k = 0; k < collected.size(); ++k)
    if (c.wants(carried + k)) c.out(stacked(c, collected[k], 0), carried + k);
}

inline index position_in(node_context& c, edge at, std::size_t size, bool behind) {
  const auto given = c.m.known_integers(at);
  const auto n = static_cast<index>(size);
  if (given.size() != 1 || given[0] < -n || given[0] >= n + behind) c.fail("the position is outside the sequence");
  return given[0] < 0 ? given[0] + n : given[0];
}
inline void import_sequence_at(node_context& c) {
  const auto& s = c.sequence(0);
  c.out(s[static_cast<std::size_t>(position_in(c, c.x(1), s.size(), false))]);
}
inline void import_sequence_construct(node_context& c) { c.out(value::sequence(c.inputs)); }
inline void import_sequence_empty(node_context& c) { c.out(value::sequence({})); }
inline void import_sequence_erase(node_context& c) {
  auto s = c.sequence(0);
  const auto n = static_cast<index>(s.size());
  if (n == 0) c.fail("the sequence is empty");
  s.erase(s.begin() + (c.has(1) ? position_in(c, c.x(1), s.size(), false) : n - 1));
  c.out(value::sequence(std::move(s)));
}
inline void import_sequence_insert(node_context& c) {
  auto s = c.sequence(0);
  const auto n = static_cast<index>(s.size());
  s.insert(s.begin() + (c.has(2) ? position_in(c, c.x(2), s.size(), true) : n), c.in(1));
  c.out(value::sequence(std::move(s)));
}
inline void import_sequence_length(node_context& c) { c.out(c.m.number(dtype::int64, c.sequence(0).size())); }
inline void import_concat_from_sequence(node_context& c) {
  list<edge> parts;
  for (const auto& v : c.sequence(0)) {
    if (v.is != value::kind::tensor) c.fail("tensors are joined, nothing else");
    parts.push_back(v.at);
  }
  if (parts.empty()) c.fail("the sequence is empty");
  const bool stacks = c.flag("new_axis");
  const int axis = c.axis(c.integer("axis", 0), c.m.rank(parts[0]) + stacks);
  c.out(stacks ? c.m.call(ops::pack, parts, {attr::number("axis", axis)}) : c.m.concat(parts, axis));
}
inline void import_split_to_sequence(node_context& c) {
  const edge x = c.x(0);
  const int axis = c.axis(c.integer("axis", 0), c.m.rank(x));
  const index extent = c.m.static_extent(x, axis);
  std::vector<index> sizes;
  bool keep = true;
  if (!c.has(1)) {
    sizes.assign(static_cast<std::size_t>(extent), 1);
    keep = c.flag("keepdims", true);
  } else if (c.m.rank(c.x(1)) == 0) {
    const index each = c.m.known_integers(c.x(1))[0];
    if (each < 1) c.fail("parts have at least one element");
    for (index at = 0; at < extent; at += each) sizes.push_back((std::min)(each, extent - at));
  } else {
    sizes = c.m.known_integers(c.x(1));
  }
  std::vector<value> parts;
  index at = 0;
  for (const index n : sizes) {
    if (n < 0 || n > extent - at) c.fail("the parts are longer than the axis");
    const edge part = c.m.part(x, axis, at, at + n);
    parts.emplace_back(keep ? part : c.m.squeeze(part, {axis}));
    at += n;
  }
  if (at != extent) c.fail("the parts are shorter than the axis");
  c.out(value::sequence(std::move(parts)));
}
inline void import_sequence_map(node_context& c) {
  const auto& s = c.sequence(0);
  std::vector<std::vector<value>> results(c.n.outputs.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    std::vector<value> given;
    for (const auto& v : c.inputs) {
      if (v.is == value::kind::sequence && v.items.size() != s.size()) c.fail("the sequences have different lengths");
      given.push_back(v.is == value::kind::sequence ? v.items[i] : v);
    }
    const auto out = run_subgraph(c, "body", given);
    for (std::size_t k = 0; k < results.size() && k < out.size(); ++k) results[k].push_back(out[k]);
  }
  for (std::size_t k = 0; k < results.size(); ++k) c.out(value::sequence(std::move(results[k])), k);
}

inline void import_same(node_context& c) { c.out(c.in(0)); }
inline void import_optional(node_context& c) { c.out(c.has(0) ? c.in(0) : value()); }
inline void import_optional_has_element(node_context& c) {
  c.out(c.m.number(dtype::boolean, c.has(0) && c.in(0).is != value::kind::nothing));
}
inline void import_optional_get_element(node_context& c) {
  if (c.in(0).is == value::kind::nothing) c.fail("the optional value is not there");
  c.out(c.in(0));
}

inline constexpr op_entry control_ops[] = {
    {"ConcatFromSequence", import_concat_from_sequence},
    {"Identity", import_same},
    {"If", import_if},
    {"Loop", import_loop},
    {"Optional", import_optional},
    {"OptionalGetElement", import_optional_get_element},
    {"OptionalHasElement", import_optional_has_element},
    {"Scan", import_scan},
    {"SequenceAt", import_sequence_at},
    {"SequenceConstruct", import_sequence_construct},
    {"SequenceEmpty", import_sequence_empty},
    {"SequenceErase", import_sequence_erase},
    {"SequenceInsert", import_sequence_insert},
    {"SequenceLength", import_sequence_length},
    {"SequenceMap", import_sequence_map},
    {"SplitToSequence", import_split_to_sequence},
};

}  // namespace jig::onnx
