// SPDX-License-Identifier: MIT
#include <jig/ops/part_positions.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

namespace {

using jig::dyn, jig::range_of, jig::spec, jig::unbounded;
using jig::detail::spec_of_part;

template <class Spec, class... I>
using part = typename spec_of_part<Spec, I...>::type;
using all_t = std::remove_const_t<decltype(jig::all)>;
template <jig::index... N>
using range = decltype(range_of<N...>());

// Numbers take an axis away, ranges leave what is in them, axes without a position stay.
static_assert(std::is_same_v<part<spec<float, 4, 5, 6>, int>, spec<float, 5, 6>>);
static_assert(std::is_same_v<part<spec<float, 4, 5, 6>, int, int, int>, spec<float>>);
static_assert(std::is_same_v<part<spec<float, 4, 5, 6>, all_t, int>, spec<float, 4, 6>>);
static_assert(std::is_same_v<part<spec<float, 4, 5, 6>, range<1, 3>, int, range<0, unbounded, 4>>, spec<float, 2, 2>>);
static_assert(std::is_same_v<part<spec<float, 4, 5>, range<-3, -1>>, spec<float, 2, 5>>);
static_assert(std::is_same_v<part<spec<float, 4, 5>, range<3, 1>>, spec<float, 0, 5>>);
// What only the call knows.
static_assert(std::is_same_v<part<spec<float, dyn, 5>, int>, spec<float, 5>>);
static_assert(std::is_same_v<part<spec<float, dyn, 5>, all_t>, spec<float, dyn, 5>>);
static_assert(std::is_same_v<part<spec<float, dyn, 5>, range<0, 2>>, spec<float, dyn, 5>>);
static_assert(std::is_same_v<part<spec<float, 4, 5>, jig::slice_range>, spec<float, dyn, 5>>);

// Positions are numbers of an integer dtype, also traced or computed ones, ranges and `all`.
using jig::detail::is_single_position;
static_assert(is_single_position<int> && is_single_position<std::uint8_t> && is_single_position<decltype(jig::lit<3>)>);
static_assert(is_single_position<jig::tensor<std::int64_t>> && is_single_position<jig::symbol<int>>);
static_assert(!is_single_position<float> && !is_single_position<bool> && !is_single_position<jig::tensor<int, 2>>);
static_assert(!is_single_position<jig::symbol<float>> && !is_single_position<const char*>);
static_assert(jig::detail::is_position_in_brackets<int> && jig::detail::is_position_in_brackets<range<0, 1>>);
static_assert(!jig::detail::is_position_in_brackets<double>);

}  // namespace

TEST_CASE("what may be put into a part broadcasts to it and has its dtype") {
  using jig::dtype, jig::shape;
  const std::vector<jig::index> extents{0, 1, 2, 3};
  for (const auto a : extents)
    for (const auto b : extents)
      for (const auto c : extents)
        for (const auto d : extents) {
          const jig::tensor_spec to{dtype::float32, shape{2, {c, d}}};
          CHECK(jig::detail::may_fit({dtype::float32, shape{2, {a, b}}}, to) == ((a == 1 || a == c) && (b == 1 || b == d)));
          CHECK(jig::detail::may_fit({dtype::float32, shape{1, {b}}}, to) == (b == 1 || b == d));
          CHECK(jig::detail::may_fit({dtype::float32, {}}, to));
          CHECK_FALSE(jig::detail::may_fit({dtype::float64, {}}, to));
          CHECK_FALSE(jig::detail::may_fit({dtype::float32, shape{3, {1, 1, 1}}}, to));
          // A wildcard may be what is needed.
          CHECK(jig::detail::may_fit({dtype::float32, shape{2, {dyn, b}}}, to) == (b == 1 || b == d));
          CHECK(jig::detail::may_fit({dtype::float32, shape{2, {a, b}}}, {dtype::float32, shape{2, {c, dyn}}}) == (a == 1 || a == c));
        }
}

TEST_CASE("the refusal of a value names both specs, and a cast where dtypes differ") {
  using jig::dtype, jig::shape;
  CHECK(jig::detail::part_refusal({dtype::float32, shape{1, {3}}}, {dtype::float32, shape{1, {2}}}).view() ==
        "an element or part of spec float32 (3,) cannot take a value of spec float32 (2,)");
  CHECK(jig::detail::part_refusal({dtype::float32, shape{1, {3}}}, {dtype::int32, shape{1, {3}}}).view() ==
        "an element or part of spec float32 (3,) cannot take a value of spec int32 (3,): dtypes differ, convert one with jig::cast");
}
