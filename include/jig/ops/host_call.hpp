// SPDX-License-Identifier: MIT
#pragma once
// Host calls: a C++ function of the program as a node. It is an effect, so it runs in every call and in the order of the
// program. The function is part of the op, hence no other program can run such a graph.

#include <jig/core/tensor.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/copy.hpp>

namespace jig {

/// As the result of host_call: the same spec as argument I.
template <std::size_t I>
struct like {};

namespace detail {

struct no_result {};

template <class Out>
inline constexpr bool is_host_result = std::is_same_v<Out, no_result>;
template <class T, index... E>
inline constexpr bool is_host_result<spec<T, E...>> = spec<T, E...>::value().shape.is_static();
template <std::size_t I>
inline constexpr bool is_host_result<like<I>> = true;

template <class Out>
inline constexpr std::size_t number_in_like = 0;
template <std::size_t I>
inline constexpr std::size_t number_in_like<like<I>> = I;

template <class Out>
constexpr void host_rule(rule_context& c) {
  if constexpr (std::is_same_v<Out, no_result>) c.result = {dtype::boolean, {}};
  else if constexpr (is_spec<Out>) c.result = Out::value();
  else if (number_in_like<Out> < c.inputs.size()) c.result = c.inputs[number_in_like<Out>];
  else c.fail("there is no such argument");
}

// An argument that the function takes: a view of its spec.
template <class S>
struct host_argument;
template <class T, index... E>
struct host_argument<spec<T, E...>> {
  using type = view<const T, E...>;
  static type of(const any_view& v) { return type(static_cast<const T*>(v.data), v.extents, v.strides); }
};
/// In place of a spec that only the run tells: the function takes an any_tensor; runtime/dynamic_host_call.hpp.
struct run_time_spec {};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_host_misfit(const tensor_spec& expected, const tensor_spec& given) {
  message m;
  m << "HostCall: the function returned " << given << ", expected " << expected;
  throw_invalid_argument(m.view());
}

// What the function returned, in row-major memory.
template <class X>
struct host_result_copy {
  static void run(const X& x, const any_view& result) {
    const auto from = argument<X>::bind(x);
    using T = typename argument<X>::spec_type::value_type;
    const shape extents = from.shape(), strides = from.strides();
    if (!(dtype_of<T> == result.dtype && extents == result.extents))
      throw_host_misfit({result.dtype, result.extents}, {dtype_of<T>, extents});
    const T* first = from.data();
    copy_strided(static_cast<T*>(const_cast<void*>(result.data)), row_major_strides(extents), first, strides, extents);
  }
};

// The kernel.
template <class F, class Out, class Arguments>
struct host_function;
template <class F, class Out, class... S>
struct host_function<F, Out, types<S...>> {
  static void run(stretch<any_view> inputs, const any_view& result) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (std::is_same_v<Out, no_result>) {
        (void)F{}(host_argument<S>::of(inputs[I])...);
      } else {
        const auto returned = F{}(host_argument<S>::of(inputs[I])...);
        host_result_copy<std::remove_cv_t<decltype(returned)>>::run(returned, result);
      }
    }(std::index_sequence_for<S...>());
  }
};

}  // namespace detail

namespace ops {

/// A call of function F on arguments of these specs, types<S...>. Attributes: none, the function is the op.
template <class F, class Out, class Arguments>
inline constexpr op host_call{.name = "HostCall",
                              .label = "host_call",
                              .facts = fact::stateful | fact::host,
                              .rule = detail::host_rule<Out>,
                              .free_inputs = ~0u,
                              .host = &detail::host_function<F, Out, Arguments>::run};

}  // namespace ops

namespace detail {

// Operands that keep their own dtypes.
inline constexpr op operands_of_host{.name = "HostCall", .label = "", .free_inputs = ~0u};

template <class F, class S>
inline constexpr bool can_be_host_function = false;
template <class F, class... S>
inline constexpr bool can_be_host_function<F, types<S...>> = std::is_invocable_v<F, typename host_argument<S>::type...>;

template <class F, class S>
struct host_result;
template <class F, class... S>
struct host_result<F, types<S...>> {
  using type = std::remove_cvref_t<std::invoke_result_t<F, typename host_argument<S>::type...>>;
};

template <class Out, class Specs>
struct host_spec {
  using type = Out;
};
template <std::size_t I, class... S>
  requires(I < sizeof...(S))
struct host_spec<like<I>, types<S...>> {
  using type = std::tuple_element_t<I, std::tuple<S...>>;
};

// Whether what the function returns may have the spec of the result.
template <class Given, class Expected>
inline constexpr bool returns = false;
template <Argument Given, class T, index... E>
inline constexpr bool returns<Given, spec<T, E...>> = std::is_same_v<typename argument<Given>::spec_type::value_type, T> &&
                                                      argument<Given>::spec_type::rank() == static_cast<int>(sizeof...(E));

// The specs of arguments.
template <bool Dynamic, class... X>
struct host_specs {
  using type = typename operands<operands_of_host, X...>::specs;
};
template <class... X>
struct host_specs<true, X...> {
  template <class>
  using each = run_time_spec;
  using type = types<each<X>...>;
};

}  // namespace detail

/// Calls a C++ function in every call of the graph, in the order of the program. The function is captureless; it takes views of
/// the arguments, in a trace at run time `any_tensor`s, and returns a tensor or container of the spec Out, or of that of argument I for
/// `jig::like<I>`; without Out nothing is returned: `jig::host_call<jig::spec<float, 3>>([](auto x) { … }, x)`. Graphs with such calls
/// cannot be exported.
/// Errors: a function that captures or that does not take or return such values is refused at compile time; a result
/// with other extents throws invalid_argument.
template <class... Out, class F, Operand... X>
constexpr auto host_call(F, const X&... x) {
  using out = typename std::tuple_element_t<0, std::tuple<std::type_identity<Out>..., std::type_identity<detail::no_result>>>::type;
  if constexpr ((is_refused<X> || ...)) {
    return detail::first_refused(x...);
  } else if constexpr (sizeof...(Out) > 1 || !detail::is_host_result<out>) {
    return refuse_with<"host_call: the result is one jig::spec of static extents or jig::like<I>, or there is none", F, Out...>();
  } else if constexpr (!std::is_empty_v<F> || !std::is_default_constructible_v<F>) {
    return refuse_with<"host_call: the function must not capture: what varies has to be an argument", F>();
  } else {
    constexpr bool dynamic = detail::is_dynamic<X...>;
    using specs = typename detail::host_specs<dynamic, X...>::type;
    if constexpr (!detail::can_be_host_function<F, specs> && dynamic) {
      return refuse_with<"host_call: the function cannot be called with any_tensors, which a trace at run time gives it", F, X...>();
    } else if constexpr (!detail::can_be_host_function<F, specs>) {
      return refuse_with<"host_call: the function cannot be called with views of the arguments", F, X...>();
    } else if constexpr (std::is_same_v<out, detail::no_result>) {
      (void)call<ops::host_call<F, out, specs>>(x...);
    } else if constexpr (!dynamic &&
                         !detail::returns<typename detail::host_result<F, specs>::type, typename detail::host_spec<out, specs>::type>) {
      return refuse_with<"host_call: the function returns another dtype or rank than the spec of the result", F, Out..., X...>();
    } else {
      return call<ops::host_call<F, out, specs>>(x...);
    }
  }
}

}  // namespace jig
