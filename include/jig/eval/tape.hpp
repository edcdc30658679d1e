// SPDX-License-Identifier: MIT
#pragma once
// Tapes: what loops keep of every trip for the loops that go back through them.

#include <jig/core/threads.hpp>
#include <jig/ops/gradient.hpp>

#include <string>
#include <vector>

namespace jig {

namespace detail {

/// The values that the loops of one call have kept for their gradients. Memory: all values of all trips, until the call ends; the
/// thread keeps it for its next call.
class call_tape {
 public:
  call_tape() : kept_(std::move(spare())) {}
  call_tape(const call_tape&) = delete;
  call_tape& operator=(const call_tape&) = delete;
  ~call_tape() { spare() = std::move(kept_); }

  /// The memory of n elements at position i of a tape, which grows as far.
  template <class T>
  T* at(std::size_t tape, index i, index n) {
    const auto first = static_cast<std::size_t>(i * n), last = first + static_cast<std::size_t>(n);
    if constexpr (std::is_same_v<T, std::string>) {
      if (kept_.size() <= tape || kept_[tape].texts.size() < last) [[unlikely]]
        grow(tape, &values::texts, last);
      return kept_[tape].texts.data() + first;
    } else {
      if (kept_.size() <= tape || kept_[tape].bytes.size() < last * sizeof(T)) [[unlikely]]
        grow(tape, &values::bytes, last * sizeof(T));
      return reinterpret_cast<T*>(kept_[tape].bytes.data()) + first;
    }
  }

 private:
  struct values {
    std::vector<unsigned char> bytes;
    std::vector<std::string> texts;
  };
  // To twice what is wanted, since more will follow.
  template <class Elements>
  [[gnu::noinline, gnu::cold]] void grow(std::size_t tape, Elements values::* which, std::size_t n) {
    if (kept_.size() <= tape) kept_.resize(tape + 1);
    (kept_[tape].*which).resize(2 * n);
  }
  static std::vector<values>& spare() {
    static JIG_THREAD_LOCAL std::vector<values> memory;
    return memory;
  }
  std::vector<values> kept_;
};

template <class Attributes>
[[gnu::always_inline]] constexpr std::size_t number_of_tape(const Attributes& attributes) {
  return static_cast<std::size_t>(attribute_of<"tape">(attributes).values[0]);
}

}  // namespace detail

template <>
struct kernel<ops::tape_write> {
  template <class Attributes, class Out, class Count, class In>
  static void run(detail::call_tape& tape, Attributes attributes, const Out& out, const Count& count, const In& in) {
    using T = typename In::value_type;
    const index i = static_cast<index>(*count.data()), n = in.size();
    T* to = tape.at<T>(detail::number_of_tape(attributes), i, n);
    if (n > 0) detail::copy_strided(to, detail::row_major_strides(in.shape()), in.data(), in.strides(), in.shape());
    *out.data() = static_cast<typename Out::value_type>(i + 1);
  }
};
template <>
struct kernel<ops::tape_read> {
  template <class Attributes, class Out, class Count, class Position, class Like>
  static void run(detail::call_tape& tape, Attributes attributes, const Out& out, const Count&, const Position& position, const Like&) {
    const index n = out.size();
    auto* from = tape.at<typename Out::value_type>(detail::number_of_tape(attributes), static_cast<index>(*position.data()), n);
    std::copy_n(from, n, out.data());
  }
};

}  // namespace jig
