// SPDX-License-Identifier: MIT
#pragma once
// What a graph tells of a loop and of the values that it carries before it runs.

#include <jig/graph/graph.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/ops/tensor_array.hpp>

namespace jig::detail {

/// Which input of a graph an edge is, or -1.
template <class Graph>
constexpr int input_number(const Graph& g, const edge& e) {
  for (std::size_t k = 0; k < g.inputs().size(); ++k)
    if (edge{g.inputs()[k], 0} == e) return static_cast<int>(k);
  return -1;
}

/// How many values a loop carries. One that only has effects has a result, which is none of these.
constexpr int carried_by(const node_view& loop) { return loop.attribute("effects_only").key.empty() ? loop.outputs() : 0; }

/// How many trips a loop makes that only counts from one constant to another, or -1.
template <class Graph>
constexpr index known_trips(const Graph& g, int id) {
  const node_view loop = g.node(id);
  const graph_view condition = g.body(loop, "cond"), body = g.body(loop, "body");
  const auto constant = [](const auto& in, const edge& e) {
    return in.data(e.node).kind->is(fact::constant) && is_integer(in.spec(e).dtype) && in.spec(e).shape.rank == 0;
  };
  const auto number = [](const auto& in, const edge& e) {
    const std::uint64_t bits = in.node(e).attribute("value").words[0];
    return in.spec(e).dtype == dtype::int64 ? static_cast<index>(bits) : static_cast<index>(static_cast<std::int32_t>(bits));
  };
  const edge test = condition.outputs()[0];
  const auto compares = [&](const op& kind) { return is_op(condition.node(test).kind(), kind); };
  const bool up = compares(ops::less) || compares(ops::less_equal), reaches = compares(ops::less_equal) || compares(ops::greater_equal);
  if (!up && !compares(ops::greater) && !compares(ops::greater_equal)) return -1;
  const auto compared = condition.inputs_of(test.node);
  const int k = input_number(condition, compared[0]), limit = input_number(condition, compared[1]);
  if (k < 0 || k >= carried_by(loop) || (limit >= 0 && limit < carried_by(loop))) return -1;
  const dtype d = condition.spec(compared[0]).dtype;
  const edge start = loop.inputs()[static_cast<std::size_t>(k)], next = body.outputs()[static_cast<std::size_t>(k)];
  const edge end = limit < 0 ? compared[1] : loop.inputs()[static_cast<std::size_t>(limit)];
  if ((d != dtype::int32 && d != dtype::int64) || !constant(g, start) || !(limit < 0 ? constant(condition, end) : constant(g, end)))
    return -1;
  const bool down = is_op(body.node(next).kind(), ops::subtract);
  if (!is_op(body.node(next).kind(), ops::add) && !down) return -1;
  const auto terms = body.inputs_of(next.node);
  if (input_number(body, terms[0]) != k || !constant(body, terms[1])) return -1;
  const index first = number(g, start), last = limit < 0 ? number(condition, end) : number(g, end), added = number(body, terms[1]);
  // Within these bounds no counter wraps around.
  constexpr index most = index{1} << 30;
  for (index i : {first, last, added})
    if (i < -most || i >= most) return -1;
  const index step = down == up ? -added : added;
  const index way = (up ? last - first : first - last) + (reaches ? 1 : 0);
  if (step <= 0) return -1;
  return way <= 0 ? 0 : (way + step - 1) / step;
}

/// What a loop adds to an integer that it carries in every trip: a constant of its body, or node -1.
constexpr edge step_of_counter(const graph_view& body, int k) {
  const edge own{body.inputs()[static_cast<std::size_t>(k)], 0}, next = body.outputs()[static_cast<std::size_t>(k)];
  const bool down = is_op(body.node(next).kind(), ops::subtract);
  if ((!is_op(body.node(next).kind(), ops::add) && !down) || !is_integer(body.spec(next).dtype) || body.spec(next).shape.rank != 0)
    return {};
  const auto terms = body.inputs_of(next.node);
  if (terms[0] == terms[1] || !(terms[0] == own || (terms[1] == own && !down))) return {};
  const edge step = terms[0] == own ? terms[1] : terms[0];
  return body.data(step.node).kind->is(fact::constant) ? step : edge{};
}

/// Whether the way back of a gradient needs what a loop carries into each trip: not if it stays, can be computed anew, or is only
/// written into.
constexpr bool is_kept(const graph_view& body, int k) {
  const edge own{body.inputs()[static_cast<std::size_t>(k)], 0}, next = body.outputs()[static_cast<std::size_t>(k)];
  const node_data& n = body.data(next.node);
  if (next == own || is_op(*n.kind, ops::tape_write) || step_of_counter(body, k).node >= 0) return false;
  if ((!is_op(*n.kind, ops::array_write) && !is_op(*n.kind, ops::gather_add)) || !(body.inputs_of(next.node)[0] == own)) return true;
  int uses = 0;
  for (int id = 0; id < body.size(); ++id)
    for (const auto& e : body.inputs_of(id)) uses += e == own;
  for (const auto& e : body.outputs()) uses += e == own;
  return uses > 1;
}

}  // namespace jig::detail
