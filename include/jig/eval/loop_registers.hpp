// SPDX-License-Identifier: MIT
#pragma once
// Loops over contiguous memory, a register full at a time: what is left over at the ends goes in parts, before it and stored behind it.

#include <jig/eval/expression.hpp>
#include <jig/eval/grouped.hpp>
#include <jig/eval/parallel_for.hpp>
#include <jig/eval/widened_roots.hpp>
#include <jig/ops/extremes.hpp>

namespace jig {

namespace detail {

// The address of a value with one element, wherever its view puts it.
template <class P, int Node>
const void* single_element(const frame<P>& fr) {
  located where = locate<P, Node>(fr);
  return static_cast<const element_at<P, Node>*>(where.data) + where.offset;
}

// What a root has for each place of its step: an element, or a group of them.
template <class Step, int R>
using root_type = grouped<element_at<typename Step::program, Step::root(R)>, Step::elements_at_place(R)>;

// Whether a root is wider in memory than in registers.
template <class Step, int R>
inline constexpr bool is_widened = stores_wider<Step> && Step::program::dtype_at(Step::root(R)) != Step::table.type[Step::stored_entry(R)];

template <class Step, int R, class T, int... K>
[[gnu::always_inline]] inline void store_group(registers<Step, false>& r, T* to, std::integer_sequence<int, K...>) {
  ((to->at[K] = r.template get<Step::stored_entry(R, K)>()), ...);
}
// The registers of a stack, for its first Count places.
template <class Step, int R, index Count, int... K>
[[gnu::always_inline]] inline void store_groups(registers<Step, true>& r, void* to, std::integer_sequence<int, K...>) {
  using T = element_at<typename Step::program, Step::root(R)>;
  store_in_groups<Count, T, typename Step::lead_type>(static_cast<T*>(to), r.template get<Step::stored_entry(R, K)>()...);
}

template <class Step, bool Vector, int R>
[[gnu::always_inline]] inline void store_root(registers<Step, Vector>& r, void* to, index i) {
  using T = root_type<Step, R>;
  constexpr std::make_integer_sequence<int, Step::elements_at_place(R)> elements;
  if constexpr (Step::elements_at_place(R) > 1) {
    if constexpr (Vector) store_groups<Step, R, step_lanes<Step>>(r, static_cast<T*>(to) + i, elements);
    else store_group<Step, R>(r, static_cast<T*>(to) + i, elements);
  } else {
    auto& x = r.template get<Step::stored_entry(R)>();
    using from = type_of<Step::table.type[Step::stored_entry(R)]>;
    if constexpr (!Vector) static_cast<T*>(to)[i] = x;
    else if constexpr (is_widened<Step, R>) spill_widened<from, typename Step::lead_type>(static_cast<T*>(to) + i, x);
    else spill<T, typename Step::lead_type>(static_cast<T*>(to) + i, x);
  }
}

template <class Step, bool Vector, int... R>
[[gnu::always_inline]] inline void store_roots(registers<Step, Vector>& r, void* const* to, [[maybe_unused]] index i,
                                               std::integer_sequence<int, R...>) {
  (store_root<Step, Vector, R>(r, to[R], i), ...);
}

template <class Step>
using root_numbers = std::make_integer_sequence<int, Step::roots>;

// Units: bytes of the widest register full of a step.
template <class Step>
inline constexpr std::size_t register_bytes =
    static_cast<std::size_t>(simd::lanes<typename Step::lead_type>) * sizeof(typename Step::lead_type);

// Units: bytes of what a root has for as many places as a register.
template <class Step>
inline constexpr std::size_t root_bytes = [] {
  std::size_t most = register_bytes<Step>;
  for (int r = 0; r < Step::roots; ++r) {
    const std::size_t width = stores_wider<Step> ? size_of(Step::program::dtype_at(Step::root(r))) : sizeof(typename Step::lead_type);
    const auto bytes = static_cast<std::size_t>(simd::lanes<typename Step::lead_type> * Step::elements_at_place(r)) * width;
    most = bytes > most ? bytes : most;
  }
  return most;
}();

// Up to this many computed nodes a body is cheap enough to be in the program twice.
inline constexpr int small_body = 32;

// Pointers as locals, which stores through them cannot change. Copied without a loop: GCC looks for what it can keep in
// registers before it unrolls.
template <class Step>
struct local_pointers {
  const void* leaf[Step::capacity];
  void* root[Step::roots == 0 ? 1 : Step::roots];
  index places = -1;  // how many there are, where padded reads of a reduction have to know
  [[gnu::always_inline]] local_pointers(const void* const* leaves, void* const* roots) {
    copy(leaf, leaves, std::make_integer_sequence<int, Step::leaves>());
    copy(root, roots, root_numbers<Step>());
  }
  [[gnu::always_inline]] explicit local_pointers(const void* const* leaves) {
    copy(leaf, leaves, std::make_integer_sequence<int, Step::leaves>());
  }
  template <class Pointer, int... K>
  [[gnu::always_inline]] static void copy([[maybe_unused]] Pointer* to, [[maybe_unused]] Pointer const* from,
                                          std::integer_sequence<int, K...>) {
    ((to[K] = from[K]), ...);
  }
};

template <class Step>
[[gnu::always_inline]] inline void loop_singles(const void* const* leaf, void* const* root, index n) {
  const local_pointers<Step> p(leaf, root);
  registers<Step, false> r;
  evaluate_expression<Step, false, true>(r, p.leaf, 0);
  for (index i = 0; i < n; ++i) {
    evaluate_expression<Step, false, false>(r, p.leaf, i, n);
    store_roots<Step, false>(r, p.root, i, root_numbers<Step>());
  }
}

// Whether a body chooses between numbers, which single ones do by jumps.
template <class Step>
inline constexpr bool chooses = [] {
  for (int e = Step::leaves; e < Step::entries; ++e) {
    const op& kind = Step::kind(e);
    if (is_op(kind, ops::maximum) || is_op(kind, ops::minimum) || is_op(kind, ops::select)) return true;
  }
  return false;
}();

// So few elements, of which there are that many at compile time, that all are computed before the first one is stored: then
// results may lie anywhere.
template <class Step>
inline constexpr index most_singles = Step::has_parts && chooses<Step> ? 2 : 4;
template <class Step, index Known>
inline constexpr bool is_few = Step::vectorizable && Known > 0 && (Known <= most_singles<Step>) && Step::table.varying <= 8;

template <class Step, index... K>
[[gnu::always_inline]] inline void loop_few(const void* const* leaf, void* const* root, std::integer_sequence<index, K...>) {
  const local_pointers<Step> p(leaf, root);
  registers<Step, false> r[sizeof...(K)];
  ((evaluate_expression<Step, false, true>(r[K], p.leaf, 0), evaluate_expression<Step, false, false>(r[K], p.leaf, K)), ...);
  (store_roots<Step, false>(r[K], p.root, K, root_numbers<Step>()), ...);
}

// Fewer elements than a register holds, of which there are that many at compile time: read, computed and stored at once.
template <class Step, index Known>
inline constexpr bool is_part = Step::has_parts && Known > 1 && Known < step_lanes<Step>;
// What is left over of a few registers full is read and stored so too. Of more elements it is a register full that ends with the last one.
inline constexpr index most_before_part = 4;
template <class Step, index Known>
inline constexpr index part_behind = Step::has_parts && !Step::has_padded_reads && Step::table.varying <= small_body &&
                                             (Known > step_lanes<Step>) && Known < (most_before_part * step_lanes<Step>)
                                         ? Known % step_lanes<Step>
                                         : 0;

// Stores the first places of a register, of which there are as many at compile time, or in a call.
template <class Step, int R, class T, class N>
[[gnu::always_inline]] inline void store_first(registers<Step, true>& r, T* to, N n) {
  const auto& x = r.template get<Step::stored_entry(R)>();
  using from = type_of<Step::table.type[Step::stored_entry(R)]>;
  using Lead = typename Step::lead_type;
  if constexpr (is_widened<Step, R>) spill_first_widened<from, Lead>(to, x, n);
  else if constexpr (std::is_integral_v<N>) spill_first<T, Lead>(to, x, n);
  else spill_count<N::value, T, Lead>(to, x);
}
// Stores the first Count places of a register.
template <class Step, int R, index Count>
[[gnu::always_inline]] inline void store_count(registers<Step, true>& r, void* to, index i) {
  using T = root_type<Step, R>;
  if constexpr (Count >= step_lanes<Step>) store_root<Step, true, R>(r, to, i);
  else if constexpr (Step::elements_at_place(R) > 1)
    store_groups<Step, R, Count>(r, static_cast<T*>(to) + i, std::make_integer_sequence<int, Step::elements_at_place(R)>());
  else store_first<Step, R>(r, static_cast<T*>(to) + i, std::integral_constant<index, Count>());
}
template <class Step, index N, int... R>
[[gnu::always_inline]] inline void store_first_of_roots(registers<Step, true>& r, void* const* to, [[maybe_unused]] index i,
                                                        std::integer_sequence<int, R...>) {
  (store_count<Step, R, N>(r, to[R], i), ...);
}
template <class Step, index N>
[[gnu::always_inline]] inline void loop_part(const void* const* leaf, void* const* root) {
  const local_pointers<Step> p(leaf, root);
  registers<Step, true> r;
  evaluate_expression<Step, true, true>(r, p.leaf, 0);
  evaluate_expression<Step, true, false, reading{.first = N}>(r, p.leaf, 0);
  store_first_of_roots<Step, N>(r, p.root, 0, root_numbers<Step>());
}

// The same of as many elements as fill a shorter register: half as many lanes divide in half the time, and nothing goes in pieces.
template <class Step, index Known>
inline constexpr bool fills_narrow = [] {
  bool can = is_part<Step, Known> && !Step::has_padded_reads && !Step::has_stacks && is_floating(Step::lead) && !is_storage(Step::lead) &&
             (Known & (Known - 1)) == 0 && Known * static_cast<index>(size_of(Step::lead)) >= simd::detail::narrowest;
  for (int e = 0; e < Step::entries; ++e) can = can && Step::table.type[e] == Step::lead;
  return can;
}();
template <class Step, index Lanes>
struct narrow_step : Step {
  using lead_type = simd::narrowed<typename Step::lead_type, Lanes>;
};
template <class Step, index N>
[[gnu::always_inline]] inline void loop_narrow(const void* const* leaf, void* const* root) {
  using narrow = narrow_step<Step, N>;
  const local_pointers<Step> p(leaf, root);
  registers<narrow, true> r;
  evaluate_expression<narrow, true, true>(r, p.leaf, 0);
  evaluate_expression<narrow, true, false>(r, p.leaf, 0);
  store_roots<narrow, true>(r, p.root, 0, root_numbers<Step>());
}

// Bodies of so few computed nodes take as long as what a loop does for each round: they go through it four times a round, which GCC does
// not do by itself at -O2. Somewhat larger ones go through it twice.
inline constexpr int unrolled_body = 4, most_unrolled_body = 16;

// The registers full from element i on of n that end before `end`, and where the next one begins.
template <class Step, reading At>
[[gnu::always_inline]] inline index loop_registers(registers<Step, true>& r, const local_pointers<Step>& p, index i, index end, index n) {
  const auto one = [&](index at) __attribute__((always_inline)) {
    evaluate_expression<Step, true, false, At>(r, p.leaf, at, n);
    store_roots<Step, true>(r, p.root, at, root_numbers<Step>());
  };
  if constexpr (Step::table.varying <= unrolled_body) {
#pragma GCC unroll 4
    for (; i + step_lanes<Step> <= end; i += step_lanes<Step>) one(i);
  } else if constexpr (Step::table.varying <= most_unrolled_body) {
#pragma GCC unroll 2
    for (; i + step_lanes<Step> <= end; i += step_lanes<Step>) one(i);
  } else {
    for (; i + step_lanes<Step> <= end; i += step_lanes<Step>) one(i);
  }
  return i;
}

// Whether a step stores elements of arrays, of which the others are there before.
template <class Step>
inline constexpr bool updates_elements = [] {
  for (int r = 0; r < Step::roots; ++r)
    if (Step::is_put(r)) return true;
  return false;
}();

// Whether a loop has loaded and computed everything when it begins to store.
template <class Step, index Known>
inline constexpr bool loads_first =
    Known == 1 || is_few<Step, Known> || is_part<Step, Known> ||
    (Step::vectorizable && Known >= step_lanes<Step> && Known < 2 * step_lanes<Step> && Step::table.varying <= small_body);

// Whether a loop is told when it is inside of all its padded reads: what is short is unrolled instead.
template <class Step>
inline constexpr bool has_inside = Step::has_padded_reads && (Step::known_size < 0 || Step::known_size > 4 * step_lanes<Step>);

// Whether a loop begins its registers where its first root is aligned: bodies that do little wait for memory, and accesses that
// cross lines of the cache take twice as long. Other operands most often lie alike, as those of std::vector do.
template <class Step>
inline constexpr bool aligns = Step::roots > 0 && !Step::has_padded_reads && !Step::has_stacks && Step::table.varying <= unrolled_body;
inline constexpr index fewest_aligned = 16;  // registers full

// The first element from which on registers of root 0 are aligned; 0 where that is not worth it.
template <class Step>
[[gnu::always_inline]] inline index first_aligned([[maybe_unused]] void* const* root, index n) {
  if constexpr (aligns<Step>) {
    using T = root_type<Step, 0>;
    constexpr auto bytes = static_cast<std::size_t>(step_lanes<Step>) * sizeof(T);
    const auto over = reinterpret_cast<std::uintptr_t>(root[0]) % bytes;
    if (n >= fewest_aligned * step_lanes<Step> && over % sizeof(T) == 0 && over != 0) return static_cast<index>((bytes - over) / sizeof(T));
  }
  return 0;
}

// At least one register full. What is left over at both ends is computed first, in registers full that begin with the first and end
// with the last element, and stored last: so results may lie exactly on top of leaves. Known is n, or -1.
template <class Step, index Known = -1>
[[gnu::always_inline]] inline void loop_vectors(const void* const* leaf, void* const* root, index n) {
  constexpr index width = step_lanes<Step>;
  const local_pointers<Step> p(leaf, root);
  registers<Step, true> r;
  evaluate_expression<Step, true, true>(r, p.leaf, 0);
  if constexpr (constexpr index part = part_behind<Step, Known>; part > 0) {
    registers<Step, true> last;
    evaluate_expression<Step, true, true>(last, p.leaf, 0);
    evaluate_expression<Step, true, false, reading{.first = part}>(last, p.leaf, Known - part);
    loop_registers<Step, reading{}>(r, p, 0, Known, Known);
    store_first_of_roots<Step, part>(last, p.root, Known - part, root_numbers<Step>());
    return;
  }
  const index begin = first_aligned<Step>(p.root, n), rest = (n - begin) % width;
  if constexpr (Step::table.varying <= small_body) {
    // Set for GCC, which cannot tell that they are when they are stored.
    [[maybe_unused]] registers<Step, true> first{};
    registers<Step, true> last{};
    if constexpr (aligns<Step>) {
      evaluate_expression<Step, true, true>(first, p.leaf, 0);
      if (begin != 0) evaluate_expression<Step, true, false>(first, p.leaf, 0, n);
    }
    evaluate_expression<Step, true, true>(last, p.leaf, 0);
    if (rest != 0) evaluate_expression<Step, true, false>(last, p.leaf, n - width, n);
    index i = begin;
    if constexpr (has_inside<Step>) {
      constexpr padded_read inside = Step::inside_padded_reads;
      constexpr index from = (inside.before + width - 1) / width * width;
      i = loop_registers<Step, reading{}>(r, p, i, from < n ? from : n, n);
      i = loop_registers<Step, reading{.inside = true}>(r, p, i, n - inside.behind, n);
    }
    loop_registers<Step, reading{}>(r, p, i, n, n);
    if (rest != 0) store_roots<Step, true>(last, p.root, n - width, root_numbers<Step>());
    if constexpr (aligns<Step>)
      if (begin != 0) store_roots<Step, true>(first, p.root, 0, root_numbers<Step>());
  } else {
    // The same with the body in the program once: the first round may go to memory of its own.
    alignas(alignment) char last[Step::roots == 0 ? 1 : Step::roots][root_bytes<Step>] = {};
    bool aside = rest != 0;
    index i = aside ? n - width : 0;
    while (true) {
      evaluate_expression<Step, true, false>(r, p.leaf, i, n);
      if (aside) [[unlikely]] {
        [&]<int... R>(std::integer_sequence<int, R...>) { (store_root<Step, true, R>(r, last[R], 0), ...); }(root_numbers<Step>());
        aside = false;
        i = 0;
        continue;
      }
      store_roots<Step, true>(r, p.root, i, root_numbers<Step>());
      i += width;
      if (i + width > n) break;
    }
    if (rest != 0)
      [&]<int... R>(std::integer_sequence<int, R...>) {
        (std::memcpy(static_cast<root_type<Step, R>*>(p.root[R]) + (n - width), last[R],
                     sizeof(root_type<Step, R>) * static_cast<std::size_t>(width)),
         ...);
      }(root_numbers<Step>());
  }
}

// Whether as many elements as the call tells can be read at once, no more than a register holds.
template <class Step>
inline constexpr bool takes_parts = simd::has_parts && Step::has_parts && !Step::has_padded_reads;
// Whether it is worth it where they are reduced: one after another few are as fast, if they do not come under masks.
template <class Step>
inline constexpr bool reads_some = takes_parts<Step> && (simd::cheap_parts || step_lanes<Step> >= 8);
// Whether parts of registers come and go under a mask, or in a few pieces.
template <class Step>
inline constexpr bool parts_are_whole = [] {
  bool words = true;
  for (int e = 0; e < Step::leaves; ++e) words = words && (Step::table.invariant[e] || size_of(Step::table.type[e]) >= 4);
  for (int r = 0; r < Step::roots; ++r) words = words && size_of(Step::table.type[Step::stored_entry(r)]) >= 4;
  return simd::cheap_parts || words;
}();
// Whether integers come in pieces: few of them are reduced as fast one by one, to the same total.
template <class Step>
inline constexpr bool reduces_pieces = [] {
  bool pieces = !parts_are_whole<Step>;
  for (int r = 0; r < Step::reduced; ++r) pieces = pieces && is_integer(Step::table.type[Step::stored_entry(r)]);
  return pieces;
}();
// Whether a step stores where it has read, as the plan has it.
template <class Step>
inline constexpr bool overwrites_leaf = [] {
  using P = typename Step::program;
  for (int l = 0; l < Step::leaves; ++l)
    for (int r = 0; r < Step::roots; ++r) {
      const planned_value &from = P::value(Step::node(l)), &to = P::value(Step::root(r));
      if (!Step::table.invariant[l] && from.place == to.place && from.number == to.number) return true;
    }
  return false;
}();
// Whether they can be stored so too. Where results lie over leaves the next few would wait for the last ones: what is read beyond those
// that are stored counts as the same memory.
template <class Step>
inline constexpr bool stores_some = takes_parts<Step> && !Step::has_stacks && !updates_elements<Step> && !overwrites_leaf<Step>;

// As many elements as the call tells: the last ones are a part of a register.
template <class Step, int... R>
[[gnu::always_inline]] inline void loop_some(const void* const* leaf, void* const* root, index n, std::integer_sequence<int, R...>) {
  constexpr index width = step_lanes<Step>;
  const local_pointers<Step> p(leaf, root);
  registers<Step, true> r;
  evaluate_expression<Step, true, true>(r, p.leaf, 0);
  for (index i = 0; i < n; i += width) {
    const index now = n - i < width ? n - i : width;
    evaluate_expression<Step, true, false, reading{.some = true}>(r, p.leaf, i, now);
    (store_first<Step, R>(r, static_cast<root_type<Step, R>*>(p.root[R]) + i, now), ...);
  }
}

// Memory for a register full of every leaf, with their first `n` elements. Lanes beyond them repeat the last one,
// so that they raise nothing that it does not.
template <class Step>
struct padded_leaves {
  alignas(alignment) char memory[Step::leaves == 0 ? 1 : Step::leaves][register_bytes<Step>];
  const void* leaf[Step::capacity];

