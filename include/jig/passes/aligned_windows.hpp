// SPDX-License-Identifier: MIT
#pragma once
// Pools whose windows lie side by side and cover their operand become reductions of a view of it, which has an axis for the places in a
// window beside that for the windows: nests reduce over any axes, whatever the number of channels. What their
// gradients pass back becomes elementwise in that view, and so do images that are enlarged by repeating every element.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/pool.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/resize.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/passes/constant_positions.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

/// What combines the elements of a window; none if an op does not.
constexpr const op* reduction_of_windows(const op& kind) {
  if (is_op(kind, ops::max_pool2d) || is_op(kind, ops::max_pool3d)) return &ops::reduce_max;
  if (is_op(kind, ops::resize_nearest_grad)) return &ops::reduce_sum;
  return is_op(kind, ops::avg_pool2d) || is_op(kind, ops::avg_pool3d) ? &ops::reduce_mean : nullptr;
}
constexpr bool passes_to_largest(const op& kind) { return is_op(kind, ops::max_pool2d_grad) || is_op(kind, ops::max_pool3d_grad); }
constexpr bool spreads_mean(const op& kind) { return is_op(kind, ops::avg_pool2d_grad) || is_op(kind, ops::avg_pool3d_grad); }
constexpr bool resizes(const op& kind) { return is_op(kind, ops::resize_nearest) || is_op(kind, ops::resize_nearest_grad); }

// Places of a window that are looked at one by one.
inline constexpr index most_places_compared = 16;

/// What has windows in a node, and how many places there are in one of these along its axes.
struct windows_of_image {
  shape image, sizes;
};
/// Windows that lie side by side and cover their image, whose spatial extents are known before the call; without axes if a node has none.
constexpr windows_of_image aligned_windows_of(const graph_view& g, int v) {
  const node_data& n = g.data(v);
  const op* const reduction = reduction_of_windows(*n.kind);
  if ((reduction == nullptr && !passes_to_largest(*n.kind) && !spreads_mean(*n.kind) && !is_op(*n.kind, ops::resize_nearest)) ||
      !is_number(n.spec.dtype) || is_storage(n.spec.dtype))
    return {};
  const shape &operand = g.spec(g.inputs_of(v)[0]).shape, image = reduction != nullptr ? operand : n.spec.shape;
  windows_of_image out{image, image};
  out.sizes[0] = out.sizes[image.rank - 1] = 1;
  int rank = image.rank;
  index places = 1;
  for (int a = 1; a + 1 < image.rank; ++a) {
    index& size = out.sizes[a];
    if (resizes(*n.kind)) {
      const index few = reduction != nullptr ? n.spec.shape[a] : operand[a];
      if (few <= 0 || image[a] <= 0 || image[a] % few != 0) return {};
      size = image[a] / few;
    } else {
      size = g.node(v).attribute("ksize").values[static_cast<std::size_t>(a)];
      if (size != g.node(v).attribute("strides").values[static_cast<std::size_t>(a)]) return {};
    }
    if (image[a] <= 0 || size < 1 || image[a] % size != 0) return {};
    rank += size > 1;
    places *= size;
  }
  const bool begins_there = resizes(*n.kind) || g.node(v).attribute("padding").text != "EXPLICIT";
  static_assert(5 + 3 <= max_rank, "the view of three spatial axes and their windows");
  const bool fits = rank > image.rank && image[image.rank - 1] > 0;
  return begins_there && fits && (!passes_to_largest(*n.kind) || places <= most_places_compared) ? out : windows_of_image();
}
constexpr bool has_aligned_windows(const graph_view& g, int v) { return aligned_windows_of(g, v).image.rank > 0; }
constexpr bool may_have_aligned_windows(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (has_aligned_windows(g, v)) return true;
  return false;
}

