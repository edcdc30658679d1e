// SPDX-License-Identifier: MIT
#include <jig/eval/summary_writer.hpp>

#include <doctest/doctest.h>

TEST_CASE("A program has one writer of summaries, and none at first") {
  auto& writer = jig::detail::summary_writer::of_program();
  CHECK(&writer == &jig::detail::summary_writer::of_program());
  CHECK((writer.write == nullptr));
}
