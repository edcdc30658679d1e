// SPDX-License-Identifier: MIT
#include <jig/passes/interleaved_planes.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace {

using jig::dyn;

// How many nodes of this kind there are in the graph that a plan is made of.
template <class... Key>
int count(auto lambda, const char* kind, Key... key) {
  return static_cast<int>(jig::lower(jig::optimize(jig::graph_of(lambda, key...))).view().count(kind));
}
template <class T, jig::index... E>
jig::tensor<T, E...> numbers(jig::index n) {
  jig::tensor<T, E...> x(n);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>((i * 7) % 23);
  return x;
}

constexpr auto turned = jig::function<"turned(x)">([](const auto& x) { return jig::transpose(x); });
constexpr auto computed = jig::function<"computed(x)">([](const auto& x) { return jig::transpose(x + 1) * 2; });
// Beside rows of so many places, one of them for all, and a column.
constexpr auto beside = jig::function<"beside(x, y, row, column)">(
    [](const auto& x, const auto& y, const auto& row, const auto& column) { return jig::transpose(x) * row + y - column; });

template <class T, jig::index K>
int wrong_in_planes(jig::index n) {
  const auto x = numbers<T, K, dyn>(n);
  const auto y = numbers<T, dyn, K>(n);
  const auto column = numbers<T, dyn, 1>(n);
  jig::tensor<T, K> row;
  for (jig::index k = 0; k < K; ++k) row(k) = static_cast<T>(k + 1);
  const auto a = turned(x), b = computed(x), c = beside(x, y, row, column);
  int wrong = 0;
  for (jig::index i = 0; i < n; ++i)
    for (jig::index k = 0; k < K; ++k) {
      wrong += a(i, k) != x(k, i) || b(i, k) != static_cast<T>((x(k, i) + 1) * 2);
      wrong += c(i, k) != static_cast<T>(x(k, i) * row(k) + y(i, k) - column(i, 0));
    }
  return wrong;
}

}  // namespace

TEST_CASE("planes of unknown length are put side by side where they are results") {
  constexpr auto turn = [](const auto& x) { return jig::transpose(x); };
  constexpr auto twice = [](const auto& x) { return jig::transpose(x) * 2; };
  CHECK(count(turn, "Pack", jig::spec<float, 3, dyn>()) == 1);
  CHECK(count(twice, "Pack", jig::spec<float, 2, dyn>()) == 1);
  CHECK(count(twice, "Pack", jig::spec<float, 8, dyn>()) == 1);
  CHECK(count([](const auto& x) { return jig::transpose<1, 2, 0>(x); }, "Pack", jig::spec<float, 3, dyn, 16>()) == 1);
  constexpr auto sum = [](const auto& x, const auto& y) { return jig::transpose(x) + y; };
  CHECK(count(sum, "Pack", jig::spec<float, 4, dyn>(), jig::spec<float, dyn, 4>()) == 1);
  CHECK(count(sum, "Pack", jig::spec<float, 5, dyn>(), jig::spec<float, dyn, 5>()) == 0);
  CHECK(count(sum, "Pack", jig::spec<float, 5, dyn>(), jig::spec<float, 5>()) == 1);
  // Of lengths that are known a loop does that, more planes are squares of registers, and one is itself.
  CHECK(count(turn, "Pack", jig::spec<float, 3, 100>()) == 0);
  CHECK(count(turn, "Pack", jig::spec<float, 9, dyn>()) == 0);
  CHECK(count(turn, "Pack", jig::spec<float, 1, dyn>()) == 0);
  CHECK(count(turn, "Pack", jig::spec<bool, 3, dyn>()) == 0);
  CHECK(count([](const auto& x) { return jig::transpose<2, 0, 1>(x); }, "Pack", jig::spec<float, 3, dyn, 16>()) == 0);
  // What is read by other loops and by products is not.
  CHECK(count([](const auto& x) { return jig::reduce_sum<1>(jig::transpose(x) * 2); }, "Pack", jig::spec<float, 3, dyn>()) == 0);
  CHECK(count([](const auto& x, const auto& y) { return jig::matmul(jig::transpose(x), y); }, "Pack", jig::spec<float, 3, dyn>(),
              jig::spec<float, 3, 4>()) == 0);
}

