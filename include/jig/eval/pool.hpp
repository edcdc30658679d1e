// SPDX-License-Identifier: MIT
#pragma once
// Windows of operands: their largest elements, their means, and what these pass back.

#include <jig/eval/convolution/dense_operand.hpp>
#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/parallel_for.hpp>
#include <jig/eval/window_registers.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/pool.hpp>

#include <algorithm>
#include <limits>

namespace jig {

namespace detail {

// Types of their own, so that what combines windows is compiled once for all of them.
struct larger_of_two {
  template <class B>
  B operator()(const B& a, const B& b) const {
    return functor<ops::maximum>::apply(a, b);
  }
};
struct sum_of_two {
  template <class B>
  B operator()(const B& a, const B& b) const {
    return a + b;
  }
};
struct as_it_is {
  template <class B>
  B operator()(const B& total, index) const {
    return total;
  }
};
struct mean_of_sum {
  template <class B>
  B operator()(const B& total, index count) const {
    return total / B(static_cast<typename B::value_type>(count > 0 ? count : 1));
  }
};

// Calls f(windows, elements before them in x, and in the result, memory) for parts of the batch, which threads share.
template <class F>
void share_windows(stretch<attribute_view> with, const shape& x, const shape& y, memory_source& memory, const F& f) {
  const index batch = x[0], in_x = batch == 0 ? 0 : x.size() / batch, in_y = batch == 0 ? 0 : y.size() / batch;
  share_items(batch, in_x, memory, [&](index first, index count, memory_source& own) {
    shape some_x = x, some_y = y;
    some_x[0] = some_y[0] = count;
    f(pool_windows(with, some_x, some_y), first * in_x, first * in_y, own);
  });
}

struct max_pool_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X>
  static void run(const Attributes& with, const Out& out, const X& x) {
    using T = typename Out::value_type;
    const dense_operand<T, X> from(memory_for(with), x);
    const T lowest = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
    share_windows(with.view(), x.shape(), out.shape(), memory_for(with),
                  [&, to = out.data()](const pool_windows& windows, index in_x, index in_y, memory_source& memory) {
                    combine_windows<T>(windows, from.data + in_x, to + in_y, memory, lowest, larger_of_two(), as_it_is());
                  });
  }
};

struct avg_pool_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X>
  static void run(const Attributes& with, const Out& out, const X& x) {
    using T = typename Out::value_type;
    const dense_operand<T, X> from(memory_for(with), x);
    share_windows(with.view(), x.shape(), out.shape(), memory_for(with),
                  [&, to = out.data()](const pool_windows& windows, index in_x, index in_y, memory_source& memory) {
                    combine_windows<T>(windows, from.data + in_x, to + in_y, memory, T(0), sum_of_two(), mean_of_sum());
                  });
  }
};

/// Calls f with every place of the windows of a register and the lanes in which its element is the first that equals the result.
template <class T, class F>
[[gnu::always_inline]] inline void for_each_largest(const window_places& places, const T* x, const T* result, const channel_register<T>& c,
                                                    F f) {
  const auto largest = c.load(result);
  auto open = largest == largest;
  for (const index place : places) {
    const auto found = open & (c.load(x + place) == largest);
    open = open & inverse(found);
    f(place, found);
  }
}

/// Passes elements between the places of the largest ones and those of the results.
template <class Pass>
struct largest_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class Y, class G>
  static void run(const Attributes& with, const Out& out, const X& x, const Y& y, const G& g) {
    using T = typename Out::value_type;
    const dense_operand<T, X> operand(memory_for(with), x);
    const dense_operand<T, Y> result(memory_for(with), y);
    const dense_operand<T, G> from(memory_for(with), g);
    std::fill_n(out.data(), out.size(), T(0));
    Pass::template pass<T>(pool_windows(with.view(), x.shape(), y.shape()), memory_for(with), operand.data, result.data, from.data,
                           out.data());
  }
};
/// What goes to the largest element of every window.
struct add_to_largest {
  template <class T>
  [[gnu::noinline]] static void pass(const pool_windows& windows, memory_source& memory, const T* x, const T* y, const T* g, T* out) {
    window_passes<T, 1, true>(windows, memory)
        .run({x}, out, [&](const window_places& places, const auto& read, T* add, index to, const channel_register<T>& c) {
          const auto adjoint = c.load(g + to);
          for_each_largest(places, read[0], y + to, c, [&](index place, const auto& found) {
            c.store(add + place, c.load(add + place) + select(found, adjoint, simd::batch<T>(T(0))));
          });
        });
  }
};
/// What comes from the largest element of every window.
struct take_largest {
  template <class T>
  [[gnu::noinline]] static void pass(const pool_windows& windows, memory_source& memory, const T* x, const T* y, const T* g, T* out) {
    window_passes<T, 2, false>(windows, memory)
        .run({x, g}, nullptr, [&](const window_places& places, const auto& read, T*, index to, const channel_register<T>& c) {
          simd::batch<T> taken(T(0));
          for_each_largest(places, read[0], y + to, c,
                           [&](index place, const auto& found) { taken = select(found, c.load(read[1] + place), taken); });
          c.store(out + to, taken);
        });
  }
};

struct avg_pool_grad_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class G, class Like>
  static void run(const Attributes& with, const Out& out, const G& g, const Like&) {
    using T = typename Out::value_type;
    const dense_operand<T, G> adjoint(memory_for(with), g);
    std::fill_n(out.data(), out.size(), T(0));
    share<T>(pool_windows(with.view(), out.shape(), g.shape()), memory_for(with), adjoint.data, out.data());
  }

 private:
  template <class T>
  [[gnu::noinline]] static void share(const pool_windows& windows, memory_source& memory, const T* g, T* out) {
    window_passes<T, 0, true>(windows, memory)
        .run({}, out, [&](const window_places& places, const auto&, T* add, index to, const channel_register<T>& c) {
          const auto each = c.load(g + to) / simd::batch<T>(static_cast<T>(places.count));
          for (const index place : places) c.store(add + place, c.load(add + place) + each);
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
