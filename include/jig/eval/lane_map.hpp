// SPDX-License-Identifier: MIT
#pragma once
// Registers whose lanes come from anywhere in memory, as a map known at compile time tells: broadcast, strided, reversed, short
// rows that repeat or are spread. Whole registers are loaded and their lanes moved.

#include <jig/eval/merge_columns.hpp>
#include <jig/eval/merge_lanes.hpp>
#include <jig/eval/partial_registers.hpp>
#include <jig/eval/register_parts.hpp>

#include <array>
#include <utility>

namespace jig::simd {

/// The element that each lane of a register comes from, of those that may be read, which are `first` to `last`.
template <int Lanes>
struct lane_map {
  index at[jig::detail::array_bound(Lanes)] = {};
  index first = 0, last = 0;
};

/// How the lanes of a map are found: in registers loaded from some places.
template <int Lanes>
struct lane_sources {
  int count = 0;                                      // registers to load
  index start[jig::detail::array_bound(Lanes)] = {};  // where each begins
  int of_lane[jig::detail::array_bound(Lanes)] = {};  // which one has the lane
  bool same = true;                                   // all lanes are one element
  bool in_order = true;                               // they are one run of memory
  bool on_grid = false;                               // registers begin where those of maps of neighbours do

  /// Units: instructions, about.
  constexpr int cost() const { return same || in_order ? 1 : count > most_alone ? 2 * Lanes : 2 * count - (count > 1); }
  /// The same where maps of neighbours have loaded the registers.
  constexpr int cost_of_moves() const { return on_grid && count > 1 && count <= most ? count - 1 : cost(); }
  /// Where what may be read is at most so many registers long, maps of neighbours share what they load.
  static constexpr index shared = 16;
  /// From more registers than these lanes are better collected one by one, and from more than so many unless others load them too.
  static constexpr int most = 12, most_alone = 8;
};

/// Where what may be read is little, registers begin at multiples of their size, so that maps of neighbours share them. Who asks for the
/// costs alone looks for no more registers than matter to them.
template <int Lanes>
constexpr lane_sources<Lanes> find_sources(const lane_map<Lanes>& map, int enough = Lanes) {
  lane_sources<Lanes> out;
  index low = map.at[0], high = low;
  for (int l = 1; l < Lanes; ++l) {
    const index at = map.at[l];
    out.same = out.same && at == map.at[0];
    out.in_order = out.in_order && at == map.at[0] + l;
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  const bool one_register = high - low < Lanes, grid = !one_register && map.last - map.first < out.shared * Lanes;
  out.on_grid = grid;
  bool done[jig::detail::array_bound(Lanes)] = {};
  for (int left = Lanes; left > 0 && out.count <= enough;) {
    index next = high;
    for (int l = 0; l < Lanes; ++l)
      if (!done[l] && map.at[l] < next) next = map.at[l];
    index start = grid ? map.first + (next - map.first) / Lanes * Lanes : next;
    if (start + Lanes - 1 > map.last) start = map.last - Lanes + 1 > map.first ? map.last - Lanes + 1 : map.first;
    for (int l = 0; l < Lanes; ++l)
      if (!done[l] && map.at[l] >= start && map.at[l] < start + Lanes) {
        done[l] = true;
        out.of_lane[l] = out.count;
        --left;
      }
    out.start[out.count++] = start;
  }
  return out;
}

/// What it costs to bring the lanes of a map together, of registers that maps of neighbours load, too; below 0 where nothing is known of
/// it.
template <int Lanes>
constexpr double cost_in_two_steps(const lane_map<Lanes>& map, const lane_sources<Lanes>& s) {
  if constexpr (detail::has_two_step_moves && (Lanes == 4 || Lanes == 8)) {
    if (s.same || s.in_order || s.count > s.most) return -1;
    detail::lane_choice<Lanes> from;
    for (int l = 0; l < Lanes; ++l) {
      from.source[l] = s.of_lane[l];
      from.lane[l] = static_cast<int>(map.at[l] - s.start[s.of_lane[l]]);
    }
    return detail::cost_in_two_steps(from, s.count);
  } else {
    return -1;
  }
}

/// The column that a map takes of rows of 2, 4, 8 … elements in registers one behind another; -1 of others.
template <int Lanes>
constexpr int column_of(const lane_map<Lanes>& map, const lane_sources<Lanes>& s) {
  const index apart = Lanes > 1 ? map.at[1] - map.at[0] : 0, column = map.at[0] - map.first;
  if (apart != s.count || apart > Lanes || (apart & (apart - 1)) != 0 || column < 0 || column >= apart) return -1;
  for (int l = 0; l < Lanes; ++l)
    if (map.at[l] != map.at[0] + l * apart) return -1;
  for (int r = 0; r < s.count; ++r)
    if (s.start[r] != map.first + r * Lanes) return -1;
  return static_cast<int>(column);
}

namespace detail {

// Of a type whose member `map` is the map.
template <class Map, int Lanes>
inline constexpr lane_sources<Lanes> sources = find_sources<Lanes>(Map::map);
template <class Map, int Lanes>
inline constexpr int column_of_map = column_of<Lanes>(Map::map, sources<Map, Lanes>);

template <class Map, int Lanes>
struct lane_of_sources {
  static constexpr auto& s = sources<Map, Lanes>;
  static constexpr int source(int l) { return s.of_lane[l]; }
  static constexpr int lane(int l) { return static_cast<int>(Map::map.at[l] - s.start[s.of_lane[l]]); }
};

template <class Map, int Lanes, class T, class N, std::size_t Count>
[[gnu::always_inline]] inline N merge_mapped(const N (&x)[Count]) {
  constexpr int column = column_of_map<Map, Lanes>;
  if constexpr (column >= 0 && moves_any_two<T, Lanes>) return merge_column<Lanes, column>(x);
  else return merge_lanes<lane_of_sources<Map, Lanes>, Lanes>(x);
}

// So many elements are loaded for register R of a map: where they are far from those of the others, no more than it takes, in whole pieces
// of 16 bytes. A full register would reach into another line of the cache most times.
template <class Map, int Lanes, int R, std::size_t Size>
inline constexpr index count_to_load = [] {
  constexpr auto& s = sources<Map, Lanes>;
  constexpr auto& map = Map::map;
  constexpr index reach = map.last - map.first + 1, piece = 16 / static_cast<index>(Size);
  index needed = 1;
  for (int l = 0; l < Lanes; ++l)
    if (s.of_lane[l] == R && map.at[l] - s.start[R] >= needed) needed = map.at[l] - s.start[R] + 1;
  needed = (needed + piece - 1) / piece * piece;
  const bool is_far = s.count > 1 && reach > s.shared * Lanes;
  return is_far && needed < Lanes && s.start[R] + needed - 1 <= map.last ? needed : reach;
}();

template <class T, int Lanes, index Count>
[[gnu::always_inline]] inline typename native<T, Lanes>::type load_native(const T* from) {
  using N = typename native<T, Lanes>::type;
  if constexpr (Count >= Lanes) {
    N x;
    std::memcpy(&x, from, sizeof(x));
    return x;
  } else if constexpr (sizeof(N) >= 16) {
    const void* memory = from;
    return std::bit_cast<N>(load_pieces<sizeof(N), static_cast<std::size_t>(Count) * sizeof(T)>(static_cast<const char*>(memory)));
  } else {
    N x{};
    std::memcpy(&x, from, static_cast<std::size_t>(Count) * sizeof(T));
    return x;
  }
}

}  // namespace detail

/// A register whose lane l is element Map::map.at[l].
template <class Map, int Lanes, class T>
[[gnu::always_inline]] inline typename native<T, Lanes>::type load_mapped(const T* from) {
  using N = typename native<T, Lanes>::type;
  constexpr auto& s = detail::sources<Map, Lanes>;
  if constexpr (s.same) {
    return from[Map::map.at[0]] - N{};  // not a sum: that makes 0 of -0
  } else if constexpr (s.count > s.most) {
    alignas(sizeof(N)) T at[jig::detail::array_bound(Lanes)];
    [&]<int... I>(std::integer_sequence<int, I...>)
        __attribute__((always_inline)) { ((at[I] = from[Map::map.at[I]]), ...); }(std::make_integer_sequence<int, Lanes>());
    N x;
    std::memcpy(&x, at, sizeof(x));
    return x;
  } else if constexpr (s.in_order) {
    return detail::load_native<T, Lanes, detail::count_to_load<Map, Lanes, 0, sizeof(T)>>(from + s.start[0]);
  } else if constexpr (s.count <= 2) {
    // As in `merge`.
    using pair = detail::lane_of_pair<detail::lane_of_sources<Map, Lanes>, 0>;
    constexpr std::make_integer_sequence<int, Lanes> all{};
    const N x = detail::load_native<T, Lanes, detail::count_to_load<Map, Lanes, 0, sizeof(T)>>(from + s.start[0]);
    if constexpr (s.count == 1) return detail::shuffle_by<pair>(x, x, all);
    else
      return detail::shuffle_by<pair>(x, detail::load_native<T, Lanes, detail::count_to_load<Map, Lanes, 1, sizeof(T)>>(from + s.start[1]),
                                      all);
  } else {
    return [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      const N x[] = {detail::load_native<T, Lanes, detail::count_to_load<Map, Lanes, R, sizeof(T)>>(from + s.start[R])...};
      return detail::merge_mapped<Map, Lanes, T>(x);
    }(std::make_integer_sequence<int, s.count>());
  }
}

/// Whether the first elements of a map may be read alone.
template <int Lanes>
constexpr bool can_be_read_in_part(const lane_map<Lanes>& map) {
  const lane_sources<Lanes> from = find_sources(map);
  return !from.same && from.count <= from.most && map.first >= 0;
}

/// The same where there are only the first n elements, one at least: what is not there is zero, and its memory is not touched. Of maps
/// that can be read in part.
template <class Map, int Lanes, class T>
[[gnu::always_inline]] inline typename native<T, Lanes>::type load_mapped_first(const T* from, index n) {
  using N = typename native<T, Lanes>::type;
  using B = sized<T, Lanes>;
  constexpr auto& s = detail::sources<Map, Lanes>;
  const auto some = [&](index start) __attribute__((always_inline)) {
    // Nothing is read near memory that may not be there: machines take long to find that out.
    const bool there = start < n;
    return to_native(load_first<B>(from + (there ? start : 0), there ? n - start : 0));
  };
  if constexpr (s.in_order) {
    return some(s.start[0]);
  } else {
    return [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      const N x[] = {some(s.start[R])...};
      return detail::merge_mapped<Map, Lanes, T>(x);
    }(std::make_integer_sequence<int, s.count>());
  }
}

}  // namespace jig::simd
