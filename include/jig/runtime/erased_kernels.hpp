// SPDX-License-Identifier: MIT
#pragma once
// The kernels that compiled programs run, on views whose rank is a value and with attributes that are values: once for each dtype
// of the elements, or for each size of one where elements are only moved.

#include <jig/core/any_rank_view.hpp>
#include <jig/eval/arg_extreme.hpp>
#include <jig/eval/bincount.hpp>
#include <jig/eval/convolution.hpp>
#include <jig/eval/effect.hpp>
#include <jig/eval/image_resize.hpp>
#include <jig/eval/join.hpp>
#include <jig/eval/linear_systems.hpp>
#include <jig/eval/one_hot.hpp>
#include <jig/eval/pad.hpp>
#include <jig/eval/pool.hpp>
#include <jig/eval/random.hpp>
#include <jig/eval/scan.hpp>
#include <jig/eval/searchsorted.hpp>
#include <jig/eval/segment.hpp>
#include <jig/eval/sort.hpp>
#include <jig/eval/summary.hpp>
#include <jig/eval/tape.hpp>
#include <jig/ops/band_part.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/ops/linear_algebra.hpp>
#include <jig/ops/mask.hpp>
#include <jig/ops/roll.hpp>
#include <jig/ops/tensor_array.hpp>
#include <jig/runtime/float_copy.hpp>
#include <jig/runtime/kernel.hpp>

namespace jig::detail {

/// The attributes of a call, which only the run tells.
struct attribute_values {
  stretch<attribute_view> values;
  stretch<attribute_view> view() const { return values; }
};

/// The bits of an element that is only moved. Made of bytes, which may be those of any type.
template <std::size_t Bytes>
struct stored_bits {
  alignas(Bytes) unsigned char at[Bytes];
};

/// A list of inputs.
template <class T>
struct erased_list {
  static constexpr bool is_list = true;
  stretch<any_view> views;
  template <class F>
  void each(F& f) const {
    for (const any_view& v : views) f(rank_erased<T>(v));
  }
};

/// Integers of any dtype as int64, row-major in memory of their own unless they are that. What checks them finds those that are too large
/// out of range; others, as seeds, keep their bits.
template <bool Checked, class View = any_view>
class position_copy {
  workspace memory_;

  template <class T>
  static std::int64_t converted(T x) {
    if constexpr (Checked) return index_of_position(x);
    else return static_cast<std::int64_t>(x);
  }

 public:
  View view;

  explicit position_copy(const View& v)
      : memory_(v.dtype == dtype::int64 ? 0 : static_cast<std::size_t>(v.extents.size()) * sizeof(std::int64_t)), view(v) {
    if (v.dtype == dtype::int64) return;
    view = {dtype::int64, memory_.data(), v.extents, row_major_strides(v.extents)};
    with_type_of(v.dtype, [&]<class T>(const T&) {
      auto* to = reinterpret_cast<std::int64_t*>(memory_.data());
      if constexpr (std::is_integral_v<T>) {
        const auto* from = static_cast<const T*>(v.data);
        const index n = v.extents.size();
        if (v.strides == view.strides) {
          for (index i = 0; i < n; ++i) to[i] = converted(from[i]);
        } else {
          for_each_element(rank_erased<const T>(v), [&](T x) { *to++ = converted(x); });
        }
      }
    });
  }
};

// The other operands stay as they are.
struct same_operand {
  const any_view& view;
  explicit same_operand(const any_view& v) : view(v) {}
  void store() const {}
};

/// The kernel of an op for elements of type T.
template <const op& Op, class T>
class erased_kernel {
  static constexpr const kernel_operands& operands = Op.operands;
  static constexpr bool in_float = Op.is(fact::computes) && is_storage_float<T>;
  using element = std::conditional_t<in_float, float, T>;

  static constexpr bool is_position(int input) { return (operands.positions >> input & 1) != 0; }
  static constexpr bool is_shape(int input) { return (operands.shapes >> input & 1) != 0; }
  template <int Input>
  using input_type =
      std::conditional_t<is_position(Input), const std::int64_t, std::conditional_t<is_shape(Input), const char, const element>>;
  template <int Input>
  using input_copy = std::conditional_t<is_position(Input), position_copy<Op.is(fact::checked)>,
                                        std::conditional_t<in_float && !is_shape(Input), float_copy<>, same_operand>>;
  template <int Output>
  static constexpr auto output_type() {
    constexpr result_kind kind = operands.results[Output];
    if constexpr (kind == result_kind::elements) return std::type_identity<element>();
    else return std::type_identity<std::conditional_t<kind == result_kind::int32, std::int32_t, std::int64_t>>();
  }
  template <int Output>
  using output = rank_erased<typename decltype(output_type<Output>())::type>;
  template <int Output>
  using output_copy = std::conditional_t<in_float && operands.results[Output] == result_kind::elements, float_result<>, same_operand>;

