// SPDX-License-Identifier: MIT
// expect-error: sequential: layer conv2d (Conv2D) takes (batch, rows, columns, channels), given (None, 784)
#include <jig/nn.hpp>

namespace nn = jig::nn;
namespace layers = nn::layers;

#ifdef JIG_CONTROL
auto model = nn::sequential(nn::input<float, 784>(), layers::reshape<28, 28, 1>(), layers::conv2d<8, 3>());
#else
auto model = nn::sequential(nn::input<float, 784>(), layers::conv2d<8, 3>());
#endif

int main() { model(jig::zeros<float, 1, 784>()); }
