// SPDX-License-Identifier: MIT
#pragma once
// Functions with declared signatures: the most specific one that fits runs, everything else is refused.

#include <jig/eval/call.hpp>
#include <jig/runtime/dispatch.hpp>

namespace jig {

namespace detail {

// The specs of a signature, of all leaves that are no literals.
template <class Key>
void collect_specs(std::vector<tensor_spec>& to) {
  if constexpr (structure<Key>::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (collect_specs<part<Key, I>>(to), ...);
    }(std::make_index_sequence<structure<Key>::size>());
  } else if constexpr (is_spec<Key>) {
    to.push_back(Key::value());
  }
}
template <class Signature>
struct specs_of_signature;
template <class... Key>
struct specs_of_signature<types<Key...>> {
  static const std::vector<tensor_spec>& get() {
    static const std::vector<tensor_spec> specs = [] {
      std::vector<tensor_spec> out;
      (collect_specs<Key>(out), ...);
      return out;
    }();
    return specs;
  }
};

// Whether everything with one key has another one too: same structure, same literals, specs that are subtypes.
template <class Given, class Expected>
constexpr bool key_is_subtype() {
  if constexpr (structure<Given>::nested && structure<Expected>::nested) {
    if constexpr (structure<Given>::size != structure<Expected>::size) return false;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (key_is_subtype<part<Given, I>, part<Expected, I>>() && ...);
      }(std::make_index_sequence<structure<Given>::size>());
  } else if constexpr (is_spec<Given> && is_spec<Expected>) {
    return is_variable_spec<Given> == is_variable_spec<Expected> && is_subtype(Given::value(), Expected::value());
  } else {
    return std::is_same_v<Given, Expected>;
  }
}
template <class Given, class Expected>
inline constexpr bool signature_is_subtype = false;
template <class... G, class... E>
  requires(sizeof...(G) == sizeof...(E))
inline constexpr bool signature_is_subtype<types<G...>, types<E...>> = (key_is_subtype<G, E>() && ...);
template <class Given, class Expected>
inline constexpr bool signature_may_fit = false;
template <class... G, class... E>
  requires(sizeof...(G) == sizeof...(E))
inline constexpr bool signature_may_fit<types<G...>, types<E...>> = (key_may_fit<G, E>() && ...);

// Whether arguments that hold run-time tensors have the structure and the literals of a signature; the call looks at specs.
template <class X, class Expected>
constexpr bool has_form_of_key() {
  if constexpr (structure<X>::nested && structure<Expected>::nested) {
    if constexpr (structure<X>::size != structure<Expected>::size) return false;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (has_form_of_key<part<X, I>, part<Expected, I>>() && ...);
      }(std::make_index_sequence<structure<X>::size>());
  } else if constexpr (structure<X>::nested || structure<Expected>::nested) {
    return false;
  } else if constexpr (Constant<X>) {
    return std::is_same_v<key_of<X>, Expected>;
  } else {
    return is_spec<Expected> && !is_variable_spec<Expected>;
  }
}
template <class Given, class Signature>
inline constexpr bool has_form_of = false;
template <class... X, class... Key>
  requires(sizeof...(X) == sizeof...(Key))
inline constexpr bool has_form_of<types<X...>, types<Key...>> = (has_form_of_key<X, Key>() && ...);

/// The number of the signature that takes arguments of these types, the most specific one, of incomparable ones the first; -1.
template <class Given, class... Signature>
constexpr int signature_for() {
  constexpr int count = sizeof...(Signature);
  constexpr bool fits[] = {signature_is_subtype<Given, Signature>..., false}, may[] = {signature_may_fit<Given, Signature>..., false};
  constexpr auto below = [] {
    std::array<std::array<bool, sizeof...(Signature)>, sizeof...(Signature)> out{};
    int i = 0;
    ([&]<class A>(std::type_identity<A>) { out[static_cast<std::size_t>(i++)] = {signature_is_subtype<A, Signature>...}; }(
         std::type_identity<Signature>()),
     ...);
    return out;
  }();
  int best = -1;
  for (int i = 0; i < count; ++i)
    if (fits[i] && (best < 0 || below[static_cast<std::size_t>(i)][static_cast<std::size_t>(best)])) best = i;
  for (int i = 0; i < count && best < 0; ++i)
    if (may[i]) best = i;
  return best;
}

template <text Name, class Given, class... Signature>
struct no_signature_reason;
template <text Name, class... Given, class... Signature>
struct no_signature_reason<Name, types<Given...>, Signature...> {
  template <class... Key>
  static constexpr void describe_keys(message& m, types<Key...>) {
    bool first = true;
    ((m << (std::exchange(first, false) ? "" : ", "), describe_key<Key>(m)), ...);
  }
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": inputs incompatible with input_signature: given ";
    describe_keys(m, types<Given...>());
    m << "; input_signature ";
    bool first = true;
    ((m << (std::exchange(first, false) ? "" : " or "), describe_keys(m, Signature())), ...);
    return m;
  }();
};

// In the words of TensorFlow.
template <class Tensor>
std::string incompatible_inputs(std::string_view declaration, const std::vector<Tensor>& given,
                                const std::vector<const std::vector<tensor_spec>*>& signatures) {
  std::string out = std::string(function_name(declaration)) + ": inputs incompatible with input_signature:\n  inputs: (";
  for (std::size_t k = 0; k < given.size(); ++k) out += (k > 0 ? ",\n    " : "\n    ") + to_text(given[k]);
  out += ")\n  input_signature: ";
  for (std::size_t s = 0; s < signatures.size(); ++s) {
    out += s > 0 ? " or (" : "(";
    for (std::size_t k = 0; k < signatures[s]->size(); ++k) {
      const tensor_spec& spec = (*signatures[s])[k];
      out += (k > 0 ? ",\n    TensorSpec(shape=" : "\n    TensorSpec(shape=") + shape_text(spec.shape) + ", dtype=tf." +
             std::string(name_of(spec.dtype)) + ", name=None)";
    }
    out += ')';
  }
  return out + '.';
}

