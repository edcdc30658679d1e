// SPDX-License-Identifier: MIT
#pragma once
// Extents: the number of elements along one axis. One integer says whether it is known, a wildcard or named, so
// types stay short in compiler messages: `tensor<float, 2, 3>`.

#include <jig/core/text.hpp>

#include <cstddef>
#include <cstdint>

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

inline constexpr int name_capacity = 10;
inline constexpr std::string_view name_alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

// Ten characters of six bits each fit in an extent; -2 and below down to this bound are names.
inline constexpr index lowest_name = -2 - (index{1} << 60);

// 1 to 63, or 0 for a character that names do not have.
constexpr index letter_code(char c) {
  for (std::size_t i = 0; i < name_alphabet.size(); ++i)
    if (name_alphabet[i] == c) return static_cast<index>(i) + 1;
  return 0;
}

constexpr bool valid_name(std::string_view name) {
  if (name.empty() || name.size() > static_cast<std::size_t>(name_capacity)) return false;
  for (char c : name)
    if (letter_code(c) == 0) return false;
  return true;
}

constexpr index encode_name(std::string_view name) {
  index code = 0;
  for (std::size_t i = name.size(); i-- > 0;) code = code * 64 + letter_code(name[i]);
  return -2 - code;
}

}  // namespace detail

/// A named extent: equal names must have equal extents, checked at compile time where both are known and at the
/// call otherwise.
/// Errors: names have 1 to 10 characters out of letters, digits and `_` (compile time).
template <text Name>
  requires(detail::valid_name(Name.view()))
inline constexpr index dim = detail::encode_name(Name.view());

constexpr bool is_static_extent(index e) { return e >= 0; }
constexpr bool is_named_extent(index e) { return e <= -2 && e > detail::lowest_name; }

/// Whether this is an extent: a number, a wildcard or a name.
constexpr bool is_extent(index e) { return e >= dyn || (is_named_extent(e) && e < -2); }

/// Appends an extent as it is printed: a number, `None` or the name.
constexpr message& append_extent(message& out, index e) {
  if (is_static_extent(e)) return out << e;
  if (!is_named_extent(e)) return out << "None";
  for (index code = -2 - e; code % 64 > 0; code /= 64) out << detail::name_alphabet[static_cast<std::size_t>(code % 64 - 1)];
  return out;
}

}  // namespace jig
