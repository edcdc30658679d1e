// SPDX-License-Identifier: MIT
#pragma once
// What networks are made of, as steps of random programs: convolutions, pools, normalisations, attention, recurrences and losses, and what
// stands behind them.

#include "nest_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nest_programs {

class layer_steps : public matrix_steps {
 protected:
  using matrix_steps::matrix_steps;

  bool layer(int i) {
    switch (random_.below(15)) {
      case 0:
      case 1:
      case 2:
      case 3: return convolved(i) && behind(last());
      case 4:
      case 5: return pooled(i);
      case 6:
      case 7: return normalized(i);
      case 8: return attended(i) && behind(last());
      case 9:
      case 10: return recurrent(i);
      case 11: return resized(i);
      case 12: return blocks(i);
      case 13: return lost(i);
      default: return behind(i);
    }
  }
  /// What an image or a sequence may look like.
  axes layered_shape() {
    static const std::vector<int> some{1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 31, 33, 64, 65, 129};
    axes shape;
    for (int rank = random_.of(std::vector<int>{3, 4, 4, 4, 5}); rank > 0; --rank) {
      int extent = random_.of(some);
      while (elements(shape) * extent > most_elements()) extent = random_.of(some);
      shape.push_back({extent, true});
    }
    if (random_.one_in(2)) shape.front().extent = random_.between(1, 3);
    for (std::size_t k = shape.size(); k > 1; --k)
      if (random_.one_in(2)) std::swap(shape[k - 1], shape[static_cast<std::size_t>(random_.below(static_cast<int>(k)))]);
    choose_static(shape);
    return shape;
  }

 private:
  // A floating value with so many axes: this one, another one, or a new argument; -1 where there is no room.
  int with_rank(int i, int from, int to) {
    const auto fits = [&](int j) {
      const int rank = static_cast<int>(at(j).shape.size());
      return floating(at(j).type) && rank >= from && rank <= to;
    };
    if (fits(i)) return i;
    std::vector<int> found;
    for (int j = 0; j <= last(); ++j)
      if (fits(j)) found.push_back(j);
    if (!found.empty()) return random_.of(found);
    if (arguments_ >= 5) return -1;
    axes shape;
    for (int rank = random_.between(from, to); rank > 0; --rank) {
      int extent = random_.between(1, 17);
      while (elements(shape) * extent > most_elements()) extent = random_.between(1, 4);
      shape.push_back({extent, extent == 1 || extents_ == extents::all_static || random_.one_in(2)});
    }
    return argument(only(random_.one_in(4) ? dtype::twice : dtype::single), shape);
  }
  // An extent that a further argument has.
  axis some_extent(int extent) { return {extent, extent == 1 || extents_ == extents::all_static || !random_.one_in(4)}; }

  // The same extent, which the type of a further argument tells or not.
  axis alike(const axis& a) {
    const bool other = extents_ != extents::all_static && a.extent != 1 && random_.one_in(5);
    return {a.extent, a.is_static != other};
  }

