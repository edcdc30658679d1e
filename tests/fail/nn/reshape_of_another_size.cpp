// SPDX-License-Identifier: MIT
// expect-error: sequential: layer reshape_1 (Reshape) takes 784 elements of each sample, given (None, 10)
#include <jig/nn.hpp>

namespace nn = jig::nn;
namespace layers = nn::layers;

auto model = nn::sequential(nn::input<float, 28, 28>(), layers::reshape<784>(),
#ifndef JIG_CONTROL
                            layers::dense<10>(),
#endif
                            layers::reshape<28, 28>(), layers::flatten());

int main() { nn::initialize(model, 1); }