  padded_leaves(const void* const* leaves, index n) {
    for (int k = 0; k < Step::leaves; ++k) {
      leaf[k] = leaves[k];
      if (Step::table.invariant[k]) continue;
      auto bytes = size_of(Step::table.type[k]);
      auto* source = static_cast<const char*>(leaves[k]);
      for (index j = 0; j < step_lanes<Step>; ++j)
        std::memcpy(memory[k] + static_cast<std::size_t>(j) * bytes, source + static_cast<std::size_t>(j < n ? j : n - 1) * bytes, bytes);
      leaf[k] = memory[k];
    }
  }
};

// Fewer elements than a register holds, by way of padded memory.
template <class Step>
void loop_padded(const void* const* leaf, void* const* root, index n) {
  padded_leaves<Step> pad(leaf, n);
  alignas(alignment) char out[Step::roots == 0 ? 1 : Step::roots][root_bytes<Step>];
  void* to[Step::roots == 0 ? 1 : Step::roots];
  for (int k = 0; k < Step::roots; ++k) to[k] = out[k];
  loop_vectors<Step>(pad.leaf, to, step_lanes<Step>);
  [&]<int... R>(std::integer_sequence<int, R...>) {
    (std::memcpy(root[R], out[R], sizeof(root_type<Step, R>) * static_cast<std::size_t>(n)), ...);
  }(root_numbers<Step>());
}

}  // namespace detail

}  // namespace jig
