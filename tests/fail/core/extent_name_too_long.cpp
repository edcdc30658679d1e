// SPDX-License-Identifier: MIT
// expect-error: valid_name
#include <jig.hpp>

#ifdef JIG_CONTROL
using batch = jig::spec<float, jig::dim<"batch_size">>;
#else
using batch = jig::spec<float, jig::dim<"batch_sizes">>;
#endif

int main() { return batch::rank(); }
