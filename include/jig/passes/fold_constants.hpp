// SPDX-License-Identifier: MIT
#pragma once
// Constant folding: what follows from constants and static shapes alone is computed before any call.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/reduce_prod.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/passes/evaluate.hpp>

namespace jig {

/// Constants of more elements are neither made nor read by fold_constants: computing them costs less than loading them. Of a
/// whole graph it makes so many that constant evaluation can do it, eight times this number.
inline constexpr index most_folded_elements = 256;

namespace detail {

// The place in an operand of element `i` of the result that it broadcasts to.
constexpr index broadcast_place(index i, const shape& result, const shape& operand) {
  index place = 0, stride = 1;
  for (int back = 1; back <= operand.rank; ++back) {
    const index extent = result[result.rank - back], own = operand[operand.rank - back];
    if (own != 1) place += i % extent * stride;
    stride *= own;
    i /= extent;
  }
  return place;
}
// The place of element `i` of a row-major shape in memory with these strides.
constexpr index strided_place(index i, const shape& s, const shape& strides) {
  index place = 0;
  for (int a = s.rank; a-- > 0; i /= s[a]) place += i % s[a] * strides[a];
  return place;
}

struct constants_folding : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    const index size = n.spec.shape.size();
    if (n.inputs.empty() || size < 0 || size > most_folded_elements || n.spec.dtype == dtype::string) return {};
    bool all = true;
    for (const auto& e : n.inputs) all = all && r.is_constant(e);
    list<std::uint64_t> words;
    if (r.folded_elements + size > 8 * most_folded_elements) return {};
    if (!(all ? of_constants(r, n, size, words) : of_shapes(r, n, size, words))) return {};
    r.folded_elements += size;
    return r.constant(n.spec, words);
  }

 private:
  using words_list = list<std::uint64_t>;

  // Of ops that look at the shape of their first input only.
  static constexpr bool of_shapes(auto& r, const new_node& n, index size, words_list& to) {
    const bool shape = is_op(n.kind, ops::shape_of), zeros = is_op(n.kind, ops::zeros_like), ones = is_op(n.kind, ops::ones_like);
    const bool filled = is_op(n.kind, ops::fill) && r.is_constant(n.inputs[1]);
    if ((!shape && !zeros && !ones && !filled) || !r.is_harmless(n.inputs[0])) return false;
    const tensor_spec& from = r.spec(n.inputs[0]);
    const std::uint64_t bits = filled ? r.words(n.inputs[1])[0] : bits_of_number(n.spec.dtype, ones);
    for (index i = 0; i < size; ++i) to.push_back(shape ? static_cast<std::uint64_t>(from.shape[static_cast<int>(i)]) : bits);
    return true;
  }
  static constexpr bool of_constants(auto& r, const new_node& n, index size, words_list& to) {
    for (const auto& e : n.inputs)
      if (r.spec(e).dtype == dtype::string || r.words(e).size() > static_cast<std::size_t>(most_folded_elements)) return false;
    if (n.kind.is(fact::elementwise)) return elements(r, n, size, to);
    if (n.kind.is(fact::view)) return seen(r, n, size, to);
    if (n.kind.is(fact::reduction)) return reduced(r, n, size, to);
    if (is_op(n.kind, ops::concat) || is_op(n.kind, ops::pack)) return joined(r, n, to);
    return false;
  }

