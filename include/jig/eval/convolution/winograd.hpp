// SPDX-License-Identifier: MIT
#pragma once
// Convolutions with filters of 3 x 3 by Winograd's algorithm F(4 x 4, 3 x 3) (A. Lavin, S. Gray, "Fast Algorithms for Convolutional Neural
// Networks", 2015): squares of 6 x 6 of the operand and filters are transformed, multiplied point by point, which takes a quarter of the
// products, and transformed back to tiles of 4 x 4 of the result.

#include <jig/eval/convolution/space.hpp>
#include <jig/eval/matmul/blocked.hpp>
#include <jig/ops/convolution_rules.hpp>

#include <type_traits>

namespace jig::detail {

/// Along one axis: what a square of the operand is multiplied with.
template <class B>
[[gnu::always_inline]] inline void transform_square(const B (&d)[6], B (&to)[6]) {
  using T = typename B::value_type;
  const B a = d[4] - T(4) * d[2], b = d[3] - T(4) * d[1], c = d[4] - d[2], e = T(2) * (d[3] - d[1]);
  to[0] = T(4) * d[0] - T(5) * d[2] + d[4];
  to[1] = a + b;
  to[2] = a - b;
  to[3] = c + e;
  to[4] = c - e;
  to[5] = T(4) * d[1] - T(5) * d[3] + d[5];
}
/// Along one axis: what taps of a filter are multiplied with.
template <class B>
[[gnu::always_inline]] inline void transform_taps(const B (&g)[3], B (&to)[6]) {
  using T = typename B::value_type;
  const B even = (g[0] + g[2]) * T(-1.0 / 6), odd = g[1] * T(1.0 / 6);
  const B even2 = g[0] * T(1.0 / 24) + g[2] * T(1.0 / 6), odd2 = g[1] * T(1.0 / 12);
  to[0] = g[0] * T(0.25);
  to[1] = even - odd;
  to[2] = even + odd;
  to[3] = even2 + odd2;
  to[4] = even2 - odd2;
  to[5] = g[2];
}
/// Along one axis: what products come back as.
template <class B>
[[gnu::always_inline]] inline void transform_back(const B (&m)[6], B (&to)[4]) {
  using T = typename B::value_type;
  const B s = m[1] + m[2], d = m[1] - m[2], u = m[3] + m[4], v = m[3] - m[4];
  to[0] = m[0] + s + u;
  to[1] = d + T(2) * v;
  to[2] = s + T(4) * u;
  to[3] = d + T(8) * v + m[5];
}

/// Whether a call with attributes of this type may ask for this algorithm; those of run time may.
template <class Attributes>
inline constexpr bool may_ask_for_winograd = [] {
  if constexpr (requires { typename std::bool_constant<asks_for_winograd(Attributes::view())>; })
    return asks_for_winograd(Attributes::view());
  else return true;
}();

/// How a convolution is divided: tiles of all items, and how many are computed together.
template <class T>
struct winograd_sizes {
  static constexpr index side = 6, tile = 4, points = side * side, width = simd::lanes<T>;
  // Of the transformed squares and products of a block, which are to stay in the second cache.
  static constexpr index bytes_of_block = 1536 * 1024;
  static constexpr index whole(index n) { return (n + width - 1) / width * width; }

  index in, out, tiles[2], count, together;

  constexpr winograd_sizes(index items, index rows, index columns, index channels_in, index channels_out)
      : in(channels_in),
        out(channels_out),
        tiles{(rows + tile - 1) / tile, (columns + tile - 1) / tile},
        count(items * tiles[0] * tiles[1]),
        together(count) {
    const index bytes = points * (whole(in) + whole(out)) * static_cast<index>(sizeof(T));
    if (bytes == 0) return;
    const index fitting = bytes_of_block / bytes / blocks<T>::rows * blocks<T>::rows;
    together = smaller(fitting < blocks<T>::rows ? index{blocks<T>::rows} : fitting, count);
  }
  /// Whether enough tiles share the transformed filter.
  constexpr bool pays() const { return count >= 64 && in > 0 && out > 0; }
  // Points are so far apart that they do not all meet in one place of a cache.
  constexpr index square_step() const { return together * whole(in) + width; }
  constexpr index product_step() const { return together * whole(out) + width; }
  constexpr std::size_t filter_bytes() const { return aligned_size(static_cast<std::size_t>(points * in * whole(out)) * sizeof(T)); }
  constexpr std::size_t block_bytes() const { return static_cast<std::size_t>(points * (square_step() + product_step())) * sizeof(T); }
};

/// A convolution with a filter of 3 x 3 taps. Channels of all operands are neighbours, and so are those of the filter that go out.
template <class T>
class winograd_convolution {
  using B = simd::batch<T>;
  using sizes = winograd_sizes<T>;
  static constexpr index side = sizes::side, tile = sizes::tile, points = sizes::points, width = sizes::width, panel = blocks<T>::columns;