  // How windows are laid on the axes of space of an image.
  struct windows {
    std::size_t channels = 0, space = 0;  // the axis of channels, the first one of space
    std::vector<int> taps, strides, dilations, before, behind;
    std::string zeros, options, reference;
    int all_taps() const {
      int n = 1;
      for (int t : taps) n *= t;
      return n;
    }
  };
  enum class laid { convolution, transposed, pool };
  static std::string ordered(const std::string& order, const std::string& x) { return "transpose(" + x + ", {" + order + "})"; }
  // A number for all axes, or one for each.
  std::string one_or_each(const std::vector<int>& numbers) {
    const bool same = std::count(numbers.begin(), numbers.end(), numbers[0]) == static_cast<std::ptrdiff_t>(numbers.size());
    return same && random_.one_in(2) ? std::to_string(numbers[0]) : list(numbers);
  }
  // Extents of the result are those of the axes of space in `shape`. Fails where windows do not fit.
  bool laid_windows(const value& v, laid kind, axes& shape, windows& w) {
    const bool first = random_.one_in(5), follow = kind == laid::pool && random_.one_in(3),
               dilates = kind != laid::pool && random_.one_in(3);
    const auto count = v.shape.size() - 2;
    w.channels = first ? 1 : v.shape.size() - 1;
    w.space = first ? 2 : 1;
    const int padding = random_.below(3);
    w.zeros = padding == 0 ? "valid" : padding == 1 ? "same" : "given";
    const int most_taps = kind == laid::pool || random_.one_in(2) ? 3 : 5;
    for (std::size_t a = 0; a < count; ++a) {
      int& n = shape[w.space + a].extent;
      int taps = random_.between(1, most_taps), dilation = dilates ? random_.between(1, 3) : 1, before = 0, behind = 0;
      // Each window of a pool has elements.
      if (padding == 2) before = random_.below(kind == laid::pool ? taps : 3), behind = random_.below(kind == laid::pool ? taps : 3);
      const int room = n + before + behind;
      if (padding != 1 && kind != laid::transposed) {
        if ((taps - 1) * dilation >= room) dilation = 1;
        taps = std::min(taps, room);
        if (kind == laid::pool) before = std::min(before, taps - 1), behind = std::min(behind, taps - 1);
      }
      const int stride = follow ? taps : random_.one_in(2) ? 1 : random_.between(1, 3), reach = (taps - 1) * dilation + 1;
      if (kind == laid::transposed)
        n = padding == 1   ? n * stride
            : padding == 0 ? n * stride + std::max(reach - stride, 0)
                           : (n - 1) * stride + reach - before - behind;
      else n = padding == 1 ? (n + stride - 1) / stride : (n + before + behind - reach) / stride + 1;
      if (n < 1) return false;
      w.taps.push_back(taps), w.strides.push_back(stride), w.dilations.push_back(dilation);
      w.before.push_back(before), w.behind.push_back(behind);
    }
    std::vector<std::string> options;
    const auto all_one = [](const std::vector<int>& list) {
      return std::count(list.begin(), list.end(), 1) == static_cast<std::ptrdiff_t>(list.size());
    };
    if (!follow && (kind == laid::pool || !all_one(w.strides) || random_.one_in(2)))
      options.push_back("strides<" + one_or_each(w.strides) + ">");
    if (!all_one(w.dilations)) options.push_back("dilations<" + one_or_each(w.dilations) + ">");
    if (padding == 2) {
      std::string numbers;
      for (std::size_t a = 0; a < count; ++a) numbers += (a == 0 ? "" : ", ") + list({w.before[a], w.behind[a]});
      options.push_back("explicit_padding<" + numbers + ">");
    } else if (padding == 1 || random_.one_in(3)) {
      options.push_back(w.zeros + "_padding");
    }
    if (first) options.push_back("channels_first");
    for (std::size_t k = options.size(); k > 0; --k) {
      const auto here = options.begin() + random_.below(static_cast<int>(k));
      w.options += ", " + *here;
      options.erase(here);
    }
    w.reference = "windows{{" + list(w.strides) + "}, {" + list(w.dilations) + "}, padding::" + w.zeros + ", {" + list(w.before) + "}, {" +
                  list(w.behind) + "}}";
    return true;
  }
  // The loops have channels as the last axis.
  static std::string channels_last(const value& v, const windows& w) {
    if (w.channels != 1) return v.name;
    std::vector<int> order{0};
    for (std::size_t a = 2; a < v.shape.size(); ++a) order.push_back(static_cast<int>(a));
    order.push_back(1);
    return ordered(list(order), v.name);
  }
  static std::string channels_back(const std::string& x, const value& v, const windows& w) {
    if (w.channels != 1) return x;
    std::vector<int> order{0, static_cast<int>(v.shape.size()) - 1};
    for (std::size_t a = 2; a < v.shape.size(); ++a) order.push_back(static_cast<int>(a) - 1);
    return ordered(list(order), x);
  }

