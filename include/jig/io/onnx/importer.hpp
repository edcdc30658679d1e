// SPDX-License-Identifier: MIT
#pragma once
// Makes a graph of an ONNX model: finds what its names stand for, and calls the function of every node's op.

#include <jig/io/onnx/control.hpp>
#include <jig/io/onnx/detection.hpp>
#include <jig/io/onnx/elementwise.hpp>
#include <jig/io/onnx/index.hpp>
#include <jig/io/onnx/linear.hpp>
#include <jig/io/onnx/normal.hpp>
#include <jig/io/onnx/quantised.hpp>
#include <jig/io/onnx/recurrent.hpp>
#include <jig/io/onnx/reduce.hpp>
#include <jig/io/onnx/resize.hpp>
#include <jig/io/onnx/shape.hpp>
#include <jig/io/onnx/signal.hpp>
#include <jig/io/onnx/strings.hpp>
#include <jig/io/onnx/training.hpp>
#include <jig/io/onnx/window.hpp>

#include <jig/passes/differentiate.hpp>
#include <jig/passes/prune.hpp>

#include <functional>
#include <map>
#include <set>
#include <utility>

namespace jig::onnx {

/// The function that imports an op, or null. Those that the table of names says need none.
inline node_function function_of_op(std::string_view domain, std::string_view kind) {
  if (domain == "ai.onnx") domain = "";
  const auto in = [&](const auto& family) -> node_function {
    for (const auto& e : family)
      if (e.kind == kind && e.domain == domain) return e.make;
    return nullptr;
  };
  if (const auto f = in(elementwise_ops)) return f;
  if (const auto f = in(reduction_ops)) return f;
  if (const auto f = in(shape_ops)) return f;
  if (const auto f = in(index_ops)) return f;
  if (const auto f = in(linear_ops)) return f;
  if (const auto f = in(window_ops)) return f;
  if (const auto f = in(normal_ops)) return f;
  if (const auto f = in(recurrent_ops)) return f;
  if (const auto f = in(resize_ops)) return f;
  if (const auto f = in(quantised_ops)) return f;
  if (const auto f = in(detection_ops)) return f;
  if (const auto f = in(signal_ops)) return f;
  if (const auto f = in(string_ops)) return f;
  if (const auto f = in(training_ops)) return f;
  return in(control_ops);
}

/// The op that is one node of this kind, or null.
inline const op_name* named_op(std::string_view domain, std::string_view kind) {
  return domain.empty() || domain == "ai.onnx" ? detail::find_node(op_names, kind) : nullptr;
}

/// Which values an argument or result of a model is made of.
struct form {
  value::kind is = value::kind::tensor;
  std::vector<form> items{};
};

/// A graph that was made of a model.
struct imported_graph {
  jig::graph graph;
  std::vector<form> results;
};

/// The spec that a model declares, as far as it does.
inline tensor_spec declared_spec(const type_message& t) {
  tensor_spec s{require_dtype(t.element), {}};
  if (t.dims.size() > static_cast<std::size_t>(max_rank)) detail::throw_invalid_argument("a tensor has at most 8 axes");
  for (const auto& d : t.dims) {
    const bool named = d.value < 0 && detail::valid_name(d.name);
    s.shape.push_back(d.value >= 0 ? d.value : named ? detail::encode_name(d.name) : dyn);
  }
  return s;
}

/// An import of one model. Arguments are known by their specs, some of them by their elements.
class importer {
 public:
  importer(const model_message& model, const std::string& file, const load_limits& limits)
      : model_(model), file_(file), left_(8 * limits.nodes), m(limits) {
    for (std::size_t k = 0; k < model.functions.size(); ++k)
      functions_.emplace(std::pair(model.functions[k].domain, model.functions[k].name), &model.functions[k]);
  }

  /// What is known of an argument: nothing but what the model declares, or also the specs and elements of a call.
  struct argument {
    const data* given = nullptr;
    bool known = false;
  };

