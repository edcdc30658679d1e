// SPDX-License-Identifier: MIT
#include <jig/trace/lstm.hpp>

#include "../check_gradients.hpp"
#include "../recurrent_loops.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

namespace loops = recurrent_loops;
using jig::dyn;

constexpr auto sequences = jig::function<"sequences(x, kernel, recurrent, bias)">([](auto x, auto kernel, auto recurrent, auto bias) {
  return jig::lstm(x, kernel, recurrent, bias, jig::return_sequences, jig::return_state);
});
constexpr auto backwards =
    jig::function<"backwards(x, kernel, recurrent, bias, h, c)">([](auto x, auto kernel, auto recurrent, auto bias, auto h, auto c) {
      return jig::lstm(x, kernel, recurrent, bias, jig::go_backwards, jig::activation([](auto v) { return jig::relu(v); }),
                       jig::initial_state(h, c));
    });
constexpr auto cell = [](auto x, auto h, auto c, auto kernel, auto recurrent, auto bias) {
  return jig::lstm_cell(x, h, c, kernel, recurrent, bias);
};

TEST_CASE("lstm: all outputs and states beside a plain loop, of wildcard extents") {
  const auto kernel = loops::filled(jig::tensor<double, 3, 20>(), 1);
  const auto recurrent = loops::filled(jig::tensor<double, 5, 20>(), 2);
  const auto bias = loops::filled(jig::tensor<double, 20>(), 3);
  for (jig::index batch : {0, 1, 2, 9})
    for (jig::index time : {0, 1, 7}) {
      const auto x = loops::filled(jig::tensor<double, dyn, dyn, 3>(batch, time), 4);
      const auto [outputs, h, c] = sequences(x, kernel, recurrent, bias);
      const auto expected =
          loops::lstm({batch, time, 3, 5}, loops::elements(x), loops::elements(kernel), loops::elements(recurrent), loops::elements(bias));
      CAPTURE(batch);
      CAPTURE(time);
      CHECK(outputs.shape() == jig::shape{3, {batch, time, 5}});
      CHECK(loops::distance(outputs, expected.outputs) < 1e-13);
      CHECK(loops::distance(h, expected.h) < 1e-13);
      CHECK(loops::distance(c, expected.c) < 1e-13);
    }
}

TEST_CASE("lstm: backwards, another activation and a state to begin with, of static extents") {
  const auto x = loops::filled(jig::tensor<float, 2, 6, 4>(), 1);
  const auto kernel = loops::filled(jig::tensor<float, 4, 68>(), 2);
  const auto recurrent = loops::filled(jig::tensor<float, 17, 68>(), 3) * 0.3f;
  const auto bias = loops::filled(jig::tensor<float, 68>(), 4);
  const auto h = loops::filled(jig::tensor<float, 2, 17>(), 5), c = loops::filled(jig::tensor<float, 2, 17>(), 6);
  const auto y = backwards(x, kernel, recurrent, bias, h, c);
  static_assert(std::is_same_v<decltype(y), const jig::tensor<float, 2, 17>>);
  const auto expected = loops::lstm({2, 6, 4, 17}, loops::elements(x), loops::elements(kernel), loops::elements(recurrent),
                                    loops::elements(bias), loops::relu, true, {{}, loops::elements(h), loops::elements(c)});
  CHECK(loops::distance(y, expected.h) < 1e-4);
}

TEST_CASE("lstm_cell: one step, traced and on tensors") {
  const auto x = loops::filled(jig::tensor<double, 2, 3>(), 1);
  const auto h = loops::filled(jig::tensor<double, 2, 2>(), 2), c = loops::filled(jig::tensor<double, 2, 2>(), 3);
  const auto kernel = loops::filled(jig::tensor<double, 3, 8>(), 4);
  const auto recurrent = loops::filled(jig::tensor<double, 2, 8>(), 5);
  const auto bias = loops::filled(jig::tensor<double, 8>(), 6);
  const auto expected = loops::lstm({2, 1, 3, 2}, loops::elements(x), loops::elements(kernel), loops::elements(recurrent),
                                    loops::elements(bias), loops::tanh, false, {{}, loops::elements(h), loops::elements(c)});
  auto check = [&](const auto& states) {
    CHECK(loops::distance(std::get<0>(states), expected.h) < 1e-13);
    CHECK(loops::distance(std::get<1>(states), expected.c) < 1e-13);
  };
  check(jig::function(cell)(x, h, c, kernel, recurrent, bias));
  check(cell(x, h, c, kernel, recurrent, bias));
  // A sequence of one step, on tensors too.
  const jig::tensor<double, 2, 1, 3> sequence = jig::expand_dims<1>(x);
  const auto states = jig::lstm(sequence, kernel, recurrent, bias, jig::return_sequences, jig::return_state, jig::initial_state(h, c));
  static_assert(std::is_same_v<std::tuple_element_t<0, std::remove_const_t<decltype(states)>>, jig::tensor<double, 2, 1, 2>>);
  check(std::tuple(std::get<1>(states), std::get<2>(states)));
  CHECK(loops::distance(std::get<0>(states), expected.outputs) < 1e-13);
  const auto from_zeros = jig::lstm(sequence, kernel, recurrent, bias);
  const auto expected_from_zeros =
      loops::lstm({2, 1, 3, 2}, loops::elements(x), loops::elements(kernel), loops::elements(recurrent), loops::elements(bias));
  CHECK(loops::distance(from_zeros, expected_from_zeros.h) < 1e-13);
}

