// SPDX-License-Identifier: MIT
// expect-error: map: a function takes one argument for each component of an element
#include <jig/data.hpp>

#include <vector>

int main() {
  const std::vector<float> x{1, 2}, y{3, 4};
#ifdef JIG_CONTROL
  const auto products = jig::data::from_tensor_slices(x, y).map([](float a, float b) { return a * b; });
#else
  const auto products = jig::data::from_tensor_slices(x, y).map([](float a) { return a * a; });
#endif
  for (const float p : products) (void)p;
}
