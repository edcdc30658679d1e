// SPDX-License-Identifier: MIT
#pragma once
// Reductions with lanes along an axis that is kept.

#include <jig/eval/lane_totals.hpp>
#include <jig/eval/nest_loop.hpp>

#include <tuple>

namespace jig::detail {

// The lanes of component c of Count places along an axis, from number `first` on.
template <int Lanes, int Operands>
constexpr simd::lane_map<Lanes> map_of_component(const nest_shape<Operands>& axes, int axis, int o, index c, index first, index count) {
  simd::lane_map<Lanes> out;
  const index stride = axes.stride[o][axis], size = axes.size_from(axis + 1);
  for (index k = 0; k < size; ++k)
    for (index l : {index{0}, count - 1}) {
      const index e = offset_in_block(axes, axis, o, l * size + k);
      if ((k == 0 && l == 0) || e < out.first) out.first = e;
      if ((k == 0 && l == 0) || e > out.last) out.last = e;
    }
  out.first += first * stride;
  out.last += first * stride;
  for (int l = 0; l < Lanes; ++l) out.at[l] = offset_in_block(axes, axis, o, c) + (first + (l < count ? l : count - 1)) * stride;
  return out;
}
// Where register g begins of as many as hold `extent` places, the last of which overlaps.
constexpr index first_of_register(index extent, int g, index lanes) {
  const index first = g * lanes;
  return extent == known_at_call || extent < lanes || first + lanes <= extent ? first : extent - lanes;
}

/// Reads component C of Count places along axis `Axis`, from register G on.
template <class Step, class Axes, int Axis, int C, int G, index Count>
struct component_reader : nest_reader<Step> {
  static constexpr int lanes = static_cast<int>(step_lanes<Step>);

  template <int Entry>
  struct lanes_of {
    static constexpr simd::lane_map<lanes> map =
        map_of_component<lanes>(Axes::axes, Axis, Entry, C, first_of_register(Axes::axes.extent[Axis], G, lanes), Count);
  };
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    using T = type_of<Step::table.type[Entry]>;
    const void* from = leaf_pointer<Step, Axes, Entry>(this->at);
    return to_register<T, typename Step::lead_type>(
        simd::load_mapped<lanes_of<Entry>, static_cast<int>(step_lanes<Step>)>(static_cast<const moved_as<T>*>(from)));
  }
};

/// Reads component C of one place along axis `Axis`.
template <class Step, class Axes, int Axis, int C>
struct single_reader : nest_reader<Step> {
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    using T = type_of<Step::table.type[Entry]>;
    constexpr index offset = offset_in_block(Axes::axes, Axis, Entry, C);
    return static_cast<const T*>(leaf_pointer<Step, Axes, Entry>(this->at))[offset];
  }
};

/// Reads component C of the first `n` places along axis `Axis`, fewer than there are lanes, which lie side by side.
template <class Step, class Axes, int Axis, int C>
struct first_places_reader : nest_reader<Step> {
  index n;
  [[gnu::always_inline]] first_places_reader(const nest_pointers<Step>& p, index places) : nest_reader<Step>{p}, n(places) {}
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    if constexpr (Axes::axes.stride[Entry][Axis] == 0) {
      return component_reader<Step, Axes, Axis, C, 0, step_lanes<Step>>{this->at}.template read<Entry>();
    } else {
      using T = type_of<Step::table.type[Entry]>;
      constexpr index offset = offset_in_block(Axes::axes, Axis, Entry, C);
      return fill_some<Step>(static_cast<const T*>(leaf_pointer<Step, Axes, Entry>(this->at)) + offset, n);
    }
  }
};

