// SPDX-License-Identifier: MIT
#pragma once
// Extents: the number of elements along one axis. One integer says whether it is known, a wildcard or named, so
// types stay short in compiler messages: `tensor<float, 2, 3>`.

#include <jig/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace jig {

/// Extents, strides and positions. 64 bits on all machines, so that graphs are the same everywhere.
using index = std::int64_t;

/// A wildcard extent: known only when a function is called. TensorFlow prints it as None.
inline constexpr index dyn = -1;

namespace detail {

// Arithmetic on extents: false where the result is more than an index holds.
constexpr bool add_extents(index a, index b, index& sum) { return !__builtin_add_overflow(a, b, &sum); }
constexpr bool subtract_extents(index a, index b, index& difference) { return !__builtin_sub_overflow(a, b, &difference); }
constexpr bool multiply_extents(index a, index b, index& product) { return !__builtin_mul_overflow(a, b, &product); }

// The bound of an array with room for n elements, unsigned as -Wsign-conversion wants it; there are no arrays of none.
constexpr std::size_t array_bound(index n) { return n < 1 ? 1 : static_cast<std::size_t>(n); }

inline constexpr std::size_t name_capacity = 31, whole_names = 10, first_letters = 5;
inline constexpr std::string_view name_alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

// Ten characters of six bits each fit in an extent; -2 and below down to this bound are names. Of a longer name an extent has the first
// letters, and behind a gap a number that is made of all of them.
inline constexpr index lowest_name = -2 - (index{1} << 60);

// 1 to 63, or 0 for a character that names do not have.
constexpr index letter_code(char c) {
  for (std::size_t i = 0; i < name_alphabet.size(); ++i)
    if (name_alphabet[i] == c) return static_cast<index>(i) + 1;
  return 0;
}

constexpr bool valid_name(std::string_view name) {
  if (name.empty() || name.size() > name_capacity) return false;
  for (char c : name)
    if (letter_code(c) == 0) return false;
  return true;
}

// FNV-1a, folded to 24 bits; not 0.
constexpr index number_of_name(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  hash = (hash >> 24) ^ (hash & 0xffffffu);
  return hash == 0 ? 1 : static_cast<index>(hash);
}
constexpr index encode_name(std::string_view name) {
  index code = 0;
  std::size_t letters = name.size();
  if (name.size() > whole_names) {
    letters = first_letters;
    code = number_of_name(name) * 64;
  }
  for (std::size_t i = letters; i-- > 0;) code = code * 64 + letter_code(name[i]);
  return -2 - code;
}
constexpr bool is_shortened(index code) { return (code >> 6 * first_letters) % 64 == 0 && (code >> 6 * first_letters) > 0; }

// The long names of the program, which its messages print in full.
struct long_name {
  index extent;
  std::string_view text;
  const long_name* next;
};
inline constinit const long_name* long_names = nullptr;

template <text Name>
struct entered_name {
  long_name entry{encode_name(Name.view()), Name.view(), long_names};
  entered_name() { long_names = &entry; }
  static const entered_name name;
};
template <text Name>
const entered_name<Name> entered_name<Name>::name;

template <text Name>
constexpr index named_extent() {
  if constexpr (Name.size() > whole_names) (void)&entered_name<Name>::name;
  return encode_name(Name.view());
}

// In a list of extents: the product of some axes of one of the inputs of a node, which only a call may know. These numbers lie below
// every name.
struct axes_product {
  int input, first, count;
};
constexpr index product_of_axes(int input, int first, int count = 1) { return lowest_name - 1 - ((input * 16 + first) * 16 + count); }
constexpr axes_product axes_of_product(index e) {
  const int code = static_cast<int>(lowest_name - 1 - e);
  return {code / 256, code / 16 % 16, code % 16};
}

}  // namespace detail

/// A named extent: equal names must have equal extents, checked at compile time where both are known and at the
/// call otherwise.
/// Errors: names have 1 to 31 characters out of letters, digits and `_` (compile time). Compilers print the first five of more than ten.
/// (That two such names are one extent to jig has a chance of 1 in 16 million, where their first five characters are equal.)
template <text Name>
  requires(detail::valid_name(Name.view()))
inline constexpr index dim = detail::named_extent<Name>();

constexpr bool is_static_extent(index e) { return e >= 0; }
constexpr bool is_named_extent(index e) { return e <= -2 && e > detail::lowest_name; }

/// Whether this is an extent: a number, a wildcard or a name.
constexpr bool is_extent(index e) { return e >= dyn || (is_named_extent(e) && e < -2); }

/// Appends an extent as it is printed: a number, `None` or the name.
constexpr message& append_extent(message& out, index e) {
  if (is_static_extent(e)) return out << e;
  if (!is_named_extent(e)) return out << "None";
  const bool shortened = detail::is_shortened(-2 - e);
  if (shortened && !std::is_constant_evaluated())
    for (const auto* name = detail::long_names; name != nullptr; name = name->next)
      if (name->extent == e) return out << name->text;
  for (index code = -2 - e; code % 64 > 0; code /= 64) out << detail::name_alphabet[static_cast<std::size_t>(code % 64 - 1)];
  return shortened ? out << "..." : out;
}

}  // namespace jig
