// SPDX-License-Identifier: MIT
// A model leaves its program and comes back in another one.
//   save_and_load save FOLDER: trains a layer and writes it in several formats.
//   save_and_load load FOLDER: a process that traces nothing: runs what is in the files, which gives the same results, and goes on
//   training.

#include <jig.hpp>
#include <jig/io.hpp>

#include <iostream>

namespace {

constexpr auto predict = jig::function<"predict(w, b, x)">([](auto& w, auto& b, auto x) { return jig::tanh(jig::matmul(x, w) + b); });

constexpr auto train = jig::function<"train(w, b, steps, x, y)">([](auto& w, auto& b, auto& steps, auto x, auto y) {
  auto loss = jig::reduce_mean(jig::square(predict(w, b, x) - y));
  auto dw = jig::gradient(loss, w);
  auto db = jig::gradient(loss, b);
  w.assign_sub(0.5f * dw);
  b.assign_sub(0.5f * db);
  steps.assign_add(1);
  return loss;
});

const jig::tensor<float, 4, 2> x{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
const jig::tensor<float, 4, 1> y{{-0.9f}, {0.9f}, {0.9f}, {0.9f}};  // or

void save(const std::filesystem::path& folder) {
  jig::variable<float, 2, 1> w;
  jig::variable<float, 1> b;
  jig::variable<int> steps;
  for (int i = 0; i < 100; ++i) train(w, b, steps, x, y);
  std::cout << predict(w, b, x) << '\n';

  using batch = jig::spec<float, jig::dyn, 2>;
  using labels = jig::spec<float, jig::dyn, 1>;
  const auto inference = jig::with_variables(predict.get_concrete_function(w, b, batch{}), w, b);
  const auto training = jig::with_variables(train.get_concrete_function(w, b, steps, batch{}, labels{}), w, b, steps);
  // TensorFlow's SavedModel has both functions, and the variables that they share.
  jig::save({{"serving_default", inference}, {"train", training}}, folder / "saved_model");
  // The others hold one function, whose weights are constants.
  for (const char* name : {"model.pb", "model.pbtxt", "model.onnx"}) jig::save(inference, folder / name);
}

void load(const std::filesystem::path& folder) {
  for (const char* name : {"saved_model", "model.pb", "model.pbtxt", "model.onnx"}) {
    const jig::loaded_function f = jig::load(folder / name);
    std::cout << name << '\n' << f({{"x", x}}) << '\n';
  }
  const jig::loaded_function model = jig::load(folder / "saved_model"), step = model.signature("train");
  std::cout << step.pretty_printed_signature();
  const float before = step(x, y).as<float>()();
  for (int i = 0; i < 99; ++i) step(x, y);
  for (const auto& v : model.variables())
    if (v.name == "steps") std::cout << "steps: " << v.value << '\n';
  std::cout << (step(x, y).as<float>()() < before ? "the loss has become smaller" : "the loss has not become smaller") << '\n';
}

}  // namespace

int main(int count, char** arguments) {
  const std::string mode = count == 3 ? arguments[1] : "";
  if (mode == "save") save(arguments[2]);
  else if (mode == "load") load(arguments[2]);
  else std::cerr << "usage: save_and_load save|load FOLDER\n";
  return mode == "save" || mode == "load" ? 0 : 2;
}
