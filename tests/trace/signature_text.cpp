// SPDX-License-Identifier: MIT
#include <jig/trace/signature_text.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

namespace hana = boost::hana;
using jig::signature_value;
using jig::spec;
using values = std::vector<signature_value>;

template <class Key>
signature_value value(const char* name, const Key& key) {
  return jig::signature_value_of(key, name);
}

template <class Key>
signature_value result(const Key& key) {
  return jig::signature_value_of(key);
}

const signature_value nothing{};

// Clang 16 has no floating template arguments, and so no jig::lit<0.5>.
struct one_half {
  using value_type = double;
  static constexpr double value = 0.5;
};

// What follows the result of a function without parameters.
template <class Key>
std::string returns(const Key& key) {
  return jig::signature_text("f", {}, result(key));
}

}  // namespace

TEST_CASE("the signatures of double, as in the guide") {
  auto text = [](auto key) { return jig::signature_text("double", values{value("a", key)}, result(key)); };
  CHECK(text(spec<int>()) == "double(a)\n  Args:\n    a: int32 Tensor, shape=()\n  Returns:\n    int32 Tensor, shape=()\n");
  CHECK(text(spec<float>()) == "double(a)\n  Args:\n    a: float32 Tensor, shape=()\n  Returns:\n    float32 Tensor, shape=()\n");
  CHECK(text(spec<std::string>()) == "double(a)\n  Args:\n    a: string Tensor, shape=()\n  Returns:\n    string Tensor, shape=()\n");
}

TEST_CASE("shapes are printed as TensorFlow prints them") {
  CHECK(jig::signature_text("dense", values{value("x", spec<float, jig::dyn, 3>()), value("b", spec<double, 2>())},
                            result(spec<bool, jig::dim<"batch">, 2>())) ==
        "dense(x, b)\n"
        "  Args:\n"
        "    x: float32 Tensor, shape=(None, 3)\n"
        "    b: float64 Tensor, shape=(2,)\n"
        "  Returns:\n"
        "    bool Tensor, shape=(batch, 2)\n");
}

TEST_CASE("literals stand in the head with their values") {
  CHECK(jig::signature_text("power", values{value("x", spec<int, 2, 2>()), value("n", jig::lit<5>)}, result(spec<int, 2, 2>())) ==
        "power(x, n=5)\n"
        "  Args:\n"
        "    x: int32 Tensor, shape=(2, 2)\n"
        "  Returns:\n"
        "    int32 Tensor, shape=(2, 2)\n");
  CHECK(jig::signature_text("f", values{value("training", jig::lit<true>), value("rate", one_half())}, nothing) ==
        "f(training=True, rate=0.5)\n  Returns:\n    None\n");
  CHECK(jig::signature_text("f", values{value("n", std::integral_constant<long, -2>())}, nothing) == "f(n=-2)\n  Returns:\n    None\n");

  SUBCASE("lists of literals too, as in the guide") {
    CHECK(jig::signature_text("my_relu", values{value("x", std::array{jig::lit<1>, jig::lit<1>})}, result(spec<float, 2>())) ==
          "my_relu(x=[1, 1])\n  Returns:\n    float32 Tensor, shape=(2,)\n");
    CHECK(jig::signature_text("my_relu", values{value("x", std::tuple(jig::lit<1>, jig::lit<-1>))}, nothing) ==
          "my_relu(x=(1, -1))\n  Returns:\n    None\n");
  }
  SUBCASE("whose text a caller may give") {
    signature_value x{signature_value::form::literal, "x", {}, "[1, -1]", {}};
    CHECK(jig::signature_text("my_relu", values{x}, nothing) == "my_relu(x=[1, -1])\n  Returns:\n    None\n");
  }
}

TEST_CASE("without parameters and results") { CHECK(jig::signature_text("f", {}, nothing) == "f()\n  Returns:\n    None\n"); }

TEST_CASE("several results are numbered") {
  CHECK(returns(std::tuple(spec<float>(), spec<float>())) ==
        "f()\n"
        "  Returns:\n"
        "    (<1>, <2>)\n"
        "      <1>: float32 Tensor, shape=()\n"
        "      <2>: float32 Tensor, shape=()\n");
  CHECK(returns(std::tuple(spec<float>())) == "f()\n  Returns:\n    (<1>,)\n      <1>: float32 Tensor, shape=()\n");
  CHECK(returns(std::tuple()) == "f()\n  Returns:\n    ()\n");
}

TEST_CASE("structures of every kind are numbered") {
  auto map = hana::make_map(hana::make_pair(BOOST_HANA_STRING("w"), spec<float, 2>()),
                            hana::make_pair(BOOST_HANA_STRING("b"), hana::make_tuple(spec<int>(), jig::lit<3>)));
  CHECK(jig::signature_text("f", values{value("m", map), value("n", jig::lit<1>)}, result(std::array{spec<int, 3>(), spec<int, 3>()})) ==
        "f(m, n=1)\n"
        "  Args:\n"
        "    m: {'w': <1>, 'b': (<2>, <3>)}\n"
        "      <1>: float32 Tensor, shape=(2,)\n"
        "      <2>: int32 Tensor, shape=()\n"
        "      <3>: 3\n"
        "  Returns:\n"
        "    [<1>, <2>]\n"
        "      <1>: int32 Tensor, shape=(3,)\n"
        "      <2>: int32 Tensor, shape=(3,)\n");
}

TEST_CASE("the full form, as in the guide") {
  CHECK(jig::function_type_text(values{value("x", spec<float>())}, result(spec<float>())) ==
        "Input Parameters:\n"
        "  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name=None)\n"
        "Output Type:\n"
        "  TensorSpec(shape=(), dtype=tf.float32, name=None)\n"
        "Captures:\n"
        "  None\n");
}

TEST_CASE("the full form of literals and structures") {
  auto map = hana::make_map(hana::make_pair(BOOST_HANA_STRING("w"), spec<bool, jig::dyn, 2>()),
                            hana::make_pair(BOOST_HANA_STRING("b"), spec<double>()));
  CHECK(jig::function_type_text(values{value("x", std::array{jig::lit<1>, jig::lit<1>}), value("n", jig::lit<5>), value("m", map)},
                                result(std::tuple(spec<float>(), spec<int, 2>()))) ==
        "Input Parameters:\n"
        "  x (POSITIONAL_OR_KEYWORD): List[Literal[1], Literal[1]]\n"
        "  n (POSITIONAL_OR_KEYWORD): Literal[5]\n"
        "  m (POSITIONAL_OR_KEYWORD): Dict[['w', TensorSpec(shape=(None, 2), dtype=tf.bool, name=None)], "
        "['b', TensorSpec(shape=(), dtype=tf.float64, name=None)]]\n"
        "Output Type:\n"
        "  Tuple[TensorSpec(shape=(), dtype=tf.float32, name=None), "
        "TensorSpec(shape=(2,), dtype=tf.int32, name=None)]\n"
        "Captures:\n"
        "  None\n");
  CHECK(jig::function_type_text({}, nothing) == "Input Parameters:\n  None\nOutput Type:\n  None\nCaptures:\n  None\n");
}
