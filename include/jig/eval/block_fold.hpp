// SPDX-License-Identifier: MIT
#pragma once
// Registers that hold a block of elements as they lie: those along its reduced axes are combined, half with half, by moves of lanes.

#include <jig/core/shape.hpp>
#include <jig/eval/interleave.hpp>

namespace jig::simd {

/// The axes of a block.
struct block_shape {
  int rank = 0;
  index extent[max_rank] = {};
  bool reduced[max_rank] = {};

  constexpr index size(int from = 0) const {
    index n = 1;
    for (int a = from; a < rank; ++a) n *= extent[a];
    return n;
  }
  constexpr int first_reduced() const {
    int a = 0;
    while (a < rank && !(reduced[a] && extent[a] > 1)) ++a;
    return a;
  }
};

/// What combines the parts of the first axis that is reduced: `parts` of them, so that `length` places along it are left. The last part may
/// be shorter than the others.
struct fold_step {
  block_shape to;
  int parts = 1;  // 1: nothing is left to combine
  index inner = 1, extent = 1, length = 1;

  /// Whether element e behind the step has a part k, and which element before it that is.
  constexpr bool has(index e, int k) const { return k * length + e / inner % length < extent; }
  constexpr index source(index e, int k) const { return (e / (length * inner) * extent + k * length) * inner + e % (length * inner); }
};
constexpr fold_step next_fold(const block_shape& from) {
  const int a = from.first_reduced();
  if (a == from.rank) return {from};
  constexpr int most_parts = 5;
  // What powers of two leave is combined first where registers move best within 16 bytes and as halves.
  const int extent = static_cast<int>(from.extent[a]), odd = detail::has_two_step_moves ? extent / (extent & -extent) : 1;
  fold_step out{from, detail::smallest_factor(odd > 1 ? odd : extent), from.size(a + 1), from.extent[a]};
  if (out.parts > most_parts) out.parts = 2;
  out.length = out.to.extent[a] = (from.extent[a] + out.parts - 1) / out.parts;
  return out;
}

constexpr int registers_of(index elements, int lanes) { return static_cast<int>((elements + lanes - 1) / lanes); }

namespace detail {

/// Where the lanes of one register of a part come from.
struct fold_sources {
  index first = 0, last = -1;         // registers
  bool moves = false, lacks = false;  // lanes that change places, and lanes that have no such part
  double moving = 0;                  // what it costs to bring them together

  constexpr double cost() const { return last < first ? 0 : moving + lacks; }
};
// What it costs to bring a part together where AVX2 moves it in two steps.
template <int Lanes>
constexpr double cost_of_part(const fold_step& s, int reg, int k, const fold_sources& of) {
  lane_choice<Lanes> from;
  for (int l = 0; l < Lanes; ++l) {
    const index e = index{reg} * Lanes + l, at = e < s.to.size() && s.has(e, k) ? s.source(e, k) - of.first * Lanes : l;
    from.source[l] = static_cast<int>(at / Lanes);
    from.lane[l] = static_cast<int>(at % Lanes);
  }
  return cost_in_two_steps(from, static_cast<int>(of.last - of.first) + 1);
}
constexpr fold_sources find_fold_sources(const fold_step& s, int reg, int k, int lanes) {
  fold_sources out;
  const index n = s.to.size(), begin = index{reg} * lanes;
  for (index e = begin; e < n && e < begin + lanes; ++e) {
    if (!s.has(e, k)) {
      out.lacks = true;
      continue;
    }
    // The sources of lanes ascend.
    const index from = s.source(e, k);
    if (out.last < 0) out.first = from / lanes;
    out.last = from / lanes;
    out.moves = out.moves || from % lanes != e - begin;
  }
  if (out.last < out.first) return out;
  if (out.last == out.first && !out.moves) return out;
  if (has_two_step_moves && lanes == 8) out.moving = cost_of_part<8>(s, reg, k, out);
  else if (has_two_step_moves && lanes == 4) out.moving = cost_of_part<4>(s, reg, k, out);
  else out.moving = out.last > out.first ? static_cast<double>(out.last - out.first) : 1;
  return out;
}

}  // namespace detail

/// What moves of lanes and combinations of registers cost that fold a block.
constexpr double cost_of_fold(block_shape of, int lanes) {
  double cost = 0;
  for (fold_step s = next_fold(of); s.parts > 1; s = next_fold(of)) {
    of = s.to;
    for (int q = 0; q < registers_of(of.size(), lanes); ++q)
      for (int k = 0; k < s.parts; ++k) cost += detail::find_fold_sources(s, q, k, lanes).cost() + (k > 0);
  }
  return cost;
}

namespace detail {

template <class Block>
struct folded {
  static constexpr fold_step step = next_fold(Block::shape);
  static constexpr block_shape shape = step.to;
};
template <class Block, int Lanes, int Q, int K>
struct part_of_fold {
  static constexpr const fold_step& step = folded<Block>::step;
  static constexpr fold_sources sources = find_fold_sources(step, Q, K, Lanes);
  static constexpr index element(int lane) { return index{Q} * Lanes + lane; }
  static constexpr bool has(int lane) { return element(lane) < step.to.size() && step.has(element(lane), K); }

  // Lanes that have such a part.
  struct merged {
    static constexpr index from(int lane) { return has(lane) ? step.source(element(lane), K) - sources.first * Lanes : lane; }
    static constexpr int source(int l) { return static_cast<int>(from(l) / Lanes); }
    static constexpr int lane(int l) { return static_cast<int>(from(l) % Lanes); }
  };
  // Those that have no such part come from a second register.
  struct completed {
    static constexpr int at(int lane) { return has(lane) ? lane : Lanes + lane; }
  };
  template <class B>
  [[gnu::always_inline]] static B of(const B* x, const B& neutral) {
    B out = x[sources.first];
    if constexpr (sources.first < sources.last || sources.moves)
      out = merge<merged, static_cast<int>(sources.last - sources.first) + 1>(x + sources.first);
    if constexpr (sources.lacks) out = permute<completed>(out, neutral);
    return out;
  }
};
template <class Block, int Q, class B, class F, int... K>
[[gnu::always_inline]] inline void fold_register(B* x, const B& neutral, F combine, std::integer_sequence<int, K...>) {
  constexpr int lanes = static_cast<int>(B::size);
  B all = part_of_fold<Block, lanes, Q, 0>::of(x, neutral);
  (
      [&]() __attribute__((always_inline)) {
        using part = part_of_fold<Block, lanes, Q, K + 1>;
        if constexpr (part::sources.last >= 0) all = combine(all, part::of(x, neutral));
      }(),
      ...);
  x[Q] = all;
}

}  // namespace detail

/// Combines the elements of a block along its reduced axes. Its registers are x, and in the end the first ones of these. Block::shape is
/// a block_shape; lanes behind the last element mean nothing. `neutral` changes nothing where it is combined.
template <class Block, class B, class F>
[[gnu::always_inline]] inline void fold_block(B* x, const B& neutral, F combine) {
  using to = detail::folded<Block>;
  if constexpr (to::step.parts > 1) {
    // What a register comes from lies in it or behind it.
    [&]<int... Q>(std::integer_sequence<int, Q...>) __attribute__((always_inline)) {
      (detail::fold_register<Block, Q>(x, neutral, combine, std::make_integer_sequence<int, to::step.parts - 1>()), ...);
    }(std::make_integer_sequence<int, registers_of(to::shape.size(), static_cast<int>(B::size))>());
    fold_block<to>(x, neutral, combine);
  }
}

}  // namespace jig::simd
