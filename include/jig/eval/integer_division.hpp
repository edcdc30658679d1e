// SPDX-License-Identifier: MIT
#pragma once
// Quotients and remainders of integers in registers. There are no instructions for them: floats hold all numbers of 16 bits, doubles all
// of 32, and what is cut off of a quotient of these is never too much, since a quotient that is no integer is further below the next one
// than it is rounded. By one that stays the same they are multiplied where machines tell the high halves of products.

#include <jig/eval/convert.hpp>
#include <jig/eval/integers.hpp>
#include <jig/eval/multiply_high.hpp>
#include <jig/ops/division.hpp>

#include <bit>
#include <limits>

namespace jig::simd {

namespace detail {

// `Count` lanes of a register of `Lanes` integers.
template <index First, index Count, class B>
[[gnu::always_inline]] inline sized<typename B::value_type, Count> part_of_lanes(const B& x) {
  using P = sized<typename B::value_type, Count>;
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return from_native<P>(shuffle<(I < Count ? I + static_cast<int>(First) : 0)...>(to_native(x), to_native(x)));
  }(std::make_integer_sequence<int, static_cast<int>(P::size)>());
}
template <class B, index Half, class P>
[[gnu::always_inline]] inline B joined_lanes(const P& low, const P& high) {
  constexpr int behind = static_cast<int>(P::size) - static_cast<int>(Half);
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return from_native<B>(shuffle<(I < Half ? I : I < 2 * Half ? I + behind : 0)...>(to_native(low), to_native(high)));
  }(std::make_integer_sequence<int, static_cast<int>(B::size)>());
}

template <class T>
using quotient_type = std::conditional_t<sizeof(T) <= 2, float, double>;

// A quotient without its fraction. That of the lowest number by -1 becomes what it is when it wraps.
template <class T, index Lanes, class F>
[[gnu::always_inline]] inline sized<T, Lanes> cut_off(const F& quotient) {
  if constexpr (std::is_same_v<T, std::uint32_t>) return convert<T, Lanes>(quotient);
  else if constexpr (sizeof(T) == 4) return convert_with<instruction::int32_from_double, T, Lanes>(quotient);
  else return resize<T, Lanes>(convert_with<instruction::int32_from_float, std::int32_t, Lanes>(quotient));
}

// Calls f with as many floating numbers at a time as there are in a register, and the same lanes of what else is given.
template <index Lanes, class B, class F, class... Y>
[[gnu::always_inline]] inline B by_quotients(const B& x, F f, const Y&... y) {
  using T = typename B::value_type;
  using Q = quotient_type<T>;
  if constexpr (Lanes * static_cast<index>(sizeof(Q)) > lanes<std::uint8_t>) {
    constexpr index half = Lanes / 2;
    return joined_lanes<B, half>(by_quotients<half>(part_of_lanes<0, half>(x), f, part_of_lanes<0, half>(y)...),
                                 by_quotients<half>(part_of_lanes<half, half>(x), f, part_of_lanes<half, half>(y)...));
  } else {
    return cut_off<T, Lanes>(f(convert<Q, Lanes>(x), convert<Q, Lanes>(y)...));
  }
}

// Bytes are divided as words, the even ones and the odd ones.
template <class T>
using dividend = std::conditional_t<sizeof(T) != 1, T, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>>;
template <class T>
using divisor_of = std::conditional_t<std::is_same_v<T, std::uint8_t>, byte_divisor, invariant_divisor<dividend<T>>>;
template <class B>
[[gnu::always_inline]] inline B divide_all(const B& x, const divisor_of<typename B::value_type>& by) {
  using T = typename B::value_type;
  if constexpr (sizeof(T) > 1) {
    return by.divide(x);
  } else {
    using W = sized<dividend<T>, static_cast<index>(B::size) / 2>;
    const W pairs = from_native<W>(lanes_of<dividend<T>>(to_native(x)));
    const W even = by.divide((pairs << 8) >> 8), odd = by.divide(pairs >> 8);
    return from_native<B>(lanes_of<T>(to_native((even & W(0xff)) | (odd << 8))));
  }
}
template <class B>
inline constexpr bool divides_by_products = multiplies_high<dividend<typename B::value_type>, sizeof(B)>;

}  // namespace detail

/// The bits that a number shifts by which is a power of two; -1 of others.
template <class T>
constexpr int bits_of_power(T x) {
  return x > 0 && std::has_single_bit(static_cast<std::make_unsigned_t<T>>(x)) ? std::countr_zero(static_cast<std::make_unsigned_t<T>>(x))
                                                                               : -1;
}

/// Division by an op, whose functor knows what it gives for single ones and throws where it divides by zero.
template <const op& Op, bool Quotient, bool Floors>
struct division_of_integers {
  static constexpr bool exists = true, takes_same = true;
  template <class T>
  static constexpr bool in_floats = detail::has_conversions && sizeof(T) <= 4;

