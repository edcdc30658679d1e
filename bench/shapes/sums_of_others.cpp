// SPDX-License-Identifier: MIT
// Sums over every subset of axes of doubles and integers.

#include "over.hpp"

using namespace loops;

ROWS(sums_of_others){
    SUBSETS(reduce_sum, add, double, 300, 17, 9),
    SUBSETS(reduce_sum, add, int, 300, 17, 9),
};
