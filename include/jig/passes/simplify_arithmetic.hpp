// SPDX-License-Identifier: MIT
#pragma once
// Algebra: nodes that do nothing go, nodes that undo each other go in pairs, others become cheaper ones.

#include <jig/ops/shape.hpp>
#include <jig/passes/evaluate.hpp>

namespace jig {

/// What simplify_arithmetic may do.
struct arithmetic_options {
  /// Also rules that hold for real numbers and only nearly, or not for NaN, infinity and -0, for floating ones: sums and products
  /// with constants in another order, x + 0, x - x and x * 0, powers as products, reciprocals of constants, Rsqrt, Log1p, Expm1.
  bool value_changing = false;
};

namespace detail {

template <bool ValueChanging>
struct algebra : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (n.inputs.empty()) return {};
    if (n.kind.is(fact::view)) return views(r, n);
    if (!n.kind.is(fact::elementwise) || r.spec(n.inputs[0]).dtype == dtype::string) return {};
    if (n.inputs.size() == 1) return of_one(r, n);
    edge e{};
    if (n.inputs.size() == 2) e = of_two(r, n);
    else if (is_op(n.kind, ops::select)) e = choice(r, n);
    return is_none(e) ? with_smaller_operands(r, n) : e;
  }

 private:
  // x, if it is what the node is to anyone who reads it.
  static constexpr edge in_place(auto& r, const new_node& n, const edge& x) { return r.spec(x) == n.spec ? x : edge{}; }
  // A program that traces at run time has the kernels of what the op of the node declares.
  static constexpr void require_kernel(const op& kind, const new_node& n) {
    if constexpr (!ValueChanging) require_declared(n.kind, kind);
  }
  static constexpr edge made(auto& r, const op& kind, const new_node& n, const edge& x) {
    require_kernel(kind, n);
    return r.make(kind, n.spec, {&x, 1});
  }
  static constexpr edge made(auto& r, const op& kind, const new_node& n, const edge& x, const edge& y) {
    const edge inputs[] = {x, y};
    require_kernel(kind, n);
    return r.make(kind, n.spec, inputs);
  }
  // A small integer in place of the node, which reads x for its shape only.
  static constexpr edge number(auto& r, const new_node& n, int value, const edge& x) {
    if (!r.is_harmless(x) || !n.spec.shape.is_static()) return {};
    const edge scalar = r.scalar(n.spec.dtype, element_bits<>::number(n.spec.dtype, value));
    if (n.spec.shape.rank == 0) return scalar;
    list<index> extents;
    for (int a = 0; a < n.spec.shape.rank; ++a) extents.push_back(n.spec.shape[a]);
    const attribute_view with[] = {{"shape", attribute_kind::integers, extents, {}, {}}};
    return r.make(ops::broadcast_to, n.spec, {&scalar, 1}, with);
  }
  static constexpr bool any_of(const op& kind, std::initializer_list<const op*> list) {
    for (const op* o : list)
      if (is_op(kind, *o)) return true;
    return false;
  }

  static constexpr edge of_one(auto& r, const new_node& n) {
    const edge x = n.inputs[0];
    const op &kind = n.kind, &inner = *r.data(x).kind;
    if (is_op(kind, ops::identity) || is_op(kind, ops::stop_gradient)) return in_place(r, n, x);
    if (is_op(kind, ops::cast)) return cast(r, n, x);
    if (!inner.is(fact::elementwise)) return {};
    const bool same = is_op(kind, inner);
    if (same && any_of(kind, {&ops::neg, &ops::logical_not, &ops::invert})) return in_place(r, n, r.input(x));
    if (same && any_of(kind, {&ops::abs, &ops::relu, &ops::relu6, &ops::sign})) return x;
    constexpr auto rounds = [](const op& o) { return any_of(o, {&ops::floor, &ops::ceil, &ops::trunc, &ops::rint, &ops::round}); };
    if (rounds(kind) && rounds(inner)) return x;
    const bool loses_sign = is_op(kind, ops::abs) || is_op(kind, ops::square);
    const bool changes_sign = is_op(inner, ops::neg) || (is_op(inner, ops::abs) && is_signed(n.spec.dtype));
    if (loses_sign && changes_sign) return made(r, kind, n, r.input(x));
    if (is_op(kind, ops::logical_not)) return opposite(r, n, x);
    if constexpr (ValueChanging) {
      if (is_op(kind, ops::reciprocal) && is_op(inner, ops::sqrt)) return made(r, ops::rsqrt, n, r.input(x));
      if (is_op(kind, ops::log) && is_op(inner, ops::add))
        for (std::size_t k = 0; k < 2; ++k)
          if (is_number(r, r.input(x, k), 1) && r.spec(r.input(x, 1 - k)) == n.spec) return made(r, ops::log1p, n, r.input(x, 1 - k));
    }
    return {};
  }
  // Of floating numbers only those comparisons that NaN does not tell apart.
  static constexpr edge opposite(auto& r, const new_node& n, const edge& x) {
    constexpr const op* pairs[][2] = {{&ops::equal, &ops::not_equal}, {&ops::less, &ops::greater_equal}, {&ops::greater, &ops::less_equal}};
    const op& inner = *r.data(x).kind;
    for (const auto& pair : pairs)
      for (int side = 0; side < 2; ++side)
        if (is_op(inner, *pair[side]) && (is_op(*pair[0], ops::equal) || !is_floating(r.spec(r.input(x)).dtype)))
          return made(r, *pair[1 - side], n, r.input(x), r.input(x, 1));
    return {};
  }

