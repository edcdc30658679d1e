// SPDX-License-Identifier: MIT
#pragma once
// One fused loop over contiguous memory: all leaves and results advance together, a register full at a time.

#include <jig/eval/blocks.hpp>
#include <jig/eval/body.hpp>

namespace jig {

namespace detail {

// The address of a value with one element, wherever its view puts it.
template <class P, int Node>
const void* single_element(const frame<P>& fr) {
  located where = locate<P, Node>(fr);
  return static_cast<const element_at<P, Node>*>(where.data) + where.offset;
}

// The scalars of a row, each in its place.
template <class Step, int R, class T, int... K>
[[gnu::always_inline]] inline void store_stack(registers<Step, false>& r, T* to, std::integer_sequence<int, K...>) {
  using P = typename Step::program;
  ((to[K] = r.template get<Step::table.entry_of[P::operand(Step::root(R), K)]>()), ...);
}

template <class Step, bool Vector, int R>
[[gnu::always_inline]] inline void store_root(registers<Step, Vector>& r, void* to, index i) {
  using P = typename Step::program;
  using T = element_at<P, Step::root(R)>;
  if constexpr (!Vector && Step::is_stack(R))
    return store_stack<Step, R>(r, static_cast<T*>(to), std::make_integer_sequence<int, P::operand_count(Step::root(R))>());
  auto& x = r.template get<Step::stored_entry(R)>();
  if constexpr (Vector) spill<T, typename Step::lead_type>(static_cast<T*>(to) + i, x);
  else static_cast<T*>(to)[i] = x;
}

template <class Step, bool Vector, int... R>
[[gnu::always_inline]] inline void store_roots(registers<Step, Vector>& r, void* const* to, [[maybe_unused]] index i,
                                               std::integer_sequence<int, R...>) {
  (store_root<Step, Vector, R>(r, to[R], i), ...);
}

template <class Step>
using root_numbers = std::make_integer_sequence<int, Step::roots>;

template <class Step, int R>
using root_type = element_at<typename Step::program, Step::root(R)>;

// Units: bytes of the widest register full of a step.
template <class Step>
inline constexpr std::size_t register_bytes = static_cast<std::size_t>(simd::lanes<typename Step::lead_type>) * sizeof(typename Step::lead_type);

// Up to this many computed nodes a body is cheap enough to be in the program twice.
inline constexpr int small_body = 32;

// Pointers as locals, which stores through them cannot change. Copied without a loop: GCC looks for what it can keep in
// registers before it unrolls.
template <class Step>
struct local_pointers {
  const void* leaf[Step::capacity];
  void* root[Step::roots == 0 ? 1 : Step::roots];
  [[gnu::always_inline]] local_pointers(const void* const* leaves, void* const* roots) {
    copy(leaf, leaves, std::make_integer_sequence<int, Step::leaves>());
    copy(root, roots, root_numbers<Step>());
  }
  [[gnu::always_inline]] explicit local_pointers(const void* const* leaves) {
    copy(leaf, leaves, std::make_integer_sequence<int, Step::leaves>());
  }
  template <class Pointer, int... K>
  [[gnu::always_inline]] static void copy([[maybe_unused]] Pointer* to, [[maybe_unused]] Pointer const* from, std::integer_sequence<int, K...>) {
    ((to[K] = from[K]), ...);
  }
};

template <class Step>
[[gnu::always_inline]] inline void loop_singles(const void* const* leaf, void* const* root, index n) {
  const local_pointers<Step> p(leaf, root);
  registers<Step, false> r;
  evaluate_body<Step, false, true>(r, p.leaf, 0);
  for (index i = 0; i < n; ++i) {
    evaluate_body<Step, false, false>(r, p.leaf, i);
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
inline constexpr bool is_few = Step::vectorizable && Known > 0 && Known <= most_singles<Step> && Step::table.varying <= 8;

template <class Step, index... K>
[[gnu::always_inline]] inline void loop_few(const void* const* leaf, void* const* root, std::integer_sequence<index, K...>) {
  const local_pointers<Step> p(leaf, root);
  registers<Step, false> r[sizeof...(K)];
  ((evaluate_body<Step, false, true>(r[K], p.leaf, 0), evaluate_body<Step, false, false>(r[K], p.leaf, K)), ...);
  (store_roots<Step, false>(r[K], p.root, K, root_numbers<Step>()), ...);
}

// Fewer elements than a register holds, of which there are that many at compile time: read, computed and stored at once.
template <class Step, index Known>
inline constexpr bool is_part = Step::has_parts && Known > 1 && Known < step_lanes<Step>;
// What is left over of a few registers full is read and stored so too. Of more elements it is a register full that ends with the last one.
inline constexpr index most_before_part = 4;
template <class Step, index Known>
inline constexpr index part_behind = Step::has_parts && !Step::has_windows && Step::table.varying <= small_body && Known > step_lanes<Step> && Known < most_before_part * step_lanes<Step>
                                         ? Known % step_lanes<Step> : 0;

template <class Step, index N, int... R>
[[gnu::always_inline]] inline void store_first_of_roots(registers<Step, true>& r, void* const* to, [[maybe_unused]] index i, std::integer_sequence<int, R...>) {
  (simd::store_part<N>(static_cast<root_type<Step, R>*>(to[R]) + i, r.template get<Step::stored_entry(R)>()), ...);
}
template <class Step, index N>
[[gnu::always_inline]] inline void loop_part(const void* const* leaf, void* const* root) {
  const local_pointers<Step> p(leaf, root);
  registers<Step, true> r;
  evaluate_body<Step, true, true>(r, p.leaf, 0);
  evaluate_body<Step, true, false, reading{.first = N}>(r, p.leaf, 0);
  store_first_of_roots<Step, N>(r, p.root, 0, root_numbers<Step>());
}

// Bodies of so few computed nodes take as long as what a loop does for each round: they go through it four times a round, which GCC does
// not do by itself at -O2.
inline constexpr int unrolled_body = 4;

// The registers full from element i on that end before `end`, and where the next one begins.
template <class Step, reading At>
[[gnu::always_inline]] inline index loop_registers(registers<Step, true>& r, const local_pointers<Step>& p, index i, index end) {
  const auto one = [&](index at) __attribute__((always_inline)) {
    evaluate_body<Step, true, false, At>(r, p.leaf, at);
    store_roots<Step, true>(r, p.root, at, root_numbers<Step>());
  };
  if constexpr (Step::table.varying <= unrolled_body) {
#pragma GCC unroll 4
    for (; i + step_lanes<Step> <= end; i += step_lanes<Step>) one(i);
  } else {
    for (; i + step_lanes<Step> <= end; i += step_lanes<Step>) one(i);
  }
  return i;
}

// Whether a loop has loaded and computed everything when it begins to store.
template <class Step, index Known>
inline constexpr bool loads_first = Known == 1 || is_few<Step, Known> || is_part<Step, Known> ||
                                    (Step::vectorizable && Known >= step_lanes<Step> && Known < 2 * step_lanes<Step> && Step::table.varying <= small_body);

// Whether a loop is told when it is inside of all its windows: what is short is unrolled instead.
template <class Step>
inline constexpr bool has_inside = Step::has_windows && Step::known_size > 4 * step_lanes<Step>;

// At least one register full. What is left over is computed first, in a register full that ends with the last element, and
// stored last: so results may lie exactly on top of leaves. Known is n, or -1.
template <class Step, index Known = -1>
[[gnu::always_inline]] inline void loop_vectors(const void* const* leaf, void* const* root, index n) {
  constexpr index width = step_lanes<Step>;
  const local_pointers<Step> p(leaf, root);
  registers<Step, true> r;
  evaluate_body<Step, true, true>(r, p.leaf, 0);
  const index rest = n % width;
  if constexpr (constexpr index part = part_behind<Step, Known>; part > 0) {
    registers<Step, true> last;
    evaluate_body<Step, true, true>(last, p.leaf, 0);
    evaluate_body<Step, true, false, reading{.first = part}>(last, p.leaf, Known - part);
    loop_registers<Step, reading{}>(r, p, 0, Known);
    store_first_of_roots<Step, part>(last, p.root, Known - part, root_numbers<Step>());
  } else if constexpr (Step::table.varying <= small_body) {
    registers<Step, true> last;
    evaluate_body<Step, true, true>(last, p.leaf, 0);
    if (rest != 0) evaluate_body<Step, true, false>(last, p.leaf, n - width);
    index i = 0;
    if constexpr (has_inside<Step>) {
      constexpr window inside = Step::inside_windows;
      constexpr index begin = (inside.before + width - 1) / width * width, end = inside.before + inside.size;
      i = loop_registers<Step, reading{}>(r, p, i, begin < n ? begin : n);
      i = loop_registers<Step, reading{.inside = true}>(r, p, i, end);
    }
    loop_registers<Step, reading{}>(r, p, i, n);
    if (rest != 0) store_roots<Step, true>(last, p.root, n - width, root_numbers<Step>());
  } else {
    // The same with the body in the program once: the first round may go to memory of its own.
    alignas(alignment) char last[Step::roots == 0 ? 1 : Step::roots][register_bytes<Step>] = {};
    bool aside = rest != 0;
    index i = aside ? n - width : 0;
    while (true) {
      evaluate_body<Step, true, false>(r, p.leaf, i);
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
  alignas(alignment) char out[Step::roots == 0 ? 1 : Step::roots][register_bytes<Step>];
  void* to[Step::roots == 0 ? 1 : Step::roots];
  for (int k = 0; k < Step::roots; ++k) to[k] = out[k];
  loop_vectors<Step>(pad.leaf, to, step_lanes<Step>);
  [&]<int... R>(std::integer_sequence<int, R...>) {
    (std::memcpy(root[R], out[R], sizeof(root_type<Step, R>) * static_cast<std::size_t>(n)), ...);
  }(root_numbers<Step>());
}

// Whether the results of a step go past the caches where they are large: all are results of the call, and no other step
// reads them.
template <class Step>
inline constexpr bool streams = [] {
  using P = typename Step::program;
  if (!simd::has_streaming || !Step::vectorizable || P::is_body || Step::roots == 0) return false;
  for (int r = 0; r < Step::roots; ++r) {
    const int v = Step::root(r);
    const dtype d = P::dtype_at(v);
    if (P::value(v).place != place::result || d == dtype::boolean || is_storage(d) || size_of(d) != size_of(P::dtype_at(Step::root(0)))) return false;
    if (static_cast<std::size_t>(step_lanes<Step>) * size_of(d) < simd::detail::narrowest) return false;
    for (int i = 0; i < P::plan.size.leaves; ++i)
      if (P::base(P::plan.leaves.items[i]) == v) return false;
  }
  return true;
}();

// Results of so many bytes are streamed. Smaller ones may still be in a cache when somebody reads them: with 32 MiB of it,
// streaming was slower up to 12 MiB if the result was read at once, and faster from 1 MiB on if not.
inline constexpr index streamed_bytes = index{16} << 20;

template <class Step>
constexpr bool is_streamed(index n) {
  if constexpr (streams<Step>) return n * static_cast<index>(sizeof(root_type<Step, 0>)) >= streamed_bytes;
  else return false;
}

// Units: bytes of a register full of a root, of a step that streams.
template <class Step>
inline constexpr std::size_t streamed_register = static_cast<std::size_t>(step_lanes<Step>) * sizeof(root_type<Step, 0>);

// Whether the roots begin at one offset from a multiple of the register size, and none of them on top of a leaf.
template <class Step>
inline bool can_stream(const void* const* leaf, void* const* root) {
  constexpr auto mask = static_cast<std::uintptr_t>(streamed_register<Step>) - 1;
  const auto offset = reinterpret_cast<std::uintptr_t>(root[0]) & mask;
  bool can = offset % sizeof(root_type<Step, 0>) == 0;
  for (int r = 0; r < Step::roots; ++r) {
    can = can && (reinterpret_cast<std::uintptr_t>(root[r]) & mask) == offset;
    for (int l = 0; l < Step::leaves; ++l) can = can && leaf[l] != root[r];
  }
  return can;
}

template <class Step, int... R>
[[gnu::always_inline]] inline void stream_roots(registers<Step, true>& r, void* const* to, index i, std::integer_sequence<int, R...>) {
  (simd::stream(static_cast<root_type<Step, R>*>(to[R]) + i, r.template get<Step::stored_entry(R)>()), ...);
}

// As loop_vectors. The first register full reaches up to where the roots are aligned, the last one to their end.
template <class Step>
[[gnu::noinline]] void loop_streaming(const void* const* leaf, void* const* root, index n) {
  constexpr index width = step_lanes<Step>;
  const local_pointers<Step> p(leaf, root);
  const auto offset = reinterpret_cast<std::uintptr_t>(root[0]) % streamed_register<Step>;
  const index first = offset == 0 ? 0 : static_cast<index>((streamed_register<Step> - offset) / sizeof(root_type<Step, 0>));
  registers<Step, true> r;
  evaluate_body<Step, true, true>(r, p.leaf, 0);
  for (index end : {index{0}, n - width}) {
    evaluate_body<Step, true, false>(r, p.leaf, end);
    store_roots<Step, true>(r, p.root, end, root_numbers<Step>());
  }
  for (index i = first; i + width <= n; i += width) {
    evaluate_body<Step, true, false>(r, p.leaf, i);
    stream_roots<Step>(r, p.root, i, root_numbers<Step>());
  }
  simd::end_streaming();
}

// The loop for extents that only the call knows.
template <class Step>
[[gnu::always_inline]] inline void run_any_length(const void* const* leaf, void* const* root, index n) {
  if constexpr (!Step::vectorizable) {
    loop_singles<Step>(leaf, root, n);
  } else {
    if constexpr (streams<Step>)
      if (is_streamed<Step>(n) && can_stream<Step>(leaf, root)) [[unlikely]]
        return loop_streaming<Step>(leaf, root, n);
    if (n >= step_lanes<Step>) loop_vectors<Step>(leaf, root, n);
    else if constexpr (Step::table.varying <= small_body) loop_singles<Step>(leaf, root, n);
    else if (n > 0) loop_padded<Step>(leaf, root, n);
  }
}

// It is in the program once. Pointers travel as parameters: written to memory one by one and read back together they would
// stall the call.
template <class Step, class Leaves, class Roots>
struct any_length;
template <class Step, int... L, int... R>
struct any_length<Step, std::integer_sequence<int, L...>, std::integer_sequence<int, R...>> {
  template <int>
  using leaf_pointer = const void*;
  template <int>
  using root_pointer = void*;
  [[gnu::noinline]] static void run(index n, root_pointer<R>... root, leaf_pointer<L>... leaf) {
    if (is_shared(n)) [[unlikely]] return share(n, root..., leaf...);
    const void* leaves[] = {leaf..., nullptr};
    void* roots[] = {root..., nullptr};
    run_any_length<Step>(leaves, roots, n);
  }
  [[gnu::noinline, gnu::cold]] static void share(index n, root_pointer<R>... root, leaf_pointer<L>... leaf) {
    const void* leaves[] = {leaf..., nullptr};
    void* roots[] = {root..., nullptr};
    static constexpr index bytes[] = {(Step::table.invariant[L] ? 0 : static_cast<index>(sizeof(type_of<Step::table.type[L]>)))...,
                                      static_cast<index>(sizeof(root_type<Step, R>))..., 0};
    run_function in_block = &run_block;
    if constexpr (streams<Step>)
      if (is_streamed<Step>(n) && can_stream<Step>(leaves, roots)) in_block = &loop_streaming<Step>;
    share_run(leaves, Step::leaves, roots, Step::roots, bytes, n, in_block);
  }
  [[gnu::always_inline]] static void spread(const void* const* leaf, void* const* root, index n) {
    run(n, root[R]..., leaf[L]...);
  }
  // Has an address, which what is always inline must not need.
  static void run_block(const void* const* leaf, void* const* root, index n) { spread(leaf, root, n); }
};

template <class Step>
[[gnu::always_inline]] inline void run_contiguous(const void* const* leaf, void* const* root, index n) {
  any_length<Step, std::make_integer_sequence<int, Step::leaves>, root_numbers<Step>>::spread(leaf, root, n);
}

}  // namespace detail

/// Runs the body of a step over n contiguous elements of all leaves and roots. Known is n where it is known at compile
/// time, else -1.
template <class Step, index Known = -1>
[[gnu::always_inline]] inline void run_loop(const void* const* leaf, void* const* root, index n) {
  static_assert(!Step::has_windows || (Known >= 0 && Known < 2 * detail::shared_length), "jig: a window in a loop of unknown length");
  if constexpr (Known < 0 || Known >= 2 * detail::shared_length || detail::is_streamed<Step>(Known)) {
    detail::run_contiguous<Step>(leaf, root, n);
  } else if constexpr (detail::is_few<Step, Known>) {
    detail::loop_few<Step>(leaf, root, std::make_integer_sequence<index, Known>());
  } else if constexpr (detail::is_part<Step, Known>) {
    detail::loop_part<Step, Known>(leaf, root);
  } else if constexpr (!Step::vectorizable || Known == 1 ||
                       (Known < detail::step_lanes<Step> && (Step::has_windows || Known * Step::table.varying <= 256))) {
    detail::loop_singles<Step>(leaf, root, Known);
  } else if constexpr (Known >= detail::step_lanes<Step>) {
    detail::loop_vectors<Step, Known>(leaf, root, Known);
  } else {
    detail::loop_padded<Step>(leaf, root, Known);
  }
}

}  // namespace jig
