// SPDX-License-Identifier: MIT
// jig-model: what a saved model is, in which other formats it can be, and what it computes.
//   jig-model show MODEL                     signatures, ops, operations and memory
//   jig-model convert MODEL TARGET           in the format of the target's extension
//   jig-model run MODEL FILES.npy -o FOLDER  one call for each file; results are FOLDER/<file>.<result>.npy

#include <jig/io.hpp>
#include <jig/io/npy.hpp>

#include <CLI/CLI.hpp>
#include <iostream>
#include <map>

namespace {

namespace fs = std::filesystem;

struct options {
  std::string model, target, format, signature, folder = ".";
  jig::index rows = 1;
  std::vector<std::string> files, fixed;
  bool quiet = false;
};

jig::loaded_function load(const options& o) {
  const jig::loaded_function f = jig::load(o.model);
  return o.signature.empty() ? f : f.signature(o.signature);
}

void count_ops(std::map<std::string, int>& ops, const jig::graph_view& g) {
  for (int id = 0; id < g.size(); ++id) {
    ++ops[std::string(g.node(id).op())];
    g.for_each_body(g.data(id), [&](const jig::graph_view& body) { count_ops(ops, body); });
  }
}
jig::index bytes_of(const jig::tensor_spec& s) { return s.shape.size() * static_cast<jig::index>(jig::size_of(s.dtype)); }
jig::index constant_bytes(const jig::graph_view& g) {
  jig::index total = 0;
  for (int id = 0; id < g.size(); ++id) {
    if (g.node(id).kind().is(jig::fact::constant)) total += bytes_of(g.data(id).spec);
    g.for_each_body(g.data(id), [&](const jig::graph_view& body) { total += constant_bytes(body); });
  }
  return total;
}

void show(const options& o) {
  const jig::loaded_function model = load(o);
  for (const std::string& key : model.signatures()) {
    if (!o.signature.empty() && key != o.signature) continue;
    const jig::loaded_function f = model.signature(key);
    std::cout << "signature " << key << ": " << f.pretty_printed_signature();
    // Wildcard extents are taken to be so many.
    std::vector<jig::tensor_spec> arguments;
    for (std::size_t k = 0; k < f.input_names().size(); ++k) {
      jig::tensor_spec s = f.input_spec(k);
      for (int axis = 0; axis < s.shape.rank; ++axis)
        if (!jig::is_static_extent(s.shape[axis])) s.shape[axis] = o.rows;
      arguments.push_back(s);
    }
    const jig::loaded_function fixed(f.model_for(arguments));
    const jig::graph_view graph = f.has_graph() ? f.graph() : fixed.graph();
    std::map<std::string, int> ops;
    count_ops(ops, graph);
    std::cout << "  Ops:\n";
    for (const auto& [op, count] : ops) std::cout << "    " << op << ": " << count << '\n';
    const jig::index flops = fixed.optimized_graph().flops(), bytes = fixed.graph().bytes();
    std::cout << "  With " << o.rows << " for each extent that is not known:\n    floating-point operations: "
              << (flops < 0 ? "depends on values" : std::to_string(flops))
              << "\n    bytes of arguments and results: " << (bytes < 0 ? "depends on values" : std::to_string(bytes))
              << "\n    bytes of constants: " << constant_bytes(graph) << '\n';
  }
  for (const auto& v : model.variables()) {
    jig::message m;
    m << "variable " << v.name << ": " << v.declared;
    std::cout << m.view() << '\n';
  }
}

void show_progress(std::size_t done, std::size_t all) {
  constexpr std::size_t width = 40;
  const std::size_t filled = width * done / all;
  std::cerr << '\r' << '[' << std::string(filled, '=') << std::string(width - filled, ' ') << "] " << done << '/' << all
            << (done == all ? "\n" : "") << std::flush;
}

// What is given as name=file is the same in every call; the argument that is left comes from the files.
void run(const options& o) {
  const jig::loaded_function f = load(o);
  const auto& names = f.input_names();
  std::vector<jig::any_tensor> given(names.size());
  std::vector<bool> known(names.size(), false);
  for (const std::string& text : o.fixed) {
    const std::size_t at = text.find('=');
    std::size_t k = 0;
    while (k < names.size() && names[k] != text.substr(0, at)) ++k;
    if (at == text.npos || k == names.size()) throw CLI::ValidationError("--fix", text + " is not NAME=FILE.npy of an argument");
    given[k] = jig::load_npy(text.substr(at + 1));
    known[k] = true;
  }
  std::size_t open = names.size(), left = 0;
  for (std::size_t k = names.size(); k-- > 0;)
    if (!known[k]) open = k, ++left;
  if (left != 1) {
    std::string list;
    for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
    throw CLI::ValidationError("FILES", "they are one argument: --fix the others of " + list);
  }
  fs::create_directories(o.folder);
  for (std::size_t i = 0; i < o.files.size(); ++i) {
    given[open] = jig::load_npy(o.files[i]);
    const auto results = f.call(given);
    for (std::size_t k = 0; k < results.size(); ++k)
      jig::save_npy(fs::path(o.folder) / (fs::path(o.files[i]).stem().string() + '.' + f.output_names()[k] + ".npy"), results[k]);
    if (!o.quiet && o.files.size() > 1) show_progress(i + 1, o.files.size());
  }
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("What a saved model is, in which other formats it can be, and what it computes.", "jig-model");
  app.require_subcommand(1);
  options o;
  const auto add = [&](const char* name, const char* about) {
    CLI::App* const command = app.add_subcommand(name, about);
    command->add_option("MODEL", o.model, "a file, or the folder of a SavedModel or of TensorFlow.js")->required();
    command->add_option("-s,--signature", o.signature, "of a SavedModel; else serving_default");
    return command;
  };
  CLI::App* const shown = add("show", "prints signatures, ops, operations and memory");
  shown->add_option("-r,--rows", o.rows, "for each extent that is not known")->check(CLI::PositiveNumber);
  CLI::App* const converted = add("convert", "writes the model in another format, that of the target's extension");
  converted->add_option("TARGET", o.target, "such as model.pb, model.onnx, model.dot or a folder saved_model")->required();
  converted->add_option("-f,--format", o.format, "in place of the extension: its name, such as SavedModel");
  CLI::App* const ran = add("run", "calls the model for each of some .npy files");
  ran->add_option("FILES", o.files, "one argument, for one call each")->required()->check(CLI::ExistingFile);
  ran->add_option("-x,--fix", o.fixed, "NAME=FILE.npy: another argument, the same in all calls");
  ran->add_option("-o,--output", o.folder, "the folder of the results, FILE.RESULT.npy");
  ran->add_flag("-q,--quiet", o.quiet, "no progress bar");
  CLI11_PARSE(app, count, arguments);
  try {
    if (*shown) show(o);
    else if (*converted) jig::save(load(o), o.target, o.format);
    else run(o);
  } catch (const CLI::Error& e) {
    return app.exit(e);
  } catch (const std::exception& e) {
    std::cerr << "jig-model: " << e.what() << '\n';
    return 1;
  }
}
