// SPDX-License-Identifier: MIT
#include <jig/data/element.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

namespace detail = jig::data::detail;

TEST_CASE("Views are kept as tensors, in tuples too") {
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  const jig::view<const float, 2, 3> rows(numbers);
  static_assert(std::is_same_v<detail::owned<std::tuple<int, jig::view<jig::row_major<const float>, jig::dyn>>>,
                               std::tuple<int, jig::tensor<float, jig::dyn>>>);
  const auto [kept, number] = detail::own(std::tuple(rows, 7));
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(kept)>, jig::tensor<float, 2, 3>>);
  CHECK(kept(1, 0) == 4);
  CHECK(number == 7);
}

TEST_CASE("Elements at any strides are copied in row-major order") {
  const int numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  // Every other column of 2 x 6 backwards, each twice.
  const jig::view<const int, 2, 3, 2> picked(numbers + 4, {2, 3, 2}, {6, -2, 0});
  int out[12];
  detail::copy_view(picked, out);
  CHECK(std::vector<int>(out, out + 12) == std::vector<int>{4, 4, 2, 2, 0, 0, 10, 10, 8, 8, 6, 6});
  const jig::view<const int, jig::dyn, 3> nothing(numbers, {0, 3}, {7, 1});
  detail::copy_view(nothing, out);
}

TEST_CASE("A function has one argument for each component") {
  auto sum = [](auto... x) { return (0 + ... + x); };
  CHECK(detail::call_with(sum, 5) == 5);
  CHECK(detail::call_with(sum, std::tuple(1, 2, 3)) == 6);
}

}  // namespace
