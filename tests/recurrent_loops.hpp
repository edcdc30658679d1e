// SPDX-License-Identifier: MIT
#pragma once
// Recurrent layers as plain loops over doubles.

#include <jig/core/shape.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace recurrent_loops {

using numbers = std::vector<double>;

struct extents {
  jig::index batch, time, in, units;
};
/// What a layer gives: all outputs, in the order of the steps, and the states behind the last one.
struct results {
  numbers outputs, h, c;
};

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
inline double tanh(double x) { return std::tanh(x); }
inline double relu(double x) { return std::max(x, 0.0); }

/// The sum over p of x[p] w(p, column).
inline double product(const double* x, const numbers& w, jig::index rows, jig::index columns, jig::index column) {
  double sum = 0;
  for (jig::index p = 0; p < rows; ++p) sum += x[p] * w[static_cast<std::size_t>(p * columns + column)];
  return sum;
}

/// A layer that takes step(x, h, c) for every sample in turn.
template <class Step>
results over_time(const extents& e, const numbers& x, bool backwards, Step step, results at = {}) {
  const auto size = static_cast<std::size_t>(e.batch * e.units);
  at.h.resize(size);
  at.c.resize(size);
  at.outputs.assign(static_cast<std::size_t>(e.batch * e.time * e.units), 0);
  for (jig::index n = 0; n < e.batch; ++n)
    for (jig::index t = 0; t < e.time; ++t) {
      const double* from = x.data() + (n * e.time + (backwards ? e.time - 1 - t : t)) * e.in;
      step(from, at.h.data() + n * e.units, at.c.data() + n * e.units);
      std::copy_n(at.h.data() + n * e.units, e.units, at.outputs.data() + (n * e.time + t) * e.units);
    }
  return at;
}

inline results lstm(const extents& e, const numbers& x, const numbers& kernel, const numbers& recurrent, const numbers& bias,
                    double (*activation)(double) = tanh, bool backwards = false, results from = {}) {
  auto step = [&](const double* in, double* h, double* c) {
    numbers z;
    for (jig::index j = 0; j < 4 * e.units; ++j)
      z.push_back(product(in, kernel, e.in, 4 * e.units, j) + product(h, recurrent, e.units, 4 * e.units, j) +
                  bias[static_cast<std::size_t>(j)]);
    for (jig::index j = 0; j < e.units; ++j) {
      auto gate = [&](jig::index k) { return z[static_cast<std::size_t>(k * e.units + j)]; };
      c[j] = sigmoid(gate(1)) * c[j] + sigmoid(gate(0)) * activation(gate(2));
      h[j] = sigmoid(gate(3)) * activation(c[j]);
    }
  };
  return over_time(e, x, backwards, step, from);
}

inline results gru(const extents& e, const numbers& x, const numbers& kernel, const numbers& recurrent, const numbers& bias,
                   bool reset_after, double (*activation)(double) = tanh, bool backwards = false, results from = {}) {
  const jig::index width = 3 * e.units;
  auto step = [&](const double* in, double* h, double*) {
    auto of_step = [&](jig::index j) { return product(in, kernel, e.in, width, j) + bias[static_cast<std::size_t>(j)]; };
    auto of_state = [&](const double* state, jig::index j) {
      return product(state, recurrent, e.units, width, j) + (reset_after ? bias[static_cast<std::size_t>(width + j)] : 0);
    };
    numbers update, reset, reset_state, next;
    for (jig::index j = 0; j < e.units; ++j) {
      update.push_back(sigmoid(of_step(j) + of_state(h, j)));
      reset.push_back(sigmoid(of_step(e.units + j) + of_state(h, e.units + j)));
      reset_state.push_back(reset.back() * h[j]);
    }
    for (jig::index j = 0; j < e.units; ++j) {
      const auto k = static_cast<std::size_t>(j);
      const double candidate = of_step(2 * e.units + j) +
                               (reset_after ? reset[k] * of_state(h, 2 * e.units + j) : of_state(reset_state.data(), 2 * e.units + j));
      next.push_back(update[k] * h[j] + (1 - update[k]) * activation(candidate));
    }
    std::copy(next.begin(), next.end(), h);
  };
  return over_time(e, x, backwards, step, from);
}

/// Numbers without a pattern between -1 and 1.
inline numbers some(jig::index count, int seed) {
  numbers out;
  for (jig::index k = 0; k < count; ++k) out.push_back(static_cast<double>((k + 1) * 7919 * seed % 1009) / 504.5 - 1);
  return out;
}
/// Those as a tensor with these extents.
template <class Tensor>
Tensor filled(Tensor x, int seed) {
  const numbers from = some(x.size(), seed);
  for (jig::index k = 0; k < x.size(); ++k) x.data()[k] = static_cast<typename Tensor::value_type>(from[static_cast<std::size_t>(k)]);
  return x;
}
template <class Tensor>
numbers elements(const Tensor& x) {
  numbers out;
  for (auto value : x) out.push_back(static_cast<double>(value));
  return out;
}
/// How far elements are from what is expected at most; infinity where there are others in number.
template <class Tensor>
double distance(const Tensor& x, const numbers& expected) {
  if (x.size() != static_cast<jig::index>(expected.size())) return HUGE_VAL;
  double most = 0;
  for (jig::index k = 0; k < x.size(); ++k) {
    const double apart = std::abs(static_cast<double>(x.data()[k]) - expected[static_cast<std::size_t>(k)]);
    if (!(apart <= most)) most = apart;
  }
  return most;
}

}  // namespace recurrent_loops
