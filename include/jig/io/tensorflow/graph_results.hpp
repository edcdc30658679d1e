// SPDX-License-Identifier: MIT
#pragma once
// The results of a GraphDef, which does not say what they are.

#include <jig/io/tensorflow/messages.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace jig::detail::tensorflow {

/// What nobody uses: of that the nodes that are Identity, if there are any, and of these those that lie in no scope.
constexpr std::vector<std::string> results_of_graph(const graph_message& g) {
  std::vector<std::string_view> used;
  for (const auto& n : g.node)
    for (const std::string_view reference : n.input) {
      const std::string_view name = reference.substr(0, reference.find(':'));
      used.push_back(!name.empty() && name[0] == '^' ? name.substr(1) : name);
    }
  std::sort(used.begin(), used.end());
  std::vector<std::string> outer, identities, others;
  for (const auto& n : g.node) {
    if (std::binary_search(used.begin(), used.end(), std::string_view(n.name))) continue;
    if (n.op == "Identity") (n.name.find('/') == n.name.npos ? outer : identities).push_back(n.name);
    else if (n.op != "Placeholder" && n.op != "Const" && n.op != "NoOp" && n.op != "PrintV2" && n.op != "Assert") others.push_back(n.name);
  }
  if (!outer.empty()) return outer;
  if (!identities.empty()) return identities;
  return others;
}

}  // namespace jig::detail::tensorflow
