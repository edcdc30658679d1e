// SPDX-License-Identifier: MIT
#include <jig/runtime/region_tasks.hpp>

#include <doctest/doctest.h>

#include <jig/eval/parallel_runner.hpp>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <jig.hpp>

#include <planned_graph.hpp>

namespace {

using jig::any_tensor;
using jig::index;
namespace detail = jig::detail;

// Two threads that run tasks. Who has a long one begins when the other thread has one too, if another long one is ready.
class two_threads {
 public:
  static inline int calls = 0, at_once = 0;
  static inline std::set<std::thread::id> seen;

  static void run(const detail::task_list& tasks, void* call) {
    ++calls;
    two_threads all(tasks, call);
    std::thread other([&] { all.work(); });
    all.work();
    other.join();
    if (all.thrown_) std::rethrow_exception(all.thrown_);
  }

 private:
  two_threads(const detail::task_list& tasks, void* call) : tasks_(tasks), call_(call), waits_(tasks.waits, tasks.waits + tasks.count) {}
  int next_ready() const {
    for (int t = tasks_.count; t-- > 0;)
      if (waits_[static_cast<std::size_t>(t)] == 0) return t;
    return -1;
  }
  bool any_long_ready() const {
    for (int t = 0; t < tasks_.count; ++t)
      if (tasks_.is_long[t] && waits_[static_cast<std::size_t>(t)] == 0) return true;
    return false;
  }
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return thrown_ || left_ == 0 || next_ready() >= 0; });
      if (thrown_ || left_ == 0) return;
      const int t = next_ready();
      waits_[static_cast<std::size_t>(t)] = -1;
      --left_;
      seen.insert(std::this_thread::get_id());
      at_once = (std::max)(at_once, ++running_);
      changed_.notify_all();
      if (tasks_.is_long[t]) changed_.wait(lock, [&] { return thrown_ || running_ == 2 || !any_long_ready(); });
      lock.unlock();
      std::exception_ptr failure;
      try {
        tasks_.run(call_, t);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure && !thrown_) thrown_ = failure;
      --running_;
      for (int i = tasks_.first[t]; i < tasks_.first[t + 1]; ++i) --waits_[static_cast<std::size_t>(tasks_.followers[i])];
      changed_.notify_all();
    }
  }

  const detail::task_list& tasks_;
  void* call_;
  std::vector<int> waits_;
  int left_ = tasks_.count, running_ = 0;
  std::exception_ptr thrown_;
  std::mutex mutex_;
  std::condition_variable changed_;
};
void in_order(index blocks, detail::parallel_work run, void* work) {
  for (index b = 0; b < blocks; ++b) run(work, b);
}
constexpr detail::parallel_runner threads{&in_order, &two_threads::run}, blocks_only{&in_order};

any_tensor matrix(index m, index n, int seed) {
  jig::tensor<float, jig::dyn, jig::dyn> x(jig::uninitialized, {2, {m, n}});
  for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7919 + seed) % 1013) * 0x1p-12f - 0.1f;
  return any_tensor(x);
}
bool same(const std::vector<any_tensor>& a, const std::vector<any_tensor>& b) {
  bool equal = a.size() == b.size();
  for (std::size_t k = 0; equal && k < a.size(); ++k)
    equal = a[k].shape() == b[k].shape() &&
            (a[k].size() == 0 ||
             std::memcmp(a[k].data(), b[k].data(), static_cast<std::size_t>(a[k].size()) * jig::size_of(a[k].dtype())) == 0);
  return equal;
}
const jig::tensor_spec floats{jig::dtype::float32, {2, {jig::dyn, jig::dyn}}};

template <class F, class... Spec>
detail::runtime_graph<> made(F f, Spec... specs) {
  return detail::runtime_graph_of(detail::dynamic_trace("", f, specs...).graph);
}
std::vector<any_tensor> run(const detail::runtime_graph<>& g, const std::vector<any_tensor>& x) { return g({x.data(), x.size()}); }
// How often a call runs tasks on two threads; -1 if that gives other bits than one thread. Called twice: planned, and found again.
int tasks_of(const detail::runtime_graph<>& g, const std::vector<any_tensor>& x) {
  const auto alone = run(g, x);
  const detail::parallel_runner_scope scope(&threads);
  two_threads::calls = two_threads::at_once = 0;
  two_threads::seen.clear();
  const bool right = same(alone, run(g, x)) && same(alone, run(g, x));
  return right ? two_threads::calls : -1;
}

