// SPDX-License-Identifier: MIT
#pragma once
// Reductions over any axes of a nest. Lanes run along the last axis that is kept, with short reduced axes inside of it unrolled, or along
// what is inside of a long reduced axis, or along rows that are reduced whole.

#include <jig/eval/nest_loop.hpp>
#include <jig/eval/reduce.hpp>
#include <jig/ops/reduce.hpp>

namespace jig::detail {

/// What the lanes of a reduction are.
enum class reduction_lanes : unsigned char {
  none,     // the nest is not for it
  kept,     // places along axis `axis`, which is kept
  inside,   // all elements inside of axis `axis`, which is reduced, in some of its rows
  through,  // elements of the last axis, which is reduced as is axis `axis` before it
  row       // elements of the last axis, which is reduced
};

struct reduction_nest {
  reduction_lanes lanes = reduction_lanes::none;
  int axis = 0;
  int rows = 1;  // of a block, where lanes are inside
};

template <class Step>
constexpr unsigned axes_of_step() {
  using P = typename Step::program;
  rule_context c;
  constexpr auto list = attributes_of<P, Step::root(0)>::view();
  c.attributes = list;
  return reduced_axes(c, P::extents(Step::plan.space).rank);
}

/// The longest product of reduced axes that is unrolled inside of a kept one.
inline constexpr index most_components = 16;

template <class Step>
class nest_of_reduction {
  using P = typename Step::program;
  static constexpr index lanes = step_lanes<Step>;

 public:
  static constexpr auto& axes = nest<Step, axes_of_step<Step>()>::axes;

 private:
  static constexpr auto& ordered = nest<Step, axes_of_step<Step>(), nest_order::kept_first>::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr bool knows_strides(int from) {
    for (int o = 0; o < Step::leaves; ++o)
      for (int a = from; a < axes.rank; ++a)
        if (axes.stride[o][a] == known_at_call) return false;
    return true;
  }
  // Whether rows along the last axis are runs of memory, or single elements.
  static constexpr bool has_rows() {
    for (int o = 0; o < Step::leaves; ++o)
      if (axes.stride[o][inner] != 1 && !is_same_in_row(o)) return false;
    return true;
  }
  static constexpr bool is_same_in_row(int o) {
    const shape &own = P::extents(Step::node(o)), &space = P::extents(Step::plan.space);
    const int first = axes.last[inner] - axes.count[inner] + 1 - (space.rank - own.rank);
    for (int a = first < 0 ? 0 : first; a < own.rank; ++a)
      if (own[a] != 1) return false;
    return true;
  }
  static constexpr int rows_of_block(index size) {
    index rows = 1;
    while (rows * size % lanes != 0) rows *= 2;
    return static_cast<int>(rows);
  }
  static constexpr bool is_long(int a, index least) { return axes.extent[a] == known_at_call || axes.extent[a] >= least; }

 public:
  static constexpr reduction_nest chosen = []() -> reduction_nest {
    reduction_nest out;
    if (!Step::vectorizable || Step::has_windows || Step::reduced != Step::roots || axes.rank == 0 || body_work<Step> > most_work) return out;
    int kept = inner;
    while (kept >= 0 && axes.reduced[kept]) --kept;
    const index components = axes.size_from(kept + 1);
    if (kept >= 0 && components != known_at_call && components <= most_components && components * body_work<Step> <= most_work && knows_strides(kept)) {
      out = {reduction_lanes::kept, kept};
      // Few places along it, in the rows of a long reduced axis.
      const index size = axes.size_from(kept);
      if (kept > 0 && axes.reduced[kept - 1] && size != known_at_call && size <= 16 * lanes && axes.extent[kept] < 2 * lanes && knows_strides(kept - 1)) {
        const int rows = size > 4 * lanes ? 1 : rows_of_block(size);
        const index used = (rows * size + lanes - 1) / lanes * lanes;
        if (used * Step::roots <= 16 * lanes && used / lanes * body_work<Step> <= most_work && used * 3 <= rows * size * 4 && is_long(kept - 1, 16 * rows)) return {reduction_lanes::inside, kept - 1, rows};
      }
      return out;
    }
    if (!axes.reduced[inner] || !has_rows()) return out;
    // With all axes that are reduced behind those that are kept.
    if (inner > 0 && ordered.reduced[inner > 0 ? inner - 1 : 0] && axes.extent[inner] != known_at_call && knows_strides(0) && axes.extent[inner] <= 8 * lanes / Step::roots)
      return {reduction_lanes::through, inner - 1};
    return {reduction_lanes::row, inner};
  }();
};

// What some lanes of one root combine: of a part, and in all.
template <class Step, int R, int Count>
struct lane_totals {
  using root = reduced_root<Step, R>;
  using V = typename root::vector;
  V part[array_bound(Count)], total[array_bound(Count)], lost[array_bound(Count)];

