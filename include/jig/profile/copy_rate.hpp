// SPDX-License-Identifier: MIT
#pragma once
// How fast this machine moves bytes: what a step that does nothing else could reach at best.

#include <jig/core/extent.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <memory>

namespace jig {

namespace detail {

/// Copies half of so many bytes to the other half, again and again.
/// Units: bytes read and written in a second.
inline double measured_copy_rate(std::size_t bytes) {
  using clock = std::chrono::steady_clock;
  const std::size_t half = bytes / 2;
  const auto memory = std::make_unique<char[]>(bytes);
  char* const from = memory.get();
  const auto copy = [&] {
    std::memcpy(from + half, from, half);
    asm volatile("" : : "r"(from) : "memory");
  };
  copy();
  double best = 0;
  const auto begin = clock::now();
  do {
    const std::size_t times = (std::max)(std::size_t{1}, 65536 / bytes);
    const auto start = clock::now();
    for (std::size_t i = 0; i < times; ++i) copy();
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    if (seconds > 0) best = (std::max)(best, static_cast<double>(2 * half * times) / seconds);
  } while (clock::now() - begin < std::chrono::milliseconds(1));
  return best;
}

}  // namespace detail

/// How fast a copy moves so many bytes, read and written, which caches they fit in included. Each power of two up to 64 MiB is measured
/// once in a program.
/// Units: bytes in a second.
/// Cost: a millisecond where it is measured, or that of three copies.
inline double copy_rate(index bytes) {
  static std::atomic<double> known[27]{};
  const int power = std::clamp(static_cast<int>(std::bit_width(static_cast<std::size_t>((std::max)(bytes, index{1})))) - 1, 8, 26);
  double rate = known[power].load();
  if (rate == 0) known[power].store(rate = detail::measured_copy_rate(std::size_t{1} << power));
  return rate;
}

/// Whether moving so many bytes is what a step of so many seconds is about: a copy would take more than half as long. Of a few kilobytes
/// nobody can tell.
inline bool is_memory_bound(index bytes, double seconds) {
  return bytes >= 4096 && static_cast<double>(bytes) >= 0.5 * seconds * copy_rate(bytes);
}

}  // namespace jig