auto branches(auto x, auto y) {
  auto a = x, b = y;
  for (int k = 0; k < 3; ++k) {
    a = jig::tanh(jig::matmul(a, x)) * 2;
    b = jig::matmul(b, y) * 0.5f - jig::reduce_max<0>(b);
  }
  return std::tuple(jig::matmul(a, b), jig::reduce_sum(a), b);
}

TEST_CASE("Branches run on two threads, at the same time, with the bits of one") {
  const auto g = made([](auto x, auto y) { return branches(x, y); }, floats, floats);
  CHECK(tasks_of(g, {matrix(64, 64, 1), matrix(64, 64, 2)}) == 2);
  CHECK(two_threads::seen.size() >= 2);
  CHECK(two_threads::at_once == 2);
  // Other extents: too little work, or none at all.
  CHECK(tasks_of(g, {matrix(16, 16, 1), matrix(16, 16, 2)}) == 0);
  CHECK(tasks_of(g, {matrix(0, 0, 1), matrix(0, 0, 2)}) == 0);
  CHECK(tasks_of(g, {matrix(65, 65, 3), matrix(65, 65, 4)}) == 2);
  // Who shares loops alone runs them in order.
  const detail::parallel_runner_scope scope(&blocks_only);
  const auto x = std::vector{matrix(64, 64, 1), matrix(64, 64, 2)};
  two_threads::calls = 0;
  const auto found = run(g, x);
  CHECK(two_threads::calls == 0);
  CHECK(found.size() == 3);
}

TEST_CASE("What waits for what is before it has no tasks") {
  const auto chain = made([](auto x) { return jig::matmul(jig::matmul(jig::matmul(x, x), x), x); }, floats);
  CHECK(tasks_of(chain, {matrix(64, 64, 1)}) == 0);
  const auto one_long = made([](auto x, auto y) { return std::tuple(jig::matmul(x, x), jig::matmul(y, y)); }, floats, floats);
  CHECK(tasks_of(one_long, {matrix(64, 64, 1), matrix(8, 8, 2)}) == 0);
  CHECK(tasks_of(one_long, {matrix(64, 64, 1), matrix(64, 64, 2)}) == 2);
}

TEST_CASE("Graphs of very many regions run in order") {
  const auto chains = [](int length) {
    return made(
        [length](auto x, auto y) {
          auto a = x, b = y;
          for (int k = 0; k < length; ++k) a = jig::matmul(a, x), b = jig::matmul(b, y);
          return std::tuple(a, b);
        },
        floats, floats);
  };
  const std::vector x{matrix(32, 32, 1), matrix(32, 32, 2)};
  CHECK(tasks_of(chains(detail::region_tasks::most_regions / 2), x) == 2);
  CHECK(tasks_of(chains(detail::region_tasks::most_regions / 2 + 1), x) == 0);
}

TEST_CASE("Loops and branches beside each other, and parts of a tensor that a call chooses") {
  const auto loops = made(
      [](auto x, auto y, auto n) {
        auto a = x, b = y;
        for (auto i : jig::range(n)) a = jig::tanh(a + jig::cast<float>(i));
        for (auto i : jig::range(n)) b = jig::sin(b) * 0.5f + jig::cast<float>(i);
        return a - b;
      },
      floats, floats, jig::tensor_spec{jig::dtype::int32, {}});
  for (int n : {0, 1, 7}) CHECK(tasks_of(loops, {matrix(3, 5, 1), matrix(3, 5, 2), any_tensor(n)}) == 2);
  CHECK(two_threads::at_once == 2);

  const jig::tensor_spec three{jig::dtype::float32, {3, {jig::dyn, jig::dyn, jig::dyn}}}, number{jig::dtype::int32, {}};
  const auto parts =
      made([](auto x, auto i, auto k) { return jig::matmul(jig::matmul(x[i], x[k]), jig::matmul(x[k], x[i])); }, three, number, number);
  jig::tensor<float, 3, 64, 64> x;
  for (index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7919) % 1013) * 0x1p-12f - 0.1f;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      if (i != k) CHECK(tasks_of(parts, {any_tensor(x), any_tensor(i), any_tensor(k)}) == 2);
  const detail::parallel_runner_scope scope(&threads);
  CHECK_THROWS_AS(run(parts, {any_tensor(x), any_tensor(1), any_tensor(3)}), jig::invalid_argument);
}

