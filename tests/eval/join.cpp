// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <cmath>
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

namespace {

// Twice x, x and three times y side by side along an axis, or behind a new one, beside the same of whole tensors.
template <class T, class F>
void computed_parts(F f, const T& x, const T& y, int axis, bool piled) {
  const auto given = jig::function<"f(x, y)">(f)(x, y);
  jig::index outer = 1, inner = 1;
  for (int a = 0; a < T::rank(); ++a) (a < axis ? outer : inner) *= x.extent(a);
  CAPTURE(outer);
  CAPTURE(inner);
  CAPTURE(piled);
  REQUIRE(given.size() == 3 * x.size());
  CHECK(given.extent(axis) == (piled ? 3 : 3 * x.extent(axis)));
  bool same = true;
  for (jig::index o = 0; o < outer; ++o)
    for (jig::index k = 0; k < 3; ++k)
      for (jig::index i = 0; i < inner; ++i) {
        const auto a = x.data()[o * inner + i], b = y.data()[o * inner + i];
        const auto expected = static_cast<typename T::value_type>(k == 0 ? 2 * a : k == 1 ? a : 3 * b);
        same = same && given.data()[(o * 3 + k) * inner + i] == expected;
      }
  CHECK(same);
}
template <class Spec>
std::string text_of_plan(auto f) {
  const auto lowered = jig::lower(jig::graph_of(f, Spec(), Spec()));
  return jig::to_text(jig::view_of(lowered, jig::make_plan(lowered, jig::detail::all_dense(lowered))));
}
// How many parts are computed in their place.
template <class Spec>
int computed_in_place(auto f) {
  const std::string text = text_of_plan<Spec>(f);
  int n = 0;  // where it is stored and where it is read
  for (auto at = text.find("run of "); at != std::string::npos; at = text.find("run of ", at + 1)) ++n;
  return n / 2;
}
template <int Axis>
constexpr auto joined = [](auto x, auto y) { return jig::concat<Axis>(2 * x, x, 3 * y); };
template <int Axis>
constexpr auto piled = [](auto x, auto y) { return jig::stack<Axis>(2 * x, x, 3 * y); };

}  // namespace

