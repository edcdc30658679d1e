// SPDX-License-Identifier: MIT
#pragma once
// Every op that has a gradient, in a function of a matrix of 2 x 3 numbers between 0.2 and 0.9. Gradients of both orders are compared
// with differences.

#include <jig.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace differentiable {

using jig::any_tensor;
using jig::index;

/// The ops of the functions below. Where a gradient has no gradient itself, `twice` is false.
struct op_case {
  const jig::op* kind;
  bool twice = true;
};
// clang-format off
inline constexpr op_case cases[] = {
    {&jig::ops::abs}, {&jig::ops::acos}, {&jig::ops::acosh}, {&jig::ops::add}, {&jig::ops::add_n}, {&jig::ops::array_write},
    {&jig::ops::asin}, {&jig::ops::asinh}, {&jig::ops::atan}, {&jig::ops::atan2}, {&jig::ops::atanh}, {&jig::ops::avg_pool2d}, {&jig::ops::avg_pool2d_grad}, {&jig::ops::avg_pool3d}, {&jig::ops::avg_pool3d_grad},
    {&jig::ops::batch_matmul}, {&jig::ops::bincount},
    {&jig::ops::broadcast_like}, {&jig::ops::broadcast_to}, {&jig::ops::cast}, {&jig::ops::ceil}, {&jig::ops::check_numerics}, {&jig::ops::cholesky},
    {&jig::ops::concat}, {&jig::ops::conv2d}, {&jig::ops::conv2d_backprop_filter}, {&jig::ops::conv2d_backprop_input},
    {&jig::ops::conv3d}, {&jig::ops::conv3d_backprop_filter}, {&jig::ops::conv3d_backprop_input}, {&jig::ops::cos}, {&jig::ops::cosh}, {&jig::ops::cumprod}, {&jig::ops::cumsum},
    {&jig::ops::depthwise_conv2d}, {&jig::ops::depthwise_conv2d_backprop_filter}, {&jig::ops::depthwise_conv2d_backprop_input}, {&jig::ops::diag},
    {&jig::ops::diag_part}, {&jig::ops::divide}, {&jig::ops::elu}, {&jig::ops::ensure_shape}, {&jig::ops::erf}, {&jig::ops::erfc},
    {&jig::ops::exp}, {&jig::ops::expand_dims}, {&jig::ops::expm1}, {&jig::ops::floor}, {&jig::ops::floor_divide},
    {&jig::ops::floor_mod}, {&jig::ops::fma}, {&jig::ops::gather}, {&jig::ops::gather_nd}, {&jig::ops::gelu}, {&jig::ops::identity},
    {&jig::ops::leaky_relu}, {&jig::ops::lgamma, false}, {&jig::ops::log}, {&jig::ops::log1p}, {&jig::ops::matmul}, {&jig::ops::matrix_determinant}, {&jig::ops::matrix_inverse}, {&jig::ops::matrix_solve},
    {&jig::ops::max_pool2d}, {&jig::ops::max_pool2d_grad}, {&jig::ops::max_pool2d_grad_grad}, {&jig::ops::max_pool3d},
    {&jig::ops::max_pool3d_grad}, {&jig::ops::max_pool3d_grad_grad}, {&jig::ops::maximum}, {&jig::ops::minimum}, {&jig::ops::multiply}, {&jig::ops::neg}, {&jig::ops::pack}, {&jig::ops::pad},
    {&jig::ops::power}, {&jig::ops::product_of_others}, {&jig::ops::reciprocal}, {&jig::ops::reduce_max}, {&jig::ops::reduce_mean},
    {&jig::ops::reduce_min}, {&jig::ops::reduce_prod}, {&jig::ops::reduce_sum}, {&jig::ops::relu}, {&jig::ops::relu6},
    {&jig::ops::reshape}, {&jig::ops::resize_bilinear}, {&jig::ops::resize_bilinear_grad}, {&jig::ops::resize_nearest}, {&jig::ops::resize_nearest_grad}, {&jig::ops::reverse}, {&jig::ops::rint}, {&jig::ops::roll}, {&jig::ops::round}, {&jig::ops::rsqrt}, {&jig::ops::scatter_nd},
    {&jig::ops::select}, {&jig::ops::selu}, {&jig::ops::set_diag}, {&jig::ops::sigmoid}, {&jig::ops::sign}, {&jig::ops::silu}, {&jig::ops::sin},
    {&jig::ops::sinh}, {&jig::ops::slice}, {&jig::ops::slice_update}, {&jig::ops::softplus}, {&jig::ops::softsign}, {&jig::ops::sort, false}, {&jig::ops::split},
    {&jig::ops::sqrt}, {&jig::ops::square}, {&jig::ops::squared_difference}, {&jig::ops::squeeze}, {&jig::ops::stop_gradient},
    {&jig::ops::strided_slice}, {&jig::ops::strided_slice_update}, {&jig::ops::subtract}, {&jig::ops::sum_like}, {&jig::ops::tan}, {&jig::ops::tanh},
    {&jig::ops::tensor_scatter_add}, {&jig::ops::tensor_scatter_update}, {&jig::ops::tile, false}, {&jig::ops::top_k, false},
    {&jig::ops::transpose}, {&jig::ops::triangle}, {&jig::ops::triangular_solve}, {&jig::ops::trunc}, {&jig::ops::truncate_mod}, {&jig::ops::unsorted_segment_max}, {&jig::ops::unsorted_segment_min}, {&jig::ops::unsorted_segment_sum}};