  template <class... In>
  static void run_with(kernel_call& call, const In&... in) {
    [&]<int... O>(std::integer_sequence<int, O...>) {
      std::tuple<output_copy<O>...> copies(call.outputs[O]...);
      auto run = [&](auto&... first) {
        if constexpr (Op.is(fact::epilogue) && !in_float)
          return kernel<Op>::run(first..., attribute_values{call.attributes}, output<O>(std::get<O>(copies).view)..., in..., call.then);
        else return kernel<Op>::run(first..., attribute_values{call.attributes}, output<O>(std::get<O>(copies).view)..., in...);
      };
      if constexpr (Op.is(fact::tape)) run(*call.tape);
      else if constexpr (std::is_void_v<decltype(run())>) run();
      else call.found = run();
      (std::get<O>(copies).store(), ...);
    }(std::make_integer_sequence<int, Op.outputs>());
  }
  template <int... I>
  static void run_on(kernel_call& call, std::integer_sequence<int, I...>) {
    std::tuple<input_copy<I>...> copies(call.inputs[I]...);
    if constexpr (operands.is_list)
      run_with(call, rank_erased<input_type<I>>(std::get<I>(copies).view)...,
               erased_list<const element>{{call.inputs.data() + sizeof...(I), call.inputs.size() - sizeof...(I)}});
    else run_with(call, rank_erased<input_type<I>>(std::get<I>(copies).view)...);
  }
  template <int... I, int... O>
  static constexpr bool takes(std::integer_sequence<int, I...>, std::integer_sequence<int, O...>) {
    if constexpr (Op.is(fact::tape))
      return requires(call_tape& tape) {
        kernel<Op>::run(tape, attribute_values(), std::declval<output<O>>()..., std::declval<rank_erased<input_type<I>>>()...);
      };
    else
      return requires { kernel<Op>::run(attribute_values(), std::declval<output<O>>()..., std::declval<rank_erased<input_type<I>>>()...); };
  }

 public:
  static void run(kernel_call& call) {
    if constexpr (operands.is_list) {
      run_on(call, std::make_integer_sequence<int, operands.first_of_list>());
    } else {
      [&]<int... N>(std::integer_sequence<int, N...>) {
        (
            [&] {
              using inputs = std::make_integer_sequence<int, N + 1>;
              if constexpr (takes(inputs(), std::make_integer_sequence<int, Op.outputs>()))
                if (call.inputs.size() == N + 1) run_on(call, inputs());
            }(),
            ...);
      }(std::make_integer_sequence<int, 4>());
    }
  }
};

// The dtype of the elements of a call.
template <const op& Op>
dtype element_dtype(const kernel_call& call) {
  constexpr const kernel_operands& operands = Op.operands;
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (((operands.positions | operands.shapes) >> i & 1) == 0) return call.inputs[i].dtype;
  return call.outputs[0].dtype;
}

template <const op& Op>
void run_erased_kernel(kernel_call& call) {
  constexpr const kernel_operands& operands = Op.operands;
  if constexpr (operands.elements == 0) {
    erased_kernel<Op, char>::run(call);
  } else {
    const dtype d = element_dtype<Op>(call);
    if constexpr (operands.moves) {
      switch (size_of(d)) {
        case 0: return erased_kernel<Op, std::string>::run(call);
        case 1: return erased_kernel<Op, stored_bits<1>>::run(call);
        case 2: return erased_kernel<Op, stored_bits<2>>::run(call);
        case 4: return erased_kernel<Op, stored_bits<4>>::run(call);
        default: return erased_kernel<Op, stored_bits<8>>::run(call);
      }
    } else {
      with_type_of(d, [&]<class T>(const T&) {
        if constexpr (is_of(dtype_of<T>, operands.elements) && (operands.stores || !is_storage_float<T>)) erased_kernel<Op, T>::run(call);
      });
    }
  }
}

template <const op& Op>
inline constexpr bool is_effect =
    std::is_same_v<kernel<Op>, kernel<ops::print>> || std::is_same_v<kernel<Op>, kernel<ops::assert_that>> ||
    std::is_same_v<kernel<Op>, kernel<ops::assert_equal>> || std::is_same_v<kernel<Op>, kernel<ops::summary_scalar>>;

/// Effects, whose inputs may be of several dtypes.
template <const op& Op>
void run_effect(kernel_call& call) {
  const attribute_values with{call.attributes};
  const rank_erased<bool> out(call.outputs[0]);
  if constexpr (std::is_same_v<kernel<Op>, kernel<ops::print>>) {
    kernel<Op>::run(with, out, call.inputs);
  } else if constexpr (std::is_same_v<kernel<Op>, kernel<ops::summary_scalar>>) {
    kernel<Op>::run(with, out, call.inputs[0], call.inputs[1]);
  } else {
    const rank_erased<const bool> condition(call.inputs[0]);
    if constexpr (std::is_same_v<kernel<Op>, kernel<ops::assert_that>>) {
      const stretch<any_view> rest(call.inputs.data() + 1, call.inputs.size() - 1);
      kernel<Op>::run(with, out, condition, rest);
    } else {
      kernel<Op>::run(with, out, condition, call.inputs[1], call.inputs[2]);
    }
  }
}

template <const op& Op>
void run_host(kernel_call& call) {
  Op.host(call.inputs, call.outputs[0]);
}

}  // namespace jig::detail
