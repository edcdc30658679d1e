// SPDX-License-Identifier: MIT
#include <jig/io/tensorflow/model_reader.hpp>

#include "../damaged.hpp"

#include <jig/io/graph_def.hpp>
#include <jig/io/load.hpp>
#include <jig/io/saved_model.hpp>

#include <doctest/doctest.h>

#include <map>

namespace {

namespace fs = std::filesystem;
namespace tf = jig::detail::tensorflow;
using jig::any_tensor, jig::dyn;

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

TEST_CASE("branches and loops read variables that they are given") {
  const test_folder here("saved_model_bodies");
  const fs::path folder = here / "model";
  const auto function = [](const std::string& name, const std::string& arguments, const std::string& nodes, const std::string& results) {
    return "function { signature { name: '" + name + "' " + arguments + " } " + nodes + results + " }";
  };
  const auto argument = [](const char* name, const char* type, const char* which = "input_arg") {
    return std::string(which) + " { name: '" + name + "' type: " + type + " } ";
  };
  const std::string taken = argument("i", "DT_INT32") + argument("a", "DT_FLOAT") + argument("r", "DT_RESOURCE");
  const std::string passed =
      argument("o0", "DT_INT32", "output_arg") + argument("o1", "DT_FLOAT", "output_arg") + argument("o2", "DT_RESOURCE", "output_arg");
  const auto number_node = [](const char* name, int value, const char* what = "node_def") {
    return std::string(what) + " { name: '" + name +
           "' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { } int_val: " + std::to_string(value) +
           " } } } } ";
  };
  const std::string read = "node_def { name: 'v' op: 'ReadVariableOp' input: 'r' } ";
  const std::string library =
      "library { " +
      function("cond", taken + argument("o", "DT_BOOL", "output_arg"),
               number_node("two", 2) + "node_def { name: 'less' op: 'Less' input: 'i' input: 'two:output:0' } ",
               "ret { key: 'o' value: 'less:z:0' }") +
      function("body", taken + passed,
               read + number_node("one", 1) +
                   "node_def { name: 'up' op: 'AddV2' input: 'i' input: 'one:output:0' } "
                   "node_def { name: 'add' op: 'AddV2' input: 'a' input: 'v:value:0' } ",
               "ret { key: 'o0' value: 'up:z:0' } ret { key: 'o1' value: 'add:z:0' } ret { key: 'o2' value: 'r' }") +
      function("then", argument("a", "DT_FLOAT") + argument("r", "DT_RESOURCE") + argument("o", "DT_FLOAT", "output_arg"),
               read + "node_def { name: 'm' op: 'Mul' input: 'a' input: 'v:value:0' } ", "ret { key: 'o' value: 'm:z:0' }") +
      function("else", argument("a", "DT_FLOAT") + argument("r", "DT_RESOURCE") + argument("o", "DT_FLOAT", "output_arg"), "",
               "ret { key: 'o' value: 'a' }") +
      function("assigns", argument("a", "DT_FLOAT") + argument("r", "DT_RESOURCE") + argument("o", "DT_FLOAT", "output_arg"),
               "node_def { name: 'w' op: 'AssignVariableOp' input: 'r' input: 'a' } ", "ret { key: 'o' value: 'a' }") +
      " }";
  const auto call = [](const char* key, const char* name) {
    return std::string("attr { key: '") + key + "' value { func { name: '" + name + "' } } } ";
  };
  const auto write = [&](const std::string& node) {
    write_folder(folder, x_node + variable_node("v") + number_node("zero", 0, "node") + node + library, {{"x", "x:0"}}, {{"y", "y:0"}},
                 {{"v", three}});
  };
  const any_tensor x(jig::tensor<float, 1, 3>{{1, 2, 3}});
  write("node { name: 'loop' op: 'While' input: 'zero' input: 'x' input: 'v' " + call("cond", "cond") + call("body", "body") +
        "} node { name: 'y' op: 'Identity' input: 'loop:1' } ");
  CHECK(jig::load(folder)(x).as<float>()(0, 2) == 203);  // two trips
  const std::string sum =
      "node { name: 'all' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } "
      "int_val: 0 int_val: 1 } } } } node { name: 'sum' op: 'Sum' input: 'x' input: 'all' } ";
  write(sum + "node { name: 'y' op: 'If' input: 'sum' input: 'x' input: 'v' " + call("then_branch", "then") + call("else_branch", "else") +
        "} ");
  CHECK(jig::load(folder)(x).as<float>()(0, 2) == 300);
  CHECK(jig::load(folder)(jig::tensor<float, 1, 3>{{-3, 0, 3}}).as<float>()(0, 2) == 3);
  write(sum + "node { name: 'y' op: 'If' input: 'sum' input: 'x' input: 'v' " + call("then_branch", "assigns") +
        call("else_branch", "else") + "} ");
  CHECK(refusal(folder) == "node w (AssignVariableOp): jig reads no assignments to variables in branches and loops");
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
