// SPDX-License-Identifier: MIT
// Static extents, second half of the pairs of kinds.
#include "../compiled_pairs.hpp"

TEST_CASE("ops behind ops in one compiled function: static extents, second half") { pairs::check_all_kinds<85, 169, 0, false>(); }
