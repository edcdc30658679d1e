// SPDX-License-Identifier: MIT
// What is known about a graph at compile time. Prints what inspect_graph.txt holds.

#include <jig.hpp>

#include <boost/hana.hpp>
#include <iostream>

namespace hana = boost::hana;

constexpr auto normalize = jig::function<"normalize(x)">([](auto x) {
  auto centred = x - jig::reduce_mean<1>(x, jig::keepdims);
  return centred / jig::sqrt(jig::reduce_mean<1>(jig::square(centred), jig::keepdims) + 1e-5);
});
constexpr auto traced = normalize.get_concrete_function(jig::spec<float, 32, 64>{});

// Nodes, operations and memory, without running anything.
static_assert(traced.graph().size() == 9);
static_assert(traced.graph().count("Mean") == 2 && traced.graph().count("Sqrt") == 1);
static_assert(traced.graph().depth() == 8);
static_assert(traced.graph().flops() > 5 * 32 * 64);
static_assert(traced.graph().bytes() == 2 * 32 * 64 * 4);
static_assert(traced.peak_workspace() == 2 * 64);  // mean and deviation of one row, a cache line each

// Node by node.
constexpr auto result = traced.graph().node(traced.graph().outputs()[0]);
static_assert(result.op() == "RealDiv" && result.inputs().size() == 2);
static_assert(result.shape() == jig::shape{2, {32, 64}} && result.dtype() == jig::dtype::float32);

// The same as types, for Hana's algorithms: how many nodes keep all 32 x 64 elements?
constexpr auto full_size = hana::count_if(traced.nodes, [](auto node) {
  return hana::type_c<typename decltype(node)::type::spec_type> == hana::type_c<jig::spec<float, 32, 64>>;
});
static_assert(full_size == hana::size_c<4>);

// Nothing is wrong with it.
static_assert(jig::verify(traced.graph()) == nullptr);

int main() {
  std::cout << jig::to_text(traced.graph()) << '\n';
  for (const auto& node : traced.graph().as_graph_def().nodes()) {
    std::cout << '[';
    for (const auto& input : node.inputs()) std::cout << ' ' << input;
    std::cout << " ] -> " << node.name() << '\n';
  }
  std::cout << '\n' << jig::to_dot(traced.graph());
}
