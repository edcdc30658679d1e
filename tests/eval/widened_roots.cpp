// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <type_traits>

using jig::dyn;
using std::int64_t;

namespace {

// Whether step 0 of a program computes in registers as wide as those of its narrow numbers.
template <class... Spec, class F>
bool narrow(F) {
  using whole = jig::step<jig::dense_program_of<jig::trace<F, "f", Spec...>>, 0>;
  using body = jig::detail::body_of_loop<whole>;
  constexpr bool stores_wider = jig::detail::stores_wider<body>;
  static_assert(stores_wider == (jig::detail::step_lanes<body> > jig::detail::step_lanes<whole>));
  return stores_wider;
}

constexpr auto mixed = [](auto x, auto y) { return ((x * 3 ^ y) * 5 - x) ^ (x & y); };
constexpr auto wide = [](auto x, auto y) { return jig::cast<int64_t>(mixed(x, y)); };
constexpr auto two_roots = [](auto x, auto y) {
  const auto z = mixed(x, y);
  return std::tuple(jig::cast<int64_t>(z), z + 1);
};
constexpr auto columns = [](auto x, auto y) { return jig::cast<int64_t>(mixed(jig::expand_dims<1>(x), y)); };

template <class T>
T mixed_numbers(T x, T y) {
  using U = std::make_unsigned_t<T>;
  const auto product = static_cast<U>(static_cast<U>(static_cast<U>(x) * 3u) ^ static_cast<U>(y));
  return static_cast<T>(static_cast<U>(static_cast<U>(product * 5u) - static_cast<U>(x)) ^ static_cast<U>(x & y));
}
template <class T, class X>
X filled(X x, int seed) {
  auto state = static_cast<unsigned>(seed);
  for (T& e : x) e = static_cast<T>(static_cast<int>((state = state * 1103515245u % 100003u + 12345u) % 251u) - 125);
  return x;
}

template <class T, class X>
int wrong_elements(const X& x, const X& y) {
  static constexpr auto f = jig::function<"f(x, y)">(wide);
  static constexpr auto g = jig::function<"g(x, y)">(two_roots);
  const auto z = f(x, y);
  const auto [first, second] = g(x, y);
  int wrong = 0;
  for (jig::index i = 0; i < x.size(); ++i) {
    const T expected = mixed_numbers(x.data()[i], y.data()[i]);
    wrong += z.data()[i] != expected;
    wrong += first.data()[i] != expected;
    wrong += second.data()[i] != static_cast<T>(expected + 1);
  }
  return wrong;
}
template <class T>
int wrong_of_all_lengths() {
  int wrong = 0;
  constexpr auto lanes = static_cast<jig::index>(64 / sizeof(T));
  for (jig::index n : {jig::index{0}, jig::index{1}, jig::index{2}, lanes / 4 + 1, lanes / 2, lanes - 1, lanes, lanes + 1, 5 * lanes + 3})
    wrong += wrong_elements<T>(filled<T>(jig::zeros<T, dyn>(n), 3), filled<T>(jig::zeros<T, dyn>(n), 7));
  return wrong;
}
template <class T, jig::index N>
int wrong_of_static() {
  return wrong_elements<T>(filled<T>(jig::zeros<T, N>(), 5), filled<T>(jig::zeros<T, N>(), 9));
}
template <class T, class Y>
int wrong_of_columns(jig::index rows, const Y& y) {
  static constexpr auto f = jig::function<"f(x, y)">(columns);
  const auto x = filled<T>(jig::zeros<T, dyn>(rows), 11);
  const auto z = f(x, y);
  int wrong = 0;
  for (jig::index i = 0; i < rows; ++i)
    for (jig::index k = 0; k < y.extent(0); ++k) wrong += z(i, k) != mixed_numbers(x(i), y(k));
  return wrong;
}

}  // namespace

TEST_CASE("results that are wider than all that a loop computes") {
  using x = jig::spec<int, dyn>;
  CHECK((narrow<x, x>(wide)));
  CHECK((narrow<x, x>(two_roots)));
  CHECK((narrow<jig::spec<std::int16_t, dyn>, jig::spec<std::int16_t, dyn>>([](auto a, auto b) { return jig::cast<int>(mixed(a, b)); })));
  // Floating numbers beside them, as wide as the integers.
  CHECK((narrow<jig::spec<float, dyn>, x>([](auto a, auto b) { return jig::cast<int64_t>(mixed(jig::cast<int>(a), b)); })));
  // What is computed is as wide; unsigned; floating results; little work; operands that are only cast.
  CHECK_FALSE((narrow<jig::spec<int64_t, dyn>, x>([](auto a, auto b) { return a + jig::cast<int64_t>(mixed(b, b + 1)); })));
  CHECK_FALSE((narrow<jig::spec<double, dyn>, x>([](auto a, auto b) { return jig::cast<int64_t>(mixed(jig::cast<int>(a), b)); })));
  CHECK_FALSE((narrow<jig::spec<std::uint32_t, dyn>, jig::spec<std::uint32_t, dyn>>(wide)));
  CHECK_FALSE((narrow<x, x>([](auto a, auto b) { return jig::cast<double>(mixed(a, b)); })));
  CHECK_FALSE((narrow<x, x>([](auto a, auto b) { return jig::cast<int64_t>(a ^ b); })));
  // The loop goes on with the wide ones.
  CHECK_FALSE((narrow<x, x>([](auto a, auto b) {
    const auto z = jig::cast<int64_t>(mixed(a, b));
    return std::tuple(z, z * z);
  })));
  // One element.
  CHECK_FALSE((narrow<jig::spec<int>, jig::spec<int>>(wide)));
}
TEST_CASE("they are widened as they are stored") {
  CHECK(wrong_of_all_lengths<int>() == 0);
  CHECK(wrong_of_all_lengths<std::int16_t>() == 0);
  CHECK(wrong_of_all_lengths<std::int8_t>() == 0);
  CHECK((wrong_of_static<int, 1>()) == 0);
  CHECK((wrong_of_static<int, 3>()) == 0);
  CHECK((wrong_of_static<int, 16>()) == 0);
  CHECK((wrong_of_static<int, 37>()) == 0);
  CHECK((wrong_of_static<int, 1000>()) == 0);
  CHECK((wrong_of_static<std::int8_t, 77>()) == 0);
}
TEST_CASE("of nests") {
  const auto y = jig::tensor<int, 5>{3, -1, 4, -1, 5};
  for (jig::index rows : {0, 1, 7, 16, 61}) {
    CHECK(wrong_of_columns<int>(rows, y) == 0);
    CHECK(wrong_of_columns<int>(rows, filled<int>(jig::zeros<int, dyn>(19), 13)) == 0);
    CHECK(wrong_of_columns<std::int8_t>(rows, filled<std::int8_t>(jig::zeros<std::int8_t, 6>(), 17)) == 0);
  }
  static constexpr auto turned = jig::function<"f(x, y)">([](auto x, auto b) { return wide(jig::transpose(x), b); });
  const auto a = filled<int>(jig::zeros<int, 33, 41>(), 19);
  const auto b = filled<int>(jig::zeros<int, 41, 33>(), 23);
  const auto z = turned(a, b);
  int wrong = 0;
  for (jig::index i = 0; i < 41; ++i)
    for (jig::index k = 0; k < 33; ++k) wrong += z(i, k) != mixed_numbers(a(k, i), b(i, k));
  CHECK(wrong == 0);
}
