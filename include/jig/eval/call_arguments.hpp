// SPDX-License-Identifier: MIT
#pragma once
// The arguments of calls as types tell them: their tensors, and whether they may be passed where a function was traced.

#include <jig/eval/eager_run.hpp>
#include <jig/eval/update.hpp>

namespace jig::detail {

template <std::size_t K, class T>
struct numbered_object {
  T value;
};
template <class Numbers, class... T>
struct numbered_objects;
template <std::size_t... K, class... T>
struct numbered_objects<std::index_sequence<K...>, T...> : numbered_object<K, T>... {};
/// A tuple as calls need it: std::tuple makes four functions and a class of each of its elements.
template <class... T>
struct objects : numbered_objects<std::index_sequence_for<T...>, T...> {};
template <std::size_t K, class T>
[[gnu::always_inline]] constexpr T& object_at(numbered_object<K, T>& of) {
  return of.value;
}

// Leaves are collected by address, one function for each kind of structure: to join tuples of them takes compilers far longer.
template <class Leaf>
inline constexpr bool is_text_leaf =
    !Argument<std::remove_const_t<Leaf>> && std::is_convertible_v<const std::remove_const_t<Leaf>&, const char*>;

// The types of the leaves of an object that are no literals, which are part of the signature already.
template <class X>
constexpr auto tensor_leaf_list() {
  using S = structure<std::remove_const_t<X>>;
  if constexpr (S::nested) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (leaf_list<>() + ... + tensor_leaf_list<std::remove_reference_t<decltype(S::template get<I>(std::declval<X&>()))>>());
    }(std::make_index_sequence<S::size>());
  } else if constexpr (Constant<std::remove_const_t<X>>) {
    return leaf_list<>();
  } else {
    return leaf_list<X>();
  }
}
template <class X>
[[gnu::always_inline]] inline void collect_tensor_leaves(const void**& to, X& x) {
  using S = structure<std::remove_const_t<X>>;
  if constexpr (S::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
      (detail::collect_tensor_leaves(to, S::template get<I>(x)), ...);
    }(std::make_index_sequence<S::size>());
  } else if constexpr (!Constant<std::remove_const_t<X>>) {
    *to++ = std::addressof(x);
  }
}
template <class Leaf>
[[gnu::always_inline]] inline auto tensor_leaf(const void* at) -> std::conditional_t<is_text_leaf<Leaf>, std::string, Leaf&> {
  auto& leaf = *static_cast<Leaf*>(const_cast<void*>(at));
  if constexpr (is_text_leaf<Leaf>) return std::string(leaf);
  else return leaf;
}
template <class... Leaf, std::size_t... K>
[[gnu::always_inline]] inline auto tensor_leaves_at(leaf_list<Leaf...>, const void* const* at, std::index_sequence<K...>) {
  return objects<decltype(tensor_leaf<Leaf>(nullptr))...>{{{tensor_leaf<Leaf>(at[K])}...}};
}
/// The tensors among the leaves of some objects, as references, and texts.
template <class... X>
[[gnu::always_inline]] inline auto tensor_leaves(X&... x) {
  using list = decltype((leaf_list<>() + ... + tensor_leaf_list<X>()));
  const void* at[list::size + 1];
  [[maybe_unused]] const void** to = at;  // without arguments
  (detail::collect_tensor_leaves(to, x), ...);
  return detail::tensor_leaves_at(list(), at, std::make_index_sequence<list::size>());
}

template <class Key>
constexpr auto spec_leaf_list() {
  if constexpr (structure<Key>::nested) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (leaf_list<>() + ... + spec_leaf_list<part<Key, I>>());
    }(std::make_index_sequence<structure<Key>::size>());
  } else if constexpr (is_spec<Key>) {
    return leaf_list<Key>();
  } else {
    return leaf_list<>();
  }
}
template <class... Spec>
std::tuple<Spec...> as_tuple(leaf_list<Spec...>);
/// The specs among the leaves of keys, as the type of a tuple.
template <class... Key>
using spec_leaves = decltype(as_tuple((leaf_list<>() + ... + spec_leaf_list<Key>())));

// A structure like S whose leaves are those of a tuple, from number First on.
template <class S, std::size_t First = 0, class Leaves>
constexpr auto with_leaves(Leaves& leaves) {
  if constexpr (structure<S>::nested) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      constexpr auto start = [](std::size_t n) {
        constexpr std::size_t counts[] = {leaf_count<part<S, I>>..., 0};
        std::size_t at = First;
        for (std::size_t i = 0; i < n; ++i) at += counts[i];
        return at;
      };
      return structure<S>::make(with_leaves<part<S, I>, start(I)>(leaves)...);
    }(std::make_index_sequence<structure<S>::size>());
  } else {
    return std::move(std::get<First>(leaves));
  }
}

