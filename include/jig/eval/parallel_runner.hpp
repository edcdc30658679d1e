// SPDX-License-Identifier: MIT
#pragma once
// Who runs the blocks of a thread's calls. Calls ask for it through `current_threads`, so that programs that never share work have
// nothing of a thread for it.

#include <jig/core/threads.hpp>
#include <jig/eval/parallel_for.hpp>
#include <jig/eval/workspace.hpp>

namespace jig::detail {

/// The one of the call that this thread is in; null where it runs everything itself.
inline constinit JIG_THREAD_LOCAL const parallel_runner* current_parallel_runner = nullptr;

/// Says who runs the blocks of this thread's calls, until it ends.
class parallel_runner_scope {
  const parallel_runner* before_ = current_parallel_runner;

 public:
  explicit parallel_runner_scope(const parallel_runner* now) { current_parallel_runner = now; }
  parallel_runner_scope(const parallel_runner_scope&) = delete;
  parallel_runner_scope& operator=(const parallel_runner_scope&) = delete;
  ~parallel_runner_scope() { current_parallel_runner = before_; }
};

inline constinit const parallel_threads threads_that_share{
    .runner = [] { return current_parallel_runner; },
    .set_runner = [](const parallel_runner* now) { current_parallel_runner = now; },
    .memory = &memory_of_threads,
};
/// Before main, in programs that may share work.
inline const bool threads_may_share = (current_threads = &threads_that_share, true);

}  // namespace jig::detail
