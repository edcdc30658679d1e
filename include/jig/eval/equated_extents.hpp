// SPDX-License-Identifier: MIT
#pragma once
// What the extents of a plan would be if those that are compared were equal.

#include <jig/eval/plan.hpp>
#include <jig/passes/neighbours.hpp>

namespace jig::detail {

/// Which extents of a plan would be one if all that are broadcast to each other, or have to be equal, were; and what has to hold of the
/// extents of arguments for that.
class equated_extents {
  using relation = extent_algebra::relation;

 public:
  constexpr equated_extents(const plan_view& p, int symbols) : p_(p), same_(symbols) {
    for (int k = 0; k < symbols; ++k) same_[k] = extent_symbol(k);
    // What is equated may make results of two expressions the same.
    for (bool more = true; more;) {
      more = false;
      find_forms();
      for (const auto& e : p_.expressions) {
        if (e.relation != relation::broadcast && e.relation != relation::equal) continue;
        more = equate(e.a, e.b) || more;
        if (e.symbol != dyn && now(e.a) == now(e.b)) more = take(e.symbol, now(e.a)) || more;
      }
    }
  }

  /// The extent that stands for this one: a number, that of an argument, or itself.
  constexpr index now(index e) const {
    while (!is_static_extent(e) && same_[symbol_number(e)] != e) e = same_[symbol_number(e)];
    return e;
  }
  constexpr shape now(shape s) const {
    for (int a = 0; a < s.rank; ++a) s[a] = now(s[a]);
    return s;
  }
  /// What has to hold of an extent of an argument.
  constexpr extent_fact needed(index e) const {
    extent_fact out{now(e)};
    for (const auto& f : facts_)
      if (now(f.extent) == out.extent) narrow(out, f.multiple, f.least);
    return out;
  }
  /// Whether less would be to do.
  constexpr bool pay() const { return are_possible() && (unites_steps() || unites_rows() || unites_parts()); }

 private:
  // Whether what has to hold of numbers does.
  constexpr bool are_possible() const {
    for (const auto& f : facts_)
      if (const index e = now(f.extent); is_static_extent(e) && (e % f.multiple != 0 || e < f.least)) return false;
    return true;
  }
  // Whether steps that go over two shapes, or store two, would have one.
  constexpr bool unites_steps() const {
    list<shape> seen;
    for (const auto& step : p_.steps) {
      if (step.space >= 0 && unites(seen, extents(step.space))) return true;
      for (int r = 0; r < step.roots.count; ++r)
        if (unites(seen, extents(p_.roots[at(step.roots.first + r)]))) return true;
    }
    return false;
  }
  // Whether a reduction of rows that may be broadcast stands alone: rows that are not could go on with other steps, some at a time.
  constexpr bool unites_rows() const {
    for (const auto& step : p_.steps) {
      if (step.kind != step_kind::reduction || step.space < 0 || p_.regions[at(step.region)].kind != region_kind::single) continue;
      const index rows = extents(step.space)[0];
      if (extents(step.space).rank < 2 || now(rows) == rows) continue;
      for (const auto& other : p_.steps)
        if (&other != &step && other.space >= 0 && extents(other.space).rank > 0 && extents(other.space)[0] == rows) return true;
    }
    return false;
  }
  // Whether parts of what is put together would be known to be alike, so that it is computed of each of them what is computed of all.
  constexpr bool unites_parts() const {
    for (const auto& e : p_.expressions)
      if (e.relation == relation::equal && e.a != e.b && now(e.a) == now(e.b) && stacked_parts(p_.graph, e.node) > 0 && is_read(e.node))
        return true;
    return false;
  }
  constexpr bool is_read(int node) const {
    for (int v = node + 1; v < p_.graph.size(); ++v)
      for (const auto& e : p_.graph.inputs_of(v))
        if (e.node == node) return true;
    return false;
  }
  constexpr const shape& extents(int node) const { return p_.shapes[at(p_.values[at(node)].shape)]; }
  constexpr bool unites(list<shape>& seen, const shape& s) const {
    for (const auto& other : seen)
      if (!(s == other) && now(s) == now(other)) return true;
    seen.push_back(s);
    return false;
  }

  constexpr bool is_given(index e) const {
    if (is_static_extent(e)) return true;
    for (const auto& s : p_.sources)
      if (s.symbol == e) return true;
    return false;
  }
  constexpr const extent_expression* made_by(index e) const {
    for (const auto& x : p_.expressions)
      if (x.symbol == e && x.relation != relation::at_most) return &x;
    return nullptr;
  }
  constexpr bool take(index e, index to) {
    e = now(e);
    if (e == to) return false;
    same_[symbol_number(e)] = to;
    return true;
  }
  // Whether anything is new.
  constexpr bool equate(index a, index b) {
    a = now(a), b = now(b);
    if (a == b || (is_static_extent(a) && is_static_extent(b))) return false;
    const bool given = is_given(a);
    if (given && is_given(b)) return is_static_extent(b) ? take(a, b) : take(b, a);
    const extent_form form = form_of(a), other = form_of(b);
    if (form.is_like(other) && (form.base != a || other.base != b)) {
      const bool more = form.is_number() ? false : equate(form.base, other.base);
      if (!form.is_number() && now(form.base) != now(other.base)) return more;
      if (!assume(form) || !assume(other)) return more;
      return is_given(b) ? take(a, b) : take(b, a);
    }
    if (given || is_given(b)) return false;
    const extent_expression *x = made_by(a), *y = made_by(b);
    if (x == nullptr || y == nullptr || x->relation != y->relation) return false;
    const bool first = equate(x->a, y->a), second = equate(x->b, y->b);
    if (now(x->a) == now(y->a) && now(x->b) == now(y->b)) return take(b, a);
    return first || second;
  }

  // What the extents are of others, where those are large and divide as needed.
  constexpr void find_forms() {
    forms_ = list<extent_form>(static_cast<int>(same_.size()));
    for (const auto& e : p_.expressions)
      if (e.symbol != dyn) forms_[symbol_number(e.symbol)] = form_arithmetic::combine(e.relation, form_of(e.a), form_of(e.b));
  }
  constexpr extent_form form_of(index e) const {
    e = now(e);
    if (is_static_extent(e)) return extent_form::of_number(e);
    const extent_form& known = forms_[symbol_number(e)];
    return known.known ? known : extent_form::of_symbol(e);
  }
  // Only extents of arguments can be looked at before a call.
  constexpr bool assume(const extent_form& form) {
    if (!form.needs_facts()) return true;
    if (!is_given(form.base)) return false;
    // So long an axis may be cut at several places.
    constexpr index enough = 8;
    facts_.push_back({form.base, form.multiple, form.least > 0 ? (std::max)(form.least, enough) : 0});
    return true;
  }
  static constexpr void narrow(extent_fact& f, index multiple, index least) {
    f.multiple = std::lcm(f.multiple, multiple);
    f.least = (std::max)(f.least, least);
  }

  plan_view p_;
  list<index> same_;
  list<extent_form> forms_;  // by symbol, if there is one
  list<extent_fact> facts_;
};

}  // namespace jig::detail
