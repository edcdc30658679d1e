// SPDX-License-Identifier: MIT
#pragma once
// A graph as TensorFlow's nodes. Axes and the like, which are attributes in jig, become constants; bodies become functions of the library.

#include <jig/graph/walk.hpp>
#include <jig/io/named_graph.hpp>
#include <jig/io/tensorflow/scope.hpp>

#include <string>

namespace jig::detail::tensorflow {

class exporter;

/// What a node of a graph is written from.
struct spelled_node {
  exporter& to;
  scope& in;
  const graph_view& graph;
  int id;
  const std::string& name;
  std::vector<written_value> inputs;

  node_view node() const { return graph.node(id); }
  tensor_spec spec(int port = 0) const { return graph.spec({id, port}); }
  index integer(std::string_view key, index otherwise = 0) const {
    const auto v = node().attribute(key).values;
    return v.empty() ? otherwise : v[0];
  }
  stretch<index> integers(std::string_view key) const { return node().attribute(key).values; }
  [[noreturn]] void refuse(std::string_view why) const {
    raise<error>("node " + name + ": TensorFlow has no " + std::string(node().op()) + ": " + std::string(why));
  }
};

/// How an op is written that is no single node: defined in spelled.hpp.
std::vector<written_value> spell(const spelled_node& n);

/// How graphs are written.
struct export_options {
  /// No two constants of the whole have one name.
  bool unique_constants = false;
};

/// Writes a graph with names as a GraphDef.
class exporter {
 public:
  exporter(const named_graph& g, export_options with) : exporter(with) { result_nodes = add(g).results; }
  explicit exporter(export_options with) : options_(with), top_(out.node, false) {
    out.producer = 1087;
    out.min_consumer = 12;
  }
  exporter(const exporter&) = delete;
  exporter& operator=(const exporter&) = delete;

  graph_message out;
  /// The names of the nodes behind the results.
  std::vector<std::string> result_nodes;

  /// The names of the nodes of a graph's arguments, and of those behind its results.
  struct added {
    std::vector<std::string> arguments, results;
  };
  /// Writes one more graph, whose nodes have names behind this prefix. Arguments for which there is the node of a variable are read from
  /// it.
  added add(const named_graph& g, const std::string& prefix = "", const std::vector<std::string>& variables = {}) {
    top_.last_effect.clear();
    returning_ = -1;
    return write(g.graph.view(), node_names_of(g), g, prefix, variables);
  }
  /// Where nodes are added that belong to no graph.
  scope& top() { return top_; }

  /// Writes a body as a function and returns its name. It takes what stands at the end of the node's inputs; `whole` is for loops, whose
  /// functions return all that they take.
  std::string add_function(const std::string& label, const graph_view& body, const std::vector<std::string>& names, bool effects,
                           std::size_t passed_on, bool returned_flag) {
    function_def f;
    f.name = label + '_' + std::to_string(functions_++);
    f.is_stateful = effects;
    scope inside(f.node, true);
    if (options_.unique_constants) prefix_ = f.name + '/';
    const std::string prefix = prefix_;
    std::vector<std::vector<written_value>> values(static_cast<std::size_t>(body.size()));
    for (std::size_t k = 0; k < body.inputs().size(); ++k) {
      const int id = body.inputs()[k];
      const std::string arg = inside.names.unique(lower_case(names[static_cast<std::size_t>(id)]));
      f.input_arg.push_back({arg, type_of_dtype(body.data(id).spec.dtype)});
      values[static_cast<std::size_t>(id)] = {{arg, 0, "", 0, true, body.data(id).spec}};
    }
    write_nodes(inside, body, names, values, prefix);
    std::vector<written_value> returned;
    if (returned_flag) {
      const std::uint64_t yes = 1;
      returned.push_back(inside.constant(prefix + "Const", {dtype::boolean, {}}, {&yes, 1}));
    }
    for (const auto& e : body.outputs()) returned.push_back(values[static_cast<std::size_t>(e.node)][static_cast<std::size_t>(e.port)]);
    // One Identity for each, since clients mix up two results of one node.
    for (auto& v : returned) v = inside.call("Identity", "Identity", {v}, v.spec);
    for (std::size_t k = body.inputs().size() - passed_on; k < body.inputs().size(); ++k)
      returned.push_back(values[static_cast<std::size_t>(body.inputs()[k])][0]);
    for (std::size_t k = 0; k < returned.size(); ++k) {
      const std::string name = "output_" + std::to_string(k);
      f.output_arg.push_back({name, type_of_dtype(returned[k].spec.dtype)});
      f.ret.push_back({name, inside.reference(returned[k])});
    }
    if (!inside.last_effect.empty()) f.control_ret.push_back({inside.last_effect, inside.last_effect});
    prefix_.clear();
    out.library.push_back(std::move(f));
    return out.library.back().name;
  }

