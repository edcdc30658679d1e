// SPDX-License-Identifier: MIT
// Ops of run-time tensors by the table: each with every dtype on several shapes and layouts, against plain loops in long double.
#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::any_tensor;
using jig::dtype;
using integer = jig::index;
using real = long double;
using extents = std::vector<integer>;

constexpr dtype all_dtypes[] = {dtype::float32, dtype::float64, dtype::float16, dtype::bfloat16, dtype::int8,
                                dtype::int16,   dtype::int32,   dtype::int64,   dtype::uint8,    dtype::uint16,
                                dtype::uint32,  dtype::uint64,  dtype::boolean, dtype::string};
constexpr unsigned floats = 1, integers = 2, bools = 4, strings = 8, numbers = floats | integers, every = 15;

bool among(dtype d, unsigned kinds) {
  const unsigned kind = jig::is_floating(d) ? floats : jig::is_integer(d) ? integers : d == dtype::boolean ? bools : strings;
  return (kinds & kind) != 0;
}

template <class T>
T element_from(real x) {
  if constexpr (std::is_same_v<T, std::string>) return std::to_string(static_cast<int>(x));
  else if constexpr (std::is_same_v<T, bool>) return x != 0;
  else if constexpr (std::is_same_v<T, std::uint64_t>) return x < 0 ? static_cast<T>(static_cast<std::int64_t>(x)) : static_cast<T>(x);
  else if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::int64_t>(x));
  else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(x);
  else return T(static_cast<float>(x));
}
template <class T>
real number_of(const T& x) {
  if constexpr (std::is_same_v<T, std::string>) return std::stoi(x);
  else if constexpr (std::is_arithmetic_v<T>) return static_cast<real>(x);
  else return static_cast<real>(static_cast<float>(x));
}
// The nearest element of a dtype; integers wrap.
real rounded(dtype d, real x) {
  return jig::detail::with_type_of(d, [&]<class T>(const T&) { return number_of(element_from<T>(x)); });
}

integer product(const extents& e) { return std::accumulate(e.begin(), e.end(), integer{1}, std::multiplies<>()); }

// A tensor of the reference.
struct values {
  extents shape;
  std::vector<real> data;

  template <class F>
  static values build(const extents& shape, F f) {
    values out{shape, {}};
    extents at(shape.size());
    for (integer i = 0; i < product(shape); ++i) {
      integer rest = i;
      for (std::size_t a = shape.size(); a-- > 0; rest /= shape[a]) at[a] = rest % shape[a];
      out.data.push_back(f(at));
    }
    return out;
  }
  // Read with more axes, or with axes that are broadcast.
  real operator()(const extents& at) const {
    integer offset = 0;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      const integer i = at[at.size() - shape.size() + a];
      offset = offset * shape[a] + (shape[a] == 1 ? 0 : i);
    }
    return data.at(static_cast<std::size_t>(offset));
  }
};

extents joined(const extents& x, const extents& y) {
  extents out(std::max(x.size(), y.size()), 1);
  for (std::size_t a = 0; a < x.size(); ++a) out[out.size() - x.size() + a] = x[a];
  for (std::size_t a = 0; a < y.size(); ++a)
    if (y[a] != 1) out[out.size() - y.size() + a] = y[a];
  return out;
}

any_tensor tensor_of(dtype d, const values& v) {
  jig::shape s;
  for (integer e : v.shape) s.push_back(e);
  any_tensor out = any_tensor::empty(d, s);
  jig::detail::with_type_of(d, [&]<class T>(const T&) {
    T* to = static_cast<T*>(out.mutable_data());
    for (std::size_t i = 0; i < v.data.size(); ++i) to[i] = element_from<T>(v.data[i]);
    return 0;
  });
  return out;
}
values values_of(const any_tensor& x) {
  values out;
  for (int a = 0; a < x.rank(); ++a) out.shape.push_back(x.shape()[a]);
  jig::detail::with_type_of(x.dtype(), [&]<class T>(const T&) {
    for (const T& e : x.as<T>()) out.data.push_back(number_of(e));
    return 0;
  });
  return out;
}

// A tensor and, in other places, the same one: its axes lie in memory the other way round.
struct laid {
  any_tensor dense, kept, turned;
  values exact;

  laid(dtype d, const values& v) : dense(tensor_of(d, v)), exact(values_of(dense)) {
    extents backwards(v.shape.rbegin(), v.shape.rend());
    kept = tensor_of(d, values::build(backwards, [&](const extents& at) { return v(extents(at.rbegin(), at.rend())); }));
    jig::any_view view = kept.view();
    std::reverse(&view.extents[0], &view.extents[0] + view.extents.rank);
    std::reverse(&view.strides[0], &view.strides[0] + view.strides.rank);
    turned = any_tensor::viewing(view);
  }
};

real epsilon(dtype d) {
  if (d == dtype::float64) return std::numeric_limits<double>::epsilon();
  if (d == dtype::float16) return 1 / real{1024};
  if (d == dtype::bfloat16) return 1 / real{128};
  return jig::is_floating(d) ? std::numeric_limits<float>::epsilon() : 0;
}

std::string difference(const any_tensor& found, dtype d, const values& expected, real tolerance) {
  if (found.dtype() != d) return "the dtype is " + std::string(jig::name_of(found.dtype()));
  const values v = values_of(found);
  if (v.shape != expected.shape) return "the shape is wrong";
  for (std::size_t i = 0; i < v.data.size(); ++i) {
    const real x = v.data[i], y = rounded(d, expected.data[i]);
    if (x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= tolerance * epsilon(d) * (1 + std::abs(y))) continue;
    return "element " + std::to_string(i) + " is " + std::to_string(x) + ", not " + std::to_string(y);
  }
  return "";
}

// A function that is called as a graph and eagerly. Both give the same elements, up to the rounding of ops that are made of several,
// or both refuse.
template <class F>
class in_both_worlds {
 public:
  explicit in_both_worlds(F f) : f_(f) {}
  template <class... X>
  any_tensor operator()(const X&... x) const {
    any_tensor eager;
    bool refused = false;
    try {
      eager = f_.eager(x...);
    } catch (const jig::invalid_argument&) {
      refused = true;
    }
    const any_tensor found = f_(x...);  // throws if it refuses
    CHECK(!refused);
    CHECK(difference(eager, found.dtype(), values_of(found), 4) == "");
    return found;
  }

 private:
  F f_;
};

// Calls with many shapes are what the warning about traces is for; here they are meant.
void expect_many_traces() {
  static std::ostringstream out;
  jig::set_warning_stream(out);
}

template <class Call>
bool refuses(Call call) {
  try {
    call();
  } catch (const jig::invalid_argument&) {
    return true;
  }
  return false;
}

real mixed(integer i) {
  const real special[] = {0, 1, -1, 2, 0.5L, -2.5L, 3, -3};
  return i % 11 < 8 ? special[i % 11] : static_cast<real>(i * 7 % 13 - 6) / 4;
}
real whole(integer i) { return static_cast<real>(i * 7 % 13 - 6); }
real large(integer i) { return static_cast<real>((i * 37 + 11) % 251 - 125); }
real natural(integer i) { return static_cast<real>(i * 5 % 7); }
real positive(integer i) { return static_cast<real>(1 + i * 5 % 6); }
real unit(integer i) { return static_cast<real>(i * 5 % 17 - 8) / 9; }
real special(integer i) {
  using limits = std::numeric_limits<real>;
  const real some[] = {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), 0, -0.0L, 1.5L, -2};
  return some[i % 7];
}

values made_with(const extents& shape, real (*value)(integer), integer from = 0) {
  integer i = from;
  return values::build(shape, [&](const extents&) { return value(i++); });
}

// Without signs where a dtype has none.
values inputs(dtype d, const extents& shape, real (*value)(integer), integer from = 0) {
  values out = made_with(shape, value, from);
  if (!jig::is_signed(d))
    for (real& x : out.data) x = std::abs(x);
  return out;
}

