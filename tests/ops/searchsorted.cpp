// SPDX-License-Identifier: MIT
#include <jig/ops/searchsorted.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

namespace {

constexpr auto left = [](const auto& s, const auto& v) { return jig::searchsorted(s, v); };
constexpr auto right = [](const auto& s, const auto& v) { return jig::searchsorted<"right">(s, v); };

}  // namespace

TEST_CASE("positions of values, in one row and in several") {
  const jig::tensor<float, 5> s{1, 2, 2, 2, 5};
  const jig::tensor<float, 2, 3> v{{2, 0, 5}, {1, 6, 3}};
  const auto y = both(left, s, v);
  static_assert(std::is_same_v<decltype(y), const jig::tensor<int, 2, 3>>);
  CHECK(elements(y) == ints{1, 0, 4, 0, 5, 4});
  CHECK(elements(both(right, s, v)) == ints{4, 0, 5, 1, 5, 4});
  const jig::tensor<int, 2, 2> rows{{1, 3}, {2, 8}};
  CHECK(elements(both(left, rows, jig::tensor<int, 2, 3>{{0, 3, 4}, {2, 3, 9}})) == ints{0, 1, 2, 0, 1, 2});
  CHECK(elements(both(right, s, jig::tensor<float>(2))) == ints{4});
  static_assert(gives<spec<int, dyn, 3>>(left, spec<double, dyn, 7>(), spec<double, dyn, 3>()));
  static_assert(gives<spec<int, 2, dyn, 4>>(right, spec<jig::half, dyn>(), spec<jig::half, 2, dyn, 4>()));
  CHECK(message_of([] {
          (void)left(jig::zeros<int, dyn, 2>(2), jig::zeros<int, dyn, 2>(3));
        }).starts_with("LowerBound: the values do not have the first extents of the sorted rows"));
}

TEST_CASE("buckets") {
  constexpr auto f = [](const auto& x) { return jig::bucketize(x, jig::lits<0, 10, 100>); };
  // TensorFlow's own example.
  CHECK(elements(both(f, jig::tensor<int, 3, 2>{{-5, 10000}, {150, 10}, {5, 100}})) == ints{0, 3, 3, 2, 1, 3});
  CHECK(elements(jig::bucketize(std::vector<float>{0.5f, 2}, std::vector<float>{})) == ints{0, 0});
}
