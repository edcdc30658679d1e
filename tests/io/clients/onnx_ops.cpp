// SPDX-License-Identifier: MIT
#include "onnx_case.hpp"

#include <jig/io/onnx/maker.hpp>

#include <cmath>
#include <functional>
#include <limits>

namespace {

using jig::any_tensor, jig::dtype, jig::edge, jig::index, jig::op, jig::shape, jig::tensor_spec;
using jig::onnx::attr, jig::onnx::maker;
using edges = std::vector<edge>;
using integers = jig::list<index>;

constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr auto f32 = dtype::float32, f64 = dtype::float64, f16 = dtype::float16, i32 = dtype::int32, i64 = dtype::int64, u8 = dtype::uint8,
               truth = dtype::boolean;

any_tensor filled(dtype d, const shape& s, const std::function<double(index)>& element) {
  any_tensor out = any_tensor::empty(d, s);
  jig::detail::with_type_of(d, [&]<class T>(const T&) {
    T* x = static_cast<T*>(out.mutable_data());
    for (index i = 0; i < out.size(); ++i) {
      const double e = element(i);
      if constexpr (std::is_same_v<T, std::string>) x[i] = std::to_string(static_cast<int>(e));
      else if constexpr (std::is_same_v<T, bool>) x[i] = e > 0;
      else if constexpr (std::is_integral_v<T>) x[i] = static_cast<T>(static_cast<std::int64_t>(std::floor(e)));
      else x[i] = T(static_cast<float>(e));
    }
  });
  return out;
}
// Numbers without an order, of which none is 0.
any_tensor some(dtype d, const shape& s, index salt = 0) {
  return filled(d, s, [&](index i) {
    const auto n = static_cast<double>((i * 7 + i / 5 + salt * 3) % 11 - 5) + 0.25;
    return jig::is_integer(d) && !jig::is_signed(d) ? std::abs(std::floor(n)) : n;
  });
}
any_tensor listed(dtype d, const std::vector<double>& x, shape s = {}) {
  if (s.rank == 0) s = {1, {static_cast<index>(x.size())}};
  return filled(d, s, [&](index i) { return x[static_cast<std::size_t>(i)]; });
}
// The ends of an integer dtype, and what is near them and 0.
any_tensor ends(dtype d, bool zero = true) {
  constexpr index n = 8;
  any_tensor out = any_tensor::empty(d, {1, {n}});
  jig::detail::with_type_of(d, [&]<class T>(const T&) {
    if constexpr (std::is_integral_v<T>) {
      using limit = std::numeric_limits<T>;
      const T all[] = {
          limit::min(), static_cast<T>(limit::min() + 3), static_cast<T>(-3), T(1), limit::max(), static_cast<T>(limit::max() - 1), T(7),
          T(0)};
      for (index i = 0; i < n; ++i) static_cast<T*>(out.mutable_data())[i] = all[i] == T(0) && !zero ? T(2) : all[i];
    }
  });
  return out;
}

jig::list<edge> list_of(const edges& all) {
  jig::list<edge> out;
  for (const edge& e : all) out.push_back(e);
  return out;
}

// What an op gives for these operands.
any_tensor computed(const op& o, const std::vector<any_tensor>& x, const std::vector<attr>& with) {
  maker m{{}};
  jig::list<edge> operands;
  for (const auto& a : x) operands.push_back(m.argument({a.dtype(), a.shape()}, "x" + std::to_string(operands.size())));
  m.made.output_edges.push_back(m.call(o, operands, with));
  const auto program = jig::detail::runtime_graph_of(jig::named_graph_of(m.made.view()).graph);
  return jig::detail::run_graph(program, jig::stretch<jig::any_tensor>(x.data(), x.size()))[0];
}

struct models {
  std::vector<onnx_case> out;

