// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's SavedModel: a folder with a graph and its signatures in `saved_model.pb`, and the values of variables in `variables/`.

#include <jig/io/folders.hpp>
#include <jig/io/formats.hpp>
#include <jig/io/tensorflow/model_reader.hpp>
#include <jig/io/tensorflow/model_writer.hpp>

namespace jig::detail {

inline void write_saved_model(const model_graphs& model, const std::filesystem::path& folder) {
  const tensorflow::model_writer written(model);
  wire_writer w;
  tensorflow::write_saved_model(w, written.out);
  std::map<std::string, any_tensor> values;
  for (std::size_t k = 0; k < model.variables.size(); ++k) values.emplace(written.keys[k], model.variables[k].value);
  folder_replacement made(folder, {"saved_model.pb", "variables", "assets", "assets.extra", "fingerprint.pb", "keras_metadata.pb"});
  require_folder(made.path() / "variables");
  if (!values.empty()) tensorflow::write_bundle(made.path() / "variables" / "variables", values);
  replace_file(made.path() / "saved_model.pb", w.bytes());
  made.commit();
}

inline model_graphs read_saved_model(const std::filesystem::path& given, const load_limits& limits) {
  const std::filesystem::path folder = given.filename() == "saved_model.pb" ? given.parent_path() : given;
  const std::string file = (folder / "saved_model.pb").string();
  const std::string bytes = read_file(file, limits);
  wire_problem problem;
  tensorflow::read_budget budget{limits.elements, limits.nodes, 8 * limits.nodes};
  auto graphs = tensorflow::read_saved_model(wire_reader(bytes, problem, 0, limits.nesting), budget);
  if (problem.found) throw_load_error(file, problem.offset, problem.reason);
  return tensorflow::model_reader(std::move(graphs), folder, file, limits).take();
}

inline file_format saved_model_format{.name = "SavedModel",
                                      .extension = "saved_model",
                                      .marker = "saved_model.pb",
                                      .write_model = write_saved_model,
                                      .read_model = read_saved_model};
inline const bool saved_model_entered = enter_format(saved_model_format);

}  // namespace jig::detail
