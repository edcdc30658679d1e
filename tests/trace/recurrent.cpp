// SPDX-License-Identifier: MIT
#include <jig/trace/recurrent.hpp>

#include "../recurrent_loops.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>

namespace {

namespace loops = recurrent_loops;
using jig::dyn;

std::string misfit(int axes, int gates, int bias_axes, const jig::shape& x, const jig::shape& kernel, const jig::shape& recurrent,
                   const jig::shape& bias) {
  return std::string(jig::detail::recurrent_misfit("name", axes, gates, bias_axes, x, kernel, recurrent, bias).view());
}

TEST_CASE("recurrent layers: which shapes fit") {
  const jig::shape x{3, {dyn, dyn, 3}}, kernel{2, {3, 20}}, recurrent{2, {5, 20}}, bias{1, {20}};
  CHECK(misfit(3, 4, 1, x, kernel, recurrent, bias).empty());
  CHECK(misfit(3, 4, 1, {3, {2, 7, dyn}}, {2, {dyn, dyn}}, {2, {dyn, dyn}}, {1, {dyn}}).empty());
  CHECK(misfit(2, 3, 2, {2, {2, 3}}, {2, {3, 15}}, {2, {5, 15}}, {2, {2, 15}}).empty());
  CHECK(misfit(3, 4, 1, {3, {2, 7, 4}}, kernel, recurrent, bias) ==
        "name: expected [batch, time, in], a kernel [in, 4 units], a recurrent kernel [units, 4 units] and a bias [4 units], "
        "given (2, 7, 4), (3, 20), (5, 20) and (20,)");
  CHECK(!misfit(3, 4, 1, {2, {7, 3}}, kernel, recurrent, bias).empty());
  CHECK(!misfit(3, 4, 1, x, {2, {3, 16}}, recurrent, bias).empty());
  CHECK(!misfit(3, 4, 1, x, kernel, {2, {4, 20}}, bias).empty());
  CHECK(!misfit(3, 4, 1, x, kernel, {2, {dyn, 18}}, {1, {18}}).empty());
  CHECK(!misfit(3, 4, 1, x, kernel, recurrent, {1, {16}}).empty());
  CHECK(!misfit(3, 4, 1, x, kernel, recurrent, {2, {2, 20}}).empty());
  CHECK(!misfit(3, 4, 1, x, kernel, {2, {5, dyn}}, {1, {24}}).empty());
  CHECK(misfit(2, 3, 2, {2, {2, 3}}, {2, {3, 15}}, {2, {5, 15}}, {2, {3, 15}}).find("a bias [2, 3 units]") != std::string::npos);
}

TEST_CASE("recurrent layers: weights of wildcard extents that do not fit throw before anything is computed") {
  static constexpr auto last =
      jig::function([](auto x, auto kernel, auto recurrent, auto bias) { return jig::lstm(x, kernel, recurrent, bias); });
  const jig::tensor<float, dyn, dyn, dyn> x(1, 2, 3);
  const jig::tensor<float, dyn, dyn> kernel(3, 8), recurrent(2, 8);
  const jig::tensor<float, dyn> bias(8);
  CHECK(last(x, kernel, recurrent, bias).shape() == jig::shape{2, {1, 2}});
  CHECK_THROWS_AS(last(jig::tensor<float, dyn, dyn, dyn>(1, 2, 4), kernel, recurrent, bias), jig::invalid_argument);
  CHECK_THROWS_AS(last(x, jig::tensor<float, dyn, dyn>(3, 12), recurrent, bias), jig::invalid_argument);
  CHECK_THROWS_AS(last(x, kernel, recurrent, jig::tensor<float, dyn>(12)), jig::invalid_argument);
}

}  // namespace
