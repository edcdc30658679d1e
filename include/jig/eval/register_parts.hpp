// SPDX-License-Identifier: MIT
#pragma once
// The first elements of a register, as many as are known at compile time, in pieces of 1, 2, 4, … elements: what has been stored
// shortly before, there or beside, is read without waiting for it, which it is not under a mask.

#include <jig/eval/sized_register.hpp>

namespace jig::simd {

namespace detail {

template <std::size_t Bytes>
using piece =
    std::conditional_t<Bytes == 1, std::uint8_t,
                       std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;
// The largest piece of so many bytes, at most 8.
constexpr std::size_t first_piece(std::size_t bytes) { return bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1; }
template <std::size_t Bytes>
using bytes_as_words = typename native<std::uint64_t, static_cast<index>(Bytes / 8)>::type;

template <std::size_t Count>
[[gnu::always_inline]] inline std::uint64_t load_word(const char* from) {
  if constexpr (Count == 0) {
    return 0;
  } else {
    constexpr std::size_t now = first_piece(Count);
    piece<now> x;
    std::memcpy(&x, from, now);
    if constexpr (now == Count) return x;
    else return x | load_word<Count - now>(from + now) << 8 * now;
  }
}
template <std::size_t Count>
[[gnu::always_inline]] inline void store_word(char* to, std::uint64_t x) {
  if constexpr (Count > 0) {
    constexpr std::size_t now = first_piece(Count);
    const auto low = static_cast<piece<now>>(x);
    std::memcpy(to, &low, now);
    if constexpr (now < Count) store_word<Count - now>(to + now, x >> 8 * now);
  }
}

template <std::size_t Bytes, std::size_t Count>
[[gnu::always_inline]] inline bytes_as_words<Bytes> load_pieces(const char* from) {
  if constexpr (Count >= Bytes) {
    bytes_as_words<Bytes> x;
    std::memcpy(&x, from, Bytes);
    return x;
  } else if constexpr (Bytes == narrowest && Count <= 4) {
    const typename native<std::uint32_t, 4>::type x{static_cast<std::uint32_t>(load_word<Count>(from)), 0, 0, 0};
    return std::bit_cast<bytes_as_words<Bytes>>(x);
  } else if constexpr (Bytes == narrowest) {
    return bytes_as_words<Bytes>{load_word<(Count < 8 ? Count : 8)>(from), load_word<(Count < 8 ? 0 : Count - 8)>(from + 8)};
  } else {
    constexpr std::size_t half = Bytes / 2;
    const auto low = load_pieces<half, (Count < half ? Count : half)>(from);
    auto high = low ^ low;
    if constexpr (Count > half) high = load_pieces<half, Count - half>(from + half);
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return shuffle<I...>(low, high);
    }(std::make_integer_sequence<int, static_cast<int>(Bytes / 8)>());
  }
}
template <std::size_t Bytes, std::size_t Count>
[[gnu::always_inline]] inline void store_pieces(char* to, const bytes_as_words<Bytes>& x) {
  if constexpr (Count >= Bytes) {
    std::memcpy(to, &x, Bytes);
  } else if constexpr (Bytes == narrowest) {
    store_word<(Count < 8 ? Count : 8)>(to, x[0]);
    if constexpr (Count > 8) store_word<Count - 8>(to + 8, x[1]);
  } else {
    constexpr std::size_t half = Bytes / 2;
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      store_pieces<half, (Count < half ? Count : half)>(to, shuffle<I...>(x, x));
      if constexpr (Count > half) store_pieces<half, Count - half>(to + half, shuffle<(I + static_cast<int>(half / 8))...>(x, x));
    }(std::make_integer_sequence<int, static_cast<int>(half / 8)>());
  }
}

}  // namespace detail

/// The first N elements of a register full, the others are zero. Memory behind them is not touched.
template <class B, index N>
[[gnu::always_inline]] inline B load_part(const typename B::value_type* from) {
  constexpr std::size_t size = sizeof(typename B::value_type);
  const void* memory = from;
  return from_native<B>(detail::load_pieces<sizeof(B), static_cast<std::size_t>(N) * size>(static_cast<const char*>(memory)));
}
/// Stores the first N elements. Memory behind them is not touched.
template <index N, class B>
[[gnu::always_inline]] inline void store_part(typename B::value_type* to, const B& x) {
  constexpr std::size_t size = sizeof(typename B::value_type);
  void* memory = to;
  detail::store_pieces<sizeof(B), static_cast<std::size_t>(N) * size>(
      static_cast<char*>(memory), std::bit_cast<detail::bytes_as_words<sizeof(B)>>(static_cast<typename B::register_type>(x)));
}

}  // namespace jig::simd
