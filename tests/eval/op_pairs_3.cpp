// SPDX-License-Identifier: MIT
// Wildcard extents, first half of the pairs of kinds.
#include "../compiled_pairs.hpp"

TEST_CASE("ops behind ops in one compiled function: wildcard extents, first half") { pairs::check_all_kinds<0, 85, 1, true>(); }
