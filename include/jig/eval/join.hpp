// SPDX-License-Identifier: MIT
#pragma once
// Joins: concat and stack. Results are made row by row; of short rows a register full at a time, by shuffles which constant
// evaluation computes. Along the first axis what loops compute may be in its place already.

#include <jig/eval/simd.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/positions.hpp>
#include <jig/passes/joined_rows.hpp>

#include <array>
#include <tuple>

namespace jig {

namespace detail {

// As many bytes as a register has.
inline constexpr std::size_t whole_register = sizeof(simd::batch<std::uint8_t>);

// The integer that moves elements of these bytes.
template <std::size_t Bytes>
using moved =
    std::conditional_t<Bytes == 1, std::uint8_t,
                       std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

/// Rows that are made of parts side by side, as many rows at a time as a register has lanes: of them a result's register has of each part
/// a run of memory, which is one load.
template <class T, index... Widths>
struct row_shuffle {
  static constexpr int width = static_cast<int>((Widths + ...)), parts = sizeof...(Widths);
  static constexpr int lanes = static_cast<int>(whole_register / sizeof(T));
  using vector = typename simd::native<moved<sizeof(T)>, lanes>::type;
  /// Where a lane of a result's register comes from: an element of what the rows have of a part.
  struct origin {
    int part, element;
  };
  static constexpr origin origin_of(int result, int lane) {
    constexpr int widths[] = {static_cast<int>(Widths)...};
    const int at = result * lanes + lane, row = at / width;
    int column = at % width, part = 0;
    while (column >= widths[part]) column -= widths[part++];
    return {part, row * widths[part] + column};
  }
  /// What a result's register is made of.
  struct recipe {
    origin from[array_bound(lanes)] = {};
    int count = 0, part[array_bound(parts)] = {}, start[array_bound(parts)] = {};  // of each load
    int load[array_bound(parts)] = {};                                             // by part
  };
  static constexpr std::array<recipe, array_bound(width)> recipes = [] {
    constexpr int widths[] = {static_cast<int>(Widths)...};
    std::array<recipe, array_bound(width)> out{};
    for (std::size_t r = 0; r < static_cast<std::size_t>(width); ++r)
      for (int l = 0; l < lanes; ++l) {
        const origin o = out[r].from[l] = origin_of(static_cast<int>(r), l);
        bool seen = false;
        for (int k = 0; k < l; ++k) seen = seen || out[r].from[k].part == o.part;
        if (seen) continue;
        // It does not reach behind the rows.
        const int last = lanes * (widths[o.part] - 1);
        out[r].load[o.part] = out[r].count;
        out[r].part[out[r].count] = o.part;
        out[r].start[out[r].count++] = o.element < last ? o.element : last;
      }
    return out;
  }();
  // The lane of two registers, one behind the other, that goes to a lane of the result: what it has of its first loads is the first
  // register, which at the beginning is load 0, and load `next` the second one.
  static constexpr int merged_lane(int result, int next, int lane) {
    const recipe& r = recipes[static_cast<std::size_t>(result)];
    const origin& o = r.from[lane];
    const int load = r.load[o.part], at = o.element - r.start[load];
    if (load == next) return lanes + at;
    return next > 1 ? lane : at;
  }
  template <int Result, int Next, int... L>
  [[gnu::always_inline]] static vector merged(const vector& x, const vector& y, std::integer_sequence<int, L...>) {
    return simd::shuffle<(merged_lane(Result, Next, L))...>(x, y);
  }
  template <int Result>
  [[gnu::always_inline]] static void store_result(T* to, const T* const* from) {
    constexpr recipe r = recipes[Result];
    constexpr std::make_integer_sequence<int, lanes> all;
    const auto load = [&](int k) __attribute__((always_inline)) {
      vector x;
      std::memcpy(&x, static_cast<const void*>(from[r.part[k]] + r.start[k]), sizeof(x));
      return x;
    };
    vector out = load(0);
    if constexpr (r.count == 1) out = merged<Result, 1>(out, out, all);
    [&]<int... S>(std::integer_sequence<int, S...>) __attribute__((always_inline)) {
      ((out = merged<Result, S + 1>(out, load(S + 1), all)), ...);
    }(std::make_integer_sequence<int, r.count - 1>());
    std::memcpy(static_cast<void*>(to + Result * lanes), &out, sizeof(out));
  }
  /// As many rows as there are lanes.
  [[gnu::always_inline]] static void run(T* to, const T* const* from) {
    [&]<int... R>(std::integer_sequence<int, R...>)
        __attribute__((always_inline)) { (store_result<R>(to, from), ...); }(std::make_integer_sequence<int, width>());
  }
};

template <class T, index... Widths>
inline constexpr bool shuffles_rows = std::is_trivially_copyable_v<T> && (Widths + ...) <= longest_shuffled_row && ((Widths > 0) && ...);

template <class T, index... Widths, std::size_t... K>
[[gnu::always_inline]] inline void join_known_rows(T* to, index rows, std::array<const T*, sizeof...(Widths)> from,
                                                   const std::array<index, sizeof...(Widths)>& steps, std::index_sequence<K...>) {
  if constexpr (shuffles_rows<T, Widths...>) {
    using shuffle = row_shuffle<T, Widths...>;
    for (; rows >= shuffle::lanes; rows -= shuffle::lanes, to += shuffle::width * shuffle::lanes) {
      shuffle::run(to, from.data());
      ((from[K] += steps[K] * shuffle::lanes), ...);
    }
  }
  for (; rows > 0; --rows) ((copy_run<Widths>(to, from[K]), to += Widths, from[K] += steps[K]), ...);
}
/// Writes rows that are made of parts of constant widths, side by side. A part begins one step behind that of the row before;
/// where it is always the same, the step is 0 and there are as many copies of it in memory as a register has lanes.
template <class T, index... Widths>
[[gnu::noinline]] void join_known_rows(T* to, index rows, std::array<const T*, sizeof...(Widths)> from,
                                       std::array<index, sizeof...(Widths)> steps) {
  join_known_rows<T, Widths...>(to, rows, from, steps, std::make_index_sequence<sizeof...(Widths)>());
}

// The product of extents, dyn where one is not known.
constexpr index known_product(const shape& s, int first, int last) {
  const index n = some_axes(s, first, last).size();
  return n < 0 ? dyn : n;
}

constexpr shape without_axis(const shape& s, int axis) {
  shape out;
  for (int a = 0; a < s.rank; ++a)
    if (a != axis) out.push_back(s[a]);
  return out;
}

template <class View>
struct dense_extents {
  static constexpr bool exists = false;
};
template <class T, index... E>
struct dense_extents<dense_view<T, E...>> {
  static constexpr bool exists = true;
  static constexpr shape value{sizeof...(E), {E...}};
};

// One behind the other, but for what was computed in its place.
template <class T, class In>
[[gnu::always_inline]] inline void append_dense(T*& to, const In& in) {
  constexpr index known = known_product(dense_extents<In>::value, 0, In::rank());
  const index n = known >= 0 ? known : in.size();
  if (in.data() != to) copy_run(to, in.data(), n);
  to += n;
}

/// Writes tensors side by side: the axes from `Axis` of each, all dense, are what a row of the result has of it.
template <int Axis, class T, class... In>
[[gnu::always_inline]] inline void join_dense(T* to, index rows, const In&... in) {
  if constexpr (Axis == 0) {
    (append_dense(to, in), ...);
  } else if constexpr (((known_product(dense_extents<In>::value, Axis, In::rank()) >= 0) && ...)) {
    join_known_rows<T, known_product(dense_extents<In>::value, Axis, In::rank())...>(
        to, rows, {in.data()...}, {known_product(dense_extents<In>::value, Axis, In::rank())...});
  } else {
    const T* from[] = {in.data()...};
    const index widths[] = {elements_along(in, Axis, In::rank())...};
    for (; rows > 0; --rows)
      for (std::size_t k = 0; k < sizeof...(In); ++k) {
        copy_run(to, from[k], widths[k]);
        to += widths[k];
        from[k] += widths[k];
      }
  }
}

// The product of the extents of a view from an axis on, dyn where one is in the object.
template <int Axis, class T, index... E>
constexpr index known_run(std::type_identity<view<T, E...>>) {
  return known_product({sizeof...(E), {E...}}, Axis, sizeof...(E));
}
/// How rows lie that the axes before an axis count, each of which is what a tensor has from that axis on.
struct row_places {
  bool even = false;  // whether rows are runs of memory that lie equally far apart
  index step = 0;     // so far
};
[[gnu::always_inline]] constexpr row_places rows_before(int axis, const shape& extents, const shape& strides) {
  index run = 1;
  for (int a = extents.rank - 1; a >= axis; --a) {
    if (extents[a] != 1 && strides[a] != run) return {};
    run *= extents[a];
  }
  row_places out{true, 0};
  index next = 0;
  for (int a = axis - 1; a >= 0; --a) {
    if (extents[a] == 1) continue;
    if (next == 0) out.step = strides[a];
    else if (strides[a] != next) return {};
    next = strides[a] * extents[a];
  }
  return out;
}
// Rows of memory, of a constant number of elements or, with dyn, of `width`.
template <index Width, class T>
[[gnu::noinline]] void copy_rows(T* to, index step, const T* from, index from_step, index rows, index width) {
  for (; rows > 0; --rows, to += step, from += from_step) {
    if constexpr (Width >= 0) copy_run<Width>(to, from);
    else copy_run(to, from, width);
  }
}
/// Copies what is joined to its place `to`, where its axes lie with these strides. Some of it may have been computed there already.
template <class Attributes, class Out, class T, class In>
void copy_joined(const Out& out, T* to, const shape& strides, const In& in) {
  if (in.data() == to) return;
  if constexpr (static_attributes<Attributes> && static_rank<Out> && requires { known_run<0>(std::type_identity<In>()); }) {
    constexpr int axis = axis_attribute<Attributes>(Out::rank());
    if constexpr (axis > 0)
      if (out.strides() == row_major_strides(out.shape()))
        if (const row_places rows = rows_before(axis, in.shape(), in.strides()); rows.even)
          return copy_rows<known_run<axis>(std::type_identity<In>())>(to, out.stride(axis - 1), in.data(), rows.step,
                                                                      elements_along(in, 0, axis), elements_along(in, axis, In::rank()));
  }
  copy_strided(to, strides, in.data(), in.strides(), in.shape());
}

/// The rows of what is joined, where they lie at places known at compile time.
template <int Axis, class In>
inline constexpr row_places known_rows = [] {
  if constexpr (fixed_strides<In>::known && Axis > 0) return rows_before(Axis, fixed_strides<In>::extents, fixed_strides<In>::strides);
  else return row_places();
}();
template <class Out, class... In>
inline constexpr bool moves_few = few_fixed<Out> && (fixed_layout<In>::known && ...);
// Whether operands are joined as a part of the function around: a few elements, dense ones, or rows at known places.
template <class Attributes, class Out, class... In>
inline constexpr bool joins_in_place = [] {
  constexpr int axis = axis_attribute<Attributes>(Out::rank());
  if constexpr (moves_few<Out, In...> || (dense_extents<In>::exists && ...)) return true;
  else return fixed_strides<Out>::known && (known_rows<axis, In>.even && ...);
}();

// Writes the rows of tensors side by side, where they lie at known places.
template <int Axis, class T, index... E, class... In>
[[gnu::always_inline]] inline void join_rows(const dense_view<T, E...>& out, const In&... in) {
  constexpr index row = known_product({sizeof...(E), {E...}}, Axis, sizeof...(E));
  const index rows = elements_along(out, 0, Axis);
  // Of nothing there may be no memory to count in.
  if (rows == 0) return;
  T* to = out.data();
  const auto append = [&]<class X>(const X& x) __attribute__((always_inline)) {
    constexpr index width = known_product(fixed_strides<X>::extents, Axis, X::rank());
    if (x.data() != to) copy_rows<width>(to, row, x.data(), known_rows<Axis, X>.step, rows, width);
    to += width;
  };
  (append(in), ...);
}

}  // namespace detail

template <>
struct kernel<ops::concat> {
  template <class Attributes, class T, index... E, class... In>
    requires(detail::joins_in_place<Attributes, dense_view<T, E...>, In...>)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const In&... in) {
    constexpr int axis = detail::axis_attribute<Attributes>(sizeof...(E));
    T* to = out.data();
    if constexpr (detail::moves_few<dense_view<T, E...>, In...>) {
      constexpr shape strides = detail::fixed_layout<dense_view<T, E...>>::strides;
      auto append = [&]<class X>(const X& x) __attribute__((always_inline)) {
        using layout = detail::fixed_layout<X>;
        if (axis != 0 || x.data() != to) detail::copy_fixed<detail::copy_layout{layout::extents, strides, layout::strides}>(to, x.data());
        to += layout::extents[axis] * strides[axis];
      };
      (append(in), ...);
    } else if constexpr (!(detail::dense_extents<In>::exists && ...)) {
      detail::join_rows<axis>(out, in...);
    } else {
      detail::join_dense<axis>(to, detail::elements_along(out, 0, axis), in...);
    }
  }
  template <class Attributes, class Out, class... In>
  static void run(Attributes attributes, const Out& out, const In&... in) {
    const int axis = detail::axis_of(attributes, out);
    if (out.size() == 0) return;
    auto* to = out.data();
    auto append = [&](const auto& x) {
      detail::copy_joined<Attributes>(out, to, out.strides(), x);
      to += x.extent(axis) * out.stride(axis);
    };
    detail::for_each_input(append, in...);
  }
};

