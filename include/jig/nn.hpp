// SPDX-License-Identifier: MIT
#pragma once
// Layers, losses and optimisers: structs of variables and functions on the public interface, as any program could write them.

#include <jig/nn/adam.hpp>
#include <jig/nn/bidirectional.hpp>
#include <jig/nn/cross_entropy.hpp>
#include <jig/nn/dense.hpp>
#include <jig/nn/dropout.hpp>
#include <jig/nn/gru.hpp>
#include <jig/nn/lstm.hpp>
#include <jig/nn/orthogonal.hpp>
#include <jig/nn/sgd.hpp>
