// SPDX-License-Identifier: MIT
#pragma once
// Sorts along an axis: short rows by networks, others one after the other.

#include <jig/eval/control.hpp>
#include <jig/eval/convolution/dense_operand.hpp>
#include <jig/eval/sort_network.hpp>
#include <jig/ops/sort.hpp>

#include <algorithm>

namespace jig {

namespace detail {

// NaN is larger than all numbers.
template <bool Descending>
struct sorts_before {
  static constexpr bool descending = Descending;
  template <class T>
  static bool less(const T& x, const T& y) {
    if constexpr (std::is_floating_point_v<T>) return x < y || (y != y && x == x);
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

// Calls f(offset in a, offset in b) for every row along an axis.
template <class A, class B, class F>
void for_each_row(const A& a, const B& b, int axis, F&& f) {
  shape at;
  at.rank = a.rank();
  for (index rows = a.extent(axis) == 0 ? 0 : a.size() / a.extent(axis); rows > 0; --rows) {
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
          detail::sort_by_network<Before::descending>(out.data(), from.data, n, inner, in.size());
        });
      }
    }
    detail::spare_memory<T> row(detail::memory_for(attributes), n);
    detail::in_order_of(attributes, [&](auto before) {
      detail::for_each_row(in, out, axis, [&](index from, index to) {
        for (index i = 0; i < n; ++i) row.data()[i] = in.data()[from + i * from_stride];
        std::sort(row.data(), row.data() + n, before);
        for (index i = 0; i < n; ++i) out.data()[to + i * to_stride] = row.data()[i];
      });
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
          detail::sort_places_by_network<Before::descending>(out.data(), dense.data, n, inner, in.size());
        });
      }
    }
    detail::spare_memory<std::int32_t> order(detail::memory_for(attributes), n);
    detail::in_order_of(attributes, [&]<class Before>(Before) {
      detail::for_each_row(in, out, axis, [&](index from, index to) {
        detail::sort_positions<Before>(order.data(), n, n, in.data() + from, in.stride(axis));
        for (index i = 0; i < n; ++i) out.data()[to + i * stride] = order.data()[i];
      });
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
        return detail::sort_places_in_a_row<true>(values.data(), positions.data(), dense.data, static_cast<int>(n), static_cast<int>(k),
                                                  in.size() / n);
      }
    }
    detail::spare_memory<std::int32_t> order(detail::memory_for(attributes), n);
    detail::for_each_row(in, values, axis, [&](index from, index to) {
      detail::sort_positions<detail::sorts_before<true>>(order.data(), n, k, in.data() + from, in.stride(axis));
      for (index i = 0; i < k; ++i) {
        positions.data()[to + i] = order.data()[i];
        values.data()[to + i] = in.data()[from + order.data()[i] * in.stride(axis)];
      }
    });
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
