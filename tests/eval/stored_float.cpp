// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <limits>
#include <sstream>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::bfloat16;
using jig::dyn;
using jig::half;

namespace {

template <class T>
std::vector<unsigned> bits_of(const T& x) {
  std::vector<unsigned> out;
  for (const auto& e : x) out.push_back(e.bits);
  return out;
}

// All numbers, infinities and NaNs, then some that do not fill a register.
template <class T>
jig::tensor<T, dyn> all_patterns() {
  auto x = jig::zeros<T, dyn>(65536 + 3);
  unsigned i = 0;
  for (auto& e : x) e = std::bit_cast<T>(static_cast<std::uint16_t>(i++));
  return x;
}

}  // namespace

TEST_CASE_TEMPLATE("every result is rounded", T, half, bfloat16) {
  constexpr auto f = jig::function<"f(x, y)">(
      [](auto x, auto y) { return std::make_tuple(x * y + 1.5, jig::cast<float>(x), x < y, jig::where(x < y, x, -y)); });
  auto x = all_patterns<T>(), y = jig::zeros<T, dyn>(x.size());
  for (jig::index i = 0; i < x.size(); ++i) y(i) = x((i * 7919 + 13) % x.size());
  auto [sum, wide, less, chosen] = f(x, y);
  static_assert(std::is_same_v<decltype(sum), jig::tensor<T, dyn>>);
  int wrong = 0;
  auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (jig::index i = 0; i < x.size(); ++i) {
    const float a = x(i), b = y(i);
    wrong += !same(sum(i), T(static_cast<float>(T(a * b)) + 1.5f)) || !same(wide(i), a) || less(i) != (a < b) ||
             !same(chosen(i), a < b ? a : -b);
  }
  CHECK(wrong == 0);
}

TEST_CASE("casts, reductions and products compute in float") {
  using T = half;
  constexpr auto f = jig::function<"f(x, d, i)">([](auto x, auto d, auto i) {
    return std::make_tuple(jig::reduce_sum(x), jig::reduce_max(x), jig::cast<T>(d), jig::cast<T>(i), jig::cast<int>(x), jig::cumsum(x),
                           jig::matmul(jig::reshape<1, 300>(x), jig::reshape<300, 1>(x)));
  });
  auto x = jig::ones<T, 300>();
  x(7) = -std::numeric_limits<float>::infinity();
  auto without = jig::full<T, 300>(17);
  auto [sum, largest, from_double, from_int, to_int, running, product] =
      f(without, std::array<double, 2>{1e300, 1.0 + 0x1p-9 + 0x1p-40}, std::array<int, 2>{-3, 70000});
  // In T itself a running sum of 17 would stop long before its end.
  CHECK(sum().bits == T(300 * 17).bits);
  CHECK(product(0, 0).bits == T(300 * 17 * 17).bits);
  CHECK(running(299).bits == T(300 * 17).bits);
  CHECK(largest() == 17);
  CHECK(bits_of(from_double) == std::vector<unsigned>{T(1e300).bits, T(1.0 + 0x1p-9 + 0x1p-40).bits});
  CHECK(bits_of(from_int) == std::vector<unsigned>{T(-3).bits, T(70000).bits});
  CHECK(to_int(299) == 17);
  CHECK(jig::cast<int>(x)(7) == std::numeric_limits<int>::lowest());
}

TEST_CASE("moved as they are, named and printed") {
  jig::tensor<half, 2, 2> x{{0.1, 2}, {-3.5, 65504}};
  jig::tensor<half, 2, 2> small{{0.1, 2}, {-3.5, 7}};
  std::ostringstream out;
  out << small << jig::full<bfloat16, 1>(0.1);
  CHECK(out.str() == "tf.Tensor(\n[[ 0.1  2. ]\n [-3.5  7. ]], shape=(2, 2), dtype=float16)tf.Tensor([0.1], shape=(1,), dtype=bfloat16)");
  auto y = jig::concat<0>(jig::gather(x, 1), jig::flatten(jig::transpose(x)));
  CHECK(bits_of(y) ==
        std::vector<unsigned>{half(-3.5).bits, half(65504).bits, half(0.1).bits, half(-3.5).bits, half(2).bits, half(65504).bits});
  auto [sorted, which] = jig::top_k<1>(y);
  CHECK((sorted(0) == 65504 && which(0) == 1));
  using traced = decltype(jig::function<"f(x)">([](auto v) { return v * 2 + 1; }).get_concrete_function(jig::spec<half, 3>()));
  static_assert(traced::graph().count("Mul") == 1 && traced::graph().count("Cast") == 0);
}
