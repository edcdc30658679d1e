// SPDX-License-Identifier: MIT
// expect-error: fit: the elements of a dataset are tuples of a batch of inputs and a batch of labels
#include <jig/data.hpp>
#include <jig/nn.hpp>

namespace nn = jig::nn;

int main() {
  auto model = nn::sequential(nn::input<float, 2>(), nn::layers::dense<1>());
  auto trainer = nn::compile(model, nn::sgd<decltype(model)>(0.1), nn::mse);
  const jig::tensor<float, 4, 2> x;
  const std::vector<float> y(4);
  const auto samples = jig::data::from_tensor_slices(x, y);
#ifdef JIG_CONTROL
  trainer.fit(samples.batch(2));
#else
  trainer.fit(samples);
#endif
}
