// SPDX-License-Identifier: MIT
#include <jig/io/loaded_function.hpp>
#include <jig/io/onnx.hpp>

#include "../../data/written_file.hpp"
#include "written.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using jig::any_tensor;
using numbers = std::vector<double>;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double activate(const std::string& f, double x) {
  if (f == "Relu") return std::max(x, 0.0);
  if (f == "HardSigmoid") return std::clamp(0.2 * x + 0.5, 0.0, 1.0);
  return f == "Tanh" ? std::tanh(x) : sigmoid(x);
}

// A layer as its node describes it. What is empty is not given.
struct layer {
  std::string kind, direction = "forward";
  jig::index steps = 1, batch = 1, in = 1, hidden = 1;
  numbers x, w, r, b{}, lengths{}, h{}, cell{}, peephole{};
  std::vector<std::string> activations{};
  double clip = 0;
  bool linear_before_reset = false, input_forget = false, batch_first = false, wants_outputs = true, wildcards = false;

  jig::index gates() const { return kind == "LSTM" ? 4 : kind == "GRU" ? 3 : 1; }
  jig::index directions() const { return direction == "bidirectional" ? 2 : 1; }
  std::size_t functions() const { return kind == "LSTM" ? 3 : kind == "GRU" ? 2 : 1; }
};

// What the layer gives, element by element, in the order of ONNX's default layout: all outputs, the last state and the last cell.
struct plain_layer {
  const layer& l;
  numbers y, last, last_cell;

  explicit plain_layer(const layer& of)
      : l(of),
        y(size(of.steps * of.directions() * of.batch * of.hidden)),
        last(size(of.directions() * of.batch * of.hidden)),
        last_cell(last) {
    for (jig::index d = 0; d < l.directions(); ++d)
      for (jig::index n = 0; n < l.batch; ++n) run(d, n);
  }

 private:
  static std::size_t size(jig::index n) { return static_cast<std::size_t>(n); }
  static double at(const numbers& x, jig::index i) { return x.empty() ? 0 : x[size(i)]; }
  double function(jig::index d, std::size_t k, double x) const {
    if (l.clip > 0) x = k < (l.kind == "LSTM" ? 2 : l.functions()) ? std::clamp(x, -l.clip, l.clip) : x;
    const std::string usual[] = {l.kind == "RNN" ? "Tanh" : "Sigmoid", "Tanh", "Tanh"};
    return activate(l.activations.empty() ? usual[k] : l.activations[size(d) * l.functions() + k], x);
  }
  double gate(jig::index d, jig::index g, const double* x) const {
    const jig::index rows = l.gates() * l.hidden;
    double sum = at(l.b, d * 2 * rows + g);
    for (jig::index i = 0; i < l.in; ++i) sum += at(l.w, (d * rows + g) * l.in + i) * x[i];
    return sum;
  }
  double recurrent(jig::index d, jig::index g, const numbers& h) const {
    const jig::index rows = l.gates() * l.hidden;
    double sum = at(l.b, (d * 2 + 1) * rows + g);
    for (jig::index i = 0; i < l.hidden; ++i) sum += at(l.r, (d * rows + g) * l.hidden + i) * h[size(i)];
    return sum;
  }
  void run(jig::index d, jig::index n) {
    const jig::index width = l.hidden, own = (d * l.batch + n) * width;
    numbers h(size(width)), cell(size(width));
    for (jig::index k = 0; k < width; ++k) h[size(k)] = at(l.h, own + k), cell[size(k)] = at(l.cell, own + k);
    for (jig::index i = 0; i < l.steps; ++i) {
      const jig::index t = l.direction == "reverse" || d == 1 ? l.steps - 1 - i : i;
      if (!l.lengths.empty() && static_cast<double>(t) >= l.lengths[size(n)]) continue;
      step(d, l.x.data() + (t * l.batch + n) * l.in, h, cell);
      for (jig::index k = 0; k < width; ++k) y[size(((t * l.directions() + d) * l.batch + n) * width + k)] = h[size(k)];
    }
    for (jig::index k = 0; k < width; ++k) last[size(own + k)] = h[size(k)], last_cell[size(own + k)] = cell[size(k)];
  }
  void step(jig::index d, const double* x, numbers& h, numbers& cell) const {
    const jig::index width = l.hidden;
    const auto both = [&](jig::index g) { return gate(d, g, x) + recurrent(d, g, h); };
    numbers next(size(width));
    if (l.kind == "RNN") {
      for (jig::index k = 0; k < width; ++k) next[size(k)] = function(d, 0, both(k));
    } else if (l.kind == "GRU") {
      numbers z(size(width)), r(size(width)), reset(size(width));
      for (jig::index k = 0; k < width; ++k) {
        z[size(k)] = function(d, 0, both(k));
        r[size(k)] = function(d, 0, both(width + k));
        reset[size(k)] = r[size(k)] * h[size(k)];
      }
      for (jig::index k = 0; k < width; ++k) {
        const double past = l.linear_before_reset ? r[size(k)] * recurrent(d, 2 * width + k, h) : recurrent(d, 2 * width + k, reset);
        const double candidate = function(d, 1, gate(d, 2 * width + k, x) + past);
        next[size(k)] = (1 - z[size(k)]) * candidate + z[size(k)] * h[size(k)];
      }
    } else {
      for (jig::index k = 0; k < width; ++k) {
        const auto peep = [&](jig::index p, double c) { return at(l.peephole, (d * 3 + p) * width + k) * c; };
        double& c = cell[size(k)];
        const double i = function(d, 0, both(k) + peep(0, c));
        const double f = l.input_forget ? 1 - i : function(d, 0, both(2 * width + k) + peep(2, c));
        c = f * c + i * function(d, 1, both(3 * width + k));
        next[size(k)] = function(d, 0, both(width + k) + peep(1, c)) * function(d, 2, c);
      }
    }
    h = next;
  }
};

