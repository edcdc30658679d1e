// SPDX-License-Identifier: MIT
#pragma once
// Functions that come from a graph of the run: one that was loaded, or made by the program.

#include <jig/graph/text.hpp>
#include <jig/io/loaded_results.hpp>
#include <jig/io/saved_function.hpp>
#include <jig/runtime/all_kernels.hpp>
#include <jig/runtime/dispatch.hpp>
#include <jig/trace/signature_text.hpp>
#include <jig/trace/traced_structure.hpp>

#include <initializer_list>
#include <list>
#include <memory>
#include <mutex>

namespace jig {

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
/// of that. Copies share the graph and its plans, and the variables of its model; they may be called at the same time, where calls that
/// change variables wait for each other.
class loaded_function {
  struct ready {
    detail::runtime_graph<> program;
    // To be looked at, with all constants; what runs has large ones beside it.
    mutable bool has_optimized = false;
    mutable jig::graph optimized{};
    explicit ready(const jig::graph& g) : program(detail::runtime_graph_of(g)) {}
  };
  // What takes the place of a graph and its program where each call has its own: the latest of them are kept.
  class graphs_of_calls {
    struct program {
      std::vector<tensor_spec> specs;
      ready made;
    };

   public:
    explicit graphs_of_calls(std::shared_ptr<const call_graphs> from) : from_(std::move(from)) {}
    const call_graphs& source() const { return *from_; }

    std::vector<any_tensor> run(const std::vector<any_tensor>& arguments) {
      if (auto results = from_->run(arguments)) return std::move(*results);
      std::vector<tensor_spec> specs;
      for (const auto& x : arguments) specs.push_back({x.dtype(), x.shape()});
      return detail::run_graph(program_for(specs)->made.program, stretch<any_tensor>(arguments));
    }

   private:
    std::shared_ptr<const program> program_for(const std::vector<tensor_spec>& specs) {
      constexpr std::size_t most = 16;
      const std::lock_guard held(lock_);
      for (auto p = latest_.begin(); p != latest_.end(); ++p)
        if ((*p)->specs == specs) {
          latest_.splice(latest_.begin(), latest_, p);
          return latest_.front();
        }
      latest_.push_front(std::shared_ptr<const program>(new program{specs, ready(from_->graph_for(specs))}));
      if (latest_.size() > most) latest_.pop_back();
      return latest_.front();
    }

    std::shared_ptr<const call_graphs> from_;
    std::mutex lock_{};
    std::list<std::shared_ptr<const program>> latest_{};
  };
  struct part {
    std::string key;
    std::shared_ptr<const named_graph> model;
    std::shared_ptr<graphs_of_calls> at_calls;  // in place of a program
    std::shared_ptr<const detail::call_names> names;
    std::shared_ptr<const ready> program;
    // Which of the model's variables each of the graph's is.
    std::vector<std::size_t> variables;
    bool assigns = false;
  };
  // What the functions of one model share.
  struct shared_model {
    std::vector<part> parts{};
    std::mutex lock{};
    std::vector<model_variable> variables{};
  };

 public:
  /// Errors: a malformed graph throws jig::error.
  explicit loaded_function(named_graph model) : loaded_function(alone(std::move(model))) {}
  /// The function `serving_default` of a model, or the first one; signature() gives the others.
  /// Errors: a malformed graph throws jig::error.
  explicit loaded_function(model_graphs model) : shared_(shared(std::move(model))) {
    for (std::size_t k = 0; k < shared_->parts.size(); ++k)
      if (shared_->parts[k].key == "serving_default") part_ = k;
  }

  /// The names of the model's functions.
  std::vector<std::string> signatures() const {
    std::vector<std::string> out;
    for (const auto& p : shared_->parts) out.push_back(p.key);
    return out;
  }
  /// One of them, with the same variables.
  /// Errors: an unknown name throws invalid_argument with those that there are.
  loaded_function signature(std::string_view key) const {
    loaded_function out = *this;
    std::string known;
    out.alone_ = true;
    for (std::size_t k = 0; k < shared_->parts.size(); ++k) {
      out.part_ = k;
      if (shared_->parts[k].key == key) return out;
      known += (k == 0 ? " " : ", ") + shared_->parts[k].key;
    }
    detail::throw_invalid_argument("there is no signature " + std::string(key) + " among" + known);
  }
  /// The model's variables with the values that they have now.
  std::vector<model_variable> variables() const {
    const std::lock_guard held(shared_->lock);
    return shared_->variables;
  }