  bool convolved(int given) {
    const int i = with_rank(given, 3, 5);
    if (i < 0 || arguments_ >= 8) return false;
    value v = at(i);
    // Batches may have several axes.
    axes batches{v.shape[0]};
    const std::string whole = v.name;
    if (v.shape.size() > 3 && random_.one_in(4)) {
      const auto more = random_.between(1, static_cast<int>(v.shape.size()) - 3);
      batches.insert(batches.end(), v.shape.begin() + 1, v.shape.begin() + 1 + more);
      v.shape.erase(v.shape.begin() + 1, v.shape.begin() + 1 + more);
      v.shape[0].extent = static_cast<int>(elements(batches));
      v.name = "images";
    }
    axes shape = v.shape;
    windows w;
    const bool transposed = random_.one_in(4);
    if (!laid_windows(v, transposed ? laid::transposed : laid::convolution, shape, w)) return false;
    const axis channels = v.shape[w.channels];
    const std::string space = std::to_string(w.taps.size()) + "d";
    axes filter;
    for (std::size_t a = 0; a < w.taps.size(); ++a) {
      filter.push_back(some_extent(w.taps[a]));
      // What depends on a wildcard is one.
      if (!filter.back().is_static && w.zeros != "same") shape[w.space + a].is_static = false;
    }
    int out = random_.of(std::vector<int>{1, 2, 3, 4, 8, 9, 16, 17, 33}), groups = 1;
    const bool depthwise = !transposed && w.taps.size() == 2 && random_.one_in(4);
    if (depthwise) {
      out = random_.between(1, 3);
      filter.push_back(alike(channels)), filter.push_back(some_extent(out));
      shape[w.channels] = {channels.extent * out, channels.is_static && filter.back().is_static};
      groups = channels.extent;
    } else {
      if (!transposed && channels.is_static && random_.one_in(3)) {
        std::vector<int> divisors;
        for (int d = 2; d <= channels.extent; ++d)
          if (channels.extent % d == 0) divisors.push_back(d);
        if (!divisors.empty()) groups = random_.of(divisors), out = groups * random_.between(1, 4);
      }
      const axis in = groups == 1 ? alike(channels) : axis{channels.extent / groups, true};
      const axis to = groups == 1 ? some_extent(out) : axis{out, true};
      filter.push_back(transposed ? to : in), filter.push_back(transposed ? in : to);
      shape[w.channels] = to;
    }
    const double sums = static_cast<double>(w.all_taps()) * channels.extent / groups;
    const auto positions = static_cast<double>(transposed ? elements(v.shape) / channels.extent * out : elements(shape));
    if (positions * sums > 20.0 * most_elements() || elements(filter) > most_elements()) return false;
    const int j = argument(v.type, filter);
    const value f = at(j);
    std::string with = w.options;
    double error = v.error * f.bound * sums;
    const bool all_three = w.taps == std::vector<int>{3, 3} && w.strides == std::vector<int>{1, 1} && w.dilations == w.strides;
    if (!transposed && !depthwise && groups == 1 && all_three && channels.is_static && random_.one_in(3)) {
      with += ", winograd";
      error += std::ldexp(v.bound * f.bound * sums, v.type == dtype::single ? -19 : -48);
    }
    const std::string filter_by_loops =
        depthwise ? "reshape(" + f.name + ", {" + list({w.taps[0], w.taps[1], 1, channels.extent * out}) + "})" : f.name;
    const std::string reference =
        std::string(transposed ? "conv_transpose(" : "conv(") + channels_last(v, w) + ", " + filter_by_loops + ", " + w.reference + ")";
    std::string by_loops = channels_back(reference, v, w);
    if (batches.size() > 1)
      by_loops = "in_batches(" + whole + ", " + std::to_string(batches.size()) + ", [&](const value& images) { return " + by_loops + "; })";
    shape.erase(shape.begin());
    shape.insert(shape.begin(), batches.begin(), batches.end());
    return add(v.type, shape, v.bound * f.bound * sums, v.grain + f.grain, error,
               (depthwise ? "depthwise_conv" : "conv") + space + (transposed ? "_transpose(" : "(") + whole + ", " + f.name + with + ")",
               by_loops, {i, j});
  }
  bool pooled(int given) {
    const bool mean = random_.one_in(2);
    const auto space_of = [&](int j) { return at(j).shape.size() >= 3 && at(j).shape.size() <= 5; };
    const int i = !mean && space_of(given) && at(given).type != dtype::boolean ? given : with_rank(given, 3, 5);
    if (i < 0) return false;
    const value v = at(i);
    axes shape = v.shape;
    windows w;
    if (!laid_windows(v, laid::pool, shape, w) || elements(shape) * w.all_taps() > 20 * most_elements()) return false;
    return add(
        v.type, shape, v.bound, v.grain, v.error,
        (mean ? "avg_pool" : "max_pool") + std::to_string(w.taps.size()) + "d<" + one_or_each(w.taps) + ">(" + v.name + w.options + ")",
        channels_back("pool(" + channels_last(v, w) + ", {" + list(w.taps) + "}, " + w.reference + (mean ? ", true)" : ", false)"), v, w),
        {i}, mean);
  }

