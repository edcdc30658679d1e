// SPDX-License-Identifier: MIT
#pragma once
// Lambdas of symbols that are recorded while the test runs, by the functions that do so in constant evaluation.

#include <jig.hpp>

#include <tuple>

template <class... Spec, class F>
constexpr jig::detail::recorded_graph recorded(F f) {
  return jig::detail::record_all([&](jig::builder& b) {
    std::tuple<typename jig::detail::symbol_of_spec<Spec>::type...> x{
        typename jig::detail::symbol_of_spec<Spec>::type(&b, b.input(Spec::value(), "x"))...};
    const auto result = std::apply(f, x);
    jig::for_each_leaf(result, [&](const auto& leaf) { b.graph.output_edges.push_back(jig::detail::result_place(b, leaf)); });
  });
}
