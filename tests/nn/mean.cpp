// SPDX-License-Identifier: MIT
#include <jig/nn/mean.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

constexpr auto update = jig::function<"update(mean, values)">([](auto& mean, auto values) { mean.update_state(values); });
constexpr auto result = jig::function<"result(mean)">([](auto& mean) { return mean.result(); });
constexpr auto reset = jig::function<"reset(mean)">([](auto& mean) { mean.reset_state(); });

TEST_CASE("mean: over batches of several sizes, and after a reset") {
  jig::nn::mean m;
  CHECK(result(m)() == 0);
  update(m, std::vector<float>{1, 2, 3});
  update(m, std::vector<float>());
  update(m, std::vector<float>{6});
  CHECK(result(m)() == 3);
  CHECK(m.count.value()() == 4);
  reset(m);
  CHECK(result(m)() == 0);
  update(m, std::vector<float>{-1});
  CHECK(result(m)() == -1);
}

}  // namespace
