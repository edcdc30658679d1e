// SPDX-License-Identifier: MIT
#pragma once
// Philox 4x32-10, a random generator without state: block i of its sequence is a function of a key and the number i, so
// that all of them can be computed at once and in any order. Source: J. K. Salmon et al., "Parallel Random Numbers: As
// Easy as 1, 2, 3", SC 2011.

#include <array>
#include <cstdint>

namespace jig {

namespace detail {

constexpr std::uint64_t low_half(std::uint64_t x) { return x & 0xffffffff; }

struct multiply_words {
  constexpr std::uint64_t operator()(std::uint64_t x, std::uint64_t y) const { return low_half(x) * low_half(y); }
};

// The ten rounds, on one counter or on a register full of them: words are the lower halves of 64-bit lanes, what the
// upper halves hold does not matter. `multiply` gives the product of two lower halves.
template <class Lanes, class Multiply>
[[gnu::always_inline]] constexpr void philox_rounds(Lanes (&c)[4], std::array<std::uint32_t, 2> key, Multiply multiply) {
  const Lanes first_factor(0xD2511F53u), second_factor(0xCD9E8D57u);
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const Lanes p = multiply(c[0], first_factor), q = multiply(c[2], second_factor);
    c[0] = (q >> 32) ^ c[1] ^ Lanes(key[0]);
    c[1] = q;
    c[2] = (p >> 32) ^ c[3] ^ Lanes(key[1]);
    c[3] = p;
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
}

}  // namespace detail

/// The four random words that belong to a counter and a key.
constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  std::uint64_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
  detail::philox_rounds(c, key, detail::multiply_words());
  std::array<std::uint32_t, 4> out{};
  for (std::size_t j = 0; j < 4; ++j) out[j] = static_cast<std::uint32_t>(detail::low_half(c[j]));
  return out;
}

/// The sequence of blocks of four words that belongs to a pair of seeds: that of TensorFlow's stateless ops on a CPU.
struct philox_stream {
  std::array<std::uint32_t, 2> key{};
  /// The upper words of all counters; the lower ones are the number of the block.
  std::array<std::uint32_t, 2> upper{};

  /// The seeds are mixed first, so that neighbouring ones give unrelated sequences.
  constexpr philox_stream(std::uint64_t first, std::uint64_t second) {
    auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(detail::low_half(x)); };
    auto mixed = philox({low(first), low(first >> 32), low(second), low(second >> 32)}, {0x3ec8f720u, 0x02461e29u});
    key = {mixed[0], mixed[1]};
    upper = {mixed[2], mixed[3]};
  }
  constexpr std::array<std::uint32_t, 4> block(std::uint64_t i) const {
    return philox({static_cast<std::uint32_t>(detail::low_half(i)), static_cast<std::uint32_t>(i >> 32), upper[0], upper[1]}, key);
  }
};

}  // namespace jig
