// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <type_traits>
#include <vector>

using jig::dyn;

TEST_CASE("strided slices of known bounds") {
  using jig::all, jig::range_of, jig::unbounded;
  auto x = counted<int, 4, 5>();
  auto y = both([](const auto& v) { return jig::strided_slice<range_of(0, 4, 2), all>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 5>>);
  CHECK(elements(y) == ints{0, 1, 2, 3, 4, 10, 11, 12, 13, 14});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<-1, range_of(1, unbounded, 3)>(v); }, x)) == ints{16, 19});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<range_of(1, 3), 2>(v); }, x)) == ints{7, 12});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<all, range_of(unbounded, unbounded, -2)>(v); },
                      counted<int, 2, 5>())) == ints{4, 2, 0, 9, 7, 5});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<range_of(-1, 0, -1), 0>(v); }, x)) == ints{15, 10, 5});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<range_of(3, -4, -1), 0>(v); }, x)) == ints{15, 10, 5});
  CHECK(elements(jig::strided_slice<range_of(1, -1), range_of(-2, unbounded)>(x)) == ints{8, 9, 13, 14});
  CHECK(jig::strided_slice<range_of(2, 2)>(x).size() == 0);
  CHECK(jig::strided_slice<1, 1>(x)() == 6);
  CHECK(elements(jig::strided_slice<1>(jig::transpose(x))) == ints{1, 6, 11, 16});
  // of a view and of a slice
  CHECK(elements(both(
            [](const auto& v) {
              return jig::strided_slice<range_of(unbounded, unbounded, -1)>(jig::strided_slice<all, range_of(1, 5, 2)>(v)) + 1;
            },
            x)) == ints{17, 19, 12, 14, 7, 9, 2, 4});
}

TEST_CASE("strided slices of wildcard extents") {
  using jig::range_of, jig::unbounded;
  auto slice = []<auto S>(jig::index n) {
    auto y = jig::strided_slice<S>(counted<int, dyn>(n));
    return elements(y);
  };
  auto x = counted<int, dyn>(6);
  static_assert(std::is_same_v<decltype(jig::strided_slice<range_of(1, 3)>(x)), jig::tensor<int, dyn>>);
  static_assert(std::is_same_v<decltype(jig::strided_slice<range_of(3, 3)>(x)), jig::tensor<int, 0>>);
  static_assert(std::is_same_v<decltype(jig::strided_slice<range_of(1, unbounded)>(x)), jig::tensor<int, dyn>>);
  static_assert(std::is_same_v<decltype(jig::strided_slice<-1>(x)), jig::tensor<int>>);
  CHECK(slice.operator()<range_of(1, 3)>(6) == ints{1, 2});
  CHECK(slice.operator()<range_of(1, unbounded)>(6) == ints{1, 2, 3, 4, 5});
  CHECK(slice.operator()<range_of(1, unbounded)>(1) == ints{});
  CHECK(slice.operator()<range_of(unbounded, -1)>(6) == ints{0, 1, 2, 3, 4});
  CHECK(slice.operator()<range_of(2, -2)>(5) == ints{2});
  CHECK(slice.operator()<range_of(-3, 5)>(6) == ints{3, 4});
  CHECK(slice.operator()<range_of(-3, -1)>(6) == ints{3, 4});
  CHECK(slice.operator()<range_of(-3, unbounded, 2)>(6) == ints{3, 5});
  CHECK(slice.operator()<range_of(unbounded, unbounded, -1)>(3) == ints{2, 1, 0});
  CHECK(slice.operator()<range_of(unbounded, unbounded, -1)>(0) == ints{});
  CHECK(slice.operator()<range_of(-2, unbounded, -1)>(4) == ints{2, 1, 0});
  CHECK(slice.operator()<range_of(3, 0, -2)>(4) == ints{3, 1});
  CHECK(slice.operator()<range_of(3, -4, -1)>(5) == ints{3, 2});
  CHECK(slice.operator()<range_of(-1, -3, -1)>(5) == ints{4, 3});
  // Beyond the axis there is nothing.
  CHECK(slice.operator()<range_of(1, 3)>(2) == ints{1});
  CHECK(slice.operator()<range_of(3, -2)>(4) == ints{});
  CHECK(slice.operator()<range_of(-3, unbounded)>(2) == ints{0, 1});
  CHECK(slice.operator()<range_of(-3, 5)>(4) == ints{1, 2, 3});
  CHECK(slice.operator()<range_of(-3, 2)>(6) == ints{});
  CHECK(slice.operator()<range_of(3, 0, -1)>(3) == ints{2, 1});
  CHECK(slice.operator()<range_of(unbounded, unbounded, 3)>(7) == ints{0, 3, 6});
  CHECK(slice.operator()<range_of(unbounded, unbounded, -2)>(6) == ints{5, 3, 1});
  CHECK(slice.operator()<range_of(1, unbounded, 2)>(1) == ints{});
  CHECK(message_of([&] { (void)jig::strided_slice<4>(jig::zeros<int, dyn>(4)); }) == "StridedSlice: the index is out of range: int32 (4,)");
  CHECK(jig::strided_slice<-1>(x)() == 5);
  CHECK_THROWS_AS(jig::strided_slice<-5>(jig::zeros<int, dyn>(4)), jig::invalid_argument);
}