  /// Errors: what jig has no word for throws load_error; elements that steer the graph throw elements_needed, by the numbers of the
  /// model's arguments.
  imported_graph run(const std::vector<argument>& arguments) {
    if (m.limits().nesting < 1) fail(load_error::nowhere, "graphs lie too deep in each other");
    scopes_.emplace_back();
    for (const auto& a : arguments) {
      specialises_ = specialises_ || a.given != nullptr;
      m.awaits_call = m.awaits_call || a.given == nullptr;
    }
    const graph_message& g = model_.graph;
    for (std::size_t k = 0; k < g.initializers.size(); ++k) add_initializer(g.initializers[k]);
    const auto initializers = names_of_initializers(g);
    std::size_t at = 0;
    for (std::size_t k = 0; k < g.inputs.size(); ++k) {
      if (initializers.count(g.inputs[k].name) > 0) continue;
      if (at >= arguments.size()) fail(load_error::nowhere, "there are fewer arguments than the model has");
      add_argument(g.inputs[k], static_cast<int>(at), arguments[at]);
      ++at;
    }
    imported_graph out;
    try_at(load_error::nowhere, "", [&] {
      run_nodes(g.nodes);
      for (std::size_t k = 0; k < g.outputs.size(); ++k) out.results.push_back(give(lookup(g.outputs[k].name)));
    });
    try_at(load_error::nowhere, "", [&] {
      // What branches and loops were made of in vain is no part of it.
      out.graph = made_bodies_ ? prune(m.made.view()) : std::move(m.made);
      if (!differentiates_) return;
      message why;
      auto differentiated = detail::differentiate(out.graph.view(), &why);
      if (differentiated.failed) fail(load_error::nowhere, std::string(why.view()));
      out.graph = std::move(differentiated.graph);
    });
    return out;
  }

  /// Errors: nodes that jig has no word for throw load_error, also those of branches and loops.
  void require_known_ops() { require_known_ops(model_.graph.nodes, 1); }

  /// The names of arguments that are no initialisers.
  static std::vector<const value_message*> arguments_of(const graph_message& g) {
    const auto initializers = names_of_initializers(g);
    std::vector<const value_message*> out;
    for (std::size_t k = 0; k < g.inputs.size(); ++k)
      if (initializers.count(g.inputs[k].name) == 0) out.push_back(&g.inputs[k]);
    return out;
  }

  /// Runs a graph that is an attribute on these values, in view of the names around it.
  std::vector<value> run_subgraph(const graph_message& g, const std::vector<value>& inputs) {
    if (g.inputs.size() != inputs.size()) detail::throw_invalid_argument("a graph takes another number of values than its node gives");
    if (static_cast<int>(scopes_.size()) >= m.limits().nesting) detail::throw_invalid_argument("graphs lie too deep in each other");
    scopes_.push_back({{}, m.depth()});
    for (std::size_t k = 0; k < g.initializers.size(); ++k) add_initializer(g.initializers[k]);
    for (std::size_t k = 0; k < inputs.size(); ++k) here(g.inputs[k].name) = inputs[k];
    run_nodes(g.nodes);
    std::vector<value> out;
    for (std::size_t k = 0; k < g.outputs.size(); ++k) out.push_back(lookup(g.outputs[k].name));
    scopes_.pop_back();
    return out;
  }
  /// Makes a node with bodies, or says why that cannot be, and leaves none of them open then.
  /// Errors: elements that are needed throw elements_needed.
  std::optional<obstacle> make_or_say(const std::function<void()>& make) {
    made_bodies_ = true;
#ifdef __cpp_exceptions
    const std::size_t scopes = scopes_.size();
    const int depth = m.depth();
    const auto leave = [&] {
      scopes_.resize(scopes);
      while (m.depth() > depth) m.leave_body();
    };
    try {
      make();
    } catch (const elements_needed&) {
      leave();
      throw;
    } catch (const load_error& e) {
      leave();
      return obstacle{e.reason(), e.offset()};
    } catch (const error& e) {
      leave();
      return obstacle{e.what()};
    }
#else
    make();
#endif
    return std::nullopt;
  }
  /// Whether it is known what the arguments of a call look like, and not only what the model declares.
  bool specialises() const { return specialises_; }
  edge tensor_named(std::string_view name) {
    const value v = lookup(name);
    if (v.is != value::kind::tensor) detail::throw_invalid_argument(std::string(name) + " is no tensor");
    return v.at;
  }
  void ask_for_gradients() { differentiates_ = true; }

  /// A graph that is an attribute.
  const graph_message& subgraph(const node_message& n, std::string_view key) {
    for (std::size_t k = 0; k < n.attributes.size(); ++k)
      if (n.attributes[k].name == key && n.attributes[k].has_graph) {
        auto& kept = subgraphs_[&n.attributes[k]];
        if (!kept) {
          wire_problem problem;
          kept = std::make_unique<graph_message>(read_graph({n.attributes[k].graph, problem, n.attributes[k].graph_offset}));
          if (problem.found) fail(problem.offset, problem.reason);
        }
        return *kept;
      }
    detail::throw_invalid_argument("attribute " + std::string(key) + " is missing");
  }

