// SPDX-License-Identifier: MIT
#pragma once
// What the families of bench/shapes are written with. A family is a source with plain loops and with rows, each a call of jig beside a
// loop. It is compiled once with jig, and once by each compiler of plain loops, with JIG_BENCH_LOOPS as that compiler's name and without
// jig:
//
//   ROWS(reduce){
//       ROW((auto x), (reduce_sum<1>(x)), (last<float, 1000, 3>), out<float, 1000>(), in<float, 1000, 3>()),
//   };
//
// A row has the parameters of the traced lambda, its expression, the plain loop, what the result is, and the operands. SMALL_ROW is for
// what takes a few nanoseconds: it times `many` calls as one.

#include "loop.hpp"
#define JIG_BENCH_BARE(...) __VA_ARGS__

#ifdef JIG_BENCH_LOOPS

#include <cstddef>
#include <utility>

namespace {

template <int Calls, auto Loop, class Signature = decltype(Loop)>
struct erased;
template <int Calls, auto Loop, class... T>
struct erased<Calls, Loop, void (*)(long, T*...)> {
  template <std::size_t... I>
  static void call(long n, void* const* memory, std::index_sequence<I...>) {
    for (int i = 0; i < Calls; ++i) {
      Loop(n, static_cast<T*>(memory[I])...);
      bench::barrier();
    }
  }
  static void run(long n, void* const* memory) { call(n, memory, std::index_sequence_for<T...>()); }
};

}  // namespace

#define JIG_BENCH_JOIN_(a, b) a##_##b
#define JIG_BENCH_JOIN(a, b) JIG_BENCH_JOIN_(a, b)
#define ROWS(name)                                                        \
  extern const bench::plain_loop JIG_BENCH_JOIN(name, JIG_BENCH_LOOPS)[]; \
  const bench::plain_loop JIG_BENCH_JOIN(name, JIG_BENCH_LOOPS)[] =
#define ROW(parameters, expression, loop, ...) erased<1, JIG_BENCH_BARE loop>::run
#define SMALL_ROW(parameters, expression, loop, ...) erased<bench::many, JIG_BENCH_BARE loop>::run

#else

#include "measure.hpp"

using namespace jig;
using bench::in, bench::out, bench::positions;

#define ROWS(name)                                                         \
  extern const bench::plain_loop name##_gcc[], name##_clang[];             \
  struct name##_loops {                                                    \
    static bench::contenders list() { return JIG_BENCH_CONTENDERS(name); } \
  };                                                                       \
  static const bench::family<name##_loops> name##_rows
#define ROW(parameters, expression, loop, ...) \
  {#expression, [] { return bench::make<1>(jig::function([] parameters { return expression; }), __VA_ARGS__); }}
#define SMALL_ROW(parameters, expression, loop, ...) \
  {#expression, [] { return bench::make<bench::many>(jig::function([] parameters { return expression; }), __VA_ARGS__); }}
#if defined JIG_BENCH_GCC && defined JIG_BENCH_CLANG
#define JIG_BENCH_CONTENDERS(name)                   \
  {                                                  \
    {"g++", name##_gcc}, { "clang++", name##_clang } \
  }
#elif defined JIG_BENCH_CLANG
#define JIG_BENCH_CONTENDERS(name) \
  {                                \
    {                              \
      "clang++", name##_clang      \
    }                              \
  }
#else
#define JIG_BENCH_CONTENDERS(name) \
  {                                \
    {                              \
      "g++", name##_gcc            \
    }                              \
  }
#endif

#endif
