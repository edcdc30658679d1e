// SPDX-License-Identifier: MIT
#pragma once
// Rows of the table of ops on run-time tensors: as one graph, planned or op by op.

#include "op_pairs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pairs {

using jig::any_tensor;

/// A row as a function of dynamic symbols: what it says of itself, and its lambda.
struct table_row : row_facts {
  using row_function = jig::dynamic_symbol (*)(const jig::dynamic_symbol&, const jig::dynamic_symbol&, const jig::dynamic_symbol&);
  row_function f;
};
const std::vector<table_row>& all_rows();

/// An operand, and all those of a row.
any_tensor made(const operand_spec&, index salt);
std::vector<any_tensor> operands_of(const table_row&, jig::dtype, const shape& x, index salt);
bool takes(const table_row&, jig::dtype, int rank);
bool takes(const table_row&, const any_tensor&);

/// Nothing where a call throws invalid_argument.
using results = std::optional<std::vector<any_tensor>>;
/// One row, or one behind another, as a graph of five arguments; `filled` adds those that are not there.
jig::graph graph_of(const std::vector<const table_row*>& chain, const std::vector<any_tensor>& arguments);
std::vector<any_tensor> filled(std::vector<any_tensor>);
/// One op after another, every value a tensor of its own.
results op_by_op(const jig::graph&, const std::vector<any_tensor>& arguments);
results planned(const jig::detail::runtime_graph<>&, const std::vector<any_tensor>& arguments);
/// How they differ; empty if they do not, up to rounding, in their own dtype and in `computed`: fused loops may round otherwise.
std::string difference(const results& found, const results& expected, jig::dtype computed);

}  // namespace pairs
