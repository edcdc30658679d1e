// SPDX-License-Identifier: MIT
#pragma once
// Errors: exceptions for what is known only at run time, and `refuse` for what is known at compile time. Both say the
// same sentence.

#include <jig/core/error_handler.hpp>
#include <jig/core/text.hpp>

#include <iosfwd>
#include <stdexcept>
#include <string>
#include <type_traits>
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

[[noreturn, gnu::cold]] inline void throw_invalid_argument(std::string_view what) { raise<invalid_argument>(what); }

template <text...>
inline constexpr bool accepted = false;

}  // namespace detail

/// What an expression becomes that was refused at compile time. Its template arguments are the sentence: Clang cuts
/// long strings in its messages, so the sentence comes in pieces. Without a sentence, another error has said it.
template <text... Sentence>
struct refused {
  // What is asked of it is refused for the same reason.
  constexpr refused operator()(const auto&...) const { return {}; }
  constexpr refused operator[](const auto&) const { return {}; }
  constexpr void into(const auto&...) const {}
  template <class X>
    requires(!std::is_same_v<X, refused>)
  constexpr const refused& operator=(const X&) const {
    return *this;
  }
  constexpr const refused* begin() const { return this; }
  constexpr const refused* end() const { return this; }
  constexpr refused data() const { return {}; }
  constexpr refused shape() const { return {}; }
  constexpr refused size() const { return {}; }
  template <class T>
    requires(std::is_arithmetic_v<T> || requires { T::rank(); }) && std::is_default_constructible_v<T>
  constexpr operator T() const {
    return T();
  }
};

/// Prints nothing: that it was refused is the error.
template <class Char, class Traits, text... Sentence>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const refused<Sentence...>&) {
  return out;
}
template <text... Sentence, class X>
  requires(!std::is_class_v<X>)
constexpr refused<Sentence...> operator<<(const refused<Sentence...>& to, const X&) {
  return to;
}
template <text... Sentence>
constexpr refused<Sentence...> operator<<(const refused<Sentence...>& to, std::ostream& (*)(std::ostream&)) {
  return to;
}

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
constexpr auto refusal(std::type_identity<refused<Sentence...>>) {
  static_assert(accepted<Sentence...>, "jig refuses this expression: read the sentence in refused<...>");
  return refused<Sentence...>();
}

// A type and no call, since compilers print every call that leads to an error.
template <class Reason, class K = std::make_index_sequence<piece_count(Reason::sentence.view())>>
struct in_pieces;
template <class Reason, std::size_t... K>
struct in_pieces<Reason, std::index_sequence<K...>> : std::type_identity<refused<piece<Reason, K>()...>> {};

}  // namespace detail

/// Ends compilation with `Reason::sentence` (a static constexpr message or text) in one readable error.
template <class Reason>
constexpr auto refuse() {
  return detail::refusal(std::type_identity<typename detail::in_pieces<Reason>::type>());
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
  return detail::refusal(std::type_identity<typename detail::in_pieces<detail::fixed_reason<Sentence, Dependent...>>::type>());
}

template <class T>
inline constexpr bool is_refused = false;
template <text... S>
inline constexpr bool is_refused<refused<S...>> = true;

}  // namespace jig
