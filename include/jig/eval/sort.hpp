// SPDX-License-Identifier: MIT
#pragma once
// Sorts along an axis: short rows by networks, others one after the other.

#include <jig/eval/control.hpp>
#include <jig/eval/convolution/dense_operand.hpp>
#include <jig/eval/parallel_for.hpp>
#include <jig/eval/sort_network.hpp>
#include <jig/ops/sort.hpp>

#include <algorithm>
#include <bit>

namespace jig {

namespace detail {

// NaN is larger than all numbers.
template <bool Descending>
struct sorts_before {
  static constexpr bool descending = Descending;
  template <class T>
  static bool less(const T& x, const T& y) {
    if constexpr (std::is_floating_point_v<T>) return static_cast<int>(!(y <= x)) & static_cast<int>(x == x);
    else return x < y;
  }
  template <class T>
  bool operator()(const T& x, const T& y) const {
    return Descending ? less(y, x) : less(x, y);
  }
};

// Positions by what lies there, equals by position.
template <class T, class Before>
struct position_before {
  const T* from;
  index stride;
  bool operator()(std::int32_t i, std::int32_t k) const {
    const T &x = from[i * stride], &y = from[k * stride];
    if (Before()(x, y)) return true;
    return i < k && !Before()(y, x);
  }
};

// The first k positions in order of n elements.
template <class Before, class T>
void sort_positions(std::int32_t* order, index n, index k, const T* from, index stride) {
  for (index i = 0; i < n; ++i) order[i] = static_cast<std::int32_t>(i);
  const position_before<T, Before> before{from, stride};
  if (k < n) std::partial_sort(order, order + k, order + n, before);
  else std::sort(order, order + n, before);
}

inline void check_positions(std::string_view op, index n) {
  if (std::in_range<std::int32_t>(n)) return;
  message m;
  m << op << ": positions up to " << n << " do not fit an int32";
  throw_invalid_argument(m.view());
}

// Comparisons of a row that is sorted, about, as elements that a thread passes.
constexpr index work_of_row(index n) { return n * static_cast<index>(std::bit_width(static_cast<std::size_t>(n))); }
template <class In>
index rows_along(const In& in, int axis) {
  return in.extent(axis) == 0 ? 0 : in.size() / in.extent(axis);
}

// Calls f(offset in a, offset in b) for so many rows along an axis, from the first one on.
template <class A, class B, class F>
void for_each_row(const A& a, const B& b, int axis, index first, index rows, F&& f) {
  if (rows == 0) return;
  shape at;
  at.rank = a.rank();
  for (int x = at.rank; x-- > 0;) {
    if (x == axis) continue;
    at[x] = first % a.extent(x);
    first /= a.extent(x);
  }
  for (; rows > 0; --rows) {
    index in_a = 0, in_b = 0;
    for (int x = 0; x < at.rank; ++x) {
      in_a += at[x] * a.stride(x);
      in_b += at[x] * b.stride(x);
    }
    f(in_a, in_b);
    for (int x = at.rank; x-- > 0;) {
      if (x == axis) continue;
      if (++at[x] < a.extent(x)) break;
      at[x] = 0;
    }
  }
}

// How many rows along an axis lie side by side, if a network sorts them into this result; otherwise 0.
template <class T, class Out, class In>
index rows_of_network(const Out& out, const In& in, int axis) {
  const index inner = elements_along(in, axis + 1, in.rank());
  return sorts_by_network<T>(in.extent(axis), inner) && out.strides() == row_major_strides(out.shape()) ? inner : 0;
}

// A few rows of a few elements, one behind the other: an element's place is how many come before it, which takes no branches.
template <class Attributes, class View>
struct few_rows {
  static constexpr bool exist = false;
};
template <class Attributes, class T, index... E>
  requires(sizeof...(E) > 0 && static_attributes<Attributes> && has_network<T> && (is_static_extent(E) && ...))
struct few_rows<Attributes, dense_view<T, E...>> {
  static constexpr index most_comparisons = 256;
  static constexpr int last = static_cast<int>(sizeof...(E)) - 1;
  static constexpr index size = (index{1} * ... * E);
  static constexpr index length = [] {
    constexpr index extents[] = {E...};
    return extents[last];
  }();
  static constexpr bool runs_along_rows() {
    if (find_attribute(Attributes::view(), "axis").key.empty()) return true;
    const index axis = find_attribute(Attributes::view(), "axis").values[0];
    return axis == -1 || axis == last;
  }
  static constexpr index comparisons = size * length;
  static constexpr bool exist = size != 0 && length <= longest_network && comparisons <= most_comparisons && runs_along_rows();

