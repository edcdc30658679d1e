// SPDX-License-Identifier: MIT
#include <jig/ops/arithmetic.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

template <class T>
jig::tensor<T, jig::dyn> tensor_of(const std::vector<T>& values) {
  return jig::tensor<T, jig::dyn>(jig::view<const T, jig::dyn>(values.data(), static_cast<jig::index>(values.size())));
}

template <class T>
T random_number(std::mt19937& g) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(std::uniform_real_distribution<double>(-9, 9)(g));
  else return static_cast<T>((std::uint64_t{g()} << 32) ^ g());
}

template <class T>
bool same(T a, T b, double relative = 0) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (relative > 0 && std::isfinite(a)) return std::abs(a - b) <= static_cast<T>(relative) * std::abs(b);
    return a == b && std::signbit(a) == std::signbit(b);
  } else {
    return a == b;
  }
}

// What one of several ops gives of two numbers.
template <class T>
struct row {
  const char* name;
  T (*expected)(T, T);
};

// Several ops in one trace; of one dtype also at once, which runs the same kernels.
template <class T, std::size_t N>
void check(auto ops, const row<T> (&rows)[N], const std::vector<T>& a, const std::vector<T>& b, double relative = 0) {
  constexpr auto traced = jig::function<"f(x, y)">(ops);
  auto x = tensor_of(a), y = tensor_of(b);
  auto check_one = [&](const row<T>& r, const jig::tensor<T, jig::dyn>& found) {
    REQUIRE(found.size() == x.size());
    for (jig::index i = 0; i < x.size(); ++i) {
      T e = r.expected(x(i), y(i));
      if (!same<T>(found(i), e, relative))
        FAIL_CHECK(std::string(r.name) << " of " << sizeof(T) << " bytes: (" << +x(i) << ", " << +y(i) << ") gives " << +found(i)
                                       << ", not " << +e);
    }
  };
  auto check_all = [&](const auto& results) {
    static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(results)>> == N);
    std::apply([&, k = 0](const auto&... found) mutable { (check_one(rows[k++], found), ...); }, results);
  };
  check_all(traced(x, y));
  if constexpr (std::is_same_v<T, std::int32_t>) check_all(ops(x, y));
}

template <class T, std::size_t N>
void compare(auto ops, const row<T> (&rows)[N], bool zeros) {
  std::mt19937 g(5);
  for (std::size_t n : {0u, 1u, 5u, 64u + 3u}) {
    std::vector<T> a(n), b(n);
    for (auto& x : a) x = random_number<T>(g);
    for (auto& y : b) do
        y = random_number<T>(g);
      while (y == 0 && !zeros);
    check<T>(ops, rows, a, b);
  }
  // Every pair of extremes.
  using limits = std::numeric_limits<T>;
  std::vector<T> edges{T(0), T(1), T(2), static_cast<T>(-T(1)), limits::max(), limits::lowest(), static_cast<T>(limits::max() / 2)};
  if constexpr (std::is_floating_point_v<T>)
    edges.insert(edges.end(), {-T(0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), T(0.5)});
  std::vector<T> a, b;
  for (T x : edges)
    for (T y : edges)
      if (y != 0 || zeros) a.push_back(x), b.push_back(y);
  check<T>(ops, rows, a, b);
}

// Numbers as unsigned 64-bit ones, which wrap.
constexpr auto bits = [](auto x) { return static_cast<std::uint64_t>(x); };

template <class T>
T larger(T x, T y) {
  return x != x ? x : y != y ? y : x > y ? x : y;
}
template <class T>
T smaller(T x, T y) {
  return x != x ? x : y != y ? y : x < y ? x : y;
}

template <class T>
T quotient(T x, T y) {
  return std::is_signed_v<T> && y == static_cast<T>(-1) ? static_cast<T>(0 - bits(x)) : static_cast<T>(x / y);
}
template <class T>
T remainder(T x, T y) {
  return std::is_signed_v<T> && y == static_cast<T>(-1) ? T(0) : static_cast<T>(x % y);
}
template <class T>
bool rounds_down(T x, T y) {
  return (x < 0) != (y < 0) && remainder(x, y) != 0;
}

}  // namespace

TEST_CASE_TEMPLATE("floating numbers: what C++ computes; NaN on either side is the maximum and the minimum", T, float, double) {
  auto ops = [](const auto& x, const auto& y) {
    // Which of two zeros is larger is not said.
    return std::tuple(x + y, x - y, x * y, x / y, x % y, jig::squared_difference(x, y), jig::maximum(x, y) + 0, jig::minimum(x, y) + 0);
  };
  const row<T> rows[] = {
      {"+", [](T x, T y) { return x + y; }},
      {"-", [](T x, T y) { return x - y; }},
      {"*", [](T x, T y) { return x * y; }},
      {"/", [](T x, T y) { return x / y; }},
      {"%", [](T x, T y) { return std::fmod(x, y); }},
      {"squared_difference", [](T x, T y) { return (x - y) * (x - y); }},
      {"maximum", [](T x, T y) { return larger(x, y) + 0; }},
      {"minimum", [](T x, T y) { return smaller(x, y) + 0; }},
  };
  compare<T>(ops, rows, true);
}