TEST_CASE("what is computed to be joined along the first axis is computed in its place") {
  for (jig::index n : {0, 1, 31, 32, 33, 100}) {
    CAPTURE(n);
    computed_parts(joined<0>, numbers<float, dyn, 2>(1, n), numbers<float, dyn, 2>(5, n), 0, false);
    computed_parts(piled<0>, numbers<double, dyn>(1, n), numbers<double, dyn>(5, n), 0, true);
  }
  CHECK(computed_in_place<jig::spec<float, 31, 2>>(joined<0>) == 0);
  CHECK(computed_in_place<jig::spec<float, 32, 2>>(joined<0>) == 2);
  CHECK(computed_in_place<jig::spec<float, dyn, 2>>(piled<0>) == 2);
  computed_parts(joined<0>, numbers<float, 31, 2>(1), numbers<float, 31, 2>(5), 0, false);
  computed_parts(joined<0>, numbers<float, 32, 2>(1), numbers<float, 32, 2>(5), 0, false);
  computed_parts(piled<0>, numbers<int, 16, 4>(1), numbers<int, 16, 4>(5), 0, true);
}
TEST_CASE("where all of it is, there is nothing left to join") {
  const auto is_left_out = [](const std::string& text) { return text.find("which is there") != std::string::npos; };
  constexpr auto both = [](auto x, auto y) { return jig::concat<0>(2 * x, 3 * y); };
  CHECK(is_left_out(text_of_plan<jig::spec<float, 32, 2>>(both)));
  CHECK(!is_left_out(text_of_plan<jig::spec<float, 31, 2>>(both)));
  CHECK(!is_left_out(text_of_plan<jig::spec<float, 32, 2>>(joined<0>)));
  CHECK(is_left_out(text_of_plan<jig::spec<float, 5, 63>>(joined<1>)));
  const auto x = numbers<float, 32, 2>(1), y = numbers<float, 32, 2>(5);
  const auto z = jig::function(both)(x, y);
  int wrong = 0;
  for (jig::index i = 0; i < 32; ++i)
    for (jig::index k = 0; k < 2; ++k) {
      wrong += z(i, k) != 2 * x(i, k);
      wrong += z(32 + i, k) != 3 * y(i, k);
    }
  CHECK(wrong == 0);
}
TEST_CASE("along other axes rows are") {
  // Rows of results that fill no register are put together there, as are short ones of bytes.
  CHECK(computed_in_place<jig::spec<float, 50, 2>>(joined<1>) == 0);
  CHECK(computed_in_place<jig::spec<float, 50, 3>>(joined<1>) == 3);
  CHECK(computed_in_place<jig::spec<float, 50, 2>>(piled<2>) == 0);
  CHECK(computed_in_place<jig::spec<float, 5, 63>>(joined<1>) == 3);
  CHECK(computed_in_place<jig::spec<std::int8_t, 5, 63>>(joined<1>) == 0);
  CHECK(computed_in_place<jig::spec<std::int8_t, 5, 64>>(joined<1>) == 3);
  CHECK(computed_in_place<jig::spec<float, dyn, 64>>(joined<1>) == 3);
  CHECK(computed_in_place<jig::spec<float, 64, dyn>>(joined<1>) == 3);
  CHECK(computed_in_place<jig::spec<float, dyn, dyn>>(piled<1>) == 3);
  CHECK(computed_in_place<jig::spec<float, dyn, dyn>>(piled<2>) == 0);
  CHECK(computed_in_place<jig::spec<std::int8_t, 64, dyn>>(joined<1>) == 0);
  CHECK(computed_in_place<jig::spec<float, 16, 16>>([](auto x, auto y) { return jig::concat<1>(2 * jig::transpose(x), y + 1); }) == 0);
  // What is given is copied by loops that compute others, where it lies in rows.
  CHECK(computed_in_place<jig::spec<float, 16, 16>>([](auto x, auto y) { return jig::concat<1>(x, y); }) == 0);
  CHECK(computed_in_place<jig::spec<float, 16, 16>>([](auto x, auto y) { return jig::concat<1>(x, jig::transpose(y), 2 * y); }) == 2);
  CHECK(computed_in_place<jig::spec<float, 16, 16>>([](auto x, auto y) { return jig::concat<1>(jig::cumsum<1>(x), x + y, x); }) == 3);
  CHECK(computed_in_place<jig::spec<float, 16, 16>>([](auto x, auto y) {
          return jig::concat<1>(jig::strided_slice<jig::all, jig::range_of(0, 16, 2)>(x),
                                jig::strided_slice<jig::all, jig::range_of(3, 9)>(y), -y);
        }) == 2);
  CHECK(computed_in_place<jig::spec<float, 16, 16>>([](auto x, auto y) {
          auto left = jig::strided_slice<jig::all, jig::range_of(0, 8)>(x);
          return jig::concat<1>(2 * left, 3 * jig::reverse<1>(y));
        }) == 1);
  // Registers that rows fill in part compute something for nothing: that has to be cheap.
  constexpr auto functions = [](auto x, auto y) { return jig::concat<1>(jig::sin(x) * jig::tanh(y), jig::exp(y) / x); };
  CHECK(computed_in_place<jig::spec<float, 50, 17>>(functions) == 0);
  CHECK(computed_in_place<jig::spec<float, 50, 32>>(functions) == 2);
  CHECK(computed_in_place<jig::spec<float, 50, dyn>>([](auto x, auto y) { return jig::concat<1>(jig::sin(x) + y, y - 1); }) == 1);
  CHECK(computed_in_place<jig::spec<float, 50, 5>>([](auto x, auto y) { return jig::stack<1>(x / y, y / x, x / (y + 1)); }) == 0);
  CHECK(computed_in_place<jig::spec<float, 50, 5>>([](auto x, auto y) { return jig::stack<1>(x * y, y - x, x * (y + 1)); }) == 3);
  const auto rows = []<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    (computed_parts(joined<1>, numbers<float, 13, N>(1), numbers<float, 13, N>(5), 1, false), ...);
  };
  const auto piles = []<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    (computed_parts(piled<1>, numbers<double, dyn, N>(1, 11), numbers<double, dyn, N>(5, 11), 1, true), ...);
  };
  rows(std::integer_sequence<jig::index, 1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 300>());
  piles(std::integer_sequence<jig::index, 1, 3, 4, 7, 8, 9, 31, 65>());
  for (jig::index n : {0, 1, 2}) computed_parts(joined<1>, numbers<float, dyn, 80>(1, n), numbers<float, dyn, 80>(5, n), 1, false);
  computed_parts(joined<-1>, numbers<double, 3, 2, 70>(1), numbers<double, 3, 2, 70>(5), 2, false);
  computed_parts(joined<-1>, numbers<double, 3, 2, 5>(1), numbers<double, 3, 2, 5>(5), 2, false);
  computed_parts(joined<1>, numbers<int, 3, 2, 70>(1), numbers<int, 3, 2, 70>(5), 1, false);
  computed_parts(joined<1>, numbers<int, 7, 2, 5>(1), numbers<int, 7, 2, 5>(5), 1, false);
  computed_parts(piled<1>, numbers<float, 5, 65>(1), numbers<float, 5, 65>(5), 1, true);
  computed_parts(piled<2>, numbers<float, 2, 3, 129>(1), numbers<float, 2, 3, 129>(5), 2, true);
  computed_parts(piled<1>, numbers<std::int8_t, 5, 65>(1), numbers<std::int8_t, 5, 65>(5), 1, true);
  computed_parts(piled<1>, numbers<float, 3, 1, 7, 4>(1), numbers<float, 3, 1, 7, 4>(5), 1, true);
}
TEST_CASE("rows whose length only the call tells") {
  for (jig::index n : {0, 1, 2, 5, 40})
    for (jig::index m : {0, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100}) {
      CAPTURE(n);
      CAPTURE(m);
      computed_parts(joined<1>, numbers<float, dyn, dyn>(1, n, m), numbers<float, dyn, dyn>(5, n, m), 1, false);
      computed_parts(piled<1>, numbers<int, dyn, dyn>(1, n, m), numbers<int, dyn, dyn>(5, n, m), 1, true);
      computed_parts(joined<-1>, numbers<double, 3, dyn, dyn>(1, n, m), numbers<double, 3, dyn, dyn>(5, n, m), 2, false);
      computed_parts(joined<1>, numbers<float, dyn, dyn, 3>(1, n, m), numbers<float, dyn, dyn, 3>(5, n, m), 1, false);
    }
  // Operands that a call may broadcast or that lie apart, and what is given.
  static constexpr auto f = jig::function<"f(x, row, column)">([](auto x, auto row, auto column) {
    return jig::concat<1>(x * row, x, jig::expand_dims<1>(column) - x,
                          2 * jig::strided_slice<jig::all, jig::range_of(1, jig::unbounded)>(x));
  });
  int wrong = 0;
  for (jig::index n : {1, 3, 40})
    for (jig::index m : {1, 2, 16, 35}) {
      const auto x = numbers<float, dyn, dyn>(1, n, m), wide = numbers<float, dyn, dyn>(2, n, 2 * m);
      const auto turned = numbers<float, dyn, dyn>(3, m, n);
      const auto column = numbers<float, dyn>(4, n);
      const auto check = [&](const auto& given, jig::index width) {
        const auto row = numbers<float, dyn>(5, width);
        const auto y = f(given, row, column);
        REQUIRE(y.extent(1) == 4 * m - 1);
        for (jig::index i = 0; i < n; ++i)
          for (jig::index k = 0; k < m; ++k) {
            wrong += y(i, k) != given(i, k) * row(width == 1 ? 0 : k) || y(i, m + k) != given(i, k);
            wrong += y(i, 2 * m + k) != column(i) - given(i, k) || (k > 0 && y(i, 3 * m + k - 1) != 2 * given(i, k));
          }
      };
      for (jig::index width : {m, jig::index{1}}) {
        check(x, width);
        check(jig::view<const float, dyn, dyn>(wide.data(), {n, m}, {2 * m, 1}), width);
        check(jig::view<const float, dyn, dyn>(turned.data(), {n, m}, {1, n}), width);
      }
    }
  CHECK(wrong == 0);
}
TEST_CASE("rows of slices, of broadcast operands, of several results, and on top of an argument") {
  const auto check = []<jig::index W>(std::integral_constant<jig::index, W>) {
    CAPTURE(W);
    const auto f = jig::function<"f(x, a, b)">([](auto x, auto a, auto b) {
      const auto left = jig::strided_slice<jig::all, jig::range_of(0, W)>(x),
                 right = jig::strided_slice<jig::all, jig::range_of(W, 2 * W)>(x);
      return jig::concat<1>(left * a - right * b, left + jig::reduce_max<1>(x, jig::keepdims), right * right, jig::exp(left) + b);
    });
    auto x = numbers<float, 6, 2 * W>(1);
    for (float& e : x) e /= 100;
    const auto a = numbers<float, W>(2), b = numbers<float, W>(3);
    const auto y = f(x, a, b);
    bool same = true;
    for (jig::index i = 0; i < 6; ++i) {
      float most = x(i, 0);
      for (jig::index k = 0; k < 2 * W; ++k) most = std::max(most, x(i, k));
      for (jig::index k = 0; k < W; ++k) {
        const float l = x(i, k), r = x(i, W + k), first = l * a(k) - r * b(k), last = std::exp(l) + b(k);
        same = same && std::fabs(y(i, k) - first) <= 1e-4f && y(i, W + k) == l + most && y(i, 2 * W + k) == r * r;
        same = same && std::fabs(y(i, 3 * W + k) - last) <= 1e-6f * last;
      }
    }
    CHECK(same);
  };
  check(std::integral_constant<jig::index, 3>());
  check(std::integral_constant<jig::index, 8>());
  check(std::integral_constant<jig::index, 17>());
  check(std::integral_constant<jig::index, 40>());

  static constexpr auto exchange = jig::function<"exchange(x)">([](auto x) {
    return jig::concat<1>(2 * jig::strided_slice<jig::all, jig::range_of(8, 16)>(x),
                          3 * jig::strided_slice<jig::all, jig::range_of(0, 8)>(x));
  });
  auto t = numbers<float, 12, 16>(1);
  const auto before = t;
  exchange.into(t, t);
  bool same = true;
  for (jig::index i = 0; i < 12; ++i)
    for (jig::index k = 0; k < 8; ++k) same = same && t(i, k) == 2 * before(i, 8 + k) && t(i, 8 + k) == 3 * before(i, k);
  CHECK(same);
  // A padding is read in the memory of what is padded, row by row in another way.
  static constexpr auto padded =
      jig::function<"padded(x, y)">([](auto x, auto y) { return jig::concat<1>(jig::pad<1, 0, 0, 0>(x) + y, y * 2); });
  const auto p = numbers<float, 9, 16>(1);
  const auto q = numbers<float, 10, 16>(2);
  const auto beside = padded(p, q);
  for (jig::index i = 0; i < 10; ++i)
    for (jig::index k = 0; k < 16; ++k)
      same = same && beside(i, k) == (i > 0 ? p(i - 1, k) : 0) + q(i, k) && beside(i, 16 + k) == 2 * q(i, k);
  CHECK(same);
  // Memory that nobody needs any more is not written while it is read.
  static constexpr auto twice = jig::function<"twice(x)">([](auto x) {
    const auto y = jig::cumsum<1>(x), z = jig::cumsum<1>(y + 1);
    const auto both = jig::concat<1>(y + z, y - z);
    return jig::cumsum<1>(jig::concat<1>(2 * both, both + 1)) + 1;
  });
  const auto given = twice(before);
  for (jig::index i = 0; i < 12; ++i) {
    double y[16], z[16], both[32], sum = 0;
    for (int k = 0; k < 16; ++k) y[k] = sum += before(i, k);
    sum = 0;
    for (int k = 0; k < 16; ++k) z[k] = sum += y[k] + 1;
    for (int k = 0; k < 16; ++k) both[k] = y[k] + z[k], both[16 + k] = y[k] - z[k];
    sum = 0;
    for (int k = 0; k < 64; ++k) {
      sum += k < 32 ? 2 * both[k] : both[k - 32] + 1;
      same = same && std::fabs(given(i, k) - (sum + 1)) <= 1e-4 * (1 + std::fabs(sum));
    }
  }
  CHECK(same);
}
TEST_CASE("parts that somebody else reads, that are broadcast, and results on top of an argument") {
  static constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    const auto z = x * y;
    const auto both = jig::concat<0>(z, x + 1, x - y);
    return std::tuple(both, z, jig::reduce_sum<0>(both),
                      jig::concat<1>(x + y, jig::expand_dims<0>(jig::reduce_sum<0>(x)) + jig::zeros_like(x)));
  });
  auto x = numbers<float, 3, 100>(1), y = numbers<float, 3, 100>(9);
  const auto [both, z, sum, beside] = f(x, y);
  bool same = true;
  for (jig::index j = 0; j < 100; ++j) {
    float total = 0, column = 0;
    for (jig::index i = 0; i < 3; ++i) column += x(i, j);
    for (jig::index i = 0; i < 3; ++i) {
      const float a = x(i, j), b = y(i, j);
      same = same && both(i, j) == a * b && both(3 + i, j) == a + 1 && both(6 + i, j) == a - b && z(i, j) == a * b;
      same = same && beside(i, j) == a + b && beside(i, 100 + j) == column;
      total += a * b + a + 1 + (a - b);
    }
    same = same && sum(j) == total;
  }
  CHECK(same);

  static constexpr auto g = jig::function<"g(x)">([](auto s) {
    return jig::concat<0>(2 * jig::strided_slice<jig::range_of(100, 200)>(s), 3 * jig::strided_slice<jig::range_of(0, 100)>(s));
  });
  auto t = numbers<float, 200>(4);
  const auto before = t;
  g.into(t, t);
  for (jig::index i = 0; i < 100; ++i) same = same && t(i) == 2 * before(100 + i) && t(100 + i) == 3 * before(i);
  CHECK(same);
  // What a loop carries is another value in the next trip.
  static constexpr auto h = jig::function<"h(x)">([](auto s) {
    for (auto i : jig::range(3)) {
      (void)i;
      s = jig::concat<0>(jig::strided_slice<jig::range_of(100, 200)>(s) + 1, 2 * jig::strided_slice<jig::range_of(0, 100)>(s));
    }
    return s;
  });
  auto expected = elements(before);
  for (int k = 0; k < 3; ++k) {
    const auto last = expected;
    for (std::size_t i = 0; i < 100; ++i) expected[i] = last[100 + i] + 1, expected[100 + i] = 2 * last[i];
  }
  CHECK(elements(h(before)) == expected);
}

