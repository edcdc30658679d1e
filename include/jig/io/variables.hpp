// SPDX-License-Identifier: MIT
#pragma once
// The variables of a model in a file, by name. The program includes the header of a format, jig/io/npz.hpp or jig/io/safetensors.hpp, too.

#include <jig/io/load_error.hpp>
#include <jig/io/named_arrays.hpp>
#include <jig/trace/variable_references.hpp>
#include <jig/trace/variables.hpp>

#include <cstring>

namespace jig {

namespace detail {

inline void save_references(const std::vector<variable_reference>& variables, const std::filesystem::path& path) {
  const array_file_format& format = array_file_format_of(path);
  named_arrays arrays;
  for (const auto& v : variables) arrays.add(v.name, any_tensor::viewing(v.elements));
  format.write(path, arrays);
}

/// What keeps arrays from becoming the values of variables, as a list; empty where nothing does.
inline std::string misfits(const std::vector<variable_reference>& variables, const named_arrays& arrays) {
  constexpr std::size_t most = 20;
  std::string text;
  std::size_t count = 0;
  const auto add = [&](const std::string& what) {
    if (count++ < most) text += (text.empty() ? "" : "; ") + what;
  };
  for (const auto& v : variables) {
    const any_tensor* const x = arrays.find(v.name);
    if (x == nullptr) {
      add('\'' + v.name + "' is not in the file");
      continue;
    }
    const tensor_spec given{x->dtype(), x->shape()};
    if (may_be_equal(given, v.declared)) continue;
    message m;
    m << "' is " << v.declared << ", in the file " << given;
    add('\'' + v.name + std::string(m.view()));
  }
  for (const auto& [name, x] : arrays) {
    bool known = false;
    for (const auto& v : variables) known = known || v.name == name;
    if (!known) add("'" + name + "' is only in the file");
  }
  return count > most ? text + "; and " + std::to_string(count - most) + " more" : text;
}

// What variables take in the second step, in which nothing fails.
class prepared_values {
 public:
  prepared_values() = default;
  prepared_values(const prepared_values&) = delete;
  prepared_values& operator=(const prepared_values&) = delete;
  ~prepared_values() {
    for (const auto& [to, from, made] : values_)
      if (made != nullptr) to->replaced->drop(made);
  }
  void prepare(const variable_reference& v, const any_tensor& x) {
    values_.reserve(values_.size() + 1);
    void* made = nullptr;
    if (v.elements.extents != x.shape()) {
      made = v.replaced->make(x.shape());
      copy_untyped(x.view(), v.replaced->elements(made), row_major_strides(x.shape()));
    }
    values_.push_back({&v, &x.view(), made});
  }
  void commit() noexcept {
    for (const auto& [to, from, made] : values_)
      if (made != nullptr) to->replaced->move_in(to->variable, made);
      else if (from->extents.size() > 0) std::memcpy(const_cast<void*>(to->elements.data), from->data, bytes(*from));
  }

 private:
  static std::size_t bytes(const any_view& v) { return static_cast<std::size_t>(v.extents.size()) * size_of(v.dtype); }
  struct value {
    const variable_reference* to;
    const any_view* from;
    void* made;
  };
  std::vector<value> values_;
};

inline void load_references(const std::vector<variable_reference>& variables, const std::filesystem::path& path,
                            const load_limits& limits) {
  const named_arrays arrays = array_file_format_of(path).read(path, limits);
  const std::string wrong = misfits(variables, arrays);
  if (!wrong.empty()) throw_load_error(path.string(), load_error::nowhere, "does not fit the model: " + wrong);
  prepared_values values;
  for (const auto& v : variables) values.prepare(v, arrays[v.name]);
  values.commit();
}

}  // namespace detail

/// Writes the variables of a structure, such as a model or a trainer with its optimizer, to a file: `jig::save_variables(model,
/// "model.safetensors")`. The names are those of `jig::variables(model)`. The format is that of the extension, .npz or .safetensors. The
/// file takes the place of an older one when all of it is on the disk: a program that ends in between, however it does, leaves the old one.
/// Errors: no permission, no room and the like throw jig::error with the system's reason, two variables of one name, a dtype that the
/// format has not and an extension that is not known invalid_argument; the old file is still there.
template <class X>
void save_variables(const X& x, const std::filesystem::path& path) {
  detail::save_references(variable_references(x), path);
}

/// Gives the variables of a structure the values that a file has under their names: all of them, or none. Wildcard extents become those
/// of the file.
/// Errors: what the file lacks, has too much, or has with another dtype or shape is listed in one sentence, which throws load_error, as
/// does a damaged file. The variables are as before then.
template <class X>
void load_variables(X& x, const std::filesystem::path& path, const load_limits& limits = {}) {
  detail::load_references(variable_references(x), path, limits);
}

}  // namespace jig
