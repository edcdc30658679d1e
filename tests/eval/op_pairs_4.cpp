// SPDX-License-Identifier: MIT
// Wildcard extents, second half of the pairs of kinds.
#include "../compiled_pairs.hpp"

TEST_CASE("ops behind ops in one compiled function: wildcard extents, second half") { pairs::check_all_kinds<85, 169, 1, true>(); }
