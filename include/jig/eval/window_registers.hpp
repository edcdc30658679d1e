// SPDX-License-Identifier: MIT
#pragma once
// How registers pass over the windows of an operand. The lanes run along the channels of a line's windows: where these move by more than
// one element and have few channels, along those of its phases.

#include <jig/eval/partial_registers.hpp>
#include <jig/eval/phases.hpp>
#include <jig/eval/pool_windows.hpp>
#include <jig/eval/sized_register.hpp>
#include <jig/eval/workspace.hpp>

#include <algorithm>
#include <array>

namespace jig::detail {

/// A register of the channels of a place, or what is left of them.
template <class T>
struct channel_register {
  using B = simd::batch<T>;
  index first, count;
  bool whole;
  [[gnu::always_inline]] B load(const T* from) const {
    return whole ? B::load_unaligned(from + first) : simd::load_first<B>(from + first, count);
  }
  [[gnu::always_inline]] void store(T* to, const B& x) const {
    if (whole) x.store_unaligned(to + first);
    else simd::store_first(to + first, x, count);
  }
};
template <class T, class F>
[[gnu::always_inline]] inline void for_each_register(index channels, F f) {
  constexpr index width = simd::lanes<T>;
  index c = 0;
  for (; c + width <= channels; c += width) f(channel_register<T>{c, width, true});
  if (c < channels) f(channel_register<T>{c, channels - c, false});
}

/// Where the elements of a window lie, from its first one.
struct window_places {
  index* at;
  index count = 0;

  const index* begin() const { return at; }
  const index* end() const { return at + count; }
  /// So many elements along each axis, which lie so far apart.
  void set(const pool_windows& windows, index planes, index rows, index columns) {
    count = 0;
    for (index z = 0; z < planes; ++z)
      for (index y = 0; y < rows; ++y)
        for (index x = 0; x < columns; ++x) at[count++] = z * windows.stride(0) + y * windows.stride(1) + x * windows.stride(2);
  }
};

/// Whether lanes run along the phases of a line of so many windows, as they cannot along the channels of one.
template <class T>
constexpr bool passes_phases(const pool_windows& windows, index count) {
  return windows.step() > 1 && count > 1 && 4 * windows.channels() <= simd::lanes<T>;
}

/// How many windows of a line pass their elements through a workspace together: so many that these stay in the first cache. The windows
/// have `rows` lines of the operand each.
class line_blocks {
 public:
  constexpr line_blocks(const pool_windows& windows, index rows, bool needed) : windows_(windows) {
    if (!needed || windows.channels() == 0) return;
    const index each = rows * windows.step() * windows.channels(), most = 2048;
    count_ = each < most ? most / each : 1;
    if (count_ > windows.positions()) count_ = windows.positions();
    size_ = parts(count_, windows.most_taps(2)).size();
  }
  /// The most elements of the operand's line under a block, in phases.
  constexpr index size() const { return size_; }
  /// Places of the operand's line under so many windows.
  constexpr index columns(index count, index taps) const { return (count - 1) * windows_.step() + taps; }
  constexpr phases parts(index count, index taps) const { return {columns(count, taps), windows_.step(), windows_.channels()}; }
  /// Calls f with every block of a line.
  template <class F>
  void for_each(const window_line& line, F f) const {
    window_line part = line;
    for (index first = 0; first < line.count; first += count_) {
      part.count = (std::min)(count_, line.count - first);
      f(part);
      part.from += part.count * windows_.step() * windows_.channels();
      part.to += part.count * windows_.channels();
    }
  }

 private:
  const pool_windows& windows_;
  index count_ = 1, size_ = 0;
};

/// Registers full of windows: so many runs of `length` results side by side.
/// Units: elements.
struct window_runs {
  index count, length, from_step, to_step;  // from one run to the next

