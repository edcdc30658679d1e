// SPDX-License-Identifier: MIT
#pragma once
// Integers that are computed from narrow ones, such as bytes, and end as narrow ones or in sums of many are computed in 16 bits where
// all values on the way fit: a register holds twice as many of them. What is added up stays bytes where that suffices. The results are
// the same, bit for bit.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/bits.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/unary.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

constexpr value_range range_of_bits(dtype d) {
  switch (d) {
    case dtype::boolean: return {0, 1};
    case dtype::uint8: return {0, 255};
    case dtype::int8: return {-128, 127};
    case dtype::uint16: return {0, 65535};
    case dtype::int16: return {-32768, 32767};
    case dtype::uint32: return {0, 4294967295};
    case dtype::int32: return {-2147483648, 2147483647};
    default: return {};
  }
}
/// The number that a word of a constant holds.
constexpr index number_of_word(dtype d, std::uint64_t word) {
  switch (d) {
    case dtype::boolean: return word != 0;
    case dtype::uint8: return static_cast<std::uint8_t>(word);
    case dtype::int8: return static_cast<std::int8_t>(word);
    case dtype::uint16: return static_cast<std::uint16_t>(word);
    case dtype::int16: return static_cast<std::int16_t>(word);
    case dtype::uint32: return static_cast<std::uint32_t>(word);
    case dtype::int32: return static_cast<std::int32_t>(word);
    default: return static_cast<index>(word);
  }
}

constexpr bool is_wide_integer(dtype d) { return is_integer(d) && size_of(d) > 2; }
constexpr bool is_narrow(dtype d) { return d == dtype::boolean || (is_integer(d) && size_of(d) <= 2); }
constexpr bool widens(const graph_view& g, int v) {
  return is_op(*g.data(v).kind, ops::cast) && is_wide_integer(g.data(v).spec.dtype) && is_narrow(g.spec(g.inputs_of(v)[0]).dtype);
}
constexpr bool narrows(const graph_view& g, int v) {
  return is_op(*g.data(v).kind, ops::cast) && is_wide_integer(g.spec(g.inputs_of(v)[0]).dtype) && is_narrow(g.data(v).spec.dtype);
}
constexpr bool compares(const op& kind) {
  return is_op(kind, ops::equal) || is_op(kind, ops::not_equal) || is_op(kind, ops::less) || is_op(kind, ops::less_equal) ||
         is_op(kind, ops::greater) || is_op(kind, ops::greater_equal);
}

/// Whether v adds up wide integers along rows so long that a loop over memory adds them.
constexpr bool adds_wide_rows(const graph_view& g, int v) {
  const op& kind = *g.data(v).kind;
  if (!(is_op(kind, ops::reduce_sum) || is_op(kind, ops::reduce_mean)) || !is_wide_integer(g.data(v).spec.dtype)) return false;
  constexpr index least = 64;
  const shape& from = g.spec(g.inputs_of(v)[0]).shape;
  const auto axes = g.node(v).attribute("axes").values;
  if (axes.empty() || static_cast<int>(axes.size()) == from.rank) return from.size() < 0 || from.size() >= least;
  for (index a : axes)
    if ((a < 0 ? a + from.rank : a) == from.rank - 1) return from[from.rank - 1] < 0 || from[from.rank - 1] >= least;
  return false;
}

/// Whether v picks one of two constants, which are as wide as their dtype only.
constexpr bool picks_constants(const graph_view& g, int v) {
  if (!is_op(*g.data(v).kind, ops::select) || !is_wide_integer(g.data(v).spec.dtype)) return false;
  const auto inputs = g.inputs_of(v);
  return g.data(inputs[1].node).kind->is(fact::constant) && g.data(inputs[2].node).kind->is(fact::constant);
}

/// Whether all that loops compute for a value are bytes and truth values, of which there are few: `budget` goes down.
constexpr bool is_made_of_bytes(const graph_view& g, int v, int& budget) {
  if (--budget < 0 || size_of(g.data(v).spec.dtype) != 1) return false;
  if (!g.data(v).kind->is(fact::elementwise)) return true;
  for (const auto& e : g.inputs_of(v))
    if (e.port != 0 || !is_made_of_bytes(g, e.node, budget)) return false;
  return true;
}
/// Whether v is 1 where a truth value that is made of bytes is true: what counts such values adds up.
constexpr bool is_flag_of_bytes(const graph_view& g, int v) {
  int most_visited = 64;
  return widens(g, v) && g.spec(g.inputs_of(v)[0]).dtype == dtype::boolean && is_made_of_bytes(g, g.inputs_of(v)[0].node, most_visited);
}

