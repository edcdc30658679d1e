// SPDX-License-Identifier: MIT
#pragma once
// What the runs of a lambda left, one for every way through it.

#include <jig/trace/builder.hpp>

namespace jig::detail {

/// The recordings of all ways through a lambda. Earlier ones took the first side of the decision where they part.
class recordings {
 public:
  constexpr recordings() = default;
  recordings(const recordings&) = delete;
  recordings& operator=(const recordings&) = delete;
  constexpr ~recordings() {
    for (builder* b : runs_) delete b;
  }
  constexpr builder& add() {
    runs_.push_back(new builder);
    return *runs_.back();
  }
  constexpr int size() const { return static_cast<int>(runs_.size()); }
  constexpr const builder& operator[](int run) const { return *runs_[run]; }
  constexpr graph_view graph(int run) const { return runs_[run]->graph.view(); }

 private:
  list<builder*> runs_;
};

}  // namespace jig::detail
