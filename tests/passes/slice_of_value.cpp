// SPDX-License-Identifier: MIT
#include <jig/passes/slice_of_value.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

using jig::dyn;
using jig::range_of;
using jig::unbounded;

namespace {

// What the node that is the result takes of what it reads.
template <jig::index N, auto... Ranges>
jig::detail::slice_of_value slice() {
  static const jig::graph_view made = jig::graph_of([](auto x) { return jig::strided_slice<Ranges...>(x); }, jig::spec<float, dyn, N>());
  return {made, made.outputs()[0].node};
}

}  // namespace

TEST_CASE("which axes a slice takes whole") {
  CHECK(slice<6, jig::all, jig::all>().takes_all());
  CHECK(slice<6, jig::all, range_of(0, 6)>().takes_all());
  CHECK(slice<6, jig::all, range_of(0, 7)>().takes_all());
  CHECK_FALSE(slice<6, jig::all, range_of(0, 5)>().takes_all());
  CHECK_FALSE(slice<6, jig::all, range_of(1, unbounded)>().takes_all());
  CHECK_FALSE(slice<6, jig::all, jig::range_of(unbounded, unbounded, -1)>().takes_all());
  CHECK_FALSE(slice<6, range_of(0, 6), jig::all>().takes_all(0));
  CHECK(slice<6, range_of(0, 6), jig::all>().takes_all(1));
  // One position is no axis; one place is all of an axis of one.
  CHECK_FALSE(slice<1, jig::all, 0>().takes_all());
  CHECK(slice<1, jig::all, range_of(0, 1)>().takes_all());
  CHECK_FALSE(slice<1, jig::all, range_of(0, 0)>().takes_all());
}
TEST_CASE("slices with the same elements, and with none in common") {
  CHECK(slice<6, jig::all, range_of(1, 3)>() == slice<6, jig::all, range_of(1, 3)>());
  CHECK(slice<6, jig::all, range_of(0, 6)>() == slice<6, jig::all, jig::all>());
  CHECK_FALSE(slice<6, jig::all, range_of(1, 3)>() == slice<6, jig::all, range_of(1, 4)>());
  CHECK_FALSE(slice<6, jig::all, 1>() == slice<6, jig::all, range_of(1, 2)>());
  CHECK(slice<6, jig::all, range_of(0, 3)>().is_apart_from(slice<6, jig::all, range_of(3, 6)>()));
  CHECK_FALSE(slice<6, jig::all, range_of(0, 4)>().is_apart_from(slice<6, jig::all, range_of(3, 6)>()));
  CHECK(slice<6, jig::all, range_of(0, 6, 2)>().is_apart_from(slice<6, jig::all, range_of(1, 6, 2)>()));
  CHECK_FALSE(slice<6, jig::all, range_of(0, 6, 2)>().is_apart_from(slice<6, jig::all, range_of(2, 6, 2)>()));
  CHECK_FALSE(slice<6, range_of(0, 3), jig::all>().is_apart_from(slice<6, range_of(3, 6), jig::all>()));
}
