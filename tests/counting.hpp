// SPDX-License-Identifier: MIT
#pragma once

#include <jig.hpp>

/// A run-time tensor of floats 0, 1, 2, …
inline jig::any_tensor counting(jig::index n) {
  jig::any_tensor out = jig::any_tensor::empty(jig::dtype::float32, jig::shape{1, {n}});
  for (jig::index i = 0; i < n; ++i) static_cast<float*>(out.mutable_data())[i] = static_cast<float>(i);
  return out;
}
