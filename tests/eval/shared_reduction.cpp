// SPDX-License-Identifier: MIT
#include <jig/eval/shared_reduction.hpp>

#include <jig/eval/parallel_runner.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <tuple>

namespace {

constexpr jig::detail::parallel_runner backwards{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
  while (blocks-- > 0) run(work, blocks);
}};

// Totals of parts, where what was lost is added where Compensated.
template <class Number, bool Compensated>
struct total_of_parts {
  using T = Number;
  static constexpr bool compensated = Compensated;
  static void add_part(T& total, T& lost, const T& x) {
    CHECK((Compensated || lost == T()));
    total = static_cast<T>(total + x);
  }
  static T finished(T total, T lost, jig::index) { return static_cast<T>(total + lost); }
};
template <class T, bool Compensated>
T combined(T a, T b, T lost_a, T lost_b) {
  const T totals[] = {a, b}, lost[] = {lost_a, lost_b};
  T out{};
  jig::detail::combine_parts<total_of_parts<T, Compensated>>(&out, reinterpret_cast<const char*>(totals),
                                                             reinterpret_cast<const char*>(lost), 2, 2);
  return out;
}

}  // namespace

TEST_CASE("what was lost of parts is read where they write it") {
  CHECK(combined<float, true>(1, 2, 0.25f, 0.5f) == 3.75f);
  CHECK(combined<float, false>(1, 2, 0.25f, 0.5f) == 3);
  CHECK(combined<int, false>(1, 2, 10, 20) == 3);
  CHECK(combined<bool, false>(false, false, true, true) == false);
}

TEST_CASE("threads share reductions of everything") {
  constexpr auto truths = jig::function([](auto x) { return std::tuple(jig::reduce_all(x), jig::reduce_any(x)); });
  constexpr auto numbers = jig::function([](auto x) { return std::tuple(jig::reduce_sum(x), jig::reduce_max(x), jig::reduce_min(x)); });
  const jig::detail::parallel_runner_scope scope(&backwards);
  constexpr jig::index part = jig::detail::shared_length;
  for (jig::index n : {2 * part - 1, 2 * part, 3 * part + 17}) {
    CAPTURE(n);
    for (jig::index at : {jig::index{0}, part - 1, part, 2 * part - 2, n - 1})
      for (bool odd : {false, true}) {
        jig::tensor<bool, jig::dyn> x(jig::uninitialized, {1, {n}});
        for (auto& e : x) e = !odd;
        auto [all, any] = truths(x);
        CHECK(all() == !odd);
        CHECK(any() == !odd);
        x(at) = odd;
        std::tie(all, any) = truths(x);
        CHECK(!all());
        CHECK(any());
      }
    jig::tensor<std::int32_t, jig::dyn> x(jig::uninitialized, {1, {n}});
    jig::tensor<float, jig::dyn> y(jig::uninitialized, {1, {n}});
    std::int32_t sum = 0, most = -1000, least = 1000;
    for (jig::index i = 0; i < n; ++i) {
      const auto e = static_cast<std::int32_t>(i * 7919 % 1999 - 999);
      sum += e;
      most = most < e ? e : most;
      least = e < least ? e : least;
      x(i) = e;
      y(i) = static_cast<float>(e) / 8;
    }
    const auto [sum_of_x, most_of_x, least_of_x] = numbers(x);
    CHECK(sum_of_x() == sum);
    CHECK(most_of_x() == most);
    CHECK(least_of_x() == least);
    const auto [sum_of_y, most_of_y, least_of_y] = numbers(y);
    CHECK(sum_of_y() == static_cast<float>(sum) / 8);
    CHECK(most_of_y() == static_cast<float>(most) / 8);
    CHECK(least_of_y() == static_cast<float>(least) / 8);
  }
}