real floor_mod(real x, real y) {
  const real r = std::fmod(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
real larger(real x, real y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : std::max(x, y); }
real smaller(real x, real y) { return std::isnan(x) || std::isnan(y) ? std::nan("") : std::min(x, y); }
real bits_of(dtype d, real x, real y, std::int64_t (*f)(std::int64_t, std::int64_t)) {
  return rounded(d, static_cast<real>(f(static_cast<std::int64_t>(x), static_cast<std::int64_t>(y))));
}

// Ops of two tensors. The lambda captures which one it is, so that all of them share one type.
// clang-format off
enum binary { add, subtract, multiply, divide, remainder_of, floordiv, floormod, maximum, minimum, squared, power, atan2, fma_of, add_n, choose, bit_and, bit_or, bit_xor, left, right, divide_safe, multiply_safe, x_log_y, x_div_y, equal, not_equal, less, less_equal, greater, greater_equal, binary_count };
// clang-format on
struct binary_row {
  const char* name;
  unsigned takes;
  real (*x)(integer);
  real (*y)(integer);
  real tolerance;
  real (*reference)(dtype, real, real);
};
constexpr binary_row binary_rows[binary_count] = {
    {"+", numbers, large, large, 1, [](dtype, real x, real y) { return x + y; }},
    {"-", numbers, large, large, 1, [](dtype, real x, real y) { return x - y; }},
    {"*", numbers, large, large, 1, [](dtype, real x, real y) { return x * y; }},
    {"/", numbers, large, positive, 1, [](dtype d, real x, real y) { return jig::is_floating(d) ? x / y : std::trunc(x / y); }},
    {"%", numbers, large, positive, 1, [](dtype, real x, real y) { return std::fmod(x, y); }},
    {"floordiv", numbers, large, positive, 1, [](dtype, real x, real y) { return std::floor(x / y); }},
    {"floormod", numbers, large, positive, 1, [](dtype, real x, real y) { return floor_mod(x, y); }},
    {"maximum", numbers, mixed, large, 0, [](dtype, real x, real y) { return larger(x, y); }},
    {"minimum", numbers, mixed, large, 0, [](dtype, real x, real y) { return smaller(x, y); }},
    {"squared_difference", numbers, whole, whole, 1, [](dtype, real x, real y) { return (x - y) * (x - y); }},
    {"pow", numbers, positive, natural, 4,
     [](dtype d, real x, real y) { return d == dtype::int8 || d == dtype::uint8 ? rounded(d, std::pow(x, y)) : std::pow(x, y); }},
    {"atan2", floats, mixed, whole, 4, [](dtype, real x, real y) { return std::atan2(x, y); }},
    {"fma", floats, whole, whole, 4, [](dtype, real x, real y) { return x * y + x; }},
    {"add_n", numbers, whole, whole, 4, [](dtype, real x, real y) { return x + y + x; }},
    {"where", numbers | strings, whole, whole, 0, [](dtype, real x, real y) { return x < y ? y : x; }},
    {"&", integers | bools, large, large, 0,
     [](dtype d, real x, real y) { return bits_of(d, x, y, [](std::int64_t a, std::int64_t b) { return a & b; }); }},
    {"|", integers | bools, large, large, 0,
     [](dtype d, real x, real y) { return bits_of(d, x, y, [](std::int64_t a, std::int64_t b) { return a | b; }); }},
    {"^", integers | bools, large, large, 0,
     [](dtype d, real x, real y) { return bits_of(d, x, y, [](std::int64_t a, std::int64_t b) { return a ^ b; }); }},
    {"<<", integers, positive, natural, 0, [](dtype, real x, real y) { return std::ldexp(x, static_cast<int>(y)); }},
    {">>", integers, large, natural, 0, [](dtype, real x, real y) { return std::floor(std::ldexp(x, -static_cast<int>(y))); }},
    {"divide_no_nan", numbers, large, whole, 1,
     [](dtype d, real x, real y) { return y == 0                ? 0
                                          : jig::is_floating(d) ? x / y
                                                                : std::trunc(x / y); }},
    {"multiply_no_nan", floats, large, whole, 1, [](dtype, real x, real y) { return x * y; }},
    {"xlogy", floats, whole, positive, 4, [](dtype, real x, real y) { return x * std::log(y); }},
    {"xdivy", numbers, whole, positive, 1, [](dtype d, real x, real y) { return jig::is_floating(d) ? x / y : std::trunc(x / y); }},
    {"==", every, whole, mixed, 0, [](dtype, real x, real y) -> real { return x == y; }},
    {"!=", every, whole, mixed, 0, [](dtype, real x, real y) -> real { return x != y; }},
    {"<", numbers | strings, whole, mixed, 0, [](dtype, real x, real y) -> real { return x < y; }},
    {"<=", numbers | strings, whole, mixed, 0, [](dtype, real x, real y) -> real { return x <= y; }},
    {">", numbers | strings, whole, mixed, 0, [](dtype, real x, real y) -> real { return x > y; }},
    {">=", numbers | strings, whole, mixed, 0, [](dtype, real x, real y) -> real { return x >= y; }},
};
auto binary_function(int which) {
  return in_both_worlds(jig::dynamic_function(binary_rows[which].name, [which](auto x, auto y) {
    switch (which) {
      case add: return x + y;
      case subtract: return x - y;
      case multiply: return x * y;
      case divide: return x / y;
      case remainder_of: return x % y;
      case floordiv: return jig::floordiv(x, y);
      case floormod: return jig::floormod(x, y);
      case maximum: return jig::maximum(x, y);
      case minimum: return jig::minimum(x, y);
      case squared: return jig::squared_difference(x, y);
      case power: return jig::pow(x, y);
      case atan2: return jig::atan2(x, y);
      case fma_of: return jig::fma(x, y, x);
      case add_n: return jig::add_n(x, y, x);
      case choose: return jig::where(x < y, y, x);
      case bit_and: return x & y;
      case bit_or: return x | y;
      case bit_xor: return x ^ y;
      case left: return x << y;
      case right: return x >> y;
      case divide_safe: return jig::divide_no_nan(x, y);
      case multiply_safe: return jig::multiply_no_nan(x, y);
      case x_log_y: return jig::xlogy(x, y);
      case x_div_y: return jig::xdivy(x, y);
      case equal: return x == y;
      case not_equal: return x != y;
      case less: return x < y;
      case less_equal: return x <= y;
      case greater: return x > y;
      default: return x >= y;
    }
  }));
}

// clang-format off
enum unary { neg, abs_of, sign, square, reciprocal, sqrt, rsqrt, exp, expm1, log, log1p, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc, lgamma, digamma, floor, ceil, round, rint, trunc, relu, relu6, leaky, elu, selu, gelu, sigmoid, softplus, softsign, silu, clip, clip_value, log_sigmoid, identity, stop, invert, is_nan, is_inf, is_finite, unary_count };
// clang-format on
struct unary_row {
  const char* name;
  unsigned takes;
  real (*x)(integer);
  real tolerance;
  real (*reference)(real);
};
constexpr real selu_scale = 1.0507009873554804934193349852946L, selu_alpha = 1.6732632423543772848170429916717L;
// By its recurrence up to where the asymptotic series is exact.
real digamma_of(real x) {
  real sum = 0;
  for (; x < 20; x += 1) sum -= 1 / x;
  const real y = 1 / (x * x);
  return sum + std::log(x) - 1 / (2 * x) - y * (1 / 12.0L - y * (1 / 120.0L - y * (1 / 252.0L - y * (1 / 240.0L - y / 132.0L))));
}
constexpr unary_row unary_rows[unary_count] = {
    {"neg", numbers, large, 0, [](real x) { return -x; }},
    {"abs", numbers, whole, 0, [](real x) { return std::abs(x); }},
    {"sign", numbers, whole, 0, [](real x) -> real { return x > 0   ? 1
                                                            : x < 0 ? -1
                                                                    : 0; }},
    {"square", numbers, large, 1, [](real x) { return x * x; }},
    {"reciprocal", floats, positive, 4, [](real x) { return 1 / x; }},
    {"sqrt", floats, natural, 4, [](real x) { return std::sqrt(x); }},
    {"rsqrt", floats, positive, 4, [](real x) { return 1 / std::sqrt(x); }},
    {"exp", floats, mixed, 4, [](real x) { return std::exp(x); }},
    {"expm1", floats, mixed, 4, [](real x) { return std::expm1(x); }},
    {"log", floats, natural, 4, [](real x) { return std::log(x); }},
    {"log1p", floats, natural, 4, [](real x) { return std::log1p(x); }},
    {"sin", floats, mixed, 4, [](real x) { return std::sin(x); }},
    {"cos", floats, mixed, 4, [](real x) { return std::cos(x); }},
    {"tan", floats, unit, 4, [](real x) { return std::tan(x); }},
    {"asin", floats, unit, 4, [](real x) { return std::asin(x); }},
    {"acos", floats, unit, 4, [](real x) { return std::acos(x); }},
    {"atan", floats, mixed, 4, [](real x) { return std::atan(x); }},
    {"sinh", floats, mixed, 4, [](real x) { return std::sinh(x); }},
    {"cosh", floats, mixed, 4, [](real x) { return std::cosh(x); }},
    {"tanh", floats, mixed, 4, [](real x) { return std::tanh(x); }},
    {"asinh", floats, mixed, 4, [](real x) { return std::asinh(x); }},
    {"acosh", floats, positive, 4, [](real x) { return std::acosh(x); }},
    {"atanh", floats, unit, 4, [](real x) { return std::atanh(x); }},
    {"erf", floats, mixed, 4, [](real x) { return std::erf(x); }},
    {"erfc", floats, mixed, 4, [](real x) { return std::erfc(x); }},
    {"lgamma", floats, positive, 8, [](real x) { return std::lgamma(x); }},
    {"digamma", floats, positive, 8, digamma_of},
    {"floor", floats, mixed, 0, [](real x) { return std::floor(x); }},
    {"ceil", floats, mixed, 0, [](real x) { return std::ceil(x); }},
    {"round", floats, mixed, 0, [](real x) { return std::nearbyint(x); }},
    {"rint", floats, mixed, 0, [](real x) { return std::nearbyint(x); }},
    {"trunc", floats, mixed, 0, [](real x) { return std::trunc(x); }},
    {"relu", numbers, natural, 0, [](real x) { return larger(x, 0); }},
    {"relu6", numbers, natural, 0, [](real x) { return smaller(larger(x, 0), 6); }},
    {"leaky_relu", floats, mixed, 4, [](real x) { return x < 0 ? 0.2L * x : x; }},
    {"elu", floats, mixed, 4, [](real x) { return x < 0 ? std::expm1(x) : x; }},
    {"selu", floats, mixed, 4, [](real x) { return selu_scale * (x < 0 ? selu_alpha * std::expm1(x) : x); }},
    {"gelu", floats, mixed, 4, [](real x) { return x / 2 * std::erfc(-x / std::sqrt(2.0L)); }},
    {"sigmoid", floats, mixed, 4, [](real x) { return 1 / (1 + std::exp(-x)); }},
    {"softplus", floats, mixed, 4, [](real x) { return std::log1p(std::exp(x)); }},
    {"softsign", floats, mixed, 4, [](real x) { return x / (1 + std::abs(x)); }},
    {"silu", floats, mixed, 4, [](real x) { return x / (1 + std::exp(-x)); }},
    {"clip", numbers, natural, 0, [](real x) { return std::min<real>(std::max<real>(x, 1), 4); }},
    {"clip_by_value", numbers, natural, 0, [](real x) { return std::min<real>(std::max<real>(x, 1), 4); }},
    {"log_sigmoid", floats, mixed, 4, [](real x) { return -std::log1p(std::exp(-x)); }},
    {"identity", every, large, 0, [](real x) { return x; }},
    {"stop_gradient", every, large, 0, [](real x) { return x; }},
    {"~", integers, large, 0, [](real x) { return -x - 1; }},
    {"is_nan", floats, special, 0, [](real x) -> real { return std::isnan(x); }},
    {"is_inf", floats, special, 0, [](real x) -> real { return std::isinf(x); }},
    {"is_finite", floats, special, 0, [](real x) -> real { return std::isfinite(x); }},
};
auto unary_function(int which) {
  return in_both_worlds(jig::dynamic_function(unary_rows[which].name, [which](auto x) {
    switch (which) {
      case neg: return -x;
      case abs_of: return jig::abs(x);
      case sign: return jig::sign(x);
      case square: return jig::square(x);
      case reciprocal: return jig::reciprocal(x);
      case sqrt: return jig::sqrt(x);
      case rsqrt: return jig::rsqrt(x);
      case exp: return jig::exp(x);
      case expm1: return jig::expm1(x);
      case log: return jig::log(x);
      case log1p: return jig::log1p(x);
      case sin: return jig::sin(x);
      case cos: return jig::cos(x);
      case tan: return jig::tan(x);
      case asin: return jig::asin(x);
      case acos: return jig::acos(x);
      case atan: return jig::atan(x);
      case sinh: return jig::sinh(x);
      case cosh: return jig::cosh(x);
      case tanh: return jig::tanh(x);
      case asinh: return jig::asinh(x);
      case acosh: return jig::acosh(x);
      case atanh: return jig::atanh(x);
      case erf: return jig::erf(x);
      case erfc: return jig::erfc(x);
      case lgamma: return jig::lgamma(x);
      case digamma: return jig::digamma(x);
      case floor: return jig::floor(x);
      case ceil: return jig::ceil(x);
      case round: return jig::round(x);
      case rint: return jig::rint(x);
      case trunc: return jig::trunc(x);
      case relu: return jig::relu(x);
      case relu6: return jig::relu6(x);
      case leaky: return jig::leaky_relu(x);
      case elu: return jig::elu(x);
      case selu: return jig::selu(x);
      case gelu: return jig::gelu(x);
      case sigmoid: return jig::sigmoid(x);
      case softplus: return jig::softplus(x);
      case softsign: return jig::softsign(x);
      case silu: return jig::silu(x);
      case clip: return jig::clip(x, 1, 4);
      case clip_value: return jig::clip_by_value(x, 1, 4);
      case log_sigmoid: return jig::log_sigmoid(x);
      case identity: return jig::identity(x);
      case stop: return jig::stop_gradient(x);
      case invert: return ~x;
      case is_nan: return jig::is_nan(x);
      case is_inf: return jig::is_inf(x);
      default: return jig::is_finite(x);
    }
  }));
}

const std::pair<extents, extents> shape_pairs[] = {{{0}, {0}},       {{1}, {1}}, {{7}, {7}},    {{33}, {33}},
                                                   {{5, 1}, {1, 7}}, {{}, {7}},  {{0, 3}, {3}}, {{9, 4}, {9, 4}}};

}  // namespace

TEST_CASE("ops of two run-time tensors") {
  expect_many_traces();
  for (int which = 0; which < binary_count; ++which) {
    const binary_row& row = binary_rows[which];
    const auto f = binary_function(which);
    for (dtype d : all_dtypes) {
      const std::string op = std::string(row.name) + " of " + std::string(jig::name_of(d));
      CAPTURE(op);
      if (which == add && d == dtype::string) continue;
      if (!among(d, row.takes)) {
        const any_tensor x = tensor_of(d, made_with({3}, natural));
        CHECK(refuses([&] { f(x, x); }));
        continue;
      }
      for (const auto& [p, q] : shape_pairs) {
        const laid x(d, inputs(d, p, row.x)), y(d, inputs(d, q, row.y, 3));
        const values expected = values::build(joined(p, q), [&](const extents& at) { return row.reference(d, x.exact(at), y.exact(at)); });
        const dtype result = which >= equal ? dtype::boolean : d;
        CHECK(difference(f(x.dense, y.dense), result, expected, row.tolerance) == "");
        CHECK(difference(f(x.turned, y.dense), result, expected, row.tolerance) == "");
        CHECK(difference(f(x.turned, y.turned), result, expected, row.tolerance) == "");
      }
    }
  }
}

TEST_CASE("ops of one run-time tensor") {
  expect_many_traces();
  for (int which = 0; which < unary_count; ++which) {
    const unary_row& row = unary_rows[which];
    const auto f = unary_function(which);
    for (dtype d : all_dtypes) {
      const std::string op = std::string(row.name) + " of " + std::string(jig::name_of(d));
      CAPTURE(op);
      if (!among(d, row.takes)) {
        const any_tensor x = tensor_of(d, made_with({3}, natural));
        CHECK(refuses([&] { f(x); }));
        continue;
      }
      for (const extents& shape : {extents{0}, extents{}, extents{1}, extents{7}, extents{33}, extents{9, 4}}) {
        const laid x(d, inputs(d, shape, row.x));
        const values expected = values::build(shape, [&](const extents& at) { return row.reference(x.exact(at)); });
        const dtype result = which >= is_nan ? dtype::boolean : d;
        CHECK(difference(f(x.dense), result, expected, row.tolerance) == "");
        CHECK(difference(f(x.turned), result, expected, row.tolerance) == "");
      }
    }
  }
}

namespace {

// x along some axes, in order: from, then f of what there is and the next element.
template <class F>
values reduced(const values& x, std::vector<std::size_t> axes, bool keep, real from, F f) {
  if (axes.empty()) axes = {0, 1, 2};
  auto is_in = [&](std::size_t a) { return std::find(axes.begin(), axes.end(), a) != axes.end(); };
  extents kept = x.shape, whole = x.shape, out;
  for (std::size_t a = 0; a < kept.size(); ++a) {
    if (is_in(a)) kept[a] = 1;
    if (!is_in(a)) whole[a] = 1;
    if (!is_in(a) || keep) out.push_back(kept[a]);
  }
  values result = values::build(kept, [&](const extents& at) {
    real sum = from;
    values::build(whole, [&](extents inner) {
      for (std::size_t a = 0; a < inner.size(); ++a) inner[a] += at[a];
      sum = f(sum, x(inner));
      return sum;
    });
    return sum;
  });
  result.shape = out;
  return result;
}
template <class F>
values each(const values& x, F f) {
  values out = x;
  for (real& e : out.data) e = f(e);
  return out;
}
template <class F>
values each(const values& x, const values& y, F f) {
  return values::build(joined(x.shape, y.shape), [&](const extents& at) { return f(x(at), y(at)); });
}
real sum_of(real x, real y) { return x + y; }
values mean(const values& x, const std::vector<std::size_t>& axes, bool keep) {
  real n = 1;
  for (std::size_t a : axes) n *= static_cast<real>(x.shape[a]);
  return each(reduced(x, axes, keep, 0, sum_of), [n](real s) { return s / n; });
}
values variance(const values& x, const std::vector<std::size_t>& axes) {
  return mean(each(x, mean(x, axes, true), [](real a, real m) { return (a - m) * (a - m); }), axes, false);
}
values soft(const values& x, std::size_t axis) {
  const values e = each(x, [](real a) { return std::exp(a); });
  return each(e, reduced(e, {axis}, true, 0, sum_of), [](real a, real s) { return a / s; });
}
values root_of_squares(const values& x) {
  return each(reduced(x, {1}, true, 0, [](real n, real a) { return n + a * a; }), [](real n) { return std::sqrt(n); });
}
// Element `at` of the result is the one at f(at, extents of x).
template <class F>
values moved(const values& x, const extents& shape, F f) {
  return values::build(shape, [&](const extents& at) { return x(f(at)); });
}
// The positions along the last axis in the order of their elements.
values ordered(const values& x, bool down, bool positions) {
  const extents& s = x.shape;
  return values::build(s, [&](const extents& at) {
    std::vector<integer> order(static_cast<std::size_t>(s[2]));
    std::iota(order.begin(), order.end(), integer{0});
    auto value = [&](integer k) { return x({at[0], at[1], k}); };
    std::sort(order.begin(), order.end(), [&](integer p, integer q) {
      if (value(p) < value(q) || value(q) < value(p)) return down ? value(q) < value(p) : value(p) < value(q);
      return p < q;
    });
    const integer found = order[static_cast<std::size_t>(at[2])];
    return positions ? static_cast<real>(found) : value(found);
  });
}
values extreme(const values& x, real sign) {
  const extents& s = x.shape;
  return values::build({s[0], s[2]}, [&](const extents& at) {
    integer best = 0;
    for (integer k = 1; k < s[1]; ++k)
      if (sign * x({at[0], k, at[1]}) > sign * x({at[0], best, at[1]})) best = k;
    return static_cast<real>(best);
  });
}
values running(const values& x, real (*f)(real, real)) {
  values out = x;
  const auto row = static_cast<std::size_t>(x.shape[2]), block = row * static_cast<std::size_t>(x.shape[1]);
  for (std::size_t i = 0; i < out.data.size(); ++i)
    if (i % block >= row) out.data[i] = f(out.data[i - row], out.data[i]);
  return out;
}

// Every item along the second axis with all items as filters, zeros around it.
values convolved(const values& x) {
  const integer before = (x.shape[1] - 1) / 2;
  return values::build({x.shape[0], x.shape[1], x.shape[0]}, [&](const extents& at) {
    real s = 0;
    for (integer t = 0; t < x.shape[1]; ++t) {
      const integer from = at[1] + t - before;
      if (from < 0 || from >= x.shape[1]) continue;
      for (integer c = 0; c < x.shape[2]; ++c) s += x({at[0], from, c}) * x({at[2], t, c});
    }
    return s;
  });
}
values convolved_back(const values& x) {
  const integer before = (x.shape[1] - 1) / 2;
  return values::build({x.shape[0], x.shape[1], x.shape[0]}, [&](const extents& at) {
    real s = 0;
    for (integer t = 0; t < x.shape[1]; ++t) {
      const integer from = at[1] - t + before;
      if (from < 0 || from >= x.shape[1]) continue;
      for (integer c = 0; c < x.shape[2]; ++c) s += x({at[0], from, c}) * x({at[2], t, c});
    }
    return s;
  });
}
// Every channel of every item along the second axis with that channel of all items.
values convolved_by_channel(const values& x) {
  const integer before = (x.shape[1] - 1) / 2;
  return values::build({x.shape[0], x.shape[1], x.shape[2] * x.shape[0]}, [&](const extents& at) {
    const integer channel = at[2] / x.shape[0], filter = at[2] % x.shape[0];
    real s = 0;
    for (integer t = 0; t < x.shape[1]; ++t) {
      const integer from = at[1] + t - before;
      if (from >= 0 && from < x.shape[1]) s += x({at[0], from, channel}) * x({filter, t, channel});
    }
    return s;
  });
}

// Pairs of neighbours along the second axis, of which the last one may be alone: the larger one, or their mean.
values pooled(const values& x, bool mean) {
  return values::build({x.shape[0], (x.shape[1] + 1) / 2, x.shape[2]}, [&](const extents& at) {
    const real one = x({at[0], 2 * at[1], at[2]});
    if (2 * at[1] + 1 >= x.shape[1]) return one;
    const real other = x({at[0], 2 * at[1] + 1, at[2]});
    return mean ? (one + other) / 2 : one > other ? one : other;
  });
}

// Every row of an item is the mean of them all, weighted by the softmax of its products with them.
values attended(const values& x) {
  const auto dim = static_cast<real>(x.shape[2]);
  const values scores = values::build({x.shape[0], x.shape[1], x.shape[1]}, [&](const extents& at) {
    real s = 0;
    for (integer k = 0; k < x.shape[2]; ++k) s += x({at[0], at[1], k}) * x({at[0], at[2], k}) / std::sqrt(dim);
    return s;
  });
  const values part = soft(scores, 2);
  return values::build(x.shape, [&](const extents& at) {
    real s = 0;
    for (integer k = 0; k < x.shape[1]; ++k) s += part({at[0], at[1], k}) * x({at[0], k, at[2]});
    return s;
  });
}
// Two rows and two columns of every item.
values resized(const values& x, bool nearest) {
  return values::build({x.shape[0], 2, 2}, [&](const extents& at) {
    integer low[2], high[2];
    real weight[2];
    for (std::size_t a = 0; a < 2; ++a) {
      const integer n = x.shape[a + 1];
      const real middle = (static_cast<real>(at[a + 1]) + 0.5L) * static_cast<real>(n) / 2;
      const real place = nearest ? std::floor(middle) : std::min(std::max(middle - 0.5L, 0.0L), static_cast<real>(n - 1));
      low[a] = static_cast<integer>(place);
      high[a] = std::min(low[a] + 1, n - 1);
      weight[a] = place - static_cast<real>(low[a]);
    }
    real s = 0;
    for (int k = 0; k < 4; ++k) {
      const integer i = k / 2 ? high[0] : low[0], j = k % 2 ? high[1] : low[1];
      s += (k / 2 ? weight[0] : 1 - weight[0]) * (k % 2 ? weight[1] : 1 - weight[1]) * x({at[0], i, j});
    }
    return s;
  });
}

// clang-format off
enum whole_op { sum_all, sum_first, sum_last_kept, sum_two, mean_all, mean_middle, mean_last_kept, prod_all, prod_middle, max_all, max_first, max_last_kept, min_all, min_two, any_all, any_last, all_all, all_first_kept, logsumexp, variance_of, std_of, norm_of, softmax_last, softmax_first, log_softmax, argmax_of, argmin_of, cumsum_of, cumprod_of, sort_up, sort_down, argsort_of, transpose_all, transpose_some, flatten_of, reshape_of, expand, squeeze_of, concat_of, stack_of, tile_of, pad_of, reverse_all, reverse_middle, slice_of, matmul_of, matmul_b, matmul_a, conv_1, conv_2, conv_3, conv_1_back, conv_2_back, conv_3_back, depthwise_of, max_1, max_2, max_3, mean_1, mean_2, mean_3, moments_of, batch_moments_of, batch_norm_of, layer_norm_of, attention_of, resize_of, resize_near, resize_alike, einsum_of, to_float, to_double, to_half, to_int8, to_int64, to_uint16, to_bool, zeros_of, ones_of, nonzero_of, zero_part, l2_of, clip_norm_of, clip_global_of, shape_of_it, whole_count };
// clang-format on
struct whole_row {
  const char* name;
  unsigned takes;
  real (*x)(integer);
  int result;  // a dtype, or -1: that of the argument
  real tolerance;
  values (*reference)(const values&);
};
constexpr int as_given = -1, boolean = static_cast<int>(dtype::boolean), int64 = static_cast<int>(dtype::int64),
              int32 = static_cast<int>(dtype::int32);
real sign_only(integer i) { return i % 3 == 0 ? -1 : 1; }
real rarely(integer i) { return i % 5 == 3; }
real often(integer i) { return i % 5 != 3; }
const whole_row whole_rows[whole_count] = {
    {"reduce_sum", numbers, natural, as_given, 8, [](const values& x) { return reduced(x, {}, false, 0, sum_of); }},
    {"reduce_sum<0>", numbers, natural, as_given, 8, [](const values& x) { return reduced(x, {0}, false, 0, sum_of); }},
    {"reduce_sum<-1> keepdims", numbers, whole, as_given, 8, [](const values& x) { return reduced(x, {2}, true, 0, sum_of); }},
    {"reduce_sum<0, 2>", numbers, whole, as_given, 8, [](const values& x) { return reduced(x, {0, 2}, false, 0, sum_of); }},
    {"reduce_mean", numbers, mixed, as_given, 8, [](const values& x) { return mean(x, {0, 1, 2}, false); }},
    {"reduce_mean<1>", numbers, mixed, as_given, 8, [](const values& x) { return mean(x, {1}, false); }},
    {"reduce_mean<-1> keepdims", numbers, mixed, as_given, 8, [](const values& x) { return mean(x, {2}, true); }},
    {"reduce_prod", numbers, sign_only, as_given, 8,
     [](const values& x) { return reduced(x, {}, false, 1, [](real a, real b) { return a * b; }); }},
    {"reduce_prod<1>", numbers, sign_only, as_given, 8,
     [](const values& x) { return reduced(x, {1}, false, 1, [](real a, real b) { return a * b; }); }},
    {"reduce_max", numbers, whole, as_given, 0,
     [](const values& x) { return reduced(x, {}, false, -std::numeric_limits<real>::infinity(), larger); }},
    {"reduce_max<0>", numbers, whole, as_given, 0,
     [](const values& x) { return reduced(x, {0}, false, -std::numeric_limits<real>::infinity(), larger); }},
    {"reduce_max<-1> keepdims", numbers, whole, as_given, 0,
     [](const values& x) { return reduced(x, {2}, true, -std::numeric_limits<real>::infinity(), larger); }},
    {"reduce_min", numbers, whole, as_given, 0,
     [](const values& x) { return reduced(x, {}, false, std::numeric_limits<real>::infinity(), smaller); }},
    {"reduce_min<1, 2>", numbers, whole, as_given, 0,
     [](const values& x) { return reduced(x, {1, 2}, false, std::numeric_limits<real>::infinity(), smaller); }},
    {"reduce_any", bools, rarely, boolean, 0, [](const values& x) { return reduced(x, {}, false, 0, larger); }},
    {"reduce_any<-1>", bools, rarely, boolean, 0, [](const values& x) { return reduced(x, {2}, false, 0, larger); }},
    {"reduce_all", bools, often, boolean, 0, [](const values& x) { return reduced(x, {}, false, 1, smaller); }},
    {"reduce_all<0> keepdims", bools, often, boolean, 0, [](const values& x) { return reduced(x, {0}, true, 1, smaller); }},
    {"reduce_logsumexp<1>", floats, unit, as_given, 8,
     [](const values& x) {
       return each(reduced(each(x, [](real a) { return std::exp(a); }), {1}, false, 0, sum_of), [](real a) { return std::log(a); });
     }},
    {"reduce_variance<1>", floats, unit, as_given, 8, [](const values& x) { return variance(x, {1}); }},
    {"reduce_std<2>", floats, unit, as_given, 16,
     [](const values& x) { return each(variance(x, {2}), [](real a) { return std::sqrt(a); }); }},
    {"norm<1>", floats, unit, as_given, 8,
     [](const values& x) {
       return each(reduced(x, {1}, false, 0, [](real s, real a) { return s + a * a; }), [](real a) { return std::sqrt(a); });
     }},
    {"softmax", floats, mixed, as_given, 8, [](const values& x) { return soft(x, 2); }},
    {"softmax<0>", floats, mixed, as_given, 8, [](const values& x) { return soft(x, 0); }},
    {"log_softmax<1>", floats, mixed, as_given, 8, [](const values& x) { return each(soft(x, 1), [](real a) { return std::log(a); }); }},
    {"argmax<1>", numbers | bools, whole, int64, 0, [](const values& x) { return extreme(x, 1); }},
    {"argmin<1>", numbers | bools, whole, int64, 0, [](const values& x) { return extreme(x, -1); }},
    {"cumsum<1>", numbers, natural, as_given, 32, [](const values& x) { return running(x, sum_of); }},
    {"cumprod<1>", numbers, sign_only, as_given, 8, [](const values& x) { return running(x, [](real a, real b) { return a * b; }); }},
    {"sort", every, whole, as_given, 0, [](const values& x) { return ordered(x, false, false); }},
    {"sort descending", every, whole, as_given, 0, [](const values& x) { return ordered(x, true, false); }},
    {"argsort", every, whole, int32, 0, [](const values& x) { return ordered(x, false, true); }},
    {"transpose", every, large, as_given, 0,
     [](const values& x) {
       return moved(x, {x.shape[2], x.shape[1], x.shape[0]}, [](const extents& at) { return extents{at[2], at[1], at[0]}; });
     }},
    {"transpose<1, 2, 0>", every, large, as_given, 0,
     [](const values& x) {
       return moved(x, {x.shape[1], x.shape[2], x.shape[0]}, [](const extents& at) { return extents{at[2], at[0], at[1]}; });
     }},
    {"flatten", every, large, as_given, 0, [](const values& x) { return values{{product(x.shape)}, x.data}; }},
    {"reshape_like", every, large, as_given, 0, [](const values& x) { return values{{x.shape[2], x.shape[1], x.shape[0]}, x.data}; }},
    {"expand_dims<1>", every, large, as_given, 0, [](const values& x) { return values{{x.shape[0], 1, x.shape[1], x.shape[2]}, x.data}; }},
    {"squeeze<1> of expand_dims<1>", every, large, as_given, 0, [](const values& x) { return x; }},
    {"concat<1>", every, large, as_given, 0,
     [](const values& x) {
       return moved(x, {x.shape[0], 2 * x.shape[1], x.shape[2]},
                    [&](const extents& at) { return extents{at[0], at[1] % x.shape[1], at[2]}; });
     }},
    {"stack<-1>", every, large, as_given, 0,
     [](const values& x) {
       return moved(x, {x.shape[0], x.shape[1], x.shape[2], 2}, [](const extents& at) { return extents{at[0], at[1], at[2]}; });
     }},
    {"tile<2, 1, 3>", every, large, as_given, 0,
     [](const values& x) {
       return moved(x, {2 * x.shape[0], x.shape[1], 3 * x.shape[2]},
                    [&](const extents& at) { return extents{at[0] % x.shape[0], at[1], at[2] % x.shape[2]}; });
     }},
    {"pad<1, 2, 0, 0, 0, 1>", numbers | bools, large, as_given, 0,
     [](const values& x) {
       return values::build({x.shape[0] + 3, x.shape[1], x.shape[2] + 1}, [&](const extents& at) {
         return at[0] < 1 || at[0] > x.shape[0] || at[2] >= x.shape[2] ? 0 : x({at[0] - 1, at[1], at[2]});
       });
     }},
    {"reverse", every, large, as_given, 0,
     [](const values& x) {
       return moved(x, x.shape,
                    [&](const extents& at) { return extents{x.shape[0] - 1 - at[0], x.shape[1] - 1 - at[1], x.shape[2] - 1 - at[2]}; });
     }},
    {"reverse<1>", every, large, as_given, 0,
     [](const values& x) { return moved(x, x.shape, [&](const extents& at) { return extents{at[0], x.shape[1] - 1 - at[1], at[2]}; }); }},
    {"strided_slice<all, range_of(0, 1)>", every, large, as_given, 0,
     [](const values& x) { return moved(x, {x.shape[0], 1, x.shape[2]}, [](const extents& at) { return at; }); }},
    {"matmul of a transposed", numbers, whole, as_given, 8,
     [](const values& x) {
       return values::build({x.shape[0], x.shape[1], x.shape[1]}, [&](const extents& at) {
         real s = 0;
         for (integer k = 0; k < x.shape[2]; ++k) s += x({at[0], at[1], k}) * x({at[0], at[2], k});
         return s;
       });
     }},
    {"matmul transpose_b", numbers, whole, as_given, 8, [](const values& x) { return whole_rows[matmul_of].reference(x); }},
    {"matmul transpose_a", numbers, whole, as_given, 8,
     [](const values& x) {
       return values::build({x.shape[0], x.shape[2], x.shape[2]}, [&](const extents& at) {
         real s = 0;
         for (integer k = 0; k < x.shape[1]; ++k) s += x({at[0], k, at[1]}) * x({at[0], k, at[2]});
         return s;
       });
     }},
    {"conv1d", floats, whole, as_given, 8, [](const values& x) { return convolved(x); }},
    {"conv2d", floats, whole, as_given, 8, [](const values& x) { return convolved(x); }},
    {"conv3d", floats, whole, as_given, 8, [](const values& x) { return convolved(x); }},
    {"conv1d_transpose", floats, whole, as_given, 8, [](const values& x) { return convolved_back(x); }},
    {"conv2d_transpose", floats, whole, as_given, 8, [](const values& x) { return convolved_back(x); }},
    {"conv3d_transpose", floats, whole, as_given, 8, [](const values& x) { return convolved_back(x); }},
    {"depthwise_conv2d", floats, whole, as_given, 8, [](const values& x) { return convolved_by_channel(x); }},
    {"max_pool1d<2>", numbers, natural, as_given, 0, [](const values& x) { return pooled(x, false); }},
    {"max_pool2d<2, 1>", numbers, natural, as_given, 0, [](const values& x) { return pooled(x, false); }},
    {"max_pool3d<1, 1, 2>", numbers, natural, as_given, 0, [](const values& x) { return pooled(x, false); }},
    {"avg_pool1d<2>", floats, natural, as_given, 8, [](const values& x) { return pooled(x, true); }},
    {"avg_pool2d<2, 1>", floats, natural, as_given, 8, [](const values& x) { return pooled(x, true); }},
    {"avg_pool3d<1, 1, 2>", floats, natural, as_given, 8, [](const values& x) { return pooled(x, true); }},
    {"moments<1>", numbers, unit, as_given, 8, [](const values& x) { return variance(x, {1}); }},
    {"batch_moments", numbers, unit, as_given, 8, [](const values& x) { return variance(x, {0, 1}); }},
    {"batch_norm", floats, unit, as_given, 8,
     [](const values& x) { return each(x, [](real a) { return (a - a / 2) * 2 / std::sqrt(1 + 3.0L) + a; }); }},
    {"layer_norm", floats, unit, as_given, 64,
     [](const values& x) {
       const values m = reduced(x, {2}, true, 0, sum_of), v = variance(x, {2});
       return values::build(x.shape, [&](const extents& at) {
         return (x(at) - m({at[0], at[1], 0}) / static_cast<real>(x.shape[2])) / std::sqrt(v({at[0], at[1]}) + 1e-3L);
       });
     }},
    {"dot_product_attention", floats, unit, as_given, 16, [](const values& x) { return attended(x); }},
    {"resize<2, 2>", floats, natural, as_given, 8, [](const values& x) { return resized(x, false); }},
    {"resize<2, 2> nearest", every, natural, as_given, 0, [](const values& x) { return resized(x, true); }},
    {"resize_like", floats, natural, as_given, 8, [](const values& x) { return x; }},
    {"einsum<ijk,ijl->kl>", numbers, natural, as_given, 8,
     [](const values& x) {
       return values::build({x.shape[2], x.shape[2]}, [&](const extents& at) {
         real s = 0;
         for (integer i = 0; i < x.shape[0]; ++i)
           for (integer j = 0; j < x.shape[1]; ++j) s += x({i, j, at[0]}) * x({i, j, at[1]});
         return s;
       });
     }},
    {"cast<float>", numbers | bools, large, static_cast<int>(dtype::float32), 0, [](const values& x) { return x; }},
    {"cast<double>", numbers | bools, large, static_cast<int>(dtype::float64), 0, [](const values& x) { return x; }},
    {"cast<half>", numbers | bools, large, static_cast<int>(dtype::float16), 0, [](const values& x) { return x; }},
    {"cast<int8>", numbers | bools, natural, static_cast<int>(dtype::int8), 0, [](const values& x) { return x; }},
    {"cast<int64>", numbers | bools, large, int64, 0, [](const values& x) { return x; }},
    {"cast<uint16>", numbers | bools, natural, static_cast<int>(dtype::uint16), 0, [](const values& x) { return x; }},
    {"cast<bool>", numbers | bools, mixed, boolean, 0, [](const values& x) { return each(x, [](real a) -> real { return a != 0; }); }},
    {"zeros_like", numbers | bools, large, as_given, 0, [](const values& x) { return each(x, [](real) -> real { return 0; }); }},
    {"ones_like", numbers | bools, large, as_given, 0, [](const values& x) { return each(x, [](real) -> real { return 1; }); }},
    {"count_nonzero<1>", numbers | bools, whole, int64, 0,
     [](const values& x) { return reduced(x, {1}, false, 0, [](real n, real a) { return n + (a != 0); }); }},
    {"zero_fraction", numbers | bools, whole, static_cast<int>(dtype::float32), 1,
     [](const values& x) { return mean(each(x, [](real a) -> real { return a == 0; }), {0, 1, 2}, false); }},
    {"l2_normalize<1>", floats, unit, as_given, 16, [](const values& x) { return each(x, root_of_squares(x), [](real a, real n) { return a / n; }); }},
    {"clip_by_norm<1>", floats, unit, as_given, 16,
     [](const values& x) { return each(x, root_of_squares(x), [](real a, real n) { return n > 0.5L ? a / n / 2 : a; }); }},
    {"clip_by_global_norm", floats, unit, as_given, 16,
     [](const values& x) {
       const values all = reduced(x, {}, false, 0, [](real n, real a) { return n + a * a; });
       return each(x, [&](real a) { return a * std::min(1.0L, 0.5L / std::sqrt(all.data[0])); });
     }},
    {"shape_of", every, large, int32, 0,
     [](const values&
            x) { return values{{3}, {static_cast<real>(x.shape[0]), static_cast<real>(x.shape[1]), static_cast<real>(x.shape[2])}}; }},
};
auto whole_function(int which) {
  return in_both_worlds(jig::dynamic_function(whole_rows[which].name, [which](auto x) {
    switch (which) {
      case sum_all: return jig::reduce_sum(x);
      case sum_first: return jig::reduce_sum<0>(x);
      case sum_last_kept: return jig::reduce_sum<-1>(x, jig::keepdims);
      case sum_two: return jig::reduce_sum<0, 2>(x);
      case mean_all: return jig::reduce_mean(x);
      case mean_middle: return jig::reduce_mean<1>(x);
      case mean_last_kept: return jig::reduce_mean<-1>(x, jig::keepdims);
      case prod_all: return jig::reduce_prod(x);
      case prod_middle: return jig::reduce_prod<1>(x);
      case max_all: return jig::reduce_max(x);
      case max_first: return jig::reduce_max<0>(x);
      case max_last_kept: return jig::reduce_max<-1>(x, jig::keepdims);
      case min_all: return jig::reduce_min(x);
      case min_two: return jig::reduce_min<1, 2>(x);
      case any_all: return jig::reduce_any(x);
      case any_last: return jig::reduce_any<-1>(x);
      case all_all: return jig::reduce_all(x);
      case all_first_kept: return jig::reduce_all<0>(x, jig::keepdims);
      case logsumexp: return jig::reduce_logsumexp<1>(x);
      case variance_of: return jig::reduce_variance<1>(x);
      case std_of: return jig::reduce_std<2>(x);
      case norm_of: return jig::norm<1>(x);
      case softmax_last: return jig::softmax(x);
      case softmax_first: return jig::softmax<0>(x);
      case log_softmax: return jig::log_softmax<1>(x);
      case argmax_of: return jig::argmax<1>(x);
      case argmin_of: return jig::argmin<1>(x);
      case cumsum_of: return jig::cumsum<1>(x);
      case cumprod_of: return jig::cumprod<1>(x);
      case sort_up: return jig::sort(x);
      case sort_down: return jig::sort(x, jig::descending);
      case argsort_of: return jig::argsort(x);
      case transpose_all: return jig::transpose<2, 1, 0>(x);
      case transpose_some: return jig::transpose<1, 2, 0>(x);
      case flatten_of: return jig::flatten(x);
      case reshape_of: return jig::reshape_like(x, jig::transpose<2, 1, 0>(x));
      case expand: return jig::expand_dims<1>(x);
      case squeeze_of: return jig::squeeze<1>(jig::expand_dims<1>(x));
      case concat_of: return jig::concat<1>(x, x);
      case stack_of: return jig::stack<-1>(x, x);
      case tile_of: return jig::tile<2, 1, 3>(x);
      case pad_of: return jig::pad<1, 2, 0, 0, 0, 1>(x);
      case reverse_all: return jig::reverse(x);
      case reverse_middle: return jig::reverse<1>(x);
      case slice_of: return jig::strided_slice<jig::all, jig::range_of(0, 1)>(x);
      case matmul_of: return jig::matmul(x, jig::transpose<0, 2, 1>(x));
      case matmul_b: return jig::matmul(x, x, jig::transpose_b);
      case matmul_a: return jig::matmul(x, x, jig::transpose_a);
      case conv_1: return jig::conv1d(x, jig::transpose<1, 2, 0>(x), jig::same_padding);
      case conv_2:
        return jig::squeeze<2>(jig::conv2d(jig::expand_dims<2>(x), jig::expand_dims<1>(jig::transpose<1, 2, 0>(x)), jig::same_padding));
      case conv_3:
        return jig::squeeze<1, 2>(jig::conv3d(jig::expand_dims<1>(jig::expand_dims<1>(x)),
                                              jig::expand_dims<0>(jig::expand_dims<0>(jig::transpose<1, 2, 0>(x))), jig::same_padding));
      case conv_1_back: return jig::conv1d_transpose(x, jig::transpose<1, 0, 2>(x), jig::same_padding);
      case conv_2_back:
        return jig::squeeze<2>(
            jig::conv2d_transpose(jig::expand_dims<2>(x), jig::expand_dims<1>(jig::transpose<1, 0, 2>(x)), jig::same_padding));
      case conv_3_back:
        return jig::squeeze<1, 2>(jig::conv3d_transpose(jig::expand_dims<1>(jig::expand_dims<1>(x)),
                                                        jig::expand_dims<0>(jig::expand_dims<0>(jig::transpose<1, 0, 2>(x))),
                                                        jig::same_padding));
      case depthwise_of:
        return jig::squeeze<2>(
            jig::depthwise_conv2d(jig::expand_dims<2>(x), jig::expand_dims<1>(jig::transpose<1, 2, 0>(x)), jig::same_padding));
      case max_1: return jig::max_pool1d<2>(x, jig::same_padding);
      case max_2: return jig::squeeze<2>(jig::max_pool2d<2, 1>(jig::expand_dims<2>(x), jig::same_padding));
      case max_3: return jig::squeeze<1, 2>(jig::max_pool3d<1, 1, 2>(jig::expand_dims<1>(jig::expand_dims<1>(x)), jig::same_padding));
      case mean_1: return jig::avg_pool1d<2>(x, jig::same_padding);
      case mean_2: return jig::squeeze<2>(jig::avg_pool2d<2, 1>(jig::expand_dims<2>(x), jig::same_padding));
      case mean_3: return jig::squeeze<1, 2>(jig::avg_pool3d<1, 1, 2>(jig::expand_dims<1>(jig::expand_dims<1>(x)), jig::same_padding));
      case moments_of: return std::get<1>(jig::moments<1>(x));
      case batch_moments_of: return std::get<1>(jig::batch_moments(x));
      case batch_norm_of: return jig::batch_norm(x, x * 0.5, jig::ones_like(x), x, jig::full_like(x, 2), 3.0);
      case layer_norm_of: return jig::layer_norm(x);
      case attention_of: {
        auto one = jig::expand_dims<2>(x);
        return jig::squeeze<2>(jig::dot_product_attention(one, one, one));
      }
      case resize_of: return jig::squeeze<3>(jig::resize<2, 2>(jig::expand_dims<3>(x)));
      case resize_near: return jig::squeeze<3>(jig::resize<2, 2>(jig::expand_dims<3>(x), jig::nearest));
      case resize_alike: return jig::squeeze<3>(jig::resize_like(jig::expand_dims<3>(x), jig::expand_dims<3>(x)));
      case einsum_of: return jig::einsum<"ijk,ijl->kl">(x, x);
      case to_float: return jig::cast<float>(x);
      case to_double: return jig::cast<double>(x);
      case to_half: return jig::cast<jig::half>(x);
      case to_int8: return jig::cast<std::int8_t>(x);
      case to_int64: return jig::cast<std::int64_t>(x);
      case to_uint16: return jig::cast<std::uint16_t>(x);
      case to_bool: return jig::cast<bool>(x);
      case zeros_of: return jig::zeros_like(x);
      case ones_of: return jig::ones_like(x);
      case nonzero_of: return jig::count_nonzero<1>(x);
      case zero_part: return jig::zero_fraction(x);
      case l2_of: return jig::l2_normalize<1>(x);
      case clip_norm_of: return jig::clip_by_norm<1>(x, 0.5);
      case clip_global_of: return jig::clip_by_global_norm(x, 0.5);
      default: return jig::shape_of(x);
    }
  }));
}

}  // namespace

TEST_CASE("reductions, products, orders and shapes of run-time tensors") {
  expect_many_traces();
  for (int which = 0; which < whole_count; ++which) {
    const whole_row& row = whole_rows[which];
    const auto f = whole_function(which);
    for (dtype d : all_dtypes) {
      const std::string op = std::string(row.name) + " of " + std::string(jig::name_of(d));
      CAPTURE(op);
      // Of these there are values, but none that the reference could make.
      if (((which == variance_of || which == moments_of || which == batch_moments_of) && jig::is_integer(d)) ||
          (which == zeros_of && d == dtype::string))
        continue;
      if (!among(d, row.takes)) {
        const any_tensor x = tensor_of(d, made_with({2, 3, 4}, natural));
        CHECK(refuses([&] { f(x); }));
        continue;
      }
      for (const extents& shape : {extents{2, 3, 4}, extents{1, 1, 1}, extents{1, 33, 1}, extents{3, 7, 5}, extents{0, 3, 4}}) {
        // The mean of no integers and the lowest of them are no matter of this table.
        const bool of_nothing = shape[0] == 0 && ((which >= max_all && which <= min_two) || which == mean_all) && !jig::is_floating(d);
        if (of_nothing) continue;
        const laid x(d, inputs(d, shape, row.x));
        const values expected = row.reference(x.exact);
        const dtype result = row.result == as_given ? d : static_cast<dtype>(row.result);
        CHECK(difference(f(x.dense), result, expected, row.tolerance) == "");
        CHECK(difference(f(x.turned), result, expected, row.tolerance) == "");
      }
    }
  }
}

namespace {

any_tensor numbers_of(dtype d, const extents& shape, std::vector<real> data) { return tensor_of(d, {shape, std::move(data)}); }

// clang-format off
enum picked { gather_rows, gather_columns, gather_batch, gather_nd_of, scatter_nd_of, scatter_update, scatter_add, set_row_of, slice_from, mask_rows, mask_elements, unique_values, unique_positions, top_values, top_positions, split_second, unstack_last, element_of, trace_of, diag_of, diag_part_of, outer_of, dot_of, broadcast_of, broadcast_like_of, reshape_to, update_of, tensordot_of, full_of, eye_of, embedding_of, one_hot_of, segment_sum_of, segment_max_of, segment_min_of, segment_mean_of, bincount_of, weighted_bincount_of, histogram_of, roll_of, roll_known_of, repeat_of, meshgrid_of, band_of, set_diag_of, cross_of, mask_of, polyval_of, to_depth_of, to_space_of, inverse_of, search_of, search_right_of, bucketize_of, solve_of, cholesky_solve_of, inv_of, det_of, picked_count };
// clang-format on
struct picked_row {
  const char* name;
  extents x;
  extents i;
  std::vector<real> at;
  int result;
  values expected;
};
const picked_row picked_rows[picked_count] = {
    {"gather", {3, 2}, {4}, {2, 0, 0, 1}, as_given, {{4, 2}, {4, 5, 0, 1, 0, 1, 2, 3}}},
    {"gather<1>", {2, 3}, {2}, {2, 0}, as_given, {{2, 2}, {2, 0, 5, 3}}},
    {"gather<1, 1>", {2, 3}, {2, 2}, {2, 0, 1, 1}, as_given, {{2, 2}, {2, 0, 4, 4}}},
    {"gather_nd", {2, 3}, {2, 2}, {1, 2, 0, 1}, as_given, {{2}, {5, 1}}},
    {"scatter_nd<4, 2>", {3, 2}, {3, 1}, {1, 3, 1}, as_given, {{4, 2}, {0, 0, 4, 6, 0, 0, 2, 3}}},
    {"tensor_scatter_update", {3, 2}, {1, 1}, {1}, as_given, {{3, 2}, {0, 1, 0, 1, 4, 5}}},
    {"tensor_scatter_add", {3, 2}, {2, 1}, {2, 2}, as_given, {{3, 2}, {0, 1, 2, 3, 6, 9}}},
    {"set_row", {3, 2}, {}, {2}, as_given, {{3, 2}, {0, 1, 2, 3, 0, 1}}},
    {"slice<2, 2>", {3, 3}, {2}, {1, 0}, as_given, {{2, 2}, {3, 4, 6, 7}}},
    {"boolean_mask of rows", {3, 2}, {3}, {1, 0, 2}, as_given, {{2, 2}, {0, 1, 4, 5}}},
    {"boolean_mask", {2, 2}, {2, 2}, {0, 1, 0, 1}, as_given, {{2}, {1, 3}}},
    {"unique", {2}, {5}, {3, 1, 3, 2, 1}, int32, {{3}, {3, 1, 2}}},
    {"positions of unique", {2}, {5}, {3, 1, 3, 2, 1}, int32, {{5}, {0, 1, 0, 2, 1}}},
    {"top_k<2>", {2, 3}, {}, {0}, as_given, {{2, 2}, {2, 1, 5, 4}}},
    {"positions of top_k<2>", {2, 3}, {}, {0}, int32, {{2, 2}, {2, 1, 2, 1}}},
    {"split<2, 1>", {2, 4}, {}, {0}, as_given, {{2, 2}, {2, 3, 6, 7}}},
    {"unstack<1>", {2, 3}, {}, {0}, as_given, {{2}, {2, 5}}},
    {"element", {3, 2}, {}, {1}, as_given, {{2}, {2, 3}}},
    {"matrix_trace", {3, 3}, {}, {0}, as_given, {{}, {12}}},
    {"diag", {3}, {}, {0}, as_given, {{3, 3}, {0, 0, 0, 0, 1, 0, 0, 0, 2}}},
    {"diag_part", {3, 3}, {}, {0}, as_given, {{3}, {0, 4, 8}}},
    {"outer", {3}, {}, {0}, as_given, {{3, 3}, {0, 0, 0, 0, 1, 2, 0, 2, 4}}},
    {"dot", {4}, {}, {0}, as_given, {{}, {14}}},
    {"broadcast_to<2, 3>", {3}, {}, {0}, as_given, {{2, 3}, {0, 1, 2, 0, 1, 2}}},
    {"broadcast_like", {3}, {}, {0}, as_given, {{3, 3}, {0, 1, 2, 0, 1, 2, 0, 1, 2}}},
    {"reshape<3, infer>", {2, 3}, {}, {0}, as_given, {{3, 2}, {0, 1, 2, 3, 4, 5}}},
    {"slice_update<1, 2>", {3, 2}, {2}, {1, 0}, as_given, {{3, 2}, {0, 1, 0, 1, 4, 5}}},
    {"tensordot<1>", {3, 3}, {}, {0}, as_given, {{3, 3}, {15, 18, 21, 42, 54, 66, 69, 90, 111}}},
    {"full_like", {2, 2}, {}, {0}, as_given, {{2, 2}, {3, 3, 3, 3}}},
    {"eye_like", {2, 2}, {}, {0}, as_given, {{2, 2}, {1, 0, 0, 1}}},
    {"embedding_lookup", {3, 2}, {2, 2}, {2, 0, 0, 1}, as_given, {{2, 2, 2}, {4, 5, 0, 1, 0, 1, 2, 3}}},
    {"one_hot<4>", {1}, {3}, {0, 3, 9}, static_cast<int>(dtype::float32), {{3, 4}, {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}}},
    {"unsorted_segment_sum<3>", {4, 2}, {4}, {2, 0, -1, 2}, as_given, {{3, 2}, {2, 3, 0, 0, 6, 8}}},
    {"unsorted_segment_max<2>", {4, 2}, {4}, {1, 0, -1, 1}, as_given, {{2, 2}, {2, 3, 6, 7}}},
    {"unsorted_segment_min<2>", {4, 2}, {4}, {1, 0, -1, 1}, as_given, {{2, 2}, {2, 3, 0, 1}}},
    {"unsorted_segment_mean<3>", {4, 2}, {4}, {2, 0, -1, 2}, static_cast<int>(dtype::float32), {{3, 2}, {2, 3, 0, 0, 3, 4}}},
    {"bincount<4>", {1}, {5}, {3, 1, 3, 0, 7}, int32, {{4}, {1, 1, 0, 2}}},
    {"bincount<4> of weights", {5}, {5}, {3, 1, 3, 0, 7}, as_given, {{4}, {3, 1, 0, 2}}},
    {"histogram_fixed_width<4>", {1}, {5}, {-3, 0, 1, 9, 2}, int32, {{4}, {2, 1, 1, 1}}},
    {"roll<0>", {4}, {}, {-5}, as_given, {{4}, {1, 2, 3, 0}}},
    {"roll<-1, 1>", {2, 3}, {}, {0}, as_given, {{2, 3}, {1, 2, 0, 4, 5, 3}}},
    {"repeat<2, 1>", {2, 2}, {}, {0}, as_given, {{2, 4}, {0, 0, 1, 1, 2, 2, 3, 3}}},
    {"meshgrid", {3}, {2}, {7, 8}, as_given, {{2, 3}, {0, 1, 2, 0, 1, 2}}},
    {"band_part", {3, 3}, {}, {1}, as_given, {{3, 3}, {0, 1, 0, 0, 4, 5, 0, 0, 8}}},
    {"set_diag", {3, 2}, {}, {0}, as_given, {{3, 2}, {0, 1, 2, 1, 4, 5}}},
    {"cross", {3}, {}, {0}, as_given, {{3}, {2, 0, 0}}},
    {"sequence_mask<3>", {1}, {2}, {1, 3}, boolean, {{2, 3}, {1, 0, 0, 1, 1, 1}}},
    {"polyval", {3}, {}, {0}, as_given, {{3}, {3, 6, 11}}},
    {"space_to_depth<2>", {1, 2, 4, 1}, {}, {0}, as_given, {{1, 1, 2, 4}, {0, 1, 4, 5, 2, 3, 6, 7}}},
    {"depth_to_space<2>", {1, 1, 2, 4}, {}, {0}, as_given, {{1, 2, 4, 1}, {0, 1, 4, 5, 2, 3, 6, 7}}},
    {"invert_permutation", {1}, {3}, {2, 0, 1}, int32, {{3}, {1, 2, 0}}},
    {"searchsorted", {4}, {}, {0}, int32, {{4}, {0, 1, 2, 3}}},
    {"searchsorted right", {2, 4}, {}, {0}, int32, {{2, 4}, {1, 2, 3, 4, 1, 2, 3, 4}}},
    {"bucketize", {2, 2}, {}, {0}, int32, {{2, 2}, {1, 2, 2, 2}}},
    {"solve", {2, 2}, {}, {0}, static_cast<int>(dtype::float32), {{2, 2}, {1, 0, 0, 1}}},
    {"cholesky_solve", {2, 2}, {}, {0}, static_cast<int>(dtype::float32), {{2, 2}, {-.25, .875, .125, .0625}}},
    {"inv", {2, 2}, {}, {0}, static_cast<int>(dtype::float32), {{2, 2}, {-1.5, .5, 1, 0}}},
    {"det", {2, 2}, {}, {0}, static_cast<int>(dtype::float32), {{}, {-2}}},
};
auto picked_function(int which) {
  return in_both_worlds(jig::dynamic_function(picked_rows[which].name, [which](auto x, auto i) {
    switch (which) {
      case gather_rows: return jig::gather(x, i);
      case gather_columns: return jig::gather<1>(x, i);
      case gather_batch: return jig::gather<1, 1>(x, i);
      case gather_nd_of: return jig::gather_nd(x, i);
      case scatter_nd_of: return jig::scatter_nd<4, 2>(i, x);
      case scatter_update: return jig::tensor_scatter_update(x, i, jig::expand_dims<0>(x[0]));
      case scatter_add: return jig::tensor_scatter_add(x, i, jig::gather(x, i[0] * 0 + jig::tensor<int, 2>{0, 1}));
      case set_row_of: return jig::set_row(x, i, x[0]);
      case slice_from: return jig::slice<2, 2>(x, i);
      case mask_rows: return jig::boolean_mask(x, i != 0);
      case mask_elements: return jig::boolean_mask(x, i > 0);
      case unique_values: return std::get<0>(jig::unique(i));
      case unique_positions: return std::get<1>(jig::unique(i));
      case top_values: return std::get<0>(jig::top_k<2>(x));
      case top_positions: return std::get<1>(jig::top_k<2>(x));
      case split_second: return std::get<1>(jig::split<2, 1>(x));
      case unstack_last: return jig::unstack<1>(x)[2];
      case element_of: return jig::element(x, i);
      case trace_of: return jig::matrix_trace(x);
      case diag_of: return jig::diag(x);
      case diag_part_of: return jig::diag_part(x);
      case outer_of: return jig::outer(x, x);
      case dot_of: return jig::dot(x, x);
      case broadcast_of: return jig::broadcast_to<2, 3>(x);
      case broadcast_like_of: return jig::broadcast_like(x, jig::outer(x, x));
      case reshape_to: return jig::reshape<3, jig::infer>(x);
      case update_of: return jig::slice_update<1, 2>(x, i, jig::strided_slice<jig::range_of(0, 1)>(x));
      case tensordot_of: return jig::tensordot<1>(x, x);
      case full_of: return jig::full_like(x, 3);
      case eye_of: return jig::eye_like(x);
      case embedding_of: return jig::embedding_lookup(x, i);
      case segment_sum_of: return jig::unsorted_segment_sum<3>(x, i);
      case segment_max_of: return jig::unsorted_segment_max<2>(x, i);
      case segment_min_of: return jig::unsorted_segment_min<2>(x, i);
      case segment_mean_of: return jig::unsorted_segment_mean<3>(jig::cast<float>(x), i);
      case bincount_of: return jig::bincount<4>(i);
      case weighted_bincount_of: return jig::bincount<4>(i, x);
      case histogram_of: return jig::histogram_fixed_width<4>(jig::cast<float>(i), 0.0, 4.0);
      case roll_of: return jig::roll<0>(x, i);
      case roll_known_of: return jig::roll<-1, 1>(x);
      case repeat_of: return jig::repeat<2, 1>(x);
      case meshgrid_of: return std::get<0>(jig::meshgrid(x, i));
      case band_of: return jig::band_part(x, 0, i);
      case set_diag_of: return jig::set_diag(x, x[0]);
      case cross_of: return jig::cross(x, x * x);
      case mask_of: return jig::sequence_mask<3>(i);
      case polyval_of: return jig::polyval(1, 2, 3, x);
      case to_depth_of: return jig::space_to_depth<2>(x);
      case to_space_of: return jig::depth_to_space<2>(x);
      case inverse_of: return jig::invert_permutation(i);
      case search_of: return jig::searchsorted(x, x);
      case search_right_of: return jig::searchsorted<"right">(x, x);
      case bucketize_of: return jig::bucketize(x, x[0]);
      case solve_of: return jig::solve(jig::cast<float>(x), jig::cast<float>(x));
      case cholesky_solve_of: return jig::cholesky_solve(jig::cast<float>(x) + jig::eye_like(jig::cast<float>(x)), jig::cast<float>(x));
      case inv_of: return jig::inv(jig::cast<float>(x));
      case det_of: return jig::det(jig::cast<float>(x));
      default: return jig::one_hot<4>(i);
    }
  }));
}

template <class T>
bool same_bits(const any_tensor& found, const T& expected) {
  using E = typename T::value_type;
  if (found.dtype() != jig::dtype_of<E> || found.shape() != expected.shape()) return false;
  const any_tensor dense(found.view());
  return std::memcmp(dense.data(), expected.data(), static_cast<std::size_t>(expected.size()) * sizeof(E)) == 0;
}

}  // namespace

TEST_CASE("positions in run-time tensors") {
  expect_many_traces();
  for (int which = 0; which < picked_count; ++which) {
    const picked_row& row = picked_rows[which];
    const auto f = picked_function(which);
    for (dtype d : all_dtypes) {
      if (!among(d, numbers)) continue;
      const std::string op = std::string(row.name) + " of " + std::string(jig::name_of(d));
      CAPTURE(op);
      const laid x(d, made_with(row.x, [](integer i) { return static_cast<real>(i); }));
      const any_tensor i = numbers_of(dtype::int32, row.i, row.at);
      const dtype result = row.result == as_given ? d : static_cast<dtype>(row.result);
      CHECK(difference(f(x.dense, i), result, row.expected, 1) == "");
      CHECK(difference(f(x.turned, i), result, row.expected, 1) == "");
    }
  }
}

TEST_CASE("positions outside of run-time tensors throw") {
  for (int which :
       {gather_rows, gather_columns, gather_batch, gather_nd_of, scatter_nd_of, scatter_update, set_row_of, slice_from, element_of}) {
    const picked_row& row = picked_rows[which];
    const auto f = picked_function(which);
    for (dtype d : {dtype::float32, dtype::uint8, dtype::boolean, dtype::string}) {
      if (which == scatter_nd_of && !among(d, numbers)) continue;
      const any_tensor x = tensor_of(d, made_with(row.x, natural));
      for (real outside : {-1.0L, 7.0L}) {
        std::vector<real> at = row.at;
        at.back() = outside;
        CAPTURE(row.name);
        CHECK(refuses([&] { f(x, numbers_of(dtype::int32, row.i, at)); }));
      }
    }
  }
}

TEST_CASE("integer division by zero and other operands that throw") {
  for (dtype d : all_dtypes) {
    if (!jig::is_integer(d)) continue;
    const any_tensor x = tensor_of(d, made_with({7}, positive)), zeros = tensor_of(d, made_with({7}, [](integer) -> real { return 0; }));
    for (int which : {divide, remainder_of, floordiv, floormod}) CHECK(refuses([&] { binary_function(which)(x, zeros); }));
    const any_tensor wide = tensor_of(d, made_with({7}, [](integer) -> real { return 64; }));
    for (int which : {left, right}) CHECK(refuses([&] { binary_function(which)(x, wide); }));
  }
  const any_tensor x = tensor_of(dtype::float32, made_with({7}, mixed));
  CHECK(refuses([&] { binary_function(add)(x, tensor_of(dtype::float64, made_with({7}, mixed))); }));
  CHECK(refuses([&] { binary_function(add)(x, tensor_of(dtype::float32, made_with({5}, mixed))); }));
}

TEST_CASE("run-time, static and eager calls give the same bits") {
  const auto same = []<class F>(F f, const auto&... x) {
    const any_tensor found = jig::dynamic_function(f)(any_tensor(x)...);
    CHECK(same_bits(found, jig::function<>(F())(x...)));
    CHECK(same_bits(found, f(x...)));
    CHECK(same_bits(jig::dynamic_function(f).eager(any_tensor(x)...), f(x...)));
  };
  jig::tensor<float, 33> x;
  jig::tensor<int, 33> n;
  for (integer i = 0; i < 33; ++i) {
    x(i) = static_cast<float>(mixed(i));
    n(i) = static_cast<int>(large(i));
  }
  same([](auto a) { return jig::tanh(a); }, x);
  same([](auto a) { return jig::exp(a); }, x);
  same([](auto a, auto b) { return jig::floormod(a, b * 0 + 7); }, n, n);
  same([](auto a) { return jig::reduce_sum(a); }, x);
  same([](auto a) { return jig::sort(a); }, x);
  const auto random = [](auto a, auto seed) { return jig::random_uniform_like(a, seed); };
  const auto normal = [](auto a, auto seed) { return jig::random_normal_like(a, seed); };
  const auto dropout = [](auto a, auto seed) { return jig::dropout<0.25>(a, seed); };
  const jig::tensor<std::int64_t, 2> seed{3, 5};
  same(random, x, seed);
  same(random, n, seed);
  same(normal, x, seed);
  same(dropout, x, seed);
}
