// SPDX-License-Identifier: MIT
// usage: onnx_suite FOLDER [PASSED] [NAME...]
//        onnx_suite --again FOLDER: runs what the models become when they are written and read again
//        onnx_suite --open FOLDER [PASSED]: runs graphs for arguments of which only a call tells the first extent
//        onnx_suite --hostile FOLDER N: cuts each file off at every byte, changes N copies of it, and runs what can be read
// Runs the models of ONNX's backend tests below a folder (Debian's libonnx-testdata), or those
// that are named, prints how many pass by category, and which fail and why. With a file of names, fails when one of these does not pass.
#include <jig/io/onnx.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>

namespace {

namespace fs = std::filesystem;
using jig::onnx::data;
using kind = jig::onnx::value::kind;

data read_data(std::string_view bytes, const jig::onnx::type_message& type, std::size_t level, jig::wire_problem& problem) {
  using around = jig::onnx::type_message::kind;
  jig::wire_reader r(bytes, problem);
  if (level == type.around.size()) {
    auto message = jig::onnx::read_tensor(r);
    // Written by NumPy, which has no bfloat16.
    if (type.element == jig::onnx::element_type::bfloat16 && message.type == jig::onnx::element_type::uint16)
      message.type = jig::onnx::element_type::bfloat16;
    return jig::onnx::elements_of(message);
  }
  if (type.around[level] == around::sequence) {
    std::vector<data> items;
    while (r.next())
      if (r.field() == 3 || r.field() == 5 || r.field() == 7) items.push_back(read_data(r.bytes(), type, level + 1, problem));
    return data::sequence(std::move(items));
  }
  while (r.next())
    if (r.field() == 3 || r.field() == 5) return read_data(r.bytes(), type, level + 1, problem);
  return {};
}

std::string difference(const jig::any_tensor& is, const jig::any_tensor& should) {
  jig::message m;
  m << "is " << jig::tensor_spec{is.dtype(), is.shape()} << ", not " << jig::tensor_spec{should.dtype(), should.shape()};
  if (is.dtype() != should.dtype() || !(is.shape() == should.shape())) return std::string(m.view());
  std::string out;
  jig::detail::with_type_of(is.dtype(), [&]<class T>(const T&) {
    const jig::any_tensor dense(is.view());
    const T *a = static_cast<const T*>(dense.data()), *b = static_cast<const T*>(should.data());
    for (jig::index i = 0; i < is.size() && out.empty(); ++i) {
      if constexpr (jig::is_floating(jig::dtype_of<T>)) {
        const double x = static_cast<double>(static_cast<float>(a[i])), y = static_cast<double>(static_cast<float>(b[i]));
        const bool same = x == y || (x != x && y != y) || std::fabs(x - y) <= 1e-7 + 1e-3 * std::fabs(y);
        if (!same) out = "element " + std::to_string(i) + " is " + std::to_string(x) + ", not " + std::to_string(y);
      } else if (!(a[i] == b[i])) {
        out = "element " + std::to_string(i) + " differs";
        if constexpr (std::is_same_v<T, std::string>) out += ": \"" + a[i] + "\" and \"" + b[i] + '"';
      }
    }
  });
  return out;
}
std::string difference(const data& is, const data& should, bool specs_only) {
  if (is.is != should.is || is.items.size() != should.items.size()) return "another kind of value, or another number of them";
  for (std::size_t k = 0; k < is.items.size(); ++k)
    if (auto d = difference(is.items[k], should.items[k], specs_only); !d.empty()) return d;
  if (is.is != kind::tensor) return "";
  if (specs_only) return is.tensor.dtype() == should.tensor.dtype() && is.tensor.shape() == should.tensor.shape() ? "" : "another spec";
  return difference(is.tensor, should.tensor);
}

bool is_random(const std::string& name) {
  return name.find("bernoulli") != name.npos || (name.find("training_dropout") != name.npos && name.find("zero_ratio") == name.npos);
}

// The data of a model's first set.
std::vector<data> data_of(const jig::onnx_model& model, const fs::path& set, const char* what) {
  jig::wire_problem problem;
  std::vector<data> out;
  const bool inputs = what[0] == 'i';
  const auto& outputs = model.message().graph.outputs;
  for (std::size_t k = 0; k < (inputs ? model.arguments().size() : outputs.size()); ++k)
    out.push_back(read_data(jig::detail::read_file(set / (what + std::to_string(k) + ".pb"), {}),
                            inputs ? model.arguments()[k]->type : outputs[k].type, 0, problem));
  return out;
}

// Writes the graph of a model, reads that and runs it.
std::string run_again(const fs::path& folder, const std::string& name) {
  try {
    jig::onnx_model model = jig::onnx_model::of_file(folder / "model.onnx");
    auto made = model.declared_graph();
    if (!made) return "values steer its graph";
    for (const auto& f : made->results)
      if (f.is != kind::tensor) return "it returns what is no tensor";
    jig::named_graph g{"again", std::move(made->graph)};
    for (const auto* a : model.arguments()) g.inputs.emplace_back(a->name);
    for (std::size_t k = 0; k < g.graph.outputs().size(); ++k) g.outputs.push_back("result_" + std::to_string(k));
    const std::string bytes = jig::onnx::model_bytes(g);
    if (const char* to = std::getenv("JIG_ONNX_WRITTEN")) {
      std::string flat = name;
      std::replace(flat.begin(), flat.end(), '/', '.');
      jig::detail::replace_file(fs::path(to) / (flat + ".onnx"), bytes);
    }
    jig::onnx_model again(bytes, "again");
    const fs::path set = folder / "test_data_set_0";
    const auto expected = data_of(model, set, "output_");
    const auto results = again(data_of(model, set, "input_"));
    for (std::size_t k = 0; k < results.size(); ++k)
      if (auto d = difference(results[k], expected[k], is_random(name)); !d.empty()) return "result " + std::to_string(k) + ": " + d;
    return "";
  } catch (const std::exception& e) {
    return e.what();
  }
}

// Reads a model as if the first extent of its first argument, and of others that are like it, had only a name, and runs that graph.
std::string run_open(const fs::path& folder, const std::string& name) {
  try {
    const std::string bytes = jig::detail::read_file(folder / "model.onnx", {});
    jig::onnx_model model(bytes, name);
    jig::wire_problem problem;
    jig::onnx::model_message open = jig::onnx::read_model(bytes, problem);
    bool any = false;
    for (std::size_t k = open.graph.inputs.size(); k-- > 0;) {
      auto &type = open.graph.inputs[k].type, &first = open.graph.inputs[0].type;
      bool alike = type.around.empty() && type.dims.size() == first.dims.size() && !type.dims.empty();
      for (std::size_t a = 0; alike && a < type.dims.size(); ++a) alike = type.dims[a].value == first.dims[a].value;
      if (alike) type.dims[0].value = -1, type.dims[0].name = "n", any = true;
    }
    if (!any) return "no argument has axes";
    const auto made = jig::onnx::importer(open, name, {}).run(std::vector<jig::onnx::importer::argument>(model.arguments().size()));
    const fs::path set = folder / "test_data_set_0";
    const auto expected = data_of(model, set, "output_");
    std::vector<jig::any_tensor> given;
    for (const auto& d : data_of(model, set, "input_")) given.push_back(d.tensor);
    const auto results = jig::detail::run_graph(jig::detail::runtime_graph_of(made.graph), jig::stretch<jig::any_tensor>(given));
    for (std::size_t k = 0; k < results.size(); ++k)
      if (auto d = difference(data(results[k]), expected[k], is_random(name)); !d.empty()) return "result " + std::to_string(k) + ": " + d;
    return "";
  } catch (const jig::onnx::elements_needed& e) {
    return "values steer its graph" + (e.why ? ": " + e.why->reason : "");
  } catch (const std::exception& e) {
    return e.what();
  }
}

// Only errors of the library may come of bytes, however they were changed.
std::string run_hostile(const fs::path& folder, const std::string& name, int changes) {
  const std::string whole = jig::detail::read_file(folder / "model.onnx", {});
  const jig::load_limits few{.nesting = 20, .nodes = 2000, .elements = 1 << 18};
  std::vector<data> given;
  try {
    given = data_of(jig::onnx_model(whole, name), folder / "test_data_set_0", "input_");
  } catch (const std::exception&) {
    // Its data are nothing to look at here.
  }
  const auto take = [&](std::string bytes) -> std::string {
    try {
      jig::onnx_model model(std::move(bytes), name, few);
      (void)model.declared_graph();
      if (given.size() == model.arguments().size()) (void)model(given);
    } catch (const jig::error&) {
      // Refused.
    } catch (const std::exception& e) {
      return e.what();
    }
    return "";
  };
  for (std::size_t n = 0; n < whole.size(); n += whole.size() > 3000 ? whole.size() / 700 : 1)
    if (auto why = take(whole.substr(0, n)); !why.empty()) return "cut off at " + std::to_string(n) + ": " + why;
  std::uint64_t state = 88172645463325252u;
  const auto random = [&](std::size_t below) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<std::size_t>(state % below);
  };
  for (int k = 0; k < changes; ++k) {
    std::string bytes = whole;
    for (std::size_t times = 1 + random(4); times > 0; --times) {
      const std::size_t at = random(bytes.size());
      if (random(3) == 0) bytes[at] = static_cast<char>(random(256));
      else bytes[at] = static_cast<char>(bytes[at] ^ (1 << random(8)));
    }
    if (auto why = take(bytes); !why.empty()) return "change " + std::to_string(k) + ": " + why;
  }
  return "";
}

