// SPDX-License-Identifier: MIT
#include <jig/ops/source.hpp>

#include <doctest/doctest.h>

TEST_CASE("arguments and constants are marked as such, and no rule is asked about them") {
  static_assert(jig::ops::placeholder.name == "Placeholder" && jig::ops::placeholder.is(jig::fact::input));
  static_assert(jig::ops::constant.name == "Const" && jig::ops::constant.is(jig::fact::constant));
  static_assert(!jig::ops::placeholder.is(jig::fact::constant) && !jig::ops::constant.is(jig::fact::elementwise));
  jig::rule_context c;
  jig::ops::constant.rule(c);
  CHECK(c.failed);
}
