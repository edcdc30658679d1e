// SPDX-License-Identifier: MIT
#pragma once
// Convolutions and their transposes, without a copy of the operand: a position of the result is a row of a product with the filter, as
// in a matrix product whose rows overlap.

#include <jig/eval/convolution/lines.hpp>
#include <jig/eval/convolution/positions.hpp>
#include <jig/eval/convolution/spread.hpp>
#include <jig/eval/convolution/tile.hpp>

namespace jig::detail {

/// Bytes of a filter that is packed for tiles: groups of so many columns with so many rows each.
template <class T>
constexpr std::size_t packed_filter_bytes(index groups, index columns, index rows) {
  const index whole = (columns + simd::lanes<T> - 1) / simd::lanes<T> * simd::lanes<T>;
  return aligned_size(static_cast<std::size_t>(groups * whole * rows) * sizeof(T));
}
/// Whether a filter is packed: where its columns are no neighbours, or where enough positions read it that is not too long. Where every
/// lane has channels of its own it is short.
template <class T>
constexpr bool is_filter_packed(bool neighbours, bool lanes, index positions, std::size_t bytes) {
  return !neighbours || (!lanes && positions >= 4 * blocks<T>::rows && bytes <= std::size_t{8} << 20);
}

/// A convolution of x, or its transpose.
template <class T>
class convolution {
 public:
  convolution(const space<T>& out, const space<const T>& x, const filter_space<const T>& w, const convolved_axis (&axes)[3],
              bool transposed)
      : out_(out),
        x_(x),
        w_(w),
        axes_{{axes[0], out.extents[0], transposed}, {axes[1], out.extents[1], transposed}, {axes[2], out.extents[2], transposed}},
        transposed_(transposed) {
    // Rows of the filter are channels of x, its columns those of the result.
    if (transposed) {
      std::swap(w_.in, w_.out);
      std::swap(w_.in_stride, w_.out_stride);
      groups_.count = w_.out == 0 ? 1 : out.channels / w_.out;
      w_.in = groups_.count == 0 ? w_.in : w_.in / groups_.count;
    } else {
      groups_.count = w_.in == 0 ? 1 : x.channels / w_.in;
      w_.out = groups_.count == 0 ? w_.out : w_.out / groups_.count;
    }
    groups_.rows = w_.in;
    groups_.columns = w_.out;
    next_group_ = transposed ? w_.in * w_.in_stride : w_.out * w_.out_stride;
    lines_ = lanes_run_along_lines<T>(groups_, axes_[2], out.extents[2]);
    if (lines_) return;
    lanes_ = groups_.are_lanes<T>();
    if (!lanes_) return;
    // All groups are one, of which every column meets channels of its own.
    w_.out = groups_.lanes();
    if (groups_.columns == 1) w_.out_stride = next_group_;
  }

  void run(memory_source& memory_of_call, const tile_epilogue& then) {
    const index rows = taps() * w_.in, positions = out_.batch * out_.extents[0] * out_.extents[1] * out_.extents[2];
    if (positions == 0 || groups_.lanes() == 0) return;
    // Of nothing nothing is read: its places may be counted from any memory.
    if (x_.data == nullptr) x_.data = out_.data;
    if (w_.data == nullptr) w_.data = out_.data;
    if (lines_ && run_lines(memory_of_call, then)) return;
    const index terms = panel_groups() * positions * (rows + terms_of_store);
    const bool shared = shares_work() && terms * whole_registers(w_.out) >= shared_products;
    const index all = positions * groups_.lanes(), most = bytes_of_block / static_cast<index>(sizeof(T));
    choose_blocks(most, fewest_lines);
    const index panels = panel_groups() * panels_of_group();
    if (shared && panels >= fewest_shared_panels && !lanes_ && !then.whole_rows && blocks_of(0) * blocks_of(1) * blocks_of(2) == 1)
      return share_panels(panels, positions, rows, then);
    if (shared && all / shared_blocks < most) {
      choose_blocks(all / shared_blocks, fewest_lines / 2);
      block_[2] = even_lines(block_[2], out_.extents[1]);
    }
    const index count = blocks_of(0) * blocks_of(1) * blocks_of(2);
    std::size_t bytes = packed_filter_bytes<T>(panel_groups(), w_.out, rows);
    packed_ = is_filter_packed<T>(!transposed_ && w_.out_stride == 1, lanes_, positions, bytes);
    // What only one block reads is packed when it does, panel by panel, and stays in the second cache meanwhile.
    one_panel_ = packed_ && !lanes_ && count == 1;
    if (one_panel_) bytes = packed_filter_bytes<T>(1, smaller(columns_of_panel, w_.out), rows);
    const index places = x_.batch * x_.extents[0] * x_.extents[1] * x_.extents[2];
    const std::size_t before = packed_ ? bytes : 0;
    const workspace memory(memory_of_call, before + spread_bytes<T>(groups_, places, x_.channel_stride == 1));
    panels_ = reinterpret_cast<T*>(memory.data());
    if (packed_ && !one_panel_) pack();
    if (lanes_) x_ = spread(reinterpret_cast<T*>(memory.data() + before), x_, groups_);
    if (!shared || count == 1) {
      for (index number = 0; number < count; ++number) run_block(number, then);
    } else {
      parallel_for(count, 1, [&](index first, index length) {
        for (index number = first; number < first + length; ++number) run_block(number, then);
      });
    }
  }

