// SPDX-License-Identifier: MIT
#include <jig/eval/maths/exponential.hpp>

#include "../../maths_checks.hpp"

TEST_CASE("exponentials are at most 4 ulp off, and right where there are no digits") { for_each_exponential(compare_both); }
