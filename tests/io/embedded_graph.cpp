// SPDX-License-Identifier: MIT
#include <jig/io/embedded_graph.hpp>

#include <jig/io/graph_def.hpp>

#include "embedded_models.hpp"
#include "models.hpp"

#include <doctest/doctest.h>

using jig::detail::graph_of_graph_def;

// With Clang the strings of libstdc++ 12 are no constants.
#if !defined __clang__ || !defined _GLIBCXX_RELEASE || _GLIBCXX_RELEASE > 12
static_assert(jig::embedded_graph<dense_graph_def>.count("MatMul") == 1);
static_assert(jig::embedded_graph<dense_graph_def>.spec(jig::embedded_graph<dense_graph_def>.outputs()[0]) ==
              jig::tensor_spec{jig::dtype::float32, {2, {jig::dyn, 2}}});
static_assert(jig::embedded_graph<relu_graph_def>.count("If") == 1);
static_assert(jig::embedded_graph<trips_graph_def>.outputs().size() == 2);
static_assert(jig::embedded_graph<picture_graph_def>.count("Conv2D") > 0);

TEST_CASE("bytes in the program are the graph that they are as a file") {
  const auto text = [](const auto& bytes) {
    return jig::to_text(graph_of_graph_def({reinterpret_cast<const char*>(bytes), sizeof bytes}, "file", {}).graph.view());
  };
  CHECK(jig::to_text(jig::embedded_graph<dense_graph_def>) == text(dense_graph_def));
  CHECK(jig::to_text(jig::embedded_graph<relu_graph_def>) == text(relu_graph_def));
  CHECK(jig::to_text(jig::embedded_graph<trips_graph_def>) == text(trips_graph_def));
  CHECK(jig::to_text(jig::embedded_graph<picture_graph_def>) == text(picture_graph_def));
  CHECK(text(dense_graph_def) ==
        "x = Placeholder() : float32 (None, 3)\n"
        "Const = Const() {value: [0.5, -1.0, 0.25, 2.0, -0.75, 0.125]} : float32 (3, 2)\n"
        "MatMul = MatMul(x, Const) : float32 (None, 2)\n"
        "Const_1 = Const() {value: [0.1, -0.2]} : float32 (2,)\n"
        "add = AddV2(MatMul, Const_1) : float32 (None, 2)\n"
        "Tanh = Tanh(add) : float32 (None, 2)\n"
        "return Tanh\n");
}
#endif

TEST_CASE("the bytes are those of the models") {
  const auto is = [](const auto& bytes, const char* name) {
    for (const auto& m : models())
      if (m.graph.name == name)
        return jig::detail::graph_def_bytes(m.graph) == std::string(reinterpret_cast<const char*>(bytes), sizeof bytes);
    return false;
  };
  CHECK(is(dense_graph_def, "dense"));
  CHECK(is(relu_graph_def, "relu"));
  CHECK(is(trips_graph_def, "trips"));
  CHECK(is(picture_graph_def, "picture"));
}
