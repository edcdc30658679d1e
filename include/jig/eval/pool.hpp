// SPDX-License-Identifier: MIT
#pragma once
// Windows of operands: their largest elements, their means, and what these pass back. The lanes run along the channels.

#include <jig/eval/convolution/dense_operand.hpp>
#include <jig/eval/convolution/positions.hpp>
#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/partial_registers.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/pool.hpp>

#include <algorithm>
#include <limits>

namespace jig {

namespace detail {

/// A window: where it begins in the operand and where its result is, in elements, and so many of its elements lie in the operand.
struct pool_window {
  index from, to, taps[3];
  index size() const { return taps[0] * taps[1] * taps[2]; }
};

/// The windows of an operand. It and the result are row-major.
class pool_windows {
 public:
  template <class X, class Y>
  pool_windows(stretch<attribute_view> with, const X& x, const Y& y)
      : axes_{one(), one(), one()}, batch_(x.extent(0)), channels_(x.extent(x.rank() - 1)) {
    const int count = x.rank() - 2;
    const auto windows = find_attribute(with, "ksize").values;
    for (int a = 0; a < count; ++a) {
      axes_[3 - count + a] = {axis_of_call(with, a, x.extent(a + 1), windows[static_cast<std::size_t>(a) + 1], y.extent(a + 1)),
                              y.extent(a + 1), false};
      extents_[3 - count + a] = x.extent(a + 1);
    }
    for (int a = 3; a-- > 0;) strides_[a] = a == 2 ? channels_ : strides_[a + 1] * extents_[a + 1];
  }

  index channels() const { return channels_; }
  index positions() const { return axes_[0].positions() * axes_[1].positions() * axes_[2].positions(); }

  /// Calls f with every window.
  template <class F>
  void for_each(F f) const {
    const index item = strides_[0] * extents_[0], result = positions() * channels_;
    for (index n = 0; n < batch_; ++n)
      for_each_class(0, [&](const position_class& z) {
        for_each_class(1, [&](const position_class& y) {
          for_each_class(2, [&](const position_class& x) {
            pool_window w{0, 0, {z.taps, y.taps, x.taps}};
            for (index k = 0; k < z.size; ++k)
              for (index j = 0; j < y.size; ++j)
                for (index i = 0; i < x.size; ++i) {
                  w.from = n * item + place(0, z, k) + place(1, y, j) + place(2, x, i);
                  w.to =
                      n * result + (((z.begin + k) * axes_[1].positions() + y.begin + j) * axes_[2].positions() + x.begin + i) * channels_;
                  f(w);
                }
          });
        });
      });
  }
  /// Calls f with the place of every element of a window, behind its first one.
  template <class F>
  [[gnu::always_inline]] void for_each_tap(const pool_window& w, F f) const {
    for (index z = 0; z < w.taps[0]; ++z)
      for (index y = 0; y < w.taps[1]; ++y)
        for (index x = 0; x < w.taps[2]; ++x) f(z * strides_[0] + y * strides_[1] + x * strides_[2]);
  }

 private:
  static constexpr convolution_positions one() { return {convolved_axis{}, 1, false}; }
  template <class F>
  void for_each_class(int axis, F f) const {
    axes_[axis].for_each_class(0, axes_[axis].positions(), f);
  }
  index place(int axis, const position_class& c, index position) const {
    return (c.operand + position * axes_[axis].operand_of_position()) * strides_[axis];
  }

