// SPDX-License-Identifier: MIT
#pragma once
// ONNX's Resize and Upsample: each axis by itself, as a choice of elements or as a product with a matrix of weights.

#include <jig/io/onnx/node.hpp>

#include <cmath>

namespace jig::onnx {

class resizing {
 public:
  explicit resizing(node_context& c) : c_(c), mode_(c.text("mode", "nearest")) {
    transformation_ = c.text("coordinate_transformation_mode", c.opset < 11 ? "asymmetric" : "half_pixel");
    rounding_ = c.text("nearest_mode", c.opset < 11 ? "floor" : "round_prefer_floor");
    cubic_ = c.real("cubic_coeff_a", -0.75);
    if (mode_ != "nearest" && mode_ != "linear" && mode_ != "bilinear" && mode_ != "cubic")
      c.fail("there is no way to resize named " + std::string(mode_));
  }

  /// One axis of x with another extent; `scale` is how much longer, begin and end are the region of interest.
  edge axis(edge x, int a, index to, double scale, double begin, double end) {
    const index from = c_.m.static_extent(x, a);
    const bool crops = transformation_ == "tf_crop_and_resize";
    if (from == to && scale == 1 && !crops) return x;
    if (from < 1 || to < 0) c_.fail("there is nothing to resize");
    c_.m.require_size({dtype::float32, shape{2, {from, to}}});
    std::vector<index> picked;
    std::vector<double> weights(mode_ == "nearest" ? 0 : static_cast<std::size_t>(from * to), 0.0);
    std::vector<index> outside;
    for (index i = 0; i < to; ++i) {
      double at = place(static_cast<double>(i), from, to, scale, begin, end);
      if (at != at) c_.fail("the region of interest has no place in the axis");
      outside.push_back(crops && (at < 0 || at > static_cast<double>(from - 1)));
      // Further out there are no other elements.
      at = std::clamp(at, -4.0, static_cast<double>(from) + 4);
      if (mode_ == "nearest") picked.push_back(std::clamp<index>(rounded(at), 0, from - 1));
      else weigh(weights.data() + i * from, from, at);
    }
    edge y{};
    if (mode_ == "nearest") {
      y = c_.m.gather(x, c_.m.constants(picked), a);
    } else {
      const edge m = c_.m.reshape(c_.m.constants(weights, c_.m.type(x)), {to, from});
      y = along(x, m, a);
    }
    if (!crops) return y;
    list<index> beside;
    for (int b = 0; b < c_.m.rank(x); ++b) beside.push_back(b == a ? to : 1);
    const edge mask = c_.m.cast(c_.m.reshape(c_.m.constants(outside, dtype::uint8), beside), dtype::boolean);
    return c_.m.select(mask, c_.m.number_like(y, c_.real("extrapolation_value", 0)), y);
  }

