// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's GraphDef as a file: binary (`.pb`) and as text (`.pbtxt`).

#include <jig/io/embedded_graph.hpp>
#include <jig/io/files.hpp>
#include <jig/io/formats.hpp>
#include <jig/io/tensorflow/graph_at_calls.hpp>
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

inline tensorflow::graph_message message_of_graph_def_text(std::string_view text, const std::string& file, const load_limits& limits) {
  wire_problem problem;
  auto budget = budget_of(limits);
  const auto fields = tensorflow::text_parser(text, limits, problem).parse();
  throw_if_found(problem, file);
  auto read = tensorflow::text_reader(problem, budget).graph(fields);
  throw_if_found(problem, file);
  return read;
}
inline named_graph graph_of_graph_def_text(std::string_view text, const std::string& file, const load_limits& limits) {
  return tensorflow::imported_graph(message_of_graph_def_text(text, file, limits), {}, file, limits);
}

inline void write_graph_def(const named_graph& g, const std::filesystem::path& path) { replace_file(path, graph_def_bytes(g)); }
inline void write_graph_def_text(const named_graph& g, const std::filesystem::path& path) { replace_file(path, graph_def_text(g)); }
inline model_graphs read_graph_def(const std::filesystem::path& path, const load_limits& limits) {
  return tensorflow::model_of_graph(message_of_graph_def(read_file(path, limits), path.string(), limits), {}, path.string(), limits);
}
inline model_graphs read_graph_def_text(const std::filesystem::path& path, const load_limits& limits) {
  return tensorflow::model_of_graph(message_of_graph_def_text(read_file(path, limits), path.string(), limits), {}, path.string(), limits);
}

inline file_format graph_def_format{.name = "GraphDef", .extension = ".pb", .write = write_graph_def, .read_model = read_graph_def};
inline file_format graph_def_text_format{
    .name = "GraphDef as text", .extension = ".pbtxt", .write = write_graph_def_text, .read_model = read_graph_def_text};
inline const bool graph_def_entered = enter_format(graph_def_text_format) && enter_format(graph_def_format);

}  // namespace detail

/// A function as text of TensorFlow's GraphDef, as protoc prints it.
/// Errors: what TensorFlow cannot say throws jig::error, which names the op and the node.
template <class Function>
std::string as_graph_def_text(const Function& f) {
  if constexpr (requires { f.model(); }) return detail::graph_def_text(f.model());
  else return detail::graph_def_text(named_graph_of(f));
}

}  // namespace jig