  using body = std::function<edges(maker&, const edges&)>;
  /// A model whose arguments have the specs of the first call, or those given.
  void add(std::string name, std::vector<std::vector<any_tensor>> calls, const body& f, std::vector<tensor_spec> specs = {}) {
    if (specs.empty())
      for (const auto& x : calls[0]) specs.push_back({x.dtype(), x.shape()});
    maker m{{}};
    edges arguments;
    std::vector<std::string> inputs;
    for (std::size_t k = 0; k < specs.size(); ++k) {
      inputs.push_back("x" + std::to_string(k));
      arguments.push_back(m.argument(specs[k], inputs.back()));
    }
    for (const edge& e : f(m, arguments)) m.made.output_edges.push_back(e);
    jig::named_graph g = jig::named_graph_of(m.made.view(), name);
    g.inputs = std::move(inputs);
    out.push_back({std::move(name), std::move(g), std::move(calls)});
  }
  void add(const op& o, const std::string& suffix, std::vector<any_tensor> x, const std::vector<attr>& with = {}) {
    add(std::string(o.name) + suffix, {std::move(x)}, [&](maker& m, const edges& e) {
      const edge first = m.call(o, list_of(e), with);
      edges results;
      for (int port = 0; port < o.outputs; ++port) results.push_back({first.node, first.port + port});
      return results;
    });
  }
  // The gradients of pools and of filters of convolutions, with so many images as the first call has and with those that a call has.
  void add_gradients_of_pools(dtype d, const std::string& how, const any_tensor& x, const std::vector<attr>& with, const op& largest,
                              const op& largest_grad, const op& largest_grad_grad, const op& mean_grad) {
    const any_tensor pooled = computed(largest, {x}, with), adjoint = some(d, pooled.shape(), 2);
    any_of_images(how + "_" + std::string(largest_grad.name), {x, pooled, adjoint},
                  [&](maker& m, const edges& e) -> edges { return {m.call(largest_grad, list_of(e), with)}; });
    any_of_images(how + "_" + std::string(largest_grad_grad.name), {x, pooled, some(d, x.shape(), 5)},
                  [&](maker& m, const edges& e) -> edges { return {m.call(largest_grad_grad, list_of(e), with)}; });
    any_of_images(how + "_" + std::string(mean_grad.name), {adjoint, x},
                  [&](maker& m, const edges& e) -> edges { return {m.call(mean_grad, {e[0], e[1]}, with)}; });
  }
  void add_gradient_of_filter(dtype d, const std::string& how, const any_tensor& x, const any_tensor& filter, const std::vector<attr>& with,
                              const op& forward, const op& gradient) {
    const any_tensor result = some(d, computed(forward, {x, filter}, with).shape(), 3);
    any_of_images(std::string(gradient.name) + how, {x, result},
                  [&](maker& m, const edges& e) -> edges { return {m.call(gradient, {e[0], e[1], m.constant(filter)}, with)}; });
  }
  void any_of_images(const std::string& name, const std::vector<any_tensor>& x, const body& f) {
    add(name, {x}, f);
    if (x[0].dtype() != f32) return;
    std::vector<tensor_spec> specs;
    for (const auto& a : x) {
      specs.push_back({a.dtype(), a.shape()});
      specs.back().shape[0] = jig::dyn;
    }
    add(name + "_any", {x}, f, specs);
  }
};
std::string of(dtype d) { return "_" + std::string(jig::name_of(d)); }

using namespace jig;

void add_elementwise(models& to) {
  const std::vector<double> finite{-1e4, -20, -2.5, -1, -0.5, -1e-6, 0, 1e-6, 0.5, 1, 1.5, 2.5, 20, 1e4};
  const std::vector<double> special{-inf, -1e4, -20, -2.5, -1, -0.5, -1e-6, 0, 1e-6, 0.5, 1, 1.5, 2.5, 20, 1e4, inf, nan};
  for (const dtype d : {f32, f64, f16, dtype::bfloat16})
    for (const op* o :
         {&ops::abs,        &ops::acos,     &ops::acosh,     &ops::asin,   &ops::asinh,    &ops::atan,     &ops::atanh, &ops::ceil,
          &ops::cos,        &ops::cosh,     &ops::elu,       &ops::erf,    &ops::erfc,     &ops::exp,      &ops::expm1, &ops::floor,
          &ops::gelu,       &ops::identity, &ops::is_finite, &ops::is_inf, &ops::is_nan,   &ops::log,      &ops::log1p, &ops::neg,
          &ops::reciprocal, &ops::relu,     &ops::relu6,     &ops::rint,   &ops::round,    &ops::rsqrt,    &ops::selu,  &ops::sigmoid,
          &ops::sign,       &ops::silu,     &ops::sin,       &ops::sinh,   &ops::softplus, &ops::softsign, &ops::sqrt,  &ops::square,
          &ops::tan,        &ops::tanh,     &ops::trunc})
      // What ONNX computes otherwise: x * sigmoid(x) has no limit, and its runtime knows no sign of a NaN of halfs.
      to.add(*o, of(d), {listed(d, o == &ops::gelu || o == &ops::silu || o == &ops::sign ? finite : special)});
  std::vector<double> left, right;
  for (const double x : special)
    for (const double y : special) left.push_back(x), right.push_back(y);
  for (const dtype d : {f32, f64, f16, dtype::bfloat16}) {
    for (const op* o : {&ops::add, &ops::subtract, &ops::multiply, &ops::divide, &ops::maximum, &ops::minimum, &ops::power,
                        &ops::squared_difference, &ops::truncate_mod, &ops::floor_mod, &ops::floor_divide, &ops::equal, &ops::not_equal,
                        &ops::less, &ops::less_equal, &ops::greater, &ops::greater_equal})
      to.add(*o, of(d), {listed(d, left), listed(d, right)});
    to.add(ops::leaky_relu, of(d), {listed(d, special), listed(d, {0.25}, {1, {1}})});
    to.add(ops::fma, of(d), {listed(d, left), listed(d, right), listed(d, right)});
    to.add(ops::add_n, of(d), {listed(d, left), listed(d, right), listed(d, right)});
  }
  for (const dtype d : {dtype::int8, dtype::int16, i32, i64, u8, dtype::uint16, dtype::uint32, dtype::uint64}) {
    for (const op* o : {&ops::neg, &ops::abs, &ops::sign, &ops::square, &ops::relu, &ops::relu6}) to.add(*o, of(d), {ends(d)});
    for (const op* o : {&ops::add, &ops::subtract, &ops::multiply, &ops::maximum, &ops::minimum, &ops::squared_difference, &ops::equal,
                        &ops::not_equal, &ops::less, &ops::less_equal, &ops::greater, &ops::greater_equal})
      to.add(*o, of(d) + "_ends", {ends(d), filled(d, {1, {8}}, [](index i) { return static_cast<double>(i + 1); })});
    for (const op* o : {&ops::truncate_divide, &ops::truncate_mod, &ops::floor_divide, &ops::floor_mod})
      for (const double by : {7., 3., 2., 1., -1., -2., -7.}) {
        if (by < 0 && !is_signed(d)) continue;
        to.add(*o, of(d) + "_by" + std::to_string(static_cast<int>(by)), {ends(d), listed(d, {by}, {1, {1}})});
      }
    to.add(ops::floor_divide, of(d) + "_ends", {ends(d), ends(d, false)});
    to.add(ops::add_n, of(d), {ends(d), ends(d), ends(d)});
    to.add(ops::power, of(d), {listed(d, {1, 2, 3, 1, 5}), listed(d, {0, 5, 3, 2, 1})});
    for (const op* o : {&ops::bitwise_and, &ops::bitwise_or, &ops::bitwise_xor})
      to.add(*o, of(d), {ends(d), filled(d, {1, {8}}, [](index i) { return static_cast<double>(3 * i + 1); })});
    to.add(ops::invert, of(d), {ends(d)});
    for (const op* o : {&ops::left_shift, &ops::right_shift})
      to.add(*o, of(d), {ends(d), filled(d, {1, {8}}, [](index i) { return static_cast<double>(i % 7); })});
    to.add(ops::select, of(d), {some(truth, {2, {3, 1}}), some(d, {2, {3, 2}}), some(d, {1, {2}}, 4)});
  }
  for (const dtype d : {f32, f64, f16, dtype::bfloat16, truth, dtype::string})
    to.add(ops::select, of(d), {some(truth, {2, {3, 1}}), some(d, {2, {3, 2}}), some(d, {1, {2}}, 4)});
  left.clear(), right.clear();
  for (const double x : {-inf, -2., -1e-3, -0., 0., 1e-3, 1., 2., inf, nan})
    for (const double y : {-inf, -3., -1e-3, -0., 0., 1e-3, 1., 3., inf, nan}) left.push_back(x), right.push_back(y);
  for (const dtype d : {f32, f64, f16, dtype::bfloat16}) to.add(ops::atan2, of(d), {listed(d, left), listed(d, right)});
  for (const op* o : {&ops::logical_and, &ops::logical_or, &ops::equal, &ops::not_equal})
    to.add(*o, "_bool", {listed(truth, {0, 0, 1, 1}), listed(truth, {0, 1, 0, 1})});
  to.add(ops::logical_not, "", {listed(truth, {0, 1})});
  to.add(ops::add, "_of_scalars", {listed(f32, {2}, {0, {}}), some(f32, {2, {2, 3}})});
  for (int from = 0; from < dtype_count; ++from)
    for (int into = 0; into < dtype_count; ++into) {
      const auto a = static_cast<dtype>(from), b = static_cast<dtype>(into);
      if (a == dtype::string || b == dtype::string) continue;
      const bool sign = (is_signed(a) || is_floating(a)) && (is_signed(b) || is_floating(b));
      to.add(ops::cast, of(a) + of(b), {listed(a, {0, 1, 100, sign ? -3. : 3., sign ? -2.75 : 2.75, 0.5, 0.25})}, {attr::type("DstT", b)});
    }
  for (const auto& [a, b] : {std::pair(i32, dtype::int8), std::pair(i64, i32), std::pair(i64, dtype::uint64), std::pair(dtype::uint32, i32),
                             std::pair(dtype::int8, u8)})
    to.add(ops::cast, of(a) + of(b) + "_ends", {ends(a)}, {attr::type("DstT", b)});
}

void add_reductions(models& to) {
  const shape s{3, {2, 3, 4}};
  const auto axes_of = [](const integers& axes, bool keep) {
    return std::vector<attr>{attr::ints("axes", axes), attr::flag("keep_dims", keep)};
  };
  const std::vector<integers> all{{}, {0}, {-1}, {0, 2}, {1, -1}};
  const op* kinds[] = {&ops::reduce_sum, &ops::reduce_mean, &ops::reduce_prod, &ops::reduce_max, &ops::reduce_min};
  for (const op* o : kinds)
    for (int d = 0; d < dtype_count; ++d) {
      const auto type = static_cast<dtype>(d);
      if (type == truth || type == dtype::string) continue;
      for (std::size_t k = 0; k < all.size(); ++k)
        to.add(*o, of(type) + "_" + std::to_string(k), {some(type, s)}, axes_of(all[k], k % 2 != 0));
      if (!is_floating(type)) continue;
      to.add(*o, of(type) + "_none", {any_tensor::empty(type, {2, {0, 3}})}, axes_of({1}, false));
    }
  to.add(ops::reduce_sum, "_of_nothing", {any_tensor::empty(f32, {2, {2, 0}})}, axes_of({1}, false));
  for (const dtype d : {dtype::int8, u8, dtype::int16, dtype::uint16})
    for (const index n : {40, 128, 300})
      to.add(ops::reduce_mean, of(d) + "_wraps" + std::to_string(n), {filled(d, {1, {n}}, [](index) { return 100; })}, axes_of({}, false));
  for (const op* o : {&ops::reduce_any, &ops::reduce_all})
    for (std::size_t k = 0; k < all.size(); ++k)
      to.add(*o, "_" + std::to_string(k), {some(truth, s, static_cast<index>(k))}, axes_of(all[k], k % 2 != 0));
  for (const op* o : {&ops::argmax, &ops::argmin})
    for (int d = 0; d < dtype_count; ++d) {
      const auto type = static_cast<dtype>(d);
      if (type == truth || type == dtype::string) continue;
      for (const index axis : {0, 1, -1})
        to.add(*o, of(type) + "_" + std::to_string(axis), {listed(type, {1, 3, 3, 1, 5, 0, 5, 0}, {2, {2, 4}})},
               {attr::number("dimension", axis)});
    }
  for (int d = 0; d < dtype_count; ++d) {
    const auto type = static_cast<dtype>(d);
    if (type == truth || type == dtype::string) continue;
    for (const index axis : {0, 1, -1})
      for (const op* o : {&ops::cumsum, &ops::cumprod})
        to.add(*o, of(type) + "_" + std::to_string(axis), {some(type, s)}, {attr::number("axis", axis)});
    const any_tensor ties = listed(type, {1, 3, 3, 1, 5, 0, 5, 0}, {2, {2, 4}});
    for (const bool descending : {false, true})
      for (const index axis : {0, -1})
        for (const op* o : {&ops::sort, &ops::argsort})
          to.add(*o, of(type) + "_" + std::to_string(axis) + (descending ? "d" : ""), {ties},
                 {attr::number("axis", axis), attr::flag("descending", descending)});
    to.add(ops::top_k, of(type), {ties}, {attr::number("k", 3)});
    to.add(ops::unique, of(type), {listed(type, {3, 1, 3, 2, 1, 7})});
  }
  to.add(ops::sort, "_nan", {listed(f32, {2, nan, 1, inf, -inf})}, {attr::number("axis", 0), attr::flag("descending", false)});
  to.add(ops::where, "", {some(truth, {2, {3, 4}})});
  to.add(ops::where, "_nowhere", {filled(truth, {1, {4}}, [](index) { return 0; })});
}

void add_products(models& to) {
  const auto flags = [](bool a, bool b) { return std::vector<attr>{attr::flag("transpose_a", a), attr::flag("transpose_b", b)}; };
  for (int d = 0; d < dtype_count; ++d) {
    const auto type = static_cast<dtype>(d);
    if (type == truth || type == dtype::string) continue;
    for (const bool a : {false, true})
      for (const bool b : {false, true}) {
        const std::string how = of(type) + (a ? "a" : "") + (b ? "b" : "");
        to.add(ops::matmul, how,
               {some(type, a ? shape{2, {4, 3}} : shape{2, {3, 4}}), some(type, b ? shape{2, {2, 4}} : shape{2, {4, 2}}, 2)}, flags(a, b));
        to.add(ops::batch_matmul, how,
               {some(type, a ? shape{3, {2, 4, 3}} : shape{3, {2, 3, 4}}), some(type, b ? shape{3, {2, 2, 4}} : shape{3, {2, 4, 2}}, 2)},
               flags(a, b));
      }
  }
  to.add(ops::batch_matmul, "_broadcast", {some(f32, {4, {2, 1, 3, 4}}), some(f32, {3, {5, 4, 2}})}, flags(false, false));
  to.add(ops::batch_matmul, "_by_matrix", {some(f32, {3, {2, 3, 4}}), some(f32, {2, {4, 2}})}, flags(false, false));
  to.add(ops::matmul, "_of_nothing", {any_tensor::empty(f32, {2, {2, 0}}), any_tensor::empty(f32, {2, {0, 3}})}, flags(false, false));
  const auto einsum = [&](const char* equation, std::vector<any_tensor> x) {
    std::string name = "Einsum_";
    for (const char* c = equation; *c != 0; ++c) name += *c == ',' ? '_' : *c == '>' ? '-' : *c;
    to.add(name, {std::move(x)},
           [&](maker& m, const edges& e) -> edges { return {m.call(ops::einsum, list_of(e), {attr::words("equation", equation)})}; });
  };
  einsum("ij,jk->ik", {some(f32, {2, {2, 3}}), some(f32, {2, {3, 4}})});
  einsum("bij,bjk->bik", {some(f32, {3, {2, 2, 3}}), some(f32, {3, {2, 3, 4}})});
  einsum("bhqd,bhkd->bhqk", {some(f64, {4, {2, 2, 3, 4}}), some(f64, {4, {2, 2, 5, 4}})});
  einsum("bqhd,bkhd->bhqk", {some(f32, {4, {2, 3, 2, 4}}), some(f32, {4, {2, 5, 2, 4}})});
  einsum("ij->ji", {some(f32, {2, {2, 3}})});
  einsum("ii->i", {some(f32, {2, {3, 3}})});
  einsum("ii->", {some(f32, {2, {3, 3}})});
  einsum("ij->j", {some(i32, {2, {2, 3}})});
  einsum("i,j->ij", {some(f32, {1, {3}}), some(f32, {1, {2}})});
  einsum("ijk,k->ij", {some(f32, {3, {2, 3, 4}}), some(f32, {1, {4}})});
  einsum("ij,ij->", {some(f32, {2, {2, 3}}), some(f32, {2, {2, 3}}, 3)});
  einsum("abc,cd,de->abe", {some(f32, {3, {2, 3, 4}}), some(f32, {2, {4, 2}}), some(f32, {2, {2, 3}})});
}

std::vector<attr> window(int axes, const char* padding, index stride, index dilation, integers given = {}, index size = 0) {
  integers strides{1}, dilations{1}, sizes{1};
  for (int a = 0; a < axes; ++a)
    strides.push_back(stride + (a == 1 && stride > 1)), dilations.push_back(dilation), sizes.push_back(size + (a == 1));
  for (auto* l : {&strides, &dilations, &sizes}) l->push_back(1);
  std::vector<attr> out{attr::ints("strides", strides), attr::ints("dilations", dilations), attr::words("padding", padding),
                        attr::words("data_format", axes == 2 ? "NHWC" : "NDHWC")};
  if (!given.empty()) out.push_back(attr::ints("explicit_paddings", given));
  if (size > 0) out.push_back(attr::ints("ksize", sizes));
  return out;
}

void add_windows(models& to) {
  const integers uneven{0, 0, 1, 2, 0, 1, 0, 0}, uneven3{0, 0, 1, 1, 0, 1, 1, 0, 0, 0};
  for (const dtype d : {f32, f64, f16, dtype::bfloat16})
    for (const char* padding : {"SAME", "VALID", "EXPLICIT"})
      for (const index stride : {1, 2, 3}) {
        const bool given = padding[0] == 'E';
        if (d != f32 && stride == 3) continue;
        const std::string how = of(d) + "_" + padding + std::to_string(stride);
        for (const index dilation : {1, 2}) {
          const std::string more = how + (dilation == 2 ? "d" : "");
          to.add(ops::conv2d, more, {some(d, {4, {2, 7, 8, 2}}), some(d, {4, {3, 2, 2, 4}}, 1)},
                 window(2, padding, stride, dilation, given ? uneven : integers{}));
        }
        to.add(ops::conv2d, how + "_groups", {some(d, {4, {2, 7, 8, 4}}), some(d, {4, {3, 2, 2, 6}}, 1)},
               window(2, padding, stride, 1, given ? uneven : integers{}));
        to.add(ops::conv3d, how, {some(d, {5, {1, 4, 5, 6, 2}}), some(d, {5, {2, 3, 2, 2, 3}}, 1)},
               window(3, padding, stride, 1, given ? uneven3 : integers{}));
        to.add(ops::depthwise_conv2d, how, {some(d, {4, {2, 7, 8, 3}}), some(d, {4, {3, 2, 3, 2}}, 1)},
               window(2, padding, stride, 1, given ? uneven : integers{}));
        const any_tensor images = some(d, {4, {2, 7, 8, 3}}), volumes = some(d, {5, {2, 4, 5, 6, 2}});
        const auto flat = window(2, padding, stride, 1, given ? uneven : integers{}, 3),
                   deep = window(3, padding, stride, 1, given ? uneven3 : integers{}, 2);
        for (const op* o : {&ops::max_pool2d, &ops::avg_pool2d}) to.add(*o, how, {images}, flat);
        for (const op* o : {&ops::max_pool3d, &ops::avg_pool3d}) to.add(*o, how, {volumes}, deep);
        to.add_gradients_of_pools(d, how + "_2d", images, flat, ops::max_pool2d, ops::max_pool2d_grad, ops::max_pool2d_grad_grad,
                                  ops::avg_pool2d_grad);
        to.add_gradients_of_pools(d, how + "_3d", volumes, deep, ops::max_pool3d, ops::max_pool3d_grad, ops::max_pool3d_grad_grad,
                                  ops::avg_pool3d_grad);
        for (const index dilation : {1, 2}) {
          const auto with = window(2, padding, stride, dilation, given ? uneven : integers{});
          const std::string more = how + (dilation == 2 ? "d" : "");
          to.add_gradient_of_filter(d, more, some(d, {4, {2, 7, 8, 2}}), some(d, {4, {3, 2, 2, 4}}), with, ops::conv2d,
                                    ops::conv2d_backprop_filter);
          to.add_gradient_of_filter(d, more + "_groups", some(d, {4, {2, 7, 8, 4}}), some(d, {4, {3, 2, 2, 6}}), with, ops::conv2d,
                                    ops::conv2d_backprop_filter);
          to.add_gradient_of_filter(d, more, some(d, {4, {2, 7, 8, 3}}), some(d, {4, {3, 2, 3, 2}}), with, ops::depthwise_conv2d,
                                    ops::depthwise_conv2d_backprop_filter);
        }
        to.add_gradient_of_filter(d, how + "_groups", volumes, some(d, {5, {2, 3, 2, 1, 4}}),
                                  window(3, padding, stride, 1, given ? uneven3 : integers{}), ops::conv3d, ops::conv3d_backprop_filter);
        to.add_gradient_of_filter(d, how, volumes, some(d, {5, {2, 3, 2, 2, 3}}),
                                  window(3, padding, stride, 1, given ? uneven3 : integers{}), ops::conv3d, ops::conv3d_backprop_filter);
        // Back to what these extents were convolved from.
        if (const any_tensor like = some(d, {4, {2, 7, 8, 2}}); !given) {
          const auto rows = [&](index n, index taps) { return padding[0] == 'S' ? (n + stride - 1) / stride : (n - taps) / stride + 1; };
          const index second = stride + (stride > 1), columns = padding[0] == 'S' ? (8 + second - 1) / second : (8 - 2) / second + 1;
          to.add(ops::conv2d_backprop_input, how, {some(d, {4, {3, 2, 2, 4}}), some(d, {4, {2, rows(7, 3), columns, 4}}, 1), like},
                 window(2, padding, stride, 1));
          to.add(ops::depthwise_conv2d_backprop_input, how,
                 {some(d, {4, {3, 2, 2, 3}}), some(d, {4, {2, rows(7, 3), columns, 6}}, 1), like}, window(2, padding, stride, 1));
        }
      }
  for (const dtype d : {dtype::int8, dtype::int16, i32, i64, u8, dtype::uint16, dtype::uint32})
    to.add(ops::max_pool2d, of(d), {some(d, {4, {2, 5, 5, 2}})}, window(2, "SAME", 2, 1, {}, 2));
  for (const dtype d : {f32, f64, f16, u8, i32})
    for (const op* o : {&ops::resize_bilinear, &ops::resize_nearest})
      for (const integers& size : {integers{7, 5}, integers{2, 2}, integers{4, 6}, integers{3, 4}, integers{1, 9}}) {
        if (o == &ops::resize_bilinear && !is_floating(d)) continue;
        const any_tensor x = some(d, {4, {2, 3, 4, 2}});
        const std::string how = of(d) + "_" + std::to_string(size[0]) + "_" + std::to_string(size[1]);
        to.add(*o, how, {x, x}, {attr::ints("size", size)});
        to.add(std::string(o->name) + how + "_any", {{x}},
               [&](maker& m, const edges& e) -> edges { return {m.call(*o, {e[0], e[0]}, {attr::ints("size", size)})}; },
               {{d, {4, {dyn, 3, 4, dyn}}}});
        if (!is_floating(d)) continue;
        const op& gradient = o == &ops::resize_bilinear ? ops::resize_bilinear_grad : ops::resize_nearest_grad;
        to.any_of_images(std::string(gradient.name) + how, {some(d, {4, {2, size[0], size[1], 2}}, 1), x},
                         [&](maker& m, const edges& e) -> edges { return {m.binary(gradient, e[0], e[1])}; });
      }
}

void add_parts(models& to) {
  const auto slice = [](integers begin, integers end, integers strides, index from = 0, index until = 0, index single = 0) {
    return std::vector<attr>{attr::ints("begin", std::move(begin)),     attr::ints("end", std::move(end)),
                             attr::ints("strides", std::move(strides)), attr::number("begin_mask", from),
                             attr::number("end_mask", until),           attr::number("shrink_axis_mask", single)};
  };
  for (int k = 0; k < dtype_count; ++k) {
    const auto d = static_cast<dtype>(k);
    const any_tensor x = some(d, {3, {4, 5, 3}});
    const auto add = [&](const op& o, const char* how, const std::vector<attr>& with, std::vector<any_tensor> more = {}) {
      more.insert(more.begin(), x);
      to.add(o, of(d) + "_" + how, std::move(more), with);
    };
    const std::pair<const char*, std::vector<attr>> slices[] = {
        {"inner", slice({1, 0, 1}, {3, 4, 2}, {1, 2, 1})},
        {"from_end", slice({-3, -4}, {-1, 0}, {1, 1}, 0, 2)},
        {"backwards", slice({3, 4, 0}, {0, 0, 0}, {-1, -2, 1}, 4, 6)},
        {"backwards_whole", slice({0, 0, 0}, {0, 0, 0}, {-2, -1, -1}, 7, 7)},
        {"single", slice({1, -1, 0}, {2, 0, 0}, {1, 1, 1}, 4, 4, 3)},
        {"beyond", slice({-100, 2}, {100, 100}, {1, 1})},
        {"none", slice({2}, {2}, {1})},
        {"whole", slice({}, {}, {})},
    };
    for (const auto& [how, with] : slices) {
      add(ops::strided_slice, how, with);
      if (d == dtype::string) continue;
      const any_tensor part = some(d, computed(ops::strided_slice, {x}, with).shape(), 6);
      const std::vector<tensor_spec> any_rows{{d, {3, {dyn, 5, 3}}}, {d, part.shape()}};
      for (const op* o : {&ops::strided_slice_update, &ops::strided_slice_add}) {
        if (d == truth && o == &ops::strided_slice_add) continue;
        add(*o, how, with, {part});
        if (d != f32) continue;
        to.add(
            std::string(o->name) + "_any_" + how, {{x, part}},
            [&](maker& m, const edges& e) -> edges { return {m.call(*o, list_of(e), with)}; }, any_rows);
      }
    }
    add(ops::reverse, "0", {attr::ints("axis", {0})});
    add(ops::reverse, "0_2", {attr::ints("axis", {0, -1})});
    add(ops::slice, "at", {attr::ints("size", {2, -1, 1})}, {listed(i32, {1, 0, 2})});
    add(ops::slice, "at64", {attr::ints("size", {2, 5, 1})}, {listed(i64, {2, 0, 1})});
    for (const index axis : {0, 1, -1}) {
      const std::string at = std::to_string(axis);
      // ONNX Runtime gathers the first string of a row only.
      if (d != dtype::string || axis == -1)
        add(ops::gather, ("axis" + at).c_str(), {attr::number("axis", axis)}, {listed(i32, {2, 0, 1, 2}, {2, {2, 2}})});
      if (d != dtype::string || axis == -1)
        add(ops::gather, ("one" + at).c_str(), {attr::number("axis", axis)}, {listed(u8, {1}, {0, {}})});
      add(ops::concat, at.c_str(), {attr::number("axis", axis)}, {x, x});
      add(ops::pack, at.c_str(), {attr::number("axis", axis)}, {x, x});
    }
    add(ops::gather, "batch", {attr::number("axis", 1), attr::number("batch_dims", 1)},
        {listed(i32, {0, 4, 1, 2, 3, 3, 0, 1}, {2, {4, 2}})});
    add(ops::split, "1", {attr::number("axis", 0), attr::number("num_split", 2), attr::number("part", 1)});
    add(ops::split, "-1", {attr::number("axis", -1), attr::number("num_split", 3), attr::number("part", 2)});
    add(ops::unpack, "1", {attr::number("axis", 1), attr::number("part", 3)});
    add(ops::gather_nd, "2", {}, {listed(i32, {0, 1, 3, 4, 2, 2}, {2, {3, 2}})});
    add(ops::gather_nd, "whole", {}, {listed(i64, {0, 1, 2, 3, 4, 0}, {2, {2, 3}})});
    add(ops::transpose, "021", {attr::ints("perm", {0, 2, 1})});
    add(ops::transpose, "-1", {attr::ints("perm", {-1, 0, 1})});
    add(ops::reshape, "flat", {attr::ints("shape", {60})});
    add(ops::reshape, "more", {attr::ints("shape", {2, 2, 5, 3, 1})});
    add(ops::expand_dims, "-1", {attr::number("dim", -1)});
    add(ops::expand_dims, "0", {attr::number("dim", 0)});
    add(ops::tile, "", {attr::ints("multiples", {1, 2, 3})});
    add(ops::zeros_like, "", {});
    add(ops::broadcast_to, "", {attr::ints("shape", {2, 4, 5, 3})});
    add(ops::identity, "", {});
    add(ops::shape_of, "", {});
    add(ops::squeeze, "", {attr::ints("squeeze_dims", {})});
    to.add(ops::squeeze, of(d) + "_some", {some(d, {4, {1, 3, 1, 2}})}, {attr::ints("squeeze_dims", {0, 2})});
    to.add(ops::squeeze, of(d) + "_all", {some(d, {4, {1, 3, 1, 2}})}, {attr::ints("squeeze_dims", {})});
    to.add(ops::squeeze, of(d) + "_last", {some(d, {2, {3, 1}})}, {attr::ints("squeeze_dims", {-1})});
    if (d == dtype::string) continue;
    const any_tensor corner = some(d, {3, {2, 5, 1}}, 8), at = listed(i32, {1, 0, 2});
    add(ops::slice_update, "", {attr::ints("size", {2, 5, 1})}, {at, corner});
    to.add(ops::diag, of(d), {some(d, {2, {3, 4}})});
    for (const auto& axes : {integers{0, 1}, integers{-2, -1}, integers{0, 2}, integers{1, 2}}) {
      const std::vector<attr> with{attr::ints("axes", axes)};
      const std::string how = of(d) + "_" + std::to_string(axes[0]) + std::to_string(axes[1]);
      const any_tensor cube = some(d, {3, {4, 4, 4}});
      to.add(ops::diag_part, how, {cube}, with);
      to.add(ops::set_diag, how, {cube, some(d, {2, {4, 4}}, 2)}, with);
      if (d != truth) to.add(ops::diag_part_add, how, {cube, some(d, {2, {4, 4}}, 2)}, with);
    }
    for (const int axis : {0, 1, 2}) {
      shape before = x.shape(), here = x.shape();
      before[axis] = 1;
      here[axis] -= 1;
      const std::vector<tensor_spec> any{{d, {3, {dyn, dyn, dyn}}}, {d, {3, {dyn, dyn, dyn}}}, {d, {3, {dyn, dyn, dyn}}}};
      to.add(
          "ConcatPart" + of(d) + "_any_" + std::to_string(axis), {{x, some(d, before), some(d, here)}},
          [&](maker& m, const edges& e) -> edges { return {m.call(ops::concat_part, list_of(e), {attr::number("axis", axis)})}; }, any);
      for (const index given : {axis, axis - 3})
        to.add(ops::concat_part, of(d) + "_" + std::to_string(given), {x, some(d, before), some(d, here)}, {attr::number("axis", given)});
    }
    if (d != truth) {
      for (const index axis : {0, 1, -1}) {
        shape picked = x.shape();
        picked[static_cast<int>(axis < 0 ? axis + 3 : axis)] = 2;
        add(ops::gather_add, ("axis" + std::to_string(axis)).c_str(), {attr::number("axis", axis)}, {some(d, picked), listed(i32, {2, 2})});
      }
      add(ops::gather_add, "batch", {attr::number("axis", 1), attr::number("batch_dims", 1)},
          {some(d, {3, {4, 2, 3}}), listed(i64, {0, 4, 1, 1, 3, 3, 0, 1}, {2, {4, 2}})});
      add(ops::slice_add, "", {attr::ints("size", {2, 5, 1})}, {corner, at});
      add(ops::tile_sum, "", {}, {some(d, {3, {2, 5, 1}})});
      to.add(ops::along_axis_place, of(d), {some(d, {2, {3, 2}}), listed(i32, {3, 0, 1, 2, 2, 3}, {2, {3, 2}}), some(d, {2, {3, 4}})},
             {attr::number("axis", -1)});
      to.add(ops::along_axis_place, of(d) + "_rows",
             {some(d, {2, {2, 3}}), listed(i32, {3, 0, 1, 2, 2, 3}, {2, {2, 3}}), some(d, {2, {4, 3}})}, {attr::number("axis", 0)});
    }
    add(ops::pad, "", {attr::ints("paddings", {1, 0, 0, 2, 0, 0})}, {some(d, {})});
    add(ops::ones_like, "", {});
    add(ops::fill, "", {}, {some(d, {}, 3)});
    add(ops::broadcast_like, "", {}, {some(d, {4, {2, 4, 5, 3}})});
    add(ops::tensor_scatter_update, "", {}, {listed(i32, {3, 0}, {2, {2, 1}}), some(d, {3, {2, 5, 3}}, 9)});
    if (d != truth) add(ops::tensor_scatter_add, "", {}, {listed(i64, {3, 3}, {2, {2, 1}}), some(d, {3, {2, 5, 3}}, 9)});
    to.add(ops::one_hot, of(d),
           {
               listed(i32, {0, 3, -1, 4, 2}),
           },
           {attr::number("depth", 4), attr::type("T", d)});
    to.add(ops::one_hot, of(d) + "_of_one", {listed(i64, {2}, {0, {}})}, {attr::number("depth", 4), attr::type("T", d)});
  }
}

// Ops that only gradients and other ops make.
void add_made(models& to) {
  for (const dtype d : {f32, f64, i32}) {
    const any_tensor x = some(d, {2, {4, 3}});
    to.add(ops::product_of_others, of(d), {filled(d, {2, {2, 3}}, [](index i) { return i == 2 ? 0. : static_cast<double>(i + 2); })});
    to.add(ops::split_add, of(d), {x, some(d, {2, {2, 3}}, 4)},
           {attr::number("axis", 0), attr::number("num_split", 2), attr::number("part", 1)});
    to.add(ops::set_shape, of(d), {x}, {attr::ints("shape", {4, 3})});
    for (const bool lower : {false, true})
      if (d != i32) to.add(ops::triangle, of(d) + (lower ? "_lower" : "_upper"), {x}, {attr::flag("lower", lower)});
    if (d == f32) to.add(ops::matrix_determinant, of(d), {some(d, {3, {2, 3, 3}})});
    to.add(ops::ensure_shape, of(d) + "_pairs", {x, some(d, {1, {3}})}, {attr::ints("axes", {1, 0})});
    to.add(ops::sum_like, of(d), {x, some(d, {1, {3}})});
    for (const shape& unknown : {shape{1, {dyn}}, shape{2, {dyn, dyn}}})
      to.add(std::string(ops::sum_like.name) + of(d) + "_any" + std::to_string(unknown.rank),
             {{x, some(d, unknown.rank == 1 ? shape{1, {3}} : shape{2, {4, 1}})}},
             [](maker& m, const edges& e) -> edges { return {m.binary(ops::sum_like, e[0], e[1])}; }, {{d, {2, {dyn, dyn}}}, {d, unknown}});
    for (const op* o : {&ops::unsorted_segment_sum, &ops::unsorted_segment_max, &ops::unsorted_segment_min})
      to.add(*o, of(d), {x, listed(i32, {2, -1, 0, 2})}, {attr::number("num_segments", 3)});
    to.add(ops::roll, of(d), {x, any_tensor(std::int64_t{-3})}, {attr::number("axis", 1)});
    for (const op* o : {&ops::lower_bound, &ops::upper_bound}) to.add(*o, of(d), {listed(d, {-1, 0, 1, 1}), some(d, {2, {2, 3}}, 1)});
    to.add(ops::bincount, of(d), {listed(i32, {3, 1, 5, 3})}, {attr::number("size", 4), attr::type("T", d)});
    to.add(ops::bincount, of(d) + "_weights", {listed(i64, {3, 1, 5, 3}), some(d, {1, {4}})}, {attr::number("size", 4)});
    to.add(ops::scatter_nd, of(d), {listed(i32, {2, 0}, {2, {2, 1}}), some(d, {2, {2, 3}})}, {attr::ints("shape", {4, 3})});
    to.add(ops::arranged_batch_matmul, of(d), {some(d, {3, {2, 4, 3}}), some(d, {3, {2, 3, 5}}, 2)},
           {attr::flag("transpose_a", false), attr::flag("transpose_b", false), attr::ints("perm", {1, 0, 2})});
  }
  to.add(ops::conv3d_backprop_input, "",
         {some(f32, {5, {2, 2, 2, 3, 4}}), some(f32, {5, {1, 2, 3, 2, 4}}, 1), some(f32, {5, {1, 3, 4, 3, 3}})}, window(3, "VALID", 1, 1));
}

void add_unknown_extents(models& to) {
  const auto rows = [](dtype d, index n, index m = 3) { return some(d, {2, {n, m}}); };
  const tensor_spec two{f32, {2, {dyn, 3}}}, both{f32, {2, {dyn, dyn}}};
  const std::vector<std::vector<any_tensor>> calls{{rows(f32, 4)}, {rows(f32, 1)}, {rows(f32, 9)}};
  const auto add = [&](const char* name, const std::function<edges(maker&, edge)>& f) {
    to.add(std::string("rows_") + name, calls, [&](maker& m, const edges& x) { return f(m, x[0]); }, {two});
    to.add(std::string("wildcards_") + name, calls, [&](maker& m, const edges& x) { return f(m, x[0]); }, {both});
  };
  add("sum",
      [](maker& m, edge x) -> edges { return {m.reduce(ops::reduce_sum, x, {0}, false), m.reduce(ops::reduce_mean, x, {1}, true)}; });
  add("flatten", [](maker& m, edge x) -> edges { return {m.reshape(x, {dyn})}; });
  add("product", [](maker& m, edge x) -> edges { return {m.matmul(x, x, false, true), m.matmul(x, x, true, false)}; });
  add("concat", [](maker& m, edge x) -> edges { return {m.concat({x, x}, 0), m.concat({x, x}, 1)}; });
  add("slice", [](maker& m, edge x) -> edges { return {m.part(x, 0, 0, 1), m.transpose(x, {1, 0})}; });
  add("like", [](maker& m, edge x) -> edges { return {m.unary(ops::zeros_like, x), m.unary(ops::shape_of, x)}; });
  add("gradient", [](maker& m, edge x) -> edges {
    const edge row = m.reduce(ops::reduce_sum, x, {0}, true), column = m.reduce(ops::reduce_sum, x, {1}, true);
    return {m.binary(ops::sum_like, x, row), m.binary(ops::sum_like, x, column), m.binary(ops::sum_like, x, m.reshape(row, {dyn})),
            m.binary(ops::sum_like, x, x), m.binary(ops::shrinkage, x, column)};
  });
  to.add("means_of_halves", {{any_tensor::empty(f16, {2, {20000, 4}}), listed(f16, {1}, {0, {}})}},
         [](maker& m, const edges& e) -> edges { return {m.binary(ops::shrinkage, e[0], e[1])}; }, {{f16, {2, {dyn, 4}}}, {f16, {0, {}}}});
  add("parts_of_gradients", [](maker& m, edge x) -> edges {
    const edge row = m.part(x, 0, 0, 1), first = m.constants<std::int32_t>({0});
    return {m.call(ops::gather_add, {x, row, first}, {attr::number("axis", 0)})};
  });
  add("joined", [](maker& m, edge x) -> edges {
    return {m.call(ops::concat_part, {m.concat({x, x, x}, 0), x, x}, {attr::number("axis", 0)}),
            m.call(ops::concat_part, {m.concat({x, x, x}, 1), x, x, x}, {attr::number("axis", -1)})};
  });
  add("diagonals", [](maker& m, edge x) -> edges { return {m.unary(ops::diag, x), m.call(ops::cumprod, {x}, {attr::number("axis", 0)})}; });
  add("argmax", [](maker& m, edge x) -> edges {
    return {m.call(ops::argmax, {x}, {attr::number("dimension", 1)}), m.call(ops::cumsum, {x}, {attr::number("axis", 0)})};
  });
}

}  // namespace

std::vector<onnx_case> onnx_ops() {
  models made;
  add_elementwise(made);
  add_reductions(made);
  add_products(made);
  add_windows(made);
  add_parts(made);
  add_made(made);
  add_unknown_extents(made);
  return std::move(made.out);
}
