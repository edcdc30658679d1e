// SPDX-License-Identifier: MIT
#pragma once
// The body of a step: its elementwise nodes on the elements at one place, a register full or a single one. All
// intermediates are locals.

#include <jig/eval/apply.hpp>

namespace jig {

namespace detail {

template <class Step>
inline constexpr index step_lanes = simd::lanes<typename Step::lead_type>;

// What is known of a place: whether all that padded reads show there is memory, and of a register that may not be full how many
// elements there are, or that the call tells.
struct reading {
  bool inside = false;
  index first = 0;
  bool some = false;
};

// The first elements of a leaf. What is not there repeats the last one where zeros might raise what that does not.
template <class Step, index N, class T>
[[gnu::always_inline]] inline auto fill_first(const T* from) {
  using Lead = typename Step::lead_type;
  using B = typename register_type<T, Lead, true>::type;
  const auto x = simd::load_part<B, N>(from);
  if constexpr (Step::minds_zeros)
    return xsimd::select(simd::as_mask<B, step_lanes<Step>>(simd::lanes_between<Lead>(0, N)), x, B(from[N - 1]));
  else return x;
}

// The same of as many as the call tells, one at least.
template <class Step, class T>
[[gnu::always_inline]] inline auto fill_some(const T* from, index n) {
  using Lead = typename Step::lead_type;
  using B = typename register_type<T, Lead, true>::type;
  const auto x = simd::load_first<B>(from, n);
  if constexpr (Step::minds_zeros)
    return xsimd::select(simd::as_mask<B, step_lanes<Step>>(simd::lanes_between<Lead>(0, n)), x, B(from[n - 1]));
  else return x;
}

// Whether an entry is the larger or the smaller one of something and a constant that is no NaN.
template <class Step, int Entry>
inline constexpr bool is_extreme_of_number = [] {
  constexpr auto& t = Step::table;
  if constexpr (is_floating(t.type[Entry]) && !is_storage(t.type[Entry]) &&
                (is_op(Step::kind(Entry), ops::maximum) || is_op(Step::kind(Entry), ops::minimum))) {
    using P = typename Step::program;
    constexpr int y = t.operand[Entry][1];
    if constexpr (y < Step::leaves && P::value(Step::node(y < Step::leaves ? y : 0)).place == place::immediate) {
      constexpr auto number = constant_memory<P, Step::node(y)>::elements.at[0];
      return number == number;
    }
  }
  return false;
}();

template <class Step, bool Vector, int Entry, int... K>
[[gnu::always_inline]] inline void compute(registers<Step, Vector>& r, std::integer_sequence<int, K...>) {
  constexpr auto& t = Step::table;
  if constexpr (is_extreme_of_number<Step, Entry>)
    r.template get<Entry>() = functor<Step::kind(Entry)>::apply_number(r.template get<t.operand[Entry][K]>()...);
  else
    r.template of<t.type[Entry]>()[t.number[Entry]] = apply<Step, Vector, Step::kind(Entry), type_of<t.type[Entry]>>(
        types<type_of<t.type[t.operand[Entry][K]]>...>(), r.template of<t.type[t.operand[Entry][K]]>()[t.number[t.operand[Entry][K]]]...);
}

// Whether a body has one place, so that scalars of it may share registers. Bodies of the interpreter have many.
template <class Step>
constexpr bool is_scalar() {
  if constexpr (requires { Step::is_scalar; }) return Step::is_scalar;
  else return false;
}
// How many entries are computed with this one; 0 if another one computes it.
template <class Step, int Entry>
constexpr int computed_with() {
  if constexpr (!is_scalar<Step>() || Entry < Step::leaves) return 1;
  else return Step::table.invariant[Entry] ? 1 : Step::lanes.count[Entry];
}

// The scalars that are computed with Entry, in one register. Lanes without one repeat it.
template <class Step, int Entry, int... K, int... Lane, std::size_t... Member>
[[gnu::always_inline]] inline void compute_lanes(registers<Step, false>& r, std::integer_sequence<int, K...>,
                                                 std::integer_sequence<int, Lane...>, std::index_sequence<Member...>) {
  constexpr auto& t = Step::table;
  using T = type_of<t.type[Entry]>;
  using B = simd::batch<T>;
  using native = simd::native_of<B>;
  using R = typename B::register_type;
  static constexpr auto member = [] {
    std::array<int, sizeof...(Lane)> out{};
    for (std::size_t lane = 0, e = Entry; lane < out.size(); ++lane) {
      out[lane] = lane < sizeof...(Member) ? static_cast<int>(e) : Entry;
      if (Step::lanes.next[e] >= 0) e = static_cast<std::size_t>(Step::lanes.next[e]);
    }
    return out;
  }();
  const auto operand = [&]<int Operand>(std::integral_constant<int, Operand>) __attribute__((always_inline)) {
    return B(std::bit_cast<R>(native{r.template get<t.operand[member[Lane]][Operand]>()...}));
  };
  const B y = functor<Step::kind(Entry)>::apply(operand(std::integral_constant<int, K>())...);
  const auto out = std::bit_cast<native>(static_cast<R>(y));
  ((r.template get<member[Member]>() = out[Member]), ...);
}

/// Where a body finds the elements of its leaves: those at place i of memory that runs along with the space. Other readers have the
/// same members.
template <class Step, bool Vector, reading At = reading()>
struct dense_reader {
  const void* const* leaf;
  index i;
  index n;  // how many places there are, where padded reads have to know, or a register that may not be full