  /// The windows of a line, whose channels lie side by side: one run where all their elements do.
  window_runs(index windows, index step, index channels)
      : count(step == 1 ? 1 : windows), length(step == 1 ? windows * channels : channels), from_step(step * channels), to_step(channels) {}
};

// With registers B, which a run of `n` elements does not fill unless `Whole`: all elements of `Registers` of them.
template <class B, int Registers, bool Whole, class T, class Combine, class Finish>
[[gnu::always_inline]] inline void combine_registers(T* to, index to_step, const T* from, index from_step, index n,
                                                     const window_places& places, T nothing, Combine combine, Finish finish) {
  const auto load = [&](const T* x) { return Whole ? B::load_unaligned(x) : simd::load_first<B>(x, n); };
  B total[array_bound(Registers)];
#pragma GCC unroll 4
  for (int r = 0; r < Registers; ++r) total[r] = places.count > 0 ? load(from + places.at[0] + r * from_step) : B(nothing);
  for (index t = 1; t < places.count; ++t)
#pragma GCC unroll 4
    for (int r = 0; r < Registers; ++r) total[r] = combine(total[r], load(from + places.at[t] + r * from_step));
#pragma GCC unroll 4
  for (int r = 0; r < Registers; ++r) {
    if constexpr (Whole) finish(total[r]).store_unaligned(to + r * to_step);
    else simd::store_first(to + r * to_step, finish(total[r]), n);
  }
}
// One register of every run, several runs at a time: one waits for its last result.
template <class B, bool Whole, class T, class Combine, class Finish>
[[gnu::noinline]] void combine_across(T* to, const T* from, const window_runs& runs, const window_places& places, T nothing,
                                      Combine combine, Finish finish) {
  constexpr int many = 4;
  const auto some = [&]<int Registers>(std::integral_constant<int, Registers>, index i) __attribute__((always_inline)) {
    combine_registers<B, Registers, Whole>(to + i * runs.to_step, runs.to_step, from + i * runs.from_step, runs.from_step, runs.length,
                                           places, nothing, combine, finish);
  };
  index i = 0;
  for (; i + many <= runs.count; i += many) some(std::integral_constant<int, many>(), i);
  // What is left, together with some that are there.
  if (i == runs.count) return;
  if (i > 0) return some(std::integral_constant<int, many>(), runs.count - many);
  for (; i < runs.count; ++i) some(std::integral_constant<int, 1>(), i);
}

/// Elements of windows, combined: results from `to` on, each of the elements at `places` behind `from`; without any, `nothing`.
template <class T, class Combine, class Finish>
[[gnu::noinline]] void combine_runs(T* to, const T* from, const window_runs& runs, const window_places& places, T nothing, Combine combine,
                                    Finish finish) {
  constexpr index width = simd::lanes<T>;
  constexpr int many = 4;
  using B = simd::batch<T>;
  using half = simd::sized<T, width / 2>;
  constexpr auto half_width = static_cast<index>(half::size);
  if (runs.length < half_width) return combine_across<half, false>(to, from, runs, places, nothing, combine, finish);
  if (runs.length == half_width) return combine_across<half, true>(to, from, runs, places, nothing, combine, finish);
  if (runs.length < width) return combine_across<B, false>(to, from, runs, places, nothing, combine, finish);
  index k = 0;
  for (; k + many * width <= runs.length; k += many * width)
    for (index i = 0; i < runs.count; ++i)
      combine_registers<B, many, true>(to + i * runs.to_step + k, width, from + i * runs.from_step + k, width, 0, places, nothing, combine,
                                       finish);
  for (; k + width <= runs.length; k += width) combine_across<B, true>(to + k, from + k, runs, places, nothing, combine, finish);
  // What is left, together with some that are there.
  const index last = runs.length - width;
  if (k < runs.length) combine_across<B, true>(to + last, from + last, runs, places, nothing, combine, finish);
}

// Register Q of what the phases of a line give together.
template <int Step, int Group, int Q, class B, class Combine>
[[gnu::always_inline]] inline B combined_phases(const B* x, Combine combine) {
  B total = phase_register<Step, Group, 0, Q>(x);
  [&]<int... P>(std::integer_sequence<int, 0, P...>) __attribute__((always_inline)) {
    ((total = combine(total, phase_register<Step, Group, P, Q>(x))), ...);
  }(std::make_integer_sequence<int, Step>());
  return total;
}
// Windows of `Step` columns, as many as fill registers with all of their channels: their rows, which begin at `places`, then what is left
// of each in registers. Says how many windows.
template <int Step, int Channels, class T, class Combine, class Finish>
[[gnu::noinline]] index combine_side_by_side(T* to, const T* from, index windows, const window_places& places, Combine combine,
                                             Finish finish) {
  using B = simd::batch<T>;
  constexpr int width = static_cast<int>(simd::lanes<T>);
  index k = 0;
  for (; k + width <= windows; k += width, from += Step * Channels * width, to += Channels * width) {
    B x[array_bound(Step * Channels)];
#pragma GCC unroll 8
    for (int r = 0; r < Step * Channels; ++r) x[r] = B::load_unaligned(from + places.at[0] + r * width);
    for (index t = 1; t < places.count; ++t)
#pragma GCC unroll 8
      for (int r = 0; r < Step * Channels; ++r) x[r] = combine(x[r], B::load_unaligned(from + places.at[t] + r * width));
    if constexpr (Channels == 1) {
      finish(simd::combine_groups<Step>(x, combine)).store_unaligned(to);
    } else {
      [&]<int... Q>(std::integer_sequence<int, Q...>) __attribute__((always_inline)) {
        (finish(combined_phases<Step, Channels, Q>(x, combine)).store_unaligned(to + Q * width), ...);
      }(std::make_integer_sequence<int, Channels>());
    }
  }
  return k;
}
// The same for windows that follow one another without gaps, where there are registers for them.
template <class T, class Combine, class Finish>
index combine_side_by_side(T* to, const T* from, const window_line& line, index channels, const window_places& places, Combine combine,
                           Finish finish) {
  const auto with = [&]<int Step, int Channels>(std::integral_constant<int, Step>, std::integral_constant<int, Channels>) {
    return combine_side_by_side<Step, Channels>(to, from, line.count, places, combine, finish);
  };
  using one = std::integral_constant<int, 1>;
  if (channels == 3 && line.taps[2] == 2) return with(std::integral_constant<int, 2>(), std::integral_constant<int, 3>());
  if (channels != 1) return 0;
  switch (line.taps[2]) {
    case 2: return with(std::integral_constant<int, 2>(), one());
    case 3: return with(std::integral_constant<int, 3>(), one());
    case 4: return with(std::integral_constant<int, 4>(), one());
    default: return 0;
  }
}

/// Whether rows of windows that lie side by side are combined before their columns: where several windows need each.
constexpr bool shares_rows(const pool_windows& windows, index rows, index columns) {
  return windows.step() == 1 && rows * columns > rows + columns;
}
template <class T>
constexpr line_blocks combined_blocks(const pool_windows& windows) {
  return {windows, 1,
          passes_phases<T>(windows, windows.positions()) ||
              shares_rows(windows, windows.most_taps(0) * windows.most_taps(1), windows.most_taps(2))};
}

constexpr std::size_t bytes_of_places(const pool_windows& windows) {
  return aligned_size(static_cast<std::size_t>(windows.most_taps()) * sizeof(index));
}
/// Units: bytes of workspace.
template <class T>
constexpr std::size_t combining_bytes(const pool_windows& windows) {
  return bytes_of_places(windows) + aligned_size(static_cast<std::size_t>(2 * combined_blocks<T>(windows).size()) * sizeof(T));
}

/// Combines the elements of every window; `finish` gets the result and how many they were. Windows without elements give `nothing`.
template <class T, class Combine, class Finish>
[[gnu::noinline]] void combine_windows(const pool_windows& windows, const T* x, T* out, memory_source& source, T nothing, Combine combine,
                                       Finish finish) {
  const index channels = windows.channels();
  if (channels == 0) return;
  const line_blocks blocks = combined_blocks<T>(windows);
  const workspace memory(source, combining_bytes<T>(windows));
  window_places places{reinterpret_cast<index*>(memory.data())};
  T *parts = reinterpret_cast<T*>(memory.data() + bytes_of_places(windows)), *combined = parts + blocks.size();
  windows.for_each_line([&](const window_line& line) {
    const auto finished = [&](const auto& total) { return finish(total, line.size()); };
    const index rows = line.taps[0] * line.taps[1];
    const bool in_phases = passes_phases<T>(windows, line.count);
    if (line.size() == 0 || !(in_phases || shares_rows(windows, rows, line.taps[2]))) {
      places.set(windows, line.taps[0], line.taps[1], line.taps[2]);
      return combine_runs(out + line.to, x + line.from, {line.count, windows.step(), channels}, places, nothing, combine, finished);
    }
    window_line left = line;
    if (in_phases && line.taps[2] == windows.step()) {
      places.set(windows, line.taps[0], line.taps[1], 1);
      const index done = combine_side_by_side(out + line.to, x + line.from, line, channels, places, combine, finished);
      left.count -= done;
      left.from += done * windows.step() * channels;
      left.to += done * channels;
    }
    blocks.for_each(left, [&](const window_line& part) {
      const index columns = blocks.columns(part.count, part.taps[2]);
      const T* from = x + part.from;
      if (rows > 1) {
        places.set(windows, part.taps[0], part.taps[1], 1);
        combine_runs(combined, from, {columns, 1, channels}, places, nothing, combine, [](const auto& total) { return total; });
        from = combined;
      }
      const phases p = blocks.parts(part.count, part.taps[2]);
      if (in_phases) {
        split(p, parts, from, columns);
        from = parts;
      }
      places.count = 0;
      for (index t = 0; t < part.taps[2]; ++t) places.at[places.count++] = p.place(t);
      combine_runs(out + part.to, from, {part.count, 1, channels}, places, nothing, combine, finished);
    });
  });
}

/// What passes between windows and results, one register at a time. `Reads` operands and, if `Adds`, one result are like the operand of
/// the pool; what a window passes to places that others have too is added up there.
template <class T, int Reads, bool Adds>
class window_passes {
  static constexpr index rows_of(const pool_windows& w) { return w.most_taps(0) * w.most_taps(1); }
  static constexpr line_blocks blocks_of(const pool_windows& w) { return {w, rows_of(w), passes_phases<T>(w, w.positions())}; }

