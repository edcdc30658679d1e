// SPDX-License-Identifier: MIT
// jig's run-time library (`jig::runtime` of CMake, `jig_runtime_dep` of Meson): what run-time tensors need, compiled once. Programs
// that link it are compiled with JIG_PREBUILT_KERNELS and with the same instruction set.
#define JIG_BUILD_KERNELS
#include <jig/runtime/all_kernels.hpp>
