// SPDX-License-Identifier: MIT
#pragma once
// The line of a program that calls a function of ops, told to the graph that the call writes to.

#include <jig/graph/graph.hpp>
#include <jig/ops/operands.hpp>

namespace jig::detail {

/// The graph that a call with these operands appends to, or null where it computes at once.
template <class... X>
constexpr graph* graph_written_by([[maybe_unused]] const X&... x) {
  graph* found = nullptr;
  [[maybe_unused]] const auto look = [&]<class Y>(const Y& y) {
    if constexpr (is_recorded<Y>) {
      found = &y.builder()->graph;
    } else if constexpr (world_of<Y> == world::dual) {
      if (y.is_traced()) found = &y.builder()->graph;
    }
  };
  (look(x), ...);
  return found;
}

/// While it lives, nodes are written at this line. Where a function of the library calls others, its own line stays.
class line_scope {
 public:
  template <class... X>
  constexpr line_scope(const source_line& at, const X&... x) : told_(detail::graph_written_by(x...)) {
    if (told_ == nullptr) return;
    before_ = told_->here;
    if (!before_.is_known() || !is_in_library(at.file)) told_->here = at;
  }
  line_scope(const line_scope&) = delete;
  line_scope& operator=(const line_scope&) = delete;
  constexpr ~line_scope() {
    if (told_ != nullptr) told_->here = before_;
  }

 private:
  graph* told_;
  source_line before_{};
};

}  // namespace jig::detail