  convolution_positions axes_[3];
  index extents_[3] = {1, 1, 1}, strides_[3];
  index batch_, channels_;
};

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

/// Combines the elements of every window, beginning with `first`; `finish` gets the result and how many they were.
template <class T, class Combine, class Finish>
[[gnu::noinline]] void combine_windows(const pool_windows& windows, const T* x, T* out, T first, Combine combine, Finish finish) {
  windows.for_each([&](const pool_window& w) {
    for_each_register<T>(windows.channels(), [&](const channel_register<T>& c) {
      simd::batch<T> total(first);
      windows.for_each_tap(w, [&](index tap) { total = combine(total, c.load(x + w.from + tap)); });
      c.store(out + w.to, finish(total, w.size()));
    });
  });
}

/// Calls f with the elements of every window and the lanes in which this one is the first that equals the result.
template <class T, class F>
[[gnu::noinline]] void for_each_largest(const pool_windows& windows, const T* x, const T* result, F f) {
  windows.for_each([&](const pool_window& w) {
    for_each_register<T>(windows.channels(), [&](const channel_register<T>& c) {
      const auto largest = c.load(result + w.to);
      auto open = largest == largest;
      windows.for_each_tap(w, [&](index tap) {
        const auto found = open & (c.load(x + w.from + tap) == largest);
        open = open & inverse(found);
        f(w, tap, c, found);
      });
    });
  });
}

struct max_pool_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X>
  static void run(const Attributes& with, const Out& out, const X& x) {
    using T = typename Out::value_type;
    const dense_operand<T, X> from(memory_for(with), x);
    const T lowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
    combine_windows<T>(
        pool_windows(with.view(), x, out), from.data, out.data(), lowest,
        [](const auto& a, const auto& b) { return functor<ops::maximum>::apply(a, b); }, [](const auto& total, index) { return total; });
  }
};

struct avg_pool_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X>
  static void run(const Attributes& with, const Out& out, const X& x) {
    using T = typename Out::value_type;
    const dense_operand<T, X> from(memory_for(with), x);
    combine_windows<T>(
        pool_windows(with.view(), x, out), from.data, out.data(), T(0), [](const auto& a, const auto& b) { return a + b; },
        [](const auto& total, index count) { return total / simd::batch<T>(static_cast<T>(count > 0 ? count : 1)); });
  }
};

/// Moves elements between the places of the largest ones in the operand and those of the results.
template <class Move>
struct largest_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class Y, class G>
  static void run(const Attributes& with, const Out& out, const X& x, const Y& y, const G& g) {
    using T = typename Out::value_type;
    const dense_operand<T, X> operand(memory_for(with), x);
    const dense_operand<T, Y> result(memory_for(with), y);
    const dense_operand<T, G> from(memory_for(with), g);
    std::fill_n(out.data(), out.size(), T(0));
    for_each_largest<T>(pool_windows(with.view(), x, y), operand.data, result.data,
                        [&](const pool_window& w, index tap, const channel_register<T>& c, const auto& found) {
                          Move::move(out.data() + (Move::to_operand ? w.from + tap : w.to),
                                     from.data + (Move::to_operand ? w.to : w.from + tap), c, found);
                        });
  }
};
struct add_to_largest {
  static constexpr bool to_operand = true;
  template <class T>
  static void move(T* to, const T* from, const channel_register<T>& c, const auto& found) {
    c.store(to, c.load(to) + select(found, c.load(from), simd::batch<T>(T(0))));
  }
};
struct take_largest {
  static constexpr bool to_operand = false;
  template <class T>
  static void move(T* to, const T* from, const channel_register<T>& c, const auto& found) {
    c.store(to, select(found, c.load(from), c.load(to)));
  }
};

struct avg_pool_grad_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class G, class Like>
  static void run(const Attributes& with, const Out& out, const G& g, const Like&) {
    using T = typename Out::value_type;
    const dense_operand<T, G> adjoint(memory_for(with), g);
    std::fill_n(out.data(), out.size(), T(0));
    share<T>(pool_windows(with.view(), out, g), adjoint.data, out.data());
  }

 private:
  template <class T>
  [[gnu::noinline]] static void share(const pool_windows& windows, const T* g, T* out) {
    windows.for_each([&](const pool_window& w) {
      for_each_register<T>(windows.channels(), [&](const channel_register<T>& c) {
        const auto each = c.load(g + w.to) / simd::batch<T>(static_cast<T>(w.size() > 0 ? w.size() : 1));
        windows.for_each_tap(w, [&](index tap) { c.store(out + w.from + tap, c.load(out + w.from + tap) + each); });
      });
    });
  }
};

}  // namespace detail

template <>
struct kernel<ops::max_pool2d> : detail::max_pool_kernel {};
template <>
struct kernel<ops::max_pool3d> : detail::max_pool_kernel {};
template <>
struct kernel<ops::max_pool2d_grad> : detail::largest_kernel<detail::add_to_largest> {};
template <>
struct kernel<ops::max_pool3d_grad> : detail::largest_kernel<detail::add_to_largest> {};
template <>
struct kernel<ops::max_pool2d_grad_grad> : detail::largest_kernel<detail::take_largest> {};
template <>
struct kernel<ops::max_pool3d_grad_grad> : detail::largest_kernel<detail::take_largest> {};
template <>
struct kernel<ops::avg_pool2d> : detail::avg_pool_kernel {};
template <>
struct kernel<ops::avg_pool3d> : detail::avg_pool_kernel {};
template <>
struct kernel<ops::avg_pool2d_grad> : detail::avg_pool_grad_kernel {};
template <>
struct kernel<ops::avg_pool3d_grad> : detail::avg_pool_grad_kernel {};

}  // namespace jig