  // What stands behind a layer: biases and factors of channels, what was there before, activations.
  bool behind(int i) {
    if (!floating(at(i).type) || at(i).shape.empty()) return false;
    for (int more = random_.below(4); more > 0; --more) {
      const int before = last();
      const value v = at(i);
      switch (random_.below(6)) {
        case 0:
        case 1: {
          if (arguments_ >= 8) return true;
          // Channels may be any axis.
          const int a = random_.one_in(3) ? random_.below(static_cast<int>(v.shape.size())) : static_cast<int>(v.shape.size()) - 1;
          axes own{v.shape[static_cast<std::size_t>(a)]};
          for (int b = a + 1; b < static_cast<int>(v.shape.size()); ++b) own.push_back({1, true});
          combined(i, argument(v.type, own));
          break;
        }
        case 2: {
          std::vector<int> alike;
          for (int j = 0; j <= last(); ++j)
            if (at(j).type == v.type && at(j).shape.size() == v.shape.size() && numbers_of(at(j).shape) == numbers_of(v.shape))
              alike.push_back(j);
          combined(i, random_.of(alike));
          break;
        }
        case 3: normalized(i); break;
        default: activated(i); break;
      }
      // Some are results, or read twice.
      if (last() == before) continue;
      i = random_.one_in(6) ? i : last();
    }
    return true;
  }

  bool normalized(int i) {
    const value v = at(i);
    if (!floating(v.type) || v.shape.empty() || v.bound > 1e4) return false;
    const int rank = static_cast<int>(v.shape.size());
    const double n = v.shape.back().extent, close = noise_of(v);
    const axes channels{v.shape.back()};
    // Distances from the mean are divided by no less than the root of 1e-3.
    const double factor = 32;
    const auto made = [&](double bound, double error, const std::string& text, const std::string& reference, std::vector<int> uses) {
      uses.push_back(i);
      return add(v.type, v.shape, bound, 0, error, text, reference, std::move(uses), true);
    };
    switch (random_.below(4)) {
      case 0: {
        if (random_.one_in(3))
          return made(std::sqrt(n), 2 * factor * close, "layer_norm(" + v.name + ")", "layer_norm(" + v.name + ")", {});
        if (arguments_ >= 7) return false;
        const int g = argument(v.type, channels), b = argument(v.type, channels);
        const std::string with = v.name + ", " + at(g).name + ", " + at(b).name;
        return made(2 * std::sqrt(n) + 2, 4 * factor * close, "layer_norm(" + with + ")",
                    "add(multiply(layer_norm(" + v.name + "), " + at(g).name + "), " + at(b).name + ")", {g, b});
      }
      case 1: {
        if (rank < 2 || arguments_ >= 7) return false;
        const bool training = random_.one_in(2);
        if (!training && arguments_ >= 5) return false;
        std::vector<int> uses{argument(v.type, channels), argument(v.type, channels)};
        std::string text, reference;
        if (training) {
          text = "std::get<0>(batch_moments(" + v.name + ")), std::get<1>(batch_moments(" + v.name + "))";
          reference = "channel_mean(" + v.name + "), channel_variance(" + v.name + ")";
        } else {
          uses.push_back(argument(v.type, channels)), uses.push_back(argument(v.type, channels));
          text = reference = at(uses[2]).name + ", abs(" + at(uses[3]).name + ")";
        }
        const std::string rest = ", " + at(uses[0]).name + ", " + at(uses[1]).name + ")";
        const double bound = (training ? std::sqrt(static_cast<double>(elements(v.shape))) : factor * (v.bound + 2)) * 2 + 2;
        return made(bound, 4 * factor * close, "batch_norm(" + v.name + ", " + text + rest,
                    "batch_norm(" + v.name + ", " + reference + rest, uses);
      }
      case 2: {
        // Of zeros the norm has no slope.
        if (!v.is_argument && gradients_) return false;
        const std::vector<int> which = some_axes(rank);
        // Numbers of which not all are zero are as large as their grain.
        if (v.error != 0) return false;
        return made(1, std::ldexp(close, -v.grain), "l2_normalize<" + list(which) + ">(" + v.name + ")",
                    "l2_normalize(" + v.name + ", {" + list(which) + "})", {});
      }
      default: {
        const std::vector<int> which = some_axes(rank);
        const bool keep = random_.one_in(2), second = random_.one_in(2);
        axes shape;
        for (int a = 0; a < rank; ++a)
          if (std::find(which.begin(), which.end(), a) == which.end()) shape.push_back(v.shape[static_cast<std::size_t>(a)]);
          else if (keep) shape.push_back({1, true});
        return add(
            v.type, shape, second ? 4 * v.bound * v.bound : v.bound, 0, second ? 8 * v.bound * close : 2 * close,
            "std::get<" + std::to_string(second ? 1 : 0) + ">(moments<" + list(which) + ">(" + v.name + (keep ? ", keepdims))" : "))"),
            std::string(second ? "reduce_variance(" : "reduce_mean(") + v.name + ", {" + list(which) + "}, " + (keep ? "true)" : "false)"),
            {i}, true);
      }
    }
  }

