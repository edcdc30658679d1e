// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's nodes as a graph. What a file says is believed only where it has been checked: references, numbers of inputs, attributes,
// and by the shape rules of the ops everything else.

#include <jig/graph/verify.hpp>
#include <jig/io/limits.hpp>
#include <jig/io/load_error.hpp>
#include <jig/io/named_graph.hpp>
#include <jig/io/tensorflow/graph_results.hpp>
#include <jig/io/tensorflow/imported_node.hpp>
#include <jig/io/tensorflow/known_extents.hpp>
#include <jig/io/tensorflow/messages.hpp>
#include <jig/io/tensorflow/names.hpp>
#include <jig/io/tensorflow/variables_read.hpp>
#include <jig/passes/prune.hpp>
#include <jig/trace/builder.hpp>

#include <algorithm>

namespace jig::detail::tensorflow {

/// How nodes are read that are not in the table of names: import_special of imported_control.hpp. False if nobody knows the op.
using special_reader = bool (*)(const imported_node& n, std::vector<edge>& results);

/// That a graph cannot be made while extents of its arguments are unknown.
struct extents_awaited : load_error {
  using load_error::load_error;
};

/// Reads a GraphDef.
/// Errors: whatever jig has no word for throws load_error, which names the node.
class importer {
 public:
  constexpr importer(special_reader special, const graph_message& from, const std::string& file, const load_limits& limits,
                     std::vector<std::string> outputs = {}, variable_source* variables_from = nullptr)
      : special_(special),
        from_(from),
        file_(file),
        limits_(limits),
        elements_left_(limits.elements),
        nodes_left_(limits.nodes),
        calls_left_(8 * limits.nodes) {
    variables = variables_read(variables_from);
    for (const auto& f : from.library) functions_.add(f.name, &f);
    node_list top(*this, from.node, false);
    read_top(top, outputs);
  }

  constexpr named_graph take() { return std::move(made_); }
  /// What is left of the limits.
  constexpr load_limits left() const {
    load_limits l = limits_;
    l.elements = elements_left_;
    l.nodes = nodes_left_;
    return l;
  }

  graph out;
  /// What is known of integers that describe extents, by the edge.
  known_extents known;
  /// Variables of the graph, in the order of those of take().
  variables_read variables;

  /// The string that a constant is, if it is one.
  constexpr std::string text_of(const edge& e) const {
    const node_view n = out.view().node(e);
    return n.kind().is(fact::constant) && n.dtype() == dtype::string ? std::string(n.attribute("text").text) : std::string();
  }

  [[noreturn]] void fail(const node_def& n, const std::string& why) const {
    throw_load_error(file_, n.offset, "node " + n.name + " (" + n.op + "): " + why);
  }
  /// Of what may be known as soon as all extents of arguments are.
  [[noreturn]] void fail_for_extents(const node_def& n, const std::string& why) const {
#ifdef __cpp_exceptions
    throw extents_awaited(file_, n.offset, "node " + n.name + " (" + n.op + "): " + why);
#else
    fail(n, why);
#endif
  }
  constexpr tensor_spec spec(const edge& e) const { return out.view().spec(e); }

  constexpr edge add(const node_def& n, const op& kind, const std::vector<edge>& inputs, stretch<attribute_view> with) {
    count_node(n);
    list<tensor_spec> specs;
    for (const auto& e : inputs) specs.push_back(spec(e));
    if (kind.is(fact::composite)) {
      const expansion listed = expand(kind, specs, with);
      if (listed.failed()) fail(n, std::string(listed.why().view()));
      return append_expansion(out, listed.nodes(), inputs)[0];
    }
    const auto asked = [&](int port) {
      const inference found = infer(kind, specs, with, port);
      if (found.failed) fail(n, std::string(refusal(kind, found.failure, specs).view()));
      return found.result;
    };
    const tensor_spec first = asked(0);
    const edge made = out.add(kind, first, inputs, with);
    for (int port = 1; port < kind.outputs; ++port) out.add_output(asked(port));
    return made;
  }
  constexpr edge constant(const node_def& n, const tensor_spec& s, stretch<std::uint64_t> words, std::string_view text = "") {
    count_node(n);
    elements_left_ -= static_cast<index>(words.size());
    const attribute_view with[] = {{"value", attribute_kind::words, {}, {}, words}, {"text", attribute_kind::text, {}, text, {}}};
    const edge made = out.add(ops::constant, s, {}, {with, s.dtype == dtype::string ? std::size_t{2} : std::size_t{1}});
    known.note_constant(made, s, words);
    return made;
  }
  constexpr index elements_left() const { return elements_left_; }