  template <int... K>
  [[gnu::always_inline]] void start(std::integer_sequence<int, K...>) {
    ((part[K] = root::template neutral<V>()), ...);
  }
  template <int... K>
  [[gnu::always_inline]] void close(bool first, std::integer_sequence<int, K...>) {
    if (first) ((total[K] = part[K], lost[K] = root::template neutral<V>()), ...);
    else (root::add_part(total[K], lost[K], part[K]), ...);
  }
  [[gnu::always_inline]] void add(int k, registers<Step, true>& r) { part[k] = root::both(part[k], r.template get<root::operand>()); }
  // Only the first lanes.
  template <index Lanes>
  [[gnu::always_inline]] void add_first(int k, registers<Step, true>& r) {
    using T = typename root::T;
    const auto mask = simd::lanes_between<typename root::Lead>(0, Lanes);
    V x = r.template get<root::operand>();
    if constexpr (std::is_same_v<T, bool>) x = (x & mask) | (root::template neutral<V>() & !mask);
    else x = xsimd::select(simd::as_mask<V, step_lanes<Step>>(mask), x, root::template neutral<V>());
    part[k] = root::both(part[k], x);
  }
  /// What is combined in register k, with what rounding lost of it.
  [[gnu::always_inline]] V whole(int k) const {
    if constexpr (root::compensated) return total[k] + lost[k];
    else return total[k];
  }
  /// In groups of `Count` lanes, which become one.
  [[gnu::always_inline]] V grouped() const {
    V x[array_bound(Count)];
    [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) { ((x[K] = whole(K)), ...); }
    (std::make_integer_sequence<int, Count>());
    return simd::combine_groups<Count>(x, [](const V& a, const V& b) __attribute__((always_inline)) { return root::template both<V>(a, b); });
  }
};

// Stores the first lanes of what a root combines.
template <class Step, int R, index Lanes>
[[gnu::always_inline]] inline void store_lanes(typename reduced_root<Step, R>::vector x, void* to, index count) {
  using root = reduced_root<Step, R>;
  using T = typename root::T;
  using Lead = typename root::Lead;
  constexpr bool finishes = requires { root::means::finish(T(), count); };
  if constexpr (finishes && std::is_floating_point_v<T>) x = root::means::finish(x, count);
  if constexpr (Lanes == step_lanes<Step> && !(finishes && !std::is_floating_point_v<T>)) {
    spill<T, Lead>(static_cast<T*>(to), x);
  } else if constexpr (std::is_floating_point_v<T>) {
    simd::store_first(static_cast<T*>(to), x, Lanes);
  } else {
    spilled<T, Lead> lane;
    spill<T, Lead>(lane.at, x);
    if constexpr (finishes)
      for (index l = 0; l < Lanes; ++l) lane.at[l] = root::means::finish(lane.at[l], count);
    std::memcpy(to, lane.at, static_cast<std::size_t>(Lanes) * sizeof(T));
  }
}
template <class Step, int Count, class Roots = root_numbers<Step>>
struct all_lane_totals;
template <class Step, int Count, int... R>
struct all_lane_totals<Step, Count, std::integer_sequence<int, R...>> : lane_totals<Step, R, Count>... {
  template <int Root>
  using of = lane_totals<Step, Root, Count>;
  static constexpr std::make_integer_sequence<int, Count> all{};
  [[gnu::always_inline]] void start() { (of<R>::start(all), ...); }
  [[gnu::always_inline]] void close(bool first) { (of<R>::close(first, all), ...); }
  template <index Lanes>
  [[gnu::always_inline]] void add(int k, registers<Step, true>& r) {
    if constexpr (Lanes < step_lanes<Step>) (of<R>::template add_first<Lanes>(k, r), ...);
    else (of<R>::add(k, r), ...);
  }
  template <index Lanes>
  [[gnu::always_inline]] void store(int k, void* const* to, index i, index count) {
    (store_lanes<Step, R, Lanes>(of<R>::whole(k), static_cast<root_type<Step, R>*>(to[R]) + i, count), ...);
  }
  template <index Lanes>
  [[gnu::always_inline]] void store_grouped(void* const* to, index count) {
    (store_lanes<Step, R, Lanes>(of<R>::grouped(), to[R], count), ...);
  }
};

/// Reads component C of Count places along axis `Axis`, from the first one or from register G on.
template <class Step, class Axes, int Axis, int C, int G, index Count>
struct component_reader {
  const nest_pointers<Step>& at;
  static constexpr int lanes = static_cast<int>(step_lanes<Step>);

