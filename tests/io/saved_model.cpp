// SPDX-License-Identifier: MIT
#include <jig/io/saved_model.hpp>

#include "models.hpp"

#include "damaged.hpp"

#include <jig/io.hpp>

#include <doctest/doctest.h>

#include <array>

namespace {

namespace fs = std::filesystem;
using jig::any_tensor, jig::dyn, jig::spec;

using matrix = std::array<std::array<float, 2>, 3>;
constexpr matrix first_weights{{{0.5f, -1}, {0.25f, 2}, {-0.75f, 0.125f}}};

// One step of gradient descent on the mean of squares of x w - y, as loops.
float plain_step(matrix& w, const std::vector<std::array<float, 3>>& x, const std::vector<std::array<float, 2>>& y) {
  matrix gradient{};
  float loss = 0;
  const float n = static_cast<float>(2 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      float e = -y[i][j];
      for (std::size_t k = 0; k < 3; ++k) e += x[i][k] * w[k][j];
      loss += e * e / n;
      for (std::size_t k = 0; k < 3; ++k) gradient[k][j] += 2 * e * x[i][k] / n;
    }
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t j = 0; j < 2; ++j) w[k][j] -= 0.1f * gradient[k][j];
  return loss;
}

struct trained {
  jig::variable<float, 3, 2> w{first_weights};
  jig::variable<std::int64_t> steps{0};
  jig::loaded_function predict =
      jig::traced_function("predict(w, x)", [](auto& weights, auto x) { return jig::matmul(x, weights); }, w, spec<float, dyn, 3>());
  jig::loaded_function step = jig::traced_function(
      "step(steps, w, x, y)",
      [](auto& count, auto& weights, auto x, auto y) {
        auto loss = jig::reduce_mean(jig::square(jig::matmul(x, weights) - y));
        auto gradient = jig::gradient(loss, weights);
        weights.assign_sub(0.1f * gradient);
        count.assign_add(1);
        return loss;
      },
      steps, w, spec<float, dyn, 3>(), spec<float, dyn, 2>());
  // What returns nothing returns what it assigns.
  jig::loaded_function reset = jig::traced_function("reset(w)", [](auto& weights) { weights.assign(weights * 0); }, w);

  void save(const fs::path& path) const {
    jig::save({{"serving_default", jig::with_variables(predict, w)},
               {"train", jig::with_variables(step, steps, w)},
               {"reset", jig::with_variables(reset, w)}},
              path);
  }
};

const std::vector<std::array<float, 3>> rows{{1, 2, 3}, {-1, 0.5f, 2}, {0, 1, -1}, {0.25f, -2, 1}};
const std::vector<std::array<float, 2>> wanted{{1, 0}, {0, 1}, {1, 1}, {0.5f, -1}};

float number(const any_tensor& x) { return x.as<float>()(); }
float largest_difference(const any_tensor& x, const matrix& w) {
  float most = 0;
  for (jig::index k = 0; k < 3; ++k)
    for (jig::index j = 0; j < 2; ++j)
      most = std::max(most, std::abs(x.as<float>()(k, j) - w[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)]));
  return most;
}
any_tensor value_of(const jig::loaded_function& f, std::string_view name) {
  for (const auto& v : f.variables())
    if (v.name == name) return v.value;
  return {};
}

}  // namespace