  /// Whether there is one graph for all calls. There is none where a file's graph is steered by extents or elements of arguments of which
  /// it tells nothing: each call makes the graph for its arguments then, and keeps it for others like it.
  bool has_graph() const { return own().at_calls == nullptr; }
  /// The graph with its names, as it was loaded. Variables are arguments and results of it.
  /// Errors: a function without one graph for all calls throws invalid_argument: model_for() gives that for arguments of some specs.
  const named_graph& model() const { return with_graph(own()); }
  graph_view graph() const { return model().graph.view(); }
  /// What the passes make of it.
  graph_view optimized_graph() const {
    const graph_view made = graph();
    const ready& p = *own().program;
    const std::lock_guard held(shared_->lock);
    if (!p.has_optimized) {
      p.optimized = optimize(made);
      p.has_optimized = true;
    }
    return p.optimized.view();
  }
  const std::string& name() const { return own().model->name; }
  const std::vector<std::string>& input_names() const { return own().names->inputs; }
  const std::vector<std::string>& output_names() const { return own().names->outputs; }
  /// Of argument or result k, as far as the file tells.
  tensor_spec input_spec(std::size_t k) const {
    if (!has_graph()) return own().at_calls->source().declared().input_specs[k];
    return graph().data(graph().inputs()[own().names->arguments[k]]).spec;
  }
  tensor_spec output_spec(std::size_t k) const {
    if (!has_graph()) return own().at_calls->source().declared().output_specs[k];
    return graph().spec(graph().outputs()[own().names->results[k]]);
  }

  /// As save() takes it: the function with the values that its variables have now.
  saved_function saved() const {
    const std::lock_guard held(shared_->lock);
    return saved_part(own());
  }
  /// All functions of its model, but of a signature() only this, with the values of one moment.
  model_graphs whole_model() const {
    std::vector<std::pair<std::string, saved_function>> functions;
    const std::lock_guard held(shared_->lock);
    for (std::size_t k = 0; k < shared_->parts.size(); ++k)
      if (!alone_ || k == part_) functions.emplace_back(shared_->parts[k].key, saved_part(shared_->parts[k]));
    return detail::model_of(std::move(functions));
  }

  /// The signature as TensorFlow prints it.
  std::string pretty_printed_signature(bool full = false) const {
    using form = signature_value::form;
    std::vector<signature_value> parameters;
    const auto &inputs = input_names(), &outputs = output_names();
    for (std::size_t k = 0; k < inputs.size(); ++k) parameters.push_back({form::tensor, inputs[k], input_spec(k), {}, {}});
    signature_value result;
    result.kind = outputs.size() == 1 ? form::tensor : form::mapping;
    for (std::size_t k = 0; k < outputs.size(); ++k) result.parts.push_back({form::tensor, outputs[k], output_spec(k), {}, {}});
    if (outputs.size() == 1) result = result.parts[0];
    return full ? function_type_text(parameters, result) : signature_text(name(), parameters, result);
  }

  /// Runs it on tensors, views, containers and numbers, and structures of these, which are taken apart; or, inside a trace that is made at
  /// run time, adds it to that. Variables of its model are read and get their new values; in a trace they are constants, and a function
  /// that assigns them is refused.
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
  /// The same with as many arguments as the run tells, in their order.
  loaded_results<> call(std::vector<any_tensor> arguments) const { return run(std::move(arguments)); }

  /// The graph for arguments of these specs, in their order, with the specs that follow from them: of fixed extents it tells operations
  /// and bytes. Variables keep theirs.
  /// Errors: what does not fit throws invalid_argument.
  named_graph model_for(const std::vector<tensor_spec>& arguments) const {
    require_count(arguments.size());
    std::vector<std::pair<index, index>> named;
    const part& p = own();
    named_graph out{name(), {}, p.model->inputs, p.model->outputs, p.model->variables};
    if (!has_graph()) {
      for (std::size_t k = 0; k < arguments.size(); ++k) require_fit(k, arguments[k], named);
      out.graph = graph_of_call(arguments);
      return out;
    }
    std::vector<tensor_spec> specs;
    for (const int id : graph().inputs()) specs.push_back(graph().data(id).spec);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      require_fit(k, arguments[k], named);
      specs[p.names->arguments[k]] = arguments[k];
    }
    builder b;
    list<edge> inputs;
    for (std::size_t k = 0; k < specs.size(); ++k) inputs.push_back(b.input(specs[k], out.inputs[k]));
    for (const edge& e : detail::replay(b, graph(), inputs)) b.graph.output_edges.push_back(e);
    out.graph = std::move(b.graph);
    return out;
  }

 private:
  using dynamic_operand = detail::dynamic_operand;