  bool attended(int given) {
    const int i = with_rank(given, 4, 4);
    if (i < 0 || arguments_ >= 5) return false;
    const value v = at(i);
    if (v.bound > 64) return false;
    // The value is the query, the keys or what is weighted, or all of them.
    const int part = random_.below(4);
    const axis batch = v.shape[0], heads = v.shape[2];
    axis length = v.shape[1], keys = v.shape[1], dim = v.shape[3], out = v.shape[3];
    if (part != 3 && part != 0) length = some_extent(random_.of(std::vector<int>{1, 2, 7, 8, 16, 17}));
    if (part == 0) keys = some_extent(random_.of(std::vector<int>{1, 2, 7, 8, 16, 17, 33}));
    if (part == 2) dim = some_extent(random_.between(1, 17));
    if (part < 2) out = some_extent(random_.between(1, 17));
    const double pairs = static_cast<double>(batch.extent) * heads.extent * length.extent * keys.extent;
    if (pairs > most_elements() || pairs * std::max(dim.extent, out.extent) > 20.0 * most_elements()) return false;
    const axes shapes[] = {{alike(batch), length, heads, dim}, {batch, keys, alike(heads), dim}, {batch, alike(keys), heads, out}};
    std::vector<int> uses;
    std::string names;
    for (int p = 0; p < 3; ++p) {
      uses.push_back(part == 3 || part == p ? i : argument(v.type, shapes[p]));
      names += (p == 0 ? "" : ", ") + at(uses.back()).name;
    }
    const value q = at(uses[0]), k = at(uses[1]), w = at(uses[2]);
    std::string text = names, reference = names + ", {";
    const axes scores{batch, heads, length, keys};
    bool causal = false, first = true;
    double bias = 0;
    for (int more = random_.below(3); more > 0; --more) {
      if (!causal && random_.one_in(3)) {
        causal = true;
        text += ", causal";
        continue;
      }
      if (arguments_ >= 8) break;
      axes own = scores;
      for (axis& a : own)
        if (random_.one_in(3)) a = {1, true};
      own.erase(own.begin(), own.begin() + random_.below(4));
      const bool masks = random_.one_in(2);
      uses.push_back(argument(masks ? dtype::boolean : v.type, own));
      text += ", " + at(uses.back()).name;
      reference += (first ? "" : ", ") + at(uses.back()).name;
      first = false;
      bias += masks ? 0 : 2;
    }
    const double root = std::sqrt(static_cast<double>(dim.extent)), score = root * q.bound * k.bound + bias;
    if (score > 1000) return false;
    // A difference of scores is one of the logarithms of weights.
    const double of_scores = root * (q.bound * noise_of(k) + k.bound * noise_of(q)) + noise(v.type, score);
    return add(v.type, {batch, length, heads, out}, w.bound, 0, w.error + 2 * w.bound * of_scores, "dot_product_attention(" + text + ")",
               "attention(" + reference + "}, " + (causal ? "true)" : "false)"), uses, true);
  }

