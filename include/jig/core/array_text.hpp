// SPDX-License-Identifier: MIT
#pragma once
// The text of scalars and of strided N-d arrays, exactly as NumPy's `str` prints them by default.
// It is what TensorFlow shows between `tf.Tensor(` and `, shape=...`. What is cold compilers make small, in less time.

#include <jig/core/half.hpp>
#include <jig/core/list.hpp>
#include <jig/core/stretch.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace jig {

namespace detail::printing {

inline constexpr std::int64_t summary_threshold = 1000;
inline constexpr std::int64_t edge_batch = 3;
inline constexpr std::size_t line_width = 75;
inline constexpr std::size_t most_places = 8;
inline constexpr std::int64_t gap = -1;

template <class... Format>
std::string number_text(Format... format) {
  std::array<char, 64> buffer;
  const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), format...);
  return {buffer.data(), written.ptr};
}

std::string pad_start(const auto& text, std::size_t width, char fill = ' ') {
  return std::string(width - (std::min)(width, text.size()), fill) + text;
}

auto pad_end(auto text, std::size_t width) {
  text.resize((std::max)(width, text.size()), ' ');
  return text;
}

void strip_end(auto& text, char unwanted) { text.erase(text.find_last_not_of(unwanted) + 1); }

template <class T>
std::string nonfinite_text(T value) {
  if (std::isnan(value)) return "nan";
  return value < 0 ? "-inf" : "inf";
}

// "-1.25e+07" is {"-1", "25", '+', "07"}; without an exponent the last two are ' ' and "".
struct number_parts {
  std::string whole;
  std::string fraction;
  char exponent_sign = ' ';
  std::string exponent;
};

[[gnu::cold]] number_parts split_number(const auto& text) {
  const std::size_t exponent = (std::min)(text.find('e'), text.size());
  const auto mantissa = text.substr(0, exponent);
  const std::size_t point = (std::min)(mantissa.find('.'), mantissa.size());
  number_parts parts;
  parts.whole = mantissa.substr(0, point);
  if (point < mantissa.size()) parts.fraction = mantissa.substr(point + 1);
  if (exponent < text.size()) {
    parts.exponent_sign = text[exponent + 1];
    parts.exponent = text.substr(exponent + 2);
  }
  return parts;
}

// The fewest digits that read back, rounded to most_places after the point if there are more.
template <class T>
number_parts short_parts(T value, std::chars_format format) {
  auto parts = split_number(number_text(value, format));
  if (parts.fraction.size() <= most_places) return parts;
  parts = split_number(number_text(value, format, static_cast<int>(most_places)));
  strip_end(parts.fraction, '0');
  return parts;
}

// Like NumPy, digits past the shortest text are those of the exact value, not zeros.
template <class T>
number_parts scientific_parts(T value, std::size_t places) {
  constexpr auto format = std::chars_format::scientific;
  auto parts = split_number(number_text(value, format));
  // For some powers of two the shortest text is not the nearest one of its length.
  if (parts.fraction.size() == places) return parts;
  return split_number(number_text(value, format, static_cast<int>(places)));
}

// to_chars in fixed format would give the exact value of large integers: 99999992 as a float is
// 99999990.0 here, because those seven digits are enough to read it back.
template <class T>
[[gnu::cold]] std::string positional_text(T value) {
  constexpr auto format = std::chars_format::scientific;
  const auto parts = split_number(number_text(std::abs(value), format));
  std::size_t exponent = 0;
  std::from_chars(parts.exponent.data(), parts.exponent.data() + parts.exponent.size(), exponent);
  auto digits = parts.whole + parts.fraction;
  std::size_t point = 1;
  if (parts.exponent_sign == '-') {
    digits = std::string(exponent, '0') + digits;
  } else {
    point += exponent;
  }
  digits.resize((std::max)(digits.size(), point + 1), '0');
  digits.insert(point, 1, '.');
  return std::signbit(value) ? '-' + digits : digits;
}

template <class T>
std::string float_text(T value) {
  if (!std::isfinite(value)) return nonfinite_text(value);
  const double size = std::abs(static_cast<double>(value));
  const bool positional = size == 0 || (size >= 1e-4 && size < 1e16);
  return positional ? positional_text(value) : number_text(value, std::chars_format::scientific);
}

[[gnu::cold]] void append_escaped(auto& text, char byte, char quote) {
  constexpr std::string_view hex = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(byte);
  if (byte == quote || byte == '\\') {
    text += {'\\', byte};
  } else if (byte == '\t') {
    text += "\\t";
  } else if (byte == '\n') {
    text += "\\n";
  } else if (byte == '\r') {
    text += "\\r";
  } else if (code < 0x20 || code >= 0x7f) {
    text += {'\\', 'x', hex[code >> 4U], hex[code & 15U]};
  } else {
    text += byte;
  }
}

