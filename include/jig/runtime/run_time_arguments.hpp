// SPDX-License-Identifier: MIT
#pragma once
// The arguments of a call of which some are run-time tensors: their tensors, variables, specs and what else keys a signature.

#include <jig/runtime/dynamic_trace.hpp>
#include <jig/runtime/dynamic_variable.hpp>
#include <jig/runtime/run_time_signatures.hpp>

namespace jig::detail {

/// Whether a run-time tensor is among the leaves of an argument.
template <class X, class Leaves = leaves_of<X>>
inline constexpr bool holds_any_tensors = false;
template <class X, class... L>
inline constexpr bool holds_any_tensors<X, leaf_list<L...>> = (is_any_tensor<L> || ...);

/// All tensors of the arguments of a call, in order; literals are part of the types. The values of variables are among them.
template <class X>
void collect_tensors(any_tensor*& to, const X& x) {
  for_each_leaf(x, [&](const auto& leaf) {
    using T = std::remove_cvref_t<decltype(leaf)>;
    if constexpr (is_any_tensor<T>) *to++ = leaf;
    else if constexpr (std::is_convertible_v<const T&, const char*>) *to++ = any_tensor(leaf);
    else if constexpr (!Constant<T>) *to++ = any_tensor::viewing(leaf);
  });
}
template <class X>
void collect_variables(bound_variables<>& to, X& x) {
  for_each_leaf(x, [&](auto& leaf) {
    if constexpr (is_variable<std::remove_cvref_t<decltype(leaf)>>) to.add(leaf);
  });
}

template <class X>
inline constexpr bool holds_struct_of_variables = is_struct_of_variables<X>;
template <class X>
  requires(structure<X>::nested && !is_struct_of_variables<X>)
inline constexpr bool holds_struct_of_variables<X> = []<std::size_t... I>(std::index_sequence<I...>) {
  return (holds_struct_of_variables<part<X, I>> || ...);
}(std::make_index_sequence<structure<X>::size>());

/// The specs that a trace of an argument is for: those of tensors, and of variables the ones of their types.
template <class X>
void append_specs(std::vector<tensor_spec>& to, stretch<any_tensor> tensors, const X& x) {
  for_each_leaf(x, [&]<class T>(const T&) {
    if constexpr (is_variable<T>) to.push_back(variable_key<T>::type::value());
    else if constexpr (!Constant<T>) to.push_back(spec_of(tensors[to.size()]));
  });
}

inline number_spec number_spec_among(const argument_dtypes& all, const tensor_spec& s) {
  return {s, all.weakens(s.dtype) ? typing::weak : typing::strong};
}
template <class X>
void note_dtypes(argument_dtypes& to, const tensor_spec*& next, const X& x) {
  for_each_leaf(x, [&]<class T>(const T&) {
    if constexpr (!Constant<T>) (is_number_argument<T> ? to.numbers : to.others) |= argument_dtypes::bit((next++)->dtype);
  });
}

/// The structure of an argument with specs in place of tensors, and of variables, which are these objects. A struct of variables stays
/// one.
template <class X>
auto specs_in_place(const argument_dtypes& all, const tensor_spec*& next, const int*& object, const X& x) {
  using S = structure<X>;
  if constexpr (is_struct_of_variables<X>) {
    next += variable_count<X>;
    return struct_key_of<X>(object);
  } else if constexpr (S::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using parts_t = std::tuple<decltype(detail::specs_in_place(all, next, object, S::template get<I>(x)))...>;
      parts_t parts{detail::specs_in_place(all, next, object, S::template get<I>(x))...};
      return S::make(std::move(std::get<I>(parts))...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (Constant<X>) {
    return x;
  } else if constexpr (is_variable<X>) {
    return dynamic_variable_key{*next++, *object++};
  } else if constexpr (is_number_argument<X>) {
    return number_spec_among(all, *next++);
  } else {
    return tensor_spec(*next++);
  }
}

template <class... X>
inline constexpr char structure_tag = 0;
template <class O>
inline constexpr char options_tag = 0;

// An argument, in a tuple, whose types tell nothing of tensors; what has variables stays.
struct to_viewing_tensor {
  template <class X>
  auto operator()(const X& x) const {
    if constexpr (Constant<X> || is_any_tensor<X>) return x;
    else if constexpr (std::is_convertible_v<const X&, const char*>) return any_tensor(x);
    else return any_tensor::viewing(x);
  }
};
template <class X>
auto without_types(X& x) {
  if constexpr (holds_variables<std::remove_const_t<X>>) return std::tuple<X&>(x);
  else return std::tuple<decltype(map_leaves(x, to_viewing_tensor()))>(map_leaves(x, to_viewing_tensor()));
}
template <class X, class Leaves = leaves_of<X>>
inline constexpr bool is_without_types = false;
template <class X, class... L>
inline constexpr bool is_without_types<X, leaf_list<L...>> = holds_variables<X> || ((Constant<L> || is_any_tensor<L>) && ...);

/// The arguments of a call of which some are run-time tensors.
template <class... X>
class run_time_arguments {
  template <class Key>
  using parts_of_key = decltype(detail::specs_in_place(argument_dtypes{0, 0}, std::declval<const tensor_spec*&>(),
                                                       std::declval<const int*&>(), std::declval<Key&>()));

 public:
  using keys = std::tuple<parts_of_key<X>...>;
  bound_variables<> variables;
  argument_form<> form;

  explicit run_time_arguments(X&... x) : form{&structure_tag<std::remove_const_t<X>...>, {}} {
    any_tensor* end = collected_;
    (detail::collect_tensors(end, x), ...);
    count_ = static_cast<std::size_t>(end - collected_);
    (detail::collect_variables(variables, x), ...);
    form.objects = variables.objects();
  }
  stretch<any_tensor> tensors() const { return {collected_, count_}; }
  std::vector<tensor_spec> specs(const X&... x) const {
    std::vector<tensor_spec> out;
    (detail::append_specs(out, tensors(), x), ...);
    return out;
  }
  /// The arguments' structures with specs in place of tensors and variables.
  keys keys_with(const std::vector<tensor_spec>& specs, const X&... x) const {
    [[maybe_unused]] argument_dtypes all{0, 0};
    [[maybe_unused]] const tensor_spec* next = specs.data();
    (detail::note_dtypes(all, next, x), ...);
    next = specs.data();
    [[maybe_unused]] const int* object = form.objects.data();
    // In a tuple the order of evaluation is that of the arguments.
    return keys{detail::specs_in_place(all, next, object, x)...};
  }

 private:
  any_tensor collected_[(std::size_t{1} + ... + leaf_count<std::remove_const_t<X>>)];
  std::size_t count_;
};

}  // namespace jig::detail