  bool recurrent(int given) {
    const bool cell = random_.one_in(4), is_lstm = random_.one_in(2);
    const int i = cell ? with_rank(given, 2, 2) : with_rank(given, 3, 3);
    if (i < 0 || arguments_ >= 4) return false;
    const value v = at(i);
    const int units = random_.of(std::vector<int>{1, 2, 3, 4, 7, 8, 9, 16, 17}), gates = is_lstm ? 4 : 3;
    const axis batch = v.shape[0], in = v.shape.back();
    const int steps = cell ? 1 : v.shape[1].extent;
    const double work = static_cast<double>(batch.extent) * steps * (in.extent + units) * gates * units;
    if (work > 20.0 * most_elements() || in.extent * gates * units > most_elements() || v.bound > 1000) return false;
    const bool reset_before = !is_lstm && random_.one_in(2), backwards = !cell && random_.one_in(3), sequences = !cell && random_.one_in(2),
               starts = cell || random_.one_in(3);
    const int state = cell ? random_.below(is_lstm ? 2 : 1) : random_.one_in(4) ? 1 + random_.below(is_lstm ? 2 : 1) : 0;
    const bool straight = steps <= 3 && random_.one_in(4);
    const int kernel = argument(v.type, {alike(in), {gates * units, true}}),
              states = argument(v.type, {{units, true}, {gates * units, true}}),
              bias = argument(v.type, is_lstm || reset_before ? axes{{gates * units, true}} : axes{{2, true}, {gates * units, true}});
    // States are not to grow from one step to the next.
    const std::string scale = units == 1 ? "0.5" : units <= 4 ? "0.125" : "0.03125";
    std::vector<int> uses{i, kernel, states, bias};
    std::string start, start_by_loops;
    if (starts)
      for (int s = 0; s < (is_lstm ? 2 : 1); ++s) {
        const int begin = argument(v.type, {alike(batch), {units, true}});
        uses.push_back(begin);
        start += (s == 0 ? "" : ", ") + at(begin).name;
      }
    start_by_loops = start;
    const std::string weights = at(kernel).name + ", " + at(states).name + " * " + scale + ", " + at(bias).name;
    std::string text;
    if (cell) {
      text = (is_lstm ? "lstm_cell(" : "gru_cell(") + v.name + ", " + start + ", " + weights;
    } else {
      text = (is_lstm ? "lstm(" : "gru(") + v.name + ", " + weights;
      if (starts) text += ", initial_state(" + start + ")";
      if (sequences) text += ", return_sequences";
      if (backwards) text += ", go_backwards";
      if (state > 0) text += ", return_state";
    }
    if (reset_before) text += ", reset_before";
    if (straight) text += ", activation([](const auto& x) { return relu(x); })";
    text += ")";
    // Of several results one is read, or all of them are.
    const bool several = cell ? is_lstm : state > 0, all = several && !sequences && random_.one_in(3);
    if (all) text = "std::apply([](const auto&... part) { return concat<1>(part...); }, " + text + ")";
    else if (several) text = "std::get<" + std::to_string(state) + ">(" + text + ")";
    const int result = all ? 3 : cell ? state + 1 : state;
    axes shape{batch, {units * (all ? (cell ? 1 : 2) + (is_lstm ? 1 : 0) : 1), true}};
    if (!cell && sequences && state == 0) shape.insert(shape.begin() + 1, v.shape[1]);
    const double given_to_gate = in.extent * v.bound * 2 + 6, error = in.extent * 2 * noise_of(v) + noise(v.type, given_to_gate);
    const double bound = straight ? 64 * given_to_gate : is_lstm ? steps + 2 : 2, growth = (steps + 3) * (straight ? 64 : is_lstm ? 4 : 2);
    const std::string flag[] = {"false", "true"};
    return add(v.type, shape, bound, 0, growth * error * (straight ? given_to_gate : 1), text,
               std::string("recurrent({") + (is_lstm ? "true" : "false") + ", " + flag[backwards] + ", " + flag[reset_before] + ", " +
                   flag[straight] + ", " + flag[sequences] + ", " + std::to_string(result) + "}, " + v.name + ", " + at(kernel).name +
                   ", multiply(" + at(states).name + ", constant(" + reference_name(v.type) + ", " + scale + ")), " + at(bias).name +
                   ", {" + start_by_loops + "})",
               uses, true);
  }