  /// A variable as an argument of the graph. What stands for the variable itself is a node that no value may be computed from.
  constexpr edge variable(const node_def& n, variable_read v) {
    if (bodies_ > 0) fail(n, "jig reads no variables that branches and loops make");
    if (variables.source() == nullptr) fail(n, "the values of variables are not in this file: a SavedModel has them");
    if (const variable_read* const known_as = variables.find(v.shared_name)) return known_as->handle;
    const tensor_spec is = variables.source()->spec_of(v);
    if (v.any_rank) v.declared = is;
    if (!may_be_equal(is, v.declared)) {
      message m;
      m << "it is " << v.declared << ", its value " << is;
      fail(n, std::string(m.view()));
    }
    count_node(n);
    const attribute_view with[] = {{"name", attribute_kind::text, {}, v.name(), {}}};
    v.input = v.now = out.add(ops::placeholder, v.declared, {}, with);
    v.handle = v.is_reference ? v.input : nothing(n);
    return variables.add(std::move(v)).handle;
  }
  constexpr variable_read& variable_at(const node_def& n, const edge& e) {
    variable_read* const found = variables.find(e);
    if (found == nullptr) fail(n, "its first input is no variable");
    return *found;
  }
  constexpr bool is_variable(const edge& e) { return variables.find(e) != nullptr && !variables.find(e)->is_reference; }
  /// What an edge is as a value: a variable's at this point.
  constexpr edge value_of(const edge& e) { return is_variable(e) ? variables.find(e)->now : e; }
  constexpr bool in_body() const { return bodies_ > 0; }

  constexpr const function_def& function(const node_def& n, std::string_view key) const {
    const attr_value* const name = n.find(key);
    if (name == nullptr || name->kind != attr_kind::func) fail(n, "its attribute " + std::string(key) + " names no function");
    const auto* const found = functions_.find(name->s);
    if (found == nullptr) fail(n, "the library has no function " + name->s);
    return **found;
  }
  /// The results of a function on values of the graph that is being made.
  constexpr std::vector<edge> read_function(const node_def& caller, const function_def& f, const std::vector<edge>& arguments) {
    if (f.input_arg.size() != arguments.size())
      fail(caller, "the function " + f.name + " takes " + std::to_string(f.input_arg.size()) + " arguments, not " +
                       std::to_string(arguments.size()));
    if (++depth_ > limits_.nesting) fail(caller, "functions lie too deep in each other");
    // Functions of functions double with each line of a file, also where they make no nodes.
    calls_left_ -= 1 + static_cast<index>(f.node.size() + f.ret.size());
    if (calls_left_ < 0) fail(caller, "functions have more nodes than load_limits allow");
    node_list inside(*this, f.node, true);
    for (std::size_t k = 0; k < arguments.size(); ++k) inside.arguments.add(f.input_arg[k].name, arguments[k]);
    for (const auto& n : f.node)
      if (has_effects(n.op) || n.op == "StatefulPartitionedCall") inside.read(n);
    std::vector<edge> results;
    for (const auto& o : f.output_arg) {
      const std::string* reference = nullptr;
      for (const auto& r : f.ret)
        if (r.key == o.name) reference = &r.value;
      if (reference == nullptr) fail(caller, "the function " + f.name + " does not say what its result " + o.name + " is");
      results.push_back(inside.value(caller, *reference));
    }
    --depth_;
    return results;
  }
  /// Reads a function as a body whose arguments have these specs; `finish` is told its results while it is open and says which of them the
  /// body returns. The order is that of the body's arguments; those that are variables are read only. Returns its number.
  template <class Finish>
  constexpr int read_body(const node_def& caller, const function_def& f, const std::vector<tensor_spec>& specs,
                          const std::vector<std::size_t>& order, const std::vector<char>& are_variables, Finish finish) {
    auto around = out.begin_body();
    ++bodies_;
    known_extents outer = std::exchange(known, {});
    variables_read outer_variables = std::exchange(variables, variables_read());
    std::vector<edge> arguments(specs.size());
    for (const std::size_t k : order) {
      count_node(caller);
      arguments[k] = out.add(ops::placeholder, specs[k], {});
      out.input_nodes.push_back(arguments[k].node);
      if (are_variables[k]) arguments[k] = variables.add(argument_variable(caller, specs[k], arguments[k])).handle;
    }
    for (const edge& e : finish(read_function(caller, f, arguments))) out.output_edges.push_back(e);
    known = std::move(outer);
    variables = std::move(outer_variables);
    --bodies_;
    return out.end_body(std::move(around));
  }