  const pool_windows& windows_;
  const line_blocks blocks_;
  const workspace memory_;
  window_places places_;

 public:
  /// Units: bytes of workspace.
  static constexpr std::size_t bytes(const pool_windows& w) {
    const index parts = (Reads + (Adds ? 1 : 0)) * rows_of(w) + 1;
    return bytes_of_places(w) + aligned_size(static_cast<std::size_t>(parts * blocks_of(w).size()) * sizeof(T));
  }

  window_passes(const pool_windows& windows, memory_source& source)
      : windows_(windows),
        blocks_(blocks_of(windows)),
        memory_(source, bytes(windows)),
        places_{reinterpret_cast<index*>(memory_.data())} {}

  using operands = std::array<const T*, static_cast<std::size_t>(Reads)>;

  /// Calls f(places, what is read, what is added to, place of the results, register) for the windows of every register: the first element
  /// of a window is in the register at the beginning of each.
  template <class F>
  void run(const operands& read, T* add, F f) {
    if (windows_.channels() == 0) return;
    windows_.for_each_line([&](const window_line& line) {
      if (line.size() == 0) return;
      if (passes_phases<T>(windows_, line.count)) blocks_.for_each(line, [&](const window_line& part) { run_phases(read, add, part, f); });
      else run_line(read, add, line, f);
    });
  }

