// SPDX-License-Identifier: MIT
// Sums over every subset of the axes of long rows, and of many tables.

#include "over.hpp"

using namespace loops;

ROWS(sums_of_slabs){
    SUBSETS(reduce_sum, add, float, 8, 8, 4096),
    SUBSETS(reduce_sum, add, float, 1000, 25, 10),
};