 private:
  // Nodes of a graph or a function, as they are asked for.
  class node_list {
   public:
    constexpr node_list(importer& to, const std::vector<node_def>& nodes, bool in_function)
        : to_(to), nodes_(nodes), in_function_(in_function) {
      for (std::size_t i = 0; i < nodes.size(); ++i)
        if (!places_.add(nodes[i].name, i)) to.fail(nodes[i], "there are two nodes of this name");
      states_.resize(nodes.size());
    }
    hash_map<std::string_view, edge> arguments;

    constexpr const node_def* find(std::string_view name) const {
      const std::size_t* const found = places_.find(name);
      return found == nullptr ? nullptr : &nodes_[*found];
    }
    /// What a reference stands for: `node`, `node:1`, `node:output:1` or an argument.
    constexpr edge value(const node_def& user, std::string_view reference) {
      if (in_function_)
        if (const edge* const found = arguments.find(reference)) return *found;
      const node_def& n = at(user, reference);
      read(n);
      const auto& results = states_[static_cast<std::size_t>(&n - nodes_.data())].results;
      const std::size_t port = port_of(user, n, reference);
      if (port >= results.size())
        to_.fail(user, "it takes output " + std::to_string(port) + " of node " + n.name + " (" + n.op + "), which has " +
                           std::to_string(results.size()));
      return results[port];
    }
    /// Reads a node, and before it those that it needs.
    constexpr void read(const node_def& first) {
      std::vector<std::size_t> stack{static_cast<std::size_t>(&first - nodes_.data())};
      while (!stack.empty()) {
        const std::size_t i = stack.back();
        auto& s = states_[i];
        if (s.done) {
          stack.pop_back();
          continue;
        }
        s.begun = true;
        // One input after another, so that the order of nodes in the file is kept where it can be.
        bool waits = false;
        while (s.next < nodes_[i].input.size()) {
          const std::string& reference = nodes_[i].input[s.next];
          if (in_function_ && arguments.find(reference) != nullptr) {
            ++s.next;
            continue;
          }
          const auto k = static_cast<std::size_t>(&at(nodes_[i], reference) - nodes_.data());
          ++s.next;
          if (states_[k].done) continue;
          if (states_[k].begun) to_.fail(nodes_[i], "it takes what depends on it: the nodes are in a circle");
          stack.push_back(k);
          waits = true;
          break;
        }
        if (waits) continue;
        std::vector<edge> inputs;
        for (const auto& reference : nodes_[i].input)
          if (reference.empty() || reference[0] != '^') inputs.push_back(value_of_done(nodes_[i], reference));
        states_[i].results = to_.read_node(nodes_[i], inputs);
        states_[i].done = true;
        stack.pop_back();
      }
    }
    constexpr bool is_done(std::size_t i) const { return states_[i].done; }

   private:
    struct state {
      bool begun = false, done = false;
      std::size_t next = 0;
      std::vector<edge> results;
    };
    constexpr edge value_of_done(const node_def& user, std::string_view reference) { return value(user, reference); }
    constexpr const node_def& at(const node_def& user, std::string_view reference) const {
      std::string_view name = reference;
      if (!name.empty() && name[0] == '^') name.remove_prefix(1);
      name = name.substr(0, name.find(':'));
      const node_def* const found = find(name);
      if (found == nullptr) to_.fail(user, "its input " + std::string(reference) + " is no node of the graph");
      return *found;
    }
    constexpr std::size_t port_of(const node_def& user, const node_def& n, std::string_view reference) const {
      const std::size_t first = reference.find(':');
      if (first == reference.npos) return 0;
      std::string_view rest = reference.substr(first + 1);
      std::size_t base = 0;
      if (const std::size_t second = rest.find(':'); second != rest.npos) {
        // Outputs with names of their own stand in the table.
        const std::string_view output = rest.substr(0, second);
        if (const op_name* const named = find_node(n.op)) {
          std::size_t k = 0;
          for_each_word(named->outputs, [&](std::string_view name) {
            if (name == output) base = k;
            ++k;
          });
        } else if (output == "backprop" || output == "r1") {
          base = 1;
        }
        rest = rest.substr(second + 1);
      }
      std::size_t port = 0;
      for (const char c : rest) {
        if (c < '0' || c > '9' || port > 1000000) to_.fail(user, "its input " + std::string(reference) + " names no output");
        port = port * 10 + static_cast<std::size_t>(c - '0');
      }
      return base + port;
    }

