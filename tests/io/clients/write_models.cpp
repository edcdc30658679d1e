// SPDX-License-Identifier: MIT
// usage: write_models FOLDER: writes models for other programs to run, with their arguments and what jig computes, as JSON.
//        write_models FOLDER load: reads them again, in a program that has not traced them, and compares.
//        write_models FOLDER onnx: writes models for ONNX Runtime.
//        write_models FOLDER theirs: runs models that another program wrote and compares with what ONNX Runtime computes.
#include "../models.hpp"

#include "onnx_case.hpp"

#include <jig/io.hpp>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

namespace {

nlohmann::json as_json(const jig::any_tensor& x) {
  nlohmann::json out;
  out["dtype"] = std::string(jig::name_of(x.dtype()));
  out["shape"] = std::vector<jig::index>(x.shape().extents, x.shape().extents + x.rank());
  out["data"] = nlohmann::json::array();
  jig::detail::with_type_of(x.dtype(), [&]<class T>(const T&) {
    if constexpr (std::is_arithmetic_v<T>)
      for (jig::index i = 0; i < x.size(); ++i) out["data"].push_back(static_cast<const T*>(x.data())[i]);
  });
  return out;
}

// The same with what JSON has no number for as text, and 16-bit floats as their bits.
nlohmann::json as_exact_json(const jig::any_tensor& x) {
  nlohmann::json out = as_json(x);
  auto& data = out["data"] = nlohmann::json::array();
  jig::detail::with_type_of(x.dtype(), [&]<class T>(const T&) {
    const T* e = static_cast<const T*>(x.data());
    for (jig::index i = 0; i < x.size(); ++i) {
      if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        data.push_back(std::to_string(e[i]));
      } else if constexpr (std::is_floating_point_v<T>) {
        if (std::isfinite(e[i])) data.push_back(e[i]);
        else data.push_back(std::isnan(e[i]) ? "NaN" : e[i] > 0 ? "Infinity" : "-Infinity");
      } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
        data.push_back(e[i]);
      } else {
        std::uint16_t bits;
        std::memcpy(&bits, e + i, 2);
        data.push_back(bits);
      }
    }
  });
  return out;
}
jig::any_tensor as_tensor(const nlohmann::json& j) {
  jig::shape s;
  for (const jig::index e : j.at("shape")) s.push_back(e);
  jig::any_tensor out;
  for (int d = 0; d < jig::dtype_count; ++d)
    if (jig::name_of(static_cast<jig::dtype>(d)) == j.at("dtype").get<std::string>())
      out = jig::any_tensor::empty(static_cast<jig::dtype>(d), s);
  jig::detail::with_type_of(out.dtype(), [&]<class T>(const T&) {
    if constexpr (std::is_arithmetic_v<T>)
      for (jig::index i = 0; i < out.size(); ++i) {
        const auto& e = j.at("data").at(static_cast<std::size_t>(i));
        if (e.is_string()) static_cast<T*>(out.mutable_data())[i] = static_cast<T>(std::stod(e.get<std::string>()));
        else static_cast<T*>(out.mutable_data())[i] = e.is_boolean() ? static_cast<T>(e.get<bool>()) : e.get<T>();
      }
  });
  return out;
}

