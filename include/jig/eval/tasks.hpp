// SPDX-License-Identifier: MIT
#pragma once
// Regions of a call as tasks, which threads share: each runs when those have run that it has to wait for.

#include <jig/eval/parallel_for.hpp>
#include <jig/eval/region_order.hpp>
#include <jig/eval/watch.hpp>

namespace jig::detail {

/// The regions of a program as tasks. `Aliased`: where results may lie over arguments.
template <class P, bool Aliased>
struct task_table {
  static constexpr int count = P::plan.size.regions;
  static constexpr region_order order() {
    return region_order(P::plan.view(P::graph), Aliased ? shared_memory::arguments : shared_memory::workspace);
  }
  static constexpr int edges = [] {
    const region_order o = order();
    int n = 0;
    for (int r = 0; r < count; ++r) n += static_cast<int>(o.awaited(r).size());
    return n;
  }();
  struct lists {
    short waits[array_bound(count)] = {}, first[array_bound(count + 1)] = {}, followers[array_bound(edges)] = {};
  };
  static constexpr lists table = [] {
    lists t;
    const region_order o = order();
    int n = 0;
    for (int r = 0; r < count; ++r) {
      t.first[r] = static_cast<short>(n);
      t.waits[r] = static_cast<short>(o.awaited(r).size());
      for (int later = r + 1; later < count; ++later)
        for (int a : o.awaited(later))
          if (a == r) t.followers[n++] = static_cast<short>(later);
    }
    t.first[count] = static_cast<short>(n);
    return t;
  }();
};

/// Which regions of a program are worth a thread of their own. Where only a call tells how long one
/// takes, `known` is not set.
template <class P>
struct long_regions {
  static constexpr int count = P::plan.size.regions;
  struct flags {
    bool known[array_bound(count)] = {}, is_long[array_bound(count)] = {};
  };
  static constexpr flags table = [] {
    flags f;
    const plan_view p = P::plan.view(P::graph);
    const auto extents = [](int v) { return P::extents(v); };
    for (int r = 0; r < count; ++r) {
      const planned_region& region = P::region(r);
      index total = 0;
      bool loops = false;
      for (int s = region.first; s < region.first + region.count; ++s) {
        loops = loops || p.steps[at(s)].kind == step_kind::control;
        const index n = loops ? -1 : work_of_step(p, s, extents);
        total = n < 0 || total < 0 ? -1 : total + n;
      }
      f.known[r] = loops || total >= 0;
      f.is_long[r] = loops || total >= long_task;
    }
    return f;
  }();
  /// Whether two regions that may be long need not wait for each other.
  static constexpr bool any_beside = [] {
    const region_order o = task_table<P, false>::order();
    for (int b = 0; b < count; ++b)
      for (int a = 0; a < b; ++a)
        if ((table.is_long[a] || !table.known[a]) && (table.is_long[b] || !table.known[b]) && !o.precedes(a, b)) return true;
    return false;
  }();

  template <int R>
  static bool is_long(const frame<P>& fr) {
    if constexpr (table.known[R]) {
      return table.is_long[R];
    } else {
      constexpr planned_region region = P::region(R);
      return [&]<int... K>(std::integer_sequence<int, K...>) {
        return (index{0} + ... + work<region.first + K>(fr)) >= long_task;
      }(std::make_integer_sequence<int, region.count>());
    }
  }

 private:
  // What is computed of an element that is read or written, about.
  static constexpr index work_of_kernel = 32;
  template <int S>
  static index work(const frame<P>& fr) {
    constexpr planned_step step = P::plan.steps.items[S];
    index n = [&]<int... I>(std::integer_sequence<int, I...>) {
      return (index{0} + ... + fr.template size_of<P::plan.leaves.items[step.leaves.first + I]>());
    }(std::make_integer_sequence<int, step.leaves.count>());
    n += [&]<int... I>(std::integer_sequence<int, I...>) {
      return (index{0} + ... + fr.template size_of<P::plan.roots.items[step.roots.first + I]>());
    }(std::make_integer_sequence<int, step.roots.count>());
    return step.kind == step_kind::kernel ? n * work_of_kernel : n + fr.template size_of<step.space>() * step.body.count;
  }
};

/// Whether calls of a program may run its regions as tasks.
template <class P>
constexpr bool may_run_as_tasks() {
  // What extents or loops leave for others of the call is not for several threads; nor are graphs without end.
  constexpr int most_regions = 2048;
  constexpr bool may = P::is_concurrent && !P::is_body && !P::plan.any_late && !P::remembers && !is_watched<P> &&
                       P::plan.size.regions > 1 && P::plan.size.regions <= most_regions;
  if constexpr (!may) return false;
  else return long_regions<P>::any_beside && task_table<P, true>::edges <= 32767;
}

/// Whether a result of this call lies over an argument, as far as is known.
template <class P>
bool lies_over_arguments(const frame<P>& fr) {
  if constexpr (P::has_strided_arguments) return true;
  const auto overlaps = [](const char* a, std::size_t n, const char* b, std::size_t k) { return a < b + k && b < a + n; };
  return [&]<int... R>(std::integer_sequence<int, R...>) {
    const auto result = [&]<int K>(std::integral_constant<int, K>) {
      constexpr int to = P::graph.outputs()[at(K)].node;
      const std::size_t bytes = static_cast<std::size_t>(fr.template size_of<to>()) * sizeof(element_at<P, to>);
      return [&]<int... J>(std::integer_sequence<int, J...>) {
        return (overlaps(static_cast<const char*>(fr.results[K]), bytes, static_cast<const char*>(fr.arguments[J]),
                         static_cast<std::size_t>(fr.template size_of<P::graph.inputs()[at(J)]>()) *
                             sizeof(element_at<P, P::graph.inputs()[at(J)]>)) ||
                ...);
      }(std::make_integer_sequence<int, P::arguments>());
    };
    return (result(std::integral_constant<int, R>()) || ...);
  }(std::make_integer_sequence<int, P::results>());
}

}  // namespace jig::detail
