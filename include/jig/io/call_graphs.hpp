// SPDX-License-Identifier: MIT
#pragma once
// Functions of files that tell no graph for all calls.

#include <jig/io/named_graph.hpp>
#include <jig/runtime/any_tensor.hpp>

#include <string>
#include <vector>

namespace jig {

/// A function whose graph is made for the arguments of a call, because their extents or elements steer it.
class call_graphs {
 public:
  /// What the file declares; of unknown rank where it says nothing of a shape.
  struct declaration {
    std::string name;
    std::vector<std::string> inputs{}, outputs{};
    std::vector<tensor_spec> input_specs{}, output_specs{};
  };

  virtual ~call_graphs() = default;
  virtual const declaration& declared() const = 0;
  /// Runs the graph for these arguments, which is kept for calls with the same specs. May be called at the same time.
  /// Errors: what the file's ops refuse throws jig::error.
  virtual std::vector<any_tensor> run(const std::vector<any_tensor>& arguments) const = 0;
  /// The graph for arguments of these specs.
  /// Errors: extents that are unknown, or elements that steer the graph, throw jig::error.
  virtual jig::graph graph_for(const std::vector<tensor_spec>& arguments) const = 0;
};

}  // namespace jig
