// SPDX-License-Identifier: MIT
#pragma once
// Runs a program: extents first, then one step after another.

#include <jig/eval/call_extents.hpp>
#include <jig/eval/equal_steps.hpp>
#include <jig/eval/loop_steps.hpp>
#include <jig/eval/node_kernel.hpp>
#include <jig/eval/reduction_steps.hpp>
#include <jig/eval/regions.hpp>
#include <jig/eval/slots.hpp>
#include <jig/eval/tasks.hpp>
#include <jig/eval/watch.hpp>

namespace jig {

namespace detail {

// Runs a node with bodies. Defined in eval/control.hpp.
template <class P, int Node>
[[gnu::always_inline]] inline void run_control(const frame<P>& fr);

template <class Unit>
[[gnu::noinline]] void run_step_apart(const frame<Unit>& fr) {
  using s = step<Unit, 0>;
  if constexpr (s::plan.kind == step_kind::loop) run_loop_step<s>(fr);
  else run_reduction_step<s>(fr);
}

template <class P, int S>
[[gnu::always_inline]] inline void run_equal_step(const frame<P>& fr) {
  using unit = step_program<P, equal_steps<P>::table.first[S]>;
  run_step_apart<unit>(frame_of_step<P, S, unit>(fr));
}

// Whether a step is a function of its own where there are many: one that goes through elements.
template <class P, int S>
inline constexpr bool is_compiled_apart = [] {
  constexpr planned_step plan = P::plan.steps.items[S];
  return !plan.done && !is_compiled_once<P, S> && (plan.kind == step_kind::loop || plan.kind == step_kind::reduction) &&
         P::extents(plan.space).size() != 1;
}();

template <class P, int S>
[[gnu::always_inline]] inline void run_single_step(frame<P>& fr) {
  constexpr planned_step plan = P::plan.steps.items[S];
  if constexpr (plan.done) return;
  else if constexpr (is_compiled_once<P, S>) run_equal_step<P, S>(fr);
  else if constexpr (plan.kind == step_kind::loop) run_loop_step<step<P, S>>(fr);
  else if constexpr (plan.kind == step_kind::reduction) run_reduction_step<step<P, S>>(fr);
  else if constexpr (plan.kind == step_kind::control) run_control<P, P::plan.roots.items[plan.roots.first]>(fr);
  else run_kernel<P, P::plan.roots.items[plan.roots.first]>(fr);
  if constexpr (P::plan.any_late) evaluate_extents_after<P, S>(fr);
}

// A step of many, where the frame is in memory anyway.
template <class P, int R>
[[gnu::noinline]] void run_step_of_many(frame<P>& fr) {
  using s = step<P, P::region(R).first>;
  if constexpr (s::plan.kind == step_kind::loop) run_loop_step<s>(fr);
  else run_reduction_step<s>(fr);
  if constexpr (P::plan.any_late) evaluate_extents_after<P, s::number>(fr);
}

template <class P, int R, bool Apart>
[[gnu::always_inline]] inline void run_region(frame<P>& fr) {
  constexpr planned_region region = P::region(R);
  if constexpr (region.kind == region_kind::single) {
    if constexpr (Apart && is_compiled_apart<P, region.first>) run_step_of_many<P, R>(fr);
    else run_single_step<P, region.first>(fr);
  } else if constexpr (region.guards.count == 0) {
    run_together<P, R>(fr);
  } else {
    if (guards_hold<P, R>(fr)) [[likely]]
      return run_together<P, R>(fr);
    [&]<int... K>(std::integer_sequence<int, K...>) {
      if constexpr (is_watched<P>) {
        typename watch<P>::template chunk<R> watching(true);
        ((run_single_step<P, region.first + K>(fr), watching.step(K)), ...);
      } else {
        (run_single_step<P, region.first + K>(fr), ...);
      }
    }(std::make_integer_sequence<int, region.count>());
  }
}

template <class P, int R, bool Apart>
[[gnu::always_inline]] inline void run_watched_region(frame<P>& fr) {
  run_region<P, R, Apart>(fr);
  if constexpr (laps<P>::table.ends[R]) watch<P>::template lap<R>();
}

template <class P, int First, bool Apart, int... R>
[[gnu::always_inline]] inline void run_chunk(frame<P>& fr, std::integer_sequence<int, R...>) {
  if constexpr (is_watched<P>) (run_watched_region<P, First + R, Apart>(fr), ...);
  else (run_region<P, First + R, Apart>(fr), ...);
}

template <class P, int First, int... R>
[[gnu::noinline]] void run_chunk_apart(frame<P>& fr, std::integer_sequence<int, R...> regions) {
  run_chunk<P, First, true>(fr, regions);
}

// In functions of their own where the frame is in memory anyway: one function with all the loops of a large program takes
// compilers several times as long.
inline constexpr int chunk_apart = 16;

// What is left of Count from First on, up to Length.
template <int First, int Length, int Count>
using part_of_count = std::make_integer_sequence<int, (Count - First < Length ? Count - First : Length)>;

template <class P, bool Apart, int... C>
[[gnu::always_inline]] inline void run_chunks(frame<P>& fr, std::integer_sequence<int, C...>) {
  constexpr int count = P::plan.size.regions;
  if constexpr (Apart) (run_chunk_apart<P, C * chunk_apart>(fr, part_of_count<C * chunk_apart, chunk_apart, count>()), ...);
  else (run_chunk<P, C * chunk, false>(fr, part_of_count<C * chunk, chunk, count>()), ...);
}

template <class P, int R>
[[gnu::noinline]] void run_task(frame<P>& fr) {
  run_region<P, R, true>(fr);
}
// Regions in order, or as tasks of threads where there are long ones that need not wait for each other.
template <class P, int... R>
[[gnu::noinline]] void run_tasks(frame<P>& fr, std::integer_sequence<int, R...>) {
  static constexpr void (*regions[])(frame<P>&) = {&run_task<P, R>...};
  const bool is_long[] = {long_regions<P>::template is_long<R>(fr)...};
  if (!shares_tasks() || (0 + ... + is_long[R]) < 2) {
    for (const auto run : regions) run(fr);
    return;
  }
  const auto run = [&](const auto& table) {
    const task_list tasks{sizeof...(R),    table.waits, table.first,
                          table.followers, is_long,     [](void* call, int task) { regions[task](*static_cast<frame<P>*>(call)); }};
    current_threads->runner()->run_tasks(tasks, &fr);
  };
  if (lies_over_arguments<P>(fr)) run(task_table<P, true>::table);
  else run(task_table<P, false>::table);
}

template <class P, bool FrameInMemory = false>
[[gnu::always_inline]] inline void run_steps(frame<P>& fr) {
  constexpr int count = P::plan.size.regions;
  constexpr bool apart = FrameInMemory && count > chunk_apart;
  constexpr int length = apart ? chunk_apart : chunk;
  if constexpr (may_run_as_tasks<P>()) run_tasks<P>(fr, std::make_integer_sequence<int, count>());
  else if constexpr (count <= length) run_chunk<P, 0, FrameInMemory && has_many_steps<P>>(fr, std::make_integer_sequence<int, count>());
  else run_chunks<P, apart>(fr, std::make_integer_sequence<int, (count + length - 1) / length>());
}
template <class P, int... Slot>
void run_with_workspace(frame<P>& fr, std::integer_sequence<int, Slot...>) {
  std::size_t offset[] = {slot_bytes<P, Slot>(fr)..., 0};
  std::size_t total = 0;
  for (auto& o : offset) total += std::exchange(o, total);
  workspace memory(*fr.memory, total);
  ((fr.buffers[Slot] = memory.data() + offset[Slot]), ...);
  if constexpr ((slot_has_strings<P, Slot> || ...)) {
    const all_slot_objects<P, Slot...> objects(fr);
    run_steps<P, true>(fr);
  } else {
    run_steps<P, true>(fr);
  }
}

template <class P, int... Slot>
[[gnu::always_inline]] inline void run_on_stack(frame<P>& fr, std::integer_sequence<int, Slot...> buffers) {
  all_stack_slots<P, decltype(buffers)> memory;
  ((fr.buffers[Slot] = static_cast<stack_slot<P, Slot>&>(memory).memory), ...);
  run_steps<P>(fr);
}

template <class P>
[[gnu::always_inline]] inline void execute_steps(frame<P>& fr) {
  using buffers = std::make_integer_sequence<int, P::plan.size.buffers>;
  if constexpr (P::plan.size.buffers == 0) run_steps<P>(fr);
  else if constexpr (runs_on_stack<P>) run_on_stack<P>(fr, buffers());
  else run_with_workspace<P>(fr, buffers());
}

// A tape lives as long as the call.
template <class P>
void execute_with_tape(frame<P>& fr) {
  call_tape tape;
  fr.tape = &tape;
  execute_steps<P>(fr);
  fr.tape = nullptr;
}

}  // namespace detail

/// Runs all steps of a program whose frame has its pointers and extents.
template <class P>
[[gnu::always_inline]] inline void execute(frame<P>& fr) {
  // A run before this one may have told others.
  if constexpr (P::plan.any_late) detail::evaluate_extents(fr);
  if constexpr (detail::is_watched<P>) detail::watch<P>::begin();
  if constexpr (P::remembers && !P::is_body) detail::execute_with_tape<P>(fr);
  else detail::execute_steps<P>(fr);
  if constexpr (detail::is_watched<P>) detail::watch<P>::end(fr);
}

}  // namespace jig
