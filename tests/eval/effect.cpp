// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <limits>
#include <vector>

namespace {

using place = std::vector<jig::index>;

std::vector<place> places(const jig::shape& extents, std::size_t most = 100) {
  std::vector<place> out;
  jig::detail::for_each_place(extents, [&](const jig::shape& at) {
    out.emplace_back(at.extents, at.extents + at.rank);
    return out.size() < most;
  });
  return out;
}

}  // namespace

TEST_CASE("places are visited in row-major order until told otherwise") {
  CHECK(places({}) == std::vector<place>{{}});
  CHECK(places({1, {0}}).empty());
  CHECK(places({2, {2, 2}}) == std::vector<place>{{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  CHECK(places({2, {2, 2}}, 3).size() == 3);
}

TEST_CASE("operands that broadcast are found at their places") {
  const float data[] = {1, 2, 3};
  const auto column = jig::untyped(jig::view<const float, 3, 1>(data));
  CHECK(jig::detail::offset_at(column, {2, {2, 5}}) == 2);
  const auto row = jig::untyped(jig::view<const float, 3>(data));
  CHECK(jig::detail::offset_at(row, {2, {7, 1}}) == 1);
}

TEST_CASE("one number that is not finite is enough") {
  std::vector<float> x(1000, 1);
  const jig::view<const float, jig::dyn> v(x.data(), 1000);
  CHECK(jig::detail::all_finite(v));
  for (std::size_t i : {0u, 1u, 17u, 512u, 999u}) {
    for (float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
      x[i] = bad;
      CHECK_FALSE(jig::detail::all_finite(v));
    }
    x[i] = 1;
  }
  x[0] = std::numeric_limits<float>::lowest();
  CHECK(jig::detail::all_finite(v));
}