template <jig::index Batch, jig::index... Inner>
jig::tensor<double, Batch, Inner...> of_two_samples(int number) {
  const auto values = loops::filled(jig::tensor<double, 2, Inner...>(), number);
  auto result = [] {
    if constexpr (Batch == dyn) return jig::tensor<double, Batch, Inner...>(jig::index{2});
    else return jig::tensor<double, Batch, Inner...>();
  }();
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

template <jig::index X, jig::index H, jig::index C>
void check_batches() {
  static constexpr auto f = jig::function([](auto x, auto h, auto c, auto kernel, auto recurrent, auto bias) {
    return jig::lstm(x, kernel, recurrent, bias, jig::return_sequences, jig::return_state, jig::initial_state(h, c));
  });
  const auto x = of_two_samples<X, 4, 3>(1);
  const auto h = of_two_samples<H, 2>(2);
  const auto c = of_two_samples<C, 2>(3);
  const auto kernel = loops::filled(jig::tensor<double, 3, 8>(), 4);
  const auto recurrent = loops::filled(jig::tensor<double, 2, 8>(), 5);
  const auto bias = loops::filled(jig::tensor<double, 8>(), 6);
  const auto expected = loops::lstm({2, 4, 3, 2}, loops::elements(x), loops::elements(kernel), loops::elements(recurrent),
                                    loops::elements(bias), loops::tanh, false, {{}, loops::elements(h), loops::elements(c)});
  const auto [outputs, last, last_cell] = f(x, h, c, kernel, recurrent, bias);
  CHECK(loops::distance(outputs, expected.outputs) < 1e-13);
  CHECK(loops::distance(last, expected.h) < 1e-13);
  CHECK(loops::distance(last_cell, expected.c) < 1e-13);
  if constexpr (X == dyn || H == dyn || C == dyn)
    CHECK_THROWS_AS(f(x, h, jig::tensor<double, dyn, 2>(jig::index{3}), kernel, recurrent, bias), jig::invalid_argument);
}

TEST_CASE("lstm: a batch that the type of one operand tells and that of another does not") {
  check_batches<dyn, dyn, dyn>();
  check_batches<dyn, dyn, 2>();
  check_batches<dyn, 2, dyn>();
  check_batches<dyn, 2, 2>();
  check_batches<2, dyn, dyn>();
  check_batches<2, dyn, 2>();
  check_batches<2, 2, dyn>();
}

TEST_CASE("lstm: gradients beside differences") {
  check_gradients(
      [](auto x, auto kernel, auto recurrent, auto bias) { return jig::lstm(x, kernel, recurrent, bias, jig::return_sequences); },
      loops::filled(jig::tensor<double, 2, 3, 2>(), 1), loops::filled(jig::tensor<double, 2, 8>(), 2),
      loops::filled(jig::tensor<double, 2, 8>(), 3), loops::filled(jig::tensor<double, 8>(), 4));
}

TEST_CASE("lstm: gradients of wildcard extents are those of static ones") {
  static constexpr auto gradients = jig::function([](auto x, auto kernel, auto recurrent, auto bias) {
    return jig::gradient(jig::reduce_sum(jig::square(jig::lstm(x, kernel, recurrent, bias))), x, recurrent);
  });
  const auto x = loops::filled(jig::tensor<double, 2, 3, 2>(), 1);
  jig::tensor<double, dyn, dyn, 2> same(2, 3);
  std::copy(x.begin(), x.end(), same.begin());
  const auto kernel = loops::filled(jig::tensor<double, 2, 8>(), 2), recurrent = loops::filled(jig::tensor<double, 2, 8>(), 3);
  const auto bias = loops::filled(jig::tensor<double, 8>(), 4);
  const auto of_static = gradients(x, kernel, recurrent, bias);
  const auto of_wildcard = gradients(same, kernel, recurrent, bias);
  CHECK(loops::distance(std::get<0>(of_wildcard), loops::elements(std::get<0>(of_static))) < 1e-13);
  CHECK(loops::distance(std::get<1>(of_wildcard), loops::elements(std::get<1>(of_static))) < 1e-13);
}

}  // namespace
