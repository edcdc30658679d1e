// SPDX-License-Identifier: MIT
#include <jig/trace/gru.hpp>

#include "../check_gradients.hpp"
#include "../recurrent_loops.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

namespace loops = recurrent_loops;
using jig::dyn;

constexpr auto sequences = jig::function<"sequences(x, kernel, recurrent, bias)">([](auto x, auto kernel, auto recurrent, auto bias) {
  return jig::gru(x, kernel, recurrent, bias, jig::return_sequences, jig::return_state);
});
constexpr auto backwards =
    jig::function<"backwards(x, kernel, recurrent, bias, h)">([](auto x, auto kernel, auto recurrent, auto bias, auto h) {
      return jig::gru(x, kernel, recurrent, bias, jig::go_backwards, jig::reset_before, jig::initial_state(h),
                      jig::activation([](auto v) { return jig::relu(v); }));
    });
constexpr auto cell = [](auto x, auto h, auto kernel, auto recurrent, auto bias) { return jig::gru_cell(x, h, kernel, recurrent, bias); };
constexpr auto cell_before = [](auto x, auto h, auto kernel, auto recurrent, auto bias) {
  return jig::gru_cell(x, h, kernel, recurrent, bias, jig::reset_before);
};

TEST_CASE("gru: all outputs and the state beside a plain loop, of wildcard extents") {
  const auto kernel = loops::filled(jig::tensor<double, 3, 15>(), 1);
  const auto recurrent = loops::filled(jig::tensor<double, 5, 15>(), 2);
  const auto bias = loops::filled(jig::tensor<double, 2, 15>(), 3);
  for (jig::index batch : {0, 1, 2, 9})
    for (jig::index time : {0, 1, 7}) {
      const auto x = loops::filled(jig::tensor<double, dyn, dyn, 3>(batch, time), 4);
      const auto [outputs, h] = sequences(x, kernel, recurrent, bias);
      const auto expected = loops::gru({batch, time, 3, 5}, loops::elements(x), loops::elements(kernel), loops::elements(recurrent),
                                       loops::elements(bias), true);
      CAPTURE(batch);
      CAPTURE(time);
      CHECK(outputs.shape() == jig::shape{3, {batch, time, 5}});
      CHECK(loops::distance(outputs, expected.outputs) < 1e-13);
      CHECK(loops::distance(h, expected.h) < 1e-13);
    }
}

TEST_CASE("gru: backwards, reset before the product, another activation and a state to begin with, of static extents") {
  const auto x = loops::filled(jig::tensor<float, 2, 6, 4>(), 1);
  const auto kernel = loops::filled(jig::tensor<float, 4, 51>(), 2);
  const auto recurrent = loops::filled(jig::tensor<float, 17, 51>(), 3) * 0.3f;
  const auto bias = loops::filled(jig::tensor<float, 51>(), 4);
  const auto h = loops::filled(jig::tensor<float, 2, 17>(), 5);
  const auto y = backwards(x, kernel, recurrent, bias, h);
  static_assert(std::is_same_v<decltype(y), const jig::tensor<float, 2, 17>>);
  const auto expected = loops::gru({2, 6, 4, 17}, loops::elements(x), loops::elements(kernel), loops::elements(recurrent),
                                   loops::elements(bias), false, loops::relu, true, {{}, loops::elements(h), {}});
  CHECK(loops::distance(y, expected.h) < 1e-4);
}

TEST_CASE("gru_cell: one step, traced and on tensors, with both places of the reset gate") {
  const auto x = loops::filled(jig::tensor<double, 2, 3>(), 1);
  const auto h = loops::filled(jig::tensor<double, 2, 2>(), 2);
  const auto kernel = loops::filled(jig::tensor<double, 3, 6>(), 4);
  const auto recurrent = loops::filled(jig::tensor<double, 2, 6>(), 5);
  const auto two = loops::filled(jig::tensor<double, 2, 6>(), 6);
  const auto one = loops::filled(jig::tensor<double, 6>(), 7);
  auto expected = [&](const auto& bias, bool after) {
    return loops::gru({2, 1, 3, 2}, loops::elements(x), loops::elements(kernel), loops::elements(recurrent), loops::elements(bias), after,
                      loops::tanh, false, {{}, loops::elements(h), {}})
        .h;
  };
  CHECK(loops::distance(jig::function(cell)(x, h, kernel, recurrent, two), expected(two, true)) < 1e-13);
  CHECK(loops::distance(cell(x, h, kernel, recurrent, two), expected(two, true)) < 1e-13);
  CHECK(loops::distance(jig::function(cell_before)(x, h, kernel, recurrent, one), expected(one, false)) < 1e-13);
  CHECK(loops::distance(cell_before(x, h, kernel, recurrent, one), expected(one, false)) < 1e-13);
}

TEST_CASE("gru: gradients beside differences, with both places of the reset gate") {
  const auto x = loops::filled(jig::tensor<double, 2, 3, 2>(), 1);
  const auto kernel = loops::filled(jig::tensor<double, 2, 6>(), 2), recurrent = loops::filled(jig::tensor<double, 2, 6>(), 3);
  check_gradients([](auto in, auto w, auto u, auto bias) { return jig::gru(in, w, u, bias, jig::return_sequences); }, x, kernel, recurrent,
                  loops::filled(jig::tensor<double, 2, 6>(), 4));
  check_gradients([](auto in, auto w, auto u, auto bias) { return jig::gru(in, w, u, bias, jig::reset_before); }, x, kernel, recurrent,
                  loops::filled(jig::tensor<double, 6>(), 5));
}

}  // namespace
