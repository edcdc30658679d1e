// SPDX-License-Identifier: MIT
#include <jig/runtime/paired_kernels.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
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

constexpr int functions = 8;

template <class X>
X applied(int which, const X& x) {
  switch (which) {
    case 0: return -x;
    case 1: return jig::abs(x);
    case 2: return jig::square(x);
    case 3: return jig::sqrt(x);
    case 4: return jig::exp(x);
    case 5: return jig::log(x);
    case 6: return jig::tanh(x);
    default: return jig::sigmoid(x);
  }
}
template <>
double applied(int which, const double& x) {
  switch (which) {
    case 0: return -x;
    case 1: return std::fabs(x);
    case 2: return x * x;
    case 3: return std::sqrt(x);
    case 4: return std::exp(x);
    case 5: return std::log(x);
    case 6: return std::tanh(x);
    default: return 1 / (1 + std::exp(-x));
  }
}

// Traced for floats of each type, and computed in double one after the other. All of a are above 1.375, all of b and c at most that.
template <class... T>
void compare_with_function(auto f) {
  const auto traced = jig::dynamic_function(f);
  auto compare_for = [&]<class U>(U) {
    for (int n : {0, 1, 3, 8, 9, 17, 33, 1000}) {
      auto scaled = [&](int seed, int shift) {
        std::vector<U> out = numbers<U>(n, seed);
        for (U& x : out) x = (x + static_cast<U>(shift)) / 8;
        return out;
      };
      const auto a = scaled(1, 11), b = scaled(2, 0), c = scaled(3, 0);
      const any_tensor found = traced(any_tensor(a), any_tensor(b), any_tensor(c));
      REQUIRE(found.size() == n);
      bool same = true;
      std::size_t k = 0;
      for (U y : found.as<U>()) {
        const double expected = f(static_cast<double>(a[k]), static_cast<double>(b[k]), static_cast<double>(c[k]));
        same = same && static_cast<double>(y) == doctest::Approx(expected).epsilon(sizeof(U) == 4 ? 2e-6 : 1e-13).scale(1);
        ++k;
      }
      CAPTURE(n);
      CHECK(same);
    }
  };
  (compare_for(T()), ...);
}

}  // namespace

TEST_CASE("two ops of arithmetic in one pass give what they give one after the other") {
  static std::ostringstream warnings;  // other tests may warn later
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

TEST_CASE("a function and arithmetic before or behind it in one pass") {
  static std::ostringstream warnings;  // other tests may warn later
  jig::set_warning_stream(warnings);
  for (int which = 0; which < functions; ++which) {
    for (int arithmetic = 0; arithmetic < operations; ++arithmetic) {
      for (bool turned : {false, true})
        compare_with_function<float, double>([=](const auto& a, const auto& b, const auto& c) {
          auto x = applied(which, a);
          (void)b;
          return turned ? combined(arithmetic, c, x) : combined(arithmetic, x, c);
        });
      // Where the difference is positive too.
      compare_with_function<float, double>(
          [=](const auto& a, const auto& b, const auto&) { return applied(which, combined(arithmetic, a, b)); });
    }
    compare_with_function<float, double>([=](const auto& a, const auto& b, const auto&) { return applied(which, -(b - a)); });
  }
}

TEST_CASE("sums and differences of two products in one pass") {
  static std::ostringstream warnings;  // other tests may warn later
  jig::set_warning_stream(warnings);
  for (int arithmetic : {0, 1}) {
    compare_with_function<float, double>([=](const auto& a, const auto& b, const auto& c) { return combined(arithmetic, a * b, b * c); });
    compare_with_function<float, double>([=](const auto& a, const auto& b, const auto& c) { return combined(arithmetic, a * b, c * c); });
    compare_with_function<float, double>([=](const auto& a, const auto& b, const auto& c) { return combined(arithmetic, a * a, b * c); });
    compare_with_function<float, double>([=](const auto& a, const auto& b, const auto&) { return combined(arithmetic, a * a, b * b); });
  }
}

TEST_CASE("pairs: what is read stays until then") {
  using namespace jig::detail;
  namespace ops = jig::ops;
  (void)jig::dynamic_function([](auto a, auto b) { return jig::exp(a) * b; })(any_tensor(2.f), any_tensor(1.f));
  // The first result lies where x lies, which the function of x reads: it must not wait for the product.
  const block_function multiply = &block_loop<ops::multiply, float, float, float>::run, exp = &block_loop<ops::exp, float, float>::run;
  block_program<> program;
  const int x = program.add_leaf(jig::dtype::float32, true), y = program.add_leaf(jig::dtype::float32, true);
  const int of_exp[] = {x}, of_square[] = {x, x};
  const int e = program.add(exp, of_exp, jig::dtype::float32), square = program.add(multiply, of_square, jig::dtype::float32);
  const int of_product[] = {e, y};
  const int product = program.add(multiply, of_product, jig::dtype::float32);
  program.add_root(square, {&x, 1});
  program.add_root(product, {});
  program.finish();
  std::vector<float> first(40, 0.5f), factor = numbers<float>(40, 5), second(40);
  const void* leaves[] = {first.data(), factor.data()};
  void* roots[] = {first.data(), second.data()};
  program(leaves, roots, 40);
  for (std::size_t i = 0; i < 40; ++i) {
    CHECK(first[i] == 0.25f);
    CHECK(second[i] == doctest::Approx(std::exp(0.5) * factor[i]));
  }
}

TEST_CASE("pairs are found where their order fits") {
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
  (void)jig::dynamic_function([](auto a, auto b) { return jig::sqrt(a) / b - jig::exp(a + b); })(any_tensor(2.f), any_tensor(1.f));
  const auto sqrt = &block_loop<ops::sqrt, float, float>::run, exp = &block_loop<ops::exp, float, float>::run;
  const auto square = &block_loop<ops::square, float, float>::run, divide = &block_loop<ops::divide, float, float, float>::run;
  CHECK((find_paired_kernel(sqrt, divide, 0) != nullptr));
  CHECK((find_paired_kernel(sqrt, divide, 1) != find_paired_kernel(sqrt, divide, 0)));
  CHECK((find_paired_kernel(add, exp, 0) != nullptr));
  CHECK((find_paired_kernel(square, find_paired_kernel(multiply, add, 0), 2) != nullptr));
}
