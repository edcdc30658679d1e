// SPDX-License-Identifier: MIT
#include <jig/passes/lower.hpp>

#include <jig.hpp>
#include <jig/gradient.hpp>

#include <doctest/doctest.h>

#include <tuple>

namespace {

using row = jig::spec<float, 100>;
constexpr auto middle = [](auto x) { return jig::strided_slice<jig::range_of(2, -3)>(x); };

}  // namespace

TEST_CASE("a graph in which every result has memory of its own is lowered already") {
  constexpr auto f = jig::function([](auto x, auto y) { return jig::tanh(x * y + 1); });
  constexpr auto traced = f.get_concrete_function(row(), row());
  static_assert(jig::detail::is_lowered(traced.optimized_graph(), jig::detail::all_dense(traced.optimized_graph())));
  static_assert(traced.lowered_graph().size() == traced.optimized_graph().size());
  CHECK(jig::to_text(jig::lower(traced.optimized_graph())) == jig::to_text(traced.optimized_graph()));
}

TEST_CASE("results that no op writes are copies: arguments, constants, views, and a result that is there twice") {
  constexpr auto f = jig::function([](auto x) {
    auto y = jig::exp(x);
    return std::tuple(x, jig::ones_like(x), jig::reshape<10, 10>(x), y, y);
  });
  constexpr auto traced = f.get_concrete_function(row());
  static_assert(traced.optimized_graph().count("Identity") == 0 && traced.lowered_graph().count("Identity") == 4);
  static_assert(!jig::detail::is_lowered(traced.optimized_graph(), jig::detail::all_dense(traced.optimized_graph())));
}

TEST_CASE("kernels that walk through dense memory read copies of views that do not lie so") {
  using matrix = jig::spec<float, 20, 30>;
  constexpr auto copies = [](auto f) { return jig::function(f).get_concrete_function(matrix()).lowered_graph().count("Identity"); };
  static_assert(copies([](auto x) { return jig::argmax<0>(x(jig::all, jig::range_of<0, 30, 2>())); }) == 1);
  static_assert(copies([](auto x) { return jig::argmin<1>(jig::reverse<0>(x)); }) == 1);
  static_assert(copies([](auto x) { return jig::cumsum<1>(x(jig::all, jig::range_of<0, 20, 3>())); }) == 1);
  static_assert(copies([](auto x) { return jig::cumprod<0>(x(jig::all, jig::range_of<0, 20>())); }) == 1);
  // So do those that move rows, of transposes that are not small.
  static_assert(copies([](auto x) { return jig::concat<1>(jig::transpose<1, 0>(x), jig::transpose<1, 0>(x)); }) == 1);
  static_assert(copies([](auto x) { return jig::pad<1, 1, 1, 1>(jig::reverse<1>(x)); }) == 1);
  static_assert(copies([](auto x) { return jig::pad<1, 1, 1, 1>(jig::transpose<1, 0>(x)); }) == 1);
  static_assert(copies([](auto x) { return jig::pad<1, 1, 1, 1>(jig::transpose<1, 0>(x(jig::range_of<0, 5>(), jig::all))); }) == 0);
  // What is dense is read in place.
  static_assert(copies([](auto x) { return jig::argmax<0>(x); }) == 0);
  static_assert(copies([](auto x) { return jig::argmax<0>(jig::reshape<30, 20>(x)); }) == 0);
  static_assert(copies([](auto x) { return jig::argmax<0>(jig::transpose<1, 0>(x) + 1); }) == 0);
  static_assert(copies([](auto x) { return jig::cumsum<1>(x(jig::range_of<3, 17>(), jig::all)); }) == 0);

  constexpr auto f = jig::function([](auto x) {
    return std::tuple(jig::argmax<0>(jig::transpose<1, 0>(x)), jig::argmin<1>(jig::reverse<0>(x)),
                      jig::cumsum<1>(x(jig::all, jig::range_of<0, 20, 3>())),
                      jig::argmax<1>(x(jig::range_of<2, jig::unbounded>(), jig::all)));
  });
  const auto check = [&](const auto& x) {
    const auto [most, least, sums, later] = f(x);
    for (jig::index i = 0; i < 20; ++i) {
      const jig::index j = 19 - i;
      for (jig::index k = 0; k < 30; ++k) {
        CHECK(x(i, most(i)) >= x(i, k));
        CHECK(x(j, least(i)) <= x(j, k));
        if (i >= 2) CHECK(x(i, later(i - 2)) >= x(i, k));
      }
      float sum = 0;
      for (jig::index k = 0; k < 7; ++k) CHECK(sums(i, k) == (sum += x(i, 3 * k)));
    }
  };
  jig::tensor<float, 20, 30> x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7919 % 601);
  check(x);
  check(jig::tensor<float, jig::dyn, jig::dyn>(x));
}

TEST_CASE("storage dtypes are cast around what computes in float32") {
  constexpr auto f = jig::function([](auto x) { return jig::exp(x); });
  constexpr auto traced = f.get_concrete_function(jig::spec<jig::half, 8>());
  static_assert(traced.optimized_graph().count("Cast") == 0 && traced.lowered_graph().count("Cast") == 2);
}

TEST_CASE("a node with several outputs is followed by a node for each further one") {
  constexpr auto f = jig::function([](auto x) {
    auto [values, positions] = jig::top_k<3>(x);
    return std::tuple(values, positions);
  });
  constexpr auto traced = f.get_concrete_function(row());
  static_assert(traced.lowered_graph().size() == traced.optimized_graph().size() + 1);
}

TEST_CASE("gradients of slices are sums with paddings of memory, which loops read in place") {
  constexpr auto f = jig::function([](auto x) { return jig::gradient(jig::reduce_sum(jig::square(middle(x))), x); });
  constexpr auto traced = f.get_concrete_function(row());
  static_assert(traced.optimized_graph().count("StridedSliceGrad") == 1 && traced.optimized_graph().count("PadV2") == 0);
  // Of the slice, and of the truth values that say where it is.
  static_assert(traced.lowered_graph().count("StridedSliceGrad") == 0 && traced.lowered_graph().count("PadV2") == 2);
}

TEST_CASE("the plan of a call is made from the lowered graph") {
  constexpr auto f = jig::function([](auto x) { return std::tuple(x, jig::exp(x)); });
  static_assert(
      jig::make_plan(f.get_concrete_function(row()).lowered_graph(), jig::detail::all_dense(f.get_concrete_function(row()).lowered_graph()))
          .steps.size() == 1);
  const auto x = jig::full<float, 100>(2.0f);
  const auto [same, exp] = f(x);
  CHECK(same(99) == 2.0f);
  CHECK(exp(99) == doctest::Approx(7.389056));
}
