// SPDX-License-Identifier: MIT
#include <jig/runtime/dynamic_variable.hpp>

#include "../counting.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <tuple>

namespace {

using jig::any_tensor;

}  // namespace

TEST_CASE("a variable beside run-time tensors: read, assigned, added to, subtracted from") {
  constexpr auto step = jig::function<"step(v, x)">([](auto& v, auto x) {
    auto before = v.read();
    v.assign_add(x);
    v.assign(v * 2);
    v.assign_sub(1);
    return std::tuple(before, v.read());
  });
  jig::variable<float, 3> v{1, 1, 1};
  const auto [before, after] = step(v, counting(3));
  for (int i = 0; i < 3; ++i) {
    const float expected = static_cast<float>(2 * (1 + i) - 1);
    CHECK(before.as<float>()(i) == 1);
    CHECK(after.as<float>()(i) == expected);
    CHECK(v.value()(i) == expected);
  }
  // The same signature with another variable.
  jig::variable<float, 3> w{0, 0, 10};
  step(w, counting(3));
  CHECK(w.value()(2) == 23);
  CHECK(step.experimental_get_tracing_count() == 1);
  CHECK(step.pretty_printed_concrete_signatures() ==
        "step(v, x)\n  Args:\n    v: float32 Variable, shape=(3,)\n    x: float32 Tensor, shape=(3,)\n"
        "  Returns:\n    (<1>, <2>)\n      <1>: float32 Tensor, shape=(3,)\n      <2>: float32 Tensor, shape=(3,)\n");
}

TEST_CASE("a variable that is not assigned keeps its memory; one that nothing is returned of changes all the same") {
  constexpr auto f = jig::function<"f(v, w, x)">([](const auto& v, auto& w, auto x) { w.assign(v * x); });
  jig::variable<int> v{3}, w{0};
  const int* const memory = v.value().data();
  f(v, w, any_tensor(5));
  CHECK(w.value()() == 15);
  CHECK(v.value()() == 3);
  CHECK(v.value().data() == memory);
}

TEST_CASE("native ifs and loops assign variables") {
  constexpr auto f = jig::function<"f(v, x)">([](auto& v, auto x) {
    if (x > 0) v.assign_add(x);
    else v.assign(-1);
    for (auto i : jig::range(x)) v.assign_add(jig::cast<int>(i));
    return v;
  });
  jig::variable<int> v{10};
  CHECK(f(v, any_tensor(4)).as<int>()() == 20);
  CHECK(v.value()() == 20);
  f(v, any_tensor(-2));
  CHECK(v.value()() == -1);
}

TEST_CASE("tuples and arrays of variables") {
  constexpr auto f = jig::function<"f(p, a, x)">([](auto& p, auto& a, auto x) {
    std::get<0>(p).assign(std::get<1>(p) + x);
    for (auto& one : a) one.assign_add(std::get<0>(p));
  });
  std::tuple<jig::variable<float>, jig::variable<float>> p{1.0f, 2.0f};
  std::array<jig::variable<float>, 2> a{10.0f, 20.0f};
  f(p, a, any_tensor(3.0f));
  CHECK(std::get<0>(p).value()() == 5);
  CHECK(std::get<1>(p).value()() == 2);
  CHECK(a[0].value()() == 15);
  CHECK(a[1].value()() == 25);
}

TEST_CASE("one variable passed twice is one value") {
  constexpr auto f = jig::function<"f(a, b, x)">([](auto& a, auto& b, auto x) {
    a.assign_add(x);
    b.assign(b * 10);
    return a - b;
  });
  jig::variable<int> a{1}, b{2};
  CHECK(f(a, b, any_tensor(1)).as<int>()() == 2 - 20);
  CHECK(f(a, a, any_tensor(1)).as<int>()() == 0);
  CHECK(a.value()() == 30);
  CHECK(f.experimental_get_tracing_count() == 2);
  // Both ways again, without traces.
  CHECK(f(b, b, any_tensor(1)).as<int>()() == 0);
  CHECK(b.value()() == 210);
  CHECK(f(a, b, any_tensor(1)).as<int>()() == 31 - 2100);
  CHECK(f.experimental_get_tracing_count() == 2);
}

