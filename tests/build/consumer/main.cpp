// SPDX-License-Identifier: MIT
#include <jig.hpp>

#include <iostream>

constexpr auto add = jig::function<"add(a, b)">([](auto a, auto b) { return a + b; });

int main() {
  jig::tensor<float, 1, 2> x{{1, 2}};
  jig::tensor<float, 2, 1> y{{2}, {3}};
  std::cout << add(jig::matmul(x, y), 4.0f)(0, 0) << '\n';
}
