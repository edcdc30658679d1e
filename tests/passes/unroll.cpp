// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <vector>

namespace {

constexpr auto power_sum = jig::function<"power_sum(x)">([](auto x) {
  auto y = x;
  for (auto i : jig::range(jig::extent<0>(x))) y = y * x + jig::cast<float>(i);
  return y;
});

// Loops over n and, inside, over a number that the outer loop counts; a loop that only a call can count; an effect.
constexpr auto nested = jig::function<"nested(x, m)">([](auto x, auto m) {
  for (auto i : jig::range(jig::extent<0>(x), 0, -1))
    for (auto k : jig::range(i)) x = x * 2 + k;
  for (auto i : jig::range(m))
    for (auto k : jig::range(jig::extent<0>(x))) x = x - k * i;
  jig::assert_that(m >= 0, "m is negative");
  return x;
});

}  // namespace

TEST_CASE("a loop with a static number of trips becomes copies of its body") {
  constexpr auto f = power_sum.get_concrete_function(jig::spec<float, 2>());
  constexpr auto g = f.unrolled();
  static_assert(f.graph().count("While") == 1 && g.graph().count("While") == 0 && g.graph().count("Mul") == 2);
  static_assert(jig::verify(g.graph()) == nullptr);
  CHECK(jig::to_text(f.graph()) == R"(x = Placeholder() : float32 (2,)
while/x = Const() {value: 0} : int32 ()
while = While(while/x, x, x) : int32 (), float32 (2,)
  cond(while/x, x, x_1):
    Less/y = Const() {value: 2} : int32 ()
    Less = Less(while/x, Less/y) : bool ()
    return Less
  body(while/x, x, x_1):
    add/y = Const() {value: 1} : int32 ()
    add = AddV2(while/x, add/y) : int32 ()
    mul = Mul(x, x_1) : float32 (2,)
    Cast = Cast(while/x) {DstT: float32} : float32 ()
    add_1 = AddV2(mul, Cast) : float32 (2,)
    return add, add_1
return while:1
)");
  CHECK(jig::to_text(jig::prune(g.graph())) == R"(x = Placeholder() : float32 (2,)
add/x = Const() {value: 0} : int32 ()
add/y = Const() {value: 1} : int32 ()
add = AddV2(add/x, add/y) : int32 ()
mul = Mul(x, x) : float32 (2,)
Cast = Cast(add/x) {DstT: float32} : float32 ()
add_1 = AddV2(mul, Cast) : float32 (2,)
mul_1 = Mul(add_1, x) : float32 (2,)
Cast_1 = Cast(add) {DstT: float32} : float32 ()
add_2 = AddV2(mul_1, Cast_1) : float32 (2,)
return add_2
)");
  const jig::tensor<float, 2> x{1.5f, -2};
  jig::tensor<float, 2> out;
  g.into(out, x);
  for (int k = 0; k < 2; ++k) {
    CHECK(f(x)(k) == g(x)(k));
    CHECK(out(k) == g(x)(k));
  }
}

TEST_CASE("loops in loops, and those that only a call can count") {
  constexpr auto f = nested.get_concrete_function(jig::spec<int, 3>(), jig::spec<int>());
  constexpr auto g = f.unrolled();
  static_assert(f.graph().count("While") == 4);
  static_assert(g.graph().count("While") == 1 && g.graph().count("Mul") == 6 + 3 && g.graph().count("Assert") == 1);
  static_assert(jig::verify(g.graph()) == nullptr);
  for (int m : {0, 1, 3}) {
    std::vector<int> x{1, -5, 7};
    auto y = g(jig::tensor<int, 3>{1, -5, 7}, m), z = f(jig::tensor<int, 3>{1, -5, 7}, m);
    for (int i = 3; i > 0; --i)
      for (int k = 0; k < i; ++k)
        for (int& e : x) e = e * 2 + k;
    for (int i = 0; i < m; ++i)
      for (int k = 0; k < 3; ++k)
        for (int& e : x) e -= k * i;
    for (int k = 0; k < 3; ++k) {
      CHECK(y(k) == x[static_cast<std::size_t>(k)]);
      CHECK(z(k) == x[static_cast<std::size_t>(k)]);
    }
  }
  CHECK_THROWS_AS(g(jig::tensor<int, 3>{1, 2, 3}, -1), jig::invalid_argument);
}

TEST_CASE("no trip at all, early ends, and too many trips") {
  constexpr auto none = power_sum.get_concrete_function(jig::spec<float, 0>());
  static_assert(none.unrolled().graph().count("Mul") == 0);
  static constexpr auto early = jig::function([](auto x) {
    auto sum = jig::reduce_sum(x) * 0;
    for (auto i : jig::range(jig::extent<0>(x))) {
      if (jig::element(x, i) < 0) break;
      sum = sum + jig::element(x, i);
    }
    return sum;
  });
  constexpr auto f = early.get_concrete_function(jig::spec<int, 4>());
  static_assert(f.unrolled().graph().count("While") == 1);  // its end depends on values
  CHECK(f.unrolled()(jig::tensor<int, 4>{1, 2, -1, 9})() == 3);

  constexpr auto& many = jig::graph_of(
      [](auto x) {
        for (auto i : jig::range(jig::extent<0>(x))) x = x + i;
        return x;
      },
      jig::spec<int, 200>());
  static_assert(!jig::can_unroll(many));
  static_assert(jig::can_unroll(many, 200));
  static_assert(!jig::can_unroll(many, 199));
  CHECK_THROWS_AS(jig::unroll(many), jig::invalid_argument);
  CHECK(jig::unroll(many, 200).count("AddV2") == 400);
}