TEST_CASE("wildcard extents: a variable takes the extents of its value") {
  constexpr auto f = jig::function<"f(v, x)">([](auto& v, auto x) { v.assign(jig::concat<0>(v, x)); });
  jig::variable<float, jig::dyn> v;
  for (jig::index n : {2, 0, 3}) f(v, counting(n));
  REQUIRE(v.size() == 5);
  const float expected[] = {0, 1, 0, 1, 2};
  for (int i = 0; i < 5; ++i) CHECK(v.value()(i) == expected[i]);
  constexpr auto g = jig::function<"g(w, x)">([](auto& to, auto x) { to.assign(x + 1); });
  jig::variable<std::int64_t, jig::dyn, 2> w;
  g(w, any_tensor(jig::tensor<std::int64_t, 3, 2>{{1, 2}, {3, 4}, {5, 6}}));
  REQUIRE(w.extent(0) == 3);
  CHECK(w.value()(2, 1) == 7);
}

TEST_CASE("variables of strings") {
  constexpr auto f = jig::function<"f(v, x)">([](auto& v, auto x) { v.assign(v + x); });
  jig::variable<std::string> v{std::string("a")};
  f(v, any_tensor("b"));
  f(v, any_tensor("c, which is longer than a string without memory of its own"));
  CHECK(v.value()() == "abc, which is longer than a string without memory of its own");
  constexpr auto g = jig::function<"g(v, x)">([](auto& to, auto) { to.assign("text"); });
  g(v, any_tensor(1));
  CHECK(v.value()() == "text");
}

TEST_CASE("gradients with respect to variables: one step of descent") {
  constexpr auto step = jig::function<"step(w, x)">([](auto& w, auto x) {
    auto loss = jig::reduce_sum(jig::square(w * x));
    w.assign_sub(jig::gradient(loss, w) * 0.5);
    return loss;
  });
  jig::variable<double> w{3.0};
  const any_tensor x = jig::tensor<double, 2>{1, 2};
  CHECK(step(w, x).as<double>()() == 45);
  // 2 w (1 + 4) / 2
  CHECK(w.value()() == 3 - 15);
}

TEST_CASE("a dynamic function takes variables, and captures") {
  float rate = 0.25f;
  auto f = jig::dynamic_function("f(v, x)", [rate](auto& v, auto x) { v.assign_sub(x * rate); });
  jig::variable<float, 2> v{1, 1};
  f(v, jig::tensor<float, 2>{4, 8});
  CHECK(v.value()(0) == 0);
  CHECK(v.value()(1) == -1);
}

TEST_CASE("a call that fails leaves variables as they were") {
  constexpr auto f = jig::function<"f(v, w, x)">([](auto& v, auto& w, auto x) {
    v.assign(v + 1);
    w.assign(w / x);
  });
  jig::variable<int> v{1}, w{12};
  f(v, w, any_tensor(4));
  CHECK_THROWS_WITH_AS(f(v, w, any_tensor(0)), doctest::Contains("TruncateDiv: integer division by zero"), jig::invalid_argument);
  CHECK(v.value()() == 2);
  CHECK(w.value()() == 3);
}

TEST_CASE("what cannot be assigned") {
  jig::variable<float, 2> v;
  auto assigns = [&](auto value) {
    jig::dynamic_function("f(v, x)", [value](auto& to, auto x) { to.assign(value(x)); })(v, any_tensor(jig::tensor<float, 3>{1, 2, 3}));
  };
  CHECK_THROWS_WITH_AS(assigns([](auto x) { return x; }), "assign: expected float32 (2,), given float32 (3,)", jig::invalid_argument);
  CHECK_THROWS_AS(assigns([](auto x) { return jig::cast<int>(x); }), jig::invalid_argument);
  CHECK_THROWS_AS(assigns([](auto) { return 1; }), jig::invalid_argument);
  constexpr auto copies = jig::function<"copies(v, x)">([](auto to, auto x) { to.assign(x); });
  CHECK_THROWS_WITH_AS(copies(v, any_tensor(jig::tensor<float, 2>{1, 2})),
                       "an assignment to a copy of a variable is lost: take the variable by reference", jig::invalid_argument);
  const jig::variable<float, 2> fixed{1, 2};
  constexpr auto changes = jig::function<"changes(v, x)">([](auto& to, auto x) { to.assign(x); });
  CHECK_THROWS_WITH_AS(changes(fixed, any_tensor(jig::tensor<float, 2>{3, 4})), "assign: the variable is constant", jig::invalid_argument);
  CHECK(fixed.value()(0) == 1);
  // A literal has to fit, and joins the dtype.
  constexpr auto number = jig::function<"number(v, x)">([](auto& to, auto x) {
    to.assign(2 * x);
    to.assign(7);
  });
  jig::variable<std::int8_t> small;
  number(small, any_tensor(std::int8_t{1}));
  CHECK(small.value()() == 7);
}