 private:
  static std::vector<std::string> node_names_of(const named_graph& g) {
    name_scope taken;
    auto names = jig::detail::node_names(g.graph.view(), taken);
    // What callers know arguments by, if nodes can be called so.
    for (std::size_t k = 0; k < g.inputs.size(); ++k) {
      std::string& own = names[static_cast<std::size_t>(g.graph.input_nodes[static_cast<int>(k)])];
      if (own != g.inputs[k]) own = taken.unique(node_name(g.inputs[k]));
    }
    return names;
  }

 public:
  /// A name as nodes can have it.
  static std::string node_name(std::string name) {
    for (char& c : name)
      if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_' && c != '.' && c != '/' && c != '-') c = '_';
    if (name.empty() || !(is_letter(name[0]) || (name[0] >= '0' && name[0] <= '9') || name[0] == '.')) name.insert(0, "arg_");
    return name;
  }

 private:
  static std::string lower_case(std::string name) {
    for (char& c : name)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      else if (!is_letter(c) && !(c >= '0' && c <= '9')) c = '_';
    return is_letter(name[0]) ? name : "arg_" + name;
  }

  added write(const graph_view& g, const std::vector<std::string>& names, const named_graph& named, const std::string& prefix,
              const std::vector<std::string>& variables) {
    added nodes;
    std::vector<std::vector<written_value>> values(static_cast<std::size_t>(g.size()));
    for (std::size_t k = 0; k < g.inputs().size(); ++k) {
      const auto id = static_cast<std::size_t>(g.inputs()[k]);
      const tensor_spec& s = g.data(g.inputs()[k]).spec;
      const std::string name = prefix + names[id];
      if (k < variables.size() && !variables[k].empty())
        values[id] = {top_.add("ReadVariableOp", name + "/ReadVariableOp", {{variables[k]}}, {type_attr("dtype", s.dtype)}, s, "value")};
      else
        values[id] = {
            top_.add("Placeholder", name, {},
                     {text_attr("_user_specified_name", named.inputs[k]), type_attr("dtype", s.dtype), shape_attr("shape", s.shape)}, s)};
      nodes.arguments.push_back(values[id][0].node);
    }
    if (g.outputs().size() > 0 && g.data(g.outputs()[0].node).kind->is(fact::control)) {
      const int last = g.outputs()[0].node;
      bool all = g.node(last).outputs() == static_cast<int>(g.outputs().size()) && !g.node(last).attribute("then_branch").key.empty();
      for (std::size_t k = 0; k < g.outputs().size(); ++k) all = all && g.outputs()[k] == edge{last, static_cast<int>(k)};
      if (all) returning_ = last;
    }
    write_nodes(top_, g, names, values, prefix);
    for (const auto& e : g.outputs()) {
      const written_value& v = values[static_cast<std::size_t>(e.node)][static_cast<std::size_t>(e.port)];
      const written_value made = top_.call("Identity", prefix + "Identity", {v}, v.spec);
      if (!top_.last_effect.empty()) top_.last().input.push_back('^' + top_.last_effect);
      nodes.results.push_back(made.node);
    }
    return nodes;
  }