template <>
struct kernel<ops::pack> {
  template <class Attributes, class T, index... E, class... In>
    requires(detail::joins_in_place<Attributes, dense_view<T, E...>, In...>)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const In&... in) {
    constexpr int axis = detail::axis_attribute<Attributes>(sizeof...(E));
    T* to = out.data();
    if constexpr (detail::moves_few<dense_view<T, E...>, In...>) {
      constexpr shape strides = detail::fixed_layout<dense_view<T, E...>>::strides;
      constexpr shape each = detail::without_axis(strides, axis);
      auto append = [&]<class X>(const X& x) __attribute__((always_inline)) {
        using layout = detail::fixed_layout<X>;
        if (axis != 0 || x.data() != to) detail::copy_fixed<detail::copy_layout{layout::extents, each, layout::strides}>(to, x.data());
        to += strides[axis];
      };
      (append(in), ...);
    } else if constexpr (!(detail::dense_extents<In>::exists && ...)) {
      detail::join_rows<axis>(out, in...);
    } else {
      detail::join_dense<axis>(to, detail::elements_along(out, 0, axis), in...);
    }
  }
  template <class Attributes, class Out, class... In>
  static void run(Attributes attributes, const Out& out, const In&... in) {
    const int axis = detail::axis_of(attributes, out);
    if (out.size() == 0) return;
    const shape strides = detail::without_axis(out.strides(), axis);
    auto* to = out.data();
    auto append = [&](const auto& x) {
      detail::copy_joined<Attributes>(out, to, strides, x);
      to += out.stride(axis);
    };
    detail::for_each_input(append, in...);
  }
};

}  // namespace jig
