// SPDX-License-Identifier: MIT
#pragma once
// Structures of traced values: what branches give and loops carry.

#include <jig/trace/trace.hpp>

namespace jig::detail {

// The type of a traced value like a leaf of a result: literals and tensors become constants.
template <class X>
struct traced_leaf {
  using type = typename symbol_of_spec<typename argument<std::conditional_t<Argument<X>, X, float>>::spec_type>::type;
};
template <class X>
  requires(is_symbol<X> && !is_weak<X>)
struct traced_leaf<X> {
  using type = typename symbol_of_spec<typename operand_spec<X>::type>::type;
};
template <class X>
  requires(is_weak<X> && world_of<X> == world::traced)
struct traced_leaf<X> {
  using type = weak_symbol<typename X::value_type>;
};
template <Constant X>
struct traced_leaf<X> {
  using type = symbol<canonical<typename X::value_type>>;
};
template <class X>
  requires(world_of<X> == world::dynamic)
struct traced_leaf<X> {
  using type = dynamic_symbol;
};

template <class X, class Leaves = leaves_of<X>>
inline constexpr bool holds_dynamic = false;
template <class X, class... L>
inline constexpr bool holds_dynamic<X, leaf_list<L...>> = (is_dynamic<L> || ...);
template <class X, class Leaves = leaves_of<X>>
inline constexpr bool holds_recorded = false;
template <class X, class... L>
inline constexpr bool holds_recorded<X, leaf_list<L...>> = (is_recorded<L> || ...);

// In a dynamic trace all leaves are dynamic.
template <class X, bool Dynamic>
using traced_like = typename traced_leaf<std::conditional_t<Dynamic, dynamic_symbol, X>>::type;

template <bool Dynamic, class X>
constexpr edge place_in(builder* b, const X& x) {
  if constexpr (Dynamic) return dynamic_place(*b, x);
  else return result_place(*b, x);
}

// A structure like x of traced values of their own.
template <bool Dynamic, class X>
constexpr auto traced_copy(builder* b, const X& x) {
  return map_leaves(x, [b]<class L>(const L& leaf) {
    if constexpr (is_dynamic<L>) return traced_like<L, true>(b, place_in<true>(b, leaf), leaf.typing());
    else return traced_like<L, Dynamic>(b, place_in<Dynamic>(b, leaf));
  });
}

// A structure of the type of x, or of y, whose values are not known yet, and if they are dynamic, nor are their specs. What one of the two
// has a dtype for is no weak number.
template <class X, class Y, bool Dynamic>
constexpr auto traced_unknown(builder* b) {
  using S = structure<X>;
  if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using parts_t = std::tuple<decltype(traced_unknown<part<X, I>, part<Y, I>, Dynamic>(b))...>;
      parts_t parts{traced_unknown<part<X, I>, part<Y, I>, Dynamic>(b)...};
      return S::make(std::get<I>(parts)...);
    }(std::make_index_sequence<S::size>());
  } else {
    using T = traced_like<std::conditional_t<is_weak<X>, Y, X>, Dynamic>;
    if constexpr (Dynamic) return T(b, b->parameter({}));
    else return T(b, b->parameter(T::spec_type::value()));
  }
}

// Whether values of a structure Y can be assigned to one of a structure X.
template <class X, class Y, bool Dynamic>
constexpr bool same_structure() {
  if constexpr (structure<X>::nested && structure<Y>::nested) {
    if constexpr (structure<X>::size != structure<Y>::size) return false;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (same_structure<part<X, I>, part<Y, I>, Dynamic>() && ...);
      }(std::make_index_sequence<structure<X>::size>());
  } else if constexpr (structure<X>::nested || structure<Y>::nested) {
    return false;
  } else {
    if constexpr (Dynamic) return true;
    else return std::is_same_v<typename traced_leaf<X>::type::spec_type, typename traced_leaf<Y>::type::spec_type>;
  }
}

// The values of another structure of as many leaves.
template <class X, class Y>
constexpr void assign_all(builder* b, X& to, const Y& from) {
  list<edge> places;
  for_each_leaf(from, [&](const auto& leaf) { places.push_back(place_in<holds_dynamic<X>>(b, leaf)); });
  int next = 0;
  for_each_leaf(to, [&]<class L>(L& leaf) { leaf = L(b, places[next++]); });
}

template <class F, class X>
constexpr auto apply_to(F& f, X& x) {
  if constexpr (structure<X>::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return f(structure<X>::template get<I>(x)...);
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    return f(x);
  }
}

template <class X>
constexpr list<tensor_spec> specs_of_leaves() {
  return []<class... L>(leaf_list<L...>) { return list<tensor_spec>{traced_leaf<L>::type::spec_type::value()...}; }(leaves_of<X>());
}
template <class X>
list<tensor_spec> specs_now(const X& x) {
  list<tensor_spec> specs;
  for_each_leaf(x, [&](const auto& leaf) { specs.push_back(spec_now(leaf)); });
  return specs;
}

// The specs of the leaves in the brackets of the structure.
template <class X>
constexpr void describe(message& m, const list<tensor_spec>& specs, int& next) {
  if constexpr (structure<X>::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      m << '(';
      ((m << (I == 0 ? "" : "; "), describe<part<X, I>>(m, specs, next)), ...);
      m << ')';
    }(std::make_index_sequence<structure<X>::size>());
  } else {
    m << specs[next++];
  }
}
template <class X>
constexpr void describe(message& m, const list<tensor_spec>& specs) {
  int next = 0;
  describe<X>(m, specs, next);
}
template <class X, class Y>
constexpr message structures_differ(std::string_view name, const list<tensor_spec>& x, const list<tensor_spec>& y) {
  message m;
  m << name << ": ";
  describe<X>(m, x);
  m << " and ";
  describe<Y>(m, y);
  m << (name == "cond"
            ? " differ: both branches must return values of equal specs"
            : " differ: a value that a loop carries must keep its spec, or have wildcard extents declared with jig::shape_invariants");
  return m;
}
template <text Op, class X, class Y>
struct structure_reason {
  static constexpr message sentence = structures_differ<X, Y>(Op.view(), specs_of_leaves<X>(), specs_of_leaves<Y>());
};
// Of values that are traced at run time the types say only how they are nested.
template <text Op, bool Dynamic, class X, class Y>
constexpr auto refuse_structures() {
  if constexpr (Dynamic)
    return refuse_with<"cond and while_loop: both branches, and the body and its arguments, must be structures of the same kind", X, Y>();
  else return refuse<structure_reason<Op, X, Y>>();
}
template <class X, class Y>
void check_same_specs(std::string_view name, const X& x, const Y& y) {
  const list<tensor_spec> first = specs_now(x), second = specs_now(y);
  bool same = true;
  for (std::size_t k = 0; k < first.size(); ++k) same = same && first[k] == second[k];
  if (!same) throw_invalid_argument(structures_differ<X, Y>(name, first, second).view());
}

// The builder of the first traced value in a structure.
template <class X>
constexpr builder* builder_in(const X& x) {
  builder* b = nullptr;
  for_each_leaf(x, [&]<class L>(const L& leaf) {
    if constexpr (is_recorded<L>) b = leaf.builder();
  });
  return b;
}

}  // namespace jig::detail