  template <int Entry>
  struct lanes_of {
    static constexpr simd::lane_map<lanes> map = [] {
      simd::lane_map<lanes> out;
      constexpr auto& axes = Axes::axes;
      const index stride = axes.stride[Entry][Axis], size = axes.size_from(Axis + 1);
      for (index c = 0; c < size; ++c)
        for (index l : {index{0}, Count - 1}) {
          const index e = offset_in_block(axes, Axis, Entry, l * size + c);
          if ((c == 0 && l == 0) || e < out.first) out.first = e;
          if ((c == 0 && l == 0) || e > out.last) out.last = e;
        }
      const index here = offset_in_block(axes, Axis, Entry, C) + G * lanes * stride;
      out.first += G * lanes * stride;
      out.last += G * lanes * stride;
      for (int l = 0; l < lanes; ++l) out.at[l] = here + (l < Count ? l : Count - 1) * stride;
      return out;
    }();
  };
  template <int Entry>
  [[gnu::always_inline]] const void* single() const {
    return at.leaf[Entry];
  }
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    using T = type_of<Step::table.type[Entry]>;
    using M = moved_as<T>;
    return to_register<T, typename Step::lead_type>(simd::load_mapped<lanes_of<Entry>, lanes>(static_cast<const M*>(at.leaf[Entry])));
  }
};

// Whether the registers of a root have as many lanes as the step, which can be moved.
template <class Step, int R>
inline constexpr bool fills_registers = [] {
  if constexpr (std::is_same_v<root_type<Step, R>, bool>) return false;
  else return static_cast<index>(reduced_root<Step, R>::vector::size) == step_lanes<Step>;
}();

/// Lanes along a kept axis.
template <class Step, class Axes, int Axis>
class kept_lanes {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr index lanes = step_lanes<Step>;
  static constexpr int components = static_cast<int>(axes.size_from(Axis + 1));
  static constexpr int axis_of_rows = walk::last_reduced(Axis);
  // Several registers side by side hide the latency of the combination.
  static constexpr int most_together = [] {
    if (components > 1 || axis_of_rows < 0 || body_work<Step> > 8 || Step::roots > 1) return 1;
    const index n = axes.extent[Axis];
    if (n != known_at_call && n < 4 * lanes) return 1;
    return n != known_at_call && n >= 16 * lanes && body_work<Step> <= 2 ? 8 : 4;
  }();
  // Whether components are combined as they lie, in as many registers, and those of one place last of all.
  static constexpr bool grouped = components > 1 && Step::roots == 1 && fills_registers<Step, 0>;
  // So many rows are combined before what they give becomes part of a compensated total.
  static constexpr index rows_of_part = grouped ? longest_sum<Step> : longest_sum<Step> / components < 1 ? 1 : longest_sum<Step> / components;
  using numbers = std::make_integer_sequence<int, components>;

