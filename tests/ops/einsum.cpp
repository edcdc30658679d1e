// SPDX-License-Identifier: MIT
#include "../interpreted.hpp"
#include "../literal_sum.hpp"
#include "../without_line.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

void check_against(literal_sum expected, const auto& y) { expected.check(y.shape(), std::vector<double>(y.begin(), y.end())); }

template <jig::text Equation>
constexpr auto einsum_of = [](auto... v) { return jig::einsum<Equation>(v...); };

// What the graph gives when it is interpreted. Cheaper to compile than a program of its own, and the kernels of both are compared
// elsewhere.
template <jig::text Equation, class... X>
operand interpreted_einsum(const X&... x) {
  const auto y =
      interpreted(jig::graph_of(einsum_of<Equation>, typename X::spec_type()...))({jig::any_tensor(jig::untyped(x.view()))...})[0];
  using T = std::common_type_t<typename X::value_type...>;
  const auto* elements = static_cast<const T*>(y.data());
  return {y.shape(), std::vector<double>(elements, elements + y.size())};
}
template <jig::text Equation, class... X>
void check(const X&... x) {
  INFO(std::string(Equation.view()));
  const auto y = interpreted_einsum<Equation>(x...);
  literal_sum(Equation.view(), {operand(x)...}).check(y.extents, y.elements);
}

// The compiled program.
template <jig::text Equation, class... X>
void check_compiled(const X&... x) {
  INFO(std::string(Equation.view()));
  check_against(literal_sum(Equation.view(), {operand(x)...}), jig::function<"f(x)">(einsum_of<Equation>)(x...));
}

// At once, on tensors.
template <jig::text Equation, class... X>
void check_eager(const X&... x) {
  INFO(std::string(Equation.view()));
  check_against(literal_sum(Equation.view(), {operand(x)...}), jig::einsum<Equation>(x...));
}

template <class T>
struct wild;
template <class T, jig::index... E>
struct wild<jig::tensor<T, E...>> {
  using type = jig::tensor<T, (E * 0 - 1)...>;
};

// In a trace that knows no extents.
template <jig::text Equation, class... X>
void check_wild(const X&... x) {
  check<Equation>(typename wild<X>::type(x)...);
}
template <jig::text Equation, class... X>
void check_compiled_wild(const X&... x) {
  check_compiled<Equation>(typename wild<X>::type(x)...);
}

template <jig::text Equation, class... S>
using traced = decltype(jig::function<"f(x)">([](auto... v) { return jig::einsum<Equation>(v...); }).get_concrete_function(S()...));

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const jig::invalid_argument& e) {
    return without_line(e.what());
  }
  return "no exception";
}

}  // namespace

TEST_CASE("one operand") {
  auto m = numbers<double, 3, 4>(1);
  check<"ij->ij">(m);
  check_eager<"ij->ji">(m);
  check_wild<"ij->j">(m);
  check<"ij->">(m);
  check<"abc->cab">(numbers<float, 2, 3, 4>(2));
  check_compiled<"abc->b">(numbers<int, 2, 3, 4>(2));
  auto square = numbers<double, 3, 3>(3);
  check<"ii->i">(square);
  check_wild<"ii->">(square);
  check<"iji->ij">(numbers<double, 2, 3, 2>(4));
  check_eager<"iijj->ji">(numbers<double, 2, 2, 3, 3>(5));
  check<"iii->i">(numbers<double, 3, 3, 3>(5));
}

TEST_CASE("two operands") {
  auto a = numbers<double, 3, 4>(1);
  auto b = numbers<double, 3, 4>(2);
  auto c = numbers<double, 4, 5>(3);
  auto v = numbers<double, 4>(4);
  auto w = numbers<double, 3>(5);
  check<"ij,jk->ik">(a, c);
  check_eager<"ij,jk->ik">(a, c);
  check_wild<"ij,jk->ki">(a, c);
  check<"ij,jk->i">(a, c);
  check<"ij,jk->">(a, c);
  check<"ij,jk->j">(a, c);
  check<"ij,jk->ijk">(a, c);
  check_wild<"ij,ij->ij">(a, b);
  check<"ij,ij->ji">(a, b);
  check_eager<"ij,ij->">(a, b);
  check_wild<"ij,ij->i">(a, b);
  check_compiled_wild<"ij,kj->ik">(a, b);
  check<"ji,jk->ik">(a, b);
  check<"ij,j->i">(a, v);
  check_compiled<"i,ij->j">(w, a);
  check<"i,j->ji">(v, w);
  check_wild<"i,i->">(v, v);
  check<",ij->ji">(jig::tensor<double>{2.0}, a);
}

