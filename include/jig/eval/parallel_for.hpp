// SPDX-License-Identifier: MIT
#pragma once
// Large work in blocks, which threads may share. Where a block ends depends on the work alone, so results do not depend on
// how many threads there are. jig/parallel.hpp says which threads.

#include <jig/core/extent.hpp>

namespace jig::detail {

using parallel_work = void (*)(void* work, index block);

/// Work in parts of which some wait for others: tasks `followers[first[t]]` up to `followers[first[t + 1]]` wait for task t, each task for
/// `waits` others. Tasks are in an order in which they could run one after another.
struct task_list {
  int count;
  const short* waits;
  const short* first;
  const short* followers;
  const bool* is_long;  // by task, whether it is worth a thread
  void (*run)(void* call, int task);
};

/// Who runs work in parts.
struct parallel_runner {
  /// Calls `run` with the number of every block, in any order and on any thread, and returns when all have run.
  void (*run_blocks)(index blocks, parallel_work run, void* work);
  /// Runs every task, when those that it waits for have run, on any thread, and returns when all have run. Null where tasks run in order.
  void (*run_tasks)(const task_list& tasks, void* call) = nullptr;
};

struct memory_source;

/// How threads share work, in programs where they may.
struct parallel_threads {
  const parallel_runner* (*runner)();  // of the call that this thread is in; null where it runs everything itself
  void (*set_runner)(const parallel_runner*);
  memory_source* memory;  // of whatever thread asks
};
/// Null as long as the program includes nothing that shares work: eval/parallel_runner.hpp sets it.
inline constinit const parallel_threads* current_threads = nullptr;

/// Until it ends this thread runs everything itself: what its calls work in is no other thread's.
class parallel_pause {
  const parallel_runner* before_ = nullptr;

 public:
  parallel_pause() {
    if (current_threads == nullptr) return;
    before_ = current_threads->runner();
    current_threads->set_runner(nullptr);
  }
  parallel_pause(const parallel_pause&) = delete;
  parallel_pause& operator=(const parallel_pause&) = delete;
  ~parallel_pause() {
    if (before_ != nullptr) current_threads->set_runner(before_);
  }
};

/// Elements of a block of a loop or reduction. Two of them are worth a second thread.
inline constexpr index shared_length = 32768;

/// Elements and operations of a task that is worth a thread of its own: it takes some ten microseconds.
inline constexpr index long_task = 65536;

/// Whether threads share the work of this one's call.
inline bool shares_work() { return current_threads != nullptr && current_threads->runner() != nullptr; }
/// Whether they run its tasks beside each other.
inline bool shares_tasks() { return shares_work() && current_threads->runner()->run_tasks != nullptr; }

/// Whether work on n elements is to be shared now.
inline bool is_shared(index n) { return n >= 2 * shared_length && shares_work(); }

/// Calls f(first, length) for blocks of n items, of which there is one. The last block takes what is left over.
template <class F>
void parallel_for(index n, index length, F f) {
  struct {
    F& f;
    index n, length, blocks;
  } work{f, n, length, n < length ? 1 : n / length};
  auto run = [](void* memory, index block) {
    auto& w = *static_cast<decltype(work)*>(memory);
    const index first = block * w.length;
    w.f(first, block == w.blocks - 1 ? w.n - first : w.length);
  };
  current_threads->runner()->run_blocks(work.blocks, run, &work);
}

/// Calls f(first, length) for so many parts of n items, of about the same length.
template <class F>
[[gnu::noinline, gnu::cold]] void share_evenly(index n, index parts, const F& f) {
  parallel_for(parts, 1, [&f, n, parts](index first, index count) {
    const index begin = n * first / parts, end = n * (first + count) / parts;
    f(begin, end - begin);
  });
}

/// In how many parts threads share n items that do not depend on one another, of so many elements each.
inline index shared_parts(index n, index elements) {
  constexpr index most = 64;
  if (n <= 1 || !is_shared(n * elements)) [[likely]]
    return 1;
  const index worth = n * elements / shared_length, parts = worth < most ? worth : most;
  return parts < n ? parts : n;
}
/// Calls f(first, length) for such items.
template <class F>
[[gnu::always_inline]] inline void share_items(index n, index elements, const F& f) {
  if (const index parts = shared_parts(n, elements); parts > 1) [[unlikely]]
    return share_evenly(n, parts, f);
  f(index{0}, n);
}
/// The same for what works in memory: f(first, length, memory), that of the call or of the thread.
template <class F>
[[gnu::always_inline]] inline void share_items(index n, index elements, memory_source& memory, const F& f) {
  if (const index parts = shared_parts(n, elements); parts > 1) [[unlikely]]
    return share_evenly(n, parts, [&f](index first, index length) { f(first, length, *current_threads->memory); });
  f(index{0}, n, memory);
}

/// A loop over n contiguous elements of all leaves and roots of a step.
using run_function = void (*)(const void* const* leaf, void* const* root, index n);

/// Runs a loop in blocks. `bytes` says how far each pointer moves from element to element, leaves first.
inline void share_run(const void* const* leaf, int leaves, void* const* root, int roots, const index* bytes, index n, run_function run) {
  constexpr int room = 32;
  if (leaves > room || roots > room) return run(leaf, root, n);
  parallel_for(n, shared_length, [=](index first, index length) {
    const void* from[room];
    void* to[room];
    for (int k = 0; k < leaves; ++k) from[k] = static_cast<const char*>(leaf[k]) + first * bytes[k];
    for (int k = 0; k < roots; ++k) to[k] = static_cast<char*>(root[k]) + first * bytes[leaves + k];
    run(from, to, length);
  });
}

}  // namespace jig::detail