 public:
  winograd_convolution(const space<T>& out, const space<const T>& x, const filter_space<const T>& w, const convolved_axis (&axes)[3],
                       const sizes& size)
      : out_(out), x_(x), w_(w), size_(size), before_{axes[1].before, axes[2].before} {}

  void run(memory_source& memory_of_call, const tile_epilogue& then) const {
    const index number = (size_.count + size_.together - 1) / size_.together;
    const bool shared = number > 1 && shares_work();
    const workspace memory(memory_of_call, size_.filter_bytes() + (shared ? 0 : size_.block_bytes()));
    T* const weights = reinterpret_cast<T*>(memory.data());
    transform_filter(weights);
    const auto run_blocks = [&](index first, index length, char* of_block) {
      for (index b = first; b < first + length; ++b) run_block(b * size_.together, weights, reinterpret_cast<T*>(of_block), then);
    };
    if (!shared) return run_blocks(0, number, memory.data() + size_.filter_bytes());
    parallel_for(number, 1, [&](index first, index length) {
      const workspace own(*current_threads->memory, size_.block_bytes());
      run_blocks(first, length, own.data());
    });
  }

 private:
  index in() const { return sizes::whole(w_.in); }
  index columns() const { return sizes::whole(w_.out); }

  static B load(const T* from, index count) { return count >= width ? B::load_unaligned(from) : simd::load_first<B>(from, count); }

  // By point: panels of columns, with a row for every channel in.
  void transform_filter(T* to) const {
    for (index i = 0; i < w_.in; ++i)
      for (index j = 0; j < w_.out; j += width) {
        B rows[3][array_bound(side)];
        for (index y = 0; y < 3; ++y) {
          B taps[3];
          for (index x = 0; x < 3; ++x) taps[x] = load(w_.data + y * w_.strides[1] + x * w_.strides[2] + i * w_.in_stride + j, w_.out - j);
          transform_taps(taps, rows[y]);
        }
        for (index x = 0; x < side; ++x) {
          const B taps[] = {rows[0][x], rows[1][x], rows[2][x]};
          B all[array_bound(side)];
          transform_taps(taps, all);
          const index first = j / panel * panel, row = smaller(panel, columns() - first);
          T* place = to + first * w_.in + i * row + j - first;
          for (index y = 0; y < side; ++y) all[y].store_unaligned(place + (y * side + x) * w_.in * columns());
        }
      }
  }

  struct tile_at {
    index item, y, x;
  };
  tile_at at(index number) const {
    const index rest = number % (size_.tiles[0] * size_.tiles[1]);
    return {number / (size_.tiles[0] * size_.tiles[1]), rest / size_.tiles[1] * tile, rest % size_.tiles[1] * tile};
  }

  void run_block(index first, const T* weights, T* memory, const tile_epilogue& then) const {
    const index count = smaller(size_.together, size_.count - first);
    T *const squares = memory, *const products = memory + points * size_.square_step();
    for (index t = 0; t < count; ++t) transform_tile(squares + t * in(), at(first + t));
    for (index p = 0; p < points; ++p)
      for (index j = 0; j < columns(); j += panel) {
        const index here = smaller(panel, columns() - j);
        tile_place<T> place{};
        place.a = squares + p * size_.square_step();
        place.a_row = in();
        place.a_col = 1;
        place.b = weights + p * w_.in * columns() + j * w_.in;
        place.b_row = here;
        place.c = products + p * size_.product_step() + j;
        place.c_row = columns();
        multiply_panel<blocks<T>::registers>(place, here, count, w_.in, false);
      }
    for (index t = 0; t < count; ++t) give_tile(products + t * columns(), at(first + t));
    if (then.run != nullptr) follow(first, count, then);
  }