TEST_CASE("batches and several letters of a kind") {
  auto a = numbers<double, 2, 3, 4>(1);
  auto b = numbers<double, 2, 4, 5>(2);
  check_compiled_wild<"bij,bjk->bik">(a, b);
  check<"bij,bjk->kib">(a, b);
  check<"bij,bij->b">(a, a);
  check_wild<"bij,bj->bi">(a, numbers<double, 2, 4>(3));
  auto c = numbers<double, 4, 3, 5, 2>(5);
  check<"bij,jikl->bkl">(a, c);
  check_wild<"bij,jikl->bkl">(a, c);
  check_wild<"bij,jikb->bk">(a, c);
  check_wild<"bij,jklm->mlkib">(a, c);
  check_wild<"abc,dcba->d">(numbers<double, 2, 3, 4>(6), numbers<double, 5, 4, 3, 2>(7));
  check_compiled<"bqhd,bkhd->bhqk">(numbers<double, 2, 3, 2, 4>(8), numbers<double, 2, 5, 2, 4>(9));
  check<"iij,jk->ik">(numbers<double, 3, 3, 2>(8), numbers<double, 2, 4>(9));
  check<"ij,jjk->ik">(numbers<double, 2, 3>(8), numbers<double, 3, 3, 4>(9));
  check<"Ab,bA->A">(numbers<int, 2, 3>(10), numbers<int, 3, 2>(11));
}

TEST_CASE("more operands") {
  auto a = numbers<double, 2, 3>(1);
  auto b = numbers<double, 3, 4>(2);
  auto c = numbers<double, 4, 5>(3);
  check_wild<"ij,jk,kl->li">(a, b, c);
  check<"ij,jk,kl->">(a, b, c);
  check_wild<"i,ij,j->">(numbers<double, 2>(4), a, numbers<double, 3>(5));
  check<"i,i,i,i->i">(numbers<double, 3>(4), numbers<double, 3>(5), numbers<double, 3>(6), numbers<double, 3>(7));
  check<"ea,fb,abcd,gc,hd->efgh">(numbers<double, 2, 2>(1), numbers<double, 3, 2>(2), numbers<double, 2, 2, 3, 2>(3),
                                  numbers<double, 2, 3>(4), numbers<double, 3, 2>(5));
}

TEST_CASE("an ellipsis stands for the other axes") {
  auto a = numbers<double, 2, 3, 4>(1);
  auto b = numbers<double, 2, 4, 5>(2);
  auto c = numbers<double, 4, 5>(3);
  auto same = [](const operand& x, const operand& y) {
    CHECK(x.elements == y.elements);
    CHECK(x.extents == y.extents);
  };
  auto batched = interpreted_einsum<"bij,bjk->bik">(a, b);
  same(interpreted_einsum<"...ij,...jk->...ik">(a, b), batched);
  same(operand(jig::einsum<"...ij,...jk">(a, b)), batched);
  same(interpreted_einsum<"...ij,jk->...ki">(a, c), interpreted_einsum<"bij,jk->bki">(a, c));
  same(interpreted_einsum<"i...->...">(a), interpreted_einsum<"ibc->bc">(a));
  auto squares = numbers<double, 2, 3, 3>(4);
  same(interpreted_einsum<"...ii->...i">(squares), interpreted_einsum<"bii->bi">(squares));
  // Its axes broadcast, from the last one on, at compile time and at the call.
  auto one = numbers<double, 1, 3, 4>(6);
  auto product = interpreted_einsum<"ij,bjk->bik">(jig::tensor<double, 3, 4>(jig::view<const double, 3, 4>(one.data())), b);
  same(operand(jig::einsum<"...ij,...jk->...ik">(one, b)), product);
  same(operand(jig::function<"f(x, y)">(einsum_of<"...ij,...jk->...ik">)(jig::tensor<double, dyn, 3, 4>(one),
                                                                         jig::tensor<double, dyn, 4, 5>(b))),
       product);
  same(interpreted_einsum<"...,...->...">(one, a), operand(one * a));
}