namespace {

// Two parts of the rows of a tensor side by side, whose rows lie as far apart as those of the tensor.
template <class T, jig::index Rows, jig::index W, class... N>
void join_slices(jig::index rows, N... n) {
  using jig::all, jig::range_of;
  const auto x = numbers<T, Rows, 3, W>(1, n...);
  const auto stacked = jig::function([](auto y) { return jig::stack<1>(y(all, 2, all), y(all, 0, all)); })(x);
  const auto joined = jig::function([](auto y) { return jig::concat<1>(y(all, range_of<1, 3>(), all), y(all, range_of<0, 1>(), all)); })(x);
  const auto backwards = jig::function(
      [](auto y) { return jig::concat<1>(jig::reverse<0>(y(all, range_of<1, 3>(), all)), y(all, range_of<0, 1>(), all)); })(x);
  // Rows of numbers that lie apart.
  const auto apart = jig::function([](auto y) { return jig::stack<1>(y(all, all, 0), y(all, all, W - 1)); })(x);
  const auto inside = jig::function([](auto y) { return jig::stack<2>(y(all, all, 0), y(all, all, W - 1)); })(x);
  int wrong = 0;
  for (jig::index i = 0; i < rows; ++i)
    for (jig::index k = 0; k < W; ++k) {
      wrong += stacked(i, 0, k) != x(i, 2, k) || stacked(i, 1, k) != x(i, 0, k);
      wrong += joined(i, 0, k) != x(i, 1, k) || joined(i, 1, k) != x(i, 2, k) || joined(i, 2, k) != x(i, 0, k);
      wrong +=
          backwards(i, 0, k) != x(rows - 1 - i, 1, k) || backwards(i, 1, k) != x(rows - 1 - i, 2, k) || backwards(i, 2, k) != x(i, 0, k);
      for (jig::index j = 0; j < 3; ++j) {
        wrong += apart(i, 0, j) != x(i, j, 0) || apart(i, 1, j) != x(i, j, W - 1);
        wrong += inside(i, j, 0) != x(i, j, 0) || inside(i, j, 1) != x(i, j, W - 1);
      }
    }
  CHECK(wrong == 0);
}
template <class T, jig::index W>
void join_slices_of_rows() {
  for (jig::index rows : {0, 1, 2, 17, 70}) join_slices<T, dyn, W>(rows, rows);
}

}  // namespace

