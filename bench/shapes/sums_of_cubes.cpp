// SPDX-License-Identifier: MIT
// Sums over every subset of the axes of a cube, and of many small matrices.

#include "over.hpp"

using namespace loops;

ROWS(sums_of_cubes){
    SUBSETS(reduce_sum, add, float, 64, 64, 64),
    SUBSETS(reduce_sum, add, float, 4096, 8, 8),
};
