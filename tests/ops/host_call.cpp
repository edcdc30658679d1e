// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "../printed.hpp"

#include <array>
#include <numeric>
#include <string>
#include <vector>

using jig::dyn;
using jig::like;
using jig::spec;
using jig::tensor;

namespace {

int calls = 0;

constexpr auto swapped = jig::function<"swapped(x)">([](auto x) {
  return jig::host_call<spec<float, 2>>(
             [](auto v) {
               ++calls;
               return std::array<float, 2>{v(1), v(0)};
             },
             x) *
         2;
});

}  // namespace

TEST_CASE("a host function runs in every call") {
  calls = 0;
  auto y = swapped(tensor<float, 2>{1, 2});
  static_assert(std::is_same_v<decltype(y), tensor<float, 2>>);
  CHECK(y(0) == 4);
  CHECK(y(1) == 2);
  CHECK(swapped(std::vector<float>{3, 4})(0) == 8);
  CHECK(calls == 2);
  constexpr auto& g = swapped.get_concrete_function(spec<float, 2>()).graph();
  static_assert(g.count("HostCall") == 1 && jig::verify(g) == nullptr);
}

TEST_CASE("a host function runs in the order of the program, also when nobody uses its result") {
  constexpr auto f = jig::function([](auto x) {
    jig::print("before", x);
    jig::host_call([](auto v) { jig::print("within", v); }, x + 1);
    (void)jig::host_call<spec<int>>(
        [](auto v) {
          jig::print("unused", v);
          return v();
        },
        x);
    jig::print("behind", x);
  });
  CHECK(printed([=] { f(1); }) == "before 1\nwithin 2\nunused 1\nbehind 1\n");
}

TEST_CASE("the result may have the spec of an argument") {
  constexpr auto doubled = jig::function([](auto n, auto x) {
    return jig::host_call<like<1>>(
        [](auto count, auto v) {
          std::vector<float> out;
          for (jig::index i = 0; i < v.size(); ++i) out.push_back(v(i) * static_cast<float>(count()));
          return out;
        },
        n, x);
  });
  auto y = doubled(2, std::vector<float>{1, 2, 3});
  static_assert(std::is_same_v<decltype(y), tensor<float, dyn>>);
  CHECK(y.extent(0) == 3);
  CHECK(y(2) == 6);
}

TEST_CASE("literals keep their dtypes, strings pass") {
  constexpr auto f = jig::function([](auto x) {
    return jig::host_call<spec<std::string>>(
        [](auto text, auto number, auto half) {
          static_assert(std::is_same_v<typename decltype(number)::value_type, int>);
          static_assert(std::is_same_v<typename decltype(half)::value_type, double>);
          return text() + std::to_string(number()) + std::to_string(half()).substr(0, 3);
        },
        x, 1, 0.5);
  });
  CHECK(f("a")() == "a10.5");
}

TEST_CASE("strided arguments and results") {
  constexpr auto f = jig::function(
      [](auto x) { return jig::host_call<spec<int, 2>>([](auto v) { return tensor<int, 2>{v(0, 1), v(1, 0)}; }, jig::transpose(x)); });
  auto y = f(tensor<int, 2, 2>{{1, 2}, {3, 4}});
  CHECK(y(0) == 3);
  CHECK(y(1) == 2);
}

TEST_CASE("a result of other extents is refused") {
  constexpr auto f = jig::function([](auto x) { return jig::host_call<spec<int, 2>>([](auto) { return std::vector<int>{1, 2, 3}; }, x); });
  CHECK(complaint([=] { f(1); }) == "HostCall: the function returned int32 (3,), expected int32 (2,)");
}

TEST_CASE("exceptions of a host function reach the caller") {
  constexpr auto f = jig::function([](auto x) { jig::host_call([](auto) { throw std::string("mine"); }, x); });
  CHECK_THROWS_AS(f(1), std::string);
}

TEST_CASE("host_call works on tensors, containers and numbers at once") {
  auto sum = [](auto v) { return std::accumulate(v.data(), v.data() + v.size(), 0); };
  CHECK(jig::host_call<spec<int>>(sum, std::vector<int>{1, 2, 3})() == 6);
  CHECK(jig::host_call<like<0>>(sum, 7)() == 7);
  CHECK(printed([] { jig::host_call([](auto v) { jig::print(v); }, tensor<int, 2>{1, 2}); }) == "[1 2]\n");
}
