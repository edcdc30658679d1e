// SPDX-License-Identifier: MIT
#pragma once
// What is written around tensors and beside them again: pad and tile. Short rows are made as those of joins are.

#include <jig/eval/join.hpp>
#include <jig/ops/pad.hpp>

namespace jig {

namespace detail {

// Where the elements begin in what is around them.
constexpr index padded_offset(stretch<index> paddings, const shape& strides) {
  index at = 0;
  for (int a = 0; a < strides.rank; ++a) at += paddings[2 * static_cast<std::size_t>(a)] * strides[a];
  return at;
}

// The extents and strides of a tile: each axis twice, the copies and what is copied.
constexpr copy_layout tile_layout(const shape& out, const shape& in, const shape& from) {
  copy_layout l;
  const shape to = row_major_strides(out);
  for (int a = 0; a < in.rank; ++a) {
    const index copies = in[a] == 0 ? 0 : out[a] / in[a];
    if (copies != 1) {
      l.extents.push_back(copies);
      l.to.push_back(in[a] * to[a]);
      l.from.push_back(0);
    }
    if (in[a] == 1) continue;
    l.extents.push_back(in[a]);
    l.to.push_back(to[a]);
    l.from.push_back(from[a]);
  }
  return l;
}
// Whether it has room.
constexpr bool has_tile_layout(const shape& out, const shape& in) {
  int axes = 0;
  for (int a = 0; a < in.rank; ++a) axes += (in[a] != 1) + (out[a] != in[a]);
  return axes <= max_rank;
}

/// Writes the copies that a tile has from axis `a` on, the elements first and then the copies of these.
template <class T, class Out, class In>
void tile_axes(T* to, const T* from, const Out& out, const In& in, const shape& to_strides, const shape& from_strides, int a) {
  if (a == out.rank()) {
    *to = *from;
    return;
  }
  const index n = in.extent(a), block = n * to_strides[a], copies = out.extent(a) / n;
  bool plain = true;
  for (int b = a + 1; b < out.rank(); ++b) plain = plain && out.extent(b) == in.extent(b);
  if (!plain) {
    for (index i = 0; i < n; ++i) tile_axes(to + i * to_strides[a], from + i * from_strides[a], out, in, to_strides, from_strides, a + 1);
  } else {
    const shape extents = in.shape();
    copy_strided(to, some_axes(to_strides, a, out.rank()), from, some_axes(from_strides, a, out.rank()), some_axes(extents, a, out.rank()));
  }
  if (block == 1) std::fill_n(to + 1, copies - 1, *to);
  else
    for (index k = 1; k < copies; ++k) copy_run(to + k * block, to, block);
}

/// Writes every row of Width elements so many times.
template <index Width, index Copies, class T>
[[gnu::noinline]] void repeat_rows(T* to, const T* from, index rows) {
  if constexpr (Width * Copies <= longest_shuffled_row && Copies > 1) {
    [&]<index... K>(std::integer_sequence<index, K...>) {
      join_known_rows<T, (K * 0 + Width)...>(to, rows, {(from + K * 0)...}, {(K * 0 + Width)...});
    }(std::make_integer_sequence<index, Copies>());
  } else {
    for (; rows > 0; --rows, from += Width)
      for (index k = 0; k < Copies; ++k, to += Width) copy_run<Width>(to, from);
  }
}

// The last axis along which a tile has several copies, or -1. Extents that only a call knows are alike in the types, whatever multiples
// they have.
constexpr int last_repeated(stretch<index> multiples) {
  auto a = static_cast<int>(multiples.size());
  while (a-- > 0 && multiples[static_cast<std::size_t>(a)] == 1) {
  }
  return a;
}
/// What a tile has from axis `a` on, up to the last one with several copies, of which `write_rows` writes a number of rows.
template <class T, class In, class Rows>
void tile_outer(T* to, const T* from, const In& in, stretch<index> multiples, const shape& to_strides, const shape& from_strides, int a,
                int last, Rows write_rows) {
  if (a == last) return write_rows(to, from, 1);
  bool plain = true;  // behind this axis
  index rows = in.extent(a);
  for (int b = a + 1; b < last; ++b) {
    plain = plain && multiples[static_cast<std::size_t>(b)] == 1;
    rows *= in.extent(b);
  }
  if (plain) write_rows(to, from, rows);
  else
    for (index i = 0; i < in.extent(a); ++i)
      tile_outer(to + i * to_strides[a], from + i * from_strides[a], in, multiples, to_strides, from_strides, a + 1, last, write_rows);
  const index block = in.extent(a) * to_strides[a];
  for (index k = 1; k < multiples[static_cast<std::size_t>(a)]; ++k) copy_run(to + k * block, to, block);
}

/// Rows of Width elements with a value before and behind.
template <index Before, index Width, index After, class T>
[[gnu::noinline]] void pad_rows(T* to, const T* from, index rows, const T& value) {
  if constexpr (std::is_trivially_copyable_v<T> && Before + Width + After <= longest_shuffled_row) {
    constexpr auto lanes = static_cast<index>(whole_register / sizeof(T)), between = Before + After;
    if (rows > lanes) {
      // Between the elements of two rows lies what is behind the one and before the other.
      T values[static_cast<std::size_t>(between * lanes)];
      std::fill_n(values, between * lanes, value);
      to = std::fill_n(to, Before, value);
      join_known_rows<T, Width, between>(to, rows - 1, {from, values}, {Width, 0});
      to += (rows - 1) * (Width + between);
      copy_run<Width>(to, from + (rows - 1) * Width);
      std::fill_n(to + Width, After, value);
      return;
    }
  }
  for (; rows > 0; --rows, from += Width) {
    to = std::fill_n(to, Before, value);
    copy_run<Width>(to, from);
    to = std::fill_n(to + Width, After, value);
  }
}
/// What a pad has from axis `a` on, up to the last padded one, of which `write_rows` writes a number of rows.
template <class T, class In, class Rows>
void pad_outer(T* to, const T* from, const In& in, const T& value, stretch<index> paddings, const shape& to_strides,
               const shape& from_strides, int a, int last, Rows write_rows) {
  const auto padding = [&](int axis, std::size_t behind) { return paddings[2 * static_cast<std::size_t>(axis) + behind]; };
  if (a == last) return write_rows(to, from, 1);
  bool plain = true;  // behind this axis
  index rows = in.extent(a);
  for (int b = a + 1; b < last; ++b) {
    plain = plain && padding(b, 0) == 0 && padding(b, 1) == 0;
    rows *= in.extent(b);
  }
  to = std::fill_n(to, padding(a, 0) * to_strides[a], value);
  if (plain) {
    write_rows(to, from, rows);
    to += in.extent(a) * to_strides[a];
  } else {
    for (index i = 0; i < in.extent(a); ++i, to += to_strides[a], from += from_strides[a])
      pad_outer(to, from, in, value, paddings, to_strides, from_strides, a + 1, last, write_rows);
  }
  std::fill_n(to, padding(a, 1) * to_strides[a], value);
}

// The last padded axis, or -1.
constexpr int last_padded(stretch<index> paddings) {
  auto a = static_cast<int>(paddings.size() / 2);
  while (a-- > 0 && paddings[2 * static_cast<std::size_t>(a)] == 0 && paddings[2 * static_cast<std::size_t>(a) + 1] == 0) {
  }
  return a;
}

// Whether what is inside of axis `a` lies as the result does, without padding.
template <class In>
bool is_plain_inside(const In& in, stretch<index> paddings, const shape& to_strides, const shape& from_strides, int a) {
  bool plain = from_strides[a] == to_strides[a];
  for (int b = a + 1; b < in.rank(); ++b)
    plain = plain && paddings[2 * static_cast<std::size_t>(b)] == 0 && paddings[2 * static_cast<std::size_t>(b) + 1] == 0 &&
            from_strides[b] == to_strides[b];
  return plain;
}
/// Writes what a pad has from axis `a` on.
template <class T, class In>
void pad_axes(T* to, const T* from, const In& in, const T& value, stretch<index> paddings, const shape& to_strides,
              const shape& from_strides, int a) {
  if (a == in.rank()) {
    *to = *from;
    return;
  }
  const auto before_axis = [&](int b) { return paddings[2 * static_cast<std::size_t>(b)] * to_strides[b]; };
  const auto behind_axis = [&](int b) { return paddings[2 * static_cast<std::size_t>(b) + 1] * to_strides[b]; };
  to = std::fill_n(to, before_axis(a), value);
  const index n = in.extent(a);
  if (is_plain_inside(in, paddings, to_strides, from_strides, a)) {
    copy_run(to, from, n * to_strides[a]);
  } else if (a + 1 == in.rank()) {
    for (index i = 0; i < n; ++i) to[i] = from[i * from_strides[a]];
  } else if (is_plain_inside(in, paddings, to_strides, from_strides, a + 1)) {
    // Rows with something before and behind, which may be few elements.
    const index before = before_axis(a + 1), width = in.extent(a + 1) * to_strides[a + 1], behind = behind_axis(a + 1);
    T* row = to;
    for (index i = 0; i < n; ++i, from += from_strides[a]) {
      row = std::fill_n(row, before, value);
      copy_run(row, from, width);
      row = std::fill_n(row + width, behind, value);
    }
  } else {
    for (index i = 0; i < n; ++i)
      pad_axes(to + i * to_strides[a], from + i * from_strides[a], in, value, paddings, to_strides, from_strides, a + 1);
  }
  std::fill_n(to + n * to_strides[a], behind_axis(a), value);
}

}  // namespace detail

template <>
struct kernel<ops::tile> {
  template <class Attributes, class T, index... E, class In>
    requires(detail::few_fixed<dense_view<T, E...>> && detail::fixed_layout<In>::known &&
             detail::has_tile_layout(shape{sizeof...(E), {E...}}, detail::fixed_layout<In>::extents))
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const In& in) {
    using layout = detail::fixed_layout<In>;
    detail::copy_fixed<detail::tile_layout(shape{sizeof...(E), {E...}}, layout::extents, layout::strides)>(out.data(), in.data());
  }
  // Many rows, of which each is repeated, and blocks of them.
  template <class Attributes, class T, index... E, index... I>
    requires(!detail::few_fixed<dense_view<T, E...>> &&
             [] {
               constexpr auto multiples = find_attribute(Attributes::view(), "multiples").values;
               constexpr int last = detail::last_repeated(multiples);
               bool any = true;
               for (index m : multiples) any = any && m > 0;
               return any && last >= 0 && detail::row_elements({sizeof...(I), {I...}}, last) > 0;
             }())
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, I...>& in) {
    constexpr auto multiples = find_attribute(Attributes::view(), "multiples").values;
    constexpr int last = detail::last_repeated(multiples);
    constexpr index width = detail::some_axes({sizeof...(I), {I...}}, last, sizeof...(I)).size(),
                    copies = multiples[static_cast<std::size_t>(last)];
    detail::tile_outer(out.data(), in.data(), in, multiples, out.strides(), in.strides(), 0, last,
                       [](T* to, const T* from, index rows) { detail::repeat_rows<width, copies>(to, from, rows); });
  }
  template <class Attributes, class Out, class In>
  static void run(Attributes, const Out& out, const In& in) {
    if (out.size() > 0) detail::tile_axes(out.data(), in.data(), out, in, out.strides(), in.strides(), 0);
  }
};