  /// Calls f(where the row begins, number of an element, its place in order) for every element.
  template <class Before, class F>
  [[gnu::always_inline]] static void for_each_place(const T* from, F f) {
    static constexpr int n = static_cast<int>(length);
    for (index first = 0; first < size; first += length) {
      const T* row = from + first;
      std::int32_t place[array_bound(n)] = {};
      // All numbers are constants from the start: of arrays that loops write GCC keeps the memory.
      [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        (
            [&]<int K>(std::integral_constant<int, K>) __attribute__((always_inline)) {
              ((I < K ? compare<Before>(row[I], row[K], place[I], place[K]) : void()), ...);
            }(std::integral_constant<int, I>()),
            ...);
        (f(first, index{I}, place[I]), ...);
      }(std::make_integer_sequence<int, n>());
    }
  }

 private:
  template <class Before>
  [[gnu::always_inline]] static void compare(const T& first, const T& second, std::int32_t& place, std::int32_t& second_place) {
    const std::int32_t turned = Before()(second, first) ? 1 : 0;
    place += turned;
    second_place += 1 - turned;
  }
};

// How many elements the rows of the last axis have, if that is sorted along and the types tell it; otherwise 0.
template <class Attributes, class View>
inline constexpr int known_row = 0;
template <class Attributes, class T, index... E>
  requires(sizeof...(E) > 0 && static_attributes<Attributes>)
inline constexpr int known_row<Attributes, view<T, E...>> = [] {
  constexpr index extents[] = {E...};
  constexpr int last = static_cast<int>(sizeof...(E)) - 1;
  const index axis = find_attribute(Attributes::view(), "axis").values[0], n = extents[last];
  return (axis == -1 || axis == last) && n > 0 && n <= longest_network ? static_cast<int>(n) : 0;
}();

// Calls f with the order that the attribute `descending` asks for.
template <class Attributes, class F>
void in_order_of(const Attributes& attributes, F f) {
  if constexpr (static_attributes<Attributes>) f(sorts_before<find_attribute(Attributes::view(), "descending").values[0] != 0>());
  else if (attribute_of<"descending">(attributes).values[0] != 0) f(sorts_before<true>());
  else f(sorts_before<false>());
}

}  // namespace detail

template <>
struct kernel<ops::sort> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class In>
  static void run(const Attributes& attributes, const Out& out, const In& in) {
    using T = typename Out::value_type;
    const int axis = detail::axis_of(attributes, in);
    const index n = in.extent(axis), to_stride = out.stride(axis), from_stride = in.stride(axis);
    if constexpr (detail::has_network<T>) {
      if (const index inner = detail::rows_of_network<T>(out, in, axis); inner > 0) {
        const detail::dense_operand<T, In> from(detail::memory_for(attributes), in);
        return detail::in_order_of(attributes, [&]<class Before>(Before) {
          constexpr int known = detail::known_row<Attributes, In>;
          const index together = n * inner;
          detail::share_items(in.size() / together, together, [=, to = out.data(), x = from.data](index first, index count) {
            T* some = to + first * together;
            if constexpr (detail::sorts_in_registers<T, known>)
              detail::sort_rows<Before::descending, known>(some, x + first * together, count);
            else detail::sort_by_network<Before::descending>(some, x + first * together, n, inner, count * together);
          });
        });
      }
    }
    detail::in_order_of(attributes, [&](auto before) {
      const auto some = [&](index first, index rows, detail::memory_source& memory) {
        detail::spare_memory<T> row(memory, n);
        detail::for_each_row(in, out, axis, first, rows, [&](index from, index to) {
          for (index i = 0; i < n; ++i) row.data()[i] = in.data()[from + i * from_stride];
          std::sort(row.data(), row.data() + n, before);
          for (index i = 0; i < n; ++i) out.data()[to + i * to_stride] = row.data()[i];
        });
      };
      detail::share_items(detail::rows_along(in, axis), detail::work_of_row(n), detail::memory_for(attributes), some);
    });
  }
  template <class Attributes, class T, index... E>
    requires(detail::few_rows<Attributes, dense_view<T, E...>>::exist)
  [[gnu::always_inline]] static void run_part(const Attributes& attributes, const dense_view<T, E...>& out,
                                              const dense_view<const T, E...>& in) {
    detail::in_order_of(attributes, [&]<class Before>(Before) __attribute__((always_inline)) {
      detail::few_rows<Attributes, dense_view<T, E...>>::template for_each_place<Before>(
          in.data(),
          [&](index first, index i, index place) __attribute__((always_inline)) { out.data()[first + place] = in.data()[first + i]; });
    });
  }
};
template <>
struct kernel<ops::argsort> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class In>
  static void run(const Attributes& attributes, const Out& out, const In& in) {
    const int axis = detail::axis_of(attributes, in);
    const index n = in.extent(axis), stride = out.stride(axis);
    detail::check_positions("ArgSort", n);
    using T = typename In::value_type;
    if constexpr (detail::has_network<T>) {
      if (const index inner = detail::rows_of_network<T>(out, in, axis); inner > 0) {
        const detail::dense_operand<T, In> dense(detail::memory_for(attributes), in);
        return detail::in_order_of(attributes, [&]<class Before>(Before) {
          const index together = n * inner;
          detail::share_items(in.size() / together, together, [=, to = out.data(), x = dense.data](index first, index count) {
            detail::sort_places_by_network<Before::descending>(to + first * together, x + first * together, n, inner, count * together);
          });
        });
      }
    }
    detail::in_order_of(attributes, [&]<class Before>(Before) {
      const auto some = [&](index first, index rows, detail::memory_source& memory) {
        detail::spare_memory<std::int32_t> order(memory, n);
        detail::for_each_row(in, out, axis, first, rows, [&](index from, index to) {
          detail::sort_positions<Before>(order.data(), n, n, in.data() + from, in.stride(axis));
          for (index i = 0; i < n; ++i) out.data()[to + i * stride] = order.data()[i];
        });
      };
      detail::share_items(detail::rows_along(in, axis), detail::work_of_row(n), detail::memory_for(attributes), some);
    });
  }
  template <class Attributes, class T, index... E>
    requires(detail::few_rows<Attributes, dense_view<T, E...>>::exist)
  [[gnu::always_inline]] static void run_part(const Attributes& attributes, const dense_view<std::int32_t, E...>& out,
                                              const dense_view<const T, E...>& in) {
    detail::in_order_of(attributes, [&]<class Before>(Before) __attribute__((always_inline)) {
      detail::few_rows<Attributes, dense_view<T, E...>>::template for_each_place<Before>(
          in.data(), [&](index first, index i, index place)
                         __attribute__((always_inline)) { out.data()[first + place] = static_cast<std::int32_t>(i); });
    });
  }
};
template <>
struct kernel<ops::top_k> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Values, class Positions, class In>
  static void run(const Attributes& attributes, const Values& values, const Positions& positions, const In& in) {
    const int axis = in.rank() - 1;
    const index n = in.extent(axis), k = values.extent(axis);
    detail::check_positions("TopKV2", n);
    if (k == 0) return;
    using T = typename In::value_type;
    if constexpr (detail::has_network<T>) {
      if (detail::rows_of_network<T>(values, in, axis) > 0 && detail::rows_of_network<T>(positions, in, axis) > 0) {
        const detail::dense_operand<T, In> dense(detail::memory_for(attributes), in);
        return detail::share_items(in.size() / n, n,
                                   [=, to = values.data(), places = positions.data(), x = dense.data](index first, index count) {
                                     detail::sort_places_in_a_row<true>(to + first * k, places + first * k, x + first * n,
                                                                        static_cast<int>(n), static_cast<int>(k), count);
                                   });
      }
    }
    const auto some = [&](index first, index rows, detail::memory_source& memory) {
      detail::spare_memory<std::int32_t> order(memory, n);
      detail::for_each_row(in, values, axis, first, rows, [&](index from, index to) {
        detail::sort_positions<detail::sorts_before<true>>(order.data(), n, k, in.data() + from, in.stride(axis));
        for (index i = 0; i < k; ++i) {
          positions.data()[to + i] = order.data()[i];
          values.data()[to + i] = in.data()[from + order.data()[i] * in.stride(axis)];
        }
      });
    };
    detail::share_items(detail::rows_along(in, axis), detail::work_of_row(n), detail::memory_for(attributes), some);
  }
};
template <>
struct kernel<ops::unique> {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Values, class Positions, class In>
  static index run(const Attributes& attributes, const Values& values, const Positions& positions, const In& in) {
    const index n = in.size(), stride = in.stride(0);
    detail::check_positions("Unique", n);
    detail::spare_memory<std::int32_t> order(detail::memory_for(attributes), n);
    detail::sort_positions<detail::sorts_before<false>>(order.data(), n, n, in.data(), stride);
    // Of equals the first one speaks for all.
    std::int32_t* which = positions.data();
    for (index i = 0, first = 0; i < n; ++i) {
      if (!(in.data()[order.data()[i] * stride] == in.data()[order.data()[first] * stride])) first = i;
      which[order.data()[i]] = order.data()[first];
    }
    index found = 0;
    for (index i = 0; i < n; ++i) {
      if (which[i] != i) {
        which[i] = which[which[i]];
      } else {
        values.data()[found] = in.data()[i * stride];
        which[i] = static_cast<std::int32_t>(found++);
      }
    }
    return found;
  }
};

}  // namespace jig
