// SPDX-License-Identifier: MIT
// What gdb.sh prints, at a breakpoint in `stop`.
#include <jig.hpp>

void stop() { asm volatile(""); }

int main() {
  jig::tensor<float, 2, 3> fixed{{1, 2, 3}, {4, 5, 6.5f}};
  jig::tensor<int, jig::dyn, 2> wild{{1, 2}, {3, 4}, {5, 6}};
  jig::tensor<double> scalar(2.5);
  jig::tensor<double, jig::dyn> none;
  jig::tensor<bool, 2> flags{true, false};
  jig::tensor<jig::half, 2> halves{jig::half(1.5f), jig::half(-2.0f)};
  jig::tensor<jig::bfloat16, 1> brain{jig::bfloat16(3.0f)};
  jig::tensor<int, 300> many;
  float memory[] = {0, 1, 2, 3, 4, 5};
  jig::view<float, jig::dyn, 2> strided(memory + 5, {3, 2}, {-2, -1});
  jig::view dense(memory, 2, 3);
  jig::any_tensor any(fixed);
  jig::variable<float, 2> variable({7, 8});
  jig::shape shape{2, {4, 5}};
  stop();
  return static_cast<int>(fixed(0, 0) - 1 + static_cast<float>(wild(0, 0) - 1)) + static_cast<int>(scalar() - 2.5) +
         static_cast<int>(none.size() + flags.size() - 2 + halves.size() - 2 + brain.size() - 1 + many.size() - 300) +
         static_cast<int>(strided(0, 0) - 5 + dense(0, 0)) + any.rank() - 2 + static_cast<int>(variable.value()(0) - 7) + shape.rank - 2;
}
