// SPDX-License-Identifier: MIT
// The kernels that all tests with run-time tensors share.
#define JIG_BUILD_KERNELS
#include <jig/runtime/all_kernels.hpp>
