// SPDX-License-Identifier: MIT
#pragma once
// Layers, losses and optimisers: structs of variables and functions on the public interface, as any program could write them.

#include <jig/nn/adam.hpp>
#include <jig/nn/cross_entropy.hpp>
#include <jig/nn/dense.hpp>
#include <jig/nn/dropout.hpp>
#include <jig/nn/multi_head_attention.hpp>
#include <jig/nn/sgd.hpp>