 private:
  // The product of a matrix with what lies along an axis.
  edge along(edge x, edge matrix, int a) {
    const int rank = c_.m.rank(x);
    list<index> order, back;
    for (int b = 0; b < rank; ++b)
      if (b != a) order.push_back(b);
    order.push_back(a);
    for (int b = 0; b < rank; ++b) back.push_back(b < a ? b : b == a ? rank - 1 : b - 1);
    const edge last = c_.m.transpose(x, order);
    if (rank == 1) return c_.m.squeeze(c_.m.matmul(c_.m.expand_dims(x, 0), matrix, false, true), {0});
    return c_.m.transpose(c_.m.matmul(last, matrix, false, true), back);
  }
  double place(double i, index from, index to, double scale, double begin, double end) const {
    // As the standard's own reference, which does not round the new extent here.
    const auto in = static_cast<double>(from), out = transformation_ == "align_corners" ? scale * in : static_cast<double>(to);
    if (transformation_ == "asymmetric") return i / scale;
    if (transformation_ == "align_corners") return to == 1 ? 0 : i * (in - 1) / (out - 1);
    if (transformation_ == "pytorch_half_pixel") return to > 1 ? (i + 0.5) / scale - 0.5 : 0;
    if (transformation_ == "tf_half_pixel_for_nn") return (i + 0.5) / scale;
    if (transformation_ == "tf_crop_and_resize")
      return to > 1 ? begin * (in - 1) + i * (end - begin) * (in - 1) / (out - 1) : 0.5 * (begin + end) * (in - 1);
    if (transformation_ == "half_pixel_symmetric") {
      const double adjusted = out / (scale * in), center = in / 2;
      return center * (1 - adjusted) + (i + 0.5) / scale - 0.5;
    }
    if (transformation_ != "half_pixel") c_.fail("there is no transformation named " + std::string(transformation_));
    return (i + 0.5) / scale - 0.5;
  }
  index rounded(double x) const {
    if (rounding_ == "floor") return static_cast<index>(std::floor(x));
    if (rounding_ == "ceil") return static_cast<index>(std::ceil(x));
    if (rounding_ == "round_prefer_ceil") return static_cast<index>(std::floor(x + 0.5));
    return static_cast<index>(std::ceil(x - 0.5));
  }
  void weigh(double* row, index from, double at) const {
    const auto low = static_cast<index>(std::floor(at));
    const double rest = at - static_cast<double>(low);
    const auto put = [&](index i, double w) { row[std::clamp<index>(i, 0, from - 1)] += w; };
    if (mode_ != "cubic") {
      put(low, 1 - rest);
      put(low + 1, rest);
      return;
    }
    const double a = cubic_;
    const auto near = [&](double d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
    const auto far = [&](double d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
    double w[] = {far(1 + rest), near(rest), near(1 - rest), far(2 - rest)};
    if (c_.flag("exclude_outside")) {
      double sum = 0;
      for (int k = 0; k < 4; ++k) {
        if (low - 1 + k < 0 || low - 1 + k >= from) w[k] = 0;
        sum += w[k];
      }
      for (double& x : w) x /= sum;
    }
    for (int k = 0; k < 4; ++k) put(low - 1 + k, w[k]);
  }

  node_context& c_;
  std::string_view mode_, transformation_, rounding_;
  double cubic_;
};

inline edge resized(node_context& c, edge x, const std::vector<double>& scales, const std::vector<index>& sizes,
                    const std::vector<double>& roi) {
  resizing r(c);
  const shape s = c.m.extents(x);
  const auto rank = static_cast<std::size_t>(s.rank);
  if ((sizes.empty() ? scales.size() : sizes.size()) != rank) c.fail("every axis needs a scale or an extent");
  for (int a = 0; a < s.rank; ++a) {
    const auto k = static_cast<std::size_t>(a);
    if (!is_static_extent(s[a]) && roi.empty() && sizes.empty() && scales[k] == 1) continue;
    (void)c.m.static_extent(x, a);
    const double scale = sizes.empty() ? scales[k] : static_cast<double>(sizes[k]) / static_cast<double>(s[a]);
    if (!(scale > 0) || scale > 1e9) c.fail("scales must be positive");
    const double begin = roi.size() == 2 * rank ? roi[k] : 0, end = roi.size() == 2 * rank ? roi[k + rank] : 1;
    const double extent = std::floor(static_cast<double>(s[a]) * (end - begin) * scale + 1e-6);
    const index to = sizes.empty() ? functor<ops::cast>::convert<index>(extent) : sizes[k];
    x = r.axis(x, a, to, scale, begin, end);
  }
  return x;
}
inline void import_resize(node_context& c) {
  const auto reals = [&](std::size_t i) { return c.has(i) ? c.m.known_reals(c.x(i)) : std::vector<double>(); };
  if (c.opset < 11) return c.out(resized(c, c.x(0), reals(1), {}, {}));
  const bool crops = c.text("coordinate_transformation_mode") == "tf_crop_and_resize";
  c.out(
      resized(c, c.x(0), reals(2), c.has(3) ? c.m.known_integers(c.x(3)) : std::vector<index>(), crops ? reals(1) : std::vector<double>()));
}
inline void import_upsample(node_context& c) {
  if (c.opset >= 9) return c.out(resized(c, c.x(0), c.m.known_reals(c.x(1)), {}, {}));
  std::vector<double> scales;
  for (const float f : c.reals("scales")) scales.push_back(static_cast<double>(f));
  if (c.given("height_scale")) scales = {1, 1, c.real("height_scale", 1), c.real("width_scale", 1)};
  c.out(resized(c, c.x(0), scales, {}, {}));
}

inline constexpr op_entry resize_ops[] = {{"Resize", import_resize}, {"Upsample", import_upsample}};

}  // namespace jig::onnx