  /// The first element of a leaf that is the same at every place.
  template <int Entry>
  [[gnu::always_inline]] const void* single() const {
    return leaf[Entry];
  }
  /// The elements of a leaf here.
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    constexpr auto& t = Step::table;
    using T = type_of<t.type[Entry]>;
    using Lead = typename Step::lead_type;
    const T* from = static_cast<const T*>(leaf[Entry]);
    if constexpr (constexpr padded_read w = Step::padded_read_at(Entry); w.exists) {
      [[maybe_unused]] const index size = (Step::known_size >= 0 ? Step::known_size : n) - w.before - w.behind;
      if constexpr (At.inside && std::is_same_v<T, bool>) return simd::broadcast_truth<simd::mask<Lead>>(true);
      else if constexpr (At.inside) return fill<T, Lead>(from + (i - w.before));
      else if constexpr (Vector && std::is_same_v<T, bool>) return simd::lanes_between<Lead>(w.before - i, w.before + size - i);
      else if constexpr (Vector) return simd::load_padded<T, step_lanes<Step>>(from, i - w.before, size);
      else if constexpr (std::is_same_v<T, bool>) return i >= w.before && i < w.before + size;
      else return i >= w.before && i < w.before + size ? from[i - w.before] : T(0);
    } else if constexpr (At.first > 0) {
      return fill_first<Step, At.first>(from + i);
    } else if constexpr (At.some) {
      return fill_some<Step>(from + i, n);
    } else if constexpr (Vector) {
      return fill<T, Lead>(from + i);
    } else {
      return from[i];
    }
  }
};

// Whether the last operand of a node is one number for all lanes, which the op takes as that.
template <class Step, int Entry>
inline constexpr bool takes_same = [] {
  constexpr auto& t = Step::table;
  constexpr int last = t.operand[Entry][t.operand_count[Entry] - 1];
  return t.operand_count[Entry] == 2 && t.invariant[last] && is_integer(t.type[last]) && simd::on_integers<Step::kind(Entry)>::takes_same;
}();

template <class Step, int Entry>
[[gnu::always_inline]] inline void compute_same(registers<Step, true>& r) {
  using P = typename Step::program;
  constexpr auto& t = Step::table;
  constexpr int x = t.operand[Entry][0], y = t.operand[Entry][1];
  using on = simd::on_integers<Step::kind(Entry)>;
  auto& out = r.template get<Entry>();
  if constexpr (y < Step::leaves && P::value(Step::node(y)).place == place::immediate) {
    using constant = constant_memory<P, Step::node(y)>;
    if constexpr (requires { out = on::template apply_power<1>(r.template get<x>()); })
      if constexpr (constexpr int bits = simd::bits_of_power(constant::elements.at[0]); bits >= 0) {
        out = on::template apply_power<bits>(r.template get<x>());
        return;
      }
    out = on::template apply_same<step_lanes<Step>>(r.template get<x>(), *constant::data());
  } else {
    out = on::template apply_same<step_lanes<Step>>(r.template get<x>(), simd::to_native(r.template get<y>())[0]);
  }
}

// Reads a leaf or computes a node.
template <class Step, bool Vector, int Entry, class Reader>
[[gnu::always_inline]] inline void evaluate(registers<Step, Vector>& r, const Reader& reader) {
  using P = typename Step::program;
  constexpr auto& t = Step::table;
  if constexpr (constexpr int together = computed_with<Step, Entry>(); !Vector && together != 1) {
    if constexpr (together > 1)
      compute_lanes<Step, Entry>(r, std::make_integer_sequence<int, t.operand_count[Entry]>(),
                                 std::make_integer_sequence<int, static_cast<int>(simd::lanes<type_of<t.type[Entry]>>)>(),
                                 std::make_index_sequence<static_cast<std::size_t>(together)>());
  } else if constexpr (Entry >= Step::leaves) {
    if constexpr (Vector && takes_same<Step, Entry>) {
      compute_same<Step, Entry>(r);
    } else if constexpr (!is_extreme_of_number<Step, Entry> && t.operand_count[Entry] == 2) {
      // Most nodes: a level less for compilers to inline.
      constexpr int x = t.operand[Entry][0], y = t.operand[Entry][1];
      constexpr dtype made = t.type[Entry], left = t.type[x], right = t.type[y];
      r.template of<made>()[t.number[Entry]] = apply<Step, Vector, Step::kind(Entry), type_of<made>>(
          types<type_of<left>, type_of<right>>(), r.template of<left>()[t.number[x]], r.template of<right>()[t.number[y]]);
    } else {
      compute<Step, Vector, Entry>(r, std::make_integer_sequence<int, t.operand_count[Entry]>());
    }
  } else {
    using T = type_of<t.type[Entry]>;
    auto& to = r.template of<t.type[Entry]>()[t.number[Entry]];
    if constexpr (t.invariant[Entry]) {
      // A single element, from the program itself or from memory.
      T x;
      if constexpr (P::value(Step::node(Entry)).place == place::immediate) x = *constant_memory<P, Step::node(Entry)>::data();
      else x = *static_cast<const T*>(reader.template single<Entry>());
      if constexpr (Vector && is_storage_float<T>)
        to = typename register_type<T, typename Step::lead_type, true>::type(static_cast<float>(x));
      else if constexpr (Vector && std::is_same_v<T, bool>) to = simd::broadcast_truth<simd::mask<typename Step::lead_type>>(x);
      else if constexpr (Vector) to = typename register_type<T, typename Step::lead_type, true>::type(x);
      else to = x;
    } else {
      to = reader.template read<Entry>();
    }
  }
}

// Compilers limit the length of one fold.
inline constexpr int chunk = 64;

template <class Step, bool Vector, bool Invariant, int First, class Reader, int... K>
[[gnu::always_inline]] inline void evaluate_chunk(registers<Step, Vector>& r, const Reader& reader, std::integer_sequence<int, K...>) {
  if constexpr (!Invariant && is_scalar<Step>()) (evaluate<Step, Vector, Step::lanes.order[First + K]>(r, reader), ...);
  else (evaluate<Step, Vector, Step::table.order[Invariant][First + K]>(r, reader), ...);
}

}  // namespace detail

