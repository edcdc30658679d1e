// SPDX-License-Identifier: MIT
#include "../dynamic_trace.hpp"

#include <array>

namespace {

using jig::dyn;
using jig::einsum;
using jig::spec;

constexpr spec<float, 4, 3> a{};
constexpr spec<float, 3, 5> b{};
constexpr spec<float, 2, 4, 3> batch{};
constexpr spec<float, dyn, dyn> open{};

}  // namespace

TEST_CASE("equations") {
  same_graph([](auto& x) { return einsum<"ij->ji">(x); }, a);
  same_graph([](auto& x) { return einsum<"ij->">(x); }, a);
  same_graph([](auto& x) { return einsum<"ii">(x); }, spec<float, 3, 3>());
  same_graph([](auto& x) { return einsum<"ii->i">(x); }, spec<float, dyn, dyn>());
  same_graph([](auto& x, auto& y) { return einsum<"ij,jk->ik">(x, y); }, a, b);
  same_graph([](auto& x, auto& y) { return einsum<"ij,jk->ki">(x, y); }, a, b);
  same_graph([](auto& x, auto& y) { return einsum<"ij,kj->ik">(x, y); }, a, a);
  same_graph([](auto& x, auto& y) { return einsum<"ij,ij->i">(x, y); }, a, open);
  same_graph([](auto& x, auto& y) { return einsum<"ij,ij">(x, y); }, a, a);
  same_graph([](auto& x, auto& y) { return einsum<"bij,jk->bik">(x, y); }, batch, b);
  same_graph([](auto& x, auto& y) { return einsum<"bij,bkj->bik">(x, y); }, batch, batch);
  same_graph([](auto& x, auto& y) { return einsum<"...ij,...jk->...ik">(x, y); }, batch, b);
  same_graph([](auto& x, auto& y) { return einsum<"i,j->ij">(x, y); }, spec<float, 3>(), spec<float, dyn>());
  same_graph([](auto& x, auto& y) { return einsum<"abc,cbd->ad">(x, y); }, batch, spec<float, 3, 4, 7>());
  same_graph([](auto& x, auto& y) { return einsum<"abc,cd->abd">(x, y); }, spec<float, dyn, dyn, 3>(), b);
  same_graph([](auto& x, auto& y, auto& z) { return einsum<"ij,jk,kl->il">(x, y, z); }, a, b, spec<float, 5, 2>());
  same_graph([](auto& x, auto& y, auto& z) { return einsum<"ij,jk,ik->i">(x, y, z); }, open, open, open);
  same_graph([](auto& x) { return einsum<"ij,j->i">(x, std::array<float, 3>{1, 2, 3}); }, a);
}

TEST_CASE("products that are equations") {
  same_graph([](auto& x, auto& y) { return jig::dot(x, y); }, spec<float, 3>(), spec<float, dyn>());
  same_graph([](auto& x, auto& y) { return jig::outer(x, y); }, spec<double, 3>(), spec<double, 4>());
  same_graph([](auto& x, auto& y) { return jig::tensordot(x, y); }, a, b);
  same_graph([](auto& x, auto& y) { return jig::tensordot<2>(x, y); }, batch, spec<float, 4, 3, 6>());
  same_graph([](auto& x, auto& y) { return jig::tensordot<0>(x, y); }, spec<float, 3>(), spec<float, 4>());
}

TEST_CASE("equations that do not fit") {
  CHECK(refused_dynamically([](auto& x, auto& y) { return einsum<"ij,jk->ik">(x, y); }, a, a) ==
        "einsum<\"ij,jk->ik\">: the letter j is 3 and 4");
  CHECK(refused_dynamically([](auto& x) { return einsum<"ijk->k">(x); }, a) ==
        "einsum<\"ijk->k\">: operand 0 has 2 axes, the equation names 3");
  CHECK(refused_dynamically([](auto& x, auto& y) { return einsum<"i,i">(x, y); }, spec<int, 3>(), spec<float, 3>()) ==
        "einsum<\"i,i\">: dtypes differ, convert one with jig::cast");
  CHECK(refused_dynamically([](auto& x, auto& y) { return jig::tensordot<2>(x, y); }, a, spec<float, 3>()) ==
        "tensordot: an operand has fewer axes than are summed over");
}

TEST_CASE("einsum: a diagonal of wildcard extents is checked when they are known") {
  auto f = jig::dynamic_function("f(x)", [](auto x) { return jig::einsum<"ii->">(x); }).relax_shapes();
  CHECK(f(jig::any_tensor(jig::ones<float, 2, 2>())).as<float>()() == 2);
  CHECK(f(jig::any_tensor(jig::ones<float, 3, 3>())).as<float>()() == 3);
  CHECK_THROWS_AS(f(jig::any_tensor(jig::ones<float, 2, 3>())), jig::invalid_argument);
}