  // Whether every value of a dtype is one of another.
  static constexpr bool holds(dtype wide, dtype narrow) {
    if (narrow == dtype::boolean || wide == narrow) return true;
    if (wide == dtype::boolean || (is_floating(narrow) && !is_floating(wide))) return false;
    const auto digits = [](dtype d) {
      constexpr int of_floats[] = {24, 53, 11, 8};
      return is_floating(d) ? of_floats[static_cast<int>(d)] : 8 * static_cast<int>(size_of(d)) - is_signed(d);
    };
    if (is_floating(wide) && is_floating(narrow)) return digits(wide) > digits(narrow) && wide <= dtype::float64;
    return digits(wide) >= digits(narrow) && is_signed(wide) >= is_signed(narrow);
  }
  static constexpr edge cast(auto& r, const new_node& n, const edge& x) {
    if (r.spec(x) == n.spec) return x;
    if (!r.is(x, ops::cast)) return {};
    const edge from = r.input(x);
    const dtype first = r.spec(from).dtype, middle = r.spec(x).dtype, last = n.spec.dtype;
    if (first == dtype::string || !holds(middle, first)) return {};
    if (r.spec(from) == n.spec) return from;
    // Integers wrap where floating numbers saturate; storage dtypes are rounded once more on the way.
    if (is_floating(middle) && !is_floating(first) && is_integer(last)) return {};
    if (is_storage(last) && !is_floating(first)) return {};
    return r.make(ops::cast, n.spec, {&from, 1}, n.attributes);
  }

  static constexpr bool is_number(auto& r, const edge& e, int value) {
    const known_bits found = r.uniform(e);
    return found.known && found.bits == element_bits<>::number(r.spec(e).dtype, value);
  }

  static constexpr edge of_two(auto& r, const new_node& n) {
    const edge x = n.inputs[0], y = n.inputs[1];
    if (x == y) return of_twins(r, n, x);
    const known_bits a = r.uniform(x), b = r.uniform(y);
    edge e{};
    if (b.known) e = with_constant(r, n, x, y, b.bits, true);
    else if (a.known) e = with_constant(r, n, y, x, a.bits, false);
    if (!is_none(e) || a.known || b.known) return e;
    if constexpr (ValueChanging)
      if (is_op(n.kind, ops::divide) && r.is(y, ops::sqrt)) {
        const edge under_root = r.input(y);
        const tensor_spec spec = r.spec(y);
        return made(r, ops::multiply, n, x, r.make(ops::rsqrt, spec, {&under_root, 1}));
      }
    return signs(r, n, x, y);
  }
  // IEEE arithmetic knows no difference between a - b and a + -b.
  static constexpr edge signs(auto& r, const new_node& n, const edge& x, const edge& y) {
    const bool first = r.is(x, ops::neg), second = r.is(y, ops::neg);
    if (!first && !second) return {};
    const edge inside_x = first ? r.input(x) : x, inside_y = second ? r.input(y) : y;
    if (is_op(n.kind, ops::add)) return second ? made(r, ops::subtract, n, x, inside_y) : made(r, ops::subtract, n, y, inside_x);
    if (is_op(n.kind, ops::subtract) && second) return made(r, ops::add, n, x, inside_y);
    if (first && second && any_of(n.kind, {&ops::multiply, &ops::divide})) return made(r, n.kind, n, inside_x, inside_y);
    return {};
  }
  static constexpr edge of_twins(auto& r, const new_node& n, const edge& x) {
    const op& kind = n.kind;
    if (any_of(kind, {&ops::maximum, &ops::minimum, &ops::logical_and, &ops::logical_or, &ops::bitwise_and, &ops::bitwise_or})) return x;
    if (is_op(kind, ops::multiply)) return made(r, ops::square, n, x);
    const bool exact = !is_floating(r.spec(x).dtype);
    if ((exact || ValueChanging) && any_of(kind, {&ops::subtract, &ops::squared_difference, &ops::bitwise_xor})) return number(r, n, 0, x);
    if (exact && any_of(kind, {&ops::equal, &ops::less_equal, &ops::greater_equal})) return number(r, n, 1, x);
    if (exact && any_of(kind, {&ops::not_equal, &ops::less, &ops::greater})) return number(r, n, 0, x);
    return {};
  }

