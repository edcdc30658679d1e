// SPDX-License-Identifier: MIT
// Threads call the same functions at the same time; built with the thread sanitizer, which ends the program when they race.
#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr auto norm = jig::function<"norm(x)">([](auto x) { return jig::tanh(x) / jig::reduce_sum(x * x); });
constexpr auto next = jig::function<"next(x)">([](auto x) { return x * 2 + 1; }).with_signature<jig::spec<int, jig::dyn>>();

constexpr auto branches = jig::function<"branches(x, y)">([](auto x, auto y) {
  auto a = x, b = y;
  for (int k = 0; k < 3; ++k) {
    a = jig::tanh(jig::matmul(a, x));
    b = jig::matmul(b, y) * 0.5f;
  }
  return jig::concat<0>(a - jig::reduce_mean<1>(a, jig::keepdims), jig::softmax(b), jig::matmul(a, b));
});

// Three threads that take what is ready.
void run_tasks(const jig::detail::task_list& tasks, void* call) {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<int> waits(tasks.waits, tasks.waits + tasks.count), ready;
  int left = tasks.count;
  for (int t = 0; t < tasks.count; ++t)
    if (waits[static_cast<std::size_t>(t)] == 0) ready.push_back(t);
  const auto work = [&] {
    std::unique_lock lock(mutex);
    while (left > 0) {
      if (ready.empty()) {
        changed.wait(lock);
        continue;
      }
      const int t = ready.back();
      ready.pop_back();
      lock.unlock();
      tasks.run(call, t);
      lock.lock();
      --left;
      for (int i = tasks.first[t]; i < tasks.first[t + 1]; ++i)
        if (--waits[static_cast<std::size_t>(tasks.followers[i])] == 0) ready.push_back(tasks.followers[i]);
      changed.notify_all();
    }
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k) threads.emplace_back(work);
  for (auto& thread : threads) thread.join();
}
void run_blocks(jig::index blocks, jig::detail::parallel_work run, void* work) {
  std::atomic<jig::index> left = 0;
  const auto take = [&] {
    const jig::detail::parallel_runner_scope alone(nullptr);
    for (jig::index block = left++; block < blocks; block = left++) run(work, block);
  };
  std::thread other(take);
  take();
  other.join();
}
constexpr jig::detail::parallel_runner runner{&run_blocks, &run_tasks};

// Kernels that share their rows, batches and panels.
constexpr auto kernels = jig::function<"kernels(x, images, filter)">([](auto x, auto images, auto filter) {
  auto blocks = jig::reshape<20, 20, 400>(x);
  auto convolved = jig::conv2d(images, filter, jig::same_padding);
  return std::tuple(jig::sort<1>(x), jig::argsort<0>(x), jig::cumsum<1>(x), jig::argmax<1>(x), jig::matmul(x, x),
                    jig::matmul(blocks, jig::transpose<0, 2, 1>(blocks)), jig::max_pool2d<3>(images, jig::strides<2>), convolved,
                    jig::gradient(jig::reduce_sum(jig::square(convolved)), filter));
});
template <class... T>
bool are_same(const std::tuple<T...>& a, const std::tuple<T...>& b) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (std::equal(std::get<I>(a).begin(), std::get<I>(a).end(), std::get<I>(b).begin()) && ...);
  }(std::index_sequence_for<T...>());
}

template <class Check>
bool on_threads(Check check) {
  std::vector<char> right(4);
  std::vector<std::thread> running;
  for (std::size_t t = 0; t < right.size(); ++t) running.emplace_back([&, t] { right[t] = check(static_cast<int>(t)); });
  for (auto& thread : running) thread.join();
  for (char r : right)
    if (!r) return false;
  return true;
}

}  // namespace

int main() {
  const auto x = jig::ones<float, 3, 100>();
  const float expected = norm(x)(2, 99);
  const bool compiled = on_threads([&](int) {
    bool right = true;
    for (int k = 0; k < 50; ++k) right = right && norm(x)(2, 99) == expected;
    return right;
  });
  const bool declared = on_threads([](int t) {
    const jig::any_tensor y = next(jig::any_tensor(jig::tensor<int, 2>{t, 3}));
    return y.as<int>()(0) == 2 * t + 1 && next(std::vector<int>{t})(0) == 2 * t + 1;
  });
  // Every shape is traced by whoever comes first, and planned by whoever calls first.
  auto traced = jig::dynamic_function("f(x, n)", [](auto y, auto n) {
    auto sum = y;
    for (auto i : jig::range(n)) sum = sum + y * jig::cast<float>(i);
    return sum;
  });
  const jig::any_tensor shared = jig::ones<float, 5>();
  const bool dynamic = on_threads([&](int t) {
    bool right = true;
    for (int k = 0; k < 20; ++k) {
      const auto one = jig::any_tensor::empty(jig::dtype::float32, jig::shape{1, {(k + t) % 4}});
      right = right && traced(one, 3).shape() == one.shape();
      right = right && traced(shared, 3).as<float>()(4) == 4;
    }
    return right;
  });
  // Steps of one call.
  const auto left = jig::full<float, 64, 64>(0.01f), right_side = jig::full<float, 64, 64>(0.02f);
  const auto in_order = branches(left, right_side);
  bool as_tasks = true;
  {
    const jig::detail::parallel_runner_scope scope(&runner);
    for (int k = 0; k < 20; ++k) {
      const auto together = branches.concurrent()(left, right_side);
      for (jig::index i = 0; i < together.size(); ++i) as_tasks = as_tasks && together.data()[i] == in_order.data()[i];
    }
  }
  // Blocks of one step.
  jig::tensor<float, 400, 400> many;
  jig::tensor<float, 4, 12, 13, 32> images;
  jig::tensor<float, 3, 3, 32, 160> filter;
  auto fill = [k = 0](auto& to) mutable {
    for (float& e : to) e = static_cast<float>((k += 7919) % 1013) / 512 - 1;
  };
  fill(many);
  fill(images);
  fill(filter);
  const auto alone = kernels(many, images, filter);
  bool in_blocks = true;
  {
    const jig::detail::parallel_runner_scope scope(&runner);
    for (int k = 0; k < 3; ++k) in_blocks = in_blocks && are_same(alone, kernels(many, images, filter));
  }
  return compiled && declared && in_blocks && dynamic && as_tasks && traced.experimental_get_tracing_count() == 5 ? 0 : 1;
}
