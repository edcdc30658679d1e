// SPDX-License-Identifier: MIT
#pragma once
// The loop nests of a program as text: a line for each step that is a loop or a reduction.

#include <jig/eval/nest_tile.hpp>
#include <jig/eval/nest_reduce.hpp>

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
  constexpr flat_block block = flat_nest<Step>::block;
  if constexpr (alignment_in<Step>::always && has_dense_roots<Step>) return "one run of memory";
  else if constexpr (tiled_nest<Step>::axis >= 0) return "squares of registers, read across along axis " + std::to_string(tiled_nest<Step>::axis);
  else if constexpr (block.registers == 0) return "elements anywhere, gathered";
  else if constexpr (block.axis < 0) return "all at once in " + std::to_string(block.registers) + " registers";
  else return std::to_string(block.rows) + " along axis " + std::to_string(block.axis) + " in " + std::to_string(block.registers) + " registers";
}
template <class Step>
std::string text_of_reduction() {
  using P = typename Step::program;
  constexpr bool everything = axes_of_step<Step>() == (1u << P::extents(Step::plan.space).rank) - 1;
  constexpr reduction_nest chosen = nest_of_reduction<Step>::chosen;
  const std::string axis = std::to_string(chosen.axis);
  if constexpr (everything && alignment_in<Step>::always) return "one run of memory";
  else if constexpr (chosen.lanes == reduction_lanes::kept) return "lanes along axis " + axis;
  else if constexpr (chosen.lanes == reduction_lanes::block) return "blocks of " + std::to_string(chosen.rows) + " along axis " + axis;
  else if constexpr (chosen.lanes == reduction_lanes::row) return "lanes along the last axis, row by row";
  else return "elements anywhere, gathered";
}

template <class Step>
void write_nest(std::string& out) {
  constexpr bool is_loop = Step::plan.kind == step_kind::loop;
  if constexpr (is_loop || Step::plan.kind == step_kind::reduction) {
    out += "step " + std::to_string(Step::number) + ": ";
    if constexpr (is_loop) out += text_of_axes(nest<Step, 0>::axes) + " " + text_of_loop<Step>();
    else out += text_of_axes(nest_of_reduction<Step>::axes) + " " + text_of_reduction<Step>();
    out += '\n';
  }
}

/// The nests of all steps of a program on arguments that lie as its type says: axes that all operands walk alike as one, and what the
/// lanes of registers are. A step that runs with others over some of its rows has a nest of these.
template <class P>
std::string text_of_nests() {
  std::string out;
  [&]<int... S>(std::integer_sequence<int, S...>) { (write_nest<step<P, S>>(out), ...); }(std::make_integer_sequence<int, P::plan.size.steps>());
  return out;
}

}  // namespace jig::detail