 private:
  template <class F>
  void run_line(const operands& read, T* add, const window_line& line, F f) {
    places_.set(windows_, line.taps[0], line.taps[1], line.taps[2]);
    const window_runs runs(line.count, windows_.step(), windows_.channels());
    for (index i = 0; i < runs.count; ++i) {
      const index place = line.from + i * runs.from_step;
      operands from = read;
      for (const T*& x : from) x += place;
      T* to = Adds ? add + place : nullptr;
      for_each_register<T>(runs.length, [&](const channel_register<T>& c) { f(places_, from, to, line.to + i * runs.to_step, c); });
    }
  }
  template <class F>
  void run_phases(const operands& read, T* add, const window_line& part, F f) {
    const index channels = windows_.channels(), columns = blocks_.columns(part.count, part.taps[2]);
    const phases p = blocks_.parts(part.count, part.taps[2]);
    const index rows = part.taps[0] * part.taps[1], size = rows * p.size();
    T *line = reinterpret_cast<T*>(memory_.data() + bytes_of_places(windows_)), *sum = line + blocks_.size(),
      *parts = sum + (Adds ? size : 0);
    const auto for_each_row = [&](auto g) {
      for (index r = 0; r < rows; ++r)
        g(r * p.size(), part.from + r / part.taps[1] * windows_.stride(0) + r % part.taps[1] * windows_.stride(1));
    };
    operands from;
    for (std::size_t m = 0; m < Reads; ++m, parts += size) {
      for_each_row([&](index place, index row) { split(p, parts + place, read[m] + row, columns); });
      from[m] = parts;
    }
    places_.count = 0;
    for_each_row([&](index place, index) {
      for (index t = 0; t < part.taps[2]; ++t) places_.at[places_.count++] = place + p.place(t);
    });
    if constexpr (Adds) std::fill_n(sum, size, T(0));
    for_each_register<T>(part.count * channels, [&](const channel_register<T>& c) { f(places_, from, sum, part.to, c); });
    if constexpr (Adds)
      for_each_row([&](index place, index row) {
        merge(p, line, sum + place, columns);
        T* to = add + row;
        for_each_register<T>(columns * channels, [&](const channel_register<T>& c) { c.store(to, c.load(to) + c.load(line)); });
      });
  }
};

}  // namespace jig::detail
