// SPDX-License-Identifier: MIT
#pragma once
// Functions of files that tell no graph for all calls.

#include <jig/io/named_graph.hpp>
#include <jig/runtime/any_tensor.hpp>

#include <optional>
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
  /// The names and specs by which callers know the function.
  virtual const declaration& declared() const = 0;
  /// The graph for arguments of these specs, all of whose extents are known. May be called at the same time.
  /// Errors: what jig has no word for, and elements that steer the graph, throw jig::error.
  virtual jig::graph graph_for(const std::vector<tensor_spec>& arguments) const = 0;
  /// The results for these arguments where their elements may steer the graph; nothing where graph_for() tells enough.
  virtual std::optional<std::vector<any_tensor>> run(const std::vector<any_tensor>&) const { return std::nullopt; }
};

}  // namespace jig