  // One operand, c, has the same bits everywhere; `right` says whether it is the second.
  static constexpr edge with_constant(auto& r, const new_node& n, const edge& x, const edge& c, std::uint64_t bits, bool right) {
    const op& kind = n.kind;
    const dtype d = r.spec(c).dtype;
    const bool exact = !is_floating(d);
    const auto is = [&](const op& o) { return is_op(kind, o); };
    const auto equals = [&](int value) { return bits == element_bits<>::number(d, value); };
    const bool minus_zero = !exact && bits == element_bits<>::sign_bit(d), zero = equals(0) || (ValueChanging && minus_zero);
    edge e{};
    if (d == dtype::boolean) {
      if (is(ops::logical_and)) return bits != 0 ? in_place(r, n, x) : number(r, n, 0, x);
      if (is(ops::logical_or)) return bits == 0 ? in_place(r, n, x) : number(r, n, 1, x);
      return e;
    }
    if (is(ops::add)) {
      if (exact || ValueChanging ? zero : minus_zero) e = in_place(r, n, x);
    } else if (is(ops::subtract)) {
      if (right && zero) e = in_place(r, n, x);
      if (!right && (exact || ValueChanging ? zero : minus_zero) && r.spec(x) == n.spec) e = made(r, ops::neg, n, x);
      if constexpr (ValueChanging)
        if (right && !exact && equals(1) && r.is(x, ops::exp) && r.spec(x) == n.spec) e = made(r, ops::expm1, n, r.input(x));
    } else if (is(ops::multiply)) {
      if (equals(1)) e = in_place(r, n, x);
      else if ((!exact || is_signed(d)) && equals(-1) && r.spec(x) == n.spec) e = made(r, ops::neg, n, x);
      else if ((exact || ValueChanging) && zero) e = number(r, n, 0, x);
    } else if (is(ops::divide)) {
      if (right && equals(1)) e = in_place(r, n, x);
      else if (right) e = times_reciprocal(r, n, x, c, d, bits);
    } else if (is(ops::truncate_divide) || is(ops::floor_divide)) {
      if (right && exact && equals(1)) e = in_place(r, n, x);
    } else if (is(ops::power)) {
      if (right) e = power(r, n, x, d, bits);
    } else if (any_of(kind, {&ops::bitwise_or, &ops::bitwise_xor, &ops::bitwise_and, &ops::left_shift, &ops::right_shift})) {
      const bool keeps = is(ops::bitwise_and) ? bits == element_bits<>::wrapped(d, ~std::uint64_t(0)).bits : zero && (right || kind.is(fact::commutative));
      if (keeps) e = in_place(r, n, x);
      else if (is(ops::bitwise_and) && zero) e = number(r, n, 0, x);
    }
    if (!is_none(e)) return e;
    return exact || ValueChanging ? together(r, n, x, c, bits) : e;
  }
  // (x + 1) + 2 is x + 3, for whatever is associative.
  static constexpr edge together(auto& r, const new_node& n, const edge& x, const edge& c, std::uint64_t bits) {
    if (!r.is(x, n.kind) || !any_of(n.kind, {&ops::add, &ops::multiply, &ops::bitwise_and, &ops::bitwise_or, &ops::bitwise_xor})) return {};
    const dtype d = n.spec.dtype;
    for (std::size_t k = 0; k < 2; ++k) {
      const edge inner = r.input(x, k), rest = r.input(x, 1 - k);
      const known_bits found = r.uniform(inner);
      if (!found.known || r.spec(inner).shape.rank != 0 || r.spec(c).shape.rank != 0) continue;
      const std::uint64_t both[] = {found.bits, bits};
      const known_bits sum = element_bits<>::apply(n.kind, d, d, both, 2);
      if (sum.known) return made(r, n.kind, n, rest, r.scalar(d, sum.bits));
    }
    return {};
  }
  // A power of two has a reciprocal, and rounding the same real number twice gives the same.
  static constexpr edge times_reciprocal(auto& r, const new_node& n, const edge& x, const edge& c, dtype d, std::uint64_t bits) {
    const std::uint64_t fraction = d == dtype::float32 ? 0x7fffff : 0xfffffffffffff;
    if (is_storage(d) || (!ValueChanging && (bits & fraction) != 0)) return {};
    const std::uint64_t one_by[] = {element_bits<>::number(d, 1), bits};
    const known_bits reciprocal = element_bits<>::is_finite(d, bits) ? element_bits<>::apply(ops::divide, d, d, one_by, 2) : known_bits();
    const bool subnormal = (reciprocal.bits & ~element_bits<>::sign_bit(d)) <= fraction;
    if (!reciprocal.known || subnormal) return {};
    list<std::uint64_t> words;
    for (std::size_t i = 0; i < r.words(c).size(); ++i) words.push_back(reciprocal.bits);
    const tensor_spec spec = r.spec(c);
    return made(r, ops::multiply, n, x, r.constant(spec, words));
  }
  static constexpr edge power(auto& r, const new_node& n, const edge& x, dtype d, std::uint64_t bits) {
    const auto equals = [&](int value) { return bits == element_bits<>::number(d, value); };
    // Whatever it is, its power of 0 is 1.
    if (equals(0)) return number(r, n, 1, x);
    if (!(r.spec(x) == n.spec)) return {};
    if (equals(1)) return x;
    if (equals(2)) return made(r, ops::square, n, x);
    if constexpr (ValueChanging)
      if (is_floating(d)) {
        if (equals(-1)) return made(r, ops::reciprocal, n, x);
        if (bits == half_of(d, false)) return made(r, ops::sqrt, n, x);
        if (bits == half_of(d, true)) return made(r, ops::rsqrt, n, x);
      }
    // Products of integers are exact, and `pow` of floating numbers is one for the smallest exponents; storage dtypes round each.
    const int most = ValueChanging || !is_floating(d) ? 16 : is_storage(d) ? 2 : maths::most_multiplied;
    for (int exponent = 3; exponent <= most; ++exponent)
      if (equals(exponent)) {
        // By squaring, from the second bit of the exponent on.
        edge out = x;
        int bit = 1;
        while (bit * 2 <= exponent) bit *= 2;
        while ((bit /= 2) > 0) {
          out = made(r, ops::square, n, out);
          if ((exponent & bit) != 0) out = made(r, ops::multiply, n, out, x);
        }
        return out;
      }
    return {};
  }
  static constexpr std::uint64_t half_of(dtype d, bool negative) { return element_bits<>::rounded(d, negative ? -0.5 : 0.5).bits; }