// Why a model fails, or nothing.
std::string run(const fs::path& folder, const std::string& name) {
  try {
    jig::onnx_model model = jig::onnx_model::of_file(folder / "model.onnx");
    int sets = 0;
    for (;; ++sets) {
      const fs::path set = folder / ("test_data_set_" + std::to_string(sets));
      if (!fs::exists(set)) break;
      jig::wire_problem problem;
      const auto read = [&](const char* what, std::size_t k, const jig::onnx::type_message& type) {
        return read_data(jig::detail::read_file(set / (what + std::to_string(k) + ".pb"), {}), type, 0, problem);
      };
      std::vector<data> given, expected;
      std::vector<std::string> kept;
      for (std::size_t k = 0; k < model.arguments().size(); ++k) given.push_back(read("input_", k, model.arguments()[k]->type));
      const auto& outputs = model.message().graph.outputs;
      for (std::size_t k = 0; k < outputs.size(); ++k) expected.push_back(read("output_", k, outputs[k].type));
      if (problem.found) return std::string("data: ") + problem.reason;
      const auto results = model(given);
      for (std::size_t k = 0; k < results.size(); ++k)
        if (auto d = difference(results[k], expected[k], is_random(name)); !d.empty()) return "result " + std::to_string(k) + ": " + d;
    }
    return sets == 0 ? "there are no data" : "";
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 2 && argv[1][0] == '-' ? argv[1] : "";
  const int changes = mode == "--hostile" && argc > 3 ? std::atoi(argv[3]) : 0;
  if (!mode.empty()) ++argv, argc = mode == "--open" ? argc - 1 : 2;
  if (argc < 2) return std::fprintf(stderr, "usage: onnx_suite FOLDER [PASSED] [NAME...]\n"), 2;
  std::vector<std::string> passed_before;
  if (argc > 2) {
    std::ifstream names(argv[2]);
    for (std::string line; std::getline(names, line);) passed_before.push_back(line);
  }
  const std::vector<std::string> only(argv + std::min(argc, 3), argv + argc);
  std::vector<std::string> passed;
  int models = 0;
  for (const char* category : {"node", "simple", "pytorch-converted", "pytorch-operator"}) {
    std::vector<fs::path> folders;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(fs::path(argv[1]) / category, none))
      if (fs::exists(entry.path() / "model.onnx")) folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    int good = 0, all = 0;
    for (const auto& folder : folders) {
      const std::string name = std::string(category) + '/' + folder.filename().string();
      if (!only.empty() && std::find(only.begin(), only.end(), name) == only.end()) continue;
      ++all;
      const std::string why = mode == "--again"     ? run_again(folder, name)
                              : mode == "--open"    ? run_open(folder, name)
                              : mode == "--hostile" ? run_hostile(folder, name, changes)
                                                    : run(folder, name);
      if (why.empty()) ++good, passed.push_back(name);
      else std::cout << "failed: " << name << ": " << why.substr(why.find("model.onnx") == why.npos ? 0 : why.find("model.onnx")) << '\n';
    }
    models += all;
    std::cout << category << ": " << good << " of " << all << std::endl;
  }
  std::cout << "all: " << passed.size() << " of " << models << '\n';
  if (models == 0) return std::cout << "there are no models below " << argv[1] << '\n', 1;
  int lost = 0;
  for (const auto& name : passed_before) {
    if (!only.empty() || std::find(passed.begin(), passed.end(), name) != passed.end()) continue;
    std::cout << "passed before, and fails now: " << name << '\n';
    ++lost;
  }
  if (std::getenv("JIG_ONNX_PASSED") != nullptr) {
    std::ofstream to(std::getenv("JIG_ONNX_PASSED"));
    for (const auto& name : passed) to << name << '\n';
  }
  if (mode == "--hostile") return passed.size() == static_cast<std::size_t>(models) ? 0 : 1;
  return lost == 0 ? 0 : 1;
}
