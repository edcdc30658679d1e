// SPDX-License-Identifier: MIT
// Largest elements over every subset of axes.

#include "over.hpp"

using namespace loops;

ROWS(extremes){
    SUBSETS(reduce_max, larger, float, 3, 5000, 5),
    SUBSETS(reduce_max, larger, u8, 300, 30, 4),
};
