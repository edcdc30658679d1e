// SPDX-License-Identifier: MIT
#pragma once
// Reductions over any axes. The operand is computed in the same loop that combines it; several accumulators hide the
// latency of the combination, and floating sums are compensated from block to block.

#include <jig/eval/loop.hpp>
#include <jig/eval/runs.hpp>

namespace jig {

namespace detail {

template <const op& Op, class T>
[[gnu::always_inline]] inline T combine_single(const T& x, const T& y) {
  if constexpr (Op.is(fact::wraps) && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using wide = typename wrapping_type<T>::type;
    return static_cast<T>(meaning<Op>::combine(static_cast<wide>(x), static_cast<wide>(y)));
  } else {
    return static_cast<T>(meaning<Op>::combine(x, y));
  }
}

template <const op& Op, class T, class Lead, class R>
[[gnu::always_inline]] inline R combine_batch(const R& x, const R& y) {
  if constexpr (Op.is(fact::wraps) && std::is_integral_v<T> && std::is_signed_v<T>) {
    using U = canonical<std::make_unsigned_t<T>>;
    return simd::reinterpret<T>(meaning<Op>::combine(simd::reinterpret<U>(x), simd::reinterpret<U>(y)));
  } else {
    return meaning<Op>::combine(x, y);
  }
}

template <const op& Op>
concept Sums = requires { requires meaning<Op>::sums; };

// The total of one root. Floating sums keep what rounding lost (Neumaier, 1974).
template <const op& Op, class T>
struct running_total {
  T total = meaning<Op>::template neutral<T>();
  T lost{};

  void add(const T& x) {
    T next = combine_single<Op, T>(total, x);
    if constexpr (Sums<Op> && std::is_floating_point_v<T>)
      lost += std::abs(total) >= std::abs(x) ? (total - next) + x : (x - next) + total;
    total = next;
  }
  T value() const {
    // Once the total is infinite or NaN what was lost means nothing.
    if constexpr (Sums<Op> && std::is_floating_point_v<T>) return std::isfinite(total) ? total + lost : total;
    else return total;
  }
};

template <class Step, int R>
constexpr const op& root_op() {
  return Step::program::kind(Step::root(R));
}

template <class Step, int R>
struct root_total {
  running_total<root_op<Step, R>(), root_type<Step, R>> it;
};
template <class Step, class Roots>
struct all_totals;
template <class Step, int... R>
struct all_totals<Step, std::integer_sequence<int, R...>> : root_total<Step, R>... {};

// Accumulators of one root: registers that are combined at the end.
template <class Step, int R, int Unroll>
struct root_accumulators {
  typename register_type<root_type<Step, R>, typename Step::lead_type, true>::type at[Unroll];
};
template <class Step, int Unroll, class Roots>
struct all_accumulators;
template <class Step, int Unroll, int... R>
struct all_accumulators<Step, Unroll, std::integer_sequence<int, R...>> : root_accumulators<Step, R, Unroll>... {};

template <class Step>
class reducer {
  using roots = root_numbers<Step>;
  using Lead = typename Step::lead_type;
  static constexpr index width = step_lanes<Step>;
  // Bodies that do much hide the latency by themselves.
  static constexpr int unroll = Step::table.varying <= 8 && Step::roots <= 2 ? 4 : 1;
  static constexpr index block = width * unroll * 128;
  static constexpr bool small = Step::table.varying <= small_body;

 public:
  [[gnu::always_inline]] reducer(const void* const* leaf, void* const* root) : p_(leaf, root) {}

  // Adds n contiguous elements to the totals.
  template <index Known = -1>
  void add(index n) {
    if constexpr (!Step::vectorizable || (Known >= 0 && Known < width && small)) {
      singles(0, n);
    } else {
      index whole = n / width * width;
      for (index first = 0; first < whole; first += block) vectors(first, whole - first < block ? whole : first + block);
      if (whole == n) return;
      if (whole > 0) lanes(p_.leaf, n - width, width - (n - whole), width);  // the last register full, which overlaps
      else if constexpr (small) singles(0, n);
      else padded(n);
    }
  }

  // Combines the totals with what the roots hold.
  void finish() { finish(roots()); }

 private:
  template <int R>
  auto& total() {
    return static_cast<root_total<Step, R>&>(totals_).it;
  }
  template <int R>
  static auto& accumulator(all_accumulators<Step, unroll, roots>& a, int k) {
    return static_cast<root_accumulators<Step, R, unroll>&>(a).at[k];
  }

  [[gnu::always_inline]] void singles(index first, index end) {
    registers<Step, false> r;
    evaluate_body<Step, false, true>(r, p_.leaf, 0);
    for (index i = first; i < end; ++i) {
      evaluate_body<Step, false, false>(r, p_.leaf, i);
      [&]<int... R>(std::integer_sequence<int, R...>) {
        (total<R>().add(r.template get<Step::stored_entry(R)>()), ...);
      }(roots());
    }
  }

  template <int... R>
  [[gnu::always_inline]] static void combine_into(all_accumulators<Step, unroll, roots>& a, int k, registers<Step, true>& r,
                                                  std::integer_sequence<int, R...>) {
    ((accumulator<R>(a, k) = combine_batch<root_op<Step, R>(), root_type<Step, R>, Lead>(
          accumulator<R>(a, k), r.template get<Step::stored_entry(R)>())),
     ...);
  }

