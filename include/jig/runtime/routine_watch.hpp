// SPDX-License-Identifier: MIT
#pragma once
// What may watch the interpreter while it runs; jig/profile.hpp does.

#include <jig/core/extent.hpp>
#include <jig/core/threads.hpp>

#include <cstddef>
#include <cstdint>

namespace jig::detail {

template <class Graph>
class planned_routine;

/// Is told when a routine begins and ends, and when it is behind a region if `begin` asked for that.
template <class Graph>
class routine_watch {
 public:
  virtual bool begin(const planned_routine<Graph>&) = 0;
  virtual void behind(const planned_routine<Graph>&, std::size_t region) = 0;
  virtual void end(const planned_routine<Graph>&) = 0;
  /// The time, and that an epilogue which began then has done so many elements of a region.
  virtual std::uint64_t now() = 0;
  virtual void behind_tile(const planned_routine<Graph>&, std::size_t region, index elements, std::uint64_t begun) = 0;

 protected:
  ~routine_watch() = default;
};

/// What watches the routines of this thread, most often nothing.
template <class Graph>
inline constinit JIG_THREAD_LOCAL routine_watch<Graph>* watch_of_routines = nullptr;

}  // namespace jig::detail
