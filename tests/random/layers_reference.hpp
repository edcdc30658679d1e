// SPDX-License-Identifier: MIT
#pragma once
// What networks are made of, as loops.

#include <random/functions_reference.hpp>
#include <recurrent_loops.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace nests {

enum class padding { valid, same, given };
/// How windows are laid on the axes of space of a tensor [batch, space..., channels].
struct windows {
  shape strides, dilations;
  padding zeros;
  shape given_before, given_behind;

  std::size_t axes() const { return strides.size(); }
  index reach(std::size_t a, index taps) const { return (taps - 1) * dilations[a] + 1; }
  index places(std::size_t a, index n, index taps) const {
    if (zeros == padding::same) return (n + strides[a] - 1) / strides[a];
    if (zeros == padding::given) n += given_before[a] + given_behind[a];
    return n < reach(a, taps) ? 0 : (n - reach(a, taps)) / strides[a] + 1;
  }
  index before(std::size_t a, index n, index taps) const {
    if (zeros != padding::same) return zeros == padding::given ? given_before[a] : 0;
    return std::max<index>((places(a, n, taps) - 1) * strides[a] + reach(a, taps) - n, 0) / 2;
  }
  /// The extent of which windows have so many places.
  index extent(std::size_t a, index n, index taps) const {
    if (zeros == padding::same) return n * strides[a];
    if (zeros == padding::valid) return n * strides[a] + std::max<index>(reach(a, taps) - strides[a], 0);
    return (n - 1) * strides[a] + reach(a, taps) - given_before[a] - given_behind[a];
  }
};
inline shape space_of(const value& x) { return {x.shape.begin() + 1, x.shape.end() - 1}; }
inline value image(const value& x, const shape& space, index channels) {
  shape s{x.shape[0]};
  s.insert(s.end(), space.begin(), space.end());
  s.push_back(channels);
  return empty(x.type, s);
}
/// Calls f(place of a window, element, tap), each a number within its axes of space, for what lies in windows.
template <class F>
void each_window(const shape& space, const shape& taps, const windows& w, F f) {
  shape all;
  for (std::size_t a = 0; a < w.axes(); ++a) all.push_back(w.places(a, space[a], taps[a]));
  all.insert(all.end(), taps.begin(), taps.end());
  each_position(all, [&](const shape& at, std::size_t) {
    index to = 0, from = 0, tap = 0;
    for (std::size_t a = 0; a < w.axes(); ++a) {
      const index t = at[w.axes() + a], here = at[a] * w.strides[a] + t * w.dilations[a] - w.before(a, space[a], taps[a]);
      if (here < 0 || here >= space[a]) return;
      to = to * all[a] + at[a], from = from * space[a] + here, tap = tap * taps[a] + t;
    }
    f(to, from, tap);
  });
}
/// A filter [taps..., channels in, channels out], of groups of channels where it has fewer than x.
inline value conv(const value& x, const value& filter, const windows& w) {
  const shape space = space_of(x), taps(filter.shape.begin(), filter.shape.end() - 2);
  shape places;
  for (std::size_t a = 0; a < w.axes(); ++a) places.push_back(w.places(a, space[a], taps[a]));
  const index all = x.shape.back(), in = filter.shape[w.axes()], out = filter.shape.back(), each = out / (all / in);
  value result = image(x, places, out);
  each_window(space, taps, w, [&](index to, index from, index tap) {
    for (index b = 0; b < x.shape[0]; ++b)
      for (index o = 0; o < out; ++o)
        for (index i = 0; i < in; ++i)
          result.data[static_cast<std::size_t>((b * elements(places) + to) * out + o)] +=
              x.data[static_cast<std::size_t>((b * elements(space) + from) * all + o / each * in + i)] *
              filter.data[static_cast<std::size_t>((tap * in + i) * out + o)];
  });
  return result;
}
/// Every element adds the filter [taps..., channels of the result, channels of x], times itself, to the result.
inline value conv_transpose(const value& x, const value& filter, const windows& w) {
  const shape places = space_of(x), taps(filter.shape.begin(), filter.shape.end() - 2);
  shape space;
  for (std::size_t a = 0; a < w.axes(); ++a) space.push_back(w.extent(a, places[a], taps[a]));
  const index in = x.shape.back(), out = filter.shape[w.axes()];
  value result = image(x, space, out);
  each_window(space, taps, w, [&](index from, index to, index tap) {
    for (index b = 0; b < x.shape[0]; ++b)
      for (index o = 0; o < out; ++o)
        for (index i = 0; i < in; ++i)
          result.data[static_cast<std::size_t>((b * elements(space) + to) * out + o)] +=
              x.data[static_cast<std::size_t>((b * elements(places) + from) * in + i)] *
              filter.data[static_cast<std::size_t>((tap * out + o) * in + i)];
  });
  return result;
}
/// f of x whose first axes are one.
template <class F>
value in_batches(const value& x, index axes, F f) {
  const shape batches(x.shape.begin(), x.shape.begin() + axes);
  shape s(x.shape.begin() + axes, x.shape.end());
  s.insert(s.begin(), elements(batches));
  value out = f(reshape(x, s));
  out.shape.erase(out.shape.begin());
  out.shape.insert(out.shape.begin(), batches.begin(), batches.end());
  return out;
}
/// The largest element of each window, or the mean of those inside.
inline value pool(const value& x, const shape& taps, const windows& w, bool mean) {
  const shape space = space_of(x);
  shape places;
  for (std::size_t a = 0; a < w.axes(); ++a) places.push_back(w.places(a, space[a], taps[a]));
  const index channels = x.shape.back(), count = elements(places);
  value out = image(x, places, channels);
  std::vector<index> inside(static_cast<std::size_t>(count));
  each_window(space, taps, w, [&](index to, index from, index) {
    const bool first = inside[static_cast<std::size_t>(to)]++ == 0;
    for (index b = 0; b < x.shape[0]; ++b)
      for (index c = 0; c < channels; ++c) {
        double& e = out.data[static_cast<std::size_t>((b * count + to) * channels + c)];
        const double here = x.data[static_cast<std::size_t>((b * elements(space) + from) * channels + c)];
        e = first ? here : mean ? e + here : std::max(e, here);
      }
  });
  if (mean)
    for (std::size_t i = 0; i < out.data.size(); ++i)
      out.data[i] /= static_cast<double>(inside[i / static_cast<std::size_t>(channels) % static_cast<std::size_t>(count)]);
  return out;
}

