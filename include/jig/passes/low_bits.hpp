// SPDX-License-Identifier: MIT
#pragma once
// Wide integers of which only low bits are read, such as those that end as bytes, are computed in 16 bits whatever their values are, or in
// 8 where nothing is multiplied: sums, differences and products of integers wrap. A register holds more of them, and the results are the
// same, bit for bit.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/bits.hpp>
#include <jig/ops/unary.hpp>
#include <jig/passes/narrow_integers.hpp>

#include <algorithm>

namespace jig::detail {

constexpr bool may_have_low_bits(const graph_view& g) {
  bool wide = false, narrow = false;
  for (int v = 0; v < g.size(); ++v) {
    wide = wide || widens(g, v);
    narrow =
        narrow || (narrows(g, v) && g.data(v).spec.dtype != dtype::boolean && g.data(g.inputs_of(v)[0].node).kind->is(fact::elementwise));
  }
  return wide && narrow;
}

/// Makes a graph anew in which wide integers whose higher bits nobody reads have the dtype `target`: uint16 or uint8.
template <class Graph>
class low_bits {
 public:
  constexpr low_bits(const Graph& g, dtype target)
      : g_(g), target_(target), bits_(8 * static_cast<int>(size_of(target))), read_(g.size()), made_(g.size()), narrow_(g.size()) {
    for (int& w : made_) w = -1;
  }

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    find_read();
    for (int v = 0; v < g_.size(); ++v) narrow_[v] = is_wide_integer(type(v)) && read_[v] <= bits_ && keeps_low_bits(v);
    while (leave_what_is_wide()) {
    }
    bool any = false;
    for (int v = 0; v < g_.size(); ++v) {
      any = any || narrow_[v];
      renamed_.push_back(narrow_[v] || ends(v) ? with_narrow_operands(v)
                                               : copy_node(out_, g_, v, [&](const edge& e) { return edge{renamed_[at(e.node)], e.port}; }));
    }
    if (!any) return {};
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back({renamed_[at(e.node)], e.port});
    return std::move(out_);
  }

 private:
  static constexpr int all_bits = 64;
  constexpr const op& kind(int v) const { return *g_.data(v).kind; }
  constexpr dtype type(int v) const { return g_.data(v).spec.dtype; }
  constexpr int operand(int v, std::size_t k) const { return g_.inputs_of(v)[k].node; }
  constexpr bool is_few(int v) const {
    constexpr index most = 16;
    const index n = g_.data(v).spec.shape.size();
    return n > 0 && n <= most;
  }

  // How many of the low bits of every value are read.
  constexpr void find_read() {
    for (const auto& e : g_.outputs()) read_[e.node] = all_bits;
    for (int v = g_.size(); v-- > 0;) {
      const auto inputs = g_.inputs_of(v);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        int& read = read_[inputs[k].node];
        read = (std::max)(read, inputs[k].port == 0 ? read_by(v, k) : all_bits);
      }
    }
  }
  constexpr int read_by(int v, std::size_t k) const {
    if (narrows(g_, v)) return type(v) == dtype::boolean ? all_bits : 8 * static_cast<int>(size_of(type(v)));
    if (is_modular(v)) return read_[v];
    if (k == 0 && shift_of(v) >= 0) return read_[v] + shift_of(v);
    return all_bits;
  }
  // Whether bits of the result depend on no higher ones of the operands.
  constexpr bool is_modular(int v) const {
    const op& k = kind(v);
    if (!k.is(fact::elementwise) || !is_integer(type(v))) return false;
    if (k.is(fact::wraps)) return bits_ > 8 || is_op(k, ops::add) || is_op(k, ops::subtract) || is_op(k, ops::neg);
    if (is_op(k, ops::left_shift)) return constant_count(v) >= 0;
    return is_op(k, ops::bitwise_and) || is_op(k, ops::bitwise_or) || is_op(k, ops::bitwise_xor) || is_op(k, ops::invert);
  }
  // By how much a shift to the right moves the bits that it reads, which the graph tells; -1 of others.
  constexpr int shift_of(int v) const { return is_op(kind(v), ops::right_shift) ? constant_count(v) : -1; }
  // The count of a shift that narrow integers can do.
  constexpr int constant_count(int v) const {
    const int count = operand(v, 1);
    if (!kind(count).is(fact::constant) || g_.data(count).spec.shape.size() != 1) return -1;
    const index by = number_of_word(type(v), g_.node(count).attribute("value").words[0]);
    return by >= 0 && by < bits_ ? static_cast<int>(by) : -1;
  }
  constexpr bool keeps_low_bits(int v) const {
    if (g_.data(v).more_specs.count > 0) return false;
    return is_modular(v) || (shift_of(v) >= 0 && read_[v] + shift_of(v) <= bits_);
  }
  // A few wide numbers are cut off first; of many nothing would be gained.
  constexpr bool has_narrow_operands(int v) const {
    for (const auto& e : g_.inputs_of(v))
      if (e.port != 0 || !(narrow_[e.node] || widens(g_, e.node) || is_few(e.node))) return false;
    return true;
  }
  // Narrow values are computed from such, and read by such or by what ends as one.
  constexpr bool leave_what_is_wide() {
    bool changed = false;
    const auto leave = [&](int v) {
      changed = changed || narrow_[v];
      narrow_[v] = 0;
    };
    for (int v = 0; v < g_.size(); ++v) {
      if (!has_narrow_operands(v)) leave(v);
      if (narrow_[v] || ends(v)) continue;
      for (const auto& e : g_.inputs_of(v)) leave(e.node);
    }
    return changed;
  }
  constexpr bool ends(int v) const { return narrows(g_, v) && narrow_[operand(v, 0)] && g_.inputs_of(v)[0].port == 0; }

  constexpr int with_narrow_operands(int v) {
    list<edge> inputs;
    for (const auto& e : g_.inputs_of(v)) inputs.push_back({narrow_[e.node] ? renamed_[at(e.node)] : made_narrow(e.node), 0});
    return out_.add(kind(v), {narrow_[v] ? target_ : type(v), g_.data(v).spec.shape}, inputs, g_.node(v).attributes()).node;
  }
  constexpr int made_narrow(int w) {
    if (made_[w] < 0) made_[w] = add_narrow(w);
    return made_[w];
  }
  constexpr int add_narrow(int w) {
    const tensor_spec spec{target_, g_.data(w).spec.shape};
    if (kind(w).is(fact::constant)) return add_cut_constant(out_, g_, w, spec);
    // Bits that were added to a narrow one are left out again.
    return add_cast(out_, widens(g_, w) ? edge{renamed_[at(operand(w, 0))], g_.inputs_of(w)[0].port} : edge{renamed_[at(w)], 0}, spec).node;
  }

  const Graph& g_;
  dtype target_;
  int bits_;
  graph out_;
  list<int> read_, made_;
  list<char> narrow_;
  list<int> renamed_;
};

/// The graph with integers as narrow as what is read of them; an empty one if there is nothing to do.
template <class Graph>
constexpr graph with_low_bits(const Graph& g) {
  graph of_bytes = low_bits<Graph>(g, dtype::uint8).run();
  if (of_bytes.size() == 0) return low_bits<Graph>(g, dtype::uint16).run();
  graph of_pairs = low_bits<graph_view>(of_bytes, dtype::uint16).run();
  if (of_pairs.size() > 0) return of_pairs;
  return of_bytes;
}

}  // namespace jig::detail