TEST_CASE_TEMPLATE("integers wrap", T, std::int8_t, std::int32_t, std::uint16_t, std::uint64_t) {
  auto ops = [](const auto& x, const auto& y) {
    return std::tuple(x + y, x - y, x * y, jig::squared_difference(x, y), jig::maximum(x, y), jig::minimum(x, y));
  };
  const row<T> rows[] = {
      {"+", [](T x, T y) { return static_cast<T>(bits(x) + bits(y)); }},
      {"-", [](T x, T y) { return static_cast<T>(bits(x) - bits(y)); }},
      {"*", [](T x, T y) { return static_cast<T>(bits(x) * bits(y)); }},
      {"squared_difference", [](T x, T y) { return static_cast<T>((bits(x) - bits(y)) * (bits(x) - bits(y))); }},
      {"maximum", larger},
      {"minimum", smaller},
  };
  compare<T>(ops, rows, true);
}

TEST_CASE_TEMPLATE("integer division truncates, or rounds down as in Python", T, std::int8_t, std::int32_t, std::int64_t, std::uint16_t) {
  auto ops = [](const auto& x, const auto& y) { return std::tuple(x / y, x % y, jig::floordiv(x, y), jig::floormod(x, y)); };
  const row<T> rows[] = {
      {"/", quotient},
      {"%", remainder},
      {"floordiv", [](T x, T y) { return static_cast<T>(quotient(x, y) - rounds_down(x, y)); }},
      {"floormod", [](T x, T y) { return static_cast<T>(remainder(x, y) + (rounds_down(x, y) ? y : T(0))); }},
  };
  compare<T>(ops, rows, false);
}

TEST_CASE("dividing integers by zero throws, wherever the zero is") {
  for (int at : {0, 1, 40, 66}) {
    std::vector<int> ones(67, 1), some = ones;
    some[static_cast<std::size_t>(at)] = 0;
    auto x = tensor_of(ones), y = tensor_of(some);
    CHECK_THROWS_WITH_AS((void)(x / y), "TruncateDiv: integer division by zero", jig::invalid_argument);
    CHECK_THROWS_WITH_AS((void)(x % y), "TruncateMod: integer division by zero", jig::invalid_argument);
    CHECK_THROWS_WITH_AS((void)jig::floordiv(x, y), "FloorDiv: integer division by zero", jig::invalid_argument);
    CHECK_THROWS_WITH_AS((void)jig::floormod(x, y), "FloorMod: integer division by zero", jig::invalid_argument);
  }
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return (x + 1) / y * 2; });
  CHECK_THROWS_AS((void)f(tensor_of<std::int8_t>({1, 2}), tensor_of<std::int8_t>({1, 0})), jig::invalid_argument);
  CHECK((tensor_of<int>({}) / 0).size() == 0);
}

TEST_CASE("floordiv and floormod of floating numbers are Python's") {
  auto x = tensor_of<double>({7, -7, 7, -7, 0.3, 1, -0.0, 5.5});
  auto y = tensor_of<double>({2, 2, -2, -2, 0.1, 0.1, 3, -0.5});
  std::vector<double> quotient{3, -4, -4, 3, 2, 9, -0.0, -11}, rest{1, 1, -1, -1, 0.09999999999999998, 0.09999999999999995, 0.0, -0.0};
  auto q = jig::floordiv(x, y), r = jig::floormod(x, y);
  for (jig::index i = 0; i < 8; ++i) {
    CHECK(same(q(i), quotient[static_cast<std::size_t>(i)]));
    CHECK(same(r(i), rest[static_cast<std::size_t>(i)]));
  }
  CHECK(jig::floordiv(1.0f, 0.0f)() == std::numeric_limits<float>::infinity());
  CHECK(std::isnan(jig::floormod(1.0, 0.0)()));
}

TEST_CASE_TEMPLATE("powers of floating numbers", T, float, double) {
  auto check_power = [](T x, T y, double relative) {
    T found = jig::pow(jig::tensor<T>{x}, y)(), expected = std::pow(x, y);
    CAPTURE(x);
    CAPTURE(y);
    CHECK(same(found, expected, relative));
  };
  for (T x : {T(0.1), T(0.5), T(1), T(2), T(3.7), T(10)})
    for (T y : {T(-3), T(-0.5), T(0), T(0.3), T(1), T(2), T(7.25)}) check_power(x, y, std::is_same_v<T, float> ? 1e-6 : 1e-14);
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  // With these exponents it is a product, known before the call or not, on single numbers and in registers.
  for (T x : {T(-1.7), T(0.1), T(3.3), T(-0.0), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), -inf, nan}) {
    const T expected[] = {x, x * x, x * x * x, (x * x) * (x * x)};
    jig::tensor<T, 67> many;
    for (int i = 0; i < 67; ++i) many.data()[i] = T(1 + i % 4);
    const auto found = jig::pow(jig::tensor<T>{x}, many);
    for (int i = 0; i < 67; ++i) CHECK(same(found(i), expected[i % 4], 0));
    for (int i = 0; i < 4; ++i) CHECK(same(jig::pow(jig::tensor<T>{x}, T(1 + i))(), expected[i], 0));
  }
  for (T x : {T(-2), T(-1)})
    for (T y : {T(-3), T(-2), T(0), T(1), T(2), T(3)}) check_power(x, y, 1e-6);
  CHECK(std::isnan(jig::pow(jig::tensor<T>{-2}, T(0.5))()));
  CHECK(jig::pow(jig::tensor<T>{nan}, T(0))() == 1);
  CHECK(jig::pow(jig::tensor<T>{1}, nan)() == 1);
  CHECK(std::isnan(jig::pow(jig::tensor<T>{2}, nan)()));
  CHECK(jig::pow(jig::tensor<T>{0}, T(0))() == 1);
  CHECK(jig::pow(jig::tensor<T>{0}, T(2))() == 0);
  CHECK(jig::pow(jig::tensor<T>{2}, inf)() == inf);
  CHECK(jig::pow(jig::tensor<T>{2}, -inf)() == 0);
}

