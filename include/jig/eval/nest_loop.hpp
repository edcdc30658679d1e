// SPDX-License-Identifier: MIT
#pragma once
// Elementwise steps whose operands lie in different ways: broadcast, strided, reversed, transposed, with short axes. The innermost
// axes of the results are one run of memory, which is cut into blocks of registers; how each register of each operand is found is the
// same for all blocks and known at compile time.

#include <jig/eval/as_planned.hpp>
#include <jig/eval/flat_nest.hpp>
#include <jig/eval/twin_leaves.hpp>

namespace jig::detail {

// T in a register of a step.
template <class T, class Lead, class N>
[[gnu::always_inline]] inline auto to_register(const N& x) {
  using R = typename register_type<T, Lead, true>::type;
  if constexpr (!std::is_same_v<T, bool> && !is_storage_float<T> && sizeof(R) == sizeof(N)) {
    return R(std::bit_cast<typename R::register_type>(x));
  } else {
    alignas(alignment) T at[static_cast<std::size_t>(simd::lanes<Lead>)];
    std::memcpy(static_cast<void*>(at), &x, sizeof(at));
    return fill<T, Lead>(at);
  }
}
template <class Step, class Axes, int Axis, int Rows>
inline constexpr index size_of_block = Rows * Axes::axes.size_from(Axis + 1);
template <class Step, class Axes, int Axis, int Rows>
inline constexpr int registers_of_block =
    static_cast<int>((size_of_block<Step, Axes, Axis, Rows> + step_lanes<Step> - 1) / step_lanes<Step>);
// The registers of an operand in a block that are found together: rows of memory by turns.
template <class Step, class Axes, int Axis, int Rows, int Entry>
struct interleaved_leaf {
  using T = type_of<Step::table.type[Entry]>;
  static constexpr int n = static_cast<int>(Axes::axes.extent[Axes::axes.rank - 1]);
  simd::batch<T> at[static_cast<std::size_t>(n)];
  [[gnu::always_inline]] explicit interleaved_leaf(const nest_pointers<Step>& p)
      : interleaved_leaf(static_cast<const T*>(p.leaf[Entry]), std::make_integer_sequence<int, n>()) {}
  template <int... C>
  [[gnu::always_inline]] interleaved_leaf(const T* from, std::integer_sequence<int, C...>)
      : at{simd::load(from + C * Axes::axes.stride[Entry][Axes::axes.rank - 1])...} {
    simd::interleave_groups<n>(at);
  }
};
// A run of memory in another order.
template <class Step, class Axes, int Axis, int Rows, int Entry>
struct network_leaf {
  using T = type_of<Step::table.type[Entry]>;
  static constexpr int count = registers_of_block<Step, Axes, Axis, Rows>, lanes = static_cast<int>(step_lanes<Step>);
  static constexpr auto network = network_of_block<count, lanes>(Axes::axes, Axis, Entry, (size_of_block<Step, Axes, Axis, Rows>));
  simd::batch<T> at[static_cast<std::size_t>(count)];
  [[gnu::always_inline]] explicit network_leaf(const nest_pointers<Step>& p)
      : network_leaf(static_cast<const T*>(p.leaf[Entry]), std::make_integer_sequence<int, count>()) {}
  template <int... Q>
  [[gnu::always_inline]] network_leaf(const T* from, std::integer_sequence<int, Q...>) : at{simd::load(from + Q * lanes)...} {
    simd::run_network<network_leaf, count>(at);
  }
};
template <int Entry>
struct leaf_by_itself {
  template <class Pointers>
  [[gnu::always_inline]] explicit leaf_by_itself(const Pointers&) {}
};
// Registers of an operand that are the same in every block along its axis.
template <class Step, class Axes, int Axis, int Rows, int Entry>
struct kept_leaf;
template <class Step, class Axes, int Axis, int Rows, int L>
inline constexpr bool is_kept_leaf = is_kept<Step>(Axes::axes, axis_of_kept<Step>(Axes::axes, Axis, size_of_block<Step, Axes, Axis, Rows>),
                                                   L, registers_of_block<Step, Axes, Axis, Rows>);
template <class Step, class Axes, int Axis, int Rows, int L>
inline constexpr bool is_found_by_turns = !Step::table.invariant[L] && is_in_full_registers<Step>(L) &&
                                          is_interleaved(Axes::axes, Axis, L, Rows, static_cast<int>(step_lanes<Step>));
template <class Step, class Axes, int Axis, int Rows, int L>
inline constexpr bool is_found_by_network = [] {
  if constexpr (Step::table.invariant[L] || !is_in_full_registers<Step>(L) || is_found_by_turns<Step, Axes, Axis, Rows, L>) return false;
  else return network_leaf<Step, Axes, Axis, Rows, L>::network.rounds > 0;
}();
template <class Step, class Axes, int Axis, int Rows, int L>
using leaf_of_block = typename std::conditional_t<
    is_found_by_turns<Step, Axes, Axis, Rows, L>, std::type_identity<interleaved_leaf<Step, Axes, Axis, Rows, L>>,
    std::conditional_t<is_found_by_network<Step, Axes, Axis, Rows, L>, std::type_identity<network_leaf<Step, Axes, Axis, Rows, L>>,
                       std::type_identity<leaf_by_itself<L>>>>::type;
template <class Step, class Axes, int Axis, int Rows, class Leaves = std::make_integer_sequence<int, Step::leaves>>
struct leaves_of_block;
template <class Step, class Axes, int Axis, int Rows, int... L>
struct leaves_of_block<Step, Axes, Axis, Rows, std::integer_sequence<int, L...>> : leaf_of_block<Step, Axes, Axis, Rows, L>... {
  [[gnu::always_inline]] explicit leaves_of_block(const nest_pointers<Step>& p) : leaf_of_block<Step, Axes, Axis, Rows, L>(p)... {}
};
// What is found once for all blocks.
template <class Step, class Axes, int Axis, int Rows, int L>
using kept_of_block =
    typename std::conditional_t<is_kept_leaf<Step, Axes, Axis, Rows, L>, std::type_identity<kept_leaf<Step, Axes, Axis, Rows, L>>,
                                std::type_identity<leaf_by_itself<L>>>::type;
template <class Step, class Axes, int Axis, int Rows, class Leaves = std::make_integer_sequence<int, Step::leaves>>
struct kept_leaves;
template <class Step, class Axes, int Axis, int Rows, int... L>
struct kept_leaves<Step, Axes, Axis, Rows, std::integer_sequence<int, L...>> : kept_of_block<Step, Axes, Axis, Rows, L>... {
  [[gnu::always_inline]] explicit kept_leaves(const nest_pointers<Step>& p) : kept_of_block<Step, Axes, Axis, Rows, L>(p)... {}
};

/// Reads register Q of a block with this many rows.
template <class Step, class Axes, int Axis, int Rows, int Q>
struct flat_reader : nest_reader<Step> {
  template <int Entry>
  struct lanes_of {
    static constexpr int lanes = static_cast<int>(step_lanes<Step>);
    static constexpr index size = Axis + 1 < Axes::axes.rank ? Axes::axes.size_from(Axis + 1) : 1;
    static constexpr simd::lane_map<lanes> map = map_in_block<lanes>(Axes::axes, Axis, Entry, (Rows * size), (Q * lanes));
  };
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    // In this function, not one of its own: there is one for each entry and register.
    using T = type_of<Step::table.type[Entry]>;
    const void* from = leaf_pointer<Step, Axes, Entry>(this->at);
    return to_register<T, typename Step::lead_type>(
        simd::load_mapped<lanes_of<Entry>, static_cast<int>(step_lanes<Step>)>(static_cast<const moved_as<T>*>(from)));
  }
};

