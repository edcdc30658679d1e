// SPDX-License-Identifier: MIT
#include <jig/ops/gradient.hpp>

#include "check_gradients.hpp"

namespace {

using vector = jig::tensor<double, 5>;
using matrix = jig::tensor<double, 3, 4>;
using any_vector = jig::tensor<double, jig::dyn>;
using any_matrix = jig::tensor<double, jig::dyn, jig::dyn>;

// What a rule says of two inputs, as for symbols, run-time symbols and loaded graphs.
std::string_view failure_of(const jig::op& kind, const jig::tensor_spec& a, const jig::tensor_spec& b) {
  const jig::tensor_spec both[] = {a, b};
  const auto found = jig::detail::infer(kind, both, {});
  if (!found.failed) CHECK(found.result == jig::tensor_spec{a.dtype, b.shape});
  return found.failed ? std::string_view(found.failure) : "";
}

TEST_CASE("values take the extents of others that fit them, and no other dtype") {
  using jig::dtype, jig::dyn, jig::shape;
  const auto real = [](shape s) { return jig::tensor_spec{dtype::float32, s}; };
  const shape row{1, {3}}, column{2, {2, 1}}, all{2, {2, 3}}, open{2, {dyn, 3}}, narrow{1, {2}};
  CHECK(failure_of(jig::ops::broadcast_like, real(row), real(all)) == "");
  CHECK(failure_of(jig::ops::broadcast_like, real(column), real(open)) == "");
  CHECK(failure_of(jig::ops::broadcast_like, real(open), real(all)) == "");
  CHECK(failure_of(jig::ops::broadcast_like, real(row), {dtype::float64, all}) == "dtypes differ, convert one with jig::cast");
  CHECK(failure_of(jig::ops::broadcast_like, real(narrow), real(all)) == "its extents must be 1 or those of the target");
  CHECK(failure_of(jig::ops::broadcast_like, real(all), real(row)) == "it has more axes than the target");
  CHECK(failure_of(jig::ops::sum_like, real(all), real(row)) == "");
  CHECK(failure_of(jig::ops::sum_like, real(all), {dtype::int32, row}) == "dtypes differ, convert one with jig::cast");
  CHECK(failure_of(jig::ops::sum_like, real(all), real(narrow)) == "its extents must be 1 or those of the target");
  CHECK(failure_of(jig::ops::sum_like, real(row), real(all)) == "it has more axes than the target");
}

// Several ops in one function: each adds a part that no other has.
TEST_CASE("gradients of functions of one number") {
  const auto x = numbers<vector>(-1.5, 2.0), positive = numbers<vector>(0.3, 3), small = numbers<vector>(-0.8, 0.8);
  check_gradients(
      [](auto a) {
        return jig::exp(a) + jig::expm1(a) * a + jig::sin(a) * jig::cos(a) + jig::tan(a * 0.5) + jig::sinh(a) * jig::cosh(a) +
               jig::tanh(a) + jig::erf(a) + a * jig::erfc(a) - jig::square(a) + jig::abs(a) * a;
      },
      x);
  check_gradients(
      [](auto a) {
        return jig::log(a) + jig::log1p(a) * a + jig::sqrt(a) + jig::rsqrt(a) * a * jig::reciprocal(a) + jig::lgamma(a) + jig::acosh(a + 1);
      },
      positive);
  check_gradients([](auto a) { return jig::asin(a) * jig::acos(a) + jig::atan(a) * jig::asinh(a) + jig::atanh(a); }, small);
  check_gradients([](auto a) { return jig::lgamma(a) + jig::floor(a) * a + jig::sign(a) * jig::square(a) + jig::round(a) * jig::ceil(a); },
                  jig::tensor<double, 3>{-0.4, -1.7, -2.2});
}

TEST_CASE("gradients of activations") {
  check_gradients(
      [](auto a) {
        return jig::relu(a) + jig::relu6(a * 3) + jig::leaky_relu(a) + jig::elu(a) * jig::selu(a) + jig::sigmoid(a) +
               jig::silu(a) * jig::softplus(a) + jig::gelu(a) * jig::softsign(a);
      },
      numbers<vector>(-2.5, 3.5));
  check_gradients([](auto a, auto slope) { return jig::leaky_relu(a, slope); }, numbers<vector>(-2.5, 3.5), jig::tensor<double>(0.3));
  check_gradients([](auto a) { return jig::softmax(a) + jig::log_softmax(a); }, numbers<matrix>(-2, 2));
}

TEST_CASE("gradients of arithmetic, summed where operands were broadcast") {
  const auto a = numbers<matrix>(0.5, 2), b = numbers<matrix>(0.7, 1.9, 3);
  const auto row = numbers<jig::tensor<double, 4>>(0.6, 1.8, 5);
  const auto column = numbers<jig::tensor<double, 3, 1>>(0.5, 1.5, 2);
  const jig::tensor<double> scalar(1.3);
  check_gradients(
      [](auto x, auto y) { return (x + y) * (x - y) / y + jig::maximum(x, y) * 2 + jig::minimum(x, y) + x % y + jig::floormod(-x, y); }, a,
      b);
  check_gradients(
      [](auto x, auto y) {
        return (x + y) * (x - y) / y + jig::pow(x, y) + jig::atan2(x, y) + jig::where(x > y, x * 3, y) + jig::clip(x, 0.8, 1.5);
      },
      a, row);
  check_gradients([](auto x, auto y) { return (x - y) * y / x; }, column, row);
  check_gradients([](auto x, auto y) { return x * y + y + jig::full_like(x, y) * x; }, a, scalar);
  check_gradients([](auto x, auto y, auto z) { return jig::fma(x, y, z) + jig::squared_difference(x, z) + jig::add_n(x, y, z) * x; }, a,
                  row, column);
  check_gradients([](auto x) { return jig::cast<double>(jig::cast<float>(x)) * 0 + x * jig::zeros_like(x) + jig::full_like(x, 2.0) * x; },
                  a);
}

TEST_CASE("gradients of arithmetic with wildcard extents") {
  const auto a = numbers<matrix>(0.5, 2);
  const auto row = numbers<jig::tensor<double, 4>>(0.6, 1.8, 5);
  const auto column = numbers<jig::tensor<double, 3, 1>>(0.5, 1.5, 2);
  auto mixed = [](auto x, auto y) { return (x + y) * (x - y) / y; };
  // One program serves equal extents and those that broadcast.
  check_compiled_gradients(mixed, any_matrix(a), any_matrix(numbers<matrix>(0.7, 1.9, 3)));
  check_compiled_gradients(mixed, any_matrix(a), any_matrix(column));
  check_gradients(mixed, any_matrix(column), any_vector(row));
  check_gradients(mixed, jig::tensor<double, jig::dim<"n">, 4>(a), jig::tensor<double, jig::dim<"n">, 1>(column));
  check_gradients(
      [](auto x) {
        return jig::reduce_mean<0>(x, jig::keepdims) - x * jig::reduce_mean(x) + jig::reduce_sum<1>(x, jig::keepdims) + jig::softmax(x);
      },
      any_matrix(a));
}

TEST_CASE("gradients of reductions") {
  const auto a = numbers<matrix>(-1.5, 2);
  check_gradients(
      [](auto x) {
        return jig::reduce_sum<0>(x) * jig::reduce_mean<-2>(x) + jig::reduce_sum(x) + jig::reduce_prod<0>(x) + jig::reduce_prod(x);
      },
      a);
  check_gradients(
      [](auto x) {
        return jig::reduce_sum<1>(x * x, jig::keepdims) * jig::reduce_mean(x) +
               jig::expand_dims<1>(jig::reduce_max<1>(x) - jig::reduce_min(x)) +
               jig::expand_dims<1>(jig::reduce_logsumexp<1>(x) + jig::reduce_variance<1>(x) + jig::norm<1>(x));
      },
      a);
  // Elements that are equally large share alike.
  auto ties = jig::grad(jig::function<"f">([](auto x) { return jig::reduce_max(x); }))(jig::tensor<float, 4>{1, 3, 3, 2});
  CHECK((ties(0) == 0 && ties(1) == 0.5f && ties(2) == 0.5f && ties(3) == 0));
}

TEST_CASE("gradients of matrix products") {
  const auto a = numbers<matrix>(-1, 1);
  const auto b = numbers<jig::tensor<double, 4, 2>>(-1, 1, 3);
  const auto at = numbers<jig::tensor<double, 4, 3>>(-1, 1, 5);
  const auto bt = numbers<jig::tensor<double, 2, 4>>(-1, 1, 7);
  check_compiled_gradients([](auto x, auto y) { return jig::matmul(x, y); }, a, b);
  check_gradients([](auto x, auto y) { return jig::matmul(x, y, jig::transpose_a); }, at, b);
  check_gradients(
      [](auto x, auto y) {
        return std::tuple(jig::matmul(x, y, jig::transpose_b), jig::einsum<"ij,kj->ik">(x, y) * jig::einsum<"ij,ij->i">(x, x)[0]);
      },
      a, bt);
  check_gradients([](auto x, auto y) { return jig::matmul(x, y, jig::transpose_a, jig::transpose_b); }, at, bt);
  check_gradients([](auto x, auto y) { return jig::matmul(x, y); }, any_matrix(a), any_matrix(b));
  const auto batch = numbers<jig::tensor<double, 2, 3, 4>>(-1, 1);
  check_gradients([](auto x, auto y) { return jig::matmul(x, y); }, batch, numbers<jig::tensor<double, 2, 4, 2>>(-1, 1, 3));
  check_gradients([](auto x, auto y) { return jig::matmul(x, y); }, batch, b);
  check_gradients(
      [](auto x, auto y) { return std::tuple(jig::dot(x, y) * jig::outer(x, y), jig::matmul(jig::diag(x), jig::expand_dims<1>(x))); },
      numbers<vector>(-1, 1), numbers<vector>(-1, 1, 3));
  check_gradients([](auto x) { return jig::diag_part(x) * jig::matrix_trace(x); }, numbers<jig::tensor<double, 3, 3>>(-1, 1));
}

}  // namespace