  template <index Count, int G, int Together, int... C>
  [[gnu::always_inline]] static void add_register(all_lane_totals<Step, Together>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                                  std::integer_sequence<int, C...>) {
    ((evaluate_body<Step, true, false>(r, component_reader<Step, Axes, Axis, C, G, Count>{p}), t.template add<lanes>(G, r)), ...);
  }
  template <index Count, int... Q>
  [[gnu::always_inline]] static void add_registers(all_lane_totals<Step, components>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                                   std::integer_sequence<int, Q...>) {
    ((evaluate_body<Step, true, false>(r, flat_reader<Step, Axes, Axis, static_cast<int>(Count), Q>{p}), t.template add<lanes>(Q, r)), ...);
  }
  template <index Count, int Together, int... G>
  [[gnu::always_inline]] static void add_place(all_lane_totals<Step, grouped ? components : Together>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                               std::integer_sequence<int, G...>) {
    if constexpr (grouped) add_registers<Count>(t, r, p, numbers());
    else (add_register<Count, G>(t, r, p, numbers()), ...);
  }
  template <index Count, int Together>
  [[gnu::always_inline]] static void run_lanes(const Axes& e, const nest_pointers<Step>& p, index count) {
    constexpr std::make_integer_sequence<int, Together> together;
    all_lane_totals<Step, grouped ? components : Together> t{};  // GCC does not see that there are rows
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, p.leaf, 0);
    if constexpr (axis_of_rows < 0) {
      t.start();
      add_place<Count, Together>(t, r, p, together);
      t.close(true);
    } else {
      bool first = true;
      walk::template for_each<0, axis_of_rows, true>(e, p, [&](const nest_pointers<Step>& outer) __attribute__((always_inline)) {
        nest_pointers<Step> at = outer;
        const index n = e.template extent<axis_of_rows>();
        for (index row = 0; row < n;) {
          const index end = n - row < rows_of_part ? n : row + rows_of_part;
          t.start();
          for (; row < end; ++row) {
            add_place<Count, Together>(t, r, at, together);
            walk::template move<axis_of_rows>(e, at, 1);
          }
          t.close(first);
          first = false;
        }
      });
    }
    if constexpr (grouped) t.template store_grouped<Count>(p.root, count);
    else [&]<int... G>(std::integer_sequence<int, G...>) __attribute__((always_inline)) { (t.template store<Count>(G, p.root, G * lanes, count), ...); }
      (together);
  }

 public:
  /// Places along the axis that a call has to have if their number is not static.
  static constexpr index least = lanes;
  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index n, index count) {
    if constexpr (axes.extent[Axis] != known_at_call && axes.extent[Axis] < lanes) {
      run_lanes<axes.extent[Axis], 1>(e, p, count);
    } else {
      for (; n >= most_together * lanes; n -= most_together * lanes) {
        run_lanes<lanes, most_together>(e, p, count);
        walk::template move<Axis>(e, p, most_together * lanes);
      }
      // What is left over, the last register full of which overlaps.
      while (n > 0) {
        if (n < lanes) walk::template move<Axis>(e, p, n - lanes);
        run_lanes<lanes, 1>(e, p, count);
        walk::template move<Axis>(e, p, lanes);
        n -= lanes;
      }
    }
  }
};

/// Lanes are what is inside of a long reduced axis, in `Rows` of its rows at a time. In the end lanes of one root element are combined.
template <class Step, class Axes, int Axis, int Rows>
class inside_lanes {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr index lanes = step_lanes<Step>, size = axes.size_from(Axis + 1);
  static constexpr int registers_of_block = static_cast<int>((Rows * size + lanes - 1) / lanes);
  using totals = all_lane_totals<Step, registers_of_block>;

