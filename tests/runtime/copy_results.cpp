// SPDX-License-Identifier: MIT
#include <jig/runtime/copy_results.hpp>

#include "../printed.hpp"

#include <doctest/doctest.h>

#include <tuple>
#include <vector>

namespace {

using jig::any_tensor;

constexpr auto both = jig::function<"both(x, y)">([](auto x, auto y) { return std::tuple(x + y, x * y); });
constexpr auto turned = jig::function<"turned(x)">([](auto x) { return jig::transpose(x); });
constexpr auto exchanged = jig::function<"exchanged(x, y)">([](auto x, auto y) { return std::tuple(y, x); });

}  // namespace

TEST_CASE("results of run-time tensors in tensors, containers, numbers, views with strides and run-time tensors") {
  const any_tensor x = jig::tensor<int, 3>{1, 2, 3}, y = jig::tensor<int, 3>{4, 5, 6};
  jig::tensor<int, 3> sum;
  std::vector<int> product(3);
  both.into(std::tie(sum, product), x, y);
  for (int i = 0; i < 3; ++i) {
    CHECK(sum(i) == 5 + 2 * i);
    CHECK(product[static_cast<std::size_t>(i)] == (1 + i) * (4 + i));
  }
  int number = 0;
  any_tensor any = 7;
  both.into(std::tie(number, any), any_tensor(20), any_tensor(3));
  CHECK(number == 23);
  CHECK(any.as<int>()() == 60);

  int memory[6] = {};
  jig::view<int, 3> every_second(memory, jig::shape{1, {3}}, jig::shape{1, {2}});
  any_tensor seen = any_tensor::viewing(sum);
  both.into(std::tie(every_second, seen), x, y);
  for (int i = 0; i < 3; ++i) {
    CHECK(memory[2 * i] == 5 + 2 * i);
    CHECK(memory[2 * i + 1] == 0);
    CHECK(sum(i) == (1 + i) * (4 + i));  // where the tensor lies
  }
  // A copy keeps its elements.
  const any_tensor copy = any;
  both.into(std::tie(number, any), any_tensor(1), any_tensor(1));
  CHECK(copy.as<int>()() == 60);
  CHECK(any.as<int>()() == 1);
}

TEST_CASE("what does not fit is refused, and nothing is written") {
  const any_tensor x = jig::tensor<int, 3>{1, 2, 3};
  jig::tensor<int, 3> fits{7, 7, 7};
  jig::tensor<int, 2> two;
  CHECK(complaint([&] { both.into(std::tie(fits, two), x, x); }) == "both: result: expected int32 shape=(3,), given int32 shape=(2,)");
  std::vector<double> other(3);
  CHECK(complaint([&] { both.into(std::tie(fits, other), x, x); }) == "both: result: expected int32 shape=(3,), given float64 shape=(3,)");
  CHECK(fits(0) == 7);
}

TEST_CASE("results may be arguments, and lie on top of them") {
  jig::tensor<int, 2, 2> x{{1, 2}, {3, 4}}, y{{5, 6}, {7, 8}};
  turned.into(x, any_tensor::viewing(x));
  CHECK(x(0, 1) == 3);
  CHECK(x(1, 0) == 2);
  exchanged.into(std::tie(x, y), any_tensor::viewing(x), any_tensor::viewing(y));
  CHECK(x(1, 1) == 8);
  CHECK(y(0, 1) == 3);
  jig::tensor<int, 0> none;
  any_tensor of_none = jig::tensor<int, 0>();
  exchanged.into(std::tie(none, of_none), any_tensor::viewing(none), of_none);
  CHECK(of_none.size() == 0);
}

TEST_CASE("strings") {
  constexpr auto twice = jig::function<"twice(x)">([](auto x) { return x + x; });
  jig::tensor<std::string, 2> out;
  twice.into(out, any_tensor(jig::tensor<std::string, 2>{"a", "bc"}));
  CHECK(out(1) == "bcbc");
}
