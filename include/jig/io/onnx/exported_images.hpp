// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for images with other extents. Channels go to the second axis and back.

#include <jig/io/onnx/exported_windows.hpp>

namespace jig::onnx {

// Middles of elements are at halves; of two that are as near the later one is taken.
inline std::string resized(exported_node& x, bool nearest, const std::string& images, const std::string& extents) {
  std::vector<written_attribute> with{written_attribute::of_text("mode", nearest ? "nearest" : "linear"),
                                      written_attribute::of_text("coordinate_transformation_mode", "half_pixel")};
  if (nearest) with.push_back(written_attribute::of_text("nearest_mode", "round_prefer_ceil"));
  return x.make("Resize", {images, "", "", extents}, with);
}
template <bool Nearest>
void spell_resize(exported_node& x) {
  const shape to = x.n.shape();
  if (!is_known(space_of(to))) x.refuse("its extents must be known");
  const auto images = channels_second(x, x.in[0], 2);
  std::string extents;
  if (is_static_extent(to[0]) && is_static_extent(to[3])) {
    extents = x.to.integers({to[0], to[3], to[1], to[2]});
  } else {
    const auto others = x.make("Slice", {x.make("Shape", {images}), x.to.integers({0}), x.to.integers({2})});
    extents = x.make("Concat", {others, x.to.integers({to[1], to[2]})}, {attribute("axis", 0)});
  }
  x.give(channels_last(x, resized(x, Nearest, images, extents), 2));
}
// Inputs: the adjoint of the result, and something with the extents of the images. What resizing does to each axis is a matrix, which is
// what it makes of the identity.
template <bool Nearest>
void spell_resize_grad(exported_node& x) {
  const shape from = x.extents(1), to = x.extents(0);
  if (!is_known(space_of(from)) || !is_known(space_of(to))) x.refuse("its extents must be known");
  const auto matrix = [&](int axis) {
    const auto unit = identity_matrices(x, x.n.dtype(), {4, {1, 1, from[axis], from[axis]}});
    return resized(x, Nearest, unit, x.to.integers({1, 1, to[axis], from[axis]}));
  };
  const auto columns = x.make("MatMul", {channels_second(x, x.in[0], 2), matrix(2)});
  x.give(channels_last(x, x.make("MatMul", {transposed(x, matrix(1), {0, 1, 3, 2}), columns}), 2));
}

inline constexpr spelled_op spelled_images[] = {
    {&ops::resize_bilinear, spell_resize<false>},
    {&ops::resize_nearest, spell_resize<true>},
    {&ops::resize_bilinear_grad, spell_resize_grad<false>},
    {&ops::resize_nearest_grad, spell_resize_grad<true>},
};

}  // namespace jig::onnx
