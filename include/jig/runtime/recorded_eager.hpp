// SPDX-License-Identifier: MIT
#pragma once
// Eager runs of lambdas that take gradients: values have the types that they have in other eager runs, and what computes them is recorded,
// so that there is something to differentiate.

#include <jig/runtime/dispatch.hpp>

namespace jig::detail {

/// The structure of an argument with typed specs in place of tensors, and of variables and structs of them, which are these objects.
template <argument_dtypes All, class X>
auto typed_keys(const int*& object, const X& x) {
  using S = structure<X>;
  if constexpr (is_variable<X> || is_struct_of_variables<X>) {
    return struct_key_of<X>(object);
  } else if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using parts_t = std::tuple<decltype(detail::typed_keys<All>(object, S::template get<I>(x)))...>;
      parts_t parts{detail::typed_keys<All>(object, S::template get<I>(x))...};
      return S::make(std::move(std::get<I>(parts))...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (Constant<X>) {
    return x;
  } else {
    return typed_spec<decltype(key_for<X, All>())>();
  }
}

/// Whether the switch to eager runs reaches lambdas that take gradients: their ops need kernels, which take long to compile.
#ifdef JIG_PREBUILT_KERNELS
inline constexpr bool records_gradients = true;
#else
inline constexpr bool records_gradients = false;
#endif

// The tensors at the front in the structure of a result, as its leaves.
template <class Result>
Result as_typed_results(const any_tensor*& next) {
  using S = structure<Result>;
  if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      std::tuple<part<Result, I>...> parts{as_typed_results<part<Result, I>>(next)...};
      return S::make(std::move(std::get<I>(parts))...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (Constant<Result>) {
    ++next;
    return Result();
  } else {
    return Result(*next++);
  }
}

// The ops that an eager run of a lambda computes one by one, each once: those that it calls, and those that its gradients are made of.
template <class Trace>
struct ops_of_run {
  static constexpr list<const op*> find() {
    list<const op*> out = Trace::called_ops();
    holds_for_any(Trace::graph, [&](const graph_view&, const node_data& n) {
      bool known = false;
      for (const op* other : out) known = known || other->identity == n.kind->identity;
      if (!known) out.push_back(n.kind);
      return false;
    });
    return out;
  }
  static constexpr std::size_t count = find().size();
  static constexpr std::array<const op*, count + 1> all = [] {
    std::array<const op*, count + 1> out{};
    std::size_t k = 0;
    for (const op* kind : find()) out[k++] = kind;
    return out;
  }();
};
template <class Trace>
void enter_kernels_of_trace() {
  using ops = ops_of_run<Trace>;
  enter_kernels_of_gradients<Trace>();
  []<std::size_t... I>(std::index_sequence<I...>) { enter_kernels<*ops::all[I]...>(); }(std::make_index_sequence<ops::count>());
}

/// What the lambda of a trace returns when it runs as it stands, op by op, in the types of a call. Variables have their new values at the
/// end.
template <class Trace, class Result, class... X>
[[gnu::noinline, gnu::cold]] Result run_recorded(std::string_view declaration, X&... x) {
  enter_kernels_of_traces();
  enter_kernels_of_trace<Trace>();
  require_runtime_library();
  const run_time_arguments<X...> arguments(x...);
  const int* object = arguments.form.objects.data();
  constexpr argument_dtypes all = dtypes_of_arguments<std::remove_const_t<X>...>();
  // Braces fix the order of the calls.
  const std::tuple<decltype(detail::typed_keys<all>(object, x))...> keys{detail::typed_keys<all>(object, x)...};
  typename Trace::lambda lambda{};
  list<int> updated;
  const auto results = std::apply(
      [&](const auto&... key) { return detail::eager_results(declaration, lambda, arguments.tensors(), updated, key...); }, keys);
  arguments.variables.require_assignable(updated);
  arguments.variables.commit(updated, results.data() + (results.size() - updated.size()));
  if constexpr (!std::is_void_v<Result>) {
    const any_tensor* next = results.data();
    return as_typed_results<Result>(next);
  }
}

}  // namespace jig::detail