// Which nodes the ops are written as, one by one: those that the table of names says, and all of them. Casts are between dtypes that ONNX
// takes, and Identity names results.
class seen_nodes {
 public:
  void see(const jig::named_graph& g) {
    const jig::graph_view graph = g.graph.view();
    const jig::op* only = nullptr;
    for (int id = 0; id < graph.size(); ++id) {
      const jig::op& kind = *graph.data(id).kind;
      if (kind.is(jig::fact::input | jig::fact::constant)) continue;
      if (only != nullptr) return;
      only = &kind;
    }
    if (only == nullptr) return;
    jig::wire_problem problem;
    const std::string bytes = jig::onnx::model_bytes(g);
    auto& all = kinds_[jig::detail::find_name(jig::onnx::op_names, *only)];
    for (const auto& n : jig::onnx::read_model(bytes, problem).graph.nodes) all.emplace(n.kind);
  }
  void require_names() const {
    std::string wrong;
    for (const auto& row : jig::onnx::op_names) {
      const bool is_node = row.how == jig::onnx::spelling::node || jig::onnx::function_that_spells(*row.kind) != nullptr;
      const bool needs_others = row.kind->is(jig::fact::control) || row.kind == &jig::ops::new_array || row.kind == &jig::ops::array_write;
      if (is_node && !needs_others && kinds_.count(&row) == 0) wrong += "\nno model is " + std::string(row.kind->name) + " alone";
    }
    for (const auto& [row, kinds] : kinds_) {
      std::set<std::string> said;
      // Of one node the name is that of the node, of several it lists them.
      jig::detail::for_each_word(row->name, [&](std::string_view word) { said.emplace(word); });
      for (const auto& k : kinds)
        if (said.count(k) == 0 && k != "Cast" && k != "Identity") wrong += "\n" + std::string(row->kind->name) + " is also " + k;
      for (const auto& s : said)
        if (kinds.count(s) == 0 && s != "initializer") wrong += "\n" + std::string(row->kind->name) + " is never " + s;
    }
    if (!wrong.empty()) throw jig::error("io/onnx/names.hpp:" + wrong);
  }

 private:
  std::map<const jig::onnx::op_name*, std::set<std::string>> kinds_;
};

// A line of FOLDER/models.jsonl for each model: its file and calls. What is not written to ONNX is said.
void write_onnx(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream list(folder / "models.jsonl");
  std::map<std::string, int> refused;
  seen_nodes seen;
  const auto write = [&](const std::vector<onnx_case>& cases) {
    for (const auto& c : cases) {
      const jig::loaded_function f(c.graph);
      nlohmann::json line{{"file", c.name + ".onnx"}, {"calls", nlohmann::json::array()}};
      const auto program = jig::detail::runtime_graph_of(c.graph.graph);
      try {
        for (const auto& x : c.calls) {
          const auto results = jig::detail::run_graph(program, jig::stretch<jig::any_tensor>(x.data(), x.size()));
          nlohmann::json call;
          for (std::size_t k = 0; k < x.size(); ++k) call["feeds"][c.graph.inputs[k]] = as_exact_json(x[k]);
          for (std::size_t k = 0; k < results.size(); ++k) call["expected"][c.graph.outputs[k]] = as_exact_json(results[k]);
          line["calls"].push_back(std::move(call));
        }
      } catch (const jig::invalid_argument& e) {
        ++refused[e.what()];  // the rows divide unsigned integers by what wraps to 0
        continue;
      }
      try {
        jig::save(f, folder / (c.name + ".onnx"));
        seen.see(c.graph);
      } catch (const jig::error& e) {
        ++refused[e.what()];
        continue;
      }
      list << line << '\n';
    }
  };
  write(onnx_networks());
  if (!refused.empty()) throw jig::error("a network is refused: " + refused.begin()->first);
  write(onnx_ops());
  write(onnx_rows());
  seen.require_names();
  for (const auto& [why, n] : refused) std::cout << "not written, " << n << " models: " << why << '\n';
}

// Whether all models of FOLDER/results.jsonl give what is expected.
bool runs_theirs(const std::filesystem::path& folder) {
  std::ifstream in(folder / "results.jsonl");
  bool same = true;
  int models_run = 0;
  for (std::string text; std::getline(in, text); ++models_run) {
    const auto line = nlohmann::json::parse(text);
    const auto path = folder / line.at("file").get<std::string>();
    std::string how = "jig::load";
    std::optional<jig::loaded_function> loaded;
    try {
      loaded.emplace(jig::load(path));
    } catch (const jig::load_error& e) {
      std::cout << e.what() << '\n';
      how = "jig::onnx_model";
    }
    jig::onnx_model model = jig::onnx_model::of_file(path);
    for (const auto& call : line.at("calls")) {
      std::vector<jig::onnx::data> x;
      std::vector<jig::any_tensor> tensors, results;
      for (const auto* a : model.arguments()) {
        tensors.push_back(as_tensor(call.at("feeds").at(std::string(a->name))));
        x.emplace_back(tensors.back());
      }
      if (loaded && !loaded->has_graph()) results = loaded->call(tensors).values();
      else if (loaded)
        results = jig::detail::run_graph(jig::detail::runtime_graph_of(loaded->model().graph),
                                         jig::stretch<jig::any_tensor>(tensors.data(), tensors.size()));
      else
        for (auto& r : model(x)) results.push_back(r.tensor);
      for (std::size_t k = 0; k < results.size(); ++k) {
        const std::string name(model.message().graph.outputs[k].name);
        const jig::any_tensor want = as_tensor(call.at("expected").at(name));
        if (const jig::index wrong = differing(results[k], want, 2e-6); wrong != 0) {
          std::cerr << path.filename() << ": " << name << " differs " << wrong << '\n';
          same = false;
        }
      }
    }
    std::cout << how << " runs " << line.at("file").get<std::string>() << '\n';
  }
  return same && models_run > 0;
}

