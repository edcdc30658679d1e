// SPDX-License-Identifier: MIT
#include <jig/ops/space_to_depth.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <type_traits>

using jig::dyn, jig::spec;

namespace {

constexpr auto to_depth = [](const auto& x) { return jig::space_to_depth<2>(x); };
constexpr auto to_space = [](const auto& x) { return jig::depth_to_space<2>(x); };

template <class X>
void check(const X& x) {
  const auto y = both(to_depth, x);
  REQUIRE(y.shape() == jig::shape{4, {x.extent(0), x.extent(1) / 2, x.extent(2) / 2, 4 * x.extent(3)}});
  const jig::index channels = x.extent(3);
  jig::index wrong = 0;
  for (jig::index b = 0; b < x.extent(0); ++b)
    for (jig::index i = 0; i < x.extent(1); ++i)
      for (jig::index k = 0; k < x.extent(2); ++k)
        for (jig::index c = 0; c < channels; ++c) wrong += x(b, i, k, c) != y(b, i / 2, k / 2, (i % 2 * 2 + k % 2) * channels + c);
  CHECK(wrong == 0);
  CHECK(elements(both(to_space, y)) == elements(x));
}

}  // namespace

TEST_CASE("blocks of pixels as channels, and back") {
  check(counted<int, 2, 4, 6, 3>());
  check(counted<int, 1, 2, 2, 1>());
  check(counted<int, dyn, dyn, dyn, dyn>(2, 4, 6, 3));
  check(counted<int, dyn, dyn, 4, 3>(3, 2));
  check(counted<int, dyn, 4, 4, 1>(0));
  static_assert(gives<spec<float, dyn, 2, dyn, 12>>(to_depth, spec<float, dyn, 4, dyn, 3>()));
  static_assert(gives<spec<float, dyn, 8, dyn, 3>>(to_space, spec<float, dyn, 4, dyn, 12>()));
  const auto at_run_time = jig::dynamic_function([](auto x) { return jig::space_to_depth<2>(x); });
  CHECK(message_of([&] { (void)at_run_time(jig::any_tensor(counted<int, 2, 2>())); }).starts_with("an image has four axes"));
  CHECK(message_of([&] {
          (void)at_run_time(jig::any_tensor(counted<int, 1, 3, 2, 1>()));
        }).starts_with("the extent 3 does not divide into blocks of 2"));
  CHECK(message_of([] { (void)to_depth(jig::zeros<int, 1, dyn, 2, 1>(3)); }) != "no exception");
}
