// SPDX-License-Identifier: MIT
#pragma once
// ONNX's Scan: a few trips are written out, many are a loop.

#include <jig/io/onnx/bodies.hpp>
#include <jig/ops/diag_part.hpp>
#include <jig/ops/tensor_array.hpp>

#include <limits>
#include <vector>

namespace jig::onnx {

inline edge stacked(node_context& c, const std::vector<value>& items, int axis) {
  list<edge> parts;
  for (const auto& i : items) {
    if (i.is != value::kind::tensor) c.fail("tensors are stacked, nothing else");
    parts.push_back(i.at);
  }
  if (parts.empty()) c.fail("without a trip the extents of what a loop collects are not known");
  return c.m.call(ops::pack, parts, {attr::number("axis", axis)});
}

// What a scan goes along and collects, and how.
struct scanned_loop {
  std::vector<value> state;
  std::vector<edge> over;
  list<int> axes_in;
  list<char> turned_in;
  list<index> axes_out;
  list<char> turned_out;
};

// A loop that carries the number of the trip, the state and what is collected.
inline void make_scan_node(node_context& c, const scanned_loop& s) {
  const std::size_t carried = s.state.size(), collected = s.axes_out.size();
  std::vector<edge> all_over = s.over;
  const edge over = all_over[0];
  const index trips = c.m.extents(over)[s.axes_in[0]];
  for (std::size_t k = 1; k < all_over.size(); ++k) {
    const index extent = c.m.extents(all_over[k])[s.axes_in[k]];
    if (!is_static_extent(extent) || !is_static_extent(trips))
      all_over[k] = c.m.call(ops::ensure_shape, {all_over[k], over}, {attr::ints("axes", {s.axes_in[k], s.axes_in[0]})});
    else if (extent != trips) c.fail("what is scanned has different extents");
  }
  if (trips > std::numeric_limits<std::int32_t>::max()) c.fail("there are too many trips");
  const edge count = is_static_extent(trips) ? c.m.number(dtype::int32, trips) : extent_of(c, over, s.axes_in[0]);
  const int around = c.m.depth();
  const auto results = [&](const std::vector<edge>& x) {
    std::vector<value> given(x.begin() + 1, x.begin() + 1 + static_cast<std::ptrdiff_t>(carried));
    for (std::size_t k = 0; k < all_over.size(); ++k)
      given.push_back(c.m.gather(c.m.seen(all_over[k], around), trip(c, x[0], c.m.seen(count, around), s.turned_in[k]), s.axes_in[k]));
    const auto next = run_subgraph(c, "body", given);
    if (next.size() < carried + collected) c.fail("the body returns too few values");
    std::vector<edge> out;
    for (const value& v : next) out.push_back(tensor_of(c, v));
    return out;
  };
  std::vector<edge> from{c.m.number(dtype::int32, 0)};
  for (const value& v : s.state) from.push_back(tensor_of(c, v));
  // What is collected has to be known before it is.
  std::vector<tensor_spec> specs, elements;
  for (const edge& e : from) specs.push_back(c.m.spec(e));
  {
    const std::vector<edge> found = results(c.m.begin_body(specs));
    for (std::size_t k = 0; k < collected; ++k) elements.push_back(c.m.spec(found[carried + k]));
    c.m.leave_body();
  }
  for (const auto& e : elements) {
    if (!e.shape.is_static()) c.fail("the extents of what a scan collects are not known");
    list<index> extents;
    for (int a = 0; a < e.shape.rank; ++a) extents.push_back(e.shape[a]);
    from.push_back(
        c.m.call(ops::new_array, {over}, {attr::number("axis", s.axes_in[0]), attr::type("T", e.dtype), attr::ints("shape", extents)}));
  }
  const auto next = [&](const std::vector<edge>& x) {
    const std::vector<edge> found = results(x);
    std::vector<edge> out{c.m.add(x[0], c.m.number(dtype::int32, 1))};
    out.insert(out.end(), found.begin(), found.begin() + static_cast<std::ptrdiff_t>(carried));
    for (std::size_t k = 0; k < collected; ++k)
      out.push_back(
          c.m.call(ops::array_write, {x[1 + carried + k], trip(c, x[0], c.m.seen(count, around), s.turned_out[k]), found[carried + k]}));
    return out;
  };
  const auto goes = [&](const std::vector<edge>& x) { return c.m.binary(ops::less, x[0], c.m.seen(count, around)); };
  const int made = make_while(c, from, {}, next, goes);
  for (std::size_t k = 0; k < carried; ++k) c.out(edge{made, static_cast<int>(k) + 1}, k);
  for (std::size_t k = 0; k < collected; ++k) {
    const edge all{made, static_cast<int>(1 + carried + k)};
    const int axis = c.axis(s.axes_out[k], c.m.rank(all));
    list<index> order;
    for (int a = 1; a < c.m.rank(all); ++a) order.push_back(a);
    list<index> moved;
    for (int a = 0; a < c.m.rank(all); ++a) moved.push_back(a == axis ? 0 : order[a < axis ? a : a - 1]);
    c.out(axis == 0 ? all : c.m.transpose(all, moved), carried + k);
  }
}

inline void import_scan(node_context& c) {
  // Opset 8 has the lengths of sequences in front, and batches along the first axis.
  const bool batched = c.opset < 9;
  const std::size_t first = batched ? 1 : 0;
  const auto scanned = static_cast<std::size_t>(c.integer("num_scan_inputs", 0));
  const std::size_t inputs = c.n.inputs.size();
  if (inputs < first + scanned || scanned == 0) c.fail("there are fewer inputs than are scanned");
  if (batched && c.has(0)) c.fail("lengths of sequences are not supported");
  const std::size_t carried = inputs - first - scanned, collected = c.n.outputs.size() < carried ? 0 : c.n.outputs.size() - carried;
  const auto axes_in = c.integers("scan_input_axes"), axes_out = c.integers("scan_output_axes");
  const auto turned_in = c.integers(batched ? "directions" : "scan_input_directions"), turned_out = c.integers("scan_output_directions");
  const auto number_at = [](const list<index>& l, std::size_t k, index otherwise) { return k < l.size() ? l[k] : otherwise; };
  const index batches = batched ? c.m.static_extent(c.x(first), 0) : 1;
  std::vector<std::vector<value>> finals(carried), results(collected);
  for (index b = 0; b < batches; ++b) {
    const auto of_batch = [&](edge e) { return batched ? c.m.item(e, 0, b) : e; };
    std::vector<value> now;
    std::vector<edge> over;
    for (std::size_t k = 0; k < carried; ++k) now.push_back(of_batch(c.x(first + k)));
    for (std::size_t k = 0; k < scanned; ++k) over.push_back(of_batch(c.x(first + carried + k)));
    const auto axis_in = [&](std::size_t k) { return c.axis(number_at(axes_in, k, 0), c.m.rank(over[k])); };
    const index trips = c.m.extents(over[0])[axis_in(0)];
    const bool many = !is_static_extent(trips) || trips > most_written_trips;
    // What cannot be a loop is written out all the same.
    if (many && !batched) {
      scanned_loop loop{now, over, {}, {}, {}, {}};
      for (std::size_t k = 0; k < scanned; ++k)
        loop.axes_in.push_back(axis_in(k)), loop.turned_in.push_back(number_at(turned_in, k, 0) != 0);
      for (std::size_t k = 0; k < collected; ++k)
        loop.axes_out.push_back(number_at(axes_out, k, 0)), loop.turned_out.push_back(number_at(turned_out, k, 0) != 0);
      const auto why = make_or_say(c, [&] { make_scan_node(c, loop); });
      if (!why) return;
      if (!is_static_extent(trips)) c.fail(why->reason);
    }
    if (!is_static_extent(trips)) c.fail("the extents have to be known");
    std::vector<std::vector<value>> rows(collected);
    for (index t = 0; t < trips; ++t) {
      std::vector<value> given = now;
      for (std::size_t k = 0; k < scanned; ++k) {
        const int a = axis_in(k);
        if (c.m.static_extent(over[k], a) != trips) c.fail("what is scanned has different extents");
        given.push_back(c.m.item(over[k], a, number_at(turned_in, k, 0) != 0 ? trips - 1 - t : t));
      }
      const auto next = run_subgraph(c, "body", given);
      if (next.size() < carried + collected) c.fail("the body returns too few values");
      for (std::size_t k = 0; k < carried; ++k) now[k] = next[k];
      for (std::size_t k = 0; k < collected; ++k) rows[k].push_back(next[carried + k]);
    }
    for (std::size_t k = 0; k < carried; ++k) finals[k].push_back(now[k]);
    for (std::size_t k = 0; k < collected; ++k) {
      if (number_at(turned_out, k, 0) != 0) rows[k] = {rows[k].rbegin(), rows[k].rend()};
      const int rank = rows[k].empty() || rows[k][0].is != value::kind::tensor ? 0 : c.m.rank(rows[k][0].at);
      results[k].push_back(stacked(c, rows[k], c.axis(number_at(axes_out, k, 0), rank + 1)));
    }
  }
  for (std::size_t k = 0; k < carried; ++k) c.out(batched ? value(stacked(c, finals[k], 0)) : finals[k][0], k);
  for (std::size_t k = 0; k < collected; ++k) c.out(batched ? value(stacked(c, results[k], 0)) : results[k][0], carried + k);
}

}  // namespace jig::onnx
