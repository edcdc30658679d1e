// SPDX-License-Identifier: MIT
#pragma once

#include <jig.hpp>

/// The states of a recurrent network over time: tanh(input[t] + state * w), from 0 on.
inline constexpr auto recurrent_states = [](auto input, auto w) {
  auto state = input[0] * 0.0;
  auto states = jig::tensor_array(jig::extent<0>(input), state);
  for (auto t : jig::range(jig::extent<0>(input))) {
    state = jig::tanh(input[t] + state * w);
    states = states.write(t, state);
  }
  return states.stack();
};
