// SPDX-License-Identifier: MIT
#pragma once
// Elementwise ops over blocks of dense memory whose dtypes are known at run time only: one loop for every op and every
// combination of dtypes that its rule accepts. What it computes is what the body of a compiled step computes.

#include <jig/eval/expression.hpp>
#include <jig/eval/loop.hpp>
#include <jig/ops/select.hpp>
#include <jig/runtime/kernel.hpp>

namespace jig::detail {

/// The registers in which elements of these types go through a loop together.
template <class... T>
struct common_registers {
  static constexpr dtype lead = widest_in_registers({dtype_of<T>...});
  using lead_type = type_of<lead>;
  static constexpr bool fit = (!std::is_same_v<T, std::string> && ...);
};

/// A loop over n elements of these types. `Compute` says what is done with registers full of elements and with single ones, how many
/// registers full go through the loop together, and whether there is a functor on registers at all.
template <class Compute, class Out, class... In>
class dense_loop {
  using registers = common_registers<In..., Out>;
  using lead_type = typename registers::lead_type;
  static constexpr index width = simd::lanes<lead_type>, together = Compute::together;

  template <class... Pointer>
  [[gnu::always_inline]] static auto at(index i, const Pointer*... from) {
    return Compute::template batch<Out, lead_type, Pointer...>(fill<Pointer, lead_type>(from + i)...);
  }
  [[gnu::always_inline]] static void vectors(Out* to, index n, const In*... from) {
    // What is left over is computed first and stored last: the result may lie exactly on top of an operand.
    const index rest = n % width;
    auto last = at(n - width, from...);
    index i = 0;
    for (; i + together * width <= n; i += together * width)
#pragma GCC unroll 4
      for (index k = 0; k < together * width; k += width) spill<Out, lead_type>(to + i + k, at(i + k, from...));
    if constexpr (together > 1)
      for (; i + width <= n; i += width) spill<Out, lead_type>(to + i, at(i, from...));
    if (rest != 0) spill<Out, lead_type>(to + n - width, last);
  }

 public:
  [[gnu::always_inline]] static void run(Out* to, index n, const In*... from) {
    if constexpr (registers::fit && Compute::takes_registers)
      if (n >= width) return vectors(to, n, from...);
    for (index i = 0; i < n; ++i) to[i] = Compute::template single<Out, In...>(from[i]...);
  }
};

/// An elementwise op on n elements of these types in memory, which are of no storage dtype unless the op converts.
template <const op& Op, class Out, class... In>
class block_loop {
  static constexpr bool is_cast = converts<Op, Out>;
  using first_operand = std::tuple_element_t<0, std::tuple<In...>>;

  struct one_op {
    // Otherwise single elements give the same results without the way to lanes.
    static constexpr bool takes_registers = !([] {
      if constexpr (std::is_same_v<Out, std::string> || std::is_same_v<first_operand, std::string>) return true;
      else if (is_cast) return !converts_as_batch<Out, first_operand>;
      return goes_by_lanes<Op, first_operand>;
    }());
    // Long computations hide that they are a loop by themselves.
    static constexpr index together = Op.is(fact::lanes_only) ? 1 : 4;
    template <class O, class Lead, class... I, class... B>
    [[gnu::always_inline]] static auto batch(const B&... x) {
      return apply_batch<Op, O, Lead, I...>(x...);
    }
    template <class O, class... I>
    [[gnu::always_inline]] static auto single(const I&... x) {
      return apply_single<Op, O, I...>(x...);
    }
  };

 public:
  static void run(const void* const* in, void* out, index n) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      dense_loop<one_op, Out, In...>::run(static_cast<Out*>(out), n, static_cast<const In*>(in[I])...);
    }(std::index_sequence_for<In...>());
  }
};

/// The type in which elements of type T are computed.
template <class T>
using computed = type_of<in_registers(dtype_of<T>)>;

/// An op on elements of which some are of a storage dtype: as many as stay in the nearest cache at a time as floats.
template <const op& Op, class Out, class... In>
class storage_loop {
  static constexpr index length = 256;
  template <class T>
  struct floats {
    alignas(alignment) float at[is_storage_float<T> ? length : 1];
  };
  template <class T>
  static const void* read(floats<T>& to, const void* from, index first, index n) {
    const void* at = static_cast<const T*>(from) + first;
    if constexpr (!is_storage_float<T>) return at;
    block_loop<ops::cast, computed<T>, T>::run(&at, to.at, n);
    return to.at;
  }

