// SPDX-License-Identifier: MIT
#pragma once
// Gradients: in a trace of what the program names, and as functions made of functions.

#include <jig/function.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/runtime/dynamic_function.hpp>
#include <jig/trace/traceable.hpp>
#include <jig/trace/traced_structure.hpp>

namespace jig {

/// Whether gradients with respect to a structure include this part of it. In the place of one that is left out is an empty std::tuple.
template <class X>
inline constexpr bool is_trainable = true;

namespace detail {

template <class X>
constexpr bool is_all_trainable() {
  if constexpr (!is_trainable<X>) return false;
  else if constexpr (structure<X>::nested)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_all_trainable<part<X, I>>() && ...);
    }(std::make_index_sequence<structure<X>::size>());
  else return true;
}
// The structure without the parts that are not trainable.
template <class X>
constexpr auto trainable_parts(const X& x) {
  if constexpr (!is_trainable<X>) return std::tuple<>();
  else if constexpr (structure<X>::nested)
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return structure<X>::make(trainable_parts(structure<X>::template get<I>(x))...);
    }(std::make_index_sequence<structure<X>::size>());
  else return x;
}

template <class X>
inline constexpr bool is_in_trace = is_recorded<X> || is_variable<X> || world_of<X> == world::dual;

// Whether gradients can be taken of X, or with respect to it. A dynamic value is asked when it is used.
template <class X>
constexpr bool is_differentiable() {
  if constexpr (is_dynamic<X>) return true;
  else if constexpr (is_in_trace<X>) return is_floating(operand_spec<X>::type::value().dtype);
  else return false;
}
template <class X>
constexpr bool all_differentiable() {
  return []<class... L>(leaf_list<L...>) { return (is_differentiable<L>() && ...); }(leaves_of<X>());
}
template <class X>
constexpr void describe_other(message& m) {
  if constexpr (is_differentiable<X>()) return;
  else if constexpr (is_in_trace<X>) m << operand_spec<X>::type::value();
  else if constexpr (world_of<X> == world::eager) m << "a tensor, which no graph led to: take gradients in a function, or use jig::grad";
  else m << "what is neither";
}
// The first leaf that is not.
template <class X>
constexpr message first_other() {
  message m;
  [&]<class... L>(leaf_list<L...>) { ((m.length == 0 ? describe_other<L>(m) : void()), ...); }(leaves_of<X>());
  return m;
}

constexpr message gradient_refusal(bool target, const message& given) {
  message m;
  m << "gradient: " << (target ? "the target" : "a source") << " must be a traced value or variable of a floating dtype, given "
    << given.view();
  return m;
}
template <class Y, class X>
struct gradient_reason {
  static constexpr message sentence =
      gradient_refusal(!is_differentiable<Y>(), is_differentiable<Y>() ? first_other<X>() : first_other<Y>());
};
inline void check_differentiable(bool target, const tensor_spec& given) {
  if (is_floating(given.dtype)) return;
  message m;
  throw_invalid_argument(gradient_refusal(target, m << given).view());
}

// Values of the specs of what it is called with, one output of a node after the other.
template <class Y>
struct next_outputs {
  builder* b;
  edge next;
  template <class T, index... E>
  static variable_value<T, E...> dual(spec<T, E...>);
  template <class X>
  constexpr auto operator()(const X&) {
    using S = typename operand_spec<X>::type;
    const edge now{next.node, next.port++};
    if constexpr (is_dynamic<X> || is_dynamic<Y>) return typename traced_leaf<std::conditional_t<is_dynamic<X>, X, Y>>::type(b, now);
    else if constexpr (world_of<Y> == world::traced || world_of<X> == world::traced) return typename symbol_of_spec<S>::type(b, now);
    else return decltype(dual(S()))(b, now);
  }
};

// Defined in runtime/dynamic_gradient.hpp.
template <class X>
void enter_kernels_of_gradients();
template <class X>
void enter_kernels_of_optimizers();

