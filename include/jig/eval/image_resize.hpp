// SPDX-License-Identifier: MIT
#pragma once
// Images with other extents, and what these pass back. The lanes run along the channels, or along whole rows.

#include <jig/eval/convolution/dense_operand.hpp>
#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/window_registers.hpp>
#include <jig/ops/positions.hpp>
#include <jig/ops/resize.hpp>

#include <algorithm>
#include <type_traits>

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

/// Where the elements around a column of the results lie in a row of the images, and how much the second one counts.
/// Units: elements.
template <class T>
struct resized_column {
  index low, high;
  T weight;
};
/// Looked up once for all rows.
template <class T>
void find_columns(resized_column<T>* to, const resized_images& s) {
  for (index j = 0; j < s.columns.to; ++j) {
    const auto around = s.columns.around(j);
    to[j] = {around.low * s.channels, around.high * s.channels, static_cast<T>(around.weight)};
  }
}
/// Units: bytes of workspace for a row between rows of the images, and for the columns.
template <class T>
constexpr std::size_t bytes_of_row(index row) {
  return aligned_size(static_cast<std::size_t>(row) * sizeof(T));
}
template <class T>
constexpr std::size_t between_bytes(index row, index columns) {
  return bytes_of_row<T>(row) + aligned_size(static_cast<std::size_t>(columns) * sizeof(resized_column<T>));
}

template <class T>
[[gnu::noinline]] void resize_between(const resized_images& s, const T* x, T* out, char* memory) {
  using B = simd::batch<T>;
  T* line = reinterpret_cast<T*>(memory);
  auto* columns = reinterpret_cast<resized_column<T>*>(memory + bytes_of_row<T>(s.row()));
  find_columns(columns, s);
  s.for_each_row([&](index n, index i) {
    const auto rows = s.rows.around(i);
    const T *low = x + (n * s.rows.from + rows.low) * s.row(), *high = x + (n * s.rows.from + rows.high) * s.row();
    T* to = out + (n * s.rows.to + i) * s.resized_row();
    const B down(static_cast<T>(rows.weight));
    for_each_register<T>(s.row(), [&](const channel_register<T>& c) {
      const B first = c.load(low);
      c.store(line, first + (c.load(high) - first) * down);
    });
    for (index j = 0; j < s.columns.to; ++j, to += s.channels) {
      const auto& at = columns[j];
      if (s.channels < 4) {
        // Too few for registers.
        for (index c = 0; c < s.channels; ++c) {
          const T first = line[at.low + c];
          to[c] = first + (line[at.high + c] - first) * at.weight;
        }
        continue;
      }
      const B across(at.weight);
      for_each_register<T>(s.channels, [&](const channel_register<T>& c) {
        const B first = c.load(line + at.low);
        c.store(to, first + (c.load(line + at.high) - first) * across);
      });
    }
  });
}

/// Adds every element of g to the elements of the images that it is between.
template <class T>
[[gnu::noinline]] void share_between(const resized_images& s, const T* g, T* out, char* memory) {
  using B = simd::batch<T>;
  T* line = reinterpret_cast<T*>(memory);
  auto* columns = reinterpret_cast<resized_column<T>*>(memory + bytes_of_row<T>(s.row()));
  find_columns(columns, s);
  s.for_each_row([&](index n, index i) {
    const auto rows = s.rows.around(i);
    std::fill_n(line, s.row(), T(0));
    const T* from = g + (n * s.rows.to + i) * s.resized_row();
    const auto add = [](T* to, const channel_register<T>& c, const B& x) { c.store(to, c.load(to) + x); };
    for (index j = 0; j < s.columns.to; ++j) {
      const auto& at = columns[j];
      const B across(at.weight);
      for_each_register<T>(s.channels, [&](const channel_register<T>& c) {
        const B part = c.load(from + j * s.channels), second = part * across;
        add(line + at.low, c, part - second);
        add(line + at.high, c, second);
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

/// Rows of the images lie `image` and `row` elements apart, their pixels `pixel`; channels side by side. `columns` is memory for as many
/// places as a row of the results has pixels.
template <class T>
[[gnu::noinline]] void resize_to_nearest(const resized_images& s, const T* x, index image, index row, index pixel, T* out, index* columns) {
  for (index j = 0; j < s.columns.to; ++j) columns[j] = s.columns.nearest(j) * pixel;
  // Where every pixel is repeated, its copies are phases of a row that are all the same.
  const index times = s.columns.from > 0 && s.columns.to % s.columns.from == 0 && pixel == s.channels ? s.columns.to / s.columns.from : 0;
  phases copies(s.columns.to, times > 0 ? times : 1, s.channels);
  copies.apart = 0;
  s.for_each_row([&](index n, index i) {
    T* to = out + (n * s.rows.to + i) * s.resized_row();
    const index at = s.rows.nearest(i);
    if (i > 0 && at == s.rows.nearest(i - 1)) return copy_run(to, to - s.resized_row(), s.resized_row());
    const T* from = x + n * image + at * row;
    if (times > 0) return merge(copies, to, from, s.columns.to);
    const auto each = [&](auto copy) {
      for (index j = 0; j < s.columns.to; ++j, to += s.channels) copy(to, from + columns[j]);
    };
    switch (s.channels) {
      case 1: return each([](T* a, const T* b) { *a = *b; });
      case 3: return each([](T* a, const T* b) { copy_run<3>(a, b); });
      default: return each([&](T* a, const T* b) { copy_run(a, b, s.channels); });
    }
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
    const detail::workspace memory(detail::memory_for(with), detail::between_bytes<T>(images.row(), images.columns.to));
    detail::resize_between<T>(images, from.data, out.data(), memory.data());
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
    const detail::workspace memory(detail::memory_for(with), detail::between_bytes<T>(images.row(), images.columns.to));
    std::fill_n(out.data(), out.size(), T(0));
    detail::share_between<T>(images, from.data, out.data(), memory.data());
  }
};
template <>
struct kernel<ops::resize_nearest> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class Like>
  static void run(const Attributes& with, const Out& out, const X& x, const Like&) {
    using T = typename Out::value_type;
    detail::require_resizable(x, out);
    const detail::resized_images s(x, out);
    if constexpr (std::is_trivially_copyable_v<T>) {
      if (s.channels == 1 || x.stride(3) == 1) {
        const detail::workspace columns(detail::memory_for(with), static_cast<std::size_t>(s.columns.to) * sizeof(index));
        return detail::resize_to_nearest<T>(s, x.data(), x.stride(0), x.stride(1), x.stride(2), out.data(),
                                            reinterpret_cast<index*>(columns.data()));
      }
    }
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
      for (index j = 0; j < s.columns.to; ++j) {
        T* pixel = to + s.columns.nearest(j) * s.channels;
        for (index c = 0; c < s.channels; ++c) pixel[c] += from.next();
      }
    });
  }
};

}  // namespace jig
