// SPDX-License-Identifier: MIT
// A pass from outside the library: a function from graph to graph that runs in constant evaluation, behind the standard
// passes. Prints what custom_pass.txt holds.

#include <jig.hpp>

#include <iostream>

namespace mine {

/// The graph with x * sigmoid(x) as one Silu.
constexpr jig::graph use_silu(const jig::graph_view& g) {
  jig::graph out;
  jig::list<int> renamed;  // by node of g
  for (int id = 0; id < g.size(); ++id) {
    const auto n = g.node(id);
    int silu_of = -1;
    if (n.op() == "Mul")
      for (std::size_t k = 0; k < 2; ++k) {
        const jig::edge x = n.inputs()[k], other = n.inputs()[1 - k];
        if (g.node(other).op() == "Sigmoid" && g.node(other).inputs()[0] == x) silu_of = x.node;
      }
    if (silu_of >= 0) {
      const jig::edge x{renamed[silu_of], 0};
      renamed.push_back(out.add(jig::ops::silu, n.spec(), {&x, 1}).node);
    } else {
      renamed.push_back(jig::copy_node(out, g, id, renamed));
    }
  }
  for (int id : g.inputs()) out.input_nodes.push_back(renamed[id]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[e.node], e.port});
  return out;
}

}  // namespace mine

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 1 * jig::sigmoid(x) + 1; });
constexpr auto faster = f.with_pass([](const jig::graph_view& g) { return mine::use_silu(g); });

// The standard passes have dropped the factor 1, so that this one finds what it looks for.
constexpr auto traced = faster.get_concrete_function(jig::spec<float, 3>{});
static_assert(traced.graph().count("Silu") == 0 && traced.optimized_graph().count("Silu") == 1);
static_assert(jig::verify(traced.optimized_graph()) == nullptr);

int main() {
  std::cout << "traced:\n" << jig::to_text(traced.graph());
  std::cout << "runs:\n" << jig::to_text(traced.optimized_graph());
  jig::tensor<float, 3> x{-1, 0, 1};
  std::cout << faster(x) << '\n' << f.without_passes()(x) << '\n';
}