std::string model_of(const layer& l) {
  written_onnx::written g;
  const jig::index rows = l.gates() * l.hidden, d = l.directions();
  const jig::index steps = l.wildcards ? -1 : l.steps, batch = l.wildcards ? -1 : l.batch;
  const auto float32 = jig::dtype::float32;
  std::vector<std::string> inputs{"x", "w", "r", l.b.empty() ? "" : "b", l.lengths.empty() ? "" : "lengths", l.h.empty() ? "" : "h"};
  g.value(11, "x", float32, l.batch_first ? std::vector<jig::index>{batch, steps, l.in} : std::vector<jig::index>{steps, batch, l.in});
  g.value(11, "w", float32, {d, rows, l.in});
  g.value(11, "r", float32, {d, rows, l.hidden});
  if (!l.b.empty()) g.value(11, "b", float32, {d, 2 * rows});
  if (!l.lengths.empty()) g.value(11, "lengths", jig::dtype::int32, {batch});
  const std::vector<jig::index> state =
      l.batch_first ? std::vector<jig::index>{batch, d, l.hidden} : std::vector<jig::index>{d, batch, l.hidden};
  if (!l.h.empty()) g.value(11, "h", float32, state);
  if (l.kind == "LSTM") {
    inputs.push_back(l.cell.empty() ? "" : "cell");
    inputs.push_back(l.peephole.empty() ? "" : "peephole");
    if (!l.cell.empty()) g.value(11, "cell", float32, state);
    if (!l.peephole.empty()) g.value(11, "peephole", float32, {d, 3 * l.hidden});
  }
  const auto write = [](jig::wire_writer& n, const char* name, auto value) {
    n.message(5, [&](jig::wire_writer& a) {
      a.bytes(1, name);
      value(a);
    });
  };
  const auto integer = [&](jig::wire_writer& n, const char* name, jig::index i) {
    write(n, name, [&](jig::wire_writer& a) { a.integer(3, i), a.number(20, 2); });
  };
  g.graph.message(1, [&](jig::wire_writer& n) {
    for (const auto& i : inputs) n.bytes(1, i);
    n.bytes(2, l.wants_outputs ? "y" : "");
    n.bytes(2, "last");
    if (l.kind == "LSTM") n.bytes(2, "last_cell");
    n.bytes(4, l.kind);
    integer(n, "hidden_size", l.hidden);
    write(n, "direction", [&](jig::wire_writer& a) { a.bytes(4, l.direction), a.number(20, 3); });
    if (l.clip > 0) write(n, "clip", [&](jig::wire_writer& a) { a.real(2, static_cast<float>(l.clip)), a.number(20, 1); });
    if (l.linear_before_reset) integer(n, "linear_before_reset", 1);
    if (l.input_forget) integer(n, "input_forget", 1);
    if (l.batch_first) integer(n, "layout", 1);
    if (!l.activations.empty())
      write(n, "activations", [&](jig::wire_writer& a) {
        for (const auto& f : l.activations) a.bytes(9, f);
        a.number(20, 8);
      });
  });
  if (l.wants_outputs) g.value(12, "y");
  g.value(12, "last");
  if (l.kind == "LSTM") g.value(12, "last_cell");
  return g.model();
}

