// SPDX-License-Identifier: MIT
#pragma once

#include <jig.hpp>

#include <string>

/// The graph that the plan of a lambda is made from, where all arguments are dense, as text.
template <class... Key>
std::string lowered_text(auto lambda, Key... key) {
  const jig::graph optimized = jig::optimize(jig::graph_of(lambda, key...));
  return jig::to_text(jig::detail::lowered<jig::graph_view>(optimized.view(), jig::detail::all_dense(optimized.view())).view());
}
