// SPDX-License-Identifier: MIT
#pragma once
// Sums of products by Einstein's convention. An equation becomes transposes, reshapes, products and sums that
// exist already; two operands that share summed letters become one matrix product.

#include <jig/ops/contraction.hpp>
#include <jig/ops/diag_part.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/transpose.hpp>

namespace jig {

namespace detail {

// Whether two extents are the same in every call.
constexpr bool surely_equal(index a, index b) { return a == b && a != dyn; }

/// The contractions of one equation, as nodes.
class einsum_expansion {
 public:
  /// A value with the letters of its axes.
  struct operand {
    labels letters;
    edge value;
  };

  constexpr einsum_expansion(expansion& to, const labels& out) : to_(to), out_(out) {}

  constexpr edge run(list<operand> left) {
    while (!to_.failed() && (left.size() > 1 || !(left[0].letters == out_))) step(left);
    return left[0].value;
  }

 private:
  // Two operands become one, or one loses letters, or those that are next come to the front.
  constexpr void step(list<operand>& left) {
    if (left.size() == 1) return finish(left[0]);
    if (sums_few(left)) return all_at_once(left);
    bring_next_to_front(left);
    operand &a = left[0], &b = left[1];
    labels kept = out_;
    for (std::size_t i = 2; i < left.size(); ++i) kept += left[i].letters;
    if (loses_letters(a, joined(kept, b.letters)) || loses_letters(b, joined(kept, a.letters))) return;
    const contraction c = plan_contraction(a.letters, b.letters, kept, out_, to_.extents(a.value), to_.extents(b.value));
    // The product of matrices comes out in the order of the result.
    if (c.is_matmul() && c.first.count > 0 && c.second.count > 0 && out_.position(c.second.at[0]) >= 0 &&
        out_.position(c.second.at[0]) < out_.position(c.first.at[0]))
      return std::swap(a, b);
    // A matrix product checks the one summed letter itself.
    const labels checked = without_ellipsis(c.is_matmul() && c.sum.count == 1 ? c.batch : joined(c.batch, c.sum));
    const labels result = c.is_matmul() ? joined(c.batch, c.first, c.second) : elementwise_order(c, c.order_of(out_));
    if (joined(result, c.sum).count > max_rank && !c.is_matmul()) return to_.fail("einsum: an intermediate result has more than 8 axes");
    const operand y{b.letters, with_equal_extents(a, b, checked)};
    a = {result, c.is_matmul() ? product_of_matrices(a, y, c) : product(a, y, c)};
    for (std::size_t i = 2; i < left.size(); ++i) left[i - 1] = left[i];
    left.pop_back();
  }
  // What is left of the letters of the last operand becomes the result.
  constexpr void finish(operand& x) {
    if (!loses_letters(x, out_)) x = {out_, permuted(x.value, x.letters, out_)};
  }
  // Whether letters went that stand twice, or that nobody needs.
  constexpr bool loses_letters(operand& x, const labels& needed) {
    if (x.letters.repeated() >= 0) {
      x = diagonal(x);
      return true;
    }
    const labels gone = x.letters.without(needed);
    if (gone.count == 0) return false;
    x = {x.letters.without(gone), summed_over(x, gone)};
    return true;
  }
  // Whether the sums of several operands have so few terms that a long last axis is better gone through once, with products of all of them:
  // they are unrolled, and nothing is stored in between.
  constexpr bool sums_few(const list<operand>& left) const {
    constexpr double most_terms = 16, enough_lanes = 64, much_more = 5.0 / 3;
    constexpr std::size_t most = 5;
    if (left.size() < 3 || left.size() > most || out_.count == 0) return false;
    contraction_order order;
    labels all = out_;
    for (const auto& o : left) {
      order.add(o.letters, to_.extents(o.value));
      all += o.letters;
    }
    const labels sum = all.without(out_);
    if (!(without_ellipsis(all) == all) || all.count > max_rank || sum.count == 0) return false;
    double terms = 1, products = static_cast<double>(left.size()) - 1;
    labels known = sum;
    known.push_back(out_.at[out_.count - 1]);
    for (int i = 0; i < known.count; ++i)
      for (const auto& o : left)
        if (const int axis = o.letters.position(known.at[i]); axis >= 0 && !is_static_extent(to_.extents(o.value)[axis])) return false;
    for (int i = 0; i < all.count; ++i) products *= order.extent_of_letter(all.at[i]);
    for (int i = 0; i < sum.count; ++i) terms *= order.extent_of_letter(sum.at[i]);
    order.out = contraction_order::set_of(out_);
    return terms <= most_terms && order.extent_of_letter(out_.at[out_.count - 1]) >= enough_lanes &&
           products <= much_more * order.best(order.sets).cost;
  }
  // The product of all operands, and the sum of it.
  constexpr void all_at_once(list<operand>& left) {
    for (int i = 0; i < static_cast<int>(left.size()); ++i) {
      labels needed = out_;
      for (int k = 0; k < static_cast<int>(left.size()); ++k)
        if (k != i) needed += left[k].letters;
      if (loses_letters(left[i], needed)) return;
    }
    labels all = out_;
    for (const auto& o : left) all += o.letters;
    edge products = aligned(left[0], all);
    for (int i = 1; i < static_cast<int>(left.size()); ++i) {
      labels checked;
      for (int k = 0; k < i; ++k) {
        const labels common = left[k].letters.within(left[i].letters);
        left[i].value = with_equal_extents(left[k], left[i], common.without(checked));
        checked += common;
      }
      products = to_.call(ops::multiply, {products, aligned(left[i], all)});
    }
    left = {operand{out_, summed_over({all, products}, all.without(out_))}};
  }
  constexpr void bring_next_to_front(list<operand>& left) const {
    if (left.size() == 2) return;
    contraction_order order;
    for (const auto& o : left) order.add(o.letters, to_.extents(o.value));
    order.out = contraction_order::set_of(out_);
    const auto next = order.best(order.sets);
    list<operand> ordered{left[next.first], left[next.second]};
    for (int i = 0; i < static_cast<int>(left.size()); ++i)
      if (i != next.first && i != next.second) ordered.push_back(left[i]);
    left = ordered;
  }