  bool resized(int given) {
    const bool nearest = random_.one_in(2);
    const int i = nearest && at(given).shape.size() == 4 ? given : with_rank(given, 4, 4);
    if (i < 0) return false;
    const value v = at(i);
    axes shape = v.shape;
    std::string text = ">(" + v.name;
    std::vector<int> uses{i};
    if (random_.one_in(4) && arguments_ < 8) {
      // As the value of which only the extents are looked at may be.
      const int j = with_rank(random_.below(last() + 1), 4, 4);
      if (j < 0) return false;
      shape[1] = at(j).shape[1], shape[2] = at(j).shape[2];
      uses.push_back(j);
      text = "resize_like(" + v.name + ", " + at(j).name;
    } else {
      for (std::size_t a : {std::size_t{1}, std::size_t{2}}) {
        const int n = shape[a].extent;
        shape[a] = {random_.one_in(3) ? 2 * n : random_.between(1, std::min(2 * n + 3, 40)), true};
      }
      text = "resize<" + list({shape[1].extent, shape[2].extent}) + text;
    }
    return add(v.type, shape, v.bound, v.grain, v.error, text + (nearest ? ", nearest)" : ")"),
               "resize(" + v.name + ", " + list({shape[1].extent, shape[2].extent}) + (nearest ? ", true)" : ", false)"), uses, !nearest);
  }
  bool blocks(int i) {
    const value v = at(i);
    if (v.shape.size() != 4) return false;
    const int block = random_.between(2, 3);
    axes shape = v.shape;
    const bool deeper = shape[1].extent % block == 0 && shape[2].extent % block == 0;
    if (!deeper && (shape[3].extent % (block * block) != 0 || !shape[3].is_static)) return false;
    if (deeper) shape[1].extent /= block, shape[2].extent /= block, shape[3].extent *= block * block;
    else shape[1].extent *= block, shape[2].extent *= block, shape[3].extent /= block * block;
    const std::string op = deeper ? "space_to_depth" : "depth_to_space", size = std::to_string(block);
    return add(v.type, shape, v.bound, v.grain, v.error, op + "<" + size + ">(" + v.name + ")", op + "(" + v.name + ", " + size + ")", {i});
  }

  // The cross-entropy of rows, whose labels are parts or classes.
  bool lost(int i) {
    const value v = at(i);
    if (!floating(v.type) || v.shape.empty() || arguments_ >= 8 || v.bound > 1000) return false;
    const axes shape(v.shape.begin(), v.shape.end() - 1);
    const int n = v.shape.back().extent;
    const double bound = 2 * v.bound + 6, close = 8 * noise_of(v);
    if (random_.one_in(2) || !v.shape.back().is_static) {
      const int j = argument(v.type, v.shape);
      return add(v.type, shape, 2 * n * bound, 0, n * close, "nn::softmax_cross_entropy_with_logits(" + at(j).name + ", " + v.name + ")",
                 "cross_entropy(" + at(j).name + ", " + v.name + ")", {i, j}, true);
    }
    std::string reference;
    int source = 0;
    const std::string text = positions(std::min(n, 200), shape, reference, source), classes = std::to_string(n);
    return add(v.type, shape, bound, 0, close, "nn::sparse_softmax_cross_entropy_with_logits(" + text + ", " + v.name + ")",
               "cross_entropy(one_hot(" + reference_name(v.type) + ", " + reference + ", " + classes + "), " + v.name + ")", {i, source},
               true);
  }
};

}  // namespace nest_programs