template <>
struct kernel<ops::pad> {
  template <class Attributes, class T, index... E, class In, class Value>
    requires(detail::few_fixed<dense_view<T, E...>> && detail::fixed_layout<In>::known && Value::rank() == 0)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const In& in, const Value& value) {
    using layout = detail::fixed_layout<In>;
    constexpr shape strides = detail::fixed_layout<dense_view<T, E...>>::strides;
    constexpr index offset = detail::padded_offset(find_attribute(Attributes::view(), "paddings").values, strides);
    const T around = *value.data();
    if constexpr (detail::dense_extents<In>::exists && detail::last_padded(find_attribute(Attributes::view(), "paddings").values) == 0) {
      constexpr index size = detail::fixed_layout<dense_view<T, E...>>::extents.size(), inside = layout::extents.size();
      detail::copy_run<inside>(std::fill_n(out.data(), offset, around), in.data());
      std::fill_n(out.data() + offset + inside, size - offset - inside, around);
    } else {
      for (index i = 0; i < detail::fixed_layout<dense_view<T, E...>>::extents.size(); ++i) out.data()[i] = around;
      detail::copy_fixed<detail::copy_layout{layout::extents, strides, layout::strides}>(out.data() + offset, in.data());
    }
  }
  // Many rows with a value around them.
  template <class Attributes, class T, index... E, index... I>
    requires(!detail::few_fixed<dense_view<T, E...>> &&
             [] {
               constexpr int last = detail::last_padded(find_attribute(Attributes::view(), "paddings").values);
               return last >= 0 && detail::some_axes({sizeof...(I), {I...}}, last, sizeof...(I)).size() > 0;
             }())
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, E...>& out, const dense_view<const T, I...>& in,
                                              const dense_view<const T>& value) {
    constexpr auto paddings = find_attribute(Attributes::view(), "paddings").values;
    constexpr int last = detail::last_padded(paddings), rank = sizeof...(I);
    constexpr shape extents{rank, {I...}};
    constexpr index inner = detail::some_axes(extents, last + 1, rank).size();
    constexpr index before = paddings[2 * last] * inner, width = extents[last] * inner, after = paddings[2 * last + 1] * inner;
    const T around = *value.data();
    detail::pad_outer(out.data(), in.data(), in, around, paddings, out.strides(), in.strides(), 0, last,
                      [&around](T* to, const T* from, index rows) { detail::pad_rows<before, width, after>(to, from, rows, around); });
  }
  // A run of memory of unknown length.
  template <class Attributes, class T, index Padded, index First, index... Inner>
    requires(!is_static_extent(First) && (is_static_extent(Inner) && ...) &&
             detail::last_padded(find_attribute(Attributes::view(), "paddings").values) == 0)
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, Padded, Inner...>& out,
                                              const dense_view<const T, First, Inner...>& in, const dense_view<const T>& value) {
    constexpr auto paddings = find_attribute(Attributes::view(), "paddings").values;
    constexpr index inner = (Inner * ... * 1);
    const T around = *value.data();
    const index inside = in.size();
    T* to = std::fill_n(out.data(), paddings[0] * inner, around);
    detail::copy_run(to, in.data(), inside);
    std::fill_n(to + inside, paddings[1] * inner, around);
  }
  template <class Attributes, class Out, class In, class Value>
  static void run(Attributes attributes, const Out& out, const In& in, const Value& value) {
    if (in.size() == 0) std::fill_n(out.data(), out.size(), *value.data());
    else
      detail::pad_axes(out.data(), in.data(), in, *value.data(), detail::attribute_of<"paddings">(attributes).values, out.strides(),
                       in.strides(), 0);
  }
};

template <>
struct kernel<ops::pad_like> {
  template <class Attributes, class Out, class In, class Value, class Like>
  static void run(Attributes attributes, const Out& out, const In& in, const Value& value, const Like&) {
    std::fill_n(out.data(), out.size(), *value.data());
    const auto paddings = detail::attribute_of<"paddings">(attributes).values;
    index first = 0;
    shape extents, strides, from;
    for (int a = 0; a < out.rank(); ++a) {
      const auto k = 2 * static_cast<std::size_t>(a);
      const index inside = out.extent(a) - paddings[k] - paddings[k + 1];
      if (inside <= 0) return;
      first += paddings[k] * out.stride(a);
      extents.push_back(inside);
      strides.push_back(out.stride(a));
      from.push_back(in.rank() == 0 ? 0 : in.stride(a));
    }
    detail::copy_strided(out.data() + first, strides, in.data(), from, extents);
  }
};

}  // namespace jig
