// SPDX-License-Identifier: MIT
// Ops by the table: each on every shape and layout below, against a plain loop over single elements in long double or in
// 64-bit integers. One function returns what all ops of a family give, so that few functions are compiled.
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

using integer = jig::index;

enum class layout { dense, transposed, reversed, spaced };
constexpr layout layouts[] = {layout::dense, layout::transposed, layout::reversed, layout::spaced};

// A matrix somewhere in memory.
template <class T>
struct matrix {
  std::vector<T> memory;
  integer rows, columns, offset = 0, down = 0, right = 1;
  template <class F>
  matrix(integer m, integer n, layout how, F value) : memory(static_cast<std::size_t>(3 * m * n + 3)), rows(m), columns(n), down(n) {
    if (how == layout::transposed) down = 1, right = m;
    if (how == layout::reversed) offset = m * n == 0 ? 0 : m * n - 1, down = -n, right = -1;
    if (how == layout::spaced) down = 3 * n, right = 3;
    for (integer i = 0; i < m; ++i)
      for (integer k = 0; k < n; ++k) memory[static_cast<std::size_t>(offset + i * down + k * right)] = value(i * n + k);
  }
  T at(integer i, integer k) const {
    return memory[static_cast<std::size_t>(offset + (rows == 1 ? 0 : i * down) + (columns == 1 ? 0 : k * right))];
  }
  jig::view<const T, dyn, dyn> view() const { return {memory.data() + offset, {rows, columns}, {down, right}}; }
};

struct shape_pair {
  integer m, n, p, q;
};
constexpr shape_pair shape_pairs[] = {{0, 3, 0, 3}, {1, 1, 1, 1},  {3, 5, 3, 5}, {1, 33, 1, 33}, {16, 4, 16, 4},
                                      {3, 5, 1, 5}, {3, 1, 1, 17}, {1, 1, 7, 3}, {0, 5, 1, 1},   {9, 7, 9, 1}};

// Numbers of both signs, small ones often, with what is special in front.
template <class T>
T number(integer i) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T special[] = {0,
                         limits::quiet_NaN(),
                         -limits::infinity(),
                         1,
                         -T(0),
                         limits::infinity(),
                         limits::denorm_min(),
                         -1,
                         limits::max(),
                         T(0.5),
                         -limits::max(),
                         2,
                         T(-2.5)};
    return i % 29 < 13 ? special[i % 29] : static_cast<T>(i * 37 % 101 - 50) / 8;
  } else {
    const T special[] = {0, 1, limits::max(), limits::min(), static_cast<T>(-1), 2};
    return i % 17 < 6 ? special[i % 17] : static_cast<T>(i * 37 % 101 - 50);
  }
}
template <class T>
T modest_number(integer i) {
  return std::is_floating_point_v<T> ? static_cast<T>(i * 37 % 101 - 50) / 16 : static_cast<T>(i * 37 % 101 - 50);
}
template <class T>
T count(integer i) {
  return static_cast<T>(i * 5 % 8);
}
template <class T>
T not_zero(integer i) {
  const T x = number<T>(i);
  return x == 0 ? T(3) : x;
}

// A number of units in the last place between a and b; NaN equals NaN.
template <class T>
double ulps_between(T a, T b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : 1e30;
  if (a == b) return 0;
  if (std::isinf(a) || std::isinf(b)) return 1e30;
  using limits = std::numeric_limits<T>;
  const T larger = std::abs(b) > limits::min() ? std::abs(b) : limits::min();
  const long double unit = std::nextafter(larger, limits::infinity()) - static_cast<long double>(larger);
  return static_cast<double>(std::abs(static_cast<long double>(a) - b) / unit);
}

template <class Number>
struct row {
  const char* name;
  double ulps;
  Number (*reference)(Number, Number);
};
using real_row = row<long double>;
using integer_row = row<std::int64_t>;
using Z = std::int64_t;
using R = long double;

template <class T, class Number>
bool agrees(T given, Number expected, double ulps) {
  if constexpr (std::is_floating_point_v<T>) return ulps_between(given, static_cast<T>(expected)) <= ulps;
  else return given == static_cast<T>(expected);
}

