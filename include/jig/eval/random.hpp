// SPDX-License-Identifier: MIT
#pragma once
// The kernels of the random ops: as many blocks of the generator at a time as a register has 64-bit lanes.

#include <jig/eval/lane_moves.hpp>
#include <jig/ops/philox.hpp>
#include <jig/ops/random.hpp>

#include <algorithm>

namespace jig {

namespace detail {

// Consecutive blocks of a stream, one in each lane.
struct philox_blocks {
  using lanes = simd::batch<std::uint64_t>;
  static constexpr index count = simd::lanes<std::uint64_t>;
  lanes words[4];

  [[gnu::always_inline]] philox_blocks(const philox_stream& stream, const lanes& numbers)
      : words{numbers, numbers >> 32, lanes(stream.upper[0]), lanes(stream.upper[1])} {
    philox_rounds(words, stream.key,
                  [](const lanes& x, const lanes& y) __attribute__((always_inline)) { return simd::multiply_low_halves(x, y); });
  }
  // Words j (of every block) in the lower halves and k in the upper ones.
  [[gnu::always_inline]] lanes both(int j, int k) const { return (words[j] & lanes(0xffffffff)) | (words[k] << 32); }
};

// The elements of a register full of blocks: those at even places and those at odd ones.
template <class T>
struct element_pairs {
  simd::batch<T> even, odd;
};

// The words as they are, or two of them as an integer, the lower half first. Small integers are parts of a word.
struct random_integers {
  template <class T>
  using element = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

  template <class T>
  [[gnu::always_inline]] static element_pairs<element<T>> make(const philox_blocks& b) {
    if constexpr (sizeof(T) == 8) return {b.both(0, 1), b.both(2, 3)};
    else return {simd::bits_as<std::uint32_t>(b.both(0, 2)), simd::bits_as<std::uint32_t>(b.both(1, 3))};
  }
};

// Random bits become the mantissa of a number in [1, 2): the lower 23 of a word, or the lower 20 of one and all of the next.
struct uniform_numbers {
  template <class T>
  [[gnu::always_inline]] static element_pairs<T> make(const philox_blocks& b) {
    if constexpr (sizeof(T) == 4) {
      auto [even, odd] = random_integers::make<T>(b);
      return {number<T>(even, 0x7fffffu, 0x3f800000u), number<T>(odd, 0x7fffffu, 0x3f800000u)};
    } else {
      constexpr std::uint64_t mantissa = 0xfffffffffffff, one = 0x3ff0000000000000;
      return {number<T>(b.both(1, 0), mantissa, one), number<T>(b.both(3, 2), mantissa, one)};
    }
  }
  template <class T, class Bits>
  [[gnu::always_inline]] static simd::batch<T> number(const simd::batch<Bits>& x, Bits mantissa, Bits one) {
    using B = simd::batch<Bits>;
    return simd::bits_as<T>((x & B(mantissa)) | B(one)) - simd::batch<T>(T(1));
  }
};

// Two uniform numbers become two normal ones: radius sqrt(-2 log u) and angle 2 pi v. The radius ends where that of
// TensorFlow does.
struct normal_numbers {
  template <class T>
  [[gnu::always_inline]] static element_pairs<T> make(const philox_blocks& b) {
    using B = simd::batch<T>;
    using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    using U = simd::batch<bits>;
    auto [u, v] = uniform_numbers::make<T>(b);
    const B radius = xsimd::sqrt(B(T(-2)) * xsimd::log((xsimd::max)(u, B(T(1e-7)))));
    // The number of quarter turns is rounded by a sum whose last digit is 1, where it stays readable; what is left of
    // the angle lies within an eighth of a turn on either side, where sincos treats all lanes alike.
    const B one_is_last(sizeof(T) == 4 ? T(0x1.8p23) : T(0x1.8p52));
    const B turns = v * B(T(4)), shifted = turns + one_is_last;
    const B rest = (turns - (shifted - one_is_last)) * B(T(1.57079632679489661923));
    const auto sine_and_cosine = xsimd::sincos(rest);
    U sine = simd::bits_as<bits>(sine_and_cosine.first), cosine = simd::bits_as<bits>(sine_and_cosine.second);
    // A quarter turn makes (cosine, -sine) of (sine, cosine).
    constexpr int to_sign = static_cast<int>(sizeof(T)) * 8 - 2;
    const U quarters = simd::bits_as<bits>(shifted), one(bits{1}), two(bits{2});
    const U swapped = (sine ^ cosine) & (U(bits{0}) - (quarters & one));
    sine = sine ^ swapped ^ ((quarters & two) << to_sign);
    cosine = cosine ^ swapped ^ (((quarters + one) & two) << to_sign);
    return {radius * simd::bits_as<T>(sine), radius * simd::bits_as<T>(cosine)};
  }
};

// Fills n elements with what `Make` makes of the blocks of a stream. The last elements are computed like all others, so that a
// number does not depend on how many there are.
template <class Make, class T>
[[gnu::noinline]] void fill_random(T* to, index n, const philox_stream& stream) {
  using lanes = philox_blocks::lanes;
  constexpr index width = simd::lanes<T>, step = 2 * width;
  alignas(sizeof(lanes)) std::uint64_t first[philox_blocks::count];
  std::uint64_t k = 0;
  for (auto& number : first) number = k++;
  lanes number = simd::load(first);
  alignas(sizeof(lanes)) T last[array_bound(step)];
  for (index i = 0; i < n; i += step) {
    auto [even, odd] = Make::template make<T>(philox_blocks(stream, number));
    number = number + lanes(k);
    simd::interleave(even, odd);
    const bool whole = n - i >= step;
    T* at = whole ? to + i : last;
    simd::store(at, simd::bits_as<T>(even));
    simd::store(at + width, simd::bits_as<T>(odd));
    if (!whole) std::copy_n(last, n - i, to + i);
  }
}

template <class Seed>
philox_stream stream_of(const Seed& seed) {
  auto at = [&](index i) { return static_cast<std::uint64_t>(seed.data()[i]); };
  if (seed.rank() == 0) return philox_stream(at(0), 0);
  else return philox_stream(at(0), at(seed.stride(0)));
}

template <class Make>
struct random_kernel {
  template <class Attributes, class Out, class In, class Seed>
  static void run(Attributes, const Out& out, const In&, const Seed& seed) {
    fill_random<Make>(out.data(), out.size(), stream_of(seed));
  }
};

}  // namespace detail

template <>
struct kernel<ops::random_uniform> : detail::random_kernel<detail::uniform_numbers> {};
template <>
struct kernel<ops::random_bits> : detail::random_kernel<detail::random_integers> {};
template <>
struct kernel<ops::random_normal> : detail::random_kernel<detail::normal_numbers> {};

}  // namespace jig
