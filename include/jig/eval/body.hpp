// SPDX-License-Identifier: MIT
#pragma once
// The body of a step: its elementwise nodes on the elements at one place, a register full or a single one. All
// intermediates are locals.

#include <jig/eval/program.hpp>
#include <jig/eval/simd.hpp>

namespace jig {

/// The body of step S of program P, as tables. Its entries are the leaves, then the computed nodes.
template <class P, int S>
struct step {
  using program = P;
  static constexpr int number = S;
  static constexpr planned_step plan = P::plan.steps.items[S];
  static constexpr int leaves = plan.leaves.count;
  static constexpr int roots = plan.roots.count;
  static constexpr int entries = leaves + plan.body.count;

  static constexpr int node(int entry) {
    return entry < leaves ? P::plan.leaves.items[plan.leaves.first + entry] : P::plan.body.items[plan.body.first + entry - leaves];
  }
  static constexpr int root(int r) { return P::plan.roots.items[plan.roots.first + r]; }

  struct tables {
    int entry_of[P::graph.size()] = {};       // by node
    bool invariant[entries == 0 ? 1 : entries] = {};  // the same at every place
    int number_of[entries == 0 ? 1 : entries] = {};   // among the entries of its dtype
    int count[dtype_count] = {};              // of entries by dtype
    int varying = 0;                          // computed nodes that differ from place to place
  };
  static constexpr tables table = [] {
    tables t;
    for (int e = 0; e < entries; ++e) {
      int v = node(e);
      t.entry_of[v] = e;
      bool one = P::extents(v).size() == 1 && P::extents(plan.space).size() != 1;
      bool fixed = e < leaves ? one || P::value(v).place == place::immediate : true;
      if (e >= leaves)
        for (const auto& in : P::graph.inputs_of(v)) fixed = fixed && t.invariant[t.entry_of[in.node]];
      t.invariant[e] = fixed;
      if (e >= leaves && !fixed) ++t.varying;
      t.number_of[e] = t.count[static_cast<int>(P::dtype_at(v))]++;
    }
    return t;
  }();

  /// The entry that root r stores: itself, or for a reduction its operand.
  static constexpr int stored_entry(int r) {
    int v = root(r);
    return table.entry_of[plan.kind == step_kind::loop ? v : P::operand(v, 0)];
  }

