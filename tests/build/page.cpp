// SPDX-License-Identifier: MIT
// usage: page FILE
// Writes the page of a profile of a graph with a loop and, in the loop, a branch.

#include <jig/profile.hpp>
#include <jig/profile/page.hpp>

#include <jig.hpp>

#include <fstream>

namespace {

constexpr auto settle = jig::function<"settle(x, w)">([](auto x, auto w) {
  auto y = jig::softmax<-1>(jig::relu(jig::matmul(x, w)));
  JIG_WHILE(jig::reduce_sum(y) > 1.0f) {
    y = jig::cond(y(0, 0) > 0.01f, [&] { return jig::tanh(y) * 0.5f; }, [&] { return y * 0.25f; });
  }
  return y + 1.0f;
});

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  jig::tensor<float, jig::dyn, 24> x(40);
  jig::tensor<float, 24, 32> w;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = 0.01f * static_cast<float>(i % 17) - 0.05f;
  for (jig::index i = 0; i < w.size(); ++i) w.data()[i] = 0.01f * static_cast<float>(i % 13) - 0.05f;
  std::ofstream out(argv[1]);
  out << jig::to_html(jig::profile(settle)(x, w).report);
  return out.flush() ? 0 : 1;
}
