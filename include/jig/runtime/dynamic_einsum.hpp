// SPDX-License-Identifier: MIT
#pragma once
// Sums of products of dynamic symbols: the plan of ops/einsum.hpp, made when the ranks are known.

#include <jig/ops/einsum.hpp>
#include <jig/runtime/dynamic_symbol.hpp>

#include <vector>

namespace jig::detail {

/// The contractions of one equation. N is the number of its operands.
template <std::size_t N, class Symbol = dynamic_symbol>
class dynamic_contraction {
 public:
  struct operand {
    labels letters;
    Symbol value;
  };
  explicit dynamic_contraction(const labels& out) : out_(out) {}

  Symbol run(std::vector<operand> left) const {
    while (left.size() > 1 || !(left[0].letters == out_)) left = next(std::move(left));
    return left[0].value;
  }

 private:
  // One step: the operands of which two became one, or one lost letters, or the next two have come to the front.
  std::vector<operand> next(std::vector<operand> left) const {
    if (left.size() == 1) {
      const labels& l = left[0].letters;
      if (l.repeated() >= 0) return with(left, 0, diagonal(left[0]));
      if (const labels gone = l.without(out_); gone.count > 0) return with(left, 0, {l.within(out_), summed_over(left[0], gone)});
      return with(left, 0, {out_, permuted(left[0].value, l, out_)});
    }
    const auto choice = best_of(left);
    const auto first = static_cast<std::size_t>(choice.first), second = static_cast<std::size_t>(choice.second);
    if (first != 0 || second != 1) {
      std::vector<operand> ordered{left[first], left[second]};
      for (std::size_t i = 0; i < left.size(); ++i)
        if (i != first && i != second) ordered.push_back(left[i]);
      return ordered;
    }
    const labels a = left[0].letters, b = left[1].letters;
    labels kept = out_;
    for (std::size_t i = 2; i < left.size(); ++i) kept += left[i].letters;
    if (a.repeated() >= 0) return with(left, 0, diagonal(left[0]));
    if (b.repeated() >= 0) return with(left, 1, diagonal(left[1]));
    if (const labels gone = a.without(kept).without(b); gone.count > 0) return with(left, 0, {a.without(gone), summed_over(left[0], gone)});
    if (const labels gone = b.without(kept).without(a); gone.count > 0) return with(left, 1, {b.without(gone), summed_over(left[1], gone)});
    const contraction c = plan_contraction(a, b, kept, out_, left[0].value.shape(), left[1].value.shape());
    // The product of matrices comes out in the order of the result.
    if (c.is_matmul() && c.first.count > 0 && c.second.count > 0 && out_.position(c.second.at[0]) >= 0 &&
        out_.position(c.second.at[0]) < out_.position(c.first.at[0])) {
      std::vector<operand> swapped{left[1], left[0]};
      swapped.insert(swapped.end(), left.begin() + 2, left.end());
      return swapped;
    }
    // A matrix product checks the one summed letter itself.
    const labels checked = without_ellipsis(c.is_matmul() && c.sum.count == 1 ? c.batch : joined(c.batch, c.sum));
    const labels result = c.is_matmul() ? joined(c.batch, c.first, c.second) : elementwise_order(c, out_);
    if (joined(result, c.sum).count > max_rank && !c.is_matmul()) throw_invalid_argument(too_many_axes.view());
    const operand y{b, with_equal_extents(left[0], left[1], checked)};
    std::vector<operand> fewer{{result, c.is_matmul() ? product_of_matrices(left[0], y, c) : product(left[0], y, c)}};
    fewer.insert(fewer.end(), left.begin() + 2, left.end());
    return fewer;
  }

  static std::vector<operand> with(const std::vector<operand>& all, std::size_t at, const operand& changed) {
    std::vector<operand> out;
    for (std::size_t i = 0; i < all.size(); ++i) out.push_back(i == at ? changed : all[i]);
    return out;
  }
  auto best_of([[maybe_unused]] const std::vector<operand>& left) const {
    using order_t = contraction_order<N>;
    typename order_t::choice found;
    if constexpr (N > 2) {
      if (left.size() == 2) return found;
      order_t order;
      for (const auto& o : left) order.add(o.letters, o.value.shape());
      order.out = order.add(out_);
      found = order.best();
    }
    return found;
  }