[[gnu::cold]] std::string bytes_text(const auto& bytes) {
  const bool doubled = bytes.find('\'') != bytes.npos && bytes.find('"') == bytes.npos;
  const char quote = doubled ? '"' : '\'';
  std::string text{'b', quote};
  for (const char byte : bytes) append_escaped(text, byte, quote);
  return text + quote;
}

// Reads a number back. Standard libraries that write floating numbers do not all read them; those use the C library, which
// reads what was written in the C locale only: elsewhere texts are longer than they need be, and as right.
template <class T>
T number_from(const std::string& text) {
  T value = 0;
  if constexpr (requires { std::from_chars(text.data(), text.data(), value, std::chars_format::general); })
    std::from_chars(text.data(), text.data() + text.size(), value);
  else if constexpr (std::is_same_v<T, float>) value = std::strtof(text.c_str(), nullptr);
  else value = std::strtod(text.c_str(), nullptr);
  return value;
}

// The float with the fewest digits that T rounds to this number.
template <class T>
float as_short_float(T value) {
  const float wide = value;
  for (int places = 0; places < 8 && std::isfinite(wide); ++places) {
    const std::string text = number_text(wide, std::chars_format::scientific, places);
    const float found = number_from<float>(text);
    if (static_cast<float>(T(found)) == wide) return found;
  }
  return wide;
}

}  // namespace detail::printing

