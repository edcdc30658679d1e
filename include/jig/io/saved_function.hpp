// SPDX-License-Identifier: MIT
#pragma once
// Functions on their way into a file, with the values of their variables.

#include <jig/io/model_graphs.hpp>
#include <jig/trace/variable_references.hpp>

#include <initializer_list>
#include <string_view>
#include <utility>

namespace jig {

/// A function as save() takes it: its graph, and of variables that belong to it what they hold and which objects they are.
class saved_function {
 public:
  struct variable {
    model_variable is;
    /// The same for functions that share it.
    const void* object;
  };

  /// A concrete function, a loaded one or a graph with names. Variables of a concrete function are arguments: see with_variables().
  template <class Function>
    requires(!std::is_same_v<Function, saved_function>)
  saved_function(const Function& f) {
    if constexpr (requires { f.saved(); }) *this = f.saved();
    else if constexpr (requires { f.model(); }) graph_ = f.model();
    else graph_ = named_graph_of(f);
  }
  saved_function(named_graph g, std::vector<variable> variables) : graph_(std::move(g)), variables_(std::move(variables)) {}

  const named_graph& graph() const { return graph_; }
  /// Those that the graph has, in its order; none where they are arguments.
  const std::vector<variable>& variables() const { return variables_; }

 private:
  named_graph graph_;
  std::vector<variable> variables_;
};

namespace detail {

inline saved_function bound_function(named_graph g, const std::vector<variable_reference>& references) {
  const auto refuse = [&](const message& why) { throw_invalid_argument(g.name + ": with_variables: " + std::string(why.view())); };
  if (references.size() != g.variables.size()) {
    message m;
    m << "the function has " << static_cast<index>(g.variables.size()) << " variables, given " << static_cast<index>(references.size());
    refuse(m);
  }
  std::vector<saved_function::variable> variables;
  for (std::size_t k = 0; k < references.size(); ++k) {
    const variable_reference& v = references[k];
    const auto input = static_cast<std::size_t>(g.variables[k].input);
    const tensor_spec expected = g.graph.view().data(g.graph.input_nodes[g.variables[k].input]).spec,
                      given{v.elements.dtype, v.elements.extents};
    message m;
    if (!may_be_equal(given, expected)) {
      m << g.inputs[input] << ": expected " << expected << ", given " << given;
      refuse(m);
    }
    for (const auto& other : variables)
      if (other.object == v.variable) {
        m << g.inputs[input] << " is given twice";
        refuse(m);
      }
    variables.push_back({{g.inputs[input], v.declared, any_tensor(v.elements)}, v.variable});
  }
  return {std::move(g), std::move(variables)};
}

/// Functions by their names as a model. Variables that are one object are one.
inline model_graphs model_of(std::vector<std::pair<std::string, saved_function>> functions) {
  model_graphs out;
  std::vector<const void*> objects;
  for (auto& [key, f] : functions) {
    for (const auto& other : out.functions)
      if (other.key == key) throw_invalid_argument("save: there are two functions named " + key);
    model_function& made = out.functions.emplace_back();
    made.key = key;
    made.graph = f.graph();
    for (const auto& v : f.variables()) {
      std::size_t k = 0;
      while (k < objects.size() && objects[k] != v.object) ++k;
      if (k == objects.size()) {
        objects.push_back(v.object);
        std::string name = v.is.name;
        const auto taken = [&] {
          for (const auto& other : out.variables)
            if (other.name == name) return true;
          return false;
        };
        for (int n = 1; taken(); ++n) name = v.is.name + '_' + std::to_string(n);
        out.variables.push_back({name, v.is.declared, v.is.value});
      }
      made.variables.push_back(k);
    }
  }
  if (out.functions.empty()) throw_invalid_argument("save: there are no functions");
  return out;
}

}  // namespace detail

/// A concrete function with the values that its variables have now, for formats that keep variables as what they are:
/// `jig::save(jig::with_variables(step, model, optimizer), "saved_model")`. The structures are those that the function takes, in its order.
/// Functions that are saved together share variables that are the same objects.
/// Errors: another number of variables, or other specs, throw invalid_argument.
template <class Function, class... X>
saved_function with_variables(const Function& f, const X&... structures) {
  named_graph g;
  if constexpr (requires { f.model(); }) g = f.model();
  else g = named_graph_of(f);
  std::vector<detail::variable_reference> references;
  const auto append = [&](auto& x) {
    for (auto& v : variable_references(x)) references.push_back(std::move(v));
  };
  (append(structures), ...);
  return detail::bound_function(std::move(g), references);
}

}  // namespace jig
