// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>
#include <string>

using jig::dyn;

namespace {

template <class F, class... Spec>
std::string lowered(F f, Spec... specs) {
  return jig::to_text(jig::lower(jig::graph_of(f, specs...)));
}
template <class F, class... Spec>
bool finds_elements(F f, Spec... specs) {
  return lowered(f, specs...).find("Pack(") == std::string::npos;
}
constexpr auto at = [](auto x, auto i, auto j) { return jig::gather_nd(x, jig::stack<-1>(i, j)); };

}  // namespace

TEST_CASE("elements at stacked positions are found by what is stacked") {
  using image = jig::spec<float, dyn, dyn>;
  CHECK(finds_elements(at, image(), jig::spec<int, dyn>(), jig::spec<int, dyn>()));
  CHECK(finds_elements(at, image(), jig::spec<std::int64_t, 3, 4>(), jig::spec<std::int64_t, 3, 4>()));
  constexpr auto first_axis = [](auto x, auto i) { return jig::gather_nd(x, jig::stack<1>(i)); };
  CHECK(finds_elements(first_axis, jig::spec<float, dyn>(), jig::spec<int, 7>()));
}

TEST_CASE("rows, single elements and positions that are stacked along another axis stay") {
  CHECK_FALSE(finds_elements(at, jig::spec<float, 5, 4, 3>(), jig::spec<int, 7>(), jig::spec<int, 7>()));
  CHECK_FALSE(finds_elements(at, jig::spec<float, 5, 4>(), jig::spec<int>(), jig::spec<int>()));
  CHECK_FALSE(finds_elements(at, jig::spec<float, 5, 4>(), jig::spec<std::int16_t, 7>(), jig::spec<std::int16_t, 7>()));
  constexpr auto first = [](auto x, auto i, auto j) { return jig::gather_nd(x, jig::stack<0>(i, j)); };
  CHECK_FALSE(finds_elements(first, jig::spec<float, 5, 4>(), jig::spec<int, 2>(), jig::spec<int, 2>()));
  constexpr auto given = [](auto x, auto i) { return jig::gather_nd(x, i); };
  CHECK(lowered(given, jig::spec<float, 5, 4>(), jig::spec<int, dyn, 2>()).find("GatherNd(args_0, args_1)") != std::string::npos);
}
