// SPDX-License-Identifier: MIT
#include <jig/trace/variables.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>
#include <sstream>

namespace {

struct layer {
  BOOST_HANA_DEFINE_STRUCT(layer, (jig::variable<float, 3, 2>, w), (jig::variable<float, 2>, b));
};
struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (layer, hidden), (std::array<jig::variable<float>, 2>, scales), (jig::variable<int, jig::dyn>, ids));
};

std::string names_of(const std::vector<jig::named_variable>& v) {
  std::string out;
  for (const auto& x : v) out += std::string(x.name()) + ' ';
  return out;
}

}  // namespace

TEST_CASE("the variables of a struct are listed by the names of its members") {
  layer l;
  CHECK(names_of(jig::variables(l)) == "w b ");
  CHECK(jig::variables(l)[0].shape() == jig::shape{2, {3, 2}});
  CHECK(jig::variables(l)[1].dtype() == jig::dtype::float32);
  network n;
  n.ids.assign(jig::tensor<int, 3>{1, 2, 3});
  auto all_of_them = jig::variables(n);
  CHECK(names_of(all_of_them) == "hidden/w hidden/b scales/0 scales/1 ids ");
  CHECK(all_of_them[4].shape() == jig::shape{1, {3}});
}

TEST_CASE("what is no variable is not listed") {
  jig::variable<float> v;
  jig::tensor<float> t;
  CHECK(names_of(jig::variables(std::tie(t, v))) == "1 ");
  CHECK(jig::variables(t).empty());
  CHECK(jig::variables(v).size() == 1);
}

TEST_CASE("a variable is printed as TensorFlow prints it") {
  std::ostringstream out;
  out << jig::variable<int>(3) << jig::variable<float, 2>{1, 2.5f} << jig::variable<double>(2.0).read();
  CHECK(out.str() ==
        "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=3>"
        "<tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=[1.  2.5]>"
        "tf.Tensor(2.0, shape=(), dtype=float64)");
}
