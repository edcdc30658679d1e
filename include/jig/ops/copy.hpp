// SPDX-License-Identifier: MIT
#pragma once
// Copies elements between two places with the same extents. Where extents and strides are constants, a few elements become a few
// moves in the function around them.

#include <jig/core/view.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace jig::detail {

/// What is copied: extents and the strides on both sides, in elements.
struct copy_layout {
  shape extents, to, from;
};

/// The same without axes of extent 1, where axes that both sides run through as through one are joined, so that runs are long.
constexpr copy_layout joined(const copy_layout& l) {
  copy_layout out;
  for (int a = 0; a < l.extents.rank; ++a) {
    const index n = l.extents[a];
    if (n == 0) return {{1, {0}}, {1, {1}}, {1, {1}}};
    if (n == 1) continue;
    const int last = out.extents.rank - 1;
    if (last >= 0 && out.to[last] == l.to[a] * n && out.from[last] == l.from[a] * n) {
      out.extents[last] *= n;
      out.to[last] = l.to[a];
      out.from[last] = l.from[a];
    } else {
      out.extents.push_back(n);
      out.to.push_back(l.to[a]);
      out.from.push_back(l.from[a]);
    }
  }
  return out;
}

/// Copies elements that lie side by side. The two places do not overlap.
template <class T>
[[gnu::always_inline]] inline void copy_run(T* to, const T* from, index n) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    // A call costs more than a few bytes: these go in two parts that may overlap.
    const auto bytes = static_cast<std::size_t>(n) * sizeof(T);
    auto halves = [&]<std::size_t Part>(std::integral_constant<std::size_t, Part>) __attribute__((always_inline)) {
      struct part {
        unsigned char at[Part];
      } first, last;
      const auto* source = reinterpret_cast<const unsigned char*>(from);
      auto* target = reinterpret_cast<unsigned char*>(to);
      std::memcpy(&first, source, Part);
      std::memcpy(&last, source + bytes - Part, Part);
      std::memcpy(target, &first, Part);
      std::memcpy(target + bytes - Part, &last, Part);
    };
    if (bytes > 64) std::memcpy(static_cast<void*>(to), from, bytes);
    else if (bytes >= 32) halves(std::integral_constant<std::size_t, 32>());
    else if (bytes >= 16) halves(std::integral_constant<std::size_t, 16>());
    else if (bytes >= 8) halves(std::integral_constant<std::size_t, 8>());
    else if (bytes >= 4) halves(std::integral_constant<std::size_t, 4>());
    else if (bytes >= 2) halves(std::integral_constant<std::size_t, 2>());
    else if (bytes == 1) *reinterpret_cast<unsigned char*>(to) = *reinterpret_cast<const unsigned char*>(from);
  } else {
    std::copy_n(from, n, to);
  }
}
/// The same for a number that is a constant.
template <index N, class T>
[[gnu::always_inline]] inline void copy_run(T* to, const T* from) {
  // Of none there may be no memory.
  if constexpr (std::is_trivially_copyable_v<T> && N > 0)
    std::memcpy(static_cast<void*>(to), from, static_cast<std::size_t>(N) * sizeof(T));
  else std::copy_n(from, N, to);
}

/// Copies for any extents and strides.
template <class T>
void copy_axes(T* to, const shape& to_strides, const T* from, const shape& from_strides, const shape& extents) {
  const copy_layout l = joined({extents, to_strides, from_strides});
  const int inner = l.extents.rank - 1;
  if (inner < 0) {
    *to = *from;
    return;
  }
  const index n = l.extents[inner], out = l.to[inner], in = l.from[inner];
  if (n == 0) return;
  index at[max_rank] = {};
  while (true) {
    if (out == 1 && in == 1) copy_run(to, from, n);
    else
      for (index i = 0; i < n; ++i) to[i * out] = from[i * in];
    int a = inner - 1;
    for (; a >= 0; --a) {
      to += l.to[a];
      from += l.from[a];
      if (++at[a] < l.extents[a]) break;
      to -= l.to[a] * l.extents[a];
      from -= l.from[a] * l.extents[a];
      at[a] = 0;
    }
    if (a < 0) return;
  }
}

/// Copies elements between two places with the same extents.
template <class T>
[[gnu::always_inline]] inline void copy_strided(T* to, const shape& to_strides, const T* from, const shape& from_strides,
                                                const shape& extents) {
  if (extents.rank == 0) *to = *from;
  else if (extents.rank == 1 && to_strides[0] == 1 && from_strides[0] == 1) std::copy_n(from, extents[0], to);
  else copy_axes(to, to_strides, from, from_strides, extents);
}

/// Up to so many elements are moved one by one, each by an instruction of its own.
inline constexpr index most_moves = 64;

template <copy_layout Joined, int Axis, class T>
[[gnu::always_inline]] inline void copy_fixed_axes(T* to, const T* from) {
  constexpr int inner = Joined.extents.rank - 1;
  if constexpr (Axis > inner) {
    *to = *from;
  } else if constexpr (Axis == inner && Joined.to[Axis] == 1 && Joined.from[Axis] == 1) {
    copy_run<Joined.extents[Axis]>(to, from);
  } else {
    [&]<index... I>(std::integer_sequence<index, I...>) __attribute__((always_inline)) {
      (copy_fixed_axes<Joined, Axis + 1>(to + I * Joined.to[Axis], from + I * Joined.from[Axis]), ...);
    }(std::make_integer_sequence<index, Joined.extents[Axis]>());
  }
}

/// Copies at most most_moves elements whose places are constants.
template <copy_layout Layout, class T>
[[gnu::always_inline]] inline void copy_fixed(T* to, const T* from) {
  constexpr copy_layout l = joined(Layout);
  static_assert(l.extents.size() <= most_moves);
  if constexpr (l.extents.size() > 0) copy_fixed_axes<l, 0>(to, from);
}

/// Whether all strides of a view are constants, and which, beside its extents, of which the first one may be dyn.
template <class View>
struct fixed_strides {
  static constexpr bool known = false;
};
template <class T, index First, index... E>
  requires((is_static_extent(E) && ...))
struct fixed_strides<dense_view<T, First, E...>> {
  static constexpr bool known = true;
  static constexpr shape extents{sizeof...(E) + 1, {First, E...}};
  static constexpr shape strides = row_major_strides(extents);
};
template <class T>
struct fixed_strides<dense_view<T>> {
  static constexpr bool known = true;
  static constexpr shape extents{}, strides{};
};
template <class T, shape Strides, index... E>
struct fixed_strides<fixed_view<T, Strides, E...>> {
  static constexpr bool known = true;
  static constexpr shape extents{sizeof...(E), {E...}};
  static constexpr shape strides = Strides;
};
/// Whether all extents and strides of a view are constants, and which.
template <class View>
struct fixed_layout {
  static constexpr bool known = false;
};
template <class View>
  requires(fixed_strides<View>::known && fixed_strides<View>::extents.is_static())
struct fixed_layout<View> : fixed_strides<View> {};

/// Views of a few elements at constant places.
template <class View>
concept few_fixed = fixed_layout<View>::known && fixed_layout<View>::extents.size() <= most_moves;

}  // namespace jig::detail
