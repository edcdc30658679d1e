// SPDX-License-Identifier: MIT
// All tests with run-time tensors share the kernels of this file. The header comes first, so that it is seen to stand alone.
#define JIG_BUILD_KERNELS
#include <jig/runtime/all_kernels.hpp>

#include <doctest/doctest.h>

namespace detail = jig::detail;
namespace ops = jig::ops;
using jig::fact;

TEST_CASE("every op that is computed has a kernel") {
  for (const jig::op* kind : detail::all_ops) {
    CAPTURE(kind->name);
    const detail::runtime_kernel* found = detail::find_runtime_kernel(*kind);
    constexpr fact none = fact::view | fact::control | fact::input | fact::constant | fact::output;
    bool made_of_others = false;
    for (const jig::op* other : {&ops::gradient, &ops::custom_gradient, &ops::adjoint_of, &ops::trace_note})
      made_of_others = made_of_others || kind == other;
    if (kind->is(none) || made_of_others) {
      CHECK(found == nullptr);
      continue;
    }
    REQUIRE(found != nullptr);
    CHECK((found->block != nullptr) == kind->is(fact::elementwise));
    CHECK((found->run != nullptr) != kind->is(fact::elementwise));
  }
}