  // The diagonal along the letter that an operand has twice. Of extents that only a call knows it is checked that they are the
  // same: diagonals themselves may be of matrices that are not square.
  constexpr operand diagonal(const operand& x) {
    const int twin = x.letters.repeated(), first = x.letters.position(x.letters.at[twin]);
    const index axes[] = {first, twin}, pair[] = {twin, first};
    const shape s = to_.extents(x.value);
    const edge square = surely_equal(s[first], s[twin]) ? x.value : to_.call(ops::ensure_shape, {x.value, x.value}, "axes", pair);
    return {x.letters.without_axis(twin), to_.call(ops::diag_part, {square}, "axes", axes)};
  }
  constexpr edge summed_over(const operand& x, const labels& gone) {
    list<index> axes;
    for (int i = 0; i < gone.count; ++i) axes.push_back(x.letters.position(gone.at[i]));
    const index keep = 0;
    const attribute_view with[] = {{"axes", attribute_kind::integers, axes}, {"keep_dims", attribute_kind::boolean, {&keep, 1}}};
    return to_.call(ops::reduce_sum, {x.value}, with);
  }
  constexpr edge permuted(edge x, const labels& from, const labels& to) {
    if (from == to) return x;
    list<index> order;
    for (int i = 0; i < to.count; ++i) order.push_back(from.position(to.at[i]));
    return to_.call(ops::transpose, {x}, "perm", order);
  }

