// SPDX-License-Identifier: MIT
#include "../dynamic_trace.hpp"

#include <string>
#include <vector>

namespace {

using jig::dyn;
using jig::spec;

constexpr spec<float, 3> vector{};
constexpr spec<float, 2, 3> matrix{};
constexpr spec<int> number{};

}  // namespace

TEST_CASE("assignments to elements and parts") {
  same_graph(
      [](auto x, auto i) {
        x[i] = 1;
        x[0] = x[jig::lit<-1>];
        return x;
      },
      vector, number);
  const auto parts = [](auto a, auto i, auto j) {
    a(i, j) = 2;
    a[1][j] = 3;
    a(jig::all, j) = a(jig::lit<0>, jig::all)[1];
    return a;
  };
  same_graph(parts, matrix, number, number);
  same_graph(parts, spec<float, jig::dim<"n">, dyn>(), number, number);
  same_graph(parts, matrix, number, spec<std::int64_t>());
  same_graph(
      [](auto x, auto y) {
        x += y;
        x[1] -= 1;
        auto part = x[2];
        part = 9;
        return x;
      },
      spec<float, dyn>(), vector);
  CHECK(refused_dynamically([](auto x, auto y) { return x[0] = y; }, vector, spec<double>()) ==
        "an element or part of spec float32 () cannot take a value of spec float64 (): dtypes differ, convert one with jig::cast");
  CHECK(refused_dynamically([](auto x, auto y) { return x[0] = y; }, matrix, spec<float, 2>()) ==
        "an element or part of spec float32 (3,) cannot take a value of spec float32 (2,)");
  CHECK(refused_dynamically([](auto x) { return (x + 1)[0] = 1; }, vector) ==
        "an assignment to a temporary value is lost: assign to an element of a named value, or to the value itself");
  const std::string positions = "x(i, j): positions are integers of rank 0, numbers, ranges or jig::all, one for each axis";
  CHECK(refused_dynamically([](auto x) { return x(0, 1); }, vector) == positions);
  CHECK(refused_dynamically([](auto x, auto i) { return x(i, 1); }, matrix, vector) == positions);
  CHECK(refused_dynamically([](auto x) { return x(jig::all, jig::lit<3>); }, matrix).starts_with("StridedSlice: "));
}

TEST_CASE("ranges of run-time tensors") {
  using jig::all, jig::range_of, jig::unbounded;
  constexpr auto read =
      jig::function([](auto a, auto i) { return 2 * a(i, range_of(unbounded, unbounded, -2)) + a(0, range_of<0, 2>())(1); });
  constexpr auto write = jig::function([](auto a, auto i) {
    a(i, range_of(1, unbounded)) = -1;
    a(all, range_of<0, 1>()) *= 10;
    return a;
  });
  const jig::any_tensor a = jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}, one = 1;
  const auto elements = [](const jig::any_tensor& x) {
    const auto found = x.as<float, dyn, dyn>();
    return std::vector<float>(found.begin(), found.end());
  };
  for (const auto& found : {read(a, one).as<float, dyn>(), read.eager(a, one).as<float, dyn>()})
    CHECK(std::vector<float>(found.begin(), found.end()) == std::vector<float>{14, 10});
  CHECK(elements(write(a, one)) == std::vector<float>{10, 2, 3, 40, -1, -1});
  CHECK(elements(write.eager(a, one)) == std::vector<float>{10, 2, 3, 40, -1, -1});
  CHECK_THROWS_AS(jig::function([](auto x) { return x(all, range_of(0, 1, 0)); })(a), jig::invalid_argument);
  // In brackets: rows.
  constexpr auto rows = jig::function([](auto x) {
    const auto old = x;
    x[range_of(1, unbounded)] = old[range_of(0, -1)];
    x[range_of<0, 1>()] *= 10;
    return x;
  });
  CHECK(elements(rows(a)) == std::vector<float>{10, 20, 30, 1, 2, 3});
  CHECK(elements(rows.eager(a)) == std::vector<float>{10, 20, 30, 1, 2, 3});
  CHECK_THROWS_AS(jig::function([](auto x) { return x[range_of(0, 1)]; })(one), jig::invalid_argument);
}

TEST_CASE("elements of run-time tensors and variables") {
  constexpr auto f = jig::function([](auto a, auto i, auto j) {
    a(i, j) = 100;
    a(jig::all, j) += 1;
    a[0] *= 2;
    for (auto k : jig::range(jig::extent<0>(a))) a(k, k) = a(k, k) - 1;
    return a;
  });
  constexpr auto g = jig::function([](auto& w, auto i) {
    w[i] += 1;
    w *= 2;
    w(0) = 5;
  });
  const jig::any_tensor a = jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}, one = 1;
  const auto found = f(a, one, 0).as<float, 2, 2>();
  CHECK(std::vector<float>(found.begin(), found.end()) == std::vector<float>{3, 4, 101, 3});
  const auto eager = f.eager(a, one, 0).as<float, 2, 2>();
  CHECK(std::vector<float>(eager.begin(), eager.end()) == std::vector<float>{3, 4, 101, 3});
  jig::variable<float, dyn> w{1, 2, 3};
  g(w, one);
  CHECK(std::vector<float>(w.value().begin(), w.value().end()) == std::vector<float>{5, 6, 6});
  CHECK_THROWS_AS(f(a, one, 2), jig::invalid_argument);
  CHECK_THROWS_WITH_AS(jig::function([](auto copy, auto i) { copy[i] = 1; })(w, one),
                       "an assignment to a copy of a variable is lost: take the variable by reference", jig::invalid_argument);
}

TEST_CASE("what is assigned to a part of wildcard extents is broadcast to it") {
  constexpr auto f = jig::function([](auto x, auto y) {
                       x[jig::range_of(1, jig::unbounded)] = y;
                       return x;
                     }).relax_shapes();
  for (jig::index n : {3, 4, 5})
    for (jig::index given : {jig::index{1}, n - 1}) {
      const jig::any_tensor x = jig::zeros<float, dyn>(n), y = jig::ones<float, dyn>(given);
      std::vector<float> expected(static_cast<std::size_t>(n), 1);
      expected[0] = 0;
      const auto found = f(x, y).as<float, dyn>();
      CHECK(std::vector<float>(found.begin(), found.end()) == expected);
    }
}