/// Reads the first n places along axis `Axis`, less than a register full, of leaves that may lie apart. Lanes beyond them are
/// harmless.
template <class Step, class Axes, int Axis>
struct few_places_reader : nest_reader<Step> {
  index n;
  [[gnu::always_inline]] few_places_reader(const nest_pointers<Step>& p, index places) : nest_reader<Step>{p}, n(places) {}

  // Whether registers that are read in part hold all between the places.
  template <int Entry>
  static constexpr bool moves_lanes_of = [] {
    constexpr int lanes = static_cast<int>(step_lanes<Step>);
    constexpr index stride = Axes::axes.stride[Entry][Axis];
    if constexpr (!simd::cheap_parts || Step::minds_zeros || stride == known_at_call || stride < 2 ||
                  sizeof(type_of<Step::table.type[Entry]>) * static_cast<std::size_t>(lanes) < 16) {
      return false;
    } else {
      return simd::can_be_read_in_part(flat_reader<Step, Axes, Axis, lanes, 0>::template lanes_of<Entry>::map);
    }
  }();
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    using T = type_of<Step::table.type[Entry]>;
    constexpr index lanes = step_lanes<Step>, stride = Axes::axes.stride[Entry][Axis];
    const void* memory = leaf_pointer<Step, Axes, Entry>(this->at);
    const T* from = static_cast<const T*>(memory);
    if constexpr (stride == 1) {
      return fill_some<Step>(from, n);
    } else if constexpr (moves_lanes_of<Entry>) {
      using map = typename flat_reader<Step, Axes, Axis, static_cast<int>(lanes), 0>::template lanes_of<Entry>;
      return to_register<T, typename Step::lead_type>(
          simd::load_mapped_first<map, static_cast<int>(lanes)>(static_cast<const moved_as<T>*>(memory), (n - 1) * stride + 1));
    } else {
      alignas(alignment) T all[static_cast<std::size_t>(lanes)];
      std::memset(static_cast<void*>(all), 0, sizeof(all));
      for (index k = 0; k < n; ++k) all[k] = from[k * stride];
      for (index k = n; Step::minds_zeros && k < lanes; ++k) all[k] = all[n - 1];
      return fill<T, typename Step::lead_type>(all);
    }
  }
};

