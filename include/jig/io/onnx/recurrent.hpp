// SPDX-License-Identifier: MIT
#pragma once
// ONNX's recurrent layers, written out step by step.

#include <jig/io/onnx/elementwise.hpp>

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

// What one direction of a layer is made of.
struct recurrent_direction {
  edge w, r, bias_w, bias_r, peephole{};
  bool has_bias = false, has_peephole = false, forget_first = false;
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
// Rows k·hidden on, of what has the gates one below the other.
inline edge gate_of(node_context& c, edge x, int axis, index k, index hidden) { return c.m.part(x, axis, k * hidden, (k + 1) * hidden); }

inline recurrent_state rnn_step(node_context& c, const recurrent_direction& d, edge x, recurrent_state s) {
  edge sum = c.m.add(c.m.matmul(x, d.w, false, true), c.m.matmul(s.h, d.r, false, true));
  if (d.has_bias) sum = c.m.add(sum, c.m.add(d.bias_w, d.bias_r));
  return {d.f(c, 0, limited(c, sum)), s.cell};
}
inline recurrent_state gru_step(node_context& c, const recurrent_direction& d, edge x, recurrent_state s) {
  edge from_x = c.m.matmul(x, d.w, false, true);
  if (d.has_bias) from_x = c.m.add(from_x, d.bias_w);
  const bool linear_first = c.integer("linear_before_reset", 0) != 0;
  const auto from_h = [&](edge h, index k) {
    const edge y = c.m.matmul(h, gate_of(c, d.r, 0, k, d.hidden), false, true);
    return d.has_bias ? c.m.add(y, gate_of(c, d.bias_r, 0, k, d.hidden)) : y;
  };
  const edge z = d.f(c, 0, limited(c, c.m.add(gate_of(c, from_x, 1, 0, d.hidden), from_h(s.h, 0))));
  const edge r = d.f(c, 0, limited(c, c.m.add(gate_of(c, from_x, 1, 1, d.hidden), from_h(s.h, 1))));
  const edge past = linear_first ? c.m.mul(r, from_h(s.h, 2)) : from_h(c.m.mul(r, s.h), 2);
  const edge h = d.f(c, 1, limited(c, c.m.add(gate_of(c, from_x, 1, 2, d.hidden), past)));
  return {c.m.add(c.m.mul(c.m.sub(c.m.number_like(z, 1), z), h), c.m.mul(z, s.h)), s.cell};
}
inline recurrent_state lstm_step(node_context& c, const recurrent_direction& d, edge x, recurrent_state s) {
  edge sum = c.m.add(c.m.matmul(x, d.w, false, true), c.m.matmul(s.h, d.r, false, true));
  if (d.has_bias) sum = c.m.add(sum, c.m.add(d.bias_w, d.bias_r));
  const auto gate = [&](index k, index peephole, edge cell) {
    edge g = gate_of(c, sum, 1, k, d.hidden);
    if (d.has_peephole && peephole >= 0) g = c.m.add(g, c.m.mul(gate_of(c, d.peephole, 0, peephole, d.hidden), cell));
    return limited(c, g);
  };
  const edge i = d.f(c, 0, gate(0, 0, s.cell));
  const edge f = c.integer("input_forget", 0) != 0 ? c.m.sub(c.m.number_like(i, 1), i) : d.f(c, 0, gate(2, 2, s.cell));
  const edge cell = c.m.add(c.m.mul(f, s.cell), c.m.mul(i, d.f(c, 1, gate(3, -1, s.cell))));
  const edge o = d.f(c, 0, gate(1, 1, cell));
  return {c.m.mul(o, d.f(c, 2, cell)), cell};
}

using recurrent_step = recurrent_state (*)(node_context&, const recurrent_direction&, edge, recurrent_state);

inline void import_recurrent(node_context& c, recurrent_step step, index gates, bool has_cell, std::vector<std::string_view> functions) {
  edge x = c.x(0);
  // With layout 1 batches come first.
  const bool batch_first = c.integer("layout", 0) != 0;
  if (batch_first) x = c.m.transpose(x, {1, 0, 2});
  const shape s = c.m.static_extents(x);
  if (s.rank != 3) c.fail("the input has steps, a batch and features");
  const auto direction = c.text("direction", "forward");
  const std::size_t directions = direction == "bidirectional" ? 2 : 1;
  const index steps = s[0], batch = s[1];
  if (steps < 1) c.fail("there are no steps");
  if (steps > c.m.limits().nodes) c.fail("there are more steps than load_limits allow nodes");
  const shape r = c.m.static_extents(c.x(2));
  if (r.rank != 3 || r[0] != static_cast<index>(directions) || r[1] != gates * r[2])
    c.fail("the recurrent weights do not have the extents of the layer");
  const index hidden = r[2];
  const edge zeros = c.m.broadcast_to(c.m.number_like(x, 0), {batch, hidden});
  edge lengths{};
  if (c.has(4)) lengths = c.m.expand_dims(c.m.cast(c.x(4), dtype::int64), 1);
  list<edge> last_h, last_cell;
  std::vector<list<edge>> rows(directions);
  for (std::size_t k = 0; k < directions; ++k) {
    const int at = static_cast<int>(k);
    const auto own = [&](std::size_t input) { return c.m.item(c.x(input), 0, at); };
    const auto initial = [&](std::size_t input) { return c.has(input) ? c.m.item(c.x(input), batch_first ? 1 : 0, at) : zeros; };
    recurrent_direction d{
        own(1), own(2), {}, {}, {}, c.has(3), has_cell && c.has(7), false, hidden, activations(c, functions, k, directions)};
    if (d.has_bias) {
      d.bias_w = c.m.part(own(3), 0, 0, gates * hidden);
      d.bias_r = c.m.part(own(3), 0, gates * hidden, 2 * gates * hidden);
    }
    if (d.has_peephole) d.peephole = own(7);
    recurrent_state now{initial(5), has_cell ? initial(6) : zeros};
    const bool backward = direction == "reverse" || k == 1;
    list<edge> out(static_cast<int>(steps));
    for (index i = 0; i < steps; ++i) {
      const index t = backward ? steps - 1 - i : i;
      recurrent_state next = step(c, d, c.m.item(x, 0, t), now);
      edge shown = next.h;
      if (c.has(4)) {
        // Behind the end of its sequence a state stays, and what is shown is 0.
        const edge runs = c.m.binary(ops::less, c.m.number(dtype::int64, t), lengths);
        shown = c.m.select(runs, next.h, c.m.number_like(next.h, 0));
        next = {c.m.select(runs, next.h, now.h), has_cell ? c.m.select(runs, next.cell, now.cell) : now.cell};
      }
      now = next;
      out[t] = shown;
    }
    rows[k] = out;
    last_h.push_back(now.h);
    last_cell.push_back(now.cell);
  }
  const auto along_directions = [&](const list<edge>& of) { return c.m.call(ops::pack, of, {attr::number("axis", batch_first ? 1 : 0)}); };
  if (c.wants(0)) {
    list<edge> of_directions;
    for (const auto& out : rows) of_directions.push_back(c.m.call(ops::pack, out, {attr::number("axis", 0)}));
    const edge y = c.m.call(ops::pack, of_directions, {attr::number("axis", 1)});
    c.out(batch_first ? c.m.transpose(y, {2, 0, 1, 3}) : y);
  }
  c.out(along_directions(last_h), 1);
  if (has_cell) c.out(along_directions(last_cell), 2);
}
inline void import_rnn(node_context& c) { import_recurrent(c, rnn_step, 1, false, {"Tanh"}); }
inline void import_gru(node_context& c) { import_recurrent(c, gru_step, 3, false, {"Sigmoid", "Tanh"}); }
inline void import_lstm(node_context& c) { import_recurrent(c, lstm_step, 4, true, {"Sigmoid", "Tanh", "Tanh"}); }

inline constexpr op_entry recurrent_ops[] = {{"GRU", import_gru}, {"LSTM", import_lstm}, {"RNN", import_rnn}};

}  // namespace jig::onnx
