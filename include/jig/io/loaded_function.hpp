// SPDX-License-Identifier: MIT
#pragma once
// Functions that come from a graph of the run: one that was loaded, or made by the program.

#include <jig/graph/text.hpp>
#include <jig/io/named_graph.hpp>
#include <jig/runtime/all_kernels.hpp>
#include <jig/runtime/dispatch.hpp>
#include <jig/trace/signature_text.hpp>
#include <jig/trace/traced_structure.hpp>

#include <initializer_list>
#include <memory>

namespace jig {

/// An argument by its name.
template <class Value>
struct named_value {
  std::string_view name;
  Value value;
};

/// What a loaded function returns: one or several values, by number or by name. That of a function with one result is this result
/// wherever an any_tensor is wanted.
template <class Value = any_tensor>
class loaded_results {
 public:
  loaded_results(std::vector<Value> values, std::shared_ptr<const named_graph> names)
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
  std::shared_ptr<const named_graph> names_;
};

namespace detail {

/// A graph's nodes as nodes of a trace, and what its results are there. Specs are those that follow from these inputs.
/// Errors: extents that the graph refuses throw invalid_argument.
template <class Builder>
list<edge> replay(Builder& b, const graph_view& g, const list<edge>& inputs) {
  list<edge> renamed(g.size());
  for (std::size_t k = 0; k < g.inputs().size(); ++k) renamed[g.inputs()[k]] = inputs[k];
  const auto place = [&](const edge& e) {
    const edge& to = renamed[e.node];
    return edge{to.node, to.port + e.port};
  };
  for (int id = 0; id < g.size(); ++id) {
    const node_data& n = g.data(id);
    if (n.kind->is(fact::input)) continue;
    const int made = copy_node(b.graph, g, id, place);
    renamed[id] = {made, 0};
    if (!n.kind->is(fact::constant | fact::control)) {
      node_facts facts(b.graph.view(), made);
      for (int port = 0; port <= n.more_specs.count; ++port) {
        extent_algebra unknown;
        rule_context c = facts.context(&unknown, port);
        apply_rule(*n.kind, c);
        if (c.failed) throw_invalid_argument(refusal(*n.kind, c.failure, facts.inputs()).view());
        if (port == 0) b.graph.nodes[made].spec = c.result;
        else b.graph.specs[b.graph.nodes[made].more_specs.first + port - 1] = c.result;
      }
    }
    if (b.computed != nullptr) b.computed->compute();
  }
  list<edge> results;
  for (const auto& e : g.outputs()) results.push_back(place(e));
  return results;
}

}  // namespace detail

/// A function that is a graph with names. Calls run it through the same passes and plans as run-time traces; inside a trace it becomes part
/// of that. Copies share the graph and its plans; they may be called at the same time.
class loaded_function {
 public:
  /// Errors: a malformed graph throws jig::error.
  explicit loaded_function(named_graph model) : model_(checked(std::move(model))), ready_(std::make_shared<ready>(model_->graph)) {}

  /// The graph with its names, as it was loaded.
  const named_graph& model() const { return *model_; }
  graph_view graph() const { return model_->graph.view(); }
  /// What the passes make of it.
  graph_view optimized_graph() const { return ready_->program.view(); }
  const std::string& name() const { return model_->name; }
  const std::vector<std::string>& input_names() const { return model_->inputs; }
  const std::vector<std::string>& output_names() const { return model_->outputs; }
  /// Of argument or result k.
  tensor_spec input_spec(std::size_t k) const { return graph().data(graph().inputs()[k]).spec; }
  tensor_spec output_spec(std::size_t k) const { return graph().spec(graph().outputs()[k]); }

  /// The signature as TensorFlow prints it.
  std::string pretty_printed_signature(bool full = false) const {
    using form = signature_value::form;
    std::vector<signature_value> parameters;
    for (std::size_t k = 0; k < model_->inputs.size(); ++k) parameters.push_back({form::tensor, model_->inputs[k], input_spec(k), {}, {}});
    signature_value result;
    result.kind = model_->outputs.size() == 1 ? form::tensor : form::mapping;
    for (std::size_t k = 0; k < model_->outputs.size(); ++k)
      result.parts.push_back({form::tensor, model_->outputs[k], output_spec(k), {}, {}});
    if (model_->outputs.size() == 1) result = result.parts[0];
    return full ? function_type_text(parameters, result) : signature_text(model_->name, parameters, result);
  }

  /// Runs it on tensors, views, containers and numbers, and structures of these, which are taken apart; or, inside a trace that is made at
  /// run time, adds it to that.
  /// Errors: what does not fit throws invalid_argument with the argument, the expected spec and the given one.
  template <class... X>
    requires(detail::holds_dynamic<std::remove_cvref_t<X>> || ...)
  loaded_results<dynamic_symbol> operator()(X&&... x) const {
    std::vector<dynamic_operand> given;
    const auto take = [&](const auto& leaf) {
      if constexpr (!Constant<std::remove_cvref_t<decltype(leaf)>>) given.push_back(operand_of(leaf));
    };
    (for_each_leaf(x, take), ...);
    return replayed(given);
  }
  template <class... X>
    requires(!(detail::holds_dynamic<std::remove_cvref_t<X>> || ...))
  loaded_results<> operator()(X&&... x) const {
    std::vector<any_tensor> given((std::size_t{0} + ... + detail::leaf_count<std::remove_cvref_t<X>>));
    any_tensor* end = given.data();
    (detail::collect_tensors(end, x), ...);
    given.resize(static_cast<std::size_t>(end - given.data()));
    return run(std::move(given));
  }
  /// The same with arguments by their names: `loaded({{"x", x}})`.
  /// Errors: names that are missing, unknown or given twice throw invalid_argument.
  loaded_results<> operator()(std::initializer_list<named_value<any_tensor>> x) const {
    std::vector<any_tensor> given;
    for (const auto* value : in_order(x)) given.push_back(value->value);
    return run(std::move(given));
  }
  loaded_results<dynamic_symbol> operator()(std::initializer_list<named_value<dynamic_symbol>> x) const {
    std::vector<dynamic_operand> given;
    for (const auto* value : in_order(x)) given.push_back(operand_of(value->value));
    return replayed(given);
  }

