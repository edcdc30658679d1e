// SPDX-License-Identifier: MIT
// expect-error: sparse_categorical_crossentropy: labels are numbers of classes, of an integer dtype
// at most with clang: 45
#include <jig/nn.hpp>

namespace nn = jig::nn;

#ifdef JIG_CONTROL
using labels = jig::tensor<int, 100>;
#else
using labels = jig::tensor<float, 100>;
#endif

int main() {
  nn::sequential model(nn::input<float, 4>(), nn::layers::dense<3>());
  auto trainer = nn::compile(model, nn::adam<decltype(model)>(), nn::sparse_categorical_crossentropy.from_logits(), nn::accuracy);
  trainer.fit(jig::tensor<float, 100, 4>(), labels(), {.epochs = 1});
}