 private:
  static std::set<std::string_view> names_of_initializers(const graph_message& g) {
    std::set<std::string_view> out;
    for (std::size_t k = 0; k < g.initializers.size(); ++k) out.insert(g.initializers[k].name);
    return out;
  }
  [[noreturn]] void fail(std::size_t offset, const std::string& why) const { detail::throw_load_error(file_, offset, why); }

  template <class F>
  void try_at(std::size_t offset, const std::string& where, F f) {
#ifdef __cpp_exceptions
    try {
      f();
    } catch (elements_needed& e) {
      if (e.why && e.why->offset == load_error::nowhere) e.why = obstacle{where + e.why->reason, offset};
      std::set<int> needed;
      for (const int a : e.inputs)
        needed.insert(a < static_cast<int>(argument_of_input_.size()) ? argument_of_input_[static_cast<std::size_t>(a)] : a);
      if (offset == load_error::nowhere) e.inputs.assign(needed.begin(), needed.end());
      throw;
    } catch (const load_error&) {
      throw;
    } catch (const error& e) {
      fail(offset, where + e.what());
    }
#else
    (void)offset, (void)where;
    f();
#endif
  }

  void add_initializer(const tensor_message& t) {
    try_at(t.offset, "initializer " + std::string(t.name) + ": ", [&] { here(t.name) = value(m.constant(elements_of(t))); });
  }
  void add_argument(const value_message& v, int number, const argument& a) {
    try_at(load_error::nowhere, "argument " + std::string(v.name) + ": ", [&] {
      using kind = type_message::kind;
      const bool plain = v.type.around.empty();
      for (const auto k : v.type.around)
        if (k == kind::other) detail::throw_invalid_argument("maps and sparse tensors are not read");
      if (!plain && a.given == nullptr) raise_needed_argument(number);
      if (plain && a.given == nullptr) {
        if (!v.type.has_shape) raise_needed_argument(number);
        here(v.name) = value(placeholder(declared_spec(v.type), v.name, number));
        return;
      }
      here(v.name) = take(*a.given, a.known, v.name, number);
    });
  }
  [[noreturn]] void raise_needed_argument(int number) {
    argument_of_input_.resize(m.made.input_nodes.size());
    argument_of_input_.push_back(number);
    raise_needed({static_cast<int>(m.made.input_nodes.size())});
  }
  edge placeholder(const tensor_spec& s, std::string_view name, int number) {
    argument_of_input_.push_back(number);
    return m.argument(s, name);
  }
  value take(const data& d, bool known, std::string_view name, int number) {
    if (d.is == value::kind::nothing) return {};
    if (d.is == value::kind::tensor) {
      const edge input = placeholder({d.tensor.dtype(), d.tensor.shape()}, name, number);
      return known ? m.constant(d.tensor) : input;
    }
    std::vector<value> items;
    for (const auto& i : d.items) items.push_back(take(i, known, name, number));
    return value::sequence(std::move(items));
  }
  form give(const value& v) {
    form f{v.is, {}};
    if (v.is == value::kind::tensor) m.made.output_edges.push_back(v.at);
    for (const auto& i : v.items) f.items.push_back(give(i));
    return f;
  }

  // The names of one graph, which was entered when so many bodies were open.
  struct scope {
    std::map<std::string_view, value> names;
    int depth = 0;
  };
  value& here(std::string_view name) { return scopes_.back().names[name]; }
  value lookup(std::string_view name) {
    for (std::size_t k = scopes_.size(); k-- > 0;)
      if (const auto at = scopes_[k].names.find(name); at != scopes_[k].names.end()) {
        spend(at->second);
        return seen(at->second, scopes_[k].depth);
      }
    detail::throw_invalid_argument("nothing before is named " + std::string(name));
  }

  // Sequences of sequences and functions of functions double with each line of a file.
  void spend(const value& v, int depth = 0) {
    if (--left_ < 0) detail::throw_invalid_argument("more nodes are run than load_limits allow");
    if (depth > m.limits().nesting) detail::throw_invalid_argument("sequences lie too deep in each other");
    for (const auto& i : v.items) spend(i, depth + 1);
  }
  value seen(value v, int from) {
    if (from == m.depth()) return v;
    if (v.is == value::kind::tensor) v.at = m.seen(v.at, from);
    for (auto& i : v.items) i = seen(std::move(i), from);
    return v;
  }

