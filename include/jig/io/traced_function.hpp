// SPDX-License-Identifier: MIT
#pragma once
// Functions of callables that are traced when the program runs, as what can be called by name and saved.

#include <jig/io/loaded_function.hpp>
#include <jig/runtime/run_time_arguments.hpp>

namespace jig {

namespace detail {

// Variables among the arguments of a trace are told apart by their addresses.
template <class Key>
auto key_of_trace(const Key& key, std::vector<const void*>& objects) {
  if constexpr (holds_variables<Key>) {
    static_assert(!holds_struct_of_variables<Key>,
                  "jig: a struct of variables cannot be passed to traced_function: pass its variables, or a tuple of them");
    return map_leaves(key, [&]<class Leaf>(const Leaf& leaf) {
      if constexpr (is_variable<Leaf>) {
        std::size_t k = 0;
        while (k < objects.size() && objects[k] != &leaf) ++k;
        if (k == objects.size()) objects.push_back(&leaf);
        return dynamic_variable_key{variable_key<Leaf>::type::value(), static_cast<int>(k)};
      } else {
        return leaf;
      }
    });
  } else {
    return key;
  }
}

}  // namespace detail

/// The graph of a callable, which may capture, for arguments of these specs, as a function that can be saved. What it captures are
/// constants of the graph. A variable is its own spec; the lambda takes it by reference and may assign it, see with_variables().
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
