// SPDX-License-Identifier: MIT
#include <jig/ops/roll.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

namespace {

jig::index from(jig::index at, jig::index shift, jig::index n) { return ((at - shift) % n + n) % n; }

template <jig::index Shift, class X>
jig::index wrong_of_known(const X& x) {
  const auto y = both([](const auto& v) { return jig::roll<Shift>(v); }, x);
  jig::index wrong = 0;
  for (jig::index i = 0; i < x.extent(0); ++i) wrong += y(i) != x(from(i, Shift, x.extent(0)));
  return wrong;
}

}  // namespace

TEST_CASE("by a known number of places, along extents that are known and that are not") {
  for (const jig::index n : {0, 1, 2, 3, 5, 15, 16, 17, 70}) {
    const auto x = counted<int, dyn>(n);
    CHECK(wrong_of_known<0>(x) + wrong_of_known<1>(x) + wrong_of_known<-1>(x) + wrong_of_known<3>(x) + wrong_of_known<-16>(x) == 0);
    CHECK(wrong_of_known<std::numeric_limits<jig::index>::max()>(x) + wrong_of_known<std::numeric_limits<jig::index>::min() + 80>(x) == 0);
  }
  const auto five = counted<int, 5>();
  CHECK(wrong_of_known<0>(five) + wrong_of_known<1>(five) + wrong_of_known<-2>(five) + wrong_of_known<5>(five) +
            wrong_of_known<-13>(five) ==
        0);
  CHECK(wrong_of_known<2>(counted<int, 1>()) + wrong_of_known<2>(counted<int, 0>()) == 0);
  const auto y = both([](const auto& v) { return jig::roll<1, -1>(v); }, counted<int, 2, 3>());
  static_assert(std::is_same_v<decltype(y), const jig::tensor<int, 2, 3>>);
  CHECK(elements(y) == ints{2, 0, 1, 5, 3, 4});
  // Loops read the parts where they lie.
  constexpr auto slopes = jig::function<"f(x)">([](auto x) { return jig::roll<-1>(x) - x; });
  CHECK(elements(slopes(jig::tensor<float, 4>{1, 4, 9, 16})) == std::vector<float>{3, 5, 7, -15});
  static_assert(slopes.get_concrete_function(spec<float, 4>()).graph().count("Roll") == 0);
}

TEST_CASE("by a number of places that the call tells") {
  constexpr auto first = [](const auto& x, const auto& s) { return jig::roll<0>(x, s); };
  constexpr auto second = [](const auto& x, const auto& s) { return jig::roll<1>(x, s); };
  constexpr auto f = jig::function<"f(x, s)">(second);
  for (const jig::index n : {0, 1, 3, 8, 33})
    for (const std::int64_t s : {std::int64_t{0}, std::int64_t{2}, std::int64_t{-5}, std::numeric_limits<std::int64_t>::max(),
                                 std::numeric_limits<std::int64_t>::min()}) {
      const auto x = counted<float, dyn, dyn, 2>(3, n);
      const auto y = f(x, s);
      REQUIRE(y.shape() == x.shape());
      jig::index wrong = 0;
      for (jig::index i = 0; i < 3; ++i)
        for (jig::index k = 0; k < n; ++k)
          for (jig::index c = 0; c < 2; ++c) wrong += !(y(i, k, c) == x(i, from(k, s % n, n), c));
      CHECK(wrong == 0);
    }
  const auto x = counted<int, 2, 3>();
  CHECK(elements(both(first, x, jig::tensor<std::int8_t>(1))) == ints{3, 4, 5, 0, 1, 2});
  CHECK(elements(both(second, jig::transpose(x), jig::tensor<int>(3))) == ints{3, 0, 4, 1, 5, 2});
  CHECK(elements(both(first, jig::tensor<std::string, 3>{"a", "b", "c"}, jig::tensor<int>(-1))) == std::vector<std::string>{"b", "c", "a"});
  // On top of its argument.
  auto in_place = counted<int, dyn>(9);
  jig::function<"f(x, s)">(first).into(in_place, in_place, 2);
  CHECK(elements(in_place) == ints{7, 8, 0, 1, 2, 3, 4, 5, 6});
  static_assert(gives<spec<jig::half, dyn, 3>>(second, spec<jig::half, dyn, 3>(), spec<int>()));
  const auto at_run_time = jig::dynamic_function([](auto v, auto s) { return jig::roll<0>(v, s); });
  CHECK(message_of([&] {
          (void)at_run_time(jig::any_tensor(counted<float, 3>()), jig::any_tensor(jig::tensor<std::uint64_t>(1)));
        }).starts_with("Roll: the shift must be one signed integer"));
}

TEST_CASE("what comes back goes the other way") {
  constexpr auto g = jig::function<"g(x, s)">([](auto x, auto s) {
    const auto y = jig::roll<0>(x, s) * jig::tensor<float, 4>{1, 2, 3, 4};
    return jig::gradient(jig::reduce_sum(y * y), x);
  });
  const jig::tensor<float, 4> x{1, 2, 3, 4};
  CHECK(elements(g(x, 1)) == std::vector<float>{8, 36, 96, 8});
  CHECK(elements(g(x, std::numeric_limits<std::int32_t>::min() + 1)) == std::vector<float>{8, 36, 96, 8});
  CHECK(elements(g(x, std::numeric_limits<std::int32_t>::min())) == std::vector<float>{2, 16, 54, 128});
  constexpr auto known =
      jig::function<"g(x)">([](auto v) { return jig::gradient(jig::reduce_sum(jig::roll<1>(v) * jig::tensor<float, 4>{1, 2, 3, 4}), v); });
  CHECK(elements(known(x)) == std::vector<float>{2, 3, 4, 1});
}