    importer& to_;
    const std::vector<node_def>& nodes_;
    bool in_function_;
    hash_map<std::string_view, std::size_t> places_;
    std::vector<state> states_;
  };

  // A node that no value is computed from.
  constexpr edge nothing(const node_def& n) {
    const std::uint64_t none = 0;
    return constant(n, {dtype::boolean, {}}, {&none, 1});
  }
  constexpr variable_read argument_variable(const node_def& n, const tensor_spec& s, const edge& value) {
    variable_read v;
    v.declared = s;
    v.handle = nothing(n);
    v.input = v.now = value;
    return v;
  }
  constexpr void count_node(const node_def& n) {
    if (--nodes_left_ < 0) fail(n, "the graph has more nodes than load_limits allow");
  }

  constexpr void read_top(node_list& top, const std::vector<std::string>& outputs) {
    for (const auto& n : from_.node)
      if (n.op == "Placeholder") top.read(n);
    for (const auto& n : from_.node)
      if (has_effects(n.op)) top.read(n);
    node_def nobody{"", "results", {}, "", {}, load_error::nowhere};
    std::vector<std::string> references = outputs;
    if (references.empty()) references = results_of_graph(from_);
    if (references.empty()) throw_load_error(file_, load_error::nowhere, "the graph has no results");
    std::vector<std::string> names;
    for (const auto& r : references) {
      out.output_edges.push_back(top.value(nobody, r));
      names.push_back(output_name(names.size()));
      if (const node_def* const n = top.find(r); n != nullptr && n->op == "Identity")
        if (const attr_value* const own = n->find("_user_specified_name"); own != nullptr && own->kind == attr_kind::s)
          names.back() = own->s;
    }
    made_.name = "loaded";
    for (const auto& v : variables) {
      made_.variables.push_back({static_cast<int>(input_names_.size())});
      out.input_nodes.push_back(v.input.node);
      input_names_.push_back(v.name());
      if (v.now == v.input) continue;
      made_.variables.back().output = static_cast<int>(names.size());
      out.output_edges.push_back(v.now);
      names.push_back(input_names_.back());
    }
    made_.inputs = std::move(input_names_);
    made_.outputs = std::move(names);
    if (const char* const why = verify(out.view())) throw_load_error(file_, load_error::nowhere, why);
    made_.graph = prune(out.view());
  }

  constexpr std::vector<edge> read_node(const node_def& n, const std::vector<edge>& inputs) {
    const imported_node node{*this, n, inputs};
    std::vector<edge> results;
    if (!takes_variables(n.op))
      for (const edge& e : inputs)
        if (is_variable(e)) node.fail("it takes a variable where a value belongs");
    if (n.op == "Placeholder") {
      results.push_back(read_placeholder(node));
    } else if (!special_(node, results)) {
      const op_name* const known_as = find_node(n.op);
      if (known_as == nullptr) node.fail("jig has no such op");
      results = read_known(node, *known_as);
    }
    known.note_node(*this, n.op, inputs, results);
    return results;
  }
  constexpr edge read_placeholder(const imported_node& n) {
    tensor_spec s{n.type("dtype"), {}};
    const attr_value* const given = n.attr("shape", attr_kind::shape);
    if (given == nullptr || given->shape.unknown_rank) n.fail("the rank of the argument is not known");
    if (given->shape.dims.size() > static_cast<std::size_t>(max_rank)) n.fail("it has more than 8 axes");
    for (const auto& d : given->shape.dims) {
      if (d.size < -1) n.fail("an extent is negative");
      s.shape.push_back(d.size >= 0 ? d.size : valid_name(d.name) ? encode_name(d.name) : dyn);
    }
    if (!is_possible(s.dtype, s.shape)) n.fail(rule_context::too_large);
    const attr_value* const user = n.attr("_user_specified_name", attr_kind::s);
    input_names_.push_back(user != nullptr && !user->s.empty() ? user->s : n.node.name);
    count_node(n.node);
    const attribute_view with[] = {{"name", attribute_kind::text, {}, input_names_.back(), {}}};
    const edge e = out.add(ops::placeholder, s, {}, with);
    out.input_nodes.push_back(e.node);
    return e;
  }
  constexpr std::vector<edge> read_known(const imported_node& n, const op_name& as);

  special_reader special_;
  const graph_message& from_;
  std::string file_;
  load_limits limits_;
  index elements_left_, nodes_left_, calls_left_;
  int depth_ = 0, bodies_ = 0;
  hash_map<std::string_view, const function_def*> functions_;
  std::vector<std::string> input_names_;
  named_graph made_;
};

}  // namespace jig::detail::tensorflow
