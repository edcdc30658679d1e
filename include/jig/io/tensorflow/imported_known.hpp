// SPDX-License-Identifier: MIT
#pragma once
// How nodes are read that the table of names describes.

#include <jig/io/tensorflow/importer.hpp>

namespace jig::detail::tensorflow {

inline void imported_node::fail(const std::string& why) const { to.fail(node, why); }
inline void imported_node::fail_for_extents(const std::string& why) const { to.fail_for_extents(node, why); }
constexpr tensor_spec imported_node::spec(std::size_t k) const { return to.spec(inputs[k]); }
constexpr edge imported_node::call(const op& kind, std::vector<edge> of, const attribute_list& with) const {
  return to.add(node, kind, of, with.view());
}
constexpr std::vector<index> imported_node::constant(std::size_t k, const char* what) const {
  const auto* found = to.known.find(inputs[k]);
  std::vector<index> numbers;
  if (found != nullptr)
    for (const auto& term : *found) {
      if (!term.factors.empty()) fail_for_extents(std::string(what) + " is not known before a call");
      numbers.push_back(term.number);
    }
  if (found == nullptr) fail_for_extents(std::string(what) + " is not known before a call");
  return numbers;
}

constexpr index imported_node::scalar(std::size_t k, const char* what) const {
  const auto all = constant(k, what);
  if (all.size() != 1) fail(std::string(what) + " is no single number");
  return all[0];
}

// The attributes that are lists wherever they come from constant inputs.
constexpr bool is_list(std::string_view key) {
  return key == "axes" || key == "perm" || key == "multiples" || key == "begin" || key == "end" || key == "strides" || key == "shape";
}

constexpr std::vector<edge> importer::read_known(const imported_node& n, const op_name& as) {
  std::size_t fixed = 0, next = 0;
  bool has_list = false;
  for_each_word(as.inputs, [&](std::string_view word) { word.back() == '*' ? void(has_list = true) : void(++fixed); });
  if (has_list) n.require_inputs(fixed + 1, static_cast<std::size_t>(-1));
  else n.require_inputs(fixed);
  std::vector<edge> inputs;
  attribute_list with;
  for_each_word(as.inputs, [&](std::string_view word) {
    if (word[0] == '#') {
      const std::string_view key = word.substr(1, word.find(':') == word.npos ? word.npos : word.find(':') - 1);
      const std::string what(key);
      if (is_list(key) || is_op(*as.kind, ops::reverse)) with.integers(key, n.constant(next, what.c_str()));
      else with.integer(key, n.scalar(next, what.c_str()));
      ++next;
    } else if (word.back() == '*') {
      for (std::size_t left = n.inputs.size() - fixed; left > 0; --left) inputs.push_back(n.inputs[next++]);
    } else {
      inputs.push_back(n.inputs[next++]);
    }
  });
  std::vector<std::pair<int, dtype>> wanted;
  for_each_word(as.attributes, [&](std::string_view word) {
    if (const std::size_t at = word.find(':'); at != word.npos) {
      const std::string_view key = word.substr(0, at);
      if (word[at + 1] != '>') return;
      if (key == "DstT") with.type("DstT", n.type("DstT"));
      else if (n.has(key)) wanted.emplace_back(word[at + 2] - '0', n.type(key));
      return;
    }
    if (const std::size_t at = word.find('!'); at != word.npos) {
      const std::string_view key = word.substr(0, at), value = word.substr(at + 1);
      const attr_value* const a = n.node.find(key);
      if (a != nullptr && key != "Truncate" && key != "sorted" && a->i != (value == "true" ? 1 : 0))
        n.fail("jig has no such op with " + std::string(key));
      return;
    }
    const std::size_t at = word.find('=');
    const std::string_view key = word.substr(0, at), own = at == word.npos ? key : word.substr(at + 1);
    if (own == "padding") with.text(own, n.text(key, ""));
    else if (own == "data_format") with.text(own, n.text(key, as.name.find("3D") != as.name.npos ? "NDHWC" : "NHWC"));
    else if (is_truth(own)) with.boolean(own, n.truth(key, own == "lower"));
    else if (own == "strides" || own == "ksize" || own == "squeeze_dims") with.integers(own, n.integers(key));
    else if (own == "dilations") with.integers(own, n.dilations(as.attributes == convolved_3d ? 5 : 4));
    else if (own == "explicit_paddings") {
      if (!n.integers(key).empty()) with.integers(own, n.integers(key));
    } else if (own == "batch_dims") {
      if (n.integer(key, 0) != 0) with.integer(own, n.integer(key, 0));
    } else {
      with.integer(own, n.integer(key, 0));
    }
  });
  // Pools are windows of convolutions, whose elements lie side by side.
  if (n.has("ksize")) with.integers("dilations", std::vector<index>(n.integers("ksize").size(), 1));
  if (is_op(*as.kind, ops::squeeze) && n.integers("squeeze_dims").empty()) {
    std::vector<index> ones;
    const shape s = n.spec(0).shape;
    for (int a = 0; a < s.rank; ++a)
      if (s[a] == 1) ones.push_back(a);
    with = {};
    with.integers("squeeze_dims", std::move(ones));
  }
  if (is_op(*as.kind, ops::identity)) return {inputs[0]};
  const edge made = n.call(*as.kind, std::move(inputs), with);
  std::vector<edge> out_edges;
  for (int port = 0; port < as.kind->outputs; ++port) out_edges.push_back({made.node, port});
  for (const auto& [port, d] : wanted) {
    edge& e = out_edges[static_cast<std::size_t>(port)];
    if (spec(e).dtype != d) e = n.call(ops::cast, {e}, attribute_list().type("DstT", d));
  }
  return out_edges;
}

}  // namespace jig::detail::tensorflow
