// SPDX-License-Identifier: MIT
#pragma once
// How gradients pass through loops: a loop keeps what it carries, trip by trip, for a loop that runs from the last trip to the first.

#include <jig/passes/differentiation.hpp>

namespace jig::detail {

// Which of the values that a loop carries are kept, and in which of the arrays before it.
template <class Graph>
constexpr void differentiation<Graph>::find_kept(const graph_view& g, const node_view& n, loop_to_reverse& loop) {
  const auto before = base::prepared_for(g, n.id());
  loop.no_trips = before.zero;
  std::size_t array = 0;
  for (int k = 0; k < loop.carried; ++k) {
    if (!is_kept(loop.body, k)) continue;
    loop.kept.push_back(k);
    loop.arrays.push_back(array < before.arrays.size() && has_array(loop.body, k, n.spec(k)) ? before.arrays[array++] : edge{});
  }
}

template <class Graph>
constexpr edge differentiation<Graph>::last_trip(graph_extender& to, const loop_to_reverse& loop, int forward) {
  if (loop.trips >= 0) return to.constant(dtype::int64, static_cast<std::uint64_t>(loop.trips - 1));
  const edge last[] = {{forward, loop.carried}, to.constant(dtype::int64, 1)};
  return to.append(ops::subtract, last);
}

template <class Graph>
constexpr edge differentiation<Graph>::keep_value(graph_extender& inside, const loop_to_reverse& loop, int i, const edge& kept,
                                                  const edge& trip, const edge& value) {
  if (loop.arrays[i].node < 0) return push(inside, loop.first_tape + i, kept, value);
  const edge inputs[] = {kept, trip, value};
  return inside.append(ops::array_write, inputs);
}

template <class Graph>
constexpr edge differentiation<Graph>::kept_value(graph_extender& inside, const loop_to_reverse& loop, int i, const edge& kept,
                                                  const edge& trip, const edge& like) {
  if (loop.arrays[i].node < 0) return recall(inside, loop.first_tape + i, kept, trip, like);
  const index axis = 0;
  const attribute_view with{"axis", attribute_kind::integer, {&axis, 1}};
  const edge inputs[] = {kept, trip};
  return inside.append(ops::gather, inputs, {&with, 1});
}

// Puts in the place of a loop one that also counts its trips and puts what it carries into tapes: those that nobody recalls are
// pruned later.
template <class Graph>
constexpr void differentiation<Graph>::keep_tape(graph_extender& to, const graph_view& before, const loop_to_reverse& loop,
                                                 const list<edge>& start, int forward) {
  const int carried = loop.carried;
  const edge none = loop.no_trips;
  list<edge> inputs;
  list<tensor_spec> results;
  for (int k = 0; k < carried; ++k) inputs.push_back(start[k]);
  inputs.push_back(none);
  for (const auto& array : loop.arrays) inputs.push_back(array.node < 0 ? none : array);
  for (int k = 0; k < static_cast<int>(inputs.size()); ++k)
    results.push_back(k < carried ? before.node(forward).spec(k) : before.spec(inputs[k]));
  for (int k = carried; k < loop.all; ++k) inputs.push_back(start[k]);
  index bodies[2] = {};
  for (int part = 0; part < 2; ++part) {
    auto around = out_.begin_body();
    list<edge> taken, values;
    for (const auto& e : inputs) taken.push_back(body_input(before.spec(e)));
    for (int k = 0; k < loop.all; ++k) values.push_back(taken[k < carried ? k : k + 1 + static_cast<int>(loop.kept.size())]);
    for (const auto& e : again(part == 0 ? loop.condition : loop.body, values, true)) out_.output_edges.push_back(e);
    if (part == 1) {
      graph_extender inside(out_, made_of_ops);
      edge trips[] = {taken[carried], inside.constant(dtype::int64, 1)};
      out_.output_edges.push_back(inside.append(ops::add, trips));
      for (int i = 0; i < static_cast<int>(loop.kept.size()); ++i)
        out_.output_edges.push_back(keep_value(inside, loop, i, taken[carried + 1 + i], taken[carried], taken[loop.kept[i]]));
    }
    bodies[part] = out_.end_body(std::move(around));
  }
  add_control(ops::while_op, inputs, "cond", "body", bodies, results);
  to.replace(forward);
}

// What an integer is in a trip to which each trip adds a constant.
template <class Graph>
constexpr edge differentiation<Graph>::counter_in_trip(graph_extender& inside, const graph_view& body, int k, const edge& trip,
                                                       const edge& first) {
  const edge step = step_of_counter(body, k), next = body.outputs()[static_cast<std::size_t>(k)];
  const dtype d = body.spec(next).dtype;
  const index to = static_cast<index>(d);
  const attribute_view with{"DstT", attribute_kind::type, {&to, 1}};
  const edge trips = d == dtype::int64 ? trip : inside.append(ops::cast, {&trip, 1}, {&with, 1});
  const edge product[] = {trips, inside.constant(d, body.node(step).attribute("value").words[0])},
             sum[] = {first, inside.append(ops::multiply, product)};
  return inside.append(is_op(body.node(next).kind(), ops::subtract) ? ops::subtract : ops::add, sum);
}

// One trip of a reversed loop. Returns which adjoints it keeps; their last counts are results of the loop.
template <class Graph>
constexpr list<kept_adjoints> differentiation<Graph>::reverse_trip(graph_extender& inside, const loop_to_reverse& loop,
                                                                   const reversed_values& taken, const list<kept_adjoints>& kept) {
  const edge trip = taken.trip;
  list<edge> values;
  for (int k = 0; k < loop.all; ++k) {
    values.push_back(taken.inputs[k]);
    if (k < loop.carried && step_of_counter(loop.body, k).node >= 0) values[k] = counter_in_trip(inside, loop.body, k, trip, values[k]);
  }
  for (int i = 0; i < static_cast<int>(loop.kept.size()); ++i)
    values[loop.kept[i]] = kept_value(inside, loop, i, taken.kept_values[i], trip, values[loop.kept[i]]);
  const int first_again = out_.size();
  const list<edge> after = again(loop.body, values);
  const int behind_again = out_.size();
  inside.take_over();
  list<edge> targets, given, sources, sums;
  for (std::size_t i = 0; i < loop.active.size(); ++i) {
    const int k = loop.active[i];
    const edge adjoint = taken.adjoints[i];
    sources.push_back(values[k]);
    sums.push_back(k < loop.carried ? edge{} : adjoint);
    if (k >= loop.carried) continue;
    targets.push_back(after[k]);
    given.push_back(adjoint);
  }
  for (const auto& e : after)
    for (std::size_t k = 0; k < kept.size(); ++k) {
      if (!fills(out_.view(), e.node, kept[k])) continue;
      targets.push_back(inside.inputs_of(e.node)[1]);
      given.push_back(recall(inside, kept[k].in, taken.last_counts[k], trip, targets.back()));
    }
  for (int v = first_again; v < behind_again; ++v)
    if (is_kept_number(out_.nodes[v])) sources.push_back({v, 0});
  const list<edge> got = backward(inside, targets, given, sources, sums);
  edge previous[] = {trip, inside.constant(dtype::int64, 1)};
  out_.output_edges.push_back(inside.append(ops::subtract, previous));
  put_results(inside, got, sources, loop.active.size());
  list<kept_adjoints> keeps;
  for (std::size_t r = 0; r < loop.recalled.size(); ++r) {
    const edge adjoint = got[loop.active.size() + r], of = sources[loop.active.size() + r];
    out_.output_edges.push_back(taken.kept_counts[r]);
    if (adjoint.node < 0) continue;
    out_.output_edges.back() = push(inside, tapes_, inside.inputs_of(of.node)[1], inside.broadcast(adjoint, of));
    keeps.push_back({loop.recalled[r], tapes_++, {-1, taken.port_of_kept_count(static_cast<int>(r))}});
  }
  return keeps;
}

// A loop that is a gradient itself recalls values of a loop before it. Their adjoints are kept, position by position, until that
// loop gets its gradient.
template <class Graph>
constexpr list<edge> differentiation<Graph>::backward_while(graph_extender& to, const graph_view& before, const node_view& n,
                                                            const list<edge>& by_port, const list<char>& wanted,
                                                            list<kept_adjoints>& kept) {
  loop_to_reverse loop{before.body(n, "cond"),
                       before.body(n, "body"),
                       n.outputs(),
                       static_cast<int>(n.inputs().size()),
                       known_trips(before, n.id()),
                       {},
                       {},
                       {},
                       tapes_,
                       {},
                       {}};
  find_kept(before, n, loop);
  tapes_ += static_cast<int>(loop.kept.size());
  for (int k = 0; k < loop.all; ++k)
    if (k < loop.carried ? is_floating(n.spec(k).dtype) : wanted[k] != 0) loop.active.push_back(k);
  for (int v = 0; v < loop.body.size(); ++v)
    if (is_kept_number(loop.body.data(v))) loop.recalled.push_back(tape_of(loop.body, v));
  list<edge> start;
  for (const auto& e : n.inputs()) start.push_back(e);
  const int forward = n.id();
  keep_tape(to, before, loop, start, forward);

  reversed_values first;
  first.trip = last_trip(to, loop, forward);
  for (int k : loop.active) {
    const edge given = k < loop.carried ? by_port[k] : edge{};
    first.adjoints.push_back(given.node >= 0 ? to.broadcast(given, {forward, k}) : to.append(ops::zeros_like, {&start[k], 1}));
  }
  for (std::size_t r = 0; r < loop.recalled.size(); ++r) first.kept_counts.push_back(to.constant(dtype::int64, 0));
  for (std::size_t i = 0; i < loop.kept.size(); ++i) first.kept_values.push_back({forward, loop.carried + 1 + static_cast<int>(i)});
  first.inputs = start;
  for (const auto& k : kept) first.last_counts.push_back(k.last);
  const list<edge> inputs = first.in_order();
  list<tensor_spec> specs, results;
  // Loops keep the extents of what they carry: adjoints have those of their values in every trip.
  list<shape> extents;
  for (const auto& e : inputs) {
    specs.push_back(to.spec(e));
    extents.push_back(to.extents(e));
  }
  for (int k = 0; k < first.carried(); ++k) results.push_back(specs[k]);
  index bodies[2] = {};
  list<kept_adjoints> keeps;
  for (int part = 0; part < 2; ++part) {
    auto around = out_.begin_body();
    list<edge> taken;
    for (const auto& s : specs) taken.push_back(body_input(s));
    graph_extender inside(out_, to, extents);
    if (part == 0) {
      edge ends[] = {taken[0], inside.constant(dtype::int64, 0)};
      out_.output_edges.push_back(inside.append(ops::greater_equal, ends));
    } else {
      keeps = reverse_trip(inside, loop, first.with(taken), kept);
    }
    bodies[part] = out_.end_body(std::move(around));
  }
  prepare_loop(out_.view().body(bodies[1]), inputs, results, loop.trips);
  const int back = add_control(ops::while_op, inputs, "cond", "body", bodies, results).node;
  to.take_over();
  for (const auto& k : keeps) kept.push_back({k.of, k.in, {back, k.last.port}});
  list<edge> shares(loop.all);
  for (std::size_t i = 0; i < loop.active.size(); ++i)
    if (wanted[loop.active[i]]) shares[loop.active[i]] = {back, static_cast<int>(i) + 1};
  return shares;
}

}  // namespace jig::detail