  // Axes [batch…, first…, second…] as [batch…, rows, columns].
  constexpr edge as_matrices(edge x, int batch, int first, int second) {
    if (first == 1 && second == 1) return x;
    const shape s = to_.extents(x);
    list<index> extents;
    for (int a = 0; a < batch; ++a) extents.push_back(listed_product(s, 0, a, 1));
    extents.push_back(listed_product(s, 0, batch, first));
    extents.push_back(listed_product(s, 0, batch + first, second));
    return to_.call(ops::reshape, {x}, "shape", extents);
  }
  // Axes in the order of `to`, with extent 1 for letters that x does not have; none are put in front.
  constexpr edge aligned(const operand& x, const labels& to) {
    const labels &from = x.letters, missing = to.without(from);
    const shape s = to_.extents(x.value);
    list<index> extents;
    if (to.within(from) == from) {
      for (int i = 0; i < to.count; ++i) {
        const int a = from.position(to.at[i]);
        if (a >= 0) extents.push_back(listed_product(s, 0, a, 1));
        else if (!extents.empty()) extents.push_back(1);
      }
      return static_cast<int>(extents.size()) == from.count ? x.value : to_.call(ops::reshape, {x.value}, "shape", extents);
    }
    if (missing.count == 0) return permuted(x.value, from, to);
    for (int a = 0; a < from.count; ++a) extents.push_back(listed_product(s, 0, a, 1));
    for (int i = 0; i < missing.count; ++i) extents.push_back(1);
    return permuted(to_.call(ops::reshape, {x.value}, "shape", extents), joined(from, missing), to);
  }
  // b, after a check that its extents are those of a where they have letters in common.
  constexpr edge with_equal_extents(const operand& a, const operand& b, const labels& checked) {
    const shape s = to_.extents(a.value), t = to_.extents(b.value);
    list<index> pairs;
    for (int i = 0; i < checked.count; ++i) {
      const int u = a.letters.position(checked.at[i]), v = b.letters.position(checked.at[i]);
      if (surely_equal(s[u], t[v])) continue;
      pairs.push_back(v);
      pairs.push_back(u);
    }
    return pairs.empty() ? b.value : to_.call(ops::ensure_shape, {b.value, a.value}, "axes", pairs);
  }

  constexpr edge product(const operand& a, const operand& b, const contraction& c) {
    const labels last = summed_last(c, a.letters, b.letters, to_.extents(a.value), to_.extents(b.value));
    if (last.count > 0) {
      const contraction inner{.batch = last, .sum = c.sum.without(last), .first = {}, .second = {}};
      return summed_over({last, sum_of_products(a, b, inner, last)}, last);
    }
    return sum_of_products(a, b, c, c.order_of(out_));
  }
  constexpr edge sum_of_products(const operand& a, const operand& b, const contraction& c, const labels& out) {
    const labels all = summing_order(c, out, a.letters, b.letters, to_.extents(a.value));
    const edge x = aligned(a, all), y = aligned(b, all), products = to_.call(ops::multiply, {x, y});
    return c.sum.count == 0 ? products : summed_over({all, products}, c.sum);
  }
  // A matrix that lies as [batch…, columns, rows] is read transposed instead of being transposed.
  constexpr edge product_of_matrices(const operand& a, const operand& b, const contraction& c) {
    const labels a_rows = joined(c.batch, c.first, c.sum), a_columns = joined(c.batch, c.sum, c.first);
    const labels b_rows = joined(c.batch, c.sum, c.second), b_columns = joined(c.batch, c.second, c.sum);
    const bool ta = a.letters == a_columns && !(a.letters == a_rows), tb = b.letters == b_columns && !(b.letters == b_rows);
    const int batch = c.batch.count, k = c.sum.count, m = c.first.count, n = c.second.count;
    const edge x = as_matrices(permuted(a.value, a.letters, ta ? a_columns : a_rows), batch, ta ? k : m, ta ? m : k);
    const edge y = as_matrices(permuted(b.value, b.letters, tb ? b_columns : b_rows), batch, tb ? n : k, tb ? k : n);
    const index flags[] = {ta, tb};
    const attribute_view with[] = {{"transpose_a", attribute_kind::boolean, {&flags[0], 1}},
                                   {"transpose_b", attribute_kind::boolean, {&flags[1], 1}}};
    const bool matrices = to_.extents(x).rank <= 2 && to_.extents(y).rank <= 2;
    const edge products = to_.call(matrices ? ops::matmul : ops::batch_matmul, {x, y}, with);
    return m == 1 && n == 1 ? products : from_matrices(products, a, b, c);
  }
  // [batch…, rows, columns] as [batch…, first…, second…], whose extents are those of the operands.
  constexpr edge from_matrices(edge products, const operand& a, const operand& b, const contraction& c) {
    list<index> extents;
    bool needs_operands = false;
    auto add = [&](const shape& of, int input, int axis) {
      extents.push_back(listed_product(of, input, axis, 1));
      needs_operands = needs_operands || (input > 0 && !is_static_extent(of[axis]));
    };
    for (int i = 0; i < c.batch.count; ++i) add(to_.extents(products), 0, i);
    for (int i = 0; i < c.first.count; ++i) add(to_.extents(a.value), 1, a.letters.position(c.first.at[i]));
    for (int i = 0; i < c.second.count; ++i) add(to_.extents(b.value), 2, b.letters.position(c.second.at[i]));
    return needs_operands ? to_.call(ops::reshape, {products, a.value, b.value}, "shape", extents)
                          : to_.call(ops::reshape, {products}, "shape", extents);
  }

