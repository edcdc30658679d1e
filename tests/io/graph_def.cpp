// SPDX-License-Identifier: MIT
#include <jig/io/graph_def.hpp>

#include <jig/io/loaded_function.hpp>

#include "../interpreted.hpp"
#include "models.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>
#include <span>
#include <thread>

namespace {

using jig::detail::graph_of_graph_def, jig::detail::graph_of_graph_def_text;

// Whether the bytes are a graph; what is none throws load_error and nothing else.
bool is_read(std::string_view bytes, bool text, const jig::load_limits& limits = {}) {
  try {
    const auto g = text ? graph_of_graph_def_text(bytes, "file", limits) : graph_of_graph_def(bytes, "file", limits);
    jig::require_valid(g.graph.view());
    return true;
  } catch (const jig::load_error& e) {
    CHECK(e.file() == "file");
    CHECK(!e.reason().empty());
    return false;
  }
}
std::string why(std::string_view text, const jig::load_limits& limits = {}) {
  try {
    graph_of_graph_def_text(text, "file", limits);
  } catch (const jig::load_error& e) {
    return e.reason();
  }
  return "";
}

constexpr const char* placeholder =
    "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { size: 2 } "
    "} } } }\n";

}  // namespace

TEST_CASE("the guide's simple_relu has seven nodes and two functions") {
  const auto text = jig::as_graph_def_text(models()[1].graph);
  std::size_t nodes = 0, functions = 0;
  for (std::size_t at = 0; (at = text.find("node {\n", at)) != text.npos; ++at) nodes += at == 0 || text[at - 1] == '\n';
  for (std::size_t at = 0; (at = text.find("  function {\n", at)) != text.npos; ++at) ++functions;
  CHECK(nodes == 7);
  CHECK(functions == 2);
  for (const char* line : {"name: \"Greater/y\"", "op: \"StatelessIf\"", "name: \"cond/Identity_1\"", "int_val: 0", "key: \"then_branch\""})
    CHECK(text.find(line) != text.npos);
}

TEST_CASE("files that end early or have other bytes are refused or are graphs, and nothing else") {
  std::mt19937 random(7);
  int read = 0, tries = 0;
  for (const auto& m : models()) {
    const std::string binary = jig::detail::graph_def_bytes(m.graph), text = jig::detail::graph_def_text(m.graph);
    REQUIRE(is_read(binary, false));
    REQUIRE(is_read(text, true));
    for (std::size_t n = 0; n < binary.size(); ++n) (void)is_read(std::string_view(binary).substr(0, n), false);
    for (std::size_t n = 0; n < text.size(); n += 7) (void)is_read(std::string_view(text).substr(0, n), true);
    for (int k = 0; k < 1300; ++k) {
      const bool as_text = k % 4 == 0;
      std::string bytes = as_text ? text : binary;
      for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        const std::size_t at = random() % bytes.size();
        switch (random() % 4) {
          case 0: bytes[at] = static_cast<char>(random()); break;
          case 1: bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8)); break;
          case 2: bytes.erase(at, random() % 9); break;
          default: bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 30)); break;
        }
      }
      read += is_read(bytes, as_text);
      ++tries;
    }
  }
  CHECK(tries > 10000);
  CHECK(read > 0);
  CHECK(read < tries);
}

