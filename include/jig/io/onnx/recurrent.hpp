// SPDX-License-Identifier: MIT
#pragma once
// ONNX's recurrent layers, as loops over their steps.

#include <jig/io/onnx/bodies.hpp>
#include <jig/io/onnx/elementwise.hpp>
#include <jig/ops/tensor_array.hpp>

#include <limits>
#include <optional>
#include <vector>

namespace jig::onnx {

// The activation functions of one direction, with their numbers.
class activations {
 public:
  activations(node_context& c, std::vector<std::string_view> otherwise, std::size_t direction, std::size_t directions) {
    const std::size_t each = otherwise.size();
    if (c.given("activations")) {
      const auto& given = c.find("activations")->texts;
      if (given.size() != each * directions) c.fail("there is another number of activations than the layer has");
      for (std::size_t k = 0; k < each; ++k) names_.push_back(given[direction * each + k]);
    } else {
      names_ = std::move(otherwise);
    }
    alpha_ = c.reals("activation_alpha");
    beta_ = c.reals("activation_beta");
  }
  edge operator()(node_context& c, std::size_t k, edge x) const {
    const auto is = [&](std::string_view name) {
      return std::equal(name.begin(), name.end(), names_[k].begin(), names_[k].end(),
                        [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    };
    const auto number = [&](const list<float>& l, double otherwise) { return k < l.size() ? static_cast<double>(l[k]) : otherwise; };
    if (is("Relu")) return c.m.unary(ops::relu, x);
    if (is("Tanh")) return c.m.unary(ops::tanh, x);
    if (is("Sigmoid")) return c.m.unary(ops::sigmoid, x);
    if (is("Softsign")) return c.m.unary(ops::softsign, x);
    if (is("Softplus")) return c.m.unary(ops::softplus, x);
    if (is("LeakyRelu")) return c.m.binary(ops::leaky_relu, x, c.m.number_like(x, number(alpha_, 0.01)));
    if (is("ThresholdedRelu")) return thresholded_relu(c, x, number(alpha_, 1));
    if (is("HardSigmoid")) return hard_sigmoid(c, x, number(alpha_, 0.2), number(beta_, 0.5));
    if (is("Elu")) return elu(c, x, number(alpha_, 1));
    if (is("Affine")) return c.m.add(c.m.scaled(x, number(alpha_, 1)), c.m.number_like(x, number(beta_, 0)));
    if (is("ScaledTanh")) return c.m.scaled(c.m.unary(ops::tanh, c.m.scaled(x, number(beta_, 1))), number(alpha_, 1));
    c.fail("there is no activation " + std::string(names_[k]));
  }

 private:
  std::vector<std::string_view> names_;
  list<float> alpha_, beta_;
};

// What the steps of one direction of a layer have in common. A bias of the state is what cannot be added to that of the input.
struct recurrent_direction {
  edge w, r, bias, bias_r, peephole;
  bool has_bias = false, has_bias_r = false, has_peephole = false, backward = false;
  index hidden = 0;
  activations f;
};
struct recurrent_state {
  edge h, cell;
};

inline edge limited(node_context& c, edge x) {
  if (!c.given("clip")) return x;
  const double bound = c.real("clip", 0);
  return c.m.minimum(c.m.maximum(x, c.m.number_like(x, -bound)), c.m.number_like(x, bound));
}
// Gates from `first` on, of what has them side by side.
inline edge gates_of(node_context& c, edge x, int axis, index first, index count, index hidden) {
  return c.m.part(x, axis, first * hidden, (first + count) * hidden);
}
// The parts of all gates that come from the input, of one step or of all, and from the state.
inline edge from_input(node_context& c, const recurrent_direction& d, edge x) {
  const edge y = c.m.matmul(x, d.w);
  return d.has_bias ? c.m.add(y, d.bias) : y;
}
inline edge from_state(node_context& c, const recurrent_direction& d, edge h) {
  const edge y = c.m.matmul(h, d.r);
  return d.has_bias_r ? c.m.add(y, d.bias_r) : y;
}

// Steps take the part of the gates that comes from the input.
inline recurrent_state rnn_step(node_context& c, const recurrent_direction& d, edge from_x, recurrent_state s) {
  return {d.f(c, 0, limited(c, c.m.add(from_x, from_state(c, d, s.h)))), s.cell};
}
inline recurrent_state gru_step(node_context& c, const recurrent_direction& d, edge from_x, recurrent_state s) {
  const auto gate = [&](edge x, index k) { return gates_of(c, x, 1, k, 1, d.hidden); };
  const bool linear_first = c.integer("linear_before_reset", 0) != 0;
  const auto part_of_state = [&](edge h, index first, index count) {
    recurrent_direction part = d;
    part.r = gates_of(c, d.r, 1, first, count, d.hidden);
    if (d.has_bias_r) part.bias_r = gates_of(c, d.bias_r, 0, first, count, d.hidden);
    return from_state(c, part, h);
  };
  const edge from_h = linear_first ? from_state(c, d, s.h) : part_of_state(s.h, 0, 2);
  const edge z = d.f(c, 0, limited(c, c.m.add(gate(from_x, 0), gate(from_h, 0))));
  const edge r = d.f(c, 0, limited(c, c.m.add(gate(from_x, 1), gate(from_h, 1))));
  const edge past = linear_first ? c.m.mul(r, gate(from_h, 2)) : part_of_state(c.m.mul(r, s.h), 2, 1);
  const edge h = d.f(c, 1, limited(c, c.m.add(gate(from_x, 2), past)));
  return {c.m.add(c.m.mul(c.m.sub(c.m.number_like(z, 1), z), h), c.m.mul(z, s.h)), s.cell};
}
inline recurrent_state lstm_step(node_context& c, const recurrent_direction& d, edge from_x, recurrent_state s) {
  const edge sum = c.m.add(from_x, from_state(c, d, s.h));
  const auto gate = [&](index k, index peephole, edge cell) {
    edge g = gates_of(c, sum, 1, k, 1, d.hidden);
    if (d.has_peephole && peephole >= 0) g = c.m.add(g, c.m.mul(gates_of(c, d.peephole, 0, peephole, 1, d.hidden), cell));
    return limited(c, g);
  };
  const edge i = d.f(c, 0, gate(0, 0, s.cell));
  const edge f = c.integer("input_forget", 0) != 0 ? c.m.sub(c.m.number_like(i, 1), i) : d.f(c, 0, gate(2, 2, s.cell));
  const edge cell = c.m.add(c.m.mul(f, s.cell), c.m.mul(i, d.f(c, 1, gate(3, -1, s.cell))));
  const edge o = d.f(c, 0, gate(1, 1, cell));
  return {c.m.mul(o, d.f(c, 2, cell)), cell};
}

using recurrent_step = recurrent_state (*)(node_context&, const recurrent_direction&, edge, recurrent_state);

// A layer: which op, and the extents of its input.
struct recurrent_layer {
  recurrent_step step;
  bool has_cell = false;
  edge steps{};                   // their number
  std::optional<edge> lengths{};  // of the sequences of the batch
};
struct recurrent_results {
  edge outputs;
  recurrent_state last;
};

// One direction, as a loop that carries the number of the trip, the state and the outputs. Products of few rows are computed for all steps
// at once; of more rows they cost no more in each step, and what they give is still in the cache.
inline recurrent_results recurrent_loop(node_context& c, const recurrent_layer& layer, const recurrent_direction& d, edge input,
                                        recurrent_state initial) {
  constexpr index few_rows = 8;
  const bool at_once = c.m.extents(input)[1] < few_rows;
  const edge over = at_once ? from_input(c, d, input) : input;
  std::vector<edge> from{c.m.number(dtype::int32, 0), initial.h};
  if (layer.has_cell) from.push_back(initial.cell);
  const std::size_t outputs = from.size();
  if (c.wants(0)) from.push_back(c.m.call(ops::new_array, {input, initial.h}, {attr::number("axis", 0)}));
  const int around = c.m.depth();
  const auto seen = [&](edge e) { return c.m.seen(e, around); };
  const auto next = [&](const std::vector<edge>& x) {
    recurrent_direction here = d;
    here.r = seen(d.r);
    if (!at_once) here.w = seen(d.w);
    if (!at_once && d.has_bias) here.bias = seen(d.bias);
    if (d.has_bias_r) here.bias_r = seen(d.bias_r);
    if (d.has_peephole) here.peephole = seen(d.peephole);
    const edge t = trip(c, x[0], seen(layer.steps), d.backward);
    const recurrent_state now{x[1], layer.has_cell ? x[2] : x[1]};
    const edge row = c.m.gather(seen(over), t, 0);
    recurrent_state then = layer.step(c, here, at_once ? row : from_input(c, here, row), now);
    edge shown = then.h;
    if (layer.lengths) {
      // Behind the end of its sequence a state stays, and what is shown is 0.
      const edge runs = c.m.binary(ops::less, t, seen(*layer.lengths));
      shown = c.m.select(runs, then.h, c.m.number_like(then.h, 0));
      then = {c.m.select(runs, then.h, now.h), layer.has_cell ? c.m.select(runs, then.cell, now.cell) : now.cell};
    }
    std::vector<edge> out{c.m.add(x[0], c.m.number(dtype::int32, 1)), then.h};
    if (layer.has_cell) out.push_back(then.cell);
    if (c.wants(0)) out.push_back(c.m.call(ops::array_write, {x[outputs], t, shown}));
    return out;
  };
  const auto goes = [&](const std::vector<edge>& x) { return c.m.binary(ops::less, x[0], seen(layer.steps)); };
  const int made = make_while(c, from, {}, next, goes);
  return {{made, static_cast<int>(outputs)}, {{made, 1}, {made, 2}}};
}

inline void import_recurrent(node_context& c, recurrent_step step, index gates, bool has_cell, std::vector<std::string_view> functions) {
  edge x = c.x(0);
  // With layout 1 batches come first.
  const bool batch_first = c.integer("layout", 0) != 0;
  if (c.m.rank(x) != 3) c.fail("the input has steps, a batch and features");
  if (batch_first) x = c.m.transpose(x, {1, 0, 2});
  const auto direction = c.text("direction", "forward");
  const std::size_t directions = direction == "bidirectional" ? 2 : 1;
  const index steps = c.m.extents(x)[0];
  if (is_static_extent(steps) && steps < 1) c.fail("there are no steps");
  if (steps > std::numeric_limits<std::int32_t>::max()) c.fail("there are too many steps");
  const shape r = c.m.static_extents(c.x(2));
  if (r.rank != 3 || r[0] != static_cast<index>(directions) || r[1] != gates * r[2])
    c.fail("the recurrent weights do not have the extents of the layer");
  const index hidden = r[2];
  recurrent_layer layer{step, has_cell};
  layer.steps = is_static_extent(steps) ? c.m.number(dtype::int32, steps) : extent_of(c, x, 0);
  if (c.has(4)) layer.lengths = c.m.expand_dims(c.m.cast(c.x(4), dtype::int32), 1);
  list<edge> last_h, last_cell, outputs;
  for (std::size_t k = 0; k < directions; ++k) {
    const int at = static_cast<int>(k);
    const auto own = [&](std::size_t input) { return c.m.item(c.x(input), 0, at); };
    const edge zeros = c.m.call(ops::new_array, {x, c.m.item(own(2), 0, 0)}, {attr::number("axis", 1)});
    const auto initial = [&](std::size_t input) { return c.has(input) ? c.m.item(c.x(input), batch_first ? 1 : 0, at) : zeros; };
    recurrent_direction d{c.m.transposed(own(1)),
                          c.m.transposed(own(2)),
                          {},
                          {},
                          {},
                          c.has(3),
                          c.has(3) && c.integer("linear_before_reset", 0) != 0,
                          has_cell && c.has(7),
                          direction == "reverse" || k == 1,
                          hidden,
                          activations(c, functions, k, directions)};
    if (d.has_bias) {
      d.bias = c.m.part(own(3), 0, 0, gates * hidden);
      d.bias_r = c.m.part(own(3), 0, gates * hidden, 2 * gates * hidden);
      if (!d.has_bias_r) d.bias = c.m.add(d.bias, d.bias_r);
    }
    if (d.has_peephole) d.peephole = own(7);
    const recurrent_results of = recurrent_loop(c, layer, d, x, {initial(5), has_cell ? initial(6) : zeros});
    outputs.push_back(of.outputs);
    last_h.push_back(of.last.h);
    last_cell.push_back(of.last.cell);
  }
  const auto along_directions = [&](const list<edge>& of, index axis) {
    return of.size() == 1 ? c.m.expand_dims(of[0], axis) : c.m.call(ops::pack, of, {attr::number("axis", axis)});
  };
  if (c.wants(0)) {
    const edge y = along_directions(outputs, 1);
    c.out(batch_first ? c.m.transpose(y, {2, 0, 1, 3}) : y);
  }
  c.out(along_directions(last_h, batch_first ? 1 : 0), 1);
  if (has_cell) c.out(along_directions(last_cell, batch_first ? 1 : 0), 2);
}
inline void import_rnn(node_context& c) { import_recurrent(c, rnn_step, 1, false, {"Tanh"}); }
inline void import_gru(node_context& c) { import_recurrent(c, gru_step, 3, false, {"Sigmoid", "Tanh"}); }
inline void import_lstm(node_context& c) { import_recurrent(c, lstm_step, 4, true, {"Sigmoid", "Tanh", "Tanh"}); }

inline constexpr op_entry recurrent_ops[] = {{"GRU", import_gru}, {"LSTM", import_lstm}, {"RNN", import_rnn}};

}  // namespace jig::onnx
