// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>
#include <jig/runtime/kernels.hpp>

namespace detail = jig::detail;
namespace ops = jig::ops;

TEST_CASE("kernels that a program names are in its list") {
  CHECK(detail::runtime_kernel_registration<ops::squared_difference>::entered);
  const detail::runtime_kernel* found = detail::find_runtime_kernel(ops::squared_difference);
  REQUIRE(found != nullptr);
  CHECK(found->kind == &ops::squared_difference);
  CHECK((found->block != nullptr));
}

TEST_CASE("others are not") { CHECK(detail::find_runtime_kernel(ops::placeholder) == nullptr); }
