// SPDX-License-Identifier: MIT
// usage: write_models FOLDER: writes models for other programs to run, with their arguments and what jig computes, as JSON.
//        write_models FOLDER load: reads them again, in a program that has not traced them, and compares.
#include "../models.hpp"

#include <jig/io.hpp>

#include <cstring>
#include <fstream>
#include <iostream>

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