// Two functions that share a variable, as a SavedModel; the values of its variables as JSON.
void write_saved_model(const std::filesystem::path& folder) {
  jig::variable<float, 3, 2> w{{{0.5f, -1}, {0.25f, 2}, {-0.75f, 0.125f}}};
  jig::variable<std::int64_t> steps{70000};
  jig::variable<bool, 3> on{{true, false, true}};
  const auto predict = jig::traced_function(
      "predict(w, x)", [](auto& weights, auto x) { return jig::matmul(x, weights); }, w, jig::spec<float, jig::dyn, 3>());
  const auto train = jig::traced_function(
      "train(steps, w, on, x)",
      [](auto& count, auto& weights, auto& mask, auto x) {
        weights.assign(weights * jig::reshape<3, 1>(jig::cast<float>(mask)));
        count.assign_add(1);
        return jig::reduce_sum(jig::matmul(x, weights));
      },
      steps, w, on, jig::spec<float, jig::dyn, 3>());
  jig::save({{"serving_default", jig::with_variables(predict, w)}, {"train", jig::with_variables(train, steps, w, on)}},
            folder / "saved_model");
  nlohmann::json values;
  values["w"] = as_json(jig::any_tensor(w));
  values["steps"] = as_json(jig::any_tensor(steps));
  values["on"] = as_json(jig::any_tensor(on));
  std::ofstream(folder / "variables.json") << values;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const std::filesystem::path folder = arguments[1];
  if (count > 2 && arguments[2] == std::string_view("onnx")) return write_onnx(folder), 0;
  if (count > 2 && arguments[2] == std::string_view("theirs")) return runs_theirs(folder) ? 0 : 1;
  for (const auto& m : models()) {
    if (m.graph.name == "integers") continue;  // clients have no int64
    const auto here = folder / m.graph.name;
    if (count > 2) {
      const jig::loaded_function loaded = jig::load(here / "model.pb");
      std::ifstream in(here / "expected.json");
      const auto expected = nlohmann::json::parse(in);
      const auto given = results_of(loaded, m.arguments);
      for (std::size_t k = 0; k < given.size(); ++k)
        if (as_json(given[k]) != expected["output_" + std::to_string(k)]) {
          std::cerr << m.graph.name << ": result " << k << " differs\n";
          return 1;
        }
      continue;
    }
    std::filesystem::create_directories(here);
    const jig::loaded_function f(m.graph);
    jig::save(f, here / "tfjs");
    jig::save(f, here / "model.pb");
    jig::save(f, here / "model.pbtxt");
    jig::save(f, here / "model.dot");
    nlohmann::json feeds, expected;
    for (std::size_t k = 0; k < m.arguments.size(); ++k) feeds[m.graph.inputs[k]] = as_json(m.arguments[k]);
    const auto results = results_of(f, m.arguments);
    for (std::size_t k = 0; k < results.size(); ++k) expected["output_" + std::to_string(k)] = as_json(results[k]);
    std::ofstream(here / "feeds.json") << feeds;
    std::ofstream(here / "expected.json") << expected;
  }
  if (count == 2) write_saved_model(folder / "step");
}