 private:
  using dynamic_operand = detail::dynamic_operand;
  struct ready {
    detail::runtime_graph<> program;
    explicit ready(const jig::graph& g) : program(detail::runtime_graph_of(g)) {}
  };

  static std::shared_ptr<const named_graph> checked(named_graph model) {
    detail::require_runtime_library();
    require_valid(model.graph.view());
    if (model.inputs.size() != model.graph.inputs().size() || model.outputs.size() != model.graph.outputs().size())
      detail::raise<error>(model.name + ": the graph has other numbers of arguments and results than there are names");
    return std::make_shared<const named_graph>(std::move(model));
  }
  template <class X>
  static dynamic_operand operand_of(const X& x) {
    return detail::dynamic_operand_of(x);
  }

  // Extents of arguments that the signature names must be equal where the names are.
  void require_fit(std::size_t k, const tensor_spec& given, std::vector<std::pair<index, index>>& named) const {
    const tensor_spec expected = input_spec(k);
    bool fits = may_be_equal(given, expected);
    for (int a = 0; fits && a < expected.shape.rank; ++a) {
      if (!is_named_extent(expected.shape[a]) || !is_static_extent(given.shape[a])) continue;
      bool known = false;
      for (const auto& [name, extent] : named)
        if (name == expected.shape[a]) {
          known = true;
          fits = fits && extent == given.shape[a];
        }
      if (!known) named.emplace_back(expected.shape[a], given.shape[a]);
      if (fits) continue;
      message m;
      m << model_->name << ": argument " << model_->inputs[k] << ": ";
      append_extent(m << "the extent ", expected.shape[a]) << " is another one before, given " << given;
      detail::throw_invalid_argument(m.view());
    }
    if (fits) return;
    message m;
    m << model_->name << ": argument " << model_->inputs[k] << ": expected " << expected << ", given " << given;
    detail::throw_invalid_argument(m.view());
  }
  void require_count(std::size_t given) const {
    if (given == model_->inputs.size()) return;
    message m;
    m << model_->name << ": expected " << static_cast<index>(model_->inputs.size())
      << (model_->inputs.size() == 1 ? " argument" : " arguments") << ", given " << static_cast<index>(given);
    detail::throw_invalid_argument(m.view());
  }
  loaded_results<> run(std::vector<any_tensor> given) const {
    require_count(given.size());
    std::vector<std::pair<index, index>> named;
    for (std::size_t k = 0; k < given.size(); ++k) require_fit(k, {given[k].dtype(), given[k].shape()}, named);
    return {detail::run_graph(ready_->program, stretch<any_tensor>(given)), model_};
  }
  loaded_results<dynamic_symbol> replayed(const std::vector<dynamic_operand>& given) const {
    require_count(given.size());
    builder* b = nullptr;
    for (const auto& x : given)
      if (x.recorder != nullptr) b = x.recorder;
    list<edge> inputs;
    std::vector<std::pair<index, index>> named;
    for (std::size_t k = 0; k < given.size(); ++k) {
      tensor_spec s = given[k].spec;
      const tensor_spec expected = input_spec(k);
      if ((given[k].from == world::literal || given[k].weak) && detail::literal_joins(s.dtype, expected.dtype)) s.dtype = expected.dtype;
      require_fit(k, s, named);
      inputs.push_back(detail::place_of_operand(*b, given[k], s.dtype));
    }
    std::vector<dynamic_symbol> results;
    for (const auto& e : detail::replay(*b, graph(), inputs)) results.emplace_back(b, e);
    return {std::move(results), model_};
  }
  template <class Value>
  std::vector<const named_value<Value>*> in_order(std::initializer_list<named_value<Value>> x) const {
    std::vector<const named_value<Value>*> out(model_->inputs.size());
    for (const auto& value : x) {
      std::size_t k = 0;
      while (k < out.size() && model_->inputs[k] != value.name) ++k;
      if (k == out.size()) detail::throw_invalid_argument(model_->name + ": there is no argument " + std::string(value.name));
      if (out[k] != nullptr) detail::throw_invalid_argument(model_->name + ": the argument " + model_->inputs[k] + " is given twice");
      out[k] = &value;
    }
    for (std::size_t k = 0; k < out.size(); ++k)
      if (out[k] == nullptr) detail::throw_invalid_argument(model_->name + ": the argument " + model_->inputs[k] + " is missing");
    return out;
  }

  std::shared_ptr<const named_graph> model_;
  std::shared_ptr<const ready> ready_;
};

/// The graph of a callable, which may capture, for arguments of these specs, as a function that can be saved. What it captures are
/// constants of the graph.
/// Errors: what a trace refuses throws invalid_argument.
template <class F, class... Key>
loaded_function traced_function(std::string_view declaration, F f, const Key&... key) {
  return loaded_function(
      named_graph_of(detail::dynamic_trace(declaration, f, key...).graph.view(), std::string(function_name(declaration))));
}

/// The graph of a loaded function as text.
inline std::string to_text(const loaded_function& f) { return to_text(f.graph()); }

}  // namespace jig