TEST_CASE("rows of slices, however many there are, and such as lie apart") {
  join_slices_of_rows<float, 1>();
  join_slices_of_rows<float, 3>();
  join_slices_of_rows<std::int32_t, 16>();
  join_slices_of_rows<std::uint8_t, 5>();
  join_slices_of_rows<double, 33>();
  join_slices_of_rows<std::string, 2>();
  join_slices<float, 1, 3>(1);
  join_slices<float, 25, 3>(25);
  join_slices<double, 25, 33>(25);
}
TEST_CASE("every second row, planes, and a wildcard behind the rows") {
  using jig::all, jig::range_of, jig::unbounded;
  const auto x = numbers<float, dyn, 4, 6>(1, 9);
  const auto some = jig::function([](auto y) {
    return jig::concat<1>(y(range_of<0, unbounded, 2>(), range_of<0, 2>(), all), y(range_of<0, unbounded, 2>(), range_of<3, 4>(), all));
  })(x);
  const auto planes = jig::function([](auto y) { return jig::stack<2>(y(all, range_of<0, 2>(), all), y(all, range_of<2, 4>(), all)); })(x);
  const auto later = jig::function([](auto y) {
    return jig::concat<1>(y(range_of<2, unbounded>(), range_of<0, 1>(), all), y(range_of<2, unbounded>(), range_of<2, 4>(), all));
  })(x);
  int wrong = 0;
  for (jig::index i = 0; i < 9; ++i)
    for (jig::index k = 0; k < 6; ++k) {
      if (i % 2 == 0) wrong += some(i / 2, 0, k) != x(i, 0, k) || some(i / 2, 1, k) != x(i, 1, k) || some(i / 2, 2, k) != x(i, 3, k);
      if (i >= 2) wrong += later(i - 2, 0, k) != x(i, 0, k) || later(i - 2, 1, k) != x(i, 2, k) || later(i - 2, 2, k) != x(i, 3, k);
      for (jig::index j = 0; j < 2; ++j) wrong += planes(i, j, 0, k) != x(i, j, k) || planes(i, j, 1, k) != x(i, j + 2, k);
    }
  CHECK(wrong == 0);
  CHECK(some.extent(0) == 5);
  CHECK(later.extent(0) == 7);
}