// Result K of a function of two matrices against row K of a table.
template <class Number, std::size_t N, class Results, class T>
void check(const row<Number> (&table)[N], const Results& results, const matrix<T>& x, const matrix<T>& y) {
  static_assert(std::tuple_size_v<Results> == N);
  std::size_t k = 0;
  std::apply(
      [&](const auto&... result) {
        auto one = [&](const auto& z) {
          std::string wrong;
          for (integer i = 0; i < z.extent(0); ++i)
            for (integer j = 0; j < z.extent(1); ++j) {
              const T a = x.at(i, j), b = y.at(i, j);
              const Number expected = table[k].reference(static_cast<Number>(a), static_cast<Number>(b));
              if (agrees(z(i, j), expected, table[k].ulps)) continue;
              wrong = std::string(table[k].name) + " of " + std::to_string(a) + ", " + std::to_string(b) + " is " +
                      std::to_string(z(i, j)) + ", not " + std::to_string(expected);
            }
          CHECK(wrong == "");
          const integer m = x.rows == 1 ? y.rows : x.rows, n = x.columns == 1 ? y.columns : x.columns;
          CHECK((z.extent(0) == m && z.extent(1) == n));
          ++k;
        };
        (one(result), ...);
      },
      results);
}

template <class Number, std::size_t N, class T, class F, class X, class Y>
void check_everywhere(const row<Number> (&table)[N], F f, X x_value, Y y_value) {
  constexpr auto g = jig::function<"f(x, y)">(F());
  for (const auto& s : shape_pairs)
    for (layout how : layouts) {
      const matrix<T> x(s.m, s.n, how, x_value), y(s.p, s.q, layout::dense, y_value), z(s.p, s.q, how, y_value);
      check(table, g(x.view(), y.view()), x, y);
      check(table, g(x.view(), z.view()), x, z);
    }
  (void)f;
}