  expansion& to_;
  labels out_;
};

constexpr void expand_einsum(expansion& x, std::string_view text) {
  list<shape> shapes;
  for (std::size_t k = 0; k < x.inputs(); ++k) shapes.push_back(x.extents(x.input(k)));
  equation e = read_equation(text, shapes);
  const dtype first = x.spec(x.input(0)).dtype;
  for (std::size_t k = 0; k < x.inputs(); ++k)
    if (x.spec(x.input(k)).dtype != first) e.fail("dtypes differ, convert one with jig::cast");
  if (!is_number(first)) e.fail("the dtype must be a number, use jig::cast");
  if (e.failed) return x.fail(e.reason.view());
  list<einsum_expansion::operand> operands;
  for (std::size_t k = 0; k < x.inputs(); ++k) operands.push_back({e.in[k], x.input(k)});
  x.give(einsum_expansion(x, e.out).run(operands));
}

}  // namespace detail

namespace ops {

/// Attribute `equation`.
inline constexpr op einsum{.name = "Einsum",
                           .label = "einsum",
                           .facts = fact::composite,
                           .makes = made_ops<transpose, reshape, multiply, reduce_sum, matmul, batch_matmul, diag_part, ensure_shape>,
                           .expand = [](expansion& x) { detail::expand_einsum(x, x.attribute("equation").text); }};

}  // namespace ops

/// The sum of products that an equation names: `einsum<"ij,jk->ik">(a, b)`. Every letter is an axis; letters
/// that are not in the result are summed over, a letter twice in one operand takes its diagonal. An ellipsis
/// stands for all other axes of an operand, which broadcast. Without an arrow the result has the axes of the
/// ellipses and the letters that occur once, in alphabetical order. Which operands become one first is decided
/// by cost when the function is traced, at best for up to five of them and step by step for more; an extent that only the
/// call knows counts as 64.
/// Shape: the extents of the letters behind the arrow
/// Errors: equations that say nothing, and ranks, dtypes or extents that do not fit them are refused at
/// compile time; extents that are known at run time only throw invalid_argument.
/// Cost: two operands with summed letters are one matrix product, or sums along a letter that is the last one everywhere; operands
/// are copied only where several letters lie in an order that no matrix has.
template <text Equation, Operand... X>
  requires(sizeof...(X) > 2)
constexpr auto einsum(const X&... x) {
  return call<ops::einsum, attributes<text_attribute<"equation", Equation>>>(x...);
}
template <text Equation, Operand X>
constexpr auto einsum(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::einsum, attributes<text_attribute<"equation", Equation>>>(x);
}
template <text Equation, Operand X, Operand Y>
constexpr auto einsum(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return call<ops::einsum, attributes<text_attribute<"equation", Equation>>>(x, y);
}

}  // namespace jig
