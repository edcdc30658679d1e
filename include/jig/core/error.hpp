// SPDX-License-Identifier: MIT
#pragma once
// Errors: exceptions for what is known only at run time, and `refuse` for what is known at compile time. Both say the
// same sentence.

#include <jig/core/text.hpp>

#include <stdexcept>
#include <string>
#include <utility>

namespace jig {

/// The base of every exception of the library.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value, shape or dtype that does not fit, or an operation without a result such as an integer division by zero.
struct invalid_argument : error {
  using error::error;
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_invalid_argument(std::string_view what) {
  throw invalid_argument(std::string(what));
}

template <text...>
inline constexpr bool accepted = false;

}  // namespace detail

/// What an expression becomes that was refused at compile time. Its template arguments are the sentence: Clang cuts
/// long strings in its messages, so the sentence comes in pieces. Without a sentence, another error has said it.
template <text... Sentence>
struct refused {
  // What is asked of it is refused for the same reason.
  constexpr refused operator()(const auto&...) const { return {}; }
  constexpr void into(const auto&...) const {}
};

namespace detail {

// The longest string the compiler prints whole: Clang 16 to 19 cut behind about 32 characters.
#ifdef __clang__
inline constexpr std::size_t piece_length = 30;
#else
inline constexpr std::size_t piece_length = message::capacity;
#endif

struct cut {
  std::size_t begin = 0, end = 0;
};

// Piece k of the sentence, cut behind a blank where there is one.
constexpr cut piece_of(std::string_view sentence, std::size_t k) {
  std::size_t begin = 0;
  while (true) {
    std::size_t end = begin + piece_length < sentence.size() ? begin + piece_length : sentence.size();
    if (end < sentence.size())
      for (std::size_t i = end; i > begin + 1; --i)
        if (sentence[i - 1] == ' ') {
          end = i;
          break;
        }
    if (k-- == 0) return {begin, end};
    begin = end;
  }
}

constexpr std::size_t piece_count(std::string_view sentence) {
  for (std::size_t k = 0;; ++k)
    if (piece_of(sentence, k).end == sentence.size()) return k + 1;
}

template <class Reason, std::size_t K>
constexpr auto piece() {
  constexpr auto where = piece_of(Reason::sentence.view(), K);
  text<where.end - where.begin + 1> out;
  for (std::size_t i = where.begin; i < where.end; ++i) out.chars[i - where.begin] = Reason::sentence.chars[i];
  out.chars[where.end - where.begin] = '\0';  // Clang prints numbers where only the initialiser has written the zero
  return out;
}

// Not in the class: Clang takes functions that return a class with a failed assertion for invalid, and says so at length.
// The return type is deduced, so that GCC says the sentence before what follows from it.
template <text... Sentence>
constexpr auto refusal() {
  static_assert(accepted<Sentence...>, "jig refuses this expression: read the sentence in refused<...>");
  return refused<Sentence...>();
}

template <class Reason, std::size_t... K>
constexpr auto refuse_in_pieces(std::index_sequence<K...>) {
  return refusal<piece<Reason, K>()...>();
}

}  // namespace detail

/// Ends compilation with `Reason::sentence` (a static constexpr message or text) in one readable error.
template <class Reason>
constexpr auto refuse() {
  return detail::refuse_in_pieces<Reason>(std::make_index_sequence<detail::piece_count(Reason::sentence.view())>());
}

namespace detail {
template <text Sentence, class...>
struct fixed_reason {
  static constexpr auto sentence = Sentence;
};
}  // namespace detail

/// Ends compilation with a fixed sentence, where a template is instantiated with `Dependent`.
template <text Sentence, class... Dependent>
constexpr auto refuse_with() {
  return refuse<detail::fixed_reason<Sentence, Dependent...>>();
}

template <class T>
inline constexpr bool is_refused = false;
template <text... S>
inline constexpr bool is_refused<refused<S...>> = true;

}  // namespace jig
