// SPDX-License-Identifier: MIT
#pragma once
// Where in a program an op is written.

#include <string>
#include <string_view>

namespace jig {

/// A line of a program. As the default argument of a function, `source_line::here()` is the line that calls it.
struct source_line {
  const char* file = nullptr;
  int line = 0;

  static constexpr source_line here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
  constexpr bool is_known() const { return file != nullptr; }
};

namespace detail {

inline constexpr std::string_view file_of_source_line = __builtin_FILE();

/// Whether a file is a header of the library, which writes ops too where a function of it is made of others. Headers are included as
/// `jig/ops/matmul.hpp`, by whatever way to the folder; or all of them are one file.
constexpr bool is_in_library(std::string_view file, std::string_view this_file = file_of_source_line) {
  if (file == this_file) return true;
  if (!file.ends_with(".hpp")) return false;
  const std::size_t at = file.rfind("/jig/");
  if (at == std::string_view::npos && !file.starts_with("jig/")) return false;
  const std::string_view name = file.substr(at == std::string_view::npos ? 4 : at + 5), folder = name.substr(0, name.find('/'));
  for (const std::string_view own : {"core", "graph", "ops", "passes", "eval", "trace", "runtime", "adapt", "nn", "data", "io", "profile"})
    if (folder == own) return true;
  return folder == name;
}

}  // namespace detail

/// `model.cpp:12`, the file without its folders; nothing where the line is unknown or in the library's own headers.
template <class String = std::string>
[[gnu::cold]] String to_text(const source_line& at) {
  if (!at.is_known()) return {};
  std::string_view file = at.file;
  if (detail::is_in_library(file)) return {};
  return String(file.substr(file.find_last_of("/\\") + 1)) + ':' + std::to_string(at.line);
}

namespace detail {

inline constexpr std::string_view before_line = " (at ";

/// Behind a sentence about an op: ` (at model.cpp:12)`, or nothing.
template <class String = std::string>
[[gnu::cold]] String at_line(const source_line& at) {
  const String line = to_text<String>(at);
  return line.empty() ? line : String(before_line) + line + ')';
}

}  // namespace detail

}  // namespace jig