/// Whether a leaf is the same at all places along the axis outside of that of the lanes, so that its registers may be kept for many of
/// them. More registers than these are found again.
template <class Step>
constexpr bool is_kept_in_column(const nest_shape<Step::leaves + Step::roots>& axes, int axis, int leaf) {
  if (axis < 1 || axes.reduced[axis - 1]) return false;
  const auto same = [&](int l) {
    bool moves = false;
    for (int a = axis; a < axes.rank; ++a) moves = moves || axes.stride[l][a] != 0;
    return moves && !Step::table.invariant[l] && axes.stride[l][axis - 1] == 0;
  };
  index kept = 0;
  for (int l = 0; l < leaf; ++l) kept += same(l) ? axes.size_from(axis + 1) : 0;
  return same(leaf) && kept + axes.size_from(axis + 1) <= most_kept_registers;
}

// The components of a leaf along register G of lanes of axis Axis, in a register each.
template <class Step, class Axes, int Axis, int G, index Count, int Entry>
struct column_leaf {
  static constexpr int count = static_cast<int>(Axes::axes.size_from(Axis + 1));
  decltype(std::declval<const component_reader<Step, Axes, Axis, 0, G, Count>&>().template read<Entry>()) at[array_bound(count)];
  [[gnu::always_inline]] explicit column_leaf(const nest_pointers<Step>& p) : column_leaf(p, std::make_integer_sequence<int, count>()) {}
  template <int... C>
  [[gnu::always_inline]] column_leaf(const nest_pointers<Step>& p, std::integer_sequence<int, C...>)
      : at{component_reader<Step, Axes, Axis, C, G, Count>{p}.template read<Entry>()...} {}
};
template <class Step, class Axes, int Axis, int G, index Count, int L>
using kept_in_column = typename std::conditional_t<is_kept_in_column<Step>(Axes::axes, Axis, L),
                                                   std::type_identity<column_leaf<Step, Axes, Axis, G, Count, L>>,
                                                   std::type_identity<leaf_by_itself<L>>>::type;
template <class Step, class Axes, int Axis, int G, index Count, class Leaves = std::make_integer_sequence<int, Step::leaves>>
struct column_leaves;
template <class Step, class Axes, int Axis, int G, index Count, int... L>
struct column_leaves<Step, Axes, Axis, G, Count, std::integer_sequence<int, L...>> : kept_in_column<Step, Axes, Axis, G, Count, L>... {
  [[gnu::always_inline]] explicit column_leaves(const nest_pointers<Step>& p) : kept_in_column<Step, Axes, Axis, G, Count, L>(p)... {}
};
// Those of several registers.
template <class Step, class Axes, int Axis, index Count, class Registers>
struct leaves_of_columns;
template <class Step, class Axes, int Axis, index Count, int... G>
struct leaves_of_columns<Step, Axes, Axis, Count, std::integer_sequence<int, G...>> : column_leaves<Step, Axes, Axis, G, Count>... {
  [[gnu::always_inline]] explicit leaves_of_columns(const nest_pointers<Step>& p) : column_leaves<Step, Axes, Axis, G, Count>(p)... {}
};
template <class Step, class Axes, int Axis, int C, int G, index Count>
struct column_reader : component_reader<Step, Axes, Axis, C, G, Count> {
  const column_leaves<Step, Axes, Axis, G, Count>& kept;
  [[gnu::always_inline]] column_reader(const nest_pointers<Step>& p, const column_leaves<Step, Axes, Axis, G, Count>& k)
      : component_reader<Step, Axes, Axis, C, G, Count>{p}, kept(k) {}
  template <int Entry>
  [[gnu::always_inline]] auto read() const {
    if constexpr (is_kept_in_column<Step>(Axes::axes, Axis, Entry))
      return static_cast<const column_leaf<Step, Axes, Axis, G, Count, Entry>&>(kept).at[C];
    else return component_reader<Step, Axes, Axis, C, G, Count>::template read<Entry>();
  }
};

