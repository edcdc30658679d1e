// SPDX-License-Identifier: MIT
#include <jig.hpp>

#include <doctest/doctest.h>

#include <type_traits>
#include <vector>

namespace {

using jig::dyn;
using jig::tensor;

template <class X>
auto elements(const X& x) {
  return std::vector<typename X::value_type>(x.begin(), x.end());
}

constexpr auto numbers = [](auto x, auto y) {
  x += y;
  x *= 3;
  x -= 1;
  x /= y;
  x %= 7;
  return x;
};
constexpr auto bits = [](auto x, auto y) {
  x <<= 2;
  x |= y;
  x ^= 5;
  x &= 0x7fff;
  x >>= 1;
  return x;
};
// The same of plain numbers.
template <class F, class T>
std::vector<T> plain(F f, const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> out;
  for (std::size_t i = 0; i < x.size(); ++i) out.push_back(static_cast<T>(f(x[i], y[i])));
  return out;
}

template <class F, class T>
void same_in_all_worlds(F f, const std::vector<T>& x, const std::vector<T>& y) {
  const std::vector<T> expected = plain(f, x, y);
  constexpr auto traced = jig::function(f);
  const auto extent = static_cast<jig::index>(x.size());
  const tensor<T, dyn> of_any_extent(jig::view<const T, dyn>(x.data(), extent));
  const tensor<T, 3> three(jig::view<const T, 3>(y.data()));
  CHECK(elements(f(of_any_extent, three)) == expected);
  // What broadcasting leaves open is checked.
  CHECK(elements(traced(of_any_extent, three)) == expected);
  CHECK(elements(traced.eager(of_any_extent, three)) == expected);
}

}  // namespace

TEST_CASE("compound assignment is the operator and an assignment") {
  same_in_all_worlds(numbers, std::vector<int>{1, -20, 300}, std::vector<int>{7, 3, -2});
  same_in_all_worlds(bits, std::vector<int>{1, 20, 300}, std::vector<int>{7, 3, 1025});
}

TEST_CASE("variables change by compound assignment as by assign") {
  constexpr auto step = jig::function([](auto& w, auto x) {
    w += x;
    w -= 1;
    w *= w;
    w /= 2;
  });
  jig::variable<double, 2> v{1, 2}, eager{1, 2};
  step(v, 3.0);
  CHECK(elements(v.value()) == std::vector<double>{4.5, 8});
  step.eager(eager, 3.0);
  CHECK(elements(eager.value()) == std::vector<double>{4.5, 8});
  eager += 1;
  CHECK(elements(eager.value()) == std::vector<double>{5.5, 9});
}

TEST_CASE("a tensor keeps its memory, a view writes its own") {
  tensor<float, dyn> x{1, 2, 3};
  const float* memory = x.data();
  const auto seen = x.view();
  x += x;
  x += tensor<float, 1>{1};
  CHECK(x.data() == memory);
  CHECK(elements(x) == std::vector<float>{3, 5, 7});
  seen *= 2;
  CHECK(elements(x) == std::vector<float>{6, 10, 14});
  x[0] += 1;
  CHECK(x(0) == 7);
  CHECK_THROWS_AS((x += tensor<float, dyn>{1, 2}), jig::invalid_argument);
  // A scalar does not become a vector.
  tensor<float, dyn> one{1};
  CHECK_THROWS_AS((one += x), jig::invalid_argument);
  CHECK(elements(one) == std::vector<float>{1});
}

TEST_CASE("wildcard extents that do not broadcast to those of the left side throw") {
  constexpr auto add = jig::function([](auto x, auto y) {
    x += y;
    return x;
  });
  CHECK_THROWS_AS(add(tensor<float, dyn>{1, 2}, tensor<float, 3>{1, 2, 3}), jig::invalid_argument);
  CHECK(elements(add(tensor<float, dyn>{1, 2}, tensor<float, 1>{1})) == std::vector<float>{2, 3});
}

TEST_CASE("loops carry what compound assignment changes") {
  constexpr auto sums = jig::function([](auto x) {
    auto sum = x[0] * 0;
    auto all = x * 0;
    for (auto row : jig::rows(x)) {
      sum += row;
      all += row;
    }
    return all + sum;
  });
  CHECK(elements(sums(tensor<float, 3>{1, 2, 3})) == std::vector<float>{12, 12, 12});
  CHECK(elements(sums.eager(tensor<float, 3>{1, 2, 3})) == std::vector<float>{12, 12, 12});
}

TEST_CASE("temporaries and constants take no compound assignment") {
  auto adds = []<class X>(X&& x) { return requires { std::forward<X>(x) += 1; }; };
  tensor<float, 2> x;
  const tensor<float, 2> constant{};
  CHECK(adds(x));
  CHECK(!adds(constant));
  CHECK(!adds(tensor<float, 2>()));
  CHECK(adds(x[0]));
  CHECK(adds(x.view()));
  CHECK(!adds(constant.view()));
}