template <class Y, class X>
void check_dynamic_sources(const Y& y, const X& x) {
  check_differentiable(true, y.spec());
  for_each_leaf(x, [&](const auto& leaf) {
    check_differentiable(false, spec_now(leaf));
    if (leaf.builder() != y.builder()) y.throw_other_trace();
  });
  enter_kernels_of_gradients<Y>();
  if constexpr (holds_variables<X>) enter_kernels_of_optimizers<Y>();
}

template <class Y, class X>
constexpr auto traced_gradient(const Y& y, const X& x) {
  builder* b = y.builder();
  if constexpr (is_dynamic<Y>) check_dynamic_sources(y, x);
  list<edge> inputs;
  list<tensor_spec> specs;
  inputs.push_back(y.place());
  for_each_leaf(x, [&](const auto& leaf) {
    inputs.push_back(leaf.place());
    specs.push_back(spec_now(leaf));
  });
  const edge made = b->graph.add(ops::gradient, specs[0], inputs);
  for (std::size_t k = 1; k < specs.size(); ++k) b->graph.add_output(specs[k]);
  b->differentiates = true;
  return map_leaves(x, next_outputs<Y>{b, made});
}

[[noreturn]] inline void throw_no_graph() {
  throw_invalid_argument(
      "gradient: outside a function there is no graph to take it of; f.run_eagerly()(x...) records what runs, f.eager(x...) does not");
}

}  // namespace detail

/// The gradient of y with respect to x: of the sum of its elements, if it has several. Several sources, a structure of values or
/// a struct of variables give a structure of gradients; variables count with the value that they have now. In a function only, where
/// gradients are more nodes of the graph, of which there may be gradients too.
/// Shape: that of x
/// Errors: a y that does not depend on some x in a way that can be differentiated, ops on the way without a gradient, and dtypes
/// that are not floating are refused at compile time.
/// Cost: a few operations for each operation between x and y. Loops keep what
/// they carry in every trip until the call ends.
template <class Y, class X>
constexpr auto gradient(const Y& y, const X& x) {
  if constexpr (is_refused<Y>) return y;
  else if constexpr (is_refused<X>) return x;
  else if constexpr (!detail::is_all_trainable<X>()) return gradient(y, detail::trainable_parts(x));
  else if constexpr (!detail::is_differentiable<Y>() || !detail::all_differentiable<X>()) return refuse<detail::gradient_reason<Y, X>>();
  else {
    if constexpr (!detail::is_dynamic<Y>)
      if (!std::is_constant_evaluated() && !detail::in_trace(y)) detail::throw_no_graph();
    return detail::traced_gradient(y, x);
  }
}
template <class Y, class X, class... More>
  requires(sizeof...(More) > 0)
constexpr auto gradient(const Y& y, const X& x, const More&... more) {
  return gradient(y, std::tuple<const X&, const More&...>(x, more...));
}