TEST_CASE("what is wrong is said with the node") {
  const std::string x = placeholder;
  CHECK(why(x + "node { name: 'y' op: 'Tanh' input: 'x' }") == "");
  CHECK(why(x + "node { name: 'y' op: 'Frobnicate' input: 'x' }") == "node y (Frobnicate): jig has no such op");
  CHECK(why(x + "node { name: 'y' op: 'Tanh' input: 'z' }") == "node y (Tanh): its input z is no node of the graph");
  CHECK(why(x + "node { name: 'y' op: 'Tanh' input: 'x:3' }").find("takes output 3 of node x") != std::string::npos);
  CHECK(why(x + "node { name: 'y' op: 'AddV2' input: 'x' input: 'z' } node { name: 'z' op: 'Tanh' input: 'y' } node { name: 'o' op: "
                "'Identity' input: 'z' }")
            .find("in a circle") != std::string::npos);
  CHECK(why(x + "node { name: 'y' op: 'Tanh' }") == "node y (Tanh): it has 0 inputs, not 1");
  CHECK(why(x + x).find("two nodes of this name") != std::string::npos);
  CHECK(why("node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_COMPLEX64 } } }") ==
        "node x (Placeholder): jig has no dtype like DT_COMPLEX64");
  CHECK(why("node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }").find("rank") != std::string::npos);
  CHECK(why("node {").find("no end") != std::string::npos);
  CHECK(why("node { name: 7 }").find("no string") != std::string::npos);
  CHECK(why("").find("no results") != std::string::npos);
  const std::string huge =
      "node { name: 'c' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 99999999999 } } "
      "float_val: 1 } } } }"
      "node { name: 'o' op: 'Identity' input: 'c' }";
  CHECK(why(huge) == "node c (Const): constants have more elements than load_limits allow");
  CHECK(why(x + "node { name: 'y' op: 'StatelessIf' input: 'x' attr { key: 'then_branch' value { func { name: 'f' } } } }")
            .find("no scalar") != std::string::npos);
  jig::load_limits few;
  few.nodes = 1;
  CHECK(why(x + "node { name: 'y' op: 'Tanh' input: 'x' }", few).find("load_limits") != std::string::npos);
  std::string deep;
  for (int k = 0; k < 200; ++k) deep += "a {";
  CHECK(why(deep).find("too deep") != std::string::npos);
  // A function that calls itself.
  CHECK(why(x +
            "node { name: 'y' op: 'PartitionedCall' input: 'x' attr { key: 'f' value { func { name: 'f' } } } }"
            "library { function { signature { name: 'f' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'o' type: DT_FLOAT } }"
            "node_def { name: 'c' op: 'PartitionedCall' input: 'a' attr { key: 'f' value { func { name: 'f' } } } } ret { key: 'o' value: "
            "'c:output:0' } } }")
            .find("too deep") != std::string::npos);
  // Functions that call others twice, and make no node.
  const auto call = [](const std::string& name, const std::string& of, const std::string& input) {
    return "{ name: '" + name + "' op: 'PartitionedCall' input: '" + input + "' attr { key: 'f' value { func { name: '" + of + "' } } } }";
  };
  std::string doubling = x + "node " + call("y", "f12", "x") + "library {";
  for (int k = 0; k <= 12; ++k) {
    const std::string before = "f" + std::to_string(k - 1);
    doubling += "function { signature { name: 'f" + std::to_string(k) +
                "' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'o' type: DT_FLOAT } }";
    if (k > 0) doubling += "node_def " + call("b", before, "a") + "node_def " + call("c", before, "b:output:0");
    doubling += std::string("ret { key: 'o' value: '") + (k == 0 ? "a" : "c:output:0") + "' } }";
  }
  few.nodes = 100;
  CHECK(why(doubling + "}") == "");
  CHECK(why(doubling + "}", few).find("functions have more nodes than load_limits allow") != std::string::npos);
  // A long chain is no deep one.
  std::string chain = x;
  for (int k = 0; k < 20000; ++k)
    chain += "node { name: 'n" + std::to_string(k) + "' op: 'Neg' input: '" + (k == 0 ? "x" : "n" + std::to_string(k - 1)) + "' }";
  CHECK(why(chain) == "");
}

TEST_CASE("frozen networks of others: BiasAdd, Softmax, batch normalisation, extents that are computed") {
  const std::string text =
      std::string(
          "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { "
          "shape { dim { size: -1 } dim { size: 2 } dim { size: 3 } } } } }") +
      "node { name: 's' op: 'Shape' input: 'x' }"
      "node { name: 'zero' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 0 } "
      "} } }"
      "node { name: 'one' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 1 } } "
      "} }"
      "node { name: 'n' op: 'StridedSlice' input: 's' input: 'zero' input: 'one' input: 'one' attr { key: 'shrink_axis_mask' value { i: 1 "
      "} } }"
      "node { name: 'six' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 6 } } } }"
      "node { name: 'p' op: 'Pack' input: 'n' input: 'six' attr { key: 'N' value { i: 2 } } }"
      "node { name: 'f' op: 'Reshape' input: 'x' input: 'p' }"
      "node { name: 'b' op: 'Const' attr { key: 'value' value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 6 } } float_val: 0.5 } "
      "} } }"
      "node { name: 'ba' op: 'BiasAdd' input: 'f' input: 'b' }"
      "node { name: 'out' op: 'Softmax' input: 'ba' }";
  const jig::loaded_function f(graph_of_graph_def_text(text, "file", {}));
  CHECK(f.output_spec(0).shape == jig::shape{2, {jig::dyn, 6}});
  const jig::any_tensor y = f(jig::ones<float, 4, 2, 3>());
  CHECK(y.shape() == jig::shape{2, {4, 6}});
  CHECK(y.as<float>()(3, 5) == doctest::Approx(1.0 / 6));
}

