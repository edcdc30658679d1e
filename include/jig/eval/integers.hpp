// SPDX-License-Identifier: MIT
#pragma once
// Arithmetic and shifts of integers of all sizes in registers, where xsimd goes lane by lane on some machines.

#include <jig/eval/sized_mask.hpp>
#include <jig/ops/bits.hpp>
#include <jig/ops/compare.hpp>

namespace jig::simd {

namespace detail {

// The same bits as integers of another size.
template <class U, class N>
[[gnu::always_inline]] inline auto lanes_of(const N& x) {
  return std::bit_cast<typename native<U, static_cast<index>(sizeof(N) / sizeof(U))>::type>(x);
}

// There are no instructions for products of bytes: those of the even and of the odd ones are parts of products of words.
template <class N>
[[gnu::always_inline]] inline N multiply_bytes(const N& x, const N& y) {
  const auto a = lanes_of<std::uint16_t>(x), b = lanes_of<std::uint16_t>(y);
  const auto even = a * b & 0xff, odd = (a >> 8) * (b & 0xff00);
  return std::bit_cast<N>(even | odd);
}

// Nor for shifts of bytes: those of words, from which the bits are taken that came from the byte beside.
template <bool Left, class T, class N>
[[gnu::always_inline]] inline N shift_bytes_by(const N& x, int count) {
  const auto words = lanes_of<std::uint16_t>(x);
  const auto all = lanes_of<std::uint8_t>(x) ^ lanes_of<std::uint8_t>(x);
  if constexpr (Left) {
    return std::bit_cast<N>(lanes_of<std::uint8_t>(words << count) & (all + static_cast<std::uint8_t>(0xff << count)));
  } else {
    const auto moved = lanes_of<std::uint8_t>(words >> count) & (all + static_cast<std::uint8_t>(0xff >> count));
    if constexpr (std::is_unsigned_v<T>) return std::bit_cast<N>(moved);
    const auto sign = all + static_cast<std::uint8_t>(0x80 >> count);
    return std::bit_cast<N>((moved ^ sign) - sign);
  }
}

template <bool Left, class N>
[[gnu::always_inline]] inline N shift_by(const N& x, int count) {
  using T = std::remove_cvref_t<decltype(x[0])>;
  if constexpr (sizeof(T) == 1) return shift_bytes_by<Left, T>(x, count);
  else if constexpr (Left) return std::bit_cast<N>(lanes_of<std::make_unsigned_t<T>>(x) << count);
  else return x >> count;
}

// Whether each lane of an integer of so many bytes can be shifted by a count of its own.
template <std::size_t Bytes>
inline constexpr bool shifts_lanes = [] {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  return Bytes >= 2;
#elif defined(__AVX2__) || !defined(__SSE2__)
  return Bytes >= 4;
#else
  return false;
#endif
}();

template <bool Left, class N>
[[gnu::always_inline]] inline N shift_lanes(const N& x, const N& count) {
  using T = std::remove_cvref_t<decltype(x[0])>;
  using U = std::make_unsigned_t<T>;
  if constexpr (shifts_lanes<sizeof(T)>) {
    if constexpr (Left) return std::bit_cast<N>(lanes_of<U>(x) << lanes_of<U>(count));
    else return x >> count;
  } else if constexpr (sizeof(T) == 1 && shifts_lanes<2>) {
    // The even and the odd ones as words that have nothing, or the sign, beside them.
    using W = std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>;
    const auto words = lanes_of<std::uint16_t>(x), by = lanes_of<std::uint16_t>(count);
    const auto low_by = by & 0xff, high_by = by >> 8;
    if constexpr (Left) return std::bit_cast<N>((words << low_by & 0xff) | ((words & 0xff00) << high_by));
    else {
      const auto low = lanes_of<std::uint16_t>(lanes_of<W>(words << 8) >> lanes_of<W>(low_by));
      const auto high = lanes_of<std::uint16_t>(lanes_of<W>(words) >> lanes_of<W>(high_by));
      return std::bit_cast<N>(low >> 8 | (high & 0xff00));
    }
  } else {
    // By each bit of the counts.
    N y = x;
    for (int bit = 1; bit < static_cast<int>(8 * sizeof(T)); bit *= 2) {
      const auto unmoved = (count & static_cast<T>(bit)) == 0;
      const auto keep = std::bit_cast<N>(unmoved);
      y = (keep & y) | (~keep & shift_by<Left>(y, bit));
    }
    return y;
  }
}

}  // namespace detail

/// The integers of a register, which wrap.
template <class B>
struct wrapping {
  using N = native_of<B>;
  N at;
  [[gnu::always_inline]] explicit wrapping(const N& x) : at(x) {}
  [[gnu::always_inline]] explicit wrapping(const B& x) : at(to_native(x)) {}
  [[gnu::always_inline]] explicit operator B() const { return from_native<B>(at); }
  [[gnu::always_inline]] friend wrapping operator+(const wrapping& x, const wrapping& y) { return wrapping(x.at + y.at); }
  [[gnu::always_inline]] friend wrapping operator-(const wrapping& x, const wrapping& y) { return wrapping(x.at - y.at); }
  [[gnu::always_inline]] friend wrapping operator-(const wrapping& x) { return wrapping(-x.at); }
  [[gnu::always_inline]] friend wrapping operator*(const wrapping& x, const wrapping& y) {
    if constexpr (sizeof(typename B::value_type) == 1) return wrapping(detail::multiply_bytes(x.at, y.at));
    else return wrapping(x.at * y.at);
  }
};

/// What an op does with registers of integers whose `Lanes` first ones count, where its functor is for single ones: `apply`, and
/// `apply_same` if its last operand may be a single number for all lanes.
template <const op& Op>
struct on_integers {
  static constexpr bool exists = false, takes_same = false;
};

template <bool Left>
struct shift_of_integers {
  static constexpr bool exists = true, takes_same = true;
  template <index Lanes, class B>
  [[gnu::noinline, gnu::cold]] static void check_counts(const B& count) {
    using T = typename B::value_type;
    T at[static_cast<std::size_t>(Lanes)];
    store_lanes<T, Lanes>(at, count);
    for (T c : at) jig::detail::check_shift(c);
  }
  template <index Lanes, class B>
  [[gnu::always_inline]] static B apply(const B& x, const B& count) {
    using T = typename B::value_type;
    using U = std::make_unsigned_t<T>;
    const auto unsigned_count = resize<canonical<U>, Lanes>(count);
    if (!all_of<Lanes>(unsigned_count < decltype(unsigned_count + unsigned_count)(U(8 * sizeof(T))))) [[unlikely]]
      check_counts<Lanes>(count);
    return from_native<B>(detail::shift_lanes<Left>(to_native(x), to_native(count)));
  }
  template <index Lanes, class B>
  [[gnu::always_inline]] static B apply_same(const B& x, typename B::value_type count) {
    jig::detail::check_shift(count);
    return from_native<B>(detail::shift_by<Left>(to_native(x), static_cast<int>(count)));
  }
};
template <>
struct on_integers<ops::left_shift> : shift_of_integers<true> {};
template <>
struct on_integers<ops::right_shift> : shift_of_integers<false> {};

// Where lanes are truth values, machines compare for greater and for equal: not greater is one of them, less or equal are both.
template <bool Less>
struct comparison_of_integers {
  static constexpr bool exists = true, takes_same = false;
  template <index Lanes, class B>
  [[gnu::always_inline]] static typename B::batch_bool_type apply(const B& x, const B& y) {
    if constexpr (detail::has_bit_mask<B>) return Less ? x <= y : x >= y;
    else return Less ? ~(x > y) : ~(y > x);
  }
};
template <>
struct on_integers<ops::less_equal> : comparison_of_integers<true> {};
template <>
struct on_integers<ops::greater_equal> : comparison_of_integers<false> {};

template <>
struct on_integers<ops::abs> {
  static constexpr bool exists = true, takes_same = false;
  template <index Lanes, class B>
  [[gnu::always_inline]] static B apply(const B& x) {
    if constexpr (std::is_unsigned_v<typename B::value_type>) return x;
    else return (xsimd::max)(x, static_cast<B>(-wrapping<B>(x)));
  }
};
template <>
struct on_integers<ops::sign> {
  static constexpr bool exists = true, takes_same = false;
  template <index Lanes, class B>
  [[gnu::always_inline]] static B apply(const B& x) {
    using T = typename B::value_type;
    if constexpr (std::is_unsigned_v<T>) return (xsimd::min)(x, B(T(1)));
    else return (xsimd::max)((xsimd::min)(x, B(T(1))), B(T(-1)));
  }
};

}  // namespace jig::simd
