// SPDX-License-Identifier: MIT
#pragma once
// What calls of loaded functions take and return by names.

#include <jig/io/named_graph.hpp>
#include <jig/runtime/any_tensor.hpp>

#include <memory>

namespace jig {

/// An argument by its name.
template <class Value>
struct named_value {
  std::string_view name;
  Value value;
};

namespace detail {

/// What callers see of a graph: its arguments and results, without the variables that its model keeps.
struct call_names {
  std::string name;
  std::vector<std::string> inputs{}, outputs{};
  // Their numbers in the graph.
  std::vector<std::size_t> arguments{}, results{};

  call_names(const named_graph& g, bool keeps_variables) : name(g.name) {
    const auto is_kept = [&](std::size_t k, bool result) {
      bool found = false;
      for (const auto& v : g.variables) found = found || (result ? v.output : v.input) == static_cast<int>(k);
      return found && keeps_variables;
    };
    for (std::size_t k = 0; k < g.inputs.size(); ++k)
      if (!is_kept(k, false)) arguments.push_back(k), inputs.push_back(g.inputs[k]);
    for (std::size_t k = 0; k < g.outputs.size(); ++k)
      if (!is_kept(k, true)) results.push_back(k), outputs.push_back(g.outputs[k]);
  }
};

}  // namespace detail

/// What a loaded function returns: one or several values, by number or by name. That of a function with one result is this result
/// wherever an any_tensor is wanted.
template <class Value = any_tensor>
class loaded_results {
 public:
  loaded_results(std::vector<Value> values, std::shared_ptr<const detail::call_names> names)
      : values_(std::move(values)), names_(std::move(names)) {}

  std::size_t size() const { return values_.size(); }
  /// Errors: no such result throws invalid_argument.
  const Value& operator[](std::size_t k) const {
    if (k >= size()) detail::throw_invalid_argument(names_->name + ": there is no result " + std::to_string(k));
    return values_[k];
  }
  const Value& operator[](std::string_view name) const {
    for (std::size_t k = 0; k < size(); ++k)
      if (names_->outputs[k] == name) return values_[k];
    detail::throw_invalid_argument(names_->name + ": there is no result " + std::string(name));
  }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

  /// The only result.
  /// Errors: none or several throw invalid_argument.
  operator const Value&() const {
    if (size() != 1)
      detail::throw_invalid_argument(names_->name + " has " + std::to_string(size()) + " results: take one by [number] or [name]");
    return values_[0];
  }
  const Value& value() const { return *this; }
  const std::vector<Value>& values() const { return values_; }

  jig::dtype dtype() const { return value().dtype(); }
  jig::shape shape() const { return value().shape(); }
  int rank() const { return value().rank(); }
  /// Its elements, as of an any_tensor.
  template <Element T, index... E>
  auto as() const {
    if constexpr (sizeof...(E) == 0) return value().template as<T>();
    else return value().template as<T, E...>();
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const loaded_results& r) {
    return out << r.value();
  }

 private:
  std::vector<Value> values_;
  std::shared_ptr<const detail::call_names> names_;
};

}  // namespace jig
