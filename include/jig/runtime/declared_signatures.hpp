// SPDX-License-Identifier: MIT
#pragma once
// Calls of functions with declared signatures whose arguments only the call knows: run-time tensors, and values of dynamic traces.

#include <jig/eval/call_arguments.hpp>
#include <jig/runtime/run_time_arguments.hpp>

namespace jig::detail {

// The specs of a signature, of all leaves that are no literals.
template <class Signature>
struct specs_of_signature;
template <class... Key>
struct specs_of_signature<types<Key...>> {
  static const std::vector<tensor_spec>& get() {
    static const std::vector<tensor_spec> specs = [] {
      std::vector<tensor_spec> out;
      const auto collect = [&]<class K>(const K&) {
        if constexpr (is_spec<K>) out.push_back(K::value());
      };
      (for_each_leaf(key_object<Key>, collect), ...);
      return out;
    }();
    return specs;
  }
};

// Whether arguments have the structure and the literals of a signature; the call looks at specs.
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
    return is_spec<Expected> && (is_variable_spec<Expected> == is_variable<X> || std::is_same_v<X, dynamic_variable>);
  }
}
template <class Given, class Signature>
inline constexpr bool has_form_of = false;
template <class... X, class... Key>
  requires(sizeof...(X) == sizeof...(Key))
inline constexpr bool has_form_of<types<X...>, types<Key...>> = (has_form_of_key<X, Key>() && ...);

/// A declared signature as a call with arguments of some types sees it.
struct declared_signature {
  const std::vector<tensor_spec>* specs;
  bool has_form;
};
template <class Signatures, class... X>
struct declared_signatures;
template <class... Signature, class... X>
struct declared_signatures<types<Signature...>, X...> {
  static std::vector<declared_signature> get() { return {{&specs_of_signature<Signature>::get(), has_form_of<types<X...>, Signature>}...}; }
};

/// The number of the most specific signature that takes values of these specs, of incomparable ones the first; -1 if there is none.
template <class Specs>
int number_of_declared(const Specs& given, const std::vector<declared_signature>& signatures) {
  auto is_below = [](const Specs& a, const Specs& b) {
    bool below = a.size() == b.size();
    for (std::size_t k = 0; below && k < a.size(); ++k) below = is_subtype(a[k], b[k]);
    return below;
  };
  int best = -1;
  for (int i = 0; i < static_cast<int>(signatures.size()); ++i) {
    const auto& [specs, has_form] = signatures[static_cast<std::size_t>(i)];
    if (has_form && is_below(given, *specs) && (best < 0 || is_below(*specs, *signatures[static_cast<std::size_t>(best)].specs))) best = i;
  }
  return best;
}

inline std::string text_of_spec(const tensor_spec& s) {
  return "TensorSpec(shape=" + shape_text(s.shape) + ", dtype=tf." + std::string(name_of(s.dtype)) + ", name=None)";
}
template <class Given>
std::string text_of_given(const Given& x) {
  if constexpr (std::is_same_v<Given, tensor_spec>) return text_of_spec(x);
  else return to_text(x);
}
// In the words of TensorFlow.
template <class Given>
[[noreturn, gnu::cold]] void throw_incompatible(std::string_view declaration, stretch<Given> given,
                                                const std::vector<declared_signature>& signatures) {
  std::string out = std::string(function_name(declaration)) + ": inputs incompatible with input_signature:\n  inputs: (";
  for (std::size_t k = 0; k < given.size(); ++k) out += (k > 0 ? ",\n    " : "\n    ") + text_of_given(given[k]);
  out += ")\n  input_signature: ";
  for (std::size_t s = 0; s < signatures.size(); ++s) {
    out += s > 0 ? " or (" : "(";
    const auto& specs = *signatures[s].specs;
    for (std::size_t k = 0; k < specs.size(); ++k) out += (k > 0 ? ",\n    " : "\n    ") + text_of_spec(specs[k]);
    out += ')';
  }
  throw_invalid_argument(out + '.');
}

/// The number of the declared signature that takes these arguments.
/// Errors: if there is none, throws invalid_argument with both.
template <class Signatures, class Arguments, class... X>
int declared_number(std::string_view declaration, const Arguments& arguments, const X&... x) {
  const auto declared = declared_signatures<Signatures, X...>::get();
  const int number = number_of_declared(arguments.specs(x...), declared);
  if (number < 0) throw_incompatible(declaration, arguments.tensors(), declared);
  return number;
}

