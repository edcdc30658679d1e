// SPDX-License-Identifier: MIT
#pragma once
// Calls that use several threads. Not part of jig.hpp: the headers of oneTBB, which JIG_USE_TBB says is there, take long to
// include. Without it everything runs on the calling thread, with the same results.

#include <jig/eval/parallel_runner.hpp>
#include <jig/function.hpp>

#ifdef JIG_USE_TBB
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <atomic>
#include <vector>
#endif

namespace jig {

namespace detail {

inline void run_blocks_in_parallel(index blocks, parallel_work run, void* work) {
  parallel_runner_scope alone(nullptr);  // a block is not split again
#ifdef JIG_USE_TBB
  tbb::parallel_for(index{0}, blocks, [=](index block) { run(work, block); });
#else
  for (index block = 0; block < blocks; ++block) run(work, block);
#endif
}

#ifdef JIG_USE_TBB
// Tasks of one call. Whoever has run one goes on with those that waited for it: short ones itself, of long ones all but one on other
// threads.
class tasks_in_parallel {
 public:
  tasks_in_parallel(const task_list& tasks, void* call, const parallel_runner& runner)
      : tasks_(tasks), call_(call), runner_(runner), waits_(static_cast<std::size_t>(tasks.count)) {
    for (int t = 0; t < tasks.count; ++t) waits_[static_cast<std::size_t>(t)].store(tasks.waits[t], std::memory_order_relaxed);
  }
  void run() {
    std::vector<int> ready;
    for (int t = tasks_.count; t-- > 0;)
      if (tasks_.waits[t] == 0) ready.push_back(t);
    group_.run_and_wait([&] { go_on(ready); });
  }

 private:
  void go_on(std::vector<int>& ready) {
    parallel_runner_scope scope(&runner_);
    while (!ready.empty()) {
      std::size_t next = ready.size() - 1;
      while (next > 0 && tasks_.is_long[ready[next]]) --next;
      if (tasks_.is_long[ready[next]]) {
        while (ready.size() > 1) {
          group_.run([this, t = ready.back()] {
            std::vector<int> own{t};
            go_on(own);
          });
          ready.pop_back();
        }
      }
      const int task = ready[next];
      ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(next));
      tasks_.run(call_, task);
      for (int i = tasks_.first[task]; i < tasks_.first[task + 1]; ++i)
        if (const int follower = tasks_.followers[i]; --waits_[static_cast<std::size_t>(follower)] == 0) ready.push_back(follower);
    }
  }

  const task_list& tasks_;
  void* call_;
  const parallel_runner& runner_;
  std::vector<std::atomic<int>> waits_;
  tbb::task_group group_;
};
inline void run_tasks_in_parallel(const task_list& tasks, void* call);
inline constinit const parallel_runner threads_of_tbb{&run_blocks_in_parallel, &run_tasks_in_parallel};
inline void run_tasks_in_parallel(const task_list& tasks, void* call) { tasks_in_parallel(tasks, call, threads_of_tbb).run(); }
#else
inline constinit const parallel_runner threads_of_tbb{&run_blocks_in_parallel};
#endif

// The function whose steps are planned to run at the same time, of functions that have such an option.
template <class Function>
constexpr auto planned_for_threads(Function f) {
  if constexpr (requires { f.concurrent(); }) return f.concurrent();
  else return f;
}

}  // namespace detail

/// A function whose calls may use several threads; see jig::parallel.
template <class Function>
class parallel_function {
  [[no_unique_address]] Function function_;

  template <class... X>
  decltype(auto) run(X&&... x) const {
    detail::parallel_runner_scope scope(&detail::threads_of_tbb);
    return function_(std::forward<X>(x)...);
  }

 public:
  constexpr explicit parallel_function(Function f) : function_(f) {}

  /// As a call of the function; inside a trace it is one.
  template <class... X>
  constexpr decltype(auto) operator()(X&&... x) const {
    if constexpr ((detail::holds_symbols<std::remove_cvref_t<X>> || ...)) return function_(std::forward<X>(x)...);
    else return run(std::forward<X>(x)...);
  }

  /// As `into` of the function.
  template <class Out, class... X>
  void into(Out&& out, X&&... x) const {
    detail::parallel_runner_scope scope(&detail::threads_of_tbb);
    function_.into(out, std::forward<X>(x)...);
  }
};

/// The same function, or one signature of it, with large loops, reductions, matrix products, convolutions and kernels of rows shared
/// among the threads of oneTBB, and with steps at the same time that need not wait for one another, such as the loops of two branches that
/// meet later: `jig::parallel(f)(x)`, or `constexpr auto g = jig::parallel(f)`. Work is cut into blocks whose size depends on the extents
/// alone, so results do not depend on the number of threads; a sum may differ in its last bits from that of f. Effects keep their order.
/// Of exceptions that are thrown at the same time the first one reaches the caller.
/// Cost: work on less than 65536 elements and operations stays on the calling thread. Values that are there at the same time need memory
/// of their own. Functions with steps beside each other are compiled once more than f.
template <class Function>
constexpr auto parallel(Function f) {
  return parallel_function<decltype(detail::planned_for_threads(f))>(detail::planned_for_threads(f));
}

}  // namespace jig