TEST_CASE("Exceptions arrive, and later calls run") {
  const auto g = made([](auto n, auto d) { return jig::cumsum<0>(n / d) + jig::cumsum<0>(jig::cumsum<0>(d)); },
                      jig::tensor_spec{jig::dtype::int32, {1, {jig::dyn}}}, jig::tensor_spec{jig::dtype::int32, {1, {jig::dyn}}});
  auto n = jig::zeros<int, jig::dyn>(80'000), d = n;
  for (int& e : n) e = 6;
  for (int& e : d) e = 2;
  CHECK(tasks_of(g, {any_tensor(n), any_tensor(d)}) == 2);
  d(50'000) = 0;
  {
    const detail::parallel_runner_scope scope(&threads);
    two_threads::calls = 0;
    CHECK_THROWS_AS(run(g, {any_tensor(n), any_tensor(d)}), jig::invalid_argument);
    CHECK(two_threads::calls == 1);
  }
  d(50'000) = 3;
  CHECK(tasks_of(g, {any_tensor(n), any_tensor(d)}) == 2);
}

TEST_CASE("What keeps trips for a gradient runs in order, and so does what is watched") {
  const auto slope = made(
      [](auto x, auto y, auto n) {
        auto a = x, b = y;
        for ([[maybe_unused]] auto i : jig::range(n)) a = a * x;
        for ([[maybe_unused]] auto i : jig::range(n)) b = b * y;
        return jig::gradient(jig::reduce_sum(a * b), x);
      },
      floats, floats, jig::tensor_spec{jig::dtype::int32, {}});
  CHECK(tasks_of(slope, {matrix(3, 5, 1), matrix(3, 5, 2), any_tensor(3)}) == 0);

  struct counting final : detail::routine_watch<jig::graph_view> {
    using routine = detail::planned_routine<jig::graph_view>;
    int regions = 0;
    bool begin(const routine&) override { return true; }
    void behind(const routine&, std::size_t) override { ++regions; }
    void end(const routine&) override {}
    std::uint64_t now() override { return 0; }
    void behind_tile(const routine&, std::size_t, index, std::uint64_t) override {}
  } watch;
  const auto g = made([](auto x, auto y) { return branches(x, y); }, floats, floats);
  const detail::parallel_runner_scope scope(&threads);
  two_threads::calls = 0;
  detail::watch_of_routines<jig::graph_view> = &watch;
  run(g, {matrix(64, 64, 1), matrix(64, 64, 2)});
  detail::watch_of_routines<jig::graph_view> = nullptr;
  CHECK(two_threads::calls == 0);
  CHECK(watch.regions > 4);
}

TEST_CASE("Tasks of a plan: each region once, behind those that it waits for") {
  const jig::tensor_spec large{jig::dtype::float32, {2, {64, 64}}};
  const jig::graph traced = detail::dynamic_trace("", [](auto x, auto y) { return branches(x, y); }, large, large).graph;
  const planned p = planned_graph(traced, true);
  const jig::plan_view view = p.view();
  const auto extents = [&](int v) -> const jig::shape& {
    return view.shapes[static_cast<std::size_t>(view.values[static_cast<std::size_t>(v)].shape)];
  };
  const detail::region_tasks tasks(view, extents);
  REQUIRE(tasks.any());
  const detail::region_order order(view, detail::shared_memory::workspace);
  std::vector<int> runs(static_cast<std::size_t>(order.count()));
  std::mutex mutex;
  int early = 0;
  const detail::parallel_runner_scope scope(&threads);
  tasks.run([&](int r) {
    const std::lock_guard lock(mutex);
    for (int a : order.awaited(r)) early += runs[static_cast<std::size_t>(a)] != 1;
    ++runs[static_cast<std::size_t>(r)];
  });
  CHECK(early == 0);
  CHECK(runs == std::vector<int>(runs.size(), 1));
  CHECK(!detail::region_tasks().any());
}

}  // namespace
