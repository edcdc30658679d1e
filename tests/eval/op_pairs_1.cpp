// SPDX-License-Identifier: MIT
// Static extents, first half of the pairs of kinds.
#include "../compiled_pairs.hpp"

TEST_CASE("ops behind ops in one compiled function: static extents, first half") { pairs::check_all_kinds<0, 85, 0, false>(); }
