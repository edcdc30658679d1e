// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig/core/any_view.hpp>
#include <jig/core/view.hpp>

TEST_CASE("a view forgets its type and keeps the rest") {
  const double data[] = {1, 2, 3, 4, 5, 6};
  const jig::any_view v = jig::untyped(jig::view<const double, 3, 2>(data, {3, 2}, {1, 3}));
  CHECK(v.dtype == jig::dtype::float64);
  CHECK(v.data == data);
  CHECK(v.extents == jig::shape{2, {3, 2}});
  CHECK(v.strides == jig::shape{2, {1, 3}});
  CHECK(v.at<double>(4) == 5);
  CHECK(jig::untyped(jig::dense_view<const double, jig::dyn>(data, {1, {6}})).strides == jig::shape{1, {1}});
}

TEST_CASE("a dtype finds its type") {
  for (int d = 0; d < jig::dtype_count; ++d) {
    const auto wanted = static_cast<jig::dtype>(d);
    CHECK(jig::detail::with_type_of(wanted, []<class T>(const T&) { return jig::dtype_of<T>; }) == wanted);
  }
}
