// SPDX-License-Identifier: MIT
// Run-time tensors by jig's run-time library, and an op that the library does not know.
#include <jig.hpp>

#include <iostream>

namespace mine {
inline constexpr jig::op twice_plus_one{
    .name = "TwicePlusOne", .label = "TwicePlusOne", .facts = jig::fact::elementwise, .rule = jig::elementwise_rule<jig::numbers>};
}
template <>
struct jig::functor<mine::twice_plus_one> {
  static auto apply(const auto& x) { return x + x + 1; }
};

constexpr auto f = jig::function<"f(x, w)">([](auto x, auto w) { return jig::call<mine::twice_plus_one>(jig::matmul(x, w)); });

int main() {
  const jig::any_tensor x = jig::tensor<float, 1, 2>{{1, 2}}, w = jig::tensor<float, 2, 1>{{2}, {1.75f}};
  std::cout << f(x, w).as<float>()(0, 0) << '\n';
}
