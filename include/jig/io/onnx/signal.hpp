// SPDX-License-Identifier: MIT
#pragma once
// ONNX's ops of signals: transforms are products with matrices of cosines and sines, in double.

#include <jig/io/onnx/node.hpp>

#include <cmath>
#include <numbers>

namespace jig::onnx {

inline index known_count(node_context& c, std::size_t input, index most = index{1} << 24) {
  const auto given = c.m.known_integers(c.x(input));
  if (given.size() != 1 || given[0] < 1 || given[0] > most) c.fail("a length is out of range");
  return given[0];
}
inline void import_window(node_context& c, double a0, double a1, double a2) {
  const index n = known_count(c, 0);
  c.m.require_size({dtype::float64, shape{1, {n}}});
  const double period = static_cast<double>(c.flag("periodic", true) ? n : n - 1);
  std::vector<double> out;
  for (index i = 0; i < n; ++i) {
    const double at = 2 * std::numbers::pi * static_cast<double>(i) / period;
    out.push_back(a0 - a1 * std::cos(at) + a2 * std::cos(2 * at));
  }
  c.out(c.m.constants(out, require_dtype(static_cast<element_type>(c.integer("output_datatype", 1)))));
}
inline void import_hann(node_context& c) { import_window(c, 0.5, 0.5, 0); }
inline void import_hamming(node_context& c) { import_window(c, 25.0 / 46, 21.0 / 46, 0); }
inline void import_blackman(node_context& c) { import_window(c, 0.42, 0.5, 0.08); }

/// The transform of the last axis but one of [..., length, parts] to [..., bins, 2], in double.
inline edge transformed(node_context& c, edge x, index length, bool inverse, bool one_sided) {
  x = c.m.cast(x, dtype::float64);
  const int rank = c.m.rank(x), along = rank - 2;
  const shape s = c.m.static_extents(x);
  if (s[rank - 1] != 1 && s[rank - 1] != 2) c.fail("the last axis has a real part, or a real and an imaginary one");
  if (length < 1 || length > 8192) c.fail("transforms have at most 8192 elements");
  const index used = (std::min)(length, s[along]), bins = one_sided ? length / 2 + 1 : length;
  c.m.require_size({dtype::float64, shape{2, {bins, used}}});
  std::vector<double> cosines, sines;
  for (index k = 0; k < bins; ++k)
    for (index i = 0; i < used; ++i) {
      const double at = 2 * std::numbers::pi * static_cast<double>(i * k % length) / static_cast<double>(length);
      const double scale = inverse ? 1 / static_cast<double>(length) : 1;
      cosines.push_back(scale * std::cos(at));
      sines.push_back((inverse ? -scale : scale) * std::sin(at));
    }
  const edge C = c.m.reshape(c.m.constants(cosines), {bins, used}), S = c.m.reshape(c.m.constants(sines), {bins, used});
  const auto times = [&](edge m, edge part) {
    const index rows = c.m.extents(part).size() / (std::max)(used, index{1});
    list<index> to = list_of(c.m.extents(part));
    to[to.size() - 1] = bins;
    return c.m.reshape(c.m.matmul(c.m.reshape(part, {rows, used}), m, false, true), to);
  };
  const edge taken = c.m.part(x, along, 0, used), real = c.m.item(taken, rank - 1, 0);
  edge re = times(C, real), im = c.m.unary(ops::neg, times(S, real));
  if (s[rank - 1] == 2) {
    const edge imaginary = c.m.item(taken, rank - 1, 1);
    re = c.m.add(re, times(S, imaginary));
    im = c.m.add(im, times(C, imaginary));
  }
  return c.m.call(ops::pack, {re, im}, {attr::number("axis", rank - 1)});
}
inline void import_dft(node_context& c) {
  const edge x = c.x(0);
  const int rank = c.m.rank(x);
  if (rank < 2) c.fail("a signal has an axis, and one for its parts behind it");
  const int axis = c.axis(c.integer("axis", 1), rank);
  if (axis == rank - 1) c.fail("the parts of numbers are no axis to transform");
  const index length = c.has(1) ? known_count(c, 1) : c.m.static_extent(x, axis);
  list<index> order;
  for (int a = 0; a < rank; ++a) order.push_back(a == axis ? rank - 2 : a == rank - 2 ? axis : a);
  const edge y = transformed(c, c.m.transpose(x, order), length, c.flag("inverse"), c.flag("onesided"));
  c.out(c.m.cast(c.m.transpose(y, order), c.m.type(x)));
}
inline void import_stft(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.static_extents(x);
  if (s.rank < 2 || s.rank > 3) c.fail("a signal has a batch and an axis of time");
  const edge signal = s.rank == 2 ? c.m.expand_dims(x, 2) : x;
  const index step = known_count(c, 1);
  index length = c.has(3) ? known_count(c, 3) : 0;
  if (c.has(2)) length = c.m.static_extent(c.x(2), 0);
  if (length < 1 || length > s[1]) c.fail("a frame is longer than the signal");
  const index frames = (s[1] - length) / step + 1;
  c.m.require_size({dtype::int64, shape{2, {frames, length}}});
  std::vector<index> at;
  for (index f = 0; f < frames; ++f)
    for (index i = 0; i < length; ++i) at.push_back(f * step + i);
  edge of_frames = c.m.cast(c.m.gather(signal, c.m.reshape(c.m.constants(at), {frames, length}), 1), dtype::float64);
  if (c.has(2)) of_frames = c.m.mul(of_frames, c.m.reshape(c.m.cast(c.x(2), dtype::float64), {length, 1}));
  c.out(c.m.cast(transformed(c, of_frames, length, false, c.flag("onesided", true)), c.m.type(x)));
}
inline void import_mel_weights(node_context& c) {
  const index bins = known_count(c, 0, 1 << 16), length = known_count(c, 1, 1 << 20), rate = known_count(c, 2, index{1} << 40);
  const double low = c.m.known_real(c.x(3)), high = c.m.known_real(c.x(4));
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const double step = (mel(high) - mel(low)) / static_cast<double>(bins + 2);
  const index rows = length / 2 + 1;
  std::vector<index> edges;
  for (index i = 0; i < bins + 2; ++i) {
    const double hertz = 700 * (std::pow(10, (static_cast<double>(i) * step + mel(low)) / 2595) - 1);
    const double at = std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate));
    if (!(at >= 0 && at < static_cast<double>(rows))) c.fail("the frequencies are out of range");
    edges.push_back(static_cast<index>(at));
  }
  c.m.require_size({dtype::float32, shape{2, {rows, bins}}});
  std::vector<double> out(static_cast<std::size_t>(rows * bins), 0.0);
  for (index i = 0; i < bins; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const index left = edges[k], center = edges[k + 1], right = edges[k + 2];
    const auto put = [&](index j, double w) { out[static_cast<std::size_t>(j * bins + i)] = w; };
    if (center == left) put(center, 1);
    for (index j = left; j <= center && center > left; ++j) put(j, static_cast<double>(j - left) / static_cast<double>(center - left));
    for (index j = center; j < right; ++j) put(j, static_cast<double>(right - j) / static_cast<double>(right - center));
  }
  const dtype d = require_dtype(static_cast<element_type>(c.integer("output_datatype", 1)));
  c.out(c.m.reshape(c.m.constants(out, d), {rows, bins}));
}

inline constexpr op_entry signal_ops[] = {
    {"BlackmanWindow", import_blackman},     {"DFT", import_dft},   {"HammingWindow", import_hamming}, {"HannWindow", import_hann},
    {"MelWeightMatrix", import_mel_weights}, {"STFT", import_stft},
};

}  // namespace jig::onnx
