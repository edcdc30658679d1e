// SPDX-License-Identifier: MIT
#include "../compared_numbers.hpp"

TEST_CASE("in an eager run numbers take dtypes as in a trace") {
  constexpr auto f = jig::function([](auto x, auto k) {
    auto n = k;
    n = n + 1;
    auto y = x;
    y[0] = k;
    auto sum = jig::constant_like(x, 0);
    sum = n;
    for (auto i : jig::range(k))
      if (i > 1) sum = sum + i * x[1];
    auto last = jig::while_loop([](auto i) { return i < 7; }, [](auto i) { return i * 2; }, n);
    return std::tuple(x * (k * 0.5), y * n, sum, last, x[k - 2] + last);
  });
  const jig::tensor<float, 2> x{1, 2};
  const auto [a, b, c, d, e] = f.eager(x, 3);
  const auto [ta, tb, tc, td, te] = f(x, 3);
  CHECK(elements(a) == std::vector<float>{1.5f, 3});
  CHECK(elements(a) == elements(ta));
  CHECK(elements(b) == std::vector<float>{12, 8});
  CHECK(elements(b) == elements(tb));
  CHECK(c() == 8);
  CHECK(tc() == 8);
  CHECK(d() == 8);
  CHECK(td() == 8);
  CHECK(e() == 10);
  CHECK(te() == 10);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(d)>, std::remove_cvref_t<decltype(td)>>);
}

TEST_CASE("functions that are called in an eager run see numbers too") {
  static constexpr auto inner = jig::function([](auto x, auto k) { return x * k; });
  constexpr auto outer = jig::function([](auto x, auto k) { return inner(x, k + 1) + inner(x, 2); });
  CHECK(elements(outer.eager(std::vector<float>{1, 2}, 3)) == std::vector<float>{6, 12});
  CHECK(elements(outer(std::vector<float>{1, 2}, 3)) == std::vector<float>{6, 12});
}

TEST_CASE("as loops in C++") {
  const auto call = [](const auto& f, const auto& x, auto k) { return f.eager(x, k); };
  compare_dtypes<float, int, double>(call);
  compare_dtypes<std::uint8_t, int>(call);
  compare_dtypes<std::int64_t, int>(call);
}
