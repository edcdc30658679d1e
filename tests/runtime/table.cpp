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

constexpr dtype all_dtypes[] = {dtype::float32, dtype::float64, dtype::float16, dtype::bfloat16, dtype::int8,   dtype::int16,   dtype::int32,
                                dtype::int64,   dtype::uint8,   dtype::uint16,  dtype::uint32,   dtype::uint64, dtype::boolean, dtype::string};
constexpr unsigned floats = 1, integers = 2, bools = 4, strings = 8, numbers = floats | integers, every = 15;

bool among(dtype d, unsigned kinds) {
  const unsigned kind = jig::is_floating(d) ? floats : jig::is_integer(d) ? integers : d == dtype::boolean ? bools : strings;
  return (kinds & kind) != 0;
}

template <class F>
auto with_element(dtype d, F f) {
  switch (d) {
    case dtype::float32: return f(float());
    case dtype::float64: return f(double());
    case dtype::float16: return f(jig::half());
    case dtype::bfloat16: return f(jig::bfloat16());
    case dtype::int8: return f(std::int8_t());
    case dtype::int16: return f(std::int16_t());
    case dtype::int32: return f(std::int32_t());
    case dtype::int64: return f(std::int64_t());
    case dtype::uint8: return f(std::uint8_t());
    case dtype::uint16: return f(std::uint16_t());
    case dtype::uint32: return f(std::uint32_t());
    case dtype::uint64: return f(std::uint64_t());
    case dtype::boolean: return f(bool());
    default: return f(std::string());
  }
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
  return with_element(d, [&]<class T>(const T&) { return number_of(element_from<T>(x)); });
}

integer product(const extents& e) {
  return std::accumulate(e.begin(), e.end(), integer{1}, std::multiplies<>());
}

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
  with_element(d, [&]<class T>(const T&) {
    T* to = static_cast<T*>(out.mutable_data());
    for (std::size_t i = 0; i < v.data.size(); ++i) to[i] = element_from<T>(v.data[i]);
    return 0;
  });
  return out;
}
values values_of(const any_tensor& x) {
  values out;
  for (int a = 0; a < x.rank(); ++a) out.shape.push_back(x.shape()[a]);
  with_element(x.dtype(), [&]<class T>(const T&) {
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
enum binary { add, subtract, multiply, divide, remainder_of, floordiv, floormod, maximum, minimum, squared, power, atan2, fma_of, add_n, choose, bit_and, bit_or, bit_xor, left, right, equal, not_equal, less, less_equal, greater, greater_equal, binary_count };
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
    {"pow", numbers, positive, natural, 4, [](dtype d, real x, real y) { return d == dtype::int8 || d == dtype::uint8 ? rounded(d, std::pow(x, y)) : std::pow(x, y); }},
    {"atan2", floats, mixed, whole, 4, [](dtype, real x, real y) { return std::atan2(x, y); }},
    {"fma", floats, whole, whole, 4, [](dtype, real x, real y) { return x * y + x; }},
    {"add_n", numbers, whole, whole, 4, [](dtype, real x, real y) { return x + y + x; }},
    {"where", numbers | strings, whole, whole, 0, [](dtype, real x, real y) { return x < y ? y : x; }},
    {"&", integers | bools, large, large, 0, [](dtype d, real x, real y) { return bits_of(d, x, y, [](std::int64_t a, std::int64_t b) { return a & b; }); }},
    {"|", integers | bools, large, large, 0, [](dtype d, real x, real y) { return bits_of(d, x, y, [](std::int64_t a, std::int64_t b) { return a | b; }); }},
    {"^", integers | bools, large, large, 0, [](dtype d, real x, real y) { return bits_of(d, x, y, [](std::int64_t a, std::int64_t b) { return a ^ b; }); }},
    {"<<", integers, positive, natural, 0, [](dtype, real x, real y) { return std::ldexp(x, static_cast<int>(y)); }},
    {">>", integers, large, natural, 0, [](dtype, real x, real y) { return std::floor(std::ldexp(x, -static_cast<int>(y))); }},
    {"==", every, whole, mixed, 0, [](dtype, real x, real y) -> real { return x == y; }},
    {"!=", every, whole, mixed, 0, [](dtype, real x, real y) -> real { return x != y; }},
    {"<", numbers | strings, whole, mixed, 0, [](dtype, real x, real y) -> real { return x < y; }},
    {"<=", numbers | strings, whole, mixed, 0, [](dtype, real x, real y) -> real { return x <= y; }},
    {">", numbers | strings, whole, mixed, 0, [](dtype, real x, real y) -> real { return x > y; }},
    {">=", numbers | strings, whole, mixed, 0, [](dtype, real x, real y) -> real { return x >= y; }},
};
auto binary_function(int which) {
  return jig::dynamic_function(binary_rows[which].name, [which](auto x, auto y) {
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
      case equal: return x == y;
      case not_equal: return x != y;
      case less: return x < y;
      case less_equal: return x <= y;
      case greater: return x > y;
      default: return x >= y;
    }
  });
}

enum unary { neg, abs_of, sign, square, reciprocal, sqrt, rsqrt, exp, expm1, log, log1p, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, erf, erfc, lgamma, floor, ceil, round, rint, trunc, relu, relu6, leaky, elu, selu, gelu, sigmoid, softplus, softsign, silu, clip, identity, stop, invert, is_nan, is_inf, is_finite, unary_count };
struct unary_row {
  const char* name;
  unsigned takes;
  real (*x)(integer);
  real tolerance;
  real (*reference)(real);
};
constexpr real selu_scale = 1.0507009873554804934193349852946L, selu_alpha = 1.6732632423543772848170429916717L;
constexpr unary_row unary_rows[unary_count] = {
    {"neg", numbers, large, 0, [](real x) { return -x; }},
    {"abs", numbers, whole, 0, [](real x) { return std::abs(x); }},
    {"sign", numbers, whole, 0, [](real x) -> real { return x > 0 ? 1 : x < 0 ? -1 : 0; }},
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
    {"identity", every, large, 0, [](real x) { return x; }},
    {"stop_gradient", every, large, 0, [](real x) { return x; }},
    {"~", integers, large, 0, [](real x) { return -x - 1; }},
    {"is_nan", floats, special, 0, [](real x) -> real { return std::isnan(x); }},
    {"is_inf", floats, special, 0, [](real x) -> real { return std::isinf(x); }},
    {"is_finite", floats, special, 0, [](real x) -> real { return std::isfinite(x); }},
};
auto unary_function(int which) {
  return jig::dynamic_function(unary_rows[which].name, [which](auto x) {
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
      case identity: return jig::identity(x);
      case stop: return jig::stop_gradient(x);
      case invert: return ~x;
      case is_nan: return jig::is_nan(x);
      case is_inf: return jig::is_inf(x);
      default: return jig::is_finite(x);
    }
  });
}

const std::pair<extents, extents> shape_pairs[] = {{{0}, {0}}, {{1}, {1}}, {{7}, {7}}, {{33}, {33}}, {{5, 1}, {1, 7}}, {{}, {7}}, {{0, 3}, {3}}, {{9, 4}, {9, 4}}};

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