namespace {

// Extents that are not static are numbers of values here.
struct valued_extents : jig::extent_algebra {
  std::vector<jig::index> values;
  jig::index symbol(jig::index value) {
    values.push_back(value);
    return -1 - static_cast<jig::index>(values.size());
  }
  jig::index value(jig::index e) const { return e >= 0 ? e : values[static_cast<std::size_t>(-2 - e)]; }
  jig::index combine(relation r, jig::index a, jig::index b) override {
    const jig::index x = value(a), y = value(b);
    switch (r) {
      case relation::difference: CHECK(x >= y); return symbol(x - y);
      case relation::excess: return symbol(x > y ? x - y : 0);
      case relation::steps: return symbol((x + y - 1) / y);
      default: FAIL("no slice asks for this"); return 0;
    }
  }
};

// Python's slice.indices, as it is documented.
std::vector<jig::index> positions(jig::index n, jig::index begin, jig::index end, jig::index step) {
  using jig::unbounded;
  const jig::index lowest = step < 0 ? -1 : 0, highest = step < 0 ? n - 1 : n;
  const auto bound = [&](jig::index b) { return b < 0 ? std::max(b + n, lowest) : std::min(b, highest); };
  const jig::index first = begin == unbounded ? (step < 0 ? highest : lowest) : bound(begin);
  const jig::index last = end == unbounded ? (step < 0 ? lowest : highest) : bound(end);
  std::vector<jig::index> out;
  for (jig::index i = first; step < 0 ? i > last : i < last; i += step) out.push_back(i);
  return out;
}

}  // namespace