TEST_CASE("the order of contraction is the cheapest one") {
  using jig::spec;
  // From left to right this takes 2 (100 * 2 * 100 + 100 * 100 * 2) operations, from right to left 2 (2 * 100 * 2 + 100 * 2 * 2).
  using chain = traced<"ij,jk,kl->il", spec<float, 100, 2>, spec<float, 2, 100>, spec<float, 100, 2>>;
  static_assert(chain::graph().count("MatMul") == 2 && chain::graph().flops() == 2 * (2 * 100 * 2 + 100 * 2 * 2));
  // The vectors come first, whatever their place.
  using vectors = traced<"ij,jk,kl,l->i", spec<float, 50, 50>, spec<float, 50, 50>, spec<float, 50, 50>, spec<float, 50>>;
  static_assert(vectors::graph().flops() < 4 * 2 * 50 * 50);
  using many = traced<"ab,bc,cd,de,ef,fg,g->a", spec<float, 9, 9>, spec<float, 9, 9>, spec<float, 9, 9>, spec<float, 9, 9>,
                      spec<float, 9, 9>, spec<float, 9, 9>, spec<float, 9>>;
  static_assert(many::graph().flops() == 6 * 2 * 9 * 9);
  check<"ij,jk,kl,l->i">(numbers<double, 3, 2>(1), numbers<double, 2, 4>(2), numbers<double, 4, 3>(3), numbers<double, 3>(4));
}

TEST_CASE("sums of few products of three operands are found in one go along a long axis") {
  using jig::spec;
  using form = traced<"bi,ij,bj->b", spec<float, 64, 3>, spec<float, 3, 3>, spec<float, 64, 3>>;
  static_assert(form::graph().count("MatMul") == 0 && form::graph().count("Sum") == 1);
  // A short axis, many products, extents that only the call knows, and one where two products of matrices are far fewer.
  using few = traced<"bi,ij,bj->b", spec<float, 63, 3>, spec<float, 3, 3>, spec<float, 63, 3>>;
  static_assert(few::graph().count("MatMul") == 1);
  using many = traced<"bi,ij,bj->b", spec<float, 64, 5>, spec<float, 5, 5>, spec<float, 64, 5>>;
  static_assert(many::graph().count("MatMul") == 1);
  using unknown = traced<"bi,ij,bj->b", spec<float, 64, dyn>, spec<float, dyn, dyn>, spec<float, 64, dyn>>;
  static_assert(unknown::graph().count("MatMul") == 1);
  using any = traced<"bi,ij,bj->b", spec<float, dyn, 3>, spec<float, 3, 3>, spec<float, dyn, 3>>;
  static_assert(any::graph().count("MatMul") == 1);
  using chain = traced<"ij,jk,kl->il", spec<float, 3, 3>, spec<float, 3, 3>, spec<float, 3, 64>>;
  static_assert(chain::graph().count("MatMul") == 2);

  const auto a = numbers<double, 3, 3>(2);
  const auto y = numbers<double, 70, 3>(3);
  check_compiled<"bi,ij,bj->b">(numbers<double, 70, 3>(1), a, y);
  check<"bii,ij,bjk->b">(numbers<double, 70, 3, 3>(1), a, numbers<double, 70, 3, 2>(4));
  check<"bi,ij,jk,bk->b">(numbers<double, 70, 2>(1), numbers<double, 2, 2>(2), numbers<double, 2, 2>(3), numbers<double, 70, 2>(4));
  const jig::tensor<double, dyn, 64, 2> x(numbers<double, 3, 64, 2>(1)), z(numbers<double, 3, 64, 2>(2)),
      none(jig::zeros<double, 0, 64, 2>());
  const auto b = numbers<double, 2, 2>(3);
  check<"cbi,ij,cbj->cb">(x, b, z);
  check<"cbi,ij,cbj->cb">(none, b, none);
  CHECK_THROWS_AS((interpreted_einsum<"cbi,ij,cbj->cb">(x, b, none)), jig::invalid_argument);
}