  template <index Lanes, class B>
  [[gnu::always_inline]] static B apply(const B& x, const B& y) {
    using T = typename B::value_type;
    if constexpr (in_floats<T>) {
      if (!all_of<Lanes>(!(y == B(T(0))))) [[unlikely]]
        (void)jig::functor<Op>::apply(T(0), T(0));
      return finished(x, y, detail::by_quotients<Lanes>(x, [](const auto& a, const auto& b) { return a / b; }, y));
    } else {
      T a[static_cast<std::size_t>(Lanes)], b[static_cast<std::size_t>(Lanes)];
      store_lanes<T, Lanes>(a, x);
      store_lanes<T, Lanes>(b, y);
      for (std::size_t k = 0; k < static_cast<std::size_t>(Lanes); ++k) a[k] = jig::functor<Op>::apply(a[k], b[k]);
      return load_lanes<T, Lanes>(a);
    }
  }
  template <index Lanes, class B>
  [[gnu::always_inline]] static B apply_same(const B& x, typename B::value_type y) {
    using T = typename B::value_type;
    if constexpr (detail::divides_by_products<B>) {
      if (y == 0) [[unlikely]]
        (void)jig::functor<Op>::apply(T(0), T(0));
      return finished(x, B(y), detail::divide_all(x, detail::divisor_of<T>(y)));
    } else if constexpr (in_floats<T>) {
      if (y == 0) [[unlikely]]
        (void)jig::functor<Op>::apply(T(0), T(0));
      using Q = detail::quotient_type<T>;
      // A bit more than the reciprocal, so that what divides is not cut off, and less than what reaches the next integer.
      const Q factor = Q(1) / static_cast<Q>(y) * (1 + 4 * std::numeric_limits<Q>::epsilon());
      const auto multiply = [&](const auto& a) __attribute__((always_inline)) { return a * std::remove_cvref_t<decltype(a)>(factor); };
      return finished(x, B(y), detail::by_quotients<Lanes>(x, multiply));
    } else {
      T a[static_cast<std::size_t>(Lanes)];
      store_lanes<T, Lanes>(a, x);
      for (auto& element : a) element = jig::functor<Op>::apply(element, y);
      return load_lanes<T, Lanes>(a);
    }
  }

  /// By a power of two, with so many bits behind its only one.
  template <int Bits, class B>
  [[gnu::always_inline]] static B apply_power(const B& x) {
    using T = typename B::value_type;
    using U = std::make_unsigned_t<T>;
    constexpr int all = 8 * static_cast<int>(sizeof(T));
    constexpr T below = static_cast<T>((U(1) << Bits) - 1);
    const auto number = detail::lanes_of<T>(to_native(x));
    if constexpr (Bits == 0) {
      return Quotient ? x : B(T(0));
    } else if constexpr (std::is_unsigned_v<T> || Floors) {
      if constexpr (Quotient) return from_native<B>(detail::shift_by<false>(number, Bits));
      else return from_native<B>(number & below);
    } else {
      // Below zero is cut off upwards.
      const auto negative = detail::lanes_of<U>(detail::shift_by<false>(number, all - 1));
      const auto more = detail::shift_by<false>(negative, all - Bits);
      const auto sum = detail::lanes_of<U>(number) + more;
      if constexpr (Quotient) return from_native<B>(detail::shift_by<false>(detail::lanes_of<T>(sum), Bits));
      else return from_native<B>((sum & static_cast<U>(below)) - more);
    }
  }

 private:
  // What the op gives, of a quotient that is cut off.
  template <class B>
  [[gnu::always_inline]] static B finished(const B& x, const B& y, const B& quotient) {
    using T = typename B::value_type;
    if constexpr (Quotient && !(Floors && std::is_signed_v<T>)) {
      return quotient;
    } else {
      const B rest = static_cast<B>(wrapping<B>(x) - wrapping<B>(quotient) * wrapping<B>(y));
      if constexpr (!(Floors && std::is_signed_v<T>)) return rest;
      const auto lower = !(rest == B(T(0))) && ((rest ^ y) < B(T(0)));
      if constexpr (Quotient) return xsimd::select(lower, static_cast<B>(wrapping<B>(quotient) - wrapping<B>(B(T(1)))), quotient);
      else return xsimd::select(lower, static_cast<B>(wrapping<B>(rest) + wrapping<B>(y)), rest);
    }
  }
};
template <>
struct on_integers<ops::truncate_divide> : division_of_integers<ops::truncate_divide, true, false> {};
template <>
struct on_integers<ops::truncate_mod> : division_of_integers<ops::truncate_mod, false, false> {};
template <>
struct on_integers<ops::floor_divide> : division_of_integers<ops::floor_divide, true, true> {};
template <>
struct on_integers<ops::floor_mod> : division_of_integers<ops::floor_mod, false, true> {};

}  // namespace jig::simd
