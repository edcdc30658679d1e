// SPDX-License-Identifier: MIT
#pragma once
// Functions of callables that are traced when the program runs, as what can be called by name and saved.

#include <jig/io/loaded_function.hpp>
#include <jig/runtime/run_time_arguments.hpp>

namespace jig {

namespace detail {

// Variables among the arguments of a trace are told apart by their addresses.
inline int number_of_object(const void* x, std::vector<const void*>& objects) {
  std::size_t k = 0;
  while (k < objects.size() && objects[k] != x) ++k;
  if (k == objects.size()) objects.push_back(x);
  return static_cast<int>(k);
}
template <class Key>
auto key_of_trace(const Key& key, std::vector<const void*>& objects) {
  using S = structure<Key>;
  if constexpr (!holds_variables<Key>) {
    return key;
  } else if constexpr (is_struct_of_variables<Key>) {
    std::vector<int> numbers;
    for_each_leaf(key, [&]<class Leaf>(const Leaf& leaf) {
      if constexpr (is_variable<Leaf>) numbers.push_back(detail::number_of_object(&leaf, objects));
    });
    const int* next = numbers.data();
    return struct_key_of<Key>(next);
  } else if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using parts_t = std::tuple<decltype(detail::key_of_trace(S::template get<I>(key), objects))...>;
      parts_t parts{detail::key_of_trace(S::template get<I>(key), objects)...};
      return S::make(std::move(std::get<I>(parts))...);
    }(std::make_index_sequence<S::size>());
  } else {
    return dynamic_variable_key{variable_key<Key>::type::value(), detail::number_of_object(&key, objects)};
  }
}

}  // namespace detail

/// The graph of a callable, which may capture, for arguments of these specs, as a function that can be saved. What it captures are
/// constants of the graph. A variable is its own spec, and so is a struct of variables; the lambda takes it by reference and may assign it,
/// see with_variables().
/// Errors: what a trace refuses throws invalid_argument.
template <class F, class... Key>
loaded_function traced_function(std::string_view declaration, F f, const Key&... key) {
  std::vector<const void*> objects;
  return std::apply(
      [&](const auto&... k) {
        auto traced = detail::dynamic_trace(declaration, f, k...);
        named_graph g = named_graph_of(traced.graph.view(), std::string(function_name(declaration)));
        for (const int input : detail::inputs_of_variables(k...)) g.variables.push_back({input});
        for (int n = 0; n < static_cast<int>(traced.updated.size()); ++n)
          g.variables[static_cast<std::size_t>(traced.updated[n])].output = traced.results + n;
        return loaded_function(std::move(g));
      },
      std::tuple<decltype(detail::key_of_trace(key, objects))...>{detail::key_of_trace(key, objects)...});
}

}  // namespace jig