  static model_graphs alone(named_graph g) {
    model_graphs out;
    out.functions.push_back({"serving_default", std::move(g), {}});
    return out;
  }
  static std::shared_ptr<shared_model> shared(model_graphs model) {
    detail::require_runtime_library();
    auto out = std::make_shared<shared_model>();
    if (model.functions.empty()) detail::raise<error>("the model has no functions");
    for (auto& f : model.functions) {
      if (f.at_calls != nullptr) {
        part& p = out->parts.emplace_back();
        p.key = f.key;
        p.names = std::make_shared<const detail::call_names>(f.graph, false);
        p.model = std::make_shared<const named_graph>(std::move(f.graph));
        p.at_calls = std::make_shared<graphs_of_calls>(std::move(f.at_calls));
        continue;
      }
      require_valid(f.graph.graph.view());
      if (f.graph.inputs.size() != f.graph.graph.view().inputs().size() || f.graph.outputs.size() != f.graph.graph.view().outputs().size())
        detail::raise<error>(f.graph.name + ": the graph has other numbers of arguments and results than there are names");
      if (!f.variables.empty()) require_variables(f, model.variables);
      part& p = out->parts.emplace_back();
      p.key = f.key;
      p.names = std::make_shared<const detail::call_names>(f.graph, !f.variables.empty());
      if (!f.variables.empty())
        for (const auto& v : f.graph.variables) p.assigns = p.assigns || v.output >= 0;
      p.variables = std::move(f.variables);
      p.model = std::make_shared<const named_graph>(std::move(f.graph));
      p.program = std::make_shared<const ready>(p.model->graph);
    }
    out->variables = std::move(model.variables);
    return out;
  }
  static void require_variables(const model_function& f, const std::vector<model_variable>& known) {
    const graph_view g = f.graph.graph.view();
    bool fits = f.variables.size() == f.graph.variables.size();
    for (std::size_t k = 0; fits && k < f.variables.size(); ++k) {
      const graph_variable& v = f.graph.variables[k];
      fits = f.variables[k] < known.size() && v.input >= 0 && static_cast<std::size_t>(v.input) < g.inputs().size() && v.output >= -1 &&
             (v.output < 0 || static_cast<std::size_t>(v.output) < g.outputs().size());
      if (!fits) break;
      const model_variable& is = known[f.variables[k]];
      fits = may_be_equal({is.value.dtype(), is.value.shape()}, is.declared) &&
             may_be_equal(is.declared, g.data(g.inputs()[static_cast<std::size_t>(v.input)]).spec);
    }
    if (!fits) detail::raise<error>(f.graph.name + ": the variables of the graph are none of the model");
  }
  saved_function saved_part(const part& p) const {
    std::vector<saved_function::variable> values;
    for (const std::size_t k : p.variables) values.push_back({shared_->variables[k], &shared_->variables[k]});
    return {with_graph(p), std::move(values)};
  }
  static const named_graph& with_graph(const part& p) {
    if (p.at_calls != nullptr)
      detail::throw_invalid_argument(p.model->name +
                                     ": its graph is made for the arguments of each call; model_for() gives it for their specs");
    return *p.model;
  }
  jig::graph graph_of_call(const std::vector<tensor_spec>& arguments) const {
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (!arguments[k].shape.is_static()) {
        message m;
        m << name() << ": argument " << input_names()[k] << ": its extents must be known, given " << arguments[k];
        detail::throw_invalid_argument(m.view());
      }
    return own().at_calls->source().graph_for(arguments);
  }
  const part& own() const { return shared_->parts[part_]; }
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
      m << name() << ": argument " << input_names()[k] << ": ";
      append_extent(m << "the extent ", expected.shape[a]) << " is another one before, given " << given;
      detail::throw_invalid_argument(m.view());
    }
    if (fits) return;
    message m;
    m << name() << ": argument " << input_names()[k] << ": expected " << expected << ", given " << given;
    detail::throw_invalid_argument(m.view());
  }
  void require_count(std::size_t given) const {
    const std::size_t expected = input_names().size();
    if (given == expected) return;
    message m;
    m << name() << ": expected " << static_cast<index>(expected) << (expected == 1 ? " argument" : " arguments") << ", given "
      << static_cast<index>(given);
    detail::throw_invalid_argument(m.view());
  }
  loaded_results<> run(std::vector<any_tensor> given) const {
    require_count(given.size());
    std::vector<std::pair<index, index>> named;
    for (std::size_t k = 0; k < given.size(); ++k) require_fit(k, {given[k].dtype(), given[k].shape()}, named);
    const part& p = own();
    if (p.at_calls != nullptr) return {p.at_calls->run(given), p.names};
    if (p.variables.empty()) return {detail::run_graph(p.program->program, stretch<any_tensor>(given)), p.names};
    // What becomes the value of a variable must not be the caller's memory.
    std::vector<any_tensor> taken(p.model->inputs.size());
    for (std::size_t k = 0; k < given.size(); ++k) taken[p.names->arguments[k]] = p.assigns ? any_tensor(given[k].view()) : given[k];
    std::unique_lock held(shared_->lock);
    for (std::size_t k = 0; k < p.variables.size(); ++k)
      taken[static_cast<std::size_t>(p.model->variables[k].input)] = shared_->variables[p.variables[k]].value;
    if (!p.assigns) held.unlock();
    auto values = detail::run_graph(p.program->program, stretch<any_tensor>(taken));
    // All of them are checked before one is changed.
    for (const bool commits : {false, true})
      for (std::size_t k = 0; k < p.variables.size(); ++k) {
        const int output = p.model->variables[k].output;
        if (output < 0) continue;
        model_variable& to = shared_->variables[p.variables[k]];
        const any_tensor& value = values[static_cast<std::size_t>(output)];
        if (commits) to.value = value;
        else if (!may_be_equal({value.dtype(), value.shape()}, to.declared)) refuse_value(to, {value.dtype(), value.shape()});
      }
    std::vector<any_tensor> results;
    for (const std::size_t k : p.names->results) results.push_back(values[k]);
    return {std::move(results), p.names};
  }
  [[noreturn, gnu::cold]] void refuse_value(const model_variable& to, const tensor_spec& given) const {
    message m;
    m << name() << ": variable " << to.name << ": expected " << to.declared << ", given " << given;
    detail::throw_invalid_argument(m.view());
  }
  loaded_results<dynamic_symbol> replayed(const std::vector<dynamic_operand>& given) const {
    require_count(given.size());
    const part& p = own();
    if (p.assigns) detail::throw_invalid_argument(name() + " assigns variables of its model: it cannot be part of a trace");
    builder* b = nullptr;
    for (const auto& x : given)
      if (x.recorder != nullptr) b = x.recorder;
    list<edge> inputs(static_cast<int>(p.model->inputs.size()));
    std::vector<std::pair<index, index>> named;
    for (std::size_t k = 0; k < given.size(); ++k) {
      tensor_spec s = given[k].spec;
      const tensor_spec expected = input_spec(k);
      if ((given[k].from == world::literal || given[k].weak) && detail::literal_joins(s.dtype, expected.dtype)) s.dtype = expected.dtype;
      require_fit(k, s, named);
      inputs[p.names->arguments[k]] = detail::place_of_operand(*b, given[k], s.dtype);
    }
    if (!p.variables.empty()) {
      const std::lock_guard held(shared_->lock);
      for (std::size_t k = 0; k < p.variables.size(); ++k)
        inputs[p.model->variables[k].input] = detail::constant_of(*b, shared_->variables[p.variables[k]].value.view());
    }
    jig::graph of_call;
    if (p.at_calls != nullptr) {
      std::vector<tensor_spec> specs;
      for (std::size_t k = 0; k < given.size(); ++k) specs.push_back(b->graph.view().spec(inputs[p.names->arguments[k]]));
      of_call = graph_of_call(specs);
    }
    const list<edge> made = detail::replay(*b, p.at_calls != nullptr ? of_call.view() : graph(), inputs);
    std::vector<dynamic_symbol> results;
    for (const std::size_t k : p.names->results) results.emplace_back(b, made[k]);
    return {std::move(results), p.names};
  }
  template <class Value>
  std::vector<const named_value<Value>*> in_order(std::initializer_list<named_value<Value>> x) const {
    const auto& names = input_names();
    std::vector<const named_value<Value>*> out(names.size());
    for (const auto& value : x) {
      std::size_t k = 0;
      while (k < out.size() && names[k] != value.name) ++k;
      if (k == out.size()) detail::throw_invalid_argument(name() + ": there is no argument " + std::string(value.name));
      if (out[k] != nullptr) detail::throw_invalid_argument(name() + ": the argument " + names[k] + " is given twice");
      out[k] = &value;
    }
    for (std::size_t k = 0; k < out.size(); ++k)
      if (out[k] == nullptr) detail::throw_invalid_argument(name() + ": the argument " + names[k] + " is missing");
    return out;
  }

  std::shared_ptr<shared_model> shared_;
  std::size_t part_ = 0;
  bool alone_ = false;
};

/// The graph of a loaded function as text.
inline std::string to_text(const loaded_function& f) { return to_text(f.graph()); }

}  // namespace jig
