// SPDX-License-Identifier: MIT
// expect-error: sequential: expected float32 (None, 28, 28), given float32 (5, 28, 27)
#include <jig/nn.hpp>

namespace nn = jig::nn;
namespace layers = nn::layers;

using model_t = decltype(nn::sequential(nn::input<float, 28, 28>(), layers::flatten(), layers::dense<10>()));
constexpr auto predict = jig::function<"predict(model, x)">([](auto& model, auto x) { return model(x); });

int main() {
  model_t model;
#ifdef JIG_CONTROL
  predict(model, jig::zeros<float, 5, 28, 28>());
#else
  predict(model, jig::zeros<float, 5, 28, 27>());
#endif
}
