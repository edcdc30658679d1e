// SPDX-License-Identifier: MIT
#pragma once
// Two ops in one pass: in a fused group each pass through the nearest cache costs as much as an op of arithmetic. There are
// functions for two ops of arithmetic, and for arithmetic before and behind a function of one number.

#include <jig/ops/activation.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/unary.hpp>
#include <jig/runtime/elementwise_kernels.hpp>

namespace jig::detail {

/// How many operands an op has that two-op functions are made of; 0: none are made of it.
template <const op& Op>
inline constexpr int operands_in_pairs = [] {
  if constexpr (!Op.is(fact::pairs)) return 0;
  else if constexpr (std::is_base_of_v<maths::function<Op>, functor<Op>> || requires(float x) { functor<Op>::apply(x); }) return 1;
  else return 2;
}();

/// A loop of `Compute` over n elements of so many operands, all of one type.
template <class Compute, class T, int Operands>
[[gnu::always_inline]] inline void run_dense(const void* const* in, void* out, index n) {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    dense_loop<Compute, T, std::enable_if_t<(I >= 0), T>...>::run(static_cast<T*>(out), n, static_cast<const T*>(in[I])...);
  }(std::make_index_sequence<static_cast<std::size_t>(Operands)>());
}

template <bool Registers, const op& Op, class T, class... X>
[[gnu::always_inline]] inline auto apply_in_pair(const X&... x) {
  if constexpr (!Registers) return apply_single<Op, T, X...>(x...);
  else if constexpr (sizeof...(X) == 1) return apply_batch<Op, T, T, T>(x...);
  else return apply_batch<Op, T, T, T, T>(x...);
}

/// Second(First(a…), c), or with the operands of the second the other way round.
template <const op& First, const op& Second, class T, bool TurnedRound>
class paired_loop {
  static constexpr int of_first = operands_in_pairs<First>, of_second = operands_in_pairs<Second>;

  struct two_ops {
    static constexpr bool takes_registers = true;
    static constexpr index together = First.is(fact::lanes_only) || Second.is(fact::lanes_only) ? 1 : 4;
    template <class Out, class Lead, class... In, class... X>
    [[gnu::always_inline]] static auto batch(const X&... x) {
      return both<true>(x...);
    }
    template <class Out, class... In>
    [[gnu::always_inline]] static auto single(const In&... x) {
      return both<false>(x...);
    }

   private:
    template <bool Registers, class X, class... More>
    [[gnu::always_inline]] static auto both(const X& a, const More&... more) {
      if constexpr (of_first == 1) return second<Registers>(apply_in_pair<Registers, First, T>(a), more...);
      else return behind_two<Registers>(a, more...);
    }
    template <bool Registers, class X, class... C>
    [[gnu::always_inline]] static auto behind_two(const X& a, const X& b, const C&... c) {
      return second<Registers>(apply_in_pair<Registers, First, T>(a, b), c...);
    }
    template <bool Registers, class X, class... C>
    [[gnu::always_inline]] static auto second(const X& x, const C&... c) {
      if constexpr (TurnedRound) return apply_in_pair<Registers, Second, T>(c..., x);
      else return apply_in_pair<Registers, Second, T>(x, c...);
    }
  };

 public:
  static void run(const void* const* in, void* out, index n) { run_dense<two_ops, T, of_first + of_second - 1>(in, out, n); }
};

/// Op(Second(b…), First(a…)) of two products, or the other way round: what a product is joined with may be a pair itself.
template <const op& First, const op& Second, const op& Op, class T, bool TurnedRound>
class paired_products_loop {
  static constexpr int of_first = operands_in_pairs<First>, of_second = operands_in_pairs<Second>;

  struct three_ops {
    static constexpr bool takes_registers = true;
    static constexpr index together = 4;
    template <class Out, class Lead, class... In, class... X>
    [[gnu::always_inline]] static auto batch(const X&... x) {
      return all<true, simd::batch<T>>({x...});
    }
    template <class Out, class... In>
    [[gnu::always_inline]] static auto single(const In&... x) {
      return all<false, T>({x...});
    }

   private:
    template <bool Registers, class X>
    [[gnu::always_inline]] static auto all(const X (&factor)[array_bound(of_first + of_second)]) {
      const X a = factor[0] * factor[of_first - 1], b = factor[of_first] * factor[of_first + of_second - 1];
      if constexpr (TurnedRound) return apply_in_pair<Registers, Op, T>(a, b);
      else return apply_in_pair<Registers, Op, T>(b, a);
    }
  };

 public:
  static void run(const void* const* in, void* out, index n) { run_dense<three_ops, T, of_first + of_second>(in, out, n); }
};

template <const op& Op, class T>
constexpr block_function block_of() {
  if constexpr (operands_in_pairs<Op> == 1) return &block_loop<Op, T, T>::run;
  else return &block_loop<Op, T, T, T>::run;
}

/// Enters the pairs that come with an op: those of two ops of arithmetic with the second, those with a function with the function.
template <const op& Op>
struct paired_kernel_registration {
  // Where the order is all one the other function serves.
  template <const op& First, const op& Second, class T, bool TurnedRound>
  static constexpr block_function pair = &paired_loop<First, Second, T, TurnedRound && !Second.is(fact::commutative)>::run;

  static bool enter(paired_kernel& link) {
    link.next = first_paired_kernel;
    first_paired_kernel = &link;
    return true;
  }
  template <const op& First, const op& Second, class T, bool TurnedRound>
  static bool enter_one() {
    static constinit paired_kernel link{block_of<First, T>(), block_of<Second, T>(), TurnedRound ? 1 : 0,
                                        pair<First, Second, T, TurnedRound>};
    return enter(link);
  }
  template <class T, bool TurnedRound, const op&... First>
  static bool enter_behind() {
    return (enter_one<First, Op, T, TurnedRound>() && ...);
  }
  template <class T, bool TurnedRound, const op&... Second>
  static bool enter_before() {
    return (enter_one<Op, Second, T, TurnedRound>() && ...);
  }
  template <const op& First, const op& Second, class T, bool TurnedRound>
  static bool enter_products() {
    static constinit paired_kernel link{block_of<First, T>(),
                                        pair<Second, Op, T, TurnedRound>,
                                        operands_in_pairs<Second>,
                                        &paired_products_loop < First,
                                        Second,
                                        Op,
                                        T,
                                        TurnedRound && !Op.is(fact::commutative) > ::run};
    return enter(link);
  }
  template <class T, bool TurnedRound>
  static bool enter_all() {
    using namespace ops;
    if constexpr (operands_in_pairs<Op> == 1) {
      if constexpr (!TurnedRound) enter_behind<T, false, add, subtract, multiply, neg>();
      return enter_before<T, TurnedRound, add, subtract, multiply, divide>();
    } else {
      if constexpr (is_op(Op, add) || is_op(Op, subtract)) {
        enter_products<ops::multiply, ops::multiply, T, TurnedRound>();
        enter_products<ops::multiply, ops::square, T, TurnedRound>();
        enter_products<ops::square, ops::multiply, T, TurnedRound>();
        enter_products<ops::square, ops::square, T, TurnedRound>();
      }
      return enter_behind<T, TurnedRound, add, subtract, multiply>();
    }
  }
  static inline const bool entered =
      enter_all<float, false>() && enter_all<float, true>() && enter_all<double, false>() && enter_all<double, true>();
};

}  // namespace jig::detail