  static constexpr edge choice(auto& r, const new_node& n) {
    const edge condition = n.inputs[0], yes = n.inputs[1], no = n.inputs[2];
    if (yes == no && r.is_harmless(condition)) return in_place(r, n, yes);
    const known_bits known = r.uniform(condition);
    if (known.known && r.is_harmless(known.bits != 0 ? no : yes)) return in_place(r, n, known.bits != 0 ? yes : no);
    if (!r.is(condition, ops::logical_not)) return {};
    const edge inputs[] = {r.input(condition), no, yes};
    return r.make(ops::select, n.spec, inputs);
  }

  // What broadcasts anyway is read as it is before, where another operand has the whole shape.
  static constexpr edge with_smaller_operands(auto& r, const new_node& n) {
    bool may = false;
    for (const auto& e : n.inputs) may = may || (r.data(e).kind->is(fact::constant | fact::view) && r.spec(e).shape.rank > 0);
    if (!may || !n.spec.shape.is_static()) return {};
    list<edge> inputs;
    bool changed = false;
    int whole = 0;
    for (const auto& e : n.inputs) {
      edge smaller = e;
      const tensor_spec s = r.spec(e);
      if (s.shape.rank > 0 && r.is_constant(e)) {
        if (const known_bits same = r.uniform(e); same.known) smaller = r.scalar(s.dtype, same.bits);
      } else if (r.is(e, ops::broadcast_to)) {
        smaller = r.input(e);
      }
      changed = changed || !(smaller == e);
      whole += smaller == e && s.shape == n.spec.shape;
      inputs.push_back(smaller);
    }
    if (!changed || whole == 0) return {};
    list<tensor_spec> specs;
    for (const auto& e : inputs) specs.push_back(r.spec(e));
    const inference found = infer(n.kind, specs, n.attributes);
    return !found.failed && found.result == n.spec ? r.make(n.kind, n.spec, inputs, n.attributes) : edge{};
  }

