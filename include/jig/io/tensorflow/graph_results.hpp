// SPDX-License-Identifier: MIT
#pragma once
// The results of a GraphDef, which does not say what they are.

#include <jig/io/tensorflow/messages.hpp>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jig::detail::tensorflow {

/// What nobody uses: of that the nodes that are Identity, if there are any, and of these those that lie in no scope.
inline std::vector<std::string> results_of_graph(const graph_message& g) {
  std::unordered_map<std::string_view, bool> used;
  for (const auto& n : g.node)
    for (const std::string_view reference : n.input) {
      const std::string_view name = reference.substr(0, reference.find(':'));
      used[!name.empty() && name[0] == '^' ? name.substr(1) : name] = true;
    }
  std::vector<std::string> outer, identities, others;
  for (const auto& n : g.node) {
    if (used.count(n.name) > 0) continue;
    if (n.op == "Identity") (n.name.find('/') == n.name.npos ? outer : identities).push_back(n.name);
    else if (n.op != "Placeholder" && n.op != "Const" && n.op != "NoOp" && n.op != "PrintV2" && n.op != "Assert") others.push_back(n.name);
  }
  return !outer.empty() ? outer : !identities.empty() ? identities : others;
}

}  // namespace jig::detail::tensorflow