 public:
  static void run(const void* const* in, void* out, index n) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::tuple<floats<In>...> operands;
      floats<Out> result;
      for (index first = 0; first < n; first += length) {
        const index count = n - first < length ? n - first : length;
        const void* from[] = {read<In>(std::get<I>(operands), in[I], first, count)...};
        void* to = static_cast<Out*>(out) + first;
        block_loop<Op, computed<Out>, computed<In>...>::run(from, is_storage_float<Out> ? result.at : to, count);
        const void* computed_here = result.at;
        if constexpr (is_storage_float<Out>) block_loop<ops::cast, Out, float>::run(&computed_here, to, count);
      }
    }(std::index_sequence_for<In...>());
  }
};

// Whether the functor of an op can be asked for operands of these types.
template <const op& Op, class... In>
constexpr bool takes_operands() {
  if constexpr (std::is_base_of_v<maths::function<Op>, functor<Op>>)
    return requires(const simd::batch<In>&... x) { compute(maths::function<Op>(), x...); };
  else if constexpr (sizeof...(In) == 1 && converts<Op, float>) return true;
  else return requires(const In&... x) { functor<Op>::apply(x...); };
}

/// So many operands at most are combined at once by an op that takes any number of them.
inline constexpr int most_operands = 8;

/// The functions of an elementwise op by dtypes. Free is the dtype of the inputs that are not tied to the others.
template <const op& Op>
class elementwise_blocks {
  static constexpr bool is_free(int input) { return (Op.free_inputs >> input & 1) != 0; }
  template <class T, class Free, int Input>
  using operand = std::conditional_t<is_free(Input), Free, T>;
  template <class Out, class... In>
  static block_function function_of() {
    // Where integers wrap, those with a sign have the same bits.
    using first = std::tuple_element_t<0, std::tuple<In...>>;
    if constexpr (Op.is(fact::wraps) && (std::is_same_v<Out, In> && ...) && std::is_integral_v<first> && std::is_signed_v<first>)
      return function_of<canonical<std::make_unsigned_t<Out>>, canonical<std::make_unsigned_t<In>>...>();
    else if constexpr (!converts<Op, float> && (is_storage_float<In> || ...)) return &storage_loop<Op, Out, In...>::run;
    else return &block_loop<Op, Out, In...>::run;
  }
  template <class T, class Free>
  static constexpr inference infer_for(std::size_t inputs) {
    tensor_spec specs[most_operands];
    for (int i = 0; i < most_operands; ++i) specs[i].dtype = is_free(i) ? dtype_of<Free> : dtype_of<T>;
    return infer(Op, {specs, inputs}, {});
  }
  template <class T, class Free, int... I>
  static block_function of(dtype result, std::integer_sequence<int, I...>) {
    if constexpr (constexpr inference inferred = infer_for<T, Free>(sizeof...(I)); inferred.failed) {
      return nullptr;
    } else if constexpr (!takes_operands<Op, computed<operand<T, Free, I>>...>()) {
      return nullptr;
    } else if constexpr (converts<Op, float>) {
      return with_type_of(result, []<class To>(const To&) -> block_function {
        if constexpr (std::is_same_v<T, std::string> != std::is_same_v<To, std::string>) return nullptr;
        else return function_of<To, operand<T, Free, I>...>();
      });
    } else {
      if (result != inferred.result.dtype) return nullptr;
      return function_of<type_of<inferred.result.dtype>, operand<T, Free, I>...>();
    }
  }
  template <class T, class Free>
  static block_function of(std::size_t inputs, dtype result) {
    block_function found = nullptr;
    [&]<int... N>(std::integer_sequence<int, N...>) {
      ((inputs == N + 1 && (found = of<T, Free>(result, std::make_integer_sequence<int, N + 1>()))), ...);
    }(std::make_integer_sequence<int, most_operands>());
    return found;
  }

 public:
  static block_function find(stretch<dtype> inputs, dtype result) {
    // The inputs of either kind are of one dtype.
    const dtype* kind[2] = {};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const dtype*& known = kind[is_free(static_cast<int>(i))];
      if (known == nullptr) known = &inputs[i];
      else if (*known != inputs[i]) return nullptr;
    }
    if (kind[0] == nullptr || inputs.size() > most_operands) return nullptr;
    return with_type_of(*kind[0], [&]<class T>(const T&) -> block_function {
      if constexpr (Op.free_inputs == 0) {
        return of<T, T>(inputs.size(), result);
      } else {
        if (kind[1] == nullptr) return nullptr;
        return with_type_of(*kind[1], [&]<class Free>(const Free&) { return of<T, Free>(inputs.size(), result); });
      }
    });
  }
};

}  // namespace jig::detail
