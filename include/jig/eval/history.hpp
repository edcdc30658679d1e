// SPDX-License-Identifier: MIT
#pragma once
// Histories: what loops keep of every trip for the loops that go back through them.

#include <jig/ops/gradient.hpp>

#include <string>
#include <vector>

namespace jig {

namespace detail {

/// The values that the loops of one call have kept for their gradients. Memory: all values of all trips, until the call ends; the
/// thread keeps it for its next call.
class call_history {
 public:
  call_history() : kept_(std::move(spare())) {}
  call_history(const call_history&) = delete;
  call_history& operator=(const call_history&) = delete;
  ~call_history() { spare() = std::move(kept_); }

  /// The memory of n elements at position i of a history, which grows as far.
  template <class T>
  T* at(std::size_t history, index i, index n) {
    const auto first = static_cast<std::size_t>(i * n), last = first + static_cast<std::size_t>(n);
    if constexpr (std::is_same_v<T, std::string>) {
      if (kept_.size() <= history || kept_[history].texts.size() < last) [[unlikely]] grow(history, &values::texts, last);
      return kept_[history].texts.data() + first;
    } else {
      if (kept_.size() <= history || kept_[history].bytes.size() < last * sizeof(T)) [[unlikely]]
        grow(history, &values::bytes, last * sizeof(T));
      return reinterpret_cast<T*>(kept_[history].bytes.data()) + first;
    }
  }

 private:
  struct values {
    std::vector<unsigned char> bytes;
    std::vector<std::string> texts;
  };
  // To twice what is wanted, since more will follow.
  template <class Elements>
  [[gnu::noinline, gnu::cold]] void grow(std::size_t history, Elements values::*which, std::size_t n) {
    if (kept_.size() <= history) kept_.resize(history + 1);
    (kept_[history].*which).resize(2 * n);
  }
  static std::vector<values>& spare() {
    static thread_local std::vector<values> memory;
    return memory;
  }
  std::vector<values> kept_;
};

template <class Attributes>
[[gnu::always_inline]] constexpr std::size_t number_of_history(const Attributes& attributes) {
  return static_cast<std::size_t>(attribute_of<"history">(attributes).values[0]);
}

}  // namespace detail

template <>
struct kernel<ops::history_push> {
  template <class Attributes, class Out, class Count, class In>
  static void run(detail::call_history& history, Attributes attributes, const Out& out, const Count& count, const In& in) {
    using T = typename In::value_type;
    const index i = static_cast<index>(*count.data()), n = in.size();
    T* to = history.at<T>(detail::number_of_history(attributes), i, n);
    if (n > 0) detail::copy_strided(to, detail::row_major_strides(in.shape()), in.data(), in.strides(), in.shape());
    *out.data() = static_cast<typename Out::value_type>(i + 1);
  }
};
template <>
struct kernel<ops::history_recall> {
  template <class Attributes, class Out, class Count, class Position, class Like>
  static void run(detail::call_history& history, Attributes attributes, const Out& out, const Count&, const Position& position, const Like&) {
    const index n = out.size();
    auto* from =
        history.at<typename Out::value_type>(detail::number_of_history(attributes), static_cast<index>(*position.data()), n);
    std::copy_n(from, n, out.data());
  }
};

}  // namespace jig
