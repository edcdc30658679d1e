// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>

using jig::dyn;

namespace {

// Which axis a program's last node reduces as one of a few neighbours, counted from the end.
template <class... Spec>
int axis_of_last(auto f) {
  const jig::graph_view g = jig::graph_of(f, Spec()...);
  return jig::detail::axis_of_few(g, g.size() - 1);
}
template <class... Spec>
bool has_many(auto f) {
  const jig::graph_view g = jig::graph_of(f, Spec()...);
  return jig::detail::has_many_results(g, g.size() - 1);
}

constexpr auto last_sum = [](auto x) { return jig::reduce_sum<-1>(x); };
constexpr auto first_sum = [](auto x) { return jig::reduce_sum<0>(x); };

}  // namespace

TEST_CASE("reductions of a few neighbours") {
  CHECK((axis_of_last<jig::spec<float, dyn, 2>>(last_sum)) == 0);
  CHECK((axis_of_last<jig::spec<float, dyn, 4>>(last_sum)) == 0);
  CHECK((axis_of_last<jig::spec<float, 3, dyn, 5>>(first_sum)) == 2);
  CHECK((axis_of_last<jig::spec<float, dyn, 1>>(last_sum)) == -1);
  CHECK((axis_of_last<jig::spec<float, dyn, 5>>(last_sum)) == -1);
  CHECK((axis_of_last<jig::spec<float, dyn, dyn>>(last_sum)) == -1);
  CHECK((axis_of_last<jig::spec<float, dyn, 2, 2>>([](auto x) { return jig::reduce_sum<1, 2>(x); })) == -1);
  CHECK((axis_of_last<jig::spec<jig::half, dyn, 2>>(last_sum)) == -1);
  CHECK((axis_of_last<jig::spec<float, dyn, 2>>([](auto x) { return 1 + x; })) == -1);
}
TEST_CASE("few results and many") {
  CHECK((has_many<jig::spec<float, dyn, 2>>(last_sum)));
  CHECK((has_many<jig::spec<float, 16, 2>>(last_sum)));
  CHECK_FALSE((has_many<jig::spec<float, 15, 2>>(last_sum)));
}
TEST_CASE("how neighbours are combined") {
  const auto name = [](const jig::op& kind) { return std::string(jig::detail::combination_of(kind).name); };
  CHECK(name(jig::ops::reduce_sum) == jig::ops::add.name);
  CHECK(name(jig::ops::reduce_mean) == jig::ops::add.name);
  CHECK(name(jig::ops::reduce_max) == jig::ops::maximum.name);
  CHECK(name(jig::ops::reduce_min) == jig::ops::minimum.name);
  CHECK(name(jig::ops::reduce_any) == jig::ops::logical_or.name);
  CHECK(name(jig::ops::reduce_all) == jig::ops::logical_and.name);
  CHECK(jig::detail::has_combination(jig::ops::reduce_mean, jig::dtype::float32));
  CHECK_FALSE(jig::detail::has_combination(jig::ops::reduce_mean, jig::dtype::int32));
  CHECK_FALSE(jig::detail::has_combination(jig::ops::reduce_prod, jig::dtype::float32));
}
