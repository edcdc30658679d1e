// SPDX-License-Identifier: MIT
#pragma once
// ONNX's ops of images and boxes.

#include <jig/io/onnx/node.hpp>

#include <algorithm>
#include <cmath>

namespace jig::onnx {

// Which boxes are left is known only from their numbers.
inline void import_non_max_suppression(node_context& c) {
  const shape b = c.m.static_extents(c.x(0)), s = c.m.static_extents(c.x(1));
  if (b.rank != 3 || b[2] != 4 || s.rank != 3 || s[0] != b[0] || s[2] != b[1]) c.fail("boxes and scores do not have extents that fit");
  const auto boxes = c.m.known_reals(c.x(0)), scores = c.m.known_reals(c.x(1));
  const auto number = [&](std::size_t i, double otherwise) {
    if (!c.has(i)) return otherwise;
    const auto given = c.m.known_reals(c.x(i));
    if (given.size() != 1) c.fail("a bound is one number");
    return given[0];
  };
  const double most = number(2, 0), overlap = number(3, 0), least = number(4, -std::numeric_limits<double>::infinity());
  const bool centered = c.flag("center_point_box");
  struct box {
    double low[2], high[2];
    double area() const { return (high[0] - low[0]) * (high[1] - low[1]); }
  };
  const auto box_at = [&](index batch, index i) {
    const double* x = boxes.data() + (batch * b[1] + i) * 4;
    box out{};
    for (int a = 0; a < 2; ++a) {
      const double p = centered ? x[a] - x[a + 2] / 2 : x[a], q = centered ? x[a] + x[a + 2] / 2 : x[a + 2];
      out.low[a] = (std::min)(p, q);
      out.high[a] = (std::max)(p, q);
    }
    return out;
  };
  std::vector<index> out;
  for (index batch = 0; batch < b[0]; ++batch)
    for (index k = 0; k < s[1]; ++k) {
      const double* score = scores.data() + (batch * s[1] + k) * s[2];
      std::vector<index> left, kept;
      for (index i = 0; i < b[1]; ++i)
        if (score[i] > least) left.push_back(i);
      std::sort(left.begin(), left.end(), [&](index i, index j) { return score[i] != score[j] ? score[i] > score[j] : i < j; });
      for (const index i : left) {
        if (static_cast<double>(kept.size()) >= most) break;
        const box mine = box_at(batch, i);
        const bool covered = std::any_of(kept.begin(), kept.end(), [&](index j) {
          const box other = box_at(batch, j);
          double common = 1;
          for (int a = 0; a < 2; ++a)
            common *= (std::max)(0.0, (std::min)(mine.high[a], other.high[a]) - (std::max)(mine.low[a], other.low[a]));
          return common > 0 && common / (mine.area() + other.area() - common) > overlap;
        });
        if (!covered) kept.push_back(i);
      }
      for (const index i : kept) out.insert(out.end(), {batch, k, i});
    }
  const auto rows = static_cast<index>(out.size() / 3);
  c.out(c.m.reshape(c.m.constants(out), {rows, 3}));
}

inline void import_roi_align(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.static_extents(x);
  if (s.rank != 4 || s[2] < 1 || s[3] < 1) c.fail("an image has a batch, channels, rows and columns");
  const auto boxes = c.m.known_reals(c.x(1));
  const auto batches = c.m.known_integers(c.x(2));
  const index rows = c.integer("output_height", 1), columns = c.integer("output_width", 1), ratio = c.integer("sampling_ratio", 0);
  if (boxes.size() != 4 * batches.size() || rows < 1 || columns < 1 || ratio < 0 || rows > 4096 || columns > 4096 || ratio > 256)
    c.fail("the regions are out of range");
  const double scale = c.real("spatial_scale", 1);
  const bool half = c.text("coordinate_transformation_mode", c.opset < 16 ? "output_half_pixel" : "half_pixel") == "half_pixel";
  const bool largest = c.text("mode", "avg") == "max";
  std::vector<edge> regions;
  // Channels last: a place in the image is a row.
  const edge flat = c.m.reshape(c.m.transpose(x, {0, 2, 3, 1}), {s[0] * s[2] * s[3], s[1]});
  for (std::size_t r = 0; r < batches.size(); ++r) {
    if (batches[r] < 0 || batches[r] >= s[0]) c.fail("a region is of no image of the batch");
    const double shift = half ? 0.5 : 0;
    double begin[2], size[2];
    index samples[2];
    for (int a = 0; a < 2; ++a) {
      const double low = boxes[4 * r + 1 - static_cast<std::size_t>(a)] * scale - shift;
      const double high = boxes[4 * r + 3 - static_cast<std::size_t>(a)] * scale - shift;
      begin[a] = low;
      size[a] = half ? high - low : (std::max)(high - low, 1.0);
      if (!(std::fabs(size[a]) < 1e6)) c.fail("a region is too large");
      const auto parts = static_cast<double>(a == 0 ? rows : columns);
      samples[a] = ratio > 0 ? ratio : (std::max)(static_cast<index>(std::ceil(size[a] / parts)), index{1});
    }
    const index all = samples[0] * samples[1];
    c.m.require_size({dtype::float64, shape{2, {rows * columns * all * 4, s[1]}}});
    std::vector<index> at;
    std::vector<double> weights;
    for (index i = 0; i < rows * columns; ++i)
      for (index k = 0; k < all; ++k) {
        const index bin[] = {i / columns, i % columns}, sub[] = {k / samples[1], k % samples[1]};
        double p[2];
        bool inside = true;
        for (int a = 0; a < 2; ++a) {
          const double each = size[a] / static_cast<double>(a == 0 ? rows : columns);
          p[a] = begin[a] + each * (static_cast<double>(bin[a]) + (static_cast<double>(sub[a]) + 0.5) / static_cast<double>(samples[a]));
          inside = inside && p[a] >= -1 && p[a] <= static_cast<double>(s[a + 2]);
          p[a] = std::clamp(p[a], 0.0, static_cast<double>(s[a + 2] - 1));
        }
        for (int corner = 0; corner < 4; ++corner) {
          index place = batches[r];
          double w = inside ? 1 : 0;
          for (int a = 0; a < 2; ++a) {
            const auto low = static_cast<index>(p[a]);
            const double rest = p[a] - static_cast<double>(low);
            const bool behind = (corner >> a & 1) != 0;
            place = place * s[a + 2] + (std::min)(low + behind, s[a + 2] - 1);
            w *= behind ? rest : 1 - rest;
          }
          at.push_back(place);
          weights.push_back(w);
        }
      }
    const edge picked = c.m.reshape(c.m.gather(flat, c.m.constants(at), 0), {rows * columns, all, 4, s[1]});
    const edge weighed = c.m.mul(picked, c.m.reshape(c.m.constants(weights, c.m.type(x)), {rows * columns, all, 4, 1}));
    const edge sampled = largest ? c.m.reduce(ops::reduce_max, weighed, {2}, false) : c.m.reduce(ops::reduce_sum, weighed, {2}, false);
    const edge of_bins = c.m.reduce(largest ? ops::reduce_max : ops::reduce_mean, sampled, {1}, false);
    regions.push_back(c.m.reshape(c.m.transpose(of_bins, {1, 0}), {s[1], rows, columns}));
  }
  if (regions.empty()) return c.out(c.m.broadcast_to(c.m.number_like(x, 0), {0, s[1], rows, columns}));
  list<edge> parts;
  for (const auto& e : regions) parts.push_back(e);
  c.out(c.m.call(ops::pack, parts, {attr::number("axis", 0)}));
}

class grid_sampling {
 public:
  grid_sampling(node_context& c) : c_(c), m_(c.m), x_(c.x(0)), s_(c.m.static_extents(x_)), padding_(c.text("padding_mode", "zeros")) {
    const shape g = m_.static_extents(c.x(1));
    if (s_.rank != 4 || g.rank != 4 || g[3] != 2 || g[0] != s_[0] || s_[2] < 1 || s_[3] < 1)
      c.fail("image and grid do not have extents that fit");
    places_ = shape{3, {g[0], g[1], g[2]}};
    flat_ = m_.reshape(m_.transpose(x_, {0, 2, 3, 1}), {s_[0] * s_[2] * s_[3], s_[1]});
    std::vector<index> first;
    for (index n = 0; n < s_[0]; ++n) first.push_back(n * s_[2] * s_[3]);
    first_ = m_.reshape(m_.constants(first), {s_[0], 1, 1});
  }
  edge run() {
    const edge column = place(0, s_[3]), row = place(1, s_[2]);
    const auto mode = c_.text("mode", "bilinear");
    edge sum{};
    if (mode == "nearest") {
      sum = picked(m_.unary(ops::rint, row), m_.unary(ops::rint, column));
    } else if (mode == "bilinear" || mode == "bicubic") {
      const int reach = mode == "bicubic" ? 2 : 1;
      const edge r0 = m_.unary(ops::floor, row), c0 = m_.unary(ops::floor, column);
      const edge dr = m_.sub(row, r0), dc = m_.sub(column, c0);
      bool any = false;
      for (int i = 1 - reach; i <= reach; ++i)
        for (int j = 1 - reach; j <= reach; ++j) {
          const edge w = m_.mul(weight(dr, i, reach), weight(dc, j, reach));
          const edge part = m_.mul(picked(moved(r0, i), moved(c0, j)), m_.expand_dims(w, 3));
          sum = any ? m_.add(sum, part) : part;
          any = true;
        }
    } else {
      c_.fail("there is no mode named " + std::string(mode));
    }
    return m_.transpose(sum, {0, 3, 1, 2});
  }