  static constexpr edge views(auto& r, const new_node& n) {
    const edge x = n.inputs[0];
    const tensor_spec& from = r.spec(x);
    const bool same = from == n.spec;
    if (same && is_op(n.kind, ops::broadcast_to)) return x;
    if (is_op(n.kind, ops::transpose)) return transposed(r, n, x);
    if (is_op(n.kind, ops::reverse)) {
      const auto axes = [&](stretch<index> listed) {
        unsigned set = 0;
        for (index a : listed) set |= 1u << (a < 0 ? a + n.spec.shape.rank : a);
        return set;
      };
      const unsigned own = axes(n.integers("axis"));
      if (own == 0) return x;
      return r.is(x, ops::reverse) && axes(r.integers(x, "axis")) == own ? r.input(x) : edge{};
    }
    // A reshape of wildcards checks them.
    if (!n.kind.is(fact::keeps_order) || !n.spec.shape.is_static() || !from.shape.is_static()) return {};
    if (same) return x;
    if (!r.data(x).kind->is(fact::keeps_order) || !r.data(x).kind->is(fact::view)) return {};
    const edge first = r.input(x);
    if (!r.spec(first).shape.is_static()) return {};
    if (r.spec(first) == n.spec) return first;
    list<index> extents;
    for (int a = 0; a < n.spec.shape.rank; ++a) extents.push_back(n.spec.shape[a]);
    const attribute_view with[] = {{"shape", attribute_kind::integers, extents, {}, {}}};
    return r.make(ops::reshape, n.spec, {&first, 1}, with);
  }
  static constexpr edge transposed(auto& r, const new_node& n, const edge& x) {
    const auto order = n.integers("perm");
    const int rank = n.spec.shape.rank;
    const auto axis = [&](index a) { return a < 0 ? a + rank : a; };
    bool stays = true;
    for (int a = 0; a < rank; ++a) stays = stays && axis(order[static_cast<std::size_t>(a)]) == a;
    if (stays) return in_place(r, n, x);
    if (!r.is(x, ops::transpose)) return {};
    const list<index> before = r.integers(x, "perm");
    list<index> both;
    for (index a : order) both.push_back(axis(before[axis(a)]));
    const edge from = r.input(x);
    const attribute_view with[] = {{"perm", attribute_kind::integers, both, {}, {}}};
    return r.make(ops::transpose, n.spec, {&from, 1}, with);
  }
};

}  // namespace detail

/// The graph without nodes that change nothing (x * 1, x / 1, x - 0, reshapes to the same shape, the same dtype), without pairs that
/// undo each other (--x, transposes, reversals, conversions that lose nothing), with cheaper nodes in place of others
/// (a + -b, x / 4, where of a constant). Every bit of every result stays, of integers and floating numbers, unless the options
/// say otherwise; of a NaN that it is one.
template <class Graph = graph_view>
constexpr graph simplify_arithmetic(const std::type_identity_t<Graph>& g, arithmetic_options options = {}) {
  if (options.value_changing) return detail::rewriter<Graph, detail::algebra<true>>().run(g);
  return detail::rewriter<Graph, detail::algebra<false>>().run(g);
}

}  // namespace jig
