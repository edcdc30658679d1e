// SPDX-License-Identifier: MIT
// Both macros, since where the header is precompiled it does not see them.
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
