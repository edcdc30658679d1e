// SPDX-License-Identifier: MIT
#include <jig/trace/variable_references.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

namespace {

struct layer {
  BOOST_HANA_DEFINE_STRUCT(layer, (jig::variable<float, 2>, w), (int, size), (jig::variable<double, jig::dyn>, b));
};

TEST_CASE("Variables by name, where they are") {
  std::pair<layer, jig::variable<int>> x;
  x.first.b.assign(jig::tensor<double, jig::dyn>{1, 2});
  auto found = jig::variable_references(x);
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "0/w");
  CHECK(found[1].name == "0/b");
  CHECK(found[2].name == "1");
  CHECK(found[1].declared == jig::tensor_spec{jig::dtype::float64, {1, {jig::dyn}}});
  CHECK(found[1].elements.extents == jig::shape{1, {2}});
  CHECK(found[0].replaced == nullptr);
  CHECK(found[0].elements.data == x.first.w.value().data());
  const auto* const replaced = found[1].replaced;
  REQUIRE(replaced != nullptr);
  void* const made = replaced->make({1, {3}});
  for (int i = 0; i < 3; ++i) static_cast<double*>(replaced->elements(made))[i] = i;
  replaced->move_in(found[1].variable, made);
  replaced->drop(made);
  CHECK(x.first.b.size() == 3);
  CHECK(x.first.b.value()(2) == 2);
  const jig::variable<float> alone;
  CHECK(jig::variable_references(alone)[0].name == "variable");
}

}  // namespace