any_tensor tensor_of(const numbers& x, const jig::shape& s, jig::dtype d = jig::dtype::float32) {
  any_tensor t = any_tensor::empty(d, s);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (d == jig::dtype::int32) static_cast<std::int32_t*>(t.mutable_data())[i] = static_cast<std::int32_t>(x[i]);
    else static_cast<float*>(t.mutable_data())[i] = static_cast<float>(x[i]);
  return t;
}
// Exchanges the first two of the axes of [a, b, n].
numbers exchanged(const numbers& x, jig::index a, jig::index b) {
  numbers out(x.size());
  const std::size_t n = x.size() / static_cast<std::size_t>(a * b);
  for (std::size_t i = 0; i < static_cast<std::size_t>(a); ++i)
    for (std::size_t j = 0; j < static_cast<std::size_t>(b); ++j)
      std::copy_n(&x[(i * static_cast<std::size_t>(b) + j) * n], n, &out[(j * static_cast<std::size_t>(a) + i) * n]);
  return out;
}

// How far the results of a model are from those of the plain layer.
double distance(const layer& l, const jig::loaded_function& f) {
  const jig::index rows = l.gates() * l.hidden, d = l.directions();
  std::vector<any_tensor> given;
  if (l.batch_first) given.push_back(tensor_of(exchanged(l.x, l.steps, l.batch), {3, {l.batch, l.steps, l.in}}));
  else given.push_back(tensor_of(l.x, {3, {l.steps, l.batch, l.in}}));
  given.push_back(tensor_of(l.w, {3, {d, rows, l.in}}));
  given.push_back(tensor_of(l.r, {3, {d, rows, l.hidden}}));
  if (!l.b.empty()) given.push_back(tensor_of(l.b, {2, {d, 2 * rows}}));
  if (!l.lengths.empty()) given.push_back(tensor_of(l.lengths, {1, {l.batch}}, jig::dtype::int32));
  for (const auto* s : {&l.h, &l.cell})
    if (!s->empty())
      given.push_back(l.batch_first ? tensor_of(exchanged(*s, d, l.batch), {3, {l.batch, d, l.hidden}})
                                    : tensor_of(*s, {3, {d, l.batch, l.hidden}}));
  if (!l.peephole.empty()) given.push_back(tensor_of(l.peephole, {2, {d, 3 * l.hidden}}));
  const auto results = f.call(given);
  const plain_layer expected(l);
  std::vector<std::pair<const numbers*, jig::shape>> all{{&expected.last, {3, {d, l.batch, l.hidden}}}};
  if (l.wants_outputs) all.insert(all.begin(), {&expected.y, {4, {l.steps, d, l.batch, l.hidden}}});
  if (l.kind == "LSTM") all.push_back({&expected.last_cell, {3, {d, l.batch, l.hidden}}});
  if (results.size() != all.size()) return 1e9;
  double worst = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    auto [values, s] = all[k];
    any_tensor found = results[k];
    if (l.batch_first) {
      // [batch, steps, directions, hidden] and [batch, directions, hidden].
      if (s.rank == 4) s = {4, {s[2], s[0], s[1], s[3]}};
      else std::swap(s[0], s[1]);
    }
    if (!(found.shape() == s)) return 1e9;
    const auto* y = static_cast<const float*>(found.data());
    for (jig::index i = 0; i < s.size(); ++i) {
      jig::index from = i;
      if (l.batch_first) {
        const jig::index unit = i % l.hidden, before = i / l.hidden;
        if (s.rank == 4) from = (before % (s[1] * s[2]) * s[0] + before / (s[1] * s[2])) * l.hidden + unit;
        else from = (before % s[1] * s[0] + before / s[1]) * l.hidden + unit;
      }
      worst = std::max(worst, std::fabs((*values)[static_cast<std::size_t>(from)] - static_cast<double>(y[i])));
    }
  }
  return worst;
}