  static constexpr bool elements(auto& r, const new_node& n, index size, words_list& to) {
    words_list x(static_cast<int>(n.inputs.size()));
    const dtype d = r.spec(n.inputs.back()).dtype;
    bool uniform = true;
    for (const auto& e : n.inputs) uniform = uniform && r.uniform(e).known;
    for (index i = 0; i < size; ++i) {
      if (uniform && i > 0) {
        to.push_back(to[0]);
        continue;
      }
      for (std::size_t k = 0; k < n.inputs.size(); ++k) {
        const index place = broadcast_place(i, n.spec.shape, r.spec(n.inputs[k]).shape);
        x[k] = r.words(n.inputs[k])[static_cast<std::size_t>(place)];
      }
      const known_bits y = known_value(n.kind, {{x.data(), x.size()}, d, n.spec.dtype});
      if (!y.known) return false;
      to.push_back(y.bits);
    }
    return true;
  }
  static constexpr bool seen(auto& r, const new_node& n, index size, words_list& to) {
    const shape& from = r.spec(n.inputs[0]).shape;
    index offset = 0;
    shape strides = row_major_strides(n.spec.shape);
    if (!n.kind.is(fact::keeps_order)) n.kind.restride({n.attributes, from, row_major_strides(from), n.spec.shape}, offset, strides);
    const auto words = r.words(n.inputs[0]);
    for (index i = 0; i < size; ++i) to.push_back(words[static_cast<std::size_t>(offset + strided_place(i, n.spec.shape, strides))]);
    return true;
  }
  // Of integers and bools, where the order does not matter.
  static constexpr bool reduced(auto& r, const new_node& n, index size, words_list& to) {
    const tensor_spec& from = r.spec(n.inputs[0]);
    const op* steps[][2] = {{&ops::reduce_sum, &ops::add},     {&ops::reduce_prod, &ops::multiply},  {&ops::reduce_max, &ops::maximum},
                            {&ops::reduce_min, &ops::minimum}, {&ops::reduce_any, &ops::logical_or}, {&ops::reduce_all, &ops::logical_and}};
    int which = 0;
    while (which < 6 && !is_op(n.kind, *steps[which][0])) ++which;
    const index count = from.shape.size();
    if (which == 6 || is_floating(from.dtype) || count == 0) return false;
    rule_context c;
    c.attributes = n.attributes;
    const unsigned axes = reduced_axes(c, from.shape.rank);
    // Where an element goes: its place among the axes that stay.
    shape strides = from.shape;
    index stride = 1;
    for (int a = from.shape.rank; a-- > 0;) {
      strides[a] = (axes >> a & 1) != 0 ? 0 : stride;
      if ((axes >> a & 1) == 0) stride *= from.shape[a];
    }
    list<char> begun(static_cast<int>(size));
    to = words_list(static_cast<int>(size));
    for (index i = 0; i < count; ++i) {
      const index at = strided_place(i, from.shape, strides);
      const std::uint64_t x[] = {to[at], r.words(n.inputs[0])[static_cast<std::size_t>(i)]};
      const known_bits y = begun[at] ? known_value(*steps[which][1], {x, from.dtype, from.dtype}) : known_bits{true, x[1]};
      if (!y.known) return false;
      to[at] = y.bits;
      begun[at] = 1;
    }
    return true;
  }
  // Side by side along an axis, which Pack makes.
  static constexpr bool joined(auto& r, const new_node& n, words_list& to) {
    const int rank = n.spec.shape.rank;
    const index listed = n.integers("axis")[0], axis = listed < 0 ? listed + rank : listed;
    index outer = 1;
    for (int a = 0; a < axis; ++a) outer *= n.spec.shape[a];
    for (index o = 0; o < outer; ++o)
      for (const auto& e : n.inputs) {
        const auto words = r.words(e);
        const index part = static_cast<index>(words.size()) / outer;
        for (index i = 0; i < part; ++i) to.push_back(words[static_cast<std::size_t>(o * part + i)]);
      }
    return true;
  }
};

}  // namespace detail

/// The graph with constants in place of nodes whose value follows from constants and static shapes, as far as it has at most
/// most_folded_elements and is exact: arithmetic, comparisons, conversions and rounding of finite numbers, views, joins, sums of
/// integers. Integer divisions by zero and functions such as Sin stay.
template <class Graph = graph_view>
constexpr graph fold_constants(const std::type_identity_t<Graph>& g) {
  return detail::rewriter<Graph, detail::constants_folding>().run(g);
}

}  // namespace jig
