// SPDX-License-Identifier: MIT
#pragma once
// The ops that decide what runs. Their bodies are graphs of their own that see nothing but their inputs.

#include <jig/graph/op.hpp>

namespace jig::ops {

/// One of two bodies. Inputs: the condition, then what both bodies take. Attributes `then_branch` and `else_branch`: the
/// bodies, whose results are the node's.
inline constexpr op if_op{.name = "If", .label = "cond", .facts = fact::control};

/// A body that runs as long as another one says so. Inputs: the carried values, as many as there are results, then what both
/// bodies take besides. Attributes `cond`, with one bool result, and `body`, whose results are the carried values of the
/// next trip. With attribute `shape_invariants` the wildcard extents of these may change from trip to trip.
inline constexpr op while_op{.name = "While", .label = "while", .facts = fact::control};

/// A result of a node with several; attribute `port`. Only prepared graphs have it: there every value is a node.
inline constexpr op further_output{.name = "FurtherOutput", .label = "output", .facts = fact::output};

}  // namespace jig::ops