 private:
  edge moved(edge x, double by) { return by == 0 ? x : m_.add(x, m_.number_like(x, by)); }
  // From -1 to 1 along an axis, as a place in it.
  edge place(int part, index extent) {
    const edge g = m_.item(c_.x(1), 3, part);
    const auto n = static_cast<double>(extent);
    const bool corners = c_.flag("align_corners");
    edge at = corners ? m_.scaled(moved(g, 1), (n - 1) / 2) : moved(m_.scaled(moved(g, 1), n / 2), -0.5);
    if (c_.text("mode", "bilinear") != "bicubic") at = within(at, extent);
    return at;
  }
  // What is outside, where that means a place inside.
  edge within(edge at, index extent) {
    const auto n = static_cast<double>(extent);
    if (padding_ == "border") return m_.minimum(m_.maximum(at, m_.number_like(at, 0)), m_.number_like(at, n - 1));
    if (padding_ != "reflection") return at;
    const bool corners = c_.flag("align_corners");
    const double low = corners ? 0 : -0.5, span = corners ? n - 1 : n;
    if (span == 0) return m_.unary(ops::zeros_like, at);
    const edge rest = m_.binary(ops::floor_mod, moved(at, -low), m_.number_like(at, 2 * span));
    const edge there = m_.minimum(rest, m_.sub(m_.number_like(at, 2 * span), rest));
    const edge back = moved(there, low);
    return m_.minimum(m_.maximum(back, m_.number_like(at, 0)), m_.number_like(at, n - 1));
  }
  // The weight of the element that is i behind the one before the place.
  edge weight(edge rest, int i, int reach) {
    if (reach == 1) return i == 0 ? m_.sub(m_.number_like(rest, 1), rest) : rest;
    const double a = -0.75;
    const edge d = m_.unary(ops::abs, moved(rest, -i));
    const auto polynomial = [&](double p, double q, double r, double t) {
      edge y = moved(m_.scaled(d, p), q);
      y = moved(m_.mul(y, d), r);
      return moved(m_.mul(y, d), t);
    };
    return i == 0 || i == 1 ? polynomial(a + 2, -(a + 3), 0, 1) : polynomial(a, -5 * a, 8 * a, -4 * a);
  }
  // The elements of all channels at whole places, [batch, rows, columns, channels].
  edge picked(edge row, edge column) {
    row = within(row, s_[2]), column = within(column, s_[3]);
    const auto outside = [&](edge at, index extent) {
      return m_.binary(ops::logical_or, m_.binary(ops::less, at, m_.number_like(at, 0)),
                       m_.binary(ops::greater, at, m_.number_like(at, static_cast<double>(extent - 1))));
    };
    const edge bad = m_.binary(ops::logical_or, outside(row, s_[2]), outside(column, s_[3]));
    const auto whole = [&](edge at, index extent) {
      const edge bounded = m_.minimum(m_.maximum(at, m_.number_like(at, 0)), m_.number_like(at, static_cast<double>(extent - 1)));
      return m_.cast(bounded, dtype::int64);
    };
    const edge at = m_.add(m_.add(m_.mul(whole(row, s_[2]), m_.number(dtype::int64, s_[3])), whole(column, s_[3])), first_);
    const edge found = m_.gather(flat_, at, 0);
    return m_.select(m_.expand_dims(bad, 3), m_.number_like(x_, 0), found);
  }

  node_context& c_;
  maker& m_;
  edge x_;
  shape s_, places_{};
  std::string_view padding_;
  edge flat_{}, first_{};
};
inline void import_grid_sample(node_context& c) { c.out(grid_sampling(c).run()); }

inline constexpr op_entry detection_ops[] = {
    {"GridSample", import_grid_sample}, {"NonMaxSuppression", import_non_max_suppression}, {"RoiAlign", import_roi_align}};

}  // namespace jig::onnx