/// The specs of that signature, as they were declared.
template <class Signatures, class Arguments, class... X>
const std::vector<tensor_spec>& declared_specs(std::string_view declaration, const Arguments& arguments, const X&... x) {
  const int number = detail::declared_number<Signatures>(declaration, arguments, x...);
  return *declared_signatures<Signatures, X...>::get()[static_cast<std::size_t>(number)].specs;
}

inline bool leave_rank_open(const std::vector<tensor_spec>& specs) {
  for (const auto& s : specs)
    if (s.shape.rank == unknown_rank) return true;
  return false;
}
/// Declared specs with the ranks that these arguments have where they are left open, and wildcards for extents.
inline std::vector<tensor_spec> with_ranks_of(std::vector<tensor_spec> declared, const std::vector<tensor_spec>& given) {
  for (std::size_t k = 0; k < declared.size(); ++k) {
    shape& s = declared[k].shape;
    if (s.rank != unknown_rank) continue;
    s.rank = 0;
    while (s.rank < given[k].shape.rank) s.push_back(dyn);
  }
  return declared;
}

/// The same of values of a dynamic trace, which only have to fit.
template <class Signatures, class... X>
void require_declared(std::string_view declaration, const X&... x) {
  const auto declared = declared_signatures<Signatures, X...>::get();
  std::vector<tensor_spec> given;
  (for_each_leaf(x,
                 [&]<class T>(const T& leaf) {
                   if constexpr (is_dynamic<T>) given.push_back(leaf.spec());
                   else if constexpr (!Constant<T>) given.push_back(key_of<T>::value());
                 }),
   ...);
  if (number_of_declared(given, declared) < 0) throw_incompatible(declaration, stretch<tensor_spec>(given), declared);
}

// An argument of a compiled signature, in a tuple: run-time tensors as views, what has variables as it is.
template <class Key, class X>
auto typed_argument(const any_tensor*& next, const Key& key, X& x) {
  if constexpr (holds_variables<std::remove_const_t<X>>) {
    for_each_leaf(x, [&]<class T>(const T&) { next += !Constant<T>; });
    return std::tuple<X&>(x);
  } else {
    auto typed = map_leaves(key, [&]<class K>(const K& leaf) {
      if constexpr (is_spec<K>) {
        const auto view = [&]<class T, index... E>(spec<T, E...>) {
          return static_cast<jig::view<const T, E...>>((next++)->template as<T>());
        };
        return view(leaf);
      } else {
        return leaf;
      }
    });
    return std::tuple<decltype(typed)>(typed);
  }
}
struct to_any_tensor {
  template <class X>
  any_tensor operator()(const X& x) const {
    return any_tensor(x);
  }
};
template <class... Key, class Run, class... X>
auto call_typed(types<Key...> keys, Run run, stretch<any_tensor> tensors, X&... x) {
  const any_tensor* next = tensors.data();
  // Braces fix the order of the calls.
  std::tuple<decltype(typed_argument(next, Key(), x))...> parts{typed_argument(next, Key(), x)...};
  auto arguments = std::apply([](auto&... part) { return std::tuple_cat(part...); }, parts);
  return std::apply(
      [&](auto&... typed) {
        if constexpr (std::is_void_v<decltype(run(keys, typed...))>) {
          run(keys, typed...);
        } else {
          const auto results = run(keys, typed...);
          return map_leaves(results, to_any_tensor());
        }
      },
      arguments);
}

// Of signatures from number I on the one to call. Those of another form cannot be meant.
template <int I, class First, class... Rest, class Run, class... X>
auto call_number(int number, types<First, Rest...>, Run run, stretch<any_tensor> tensors, X&... x) {
  constexpr bool more = (has_form_of<types<std::remove_const_t<X>...>, Rest> || ...);
  if constexpr (!has_form_of<types<std::remove_const_t<X>...>, First>) {
    if constexpr (more) return call_number<I + 1>(number, types<Rest...>(), run, tensors, x...);
    else return any_tensor();
  } else {
    if constexpr (more)
      if (number != I) return call_number<I + 1>(number, types<Rest...>(), run, tensors, x...);
    return call_typed(First(), run, tensors, x...);
  }
}

/// Calls `run(keys, arguments…)`, a compiled signature, for the declared one that takes the arguments, of which some are run-time
/// tensors. Results are run-time tensors.
/// Errors: if there is none, throws invalid_argument with both.
template <class Signatures, class Run, class... X>
auto call_declared(std::string_view declaration, Run run, X&... x) {
  const run_time_arguments<X...> arguments(x...);
  const int number = detail::declared_number<Signatures>(declaration, arguments, x...);
  return call_number<0>(number, Signatures(), run, arguments.tensors(), x...);
}

}  // namespace jig::detail