/// Whether a graph has what widens integers and what ends as narrow ones, or adds them up.
constexpr bool may_have_integers_to_narrow(const graph_view& g) {
  bool wide = false, narrow = false;
  for (int v = 0; v < g.size(); ++v) {
    wide = wide || widens(g, v) || picks_constants(g, v);
    if (adds_wide_rows(g, v)) {
      const int of = g.inputs_of(v)[0].node;
      narrow = narrow || !widens(g, of) || is_flag_of_bytes(g, of);
    }
    narrow = narrow || narrows(g, v) || (compares(*g.data(v).kind) && is_wide_integer(g.spec(g.inputs_of(v)[0]).dtype));
  }
  return wide && narrow;
}

/// Adds a constant of integers with no more bits than a narrower dtype has.
constexpr int add_cut_constant(graph& out, const graph_view& g, int constant, const tensor_spec& spec) {
  list<std::uint64_t> words;
  for (const auto word : g.node(constant).attribute("value").words)
    words.push_back(wrapped_bits(spec.dtype, static_cast<std::uint64_t>(number_of_word(g.data(constant).spec.dtype, word))));
  return add_constant(out, spec, words).node;
}

/// Makes a graph anew in which integers are as narrow as a dtype of 16 bits where that suffices, or of 8 bits where they are added up.
template <class Graph>
class integer_narrowing {
 public:
  constexpr integer_narrowing(const Graph& g, dtype target)
      : g_(g), target_(target), limits_(range_of_bits(target)), narrow_(g.size()), only_added_(g.size()) {}

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      range_.push_back(range_of(v));
      narrow_[v] = is_computed(v);
      only_added_[v] = 1;
      if (!adds_wide_rows(g_, v))
        for (const auto& e : g_.inputs_of(v)) only_added_[e.node] = 0;
    }
    for (const auto& e : g_.outputs()) only_added_[e.node] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (int v = 0; v < g_.size(); ++v)
        if (!is_source(v) && narrow_[v] && !has_narrow_operands(v)) narrow_[v] = 0, changed = true;
      changed = leave_what_is_read_wide() || changed;
    }
    for (int v = 0; v < g_.size(); ++v) renamed_.push_back(add(v));
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back({renamed_[at(e.node)], e.port});
    return std::move(out_);
  }

 private:
  constexpr const op& kind(int v) const { return *g_.data(v).kind; }
  constexpr dtype type(int v) const { return g_.data(v).spec.dtype; }
  constexpr int operand(int v, std::size_t k) const { return g_.inputs_of(v)[k].node; }
  constexpr const value_range& of(int v, std::size_t k) const { return range_[at(operand(v, k))]; }

  // What there is in the narrow dtype wherever it is needed.
  constexpr bool is_source(int v) const {
    return (widens(g_, v) || (kind(v).is(fact::constant) && is_integer(type(v)))) && range_[at(v)].is_within(limits_);
  }
  // Whether all that v computes with fits. Sources are made for each reader that needs them.
  constexpr bool is_computed(int v) const {
    if (!is_wide_integer(type(v)) || g_.data(v).more_specs.count > 0 || !range_[at(v)].is_within(limits_)) return false;
    if (is_source(v)) return false;
    return kind(v).range != nullptr;
  }
  constexpr bool is_narrow_operand(int w) const { return narrow_[w] != 0 || is_source(w); }
  constexpr bool has_narrow_operands(int v) const {
    if (is_distance(v)) v = operand(v, 0);
    for (const auto& e : g_.inputs_of(v))
      if (e.port != 0 || (type(e.node) != dtype::boolean && !is_narrow_operand(e.node))) return false;
    return true;
  }
  // Whether v is how far two numbers are apart, which has no sign even where their difference has one.
  constexpr bool is_distance(int v) const {
    return range_of_bits(target_).low == 0 && is_op(kind(v), ops::abs) && is_op(kind(operand(v, 0)), ops::subtract) &&
           g_.inputs_of(v)[0].port == 0;
  }
  // Whether v adds up narrow values, or flags, which bytes hold.
  constexpr bool adds_narrow(int v) const {
    if (!adds_wide_rows(g_, v) || g_.inputs_of(v)[0].port != 0) return false;
    return narrow_[operand(v, 0)] || (target_ == dtype::uint8 && is_flag_of_bytes(g_, operand(v, 0)));
  }
  // Whether v is a product of two narrow values that is only added up: it may be as wide as the sum.
  constexpr bool is_added_product(int v) const {
    return target_ == dtype::int16 && only_added_[v] && (is_op(kind(v), ops::multiply) || is_op(kind(v), ops::square)) &&
           is_wide_integer(type(v)) && size_of(type(v)) == 4 && has_narrow_operands(v);
  }
  constexpr bool is_end(int v) const {
    if (adds_narrow(v) || is_added_product(v)) return true;
    if (narrows(g_, v) && picks_constants(g_, operand(v, 0))) return true;
    return size_of(target_) > 1 && (narrows(g_, v) || (compares(kind(v)) && has_narrow_operands(v)));
  }
  // Narrow values are read by narrow ones, and by what makes narrow values of them or adds them up.
  constexpr bool leave_what_is_read_wide() {
    bool changed = false;
    const auto leave = [&](int w) {
      if (narrow_[w]) narrow_[w] = 0, changed = true;
    };
    for (int v = 0; v < g_.size(); ++v) {
      if (narrow_[v] || is_end(v)) continue;
      for (const auto& e : g_.inputs_of(v)) leave(e.node);
    }
    for (const auto& e : g_.outputs()) leave(e.node);
    return changed;
  }

  constexpr int add(int v) {
    const auto same = [&](const edge& e) { return edge{renamed_[at(e.node)], e.port}; };
    if (!narrow_[v] && (adds_narrow(v) || is_added_product(v))) return add_on_widened(v);
    const bool reads_narrow = narrow_[v] || (is_end(v) && (narrows(g_, v) || (compares(kind(v)) && is_wide_integer(type(operand(v, 0))))));
    if (!reads_narrow) return copy_node(out_, g_, v, same);
    if (is_distance(v)) return add_distance(operand(v, 0), {target_, g_.data(v).spec.shape});
    if (narrows(g_, v) && !narrow_[operand(v, 0)]) return copy_node(out_, g_, v, same);
    list<edge> inputs;
    for (const auto& e : g_.inputs_of(v))
      inputs.push_back(type(e.node) == dtype::boolean || narrow_[e.node] ? same(e) : edge{made_narrow(e.node), 0});
    return out_.add(kind(v), {narrow_[v] ? target_ : type(v), g_.data(v).spec.shape}, inputs, g_.node(v).attributes()).node;
  }
  // The larger one of what v subtracts less the smaller one.
  constexpr int add_distance(int v, const tensor_spec& spec) {
    edge both[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const int w = operand(v, k);
      both[k] = {narrow_[w] ? renamed_[at(w)] : made_narrow(w), 0};
    }
    const edge ends[] = {{out_.add(ops::maximum, spec, both).node, 0}, {out_.add(ops::minimum, spec, both).node, 0}};
    return out_.add(ops::subtract, spec, ends).node;
  }
  // What computes in wide integers on narrow ones.
  constexpr int add_on_widened(int v) {
    list<edge> inputs;
    for (const auto& e : g_.inputs_of(v)) {
      const edge from{narrow_[e.node] ? renamed_[at(e.node)] : made_narrow(e.node), 0};
      inputs.push_back(add_cast(out_, from, g_.data(e.node).spec));
    }
    return out_.add(kind(v), g_.data(v).spec, inputs, g_.node(v).attributes()).node;
  }
  // A source in the narrow dtype.
  constexpr int made_narrow(int w) {
    const tensor_spec spec{target_, g_.data(w).spec.shape};
    if (kind(w).is(fact::constant)) return add_cut_constant(out_, g_, w, spec);
    const edge from{renamed_[at(operand(w, 0))], g_.inputs_of(w)[0].port};
    if (out_.view().spec(from).dtype == target_) return from.port == 0 ? from.node : out_.add(ops::identity, spec, {&from, 1}).node;
    return add_cast(out_, from, spec).node;
  }

  // Of an integer: what its op tells, unless that does not fit, else all of its dtype.
  constexpr value_range range_of(int v) const {
    const dtype d = type(v);
    if (!is_integer(d)) return range_of_bits(d == dtype::boolean ? d : dtype::float32);
    const value_range all = range_of_bits(d), found = found_range(v);
    // Ranges of more bits than these are of no use, and products of two of them have to fit.
    constexpr value_range most{-2147483648, 2147483647};
    return found.is_within(most) && (!all.exists() || found.is_within(all)) ? found : all.is_within(most) ? all : value_range{};
  }
  constexpr value_range found_range(int v) const {
    const op& k = kind(v);
    if (k.is(fact::constant)) return constant_range(v);
    list<value_range> inputs;
    for (const auto& e : g_.inputs_of(v)) {
      inputs.push_back(range_[at(e.node)]);
      if (!inputs.back().exists() || e.port != 0) return {};
    }
    if (is_op(k, ops::cast) || is_op(k, ops::identity)) return inputs[0];
    if (k.range == nullptr) return {};
    if (!k.is(fact::reduction)) return k.range({inputs});
    const index n = reduced_elements(v);
    if (n < 1 || n > 65536) return {};
    const value_range weighted = is_op(k, ops::reduce_sum) ? weighted_range(v, n) : value_range{};
    return weighted.exists() ? weighted : k.range({inputs, n});
  }
  constexpr value_range constant_range(int v) const {
    const auto words = g_.node(v).attribute("value").words;
    if (words.size() == 0 || words.size() > 256) return {};
    value_range out;
    for (const auto w : words) {
      const index x = number_of_word(type(v), w);
      out = out.exists() ? out.with({x, x}) : value_range{x, x};
    }
    return out;
  }
  // Of how many elements each one of a reduction's result is made; 0: unknown, or too many.
  constexpr index reduced_elements(int v) const {
    const shape& from = g_.spec(g_.inputs_of(v)[0]).shape;
    const auto axes = g_.node(v).attribute("axes").values;
    index n = axes.empty() ? 0 : 1;
    for (index a : axes) {
      const index e = from[static_cast<int>(a < 0 ? a + from.rank : a)];
      n = is_static_extent(e) && n <= 65536 && e <= 65536 ? n * e : 0;
    }
    return n;
  }
  // Of the sum of n products with a constant that has an element for each of them.
  constexpr value_range weighted_range(int v, index n) const {
    const int w = operand(v, 0);
    if (!is_op(kind(w), ops::multiply)) return {};
    for (std::size_t k = 0; k < 2; ++k) {
      const int weights = operand(w, k);
      if (!kind(weights).is(fact::constant) || !is_along(g_.data(weights).spec.shape, v)) continue;
      value_range sum{0, 0};
      const auto words = g_.node(weights).attribute("value").words;
      if (static_cast<index>(words.size()) != n || n > 256) continue;
      for (const auto word : words) {
        const index x = number_of_word(type(weights), word);
        const value_range one = of(w, 1 - k).times({x, x});
        sum = {sum.low + one.low, sum.high + one.high};
      }
      return sum;
    }
    return {};
  }
  // Whether a shape broadcasts along all axes but those that v reduces.
  constexpr bool is_along(const shape& s, int v) const {
    const shape& from = g_.spec(g_.inputs_of(v)[0]).shape;
    unsigned reduced = 0;
    for (index a : g_.node(v).attribute("axes").values) reduced |= 1u << (a < 0 ? a + from.rank : a);
    for (int a = 0; a < from.rank; ++a) {
      const int own = a - (from.rank - s.rank);
      const index e = own < 0 ? 1 : s[own];
      if (e != ((reduced >> a & 1) != 0 ? from[a] : 1)) return false;
    }
    return true;
  }

  const Graph& g_;
  dtype target_;
  value_range limits_;
  graph out_;
  list<char> narrow_, only_added_;
  list<value_range> range_;
  list<int> renamed_;
};

// Bytes, then signed ones, which differences need, then unsigned ones, which hold sums of more bytes.
template <class Graph>
constexpr graph with_narrow_integers(const Graph& g) {
  bool adds = false;
  for (int v = 0; v < g.size(); ++v) adds = adds || adds_wide_rows(g, v) || picks_constants(g, v);
  if (adds) {
    const graph of_bytes = integer_narrowing<Graph>(g, dtype::uint8).run();
    const graph of_signed = integer_narrowing<graph_view>(of_bytes, dtype::int16).run();
    return integer_narrowing<graph_view>(of_signed, dtype::uint16).run();
  }
  const graph of_signed = integer_narrowing<Graph>(g, dtype::int16).run();
  return integer_narrowing<graph_view>(of_signed, dtype::uint16).run();
}

}  // namespace jig::detail
