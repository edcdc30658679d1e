// SPDX-License-Identifier: MIT
#pragma once
// Convolutions as kernels of their ops.

#include <jig/core/any_rank_view.hpp>
#include <jig/eval/convolution/dense_operand.hpp>
#include <jig/eval/convolution/filter.hpp>
#include <jig/eval/convolution/product.hpp>
#include <jig/eval/convolution/winograd.hpp>
#include <jig/eval/kernel_traits.hpp>

#include <algorithm>
#include <array>
#include <type_traits>

namespace jig {

namespace detail {

/// The axes of a convolution of `x` with the filter `w`, which gives `out`. Those that it does not have are of one element.
template <class Attributes, class Out, class X, class W>
void find_axes(convolved_axis (&axes)[3], const Attributes& with, const Out& out, const X& x, const W& w) {
  const int count = x.rank() - 2;
  const auto find = [&](const auto& numbers) {
    for (int a = 0; a < count; ++a) axes[3 - count + a] = axis_of_call(numbers(a), x.extent(a + 1), w.extent(a), out.extent(a + 1));
  };
  // Names of attributes that the program knows are looked up before it runs.
  if constexpr (requires { typename std::bool_constant<(Attributes::view().size() > 0)>; }) {
    static constexpr auto known = [] {
      std::array<axis_numbers, 3> all{};
      const auto spatial = static_cast<int>(find_attribute(Attributes::view(), "strides").values.size()) - 2;
      for (int a = 0; a < spatial; ++a) all[static_cast<std::size_t>(a)] = numbers_of_axis(Attributes::view(), a);
      return all;
    }();
    find([](int a) { return known[static_cast<std::size_t>(a)]; });
  } else {
    find([view = with.view()](int a) { return numbers_of_axis(view, a); });
  }
}

template <class F>
[[gnu::noinline]] void convolve(const space<F>& out, const space<const F>& x, const filter_space<const F>& w,
                                const convolved_axis (&axes)[3], bool transposed, memory_source& memory, const tile_epilogue& then) {
  convolution<F>(out, x, w, axes, transposed).run(memory, then);
}
template <class F>
[[gnu::noinline]] void multiply_for_filter(const filter_space<F>& out, const space<const F>& x, const space<const F>& g,
                                           const convolved_axis (&axes)[3], memory_source& memory) {
  filter_products<F>(out, x, g, axes).run(memory);
}

struct convolution_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class W>
  static void run(const Attributes& with, const Out& out, const X& x, const W& w, const tile_epilogue& then = {}) {
    using F = factor<typename Out::value_type>;
    convolved_axis axes[3];
    find_axes(axes, with, out, x, w);
    convolve<F>(space_of<F>(out), space_of<const F>(x), filter_of<const F>(w), axes, false, memory_for(with), then);
  }
};

template <class F>
[[gnu::noinline]] void convolve_by_winograd(const space<F>& out, const space<const F>& x, const filter_space<const F>& w,
                                            const convolved_axis (&axes)[3], const winograd_sizes<F>& sizes, memory_source& memory,
                                            const tile_epilogue& then) {
  winograd_convolution<F>(out, x, w, axes, sizes).run(memory, then);
}

// Along two axes: by Winograd's algorithm where the call asks for it.
struct planar_convolution_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class W>
  static void run(const Attributes& with, const Out& out, const X& x, const W& w, const tile_epilogue& then = {}) {
    using T = typename Out::value_type;
    if constexpr (std::is_floating_point_v<T> && may_ask_for_winograd<Attributes>) {
      const winograd_sizes<T> sizes(out.extent(0), out.extent(1), out.extent(2), w.extent(2), w.extent(3));
      // Registers read neighbouring channels.
      const bool fits = w.extent(0) == 3 && w.extent(1) == 3 && x.stride(3) == 1 && w.stride(3) == 1;
      if (asks_for_winograd(with.view()) && fits && sizes.pays()) {
        convolved_axis axes[3];
        find_axes(axes, with, out, x, w);
        return convolve_by_winograd<T>(space_of<T>(out), space_of<const T>(x), filter_of<const T>(w), axes, sizes, memory_for(with), then);
      }
    }
    convolution_kernel::run(with, out, x, w, then);
  }
};

