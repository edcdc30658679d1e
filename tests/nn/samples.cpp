// SPDX-License-Identifier: MIT
#include <jig/nn/samples.hpp>

#include <doctest/doctest.h>

namespace {

using namespace jig::nn::detail;

TEST_CASE("samples: rows where they are, in another order, and of what has gaps") {
  const jig::tensor<float, 4, 2, 1> x{{{1}, {2}}, {{3}, {4}}, {{5}, {6}}, {{7}, {8}}};
  samples<jig::spec<float, 4, 2, 1>> s(x);
  CHECK(s.count() == 4);
  const auto two = s.rows(1, 2);
  static_assert(std::is_same_v<std::remove_const_t<decltype(two)>, jig::view<jig::row_major<const float>, jig::dyn, 2, 1>>);
  CHECK((two.data() == x.data() + 2 && two.extent(0) == 2 && two(1, 1, 0) == 6));
  const jig::index order[] = {3, 0, 3};
  const auto mixed = s.gathered(order, 3);
  CHECK((mixed(0, 0, 0) == 7 && mixed(1, 1, 0) == 2 && mixed(2, 1, 0) == 8));
  const auto rest = s.behind(3);
  CHECK((rest.count() == 1 && rest.rows(0, 1)(0, 1, 0) == 8));
  const jig::view<const float, 2, 2> columns(x.data(), {2, 2}, {1, 4});
  using two_rows = samples<jig::spec<float, 2, 2>>;
  const two_rows copied = std::make_unique<two_rows>(columns)->behind(0);
  CHECK((copied.rows(0, 2)(0, 1) == 5 && copied.rows(1, 1)(0, 1) == 6));
  CHECK(samples<jig::spec<float, 2, 2>>().count() == 0);
  const bool flags[] = {true, false};
  CHECK(samples<jig::spec<bool, 2>>(flags).gathered(order + 1, 1)(0));
  const std::vector<int> none;
  CHECK(samples<jig::spec<int, jig::dyn>>(none).rows(0, 0).size() == 0);
}

}  // namespace