// All axes but the last one.
inline shape axes_before_last(const value& x) {
  shape out;
  for (std::size_t a = 0; a + 1 < x.shape.size(); ++a) out.push_back(static_cast<index>(a));
  return out;
}
inline value channel_mean(const value& x) { return reduce_mean(x, axes_before_last(x), false); }
inline value channel_variance(const value& x) { return reduce_variance(x, axes_before_last(x), false); }
inline value batch_norm(const value& x, const value& mean, const value& variance, const value& offset, const value& scale) {
  return add(multiply(multiply(subtract(x, mean), rsqrt(variance + 1e-3)), scale), offset);
}
inline value layer_norm(const value& x) {
  const auto last = static_cast<index>(x.shape.size()) - 1;
  return multiply(subtract(x, reduce_mean(x, {last}, true)), rsqrt(reduce_variance(x, {last}, true) + 1e-3));
}
inline value l2_normalize(const value& x, const shape& axes) {
  return divide(x, sqrt(maximum(reduce_sum(square(x), axes, true), constant(x.type, 1e-12))));
}

/// Of a query [batch, length, heads, dim], keys and what is weighted. Masks have dtype bool, biases another one.
inline value attention(const value& q, const value& k, const value& v, const std::vector<value>& options, bool causal) {
  const index batch = q.shape[0], length = q.shape[1], heads = q.shape[2], dim = q.shape[3], keys = k.shape[1], width = v.shape[3];
  value out = empty(q.type, {batch, length, heads, width});
  const auto element = [](const value& x, index a, index b, index c, index d) { return x.data[number(x.shape, {a, b, c, d})]; };
  each_position({batch, heads, length}, [&](const shape& at, std::size_t) {
    const index b = at[0], h = at[1], t = at[2];
    std::vector<double> scores, weights;
    double largest = -std::numeric_limits<double>::infinity();
    for (index s = 0; s < keys; ++s) {
      double score = 0;
      for (index d = 0; d < dim; ++d) score += element(q, b, t, h, d) * element(k, b, s, h, d) / std::sqrt(static_cast<double>(dim));
      bool counts = !causal || s <= t;
      for (const value& o : options) {
        if (o.type == dtype::boolean) counts = counts && element(o, b, h, t, s) != 0;
        else score += element(o, b, h, t, s);
      }
      scores.push_back(counts ? score : -std::numeric_limits<double>::infinity());
      largest = std::max(largest, scores.back());
    }
    double sum = 0;
    // Where all keys are left out they count alike.
    for (double s : scores) weights.push_back(std::isinf(largest) ? 1 : std::exp(s - largest)), sum += weights.back();
    for (index d = 0; d < width; ++d)
      for (index s = 0; s < keys; ++s)
        out.data[number(out.shape, {b, t, h, d})] += weights[static_cast<std::size_t>(s)] / sum * element(v, b, s, h, d);
  });
  return out;
}