TEST_CASE("nothing and one element") {
  check_compiled<"ij,jk->ik">(jig::zeros<double, 0, 3>(), numbers<double, 3, 2>(1));
  check_wild<"ij,jk->ik">(jig::zeros<double, 2, 0>(), jig::zeros<double, 0, 3>());
  check_compiled_wild<"bij,bkij->bk">(jig::zeros<double, 0, 3, 2>(), jig::zeros<double, 0, 4, 3, 2>());
  check<"abij,bkij->abk">(numbers<double, 1, 1, 1, 1>(3), numbers<double, 1, 1, 1, 1>(4));
}

TEST_CASE("the result without an arrow") {
  auto a = numbers<double, 3, 4>(1);
  auto c = numbers<double, 4, 5>(3);
  auto y = jig::einsum<"ij,jk">(a, c);
  static_assert(std::is_same_v<decltype(y), jig::tensor<double, 3, 5>>);
  auto z = jig::einsum<"ba">(a);
  static_assert(std::is_same_v<decltype(z), jig::tensor<double, 4, 3>>);
  CHECK(jig::einsum<"ii">(numbers<double, 3, 3>(2))() == jig::matrix_trace(numbers<double, 3, 3>(2))());
  CHECK(jig::einsum<" i j , j k -> i k ">(a, c)(0, 0) == y(0, 0));
}

TEST_CASE("the graph is one matrix product") {
  using jig::spec;
  using f = traced<"ij,jk->ik", spec<float, dyn, 3>, spec<float, 3, 4>>;
  static_assert(std::is_same_v<f::output_spec, spec<float, dyn, 4>>);
  static_assert(f::graph().count("MatMul") == 1 && f::graph().size() == 3);
  using g = traced<"ij,kj->ik", spec<float, 2, 3>, spec<float, 5, 3>>;
  static_assert(g::graph().count("MatMul") == 1 && g::graph().size() == 3);
  using attention = traced<"bqhd,bkhd->bhqk", spec<float, 2, 8, 4, 16>, spec<float, 2, 8, 4, 16>>;
  static_assert(attention::graph().count("BatchMatMulV2") == 1 && attention::graph().count("Transpose") == 2);
  static_assert(attention::graph().size() == 5);
  using inner = traced<"i,i->", spec<float, 7>, spec<float, 7>>;
  static_assert(inner::graph().count("Mul") == 1 && inner::graph().count("Sum") == 1 && inner::graph().size() == 4);
  using named = traced<"bij,bjk->bik", spec<float, jig::dim<"b">, 2, jig::dim<"n">>, spec<float, jig::dim<"b">, jig::dim<"n">, 3>>;
  static_assert(std::is_same_v<named::output_spec, spec<float, jig::dim<"b">, 2, 3>>);
  static_assert(named::graph().size() == 3);
  using split = traced<"abij,ijcd->abcd", spec<float, dyn, dyn, 3, 4>, spec<float, 3, 4, dyn, 5>>;
  static_assert(std::is_same_v<split::output_spec, spec<float, dyn, dyn, dyn, 5>>);
  static_assert(split::graph().count("MatMul") == 1);
}

TEST_CASE("a letter that is the last one everywhere is no batch of matrices, unless these are large") {
  using jig::spec;
  using small = traced<"ijb,jkb->ikb", spec<float, 4, 4, 50>, spec<float, 4, 4, 50>>;
  static_assert(small::graph().count("Sum") == 1 && small::graph().count("BatchMatMulV2") == 0);
  using large = traced<"ijb,jkb->ikb", spec<float, 40, 40, 50>, spec<float, 40, 40, 50>>;
  static_assert(large::graph().count("Sum") == 0 && large::graph().count("BatchMatMulV2") == 1);
  using elsewhere = traced<"bij,jkb->ikb", spec<float, 50, 4, 4>, spec<float, 4, 4, 50>>;
  static_assert(elsewhere::graph().count("BatchMatMulV2") == 1);
  check<"ijb,jkb->ikb">(numbers<double, 3, 2, 9>(1), numbers<double, 2, 5, 9>(2));
  check_compiled<"ijb,jkb->ikb">(numbers<double, 30, 40, 3>(3), numbers<double, 40, 30, 3>(4));
  check_compiled<"acd,bd->abcd">(numbers<double, 3, 4, 5>(5), numbers<double, 2, 5>(6));
  check_compiled<"bacd,db->acd">(numbers<double, 2, 20, 4, 3>(7), numbers<double, 3, 2>(8));
  check_compiled<"eabd,edbc->cdea">(numbers<double, 2, 2, 6, 20>(9), numbers<double, 2, 20, 6, 3>(10));
}

