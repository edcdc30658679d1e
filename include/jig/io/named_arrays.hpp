// SPDX-License-Identifier: MIT
#pragma once
// Arrays by name, and the formats of files that hold them. Each format enters itself where its header is included.

#include <jig/io/limits.hpp>
#include <jig/runtime/any_tensor.hpp>

#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jig {

/// Arrays by name, in their order: what `.npz` and `.safetensors` files hold. `named_arrays{{"x", x}, {"w", w}}`.
class named_arrays {
  using entry = std::pair<std::string, any_tensor>;

 public:
  named_arrays() = default;
  /// Errors: a name that is there twice throws invalid_argument.
  named_arrays(std::initializer_list<entry> entries) {
    for (const auto& [name, x] : entries) add(name, x);
  }
  /// Errors: a name that is there already throws invalid_argument.
  void add(std::string name, any_tensor x) {
    if (!places_.emplace(name, entries_.size()).second) detail::throw_invalid_argument("there are two arrays named '" + name + '\'');
    entries_.emplace_back(std::move(name), std::move(x));
  }
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// The array of this name, or null.
  const any_tensor* find(std::string_view name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? nullptr : &entries_[found->second].second;
  }
  /// Errors: an unknown name throws invalid_argument with those that there are.
  const any_tensor& operator[](std::string_view name) const {
    if (const any_tensor* const x = find(name)) return *x;
    std::string text = "there is no array '" + std::string(name) + "' among";
    for (const auto& [known, x] : entries_) text += (&known == &entries_.front().first ? " " : ", ") + known;
    detail::throw_invalid_argument(entries_.empty() ? std::string_view("there are no arrays") : std::string_view(text));
  }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<entry> entries_;
  // A file may have millions of names.
  std::map<std::string, std::size_t, std::less<>> places_;
};

namespace detail {

/// A format of files with arrays by name.
struct array_file_format {
  std::string_view extension;
  named_arrays (*read)(const std::filesystem::path&, const load_limits&);
  void (*write)(const std::filesystem::path&, const named_arrays&);
  const array_file_format* next = nullptr;
};
inline constinit const array_file_format* first_array_file_format = nullptr;

/// Enters a format, before main.
inline bool enter_array_file_format(array_file_format& f) {
  f.next = first_array_file_format;
  first_array_file_format = &f;
  return true;
}

/// Errors: an extension that no included header knows throws invalid_argument.
inline const array_file_format& array_file_format_of(const std::filesystem::path& path) {
  std::string known;
  const std::string extension = path.extension().string();
  for (const auto* f = first_array_file_format; f != nullptr; f = f->next) {
    if (f->extension == extension) return *f;
    known += (known.empty() ? "" : ", ") + std::string(f->extension);
  }
  throw_invalid_argument(path.string() + ": files of variables end in .npz or .safetensors, for which the program includes " +
                         "jig/io/npz.hpp or jig/io/safetensors.hpp; included are those for " + (known.empty() ? "none" : known));
}

}  // namespace detail

}  // namespace jig