  void transform_tile(T* to, const tile_at& t) const {
    const index y = t.y - before_[0], x = t.x - before_[1];
    const T* item = x_.data + t.item * x_.batch_stride;
    const auto read = [&](index i, index j, index c) {
      return load(item + (y + i) * x_.strides[1] + (x + j) * x_.strides[2] + c, w_.in - c);
    };
    if (y >= 0 && x >= 0 && y + side <= x_.extents[1] && x + side <= x_.extents[2]) return transform_square_at(to, read);
    transform_square_at(to, [&](index i, index j, index c) {
      const bool inside = y + i >= 0 && y + i < x_.extents[1] && x + j >= 0 && x + j < x_.extents[2];
      return inside ? read(i, j, c) : B(T(0));
    });
  }
  template <class Read>
  void transform_square_at(T* to, Read read) const {
    for (index c = 0; c < w_.in; c += width) {
      B rows[array_bound(side)][array_bound(side)];
#pragma GCC unroll 6
      for (index i = 0; i < side; ++i) {
        const B d[] = {read(i, 0, c), read(i, 1, c), read(i, 2, c), read(i, 3, c), read(i, 4, c), read(i, 5, c)};
        transform_square(d, rows[i]);
      }
#pragma GCC unroll 6
      for (index j = 0; j < side; ++j) {
        const B d[] = {rows[0][j], rows[1][j], rows[2][j], rows[3][j], rows[4][j], rows[5][j]};
        B all[array_bound(side)];
        transform_square(d, all);
#pragma GCC unroll 6
        for (index i = 0; i < side; ++i) all[i].store_unaligned(to + (i * side + j) * size_.square_step() + c);
      }
    }
  }

  void give_tile(const T* from, const tile_at& t) const {
    const index rows = smaller(tile, out_.extents[1] - t.y), places = smaller(tile, out_.extents[2] - t.x);
    T* to = out_.data + t.item * out_.batch_stride + t.y * out_.strides[1] + t.x * out_.strides[2];
    for (index c = 0; c < w_.out; c += width) {
      B columns[array_bound(tile)][array_bound(side)];
#pragma GCC unroll 6
      for (index j = 0; j < side; ++j) {
        B m[array_bound(side)], back[array_bound(tile)];
#pragma GCC unroll 6
        for (index i = 0; i < side; ++i) m[i] = B::load_unaligned(from + (i * side + j) * size_.product_step() + c);
        transform_back(m, back);
#pragma GCC unroll 4
        for (index i = 0; i < tile; ++i) columns[i][j] = back[i];
      }
      const index count = smaller(width, w_.out - c);
#pragma GCC unroll 4
      for (index i = 0; i < tile; ++i) {
        B back[array_bound(tile)];
        transform_back(columns[i], back);
        if (i >= rows) continue;
#pragma GCC unroll 4
        for (index j = 0; j < tile; ++j) {
          if (j >= places) continue;
          T* place = to + i * out_.strides[1] + j * out_.strides[2] + c;
          if (count == width) back[j].store_unaligned(place);
          else simd::store_first(place, back[j], count);
        }
      }
    }
  }

  // Tiles of one row are lines of positions.
  void follow(index first, index count, const tile_epilogue& then) const {
    for (const index end = first + count; first < end;) {
      const tile_at t = at(first);
      const index some = smaller(end - first, size_.tiles[1] - t.x / tile);
      const index places = smaller(some * tile, out_.extents[2] - t.x);
      for (index y = t.y; y < smaller(t.y + tile, out_.extents[1]); ++y)
        then((t.item * out_.extents[1] + y) * out_.extents[2] + t.x, places, 0, out_.channels);
      first += some;
    }
  }

  space<T> out_;
  space<const T> x_;
  filter_space<const T> w_;
  sizes size_;
  index before_[2];
};

}  // namespace jig::detail