/// The graph anew, in which what has aligned windows is a reduction or elementwise.
template <class Graph>
class aligned_windows {
 public:
  constexpr explicit aligned_windows(const Graph& g) : g_(g) {}

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      const op& kind = *g_.data(v).kind;
      if (!has_aligned_windows(g_, v)) renamed_.push_back(copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); }));
      else if (reduction_of_windows(kind) != nullptr) renamed_.push_back(reduced(v));
      else renamed_.push_back(passes_to_largest(kind) ? passed_to_largest(v) : spread(v));
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    return std::move(out_);
  }

 private:
  // The view of an image in which axes of windows have one for their places behind them; and one of its windows, with axes of one place.
  struct windowed {
    shape image, windows;
    list<index> axes;  // those of places
    index places = 1;
  };
  constexpr windowed windows_of(int v) const {
    const auto [image, sizes] = aligned_windows_of(g_, v);
    windowed w;
    for (int a = 0; a < image.rank; ++a) {
      const index n = sizes[a], count = n > 1 ? image[a] / n : image[a];
      w.image.push_back(count);
      w.windows.push_back(count);
      if (n == 1) continue;
      w.axes.push_back(w.image.rank);
      w.image.push_back(n);
      w.windows.push_back(1);
      w.places *= n;
    }
    return w;
  }

  constexpr edge renamed(const edge& e) const { return {renamed_[at(e.node)], e.port}; }
  constexpr dtype type_of(const edge& e) const { return out_.view().spec(e).dtype; }
  // Of the extents of a view only the first may be one that the call tells.
  constexpr edge viewed(const op& kind, const edge& x, const shape& to, index first) {
    list<index> extents;
    for (int a = 0; a < to.rank; ++a) extents.push_back(a == 0 && to[0] < 0 ? first : to[a]);
    const attribute_view with[] = {{"shape", attribute_kind::integers, extents}};
    return out_.add(kind, {type_of(x), to}, {&x, 1}, with);
  }
  constexpr edge reshaped(const edge& x, const shape& to) { return viewed(ops::reshape, x, to, jig::infer); }
  constexpr edge number(dtype type, index n) { return add_constant(out_, type, bits_of_number(type, static_cast<int>(n))); }
  constexpr edge chosen(const edge& a, const edge& b, const edge& yes, const edge& no, const shape& extents) {
    const edge both[] = {a, b};
    const edge inputs[] = {out_.add(ops::equal, {dtype::boolean, extents}, both), yes, no};
    return out_.add(ops::select, {type_of(yes), extents}, inputs);
  }

  constexpr int reduced(int v) {
    const windowed w = windows_of(v);
    const edge from[] = {reshaped(renamed(g_.inputs_of(v)[0]), w.image)};
    const index keep = 0;
    const attribute_view with[] = {{"axes", attribute_kind::integers, w.axes}, {"keep_dims", attribute_kind::boolean, {&keep, 1}}};
    return out_.add(*reduction_of_windows(*g_.data(v).kind), g_.data(v).spec, from, with).node;
  }

  // The same in all places of a window. Of a mean it is divided: by a power of two, which is a product, in every place, by others once for
  // every window. What a loop stores is computed, be it a product with 1: of nothing it would be a copy.
  constexpr int spread(int v) {
    const tensor_spec spec = g_.data(v).spec;
    const windowed w = windows_of(v);
    const bool divided = spreads_mean(*g_.data(v).kind), at_once = divided && (w.places & (w.places - 1)) == 0;
    edge each = renamed(g_.inputs_of(v)[0]);
    if (divided && !at_once) {
      const edge mean[] = {each, number(spec.dtype, w.places)};
      each = out_.add(ops::divide, {spec.dtype, g_.spec(g_.inputs_of(v)[0]).shape}, mean);
    }
    const edge all[] = {viewed(ops::broadcast_to, reshaped(each, w.windows), w.image, dyn), number(spec.dtype, at_once ? w.places : 1)};
    return reshaped(out_.add(at_once ? ops::divide : ops::multiply, {spec.dtype, w.image}, all), spec.shape).node;
  }

  // The number of the first place that is the largest, for every window; then every place compares its own with it.
  constexpr int passed_to_largest(int v) {
    const tensor_spec spec = g_.data(v).spec;
    const windowed w = windows_of(v);
    const edge x = reshaped(renamed(g_.inputs_of(v)[0]), w.image), largest = renamed(g_.inputs_of(v)[1]);
    const shape results = g_.spec(g_.inputs_of(v)[1]).shape;
    edge first = number(spec.dtype, w.places);
    list<std::uint64_t> own;
    for (index k = 0; k < w.places; ++k) own.push_back(bits_of_number(spec.dtype, static_cast<int>(k)));
    for (index k = w.places; k-- > 0;) first = chosen(place(x, w, k, results), largest, number(spec.dtype, k), first, results);
    shape alone;
    for (int a = 0; a < w.image.rank; ++a) alone.push_back(w.windows[a] != w.image[a] ? w.image[a] : 1);
    const edge passed = chosen(reshaped(first, w.windows), add_constant(out_, {spec.dtype, alone}, own),
                               reshaped(renamed(g_.inputs_of(v)[2]), w.windows), number(spec.dtype, 0), w.image);
    return reshaped(passed, spec.shape).node;
  }
  // The elements at place k of every window.
  constexpr edge place(const edge& x, const windowed& w, index k, const shape& results) {
    slice_positions at;
    index places = w.places;
    for (int a = 0; a < w.image.rank; ++a) {
      if (w.windows[a] == w.image[a]) {
        at.add(0, 1, w.image[a]);
      } else {
        places /= w.image[a];
        at.add(k / places % w.image[a], 1, 1, true);
      }
    }
    return with_attributes(
        at, [&](stretch<attribute_view> with) { return out_.add(ops::strided_slice, {type_of(x), results}, {&x, 1}, with); });
  }

  const Graph& g_;
  graph out_;
  list<int> renamed_;
};

}  // namespace jig::detail