  void write_nodes(scope& in, const graph_view& g, const std::vector<std::string>& names, std::vector<std::vector<written_value>>& values,
                   const std::string& prefix) {
    for (int id = 0; id < g.size(); ++id) {
      const op& kind = *g.data(id).kind;
      if (kind.is(fact::input)) continue;
      std::vector<written_value> inputs;
      for (const auto& e : g.inputs_of(id)) inputs.push_back(values[static_cast<std::size_t>(e.node)][static_cast<std::size_t>(e.port)]);
      const std::string name = prefix + names[static_cast<std::size_t>(id)];
      const spelled_node n{*this, in, g, id, name, std::move(inputs)};
      auto& to = values[static_cast<std::size_t>(id)];
      const op_name* const known = find_name(kind);
      if (kind.is(fact::control)) to = write_control(n, names);
      else if (known == nullptr) n.refuse("it is an op of this program");
      else if (known->how == spelling::none) n.refuse(known->name);
      else if (known->how == spelling::several) to = spell(n);
      else to = write_node(n, *known);
      for (std::size_t port = 0; port < to.size(); ++port) to[port].spec = g.spec({id, static_cast<int>(port)});
    }
  }

 public:
  /// An op that is one node.
  static std::vector<written_value> write_node(const spelled_node& n, const op_name& known) {
    std::vector<written_value> inputs;
    std::size_t next = 0, listed = 0;
    for_each_word(known.inputs, [&](std::string_view word) {
      if (word[0] == '#') {
        word.remove_prefix(1);
        const std::size_t colon = word.find(':');
        const std::string_view key = word.substr(0, colon), name = colon == word.npos ? key : word.substr(colon + 1);
        inputs.push_back(constant_of_attribute(n, key, n.name + '/' + std::string(name)));
      } else if (word.back() == '*') {
        listed = n.inputs.size() - next;
        for (; next < n.inputs.size(); ++next) inputs.push_back(n.inputs[next]);
      } else if (next < n.inputs.size()) {
        inputs.push_back(n.inputs[next++]);
      }
    });
    if (n.node().attribute("padding").text == "EXPLICIT" && known.attributes.find("explicit_paddings") == std::string_view::npos)
      n.refuse("its padding is explicit");
    std::vector<named_attr> attrs;
    for_each_word(known.attributes, [&](std::string_view word) { add_attribute(n, word, listed, attrs); });
    std::vector<written_value> ports;
    const auto first = n.in.add(known.name, n.name, inputs, std::move(attrs), n.spec());
    int port = 0;
    for_each_word(known.outputs, [&](std::string_view name) {
      ports.push_back({first.node, port, name, 0, false, n.spec(port)});
      ++port;
    });
    return ports;
  }

 private:
  static written_value constant_of_attribute(const spelled_node& n, std::string_view key, const std::string& name) {
    const attribute_view a = n.node().attribute(key);
    if (a.kind == attribute_kind::integer && !a.key.empty()) return n.in.integer(name, a.values[0]);
    std::vector<index> all(a.values.begin(), a.values.end());
    if (n.node().kind().is(fact::reduction) && all.empty())
      for (int axis = 0; axis < n.inputs[0].spec.shape.rank; ++axis) all.push_back(axis);
    return n.in.integers(name, all);
  }
  static void add_attribute(const spelled_node& n, std::string_view word, std::size_t listed, std::vector<named_attr>& to) {
    if (const std::size_t at = word.find(':'); at != word.npos) {
      const std::string_view key = word.substr(0, at), from = word.substr(at + 1);
      if (from == "i") to.push_back(type_attr(key, dtype::int32));
      else if (from == "n") to.push_back(int_attr(key, static_cast<index>(listed)));
      else if (from[0] == '>') to.push_back(type_attr(key, n.spec(from[1] - '0').dtype));
      else to.push_back(type_attr(key, n.inputs[static_cast<std::size_t>(from[0] - '0')].spec.dtype));
      return;
    }
    if (const std::size_t at = word.find('!'); at != word.npos) {
      const std::string_view value = word.substr(at + 1);
      if (value == "0") to.push_back(int_attr(word.substr(0, at), 0));
      else to.push_back(bool_attr(word.substr(0, at), value == "true"));
      return;
    }
    const std::size_t at = word.find('=');
    const std::string_view key = word.substr(0, at), own = at == word.npos ? key : word.substr(at + 1);
    const attribute_view a = n.node().attribute(own);
    if (a.key.empty()) {
      // Absent is false, or none.
      if (is_truth(own)) to.push_back(bool_attr(key, false));
      if (own == "batch_dims") to.push_back(int_attr(key, 0));
      return;
    }
    switch (a.kind) {
      case attribute_kind::integer: to.push_back(int_attr(key, a.values[0])); break;
      case attribute_kind::integers: to.push_back(ints_attr(key, a.values)); break;
      case attribute_kind::boolean: to.push_back(bool_attr(key, a.values[0] != 0)); break;
      case attribute_kind::type: to.push_back(type_attr(key, static_cast<dtype>(a.values[0]))); break;
      case attribute_kind::text: to.push_back(text_attr(key, a.text)); break;
      default: n.refuse("attribute " + std::string(own) + " is of a kind that it does not have");
    }
  }