TEST_CASE("segments and counts are written and read again") {
  const auto model = traced_model(
      "counts(x, i)",
      [](auto x, auto i) {
        const auto bytes = jig::cast<std::uint8_t>(jig::maximum(i, 0));
        const auto numbers = [](auto y) { return jig::cast<double>(y); };
        return std::make_tuple(numbers(jig::unsorted_segment_sum<3>(x, i)),
                               numbers(jig::unsorted_segment_sum<3>(x, jig::stack<1>(i, i - 1))),
                               numbers(jig::bincount<2>(jig::maximum(i, 0))), jig::bincount<4, double>(jig::stack<0>(bytes, bytes)),
                               numbers(jig::bincount<2>(bytes, jig::reduce_sum<1>(x))));
      },
      jig::spec<float, jig::dyn, 2>(), jig::spec<int, jig::dyn>());
  const auto read = graph_of_graph_def_text(jig::detail::graph_def_text(model), "file", {});
  using jig::any_tensor;
  const std::vector<any_tensor> x{any_tensor(jig::tensor<float, 4, 2>{{1, 2}, {3, 4}, {5, 6}, {7, 8}}),
                                  any_tensor(jig::tensor<int, 4>{2, 0, -1, 2})};
  const auto found = interpreted(read.graph.view())(x), expected = interpreted(model.graph.view())(x);
  REQUIRE(found.size() == 5);
  for (std::size_t k = 0; k < found.size(); ++k) CHECK(std::ranges::equal(found[k].as<double>(), expected[k].as<double>()));
  CHECK(std::ranges::equal(found[0].as<double>(), std::vector<double>{3, 4, 0, 0, 8, 10}));
  CHECK(std::ranges::equal(found[3].as<double>(), std::vector<double>{4, 0, 4, 0}));
}

TEST_CASE("what jig does not count") {
  const auto constant = [](const char* name, const char* type, const char* extents, const char* values) {
    return std::string("node { name: '") + name + "' op: 'Const' attr { key: 'value' value { tensor { dtype: " + type + " tensor_shape { " +
           extents + " } " + values + " } } } }\n";
  };
  const std::string size = constant("n", "DT_INT32", "", "int_val: 3"), none = constant("w", "DT_INT32", "dim { size: 0 }", ""),
                    list = constant("x", "DT_INT32", "dim { size: 2 }", "int_val: 1 int_val: 2"),
                    matrix = constant("x", "DT_INT32", "dim { size: 1 } dim { size: 2 }", "int_val: 1 int_val: 2");
  const auto node = [](const char* op, const char* more) {
    return std::string("node { name: 'c' op: '") + op + "' input: 'x' input: 'n' input: 'w' " + more +
           " } node { name: 'o' op: 'Identity' input: 'c' }";
  };
  CHECK(why(list + size + none + node("Bincount", "")) == "");
  CHECK(why(list + size + none + node("DenseBincount", "")) == "");
  CHECK(why(matrix + size + none + node("DenseBincount", "")) == "node c (DenseBincount): jig counts all numbers together");
  CHECK(why(list + size + none + node("DenseBincount", "attr { key: 'binary_output' value { b: true } }")) ==
        "node c (DenseBincount): jig counts how often each number occurs");
}

