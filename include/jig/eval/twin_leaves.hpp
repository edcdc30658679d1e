// SPDX-License-Identifier: MIT
#pragma once
// Leaves that are views of the same memory share one pointer: compilers see then what their registers have in common.

#include <jig/eval/nest.hpp>

namespace jig::detail {

// Where a leaf begins: so many elements behind the first one of a node.
struct leaf_beginning {
  int node;
  index offset;
};
template <class Step, class Axes, int L>
inline constexpr leaf_beginning beginning_of_leaf = [] {
  using P = typename Step::program;
  leaf_beginning out{Step::node(L), 0};
  if (P::value(out.node).place == place::alias && !P::value(out.node).dense && Axes::axes.whole[L] != 0)
    out = {P::value(out.node).number, Axes::axes.offset[L]};
  while (P::value(out.node).place == place::alias && P::value(out.node).dense)
    out = {P::value(out.node).number, out.offset + P::value(out.node).offset};
  return out;
}();
inline constexpr int any_axis = -1;
// The first leaf that sees the memory of leaf L and moves along axis A as it does. Numbers of the program have no pointer, but views of
// them do.
template <class Step, class Axes, int A, int L>
inline constexpr int twin_of_leaf = []<int... O>(std::integer_sequence<int, O...>) {
  constexpr auto& axes = Axes::axes;
  [[maybe_unused]] const auto moves_alike = [&](int other) {
    for (int a = 0; a < axes.rank; ++a)
      if ((A == any_axis || a == A) && (axes.stride[other][a] != axes.stride[L][a] || axes.stride[L][a] == known_at_call)) return false;
    return true;
  };
  [[maybe_unused]] const auto has_pointer = [](int v) { return Step::program::value(v).place != place::immediate; };
  int found = L;
  ((found = found == L && has_pointer(Step::node(O)) && beginning_of_leaf<Step, Axes, O>.node == beginning_of_leaf<Step, Axes, L>.node &&
                    moves_alike(O)
                ? O
                : found),
   ...);
  return found;
}(std::make_integer_sequence<int, L>());
// Where a leaf is, told by its twin.
template <class Step, class Axes, int A, int L>
[[gnu::always_inline]] inline const element_at<typename Step::program, Step::node(L)>* pointer_by_twin(const nest_pointers<Step>& p) {
  constexpr int twin = twin_of_leaf<Step, Axes, A, L>;
  constexpr index behind = beginning_of_leaf<Step, Axes, L>.offset - beginning_of_leaf<Step, Axes, twin>.offset;
  return static_cast<const element_at<typename Step::program, Step::node(L)>*>(p.leaf[twin]) + behind;
}
/// A leaf at any place of a nest: compilers see what registers of it have in common with those of others.
template <class Step, class Axes, int L>
[[gnu::always_inline]] inline const void* leaf_pointer(const nest_pointers<Step>& p) {
  return pointer_by_twin<Step, Axes, any_axis, L>(p);
}
/// The same pointers, at a place where they have moved along axis A only.
template <class Step, class Axes, int A>
[[gnu::always_inline]] inline nest_pointers<Step> with_twins(nest_pointers<Step> p) {
  [&]<int... L>(std::integer_sequence<int, L...>) {
    ((p.leaf[L] = pointer_by_twin<Step, Axes, A, L>(p)), ...);
  }(std::make_integer_sequence<int, Step::leaves>());
  return p;
}

}  // namespace jig::detail