namespace detail {

template <std::size_t I, class... A>
constexpr auto& argument_at(A&... a) {
  return std::get<I>(std::tuple<A&...>(a...));
}

// The gradients of y with respect to arguments I…, a tuple if there are several.
template <std::size_t... I, class Y, class... A>
constexpr auto argument_gradients(const Y& y, A&... a) {
  if constexpr (!((I < sizeof...(A)) && ...)) return refuse_with<"grad: there is no such argument", Y, A...>();
  else if constexpr (sizeof...(I) == 1) return gradient(y, argument_at<I...>(a...));
  else return gradient(y, argument_at<I>(a...)...);
}

// A copy of it, whose call may change what it is.
template <class F>
constexpr F copy_of(const F& f) {
  if constexpr (is_traceable<F>) return F{};
  else return f;
}
template <class F, std::size_t... I>
struct gradient_function {
  [[no_unique_address]] F f;
  constexpr auto operator()(auto&... a) const { return argument_gradients<I...>(copy_of(f)(a...), a...); }
};
template <class F, std::size_t... I>
struct value_and_gradient_function {
  [[no_unique_address]] F f;
  constexpr auto operator()(auto&... a) const {
    auto y = copy_of(f)(a...);
    auto g = argument_gradients<I...>(y, a...);
    if constexpr (is_refused<decltype(g)>) return g;
    else return std::tuple<decltype(y), decltype(g)>(y, g);
  }
};

// The text in front of a function's name and parameters.
template <text Prefix, text Name>
constexpr auto prefixed() {
  constexpr std::size_t n = Prefix.size() + Name.size();
  text<n + 1> out;
  for (std::size_t i = 0; i < n; ++i) out.chars[i] = i < Prefix.size() ? Prefix.chars[i] : Name.chars[i - Prefix.size()];
  return out;
}
// A function of what Make makes of the lambda of a function, with its options; a lambda has neither a name nor options.
template <text Prefix, class F, template <class, std::size_t...> class Make, std::size_t... I>
struct made_of_function : std::type_identity<function_object<Prefix, Make<F, I...>>> {};
template <text Prefix, text Name, class F, class O, template <class, std::size_t...> class Make, std::size_t... I>
struct made_of_function<Prefix, function_object<Name, F, O>, Make, I...>
    : std::type_identity<function_object<prefixed<Prefix, Name>(), Make<F, I...>, O>> {};
template <text Prefix, class F, template <class, std::size_t...> class Make, std::size_t... I>
constexpr auto make_of_function() {
  if constexpr (sizeof...(I) == 0) return typename made_of_function<Prefix, F, Make, 0>::type();
  else return typename made_of_function<Prefix, F, Make, I...>::type();
}
// The same of a callable that may capture.
template <template <class, std::size_t...> class Make, std::size_t... I>
struct make_of_callable {
  template <class F>
  auto operator()(const F& f) const {
    if constexpr (sizeof...(I) == 0) return Make<F, 0>{f};
    else return Make<F, I...>{f};
  }
};

}  // namespace detail

/// The function that computes the gradient of f with respect to its arguments with these numbers; of several, a std::tuple. It has
/// the options of f.
/// Errors: as of gradient.
template <std::size_t... I, class F>
constexpr auto grad(F) {
  static_assert(is_traceable<F>, "jig: grad: the function must not capture");
  return detail::make_of_function<"grad_", F, detail::gradient_function, I...>();
}
template <std::size_t... I, class F, class O>
auto grad(const dynamic_function_object<F, O>& f) {
  return f.made("grad_", detail::make_of_callable<detail::gradient_function, I...>());
}

/// The function that computes f and its gradient with respect to its arguments with these numbers: a std::tuple of the value and
/// the gradient, which for several arguments is a std::tuple too: `auto [value, gradients] = jig::value_and_grad<0, 1>(f)(x, y);`.
/// It has the options of f.
/// Errors: as of gradient.
template <std::size_t... I, class F>
constexpr auto value_and_grad(F) {
  static_assert(is_traceable<F>, "jig: value_and_grad: the function must not capture");
  return detail::make_of_function<"value_and_grad_", F, detail::value_and_gradient_function, I...>();
}
template <std::size_t... I, class F, class O>
auto value_and_grad(const dynamic_function_object<F, O>& f) {
  return f.made("value_and_grad_", detail::make_of_callable<detail::value_and_gradient_function, I...>());
}

