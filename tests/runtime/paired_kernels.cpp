// SPDX-License-Identifier: MIT
#include <jig/runtime/paired_kernels.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <vector>

namespace {

using jig::any_tensor;

constexpr int operations = 4;

template <class X>
X combined(int which, const X& x, const X& y) {
  switch (which) {
    case 0: return x + y;
    case 1: return x - y;
    case 2: return x * y;
    default: return x / y;
  }
}

// Small whole numbers, so that it does not matter how the processor rounds in between.
template <class T>
std::vector<T> numbers(int n, int seed) {
  std::vector<T> out;
  for (int i = 0; i < n; ++i) out.push_back(static_cast<T>((i * 7 + seed * 5) % 11 + 1));
  return out;
}

template <class T>
void compare(int first, int second, bool turned) {
  const auto f = jig::dynamic_function([=](auto a, auto b, auto c) {
    auto x = combined(first, a, b);
    return turned ? combined(second, c, x) : combined(second, x, c);
  });
  for (int n : {0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 129, 5000}) {
    const auto a = numbers<T>(n, 1), b = numbers<T>(n, 2), c = numbers<T>(n, 3);
    const any_tensor found = f(any_tensor(a), any_tensor(b), any_tensor(c));
    std::size_t k = 0;
    bool same = found.size() == n;
    for (T y : found.as<T>()) {
      const T x = combined(first, a[k], b[k]);
      same = same && y == (turned ? combined(second, c[k], x) : combined(second, x, c[k]));
      ++k;
    }
    CAPTURE(first);
    CAPTURE(second);
    CAPTURE(turned);
    CAPTURE(n);
    CHECK(same);
  }
}

}  // namespace

TEST_CASE("two ops of arithmetic in one pass give what they give one after the other") {
  std::ostringstream warnings;
  jig::set_warning_stream(warnings);
  for (int first = 0; first < operations; ++first)
    for (int second = 0; second < operations; ++second)
      for (bool turned : {false, true}) {
        // A division that is not exact may differ in its last digit once it is contracted with what follows.
        if (first == 3) continue;
        compare<float>(first, second, turned);
        compare<double>(first, second, turned);
        compare<int>(first, second, turned);
      }
}

TEST_CASE("pairs: single elements, values that are used twice or returned, results over arguments") {
  const auto f = jig::dynamic_function([](auto x, auto y) {
    auto product = x * y;
    auto sum = product + 1;
    auto twice = sum - 2;
    auto square = twice * twice;
    return std::tuple(product, sum * 3 + x, square - y);
  });
  const std::vector<float> x = numbers<float>(100, 4), y = numbers<float>(100, 5);
  const auto [a, b, c] = f(any_tensor(x), any_tensor(y));
  for (std::size_t i = 0; i < 100; ++i) {
    const auto at = static_cast<jig::index>(i);
    const float product = x[i] * y[i], twice = product - 1;
    CHECK(a.as<float>()(at) == product);
    CHECK(b.as<float>()(at) == (product + 1) * 3 + x[i]);
    CHECK(c.as<float>()(at) == twice * twice - y[i]);
  }
  // A variable is written where it was read.
  jig::variable<float, 100> v;
  v.assign(jig::tensor<float, 100>(jig::view<const float, 100>(x.data())));
  const auto update = jig::function<"update(v, y)">([](auto& to, auto z) { to.assign((to * 2 + z) * to - 3); });
  update(v, any_tensor(y));
  for (std::size_t i = 0; i < 100; ++i) CHECK(v.value()(static_cast<jig::index>(i)) == (x[i] * 2 + y[i]) * x[i] - 3);
}

TEST_CASE("pairs are found for neighbours whose order fits") {
  using namespace jig::detail;
  namespace ops = jig::ops;
  const auto multiply = &block_loop<ops::multiply, float, float, float>::run, add = &block_loop<ops::add, float, float, float>::run;
  (void)jig::dynamic_function([](auto x) { return x * x + x; })(any_tensor(2.f));
  const auto both = find_paired_kernel(multiply, add, 1);
  REQUIRE((both != nullptr));
  const float x[] = {2, 3}, y[] = {5, 7}, z[] = {1, -1};
  float out[2];
  const void* in[] = {x, y, z};
  both(in, out, 2);
  CHECK(out[0] == 11);
  CHECK(out[1] == 20);
  CHECK((find_paired_kernel(add, nullptr, 0) == nullptr));
}
