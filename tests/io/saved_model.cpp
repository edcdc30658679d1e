// SPDX-License-Identifier: MIT
#include <jig/io/saved_model.hpp>

#include "models.hpp"

#include "damaged.hpp"

#include <jig/io.hpp>

#include <doctest/doctest.h>

#include <array>
#include <map>

namespace {

namespace fs = std::filesystem;
namespace tf = jig::detail::tensorflow;
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

// A folder as others write it: a graph as text, signatures of (key, inputs, outputs), where each is a list of (key, tensor), float rows of
// three, and a checkpoint.
struct named_tensor {
  const char *key, *tensor;
};
void write_folder(const fs::path& folder, const std::string& graph, const std::vector<named_tensor>& inputs,
                  const std::vector<named_tensor>& outputs, const std::map<std::string, any_tensor>& values, const char* tag = "serve") {
  jig::wire_problem problem;
  tf::read_budget budget{1000, 1000, 1000};
  tf::meta_graph_message meta;
  meta.graph = tf::text_reader(problem, budget).graph(tf::text_parser(graph, {}, problem).parse());
  REQUIRE(!problem.found);
  meta.tags = {tag};
  auto& s = meta.signatures.emplace_back();
  s.key = "serving_default";
  const auto infos = [](const std::vector<named_tensor>& from) {
    std::vector<tf::tensor_info_message> out;
    for (const auto& t : from) out.push_back({t.key, t.tensor, 1, tf::shape_message_of({2, {dyn, 3}})});
    return out;
  };
  s.inputs = infos(inputs);
  s.outputs = infos(outputs);
  jig::wire_writer w;
  tf::write_saved_model(w, meta);
  fs::create_directories(folder / "variables");
  jig::detail::replace_file(folder / "saved_model.pb", w.bytes());
  tf::write_bundle(folder / "variables" / "variables", values);
}
std::string refusal(const fs::path& folder) {
  try {
    jig::load(folder);
  } catch (const jig::load_error& e) {
    return e.reason();
  }
  return "";
}

constexpr const char* x_node =
    "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { size: -1 "
    "} "
    "dim { size: 3 } } } } }\n";
std::string variable_node(const std::string& name, const char* op = "VarHandleOp", const std::string& shared = "") {
  return "node { name: '" + name + "' op: '" + op +
         "' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { " +
         "dim { size: 3 } } } } attr { key: 'shared_name' value { s: '" + shared + "' } } }\n";
}
std::string reading(const std::string& name, const std::string& of) {
  return "node { name: '" + name + "' op: 'ReadVariableOp' input: '" + of + "' attr { key: 'dtype' value { type: DT_FLOAT } } }\n";
}
const any_tensor three(jig::tensor<float, 3>{1, 10, 100});

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

TEST_CASE("models of others: frozen, with variables of TensorFlow 1 and 2, in functions") {
  const test_folder here("saved_model_others");
  const fs::path folder = here / "model";
  const any_tensor x(jig::tensor<float, 1, 3>{{1, 2, 3}});
  const auto third = [&](const jig::loaded_function& f) { return f(x).as<float>()(0, 2); };
  // Nodes that no result needs may be anything.
  const std::string restore = "node { name: 'restore' op: 'RestoreV2' }\n";
  write_folder(folder, x_node + restore + "node { name: 'y' op: 'Neg' input: 'x' }", {{"in", "x:0"}}, {{"out", "y:0"}}, {}, "predict");
  CHECK(jig::load(folder).input_names()[0] == "in");
  CHECK(third(jig::load(folder)) == -3);

  write_folder(folder,
               x_node + restore + variable_node("v") + reading("v/Read", "v") + "node { name: 'y' op: 'AddV2' input: 'x' input: 'v/Read' }",
               {{"x", "x:0"}}, {{"y", "y:0"}}, {{"v", three}});
  CHECK(third(jig::load(folder)) == 103);
  // Reference variables are read by whoever takes them.
  write_folder(folder,
               x_node + variable_node("v", "VariableV2") +
                   "node { name: 'r' op: 'Identity' input: 'v' } node { name: 'y' op: 'Mul' input: 'x' input: 'r' }",
               {{"x", "x:0"}}, {{"y", "y:0"}}, {{"v", three}});
  CHECK(third(jig::load(folder)) == 300);

  // TensorFlow 2: a call of a function that takes the variable; the checkpoint has paths of objects, and a list of which variable each is.
  const std::string function =
      "library { function { signature { name: 'f' input_arg { name: 'a' type: DT_FLOAT } input_arg { name: 'r' type: DT_RESOURCE } "
      "output_arg { name: 'o' type: DT_FLOAT } } node_def { name: 'read' op: 'ReadVariableOp' input: 'r' } "
      "node_def { name: 'up' op: 'AssignAddVariableOp' input: 'r' input: 'one:output:0' input: '^read' } "
      "node_def { name: 'one' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 3 } } float_val: "
      "1 } } } } "
      "node_def { name: 'add' op: 'AddV2' input: 'a' input: 'read:value:0' } ret { key: 'o' value: 'add:z:0' } } }";
  const std::string call =
      x_node + variable_node("Variable/1", "VarHandleOp", "dense/kernel") +
      "node { name: 'StatefulPartitionedCall' op: 'StatefulPartitionedCall' input: 'x' input: 'Variable/1' attr { key: 'f' "
      "value { func { name: 'f' } } } }" +
      function;
  const std::string path = "layer/kernel/.ATTRIBUTES/VARIABLE_VALUE";
  jig::wire_writer objects;
  objects.message(1, [&](jig::wire_writer& object) {
    object.message(2, [&](jig::wire_writer& attribute) {
      attribute.bytes(1, "VARIABLE_VALUE");
      attribute.bytes(2, "dense/kernel");
      attribute.bytes(3, path);
    });
  });
  write_folder(folder, call, {{"x", "x:0"}}, {{"y", "StatefulPartitionedCall:0"}}, {{path, three}});
  CHECK(refusal(folder) == "the checkpoint has no variable dense/kernel");
  // The table once more with that string, whose bytes are its length, a checksum of that, and what it says.
  const fs::path index = folder / "variables/variables.index", data = folder / "variables/variables.data-00000-of-00001";
  const std::string old = bytes_of_file(index), text(objects.bytes());
  tf::table_writer table;
  std::string sum, stored;
  tf::append_fixed(sum, text.size(), 4);
  tf::append_varint(stored, text.size());
  std::string checksum;
  tf::append_fixed(checksum, jig::detail::masked_crc32c(sum.data(), 4), 4);
  sum += checksum + text;
  stored += checksum + text;
  jig::wire_writer entry;
  entry.number(1, 7);
  entry.message(2, [](jig::wire_writer&) {});
  entry.number(4, 12);
  entry.number(5, stored.size());
  entry.fixed32(6, jig::detail::masked_crc32c(sum.data(), sum.size()));
  bool added = false;
  for (const auto& e : tf::table_reader(old, "index", {}).entries) {
    if (!added && !e.key.empty()) table.add("_CHECKPOINTABLE_OBJECT_GRAPH", entry.bytes());
    added = added || !e.key.empty();
    table.add(e.key, e.value);
  }
  jig::detail::replace_file(index, table.take());
  jig::detail::replace_file(data, bytes_of_file(data) + stored);
  const jig::loaded_function keras = jig::load(folder);
  CHECK(third(keras) == 103);
  CHECK(third(keras) == 104);  // it counts up behind the read
  CHECK(keras.variables()[0].name == "dense/kernel");
}

TEST_CASE("what jig has no word for is refused by name") {
  const test_folder here("saved_model_words");
  const fs::path folder = here / "model";
  const auto why = [&](const std::string& nodes, const char* result = "y:0") {
    write_folder(folder, x_node + nodes, {{"x", "x:0"}}, {{"y", result}}, {{"v", three}});
    return refusal(folder);
  };
  const std::string y = "node { name: 'y' op: 'Neg' input: 'x' }";
  CHECK(why(y) == "");
  CHECK(why("node { name: 'y' op: 'Frobnicate' input: 'x' }") == "node y (Frobnicate): jig has no such op");
  CHECK(why(y, "z:0") == "signature serving_default: z:0 is in no node of the graph");
  CHECK(why(y, "y:1").find("takes output 1 of node y") != std::string::npos);
  CHECK(why(y, "y:a") == "signature serving_default: y:a names no output");
  CHECK(why("node { name: 'p' op: 'Placeholder' } node { name: 'y' op: 'Add' input: 'x' input: 'p' }") ==
        "signature serving_default: it depends on the placeholder p, which is none of its arguments");
  CHECK(why(variable_node("w") + reading("y", "w")) == "the checkpoint has no variable w");
  CHECK(why(variable_node("v") + "node { name: 'y' op: 'Add' input: 'x' input: 'v' }") ==
        "node y (Add): it takes a variable where a value belongs");
  CHECK(why(reading("y", "x")) == "node y (ReadVariableOp): its first input is no variable");
  std::string two = variable_node("v");
  two.replace(two.find("size: 3"), 7, "size: 2");
  CHECK(why(two + reading("y", "v")) == "node v (VarHandleOp): it is float32 (2,), its value float32 (3,)");
  two = variable_node("v");
  two.replace(two.find("DT_FLOAT"), 8, "DT_INT32");
  CHECK(why(two + reading("y", "v")) == "node v (VarHandleOp): it is int32 (3,), its value float32 (3,)");
  CHECK(why(variable_node("v") + reading("y", "v") +
                "node { name: 'a' op: 'AssignVariableOp' input: 'v' input: 'x' }"
                "node { name: 'z' op: 'Identity' input: 'y' input: '^a' }",
            "z:0") == "node a (AssignVariableOp): it assigns float32 (None, 3) to a variable of float32 (3,)");
  write_folder(folder, x_node + y, {}, {{"y", "y:0"}}, {});
  CHECK(refusal(folder).find("depends on the placeholder x") != std::string::npos);
  // In a GraphDef alone variables have no values.
  jig::detail::replace_file(here / "v.pbtxt", x_node + variable_node("v") + reading("y", "v"));
  CHECK(refusal(here / "v.pbtxt") == "node v (VarHandleOp): the values of variables are not in this file: a SavedModel has them");
  fs::remove(folder / "variables/variables.index");
  write_folder(folder, x_node + variable_node("v") + reading("y", "v"), {{"x", "x:0"}}, {{"y", "y:0"}}, {{"v", three}});
  fs::remove(folder / "variables/variables.data-00000-of-00001");
  CHECK(refusal(folder).find("No such file") != std::string::npos);
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
