// SPDX-License-Identifier: MIT
// A small network in memory of its own, for machines that have little of it: cross.sh looks at how large its code is.
#include <jig.hpp>

#include <cstddef>

namespace {

constexpr auto network = jig::function<"network(x, w1, b1, w2, b2)">(
    [](auto x, auto w1, auto b1, auto w2, auto b2) { return jig::matmul(jig::relu(jig::matmul(x, w1) + b1), w2) + b2; });

float x[1][16], w1[16][32], b1[32], w2[32][4], b2[4], y[1][4];
constexpr auto layers = network.get_concrete_function(jig::spec<float, 1, 16>{}, jig::spec<float, 16, 32>{}, jig::spec<float, 32>{},
                                                      jig::spec<float, 32, 4>{}, jig::spec<float, 4>{});
static_assert(!layers.allocates() && layers.peak_workspace() <= 256);
alignas(64) std::byte memory[256];

}  // namespace

int main() {
  x[0][3] = w1[3][5] = w2[5][1] = 2;
  b2[1] = 1;
  layers.with_workspace(memory).into(y, x, w1, b1, w2, b2);
  return y[0][1] == 9 && y[0][0] == 0 ? 0 : 1;
}