R floor_mod(R x, R y) {
  const R r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
// As Python's, of the exact remainder.
R floor_div(R x, R y) {
  if (std::isnan(x) || std::isnan(y) || std::isinf(x) || y == 0) return y == 0 ? x / y : std::nan("");
  if (std::isinf(y)) return x != 0 && (x < 0) != (y < 0) ? -1 : 0;
  return std::floor((x - floor_mod(x, y)) / y + R(0.5));
}
R larger(R x, R y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : x > y ? x : y; }
R smaller(R x, R y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : x < y ? x : y; }

constexpr auto arithmetic = [](auto x, auto y) {
  return std::make_tuple(x + y, x - y, x * y, x / y, x % y, jig::floormod(x, y), jig::maximum(x, y), jig::minimum(x, y),
                         jig::where(x < y, x, y));
};
constexpr real_row arithmetic_rows[] = {
    {"+", 1, [](R x, R y) { return x + y; }},
    {"-", 1, [](R x, R y) { return x - y; }},
    {"*", 1, [](R x, R y) { return x * y; }},
    {"/", 1, [](R x, R y) { return x / y; }},
    {"%", 0, [](R x, R y) { return std::fmod(x, y); }},
    {"floormod", 1, floor_mod},
    {"maximum", 0, larger},
    {"minimum", 0, smaller},
    {"where", 0, [](R x, R y) { return x < y ? x : y; }},
};

constexpr auto operators = [](auto x, auto y) { return std::make_tuple(x - y, x / y); };
constexpr real_row operator_rows[] = {arithmetic_rows[1], arithmetic_rows[3]};

constexpr auto more_arithmetic = [](auto x, auto y) {
  return std::make_tuple(jig::floordiv(x, y), jig::pow(jig::abs(x) + 0.5, y), jig::atan2(x, y), jig::fma(x, y, x), jig::add_n(x, y, x),
                         jig::clip(x, -1, y), jig::squared_difference(x, y));
};
constexpr real_row more_arithmetic_rows[] = {
    {"floordiv", 0, floor_div},
    {"pow", 16, [](R x, R y) { return std::pow(std::abs(x) + 0.5L, y); }},
    {"atan2", 16, [](R x, R y) { return std::atan2(x, y); }},
    {"fma", 1, [](R x, R y) { return x * y + x; }},
    {"add_n", 256, [](R x, R y) { return x + y + x; }},
    {"clip", 0, [](R x, R y) { return smaller(larger(x, -1), y); }},
    {"squared_difference", 4, [](R x, R y) { return (x - y) * (x - y); }},
};

constexpr auto comparisons = [](auto x, auto y) {
  return std::make_tuple(x == y, x != y, x<y, x <= y, x> y, x >= y, jig::is_nan(x + y), jig::is_inf(x - x + y), jig::is_finite(x * 0 + y),
                         (x < y) & (x < 1), (x < y) | (y < 1), (x < y) ^ (y < 1), !(x < y));
};
constexpr real_row comparison_rows[] = {
    {"==", 0, [](R x, R y) -> R { return x == y; }},
    {"!=", 0, [](R x, R y) -> R { return x != y; }},
    {"<", 0, [](R x, R y) -> R { return x < y; }},
    {"<=", 0, [](R x, R y) -> R { return x <= y; }},
    {">", 0, [](R x, R y) -> R { return x > y; }},
    {">=", 0, [](R x, R y) -> R { return x >= y; }},
    {"is_nan", 0, [](R x, R y) -> R { return std::isnan(x + y); }},
    {"is_inf", 0, [](R x, R y) -> R { return std::isinf(x - x + y); }},
    {"is_finite", 0, [](R x, R y) -> R { return std::isfinite(x * 0 + y); }},
    {"&", 0, [](R x, R y) -> R { return x < y && x < 1; }},
    {"|", 0, [](R x, R y) -> R { return x < y || y < 1; }},
    {"^", 0, [](R x, R y) -> R { return (x < y) != (y < 1); }},
    {"!", 0, [](R x, R y) -> R { return !(x < y); }},
};

constexpr auto integers = [](auto x, auto y) {
  return std::make_tuple(x + y, x - y, x * y, x / y, x % y, jig::floordiv(x, y), jig::floormod(x, y), jig::maximum(x, y),
                         jig::squared_difference(x, y), x & y, x | y, x ^ y, jig::where(x <= y, ~x, -y));
};
Z floor_div(Z x, Z y) { return x / y - (x % y != 0 && (x < 0) != (y < 0)); }
constexpr integer_row integer_rows[] = {
    {"+", 0, [](Z x, Z y) { return x + y; }},
    {"-", 0, [](Z x, Z y) { return x - y; }},
    {"*", 0, [](Z x, Z y) { return x * y; }},
    {"/", 0, [](Z x, Z y) { return x / y; }},
    {"%", 0, [](Z x, Z y) { return x % y; }},
    {"floordiv", 0, [](Z x, Z y) { return floor_div(x, y); }},
    {"floormod", 0, [](Z x, Z y) { return x - floor_div(x, y) * y; }},
    {"maximum", 0, [](Z x, Z y) { return x > y ? x : y; }},
    {"squared_difference", 0,
     [](Z x, Z y) { return static_cast<Z>(static_cast<std::uint64_t>(x - y) * static_cast<std::uint64_t>(x - y)); }},
    {"&", 0, [](Z x, Z y) { return x & y; }},
    {"|", 0, [](Z x, Z y) { return x | y; }},
    {"^", 0, [](Z x, Z y) { return x ^ y; }},
    {"~", 0, [](Z x, Z y) { return x <= y ? ~x : -y; }},
};

constexpr auto shifts = [](auto x, auto y) { return std::make_tuple(x << y, x >> y, jig::pow(x, y)); };
constexpr integer_row shift_rows[] = {
    {"<<", 0, [](Z x, Z y) { return static_cast<Z>(static_cast<std::uint64_t>(x) << y); }},
    {">>", 0, [](Z x, Z y) { return x >> y; }},
    {"pow", 0,
     [](Z x, Z y) {
       std::uint64_t r = 1;
       for (; y > 0; --y) r *= static_cast<std::uint64_t>(x);
       return static_cast<Z>(r);
     }},
};

constexpr auto functions = [](auto x) {
  return std::make_tuple(jig::abs(x), -x, jig::sign(x), jig::sqrt(x), jig::rsqrt(x), jig::square(x), jig::reciprocal(x), jig::floor(x),
                         jig::ceil(x), jig::round(x), jig::rint(x), jig::trunc(x), jig::relu(x), jig::relu6(x), jig::leaky_relu(x),
                         jig::softsign(x));
};
R sign_of(R x) { return std::isnan(x) ? x : x > 0 ? 1 : x < 0 ? -1 : x; }
constexpr real_row function_rows[] = {
    {"abs", 0, [](R x, R) { return std::abs(x); }},
    {"neg", 0, [](R x, R) { return -x; }},
    {"sign", 0, [](R x, R) { return sign_of(x); }},
    {"sqrt", 1, [](R x, R) { return std::sqrt(x); }},
    {"rsqrt", 4, [](R x, R) { return 1 / std::sqrt(x); }},
    {"square", 1, [](R x, R) { return x * x; }},
    {"reciprocal", 4, [](R x, R) { return 1 / x; }},
    {"floor", 0, [](R x, R) { return std::floor(x); }},
    {"ceil", 0, [](R x, R) { return std::ceil(x); }},
    {"round", 0, [](R x, R) { return std::nearbyint(x); }},
    {"rint", 0, [](R x, R) { return std::nearbyint(x); }},
    {"trunc", 0, [](R x, R) { return std::trunc(x); }},
    {"relu", 0, [](R x, R) { return larger(x, 0); }},
    {"relu6", 0, [](R x, R) { return smaller(larger(x, 0), 6); }},
    {"leaky_relu", 2, [](R x, R) { return x < 0 ? x * 0.2L : x; }},
    {"softsign", 4, [](R x, R) { return x / (1 + std::abs(x)); }},
};

// Reductions with keepdims along everything, the rows and the columns; those that are made of others along the columns only.
constexpr auto reductions = [](auto x) {
  auto along = [](auto v, auto... axes) {
    return std::make_tuple(
        jig::reduce_sum<decltype(axes)::value...>(v, jig::keepdims), jig::reduce_mean<decltype(axes)::value...>(v, jig::keepdims),
        jig::reduce_prod<decltype(axes)::value...>(v, jig::keepdims), jig::reduce_max<decltype(axes)::value...>(v, jig::keepdims),
        jig::reduce_min<decltype(axes)::value...>(v, jig::keepdims));
  };
  auto composed = std::make_tuple(jig::reduce_variance<-1>(x, jig::keepdims), jig::reduce_logsumexp<-1>(x, jig::keepdims),
                                  jig::norm<-1>(x, jig::keepdims));
  return std::make_tuple(along(x), along(x, jig::lit<0>), std::tuple_cat(along(x, jig::lit<-1>), composed));
};
struct reduction_row {
  const char* name;
  double ulps;
  R (*reference)(const std::vector<R>&);
};
template <class F>
R fold(const std::vector<R>& v, R start, F f) {
  for (R x : v) start = f(start, x);
  return start;
}
R sum(const std::vector<R>& v) {
  return fold(v, 0, [](R a, R b) { return a + b; });
}
R largest(const std::vector<R>& v) { return fold(v, -std::numeric_limits<R>::infinity(), larger); }
constexpr reduction_row reduction_rows[] = {
    {"sum", 1e4, sum},
    {"mean", 1e4, [](const std::vector<R>& v) { return sum(v) / static_cast<R>(v.size()); }},
    {"prod", 64, [](const std::vector<R>& v) { return fold(v, 1, [](R a, R b) { return a * b; }); }},
    {"max", 0, largest},
    {"min", 0, [](const std::vector<R>& v) { return fold(v, std::numeric_limits<R>::infinity(), smaller); }},
    {"variance", 64,
     [](const std::vector<R>& v) {
       const R mean = sum(v) / static_cast<R>(v.size());
       return fold(v, 0, [=](R a, R b) { return a + (b - mean) * (b - mean); }) / static_cast<R>(v.size());
     }},
    {"logsumexp", 64, [](const std::vector<R>& v) { return std::log(fold(v, 0, [](R a, R b) { return a + std::exp(b); })); }},
    {"norm", 16, [](const std::vector<R>& v) { return std::sqrt(fold(v, 0, [](R a, R b) { return a + b * b; })); }},
};

// What moves elements: the extents of its result for an m x n matrix, and where element (i, j) is from, or -1 for 9.
constexpr auto movements = [](auto x) {
  return std::make_tuple(jig::transpose(x), jig::reverse<0>(x), jig::reverse(x), jig::tile<2, 3>(x), jig::concat<1>(x, x),
                         jig::pad<1, 0, 2, 1>(x, 9), jig::strided_slice<jig::all, jig::range_of(jig::unbounded, jig::unbounded, -1)>(x),
                         jig::squeeze<1>(jig::expand_dims<1>(x)), jig::gather(x, jig::tensor<int, 0>{}));
};
struct movement_row {
  const char* name;
  integer (*rows)(integer, integer);
  integer (*columns)(integer, integer);
  integer (*source)(integer i, integer j, integer m, integer n);
};
constexpr integer first(integer m, integer) { return m; }
constexpr integer second(integer, integer n) { return n; }
constexpr movement_row movement_rows[] = {
    {"transpose", second, first, [](integer i, integer j, integer, integer n) { return j * n + i; }},
    {"reverse<0>", first, second, [](integer i, integer j, integer m, integer n) { return (m - 1 - i) * n + j; }},
    {"reverse", first, second, [](integer i, integer j, integer m, integer n) { return (m - 1 - i) * n + n - 1 - j; }},
    {"tile", [](integer m, integer) { return 2 * m; }, [](integer, integer n) { return 3 * n; },
     [](integer i, integer j, integer m, integer n) { return i % m * n + j % n; }},
    {"concat", first, [](integer, integer n) { return 2 * n; }, [](integer i, integer j, integer, integer n) { return i * n + j % n; }},
    {"pad", [](integer m, integer) { return m + 1; }, [](integer, integer n) { return n + 3; },
     [](integer i, integer j, integer, integer n) { return i < 1 || j < 2 || j >= n + 2 ? -1 : (i - 1) * n + j - 2; }},
    {"strided_slice", first, second, [](integer i, integer j, integer, integer n) { return i * n + n - 1 - j; }},
    {"squeeze", first, second, [](integer i, integer j, integer, integer n) { return i * n + j; }},
    {"gather", [](integer, integer) { return integer{0}; }, second, [](integer, integer, integer, integer) { return integer{-2}; }},
};
template <class Results, class T>
void check_movements(const Results& results, const matrix<T>& x) {
  std::size_t k = 0;
  auto one = [&](const auto& z) {
    const movement_row& row = movement_rows[k++];
    CHECK((z.extent(0) == row.rows(x.rows, x.columns) && z.extent(1) == row.columns(x.rows, x.columns)));
    std::string wrong;
    for (integer i = 0; i < z.extent(0); ++i)
      for (integer j = 0; j < z.extent(1); ++j) {
        const integer from = row.source(i, j, x.rows, x.columns);
        if (z(i, j) !=
            (from < 0 ? T(9) : x.memory[static_cast<std::size_t>(x.offset + from / x.columns * x.down + from % x.columns * x.right)]))
          wrong = row.name;
      }
    CHECK(wrong == "");
  };
  std::apply([&](const auto&... z) { (one(z), ...); }, results);
}

// Where functions are exact to some units everywhere but near their zeros, on numbers of modest size. The others are in unary.cpp.
constexpr auto curves = [](auto x) {
  return std::make_tuple(jig::exp(x), jig::lgamma(x), jig::sigmoid(x), jig::silu(x), jig::softplus(x), jig::elu(x), jig::selu(x),
                         jig::gelu(x));
};
constexpr R scale = 1.0507009873554804934193349852946L, alpha = 1.6732632423543772848170429916717L;
constexpr real_row curve_rows[] = {
    {"exp", 4, [](R x, R) { return std::exp(x); }},
    {"lgamma", 64, [](R x, R) { return x == 0 ? std::numeric_limits<R>::infinity() : std::lgamma(x); }},
    {"sigmoid", 8, [](R x, R) { return 1 / (1 + std::exp(-x)); }},
    {"silu", 8, [](R x, R) { return x / (1 + std::exp(-x)); }},
    {"softplus", 8, [](R x, R) { return std::log1p(std::exp(x)); }},
    {"elu", 8, [](R x, R) { return x < 0 ? std::expm1(x) : x; }},
    {"selu", 8, [](R x, R) { return scale * (x < 0 ? alpha * std::expm1(x) : x); }},
    {"gelu", 4096, [](R x, R) { return x / 2 * std::erfc(-x / std::sqrt(2.0L)); }},
};

template <class Number, std::size_t N, class T, class F, class X>
void check_unary(const row<Number> (&table)[N], F, X value) {
  constexpr auto g = jig::function<"f(x)">(F());
  for (const auto& s : shape_pairs)
    for (layout how : layouts) {
      const matrix<T> x(s.m, s.n, how, value);
      check(table, g(x.view()), x, x);
    }
}

}  // namespace

