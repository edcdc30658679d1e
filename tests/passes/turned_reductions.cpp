// SPDX-License-Identifier: MIT
#include <jig/passes/turned_reductions.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

using jig::dyn, jig::keepdims;

namespace {

using matrix = jig::spec<float, 20, 30>;
using cube = jig::spec<float, 4, 20, 30>;

// How many transposes are left in the graph that runs.
template <class F, class... S>
constexpr std::size_t transposes(F f, S... specs) {
  return static_cast<std::size_t>(jig::function(f).get_concrete_function(specs...).lowered_graph().count("Transpose"));
}

static_assert(transposes([](auto x) { return jig::reduce_sum<0>(jig::transpose<1, 0>(x)); }, matrix()) == 0);
static_assert(transposes([](auto x) { return jig::reduce_max<1>(jig::square(jig::transpose<1, 0>(x)) + 1, keepdims); }, matrix()) == 0);
static_assert(transposes([](auto x) { return jig::reduce_mean(jig::abs(jig::transpose(x))); }, matrix()) == 0);
static_assert(transposes([](auto x) { return jig::argmax<0>(jig::transpose<1, 0>(x)); }, jig::spec<float, dyn, 30>()) == 0);
static_assert(transposes([](auto x) { return jig::cast<std::int32_t>(jig::argmin<1>(jig::transpose<1, 0>(x))); }, matrix()) == 0);
// Two values that are transposed alike; numbers and lines beside them.
static_assert(transposes([](auto x, auto y) { return jig::reduce_sum<0>(jig::transpose(x) * jig::transpose(y)); }, matrix(), matrix()) ==
              0);
static_assert(transposes([](auto x, auto s) { return jig::reduce_sum<0>(jig::transpose(x) * s); }, matrix(), jig::spec<float>()) == 0);
static_assert(transposes([](auto x, auto r) { return jig::reduce_sum<0>(jig::transpose(x) - r); }, matrix(), jig::spec<float, 30, 1>()) <=
              1);
// What is found has its axes in another order.
static_assert(transposes([](auto x) { return jig::reduce_sum<0>(jig::transpose<1, 2, 0>(x)); }, cube()) == 1);
// Where something lies in another way, or others read what is computed of it, nothing is turned.
static_assert(transposes([](auto x, auto y) { return jig::reduce_sum<0>(jig::transpose(x) * y); }, matrix(), jig::spec<float, 30, 20>()) ==
              1);
static_assert(transposes(
                  [](auto x) {
                    auto y = jig::exp(jig::transpose(x));
                    return y - jig::reduce_mean<0>(y, keepdims);
                  },
                  matrix()) == 1);
// Others may read what is transposed: what they do not read is turned.
constexpr auto centred = jig::function([](auto x) {
  auto y = jig::transpose(x);
  return y - jig::reduce_mean<0>(y, keepdims);
});

// Reduces along some axes of a cube whose axes are in any order, beside loops.
template <int... Perm, class F>
void check(F f, const jig::tensor<float, 4, 20, 30>& x, jig::index reduced) {
  constexpr jig::index extents[] = {4, 20, 30};
  constexpr int perm[] = {Perm...};
  const auto both = [&](const auto& got) {
    for (jig::index i = 0; i < extents[perm[reduced == 0 ? 1 : 0]]; ++i)
      for (jig::index j = 0; j < extents[perm[reduced == 2 ? 1 : 2]]; ++j) {
        float sum = 0;
        for (jig::index k = 0; k < extents[perm[reduced]]; ++k) {
          const jig::index at[] = {reduced == 0 ? k : i, reduced == 1 ? k : reduced == 0 ? i : j, reduced == 2 ? k : j};
          jig::index place[3] = {};
          for (int a = 0; a < 3; ++a) place[perm[a]] = at[a];
          sum += x(place[0], place[1], place[2]);
        }
        CHECK(got(i, j) == sum);
      }
  };
  both(f(x));
  both(f(jig::tensor<float, dyn, dyn, dyn>(x)));
  both(f(jig::tensor<float, dyn, 20, 30>(x)));
}
template <int... Perm>
void check_order(const jig::tensor<float, 4, 20, 30>& x) {
  check<Perm...>(jig::function([](auto v) { return jig::reduce_sum<0>(jig::transpose<Perm...>(v)); }), x, 0);
  check<Perm...>(jig::function([](auto v) { return jig::reduce_sum<1>(jig::transpose<Perm...>(v) * 1); }), x, 1);
  check<Perm...>(jig::function([](auto v) { return jig::reduce_sum<-1>(jig::transpose<Perm...>(v)); }), x, 2);
}

}  // namespace

TEST_CASE("others may read what is transposed") {
  const std::string text = jig::to_text(centred.get_concrete_function(matrix()).lowered_graph());
  CHECK(text.find("Mean = Mean(args_0)") != std::string::npos);
}

TEST_CASE("sums of transposed values, in every order of three axes") {
  jig::tensor<float, 4, 20, 30> x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7919 % 61 - 30);
  check_order<0, 1, 2>(x);
  check_order<0, 2, 1>(x);
  check_order<1, 0, 2>(x);
  check_order<1, 2, 0>(x);
  check_order<2, 0, 1>(x);
  check_order<2, 1, 0>(x);
}

TEST_CASE("what is beside a transposed value is turned with it") {
  constexpr auto f = jig::function([](auto x, auto row, auto column) {
    return std::tuple(jig::reduce_sum<0>(jig::transpose(x) * column + row), jig::reduce_max<1>(jig::transpose(x) - row, keepdims));
  });
  const auto check = [&](const auto& x) {
    jig::tensor<float, 20> row;
    jig::tensor<float, 30, 1> column;
    for (jig::index i = 0; i < 20; ++i) row(i) = static_cast<float>(i % 7);
    for (jig::index i = 0; i < 30; ++i) column(i, 0) = static_cast<float>(i % 5 - 2);
    const auto [sums, most] = f(x, row, column);
    for (jig::index i = 0; i < 20; ++i) {
      float sum = 0;
      for (jig::index j = 0; j < 30; ++j) sum += x(i, j) * column(j, 0) + row(i);
      CHECK(sums(i) == sum);
    }
    for (jig::index j = 0; j < 30; ++j) {
      float largest = x(0, j) - row(0);
      for (jig::index i = 1; i < 20; ++i) largest = std::max(largest, x(i, j) - row(i));
      CHECK(most(j, 0) == largest);
    }
  };
  jig::tensor<float, 20, 30> x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7919 % 61 - 30);
  check(x);
  check(jig::tensor<float, dyn, dyn>(x));
}

TEST_CASE("searches of transposed values") {
  constexpr auto f = jig::function([](auto x) {
    return std::tuple(jig::argmax<0>(jig::transpose<2, 1, 0>(x)), jig::cast<std::int32_t>(jig::argmin<1>(jig::transpose<1, 2, 0>(x))));
  });
  jig::tensor<float, 4, 20, 30> x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7919 % 2401);
  const auto [most, least] = f(x);
  for (jig::index a = 0; a < 4; ++a)
    for (jig::index b = 0; b < 20; ++b)
      for (jig::index c = 0; c < 30; ++c) {
        CHECK(x(a, b, most(b, a)) >= x(a, b, c));
        CHECK(x(a, b, least(b, a)) <= x(a, b, c));
      }
}