TEST_CASE("letters that are summed stand in other orders in the operands") {
  using jig::spec;
  using turned = traced<"ab,ba->", spec<float, 50, 10>, spec<float, 10, 50>>;
  static_assert(turned::graph().count("Sum") == 2);
  using alike = traced<"ab,ab->", spec<float, 50, 10>, spec<float, 50, 10>>;
  static_assert(alike::graph().count("Sum") == 1);
  check<"ab,ba->">(numbers<double, 20, 3>(1), numbers<double, 3, 20>(2));
  check_compiled<"abc,cba->">(numbers<double, 2, 3, 4>(3), numbers<double, 4, 3, 2>(4));
  check_compiled<"abc,cab->cb">(numbers<double, 20, 3, 4>(5), numbers<double, 4, 20, 3>(6));
  check_compiled<"abc,cab->cb">(numbers<double, 5, 3, 4>(5), numbers<double, 4, 5, 3>(6));
  check_compiled<"cdba,adcb->da">(numbers<double, 9, 3, 4, 2>(7), numbers<double, 2, 3, 9, 4>(8));
}

TEST_CASE("matrices that lie along their batch, times vectors") {
  check_compiled<"abc,ca->cb">(numbers<double, 3, 8, 40>(1), numbers<double, 40, 3>(2));
  check_compiled<"abc,ca->cb">(numbers<double, 3, 8, 15>(1), numbers<double, 15, 3>(2));
  check_compiled<"ca,abc->cb">(numbers<double, 33, 3>(3), numbers<double, 3, 9, 33>(4));
  check_compiled<"abcd,dca->dcb">(numbers<double, 2, 8, 2, 17>(5), numbers<double, 17, 2, 2>(6));
  check_compiled<"abc,ca,cb->c">(numbers<double, 3, 8, 20>(7), numbers<double, 20, 3>(8), numbers<double, 20, 8>(9));
}

TEST_CASE("constants in a trace, containers, views") {
  auto f = jig::function<"f(x)">([](auto x) { return jig::einsum<"ij,kj->ik">(x, jig::tensor<double, 1, 2>{{1, 10}}); });
  CHECK(f(jig::tensor<double, 2, 2>{{1, 2}, {3, 4}})(1, 0) == 43);
  std::vector<double> v{1, 2, 3};
  CHECK(jig::einsum<"i,i->">(v, v)() == 14);
  auto copied = jig::einsum<"i->i">(v);
  static_assert(std::is_same_v<decltype(copied), jig::tensor<double, dyn>>);
  CHECK(copied(2) == 3);
  double memory[6] = {0, 1, 2, 3, 4, 5};
  jig::view<const double, 3, 2> columns(memory, {3, 2}, {1, 3});
  check_compiled<"ij,jk->ik">(columns, numbers<double, 2, 4>(1));
  check_compiled<"ij,ij->">(columns, numbers<double, 3, 2>(1));
  check_compiled<"ij,ijk->k">(columns, numbers<double, 3, 2, 2>(1));
  CHECK(jig::einsum<",i->i">(2, jig::tensor<int, 2>{3, 4})(1) == 8);
}

TEST_CASE("extents that differ at run time") {
  auto a = jig::zeros<float, dyn, dyn>(2, 3), b = jig::zeros<float, dyn, dyn>(1, 3);
  CHECK(message_of([&] { (void)jig::einsum<"ij,ij->ij">(a, b); }) ==
        "EnsureShape: extents that must be equal differ: float32 (1, 3) and float32 (2, 3)");
  CHECK_THROWS_AS((interpreted_einsum<"ij,ik->jk">(a, b)), jig::invalid_argument);
  CHECK_THROWS_AS((interpreted_einsum<"ij,kij->k">(a, jig::zeros<float, dyn, dyn, dyn>(4, 3, 2))), jig::invalid_argument);
  CHECK_THROWS_AS(jig::einsum<"ii->">(a), jig::invalid_argument);
}