TEST_CASE_TEMPLATE("powers of integers wrap, negative exponents throw", T, std::int8_t, std::int32_t, std::uint64_t) {
  std::vector<T> bases, exponents, expected;
  for (int x : {-3, -1, 0, 1, 2, 7})
    for (int n : {0, 1, 2, 5, 31, 100}) {
      std::uint64_t power = 1;
      for (int i = 0; i < n; ++i) power *= bits(static_cast<T>(x));
      bases.push_back(static_cast<T>(x));
      exponents.push_back(static_cast<T>(n));
      expected.push_back(static_cast<T>(power));
    }
  auto found = jig::pow(tensor_of(bases), tensor_of(exponents));
  CHECK(std::vector<T>(found.begin(), found.end()) == expected);
  if constexpr (std::is_signed_v<T>) {
    std::vector<T> twos(67, T(2)), negative = twos;
    negative[50] = -1;
    CHECK_THROWS_WITH_AS((void)jig::pow(tensor_of(twos), tensor_of(negative)), "Pow: a negative exponent has no integer result",
                         jig::invalid_argument);
  }
}

TEST_CASE("powers of single integers") {
  CHECK(jig::pow(jig::tensor<int>{-3}, 5)() == -243);
  CHECK_THROWS_AS((void)jig::pow(jig::tensor<int>{1}, -1), jig::invalid_argument);
}

TEST_CASE_TEMPLATE("atan2 has the quadrant of the point", T, float, double) {
  const T inf = std::numeric_limits<T>::infinity();
  std::vector<T> y, x;
  for (T a : {T(-2), T(-0.5), T(0), T(0.1), T(1), T(3)})
    for (T b : {T(-2), T(-0.5), T(0.1), T(1), T(3), inf, std::numeric_limits<T>::quiet_NaN()}) y.push_back(a), x.push_back(b);
  y.push_back(1), x.push_back(0);
  const row<T> rows[] = {{"atan2", [](T b, T a) { return std::atan2(b, a); }}};
  auto atan2 = [](const auto& b, const auto& a) { return std::tuple(jig::atan2(b, a)); };
  check<T>(atan2, rows, y, x, std::is_same_v<T, float> ? 1e-6 : 1e-14);
}

TEST_CASE("add_n adds from left to right, fma and strings") {
  auto a = tensor_of<float>({1e8f, 1}), b = tensor_of<float>({-1e8f, 2}), c = tensor_of<float>({1, 3});
  CHECK(jig::add_n(a, b, c)(0) == 1);
  CHECK(jig::add_n(c, a, b)(0) == 0);
  CHECK(jig::add_n(a)(1) == 1);
  CHECK(jig::add_n(tensor_of<std::int8_t>({100}), tensor_of<std::int8_t>({100}))(0) == -56);
  for (std::size_t n : {0u, 1u, 5u, 67u}) {
    std::vector<double> x(n, 3), y(n, 0.5), z(n, -1);
    auto r = jig::fma(tensor_of(x), tensor_of(y), tensor_of(z));
    for (double v : r) CHECK(v == 0.5);
  }
  auto words = tensor_of<std::string>({"a", "", "long enough for the heap, surely"});
  CHECK((words + words)(2) == "long enough for the heap, surelylong enough for the heap, surely");
  CHECK((jig::tensor<std::string>{"<"} + words)(1) == "<");
}

TEST_CASE("a scalar operand and a row broadcast") {
  constexpr auto f = jig::function<"f(a, x)">([](auto a, auto x) { return a - x * 2; });
  for (std::size_t n : {0u, 1u, 5u, 67u}) {
    std::vector<int> x(n, 4);
    auto r = f(1, x);
    REQUIRE(r.size() == static_cast<jig::index>(n));
    for (int v : r) CHECK(v == -7);
  }
  auto table = jig::tensor<int, 2, 1>{{10}, {20}} + jig::tensor<int, 3>{1, 2, 3};
  CHECK(table(1, 2) == 23);
}
