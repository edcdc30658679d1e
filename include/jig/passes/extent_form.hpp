// SPDX-License-Identifier: MIT
#pragma once
// Extents that are multiples of another one and a number: what slices, paddings and joins make of an axis. Expressions of the same form
// are the same extent, however they are written.

#include <jig/graph/op.hpp>

#include <algorithm>
#include <concepts>
#include <numeric>

namespace jig {

/// What a call is known to give for an extent of its arguments: a multiple of a number, and at least another one.
struct extent_fact {
  index extent;
  index multiple = 1, least = 0;
};

/// The extents of the arguments of a graph as somebody else knows them, who tells which are equal, and what holds of them.
struct given_extents {
  stretch<shape> shapes{};
  stretch<extent_fact> facts{};
  constexpr given_extents() = default;
  template <std::convertible_to<stretch<shape>> Shapes>
  constexpr given_extents(const Shapes& of_arguments, stretch<extent_fact> known = {}) : shapes(of_arguments), facts(known) {}
  constexpr bool empty() const { return shapes.empty(); }
  /// What is known of an extent of an argument.
  constexpr extent_fact fact_of(int input, int axis) const {
    if (!empty())
      for (const auto& f : facts)
        if (f.extent == shapes[static_cast<std::size_t>(input)][axis]) return f;
    return {dyn};
  }
};

namespace detail {

// The extent base / divisor * factor + offset, or 0 where that is less and it is `clamped`. It is that much where the base is a multiple
// of `multiple` and at least `least`. Numbers have the factor 0.
struct extent_form {
  index base = dyn;
  index factor = 0, divisor = 1, offset = 0;
  bool clamped = false, known = false;
  index multiple = 1, least = 0;

  // Beyond it nothing is said, so that nothing here overflows.
  static constexpr index most = index{1} << 28;

  static constexpr extent_form of_number(index n) {
    if (n >= most || -n >= most) return {};
    return {.offset = n, .known = true};
  }
  static constexpr extent_form of_symbol(index e) { return {.base = e, .factor = 1, .known = true}; }

  constexpr bool is_number() const { return known && factor == 0; }
  constexpr bool is_base() const { return known && factor == 1 && divisor == 1 && offset == 0; }
  constexpr bool needs_facts() const { return multiple > 1 || least > 0; }
  constexpr bool holds(const extent_fact& f) const { return f.multiple % multiple == 0 && f.least >= least; }
  // Whether both say the same of their bases.
  constexpr bool is_like(const extent_form& o) const {
    return known && o.known && factor == o.factor && divisor == o.divisor && offset == o.offset && clamped == o.clamped;
  }
  constexpr bool operator==(const extent_form& o) const { return is_like(o) && base == o.base; }
};

class form_arithmetic {
  using relation = extent_algebra::relation;

 public:
  // The form of `a relation b`, if it has one.
  static constexpr extent_form combine(relation r, const extent_form& a, const extent_form& b) {
    if (!a.known || !b.known || b.clamped || (a.clamped && r != relation::excess)) return {};
    extent_form out = a;
    switch (r) {
      case relation::sum: return bounded(added(a, b, 1));
      case relation::difference:
      case relation::excess: return bounded(a.clamped ? at_least_0(a, b) : not_negative(added(a, b, -1), r));
      case relation::product:
        if (!b.is_number()) return a.is_number() ? combine(r, b, a) : extent_form{};
        out.factor *= b.offset;
        out.offset *= b.offset;
        return bounded(reduced(out));
      case relation::quotient:
      case relation::steps:
        if (!b.is_number() || b.offset < 1 || a.factor < 0 || (r == relation::quotient && a.offset % b.offset != 0)) return {};
        out.divisor *= b.offset;
        out = reduced(out);
        out.multiple = std::lcm(out.multiple, out.divisor);
        out.offset = a.offset > 0 ? (a.offset - 1) / b.offset + 1 : a.offset / b.offset;
        return bounded(out);
      case relation::broadcast:
      case relation::equal:
      case relation::at_most: break;
    }
    return {};
  }
  // What a has more than the number b, or 0, whatever the base is.
  static constexpr extent_form at_least_0(const extent_form& a, const extent_form& b) {
    if (!a.known || !b.is_number() || a.factor <= 0) return {};
    extent_form out = a;
    out.offset -= b.offset;
    out.clamped = true;
    return bounded(out);
  }

 private:
  static constexpr extent_form added(const extent_form& a, const extent_form& b, index sign) {
    if (!a.is_number() && !b.is_number() && a.base != b.base) return {};
    extent_form out = a;
    out.base = a.is_number() ? b.base : a.base;
    out.factor = a.factor * b.divisor + sign * b.factor * a.divisor;
    out.divisor = a.divisor * b.divisor;
    out.offset = a.offset + sign * b.offset;
    out.multiple = std::lcm(a.multiple, b.multiple);
    out.least = (std::max)(a.least, b.least);
    return reduced(out);
  }
  // Differences of which the base says how large it must be so that they are not negative.
  static constexpr extent_form not_negative(extent_form out, relation r) {
    if (!out.known || out.factor < 0) return {};
    if (out.offset >= 0) return out;
    if (out.factor > 0) out.least = (std::max)(out.least, (-out.offset * out.divisor + out.factor - 1) / out.factor);
    else if (r == relation::excess) out.offset = 0;
    else return {};
    return out;
  }
  static constexpr extent_form reduced(extent_form out) {
    if (const index g = std::gcd(out.factor, out.divisor); g > 1) out.factor /= g, out.divisor /= g;
    return out;
  }
  static constexpr extent_form bounded(const extent_form& f) {
    bool fits = true;
    for (const index n : {f.factor, f.divisor, f.offset, -f.offset, f.multiple, f.least}) fits = fits && n < extent_form::most;
    return fits ? f : extent_form{};
  }
};

}  // namespace detail
}  // namespace jig
