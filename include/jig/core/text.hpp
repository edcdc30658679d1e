// SPDX-License-Identifier: MIT
#pragma once
// Text at compile time: `text<N>` is a string as a template argument, `message` a string that grows in constant
// evaluation. std::string cannot be either with every supported compiler.

#include <jig/core/requirements.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jig {

/// A string literal as a template argument: `dim<"n">`, `function<"f(x)">`.
template <std::size_t N>
struct text {
  char chars[N]{};

  constexpr text() = default;
  constexpr text(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = literal[i];
  }
  constexpr std::size_t size() const { return N - 1; }
  constexpr std::string_view view() const { return {chars, N - 1}; }
};

/// A short text that is put together piece by piece, in constant evaluation too. What does not fit is left out.
struct message {
  static constexpr std::size_t capacity = 1023;
  char chars[capacity + 1]{};
  std::size_t length = 0;

  constexpr message& operator<<(char c) {
    if (length < capacity) chars[length++] = c;
    return *this;
  }
  constexpr message& operator<<(std::string_view s) {
    for (char c : s) *this << c;
    return *this;
  }
  constexpr message& operator<<(const char* s) { return *this << std::string_view(s); }
  constexpr message& operator<<(std::int64_t value) {
    char digits[24]{};
    std::size_t n = 0;
    bool negative = value < 0;
    auto rest = negative ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    do {
      digits[n++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (negative) *this << '-';
    while (n > 0) *this << digits[--n];
    return *this;
  }
  constexpr message& operator<<(int value) { return *this << static_cast<std::int64_t>(value); }
  constexpr std::string_view view() const { return {chars, length}; }
};

}  // namespace jig