/// Lanes along a kept axis.
template <class Step, class Axes, int Axis>
class kept_lanes {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr index lanes = step_lanes<Step>;
  static constexpr int components = static_cast<int>(axes.size_from(Axis + 1));
  static constexpr int axis_of_rows = walk::last_reduced(Axis);
  // Several registers side by side hide the latency of the combination, and read rows of memory as they lie.
  static constexpr int most_together = [] {
    if (components > 1 || axis_of_rows < 0 || expression_work<Step> > 8 || Step::roots > 1) return 1;
    constexpr int most = simd::registers == 32 ? 16 : 4;
    if (axes.extent[Axis] == known_at_call) return most / 2;
    const index all = (axes.extent[Axis] + lanes - 1) / lanes, passes = (all + most - 1) / most;
    return static_cast<int>((all + passes - 1) / passes);
  }();
  // So many rows are combined before what they give becomes part of a compensated total.
  static constexpr index rows_of_part = longest_sum<Step> / components < 1 ? 1 : longest_sum<Step> / components;
  // Of so few places the part is the total.
  static constexpr index places = walk::reduced_places(Axis);
  static constexpr bool in_one_part = axis_of_rows < 0 || (places != known_at_call && places <= longest_sum<Step> / components);
  using numbers = std::make_integer_sequence<int, components>;

  template <index Count, int G, int Together, int... C>
  [[gnu::always_inline]] static void add_register(all_lane_totals<Step, Together>& t, registers<Step, true>& r,
                                                  const nest_pointers<Step>& p, std::integer_sequence<int, C...>) {
    ((evaluate_expression<Step, true, false>(r, component_reader<Step, Axes, Axis, C, G, Count>{p}), t.template add<lanes>(G, r)), ...);
  }
  template <index Count, int Together, int... G>
  [[gnu::always_inline]] static void add_place(all_lane_totals<Step, Together>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                               std::integer_sequence<int, G...>) {
    (add_register<Count, G>(t, r, p, numbers()), ...);
  }
  // Combines all places, of which `add` adds one to the parts.
  template <int Together, class Add>
  [[gnu::always_inline]] static void combine(const Axes& e, const nest_pointers<Step>& p, all_lane_totals<Step, Together>& t, Add add) {
    if constexpr (in_one_part) {
      t.start();
      walk::template for_each<0, Axis, true>(e, p, add);
    } else {
      bool first = true;
      walk::template for_each<0, axis_of_rows, true>(e, p, [&](const nest_pointers<Step>& outer) __attribute__((always_inline)) {
        nest_pointers<Step> at = outer;
        const index n = e.template extent<axis_of_rows>();
        for (index row = 0; row < n;) {
          const index end = n - row < rows_of_part ? n : row + rows_of_part;
          t.start();
          for (; row < end; ++row) {
            add(at);
            walk::template move<axis_of_rows>(e, at, 1);
          }
          t.close(first);
          first = false;
        }
      });
    }
  }
  template <index Count, int Together>
  [[gnu::always_inline]] static void run_lanes(const Axes& e, const nest_pointers<Step>& p, index count) {
    constexpr std::make_integer_sequence<int, Together> together;
    all_lane_totals<Step, Together> t{};  // GCC does not see that there are rows
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    combine(e, p, t, [&](const nest_pointers<Step>& at) __attribute__((always_inline)) { add_place<Count, Together>(t, r, at, together); });
    [&]<int... G>(std::integer_sequence<int, G...>) __attribute__((always_inline)) {
      (t.template store<Count, in_one_part>(G, p.root, first_of_register(axes.extent[Axis], G, lanes), count), ...);
    }(together);
  }

  // Fewer places than lanes: as a part of a register where they lie side by side, else one by one.
  static constexpr bool has_parts = [] {
    bool beside = axes.extent[Axis] == known_at_call && reads_some<Step>;
    for (int o = 0; o < Step::leaves + Step::roots; ++o) {
      const index along = axes.stride[o][Axis];
      beside = beside && (along == 1 || (o < Step::leaves && (along == 0 || Step::table.invariant[o])));
    }
    return beside;
  }();