struct recurrence {
  bool lstm, backwards, reset_before, straight, sequences;
  int result;  // outputs, the state, the cell, all of them side by side
};
/// A recurrent layer of x [batch, time, in], or one step of x [batch, in], from zeros or from states on.
inline value recurrent(const recurrence& r, const value& x, const value& kernel, const value& states, const value& bias,
                       const std::vector<value>& start) {
  const recurrent_loops::extents e{x.shape[0], x.shape.size() == 2 ? 1 : x.shape[1], x.shape.back(), states.shape[0]};
  recurrent_loops::results from;
  if (!start.empty()) from.h = start[0].data;
  if (start.size() > 1) from.c = start[1].data;
  const auto activation = r.straight ? recurrent_loops::relu : recurrent_loops::tanh;
  const auto found =
      r.lstm ? recurrent_loops::lstm(e, x.data, kernel.data, states.data, bias.data, activation, r.backwards, from)
             : recurrent_loops::gru(e, x.data, kernel.data, states.data, bias.data, !r.reset_before, activation, r.backwards, from);
  if (r.result == 0 && r.sequences) return {x.type, {e.batch, e.time, e.units}, found.outputs};
  const value h{x.type, {e.batch, e.units}, found.h}, c{x.type, {e.batch, e.units}, found.c};
  if (r.result < 3) return r.result == 2 ? c : h;
  // A step has no outputs but its state.
  const value outputs = x.shape.size() == 2 ? h : concat(h, h, 1);
  return r.lstm ? concat(outputs, c, 1) : outputs;
}

/// Elements are squares; the middle of one of the result lies in one of x, or between two.
inline value resize(const value& x, index rows, index columns, bool nearest) {
  value out = empty(x.type, {x.shape[0], rows, columns, x.shape[3]});
  each_position(out.shape, [&](const shape& at, std::size_t i) {
    const auto place = [&](std::size_t a) {
      return (static_cast<double>(at[a]) + 0.5) * static_cast<double>(x.shape[a]) / static_cast<double>(out.shape[a]);
    };
    const auto element = [&](double row, double column) {
      const auto limited = [&](double p, std::size_t a) {
        return std::min(std::max(static_cast<index>(std::floor(p)), index{0}), x.shape[a] - 1);
      };
      return x.data[number(x.shape, {at[0], limited(row, 1), limited(column, 2), at[3]})];
    };
    if (nearest) {
      const index in = (2 * at[1] + 1) * x.shape[1] / (2 * rows), across = (2 * at[2] + 1) * x.shape[2] / (2 * columns);
      out.data[i] = element(static_cast<double>(in), static_cast<double>(across));
      return;
    }
    const double row = place(1) - 0.5, column = place(2) - 0.5, down = row - std::floor(row), right = column - std::floor(column);
    out.data[i] = (1 - down) * ((1 - right) * element(row, column) + right * element(row, column + 1)) +
                  down * ((1 - right) * element(row + 1, column) + right * element(row + 1, column + 1));
  });
  return out;
}
/// Blocks of pixels as channels, row by row.
inline value space_to_depth(const value& x, index block) {
  const index channels = x.shape[3];
  return read(x, {x.shape[0], x.shape[1] / block, x.shape[2] / block, channels * block * block}, [&](const shape& at) {
    const index pixel = at[3] / channels;
    return shape{at[0], at[1] * block + pixel / block, at[2] * block + pixel % block, at[3] % channels};
  });
}
inline value depth_to_space(const value& x, index block) {
  const index channels = x.shape[3] / block / block;
  return read(x, {x.shape[0], x.shape[1] * block, x.shape[2] * block, channels}, [&](const shape& at) {
    return shape{at[0], at[1] / block, at[2] / block, (at[1] % block * block + at[2] % block) * channels + at[3]};
  });
}
inline value cross_entropy(const value& labels, const value& logits) {
  const auto last = static_cast<index>(logits.shape.size()) - 1;
  return negative(reduce_sum(multiply(labels, log_softmax(logits, last)), {last}, false));
}

}  // namespace nests
