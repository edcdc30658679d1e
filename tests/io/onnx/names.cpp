// SPDX-License-Identifier: MIT
#include <jig/io/onnx/names.hpp>

#include <jig/io/onnx.hpp>

#include <doctest/doctest.h>

namespace onnx = jig::onnx;
using onnx::spelling;

TEST_CASE("every op of the library has a name, several, or a reason why it has none") {
  for (const jig::op* o : jig::detail::all_ops) {
    CAPTURE(o->name);
    const onnx::op_name* const n = jig::detail::find_name(onnx::op_names, *o);
    REQUIRE(n != nullptr);
    CHECK(!n->name.empty());
    CHECK((onnx::function_that_spells(*o) != nullptr) == (n->how == spelling::several && !o->is(jig::fact::input | jig::fact::constant)));
    if (n->how != spelling::node) continue;
    CHECK(!n->inputs.empty());
    CHECK(!n->outputs.empty());
    CHECK(o->outputs == 1);
  }
}

TEST_CASE("no op is named twice, and no two are one node") {
  for (const auto& a : onnx::op_names)
    for (const auto& b : onnx::op_names) {
      if (&a == &b) continue;
      CAPTURE(a.name);
      CHECK(a.kind->identity != b.kind->identity);
      if (a.how == spelling::node && b.how == spelling::node) CHECK(a.name != b.name);
    }
}

TEST_CASE("what is one node is read again: by a function, or as an op with one or two operands") {
  for (const auto& n : onnx::op_names) {
    if (n.how != spelling::node) continue;
    CAPTURE(n.name);
    if (onnx::function_of_op("", n.name) != nullptr) continue;
    CHECK(onnx::named_op("", n.name) == &n);
    CHECK(onnx::named_op("ai.onnx", n.name) == &n);
    CHECK(onnx::named_op("com.microsoft", n.name) == nullptr);
    CHECK(n.kind->is(jig::fact::elementwise));
    CHECK(n.attributes.empty());
    int operands = 0;
    jig::detail::for_each_word(n.inputs, [&](std::string_view word) {
      CHECK(word.find_first_of("#*") == word.npos);
      ++operands;
    });
    CHECK((operands == 1 || operands == 2));
  }
}