TEST_CASE("tensors that are given are put side by side by a loop") {
  constexpr auto pack = [](const auto& x, const auto& y) { return jig::stack<1>(x, y); };
  CHECK(count(pack, "Mul", jig::spec<float, dyn>(), jig::spec<float, dyn>()) == 1);
  CHECK(count(pack, "Mul", jig::spec<float, 32>(), jig::spec<float, 32>()) == 1);
  CHECK(count(pack, "Mul", jig::spec<float, 31>(), jig::spec<float, 31>()) == 0);
  CHECK(count(pack, "Mul", jig::spec<bool, dyn>(), jig::spec<bool, dyn>()) == 0);
  CHECK(count(pack, "Mul", jig::spec<jig::half, dyn>(), jig::spec<jig::half, dyn>()) == 0);
  CHECK(count([](const auto& x, const auto& y) { return jig::stack<1>(-x, y); }, "Mul", jig::spec<float, dyn>(), jig::spec<float, dyn>()) ==
        0);
  CHECK(count([](const auto& x, const auto& y) { return jig::stack<0>(x, y); }, "Mul", jig::spec<float, dyn>(), jig::spec<float, dyn>()) ==
        0);
}

TEST_CASE("planes have the values of plain loops") {
  int wrong = 0;
  for (const jig::index n : {0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 64, 65, 200}) {
    wrong += wrong_in_planes<float, 2>(n) + wrong_in_planes<float, 3>(n) + wrong_in_planes<float, 5>(n) + wrong_in_planes<float, 8>(n);
    wrong += wrong_in_planes<double, 3>(n) + wrong_in_planes<double, 8>(n);
    wrong += wrong_in_planes<std::int16_t, 2>(n) + wrong_in_planes<std::int16_t, 5>(n);
    wrong += wrong_in_planes<std::uint8_t, 3>(n) + wrong_in_planes<std::uint8_t, 8>(n);
  }
  CHECK(wrong == 0);
}

TEST_CASE("planes beside rows of which only the call knows whether one place stands for all") {
  constexpr auto times = [](const auto& x, const auto& y) { return jig::transpose(x) * y; };
  CHECK(count(times, "Pack", jig::spec<float, 3, dyn>(), jig::spec<float, dyn, dyn>()) == 0);
  CHECK(count(times, "Pack", jig::spec<float, 3, dyn>(), jig::spec<float, dyn>()) == 0);
  CHECK(count(times, "Pack", jig::spec<float, 3, dyn>(), jig::spec<float, dyn, 1>()) == 1);
  constexpr auto f = jig::function<"f(x, y)">(times);
  for (const jig::index n : {1, 2, 5, 17, 40})
    for (const jig::index rows : {jig::index{1}, n})
      for (const jig::index columns : {1, 3}) {
        const auto x = numbers<float, 3, dyn>(n);
        jig::tensor<float, dyn, dyn> y(rows, columns);
        for (jig::index i = 0; i < y.size(); ++i) y.data()[i] = static_cast<float>(i + 2);
        const auto z = f(x, y);
        int wrong = 0;
        for (jig::index i = 0; i < n; ++i)
          for (jig::index k = 0; k < 3; ++k) wrong += z(i, k) != x(k, i) * y(rows == 1 ? 0 : i, columns == 1 ? 0 : k);
        CHECK(wrong == 0);
      }
}

TEST_CASE("images from planes, and of another dtype") {
  constexpr auto f =
      jig::function<"f(x)">([](const auto& x) { return jig::cast<std::uint8_t>(jig::clip(jig::transpose<1, 2, 0>(x) * 255, 0, 255)); });
  for (const jig::index rows : {0, 1, 3, 20}) {
    jig::tensor<float, 3, dyn, 7> x(rows);
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 41) / 32 - 0.1f;
    if (rows > 0) x(1, 0, 2) = std::numeric_limits<float>::infinity();
    const auto y = f(x);
    int wrong = 0;
    for (jig::index r = 0; r < rows; ++r)
      for (jig::index c = 0; c < 7; ++c)
        for (jig::index k = 0; k < 3; ++k)
          wrong += y(r, c, k) != static_cast<std::uint8_t>(std::fmin(std::fmax(x(k, r, c) * 255, 0.0f), 255.0f));
    CHECK(wrong == 0);
  }
}

TEST_CASE("values keep their signs and what is no number, results may lie over arguments") {
  constexpr auto pack = jig::function<"pack(x, y, z)">([](const auto& x, const auto& y, const auto& z) { return jig::stack<1>(x, y, z); });
  for (const jig::index n : {1, 4, 16, 37}) {
    auto x = numbers<float, dyn>(n), y = numbers<float, dyn>(n), z = numbers<float, dyn>(n);
    x(0) = -0.0f;
    y(0) = std::numeric_limits<float>::quiet_NaN();
    z(0) = -std::numeric_limits<float>::infinity();
    const auto all = pack(x, y, z);
    CHECK((std::signbit(all(0, 0)) && std::isnan(all(0, 1)) && all(0, 2) == z(0)));
    int wrong = 0;
    for (jig::index i = 1; i < n; ++i) wrong += all(i, 0) != x(i) || all(i, 1) != y(i) || all(i, 2) != z(i);
    CHECK(wrong == 0);
    // The same memory as planes and as rows.
    auto memory = numbers<float, dyn>(3 * n);
    const auto before = memory;
    jig::view<const float, 3, dyn> planes(memory.data(), {3, n}, {n, 1});
    jig::view<float, dyn, 3> rows(memory.data(), {n, 3}, {3, 1});
    turned.into(rows, planes);
    for (jig::index i = 0; i < n; ++i)
      for (jig::index k = 0; k < 3; ++k) wrong += memory(3 * i + k) != before(k * n + i);
    CHECK(wrong == 0);
  }
}