/// The shortest text that reads back as `value`, as Python writes a NumPy scalar of that type:
/// `2.2`, `1e-05`, `nan`, `7`, `True`; strings are written as Python writes bytes, `b'aa'`.
template <class T>
std::string scalar_text(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "True" : "False";
  } else if constexpr (is_storage_float<T>) {
    return detail::printing::float_text(detail::printing::as_short_float(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return detail::printing::float_text(value);
  } else if constexpr (std::is_integral_v<T>) {
    return detail::printing::number_text(value);
  } else {
    static_assert(std::is_convertible_v<T, std::string_view>, "scalar_text: unsupported type");
    return detail::printing::bytes_text(std::string_view(value));
  }
}

namespace detail::printing {

// The indices of an axis that are printed, with `gap` standing for those left out.
list<std::int64_t> shown_indices(std::signed_integral auto extent, bool summarised) {
  const bool cut = summarised && extent > 2 * edge_batch;
  list<std::int64_t> indices;
  for (std::int64_t i = 0; i < (cut ? edge_batch : extent); ++i) indices.push_back(i);
  if (!cut) return indices;
  indices.push_back(gap);
  for (std::int64_t i = extent - edge_batch; i < extent; ++i) indices.push_back(i);
  return indices;
}

template <class T>
void collect_shown(const T* data, stretch<std::int64_t> extents, stretch<std::int64_t> strides, bool summarised,
                   std::vector<const T*>& shown) {
  if (extents.empty()) {
    shown.push_back(data);
    return;
  }
  for (const std::int64_t index : shown_indices(extents[0], summarised)) {
    if (index == gap) continue;
    collect_shown(data + index * strides[0], extents.subspan(1), strides.subspan(1), summarised, shown);
  }
}

// The comparisons are made in double and the ratio in T, because that is where NumPy rounds.
template <class T>
bool needs_exponent(const std::vector<const T*>& shown) {
  T largest = 0;
  T smallest = 0;
  for (const T* element : shown) {
    const T size = std::abs(*element);
    if (!std::isfinite(size) || size == 0) continue;
    smallest = largest == 0 ? size : (std::min)(smallest, size);
    largest = (std::max)(largest, size);
  }
  if (largest == 0) return false;
  const T ratio = largest / smallest;
  return static_cast<double>(largest) >= 1e8 || static_cast<double>(smallest) < 1e-4 || static_cast<double>(ratio) > 1000.0;
}

// The column widths shared by all the numbers of one array.
struct float_widths {
  std::size_t whole = 0;
  std::size_t fraction = 0;
  std::size_t exponent = 0;

  void widen(const number_parts& parts) {
    whole = (std::max)(whole, parts.whole.size());
    fraction = (std::max)(fraction, parts.fraction.size());
    exponent = (std::max)(exponent, parts.exponent.size());
  }

  std::size_t after_whole() const { return 1 + fraction + (exponent == 0 ? 0 : exponent + 2); }
};

template <class T>
float_widths measure_floats(const std::vector<const T*>& shown, std::chars_format format) {
  float_widths widths;
  std::size_t widest_nonfinite = 0;
  for (const T* element : shown) {
    if (std::isfinite(*element)) {
      widths.widen(short_parts(*element, format));
    } else {
      widest_nonfinite = (std::max)(widest_nonfinite, nonfinite_text(*element).size());
    }
  }
  const std::size_t after = widths.after_whole();
  if (widest_nonfinite > after) widths.whole = (std::max)(widths.whole, widest_nonfinite - after);
  return widths;
}

template <class T>
std::string float_word(T value, const float_widths& widths) {
  if (!std::isfinite(value)) {
    return pad_start(nonfinite_text(value), widths.whole + widths.after_whole());
  }
  if (widths.exponent == 0) {
    const auto parts = short_parts(value, std::chars_format::fixed);
    return pad_start(parts.whole, widths.whole) + '.' + pad_end(parts.fraction, widths.fraction);
  }
  const auto parts = scientific_parts(value, widths.fraction);
  return pad_start(parts.whole, widths.whole) + '.' + parts.fraction + 'e' + parts.exponent_sign +
         pad_start(parts.exponent, widths.exponent, '0');
}

template <class T>
std::vector<std::string> float_words(const std::vector<const T*>& shown) {
  using std::chars_format;
  const auto format = needs_exponent(shown) ? chars_format::scientific : chars_format::fixed;
  const float_widths widths = measure_floats(shown, format);
  std::vector<std::string> words;
  words.reserve(shown.size());
  for (const T* element : shown) words.push_back(float_word(*element, widths));
  return words;
}

template <class T>
std::vector<std::string> aligned_words(const std::vector<const T*>& shown) {
  std::vector<std::string> words;
  words.reserve(shown.size());
  std::size_t width = 0;
  for (const T* element : shown) {
    words.push_back(scalar_text(*element));
    width = (std::max)(width, words.back().size());
  }
  // NumPy keeps room for "False" even when every element is True.
  if constexpr (std::is_same_v<T, bool>) width = std::string_view("False").size();
  // Strings are Python objects to NumPy, which it does not align.
  if constexpr (!std::is_integral_v<T>) width = 0;
  for (std::string& word : words) word = pad_start(word, width);
  return words;
}

template <class T>
std::vector<std::string> element_words(const std::vector<const T*>& shown) {
  if constexpr (is_storage_float<T>) {
    std::vector<float> floats;
    std::vector<const float*> found;
    for (const T* x : shown) floats.push_back(as_short_float(*x));
    for (const float& x : floats) found.push_back(&x);
    return float_words(found);
  } else if constexpr (std::is_floating_point_v<T>) {
    return float_words(shown);
  } else {
    return aligned_words(shown);
  }
}

// What is between the elements, and how many characters are before and behind them on a line.
struct array_style {
  std::string_view separator = " ";
  std::size_t before = 0, behind = 0;
};

// Brackets, indents and line breaks around words that are already padded.
template <class Words>
class word_layout {
 public:
  word_layout(stretch<std::int64_t> extents, bool summarised, const Words& words, const array_style& style)
      : extents_(extents), summarised_(summarised), words_(words), style_(style) {}

  std::string block(std::size_t axis = 0) {
    const std::size_t rank = extents_.size();
    if (axis + 1 == rank) return row();
    const auto separator = std::string(style_.separator.substr(0, style_.separator.size() - 1)) + std::string(rank - axis - 1, '\n') +
                           std::string(style_.before + axis + 1, ' ');
    std::string text = "[";
    for (const std::int64_t index : shown_indices(extents_[axis], summarised_)) {
      if (index != 0) text += separator;
      text += index == gap ? "..." : block(axis + 1);
    }
    return text + ']';
  }

 private:
  std::string row() {
    const std::size_t indent = style_.before + extents_.size();
    const std::size_t limit = line_width - (std::min)(line_width, extents_.size() + style_.behind);
    std::string text;
    std::string line(indent, ' ');
    for (const std::int64_t index : shown_indices(extents_.back(), summarised_)) {
      if (index != 0) line += style_.separator;
      const std::string_view word = index == gap ? std::string_view("...") : next_word();
      if (line.size() + word.size() > limit && line.size() > indent) {
        strip_end(line, ' ');
        text += line + '\n';
        line.assign(indent, ' ');
      }
      line += word;
    }
    return '[' + (text + line).substr(indent) + ']';
  }

  std::string_view next_word() { return words_[next_++]; }

  stretch<std::int64_t> extents_;
  bool summarised_;
  const Words& words_;
  array_style style_;
  std::size_t next_ = 0;
};

}  // namespace detail::printing

/// The text of a strided array as `str(array)` gives it in NumPy with its default print options.
/// `data` points at the element whose indices are all zero; strides count elements and may be
/// zero or negative. With no extents it is the text of the one element, as scalar_text gives it.
template <class T>
std::string array_text(const T* data, stretch<std::int64_t> extents, stretch<std::int64_t> strides,
                       const detail::printing::array_style& style = {}) {
  if (extents.empty()) return scalar_text(*data);
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  if (count == 0) return "[]";
  const bool summarised = count > detail::printing::summary_threshold;
  std::vector<const T*> shown;
  detail::printing::collect_shown(data, extents, strides, summarised, shown);
  const std::vector<std::string> words = detail::printing::element_words(shown);
  return detail::printing::word_layout(extents, summarised, words, style).block();
}

}  // namespace jig
