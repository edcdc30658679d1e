// SPDX-License-Identifier: MIT
#pragma once
// Whether a lambda can be traced for these arguments, and the sentence that says why not.

#include <jig/trace/trace.hpp>

namespace jig::detail {

/// Stands beside the calls of a lambda: worse for its arguments, better for the object itself.
struct rival_call {
  struct chosen {};
  chosen operator()(...);
};
template <class F>
struct lambda_and_rival : F, rival_call {
  using F::operator();
  using rival_call::operator();
};
/// An argument that only parameters without a type take.
template <class>
struct untyped_argument {};
/// Whether a lambda has the parameters for such arguments. Its body is not looked at, so that mistakes in there are told as what they
/// are: the call is ambiguous if the lambda takes part.
template <class F, class... A>
concept TakesArguments =
    (sizeof...(A) == 0 && std::is_invocable_v<F>) || (sizeof...(A) > 0 && !requires(lambda_and_rival<F>& both, A&... a) {
      { both(a...) } -> std::same_as<rival_call::chosen>;
    });

template <class Test, class X>
constexpr bool all_leaves() {
  return []<class... L>(leaf_list<L...>) { return (Test::template of<L>() && ...); }(leaves_of<X>());
}

struct not_refused {
  template <class X>
  static constexpr bool of() {
    return !is_refused<X>;
  }
};
struct returnable {
  template <class X>
  static constexpr bool of() {
    if constexpr (world_of<X> == world::dual) return true;
    else if constexpr (Argument<X>)
      return argument_layout<X> == memory_layout::row_major && argument<X>::spec_type::value().shape.is_static();
    else return is_recorded<X> || Constant<X>;
  }
};

template <text Name, class... Key>
struct uncallable_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": the lambda cannot be called with " << static_cast<index>(sizeof...(Key))
      << (sizeof...(Key) == 1 ? " argument: " : " arguments: ");
    describe_key<std::tuple<Key...>>(m);
    return m << ": it needs as many parameters, each of them auto";
  }();
};

template <text Name, class Result>
struct result_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view())
      << ": the lambda returns what is neither a traced value nor a number, literal or tensor of static shape, nor a "
         "structure of these";
    return m;
  }();
};

template <text Name>
struct reference_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": the lambda returns a reference, to what may be gone by then: return a value, as `-> auto` does";
    return m;
  }();
};

// Why there is no graph, of failures that tell no more.
constexpr message failure_sentence(std::string_view declaration, trace_failure failure) {
  message m;
  m << function_name(declaration) << ": ";
  if (failure == trace_failure::too_many_paths)
    m << "more than 64 ways through the ifs of the lambda, or more than 32 ifs on one of them: write ifs that join again with "
         "JIG_IF, choose values with jig::where, loops with jig::range or JIG_WHILE (of numbers: jig::range(0, n, jig::beside(x))), end "
         "recursions on jig::lit";
  else if (failure == trace_failure::endless_loop) m << "every way through the body of a loop leaves it: use an if instead of the loop";
  else if (failure == trace_failure::left_branch) m << "JIG_IF cannot be left by return, break or continue: use a plain if";
  else if (failure == trace_failure::native_change)
    m << "a C++ variable changes inside a traced loop or a block of JIG_IF, which is recorded once: make it a traced value, "
         "`auto n = jig::constant_like(x, 0)` for a traced x";
  else if (failure == trace_failure::outlived_block)
    m << "a traced value that is made inside a traced loop or a block of JIG_IF is kept behind it, in a std::vector or std::optional, say: "
         "make it before, and assign to it inside";
  else if (failure == trace_failure::large_gradient)
    m << "its gradients take more than the " << most_nodes_for_gradients
      << " nodes, read or made, that compilers evaluate by default: make loops of numbers one node with jig::range(first, last, "
         "jig::beside(x)), or raise "
         "-fconstexpr-ops-limit (GCC) or -fconstexpr-steps (Clang) and say how many times with the macro JIG_CONSTEXPR_LIMITS";
  else if (failure == trace_failure::branching_condition) m << "the condition of JIG_WHILE must not branch itself: use jig::where";
  else m << "a value that leaves a loop early needs a static shape";
  return m;
}
template <text Name, trace_failure Failure>
struct failure_reason {
  static constexpr message sentence = failure_sentence(Name.view(), Failure);
};

template <text Name, class Trace>
struct gradient_failure_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": " << Trace::why.view();
    return m;
  }();
};

template <text Name, unfit_literal Unfit>
struct unfit_literal_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": the literal";
    if (Unfit.is_integer) m << ' ' << Unfit.value;
    m << " does not fit dtype " << name_of(Unfit.to) << " of the tensor that it joins: use jig::cast";
    return m;
  }();
};

/// true_type if lambda F can be traced for these keys, otherwise a refused object. Looks before the trace is made, so that
/// the user reads one sentence and not what follows from it.
template <class F, text Name, class... Key>
constexpr auto traceable_for() {
  using traced = trace<F, Name, Key...>;
  if constexpr (!(all_leaves<not_refused, Key>() && ...)) {
    return refused<>();
  } else if constexpr (!TakesArguments<F, argument_for<Key>...>) {
    return refuse<uncallable_reason<Name, Key...>>();
  } else if constexpr (
      !requires { F{}(std::declval<argument_for<Key>&>()...); } || !requires { F{}(std::declval<argument_for<Key>&>()...); }) {
    // If the parameters take anything, the compiler has said what is wrong with the body. Clang knows only the second time, if there is a
    // type that it returns.
    if constexpr (TakesArguments<F, untyped_argument<Key>...>) return refused<>();
    else return refuse<uncallable_reason<Name, Key...>>();
  } else {
    using given = decltype(F{}(std::declval<argument_for<Key>&>()...));
    using result = std::remove_cvref_t<given>;
    if constexpr (!std::is_void_v<result> && !all_leaves<not_refused, result>()) return refused<>();
    else if constexpr (std::is_reference_v<given>) return refuse<reference_reason<Name>>();
    else if constexpr (!std::is_void_v<result> && !all_leaves<returnable, result>()) return refuse<result_reason<Name, result>>();
    else if constexpr (!requires { typename std::bool_constant<traced::first::what_a_traced_lambda_does_must_be_constexpr.fits>; })
      return refused<>();  // constant evaluation did not reach the end of the lambda, and the compiler has said why
    else if constexpr (!requires { typename std::bool_constant<traced::finished::what_a_traced_lambda_does_must_be_constexpr.fits>; })
      return refused<>();  // nor that of its gradients
    else if constexpr (traced::failure == trace_failure::refused) return refused<>();
    else if constexpr (traced::failure == trace_failure::unfit_literal) return refuse<unfit_literal_reason<Name, traced::unfit>>();
    else if constexpr (traced::failure == trace_failure::no_gradient) return refuse<gradient_failure_reason<Name, traced>>();
    else if constexpr (traced::failure != trace_failure::none) return refuse<failure_reason<Name, traced::failure>>();
    else return std::true_type();
  }
}

}  // namespace jig::detail