TEST_CASE("columns become planes in a loop, and so do rows that are turned") {
  constexpr auto rows = [](const auto& x) { return jig::transpose(x); };
  constexpr auto columns = [](const auto& x) { return jig::stack<0>(x(jig::all, 2), x(jig::all, 0)); };
  using three = jig::spec<float, dyn, 3>;
  CHECK(count(rows, "Transpose", three()) == 0);
  CHECK(count(rows, "Pack", three()) == 1);
  CHECK(count(columns, "Mul", three()) == 2);
  CHECK(count([](const auto& x) { return jig::transpose<2, 0, 1>(x); }, "Pack", jig::spec<float, dyn, dyn, 3>()) == 1);
  // Few elements; few and many places; more lanes than compilers like to follow.
  CHECK(count(rows, "Pack", jig::spec<float, 86, 3>()) == 1);
  CHECK(count(rows, "Pack", jig::spec<float, 85, 3>()) == 0);
  CHECK(count(columns, "Mul", jig::spec<float, 32, 3>()) == 2);
  CHECK(count(columns, "Mul", jig::spec<float, 31, 3>()) == 0);
  CHECK(count(rows, "Pack", jig::spec<float, dyn, 8>()) == 1);
  CHECK(count(rows, "Pack", jig::spec<float, dyn, 9>()) == 0);
  CHECK(count(rows, "Pack", jig::spec<std::uint8_t, dyn, 4>()) == 1);
  CHECK(count(rows, "Pack", jig::spec<std::uint8_t, dyn, 5>()) == 0);
  // Another order; no rows; no result, and no numbers.
  CHECK(count([](const auto& x) { return jig::transpose<2, 1, 0>(x); }, "Pack", jig::spec<float, dyn, dyn, 3>()) == 0);
  CHECK(count(rows, "Pack", jig::spec<float, dyn, dyn>()) == 0);
  CHECK(count([](const auto& x) { return jig::reduce_sum<1>(jig::transpose(x)); }, "Pack", three()) == 0);
  CHECK(count(rows, "Pack", jig::spec<jig::half, dyn, 3>()) == 0);
  CHECK(count([](const auto& x) { return jig::stack<0>(x(jig::all, 2), x(jig::all, 0) + 1); }, "Mul", three()) == 0);
  CHECK(count([](const auto& x) { return jig::stack<1>(x(jig::all, 2), x(jig::all, 0)); }, "Mul", three()) == 1);
}

namespace {

template <class T, jig::index K>
void check_planes() {
  constexpr auto packed = jig::function<"packed(x)">([](const auto& x) { return jig::stack<0>(x(jig::all, K - 1), x(jig::all, 0)); });
  for (const jig::index n : {0, 1, 2, 7, 8, 15, 16, 17, 63, 64, 65, 200}) {
    auto x = numbers<T, dyn, K>(n);
    if (n > 0 && std::is_floating_point_v<T>) x(0, 0) = -T(0);
    const auto planes = turned(x);
    const auto two = packed(x);
    int wrong = planes.size() != x.size() || two.size() != 2 * n;
    for (jig::index i = 0; i < n; ++i) {
      for (jig::index k = 0; k < K; ++k) wrong += planes(k, i) != x(i, k);
      wrong += two(0, i) != x(i, K - 1) || two(1, i) != x(i, 0);
    }
    if (n > 0 && std::is_floating_point_v<T>) wrong += !std::signbit(static_cast<double>(planes(0, 0)));
    // The same memory as rows and as planes.
    auto memory = x;
    jig::view<const T, dyn, K> from(memory.data(), {n, K}, {K, 1});
    jig::view<T, K, dyn> to(memory.data(), {K, n}, {n, 1});
    turned.into(to, from);
    for (jig::index i = 0; i < n; ++i)
      for (jig::index k = 0; k < K; ++k) wrong += memory.data()[k * n + i] != x(i, k);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("planes have the values of rows") {
  check_planes<float, 2>();
  check_planes<float, 3>();
  check_planes<float, 4>();
  check_planes<float, 8>();
  check_planes<double, 3>();
  check_planes<double, 4>();
  check_planes<std::uint8_t, 2>();
  check_planes<std::uint8_t, 3>();
  check_planes<std::int16_t, 4>();
  check_planes<std::int16_t, 8>();
  check_planes<int, 2>();
  check_planes<int, 8>();
}
