// SPDX-License-Identifier: MIT
// expect-error: a function loops over datasets of slices, of batches of a known size and of maps that do not capture
#include <jig/data.hpp>

#include <vector>

constexpr auto total = jig::function<"total(numbers, start)">([](auto numbers, auto start) {
  auto sum = start;
  for (auto x : numbers) sum = sum + x;
  return sum;
});

int main() {
  const std::vector<float> x{1, 2, 3};
  const auto slices = jig::data::from_tensor_slices(x);
#ifdef JIG_CONTROL
  total(slices, 0.0f);
#else
  total(slices.shuffle(3), 0.0f);
#endif
}
