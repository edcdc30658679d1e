// SPDX-License-Identifier: MIT
#pragma once
// Writing functions to files.

#include <jig/io/formats.hpp>
#include <jig/io/saved_function.hpp>

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

inline void save_model(const model_graphs& model, const std::filesystem::path& path, std::string_view name) {
  if (name.empty())
    for (const auto* f = first_format; f != nullptr; f = f->next)
      if (f->write_model != nullptr && path.filename() == f->marker)
        raise<error>(path.string() + ": this is the name of a file in a folder of " + std::string(f->name) + ": save to the folder");
  const file_format* const f = name.empty() ? format_of_path(path) : format_by_name(name);
  if (f == nullptr || !f->writes())
    raise<error>(path.string() + ": save() knows no format " + (name.empty() ? "of this extension" : "named " + std::string(name)) +
                 "; those it writes are " + known_extensions(true));
  if (f->write_model != nullptr) return f->write_model(model, path);
  if (model.functions.size() != 1)
    raise<error>(path.string() + ": " + std::string(f->name) + " holds one function, not " + std::to_string(model.functions.size()));
  const model_function& only = model.functions[0];
  if (only.variables.empty()) f->write(only.graph, path);
  else f->write(with_constant_variables(model, only), path);
}

}  // namespace detail

/// Writes a concrete function, a loaded one or a graph with names. The format is that of the path's extension, or the one that is named.
/// Of a function that changes variables the variables are arguments, and their new values the last results; with_variables() gives them
/// values: a SavedModel then has them as variables, in other formats those that are never assigned are constants.
/// Errors: what the format has no word for throws jig::error, which names the op, the dtype or the node; so does a path that cannot be
/// written. Nothing is left then, and a file that was there before still is.
template <class Function>
void save(const Function& f, const std::filesystem::path& path, std::string_view format = "") {
  if constexpr (requires { f.whole_model(); }) detail::save_model(f.whole_model(), path, format);
  else detail::save_model(detail::model_of({{"serving_default", saved_function(f)}}), path, format);
}

/// One of several functions that are saved together.
struct named_function {
  std::string name;
  saved_function function;
};

/// Writes several functions as signatures of one model: `jig::save({{"serving_default", predict}, {"train", step}}, "saved_model")`.
/// Errors: two functions of one name, and none, throw invalid_argument; a format that holds one function throws jig::error.
inline void save(std::initializer_list<named_function> functions, const std::filesystem::path& path, std::string_view format = "") {
  std::vector<std::pair<std::string, saved_function>> pairs;
  for (const auto& f : functions) pairs.emplace_back(f.name, f.function);
  detail::save_model(detail::model_of(std::move(pairs)), path, format);
}

}  // namespace jig
