// SPDX-License-Identifier: MIT
#pragma once
// How the operands of an equation become one: which two are next, and whether their product is one of matrices or of elements.

#include <jig/ops/equation.hpp>

#include <bit>

namespace jig::detail {

/// The letters of two operands by their part in the contraction.
struct contraction {
  labels batch, sum, first, second;
  char along_batch = 0;  // where it is a letter: sums of products of neighbours along it, in place of matrices
  constexpr bool is_matmul() const { return sum.count > 0 && first.count + second.count > 0 && along_batch == 0; }
  // The order in which these sums are best computed: that of the result, but for the letter that they run along.
  constexpr labels order_of(const labels& out) const {
    labels last;
    if (along_batch == 0 || !out.has(along_batch)) return out;
    last.push_back(along_batch);
    return joined(out.without(last), last);
  }
};

// The product of the extents of some letters; of one that only the call knows we guess that it is long.
constexpr double extent_of(const labels& of, const labels& l, const shape& s) {
  double product = 1;
  for (int i = 0; i < of.count; ++i) {
    const index e = s[l.position(of.at[i])];
    product *= is_static_extent(e) ? static_cast<double>(e) : 64.0;
  }
  return product;
}

// Where operands and result have a batch as their last axis, matrices have to be put together from elements that lie apart. Sums of
// products along that axis need no copy, but read more. A copied element costs as much as so many products.
constexpr bool pays_along_batch(const contraction& c, const labels& a, const labels& b, const labels& out, const shape& s, const shape& t,
                                char last) {
  constexpr double products_of_copy = 8;
  if (joined(a, b).count > max_rank) return false;
  const double m = extent_of(c.first, a, s), n = extent_of(c.second, b, t), k = extent_of(c.sum, a, s);
  // It does not matter how the smaller one lies.
  constexpr double much_smaller = 8;
  const bool first = a.at[a.count - 1] == last || m * much_smaller <= n, second = b.at[b.count - 1] == last || n * much_smaller <= m;
  if (is_of_ellipsis(last) || !c.batch.has(last) || !first || !second) return false;
  if (out.at[out.count - 1] == last) return m * n * k <= products_of_copy * (m * k + k * n + m * n);
  // The result is copied then, which pays for many matrices times vectors.
  constexpr double many = 16;
  labels along;
  along.push_back(last);
  const double batches = a.position(last) >= 0 ? extent_of(along, a, s) : extent_of(along, b, t);
  return (m == 1 || n == 1) && batches >= many && m * n * k <= products_of_copy * (m * k + k * n);
}
// The letter of a batch that sums of products run along: the last one of the result or of an operand; 0 if there is none.
constexpr char batch_to_run_along(const contraction& c, const labels& a, const labels& b, const labels& out, const shape& s,
                                  const shape& t) {
  if (out.count == 0) return 0;
  for (const labels* l : {&out, &a, &b})
    if (const char last = l->at[l->count - 1]; pays_along_batch(c, a, b, out, s, t, last)) return last;
  return 0;
}

constexpr contraction plan_contraction(const labels& a, const labels& b, const labels& kept, const labels& out, const shape& s,
                                       const shape& t) {
  contraction c;
  labels shared = a.within(b);
  c.batch = shared.within(kept);
  c.batch = joined(out.within(c.batch), c.batch);
  c.sum = shared.without(kept);
  c.first = a.without(b);
  c.second = b.without(a);
  if (c.is_matmul()) c.along_batch = batch_to_run_along(c, a, b, out, s, t);
  return c;
}

// An elementwise product can come out in the order of the result.
constexpr labels elementwise_order(const contraction& c, const labels& out) {
  labels all = joined(c.batch, c.first, c.second);
  return joined(out.within(all), all);
}

// The axes of the products that are summed: those that stay, in their order, and among them those that go. Registers run along the last
// axis, so that is one that stays, unless those that go are so few that they are unrolled, or lie as rows in both operands.
constexpr labels summing_order(const contraction& c, const labels& out, const labels& a, const labels& b, const shape& s) {
  constexpr double most_unrolled = 16;
  const labels kept = elementwise_order(c, out);
  if (kept.count == 0 || c.sum.count == 0) return joined(kept, c.sum);
  const bool rows = a.at[a.count - 1] == b.at[b.count - 1] && c.sum.has(a.at[a.count - 1]);
  labels last;
  last.push_back(kept.at[kept.count - 1]);
  if (rows || extent_of(c.sum, a, s) <= most_unrolled) return joined(kept, c.sum);
  return joined(kept.without(last), c.sum, last);
}

// Where all letters go but lie in different orders, registers run along one of them, which is summed last: the longer one of
// those that are the last axis of an operand.
constexpr labels summed_last(const contraction& c, const labels& a, const labels& b, const shape& s, const shape& t) {
  labels first, second;
  if (c.batch.count + c.first.count + c.second.count > 0 || c.sum.count < 2 || !s.is_static() || !t.is_static()) return {};
  first.push_back(a.at[a.count - 1]);
  second.push_back(b.at[b.count - 1]);
  if (first == second) return {};
  const double x = extent_of(first, a, s), y = extent_of(second, b, t);
  return x > y ? first : second;
}

// Operands as sets of letters, to find out in which order to make two of them one.
struct contraction_order {
  list<std::uint64_t> sets;
  std::uint64_t out = 0;
  double extents[64] = {};