TEST_CASE("rows of which only a call knows the length are sorted again") {
  const auto model = traced_model(
      "sorted(x)",
      [](auto x) {
        const auto y = jig::tanh(x);
        return std::make_tuple(jig::sort(y), jig::sort(x, jig::descending), jig::argsort(x), jig::argsort(y, jig::descending));
      },
      jig::spec<float, jig::dyn, jig::dyn>());
  const auto read = graph_of_graph_def_text(jig::detail::graph_def_text(model), "file", {});
  using jig::any_tensor;
  for (const jig::index n : {0, 1, 7}) {
    jig::tensor<float, jig::dyn, jig::dyn> numbers(3, n);
    for (jig::index i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<float>(i * 11 % 17) - 8;
    const std::vector<any_tensor> x{any_tensor(numbers)};
    const auto found = interpreted(read.graph.view())(x), expected = interpreted(model.graph.view())(x);
    REQUIRE(found.size() == 4);
    for (std::size_t k = 0; k < 2; ++k) CHECK(std::ranges::equal(found[k].as<float>(), expected[k].as<float>()));
    for (std::size_t k = 2; k < 4; ++k) CHECK(std::ranges::equal(found[k].as<std::int32_t>(), expected[k].as<std::int32_t>()));
    for (jig::index r = 0; r < 3 && n > 0; ++r)
      CHECK(std::ranges::is_sorted(std::span(found[0].as<float>().data() + r * n, static_cast<std::size_t>(n))));
  }
  const std::string given =
      "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { size: "
      "-1 } } "
      "} } } node { name: 'k' op: 'Placeholder' attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'shape' value { shape { } } } }";
  CHECK(why(given + "node { name: 'y' op: 'TopKV2' input: 'x' input: 'k' attr { key: 'T' value { type: DT_FLOAT } } }") ==
        "node y (TopKV2): k is not known before a call");
}

TEST_CASE("what is moved, searched and set is written and read again") {
  const auto model = traced_model(
      "moves(x, i)",
      [](auto x, auto i) {
        const auto row = jig::sort(jig::strided_slice<0>(x));
        const auto cube = jig::stack<0>(x, x * 2);
        return std::make_tuple(jig::roll<0>(x, i), jig::roll<-1>(x, jig::cast<std::int8_t>(i)), jig::set_diag(x, x[0] * 7),
                               jig::searchsorted(row, x), jig::searchsorted<"right">(jig::sort(x), x),
                               jig::searchsorted(jig::sort(cube), cube), jig::bucketize(i, jig::lits<0, 5>));
      },
      jig::spec<float, 3, 3>(), jig::spec<int>());
  const auto read = graph_of_graph_def_text(jig::detail::graph_def_text(model), "file", {});
  using jig::any_tensor;
  const std::vector<any_tensor> x{any_tensor(jig::tensor<float, 3, 3>{{3, 1, 2}, {5, 2, 2}, {9, 0, 1}}), any_tensor(-4)};
  const auto found = interpreted(read.graph.view())(x), expected = interpreted(model.graph.view())(x);
  REQUIRE(found.size() == 7);
  for (std::size_t k = 0; k < found.size(); ++k) {
    REQUIRE(found[k].shape() == expected[k].shape());
    if (k < 3) CHECK(std::ranges::equal(found[k].as<float>(), expected[k].as<float>()));
    else CHECK(std::ranges::equal(found[k].as<int>(), expected[k].as<int>()));
  }
}

TEST_CASE("systems of equations are written and read again") {
  const auto model = traced_model(
      "systems(a, b)",
      [](auto a, auto b) {
        const auto l = jig::cholesky(a);
        return std::make_tuple(l, jig::inv(a), jig::det(a), jig::solve(a, b), jig::solve(a, b, jig::transpose_a),
                               jig::triangular_solve(a, b, jig::upper), jig::triangular_solve(a, b, jig::transpose_a),
                               jig::gradient(jig::reduce_sum(jig::triangular_solve(a, b)), a));
      },
      jig::spec<double, 2, 2>(), jig::spec<double, 2>());
  const std::string text = jig::detail::graph_def_text(model);
  for (const char* node : {"Cholesky", "MatrixInverse", "MatrixDeterminant", "MatrixSolve", "MatrixTriangularSolve", "MatrixBandPart"})
    CHECK(text.find("op: \"" + std::string(node) + "\"") != std::string::npos);
  const auto read = graph_of_graph_def_text(text, "file", {});
  using jig::any_tensor;
  const std::vector<any_tensor> x{any_tensor(jig::tensor<double, 2, 2>{{4, 2}, {2, 3}}), any_tensor(jig::tensor<double, 2>{8, 7})};
  const auto found = interpreted(read.graph.view())(x);
  REQUIRE(found.size() == 8);
  const std::vector<double> expected[] = {
      {2, 0, 1, std::sqrt(2.)}, {3 / 8., -2 / 8., -2 / 8., 4 / 8.}, {8}, {1.25, 1.5}, {1.25, 1.5}, {5 / 6., 7 / 3.},
      {5 / 6., 7 / 3.},         {-1 / 6., 0, -2 / 3., -1 / 3.}};
  for (std::size_t k = 0; k < 8; ++k) {
    REQUIRE(found[k].size() == static_cast<jig::index>(expected[k].size()));
    for (std::size_t i = 0; i < expected[k].size(); ++i)
      CHECK(static_cast<const double*>(found[k].data())[i] == doctest::Approx(expected[k][i]));
  }
  CHECK(why("node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { "
            "size: "
            "2 } dim { size: 2 } } } } } node { name: 'y' op: 'MatrixInverse' input: 'x' attr { key: 'adjoint' value { b: true } } }")
            .find("adjoint") != std::string::npos);
}

TEST_CASE("nodes of others that jig has several ops for") {
  using jig::any_tensor;
  const auto constant = [](const char* name, const char* type, const char* extents, const char* values) {
    return std::string("node { name: '") + name + "' op: 'Const' attr { key: 'value' value { tensor { dtype: " + type + " tensor_shape { " +
           extents + " } " + values + " } } } }\n";
  };
  const std::string before =
      std::string(
          "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { "
          "size: 2 } dim { size: 2 } } } } }\n") +
      constant("low", "DT_FLOAT", "", "float_val: -1") + constant("high", "DT_FLOAT", "", "float_val: 2") +
      constant("zero", "DT_INT64", "", "int64_val: 0") + constant("none", "DT_INT64", "", "int64_val: -1") +
      constant("shifts", "DT_INT32", "dim { size: 2 }", "int_val: 1 int_val: 3") +
      constant("axes", "DT_INT32", "dim { size: 2 }", "int_val: 0 int_val: 1") +
      constant("d", "DT_FLOAT", "dim { size: 2 }", "float_val: 7 float_val: 8") + constant("k", "DT_INT32", "", "int_val: 0") +
      constant("p", "DT_INT32", "dim { size: 3 }", "int_val: 2 int_val: 0 int_val: 1") +
      constant("image", "DT_FLOAT", "dim { size: 1 } dim { size: 2 } dim { size: 2 } dim { size: 1 }",
               "float_val: 1 float_val: 2 float_val: 3 float_val: 4") +
      constant("sorted", "DT_FLOAT", "dim { size: 2 } dim { size: 3 }",
               "float_val: -4 float_val: 0 float_val: 3 float_val: 1 float_val: 5 float_val: 5");
  const auto text = [&](const std::string& op, std::initializer_list<const char*> inputs, const std::string& more) {
    std::string node = "node { name: 'o' op: '" + op + "'";
    for (const auto* const i : inputs) node += std::string(" input: '") + i + "'";
    return before + node + " " + more + " }";
  };
  const auto is = [&](const std::vector<double>& expected, const std::string& op, std::initializer_list<const char*> inputs,
                      const std::string& more = "") {
    CAPTURE(op);
    const jig::loaded_function f(graph_of_graph_def_text(text(op, inputs, more), "file", {}));
    const any_tensor y = f(any_tensor(jig::tensor<float, 2, 2>{{0, 3}, {-4, 5}}));
    REQUIRE(y.size() == static_cast<jig::index>(expected.size()));
    jig::index k = 0;
    for (const double e : expected) {
      CHECK((y.dtype() == jig::dtype::float32 ? static_cast<double>(static_cast<const float*>(y.data())[k])
             : y.dtype() == jig::dtype::int64 ? static_cast<double>(static_cast<const std::int64_t*>(y.data())[k])
                                              : static_cast<double>(static_cast<const int*>(y.data())[k])) == doctest::Approx(e));
      ++k;
    }
  };
  is({0, 2, -1, 2}, "ClipByValue", {"x", "low", "high"});
  is({0, 1, 1, 1}, "DivNoNan", {"x", "x"});
  is({0, 9, 16, 25}, "MulNoNan", {"x", "x"});
  is({0, 3 * std::log(2.0), -4 * std::log(2.0), 5 * std::log(2.0)}, "Xlogy", {"x", "high"});
  is({0, 1, 1, 1}, "Xdivy", {"x", "x"});
  is({5, -4, 3, 0}, "Roll", {"x", "shifts", "axes"});
  is({-4, 5, 0, 3}, "Roll", {"x", "none", "k"});
  is({0, 0, -4, 5}, "MatrixBandPart", {"x", "none", "zero"});
  is({7, 3, -4, 8}, "MatrixSetDiag", {"x", "d"});
  is({7, 3, -4, 8}, "MatrixSetDiagV3", {"x", "d", "k"});
  is({1, 2, 0}, "InvertPermutation", {"p"});
  is({1, 2, 3, 4}, "SpaceToDepth", {"image"}, "attr { key: 'block_size' value { i: 2 } }");
  is({1, 2, 0, 1}, "LowerBound", {"sorted", "x"});
  is({2, 3, 0, 3}, "UpperBound", {"sorted", "x"}, "attr { key: 'out_type' value { type: DT_INT64 } }");

  CHECK(why(text("SpaceToDepth", {"image"}, "attr { key: 'block_size' value { i: 3 } }")).find("does not divide into blocks of 3") !=
        std::string::npos);
  CHECK(why(text("DepthToSpace", {"image"}, "attr { key: 'block_size' value { i: 0 } }")).find("at least one pixel") != std::string::npos);
  CHECK(why(text("DepthToSpace", {"image"}, "attr { key: 'data_format' value { s: 'NCHW' } }")) ==
        "node o (DepthToSpace): channels come first");
  CHECK(why(text("MatrixSetDiagV3", {"x", "d", "shifts"}, "")) == "node o (MatrixSetDiagV3): jig sets the main diagonal only");
  CHECK(why(text("Roll", {"x", "shifts", "k"}, "")) == "node o (Roll): there are other numbers of shifts and axes");
  CHECK(why(text("Roll", {"x", "none", "axes"}, "")) == "node o (Roll): there are other numbers of shifts and axes");
  CHECK(why(text("LowerBound", {"d", "x"}, "")) == "node o (LowerBound): its inputs are no matrices");
  CHECK(why(text("InvertPermutation", {"x"}, "")).find("a permutation is a vector of integers") != std::string::npos);
  CHECK(why(text("MatrixBandPart", {"p", "none", "zero"}, "")).find("a matrix has two axes") != std::string::npos);
}

// Ranges, tables and masks as long as an argument, doubled images: what TensorFlow writes of functions with open extents.
TEST_CASE("where extents of arguments steer the graph, each call has its own") {
  using jig::any_tensor;
  const std::string argument =
      "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { size: "
      "-1 } "
      "dim { size: -1 } } } } } node { name: 'shape' op: 'Shape' input: 'x' attr { key: 'T' value { type: DT_FLOAT } } } ";
  const auto number = [](const std::string& name, int x, bool list = false) {
    return "node { name: '" + name +
           "' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' value { tensor { dtype: " +
           "DT_INT32 tensor_shape { " + (list ? "dim { size: 1 } " : "") + "} int_val: " + std::to_string(x) + " } } } } ";
  };
  const std::string columns =
      number("one", 1, true) + number("two", 2, true) +
      "node { name: 'n' op: 'StridedSlice' input: 'shape' input: 'one' input: 'two' input: 'one' attr { key: 'T' value "
      "{ type: DT_INT32 } } attr { key: 'shrink_axis_mask' value { i: 1 } } } ";
  const std::string places =
      number("zero", 0) + number("step", 1) +
      "node { name: 'places' op: 'Range' input: 'zero' input: 'n' input: 'step' attr { key: 'Tidx' value { type: DT_INT32 } } "
      "} node { name: 'as_float' op: 'Cast' input: 'places' attr { key: 'SrcT' value { type: DT_INT32 } } attr { key: 'DstT' "
      "value { type: DT_FLOAT } } } ";
  const auto loaded = [](const std::string& text) {
    return jig::loaded_function(
        jig::detail::tensorflow::model_of_graph(jig::detail::message_of_graph_def_text(text, "file", {}), {}, "file", {}));
  };
  const auto f = loaded(argument + columns + places +
                        "node { name: 'y' op: 'AddV2' input: 'x' input: 'as_float' attr { key: 'T' value { type: DT_FLOAT } } }");
  CHECK(!f.has_graph());
  CHECK(f.input_spec(0) == jig::tensor_spec{jig::dtype::float32, {2, {jig::dyn, jig::dyn}}});
  CHECK(f.output_spec(0) == f.input_spec(0));
  for (const jig::index n : {1, 5, 3, 5}) {
    jig::tensor<float, jig::dyn, jig::dyn> x(2, n);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(10 * i);
    const any_tensor y = f(any_tensor(x));
    REQUIRE(y.shape() == x.shape());
    for (jig::index i = 0; i < x.size(); ++i) CHECK(y.as<float>().data()[i] == static_cast<float>(10 * i + i % n));
  }
  // At the same time, with more shapes than are kept.
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (jig::index n = 1; n < 30; ++n) {
        const jig::tensor<float, jig::dyn, jig::dyn> zeros(3, n);
        const any_tensor y = f(any_tensor(zeros));
        for (jig::index i = 0; i < 3 * n; ++i) wrong += y.as<float>().data()[i] != static_cast<float>(i % n);
      }
    });
  for (auto& t : threads) t.join();
  CHECK(wrong == 0);
  const jig::loaded_function three(f.model_for({{jig::dtype::float32, {2, {2, 3}}}}));
  CHECK(three.output_spec(0).shape == jig::shape{2, {2, 3}});
  CHECK_THROWS_AS((void)f.graph(), jig::invalid_argument);
  CHECK_THROWS_AS((void)f.model_for({f.input_spec(0)}), jig::invalid_argument);
  CHECK_THROWS_AS((void)f(any_tensor(jig::tensor<float, 3>{})), jig::invalid_argument);
  // What no extent tells is refused as before, as is what fails for all.
  CHECK(why(argument + number("zero", 0) + number("step", 1) +
            "node { name: 'n' op: 'Cast' input: 'x' attr { key: 'SrcT' value { type: DT_FLOAT } } attr { key: 'DstT' value { type: "
            "DT_INT32 } } } "
            "node { name: 'y' op: 'Range' input: 'zero' input: 'n' input: 'step' }") ==
        "node y (Range): the limit is not known before a call");
  CHECK_THROWS_AS((void)loaded(argument + columns + places + "node { name: 'y' op: 'Frobnicate' input: 'as_float' }"), jig::load_error);

  // One extent of a reshape follows from the others: one graph is enough.
  const auto flat =
      loaded(argument + columns + number("all", 2) +
             "node { name: 'twice' op: 'Mul' input: 'n' input: 'all' attr { key: 'T' value { type: DT_INT32 } } } node { name: 'to' op: "
             "'Pack' input: 'all' input: 'twice' attr { key: 'N' value { i: 2 } } attr { key: 'T' value { type: DT_INT32 } } } node { "
             "name: 'y' op: 'Reshape' input: 'x' input: 'to' attr { key: 'T' value { type: DT_FLOAT } } }");
  CHECK(flat.has_graph());
  CHECK(any_tensor(flat(any_tensor(jig::tensor<float, 4, 3>{}))).shape() == jig::shape{2, {2, 6}});

  // Of images the size is a number, or computed.
  const auto doubled = loaded(
      "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'shape' value { shape { dim { size: "
      "-1 } dim { "
      "size: 2 } dim { size: 3 } dim { size: 1 } } } } } node { name: 'size' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } "
      "attr { key: "
      "'value' value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: 4 int_val: 3 } } } } node { name: 'y' op: "
      "'ResizeNearestNeighbor' input: 'x' input: 'size' attr { key: 'half_pixel_centers' value { b: true } } }");
  jig::tensor<float, 1, 2, 3, 1> pixels;
  std::ranges::copy(std::vector<float>{1, 2, 3, 4, 5, 6}, pixels.data());
  const any_tensor image = doubled(any_tensor(pixels));
  CHECK(std::ranges::equal(image.as<float>(), std::vector<float>{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}));
}