template <class Step, class Axes, int Axis, int Rows, int Entry>
struct kept_leaf {
  static constexpr int count = registers_of_block<Step, Axes, Axis, Rows>;
  decltype(std::declval<const flat_reader<Step, Axes, Axis, Rows, 0>&>().template read<Entry>()) at[static_cast<std::size_t>(count)];
  [[gnu::always_inline]] explicit kept_leaf(const nest_pointers<Step>& p) : kept_leaf(p, std::make_integer_sequence<int, count>()) {}
  template <int... Q>
  [[gnu::always_inline]] kept_leaf(const nest_pointers<Step>& p, std::integer_sequence<int, Q...>)
      : at{flat_reader<Step, Axes, Axis, Rows, Q>{p}.template read<Entry>()...} {}
};

// The same with leaves of which registers have been found before: all of a block together, or once for all blocks.
template <class Step, class Axes, int Axis, int Rows, int Q>
struct block_reader : flat_reader<Step, Axes, Axis, Rows, Q> {
  const leaves_of_block<Step, Axes, Axis, Rows>& together;
  const kept_leaves<Step, Axes, Axis, Rows>& kept;

  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    if constexpr (is_kept_leaf<Step, Axes, Axis, Rows, Entry>)
      return static_cast<const kept_leaf<Step, Axes, Axis, Rows, Entry>&>(kept).at[Q];
    else if constexpr (is_found_by_turns<Step, Axes, Axis, Rows, Entry>)
      return static_cast<const interleaved_leaf<Step, Axes, Axis, Rows, Entry>&>(together).at[Q];
    else if constexpr (is_found_by_network<Step, Axes, Axis, Rows, Entry>)
      return static_cast<const network_leaf<Step, Axes, Axis, Rows, Entry>&>(together).at[Q];
    else return flat_reader<Step, Axes, Axis, Rows, Q>::template read<Entry>();
  }
};

/// The loops of an elementwise step. Its rows begin with axis Outer of the space.
template <class Step, class Axes, int Axis, int Rows>
class nest_loop {
  template <class, class, int, int>
  friend class nest_loop;
  using P = typename Step::program;
  static constexpr auto& axes = Axes::axes;
  static constexpr index lanes = step_lanes<Step>;
  static constexpr index size = Axis + 1 < axes.rank ? axes.size_from(Axis + 1) : 1;
  const Axes& extents_;

  template <int A>
  [[gnu::always_inline]] void move(nest_pointers<Step>& p, index i) const {
    nest_walk<Step, Axes>::template move<A>(extents_, p, i);
  }

