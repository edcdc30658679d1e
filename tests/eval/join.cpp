// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <string>
#include <vector>

using jig::dyn;

namespace {

template <class T>
T number(jig::index i) {
  if constexpr (std::is_same_v<T, std::string>) return std::to_string(i);
  else return static_cast<T>(i % 251);
}
template <class T, jig::index... E, class... N>
auto numbers(int seed, N... n) {
  auto x = jig::zeros<T, E...>(n...);
  jig::index i = seed;
  for (auto& e : x) e = number<T>(i += 7);
  return x;
}

// One behind the other, row by row: each part has `rows` rows.
template <class T>
std::vector<T> side_by_side(jig::index rows, const std::vector<std::vector<T>>& parts) {
  std::vector<T> out;
  for (jig::index r = 0; r < rows; ++r)
    for (const auto& part : parts) {
      const auto width = static_cast<jig::index>(part.size()) / (rows == 0 ? 1 : rows);
      for (jig::index i = 0; i < width; ++i) out.push_back(part[static_cast<std::size_t>(r * width + i)]);
    }
  return out;
}

// Numbers of rows on both sides of the lanes of every dtype and width of register.
constexpr jig::index some_rows[] = {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 129};

template <class T, jig::index A, jig::index B>
void concat_of_rows() {
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return jig::concat<1>(x, y); });
  for (jig::index rows : some_rows) {
    CAPTURE(rows);
    auto x = numbers<T, dyn, A>(1, rows);
    auto z = numbers<T, dyn, B>(2, rows);
    CHECK(elements(f(x, z)) == side_by_side<T>(rows, {elements(x), elements(z)}));
  }
}
template <class T>
void stack_of_rows() {
  static constexpr auto two = jig::function<"f(x, y)">([](auto x, auto y) { return jig::stack<1>(x, y); });
  static constexpr auto three = jig::function<"f(x, y, z)">([](auto x, auto y, auto z) { return jig::stack<-1>(x, y, z); });
  for (jig::index rows : some_rows) {
    CAPTURE(rows);
    auto x = numbers<T, dyn>(1, rows), y = numbers<T, dyn>(2, rows), z = numbers<T, dyn>(3, rows);
    CHECK(elements(two(x, y)) == side_by_side<T>(rows, {elements(x), elements(y)}));
    CHECK(elements(three(x, y, z)) == side_by_side<T>(rows, {elements(x), elements(y), elements(z)}));
  }
}

}  // namespace

TEST_CASE("rows of a few elements are shuffled in registers") {
  concat_of_rows<float, 3, 2>();
  concat_of_rows<double, 1, 3>();
  concat_of_rows<std::uint8_t, 3, 1>();
  concat_of_rows<std::int16_t, 2, 2>();
  concat_of_rows<std::uint8_t, 7, 1>();  // the widest
  stack_of_rows<float>();
  stack_of_rows<std::uint8_t>();
  stack_of_rows<double>();
  stack_of_rows<jig::half>();
  stack_of_rows<bool>();
}

TEST_CASE("wider rows are copied part by part") {
  concat_of_rows<float, 7, 2>();
  concat_of_rows<std::uint8_t, 1, 70>();
  concat_of_rows<double, 0, 4>();
  concat_of_rows<std::string, 2, 1>();
}

TEST_CASE("extents that only a call tells") {
  static constexpr auto joined = jig::function<"f(x, y)">([](auto x, auto y) { return jig::concat<1>(x, y); });
  static constexpr auto stacked = jig::function<"f(x, y)">([](auto x, auto y) { return jig::stack<1>(x, y); });
  for (jig::index rows : {0, 1, 5})
    for (jig::index width : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 100}) {
      CAPTURE(rows);
      CAPTURE(width);
      auto x = numbers<float, dyn, dyn>(1, rows, width), y = numbers<float, dyn, dyn>(2, rows, width),
           z = numbers<float, dyn, dyn>(3, rows, 3);
      CHECK(elements(joined(x, z)) == side_by_side<float>(rows, {elements(x), elements(z)}));
      CHECK(elements(stacked(x, y)) == side_by_side<float>(rows, {elements(x), elements(y)}));
    }
}

TEST_CASE("a few elements at constant places become stores") {
  // Up to 64 of them, and more.
  const auto check = []<jig::index N>(std::integral_constant<jig::index, N>) {
    auto x = numbers<float, N, 4>(1), y = numbers<float, N, 4>(2);
    auto [a, b, c] = jig::function<"f(x, y)">([](auto v, auto w) {
      return std::tuple(jig::concat<0>(v, w), jig::stack<2>(v, w),
                        jig::concat<1>(jig::reverse<1>(v), jig::strided_slice<jig::all, jig::range_of(1, 3)>(w)));
    })(x, y);
    CHECK(elements(a) == side_by_side<float>(1, {elements(x), elements(y)}));
    CHECK(elements(b) == side_by_side<float>(N * 4, {elements(x), elements(y)}));
    for (jig::index i = 0; i < N; ++i)
      for (jig::index k = 0; k < 6; ++k) CHECK(c(i, k) == (k < 4 ? x(i, 3 - k) : y(i, k - 3)));
  };
  check(std::integral_constant<jig::index, 8>());
  check(std::integral_constant<jig::index, 9>());

  auto m = numbers<double, 3, 3>(5);
  auto t = jig::function<"f(x)">([](auto v) { return jig::stack<1>(jig::transpose(v), v); })(m);
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index k = 0; k < 3; ++k) {
      CHECK(t(i, 0, k) == m(k, i));
      CHECK(t(i, 1, k) == m(i, k));
    }
  // Elements of an argument, a number, a result; and on top of the argument.
  static constexpr auto skew = jig::function<"f(x)">([](auto v) {
    auto zero = v[0] - v[0];
    return jig::stack(jig::stack(zero, -v[2], v[1]), jig::stack(v[2], zero, -v[0]), jig::stack(-v[1], v[0], zero));
  });
  CHECK(elements(skew(jig::tensor<float, 3>{1, 2, 3})) == std::vector<float>{0, -3, 2, 3, 0, -1, -2, 1, 0});
  jig::tensor<float, 3> turned{1, 2, 3};
  static constexpr auto turn = jig::function<"f(x)">([](auto v) { return jig::stack(v[2], v[0], v[1]); });
  turn.into(turned, turned);
  CHECK(elements(turned) == std::vector<float>{3, 1, 2});
  auto words = jig::function<"f(x)">([](auto v) { return jig::stack(v[1], v[0], v[1]); })(jig::tensor<std::string, 2>{"a", "b"});
  CHECK(elements(words) == std::vector<std::string>{"b", "a", "b"});
}

TEST_CASE("an argument that lies anywhere") {
  auto memory = numbers<float, 20, 6>(1);
  jig::view<const float, dyn, dyn> columns(memory.data(), {10, 3}, {12, 2});
  auto y = jig::function<"f(x)">([](auto v) { return jig::concat<1>(v, jig::reverse<0>(v)); })(columns);
  for (jig::index i = 0; i < 10; ++i)
    for (jig::index k = 0; k < 3; ++k) {
      CHECK(y(i, k) == memory(2 * i, 2 * k));
      CHECK(y(i, 3 + k) == memory(18 - 2 * i, 2 * k));
    }
}
