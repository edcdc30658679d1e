// SPDX-License-Identifier: MIT
#include <jig/eval/lanes.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

// Entries with up to two operands each, a function or what is no function.
struct entry {
  int operands[2];
  const jig::op* kind;
  int lanes = 4;
};
template <std::size_t N>
constexpr auto lanes_of(const entry (&body)[N]) {
  int order[N] = {};
  for (std::size_t i = 0; i < N; ++i) order[i] = static_cast<int>(i);
  return jig::detail::find_lanes<N>(
      order, static_cast<int>(N), [&](int e, int k) { return k < 2 ? body[e].operands[k] : -1; },
      [&](int e) { return body[e].kind != nullptr; }, [&](int e) -> const jig::op& { return *body[e].kind; },
      [&](int e) { return body[e].lanes; });
}
constexpr const jig::op *sine = &jig::ops::sin, *power = &jig::ops::exp;

template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (std::isnan(a) && std::isnan(b));
}

template <class T>
std::vector<T> unusual() {
  using limits = std::numeric_limits<T>;
  return {T(0.3),
          T(-0.0),
          limits::infinity(),
          T(1e30),
          limits::quiet_NaN(),
          T(-2.5),
          limits::denorm_min(),
          T(70000),
          T(-1),
          T(88),
          limits::max(),
          T(1e-20),
          T(3),
          T(-700),
          T(12.5),
          T(0.25),
          T(7),
          T(0)};
}

// The functions of N scalars are those of each alone.
template <class T, int N>
void check_functions() {
  constexpr auto f = jig::function<"f(x)">([](const auto& x) {
    const auto all = [&](auto g) {
      return [&]<int... I>(std::integer_sequence<int, I...>) { return jig::stack<0>(g(x[I])...); }(std::make_integer_sequence<int, N>());
    };
    return std::tuple(all([](const auto& v) { return jig::sin(v); }),
                      all([](const auto& v) { return jig::exp(jig::cos(v)) + jig::log(v); }),
                      all([](const auto& v) { return jig::erfc(v) * jig::tanh(v); }),
                      all([](const auto& v) { return jig::sqrt(v) + jig::atan2(v, T(2) - v); }));
  });
  constexpr auto alone = jig::function<"alone(x)">([](const auto& v) {
    return std::tuple(jig::sin(v), jig::exp(jig::cos(v)) + jig::log(v), jig::erfc(v) * jig::tanh(v),
                      jig::sqrt(v) + jig::atan2(v, T(2) - v));
  });
  const std::vector<T> numbers = unusual<T>();
  for (std::size_t first = 0; first < numbers.size(); ++first) {
    jig::tensor<T, N> x;
    for (std::size_t i = 0; i < N; ++i) x.data()[i] = numbers[(first + i) % numbers.size()];
    const auto [a, b, c, d] = f(x);
    bool right = true;
    for (jig::index i = 0; i < N; ++i) {
      const auto [p, q, r, s] = alone(x(i));
      right = right && same(a(i), p()) && same(b(i), q()) && same(c(i), r()) && same(d(i), s());
    }
    CHECK(right);
  }
}

}  // namespace

TEST_CASE("functions of one kind that do not wait for each other share a register, as many as it has lanes") {
  constexpr entry body[] = {{{-1, -1}, nullptr}, {{0, -1}, sine},  {{0, -1}, sine}, {{1, 2}, nullptr}, {{3, -1}, sine},
                            {{0, -1}, sine},     {{0, -1}, power}, {{0, -1}, sine}, {{0, -1}, sine}};
  constexpr auto found = lanes_of(body);
  // Four of level one, or of the next one with what waits for them.
  int together = 0, alone = 0;
  for (int e = 1; e < 9; ++e) {
    if (found.count[e] > 1) together += found.count[e];
    if (found.count[e] == 1 && body[e].kind != nullptr) ++alone;
  }
  CHECK(together == 6);
  CHECK(alone == 1);
  // Nothing stands before its operands, or before the last operand of those that are computed with it.
  std::array<int, 9> place{};
  for (int i = 0; i < 9; ++i) place[static_cast<std::size_t>(found.order[i])] = i;
  for (int e = 0; e < 9; ++e)
    for (int m = e; found.count[e] > 0 && m >= 0; m = found.next[m])
      for (int from : body[m].operands)
        if (from >= 0) CHECK(place[static_cast<std::size_t>(from)] < place[static_cast<std::size_t>(e)]);
}

TEST_CASE("one function of a kind is computed alone, in its place") {
  constexpr entry body[] = {{{-1, -1}, nullptr}, {{0, -1}, sine}, {{1, -1}, power}, {{2, 0}, nullptr}};
  constexpr auto found = lanes_of(body);
  for (int e = 0; e < 4; ++e) {
    CHECK(found.count[e] == 1);
    CHECK(found.order[e] == e);
  }
}

TEST_CASE("a function joins a later one like it if nobody waits") {
  constexpr entry body[] = {{{-1, -1}, nullptr}, {{0, -1}, power}, {{0, -1}, sine}, {{2, -1}, power}, {{1, 3}, nullptr}};
  constexpr auto found = lanes_of(body);
  CHECK(found.count[1] + found.count[3] == 2);
  CHECK(found.count[1] * found.count[3] == 0);
  // Here somebody does.
  constexpr entry waiting[] = {{{-1, -1}, nullptr}, {{0, -1}, power}, {{1, -1}, sine}, {{2, -1}, power}, {{1, 3}, nullptr}};
  CHECK(lanes_of(waiting).count[1] == 1);
}

TEST_CASE("registers of different dtypes are apart") {
  constexpr entry body[] = {{{-1, -1}, nullptr}, {{0, -1}, sine, 4}, {{0, -1}, sine, 8}, {{1, -1}, nullptr}};
  CHECK(lanes_of(body).count[1] == 1);
  CHECK(lanes_of(body).count[2] == 1);
}

TEST_CASE("scalars have the bits that they have alone, in whatever lane") {
  check_functions<double, 2>();
  check_functions<double, 3>();
  check_functions<double, 8>();
  check_functions<double, 9>();
  check_functions<float, 2>();
  check_functions<float, 6>();
  check_functions<float, 17>();
}

TEST_CASE("the cosine of an angle and of its negative are one") {
  for (double x = 0; x < 3000; x += 0.37) {
    const auto y = static_cast<double>(jig::cos(x)), z = static_cast<double>(jig::cos(-x));
    CHECK(same(y, z));
    CHECK(y == doctest::Approx(std::cos(x)));
  }
}