TEST_CASE("functions with their variables are signatures of one model, which goes on where it was") {
  const test_folder here("saved_model");
  const trained model;
  const fs::path path = here / "my_saved_model/";
  model.save(path);

  matrix w = first_weights;
  const jig::loaded_function loaded = jig::load(path), train = loaded.signature("train");
  CHECK(loaded.signatures() == std::vector<std::string>{"reset", "serving_default", "train"});
  CHECK(loaded.name() == "serving_default");
  CHECK(loaded.pretty_printed_signature() ==
        "serving_default(x)\n  Args:\n    x: float32 Tensor, shape=(None, 3)\n  Returns:\n    float32 Tensor, shape=(None, 2)\n");
  CHECK(train.input_names() == std::vector<std::string>{"x", "y"});
  CHECK(train.output_names() == std::vector<std::string>{"output_0"});
  CHECK_THROWS_WITH(loaded.signature("test"), "there is no signature test among reset, serving_default, train");
  CHECK_THROWS_WITH(train(rows), "train: expected 2 arguments, given 1");
  for (int i = 0; i < 3; ++i) CHECK(number(train({{"y", wanted}, {"x", rows}})) == doctest::Approx(plain_step(w, rows, wanted)));
  CHECK(largest_difference(value_of(loaded, "w"), w) < 1e-6f);
  CHECK(value_of(loaded, "steps").as<std::int64_t>()() == 3);
  // The variables are shared, and those of the program another model.
  CHECK(loaded(rows).as<float>()(0, 0) == doctest::Approx(w[0][0] + 2 * w[1][0] + 3 * w[2][0]));
  CHECK(model.w.value()(0, 0) == 0.5f);
  CHECK(jig::load(path)(rows).as<float>()(0, 0) == doctest::Approx(-1.25));

  // In a trace variables are constants; what assigns them is no part of one.
  auto sum = jig::dynamic_function("f(x)", [&](auto x) { return jig::reduce_sum(loaded(x).value()); });
  const any_tensor x(rows);
  float expected = 0;
  for (const auto& row : rows)
    for (std::size_t j = 0; j < 2; ++j) expected += row[0] * w[0][j] + row[1] * w[1][j] + row[2] * w[2][j];
  CHECK(number(sum(x)) == doctest::Approx(expected));
  auto refused = jig::dynamic_function("f(x)", [&](auto v) { return train(v, v).value(); });
  CHECK_THROWS_WITH(refused(x), "train assigns variables of its model: it cannot be part of a trace");

  // What was loaded is saved where it is, and another program goes on.
  jig::save(loaded, path);
  const jig::loaded_function again = jig::load(path);
  CHECK(number(again.signature("train")(rows, wanted)) == doctest::Approx(plain_step(w, rows, wanted)));
  CHECK(value_of(again, "steps").as<std::int64_t>()() == 4);
  const auto cleared = again.signature("reset")();
  CHECK(cleared.size() == 1);
  CHECK(largest_difference(cleared["w"], {}) == 0);
  CHECK(largest_difference(value_of(again, "w"), {}) == 0);
  // One signature alone, in formats that have no variables: what is never assigned is a constant, other variables are arguments.
  jig::save(loaded.signature("serving_default"), here / "frozen.pb");
  CHECK(differing(jig::load(here / "frozen.pb")(rows), loaded(rows)) == 0);
  jig::save(train, here / "step.pb");
  CHECK(jig::load(here / "step.pb").input_names().size() == 4);
  CHECK_THROWS_WITH_AS(jig::save(loaded, here / "frozen.pb"), doctest::Contains("GraphDef holds one function, not 3"), jig::error);
}

TEST_CASE("a call that cannot be finished leaves all variables as they were, and their memory is their own") {
  const test_folder here("saved_model_values");
  jig::variable<float, dyn> v(std::vector<float>{1, 2, 3});
  jig::variable<int> n{0};
  const auto set = jig::traced_function(
      "set(n, v, x)",
      [](auto& count, auto& value, auto x) {
        count.assign_add(1);
        jig::assert_that(jig::reduce_sum(x) > 0, "no sum", x);
        value.assign(x);
      },
      n, v, spec<float, dyn>());
  jig::save(jig::with_variables(set, n, v), here / "saved_model");
  const jig::loaded_function loaded = jig::load(here / "saved_model");
  std::vector<float> x{5, 6};
  loaded(x);
  x[0] = -100;
  CHECK(value_of(loaded, "v").as<float>()(0) == 5);
  CHECK(value_of(loaded, "v").size() == 2);
  CHECK_THROWS_AS(loaded(x), jig::error);
  CHECK(value_of(loaded, "n").as<int>()() == 1);
}

