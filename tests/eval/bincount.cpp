// SPDX-License-Identifier: MIT
#include <jig/eval/bincount.hpp>

#include <jig.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

using jig::dyn;

namespace {

// Values up to a few more than are counted, or all the same.
template <class I>
std::vector<I> some_values(jig::index n, jig::index bins, bool same) {
  std::vector<I> out(static_cast<std::size_t>(n));
  for (jig::index i = 0; i < n; ++i) {
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<I>::max());
    const auto value = static_cast<std::uint64_t>(same ? bins / 2 : (i * 7919 + i / 100) % (i < n / 2 ? bins + 1 : bins + 3));
    out[static_cast<std::size_t>(i)] = static_cast<I>(value < most ? value : most);
  }
  return out;
}

template <class T, class I, jig::index Bins>
void check() {
  jig::index wrong = 0;
  for (const jig::index n : {0, 1, 3, 63, 64, 65, 500, 1100, 3000, 12000})
    for (const bool same : {false, true}) {
      const std::vector<I> x = some_values<I>(n, Bins, same);
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(Bins + 1));
      for (const I value : x)
        if (std::cmp_less(value, Bins)) ++expected[static_cast<std::size_t>(value)];
      const jig::view<const I, dyn> seen(x.data(), jig::shape{1, {n}});
      const auto y = jig::function<"f(x)">([](auto v) { return jig::bincount<Bins, T>(v); })(seen);
      static_assert(std::is_same_v<std::remove_cv_t<decltype(y)>, jig::tensor<T, Bins>>);
      for (jig::index k = 0; k < Bins; ++k) wrong += !(y(k) == static_cast<T>(expected[static_cast<std::size_t>(k)]));
      // At strides, by the kernel itself.
      std::vector<I> apart(static_cast<std::size_t>(2 * n));
      for (jig::index i = 0; i < n; ++i) apart[static_cast<std::size_t>(2 * i)] = x[static_cast<std::size_t>(i)];
      jig::tensor<T, Bins> own;
      jig::kernel<jig::ops::bincount>::run(jig::attributes<>(), jig::view<T, Bins>(own.data()),
                                           jig::view<const I, dyn>(apart.data(), {1, {n}}, {1, {2}}));
      for (jig::index k = 0; k < Bins; ++k) wrong += !(own(k) == y(k));
    }
  CHECK(wrong == 0);
}

template <class I>
std::string message_of_value(I value, std::size_t place, jig::index n) {
  std::vector<I> x(static_cast<std::size_t>(n), I(1));
  x[place] = value;
  const jig::view<const I, dyn> seen(x.data(), jig::shape{1, {n}});
  constexpr auto counts = jig::function<"f(x)">([](auto v) { return jig::bincount<7>(v); });
  constexpr auto sums = jig::function<"f(x)">([](auto v) { return jig::bincount<7>(v, v); });
  const std::string of_counts = message_of([&] { counts(seen); });
  CHECK(message_of([&] { sums(seen); }) == of_counts);
  return of_counts;
}

}  // namespace

TEST_CASE("numbers of every dtype, few and many") {
  check<int, std::uint8_t, 256>();
  check<int, std::uint8_t, 255>();
  check<std::int64_t, std::uint8_t, 300>();
  check<std::uint8_t, std::int8_t, 128>();
  check<float, std::int8_t, 5>();
  check<int, std::int16_t, 65>();
  check<int, std::uint16_t, 1024>();
  check<double, std::int32_t, 5000>();
  check<int, std::int32_t, 0>();
  check<int, std::int32_t, 1>();
  check<std::int16_t, std::int64_t, 64>();
  check<int, std::uint32_t, 1025>();
  check<int, std::uint64_t, 10>();
}
TEST_CASE("more than small floating dtypes count one by one") {
  check<jig::half, std::int16_t, 1500>();
  check<jig::bfloat16, std::uint8_t, 1100>();
}

TEST_CASE("numbers at the ends of integers") {
  for (const jig::index n : {130, 3000})
    for (const std::size_t place : {0u, 70u, 129u}) {
      CHECK(message_of_value(-1, place, n) == "DenseBincount: the value -1 is negative");
      CHECK(message_of_value(std::int8_t{-128}, place, n) == "DenseBincount: the value -128 is negative");
      CHECK(message_of_value(std::numeric_limits<std::int64_t>::lowest(), place, n) ==
            "DenseBincount: the value -9223372036854775808 is negative");
      CHECK(message_of_value(std::numeric_limits<std::int64_t>::max(), place, n) == "no exception");
      CHECK(message_of_value(std::numeric_limits<int>::max(), place, n) == "no exception");
      CHECK(message_of_value(~std::uint64_t{0}, place, n) == "no exception");
    }
  std::vector<std::int64_t> ones(3000, 1);
  ones.back() = std::numeric_limits<std::int64_t>::lowest();
  CHECK(message_of([&] { (void)jig::bincount<2000, jig::bfloat16>(jig::view<const std::int64_t, 3000>(ones.data())); }) ==
        "DenseBincount: the value -9223372036854775808 is negative");
  const std::vector<std::int64_t> far(200, std::int64_t{1} << 32);
  CHECK(elements(jig::bincount<1>(jig::view<const std::int64_t, 200>(far.data()))) == ints{0});
}

TEST_CASE("weights are added in their order") {
  constexpr auto sums = jig::function<"f(x, w)">([](auto x, auto w) { return jig::bincount<3>(x, w); });
  std::vector<std::uint8_t> x(300);
  std::vector<float> w(600), expected(3, 0);
  for (std::size_t i = 0; i < 300; ++i) {
    x[i] = static_cast<std::uint8_t>(i * i % 7 % 4);
    w[2 * i] = 1 / static_cast<float>(i + 3);
    if (x[i] < 3) expected[x[i]] += w[2 * i];
  }
  const jig::view<const std::uint8_t, 300> seen(x.data());
  const jig::view<const float, dyn> apart(w.data(), {1, {300}}, {1, {2}});
  CHECK(elements(sums(seen, apart)) == expected);
  jig::tensor<float, 3> own;
  jig::kernel<jig::ops::bincount>::run(jig::attributes<>(), jig::view<float, 3>(own.data()), seen, apart);
  CHECK(elements(own) == expected);
  CHECK(elements(sums(jig::tensor<int, 2, 2>{{0, 2}, {5, 0}}, jig::tensor<std::int8_t, 2, 2>{{100, 1}, {9, 100}})) ==
        std::vector<std::int8_t>{-56, 0, 1});
}
