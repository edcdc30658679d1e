// SPDX-License-Identifier: MIT
#pragma once
// Makes plans: in phases, of which each sees what those before it have decided.

#include <jig/eval/planning/slots.hpp>
#include <jig/passes/elements.hpp>

namespace jig {

namespace detail {

class planner : public slot_planner {
 public:
  using slot_planner::slot_planner;

  constexpr plan run() {
    out_.extents = find_extents(g_, given_);
    any_late_ = out_.extents.any_late();
    if (any_late_) date_expressions(false);
    out_.values.reserve(size_);
    for (std::size_t k = 0; k < g_.outputs().size(); ++k) is_output_[g_.outputs()[k].node] = 1;
    for (int v = 0; v < size_; ++v) facts_[v] = static_cast<unsigned>(kind(v).facts);
    find_parts();
    find_dynamic_updates();
    for (int v = 0; evaluator_ == planned_for::compiler && v < size_; ++v)
      stacks_[v] = packs_scalars(g_, v) || (packs_groups(g_, v) && has_equal_parts(v));
    for (int v = 0; v < size_; ++v) start_value(v);
    if (evaluator_ == planned_for::compiler && may_have_padded_reads(g_)) find_padded_reads();
    find_levels();
    sink();
    find_sources();
    choose_stored();
    order_steps();
    fill_steps();
    if (concurrent_) follow_readers();
    // The order of steps tells when an extent is known.
    if (any_late_) one_region_each();
    else join_rows();
    find_regions();
    place_results();
    assign_slots();
    leave_out_copies();
    lay_out_locals();
    if (any_late_) date_expressions(true);
    return std::move(out_);
  }
};

}  // namespace detail

/// The plan of a prepared graph. Of a body, `given` are the extents of its arguments in the graph around it. In a concurrent one
/// values share memory only where one has to wait for the other anyway.
template <class Graph = graph_view>
constexpr plan make_plan(const std::type_identity_t<Graph>& g, stretch<char> dense_arguments, const given_extents& given = {},
                         planned_for evaluator = planned_for::compiler, bool concurrent = false) {
  return detail::planner(g, dense_arguments, given, evaluator, concurrent).run();
}

}  // namespace jig
