// SPDX-License-Identifier: MIT
#pragma once
// What a kernel has to offer, and what it may offer beside that. Whoever runs steps asks here, not the kernel itself.

#include <jig/eval/workspace.hpp>
#include <jig/graph/op.hpp>

#include <type_traits>

namespace jig {

/// A kernel K is a class of static functions that compute one node. `Attributes` is an object of its attributes' type, `out` a view of
/// its result (of each of its results), `in` one of each operand.
///
/// Required:
/// - `run(Attributes, out…, in…)`: computes the results from operands that lie in any way, with extents that only the call may know.
///   Operands and results do not overlap. Errors are exceptions, before anything is written where a result may be a variable. A kernel
///   whose result has an extent that only the run tells returns that extent.
///
/// Optional, for views that are dense:
/// - `run_part(Attributes, out, in…)`: the same for a few elements, as part of the function around it. It promises that inlining it is
///   cheaper than a call.
/// - `reads_first(Attributes, type_identity<Out>, type_identity<In>…)`: whether run_part has read all operands when it begins to write,
///   so that the result may lie on top of them.
/// - `does_nothing<Attributes>`: whether there is nothing to run: the memory of the result is all that the node means.
///
/// - `takes_memory`: whether it needs memory for itself, which the attributes then tell: `detail::memory_for(attributes)`. A workspace of
///   it is a part of that of the call.
///
/// With `fact::epilogue`, for one result of rank 2 or more, which is dense:
/// - `run` and `run_part` take a `const tile_epilogue& then` as their last argument and call it once with every rectangle of the
///   result, when all of its elements are stored. The result counts as one matrix whose columns run along its last axis and whose rows
///   run along all others. No element is in two rectangles; empty ones may come. What `then` does may overwrite them, but no operand.
/// - `row_by_row` (optional): true if most rectangles have one row.
///
/// With `fact::batched`, for results and operands that are the same matrix again and again along leading axes, or one matrix for all items:
/// - `run_batch(Attributes, out, count, in…, steps…)`: `count` items that follow one another, of which `out` and `in` are the first. A step
///   is the distance from one item of an operand to the next, 0 where all share it, in elements. `count` may be 1 or 0.
/// - `gives_registers(Attributes, type_identity<Out>, type_identity<In>…)`: whether each item is computed in whole registers.
/// - `run_batch_then(Attributes, out, count, in…, steps…, then)`: run_batch, but with `then(register, place)` in place of every store.
///   Needed where gives_registers is true. It promises to call `then` once for each register of every item, in any order of places.
///
/// These are the members that a kernel has for given types of attributes, result and operands.
template <class K, class Attributes, class Out, class... In>
struct kernel_traits {
  static constexpr bool has_part = requires(Out out, In... in) { K::run_part(Attributes(), out, in...); };
  static constexpr bool reads_first = [] {
    if constexpr (!has_part) return false;
    else if constexpr (requires { K::reads_first(Attributes(), std::type_identity<Out>(), std::type_identity<In>()...); })
      return K::reads_first(Attributes(), std::type_identity<Out>(), std::type_identity<In>()...);
    else return false;
  }();
  static constexpr bool gives_registers = [] {
    if constexpr (requires { K::gives_registers(Attributes(), std::type_identity<Out>(), std::type_identity<In>()...); })
      return K::gives_registers(Attributes(), std::type_identity<Out>(), std::type_identity<In>()...);
    else return false;
  }();
};

/// Whether a kernel with an epilogue completes its result row by row.
template <class K>
inline constexpr bool kernel_goes_row_by_row = [] {
  if constexpr (requires { K::row_by_row; }) return K::row_by_row;
  else return false;
}();

/// Whether a kernel with these attributes has nothing to run.
template <class K, class Attributes>
inline constexpr bool kernel_does_nothing = [] {
  if constexpr (requires { K::template does_nothing<Attributes>; }) return K::template does_nothing<Attributes>;
  else return false;
}();

namespace detail {

template <class K>
inline constexpr bool takes_memory = [] {
  if constexpr (requires { K::takes_memory; }) return K::takes_memory;
  else return false;
}();

/// Attributes of a kernel that needs memory.
template <class Attributes>
struct attributes_with_memory : Attributes {
  memory_source* memory;
};
/// What a kernel takes its workspaces from: that of the call, or of the thread where no call tells.
template <class Attributes>
[[gnu::always_inline]] inline memory_source& memory_for(const Attributes& attributes) {
  if constexpr (requires { attributes.memory; }) return *attributes.memory;
  else return memory_of_threads;
}

}  // namespace detail

}  // namespace jig
