// SPDX-License-Identifier: MIT
// expect-error: batch: elements are made of numbers, tensors and containers that jig knows
#include <jig/data.hpp>

struct sample {
  float x;
  int label;
};

int main() {
  const auto samples = jig::data::range(10).map([](auto i) { return sample{static_cast<float>(i), static_cast<int>(i % 2)}; });
#ifdef JIG_CONTROL
  const auto batches = samples.map([](const sample& s) { return std::tuple(s.x, s.label); }).batch(3);
#else
  const auto batches = samples.batch(3);
#endif
  for (const auto& b : batches) (void)b;
}