  static constexpr int number_of(char c) { return is_of_ellipsis(c) ? c - '0' + 52 : c >= 'a' ? c - 'a' : c - 'A' + 26; }
  static constexpr std::uint64_t set_of(const labels& l) {
    std::uint64_t set = 0;
    for (int i = 0; i < l.count; ++i) set |= std::uint64_t{1} << number_of(l.at[i]);
    return set;
  }
  constexpr void add(const labels& l, const shape& s) {
    sets.push_back(set_of(l));
    // Of extents that only the call knows we guess that they are long.
    for (int i = 0; i < l.count; ++i) {
      const double e = is_static_extent(s[i]) ? static_cast<double>(s[i]) : 64.0;
      double& known = extents[number_of(l.at[i])];
      if (e > known) known = e;
    }
  }
  constexpr double extent_of_letter(char c) const { return extents[number_of(c)]; }
  struct choice {
    int first = 0, second = 1;
    double cost = 0;
  };
  // The letters of two of these operands that are left when they are one, and what that costs.
  constexpr std::uint64_t merged(const list<std::uint64_t>& of, int i, int k, double& cost) const {
    std::uint64_t kept = out;
    for (int other = 0; other < static_cast<int>(of.size()); ++other)
      if (other != i && other != k) kept |= of[other];
    const std::uint64_t all = of[i] | of[k], computed = all & (kept | (of[i] & of[k]));
    cost = 1;
    for (std::uint64_t rest = computed; rest != 0; rest &= rest - 1) cost *= extents[std::countr_zero(rest)];
    if (std::popcount(all & kept) > max_rank) cost *= 1e100;
    return all & kept;
  }
  // The cheapest order of up to five operands, of more the cheapest next step.
  constexpr choice best(const list<std::uint64_t>& of) const {
    choice found;
    found.cost = -1;
    const int count = static_cast<int>(of.size());
    for (int i = 0; i < count; ++i)
      for (int k = i + 1; k < count; ++k) {
        choice c{i, k, 0};
        const std::uint64_t one = merged(of, i, k, c.cost);
        if (count > 2 && count <= 5) {
          list<std::uint64_t> rest = of;
          rest[i] = one;
          rest[k] = rest.back();
          rest.pop_back();
          c.cost += best(rest).cost;
        }
        if (found.cost < 0 || c.cost < found.cost) found = c;
      }
    return found;
  }
};

}  // namespace jig::detail