TEST_CASE("ranges are those of NumPy, whether or not the extent is known") {
  using jig::attribute_kind, jig::unbounded;
  int wrong = 0, count = 0;
  std::vector<jig::index> bounds{unbounded};
  for (jig::index b = -7; b <= 7; ++b) bounds.push_back(b);
  for (jig::index n = 0; n <= 5; ++n)
    for (jig::index begin : bounds)
      for (jig::index end : bounds)
        for (jig::index step : {-7, -3, -2, -1, 1, 2, 3, 7}) {
          const auto expected = positions(n, begin, end, step);
          const jig::index first = begin == unbounded ? 0 : begin, last = end == unbounded ? 0 : end, none = 0;
          const jig::index begin_mask = begin == unbounded, end_mask = end == unbounded;
          const jig::attribute_view with[] = {
              {"begin", attribute_kind::integers, {&first, 1}},      {"end", attribute_kind::integers, {&last, 1}},
              {"strides", attribute_kind::integers, {&step, 1}},     {"begin_mask", attribute_kind::integer, {&begin_mask, 1}},
              {"end_mask", attribute_kind::integer, {&end_mask, 1}}, {"shrink_axis_mask", attribute_kind::integer, {&none, 1}}};
          valued_extents algebra;
          const jig::index extent = algebra.symbol(n);
          for (jig::index e : {n, extent}) {
            const jig::tensor_spec in{jig::dtype::float32, {1, {e}}};
            jig::rule_context c;
            c.inputs = {&in, 1};
            c.attributes = with;
            c.algebra = &algebra;
            jig::ops::strided_slice.rule(c);
            wrong += c.failed || algebra.value(c.result.shape[0]) != static_cast<jig::index>(expected.size());
            ++count;
          }
          if (expected.empty()) continue;
          const jig::shape whole{1, {n}}, strides{1, {1}}, part{1, {static_cast<jig::index>(expected.size())}};
          jig::index offset = 0;
          jig::shape found = part;
          jig::ops::strided_slice.restride({with, whole, strides, part}, offset, found);
          wrong += offset != expected[0] || found[0] != step;
        }
  CHECK(wrong == 0);
  CHECK(count == 6 * 16 * 16 * 8 * 2);
}

TEST_CASE("gradients of slices along wildcard extents") {
  using jig::range_of, jig::unbounded;
  const auto slope = jig::grad<0>([](auto x) { return jig::reduce_sum(jig::square(jig::strided_slice<range_of(1, unbounded, 2)>(x))); });
  CHECK(elements(slope(counted<double, dyn>(6))) == std::vector<double>{0, 2, 0, 6, 0, 10});
  CHECK(elements(slope(counted<double, dyn>(1))) == std::vector<double>{0});
  CHECK(slope(counted<double, dyn>(0)).size() == 0);
  const auto differences = jig::grad<0>([](auto x) {
    return jig::reduce_sum(jig::square(jig::strided_slice<range_of(1, unbounded)>(x) - jig::strided_slice<range_of(unbounded, -1)>(x)));
  });
  CHECK(elements(differences(counted<double, dyn>(4))) == std::vector<double>{-2, 0, 0, 2});
}

TEST_CASE("a slice of all of every axis is its input") {
  using jig::all, jig::range_of, jig::unbounded;
  constexpr auto slices = [](auto f, auto spec) {
    return jig::function(f).get_concrete_function(spec).optimized_graph().count("StridedSlice");
  };
  constexpr jig::spec<float, 5, 8> known{};
  constexpr jig::spec<float, dyn, 8> wildcard{};
  constexpr auto whole = [](auto x) { return x(all, range_of<0, 8>()) + 1; };
  static_assert(slices(whole, known) == 0 && slices(whole, wildcard) == 0);
  static_assert(slices([](auto x) { return x(range_of<0, 5>(), range_of<-8, 100>()) + 1; }, known) == 0);
  static_assert(slices([](auto x) { return x(range_of<0, unbounded>(), all) + 1; }, wildcard) == 0);
  static_assert(slices([](auto x) { return x(all, range_of<0, 7>()) + 1; }, known) == 1);
  static_assert(slices([](auto x) { return x(all, range_of<1, 8>()) + 1; }, known) == 1);
  static_assert(slices([](auto x) { return x(range_of<0, 5>(), all) + 1; }, wildcard) == 1);
  static_assert(slices([](auto x) { return x(range_of<-5, unbounded>(), all) + 1; }, wildcard) == 1);
  static_assert(slices([](auto x) { return x(range_of<unbounded, unbounded, 2>(), all) + 1; }, known) == 1);
  static_assert(slices([](auto x) { return x(range_of<unbounded, unbounded, -1>(), all) + 1; }, known) == 1);
  CHECK(elements(jig::function(whole)(counted<float, dyn, 8>(2))) == elements(counted<float, dyn, 8>(2) + 1));
}
