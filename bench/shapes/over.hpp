// SPDX-License-Identifier: MIT
#pragma once
// Reductions over any of three axes, for those families that are made of them.

#include "row.hpp"

#include <limits>

namespace loops {
namespace {

using bench::known, bench::u8;

struct add {
  template <class T>
  static T first() {
    return 0;
  }
  template <class T>
  static T of(T s, T x) {
    return s + x;
  }
};
struct larger {
  template <class T>
  static T first() {
    return std::numeric_limits<T>::lowest();
  }
  template <class T>
  static T of(T s, T x) {
    return x > s ? x : s;
  }
};
struct smaller {
  template <class T>
  static T first() {
    return std::numeric_limits<T>::max();
  }
  template <class T>
  static T of(T s, T x) {
    return x < s ? x : s;
  }
};
struct times {
  template <class T>
  static T first() {
    return 1;
  }
  template <class T>
  static T of(T s, T x) {
    return s * x;
  }
};
// Over any of three axes. What is reduced along the last one is held in a register.
template <class T, class R, long A, long B, long C, bool I, bool J, bool K, class Op = add>
void over(long n, const T* __restrict x, R* __restrict y) {
  constexpr long c = K ? 1 : C, b = J ? 1 : B;
  const long a = I ? 1 : known<A>(n);
  // With the first elements.
  for (long i = 0; i < a; ++i)
    for (long j = 0; j < b; ++j)
      for (long k = 0; k < c; ++k) y[(i * b + j) * c + k] = Op::template first<R>();
  for (long i = 0; i < known<A>(n); ++i)
    for (long j = 0; j < B; ++j) {
      R* __restrict to = y + ((I ? 0 : i) * b + (J ? 0 : j)) * c;
      const T* from = x + (i * B + j) * C;
      if constexpr (K) {
        R s = *to;
        for (long k = 0; k < C; ++k) s = Op::of(s, static_cast<R>(from[k]));
        *to = s;
      } else {
        for (long k = 0; k < C; ++k) to[k] = Op::of(to[k], static_cast<R>(from[k]));
      }
    }
}

}  // namespace
}  // namespace loops

// Every subset of three axes.
#define SUBSETS(op, Op, T, A, B, C)                                                                               \
  ROW((auto x), (op<0>(x)), (over<T, T, A, B, C, true, false, false, Op>), out<T, B, C>(), in<T, A, B, C>()),     \
      ROW((auto x), (op<1>(x)), (over<T, T, A, B, C, false, true, false, Op>), out<T, A, C>(), in<T, A, B, C>()), \
      ROW((auto x), (op<2>(x)), (over<T, T, A, B, C, false, false, true, Op>), out<T, A, B>(), in<T, A, B, C>()), \
      ROW((auto x), (op<0, 1>(x)), (over<T, T, A, B, C, true, true, false, Op>), out<T, C>(), in<T, A, B, C>()),  \
      ROW((auto x), (op<0, 2>(x)), (over<T, T, A, B, C, true, false, true, Op>), out<T, B>(), in<T, A, B, C>()),  \
      ROW((auto x), (op<1, 2>(x)), (over<T, T, A, B, C, false, true, true, Op>), out<T, A>(), in<T, A, B, C>()),  \
      ROW((auto x), (op(x)), (over<T, T, A, B, C, true, true, true, Op>), out<T>(), in<T, A, B, C>())