  [[gnu::always_inline]] void vectors(index first, index end) {
    const local_pointers<Step> p = p_;
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, p.leaf, 0);
    all_accumulators<Step, unroll, roots> a;
    [&]<int... R>(std::integer_sequence<int, R...>) {
      (
          [&] {
            for (int k = 0; k < unroll; ++k)
              accumulator<R>(a, k) = typename register_type<root_type<Step, R>, Lead, true>::type(
                  meaning<root_op<Step, R>()>::template neutral<root_type<Step, R>>());
          }(),
          ...);
    }(roots());
    index i = first;
    if constexpr (unroll == 4) {
      for (; i + 4 * width <= end; i += 4 * width) {
        step_at<0>(a, r, p, i);
        step_at<1>(a, r, p, i);
        step_at<2>(a, r, p, i);
        step_at<3>(a, r, p, i);
      }
    }
    for (; i < end; i += width) step_at<0>(a, r, p, i);
    [&]<int... R>(std::integer_sequence<int, R...>) { (total<R>().add(across<R>(a)), ...); }(roots());
  }
  template <int K>
  [[gnu::always_inline]] static void step_at(all_accumulators<Step, unroll, roots>& a, registers<Step, true>& r,
                                             const local_pointers<Step>& p, index i) {
    evaluate_body<Step, true, false>(r, p.leaf, i + K * width);
    combine_into(a, K, r, roots());
  }

  // All lanes of all accumulators of one root, pairwise.
  template <int R>
  static root_type<Step, R> across(all_accumulators<Step, unroll, roots>& a) {
    using T = root_type<Step, R>;
    for (int k = unroll / 2; k > 0; k /= 2)
      for (int j = 0; j < k; ++j)
        accumulator<R>(a, j) = combine_batch<root_op<Step, R>(), T, Lead>(accumulator<R>(a, j), accumulator<R>(a, j + k));
    spilled<T, Lead> lane;
    spill<T, Lead>(lane.at, accumulator<R>(a, 0));
    for (index k = width / 2; k > 0; k /= 2)
      for (index j = 0; j < k; ++j) lane.at[j] = combine_single<root_op<Step, R>(), T>(lane.at[j], lane.at[j + k]);
    return lane.at[0];
  }

  // Fewer elements than a register holds, by way of padded memory.
  [[gnu::noinline]] void padded(index n) {
    padded_leaves<Step> pad(p_.leaf, n);
    lanes(pad.leaf, 0, 0, n);
  }

  // Adds some lanes of the register full at `place`.
  [[gnu::always_inline]] void lanes(const void* const* leaf, index place, index first, index end) {
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, leaf, 0);
    evaluate_body<Step, true, false>(r, leaf, place);
    [&]<int... R>(std::integer_sequence<int, R...>) {
      (
          [&] {
            using T = root_type<Step, R>;
            spilled<T, Lead> lane;
            spill<T, Lead>(lane.at, r.template get<Step::stored_entry(R)>());
            T part = lane.at[first];
            for (index k = first + 1; k < end; ++k) part = combine_single<root_op<Step, R>(), T>(part, lane.at[k]);
            total<R>().add(part);
          }(),
          ...);
    }(roots());
  }

  template <int... R>
  void finish(std::integer_sequence<int, R...>) {
    (
        [&] {
          auto* to = static_cast<root_type<Step, R>*>(p_.root[R]);
          *to = combine_single<root_op<Step, R>(), root_type<Step, R>>(*to, total<R>().value());
        }(),
        ...);
  }

  local_pointers<Step> p_;
  all_totals<Step, roots> totals_;
};

// Combines n contiguous elements of the body with n contiguous elements of the roots, place by place.
template <class Step>
void accumulate_row(const void* const* leaf, void* const* root, index n) {
  using Lead = typename Step::lead_type;
  const local_pointers<Step> p(leaf, root);
  index i = 0;
  if constexpr (Step::vectorizable) {
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, p.leaf, 0);
    for (; i + step_lanes<Step> <= n; i += step_lanes<Step>) {
      evaluate_body<Step, true, false>(r, p.leaf, i);
      [&]<int... R>(std::integer_sequence<int, R...>) {
        (
            [&] {
              using T = root_type<Step, R>;
              auto* to = static_cast<T*>(p.root[R]) + i;
              spill<T, Lead>(to, combine_batch<root_op<Step, R>(), T, Lead>(fill<T, Lead>(to), r.template get<Step::stored_entry(R)>()));
            }(),
            ...);
      }(root_numbers<Step>());
    }
  }
  registers<Step, false> r;
  evaluate_body<Step, false, true>(r, p.leaf, 0);
  for (; i < n; ++i) {
    evaluate_body<Step, false, false>(r, p.leaf, i);
    [&]<int... R>(std::integer_sequence<int, R...>) {
      (
          [&] {
            using T = root_type<Step, R>;
            auto* to = static_cast<T*>(p.root[R]) + i;
            *to = combine_single<root_op<Step, R>(), T>(*to, r.template get<Step::stored_entry(R)>());
          }(),
          ...);
    }(root_numbers<Step>());
  }
}

// Combines n contiguous elements of the body into one element of each root.
template <class Step>
[[gnu::noinline]] void reduce_row(const void* const* leaf, void* const* root, index n) {
  reducer<Step> r(leaf, root);
  r.add(n);
  r.finish();
}

}  // namespace detail

}  // namespace jig