TEST_CASE("what does not fit is refused before anything is written") {
  const test_folder here("saved_model_refused");
  trained model;
  jig::variable<float, 2, 3> other;
  CHECK_THROWS_WITH(jig::with_variables(model.step, model.w), "step: with_variables: the function has 2 variables, given 1");
  CHECK_THROWS_WITH(jig::with_variables(model.predict, other), "predict: with_variables: w: expected float32 (3, 2), given float32 (2, 3)");
  const auto add = jig::traced_function("add(a, b)", [](auto& a, auto& b) { return a + b; }, model.w, jig::variable<float, 3, 2>());
  CHECK_THROWS_WITH(jig::with_variables(add, model.w, model.w), "add: with_variables: b is given twice");
  CHECK_THROWS_WITH(jig::save({{"a", model.predict}, {"a", model.predict}}, here / "saved_model"), "save: there are two functions named a");
  CHECK_THROWS_WITH_AS(jig::save(model.predict, here / "saved_model.pb"), doctest::Contains("save to the folder"), jig::error);
  CHECK(here.files() == 0);
  CHECK(!fs::exists(here / "saved_model"));
  // A folder with something else in it stays.
  model.save(here / "saved_model");
  jig::detail::replace_file(here / "saved_model/notes.txt", "mine");
  CHECK_THROWS_WITH_AS(model.save(here / "saved_model"), doctest::Contains("there is also notes.txt in it"), jig::error);
  CHECK(bytes_of_file(here / "saved_model/notes.txt") == "mine");
  fs::remove(here / "saved_model/notes.txt");
  const auto host =
      jig::traced_function("f(x)", [](auto x) { return jig::host_call<spec<float>>([](auto v) { return v; }, x); }, spec<float>());
  const std::string before = bytes_of_file(here / "saved_model/saved_model.pb");
  CHECK_THROWS_WITH_AS(jig::save(host, here / "saved_model"), doctest::Contains("HostCall"), jig::error);
  CHECK(bytes_of_file(here / "saved_model/saved_model.pb") == before);
  // Nothing is left beside it.
  int entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(here.path())) ++entries;
  CHECK(entries == 1);
  // A folder without an extension is TensorFlow.js' as before; the format's name takes any.
  jig::save(models()[0].graph, here / "any.folder", "SavedModel");
  CHECK(jig::load(here / "any.folder" / "saved_model.pb").signatures().size() == 1);
}

TEST_CASE("damaged folders are refused with the file, or are models") {
  const test_folder here("saved_model_damaged");
  const trained model;
  const fs::path folder = here / "saved_model";
  model.save(folder);
  for (const char* name : {"saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"}) {
    CAPTURE(std::string(name));
    const fs::path file = folder / name;
    const bool graph = std::string(name) == "saved_model.pb";
    const std::string bytes = bytes_of_file(file);
    int read = 0, refused = 0;
    const auto tried = [&](const std::string& changed) {
      fs::remove(file);  // a file that is cut to nothing is written to the disk at once
      std::ofstream(file, std::ios::binary) << changed;
      try {
        jig::load(folder);
        ++read;
      } catch (const jig::load_error& e) {
        CHECK(e.file().substr(0, folder.string().size()) == folder.string());
        CHECK(!e.reason().empty());
        ++refused;
      }
    };
    for (std::size_t n = 0; n < bytes.size(); n += graph ? 5 : 1) tried(bytes.substr(0, n));
    // A graph that ends before its signatures has none.
    CHECK(read == 0);
    std::uint64_t state = 7;
    const auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33; };
    for (int k = 0; k < (graph ? 1500 : 500); ++k) {
      std::string changed = bytes;
      for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        const std::size_t at = random() % changed.size();
        if (random() % 3 == 0) changed.erase(at, 1 + random() % 4);
        else changed[at] = static_cast<char>(random());
      }
      tried(changed);
    }
    CHECK(refused > 100);
    tried(bytes);
    CHECK(read > 0);
  }
}
