// SPDX-License-Identifier: MIT
#include <jig/ops/composite.hpp>

#include "../dynamic_trace.hpp"
#include "../interpreted.hpp"
#include "../literal_sum.hpp"

#include <array>

namespace {

using jig::dyn;
using jig::einsum;
using jig::spec;

constexpr spec<float, 4, 3> a{};
constexpr spec<float, 3, 5> b{};
constexpr spec<float, 2, 4, 3> batch{};
constexpr spec<float, dyn, dyn> open{};

template <jig::text Equation>
constexpr auto einsum_of = [](auto&... v) { return einsum<Equation>(v...); };

// What the graph of a static trace gives, of one with wildcards for extents, and a dynamic trace.
template <jig::text Equation, class... X>
void check_both(const X&... x) {
  INFO(std::string(Equation.view()));
  auto compare = [&](const jig::graph_view& g) {
    const auto y = interpreted(g)({jig::any_tensor(jig::untyped(x.view()))...})[0];
    const auto* elements = static_cast<const double*>(y.data());
    literal_sum(Equation.view(), {operand(x)...}).check(y.shape(), std::vector<double>(elements, elements + y.size()));
  };
  auto any = []<class T, jig::index... E>(spec<T, E...>) { return spec<T, (E * 0 + dyn)...>(); };
  compare(jig::graph_of(einsum_of<Equation>, typename X::spec_type()...));
  compare(jig::graph_of(einsum_of<Equation>, any(typename X::spec_type())...));
  compare(traced_dynamically(einsum_of<Equation>, typename X::spec_type()...).graph.view());
  compare(traced_dynamically(einsum_of<Equation>, any(typename X::spec_type())...).graph.view());
}

// What is said when a call is refused, which a static trace says as well.
template <const jig::op& Op, class A = jig::attributes<>, class F, class... S>
std::string refused_by(F f, S... s) {
  using at_compile_time = jig::detail::inferred<Op, A, jig::detail::types<S...>>;
  static_assert(!at_compile_time::accepted);
  const std::string said = refused_dynamically(f, s...);
  CHECK(at_compile_time::why().view() == said);
  return said;
}
template <jig::text Equation, class... S>
std::string refused(S... s) {
  return refused_by<jig::ops::einsum, jig::attributes<jig::text_attribute<"equation", Equation>>>(einsum_of<Equation>, s...);
}

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

TEST_CASE("masks") {
  same_graph([](auto& x, auto& m) { return jig::boolean_mask(x, m); }, a, spec<bool, 4>());
  same_graph([](auto& x, auto& m) { return jig::boolean_mask(x, m); }, batch, spec<bool, 2, 4>());
  same_graph([](auto& x, auto& m) { return jig::boolean_mask(x, m); }, spec<int, dyn, 3, dyn>(), spec<bool, dyn, dyn>());
}

TEST_CASE("both kinds of traces compute the sums that an equation says") {
  auto x = numbers<double, 2, 3, 4>(1);
  auto y = numbers<double, 3, 4, 5>(2);
  auto m = numbers<double, 3, 4>(3);
  auto v = numbers<double, 4>(4);
  check_both<"abc->ca">(x);
  check_both<"abc,bcd->ad">(x, y);
  check_both<"abc,bcd->dab">(x, y);
  check_both<"abc,bc->a">(x, m);
  check_both<"abc,bc,c->b">(x, m, v);
  check_both<"bc,c,bcd,abc->da">(m, v, y, x);
  check_both<"bc,c->">(m, v);
  check_both<"ab,ba->">(numbers<double, 20, 3>(1), numbers<double, 3, 20>(2));
  check_both<"iij,jk->ki">(numbers<double, 2, 2, 3>(5), m);
  check_both<"ijb,jkb->ikb">(numbers<double, 2, 3, 9>(1), numbers<double, 3, 2, 9>(2));
  check_both<"ij,jk->ik">(jig::zeros<double, 0, 3>(), m);
  check_both<"ij,jk->ik">(jig::zeros<double, 2, 0>(), jig::zeros<double, 0, 3>());
  check_both<"ij,jk->ik">(numbers<double, 1, 1>(1), numbers<double, 1, 1>(2));
  // More letters than one tensor can have axes.
  check_both<"abcdefgh,ijklmnop,qrs->hpq">(numbers<double, 1, 2, 1, 2, 1, 2, 1, 2>(1), numbers<double, 2, 1, 2, 1, 2, 1, 2, 1>(2),
                                           numbers<double, 2, 1, 3>(3));
}

TEST_CASE("both kinds of traces refuse a call with one sentence") {
  CHECK(refused<"ij,jk->ik">(a, a) == "einsum<\"ij,jk->ik\">: the letter j is 3 and 4");
  CHECK(refused<"ijk->k">(a) == "einsum<\"ijk->k\">: operand 0 has 2 axes, the equation names 3");
  CHECK(refused<"i,i">(spec<int, 3>(), spec<float, 3>()) == "einsum<\"i,i\">: dtypes differ, convert one with jig::cast");
  CHECK(refused<"i->i">(spec<bool, 3>()) == "einsum<\"i->i\">: the dtype must be a number, use jig::cast");
  CHECK(refused<"ij->k">(a) == "einsum<\"ij->k\">: the letter k of the result is in no operand");
  CHECK(refused<"ij->ii">(a) == "einsum<\"ij->ii\">: the letter i stands in the result twice");
  CHECK(refused<"ij,jk->ik">(a) == "einsum<\"ij,jk->ik\">: the equation has more operands than the call");
  CHECK(refused<"ij->ik">(a, a) == "einsum<\"ij->ik\">: the equation has fewer operands than the call");
  CHECK(refused<"i?->i">(a) ==
        "einsum<\"i?->i\">: there is '?', expected letters, commas, one ellipsis (...) for each operand and one arrow (->)");
  CHECK(refused<"...j->j">(a) == "einsum<\"...j->j\">: the result must have the ellipsis of operand 0");
  CHECK(refused<"...i,...i->...i">(a, spec<float, 2, 3>()) ==
        "einsum<\"...i,...i->...i\">: the axes of an ellipsis do not broadcast: 4 and 2");
  CHECK(refused<"abcd,efgh,i->abcdefghi">(spec<float, 1, 1, 1, 1>(), spec<float, 1, 1, 1, 1>(), spec<float, 1>()) ==
        "einsum<\"abcd,efgh,i->abcdefghi\">: a tensor has at most 8 axes");
  using two = jig::attributes<jig::integer<"axes", 2>>;
  CHECK(refused_by<jig::ops::tensordot, two>([](auto& x, auto& y) { return jig::tensordot<2>(x, y); }, a, spec<float, 3>()) ==
        "tensordot: an operand has fewer axes than are summed over");
  using no_axis = jig::attributes<jig::integer<"axis", 2>, jig::integer<"part", 0>>;
  CHECK(refused_by<jig::ops::unpack, no_axis>(
            [](auto& x) {
              (void)jig::unstack<2>(x);
              return x;
            },
            a) == "unstack: there is no such axis");
  using first = jig::attributes<jig::integer<"axis", -2>, jig::integer<"part", 0>>;
  CHECK(refused_by<jig::ops::unpack, first>(
            [](auto& x) {
              (void)jig::unstack<-2>(x);
              return x;
            },
            open) == "unstack: the extent of the axis must be known in the trace");
  auto mask = [](auto& x, auto& y) { return jig::boolean_mask(x, y); };
  CHECK(refused_by<jig::ops::boolean_mask>(mask, a, spec<bool, 4, 3, 1>()) ==
        "boolean_mask: the axes of the mask must be the first ones of the tensor");
  CHECK(refused_by<jig::ops::boolean_mask>(mask, a, spec<bool, 3>()) ==
        "EnsureShape: extents that must be equal differ: float32 (4, 3) and bool (3,)");
  CHECK(refused_by<jig::ops::boolean_mask>(mask, a, spec<int, 4>()) == "Where: the dtype must be bool: int32 (4,)");
}

TEST_CASE("einsum: a diagonal of wildcard extents is checked when they are known") {
  auto f = jig::dynamic_function("f(x)", [](auto x) { return jig::einsum<"ii->">(x); }).relax_shapes();
  CHECK(f(jig::any_tensor(jig::ones<float, 2, 2>())).as<float>()() == 2);
  CHECK(f(jig::any_tensor(jig::ones<float, 3, 3>())).as<float>()() == 3);
  CHECK_THROWS_AS(f(jig::any_tensor(jig::ones<float, 2, 3>())), jig::invalid_argument);
}

namespace {

// x times y as often as the power has factors behind the first: for 1 the operand itself.
constexpr jig::op powers{.name = "Powers",
                         .label = "powers",
                         .facts = jig::fact::composite,
                         .makes = jig::made_ops<jig::ops::multiply>,
                         .expand = [](jig::expansion& x) {
                           jig::edge result = x.input(0);
                           for (jig::index k = x.attribute("power").values[0]; k > 1; --k)
                             result = x.call(jig::ops::multiply, {result, x.input(1)});
                           x.give(result);
                         }};
template <jig::index N, class X, class Y>
constexpr auto power_of(const X& x, const Y& y) {
  return jig::call<powers, jig::attributes<jig::integer<"power", N>>>(x, y);
}

}  // namespace

TEST_CASE("a composite op of the program") {
  static_assert(jig::graph_of([](auto x) { return jig::call<powers, jig::attributes<jig::integer<"power", 1>>>(x, x); }, a).size() == 1);
  // More nodes than the usual room has.
  constexpr auto many = jig::graph_of([](auto x) { return jig::call<powers, jig::attributes<jig::integer<"power", 40>>>(x, x); }, a);
  static_assert(many.size() == 40 && many.count("Mul") == 39);
  same_graph([](auto& x) { return jig::call<powers, jig::attributes<jig::integer<"power", 40>>>(x, x); }, a);
  // A literal takes the dtype of the others, one operand may be an output of a node with several.
  same_graph([](auto& x) { return jig::call<powers, jig::attributes<jig::integer<"power", 3>>>(x, 2); }, a);
  same_graph([](auto& x) { return jig::call<powers, jig::attributes<jig::integer<"power", 3>>>(std::get<0>(jig::top_k<2>(x)), 2); }, a);
  const jig::tensor<int, 3> x{1, 2, 3};
  CHECK(power_of<5>(x, 2)(2) == 48);
  CHECK(power_of<1>(x, 2)(2) == 3);
  constexpr auto constant = [] {
    return jig::graph_of([](auto v) { return v + power_of<3>(jig::tensor<int, 2>{2, 3}, jig::lit<2>)(1); }, jig::spec<int>());
  }();
  static_assert(constant.count("Mul") == 0);
}

TEST_CASE("a composite op that stands for another one") {
  static constexpr jig::op twice{.name = "Twice",
                                 .label = "twice",
                                 .facts = jig::fact::composite,
                                 .makes = jig::made_ops<powers, jig::ops::einsum>,
                                 .expand = [](jig::expansion& x) {
                                   constexpr jig::index power = 2;
                                   const jig::attribute_view with[] = {{"power", jig::attribute_kind::integer, {&power, 1}}};
                                   const jig::attribute_view product[] = {{"equation", jig::attribute_kind::text, {}, "ij,kj->ik"}};
                                   const jig::edge square = x.call(powers, {x.input(0), x.input(0)}, with);
                                   x.give(x.call(jig::ops::einsum, {square, square}, product));
                                 }};
  auto f = [](auto& x) { return jig::call<twice>(x); };
  constexpr auto g = jig::graph_of(f, a);
  static_assert(g.size() == 3 && g.count("Mul") == 1 && g.count("MatMul") == 1);
  same_graph(f, a);
  CHECK(refused_by<twice>(f, spec<float, 3>()) == "einsum<\"ij,kj->ik\">: operand 0 has 1 axes, the equation names 2");
}

TEST_CASE("a composite op with several results") {
  static constexpr jig::op both{.name = "SumAndRow",
                                .label = "sum_and_row",
                                .facts = jig::fact::composite,
                                .outputs = 2,
                                .makes = jig::made_ops<jig::ops::add, jig::ops::reduce_sum>,
                                .expand = [](jig::expansion& x) {
                                  constexpr jig::index first = 0;
                                  const jig::edge sum = x.call(jig::ops::add, {x.input(0), x.input(1)});
                                  x.give(sum);
                                  x.give(x.call(jig::ops::reduce_sum, {sum}, "axes", {&first, 1}));
                                }};
  auto f = [](auto& x) {
    auto [sum, row] = jig::call<both>(x, x);
    return std::make_tuple(row, sum);
  };
  constexpr auto g = jig::graph_of(f, a);
  static_assert(g.count("AddV2") == 1 && g.count("Sum") == 1);
  same_graph(f, a);
  same_graph(f, open);
  const jig::tensor<int, 2, 2> x{{1, 2}, {3, 4}};
  const auto [sum, row] = jig::call<both>(x, x);
  CHECK(sum(1, 0) == 6);
  CHECK(row(1) == 12);
  // With nodes before it, and its second result first.
  constexpr auto order = jig::function<"order(x)">([](auto v) {
    auto [first, second] = jig::call<both>(-v, v);
    return second - first;
  });
  CHECK(order(x)(1, 1) == 0);
}

TEST_CASE("a composite op that makes what it does not declare is an error at run time") {
  static constexpr jig::op undeclared{
      .name = "Undeclared", .label = "undeclared", .facts = jig::fact::composite, .expand = [](jig::expansion& x) {
        x.give(x.call(jig::ops::neg, {x.input(0)}));
      }};
  const jig::tensor_spec s{jig::dtype::float32, {}};
  CHECK_THROWS_AS(jig::detail::expand(undeclared, {&s, 1}, {}), jig::error);
}
