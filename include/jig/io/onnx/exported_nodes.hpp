// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for branches and for loops, and how those of any op are found.

#include <jig/io/onnx/exported_elementwise.hpp>
#include <jig/io/onnx/exported_images.hpp>
#include <jig/io/onnx/exported_parts.hpp>
#include <jig/io/onnx/exported_reductions.hpp>
#include <jig/io/onnx/exported_window_gradients.hpp>
#include <jig/io/onnx/names.hpp>

namespace jig::onnx {

// A body's nodes where its arguments have these names; the names of its results.
inline exporter::names inlined(exporter& to, const graph_view& body, const exporter::names& arguments) {
  exporter::values v(static_cast<std::size_t>(body.size()));
  for (std::size_t k = 0; k < body.inputs().size(); ++k) v[exporter::at(body.inputs()[k])] = {arguments[k]};
  to.write_nodes(body, v);
  exporter::names out;
  for (const auto& e : body.outputs()) out.push_back(exporter::name_of(v, e));
  return out;
}
inline void spell_control(exported_node& x) {
  if (!x.n.attribute("effects_only").key.empty()) x.refuse("ONNX has no effects");
  const auto results = static_cast<std::size_t>(x.n.outputs());
  std::vector<tensor_spec> specs;
  for (std::size_t k = 0; k < results; ++k) specs.push_back(x.n.spec(static_cast<int>(k)));
  for (std::size_t k = 0; k < results; ++k) {
    x.give(x.to.fresh());
    if (specs[k].dtype == dtype::bfloat16) x.to.need_opset(16);
  }
  if (x.n.attribute("cond").key.empty()) {
    // The branches of ONNX see what is around them.
    const exporter::names passed(x.in.begin() + 1, x.in.end());
    const auto branch = [&](std::string_view key) {
      return x.to.body({}, specs, [&] { return inlined(x.to, x.g.body(x.n, key), passed); });
    };
    x.to.node("If", {x.in[0]}, x.out,
              {written_attribute::of_graph("then_branch", branch("then_branch")),
               written_attribute::of_graph("else_branch", branch("else_branch"))});
    return;
  }
  const graph_view condition = x.g.body(x.n, "cond"), body = x.g.body(x.n, "body");
  exporter::names inputs{"", inlined(x.to, condition, x.in)[0]}, inside = x.in;
  std::vector<std::pair<std::string, tensor_spec>> parameters{{x.to.fresh(), {dtype::int64, {}}}, {x.to.fresh(), {dtype::boolean, {}}}};
  for (std::size_t k = 0; k < results; ++k) {
    inputs.push_back(x.in[k]);
    inside[k] = x.to.fresh();
    x.to.note(inside[k], specs[k].dtype);
    parameters.emplace_back(inside[k], specs[k]);
  }
  std::vector<tensor_spec> returned{{dtype::boolean, {}}};
  returned.insert(returned.end(), specs.begin(), specs.end());
  const std::string trip = x.to.body(parameters, returned, [&] {
    exporter::names next = inlined(x.to, body, inside), now = inside;
    std::copy(next.begin(), next.end(), now.begin());
    next.insert(next.begin(), inlined(x.to, condition, now)[0]);
    return next;
  });
  x.to.node("Loop", inputs, x.out, {written_attribute::of_graph("body", trip)});
}

/// The function that writes an op that is several nodes, or null.
inline void (*function_that_spells(const op& kind))(exported_node&) {
  if (kind.is(fact::control)) return spell_control;
  const auto in = [&](const auto& family) -> void (*)(exported_node&) {
    for (const spelled_op& s : family)
      if (detail::is_op(*s.kind, kind)) return s.write;
    return nullptr;
  };
  if (const auto f = in(spelled_elementwise)) return f;
  if (const auto f = in(spelled_reductions)) return f;
  if (const auto f = in(spelled_windows)) return f;
  if (const auto f = in(spelled_window_gradients)) return f;
  if (const auto f = in(spelled_images)) return f;
  if (const auto f = in(spelled_shapes)) return f;
  return in(spelled_parts);
}

// An op that is one node.
inline void write_named(exported_node& x, const op_name& known) {
  exporter::names inputs;
  std::size_t next = 0;
  detail::for_each_word(known.inputs, [&](std::string_view word) {
    if (word[0] == '#') {
      const std::string_view key = word.substr(1, word.find(':') - 1);
      const bool scalar = x.n.attribute(key).kind == attribute_kind::integer;
      inputs.push_back(scalar ? x.to.number(dtype::int64, static_cast<double>(x.integer(key))) : x.to.integers(x.ints(key)));
    } else if (word.back() == '*') {
      for (; next < x.in.size(); ++next) inputs.push_back(x.in[next]);
    } else {
      inputs.push_back(x.in.at(next++));
    }
  });
  std::vector<written_attribute> with;
  detail::for_each_word(known.attributes, [&](std::string_view word) {
    const std::size_t at = word.find_first_of("=!");
    const std::string_view key = word.substr(0, at), own = at == word.npos ? key : word.substr(at + 1);
    with.push_back(attribute(key, at != word.npos && word[at] == '!' ? own[0] - '0' : x.integer(own)));
  });
  x.give(x.make(known.name, inputs, with));
}

inline void exporter::write_nodes(const graph_view& g, values& v) {
  for (int id = 0; id < g.size(); ++id) {
    const auto n = g.node(id);
    if (n.kind().is(fact::input)) continue;
    if (n.kind().is(fact::constant)) {
      v[at(id)] = {constant(detail::constant_tensor<>(g, id))};
      continue;
    }
    exported_node x{*this, g, n, {}, {}};
    for (const auto& e : n.inputs()) x.in.push_back(name_of(v, e)), x.specs.push_back(g.spec(e));
    const op_name* const known = detail::find_name(op_names, n.kind());
    if (known == nullptr) refuse(n.op(), "it is an op of this program");
    else if (known->how == spelling::none) refuse(n.op(), std::string(known->name));
    else if (known->how == spelling::node) write_named(x, *known);
    else if (const auto spell = function_that_spells(n.kind())) spell(x);
    else refuse(n.op(), "nobody says how it is written");
    for (std::size_t k = 0; k < x.out.size(); ++k) note(x.out[k], n.spec(static_cast<int>(k)).dtype);
    v[at(id)] = std::move(x.out);
  }
}

/// A graph as the bytes of an ONNX model.
/// Errors: what ONNX has no word for throws jig::error, which names the op.
inline std::string model_bytes(const named_graph& g) {
  // Nodes differ with the opset that all of them together need.
  for (index opset = 13;;) {
    exporter with(opset);
    std::string bytes = with.run(g);
    if (with.opset() == opset) return bytes;
    opset = with.opset();
  }
}

}  // namespace jig::onnx
