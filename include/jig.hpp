// SPDX-License-Identifier: MIT
#pragma once
// jig: functions traced at compile time. This header is all a program includes.
//
// Much of what it brings are templates though only one type ever takes the place of their parameter (`class Graph = graph_view`,
// `const auto& names`): what a program includes and does not use is then parsed, but neither checked nor instantiated.

#include <jig/core/requirements.hpp>

// Otherwise requirements.hpp has said what is missing.
#if __cplusplus >= 202002L

// Compilers print by which headers they came to the place of an error. Those where most errors are come first, so that it is one line.
#include <jig/core/error.hpp>
#include <jig/core/tensor.hpp>
#include <jig/ops/effect.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/trace/builder.hpp>
#include <jig/trace/symbol.hpp>
#include <jig/trace/trace.hpp>
#include <jig/trace/traceable.hpp>

#include <jig/core/print.hpp>
#include <jig/core/repr.hpp>
#include <jig/eager.hpp>
#include <jig/eval/arg_extreme.hpp>
#include <jig/eval/bincount.hpp>
#include <jig/eval/convolution.hpp>
#include <jig/eval/effect.hpp>
#include <jig/eval/few_candidates.hpp>
#include <jig/eval/gathered_elements.hpp>
#include <jig/eval/host_call.hpp>
#include <jig/eval/image_resize.hpp>
#include <jig/eval/join.hpp>
#include <jig/eval/linear_systems.hpp>
#include <jig/eval/matmul.hpp>
#include <jig/eval/one_hot.hpp>
#include <jig/eval/pad.hpp>
#include <jig/eval/pool.hpp>
#include <jig/eval/random.hpp>
#include <jig/eval/scan.hpp>
#include <jig/eval/searchsorted.hpp>
#include <jig/eval/segment.hpp>
#include <jig/eval/sort.hpp>
#include <jig/eval/summary.hpp>
#include <jig/function.hpp>
#include <jig/gradient.hpp>
#include <jig/graph/dot.hpp>
#include <jig/graph/graph_def.hpp>
#include <jig/graph/text.hpp>
#include <jig/graph/verify.hpp>
#include <jig/jacobian.hpp>
#include <jig/ops/activation.hpp>
#include <jig/ops/arg_extreme.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/attention.hpp>
#include <jig/ops/band_part.hpp>
#include <jig/ops/bincount.hpp>
#include <jig/ops/bits.hpp>
#include <jig/ops/clip_norm.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/compound_assignment.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/convolution.hpp>
#include <jig/ops/count_nonzero.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/cumulative.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/einsum.hpp>
#include <jig/ops/embedding.hpp>
#include <jig/ops/exponential.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/gather.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/ops/host_call.hpp>
#include <jig/ops/invert_permutation.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/linear_algebra.hpp>
#include <jig/ops/linear_systems.hpp>
#include <jig/ops/mask.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/meshgrid.hpp>
#include <jig/ops/no_nan.hpp>
#include <jig/ops/normalization.hpp>
#include <jig/ops/number_assignment.hpp>
#include <jig/ops/one_hot.hpp>
#include <jig/ops/pad.hpp>
#include <jig/ops/polyval.hpp>
#include <jig/ops/pool.hpp>
#include <jig/ops/power.hpp>
#include <jig/ops/random.hpp>
#include <jig/ops/reduce_prod.hpp>
#include <jig/ops/repeat.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/resize.hpp>
#include <jig/ops/roll.hpp>
#include <jig/ops/rounding.hpp>
#include <jig/ops/scatter.hpp>
#include <jig/ops/searchsorted.hpp>
#include <jig/ops/segment.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/sequence_mask.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/ops/slice.hpp>
#include <jig/ops/sort.hpp>
#include <jig/ops/space_to_depth.hpp>
#include <jig/ops/special.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/ops/tensor_array.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/ops/trigonometric.hpp>
#include <jig/ops/unary.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/dynamic_trace.hpp>
#include <jig/trace/cond.hpp>
#include <jig/trace/control.hpp>
#include <jig/trace/effect.hpp>
#include <jig/trace/element_reference.hpp>
#include <jig/trace/gru.hpp>
#include <jig/trace/lstm.hpp>
#include <jig/trace/range.hpp>
#include <jig/trace/scan.hpp>
#include <jig/trace/variables.hpp>
#include <jig/trace/while_loop.hpp>
#include <jig/version.hpp>

#endif
