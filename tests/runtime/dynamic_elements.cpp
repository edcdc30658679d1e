// SPDX-License-Identifier: MIT
// Functions of elements, with specs that only run time knows.
#include "../dynamic_trace.hpp"

#include <tuple>

namespace {

using jig::spec;

constexpr spec<int> number{};

}  // namespace

TEST_CASE("functions of elements") {
  same_graphs([](auto& x) {
    return std::tuple(jig::exp(x), jig::expm1(x), jig::log(x), jig::log1p(x), jig::sqrt(x), jig::sin(x), jig::cos(x), jig::tan(x),
                      jig::asin(x), jig::acos(x), jig::atan(x), jig::sinh(x), jig::cosh(x), jig::tanh(x), jig::asinh(x), jig::acosh(x),
                      jig::atanh(x), jig::erf(x), jig::erfc(x), jig::lgamma(x), jig::digamma(x));
  });
  same_graphs([](auto& x) {
    return std::tuple(jig::floor(x), jig::ceil(x), jig::trunc(x), jig::rint(x), jig::rsqrt(x), jig::reciprocal(x), jig::round(x),
                      jig::square(x), jig::abs(x), jig::sign(x), -x, jig::is_nan(x), jig::is_inf(x), jig::is_finite(x));
  });
  same_graphs([](auto& x) {
    return std::tuple(jig::relu(x), jig::relu6(x), jig::leaky_relu(x), jig::leaky_relu(x, 0.1), jig::elu(x), jig::selu(x), jig::gelu(x),
                      jig::sigmoid(x), jig::softplus(x), jig::softsign(x), jig::silu(x));
  });
  same_graphs([](auto& x) {
    return std::tuple(jig::floordiv(x, 2), jig::floormod(x, 2), jig::pow(x, 2), jig::maximum(x, 0), jig::minimum(1, x), jig::atan2(x, x),
                      jig::squared_difference(x, 1.5), jig::fma(x, 2, x), jig::add_n(x, x, x), jig::clip(x, 0, 1), jig::cast<int>(x),
                      jig::identity(x), jig::stop_gradient(x), jig::where(x > 0, 1, x));
  });
  CHECK(refused_dynamically([](auto& x) { return jig::exp(x); }, number) == "Exp: the dtype must be floating, use jig::cast: int32 ()");
}
