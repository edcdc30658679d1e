// SPDX-License-Identifier: MIT
#pragma once
// The file formats of a program. Each enters itself where its header is included, so that save() and load() know all that are there.

#include <jig/io/limits.hpp>
#include <jig/io/load_error.hpp>
#include <jig/io/model_graphs.hpp>

#include <filesystem>

namespace jig {

/// A file format, known by how paths end.
struct file_format {
  /// As people call it; save() takes it too.
  std::string_view name;
  /// What a path ends with: `.pb`. Of a folder it may be empty: any path without an extension; or what the folder's name ends with.
  std::string_view extension;
  /// Of a format that is a folder: a file by which it is known.
  std::string_view marker = "";
  /// Writes in one step, so that nobody sees half of it: detail::replace_file() does that to a file. Null where the format is only read.
  void (*write)(const named_graph&, const std::filesystem::path&) = nullptr;
  /// Null where the format is only written.
  named_graph (*read)(const std::filesystem::path&, const load_limits&) = nullptr;
  /// The same of formats that hold several functions and their variables, in place of the two above.
  void (*write_model)(const model_graphs&, const std::filesystem::path&) = nullptr;
  model_graphs (*read_model)(const std::filesystem::path&, const load_limits&) = nullptr;
  const file_format* next = nullptr;

  bool writes() const { return write != nullptr || write_model != nullptr; }
  bool reads() const { return read != nullptr || read_model != nullptr; }
  bool is_folder() const { return !marker.empty(); }
};

namespace detail {

inline constinit const file_format* first_format = nullptr;

/// Enters a format, before main.
inline bool enter_format(file_format& f) {
  f.next = first_format;
  first_format = &f;
  return true;
}

/// The extensions that can be written or read, as a sentence lists them.
inline std::string known_extensions(bool to_write) {
  std::string out;
  for (const auto* f = first_format; f != nullptr; f = f->next)
    if (to_write ? f->writes() : f->reads()) {
      out += out.empty() ? "" : ", ";
      out += !f->is_folder() ? std::string(f->extension) : f->extension.empty() ? "a folder" : "a folder " + std::string(f->extension);
      out += " (" + std::string(f->name) + ')';
    }
  return out.empty() ? "none: include jig/io.hpp" : out;
}

}  // namespace detail

}  // namespace jig