 public:
  /// Places along the axis that a call has to have if their number is not static.
  static constexpr index least = lanes;
  /// Whether it takes fewer, too: in every call, or where `count` numbers are combined of each.
  static constexpr bool takes_few = axes.extent[Axis] == known_at_call && (in_one_part || (has_parts && simd::cheap_parts));
  static constexpr bool takes_few_of(index count) {
    return takes_few || (axes.extent[Axis] == known_at_call && count <= rows_of_part * components);
  }
  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index n, index count) {
    constexpr index extent = axes.extent[Axis], length = most_together * lanes;
    if constexpr (extent != known_at_call && extent < lanes) {
      run_lanes<extent, 1>(e, p, count);
    } else if constexpr (extent != known_at_call && extent <= length) {
      if (!walk::template may_be_shared<Axis> || n == extent) return run_lanes<lanes, most_together>(e, p, count);
      if constexpr (walk::template may_be_shared<Axis>) run_all<1>(e, p, n, count);
    } else {
      if constexpr (extent == known_at_call)
        if (n < lanes && takes_few_of(count)) return run_few(e, p, n, count, root_numbers<Step>());
      if (n >= length) return run_all<most_together>(e, p, n, count);
      if constexpr (most_together > 1) run_all<1>(e, p, n, count);
    }
  }
  /// All places along the axis at `rows` places along the one outside: what is the same at these is found once for some of them.
  [[gnu::always_inline]] static void run_columns(const Axes& e, nest_pointers<Step> p, index rows, index count) {
    constexpr index extent = axes.extent[Axis], together = 64, length = columns_together * lanes;
    for (; rows > 0; rows -= together) {
      const index now = rows < together ? rows : together;
      nest_pointers<Step> at = p;
      if constexpr (extent != known_at_call && extent < lanes) {
        run_column<extent, 1>(e, at, now, count);
      } else if constexpr (extent != known_at_call && extent <= length) {
        run_column<lanes, columns_together>(e, at, now, count);
      } else {
        index n = e.template extent<Axis>();
        if constexpr (takes_few) {
          if (n < lanes) {
            for (; rows > 0; --rows) {
              run_few(e, p, n, count, root_numbers<Step>());
              walk::template move<Axis - 1>(e, p, 1);
            }
            return;
          }
        }
        for (; n > 0; n -= length) {
          if (n < length) walk::template move<Axis>(e, at, n - length);
          run_column<lanes, columns_together>(e, at, now, count);
          walk::template move<Axis>(e, at, length);
        }
      }
      walk::template move<Axis - 1>(e, p, now);
    }
  }

 private:
  template <int... R>
  [[gnu::always_inline]] static void run_few(const Axes& e, nest_pointers<Step> p, index n, index count, std::integer_sequence<int, R...>) {
    if constexpr (has_parts) {
      constexpr index fewest = simd::cheap_parts ? 1 : parts_are_whole<Step> ? 2 : 4;
      if (n >= fewest) {
        all_lane_totals<Step, 1> t{};
        registers<Step, true> r;
        evaluate_expression<Step, true, true>(r, p.leaf, 0);
        combine(e, p, t, [&](const nest_pointers<Step>& at) __attribute__((always_inline)) { add_part(t, r, at, n, numbers()); });
        const auto combined = [&]<int Root>(const lane_totals<Step, Root, 1>& of) __attribute__((always_inline)) {
          if constexpr (in_one_part) return of.part[0];
          else return of.whole(0);
        };
        (store_first_lanes<Step, R>(combined(static_cast<const lane_totals<Step, R, 1>&>(t)), p.root[R], n, count), ...);
        return;
      }
    }
    registers<Step, false> r;
    evaluate_expression<Step, false, true>(r, p.leaf, 0);
    for (; n > 0; --n) {
      std::tuple<root_type<Step, R>...> total{reduced_root<Step, R>::template neutral<root_type<Step, R>>()...};
      walk::template for_each<0, Axis, true>(
          e, p, [&](const nest_pointers<Step>& at) __attribute__((always_inline)) { add_single(total, r, at, numbers()); });
      ((*static_cast<root_type<Step, R>*>(p.root[R]) = reduced_root<Step, R>::finished(std::get<R>(total), {}, count)), ...);
      walk::template move<Axis>(e, p, 1);
    }
  }
  template <int... C>
  [[gnu::always_inline]] static void add_part(all_lane_totals<Step, 1>& t, registers<Step, true>& r, const nest_pointers<Step>& at, index n,
                                              std::integer_sequence<int, C...>) {
    ((evaluate_expression<Step, true, false>(r, first_places_reader<Step, Axes, Axis, C>(at, n)), t.template add<lanes>(0, r)), ...);
  }
  template <class Totals, int... C>
  [[gnu::always_inline]] static void add_single(Totals& total, registers<Step, false>& r, const nest_pointers<Step>& at,
                                                std::integer_sequence<int, C...>) {
    const auto add = [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      ((std::get<R>(total) = reduced_root<Step, R>::both(std::get<R>(total), r.template get<reduced_root<Step, R>::operand>())), ...);
    };
    ((evaluate_expression<Step, false, false>(r, single_reader<Step, Axes, Axis, C>{at}), add(root_numbers<Step>())), ...);
  }
  // As many registers beside one another as have room for what is kept.
  static constexpr int columns_together = [] {
    constexpr int most = 4;
    int kept = 0;
    for (int l = 0; l < Step::leaves; ++l) kept += is_kept_in_column<Step>(axes, Axis, l) ? components : 0;
    if (kept == 0 || axes.extent[Axis] == known_at_call) return 1;
    const int fitting = most_kept_registers / kept, all = static_cast<int>((axes.extent[Axis] + lanes - 1) / lanes);
    const int together = fitting < most ? fitting : most;
    return together < 1 || expression_work<Step> * components * together > most_work ? 1 : together < all ? together : all;
  }();
  template <index Count, int Together>
  [[gnu::always_inline]] static void run_column(const Axes& e, nest_pointers<Step> p, index rows, index count) {
    constexpr std::make_integer_sequence<int, Together> together;
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    const leaves_of_columns<Step, Axes, Axis, Count, std::make_integer_sequence<int, Together>> kept(p);
    for (; rows > 0; --rows) {
      all_lane_totals<Step, Together> t{};
      t.start();
      [&]<int... G>(std::integer_sequence<int, G...>) __attribute__((always_inline)) {
        (add_column<Count, G>(t, r, p, static_cast<const column_leaves<Step, Axes, Axis, G, Count>&>(kept), numbers()), ...);
        (t.template store<Count, true>(G, p.root, first_of_register(axes.extent[Axis], G, lanes), count), ...);
      }(together);
      walk::template move<Axis - 1>(e, p, 1);
    }
  }
  template <index Count, int G, int Together, int... C>
  [[gnu::always_inline]] static void add_column(all_lane_totals<Step, Together>& t, registers<Step, true>& r, const nest_pointers<Step>& p,
                                                const column_leaves<Step, Axes, Axis, G, Count>& kept, std::integer_sequence<int, C...>) {
    ((evaluate_expression<Step, true, false>(r, column_reader<Step, Axes, Axis, C, G, Count>(p, kept)), t.template add<lanes>(G, r)), ...);
  }
  // The last ones overlap with those before them; a register to themselves reads less, where they fit one.
  template <int Together>
  [[gnu::always_inline]] static void run_all(const Axes& e, nest_pointers<Step>& p, index n, index count) {
    constexpr index length = Together * lanes;
    while (n > 0) {
      if constexpr (Together > 1 && axes.extent[Axis] == known_at_call)
        if (n <= lanes) return run_all<1>(e, p, n, count);
      if (n < length) walk::template move<Axis>(e, p, n - length);
      run_lanes<lanes, Together>(e, p, count);
      walk::template move<Axis>(e, p, length);
      n -= length;
    }
  }
};

}  // namespace jig::detail
