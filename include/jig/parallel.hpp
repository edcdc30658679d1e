// SPDX-License-Identifier: MIT
#pragma once
// Calls that use several threads. Not part of jig.hpp: the headers of oneTBB, which JIG_USE_TBB says is there, take long to
// include. Without it everything runs on the calling thread, with the same results.

#include <jig/eval/parallel_runner.hpp>
#include <jig/function.hpp>

#ifdef JIG_USE_TBB
#include <tbb/parallel_for.h>
#endif

namespace jig {

namespace detail {

inline void run_in_parallel(index blocks, parallel_work run, void* work) {
  parallel_runner_scope alone(nullptr);  // a block is not split again
#ifdef JIG_USE_TBB
  tbb::parallel_for(index{0}, blocks, [=](index block) { run(work, block); });
#else
  for (index block = 0; block < blocks; ++block) run(work, block);
#endif
}

}  // namespace detail

/// A function whose calls may use several threads; see jig::parallel.
template <class Function>
class parallel_function {
  [[no_unique_address]] Function function_;

  template <class... X>
  decltype(auto) run(X&&... x) const {
    detail::parallel_runner_scope scope(&detail::run_in_parallel);
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
    detail::parallel_runner_scope scope(&detail::run_in_parallel);
    function_.into(out, std::forward<X>(x)...);
  }
};

/// The same function, or one signature of it, with large loops, reductions and matrix products shared among the threads of
/// oneTBB: `jig::parallel(f)(x)`, or `constexpr auto g = jig::parallel(f)`. Work is cut into blocks whose size depends on the
/// extents alone, so results do not depend on the number of threads; a sum may differ in its last bits from that of f.
/// Exceptions reach the caller. Work on less than 65536 elements stays on the calling thread.
template <class Function>
constexpr parallel_function<Function> parallel(Function f) {
  return parallel_function<Function>(f);
}

}  // namespace jig
