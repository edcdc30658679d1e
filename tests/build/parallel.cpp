// SPDX-License-Identifier: MIT
// Calls that use several threads, in a program of its own: it needs oneTBB.
#include <jig.hpp>
#include <jig/parallel.hpp>

#include <tbb/global_control.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <tuple>
#include <vector>

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

// Two branches, each of which waits for the other to have begun: they end on two threads only.
std::atomic<int> begun = 0;
void wait_for_both() {
  ++begun;
  for (int k = 0; begun < 2 && k < 10'000; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
constexpr auto branches = jig::function<"branches(x, y)">([](auto p, auto q) {
  auto a = p, b = q;
  for (int k = 0; k < 5; ++k) {
    a = jig::tanh(jig::matmul(a, p));
    b = jig::matmul(b, q) * 0.5f;
  }
  return jig::matmul(a, b);
});
constexpr auto two_loops = jig::function<"two_loops(x, y, n)">([](auto p, auto q, auto n) {
  auto a = p, b = q;
  for (auto i : jig::range(n)) a = jig::tanh(a + jig::cast<float>(i));
  for (auto i : jig::range(n)) b = jig::sin(b) * 0.5f + jig::cast<float>(i);
  return a - b;
});
constexpr auto quotients =
    jig::function<"quotients(n, d)">([](auto n, auto d) { return jig::cumsum<0>(n / d) + jig::cumsum<0>(jig::cumsum<0>(d)); });

// Kernels whose items do not depend on one another: rows, batches, panels of filters.
constexpr auto kernels = jig::function<"kernels(x, images, filter)">([](auto p, auto images, auto filter) {
  auto blocks = jig::reshape<34, 15, 510>(p);
  auto convolved = jig::conv2d(images, filter, jig::same_padding);
  return std::tuple(jig::sort<1>(p), jig::argsort<0>(p), jig::cumsum<1>(p), jig::argmax<1>(p),
                    jig::matmul(blocks, jig::transpose<0, 2, 1>(blocks)), jig::max_pool2d<3>(images, jig::strides<2>), convolved,
                    jig::gradient(jig::reduce_sum(jig::square(convolved)), filter));
});

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
  jig::tensor<float, 4, 12, 13, 32> images;
  jig::tensor<float, 3, 3, 32, 160> filter;
  fill(images);
  fill(filter);
  const auto by_kernels = kernels(x, images, filter);
  for (std::size_t threads : {1u, 2u, 5u}) {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    for (int k = 0; k < 5; ++k) check(all_same(by_kernels, jig::parallel(kernels)(x, images, filter)), "kernels");
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
  // Steps that need not wait for one another run at the same time, with the same results.
  jig::tensor<float, 96, 96> left, right;
  fill(left);
  fill(right);
  const auto together = branches(left, right);
  const auto looped = two_loops(v, v, 300);
  for (std::size_t threads : {1u, 2u, 5u}) {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    for (int k = 0; k < 20; ++k) check(same(together, jig::parallel(branches)(left, right)), "branches");
    for (int k = 0; k < 20; ++k) check(same(looped, jig::parallel(two_loops)(v, v, 300)), "loops");
  }
  {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
    constexpr short none[3] = {};
    constexpr bool is_long[2] = {true, true};
    const jig::detail::task_list two{2, none, none, none, is_long, [](void*, int) { wait_for_both(); }};
    jig::detail::run_tasks_in_parallel(two, nullptr);
    check(begun == 2, "a second thread");
  }
  // Run-time tensors: the interpreter has tasks of its own.
  const jig::any_tensor dynamic_left(left), dynamic_right(right);
  const jig::any_tensor interpreted = branches(dynamic_left, dynamic_right);
  for (std::size_t threads : {1u, 2u, 5u}) {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    for (int k = 0; k < 20; ++k) {
      const jig::any_tensor found = jig::parallel(branches)(dynamic_left, dynamic_right);
      check(same(interpreted.as<float>(), found.as<float>()), "branches of run-time tensors");
    }
  }
  // Several threads that call at the same time.
  std::vector<std::thread> callers;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 3; ++t)
    callers.emplace_back([&] {
      for (int k = 0; k < 20; ++k) wrong += same(together, jig::parallel(branches)(left, right)) ? 0 : 1;
    });
  for (auto& t : callers) t.join();
  check(wrong == 0, "several callers");
  d(150'000) = 0;
  thrown = false;
  try {
    jig::parallel(quotients)(n, d);
  } catch (const jig::invalid_argument&) {
    thrown = true;
  }
  check(thrown, "no exception of a task");
  d(150'000) = 1;
  check(same(quotients(n, d), jig::parallel(quotients)(n, d)), "after an exception of a task");
  // A call inside a trace is part of it; one signature can be parallel too.
  constexpr auto outer = jig::function([](auto p, auto q) { return jig::parallel(loop)(p, q) * 2; });
  check(same(outer(a, b), jig::parallel(outer.get_concrete_function(a, b))(a, b)), "inside a trace");
}
