// SPDX-License-Identifier: MIT
#pragma once
// The kernels of ops as the interpreter runs them, and the list that it finds them in. An op that no program names costs nothing.

#include <jig/runtime/elementwise_kernels.hpp>
#include <jig/runtime/erased_kernels.hpp>
#include <jig/runtime/paired_kernels.hpp>
#include <jig/runtime/product_kernels.hpp>
#include <jig/runtime/reduction_kernels.hpp>

namespace jig::detail {

// Ops that no kernel computes.
inline constexpr fact without_kernel = fact::elementwise | fact::view | fact::control | fact::input | fact::constant | fact::output;

template <const op& Op>
inline constexpr bool runs_products = [] {
  if constexpr (Op.is(without_kernel | fact::reduction | fact::host)) return false;
  else return std::is_base_of_v<kernel<ops::matmul>, kernel<Op>>;
}();

template <const op& Op>
constexpr auto runtime_function_of() -> void (*)(kernel_call&) {
  if constexpr (Op.is(without_kernel)) return nullptr;
  else if constexpr (Op.is(fact::reduction)) return &run_reduction_kernel<Op>;
  else if constexpr (Op.is(fact::host)) return &run_host<Op>;
  else if constexpr (runs_products<Op>) return &run_product_kernel<kernel_call>;
  else if constexpr (is_effect<Op>) return &run_effect<Op>;
  else return &run_erased_kernel<Op>;
}

template <const op& Op>
constexpr auto blocks_of() -> block_function (*)(stretch<dtype>, dtype) {
  if constexpr (Op.is(fact::elementwise)) return &elementwise_blocks<Op>::find;
  else return nullptr;
}

template <const op& Op>
constexpr auto packing_of() -> any_tensor (*)(const kernel_call&) {
  if constexpr (runs_products<Op>) return &pack_right_operand<kernel_call>;
  else return nullptr;
}

/// How an op is computed at run time.
template <const op& Op>
inline constexpr runtime_kernel runtime_kernel_of{
    .kind = &Op, .block = blocks_of<Op>(), .run = runtime_function_of<Op>(), .pack = packing_of<Op>()};

/// Casts of the numbers that a program calls functions with.
struct number_casts {
  block_function (*find)(dtype from, dtype to);
  number_casts* next;
};
inline constinit number_casts* first_number_casts = nullptr;

/// Those of dtype T, to all dtypes, and back again for gradients. To be named.
template <class T>
struct casts_of_numbers {
  // Of scalars.
  template <class To, class From>
  static void run(const void* const* in, void* out, index n) {
    for (index i = 0; i < n; ++i) static_cast<To*>(out)[i] = functor<ops::cast>::convert<To, From>(static_cast<const From*>(in[0])[i]);
  }
  static block_function find(dtype from, dtype to) {
    if (from != dtype_of<T> && to != dtype_of<T>) return nullptr;
    return with_type_of(from == dtype_of<T> ? to : from, [&]<class Other>(const Other&) -> block_function {
      if constexpr (literal_joins<T, Other>()) return from == dtype_of<T> ? &run<Other, T> : &run<T, Other>;
      else return nullptr;
    });
  }
  static inline constinit number_casts link{&find, nullptr};
  static inline const bool entered = [] {
    link.next = first_number_casts;
    first_number_casts = &link;
    return true;
  }();
};
/// Of all numbers that C++ may make of one of type T with literals and other numbers.
template <class T>
void enter_casts_of_numbers() {
  (void)&casts_of_numbers<T>::entered;
  if constexpr (std::is_integral_v<T>) {
    (void)&casts_of_numbers<canonical<decltype(T() + T())>>::entered;
    (void)&casts_of_numbers<std::conditional_t<std::is_integral_v<T>, double, T>>::entered;  // not before there is a T
  }
}

/// Casts that traces and passes make of themselves: between storage dtypes and float32, and of the trips of a loop. A program that
/// names no cast needs those of no other two dtypes, of which there are 160.
template <class...>
struct casts_of_traces {
  static block_function find(stretch<dtype> inputs, dtype result) {
    const dtype from = inputs[0];
    for (const auto* numbers = first_number_casts; numbers; numbers = numbers->next)
      if (const auto found = numbers->find(from, result)) return found;
    return with_type_of(is_storage(from) ? from : result, [&]<class T>(const T&) -> block_function {
      if constexpr (is_storage_float<T>) {
        if (from == dtype::float32) return &block_loop<ops::cast, T, float>::run;
        if (from == dtype_of<T> && result == dtype::float32) return &block_loop<ops::cast, float, T>::run;
      } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        if (from == dtype::int64) return elementwise_blocks<ops::cast>::function_of<T, std::int64_t>();
        if (from == dtype::uint64) return elementwise_blocks<ops::cast>::function_of<T, std::uint64_t>();
      }
      return nullptr;
    });
  }
  static inline constexpr runtime_kernel kernel{.kind = &ops::cast, .block = &find, .run = nullptr};
  static inline constinit runtime_kernel_link link{&kernel, nullptr};
  // Behind all others, so that the casts which the program names are found first.
  static inline const bool entered = [] {
    runtime_kernel_link** last = &first_runtime_kernel;
    while (*last != nullptr) last = &(*last)->next;
    *last = &link;
    return true;
  }();
};

/// Enters the kernel of an op into the list of the program where `entered` is named.
template <const op& Op>
struct runtime_kernel_registration {
  static inline constinit runtime_kernel_link link{&runtime_kernel_of<Op>, nullptr};
  static bool enter() {
    link.next = first_runtime_kernel;
    first_runtime_kernel = &link;
    return true;
  }
  static inline const bool entered = [] {
    if constexpr (operands_in_pairs<Op> > 0) return enter() && paired_kernel_registration<Op>::entered;
    else return enter();
  }();
};

}  // namespace jig::detail
