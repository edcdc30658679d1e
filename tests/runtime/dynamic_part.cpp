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
  const std::string positions = "x(i, j): positions are integers of rank 0, numbers or jig::all, one for each axis";
  CHECK(refused_dynamically([](auto x) { return x(0, 1); }, vector) == positions);
  CHECK(refused_dynamically([](auto x, auto i) { return x(i, 1); }, matrix, vector) == positions);
  CHECK(refused_dynamically([](auto x) { return x(jig::all, jig::lit<3>); }, matrix).starts_with("StridedSlice: "));
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
