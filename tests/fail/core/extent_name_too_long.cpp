// SPDX-License-Identifier: MIT
// expect-error: valid_name
#include <jig.hpp>

#ifdef JIG_CONTROL
using batch = jig::spec<float, jig::dim<"sequences_in_all_of_the_batches">>;
#else
using batch = jig::spec<float, jig::dim<"sequences_in_all_of_the_batchess">>;
#endif

int main() { return batch::rank(); }
