// SPDX-License-Identifier: MIT
#pragma once
// What jig needs, in a sentence where it is missing: without it compilers would print thousands of lines.

#if __cplusplus < 202002L
#error "jig needs C++20: compile with -std=c++20"
#elif !__has_include(<boost/hana/fwd/tuple.hpp>)
#error "jig needs Boost.Hana: apt-get install libboost-dev"
#include <boost/hana/fwd/tuple.hpp>  // which ends the compilation here
#endif
