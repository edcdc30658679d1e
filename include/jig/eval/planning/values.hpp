// SPDX-License-Identifier: MIT
#pragma once
// Where values are found before there are steps: arguments, constants, and views, parts and padded reads of the memory of others.

#include <jig/eval/parallel_for.hpp>
#include <jig/eval/planning/planning.hpp>
#include <jig/passes/blocks_of_memory.hpp>

namespace jig::detail {

static_assert(most_padded_elements <= 2 * shared_length, "padded_reads are parts of loops that threads do not share");

class value_planner : public planning {
 public:
  using planning::planning;

 protected:
  // What is picked from memory is read there, not copied. Memory that is updated in place would have to be copied instead.
  constexpr void find_parts() {
    for (int v = size_; v-- > 0;) {
      if (!is(v, fact::dynamic_slice) || is_output_[v] || g_.data(operands(v)[1].node).spec.shape.rank != 0) continue;
      facts_[v] |= static_cast<unsigned>(fact::view);
      facts_[v] &= ~static_cast<unsigned>(fact::keeps_order);
    }
    for (int v = 0; v < size_; ++v) {
      if (!is(v, fact::updates)) continue;
      const int updated = base(operands(v)[0].node);
      for (int w = 0; w < size_; ++w)
        if (part(w) && base(operands(w)[0].node) == updated) facts_[w] &= ~static_cast<unsigned>(fact::view);
    }
    store_reshaped_parts();
  }
  // A view that keeps the order of elements shows dense memory, nothing else: parts that are scattered, and reshaped, are stored.
  constexpr void store_reshaped_parts() {
    bool any = false;
    for (int v = 0; v < size_; ++v) any = any || part(v);
    if (!any) return;
    list<char> dense(size_);
    for (int v = 0; v < size_; ++v) {
      dense[v] = !is(v, fact::input);
      for (std::size_t k = 0; k < g_.inputs().size(); ++k)
        if (g_.inputs()[k] == v) dense[v] = dense_[k];
      if (!view(v)) continue;
      const int from = operands(v)[0].node;
      if (is(v, fact::keeps_order) && part(from) && !dense[from]) {
        facts_[from] &= ~static_cast<unsigned>(fact::view);
        dense[from] = 1;
      }
      index offset = 0;
      dense[v] = dense[from] && shows_dense(v, offset);
    }
  }

  // An element that a loop computes is put into an array by that loop, as long as it has rows there. All others are copied.
  constexpr void find_dynamic_updates() {
    for (int v = 0; v < size_; ++v) {
      if (!puts(v)) continue;
      const int element = element_of(v);
      const int axis = element_axis(g_, v);
      const bool has_rows = axis == 0 || axis < g_.data(element).spec.shape.rank;
      if (evaluator_ == planned_for::interpreter || !elementwise(element) || element == operands(v)[1].node || !has_rows ||
          g_.data(v).spec.dtype == dtype::string)
        facts_[v] &= ~static_cast<unsigned>(fact::dynamic_update);
    }
  }

  constexpr void start_value(int v) {
    planned_value p;
    p.shape = shape_number(out_.extents.shapes[at(v)]);
    single_[v] = single_shape_[at(p.shape)];
    if (is(v, fact::constant)) p.place = single(v) ? place::immediate : place::constant;
    if (view(v)) {
      p.place = part(v) ? place::part : place::alias;
      p.number = operands(v)[0].node;
      p.dense = out_.values[at(p.number)].dense && shows_dense(v, p.offset);
    }
    out_.values.push_back(p);
    latest_[v] = max_level;
    wanted_by_[v] = nobody;
    mark_[v] = nobody;
    if (!is(v, fact::input)) return;
    auto& value = out_.values.back();
    value.place = place::argument;
    for (std::size_t k = 0; k < g_.inputs().size(); ++k)
      if (g_.inputs()[k] == v) {
        value.number = static_cast<int>(k);
        value.dense = dense_[k] != 0;
      }
  }

  // The operands of which a node needs more than the extents.
  constexpr stretch<edge> read_by(int v) const { return is_op(kind(v), ops::pad_like) ? operands(v).first(2) : operands(v); }

  // Loops read what is padded with zeros in its memory, where nobody but loops reads it.
  constexpr void find_padded_reads() {
    list<char> read_by_loops(size_);
    for (int v = 0; v < size_; ++v) read_by_loops[v] = is_padding(kind(v)) && !is_output_[v];
    for (int v = 0; v < size_; ++v)
      for (const auto& e : read_by(v))
        if (!elementwise(v) || !(extents(v) == extents(e.node))) read_by_loops[e.node] = 0;
    const auto shape_of = [&](int v) -> const shape& { return extents(v); };
    // What is stored densely or read in place stays so: the answer for a shape is the same for all that have it.
    struct answer {
      shape space;
      bool dense;
    };
    list<answer> known;
    for (int v = 0; v < size_; ++v) {
      if (!read_by_loops[v]) continue;
      const int from = operands(v)[0].node, around = operands(v)[1].node;
      const dtype d = g_.data(v).spec.dtype;
      const bool truth = d == dtype::boolean && single(base(from)) && is(base(from), fact::constant);
      if (!truth && (!is_number(d) || is_storage(d) || !out_.values[at(from)].dense)) continue;
      if (!is(around, fact::constant) || g_.node(around).attribute("value").words[0] != 0) continue;
      if (truth && g_.node(base(from)).attribute("value").words[0] == 0) continue;
      const padded_read w = padded_read_of(g_, v, extents(v));
      const auto is_dense = [&](int u) {
        return out_.values[at(u)].dense || out_.values[at(u)].place == place::padded_read || read_by_loops[u];
      };
      if (!w.exists) continue;
      std::size_t n = 0;
      while (n < known.size() && !(known[n].space == extents(v))) ++n;
      if (n == known.size()) known.push_back({extents(v), loops_are_dense(g_, extents(v), shape_of, is_dense)});
      if (!known[n].dense) continue;
      facts_[v] |= static_cast<unsigned>(fact::view);
      auto& value = out_.values[at(v)];
      value.place = place::padded_read;
      value.number = truth ? base(from) : from;
      value.dense = false;
      value.offset = -w.before;
    }
  }
};

}  // namespace jig::detail