// clang-format on

template <class X>
X apply(const jig::op& kind, const X& x) {
  using namespace jig;
  const auto is = [&](const op& o) { return &kind == &o; };
  const tensor<int, 2, 1> places{{1}, {0}};
  if (is(ops::abs)) return abs(x - 0.5);
  if (is(ops::acos)) return acos(x);
  if (is(ops::acosh)) return acosh(x + 1);
  if (is(ops::add)) return x + strided_slice<0>(x);
  if (is(ops::add_n)) return add_n(x, x * x, x);
  if (is(ops::array_write)) return tensor_array(2, x).write(1, x * x).stack();
  if (is(ops::asin)) return asin(x);
  if (is(ops::asinh)) return asinh(x);
  if (is(ops::atan)) return atan(x);
  if (is(ops::atan2)) return atan2(x, x + 0.5);
  if (is(ops::atanh)) return atanh(x);
  if (is(ops::batch_matmul)) return matmul(stack<0>(x, x * x), transpose<0, 2, 1>(stack<0>(x, x)));
  if (is(ops::bincount)) return bincount<4>(tensor<int, 2, 3>{{2, 0, 4}, {2, 3, 9}}, x * x);
  if (is(ops::broadcast_like)) return call<ops::broadcast_like>(strided_slice<0>(x), x);
  if (is(ops::broadcast_to)) return broadcast_to<3, 2, 3>(x);
  if (is(ops::cast)) return cast<double>(x * 2);
  if (is(ops::ceil)) return ceil(x) * x;
  if (is(ops::check_numerics)) return check_numerics(x * 2, "x");
  const auto gram = [](const X& v) { return matmul(v, v, transpose_b); };
  if (is(ops::cholesky)) return cholesky(gram(x) + tensor<double, 2, 2>{{1, 0.25}, {0.25, 2}});
  if (is(ops::concat)) return concat<1>(x, x * x);
  using same_2 = detail::convolution_attributes<2, 2, same_padding_t>;
  using same_3 = detail::convolution_attributes<3, 3, same_padding_t>;
  if (is(ops::conv2d)) return conv2d(reshape<1, 2, 3, 1>(x), reshape<2, 3, 1, 1>(x), same_padding);
  if (is(ops::conv2d_backprop_input)) return conv2d_transpose(reshape<1, 2, 3, 1>(x), reshape<2, 3, 1, 1>(x), strides<2>);
  if (is(ops::conv2d_backprop_filter))
    return call<ops::conv2d_backprop_filter, same_2>(reshape<1, 2, 3, 1>(x), reshape<1, 2, 3, 1>(x * x), reshape<2, 3, 1, 1>(x));
  if (is(ops::conv3d)) return conv3d(reshape<1, 1, 2, 3, 1>(x), reshape<1, 2, 3, 1, 1>(x), same_padding);
  if (is(ops::conv3d_backprop_input)) return conv3d_transpose(reshape<1, 1, 2, 3, 1>(x), reshape<1, 2, 3, 1, 1>(x), strides<1, 2, 1>);
  if (is(ops::conv3d_backprop_filter))
    return call<ops::conv3d_backprop_filter, same_3>(reshape<1, 1, 2, 3, 1>(x), reshape<1, 1, 2, 3, 1>(x * x), reshape<1, 2, 3, 1, 1>(x));
  if (is(ops::cos)) return cos(x);
  if (is(ops::cosh)) return cosh(x);
  if (is(ops::cumprod)) return cumprod<1>(x);
  if (is(ops::cumsum)) return cumsum<1>(x);
  if (is(ops::depthwise_conv2d)) return depthwise_conv2d(reshape<1, 1, 2, 3>(x), reshape<1, 2, 3, 1>(x), same_padding);
  if (is(ops::depthwise_conv2d_backprop_filter))
    return call<ops::depthwise_conv2d_backprop_filter, same_2>(reshape<1, 1, 2, 3>(x), reshape<1, 1, 2, 3>(x * x), reshape<1, 2, 3, 1>(x));
  if (is(ops::depthwise_conv2d_backprop_input))
    return call<ops::depthwise_conv2d_backprop_input, same_2>(reshape<1, 2, 3, 1>(x), reshape<1, 1, 2, 3>(x * x), reshape<1, 1, 2, 3>(x));
  if (is(ops::diag)) return diag(x);
  if (is(ops::diag_part)) return diag_part(matmul(x, x, transpose_b));
  if (is(ops::divide)) return 1 / x;
  if (is(ops::elu)) return elu(x - 0.5);
  if (is(ops::ensure_shape)) return call<ops::ensure_shape, attributes<integers<"axes", 0, 0>>>(x, x);
  if (is(ops::erf)) return erf(x);
  if (is(ops::erfc)) return erfc(x);
  if (is(ops::exp)) return exp(x);
  if (is(ops::expand_dims)) return expand_dims<1>(x);
  if (is(ops::expm1)) return expm1(x);
  if (is(ops::floor)) return floor(x) + x;
  if (is(ops::floor_divide)) return floordiv(x, x + 1) + x;
  if (is(ops::floor_mod)) return floormod(x * 3, 1.75 + x);
  if (is(ops::fma)) return fma(x, x, x);
  if (is(ops::gather)) return gather<1>(x, tensor<int, 2>{2, 0});
  if (is(ops::gather_nd)) return gather_nd(x, places);
  if (is(ops::gelu)) return gelu(x);
  if (is(ops::identity)) return identity(x);
  if (is(ops::leaky_relu)) return leaky_relu(x - 0.5);
  if (is(ops::lgamma)) return lgamma(x);
  if (is(ops::log)) return log(x);
  if (is(ops::log1p)) return log1p(x);
  if (is(ops::matmul)) return matmul(x, transpose(x));
  if (is(ops::matrix_determinant)) return det(stack<0>(gram(x), gram(x * x)) + 0.5);
  if (is(ops::matrix_inverse)) return inv(gram(x) + eye<double, 2>());
  if (is(ops::matrix_solve))
    return solve(gram(x) + eye<double, 2>(), x) + solve(matmul(x * x, x, transpose_b) + eye<double, 2>(), x, transpose_a);
  // Windows of two along the second axis, one element apart.
  using pool_2 = detail::pool_attributes<2, integers<"ksize", 1, 2>, strides_t<1>>;
  using pool_3 = detail::pool_attributes<3, integers<"ksize", 1, 1, 2>, strides_t<1>>;
  const auto image = [](const X& v) { return reshape<1, 2, 3, 1>(v); };
  const auto solid = [](const X& v) { return reshape<1, 1, 2, 3, 1>(v); };
  if (is(ops::max_pool2d)) return max_pool2d<1, 2>(image(x * x), strides<1>);
  if (is(ops::max_pool2d_grad)) {
    const auto y = max_pool2d<1, 2>(image(x), strides<1>);
    return call<ops::max_pool2d_grad, pool_2>(image(x), y, y * y);
  }
  if (is(ops::max_pool2d_grad_grad))
    return call<ops::max_pool2d_grad_grad, pool_2>(image(x), max_pool2d<1, 2>(image(x), strides<1>), image(x * x));
  if (is(ops::max_pool3d)) return max_pool3d<1, 1, 2>(solid(x * x), strides<1>);
  if (is(ops::max_pool3d_grad)) {
    const auto y = max_pool3d<1, 1, 2>(solid(x), strides<1>);
    return call<ops::max_pool3d_grad, pool_3>(solid(x), y, y * y);
  }
  if (is(ops::max_pool3d_grad_grad))
    return call<ops::max_pool3d_grad_grad, pool_3>(solid(x), max_pool3d<1, 1, 2>(solid(x), strides<1>), solid(x * x));
  if (is(ops::avg_pool2d)) return avg_pool2d<1, 2>(image(x * x), strides<1>);
  if (is(ops::avg_pool2d_grad)) {
    const auto y = avg_pool2d<1, 2>(image(x), strides<1>);
    return call<ops::avg_pool2d_grad, pool_2>(y * y, image(x));
  }
  if (is(ops::avg_pool3d)) return avg_pool3d<1, 1, 2>(solid(x * x), strides<1>);
  if (is(ops::avg_pool3d_grad)) {
    const auto y = avg_pool3d<1, 1, 2>(solid(x), strides<1>);
    return call<ops::avg_pool3d_grad, pool_3>(y * y, solid(x));
  }
  if (is(ops::maximum)) return maximum(x, 0.51 - x * x);
  if (is(ops::minimum)) return minimum(x, 0.51 - x * x);
  if (is(ops::multiply)) return x * strided_slice<1>(x);
  if (is(ops::neg)) return -(x * x);
  if (is(ops::pack)) return stack<1>(x, x * x);
  if (is(ops::pad)) return pad<1, 0, 0, 2>(x, reduce_sum(x));
  if (is(ops::power)) return pow(x, x + 0.5);
  if (is(ops::product_of_others)) return call<ops::product_of_others>(x);
  if (is(ops::reciprocal)) return reciprocal(x);
  if (is(ops::reduce_max)) return reduce_max<1>(x);
  if (is(ops::reduce_mean)) return reduce_mean<0>(x);
  if (is(ops::reduce_min)) return reduce_min<1>(x);
  if (is(ops::reduce_prod)) return reduce_prod<1>(x) * reduce_prod(x);
  if (is(ops::reduce_sum)) return reduce_sum<1>(x);
  if (is(ops::relu)) return relu(x - 0.5);
  if (is(ops::relu6)) return relu6(x - 0.5);
  if (is(ops::reshape)) return reshape<3, 2>(x);
  if (is(ops::resize_bilinear)) return resize<3, 4>(reshape<1, 2, 3, 1>(x));
  if (is(ops::resize_nearest)) return resize<3, 4>(reshape<1, 2, 3, 1>(x), nearest);
  if (is(ops::resize_bilinear_grad)) return call<ops::resize_bilinear_grad>(reshape<1, 2, 3, 1>(x), reshape<1, 3, 2, 1>(x));
  if (is(ops::resize_nearest_grad)) return call<ops::resize_nearest_grad>(reshape<1, 2, 3, 1>(x), reshape<1, 3, 2, 1>(x));
  if (is(ops::reverse)) return reverse<1>(x);
  if (is(ops::rint)) return rint(x) * x;
  if (is(ops::roll)) return roll<1>(x * x, 2);
  if (is(ops::round)) return round(x) * x;
  if (is(ops::rsqrt)) return rsqrt(x);
  if (is(ops::scatter_nd)) return scatter_nd<3, 3>(places, x);
  if (is(ops::select)) return where(x > 0.5, x, x * x);
  if (is(ops::set_diag)) return set_diag(x * x, reduce_sum<1>(x * x));
  if (is(ops::selu)) return selu(x - 0.5);
  if (is(ops::sigmoid)) return sigmoid(x);
  if (is(ops::sign)) return sign(x - 0.5) * x;
  if (is(ops::silu)) return silu(x);
  if (is(ops::sin)) return sin(x);
  if (is(ops::sinh)) return sinh(x);
  if (is(ops::slice)) return slice<1, 2>(x, tensor<int, 2>{1, 1});
  if (is(ops::slice_update)) return slice_update<1, 2>(x, tensor<int, 2>{1, 0}, slice<1, 2>(x * x, tensor<int, 2>{0, 1}));
  if (is(ops::softplus)) return softplus(x);
  if (is(ops::softsign)) return softsign(x - 0.5);
  if (is(ops::sort)) return sort<1>(x);
  if (is(ops::split)) return std::get<1>(split<3, 1>(x));
  if (is(ops::sqrt)) return sqrt(x);
  if (is(ops::square)) return square(x);
  if (is(ops::squared_difference)) return squared_difference(x, strided_slice<0>(x));
  if (is(ops::squeeze)) return squeeze<0>(reshape<1, 2, 3>(x));
  if (is(ops::stop_gradient)) return stop_gradient(floor(x)) * x;
  if (is(ops::strided_slice)) return strided_slice<all, range_of(0, 3, 2)>(x);
  if (is(ops::strided_slice_update)) {
    using part = jig::detail::slice_attributes<range_of(0, 2), range_of(1, unbounded)>::type;
    return call<ops::strided_slice_update, part>(x, strided_slice<range_of(0, 2), range_of(1, unbounded)>(x * x));
  }
  if (is(ops::subtract)) return x - strided_slice<1>(x);
  if (is(ops::sum_like)) return call<ops::sum_like>(x, strided_slice<1>(x));
  if (is(ops::tan)) return tan(x);
  if (is(ops::tanh)) return tanh(x);
  if (is(ops::tensor_scatter_add)) return tensor_scatter_add(x, places, x * x);
  if (is(ops::tensor_scatter_update)) return tensor_scatter_update(x, tensor<int, 1, 1>{{1}}, strided_slice<range_of(0, 1)>(x * x));
  if (is(ops::tile)) return tile<2, 1>(x);
  if (is(ops::top_k)) return std::get<0>(top_k<2>(x));
  if (is(ops::transpose)) return transpose(x);
  if (is(ops::triangle)) return call<ops::triangle, attributes<boolean<"lower", false>>>(x * x);
  if (is(ops::triangular_solve)) return triangular_solve(gram(x), x) + triangular_solve(gram(x), x, upper, transpose_a);
  if (is(ops::trunc)) return trunc(x) + x;
  if (is(ops::unsorted_segment_max)) return unsorted_segment_max<2>(x * x, tensor<int, 2, 3>{{1, 0, -1}, {1, 1, 0}});
  if (is(ops::unsorted_segment_min)) return unsorted_segment_min<1>(x * x, tensor<int, 2>{0, 0});
  if (is(ops::unsorted_segment_sum)) return unsorted_segment_sum<3>(x * x, tensor<int, 2, 3>{{2, 0, -1}, {2, 2, 0}});
  return x * 3 % (1.75 + x);
}

