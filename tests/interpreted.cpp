// SPDX-License-Identifier: MIT
#include "interpreted.hpp"

#include <memory>

// Defined apart from the tests: to compile the interpreter takes longer than most of them.
std::function<std::vector<jig::any_tensor>(const std::vector<jig::any_tensor>&)> interpreted(const jig::graph_view& traced) {
  const auto graph = std::make_shared<jig::detail::runtime_graph<>>(jig::optimize(traced));
  return [graph](const std::vector<jig::any_tensor>& x) { return (*graph)({x.data(), x.size()}); };
}