 private:
  static constexpr index columns_of_panel = blocks<T>::columns, width = simd::lanes<T>;
  static constexpr index whole_registers(index n) { return (n + width - 1) / width * width; }
  // Taps and channels of a panel that are in the second cache together, in elements.
  static constexpr index block = 256 * 1024 / static_cast<index>(sizeof(T)) / columns_of_panel;

  // Positions that are computed before the next ones, so that what follows them finds them in the second cache.
  static constexpr index bytes_of_block = 512 * 1024;
  // With lanes along the lines threads share less than elsewhere: few channels take more time for each product.
  static constexpr index shared_products_of_lines = shared_products / 4;
  // Borders of so many lines fill a tile.
  static constexpr index fewest_lines = blocks<T>::rows;
  // Threads share so many blocks, or half as many lines as fill a tile.
  static constexpr index shared_blocks = 16;
  // Of a filter with so many panels they share these, where one block has all positions.
  static constexpr index fewest_shared_panels = 4;
  // What a position costs beside its products, as terms of a sum.
  static constexpr index terms_of_store = 16;

  index taps() const { return w_.taps[0] * w_.taps[1] * w_.taps[2]; }

  // With lanes along the lines of the result; false where zeros would meet numbers whose products with them are none.
  bool run_lines(memory_source& memory_of_call, const tile_epilogue& then) const {
    const index size = taps() * w_.in * groups_.lanes();
    const std::size_t filter = aligned_size(static_cast<std::size_t>(size) * sizeof(T));
    line_convolution<T> lines(out_, x_, axes_, groups_, w_.data);
    const index products = out_.batch * out_.extents[0] * out_.extents[1] * out_.extents[2] * size;
    const bool shared = shares_work() && products >= shared_products_of_lines && lines.blocks() > 1;
    const workspace memory(memory_of_call, filter + (shared ? 0 : lines.bytes()));
    if (!lies_in_rows()) {
      auto* packed = reinterpret_cast<T*>(memory.data());
      pack_rows(packed);
      lines.read(packed);
    }
    if (lines.pads() && !lines.has_finite_filter()) return false;
    if (!shared) {
      for (index number = 0; number < lines.blocks(); ++number) lines.run(number, memory.data() + filter, then);
    } else {
      parallel_for(lines.blocks(), 1, [&](index first, index length) {
        const workspace own(*current_threads->memory, lines.bytes());
        for (index number = first; number < first + length; ++number) lines.run(number, own.data(), then);
      });
    }
    return true;
  }
  // Whether the filter lies as pack_rows would have it.
  bool lies_in_rows() const {
    index next = groups_.columns;
    bool lies = !transposed_ && groups_.count == 1 && (next == 1 || w_.out_stride == 1) && (w_.in == 1 || w_.in_stride == next);
    next *= w_.in;
    for (int a = 3; a-- > 0; next *= w_.taps[a]) lies = lies && (w_.taps[a] == 1 || w_.strides[a] == next);
    return lies;
  }
  // Group by group a row of the result's channels for every tap and channel of x.
  void pack_rows(T* to) const {
    for (index g = 0; g < groups_.count; ++g)
      for (index z = 0; z < w_.taps[0]; ++z)
        for (index y = 0; y < w_.taps[1]; ++y)
          for (index x = 0; x < w_.taps[2]; ++x)
            for (index i = 0; i < w_.in; ++i)
              for (index j = 0; j < groups_.columns; ++j)
                *to++ = w_.data[tap_place(z, y, x) + g * next_group_ + i * w_.in_stride + j * w_.out_stride];
  }

