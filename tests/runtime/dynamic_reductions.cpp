// SPDX-License-Identifier: MIT
// Reductions, what is made of them, and effects, with specs that only run time knows.
#include "../dynamic_trace.hpp"

#include <boost/hana.hpp>
#include <jig/nn.hpp>

#include <tuple>

namespace {

using jig::dyn;
using jig::spec;

constexpr spec<float, 2, 3> matrix{};
constexpr spec<float, dyn, 3> rows{};
constexpr spec<float, 3> vector{};
constexpr spec<int> number{};
constexpr spec<std::int64_t, 2> seed{};

}  // namespace

TEST_CASE("reductions and compositions of them") {
  same_graphs([](auto& x) {
    return std::tuple(jig::reduce_sum(x), jig::reduce_sum<0>(x), jig::reduce_sum<-1>(x, jig::keepdims), jig::reduce_mean<1>(x),
                      jig::reduce_prod<0, 1>(x), jig::reduce_max<-1>(x), jig::reduce_min(x), jig::reduce_any(x > 0),
                      jig::reduce_all<0>(x > 0));
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
  CHECK(refused_dynamically([](auto& x) { return jig::reduce_sum<2>(x); }, matrix) == "Sum: there is no axis 2: float32 (2, 3)");
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
            vector) ==
        "assert_that: the condition must be a scalar of dtype bool, given bool (3,): compare, or use jig::reduce_all or jig::reduce_any");
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
  same_graph([](auto& labels, auto& logits) { return jig::nn::sparse_softmax_cross_entropy_with_logits(labels, logits); }, spec<int, dyn>(),
             rows);
  same_graph([](auto& x, auto& s) { return jig::dropout<0.25>(x, s); }, rows, seed);
}