  static operand diagonal(const operand& x) {
    const int twin = x.letters.repeated();
    const index first = x.letters.position(x.letters.at[twin]), axes[] = {first, twin}, pair[] = {twin, first};
    const shape s = x.value.shape();
    // The diagonal itself takes matrices that are not square.
    const Symbol square =
        surely_equal(s[static_cast<int>(first)], s[twin]) ? x.value : call_with_integers<ops::ensure_shape>("axes", pair, x.value, x.value);
    return {x.letters.without_axis(twin), call_with_integers<ops::diag_part>("axes", axes, square)};
  }
  static Symbol summed_over(const operand& x, const labels& gone) {
    list<index> axes;
    for (int i = 0; i < gone.count; ++i) axes.push_back(x.letters.position(gone.at[i]));
    const index keep = 0;
    const attribute_view with[] = {{"axes", attribute_kind::integers, axes, {}, {}},
                                   {"keep_dims", attribute_kind::boolean, {&keep, 1}, {}, {}}};
    return dynamic_call<ops::reduce_sum>(with, x.value);
  }
  static Symbol permuted(const Symbol& x, const labels& from, const labels& to) {
    if (from == to) return x;
    list<index> order;
    for (int i = 0; i < to.count; ++i) order.push_back(from.position(to.at[i]));
    return call_with_integers<ops::transpose>("perm", order, x);
  }
  template <class... Like>
  static Symbol reshaped(const Symbol& x, const extent_list& e, const Like&... like) {
    return call_with_integers<ops::reshape>("shape", {e.at, static_cast<std::size_t>(e.count)}, x, like...);
  }

