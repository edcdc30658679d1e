// SPDX-License-Identifier: MIT
#pragma once
// ONNX's convolutions and pools. Channels are the second axis there and the last one of jig's ops.

#include <jig/io/onnx/node.hpp>

namespace jig::onnx {

/// Windows that move over the axes of space, as the attributes of convolutions and pools have them.
struct windows {
  int axes = 0;
  list<index> taps, strides, dilations, before, behind;
  bool ceils = false;

  index reach(int a) const { return (taps[a] - 1) * dilations[a] + 1; }
  /// How many windows there are along an axis.
  index count(int a, index extent) const {
    const index room = extent + before[a] + behind[a] - reach(a);
    return room < 0 ? 0 : (room + (ceils ? strides[a] - 1 : 0)) / strides[a] + 1;
  }
};

// Products of two such numbers can be added up.
inline constexpr index most_window = index{1} << 30;

inline list<index> window_numbers(node_context& c, std::string_view key, std::size_t count, index otherwise, index least) {
  list<index> given = c.integers(key);
  if (given.empty())
    for (std::size_t i = 0; i < count; ++i) given.push_back(otherwise);
  if (given.size() != count) c.fail(std::string(key) + " needs a number for every axis of space");
  for (const index n : given)
    if (n < least || n > most_window) c.fail(std::string(key) + " has a number that is out of range");
  return given;
}

/// Reads the attributes; `in` are the extents of the operand, `taps` those of a window where no attribute has them.
inline windows windows_of(node_context& c, const shape& in, list<index> taps) {
  windows w;
  w.axes = in.rank - 2;
  if (w.axes < 1 || w.axes > 3) c.fail("the operand needs a batch, channels and one to three axes of space");
  const auto n = static_cast<std::size_t>(w.axes);
  w.taps = c.given("kernel_shape") ? window_numbers(c, "kernel_shape", n, 1, 1) : std::move(taps);
  if (w.taps.size() != n) c.fail("the window has another number of axes");
  for (const index t : w.taps)
    if (t < 1 || t > most_window) c.fail("the window is empty or too large");
  w.strides = window_numbers(c, "strides", n, 1, 1);
  w.dilations = window_numbers(c, "dilations", n, 1, 1);
  w.ceils = c.flag("ceil_mode");
  const list<index> pads = window_numbers(c, "pads", 2 * n, 0, 0);
  const auto automatic = c.text("auto_pad", "NOTSET");
  for (int a = 0; a < w.axes; ++a) {
    if (in[a + 2] > most_window) c.fail("an axis is too long for windows");
    index before = pads[a], behind = pads[a + w.axes];
    if (automatic != "NOTSET") before = behind = 0;
    if (automatic.substr(0, 4) == "SAME") {
      const index extent = in[a + 2], stride = w.strides[a];
      if (!is_static_extent(extent) && stride != 1) c.fail("the extents must be known");
      const index over = stride == 1 ? 1 : extent - ((extent + stride - 1) / stride - 1) * stride;
      const index zeros = (std::max)(w.reach(a) - over, index{0});
      before = automatic == "SAME_LOWER" ? zeros - zeros / 2 : zeros / 2;
      behind = zeros - before;
    }
    w.before.push_back(before);
    w.behind.push_back(behind);
  }
  return w;
}

// [batch, channels, space…] and [batch, space…, channels]; with one axis of space there is one more of extent 1 in front of it.
inline edge channels_last(node_context& c, edge x) {
  if (c.m.rank(x) == 3) x = c.m.expand_dims(x, 2);
  list<index> order{0};
  for (int a = 2; a < c.m.rank(x); ++a) order.push_back(a);
  order.push_back(1);
  return c.m.transpose(x, order);
}
inline edge channels_second(node_context& c, edge x, int axes) {
  const int rank = c.m.rank(x);
  list<index> order{0, rank - 1};
  for (int a = 1; a < rank - 1; ++a) order.push_back(a);
  x = c.m.transpose(x, order);
  return axes == 1 ? c.m.squeeze(x, {2}) : x;
}
// The attributes of jig's ops, with the axis of extent 1 that was added.
inline std::vector<attr> window_attributes(const windows& w, bool is_pool) {
  const int added = w.axes == 1 ? 1 : 0;
  list<index> taps{1}, strides{1}, dilations{1}, paddings{0, 0};
  if (added) taps.push_back(1), strides.push_back(1), dilations.push_back(1), paddings.push_back(0), paddings.push_back(0);
  for (int a = 0; a < w.axes; ++a) {
    taps.push_back(w.taps[a]);
    strides.push_back(w.strides[a]);
    dilations.push_back(w.dilations[a]);
    paddings.push_back(w.before[a]);
    paddings.push_back(w.behind[a]);
  }
  for (auto* l : {&taps, &strides, &dilations}) l->push_back(1);
  paddings.push_back(0), paddings.push_back(0);
  std::vector<attr> out;
  if (is_pool) out.push_back(attr::ints("ksize", taps));
  out.push_back(attr::ints("strides", strides));
  out.push_back(attr::ints("dilations", dilations));
  out.push_back(attr::words("padding", "EXPLICIT"));
  out.push_back(attr::words("data_format", w.axes == 3 ? "NDHWC" : "NHWC"));
  out.push_back(attr::ints("explicit_paddings", paddings));
  return out;
}
// [first, second, taps…] as [taps…, second, first].
inline edge as_filter(node_context& c, edge w) {
  if (c.m.rank(w) == 3) w = c.m.expand_dims(w, 2);
  list<index> order;
  for (int a = 2; a < c.m.rank(w); ++a) order.push_back(a);
  order.push_back(1);
  order.push_back(0);
  return c.m.transpose(w, order);
}
inline list<index> taps_of_filter(const shape& w) {
  list<index> taps;
  for (int a = 2; a < w.rank; ++a) taps.push_back(w[a]);
  return taps;
}
inline edge with_bias(node_context& c, edge y, edge bias) {
  list<index> to = list_of(c.m.static_extents(bias));
  for (int a = 2; a < c.m.rank(y); ++a) to.push_back(1);
  return c.m.add(y, c.m.reshape(bias, to));
}

/// The convolution that a node's attributes describe.
inline edge convolution(node_context& c, edge x, edge filter) {
  const shape s = c.m.extents(x), f = c.m.static_extents(filter);
  if (f.rank != s.rank) c.fail("the filter has another number of axes");
  const windows w = windows_of(c, s, taps_of_filter(f));
  const edge y =
      c.m.call(w.axes == 3 ? ops::conv3d : ops::conv2d, {channels_last(c, x), as_filter(c, filter)}, window_attributes(w, false));
  return channels_second(c, y, w.axes);
}
inline void import_conv(node_context& c) {
  const edge y = convolution(c, c.x(0), c.x(1));
  c.out(c.has(2) ? with_bias(c, y, c.x(2)) : y);
}
// Where those of all axes of space must be known.
inline shape extents_of_space(node_context& c, edge x) {
  const shape s = c.m.extents(x);
  for (int a = 2; a < s.rank; ++a) (void)c.m.static_extent(x, a);
  return s;
}
inline void import_conv_transpose(node_context& c) {
  const edge x = c.x(0);
  const shape s = extents_of_space(c, x), f = c.m.static_extents(c.x(1));
  if (f.rank != s.rank) c.fail("the filter has another number of axes");
  windows w = windows_of(c, s, taps_of_filter(f));
  const auto n = static_cast<std::size_t>(w.axes);
  const list<index> more = window_numbers(c, "output_padding", n, 0, 0), wanted = c.integers("output_shape");
  const auto automatic = c.text("auto_pad", "NOTSET");
  if (!wanted.empty() && wanted.size() != n && wanted.size() != n + 2) c.fail("output_shape needs a number for every axis of space");
  list<index> to{is_static_extent(s[0]) ? s[0] : dyn}, behind_result;
  if (w.axes == 1) to.push_back(1);
  bool grows = false;
  for (int a = 0; a < w.axes; ++a) {
    const index whole = w.strides[a] * (s[a + 2] - 1) + more[a] + w.reach(a);
    index extent = whole - w.before[a] - w.behind[a];
    const bool same = automatic.substr(0, 4) == "SAME";
    if (!wanted.empty() || same) {
      extent = wanted.empty() ? s[a + 2] * w.strides[a] : wanted[wanted.size() - n + static_cast<std::size_t>(a)];
      if (extent < 1 || extent > most_window) c.fail("the result would have no extent, or a too large one");
      const index cut = (std::max)(whole - extent, index{0});
      w.before[a] = automatic == "SAME_UPPER" ? cut / 2 : cut - cut / 2;
      w.behind[a] = cut - w.before[a];
    }
    if (extent < 1 || extent > most_window) c.fail("the result would have no extent, or a too large one");
    const index zeros = (std::max)(extent - whole, index{0});
    grows = grows || zeros > 0;
    behind_result.push_back(zeros);
    to.push_back(extent - zeros);
  }
  const index groups = c.integer("group", 1);
  if (groups < 1 || groups > most_window || f[1] > most_window) c.fail("there must be a group");
  to.push_back(f[1] * groups);
  edge like = c.m.number_like(x, 0);
  if (!is_static_extent(s[0])) {
    like = channels_last(c, x);
    for (int a = 1; a < c.m.rank(like); ++a) like = c.m.part(like, a, 0, 1);
  }
  like = c.m.broadcast_to(like, to);
  edge y = c.m.call(w.axes == 3 ? ops::conv3d_backprop_input : ops::conv2d_backprop_input,
                    {as_filter(c, c.x(1)), channels_last(c, x), like}, window_attributes(w, false));
  y = channels_second(c, y, w.axes);
  if (grows) {
    list<index> paddings{0, 0, 0, 0};
    for (const index z : behind_result) paddings.push_back(0), paddings.push_back(z);
    y = c.m.pad(y, paddings, c.m.number_like(y, 0));
  }
  c.out(c.has(2) ? with_bias(c, y, c.x(2)) : y);
}

// Windows that begin inside may end behind the padding.
inline void make_room(windows& w, const shape& in) {
  for (int a = 0; a < w.axes; ++a) {
    const index n = w.count(a, in[a + 2]);
    w.behind[a] += (std::max)((n - 1) * w.strides[a] + w.reach(a) - (in[a + 2] + w.before[a] + w.behind[a]), index{0});
  }
}
inline edge pooled(node_context& c, edge x, const windows& w, bool largest) {
  const op& kind = w.axes == 3 ? (largest ? ops::max_pool3d : ops::avg_pool3d) : (largest ? ops::max_pool2d : ops::avg_pool2d);
  return channels_second(c, c.m.call(kind, {channels_last(c, x)}, window_attributes(w, true)), w.axes);
}

// Where each element of each window lies in the axes of space, row by row; -1 is padding.
inline std::vector<index> places_in_windows(node_context& c, const windows& w, const shape& in, list<index>& counts, bool by_columns) {
  index windows_in_all = 1, elements = 1;
  for (int a = 0; a < w.axes; ++a) {
    counts.push_back(w.count(a, in[a + 2]));
    c.m.require_size({dtype::int64, shape{2, {(std::max)(windows_in_all, index{1}), counts[a]}}});
    windows_in_all *= counts[a];
    if (!detail::multiply_extents(elements, w.taps[a], elements)) c.fail("the windows have too many elements");
  }
  c.m.require_size({dtype::int64, shape{2, {windows_in_all, elements}}});
  if (windows_in_all * elements > (index{1} << 26)) c.fail("the windows have too many elements");
  std::vector<index> out;
  for (index k = 0; k < windows_in_all; ++k)
    for (index e = 0; e < elements; ++e) {
      index window = k, tap = e, place = 0, step = 1;
      index position[3] = {};
      for (int a = w.axes; a-- > 0; window /= counts[a], tap /= w.taps[a])
        position[a] = window % counts[a] * w.strides[a] - w.before[a] + tap % w.taps[a] * w.dilations[a];
      for (int i = 0; i < w.axes; ++i) {
        const int a = by_columns ? i : w.axes - 1 - i;
        if (place >= 0) place = position[a] < 0 || position[a] >= in[a + 2] ? -1 : place + position[a] * step;
        step *= in[a + 2];
      }
      out.push_back(place);
    }
  return out;
}

// The elements of windows side by side, [batch · channels, windows, elements]: padding is the least number there is.
struct spread_windows {
  edge elements{};
  index rows = 0, space = 0, count = 0, each = 1;
  list<index> counts;
};
inline spread_windows spread(node_context& c, edge x, const windows& w, const shape& s) {
  spread_windows out;
  const std::vector<index> places = places_in_windows(c, w, s, out.counts, false);
  out.rows = s[0] * s[1];
  out.space = out.rows == 0 ? 0 : s.size() / out.rows;
  for (const index t : w.taps) out.each *= t;
  out.count = static_cast<index>(places.size()) / out.each;
  std::vector<index> at, is_padding;
  for (const index p : places) at.push_back(p < 0 ? 0 : p), is_padding.push_back(p < 0);
  const edge picked = c.m.gather(c.m.reshape(x, {out.rows, out.space}), c.m.reshape(c.m.constants(at), {out.count, out.each}), 1);
  const edge padding = c.m.cast(c.m.reshape(c.m.constants(is_padding, dtype::uint8), {out.count, out.each}), dtype::boolean);
  const edge least = detail::with_type_of(c.m.type(x), [&]<class T>(const T&) {
    if constexpr (std::is_integral_v<T>) return c.m.number_like(x, std::numeric_limits<T>::lowest());
    else return c.m.number_like(x, -std::numeric_limits<double>::infinity());
  });
  out.elements = c.m.select(padding, least, picked);
  return out;
}
inline list<index> extents_of_windows(const shape& s, const list<index>& counts) {
  list<index> to{s[0], s[1]};
  for (const index n : counts) to.push_back(n);
  return to;
}

// What a pool has to know of its operand: the axes of space where windows at their ends are not whole.
inline shape extents_for_pool(node_context& c, edge x) { return c.flag("ceil_mode") ? extents_of_space(c, x) : c.m.extents(x); }

inline void import_max_pool(node_context& c) {
  const edge x = c.x(0);
  shape s = extents_for_pool(c, x);
  windows w = windows_of(c, s, {});
  if (w.ceils) make_room(w, s);
  w.ceils = false;
  bool dilated = false;
  for (const index d : w.dilations) dilated = dilated || d != 1;
  if (!dilated && !c.wants(1)) return c.out(pooled(c, x, w, true));
  s = c.m.static_extents(x);
  const spread_windows of = spread(c, x, w, s);
  c.out(c.m.reshape(c.m.reduce(ops::reduce_max, of.elements, {2}, false), extents_of_windows(s, of.counts)));
  if (!c.wants(1)) return;
  // The first of the largest elements of each window, as its place in the whole tensor.
  list<index> again;
  const std::vector<index> names = places_in_windows(c, w, s, again, c.flag("storage_order"));
  const edge which = c.m.call(ops::argmax, {of.elements}, {attr::number("dimension", 2)});
  std::vector<index> first_of_window, first_of_row;
  for (index k = 0; k < of.count; ++k) first_of_window.push_back(k * of.each);
  for (index r = 0; r < of.rows; ++r) first_of_row.push_back(r * of.space);
  const edge name = c.m.gather(c.m.constants(names), c.m.add(which, c.m.constants(first_of_window)), 0);
  c.out(c.m.reshape(c.m.add(name, c.m.expand_dims(c.m.constants(first_of_row), 1)), extents_of_windows(s, of.counts)), 1);
}
inline void import_average_pool(node_context& c) {
  edge x = c.x(0);
  const shape s = extents_for_pool(c, x);
  windows w = windows_of(c, s, {}), before = w;
  if (w.ceils) make_room(w, s);
  w.ceils = false;
  if (c.flag("count_include_pad")) {
    list<index> paddings{0, 0, 0, 0};
    for (int a = 0; a < w.axes; ++a) {
      paddings.push_back(before.before[a]), paddings.push_back(before.behind[a]);
      w.before[a] = 0;
      w.behind[a] -= before.behind[a];
    }
    x = c.m.pad(x, paddings, c.m.number_like(x, 0));
  }
  c.out(pooled(c, x, w, false));
}
inline void import_lp_pool(node_context& c) {
  const edge x = c.x(0);
  const double p = static_cast<double>(c.integer("p", 2));
  const shape s = extents_of_space(c, x);
  windows w = windows_of(c, s, {});
  if (w.ceils) make_room(w, s);
  w.ceils = false;
  list<index> paddings{0, 0, 0, 0};
  double elements = 1;
  for (int a = 0; a < w.axes; ++a) {
    paddings.push_back(w.before[a]), paddings.push_back(w.behind[a]);
    w.before[a] = w.behind[a] = 0;
    elements *= static_cast<double>(w.taps[a]);
  }
  const edge powers = c.m.binary(ops::power, c.m.unary(ops::abs, c.m.pad(x, paddings, c.m.number_like(x, 0))), c.m.number_like(x, p));
  c.out(c.m.binary(ops::power, c.m.scaled(pooled(c, powers, w, false), elements), c.m.number_like(x, 1 / p)));
}
template <const op& Op>
void import_global_pool(node_context& c) {
  list<index> axes;
  for (int a = 2; a < c.m.rank(c.x(0)); ++a) axes.push_back(a);
  c.out(c.m.reduce(Op, c.x(0), axes, true));
}
inline void import_max_unpool(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.static_extents(x);
  const windows w = windows_of(c, s, {});
  list<index> to{s[0], s[1]}, paddings{0, 0, 0, 0};
  index n = s[0] * s[1];
  for (int a = 0; a < w.axes; ++a) {
    const index extent = (s[a + 2] - 1) * w.strides[a] + w.taps[a] - w.before[a] - w.behind[a];
    if (extent < 0 || !detail::multiply_extents(n, extent, n)) c.fail("the result has no extent");
    to.push_back(extent);
  }
  const edge zeros = c.m.broadcast_to(c.m.number_like(x, 0), {n});
  const edge at = c.m.reshape(c.m.cast(c.x(1), dtype::int64), {s.size(), 1});
  edge y = c.m.reshape(c.m.call(ops::tensor_scatter_update, {zeros, at, c.m.reshape(x, {s.size()})}), to);
  if (c.has(2)) {
    const auto wanted = c.m.known_integers(c.x(2));
    if (wanted.size() != static_cast<std::size_t>(s.rank)) c.fail("output_shape needs an extent for every axis");
    for (int a = 0; a < w.axes; ++a) {
      const index is = wanted[static_cast<std::size_t>(a) + 2];
      if (is < to[a + 2]) c.fail("output_shape is smaller than what is put there");
      paddings.push_back(0), paddings.push_back(is - to[a + 2]);
    }
    y = c.m.pad(y, paddings, c.m.number_like(y, 0));
  }
  c.out(y);
}

inline constexpr op_entry window_ops[] = {
    {"AveragePool", import_average_pool},
    {"Conv", import_conv},
    {"ConvTranspose", import_conv_transpose},
    {"GlobalAveragePool", import_global_pool<ops::reduce_mean>},
    {"GlobalMaxPool", import_global_pool<ops::reduce_max>},
    {"LpPool", import_lp_pool},
    {"MaxPool", import_max_pool},
    {"MaxUnpool", import_max_unpool},
};

}  // namespace jig::onnx