/// Computes the entries that are the same at every place (Invariant) or those that differ, where `reader` finds them.
template <class Step, bool Vector, bool Invariant, int First = 0, class Reader>
[[gnu::always_inline]] inline void evaluate_expression(registers<Step, Vector>& r, const Reader& reader) {
  constexpr int count = Step::table.ordered[Invariant], n = count - First < detail::chunk ? count - First : detail::chunk;
  if constexpr (n > 0) detail::evaluate_chunk<Step, Vector, Invariant, First>(r, reader, std::make_integer_sequence<int, n>());
  if constexpr (First + n < count) evaluate_expression<Step, Vector, Invariant, First + n>(r, reader);
}
/// The same at place i of memory that runs along, which has n places.
template <class Step, bool Vector, bool Invariant, detail::reading At = detail::reading()>
[[gnu::always_inline]] inline void evaluate_expression(registers<Step, Vector>& r, const void* const* leaf, index i, index n = -1) {
  constexpr int count = Step::table.ordered[Invariant];
  const detail::dense_reader<Step, Vector, At> reader{leaf, i, n};
  // A level less for compilers to inline.
  if constexpr (count > detail::chunk) evaluate_expression<Step, Vector, Invariant>(r, reader);
  else if constexpr (count > 0) detail::evaluate_chunk<Step, Vector, Invariant, 0>(r, reader, std::make_integer_sequence<int, count>());
}

}  // namespace jig