// A run-time tensor as the argument of a signature.
template <class Key>
auto typed_argument(const any_tensor*& next, const Key& key) {
  return map_leaves(key, [&]<class K>(const K& leaf) {
    if constexpr (is_spec<K>) {
      const auto view = [&]<class T, index... E>(spec<T, E...>) {
        return static_cast<jig::view<const T, E...>>((next++)->template as<T>());
      };
      return view(leaf);
    } else {
      return leaf;
    }
  });
}
struct to_any_tensor {
  template <class X>
  any_tensor operator()(const X& x) const {
    return any_tensor(x);
  }
};

}  // namespace detail

template <text Name, class F>
class function_object;

/// A function with declared signatures. A call runs the most specific one that takes its arguments, of incomparable ones the
/// first. The types of static arguments tell which at compile time; run-time tensors are looked at in the call.
template <class Function, class... Signature>
class closed_function;
template <text Name, class F, class... Signature>
class closed_function<function_object<Name, F>, Signature...> {
  using function_type = function_object<Name, F>;

  template <class... Key>
  static constexpr auto concrete(detail::types<Key...>) {
    return function_type().get_concrete_function(Key()...);
  }
  template <int I>
  using signature_at = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<Signature...>>;

  template <class... Key>
  static auto run(const std::vector<any_tensor>& given, detail::types<Key...>) {
    const any_tensor* next = given.data();
    // In a tuple the order of evaluation is that of the arguments.
    std::tuple<decltype(detail::typed_argument(next, Key()))...> arguments{detail::typed_argument(next, Key())...};
    auto results = std::apply([](auto&... x) { return concrete(detail::types<Key...>())(x...); }, arguments);
    return map_leaves(results, detail::to_any_tensor());
  }
  template <class... X>
  static auto call_at_run_time(const X&... x) {
    std::vector<any_tensor> given((std::size_t{0} + ... + detail::leaf_count<X>));
    any_tensor* end = given.data();
    (detail::collect_tensors(end, x), ...);
    given.resize(static_cast<std::size_t>(end - given.data()));
    std::vector<tensor_spec> specs;
    for (const auto& a : given) specs.push_back(detail::spec_of(a));
    const std::vector<const std::vector<tensor_spec>*> declared{&detail::specs_of_signature<Signature>::get()...};
    auto is_below = [](const std::vector<tensor_spec>& a, const std::vector<tensor_spec>& b) {
      bool below = a.size() == b.size();
      for (std::size_t k = 0; below && k < a.size(); ++k) below = is_subtype(a[k], b[k]);
      return below;
    };
    constexpr bool has_form[] = {detail::has_form_of<detail::types<X...>, Signature>...};
    int best = -1;
    for (int i = 0; i < static_cast<int>(declared.size()); ++i) {
      const auto& candidate = *declared[static_cast<std::size_t>(i)];
      if (has_form[i] && is_below(specs, candidate) && (best < 0 || is_below(candidate, *declared[static_cast<std::size_t>(best)])))
        best = i;
    }
    if (best < 0) detail::throw_invalid_argument(detail::incompatible_inputs(Name.view(), given, declared));
    return run_number<0>(best, given);
  }
  template <int I>
  static auto run_number(int number, const std::vector<any_tensor>& given) {
    if constexpr (I + 1 < static_cast<int>(sizeof...(Signature)))
      if (number != I) return run_number<I + 1>(number, given);
    return run(given, signature_at<I>());
  }

 public:
  /// The function with one more signature.
  template <class... Key>
  static constexpr auto with_signature() {
    return closed_function<function_type, Signature..., detail::types<key_of<Key>...>>();
  }
  /// Runs the graph of the signature that takes the arguments; see function_object. Run-time tensors give run-time tensors.
  /// Errors: arguments that no signature takes are refused at compile time, or throw invalid_argument with both.
  template <class... X>
  constexpr auto operator()(X&&... x) const {
    if constexpr ((detail::holds_any_tensors<std::remove_cvref_t<X>> || ...)) {
      return call_at_run_time(x...);
    } else {
      using given = detail::types<key_of<X>...>;
      constexpr int number = detail::signature_for<given, Signature...>();
      if constexpr (number < 0) return refuse<detail::no_signature_reason<Name, given, Signature...>>();
      else return concrete(signature_at<number>())(std::forward<X>(x)...);
    }
  }
  /// The signature that arguments of these types have; without arguments the first one.
  template <class... X>
  constexpr auto get_concrete_function(const X&...) const {
    constexpr int number = sizeof...(X) == 0 ? 0 : detail::signature_for<detail::types<key_of<X>...>, Signature...>();
    if constexpr (number < 0) return refuse<detail::no_signature_reason<Name, detail::types<key_of<X>...>, Signature...>>();
    else return concrete(signature_at<number>());
  }
  /// How many signatures have been traced.
  static int experimental_get_tracing_count() { return function_type::experimental_get_tracing_count(); }
  /// The signatures that have been traced, as TensorFlow prints them.
  static std::string pretty_printed_concrete_signatures(bool full = false) {
    return function_type::pretty_printed_concrete_signatures(full);
  }
};

}  // namespace jig