TEST_CASE("arithmetic and comparisons of floats") {
  using T = float;
  check_everywhere<R, std::size(arithmetic_rows), T>(arithmetic_rows, arithmetic, number<T>, [](integer i) { return number<T>(i + 5); });
  check_everywhere<R, std::size(more_arithmetic_rows), T>(more_arithmetic_rows, more_arithmetic, modest_number<T>,
                                                          [](integer i) { return modest_number<T>(i + 5); });
  check_everywhere<R, std::size(comparison_rows), T>(comparison_rows, comparisons, number<T>, [](integer i) { return number<T>(i / 2); });
}

TEST_CASE("arithmetic of integers") {
  using T = std::int32_t;
  check_everywhere<Z, std::size(integer_rows), T>(integer_rows, integers, number<T>, [](integer i) { return not_zero<T>(i + 3); });
  check_everywhere<Z, std::size(shift_rows), T>(shift_rows, shifts, number<T>, count<T>);
}

TEST_CASE("reductions") {
  constexpr auto g = jig::function<"f(x)">(decltype(reductions)());
  for (const auto& s : shape_pairs)
    for (layout how : layouts) {
      const matrix<float> x(s.m, s.n, how, [](integer i) { return modest_number<float>(i) + 0.25f; });
      auto check_along = [&](const auto& results, bool down, bool right) {
        std::size_t k = 0;
        auto one = [&](const auto& z) {
          CHECK((z.extent(0) == (down ? 1 : x.rows) && z.extent(1) == (right ? 1 : x.columns)));
          std::string wrong;
          for (integer i = 0; i < z.extent(0); ++i)
            for (integer j = 0; j < z.extent(1); ++j) {
              std::vector<R> all;
              for (integer a = down ? 0 : i; a < (down ? x.rows : i + 1); ++a)
                for (integer b = right ? 0 : j; b < (right ? x.columns : j + 1); ++b) all.push_back(static_cast<R>(x.at(a, b)));
              const R expected = reduction_rows[k].reference(all);
              if (!agrees(z(i, j), expected, reduction_rows[k].ulps))
                wrong = std::string(reduction_rows[k].name) + " is " + std::to_string(z(i, j)) + ", not " + std::to_string(expected);
            }
          CHECK(wrong == "");
          ++k;
        };
        std::apply([&](const auto&... z) { (one(z), ...); }, results);
      };
      auto [everything, columns, rows] = g(x.view());
      check_along(everything, true, true);
      check_along(columns, true, false);
      check_along(rows, false, true);
    }
}

TEST_CASE("movements") {
  constexpr auto g = jig::function<"f(x)">(decltype(movements)());
  for (const auto& s : shape_pairs)
    for (layout how : layouts) {
      const matrix<std::int32_t> x(s.m, s.n, how, number<std::int32_t>);
      check_movements(g(x.view()), x);
    }
}

TEST_CASE("static extents") {
  constexpr auto g = jig::function<"f(x, y)">(decltype(operators)());
  const matrix<float> x(3, 5, layout::dense, number<float>), y(3, 1, layout::dense, [](integer i) { return number<float>(i + 5); });
  check(operator_rows, g(jig::tensor<float, 3, 5>(x.view()), jig::tensor<float, 3, 1>(y.view())), x, y);
  const matrix<std::int32_t> z(3, 5, layout::dense, number<std::int32_t>);
  check_movements(jig::function<"f(x)">(decltype(movements)())(jig::tensor<std::int32_t, 3, 5>(z.view())), z);
}

TEST_CASE("functions of one number") {
  check_unary<R, std::size(function_rows), double>(function_rows, functions, number<double>);
  check_unary<R, std::size(curve_rows), float>(curve_rows, curves, modest_number<float>);
}