  template <int Now, int... Q>
  [[gnu::always_inline]] static void add_block(totals& t, registers<Step, true>& r, const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) {
    ((evaluate_body<Step, true, false>(r, flat_reader<Step, Axes, Axis, Now, Q>{p}),
      t.template add<(Now * size - Q * lanes < lanes ? Now * size - Q * lanes : lanes)>(Q, r)),
     ...);
  }
  // The place of element e of a row among the elements of a root.
  static constexpr auto places = [] {
    std::array<int, static_cast<std::size_t>(size)> out{};
    for (index e = 0; e < size; ++e) out[static_cast<std::size_t>(e)] = static_cast<int>(offset_in_block(axes, Axis, Step::leaves, e));
    return out;
  }();
  // Whether all of them are one element of each root.
  static constexpr bool is_one = [] {
    for (int place : places)
      if (place != 0) return false;
    return true;
  }();
  template <int R>
  [[gnu::always_inline]] static void store(totals& t, void* root, index count) {
    using of = reduced_root<Step, R>;
    using T = typename of::T;
    constexpr auto n = static_cast<std::size_t>(registers_of_block * lanes);
    auto& from = static_cast<lane_totals<Step, R, registers_of_block>&>(t);
    if constexpr (is_one) {
      typename of::vector all = from.whole(0);
      for (int q = 1; q < registers_of_block; ++q) all = of::both(all, from.whole(q));
      *static_cast<T*>(root) = of::finished(of::across(all), T(), count);
      return;
    }
    alignas(alignment) T total[n], lost[n];
    for (int q = 0; q < registers_of_block; ++q) {
      spill<T, typename of::Lead>(total + q * lanes, from.total[q]);
      if constexpr (of::compensated) spill<T, typename of::Lead>(lost + q * lanes, from.lost[q]);
    }
    for (index step = Rows / 2; step > 0; step /= 2)
      for (index k = 0; k < step * size; ++k) {
        total[k] = of::template both<T>(total[k], total[k + step * size]);
        if constexpr (of::compensated) lost[k] += lost[k + step * size];
      }
    T* to = static_cast<T*>(root);
    bool begun[static_cast<std::size_t>(size)] = {};
    T rest[static_cast<std::size_t>(size)] = {};
    for (index e = 0; e < size; ++e) {
      const auto at = static_cast<std::size_t>(places[static_cast<std::size_t>(e)]);
      to[at] = begun[at] ? of::template both<T>(to[at], total[e]) : total[e];
      if constexpr (of::compensated) rest[at] += lost[e];
      begun[at] = true;
    }
    for (index e = 0; e < size; ++e)
      if (begun[e]) to[e] = of::finished(to[e], rest[e], count);
  }

 public:
  [[gnu::always_inline]] static void run(const Axes& e, const nest_pointers<Step>& p, index count) {
    totals t;
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, p.leaf, 0);
    bool first = true;
    walk::template for_each<0, Axis, true>(e, p, [&](const nest_pointers<Step>& outer) __attribute__((always_inline)) {
      nest_pointers<Step> at = outer;
      index left = e.template extent<Axis>();
      while (left > 0) {
        t.start();
        for (index k = 0; k < longest_sum<Step> && left >= Rows; ++k, left -= Rows) {
          add_block<Rows>(t, r, at, std::make_integer_sequence<int, registers_of_block>());
          walk::template move<Axis>(e, at, Rows);
        }
        if constexpr (Rows > 1)
          for (; left > 0 && left < Rows; --left) {
            add_block<1>(t, r, at, std::make_integer_sequence<int, static_cast<int>((size + lanes - 1) / lanes)>());
            walk::template move<Axis>(e, at, 1);
          }
        t.close(first);
        first = false;
      }
    });
    [&]<int... R>(std::integer_sequence<int, R...>) { (store<R>(t, p.root[R], count), ...); }(root_numbers<Step>());
  }
};

/// Short rows along the last axis, as many at a time as a register has lanes.
template <class Step, class Axes, class Roots = root_numbers<Step>>
class row_bundle;
template <class Step, class Axes, int... R>
class row_bundle<Step, Axes, std::integer_sequence<int, R...>> {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr index lanes = step_lanes<Step>, n = axes.extent[inner] == known_at_call ? 0 : axes.extent[inner];
  static constexpr int registers_of_row = static_cast<int>((n + lanes - 1) / lanes);