  // All registers of a block are computed before the first one is stored.
  struct block_registers {
    registers<Step, true> at[static_cast<std::size_t>((Rows * size + lanes - 1) / lanes)];
  };
  static constexpr std::make_integer_sequence<int, static_cast<int>((Rows * size + lanes - 1) / lanes)> numbers{};
  using kept = kept_leaves<Step, Axes, Axis, Rows>;
  template <int... Q>
  [[gnu::always_inline]] static block_registers compute(const registers<Step, true>& invariant, const kept& same,
                                                        const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) {
    block_registers r{{((void)Q, invariant)...}};
    const leaves_of_block<Step, Axes, Axis, Rows> together(p);
    (evaluate_expression<Step, true, false>(r.at[Q], block_reader<Step, Axes, Axis, Rows, Q>{{p}, together, same}), ...);
    return r;
  }
  template <int... Q>
  [[gnu::always_inline]] static void store(block_registers& r, const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) {
    (store_register<Rows * size - Q * lanes>(r.at[Q], p, Q * lanes, root_numbers<Step>()), ...);
  }
  template <index Count, int... R>
  [[gnu::always_inline]] static void store_register(registers<Step, true>& r, const nest_pointers<Step>& p, index i,
                                                    std::integer_sequence<int, R...>) {
    (store_count<Step, R, Count>(r, p.root[R], i), ...);
  }
  [[gnu::always_inline]] static void run_block(const registers<Step, true>& invariant, const kept& same, const nest_pointers<Step>& p) {
    block_registers r = compute(invariant, same, p, numbers);
    store(r, p, numbers);
  }
  // Fewer elements than a block has, in parts of registers.
  [[gnu::always_inline]] void run_few(const nest_pointers<Step>& p, index n) const {
    if (n >= Rows) __builtin_unreachable();
    if constexpr (few_lie_apart) run_few_apart(p, n, root_numbers<Step>());
    else loop_some<Step>(p.leaf, p.root, n, root_numbers<Step>());
  }
  template <int... R>
  [[gnu::always_inline]] void run_few_apart(nest_pointers<Step> p, index n, std::integer_sequence<int, R...>) const {
    if (n == 0) return;
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    if constexpr (Rows > lanes) {
      for (; n >= lanes; n -= lanes) {
        evaluate_expression<Step, true, false>(r, flat_reader<Step, Axes, Axis, static_cast<int>(lanes), 0>{{p}});
        store_roots<Step, true>(r, p.root, 0, root_numbers<Step>());
        move<Axis>(p, lanes);
      }
      if (n == 0) return;
    }
    evaluate_expression<Step, true, false>(r, few_places_reader<Step, Axes, Axis>(p, n));
    (store_first<Step, R>(r, static_cast<root_type<Step, R>*>(p.root[R]), n), ...);
  }
  // At least as many rows as a block has, but for those longer than an element, of which fewer go one after another. The last block may
  // overlap with that before it: it is computed first and stored last, so results may lie on top of leaves.
  [[gnu::always_inline]] void run_rows(nest_pointers<Step> p, index n) const {
    if constexpr (takes_few && (size > 1 || stacks_few)) {
      constexpr index fewer = stacks_few && Rows >= 8 ? Rows / 4 : 1;
      if (n < Rows) return nest_loop<Step, Axes, Axis, fewer>(extents_).run_rows(p, n);
    }
    registers<Step, true> invariant{};  // GCC does not see that it is set
    evaluate_expression<Step, true, true>(invariant, p.leaf, 0);
    const kept same(p);
    if constexpr (Axis < 0 || axes.extent[Axis < 0 ? 0 : Axis] == Rows) {
      run_block(invariant, same, p);
    } else if constexpr (Rows == 1) {
      for (; n > 0; --n) {
        run_block(invariant, same, p);
        move<Axis>(p, 1);
      }
    } else {
      nest_pointers<Step> end = p;
      move<Axis>(end, n - Rows);
      const bool rest = n % Rows != 0;
      block_registers last;
      if (rest) last = compute(invariant, same, end, numbers);
      for (; n >= Rows; n -= Rows) {
        run_block(invariant, same, p);
        move<Axis>(p, Rows);
      }
      if (rest) store(last, end, numbers);
    }
  }
  // Some places along the axis outside at a time, for each of which all of a block but what is kept is computed.
  [[gnu::always_inline]] void run_pairs(nest_pointers<Step> p, index n) const {
    constexpr index together = 16;
    for (; n > 0; n -= together) {
      const index rows = n < together ? n : together;
      nest_pointers<Step> block = p;
      for (index left = extents_.template extent<Axis>(); left > 0; left -= Rows) {
        if (left < Rows) move<Axis>(block, left - Rows);
        const kept same(block);
        nest_pointers<Step> at = block;
        for (index row = 0; row < rows; ++row) {
          registers<Step, true> invariant{};
          evaluate_expression<Step, true, true>(invariant, at.leaf, 0);
          run_block(invariant, same, at);
          move<Axis - 1>(at, 1);
        }
        move<Axis>(block, Rows);
      }
      move<Axis - 1>(p, rows);
    }
  }
  static constexpr bool in_pairs = axis_of_kept<Step>(axes, Axis, size_of_block<Step, Axes, Axis, Rows>) < Axis;
  // Where a leaf has all places along the axis outside side by side, parts of the axis are short enough to stay in the first cache
  // until all of them have been read. Units: places along the axis; 0 where there is no such leaf.
  static constexpr index part = [] {
    index out = 0;
    if constexpr (Axis > 0 && !in_pairs) {
      constexpr index in_cache = 4096;
      for (int l = 0; l < Step::leaves; ++l) {
        const index outside = axes.stride[l][Axis - 1], along = axes.stride[l][Axis], n = axes.extent[Axis - 1];
        if (outside <= 0 || along <= 0 || n <= 1 || outside * n > along || along > in_cache / 64) continue;
        const index fits = in_cache / along / Rows * Rows;
        if (fits > 0 && (out == 0 || fits < out)) out = fits;
      }
    }
    return out;
  }();
  [[gnu::always_inline]] void run_parts(nest_pointers<Step> p, index n) const {
    for (index left = extents_.template extent<Axis>(); left > 0;) {
      const index length = left < 2 * part ? left : part;
      nest_pointers<Step> at = p;
      for (index row = 0; row < n; ++row) {
        run_rows(at, length);
        move<Axis - 1>(at, 1);
      }
      move<Axis>(p, length);
      left -= length;
    }
  }
  template <int A, bool Few = false>
  [[gnu::always_inline]] void run_axis(nest_pointers<Step> p, index n) const {
    if constexpr (in_pairs && A + 1 == Axis) {
      run_pairs(p, n);
    } else if constexpr (part > 0 && A + 1 == Axis && !Few) {
      run_parts(p, n);
    } else if constexpr (A >= Axis) {
      if constexpr (Few) run_few(p, n);
      else run_rows(p, n);
    } else {
      for (index i = 0; i < n; ++i) {
        run_axis<A + 1, Few>(p, extents_.template extent<A + 1>());
        move<A>(p, 1);
      }
    }
  }

