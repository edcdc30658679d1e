// SPDX-License-Identifier: MIT
// expect-error: sequential: expected float32 (None, 4), given float32 (None, 5)
// at most with clang: 45
#include <jig/nn.hpp>

namespace nn = jig::nn;

#ifdef JIG_CONTROL
using inputs = jig::tensor<float, 100, 4>;
#else
using inputs = jig::tensor<float, 100, 5>;
#endif

int main() {
  nn::sequential model(nn::input<float, 4>(), nn::layers::dense<3>());
  auto trainer = nn::compile(model, nn::adam<decltype(model)>(), nn::sparse_categorical_crossentropy.from_logits(), nn::accuracy);
  trainer.fit(inputs(), jig::tensor<int, 100>(), {.epochs = 1});
}
