// SPDX-License-Identifier: MIT
#pragma once
// Layers, losses and optimisers: structs of variables and functions on the public interface, as any program could write them.

#include <jig/nn/accuracy.hpp>
#include <jig/nn/activations.hpp>
#include <jig/nn/adam.hpp>
#include <jig/nn/adamw.hpp>
#include <jig/nn/binary_crossentropy.hpp>
#include <jig/nn/callback.hpp>
#include <jig/nn/callbacks.hpp>
#include <jig/nn/categorical_crossentropy.hpp>
#include <jig/nn/clipping.hpp>
#include <jig/nn/convolution.hpp>
#include <jig/nn/cross_entropy.hpp>
#include <jig/nn/csv_logger.hpp>
#include <jig/nn/dense.hpp>
#include <jig/nn/dropout.hpp>
#include <jig/nn/early_stopping.hpp>
#include <jig/nn/embedding.hpp>
#include <jig/nn/history.hpp>
#include <jig/nn/initializers.hpp>
#include <jig/nn/layer.hpp>
#include <jig/nn/mean.hpp>
#include <jig/nn/multi_head_attention.hpp>
#include <jig/nn/normalization.hpp>
#include <jig/nn/parameters.hpp>
#include <jig/nn/pooling.hpp>
#include <jig/nn/regression_losses.hpp>
#include <jig/nn/reshaping.hpp>
#include <jig/nn/rmsprop.hpp>
#include <jig/nn/schedules.hpp>
#include <jig/nn/sequential.hpp>
#include <jig/nn/sgd.hpp>
#include <jig/nn/state.hpp>
#include <jig/nn/summary.hpp>
#include <jig/nn/trainable.hpp>
#include <jig/nn/trainer.hpp>
