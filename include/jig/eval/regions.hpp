// SPDX-License-Identifier: MIT
#pragma once
// Runs a region of several steps as its plan says: chunk by chunk, each chunk through all of them.

#include <jig/eval/batch.hpp>
#include <jig/eval/epilogue_region.hpp>
#include <jig/eval/matmul/chain.hpp>
#include <jig/eval/scattered_rows.hpp>
#include <jig/eval/watch.hpp>

#include <algorithm>

namespace jig::detail {

/// How a step runs on places of a region.
enum class places_walk : unsigned char {
  one_run,   // all places are one run of memory
  each,      // one after the other, each a run of memory
  strided,   // one after the other, with strides that the call tells
  nest,      // many at a time, by its nest
  kernel,    // a kernel takes many at a time
  registers  // it takes what the kernel before it has in registers
};
// How many rows of a region are a chunk where they run one by one: several, if each step goes from row to row through memory.
template <class P, int Region>
inline constexpr index rows_at_once = []<int... K>(std::integer_sequence<int, K...>) {
  using at = chunk_operands<P, Region>;
  const bool plain = (at::template all_plain<step<P, P::region(Region).first + K, P::region(Region).axes>> && ...);
  return plain ? at::most_rows : index{1};
}(std::make_integer_sequence<int, P::region(Region).count>());

/// How step S runs on places of a region: rows many at a time if Many, else one by one; items many at a time.
template <class P, int Region, int S, bool Many>
constexpr places_walk walk_of_step() {
  if constexpr (P::region(Region).kind == region_kind::batch) {
    if constexpr (goes_on_in_registers<P, Region, S - 1>) return places_walk::registers;
    else return P::plan.steps.items[S].kind == step_kind::loop ? places_walk::one_run : places_walk::kernel;
  } else if constexpr (Many) {
    return places_walk::nest;
  } else {
    using at = chunk_operands<P, Region>;
    using own = step<P, S, P::region(Region).axes>;
    if constexpr (rows_at_once<P, Region> > 1 && at::template is_single<own>) return places_walk::one_run;
    else return at::template all_plain<own> ? places_walk::each : places_walk::strided;
  }
}

template <class P, int S>
struct no_step {
  no_step(const frame<P>&, char*, index) {}
  static void run(const frame<P>&, char*, index, index) {}
};
template <class P, int Region, int S, places_walk Walk>
constexpr auto step_that_walks() {
  using std::type_identity;
  if constexpr (Walk == places_walk::one_run) return type_identity<run_of_places<P, Region, S>>();
  else if constexpr (Walk == places_walk::each) return type_identity<place_by_place<P, Region, S>>();
  else if constexpr (Walk == places_walk::strided) return type_identity<scattered_rows<P, Region, S>>();
  else if constexpr (Walk == places_walk::nest) return type_identity<nest_of_places<P, Region, S>>();
  else if constexpr (Walk == places_walk::kernel) return type_identity<kernel_on_batch<P, Region, S>>();
  else return type_identity<no_step<P, S>>();
}
template <class P, int Region, int S, bool Many>
using step_on_places = typename decltype(step_that_walks<P, Region, S, walk_of_step<P, Region, S, Many>()>())::type;

template <class P, int Region, bool Many, class Steps>
struct region_run;
template <class P, int Region, bool Many, int... K>
struct region_run<P, Region, Many, std::integer_sequence<int, K...>> : step_on_places<P, Region, P::region(Region).first + K, Many>... {
  using at = chunk_operands<P, Region>;
  static constexpr planned_region region = P::region(Region);
  static constexpr index chunk = Many ? region.chunk : rows_at_once<P, Region>, least = Many ? region.least : 1;

  region_run(const frame<P>& fr, char* memory, index first) : step_on_places<P, Region, region.first + K, Many>(fr, memory, first)... {}
  // The most elements that a step goes through at a place.
  static index size_of_place(const frame<P>& fr) {
    index each = 1;
    ((each = (std::max)(each, at::template size<P::plan.steps.items[region.first + K].space>(fr))), ...);
    return each;
  }
  // Rows one by one stay in the first cache together.
  static index places_at_once(const frame<P>& fr) {
    constexpr index elements = 2048;
    if constexpr (Many || chunk == 1) return chunk;
    else return (std::clamp)(elements / size_of_place(fr), index{1}, chunk);
  }
  // n places, of which `first` is the first one.
  static void run_part(const frame<P>& fr, index first, index n) {
    alignas(alignment) char memory[array_bound(region.bytes)];
    [[maybe_unused]] region_run steps(fr, memory, first);
    const index at_once = places_at_once(fr);
    while (n > 0) {
      const index now = n < at_once + least ? n : at_once;
      if constexpr (is_watched<P>) {
        typename watch<P>::template chunk<Region> watching;
        ((static_cast<step_on_places<P, Region, region.first + K, Many>&>(steps).run(fr, memory, first, now), watching.step(K)), ...);
      } else {
        (static_cast<step_on_places<P, Region, region.first + K, Many>&>(steps).run(fr, memory, first, now), ...);
      }
      first += now;
      n -= now;
    }
  }
  /// At least as many places as a chunk needs.
  static void run(const frame<P>& fr, index n) {
    const index each = size_of_place(fr);
    if (!is_shared(n * each)) [[likely]]
      return run_part(fr, 0, n);
    parallel_for(n, (std::max)(shared_length / each / chunk, index{1}) * chunk,
                 [&](index first, index length) { run_part(fr, first, length); });
  }
};

// Whether all rows of a region of short rows can run many at a time.
template <class P, int Region>
inline constexpr bool runs_many_rows = []<int... K>(std::integer_sequence<int, K...>) {
  if constexpr (P::region(Region).least > 1)
    return (nest_of_places<P, Region, P::region(Region).first + K>::takes(P::region(Region).least) && ...);
  else return false;
}(std::make_integer_sequence<int, P::region(Region).count>());

// How many rows there have to be for that. Others of which there are fewer run one by one.
template <class P, int Region>
inline constexpr index fewest_rows = []<int... K>(std::integer_sequence<int, K...>) {
  return (std::max)({nest_of_places<P, Region, P::region(Region).first + K>::fewest()...});
}(std::make_integer_sequence<int, P::region(Region).count>());

template <class P, int Region>
[[gnu::noinline]] void run_in_chunks(const frame<P>& fr) {
  constexpr planned_region region = P::region(Region);
  using at = chunk_operands<P, Region>;
  using steps = std::make_integer_sequence<int, region.count>;
  const index n = at::places(fr);
  if (n == 0) [[unlikely]]
    return;
  if constexpr (region.kind == region_kind::batch) {
    region_run<P, Region, true, steps>::run(fr, n);
  } else if constexpr (!runs_many_rows<P, Region>) {
    region_run<P, Region, false, steps>::run(fr, n);
  } else {
    constexpr index fewest = fewest_rows<P, Region>;
    if (n >= fewest) [[likely]]
      return region_run<P, Region, true, steps>::run(fr, n);
    if constexpr (at::known_places < fewest) region_run<P, Region, false, steps>::run(fr, n);
  }
}

/// Runs a region of several steps.
template <class P, int Region>
[[gnu::always_inline]] inline void run_together(const frame<P>& fr) {
  if constexpr (P::region(Region).kind == region_kind::epilogue) epilogue_region<P, Region>::run(fr);
  else if constexpr (P::region(Region).kind == region_kind::chain) product_chain<P, Region>::run(fr);
  else run_in_chunks<P, Region>(fr);
}

}  // namespace jig::detail