  /// The dtype whose registers the body is computed in: all others have its size, or are bool.
  static constexpr dtype lead = [] {
    for (int e = 0; e < entries; ++e)
      if (P::dtype_at(node(e)) != dtype::boolean) return P::dtype_at(node(e));
    return dtype::uint8;
  }();
  /// Whether a register full at a time can be computed.
  static constexpr bool vectorizable = [] {
    for (int e = 0; e < entries; ++e) {
      dtype d = P::dtype_at(node(e));
      if (d == dtype::string || (d != dtype::boolean && size_of(d) != size_of(lead))) return false;
    }
    return true;
  }();
  using lead_type = type_of<lead>;
};

/// Pointers to the first element of every leaf and root of a step.
template <class Step>
struct pointers {
  const void* leaf[Step::leaves == 0 ? 1 : Step::leaves];
  void* root[Step::roots == 0 ? 1 : Step::roots];
};

namespace detail {

template <class T, class Lead, bool Vector>
struct register_type {
  using type = T;
};
template <class T, class Lead>
struct register_type<T, Lead, true> {
  using type = simd::batch<T>;
};
template <class Lead>
struct register_type<bool, Lead, true> {
  using type = simd::mask<Lead>;
};
template <class Lead>
struct register_type<std::string, Lead, true> {
  using type = std::string;
};

template <class T, int N, class Lead, bool Vector>
struct register_bank {
  typename register_type<T, Lead, Vector>::type at[N];
};
template <class T, class Lead, bool Vector>
struct register_bank<T, 0, Lead, Vector> {};

template <class Step, bool Vector, class Dtypes>
struct all_banks;
template <class Step, bool Vector, std::size_t... D>
struct all_banks<Step, Vector, std::index_sequence<D...>>
    : register_bank<type_of<static_cast<dtype>(D)>, Step::table.count[D], typename Step::lead_type, Vector>... {};

}  // namespace detail

/// The values of all entries of a body at one place.
template <class Step, bool Vector>
struct registers : detail::all_banks<Step, Vector, std::make_index_sequence<dtype_count>> {
  template <int Entry>
  [[gnu::always_inline]] auto& get() {
    constexpr dtype d = Step::program::dtype_at(Step::node(Entry));
    using bank = detail::register_bank<type_of<d>, Step::table.count[static_cast<int>(d)], typename Step::lead_type, Vector>;
    return static_cast<bank&>(*this).at[Step::table.number_of[Entry]];
  }
};

namespace detail {

template <const op& Op, class To>
concept converts = requires { meaning<Op>::template convert<To>(To()); };

// One element of each operand in, one out.
template <const op& Op, class Out, class... In>
[[gnu::always_inline]] inline Out apply_single(const In&... x) {
  using First = std::tuple_element_t<0, std::tuple<In..., void>>;
  if constexpr (converts<Op, Out>) {
    return meaning<Op>::template convert<Out>(x...);
  } else if constexpr (Op.is(fact::approximate) && (std::is_floating_point_v<In> && ...)) {
    return meaning<Op>::apply(simd::batch<In>(x)...).get(0);
  } else if constexpr (Op.is(fact::wraps) && std::is_integral_v<First> && !std::is_same_v<First, bool>) {
    // At least as wide as int: smaller types would be promoted to a signed one.
    using wide = std::conditional_t<sizeof(First) < 4, std::uint32_t, std::make_unsigned_t<First>>;
    return static_cast<Out>(meaning<Op>::apply(static_cast<wide>(x)...));
  } else {
    return static_cast<Out>(meaning<Op>::apply(x...));
  }
}

template <class T, class Lead>
[[gnu::always_inline]] inline void spill(T* to, const typename register_type<T, Lead, true>::type& x) {
  if constexpr (std::is_same_v<T, bool>) simd::store_mask<Lead>(to, x);
  else simd::store<T>(to, x);
}
template <class T, class Lead>
[[gnu::always_inline]] inline auto fill(const T* from) {
  if constexpr (std::is_same_v<T, bool>) return simd::load_mask<Lead>(from);
  else return simd::load<T>(from);
}

template <class T, class Lead>
struct spilled {
  alignas(alignment) T at[simd::lanes<Lead>];
};

// Element by element, for ops that have no meaning on batches.
template <const op& Op, class Out, class Lead, class... In>
[[gnu::noinline]] auto apply_lanes(const typename register_type<In, Lead, true>::type&... x) {
  std::tuple<spilled<In, Lead>...> in;
  std::apply([&](auto&... s) { (spill<In, Lead>(s.at, x), ...); }, in);
  spilled<Out, Lead> out;
  std::apply(
      [&](const auto&... s) {
        for (index k = 0; k < simd::lanes<Lead>; ++k) out.at[k] = apply_single<Op, Out, In...>(s.at[k]...);
      },
      in);
  return fill<Out, Lead>(out.at);
}

template <class To, class From, class Lead>
inline constexpr bool converts_as_batch =
    std::is_same_v<To, bool> || std::is_same_v<From, bool> || std::is_same_v<To, From> ||
    (std::is_integral_v<To> && std::is_integral_v<From>) ||
    (std::is_floating_point_v<To> && std::is_same_v<From, std::int32_t> && sizeof(To) == 4);

template <class To, class From, class Lead>
[[gnu::always_inline]] inline auto convert_batch(const typename register_type<From, Lead, true>::type& x) {
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (std::is_same_v<To, bool>) return simd::mask_cast<Lead>(x != simd::batch<From>(From(0)));
  else if constexpr (std::is_same_v<From, bool>) return xsimd::select(simd::mask_cast<To>(x), simd::batch<To>(To(1)), simd::batch<To>(To(0)));
  else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) return simd::reinterpret<To>(x);
  else return xsimd::batch_cast<To>(x);
}

// A mask in the width of the batches it goes together with.
template <class T, class Lead, class Partner, class R>
[[gnu::always_inline]] inline auto as_operand(const R& x) {
  if constexpr (std::is_same_v<T, bool> && !std::is_same_v<Partner, bool>) return simd::mask_cast<Partner>(x);
  else return x;
}

// A register full of each operand in, one out.
template <const op& Op, class Out, class Lead, class... In>
[[gnu::always_inline]] inline auto apply_batch(const typename register_type<In, Lead, true>::type&... x) {
  using First = std::tuple_element_t<0, std::tuple<In..., void>>;
  // The dtype of the batches among the operands and the result; bool if there is none.
  using last_operand = std::tuple_element_t<sizeof...(In) - 1, std::tuple<In...>>;
  if constexpr (converts<Op, Out>) {
    if constexpr (converts_as_batch<Out, First, Lead>) return convert_batch<Out, First, Lead>(x...);
    else return apply_lanes<Op, Out, Lead, In...>(x...);
  } else if constexpr (Op.is(fact::lanewise) || (Op.is(fact::floats_only) && !std::is_floating_point_v<First>)) {
    return apply_lanes<Op, Out, Lead, In...>(x...);
  } else if constexpr (Op.is(fact::wraps) && std::is_integral_v<First> && std::is_signed_v<First>) {
    using unsigned_type = canonical<std::make_unsigned_t<First>>;
    return simd::reinterpret<Out>(meaning<Op>::apply(simd::reinterpret<unsigned_type>(x)...));
  } else {
    auto y = meaning<Op>::apply(as_operand<In, Lead, last_operand>(x)...);
    if constexpr (std::is_same_v<Out, bool>) {
      using mask_of = std::conditional_t<std::is_same_v<last_operand, bool>, Lead, last_operand>;
      return simd::mask_cast<Lead, mask_of>(y);
    } else {
      return y;
    }
  }
}

template <class Step, bool Vector, int Entry, int... Operand>
[[gnu::always_inline]] inline void compute(registers<Step, Vector>& r, std::integer_sequence<int, Operand...>) {
  using P = typename Step::program;
  constexpr int v = Step::node(Entry);
  using Out = element_at<P, v>;
  if constexpr (Vector)
    r.template get<Entry>() =
        apply_batch<P::kind(v), Out, typename Step::lead_type, element_at<P, P::operand(v, Operand)>...>(
            r.template get<Step::table.entry_of[P::operand(v, Operand)]>()...);
  else
    r.template get<Entry>() = apply_single<P::kind(v), Out, element_at<P, P::operand(v, Operand)>...>(
        r.template get<Step::table.entry_of[P::operand(v, Operand)]>()...);
}

// Reads a leaf or computes a node.
template <class Step, bool Vector, int Entry>
[[gnu::always_inline]] inline void evaluate(registers<Step, Vector>& r, const void* const* leaf, index i) {
  using P = typename Step::program;
  constexpr int v = Step::node(Entry);
  using T = element_at<P, v>;
  if constexpr (Entry >= Step::leaves) {
    compute<Step, Vector, Entry>(r, std::make_integer_sequence<int, P::operand_count(v)>());
  } else if constexpr (Step::table.invariant[Entry]) {
    // A single element, from the program itself or from memory.
    T x;
    if constexpr (P::value(v).place == place::immediate) x = *constant_memory<P, v>::data();
    else x = *static_cast<const T*>(leaf[Entry]);
    if constexpr (Vector) r.template get<Entry>() = typename register_type<T, typename Step::lead_type, true>::type(x);
    else r.template get<Entry>() = x;
  } else if constexpr (Vector) {
    r.template get<Entry>() = fill<T, typename Step::lead_type>(static_cast<const T*>(leaf[Entry]) + i);
  } else {
    r.template get<Entry>() = static_cast<const T*>(leaf[Entry])[i];
  }
}

// Compilers limit the length of one fold.
inline constexpr int chunk = 64;

template <class Step, bool Vector, bool Invariant, int First, int... K>
[[gnu::always_inline]] inline void evaluate_chunk(registers<Step, Vector>& r, const void* const* leaf, index i,
                                                  std::integer_sequence<int, K...>) {
  (
      [&] {
        if constexpr (Step::table.invariant[First + K] == Invariant) evaluate<Step, Vector, First + K>(r, leaf, i);
      }(),
      ...);
}

}  // namespace detail

/// Computes the entries that are the same at every place (Invariant) or those that differ, at place i.
template <class Step, bool Vector, bool Invariant, int First = 0>
[[gnu::always_inline]] inline void evaluate_body(registers<Step, Vector>& r, const void* const* leaf, index i) {
  if constexpr (First < Step::entries) {
    constexpr int n = Step::entries - First < detail::chunk ? Step::entries - First : detail::chunk;
    detail::evaluate_chunk<Step, Vector, Invariant, First>(r, leaf, i, std::make_integer_sequence<int, n>());
    evaluate_body<Step, Vector, Invariant, First + n>(r, leaf, i);
  }
}

}  // namespace jig