  template <int... Q>
  [[gnu::always_inline]] static auto total_of_row(const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) {
    all_lane_totals<Step, 1> t;
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, p.leaf, 0);
    t.start();
    ((evaluate_body<Step, true, false>(r, flat_reader<Step, Axes, inner, static_cast<int>(n), Q>{p}), t.template add<(n - Q * lanes < lanes ? n - Q * lanes : lanes)>(0, r)), ...);
    return t;
  }
  template <int Root>
  using of = reduced_root<Step, Root>;
  template <int Root>
  struct registers_of_root {
    typename of<Root>::vector at[static_cast<std::size_t>(lanes)];
  };
  template <int Root>
  [[gnu::always_inline]] static auto grouped(const registers_of_root<Root>& x) {
    using V = typename of<Root>::vector;
    return simd::combine_groups<static_cast<int>(lanes)>(x.at, [](const V& a, const V& b) __attribute__((always_inline)) { return of<Root>::template both<V>(a, b); });
  }

 public:
  static constexpr bool possible = inner > 0 && walk::last_reduced(inner) < 0 && n > 0 && n <= 8 * lanes && registers_of_row * body_work<Step> <= most_work &&
                                   (... && fills_registers<Step, R>);

  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index rows) {
    for (index i = 0; i < rows; i += lanes) {
      const index now = rows - i < lanes ? rows - i : lanes;
      nest_pointers<Step> at = p;
      std::tuple<registers_of_root<R>...> x;
      for (index row = 0; row < now; ++row) {
        auto t = total_of_row(at, std::make_integer_sequence<int, registers_of_row>());
        ((std::get<R>(x).at[row] = static_cast<lane_totals<Step, R, 1>&>(t).part[0]), ...);
        walk::template move<inner - 1>(e, at, 1);
      }
      for (index row = now; row < lanes; ++row) ((std::get<R>(x).at[row] = of<R>::template neutral<typename of<R>::vector>()), ...);
      if (now == lanes) {
        (store_lanes<Step, R, lanes>(grouped<R>(std::get<R>(x)), p.root[R], n), ...);
      } else {
        alignas(alignment) char memory[sizeof...(R)][alignment];
        (store_lanes<Step, R, lanes>(grouped<R>(std::get<R>(x)), memory[R], n), ...);
        (std::memcpy(p.root[R], memory[R], static_cast<std::size_t>(now) * sizeof(root_type<Step, R>)), ...);
      }
      walk::template move<inner - 1>(e, p, lanes);
    }
  }
};

/// Rows along the last axis, one after another.
template <class Step, class Axes>
class row_lanes {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr bool one_row = walk::last_reduced(inner) < 0;
  static constexpr index known = axes.extent[inner] == known_at_call ? -1 : axes.extent[inner];

 public:
  [[gnu::always_inline]] static void run(const Axes& e, const nest_pointers<Step>& p, index count) {
    const index n = e.template extent<inner>();
    if constexpr (one_row) {
      reduce_all<Step, known>(p.leaf, p.root, n);
    } else {
      alignas(8) char memory[Step::roots][8] = {};
      void* lost[Step::roots];
      for (int r = 0; r < Step::roots; ++r) lost[r] = memory[r];
      index left = count / n;
      walk::template for_each<0, inner, true>(e, p, [&](const nest_pointers<Step>& at) __attribute__((always_inline)) {
        const reduction_part part{left == count / n, left == 1, count};
        store_totals<Step>(reduce_run<Step, known>(at.leaf, at.root, n), at.root, lost, part, reduced_numbers<Step>());
        --left;
      });
    }
  }
};

/// Runs a reduction by its nest, which is not empty.
template <class Step>
struct nest_reduction {
  /// Whether it does so in this call.
  [[gnu::always_inline]] static bool fits(const frame<typename Step::program>& fr) {
    if constexpr (chosen.lanes == reduction_lanes::kept)
      if (!is_as_long<Step, chosen.axis, kept_lanes<rows, Axes, chosen.axis>::least>(fr, axes)) return false;
    return walks_as_planned<Step>(fr);
  }