  // Axes [batch…, first…, second…] as [batch…, rows, columns].
  static Symbol as_matrices(const Symbol& x, int batch, int first, int second) {
    if (first == 1 && second == 1) return x;
    const shape s = x.shape();
    extent_list e;
    for (int a = 0; a < batch; ++a) e.push_back(listed_product(s, 0, a, 1));
    e.push_back(listed_product(s, 0, batch, first));
    e.push_back(listed_product(s, 0, batch + first, second));
    return reshaped(x, e);
  }
  // Axes in the order of `to`, with extent 1 for letters that x does not have; none are put in front.
  static Symbol aligned(const operand& x, const labels& to) {
    const labels& from = x.letters;
    const shape s = x.value.shape();
    const labels missing = to.without(from);
    extent_list e;
    if (to.within(from) == from) {
      for (int i = 0; i < to.count; ++i) {
        const int a = from.position(to.at[i]);
        if (a >= 0) e.push_back(listed_product(s, 0, a, 1));
        else if (e.count > 0) e.push_back(1);
      }
      return e.count == from.count ? x.value : reshaped(x.value, e);
    }
    if (missing.count == 0) return permuted(x.value, from, to);
    for (int a = 0; a < from.count; ++a) e.push_back(listed_product(s, 0, a, 1));
    for (int i = 0; i < missing.count; ++i) e.push_back(1);
    return permuted(reshaped(x.value, e), joined(from, missing), to);
  }
  // b, after a check that its extents are those of a where they have letters in common.
  static Symbol with_equal_extents(const operand& a, const operand& b, const labels& checked) {
    const shape s = a.value.shape(), t = b.value.shape();
    list<index> pairs;
    for (int i = 0; i < checked.count; ++i) {
      const int u = a.letters.position(checked.at[i]), v = b.letters.position(checked.at[i]);
      if (surely_equal(s[u], t[v])) continue;
      pairs.push_back(v);
      pairs.push_back(u);
    }
    return pairs.empty() ? b.value : call_with_integers<ops::ensure_shape>("axes", pairs, b.value, a.value);
  }
  Symbol product(const operand& a, const operand& b, const contraction& c) const {
    const labels all = summing_order(c, out_, a.letters, b.letters, a.value.shape());
    const Symbol x = aligned(a, all), y = aligned(b, all);
    const Symbol products = call<ops::multiply>(x, y);
    return c.sum.count == 0 ? products : summed_over({all, products}, c.sum);
  }
  // A matrix that lies as [batch…, columns, rows] is read transposed instead of being transposed.
  static Symbol product_of_matrices(const operand& a, const operand& b, const contraction& c) {
    const labels a_rows = joined(c.batch, c.first, c.sum), a_columns = joined(c.batch, c.sum, c.first);
    const labels b_rows = joined(c.batch, c.sum, c.second), b_columns = joined(c.batch, c.second, c.sum);
    const bool ta = a.letters == a_columns && !(a.letters == a_rows), tb = b.letters == b_columns && !(b.letters == b_rows);
    const int batch = c.batch.count, k = c.sum.count, m = c.first.count, n = c.second.count;
    const Symbol x = as_matrices(permuted(a.value, a.letters, ta ? a_columns : a_rows), batch, ta ? k : m, ta ? m : k);
    const Symbol y = as_matrices(permuted(b.value, b.letters, tb ? b_columns : b_rows), batch, tb ? n : k, tb ? k : n);
    const index flags[] = {ta, tb};
    const attribute_view with[] = {{"transpose_a", attribute_kind::boolean, {&flags[0], 1}, {}, {}},
                                   {"transpose_b", attribute_kind::boolean, {&flags[1], 1}, {}, {}}};
    const bool matrices = x.rank() <= 2 && y.rank() <= 2;
    const Symbol products = matrices ? dynamic_call<ops::matmul>(with, x, y) : dynamic_call<ops::batch_matmul>(with, x, y);
    return m == 1 && n == 1 ? products : from_matrices(products, a, b, c);
  }
  // [batch…, rows, columns] as [batch…, first…, second…], whose extents are those of the operands.
  static Symbol from_matrices(const Symbol& products, const operand& a, const operand& b, const contraction& c) {
    extent_list extents;
    bool needs_operands = false;
    auto add = [&](const shape& of, int input, int axis) {
      extents.push_back(listed_product(of, input, axis, 1));
      needs_operands = needs_operands || (input > 0 && !is_static_extent(of[axis]));
    };
    for (int i = 0; i < c.batch.count; ++i) add(products.shape(), 0, i);
    for (int i = 0; i < c.first.count; ++i) add(a.value.shape(), 1, a.letters.position(c.first.at[i]));
    for (int i = 0; i < c.second.count; ++i) add(b.value.shape(), 2, b.letters.position(c.second.at[i]));
    return needs_operands ? reshaped(products, extents, a.value, b.value) : reshaped(products, extents);
  }

  labels out_;
};

template <class... X>
auto dynamic_einsum(std::string_view text, const X&... x) {
  constexpr std::size_t n = sizeof...(X);
  const dtype first = dtype_of_first(x...);
  const bool same[] = {(world_of<X> == world::literal || spec_now(x).dtype == first)...};
  const shape shapes[] = {shape_now(x)...};
  const equation<n> e = check_equation(text, shapes, same, first);
  if (e.failed) throw_invalid_argument(e.reason.view());
  const auto& traced = traced_one_of(x...);
  auto placed = [&](const auto& one) {
    using X1 = std::remove_cvref_t<decltype(one)>;
    if constexpr (world_of<X1> != world::literal) return as_dynamic(traced, one);
    else if (literal_joins(dtype_of<typename literal_element<X1>::type>, first)) return dynamic_constant(traced, first, number_in(one));
    else throw_invalid_argument(literal_refusal(ops::multiply, first).view());
  };
  std::size_t k = 0;
  using contraction_t = dynamic_contraction<n>;
  return contraction_t(e.out).run(std::vector<typename contraction_t::operand>{{e.in[k++], placed(x)}...});
}

}  // namespace jig::detail