namespace detail {

inline constexpr std::string_view custom_gradient_refusal =
    "custom_gradient: the second function must return a gradient for each argument of the first, of its spec: ";
template <class X, class G>
struct custom_gradient_reason {
  static constexpr message sentence = [] {
    message m;
    m << custom_gradient_refusal;
    describe<X>(m, specs_of_leaves<X>());
    if constexpr (all_leaves<returnable, G>()) describe<G>(m << ", given ", specs_of_leaves<G>());
    return m;
  }();
};

// What a gradient function has returned for argument I of N.
template <std::size_t I, std::size_t N, class G>
constexpr const auto& share_at(const G& shares) {
  if constexpr (N == 1 && !structure<G>::nested) return shares;
  else return structure<G>::template get<I>(shares);
}
template <class G, class... X>
constexpr bool shares_fit() {
  constexpr std::size_t n = sizeof...(X);
  if constexpr (structure<G>::nested) {
    if constexpr (structure<G>::size != n) return false;
    else
      return
          []<std::size_t... I>(std::index_sequence<I...>) { return (shares_fit<part<G, I>, X>() && ...); }(std::make_index_sequence<n>());
  } else if constexpr (n != 1) {
    return false;
  } else {
    return (... &&
            (!is_differentiable<X>() || is_dynamic<X> || std::is_same_v<typename operand_spec<G>::type, typename operand_spec<X>::type>));
  }
}

template <class F, class G>
struct custom_gradient_function {
  template <class... X>
  constexpr auto operator()(const X&... x) const {
    auto y = F{}(x...);
    if constexpr (is_dynamic<decltype(y)>) {
      if (is_floating(y.dtype())) return traced(y, x...);
    } else if constexpr (is_differentiable<decltype(y)>()) {
      if constexpr (may_be_in_trace<decltype(y)>)
        if (std::is_constant_evaluated() || in_trace(y)) return traced(y, x...);
    }
    return y;
  }

 private:
  template <class Y, class... X>
  static constexpr Y traced(const Y& y, const X&... x) {
    builder* b = y.builder();
    const tensor_spec spec = spec_now(y);
    list<edge> inputs;
    inputs.push_back(y.place());
    inputs.push_back(b->graph.add(ops::adjoint_of, spec, inputs));
    const auto shares = G{}(Y(b, inputs[1]), x...);
    if constexpr (!shares_fit<std::remove_const_t<decltype(shares)>, X...>()) {
      (void)refuse<custom_gradient_reason<std::tuple<X...>, std::remove_const_t<decltype(shares)>>>();
      return y;
    } else {
      if constexpr (is_dynamic<Y>) check_shares(shares, x...);
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add_share(inputs, x, share_at<I, sizeof...(X)>(shares)), ...);
      }(std::index_sequence_for<X...>());
      b->has_custom_gradient = true;
      return Y(b, b->graph.add(ops::custom_gradient, spec, inputs));
    }
  }
  template <class Shares, class... X>
  static void check_shares(const Shares& shares, const X&... x) {
    bool fit = true;
    auto compare = [&](const auto& source, const auto& share) {
      const tensor_spec s = spec_now(source);
      fit = fit && (!is_floating(s.dtype) || s == spec_now(share));
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (compare(x, share_at<I, sizeof...(X)>(shares)), ...);
    }(std::index_sequence_for<X...>());
    if (fit) return;
    message m;
    m << custom_gradient_refusal;
    describe<std::tuple<X...>>(m, specs_now(std::tuple<const X&...>(x...)));
    describe<Shares>(m << ", given ", specs_now(shares));
    throw_invalid_argument(m.view());
  }
  template <class X, class Share>
  static constexpr void add_share(list<edge>& inputs, const X& x, const Share& share) {
    if constexpr (is_dynamic<X>) {
      if (!is_floating(x.dtype())) return;
    }
    if constexpr (is_differentiable<X>()) {
      inputs.push_back(x.place());
      inputs.push_back(share.place());
    }
  }
};

}  // namespace detail

/// The function f with a gradient of its own: g(adjoint, x…) returns what the arguments x of f get, each of the argument's spec,
/// as one value or a structure of several. Neither may capture.
/// Errors: gradients of other specs are refused at compile time.
template <class F, class G>
constexpr auto custom_gradient(F, G) {
  static_assert(is_traceable<F> && is_traceable<G>, "jig: custom_gradient: the functions must not capture");
  return detail::custom_gradient_function<F, G>();
}

}  // namespace jig
