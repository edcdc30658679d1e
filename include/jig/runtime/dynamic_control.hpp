// SPDX-License-Identifier: MIT
#pragma once
// Loops over ranges with dynamic bounds.

#include <jig/runtime/dynamic_symbol.hpp>
#include <jig/trace/range.hpp>

namespace jig::detail {

/// The place of a literal, tensor or dynamic symbol as an operand of this dtype.
inline edge place_as(builder* b, const dynamic_operand& o, dtype as) {
  if (o.from == world::dynamic) return o.place;
  return o.from == world::literal ? literal_as(*b, as, o.spec.dtype, o.word) : constant_of(*b, o.elements);
}

template <class First, class Last, class Step>
auto make_dynamic_range(const First& first, const Last& last, const Step& step) {
  // What the condition and the counter of the loop are made of.
  enter_kernels<ops::add, ops::less, ops::greater, ops::logical_and, ops::logical_or>();
  const dynamic_operand bounds[] = {dynamic_operand_of(first), dynamic_operand_of(last), dynamic_operand_of(step)};
  const dynamic_operand* leader = nullptr;
  for (const auto& o : bounds)
    if (leader == nullptr && o.from != world::literal) leader = &o;
  const dtype d = leader->spec.dtype;
  builder* b = builder_of(first, last, step);
  for (const auto& o : bounds) {
    const bool fits = o.from == world::literal ? literal_joins(o.spec.dtype, d) : o.spec.dtype == d;
    if (!is_number(d) || !fits || o.spec.shape.rank != 0) throw_invalid_argument(range_refusal.view());
    if (o.recorder != nullptr && o.recorder != b) dynamic_symbol::throw_other_trace();
  }
  if (world_of<Step> == world::literal && sign_of(step) == 0) throw_invalid_argument("range: the step must not be 0");
  const edge places[] = {place_as(b, bounds[0], d), place_as(b, bounds[1], d), place_as(b, bounds[2], d)};
  return traced_range<dynamic_symbol>(b, places[0], places[1], places[2], sign_of(step));
}

}  // namespace jig::detail
