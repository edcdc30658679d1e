// SPDX-License-Identifier: MIT
#pragma once
// The text of values as TensorFlow's tf.print writes them: `[0 1 2 ... 97 98 99]`, numbers as short as they read back.

#include <jig/core/any_view.hpp>
#include <jig/core/array_text.hpp>

#include <limits>

namespace jig {

namespace detail::printing {

// The shorter of two numbers of digits if that reads back.
template <class T>
std::string short_float(T value) {
  if (!std::isfinite(value)) return nonfinite_text(value);
  constexpr auto format = std::chars_format::general;
  std::string text = number_text(value, format, std::numeric_limits<T>::digits10);
  return number_from<T>(text) == value ? text : number_text(value, format, std::numeric_limits<T>::max_digits10);
}

// In double quotes, with the escapes of C.
std::string quoted(const auto& bytes) {
  constexpr std::string_view special = "\n\r\t\"'\\", letters = "nrt\"'\\", digits = "01234567";
  std::string out = "\"";
  for (char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (auto i = special.find(c); i != special.npos) out += {'\\', letters[i]};
    else if (code < 0x20 || code == 0x7f) out += {'\\', digits[code >> 6], digits[code >> 3 & 7], digits[code & 7]};
    else out += c;
  }
  return out + '"';
}

// Templates, so that programs that print nothing do not instantiate them.
template <class View>
std::string short_element(const View& v, index offset) {
  return with_type_of(v.dtype, [&]<class T>(const T&) -> std::string {
    const T& x = v.template at<T>(offset);
    if constexpr (is_storage_float<T>) return short_float(as_short_float(x));
    else if constexpr (std::is_floating_point_v<T>) return short_float(x);
    else if constexpr (std::is_same_v<T, std::string>) return v.extents.rank == 0 ? x : printing::quoted(x);
    else return number_text(static_cast<std::conditional_t<std::is_same_v<T, bool>, int, T>>(x));
  });
}

template <class View>
void append_summary(std::string& out, const View& v, int axis, index offset) {
  const int rank = v.extents.rank;
  if (axis == rank) {
    out += short_element(v, offset);
    return;
  }
  out += '[';
  for (auto i : shown_indices(v.extents[axis], true)) {
    if (i != 0 && axis + 1 < rank) out.append(static_cast<std::size_t>(rank - axis - 1), '\n').append(static_cast<std::size_t>(axis), ' ');
    if (i != 0) out += ' ';
    if (i == gap) out += "...";
    else append_summary(out, v, axis + 1, offset + i * v.strides[axis]);
  }
  out += ']';
}

}  // namespace detail::printing

/// A value as tf.print writes it: an axis with more than six elements is cut to the first and last three, strings in arrays are
/// quoted, truth values are 1 and 0.
template <class View = any_view>
std::string summary_text(const View& v) {
  std::string out;
  detail::printing::append_summary(out, v, 0, 0);
  return out;
}

/// `format` with every `placeholder` in it replaced by the next of the values.
template <class View = any_view>
std::string filled_in(std::string_view format, std::string_view placeholder, stretch<std::type_identity_t<View>> values) {
  std::string out;
  for (const auto& v : values) {
    const auto next = format.find(placeholder);
    out += format.substr(0, next);
    out += summary_text(v);
    format.remove_prefix(next + placeholder.size());
  }
  return out += format;
}

}  // namespace jig