/// A number that depends on all elements of the function.
struct loss {
  const jig::op* kind;
  template <class X>
  auto operator()(const X& x) const {
    return jig::reduce_sum(jig::square(apply(*kind, x) + 0.25));
  }
};
struct first_gradient {
  const jig::op* kind;
  template <class X>
  auto operator()(const X& x) const {
    return jig::gradient(loss{kind}(x), x);
  }
};
struct second_gradient {
  const jig::op* kind;
  template <class X, class W>
  auto operator()(const X& x, const W& w) const {
    return jig::gradient(jig::reduce_sum(first_gradient{kind}(x)*w), x);
  }
};

inline std::vector<double> elements(const any_tensor& x) {
  std::vector<double> out;
  for (double e : x.as<double>()) out.push_back(e);
  return out;
}
inline any_tensor matrix_of(const std::vector<double>& numbers) {
  any_tensor out = any_tensor::empty(jig::dtype::float64, jig::shape{2, {2, 3}});
  std::copy(numbers.begin(), numbers.end(), static_cast<double*>(out.mutable_data()));
  return out;
}
inline std::vector<double> numbers() { return {0.23, 0.81, 0.57, 0.68, 0.35, 0.46}; }

// Whether the gradient of a function that gives one number is what differences make of it.
template <class F>
std::string difference(const F& f, const any_tensor& gradient) {
  const std::vector<double> found = elements(gradient);
  if (found.size() != 6) return "the shapes differ";
  const double step = 1e-5;
  for (std::size_t i = 0; i < 6; ++i) {
    std::vector<double> up = numbers(), down = numbers();
    up[i] += step, down[i] -= step;
    const double expected = (f(matrix_of(up)) - f(matrix_of(down))) / (2 * step);
    if (!(std::abs(found[i] - expected) <= 1e-6 * (1 + std::abs(expected))))
      return "element " + std::to_string(i) + " is " + std::to_string(found[i]) + ", not " + std::to_string(expected);
  }
  return "";
}

