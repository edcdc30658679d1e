// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's GraphDef as a file: binary (`.pb`) and as text (`.pbtxt`).

#include <jig/io/files.hpp>
#include <jig/io/formats.hpp>
#include <jig/io/tensorflow/imported_control.hpp>
#include <jig/io/tensorflow/spelled_parts.hpp>
#include <jig/io/tensorflow/text_reader.hpp>
#include <jig/io/tensorflow/text_writer.hpp>

namespace jig {

namespace detail {

/// The bytes of a GraphDef.
inline std::string graph_def_bytes(const named_graph& g) {
  const tensorflow::exporter written(g, {});
  wire_writer w;
  tensorflow::write_graph(w, written.out);
  return std::string(w.bytes());
}
inline std::string graph_def_text(const named_graph& g) {
  const tensorflow::exporter written(g, {});
  tensorflow::text_writer w;
  w.write(written.out);
  return w.out;
}

constexpr void throw_if_found(const wire_problem& problem, const std::string& file) {
  if (problem.found) throw_load_error(file, problem.offset, problem.reason);
}
constexpr tensorflow::read_budget budget_of(const load_limits& limits) { return {limits.elements, limits.nodes, 8 * limits.nodes}; }

/// Reads a GraphDef from bytes. `file` is what errors call it.
constexpr named_graph graph_of_graph_def(std::string_view bytes, const std::string& file, const load_limits& limits) {
  wire_problem problem;
  auto budget = budget_of(limits);
  const auto read = tensorflow::read_graph(wire_reader(bytes, problem, 0, limits.nesting), budget);
  throw_if_found(problem, file);
  return tensorflow::importer(read, file, limits).take();
}
inline named_graph graph_of_graph_def_text(std::string_view text, const std::string& file, const load_limits& limits) {
  wire_problem problem;
  auto budget = budget_of(limits);
  const auto fields = tensorflow::text_parser(text, limits, problem).parse();
  throw_if_found(problem, file);
  const auto read = tensorflow::text_reader(problem, budget).graph(fields);
  throw_if_found(problem, file);
  return tensorflow::importer(read, file, limits).take();
}

inline void write_graph_def(const named_graph& g, const std::filesystem::path& path) { replace_file(path, graph_def_bytes(g)); }
inline void write_graph_def_text(const named_graph& g, const std::filesystem::path& path) { replace_file(path, graph_def_text(g)); }
inline named_graph read_graph_def(const std::filesystem::path& path, const load_limits& limits) {
  return graph_of_graph_def(read_file(path, limits), path.string(), limits);
}
inline named_graph read_graph_def_text(const std::filesystem::path& path, const load_limits& limits) {
  return graph_of_graph_def_text(read_file(path, limits), path.string(), limits);
}

inline file_format graph_def_format{"GraphDef", ".pb", "", write_graph_def, read_graph_def};
inline file_format graph_def_text_format{"GraphDef as text", ".pbtxt", "", write_graph_def_text, read_graph_def_text};
inline const bool graph_def_entered = enter_format(graph_def_text_format) && enter_format(graph_def_format);

}  // namespace detail

namespace detail {

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
/// Cost: compile time; where it ends the compiler's own limits of constant evaluation, `jig::load` reads the file.
template <const auto& Bytes>
inline constexpr graph_view embedded_graph = detail::embedded_graph_def<Bytes>::graph;

/// A function as text of TensorFlow's GraphDef, as protoc prints it.
/// Errors: what TensorFlow cannot say throws jig::error, which names the op and the node.
template <class Function>
std::string as_graph_def_text(const Function& f) {
  if constexpr (requires { f.model(); }) return detail::graph_def_text(f.model());
  else return detail::graph_def_text(named_graph_of(f));
}

}  // namespace jig
