// SPDX-License-Identifier: MIT
// A function, its signature, its graph and a call. Prints what hello_function.txt holds.

#include <jig.hpp>

#include <iostream>

// A plain lambda. It is traced at compile time, once for each combination of dtypes and extents it is called with.
constexpr auto dense = jig::function<"dense(x, w, b)">([](auto x, auto w, auto b) { return jig::relu(jig::matmul(x, w) + b); });

// One signature: any number of rows with three columns each. Its graph is a constant.
constexpr auto batch = dense.get_concrete_function(jig::spec<float, jig::dyn, 3>{}, jig::spec<float, 3, 2>{}, jig::spec<float, 2>{});
static_assert(batch.graph().count("MatMul") == 1);
static_assert(std::is_same_v<decltype(batch)::output_spec, jig::spec<float, jig::dyn, 2>>);

int main() {
  std::cout << batch << '\n' << jig::to_text(batch.graph()) << '\n';

  jig::tensor<float, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  jig::tensor<float, 3, 2> w{{0.5f, -1}, {0.25f, 0.5f}, {-0.5f, 0.25f}};
  std::array<float, 2> b{0.5f, -0.25f};
  std::cout << dense(x, w, b) << '\n';
}
