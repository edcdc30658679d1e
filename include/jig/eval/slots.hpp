// SPDX-License-Identifier: MIT
#pragma once
// The workspace of a call: its slots are on the stack where they are small, else in the workspace of the thread.

#include <jig/eval/program.hpp>
#include <jig/eval/workspace.hpp>

namespace jig::detail {

template <class P, int Slot>
std::size_t slot_bytes(const frame<P>& fr) {
  constexpr planned_slot slot = P::plan.buffers.items[Slot];
  if constexpr (slot.bytes >= 0) return aligned_size(static_cast<std::size_t>(slot.bytes));
  else return aligned_size(static_cast<std::size_t>(fr.template size_of<slot.like>()) * sizeof(element_at<P, slot.like>));
}

template <class P, int Slot>
inline constexpr bool slot_has_strings = P::dtype_at(P::plan.buffers.items[Slot].like) == dtype::string;

// Strings in the workspace are objects, which have to be made and destroyed.
template <class P, int Slot, bool Strings = slot_has_strings<P, Slot>>
struct slot_objects {
  explicit slot_objects(const frame<P>&) {}
};
template <class P, int Slot>
struct slot_objects<P, Slot, true> {
  std::string* first;
  index n;
  explicit slot_objects(const frame<P>& fr)
      : first(static_cast<std::string*>(fr.buffers[Slot])), n(fr.template size_of<P::plan.buffers.items[Slot].like>()) {
    std::uninitialized_default_construct_n(first, n);
  }
  ~slot_objects() { std::destroy_n(first, n); }
};
// Not a tuple: with a hundred slots its types take seconds to instantiate.
template <class P, int... Slot>
struct all_slot_objects : slot_objects<P, Slot>... {
  explicit all_slot_objects(const frame<P>& fr) : slot_objects<P, Slot>(fr)... {}
};

// A slot on the stack.
template <class P, int Slot>
struct stack_slot {
  static constexpr index bytes = P::plan.buffers.items[Slot].bytes;
  alignas(inline_alignment(static_cast<std::size_t>(bytes), 1)) char memory[array_bound(bytes)];
};
template <class P, class Slots>
struct all_stack_slots;
template <class P, int... Slot>
struct all_stack_slots<P, std::integer_sequence<int, Slot...>> : stack_slot<P, Slot>... {};

// Small static needs are met on the stack.
template <class P, class Slots = std::make_integer_sequence<int, P::plan.size.buffers>>
inline constexpr bool runs_on_stack = false;
template <class P, int... Slot>
inline constexpr bool runs_on_stack<P, std::integer_sequence<int, Slot...>> =
    ((P::plan.buffers.items[Slot].bytes >= 0) && ...) && (index{0} + ... + P::plan.buffers.items[Slot].bytes) <= 4096;

}  // namespace jig::detail
