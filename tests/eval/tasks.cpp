// SPDX-License-Identifier: MIT
#include <jig/eval/tasks.hpp>

#include <doctest/doctest.h>

#include <jig/eval/parallel_runner.hpp>

#include <jig.hpp>

#include <cstdlib>
#include <vector>

namespace {

using jig::detail::task_list;

int calls = 0, tasks_run = 0;

// The last task first of those that are ready, as threads might.
void backwards(const task_list& tasks, void* call) {
  ++calls;
  std::vector<int> waits(tasks.waits, tasks.waits + tasks.count);
  for (int run = 0; run < tasks.count; ++run) {
    int t = tasks.count - 1;
    while (t >= 0 && waits[static_cast<std::size_t>(t)] != 0) --t;
    if (t < 0) std::abort();
    waits[static_cast<std::size_t>(t)] = -1;
    tasks.run(call, t);
    ++tasks_run;
    for (int i = tasks.first[t]; i < tasks.first[t + 1]; ++i) --waits[static_cast<std::size_t>(tasks.followers[i])];
  }
}
void in_order(jig::index blocks, jig::detail::parallel_work run, void* work) {
  for (jig::index block = 0; block < blocks; ++block) run(work, block);
}
constexpr jig::detail::parallel_runner runner{&in_order, &backwards}, blocks_only{&in_order};

using matrix = jig::tensor<float, 64, 64>;
template <class X>
X filled(X x, int seed) {
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7919 + seed) % 1013) * 0x1p-10f - 0.5f;
  return x;
}
template <class X>
bool same(const X& x, const X& y) {
  bool equal = x.size() == y.size();
  for (jig::index i = 0; equal && i < x.size(); ++i) equal = x.data()[i] == y.data()[i];
  return equal;
}
// How often a call runs tasks.
template <class F>
int tasks_of(F call) {
  const jig::detail::parallel_runner_scope scope(&runner);
  calls = tasks_run = 0;
  call();
  return calls;
}

constexpr auto branches = jig::function<"branches(x, y)">([](auto x, auto y) {
  auto a = x, b = y;
  for (int k = 0; k < 3; ++k) {
    a = jig::tanh(jig::matmul(a, x));
    b = jig::matmul(b, y) * 0.5f;
  }
  return jig::concat<0>(a - jig::reduce_mean<1>(a, jig::keepdims), jig::softmax(b), jig::matmul(a, b));
});

TEST_CASE("steps that need not wait for one another are tasks, whose order changes nothing") {
  const matrix x = filled(matrix(), 1), y = filled(matrix(), 2);
  jig::tensor<float, 192, 64> expected, given;
  branches.into(expected, x, y);
  CHECK(tasks_of([&] { branches.concurrent().into(given, x, y); }) == 1);
  CHECK(tasks_run > 6);
  CHECK(same(given, expected));
  // Values that are there at the same time have memory of their own.
  constexpr auto at_once = branches.concurrent().get_concrete_function(x, y);
  static_assert(at_once.peak_workspace() > branches.get_concrete_function(x, y).peak_workspace());
  std::vector<std::byte> memory(static_cast<std::size_t>(at_once.peak_workspace()) + jig::alignment);
  given = {};
  CHECK(tasks_of([&] { at_once.with_workspace(memory).into(given, x, y); }) == 0);
  CHECK(same(given, expected));
  given = {};
  // Others run in order.
  CHECK(tasks_of([&] { branches.into(given, x, y); }) == 0);
  given = {};
  calls = 0;
  branches.concurrent().into(given, x, y);
  CHECK(calls == 0);
  CHECK(same(given, expected));
  given = {};
  {
    const jig::detail::parallel_runner_scope scope(&blocks_only);
    branches.concurrent().into(given, x, y);
  }
  CHECK(same(given, expected));
}

TEST_CASE("where only a call tells extents, it tells whether steps are worth it") {
  using wide = jig::tensor<float, jig::dyn, jig::dyn>;
  for (jig::index n : {jig::index{0}, jig::index{1}, jig::index{8}, jig::index{16}, jig::index{96}}) {
    const wide x = filled(wide(jig::uninitialized, {2, {n, n}}), 1), y = filled(wide(jig::uninitialized, {2, {n, n}}), 2);
    wide expected(jig::uninitialized, {2, {3 * n, n}}), given = expected;
    branches.into(expected, x, y);
    CHECK(tasks_of([&] { branches.concurrent().into(given, x, y); }) == (n < 20 ? 0 : 1));
    CHECK(same(given, expected));
  }
}

constexpr auto step = jig::function<"step(a, b, x)">([](auto& a, auto& b, auto x) {
  auto loss = jig::reduce_sum(jig::square(jig::matmul(jig::tanh(jig::matmul(x, a)), b)));
  auto gradients = jig::gradient(loss, a, b);
  a.assign_sub(std::get<0>(gradients) * 0.001f);
  b.assign_sub(std::get<1>(gradients) * 0.001f);
  return loss;
});

TEST_CASE("variables are written over when nobody reads them any more") {
  const matrix x = filled(matrix(), 3);
  jig::variable<float, 64, 64> a(filled(matrix(), 1)), b(filled(matrix(), 2)), c(a.value()), d(b.value());
  float expected = 0, given = 0;
  for (int k = 0; k < 3; ++k) {
    step.into(expected, a, b, x);
    CHECK(tasks_of([&] { step.concurrent().into(given, c, d, x); }) == 1);
    CHECK(given == expected);
  }
  CHECK(same(c.value(), a.value()));
  CHECK(same(d.value(), b.value()));
}

constexpr auto two_products = jig::function<"two_products(x, y)">(
    [](auto x, auto y) { return std::tuple(jig::tanh(jig::matmul(y, y)) + x, jig::matmul(x, jig::matmul(x, y))); });

TEST_CASE("results may lie over arguments") {
  const matrix x = filled(matrix(), 1), y = filled(matrix(), 2);
  const auto [first, second] = two_products(x, y);
  matrix u = x, v = y;
  CHECK(tasks_of([&] { two_products.concurrent().into(std::tie(u, v), u, v); }) == 1);
  CHECK(same(u, first));
  CHECK(same(v, second));
}

constexpr auto loops = jig::function<"loops(x, y, n)">([](auto x, auto y, auto n) {
  auto a = x, b = y;
  for (auto i : jig::range(n)) a = jig::tanh(a + jig::cast<float>(i));
  for (auto i : jig::range(n)) b = jig::sin(b) * 0.5f + jig::cast<float>(i);
  return a - b;
});

TEST_CASE("loops are tasks, of whatever length") {
  using vector = jig::tensor<float, 5>;
  const vector x = filled(vector(), 1), y = filled(vector(), 2);
  vector expected, given;
  loops.into(expected, x, y, 7);
  CHECK(tasks_of([&] { loops.concurrent().into(given, x, y, 7); }) == 1);
  CHECK(same(given, expected));
}

constexpr auto small = jig::function([](auto x, auto y) { return jig::matmul(jig::matmul(x, x), jig::matmul(y, y)); });

TEST_CASE("little work stays what it is") {
  using four = jig::tensor<float, 4, 4>;
  const four x = filled(four(), 1), y = filled(four(), 2);
  CHECK(tasks_of([&] { small.concurrent()(x, y); }) == 0);
  CHECK(same(small.concurrent()(x, y), small(x, y)));
}

}  // namespace
