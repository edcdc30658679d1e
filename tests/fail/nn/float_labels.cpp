// SPDX-License-Identifier: MIT
// expect-error: sparse_categorical_crossentropy: labels are numbers of classes, of an integer dtype
#include <jig/nn.hpp>

#ifdef JIG_CONTROL
using labels = jig::tensor<int, 100>;
#else
using labels = jig::tensor<float, 100>;
#endif

constexpr auto loss = jig::function<"loss(y, logits)">(
    [](auto y, auto logits) { return jig::reduce_mean(jig::nn::sparse_categorical_crossentropy.from_logits()(y, logits)); });

int main() { return loss(labels(), jig::tensor<float, 100, 3>())() > 0 ? 0 : 1; }