  [[gnu::always_inline]] explicit nest_loop(const Axes& extents) : extents_(extents) {}
  // Threads and calls share the code. It reads copies of the extents, which results of bytes could alias.
  template <bool Few>
  static void run_apart(const Axes& extents, const nest_pointers<Step>& p, index n) {
    const Axes own = extents;
    nest_loop(own).template run_axis<0, Few>(nest_pointers<Step>(p), n);
  }
  // The same in a function of its own, for which all others keep no memory.
  template <bool Few>
  [[gnu::noinline]] static void run_beside(const Axes& extents, const nest_pointers<Step>& p, index n) {
    run_apart<Few>(extents, p, n);
  }

  // Whether fewer places than the block has are found one by one in leaves that lie apart, by as much as is known, and stored as a run.
  static constexpr bool few_lie_apart = [] {
    if constexpr (Axis < 0 || Axis + 1 != axes.rank) {
      return false;
    } else {
      bool apart = false, run = axes.extent[Axis] == known_at_call && stores_some<Step>;
      for (int l = 0; l < Step::leaves; ++l) {
        run = run && axes.stride[l][Axis] != known_at_call;
        apart = apart || (axes.stride[l][Axis] != 1 && !Step::table.invariant[l]);
      }
      for (int r = 0; r < Step::roots; ++r) run = run && axes.stride[Step::leaves + r][Axis] == 1;
      return apart && run;
    }
  }();
  // Parts of registers cannot be put together with others: fewer places go in smaller blocks.
  static constexpr bool stacks_few = Step::has_stacks && size == 1 && Axis + 1 == axes.rank;

 public:
  /// Whether there may be fewer places along the axis of the block, where the call tells how many, than it has rows.
  static constexpr bool takes_few = [] {
    if constexpr (Axis < 0 || Rows == 1 || in_pairs) {
      return false;
    } else if constexpr (stacks_few) {
      return axes.extent[Axis] == known_at_call;
    } else if constexpr (size > 1) {
      return axes.extent[Axis] == known_at_call && axis_of_kept<Step>(axes, Axis, size) == Axis;
    } else {
      // Parts of registers are parts of memory.
      bool contiguous = axes.extent[Axis] == known_at_call && Axis + 1 == axes.rank && stores_some<Step>;
      for (int o = 0; o < Step::leaves + Step::roots; ++o)
        contiguous = contiguous && (axes.stride[o][Axis] == 1 || (o < Step::leaves && Step::table.invariant[o]));
      return contiguous || few_lie_apart;
    }
  }();