struct convolution_input_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class W, class G>
  static void run(const Attributes& with, const Out& out, const W& w, const G& g, const tile_epilogue& then = {}) {
    using F = factor<typename Out::value_type>;
    convolved_axis axes[3];
    find_axes(axes, with, g, out, w);
    const auto from = space_of<const F>(g);
    for (int a = 0; a < 3; ++a) axes[a].in = from.extents[a];
    convolve<F>(space_of<F>(out), from, filter_of<const F>(w), axes, true, memory_for(with), then);
  }
  template <class Attributes, class Out, class W, class G, class Like>
  static void run(const Attributes& with, const Out& out, const W& w, const G& g, const Like&, const tile_epilogue& then = {}) {
    run(with, out, w, g, then);
  }
};

struct convolution_filter_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class G, class Like>
  static void run(const Attributes& with, const Out& out, const X& x, const G& g, const Like&) {
    using F = factor<typename Out::value_type>;
    convolved_axis axes[3];
    find_axes(axes, with, g, x, out);
    std::fill_n(out.data(), out.size(), typename Out::value_type(0));
    // Channels of g are read by registers.
    const dense_operand<typename Out::value_type, G> dense(memory_for(with), g);
    const auto from = space_of<const F>(any_rank_view<const typename Out::value_type>(dense.data, g.shape()));
    multiply_for_filter<F>(filter_of<F>(out), space_of<const F>(x), from, axes, memory_for(with));
  }
};

struct depthwise_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class W>
  static void run(const Attributes& with, const Out& out, const X& x, const W& w, const tile_epilogue& then = {}) {
    using T = typename Out::value_type;
    const dense_operand<T, W> dense(memory_for(with), w);
    convolution_kernel::run(with, out, x, any_rank_view<const T>(dense.data, filter_of_groups(w.shape())), then);
  }
};

struct depthwise_input_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class W, class G, class Like>
  static void run(const Attributes& with, const Out& out, const W& w, const G& g, const Like&, const tile_epilogue& then = {}) {
    using T = typename Out::value_type;
    const dense_operand<T, W> dense(memory_for(with), w);
    convolution_input_kernel::run(with, out, any_rank_view<const T>(dense.data, filter_of_groups(w.shape())), g, then);
  }
};

struct depthwise_filter_kernel {
  static constexpr bool takes_memory = true;
  template <class Attributes, class Out, class X, class G, class Like>
  static void run(const Attributes& with, const Out& out, const X& x, const G& g, const Like& like) {
    convolution_filter_kernel::run(with, any_rank_view<typename Out::value_type>(out.data(), filter_of_groups(out.shape())), x, g, like);
  }
};

}  // namespace detail

template <>
struct kernel<ops::conv2d> : detail::planar_convolution_kernel {};
template <>
struct kernel<ops::conv3d> : detail::convolution_kernel {};
template <>
struct kernel<ops::conv2d_backprop_input> : detail::convolution_input_kernel {};
template <>
struct kernel<ops::conv3d_backprop_input> : detail::convolution_input_kernel {};
template <>
struct kernel<ops::conv2d_backprop_filter> : detail::convolution_filter_kernel {};
template <>
struct kernel<ops::conv3d_backprop_filter> : detail::convolution_filter_kernel {};
template <>
struct kernel<ops::depthwise_conv2d> : detail::depthwise_kernel {};
template <>
struct kernel<ops::depthwise_conv2d_backprop_input> : detail::depthwise_input_kernel {};
template <>
struct kernel<ops::depthwise_conv2d_backprop_filter> : detail::depthwise_filter_kernel {};

}  // namespace jig
