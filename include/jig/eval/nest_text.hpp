// SPDX-License-Identifier: MIT
#pragma once
// The loop nests of a program as text: a line for each step that is a loop or a reduction.

#include <jig/eval/loop_steps.hpp>
#include <jig/eval/reduction_steps.hpp>
#include <jig/eval/regions.hpp>

#include <string>

namespace jig::detail {

// The axes of a nest, those that are reduced with a star. What only a call knows is a question mark.
template <int Operands>
std::string text_of_axes(const nest_shape<Operands>& axes) {
  std::string out = "(";
  for (int a = 0; a < axes.rank; ++a) {
    if (a > 0) out += ", ";
    out += axes.extent[a] == known_at_call ? "?" : std::to_string(axes.extent[a]);
    if (axes.reduced[a]) out += '*';
  }
  return out + (axes.rank == 1 ? ",)" : ")");
}

template <class Step>
std::string text_of_loop() {
  constexpr loop_choice chosen = choice_of_loop<Step>;
  const std::string axis = std::to_string(chosen.axis), registers = " in " + std::to_string(chosen.registers) + " registers";
  switch (chosen.walk) {
    case loop_walk::one_run: return "one run of memory";
    case loop_walk::squares: return "squares of registers, read across along axis " + axis;
    case loop_walk::block:
      return chosen.axis < 0 ? "all at once" + registers : std::to_string(chosen.rows) + " along axis " + axis + registers;
    case loop_walk::rows: return "rows of memory along the last axis";
    case loop_walk::gathered: break;
  }
  return "elements anywhere, gathered";
}
template <class Step>
std::string text_of_reduction() {
  constexpr reduction_choice chosen = choice_of_reduction<Step>;
  const std::string axis = std::to_string(chosen.nest.axis);
  if constexpr (chosen.one_run) return "one run of memory";
  switch (chosen.nest.lanes) {
    case reduction_lanes::kept:
      return "lanes along axis " + axis + (chosen.nest.columns ? ", many places along the axis before it at a time" : "");
    case reduction_lanes::block: return "blocks of " + std::to_string(chosen.nest.rows) + " along axis " + axis;
    case reduction_lanes::row: return "lanes along the last axis, row by row";
    case reduction_lanes::none: break;
  }
  return "elements anywhere, gathered";
}
template <class Step>
std::string text_of_nest() {
  if constexpr (Step::plan.kind == step_kind::loop) return text_of_axes(nest<Step, 0>::axes) + " " + text_of_loop<body_of_loop<Step>>();
  else return text_of_axes(nest_of_reduction<Step>::axes) + " " + text_of_reduction<Step>();
}
template <class P, int Region, int S>
std::string text_on_places() {
  constexpr region_kind kind = P::region(Region).kind;
  const std::string what = kind == region_kind::rows ? "row" : "item";
  if constexpr (kind == region_kind::epilogue) {
    return "rows of each tile";
  } else {
    switch (walk_of_step<P, Region, S, runs_many_rows<P, Region>>()) {
      case places_walk::one_run: return "all " + what + "s as one run of memory";
      case places_walk::each: return what + " by " + what;
      case places_walk::strided: return what + " by " + what + ", with strides of the call";
      case places_walk::nest: return text_of_nest<step<P, S>>() + ", many " + what + "s at a time";
      case places_walk::kernel: break;
      case places_walk::registers: return "in the registers of the step before it";
    }
    return {};
  }
}

template <class P, int S>
void write_nest(std::string& out) {
  constexpr planned_step s = P::plan.steps.items[S];
  if constexpr (s.kind == step_kind::loop || s.kind == step_kind::reduction) {
    out += "step " + std::to_string(S) + ": ";
    if constexpr (P::region(s.region).kind == region_kind::single) out += text_of_nest<step<P, S>>();
    else out += text_on_places<P, s.region, S>();
    out += '\n';
  }
}

/// The nests of all steps of a program on arguments that lie as its type says: axes that all operands walk alike as one, and what the
/// lanes of registers are. Of steps that run together: how each goes through the rows or matrices of a chunk, or the rectangles that an
/// epilogue gets. It is what the steps run by; where a call broadcasts what may broadcast they gather, and with fewer rows than a chunk
/// needs they go row by row.
template <class P>
std::string text_of_nests() {
  std::string out;
  [&]<int... S>(std::integer_sequence<int, S...>) { (write_nest<P, S>(out), ...); }(std::make_integer_sequence<int, P::plan.size.steps>());
  return out;
}

}  // namespace jig::detail
