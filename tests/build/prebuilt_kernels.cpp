// SPDX-License-Identifier: MIT
// The kernels that all tests with run-time tensors share. The header comes first, so that it is seen to stand alone.
#define JIG_BUILD_KERNELS
#include <jig/runtime/all_kernels.hpp>