  void run_nodes(const list<node_message>& nodes) {
    for (std::size_t k = 0; k < nodes.size(); ++k)
      try_at(nodes[k].offset, place_of(nodes[k]), [&] { run_node(nodes[k], opset_of(model_, nodes[k].domain)); });
  }
  std::string place_of(const node_message& n) const {
    return "node " + std::string(n.name.empty() ? "" : "\"" + std::string(n.name) + "\" ") + "(" +
           (n.domain.empty() ? "" : std::string(n.domain) + ".") + std::string(n.kind) + ", opset " +
           std::to_string(opset_of(model_, n.domain)) + "): ";
  }
  static constexpr const char* unknown_op = "jig has no such op";
  void require_known_ops(const list<node_message>& nodes, int depth) {
    if (depth > m.limits().nesting) fail(load_error::nowhere, "graphs lie too deep in each other");
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const node_message& n = nodes[k];
      if (function_of_op(n.domain, n.kind) == nullptr && named_op(n.domain, n.kind) == nullptr && find_function(n) == nullptr)
        fail(n.offset, place_of(n) + unknown_op);
      for (std::size_t i = 0; i < n.attributes.size(); ++i)
        if (n.attributes[i].has_graph) require_known_ops(subgraph(n, n.attributes[i].name).nodes, depth + 1);
    }
  }
  void run_node(const node_message& n, index version) {
    spend({});
    node_context c(*this, m, n, version);
    for (std::size_t i = 0; i < n.inputs.size(); ++i) c.inputs.push_back(n.inputs[i].empty() ? value() : lookup(n.inputs[i]));
    if (const auto make = function_of_op(n.domain, n.kind)) make(c);
    else if (const op_name* const known = named_op(n.domain, n.kind)) import_named(c, *known);
    else if (const function_message* f = find_function(n)) run_function(*f, c);
    else detail::throw_invalid_argument(unknown_op);
    for (std::size_t i = 0; i < n.outputs.size(); ++i)
      if (!n.outputs[i].empty()) here(n.outputs[i]) = c.outputs[i];
  }
  const function_message* find_function(const node_message& n) const {
    const auto found = functions_.find({n.domain, n.kind});
    return found == functions_.end() ? nullptr : found->second;
  }
  void run_function(const function_message& f, node_context& c) {
    if (static_cast<int>(scopes_.size()) >= m.limits().nesting) detail::throw_invalid_argument("functions lie too deep in each other");
    // As deep as before, but blind to what is around; where it fails, too, only for as long as it runs.
    struct blindness {
      std::vector<scope>& scopes;
      std::vector<scope> around;
      explicit blindness(std::vector<scope>& s) : scopes(s), around(s.size() + 1) { std::swap(around, scopes); }
      ~blindness() { std::swap(around, scopes); }
    } blind(scopes_);
    scopes_.back().depth = m.depth();
    for (std::size_t i = 0; i < f.inputs.size(); ++i) here(f.inputs[i]) = i < c.inputs.size() ? c.inputs[i] : value();
    run_nodes(f.nodes);
    for (std::size_t i = 0; i < f.outputs.size(); ++i) c.out(lookup(f.outputs[i]), i);
  }

  const model_message& model_;
  std::string file_;
  std::vector<scope> scopes_;
  std::map<const attribute_message*, std::unique_ptr<graph_message>> subgraphs_;
  std::map<std::pair<std::string_view, std::string_view>, const function_message*> functions_;
  std::vector<int> argument_of_input_;
  bool differentiates_ = false, specialises_ = false, made_bodies_ = false;
  index left_;  // nodes that may be run and values that may be looked up

 public:
  maker m;
};

inline std::vector<value> run_subgraph(node_context& c, std::string_view key, const std::vector<value>& inputs) {
  importer& in = c.imported();
  return in.run_subgraph(in.subgraph(c.n, key), inputs);
}
inline bool specialises(node_context& c) { return c.imported().specialises(); }
inline std::optional<obstacle> make_or_say(node_context& c, const std::function<void()>& make) { return c.imported().make_or_say(make); }
inline edge value_named(node_context& c, std::string_view name) { return c.imported().tensor_named(name); }
inline void ask_for_gradients(node_context& c) { c.imported().ask_for_gradients(); }

}  // namespace jig::onnx