  std::vector<written_value> write_control(const spelled_node& n, const std::vector<std::string>& names) {
    const node_view node = n.node();
    const bool loop = !node.attribute("cond").key.empty(), effects = is_stateful(n.graph, n.graph.data(n.id));
    const std::size_t results = node.attribute("effects_only").key.empty() ? static_cast<std::size_t>(node.outputs()) : 0;
    const bool flag = !loop && !n.in.in_function() && n.id == returning_;
    const std::string_view keys[] = {loop ? "cond" : "then_branch", loop ? "body" : "else_branch"};
    const std::string_view labels[] = {loop ? "_cond" : "_true", loop ? "_body" : "_false"};
    std::string functions[2];
    for (int k = 0; k < 2; ++k) {
      const graph_view body = n.graph.body(node, keys[k]);
      const std::size_t passed_on = loop && k == 1 ? body.inputs().size() - results : 0;
      std::string label = n.name + std::string(labels[k]);
      for (char& c : label)
        if (c == '/') c = '_';
      const std::string outer = std::exchange(prefix_, "");
      functions[k] = add_function(label, body, body_names(body, node, names), has_effects(body), passed_on, flag);
      prefix_ = outer;
    }
    const std::size_t skipped = loop ? 0 : 1;
    std::vector<dtype> taken, given;
    std::vector<shape> shapes;
    for (std::size_t k = skipped; k < n.inputs.size(); ++k) taken.push_back(n.inputs[k].spec.dtype);
    if (flag) {
      given.push_back(dtype::boolean);
      shapes.emplace_back();
    }
    for (std::size_t k = 0; k < results; ++k) {
      given.push_back(n.spec(static_cast<int>(k)).dtype);
      shapes.push_back(n.spec(static_cast<int>(k)).shape);
    }
    if (loop)
      for (std::size_t k = results; k < n.inputs.size(); ++k) shapes.push_back(n.inputs[k].spec.shape);
    const auto output_shapes = list_attr("output_shapes", attr_kind::shape, shapes, [](const shape& s) { return shape_attr("", s); });
    std::vector<named_attr> attrs;
    if (loop)
      attrs = {types_attr("T", taken), output_shapes, int_attr("parallel_iterations", 10), func_attr("cond", functions[0]),
               func_attr("body", functions[1])};
    else
      attrs = {type_attr("Tcond", dtype::boolean),
               types_attr("Tin", taken),
               types_attr("Tout", given),
               output_shapes,
               func_attr("then_branch", functions[0]),
               func_attr("else_branch", functions[1])};
    attrs.push_back(bool_attr("_lower_using_switch_merge", true));
    const std::string op = std::string(effects ? "" : "Stateless") + (loop ? "While" : "If");
    const auto made = n.in.add(op, n.name, n.inputs, std::move(attrs), {});
    if (effects) n.in.mark_effect();
    std::vector<written_value> values;
    for (std::size_t k = 0; k < given.size() || k < results; ++k) {
      const tensor_spec s = flag && k == 0 ? tensor_spec{dtype::boolean, {}} : n.spec(static_cast<int>(k) - (flag ? 1 : 0));
      const written_value result{made.node, static_cast<int>(k), "output", static_cast<int>(k), false, s};
      values.push_back(n.in.call("Identity", made.node + "/Identity", {result}, s));
    }
    if (flag) values.erase(values.begin());
    // A node whose bodies return nothing has one output all the same, that nobody uses.
    if (values.empty()) values.push_back({made.node, 0, "output", 0, false, n.spec()});
    return values;
  }

  export_options options_;
  scope top_;
  std::string prefix_;
  int functions_ = 0, returning_ = -1;
};

}  // namespace jig::detail::tensorflow