/// Whether an argument may fit its key, as far as types tell: literals have equal values, structures have parts that fit.
template <class Given, class Expected>
constexpr bool key_may_fit() {
  if constexpr (structure<Expected>::nested && structure<Given>::nested) {
    if constexpr (structure<Expected>::size != structure<Given>::size) return false;
    else
      return []<std::size_t... I>(std::index_sequence<I...>) {
        return (key_may_fit<part<Given, I>, part<Expected, I>>() && ...);
      }(std::make_index_sequence<structure<Expected>::size>());
  } else if constexpr (is_variable_spec<Expected> && !is_variable_spec<Given>) {
    return false;
  } else if constexpr (is_spec<Expected> && is_spec<Given>) {
    return may_be_equal(Given::value(), Expected::value());
  } else if constexpr (Constant<Expected> && Constant<Given>) {
    return Expected::value == Given::value;
  } else {
    return false;
  }
}

// K is the number of the argument, or -1 for a result.
template <text Name, int K, class Expected, class Given>
struct misfit_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": ";
    if constexpr (K < 0) m << "result";
    else m << "argument " << parameter_name(Name.view(), K).view();
    describe_key<Expected>(m << ": expected ");
    describe_key<Given>(m << ", given ");
    return m;
  }();
};

template <text Name, int K, class Expected, class Given>
constexpr bool check_fit() {
  if constexpr (is_refused<Given>) {
    return false;
  } else {
    if constexpr (!key_may_fit<Given, Expected>()) (void)refuse<misfit_reason<Name, K, Expected, Given>>();
    return key_may_fit<Given, Expected>();
  }
}

template <text Name, std::size_t Expected, std::size_t Given>
struct count_reason {
  static constexpr message sentence = [] {
    message m;
    m << function_name(Name.view()) << ": expected " << static_cast<index>(Expected) << (Expected == 1 ? " argument" : " arguments")
      << ", given " << static_cast<index>(Given);
    return m;
  }();
};

/// Whether arguments with keys `Given` may be passed where `Expected` was traced; refuses with a sentence if not.
template <text Name, class Expected, class Given>
struct arguments_fit : std::true_type {};
template <text Name, class... Expected, class... Given>
  requires(!std::is_same_v<std::tuple<Expected...>, std::tuple<Given...>>)
struct arguments_fit<Name, std::tuple<Expected...>, std::tuple<Given...>> {
  // Literals may be left out, all of them together.
  template <class E>
  static constexpr bool is_written_out = Constant<E> || is_literal_list<E>;
  static constexpr bool shorter = sizeof...(Given) < sizeof...(Expected);
  template <std::size_t K>
  static constexpr std::size_t given_at() {
    constexpr bool left_out[] = {(shorter && is_written_out<Expected>)..., false};
    std::size_t at = K;
    for (std::size_t i = 0; i < K; ++i) at -= left_out[i];
    return at;
  }
  template <std::size_t K, class E>
  static constexpr bool fits_at() {
    if constexpr (shorter && is_written_out<E>) return true;
    else return check_fit<Name, static_cast<int>(K), E, std::tuple_element_t<given_at<K>(), std::tuple<Given...>>>();
  }
  static constexpr bool value = [] {
    if constexpr (given_at<sizeof...(Expected)>() != sizeof...(Given)) {
      (void)refuse<count_reason<Name, sizeof...(Expected), sizeof...(Given)>>();
      return false;
    } else {
      return []<std::size_t... K>(std::index_sequence<K...>) {
        return (fits_at<K, Expected>() && ...);
      }(std::index_sequence_for<Expected...>());
    }
  }();
};

// Whether the elements of a view lie in row-major order without gaps, or in column-major order.
template <class V>
[[gnu::always_inline]] inline bool lies_dense(const V& x) {
  index step = 1;
  bool dense = true;
  for (int a = V::rank(); a-- > 0; step *= x.extent(a)) dense = dense && (x.stride(a) == step || x.extent(a) == 1);
  return dense;
}

template <class V>
[[gnu::always_inline]] inline bool lies_column_major(const V& x) {
  index step = 1;
  bool dense = true;
  for (int a = 0; a < V::rank(); step *= x.extent(a++)) dense = dense && (x.stride(a) == step || x.extent(a) == 1);
  return dense;
}

template <class X>
using spec_of_argument = typename argument<std::remove_cvref_t<X>>::spec_type;

}  // namespace jig::detail
