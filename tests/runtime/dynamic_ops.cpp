// SPDX-License-Identifier: MIT
// The functions that make ops, one after another, with specs that only run time knows.
#include "../dynamic_trace.hpp"

#include <boost/hana.hpp>
#include <jig/nn.hpp>

#include <tuple>

namespace {

using jig::dyn;
using jig::spec;

constexpr spec<float, 2, 3> matrix{};
constexpr spec<float, dyn, 3> rows{};
constexpr spec<float, 2, 4, 3> cube{};
constexpr spec<float, 3> vector{};
constexpr spec<int> number{};
constexpr spec<int, 5> numbers{};
constexpr spec<std::int64_t, 2> seed{};

// The same for extents that are numbers and that are not.
template <class F>
void same_graphs(F f) {
  same_graph(f, matrix);
  same_graph(f, rows);
  same_graph(f, spec<float, jig::dim<"n">, dyn>());
}

}  // namespace

TEST_CASE("functions of elements") {
  same_graphs([](auto& x) {
    return std::tuple(jig::exp(x), jig::expm1(x), jig::log(x), jig::log1p(x), jig::sqrt(x), jig::sin(x), jig::cos(x), jig::tan(x), jig::asin(x),
                      jig::acos(x), jig::atan(x), jig::sinh(x), jig::cosh(x), jig::tanh(x), jig::asinh(x), jig::acosh(x), jig::atanh(x),
                      jig::erf(x), jig::erfc(x), jig::lgamma(x), jig::digamma(x));
  });
  same_graphs([](auto& x) {
    return std::tuple(jig::floor(x), jig::ceil(x), jig::trunc(x), jig::rint(x), jig::rsqrt(x), jig::reciprocal(x), jig::round(x), jig::square(x),
                      jig::abs(x), jig::sign(x), -x, jig::is_nan(x), jig::is_inf(x), jig::is_finite(x));
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

TEST_CASE("reductions and compositions of them") {
  same_graphs([](auto& x) {
    return std::tuple(jig::reduce_sum(x), jig::reduce_sum<0>(x), jig::reduce_sum<-1>(x, jig::keepdims), jig::reduce_mean<1>(x),
                      jig::reduce_prod<0, 1>(x), jig::reduce_max<-1>(x), jig::reduce_min(x), jig::reduce_any(x > 0), jig::reduce_all<0>(x > 0));
  });
  same_graphs([](auto& x) { return jig::reduce_variance<0>(x); });
  same_graphs([](auto& x) { return jig::reduce_std<-1>(x, jig::keepdims); });
  same_graphs([](auto& x) { return jig::reduce_logsumexp<-1>(x); });
  same_graphs([](auto& x) { return jig::norm(x); });
  same_graphs([](auto& x) { return jig::softmax(x); });
  same_graphs([](auto& x) { return jig::log_softmax<0>(x); });
  same_graphs([](auto& x) {
    auto mean = jig::reduce_mean<-1>(x, jig::keepdims);
    auto variance = jig::reduce_variance<-1>(x, jig::keepdims);
    return (x - mean) * jig::rsqrt(variance + 1e-5);
  });
  CHECK(refused_dynamically([](auto& x) { return jig::reduce_sum<2>(x); }, matrix) == "Sum: there is no such axis: float32 (2, 3)");
}

TEST_CASE("constants like a value") {
  same_graphs([](auto& x) {
    return std::tuple(jig::zeros_like(x), jig::ones_like(x), jig::full_like(x, 3), jig::eye_like(x), jig::constant_like(x, 2), jig::rank(x));
  });
  same_graphs([](auto& x) { return std::tuple(jig::shape_of(x), jig::size(x), jig::extent<0>(x), jig::extent<-1>(x)); });
  CHECK(refused_dynamically([](auto& x) { return jig::constant_like(x, 2.5); }, number) ==
        "constant_like: a number of another kind cannot join this dtype: use jig::cast, or write the number as that kind");
  CHECK(refused_dynamically([](auto& x) { return jig::extent<3>(x); }, number) == "extent: there is no such axis");
}

TEST_CASE("shapes") {
  same_graphs([](auto& x) { return std::tuple(jig::reshape<3, jig::infer>(x), jig::flatten(x), jig::reshape_like(jig::transpose(x), x)); });
  same_graph([](auto& x) { return jig::reshape<3, jig::dim<"n">>(x); }, spec<float, jig::dim<"n">, 3>());
  same_graphs([](auto& x) { return std::tuple(jig::expand_dims<0>(x), jig::expand_dims<-1>(x), jig::squeeze<1>(jig::expand_dims<1>(x))); });
  same_graph([](auto& x) { return jig::squeeze(x); }, spec<float, 1, dyn, 1, 3>());
  same_graphs([](auto& x) { return std::tuple(jig::transpose(x), jig::transpose<1, 0>(x), jig::transpose<-1, -2>(x)); });
  same_graph([](auto& x) { return jig::transpose<2, 0, 1>(x); }, cube);
  same_graph([](auto& x) { return std::tuple(jig::broadcast_to<4, 2, 3>(x), jig::broadcast_to<5, dyn, 3>(x)); }, matrix);
  same_graph([](auto& x, auto& y) { return jig::broadcast_like(x, y); }, vector, rows);
  same_graphs([](auto& x) {
    return std::tuple(jig::concat<0>(x, x), jig::concat<-1>(x, x, x), jig::stack(x, x), jig::stack<-1>(x, x), jig::tile<2, 3>(x));
  });
  same_graph([](auto& x) { return jig::split<2, 1>(x); }, cube);
  same_graph([](auto& x) { return std::get<1>(jig::split<3, -1>(x)); }, matrix);
  same_graphs([](auto& x) { return std::tuple(jig::pad<1, 2, 0, 1>(x), jig::pad<1, 1, 1, 1>(x, 7)); });
  same_graphs([](auto& x) { return std::tuple(jig::reverse(x), jig::reverse<0>(x), jig::reverse<-1>(x)); });
  same_graphs([](auto& x) {
    return std::tuple(jig::strided_slice<0>(x), jig::strided_slice<jig::all, 1>(x), jig::strided_slice<jig::range_of(0, 1)>(x), x[jig::lit<-1>]);
  });
  CHECK(refused_dynamically([](auto& x) { return jig::reshape<4>(x); }, matrix) ==
        "Reshape: the numbers of elements differ: float32 (2, 3)");
}

TEST_CASE("unstack gives a vector") {
  const auto made = traced_dynamically(
      [](auto& x) {
        auto parts = jig::unstack<1>(x);
        CHECK(parts.size() == 3);
        auto sum = parts[0];
        for (std::size_t k = 1; k < parts.size(); ++k) sum = sum + parts[k];
        return sum;
      },
      matrix);
  const auto expected = jig::graph_of(
      [](auto& x) {
        auto parts = jig::unstack<1>(x);
        auto sum = std::get<0>(parts);
        sum = sum + std::get<1>(parts);
        sum = sum + std::get<2>(parts);
        return sum;
      },
      matrix);
  CHECK(jig::to_text(made.graph) == jig::to_text(expected));
  CHECK(refused_dynamically([](auto& x) { return jig::unstack(x)[0]; }, rows) == "unstack: the extent of the axis must be known in the trace");
}

TEST_CASE("products") {
  same_graph([](auto& x, auto& y) { return jig::matmul(x, y); }, matrix, spec<float, 3, 5>());
  same_graph([](auto& x, auto& y) { return jig::matmul(x, y, jig::transpose_b); }, rows, matrix);
  same_graph([](auto& x, auto& y) { return jig::matmul(x, y); }, cube, spec<float, 3, 5>());
  same_graph([](auto& x) { return std::tuple(jig::diag_part(x), jig::matrix_trace(x), jig::diag(x)); }, cube);
}

TEST_CASE("positions") {
  same_graph([](auto& x, auto& i) { return std::tuple(x[i], jig::gather<1>(x, i), jig::gather(x, 1)); }, matrix, numbers);
  same_graph([](auto& x, auto& i) { return jig::gather_nd(x, i); }, matrix, spec<int, 4, 2>());
  same_graph([](auto& u, auto& i) { return jig::scatter_nd<6, 3>(i, u); }, matrix, spec<int, 2, 1>());
  same_graph([](auto& x, auto& i, auto& u) { return std::tuple(jig::tensor_scatter_update(x, i, u), jig::tensor_scatter_add(x, i, u)); }, rows,
             spec<int, 2, 1>(), matrix);
  same_graph([](auto& x, auto& i, auto& row) { return std::tuple(jig::set_row(x, i, row), jig::set_row(x, 1, row)); }, rows, number, vector);
  same_graph([](auto& x, auto& i) { return std::tuple(jig::set_row(x, i, 2), jig::set_row(x, 3, 2.5)); }, vector, number);
  same_graph([](auto& x, auto& at) { return jig::slice<1, dyn>(x, at); }, rows, spec<int, 2>());
  same_graph([](auto& i) { return std::tuple(jig::one_hot<4>(i), jig::one_hot<3, double>(i)); }, numbers);
  same_graphs([](auto& x) { return std::tuple(jig::argmax(x), jig::argmin<-1>(x), jig::cumsum(x), jig::cumprod<1>(x)); });
  same_graphs([](auto& x) { return jig::where(x > 0); });
  same_graph([](auto& x, auto& m) { return jig::boolean_mask(x, m); }, rows, spec<bool, dyn>());
  same_graph([](auto& x) { return jig::boolean_mask(x, x > 0); }, cube);
  same_graphs([](auto& x) { return std::tuple(jig::sort(x), jig::sort<0>(x, jig::descending), jig::argsort(x), jig::top_k<2>(x)); });
  same_graph([](auto& x) { return jig::unique(x); }, spec<int, dyn>());
  CHECK(refused_dynamically([](auto& x) { return jig::boolean_mask(x[0], x > 0); }, rows) ==
        "boolean_mask: the axes of the mask must be the first ones of the tensor");
}

TEST_CASE("random numbers") {
  same_graph([](auto& x, auto& s) { return std::tuple(jig::random_uniform_like(x, s), jig::random_normal_like(x, s), jig::dropout<0.5>(x, s)); },
             rows, seed);
  same_graph([](auto& x, auto& s) { return jig::random_uniform_like(x, s); }, numbers, seed);
}

TEST_CASE("effects") {
  same_graph(
      [](auto& x, auto& n) {
        jig::print("x", x, 3, n);
        jig::print("here", jig::beside(n));
        jig::trace_note("a note", jig::beside(x));
        jig::assert_that(n > 0, "n is", n, x);
        jig::assert_equal(n, 3, "not three");
        jig::assert_equal(x, x);
        auto y = jig::check_numerics(x, "bad");
        auto z = jig::check_numerics(y);
        return z;
      },
      rows, number);
  CHECK(refused_dynamically(
            [](auto& x) {
              jig::assert_that(x > 0, "no");
              return x;
            },
            vector) == "assert_that: the condition must be a scalar of dtype bool, given bool (3,): compare, or use jig::reduce_all or jig::reduce_any");
}

TEST_CASE("functions inside a trace become part of it") {
  same_graph(
      [](auto& x) {
        constexpr auto twice = jig::function([](auto y) { return y * 2; });
        auto y = twice(x);
        return twice(std::move(y));
      },
      rows);
}

TEST_CASE("networks") {
  same_graph([](auto& labels, auto& logits) { return jig::nn::softmax_cross_entropy_with_logits(labels, logits); }, matrix, matrix);
  same_graph([](auto& labels, auto& logits) { return jig::nn::sparse_softmax_cross_entropy_with_logits(labels, logits); }, spec<int, dyn>(), rows);
  same_graph([](auto& x, auto& s) { return jig::nn::dropout<0.25>()(x, s); }, rows, seed);
}