  /// How many there have to be: in many rows single elements that lie apart are better gathered, and a few that go in pieces, where what
  /// is stored is one run.
  static constexpr index fewest = !takes_few                                                          ? Rows
                                  : size > 1 || stacks_few || few_lie_apart || !has_dense_roots<Step> ? 1
                                  : parts_are_whole<Step>                                             ? 2
                                                                                                      : 4;

  /// From these places on, `n` of them along the first axis.
  [[gnu::always_inline]] static void run(const Axes& extents, const nest_pointers<Step>& p, index n) {
    if constexpr (takes_few && size == 1 && !stacks_few)
      if (const index places = Axis == 0 ? n : extents.template extent<Axis>(); places < Rows) {
        // Nothing has no memory to move along.
        if (places == 0) return;
        if constexpr (few_lie_apart) return run_beside<true>(extents, p, n);
        else return run_apart<true>(extents, p, n);
      }
    if constexpr (nest_runs_in_place<Axes>) nest_loop(extents).template run_axis<0>(p, n);
    else run_apart<false>(extents, p, n);
  }
  /// Parts of the first axis, which threads share.
  [[gnu::noinline, gnu::cold]] static void share(Axes extents, nest_pointers<Step> p) {
    const index n = extents.template extent<0>(), others = extents.size() / (n == 0 ? 1 : n);
    const index least = others < shared_length ? shared_length / (others == 0 ? 1 : others) : 1;
    parallel_for(n, (least + Rows - 1) / Rows * Rows, [&](index first, index length) {
      nest_pointers<Step> part = p;
      nest_loop(extents).template move<0>(part, first);
      run(extents, part, length);
    });
  }
};

/// An elementwise step that runs by its nest.
template <class Step>
struct loop_of_nest {
  using P = typename Step::program;
  static constexpr flat_block block = flat_nest<Step>::block;
  static constexpr auto& axes = nest<Step, 0>::axes;
  // What is the same all along the rows is computed once for all of them.
  static constexpr int outer = block.axis <= 0 ? 0 : axes.last[block.axis] - axes.count[block.axis] + 1;
  using whole_rows = step<P, Step::number, outer>;
  using rows =
      typename std::conditional_t<stores_wider<Step>, std::type_identity<body_of_loop<whole_rows>>, std::type_identity<whole_rows>>::type;
  using Axes = nest_extents<Step, 0>;
  using loop = nest_loop<rows, Axes, block.axis, block.rows>;

  /// Runs it from these places on, `n` of them along the first axis.
  [[gnu::always_inline]] static void run_part(const Axes& extents, const nest_pointers<rows>& p, index n) { loop::run(extents, p, n); }
  [[gnu::always_inline]] static void run(const frame<P>& fr) {
    const Axes extents(fr);
    const nest_pointers<rows> p = pointers_of<rows>(dense_pointers<Step>(fr));
    if constexpr (block.axis >= 0 && (axes.size_from(0) == known_at_call || axes.size_from(0) >= 2 * shared_length))
      if (is_shared(extents.size())) [[unlikely]]
        return loop::share(extents, p);
    run_part(extents, p, extents.template extent<0>());
  }
};

/// Whether an elementwise step that has a block runs by its nest in this call.
template <class Step>
[[gnu::always_inline]] inline bool runs_by_nest(const frame<typename Step::program>& fr) {
  using loop = typename loop_of_nest<Step>::loop;
  constexpr flat_block block = flat_nest<Step>::block;
  constexpr auto& axes = nest<Step, 0>::axes;
  bool is_long = is_as_long<Step, block.axis, loop::fewest>(fr, axes);
  if constexpr (loop::takes_few && loop::fewest > 1) {
    constexpr index many_rows = 32;
    is_long = is_long || fr.template size_of<Step::plan.space>() < many_rows * places_along<Step, block.axis>(fr, axes);
  }
  return is_long && walks_as_planned<Step>(fr);
}

}  // namespace jig::detail
