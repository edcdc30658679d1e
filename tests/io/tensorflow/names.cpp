// SPDX-License-Identifier: MIT
#include <jig/io/tensorflow/names.hpp>

#include <jig/io/tensorflow/spelled_parts.hpp>

#include <doctest/doctest.h>

namespace tensorflow = jig::detail::tensorflow;
using jig::detail::spelling;

TEST_CASE("every op of the library has a name, several, or a reason why it has none") {
  for (const jig::op* o : jig::detail::all_ops) {
    CAPTURE(o->name);
    const jig::detail::op_name* const n = tensorflow::find_name(*o);
    REQUIRE(n != nullptr);
    CHECK(!n->name.empty());
    const bool is_spelled = [&] {
      for (const auto& s : tensorflow::spelled_ops)
        if (s.kind->identity == o->identity) return true;
      return false;
    }();
    CHECK(is_spelled == (n->how == spelling::several && !o->is(jig::fact::control | jig::fact::input)));
    if (n->how != spelling::node) continue;
    // As many outputs as the op has, each with a name.
    int outputs = 0;
    jig::detail::for_each_word(n->outputs, [&](std::string_view word) {
      CHECK(!word.empty());
      ++outputs;
    });
    CHECK(outputs == o->outputs);
    CHECK(!n->inputs.empty());
  }
}

TEST_CASE("no op is named twice, and no two are one node") {
  for (const auto& a : tensorflow::op_names)
    for (const auto& b : tensorflow::op_names) {
      if (&a == &b) continue;
      CHECK(a.kind->identity != b.kind->identity);
      if (a.how == spelling::node && b.how == spelling::node) CHECK(a.name != b.name);
    }
}
