// SPDX-License-Identifier: MIT
#pragma once
// GraphDefs as bytes in memory, also in that of the program itself: what reads them is constexpr, so that these are constants.

#include <jig/io/tensorflow/imported_control.hpp>
#include <jig/io/tensorflow/wire_messages.hpp>

namespace jig {

namespace detail {

constexpr void throw_if_found(const wire_problem& problem, const std::string& file) {
  if (problem.found) throw_load_error(file, problem.offset, problem.reason);
}
constexpr tensorflow::read_budget budget_of(const load_limits& limits) { return {limits.elements, limits.nodes, 8 * limits.nodes}; }

constexpr tensorflow::graph_message message_of_graph_def(std::string_view bytes, const std::string& file, const load_limits& limits) {
  wire_problem problem;
  auto budget = budget_of(limits);
  auto read = tensorflow::read_graph(wire_reader(bytes, problem, 0, limits.nesting), budget);
  throw_if_found(problem, file);
  return read;
}
/// Reads a GraphDef from bytes. `file` is what errors call it.
constexpr named_graph graph_of_graph_def(std::string_view bytes, const std::string& file, const load_limits& limits) {
  const auto read = message_of_graph_def(bytes, file, limits);
  return tensorflow::importer(tensorflow::import_special, read, file, limits).take();
}

// What bytes in static storage say, as a constant.
template <const auto& Bytes>
class embedded_graph_def {
  static constexpr named_graph read() {
    const std::vector<char> bytes(std::begin(Bytes), std::end(Bytes));
    return graph_of_graph_def({bytes.data(), bytes.size()}, "a GraphDef in the program", {});
  }
  static constexpr graph_sizes sizes = sizes_of(read().graph.view());
  static constexpr static_graph<sizes> storage{read().graph.view()};

 public:
  static constexpr graph_view graph = storage.view();
};

}  // namespace detail

/// The graph that a GraphDef is, whose bytes are an array of characters in the program (`xxd -i model.pb`), as a constant: it is read while
/// the program is compiled, and `static_assert`s look at it.
/// Errors: bytes that `jig::load` refuses do not compile.
/// Cost: compile time; some 50 000 bytes are within GCC's limits of constant evaluation, more need a higher `-fconstexpr-ops-limit`.
template <const auto& Bytes>
inline constexpr graph_view embedded_graph = detail::embedded_graph_def<Bytes>::graph;

}  // namespace jig
