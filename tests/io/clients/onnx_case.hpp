// SPDX-License-Identifier: MIT
#pragma once
// Models that ONNX's checker and ONNX Runtime see, with arguments.

#include <jig.hpp>

#include <jig/io/named_graph.hpp>

#include <string>
#include <vector>

/// A model and the arguments of its calls.
struct onnx_case {
  std::string name;
  jig::named_graph graph;
  std::vector<std::vector<jig::any_tensor>> calls;
};

/// Each row of the table of ops alone (tests/op_pairs.hpp), of every dtype that it takes.
std::vector<onnx_case> onnx_rows();
/// Ops with their attributes, of run-time graphs.
std::vector<onnx_case> onnx_ops();
/// Networks and programs as users write them.
std::vector<onnx_case> onnx_networks();