  // Groups that are products of their own.
  index panel_groups() const { return lanes_ ? 1 : groups_.count; }
  index panels_of_group() const { return (w_.out + columns_of_panel - 1) / columns_of_panel; }

  void pack() {
    for (index g = 0; g < panel_groups(); ++g)
      for (index j = 0; j < w_.out; j += columns_of_panel) pack(panel_place(g, j), g, j);
  }
  void pack(T* to, index group, index column) const {
    const index here = smaller(columns_of_panel, w_.out - column);
    for (index z = 0; z < w_.taps[0]; ++z)
      for (index y = 0; y < w_.taps[1]; ++y)
        for (index x = 0; x < w_.taps[2]; ++x, to += w_.in * whole_registers(here))
          pack_tap(to, w_.data + tap_place(z, y, x) + group * next_group_, column, here);
  }
  T* panel_place(index group, index column) const {
    return one_panel_ ? panels_ : panels_ + (group * whole_registers(w_.out) + column) * taps() * w_.in;
  }
  void pack_tap(T* to, const T* from, index column, index count) const {
    if (!lanes_ || groups_.columns == 1 || next_group_ == groups_.columns * w_.out_stride)
      return pack_panel(to, from + column * w_.out_stride, w_.in_stride, w_.out_stride, count, w_.in);
    for (index i = 0; i < w_.in; ++i, to += whole_registers(count))
      for (index j = 0; j < whole_registers(count); ++j) {
        const index at = column + j;
        to[j] = j < count ? from[at / groups_.columns * next_group_ + at % groups_.columns * w_.out_stride + i * w_.in_stride] : T(0);
      }
  }
  index tap_place(index z, index y, index x) const {
    const index at[] = {z, y, x};
    index place = 0;
    for (int a = 0; a < 3; ++a) place += (transposed_ ? w_.taps[a] - 1 - at[a] : at[a]) * w_.strides[a];
    return place;
  }

  // Blocks of whole items, of whole planes of one item, or of lines of one plane: so many elements of the result, about.
  void choose_blocks(index elements, index lines) {
    const index extents[] = {out_.batch, out_.extents[0], out_.extents[1]};
    index each = out_.extents[2] * groups_.lanes();  // elements of a line
    for (int level = 2; level >= 0; each *= extents[level--]) {
      const index fitting = each > 0 ? elements / each : extents[level];
      const index fewest = level == 2 ? lines : 1;
      block_[level] = smaller(extents[level], fitting < fewest ? fewest : fitting);
    }
    if (block_[2] < extents[2]) block_[1] = 1;
    if (block_[2] < extents[2] || block_[1] < extents[1]) block_[0] = 1;
  }
  // So many lines in a block, or up to twice as many, with which two threads are done first.
  static constexpr index even_lines(index lines, index all) {
    auto of_one_thread = [=](index each) { return ((all + each - 1) / each + 1) / 2 * each; };
    index best = lines;
    for (index each = lines; each < 2 * lines; ++each)
      if (of_one_thread(each) < of_one_thread(best)) best = each;
    return smaller(best, all);
  }
  // Threads share the panels of what one block has: each packs some, and reads all of x.
  [[gnu::noinline, gnu::cold]] void share_panels(index panels, index positions, index rows, const tile_epilogue& then) const {
    const std::size_t bytes = packed_filter_bytes<T>(1, smaller(columns_of_panel, w_.out), rows);
    const bool packed =
        is_filter_packed<T>(!transposed_ && w_.out_stride == 1, false, positions, packed_filter_bytes<T>(panel_groups(), w_.out, rows));
    const box all{{0, 0, 0}, {out_.extents[0], out_.extents[1], out_.extents[2]}};
    parallel_for(panels, 1, [&, packed](index first, index count) {
      const workspace memory(*current_threads->memory, packed ? bytes : 0);
      convolution own = *this;
      own.panels_ = reinterpret_cast<T*>(memory.data());
      own.packed_ = own.one_panel_ = packed;
      for (index number = first; number < first + count; ++number) {
        const index group = number / panels_of_group(), column = number % panels_of_group() * columns_of_panel;
        const index columns = own.run_panels(0, out_.batch, all, group, column);
        then(0, positions, group * w_.out + column, columns);
      }
    });
  }
  index extent_of(int level) const { return level == 0 ? out_.batch : out_.extents[level - 1]; }
  index blocks_of(int level) const { return (extent_of(level) + block_[level] - 1) / block_[level]; }
  void run_block(index number, const tile_epilogue& then) const {
    index low[3], high[3];
    for (int level = 2; level >= 0; --level) {
      const index count = blocks_of(level);
      low[level] = number % count * block_[level];
      high[level] = smaller(low[level] + block_[level], extent_of(level));
      number /= count;
    }
    const box part{{low[1], low[2], 0}, {high[1], high[2], out_.extents[2]}};
    for (index g = 0; g < panel_groups(); ++g)
      for (index j = 0; j < w_.out;) j += run_panels(low[0], high[0], part, g, j);
    const index first = ((low[0] * out_.extents[0] + low[1]) * out_.extents[1] + low[2]) * out_.extents[2];
    then(first, (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]) * out_.extents[2], 0, groups_.lanes());
  }

