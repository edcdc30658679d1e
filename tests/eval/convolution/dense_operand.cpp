// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/dense_operand.hpp>

#include <jig/core/any_rank_view.hpp>

#include <doctest/doctest.h>

TEST_CASE("what is row-major is read in place, all else is copied") {
  using view = jig::any_rank_view<const float>;
  const float memory[] = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto read = [&](const view& v) {
    const jig::detail::dense_operand<float, view> dense(jig::detail::memory_of_threads, v);
    int wrong = 0;
    jig::index k = 0;
    for (const float x : v) wrong += dense.data[k++] == x ? 0 : 1;
    CHECK(wrong == 0);
    return dense.data == memory;
  };
  CHECK(read(view(memory, {2, {2, 3}})));
  CHECK(!read(view(memory, {2, {3, 2}}, {2, {1, 3}})));
  CHECK(!read(view(memory, {2, {2, 3}}, {2, {4, 1}})));
  // Steps along axes of one element do not count.
  CHECK(read(view(memory, {2, {1, 3}}, {2, {77, 1}})));
  CHECK(!read(view(memory, {1, {4}}, {1, {2}})));
  CHECK(!read(view(memory, {1, {4}}, {1, {0}})));
}
