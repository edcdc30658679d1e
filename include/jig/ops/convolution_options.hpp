// SPDX-License-Identifier: MIT
#pragma once
// What convolutions are told beside their operands: strides, dilations, padding and where the channels are.

#include <jig/core/error.hpp>
#include <jig/graph/attribute.hpp>

namespace jig {

/// How far a filter moves from one position to the next: one number for all spatial axes, or one for each.
template <index... N>
struct strides_t {};
template <index... N>
inline constexpr strides_t<N...> strides{};
/// How far the taps of a filter are apart: one number for all spatial axes, or one for each.
template <index... N>
struct dilations_t {};
template <index... N>
inline constexpr dilations_t<N...> dilations{};
/// Zeros around the operand, so many that the result has its extents divided by the strides, rounded up. Of an odd number the larger
/// half is behind.
struct same_padding_t {};
inline constexpr same_padding_t same_padding{};
/// No zeros around the operand.
struct valid_padding_t {};
inline constexpr valid_padding_t valid_padding{};
/// So many zeros before and behind each spatial axis: `explicit_padding<before0, after0, before1, after1>`.
template <index... N>
struct explicit_padding_t {};
template <index... N>
inline constexpr explicit_padding_t<N...> explicit_padding{};
/// Axis 1 holds the channels, in place of the last one.
struct channels_first_t {};
inline constexpr channels_first_t channels_first{};
/// Winograd's algorithm in place of products with every tap: a quarter of the products, and results that are rounded some ten times as
/// coarsely.
struct winograd_t {};
inline constexpr winograd_t winograd{};

namespace detail {

enum class padding_kind : unsigned char { same, valid, given, unknown };

// What the further arguments of a convolution say, in TensorFlow's lists.
template <int Axes>
struct convolution_options {
  static constexpr std::size_t entries = Axes + 2;
  index strides[entries] = {}, dilations[entries] = {}, paddings[2 * entries] = {};
  padding_kind padding = padding_kind::valid;
  bool channels_first = false, winograd = false, fits = true;

  constexpr convolution_options() {
    for (int i = 0; i < Axes + 2; ++i) strides[i] = dilations[i] = 1;
  }
  constexpr void put(index* list, stretch<index> numbers) {
    fits = fits && (numbers.size() == 1 || numbers.size() == Axes);
    for (std::size_t a = 0; fits && a < Axes; ++a) list[a + 1] = numbers[numbers.size() == 1 ? 0 : a];
  }
  template <index... N>
  constexpr void take(strides_t<N...>) {
    const index numbers[] = {N..., 0};
    put(strides, {numbers, sizeof...(N)});
  }
  template <index... N>
  constexpr void take(dilations_t<N...>) {
    const index numbers[] = {N..., 0};
    put(dilations, {numbers, sizeof...(N)});
  }
  template <index... N>
  constexpr void take(explicit_padding_t<N...>) {
    const index numbers[] = {N..., 0};
    padding = padding_kind::given;
    fits = fits && sizeof...(N) == 2 * Axes;
    for (std::size_t i = 0; fits && i < 2 * Axes; ++i) paddings[i + 2] = numbers[i];
  }
  constexpr void take(same_padding_t) { padding = padding_kind::same; }
  constexpr void take(valid_padding_t) { padding = padding_kind::valid; }
  constexpr void take(channels_first_t) { channels_first = true; }
  constexpr void take(winograd_t) { winograd = true; }
};

template <class Flag>
inline constexpr bool is_convolution_option = requires(convolution_options<2> o) { o.take(Flag()); };

/// The attributes of a convolution over `All` spatial axes, of which the last ones have these options and those before have extent 1.
template <int All, int Axes, class... Flags>
struct convolution_attributes {
  static constexpr convolution_options<Axes> options = [] {
    convolution_options<Axes> o;
    (o.take(Flags()), ...);
    return o;
  }();
  struct lists {
    static constexpr std::size_t entries = All + 2;
    index strides[entries], dilations[entries], paddings[2 * entries] = {};
  };
  static constexpr lists all = [] {
    constexpr int skipped = All - Axes;
    lists to;
    for (int i = 0; i < All + 2; ++i) {
      to.strides[i] = i <= skipped ? 1 : options.strides[i - skipped];
      to.dilations[i] = i <= skipped ? 1 : options.dilations[i - skipped];
    }
    for (int i = 2; i < 2 * Axes + 2; ++i) to.paddings[2 * skipped + i] = options.paddings[i];
    return to;
  }();
  static constexpr bool is_explicit = options.padding == padding_kind::given;
  static constexpr index yes[] = {1};
  struct given {
    attribute_view list[6];
    std::size_t count = 0;
    constexpr void add(const attribute_view& a) { list[count++] = a; }
  };
  static constexpr given values = [] {
    given to;
    to.add({"strides", attribute_kind::integers, all.strides});
    to.add({"dilations", attribute_kind::integers, all.dilations});
    const char* padding = is_explicit ? "EXPLICIT" : options.padding == padding_kind::same ? "SAME" : "VALID";
    to.add({"padding", attribute_kind::text, {}, padding});
    to.add({"data_format", attribute_kind::text, {}, All == 3 ? "NDHWC" : "NHWC"});
    if (is_explicit) to.add({"explicit_paddings", attribute_kind::integers, all.paddings});
    if (options.winograd) to.add({"winograd", attribute_kind::boolean, yes});
    return to;
  }();
  static constexpr stretch<attribute_view> view() { return {values.list, values.count}; }
};

// `begin` says what a function with one number for each of its axes takes besides.
constexpr message option_refusal(const char* function, index axes, const char* begin) {
  message m;
  m << function << axes << "d: " << begin
    << "jig::same_padding, jig::valid_padding, jig::explicit_padding<> (two numbers for each spatial axis) and jig::channels_first";
  return m;
}
template <int Axes>
struct convolution_option_reason {
  static constexpr message sentence =
      option_refusal("conv", Axes, "options are jig::strides<>, jig::dilations<> (one number, or one for each spatial axis), ");
};

template <int Axes>
struct winograd_reason {
  static constexpr message sentence = [] {
    message m;
    m << "conv" << index{Axes} << "d: jig::winograd is an option of conv2d alone";
    return m;
  }();
};

template <class... Flags>
inline constexpr bool are_convolution_options = (is_convolution_option<Flags> && ...);

}  // namespace detail

}  // namespace jig
