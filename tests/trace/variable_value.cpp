// SPDX-License-Identifier: MIT
#include <jig/trace/variable_value.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

TEST_CASE("a value that was read is a tensor in all that one does with it") {
  jig::variable<float, 2, 2> v{{1, 2}, {3, 4}};
  const auto x = v.read();
  v.assign(jig::zeros<float, 2, 2>());
  CHECK(x(1, 0) == 3);
  CHECK(x[1](1) == 4);
  CHECK(x.size() == 4);
  CHECK(x.shape() == jig::shape{2, {2, 2}});
  CHECK(*x.begin() == 1);
  CHECK(x.view()(0, 1) == 2);
  jig::tensor<float, 2, 2> t = x;
  CHECK(t(1, 1) == 4);
  auto y = x;
  y = t + 1;
  CHECK(y(0, 0)() == 2);
  CHECK(x(0, 0) == 1);
}

TEST_CASE("ops on variables, what was read from them, literals and tensors compute at once outside of traces") {
  jig::variable<float, 3> v{1, 2, 3};
  const auto doubled = v * 2;
  CHECK(doubled(2) == 6);
  CHECK((v.read() + jig::tensor<float, 3>{1, 1, 1})(0) == 2);
  CHECK((jig::tensor<float>(1.0f) - v)(2) == -2);
  CHECK((v + std::vector<float>{1, 2, 3})(2) == 6);
  CHECK(static_cast<float>(jig::reduce_sum(v)) == 6);
  CHECK(v[1]() == 2);
  CHECK(static_cast<bool>(jig::reduce_sum(v) > 5));
  if (jig::reduce_max(v) > 5) FAIL("it is 3");
}

TEST_CASE("loops and branches over values of variables are those of C++ outside of traces") {
  jig::variable<int> n{3};
  int sum = 0;
  for (auto i : jig::range(n)) sum += i();
  CHECK(sum == 3);
  JIG_WHILE(n.read() < 10) { n.assign_add(4); }
  CHECK(n.value()() == 11);
  JIG_IF(n > 5) {
    n.assign(0);
  } JIG_ELSE {
    n.assign(1);
  }
  CHECK(n.value()() == 0);
}

TEST_CASE("in a trace a value that was read takes other values and carries them through loops") {
  constexpr auto f = jig::function<"f(v, x, n)">([](auto& v, auto x, auto n) {
    auto best = v.read();
    for (auto i : jig::range(n)) best = jig::maximum(best, x + i);
    x = best;
    if (x > 100) best = 0;
    return std::pair(best, x);
  });
  jig::variable<int> v{5};
  CHECK(f(v, 4, 1).first() == 5);
  CHECK(f(v, 4, 9).first() == 12);
  auto [best, x] = f(v, 101, 1);
  CHECK(best() == 0);
  CHECK(x() == 101);
}

TEST_CASE("a part without elements of an empty tensor takes values outside of traces") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    x[jig::range_of(0, 2)] = 1;
    x[jig::range_of(1, jig::unbounded)] += 1;
    return x;
  });
  for (jig::index n : {0, 1, 3}) {
    const jig::tensor<int, jig::dyn> x(n);
    const auto eager = f.eager(x), traced = f(x);
    REQUIRE(eager.extent(0) == n);
    for (jig::index i = 0; i < n; ++i) CHECK(eager(i) == traced(i));
  }
  jig::variable<int, jig::dyn> v;
  v[jig::range_of(0, 2)] = 1;
  CHECK(v.value().size() == 0);
}