  struct box {
    index low[3], high[3];
  };

  // Of all whole panels from this column on where they are short, otherwise of one; gives the columns.
  index run_panels(index n0, index n1, const box& part, index group, index column) const {
    const index here = smaller(columns_of_panel, w_.out - column);
    const index panels = lanes_ && here == columns_of_panel ? (w_.out - column) / here : 1;
    tile_terms<T> terms;
    index strides[3];
    if (packed_) {
      if (one_panel_) pack(panels_, group, column);
      terms.b = panel_place(group, column);
      terms.b_row = whole_registers(here);
      strides[2] = w_.in * terms.b_row;
      strides[1] = w_.taps[2] * strides[2];
      strides[0] = w_.taps[1] * strides[1];
    } else {
      terms.b = w_.data + group * w_.out + column;
      terms.b_row = w_.in_stride;
      for (int a = 0; a < 3; ++a) strides[a] = w_.strides[a];
    }
    terms.last_count = here - (here > width ? width : 0);
    terms.a_step = x_.channel_stride;
    // Of a packed filter the last register may be read as a whole, of an operand that lanes read no more than there is.
    with_registers<T>(here, here % width == 0 || (packed_ && !lanes_), [&](auto registers, auto whole) {
      for_each_block_of_taps([&](const box& taps) {
        if (lanes_) run_taps<registers, whole, meeting::lane>(terms, strides, taps, n0, n1, part, group, column, panels);
        else run_taps<registers, whole, meeting::row>(terms, strides, taps, n0, n1, part, group, column, panels);
      });
    });
    return panels * here;
  }

  // Whether the taps of a row of the filter are one segment, with their channels.
  bool joins_taps(const index (&strides)[3], index b_row) const {
    return axes_[2].operand_of_tap() * x_.strides[2] == w_.in * x_.channel_stride && axes_[2].tap_step() * strides[2] == w_.in * b_row;
  }

  template <class F>
  void for_each_block_of_taps(F f) const {
    index most = w_.in == 0 ? taps() : block / w_.in, size[3];
    if (most > tile_terms<T>::most_segments) most = tile_terms<T>::most_segments;
    for (int a = 3; a-- > 0; most = most / size[a]) size[a] = smaller(w_.taps[a], most < 1 ? 1 : most);
    // Taps of a filter without any: its results are zeros.
    if (taps() == 0) return f(box{});
    for (index z = 0; z < w_.taps[0]; z += size[0])
      for (index y = 0; y < w_.taps[1]; y += size[1])
        for (index x = 0; x < w_.taps[2]; x += size[2])
          f(box{{z, y, x}, {smaller(z + size[0], w_.taps[0]), smaller(y + size[1], w_.taps[1]), smaller(x + size[2], w_.taps[2])}});
  }