/// What is wrong with gradients of an op, by calls or eager runs of run-time tensors; empty if nothing is.
template <bool Eager = false>
std::string wrong_gradients(const op_case& c) {
  const auto run = [](const auto& f, const auto&... x) {
    if constexpr (Eager) return f.eager(x...);
    else return f(x...);
  };
  const std::vector<double> weights{0.7, -1.1, 0.4, 1.3, -0.6, 0.9};
  const any_tensor x = matrix_of(numbers()), w = matrix_of(weights);
  try {
    const auto value = jig::dynamic_function(loss{c.kind});
    const auto first = jig::dynamic_function(first_gradient{c.kind});
    const auto second = jig::dynamic_function(second_gradient{c.kind});
    const std::string wrong = difference([&](const any_tensor& at) { return elements(value(at))[0]; }, run(first, x));
    if (!wrong.empty()) return "first order: " + wrong;
    if (!c.twice) return "";
    const auto weighted = [&](const any_tensor& at) {
      double sum = 0;
      const std::vector<double> g = elements(first(at));
      for (std::size_t i = 0; i < 6; ++i) sum += g[i] * weights[i];
      return sum;
    };
    const std::string also = difference(weighted, run(second, x, w));
    return also.empty() ? "" : "second order: " + also;
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace differentiable
