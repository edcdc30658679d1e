// SPDX-License-Identifier: MIT
#pragma once
// Images with other extents, and what these pass back. The lanes run along the channels, or along whole rows.

#include <jig/eval/pool.hpp>
#include <jig/ops/positions.hpp>
#include <jig/ops/resize.hpp>

#include <algorithm>

namespace jig {

namespace detail {

/// An axis of images and what it becomes. Elements are as wide as they are far apart, so that the middle of the first one is at a half.
struct resized_axis {
  index from, to;

  /// The element in which the middle of one of the result lies.
  constexpr index nearest(index at) const { return (2 * at + 1) * from / (2 * to); }

  /// The elements around it, which are the same one at the ends, and how much the second one counts.
  struct pair {
    index low, high;
    double weight;
  };
  constexpr pair around(index at) const {
    const index halves = (2 * at + 1) * from - to, whole = 2 * to;  // the place is halves / whole
    if (halves <= 0) return {0, 0, 0};
    const index low = halves / whole;
    if (low + 1 >= from) return {from - 1, from - 1, 0};
    return {low, low + 1, static_cast<double>(halves % whole) / static_cast<double>(whole)};
  }
};

/// Images and what they become, both row-major.
struct resized_images {
  index batch, channels;
  resized_axis rows, columns;

  template <class X, class Y>
  resized_images(const X& x, const Y& y)
      : batch(x.extent(0)), channels(x.extent(3)), rows{x.extent(1), y.extent(1)}, columns{x.extent(2), y.extent(2)} {}

  index row() const { return columns.from * channels; }
  index resized_row() const { return columns.to * channels; }
  /// Calls f(image, row of the images, row of the results) for every row of the results.
  template <class F>
  void for_each_row(F f) const {
    for (index n = 0; n < batch; ++n)
      for (index i = 0; i < rows.to; ++i) f(n, i);
  }
};

template <class T>
[[gnu::noinline]] void resize_between(const resized_images& s, const T* x, T* out, T* line) {
  using B = simd::batch<T>;
  s.for_each_row([&](index n, index i) {
    const auto rows = s.rows.around(i);
    const T *low = x + (n * s.rows.from + rows.low) * s.row(), *high = x + (n * s.rows.from + rows.high) * s.row();
    T* to = out + (n * s.rows.to + i) * s.resized_row();
    const B down(static_cast<T>(rows.weight));
    for_each_register<T>(s.row(), [&](const channel_register<T>& c) {
      const B first = c.load(low);
      c.store(line, first + (c.load(high) - first) * down);
    });
    for (index j = 0; j < s.columns.to; ++j) {
      const auto columns = s.columns.around(j);
      const B across(static_cast<T>(columns.weight));
      for_each_register<T>(s.channels, [&](const channel_register<T>& c) {
        const B first = c.load(line + columns.low * s.channels);
        c.store(to + j * s.channels, first + (c.load(line + columns.high * s.channels) - first) * across);
      });
    }
  });
}

/// Adds every element of g to the elements of the images that it is between.
template <class T>
[[gnu::noinline]] void share_between(const resized_images& s, const T* g, T* out, T* line) {
  using B = simd::batch<T>;
  s.for_each_row([&](index n, index i) {
    const auto rows = s.rows.around(i);
    std::fill_n(line, s.row(), T(0));
    const T* from = g + (n * s.rows.to + i) * s.resized_row();
    const auto add = [](T* to, const channel_register<T>& c, const B& x) { c.store(to, c.load(to) + x); };
    for (index j = 0; j < s.columns.to; ++j) {
      const auto columns = s.columns.around(j);
      const B across(static_cast<T>(columns.weight));
      for_each_register<T>(s.channels, [&](const channel_register<T>& c) {
        const B part = c.load(from + j * s.channels), second = part * across;
        add(line + columns.low * s.channels, c, part - second);
        add(line + columns.high * s.channels, c, second);
      });
    }
    const B down(static_cast<T>(rows.weight));
    for_each_register<T>(s.row(), [&](const channel_register<T>& c) {
      const B part = c.load(line), second = part * down;
      add(out + (n * s.rows.from + rows.low) * s.row(), c, part - second);
      add(out + (n * s.rows.from + rows.high) * s.row(), c, second);
    });
  });
}

// Images of which there is nothing are not read.
template <class Images, class Out>
void require_resizable(const Images& x, const Out& out) {
  if (x.size() == 0 && out.size() != 0) throw_invalid_argument("resize: an image without elements cannot be resized");
}

}  // namespace detail

template <>
struct kernel<ops::resize_bilinear> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class Like>
  static void run(const Attributes& with, const Out& out, const X& x, const Like&) {
    using T = typename Out::value_type;
    detail::require_resizable(x, out);
    const detail::resized_images images(x, out);
    const detail::dense_operand<T, X> from(detail::memory_for(with), x);
    const detail::workspace line(detail::memory_for(with), static_cast<std::size_t>(images.row()) * sizeof(T));
    detail::resize_between<T>(images, from.data, out.data(), reinterpret_cast<T*>(line.data()));
  }
};
template <>
struct kernel<ops::resize_bilinear_grad> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class G, class Like>
  static void run(const Attributes& with, const Out& out, const G& g, const Like&) {
    using T = typename Out::value_type;
    const detail::resized_images images(out, g);
    const detail::dense_operand<T, G> from(detail::memory_for(with), g);
    const detail::workspace line(detail::memory_for(with), static_cast<std::size_t>(images.row()) * sizeof(T));
    std::fill_n(out.data(), out.size(), T(0));
    detail::share_between<T>(images, from.data, out.data(), reinterpret_cast<T*>(line.data()));
  }
};
template <>
struct kernel<ops::resize_nearest> {
  template <class Attributes, class Out, class X, class Like>
  static void run(const Attributes&, const Out& out, const X& x, const Like&) {
    detail::require_resizable(x, out);
    const detail::resized_images s(x, out);
    const detail::part_shape pixel(x.shape(), x.strides(), 3);
    auto* to = out.data();
    s.for_each_row([&](index n, index i) {
      const auto* from = x.data() + n * x.stride(0) + s.rows.nearest(i) * x.stride(1);
      for (index j = 0; j < s.columns.to; ++j, to += s.channels) pixel.copy(to, from + s.columns.nearest(j) * x.stride(2));
    });
  }
};
template <>
struct kernel<ops::resize_nearest_grad> {
  template <class Attributes, class Out, class G, class Like>
  static void run(const Attributes&, const Out& out, const G& g, const Like&) {
    using T = typename Out::value_type;
    const detail::resized_images s(out, g);
    std::fill_n(out.data(), out.size(), T(0));
    detail::element_cursor<G> from(g);
    s.for_each_row([&](index n, index i) {
      T* to = out.data() + (n * s.rows.from + s.rows.nearest(i)) * s.row();
      for (index j = 0; j < s.columns.to; ++j)
        for (index c = 0; c < s.channels; ++c) to[s.columns.nearest(j) * s.channels + c] += from.next();
    });
  }
};

}  // namespace jig
