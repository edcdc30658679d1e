// SPDX-License-Identifier: MIT
#pragma once
// Data in elements and batches, as tf.data has them. Not part of jig.hpp.

#include <jig/data/dataset.hpp>
