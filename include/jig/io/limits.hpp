// SPDX-License-Identifier: MIT
#pragma once
// How much a file may ask for. A few bytes can name any number of elements.

#include <jig/core/extent.hpp>

namespace jig {

/// Bounds on what is loaded. A file that goes beyond one is refused before memory is taken for it.
struct load_limits {
  /// Messages inside messages, and bodies inside bodies.
  int nesting = 100;
  /// Nodes of the graph and its bodies together. An ONNX model may look up eight values for each of them.
  index nodes = 1 << 20;
  /// Elements of all constants together, and of each value of an ONNX model.
  index elements = index{1} << 30;
  /// Units: bytes of a file.
  index bytes = index{1} << 33;
};

}  // namespace jig
