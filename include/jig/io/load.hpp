// SPDX-License-Identifier: MIT
#pragma once
// Reading functions from files.

#include <jig/io/loaded_function.hpp>
#include <jig/io/save.hpp>

namespace jig {

namespace detail {

// By its extension, or of a folder by what is in it.
inline const file_format* format_to_read(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    for (const auto* f = first_format; f != nullptr; f = f->next)
      if (f->is_folder() && path.filename() == f->marker) return f;
    return format_of_path(path);
  }
  for (const auto* f = first_format; f != nullptr; f = f->next)
    if (f->is_folder() && std::filesystem::exists(path / f->marker, ignored)) return f;
  return nullptr;
}

}  // namespace detail

/// Reads a function, or of a SavedModel all of them: it is called as `serving_default`, others by their names:
/// `loaded.signature("train")(x)`. The format is that of the path's extension, or of a folder what is in it.
/// Errors: a file that is not there, is damaged, goes beyond the limits or says what jig has no word for throws load_error, with its name,
/// the place in it and the reason.
inline loaded_function load(const std::filesystem::path& path, const load_limits& limits = {}) {
  const file_format* const f = detail::format_to_read(path);
  if (f == nullptr || !f->reads())
    detail::throw_load_error(path.string(), load_error::nowhere,
                             "load() knows no such format; those it reads are " + detail::known_extensions(false));
  if (f->read_model != nullptr) return loaded_function(f->read_model(path, limits));
  return loaded_function(f->read(path, limits));
}

}  // namespace jig