  template <int Registers, bool Whole, meeting Meeting>
  void run_taps(tile_terms<T>& terms, const index (&strides)[3], const box& taps, index n0, index n1, const box& part, index group,
                index column, index panels) const {
    const bool joined = joins_taps(strides, terms.b_row);
    tile_rows<Registers, Whole, Meeting, T> rows(terms);
    const T* from = x_.data + group * w_.in * x_.channel_stride + (Meeting == meeting::lane ? column : 0);
    const T* b = terms.b;
    T* to = out_.data + group * w_.out + column;
    const index a_next = axes_[2].operand_of_position() * x_.strides[2], b_next = packed_ ? this->taps() * w_.in : 1;
    axes_[0].for_each_class(part.low[0], part.high[0], [&](const position_class& z) {
      axes_[1].for_each_class(part.low[1], part.high[1], [&](const position_class& y) {
        const auto run_class = [&](const position_class& x) {
          const position_class* classes[] = {&z, &y, &x};
          if (!find_terms(terms, strides, taps, classes, joined)) return;
          const index c_next = x.step * out_.strides[2];
          for (index shift = 0; shift < panels * columns_of_panel; shift += columns_of_panel) {
            terms.b = b + shift * b_next;
            for (index n = n0; n < n1; ++n)
              for (index k = 0; k < z.size; ++k)
                for (index j = 0; j < y.size; ++j) {
                  const T* a = from + shift + n * x_.batch_stride + place(0, z, k) + place(1, y, j) + place(2, x, 0);
                  T* c = to + shift + n * out_.batch_stride + (z.begin + k * z.step) * out_.strides[0] +
                         (y.begin + j * y.step) * out_.strides[1] + x.begin * out_.strides[2];
                  index i = 0;
                  if constexpr (Meeting == meeting::row) i = convolve_line<Registers, Whole>({a, a_next, c, c_next}, x.size, terms);
                  for (; i < x.size; ++i) rows.add(a + i * a_next, c + i * c_next);
                }
            rows.finish();
          }
        };
        if ((n1 - n0) * z.size * y.size >= blocks<T>::rows) axes_[2].for_each_class(part.low[2], part.high[2], run_class);
        else axes_[2].for_each_group(part.low[2], part.high[2], blocks<T>::rows, run_class);
      });
    });
    terms.b = b;
  }
  // Of so many rows all that fill tiles; gives how many there are. What is left is computed together with a few that are there, unless it
  // is added to what is there.
  template <int Registers, bool Whole>
  static index convolve_line(const even_rows<T>& at, index rows, const tile_terms<T>& terms) {
    constexpr index tile = even_rows_of_tile<Registers>;
    index i = 0;
    for (; i + tile <= rows; i += tile) convolve_even_rows<Registers, Whole>(at.from(i), terms);
    if (i == 0 || i == rows || terms.add || 8 * (tile - (rows - i)) > rows) return i;
    convolve_even_rows<Registers, Whole>(at.from(rows - tile), terms);
    return rows;
  }
  index place(int axis, const position_class& c, index position) const {
    return (c.operand + position * axes_[axis].operand_of_position()) * x_.strides[axis];
  }

  // The segments of positions of these classes that lie in a block of taps; whether there is anything to do. Where a class meets no tap
  // at all, there is: zeros, in the first block.
  bool find_terms(tile_terms<T>& terms, const index (&strides)[3], const box& taps, const position_class* const (&classes)[3],
                  bool joined) const {
    index first[3], last[3];
    bool met = true, begun = false, first_block = true;
    for (int a = 0; a < 3; ++a) {
      const position_class& c = *classes[a];
      const index step = axes_[a].tap_step();
      met = met && c.taps > 0;
      first_block = first_block && taps.low[a] == 0;
      begun = begun || (c.taps > 0 && (c.first < taps.low[a] || c.earliest < c.first));
      first[a] = c.first >= taps.low[a] ? 0 : (taps.low[a] - c.first + step - 1) / step;
      last[a] = c.first >= taps.high[a] ? 0 : smaller(c.taps, (taps.high[a] - c.first + step - 1) / step);
    }
    terms.count = 0;
    terms.length = 0;
    terms.add = false;
    if (!met || w_.in == 0) return first_block;
    for (int a = 0; a < 3; ++a)
      if (first[a] >= last[a]) return false;
    terms.add = begun;
    const index many = joined ? 1 : last[2] - first[2];
    terms.length = w_.in * (joined ? last[2] - first[2] : 1);
    auto moved = [&](int a, index k) {
      return tile_segment{k * axes_[a].operand_of_tap() * x_.strides[a], (classes[a]->first + k * axes_[a].tap_step()) * strides[a]};
    };
    for (index z = first[0]; z < last[0]; ++z)
      for (index y = first[1]; y < last[1]; ++y)
        for (index x = first[2]; x < first[2] + many; ++x) {
          const tile_segment at[] = {moved(0, z), moved(1, y), moved(2, x)};
          terms.segments[terms.count++] = {at[0].a + at[1].a + at[2].a, at[0].b + at[1].b + at[2].b};
        }
    return true;
  }

  space<T> out_;
  space<const T> x_;
  filter_space<const T> w_;
  convolution_positions axes_[3];
  bool transposed_, packed_ = false, one_panel_ = false;
  channel_groups groups_;
  index next_group_ = 0;        // of the filter
  bool lanes_ = false;          // Lanes run along the channels of several groups.
  bool lines_ = false;          // Lanes run along the positions of a line.
  index block_[3] = {1, 1, 1};  // items, planes and lines
  T* panels_ = nullptr;
};

}  // namespace jig::detail
