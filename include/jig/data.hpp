// SPDX-License-Identifier: MIT
#pragma once
// Data in elements and batches, as tf.data has them, and datasets as arguments of functions. Not part of jig.hpp.

#include <jig/data/dataset.hpp>
#include <jig/data/in_trace.hpp>
