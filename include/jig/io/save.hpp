// SPDX-License-Identifier: MIT
#pragma once
// Writing functions to files.

#include <jig/io/formats.hpp>

namespace jig {

namespace detail {

inline bool ends_with(std::string_view path, std::string_view extension) {
  return path.size() >= extension.size() && path.substr(path.size() - extension.size()) == extension;
}

inline const file_format* format_by_name(std::string_view name) {
  for (const auto* f = first_format; f != nullptr; f = f->next)
    if (f->name == name) return f;
  return nullptr;
}

/// The format that a path's end names, or null. A path without an extension is a folder.
inline const file_format* format_of_path(const std::filesystem::path& path) {
  const std::string text = path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  const file_format* best = nullptr;
  for (const auto* f = first_format; f != nullptr; f = f->next) {
    const bool fits = f->extension.empty() ? text.find('.') == text.npos : ends_with(text, f->extension);
    if (fits && (best == nullptr || f->extension.size() > best->extension.size())) best = f;
  }
  return best;
}

inline void save_graph(const named_graph& g, const std::filesystem::path& path, std::string_view name) {
  const file_format* const f = name.empty() ? format_of_path(path) : format_by_name(name);
  if (f == nullptr || f->write == nullptr)
    raise<error>(path.string() + ": save() knows no format " + (name.empty() ? "of this extension" : "named " + std::string(name)) +
                 "; those it writes are " + known_extensions(true));
  f->write(g, path);
}

}  // namespace detail

/// Writes a concrete function, a loaded one or a graph with names. The format is that of the path's extension, or the one that is named.
/// Of a function that changes variables the variables are arguments, and their new values the last results.
/// Errors: what the format has no word for throws jig::error, which names the op, the dtype or the node; so does a path that cannot be
/// written. Nothing is left then, and a file that was there before still is.
template <class Function>
void save(const Function& f, const std::filesystem::path& path, std::string_view format = "") {
  if constexpr (requires { f.model(); }) detail::save_graph(f.model(), path, format);
  else if constexpr (std::is_same_v<Function, named_graph>) detail::save_graph(f, path, format);
  else detail::save_graph(named_graph_of(f), path, format);
}

}  // namespace jig
