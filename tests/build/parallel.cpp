// SPDX-License-Identifier: MIT
// Calls that use several threads, in a program of its own: it needs oneTBB.
#include <jig.hpp>
#include <jig/parallel.hpp>

#include <tbb/global_control.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <tuple>

namespace {

void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "parallel: %s\n", what);
  std::exit(1);
}

using vector = jig::tensor<float, jig::dyn>;
using matrix = jig::tensor<float, jig::dyn, jig::dyn>;

constexpr auto loop = jig::function([](auto a, auto b) { return jig::tanh(a * b) + a; });
constexpr auto rows = jig::function(
    [](auto x, auto v) { return std::tuple(x + v, jig::softmax(x), jig::reduce_sum<1>(x), jig::reduce_sum<0>(x), jig::reduce_max<0>(x)); });
constexpr auto totals = jig::function([](auto a) { return std::tuple(jig::reduce_sum(a), jig::reduce_max(a)); });
constexpr auto product = jig::function([](auto a, auto b) { return jig::matmul(a, b); });
constexpr auto quotient = jig::function([](auto a, auto b) { return a / b; });

template <class X>
bool same(const X& x, const X& y, double tolerance = 0) {
  bool equal = x.size() == y.size();
  for (jig::index i = 0; equal && i < x.size(); ++i)
    equal = std::abs(static_cast<double>(x.data()[i] - y.data()[i])) <= tolerance * (1 + std::abs(static_cast<double>(x.data()[i])));
  return equal;
}

template <class... X>
bool all_same(const std::tuple<X...>& x, const std::tuple<X...>& y, double tolerance = 0) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (same(std::get<I>(x), std::get<I>(y), tolerance) && ...);
  }(std::index_sequence_for<X...>());
}

template <class X>
void fill(X& x) {
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7919) % 1013) * 0x1p-9f - 1;
}

auto all(const vector& a, const vector& b, const matrix& x, const vector& v) {
  return std::tuple_cat(std::tuple(jig::parallel(loop)(a, b)), jig::parallel(rows)(x, v), jig::parallel(totals)(a),
                        std::tuple(jig::parallel(product)(x, x)));
}

}  // namespace

int main() {
  vector a(jig::uninitialized, {1, {300'001}}), b = a, v(jig::uninitialized, {1, {510}});
  matrix x(jig::uninitialized, {2, {510, 510}});
  fill(a);
  fill(b);
  fill(x);
  fill(v);
  const auto alone = std::tuple_cat(std::tuple(loop(a, b)), rows(x, v), totals(a), std::tuple(product(x, x)));
  const auto first = all(a, b, x, v);
  check(all_same(alone, first, 1e-5), "threads change the results");
  for (std::size_t threads : {1u, 2u, 5u}) {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    check(all_same(first, all(a, b, x, v)), "results depend on the number of threads");
  }
  // Streamed, from a place that is not aligned.
  vector large(jig::uninitialized, {1, {5'000'003}}), to = large;
  fill(large);
  jig::view<const float, jig::dyn> from(large.data() + 1, {1, {5'000'002}});
  jig::view<float, jig::dyn> out(to.data() + 1, {1, {5'000'002}});
  jig::parallel(loop).into(out, from, from);
  check(same(vector(out), loop(from, from), 1e-6), "into");
  // An exception of one block reaches the caller, and later calls work.
  jig::tensor<int, jig::dyn> n = jig::zeros<int, jig::dyn>(200'000), d = n;
  for (int& e : d) e = 1;
  d(150'000) = 0;
  bool thrown = false;
  try {
    jig::parallel(quotient)(n, d);
  } catch (const jig::invalid_argument&) {
    thrown = true;
  }
  check(thrown, "no exception");
  d(150'000) = 1;
  check(same(n, jig::parallel(quotient)(n, d)), "after an exception");
  // A call inside a trace is part of it; one signature can be parallel too.
  constexpr auto outer = jig::function([](auto p, auto q) { return jig::parallel(loop)(p, q) * 2; });
  check(same(outer(a, b), jig::parallel(outer.get_concrete_function(a, b))(a, b)), "inside a trace");
}