  using P = typename Step::program;
  static constexpr reduction_nest chosen = nest_of_reduction<Step>::chosen;
  static constexpr unsigned reduced = axes_of_step<Step>();
  static constexpr bool through = chosen.lanes == reduction_lanes::through;
  using Axes = nest_extents<Step, reduced, through ? nest_order::kept_first : nest_order::of_space>;
  static constexpr auto& axes = Axes::axes;
  // What is the same all along a row is computed once for it.
  static constexpr bool by_row = chosen.lanes == reduction_lanes::row;
  static constexpr int outer = by_row ? axes.last[axes.rank - 1] - axes.count[axes.rank - 1] + 1 : 0;
  using rows = step<P, Step::number, outer>;
  using walk = nest_walk<rows, Axes>;
  static constexpr bool bundled = by_row && row_bundle<rows, Axes>::possible;

  // All kept axes but that of the lanes, of the first one `n` places.
  [[gnu::always_inline]] static void run_part(const Axes& e, nest_pointers<rows> p, index n, index count) {
    if constexpr (chosen.lanes == reduction_lanes::kept && walk::first_kept == chosen.axis) {
      kept_lanes<rows, Axes, chosen.axis>::run(e, p, n, count);
    } else if constexpr (bundled && walk::first_kept == axes.rank - 2) {
      row_bundle<rows, Axes>::run(e, p, n);
    } else {
      constexpr int last = by_row ? axes.rank - bundled - bundled : chosen.axis;
      if constexpr (walk::first_kept >= last) {
        run_kept(e, p, count);
      } else {
        for (; n > 0; --n) {
          walk::template for_each<walk::first_kept + 1, last, false>(e, p, [&](const nest_pointers<rows>& at) __attribute__((always_inline)) { run_kept(e, at, count); });
          walk::template move<walk::first_kept>(e, p, 1);
        }
      }
    }
  }
  [[gnu::always_inline]] static void run_kept(const Axes& e, const nest_pointers<rows>& p, index count) {
    if constexpr (chosen.lanes == reduction_lanes::kept) kept_lanes<rows, Axes, chosen.axis>::run(e, p, e.template extent<chosen.axis>(), count);
    else if constexpr (bundled) row_bundle<rows, Axes>::run(e, p, e.template extent<axes.rank - 2>());
    else if constexpr (!by_row) inside_lanes<rows, Axes, chosen.axis, chosen.rows>::run(e, p, count);
    else row_lanes<rows, Axes>::run(e, p, count);
  }
  static index reduced_count(const Axes& e) {
    index n = 1;
    [&]<int... A>(std::integer_sequence<int, A...>) { ((n *= axes.reduced[A] ? e.template extent<A>() : 1), ...); }
    (std::make_integer_sequence<int, axes.rank>());
    return n;
  }

  [[gnu::always_inline]] static void run(const frame<P>& fr) {
    const Axes e(fr);
    const nest_pointers<rows> p = pointers_of<rows>(dense_pointers<Step>(fr));
    const index count = reduced_count(e);
    if constexpr (walk::first_kept < axes.rank) {
      if constexpr (axes.size_from(0) == known_at_call || axes.size_from(0) >= 2 * shared_length)
        if (is_shared(e.size())) [[unlikely]] return share(e, p, count);
      run_part(e, p, e.template extent<walk::first_kept>(), count);
    } else {
      run_part(e, p, 1, count);
    }
  }
  [[gnu::noinline, gnu::cold]] static void share(Axes e, nest_pointers<rows> p, index count) {
    const index n = e.template extent<walk::first_kept>(), others = e.size() / n;
    const index least = others < shared_length ? shared_length / others : 1;
    share_blocks(n, (least + 63) / 64 * 64, [&](index first, index length) {
      nest_pointers<rows> part = p;
      walk::template move<walk::first_kept>(e, part, first);
      run_part(e, part, length, count);
    });
  }
};

}  // namespace jig::detail