jig::loaded_function loaded(const layer& l) {
  const written_file file(model_of(l));
  return jig::loaded_function(jig::detail::read_onnx(file.path(), {}));
}

struct choices {
  std::mt19937 random{7};
  jig::index between(jig::index low, jig::index high) { return std::uniform_int_distribution<jig::index>(low, high)(random); }
  bool yes() { return between(0, 1) == 1; }
  // Small factors keep what Relu lets through small.
  numbers some(jig::index n, double largest = 1) {
    numbers x(static_cast<std::size_t>(n));
    for (auto& e : x) e = static_cast<double>(static_cast<float>(std::uniform_real_distribution<double>(-largest, largest)(random)));
    return x;
  }
  layer any() {
    layer l;
    l.kind = std::vector<std::string>{"RNN", "GRU", "LSTM"}[static_cast<std::size_t>(between(0, 2))];
    l.direction = std::vector<std::string>{"forward", "reverse", "bidirectional"}[static_cast<std::size_t>(between(0, 2))];
    l.steps = between(1, 6), l.batch = between(1, 12), l.in = between(1, 9), l.hidden = between(1, 18);
    const jig::index d = l.directions(), rows = l.gates() * l.hidden;
    l.x = some(l.steps * l.batch * l.in), l.w = some(d * rows * l.in), l.r = some(d * rows * l.hidden, 0.1);
    if (yes()) l.b = some(d * 2 * rows);
    if (yes()) l.h = some(d * l.batch * l.hidden);
    if (yes())
      for (jig::index n = 0; n < l.batch; ++n) l.lengths.push_back(static_cast<double>(between(0, l.steps)));
    if (yes()) l.clip = 0.5;
    if (yes())
      for (std::size_t k = 0; k < l.functions() * static_cast<std::size_t>(d); ++k)
        l.activations.push_back(
            std::vector<std::string>{"Relu", "Tanh", "HardSigmoid", "Sigmoid"}[static_cast<std::size_t>(between(0, 3))]);
    l.linear_before_reset = l.kind == "GRU" && yes();
    if (l.kind == "LSTM") {
      l.input_forget = yes();
      if (yes()) l.cell = some(d * l.batch * l.hidden);
      if (yes()) l.peephole = some(d * 3 * l.hidden);
    }
    l.batch_first = yes(), l.wants_outputs = yes(), l.wildcards = yes();
    return l;
  }
};

}  // namespace

TEST_CASE("recurrent layers are what their equations say") {
  choices random;
  for (int trial = 0; trial < 150; ++trial) {
    const layer l = random.any();
    const auto f = loaded(l);
    CAPTURE(trial);
    CHECK(distance(l, f) < 1e-4);
    CHECK(f.graph().count("While") == static_cast<int>(l.directions()));
  }
}

TEST_CASE("a layer of wildcards takes any steps and batches") {
  choices random;
  layer l;
  while (l.kind != "LSTM" || !l.wildcards || l.b.empty()) l = random.any();
  l.lengths.clear(), l.h.clear(), l.cell.clear();
  const auto f = loaded(l);
  for (const jig::index steps : {1, 2, 17})
    for (const jig::index batch : {1, 5}) {
      l.steps = steps, l.batch = batch;
      l.x = random.some(steps * batch * l.in);
      CHECK(distance(l, f) < 1e-4);
    }
}

TEST_CASE("graphs do not grow with steps") {
  choices random;
  layer l;
  while (l.kind != "GRU" || l.wildcards) l = random.any();
  l.lengths.clear();
  const int nodes = loaded(l).graph().size();
  l.steps = 1000;
  l.x = random.some(l.steps * l.batch * l.in);
  const auto f = loaded(l);
  CHECK(f.graph().size() == nodes);
  CHECK(distance(l, f) < 1e-4);
}
