// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <string>

using jig::dyn;

namespace {

template <class... Spec>
bool keeps_rows(auto f) {
  return jig::to_text(jig::lower(jig::graph_of(f, Spec()...))).find("OneHot") != std::string::npos;
}
using floats = jig::spec<float, dyn, 10>;
using positions = jig::spec<int, dyn>;

constexpr auto picked = [](auto x, auto at) { return jig::reduce_sum<1>(x * jig::one_hot<10>(at)); };

template <class T, class I, jig::index Depth>
void check(jig::index n) {
  static constexpr auto f = jig::function<"f(x, at)">([](auto x, auto at) {
    return std::tuple(jig::reduce_sum<1>(x * jig::one_hot<Depth, T>(at)), jig::reduce_sum<0>(jig::one_hot<Depth, T>(at)));
  });
  auto x = jig::zeros<T, dyn, Depth>(n);
  auto at = jig::zeros<I, dyn>(n);
  for (jig::index i = 0; i < n; ++i) {
    for (jig::index k = 0; k < Depth; ++k) x(i, k) = static_cast<T>((i * 7 + k * 3) % 11);
    at(i) = static_cast<I>(i % 5 == 3 ? -1 - i : i * 13 % (Depth + 2));
  }
  const auto [found, counts] = f(x, at);
  auto count = jig::zeros<T, Depth>();
  int wrong = 0;
  for (jig::index i = 0; i < n; ++i) {
    const bool there = std::in_range<jig::index>(at(i)) && at(i) >= 0 && static_cast<jig::index>(at(i)) < Depth;
    if (there) count(static_cast<jig::index>(at(i))) += T(1);
    wrong += found(i) != (there ? x(i, static_cast<jig::index>(at(i))) : T(0));
  }
  for (jig::index k = 0; k < Depth; ++k) wrong += counts(k) != count(k);
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("loops compare positions, what is stored is set") {
  CHECK_FALSE((keeps_rows<floats, positions>(picked)));
  CHECK_FALSE((keeps_rows<positions>([](auto at) { return jig::reduce_max<0>(jig::one_hot<127, int>(at)); })));
  CHECK((keeps_rows<positions>([](auto at) { return jig::reduce_max<0>(jig::one_hot<128, int>(at)); })));
  CHECK((keeps_rows<positions>([](auto at) { return jig::one_hot<10>(at); })));
  CHECK((keeps_rows<jig::spec<float, dyn, 6>, positions>(
      [](auto x, auto at) { return jig::matmul(jig::one_hot<6>(at), x, jig::transpose_b); })));
  CHECK((keeps_rows<floats, positions>([](auto x, auto at) {
    const auto rows = jig::one_hot<10>(at);
    return std::tuple(x * rows, jig::cumsum<0>(rows));
  })));
  // Positions of another size, and halves.
  CHECK((keeps_rows<floats, jig::spec<std::int64_t, dyn>>(picked)));
  CHECK_FALSE((keeps_rows<floats, jig::spec<std::uint8_t, dyn>>(picked)));
  CHECK((keeps_rows<jig::spec<jig::half, dyn, 10>, jig::spec<std::int16_t, dyn>>(
      [](auto x, auto at) { return x * jig::one_hot<10, jig::half>(at); })));
}
TEST_CASE("positions outside of the rows are nowhere") {
  for (jig::index n : {0, 1, 7, 16, 33, 500}) {
    check<float, int, 10>(n);
    check<double, std::int64_t, 3>(n);
    check<int, std::int8_t, 127>(n);
    check<int, std::uint32_t, 16>(n);
    check<float, std::uint8_t, 33>(n);
  }
}
