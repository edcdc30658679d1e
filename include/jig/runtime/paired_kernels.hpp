// SPDX-License-Identifier: MIT
#pragma once
// Two ops of arithmetic in one pass: in a fused group each pass through the nearest cache costs as much as such an op.

#include <jig/ops/arithmetic.hpp>
#include <jig/runtime/elementwise_kernels.hpp>

namespace jig::detail {

/// Second(First(a, b), c), or with the operands of the second the other way round.
template <const op& First, const op& Second, class T, bool TurnedRound>
class paired_loop {
  struct two_ops {
    static constexpr bool takes_registers = true;
    static constexpr index together = 4;
    template <class Out, class Lead, class A, class B, class C, class X>
    [[gnu::always_inline]] static auto batch(const X& a, const X& b, const X& c) {
      const auto x = apply_batch<First, Out, Lead, A, B>(a, b);
      if constexpr (TurnedRound) return apply_batch<Second, Out, Lead, C, Out>(c, x);
      else return apply_batch<Second, Out, Lead, Out, C>(x, c);
    }
    template <class Out, class A, class B, class C>
    [[gnu::always_inline]] static auto single(const A& a, const B& b, const C& c) {
      const Out x = apply_single<First, Out, A, B>(a, b);
      if constexpr (TurnedRound) return apply_single<Second, Out, C, Out>(c, x);
      else return apply_single<Second, Out, Out, C>(x, c);
    }
  };

 public:
  static void run(const void* const* in, void* out, index n) {
    dense_loop<two_ops, T, T, T, T>::run(static_cast<T*>(out), n, static_cast<const T*>(in[0]), static_cast<const T*>(in[1]),
                                         static_cast<const T*>(in[2]));
  }
};

/// Enters the pairs of which this op is the second.
template <const op& Second>
struct paired_kernel_registration {
  template <const op& First, class T, bool TurnedRound>
  static bool enter_one() {
    static constinit paired_kernel link{&block_loop<First, T, T, T>::run, &block_loop<Second, T, T, T>::run, TurnedRound ? 1 : 0,
                                        // Where the order is all one the other function serves.
                                        &paired_loop<First, Second, T, TurnedRound && !Second.is(fact::commutative)>::run};
    link.next = first_paired_kernel;
    first_paired_kernel = &link;
    return true;
  }
  template <class T, const op&... First>
  static bool enter_behind() {
    return ((enter_one<First, T, false>() && enter_one<First, T, true>()) && ...);
  }
  static inline const bool entered = enter_behind<float, ops::add, ops::subtract, ops::multiply>() && enter_behind<double, ops::add, ops::subtract, ops::multiply>();
};

/// Whether there are pairs of which an op is the second.
inline constexpr auto has_pairs = [](const op& o) {
  return o.name == ops::add.name || o.name == ops::subtract.name || o.name == ops::multiply.name || o.name == ops::divide.name;
};

}  // namespace jig::detail
