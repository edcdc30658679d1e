// SPDX-License-Identifier: MIT
#pragma once
// How the arguments and results of a call lie in memory, as their types tell it, and the program that follows from that.

#include <jig/eval/call_arguments.hpp>

namespace jig::detail {

template <class Trace>
inline constexpr bool runs_lambda = false;
template <class Trace>
  requires requires { Trace::runs_eagerly; }
inline constexpr bool runs_lambda<Trace> = Trace::runs_eagerly;

/// Whether a result is written in column-major order by a program whose arguments lie like this. What may have any strides is taken to
/// lie as most arguments do.
template <class Out>
constexpr bool takes_columns(bool arguments_are) {
  if constexpr (!Argument<Out>) return false;
  else if constexpr (spec_of_argument<Out>::value().shape.rank < 2) return false;
  else if constexpr (argument_layout<Out> != memory_layout::strided) return argument_layout<Out> == memory_layout::column_major;
  else return usual_layout<Out> == memory_layout::column_major || (usual_layout<Out> == memory_layout::strided && arguments_are);
}

/// `Assumed` tells how the arguments X lie whose types do not say it; `Result` are what the call writes into, if anything.
template <class Trace, class Leaves, class Outs = objects<>, memory_layout Assumed = memory_layout::strided>
struct call_layouts;
template <class Trace, class... X, class... Result, memory_layout Assumed>
struct call_layouts<Trace, objects<X...>, objects<Result...>, Assumed> {
 private:
  // How an argument lies that is assumed to lie in this order where its type does not say it.
  template <class A, memory_layout L>
  static constexpr memory_layout layout_in = [] {
    if (argument_layout<A> != memory_layout::strided || L == memory_layout::strided) return argument_layout<A>;
    if (spec_of_argument<A>::value().shape.rank < 2) return memory_layout::row_major;
    return usual_layout<A> != memory_layout::strided ? usual_layout<A> : L;
  }();
  template <class A>
  static constexpr memory_layout layout_here = layout_in<A, Assumed>;

  using running_graph = running_graph_of<Trace>;

 public:
  /// How many results are new values of variables.
  static constexpr int updates = static_cast<int>(running_graph::graph.outputs().size()) - Trace::results;
  /// Whether the lambda runs op by op: only a run tells all extents, or an option asks for it.
  static constexpr bool varies = runs_lambda<Trace> || has_varying_extents(running_graph::graph);

  /// Whether the elements of an argument lie side by side, in either order.
  template <class A>
  static constexpr bool is_dense = layout_here<A> != memory_layout::strided;
  template <std::size_t K>
  static constexpr bool is_column_major = layout_here<std::tuple_element_t<K, std::tuple<X...>>> == memory_layout::column_major;

 private:
  static constexpr bool any_column_major = ((layout_here<X> == memory_layout::column_major) || ...);
  template <class Out>
  static constexpr bool writes_columns =
      !varies && updates == 0 && sizeof...(Result) == static_cast<std::size_t>(Trace::results) && takes_columns<Out>(any_column_major);

 public:
  /// Whether the program writes result K in column-major order.
  template <std::size_t K>
  static constexpr bool is_column_major_result = [] {
    constexpr bool marks[] = {writes_columns<Result>..., false};
    return K < sizeof...(Result) && marks[K < sizeof...(Result) ? K : 0];
  }();

  using program =
      typename program_of_layouts<Trace, any_column_major || (writes_columns<Result> || ...),
                                  std::integer_sequence<char, static_cast<char>(layout_here<X> == memory_layout::column_major)...>,
                                  std::integer_sequence<char, static_cast<char>(writes_columns<Result>)...>,
                                  static_cast<char>(is_dense<X>)...>::type;

  /// Whether only the call tells if all arguments are dense. Then there are programs for that as well: dense views are common,
  /// and small programs on strided arguments take many times as long.
  static constexpr bool may_lie_dense = !varies && Assumed == memory_layout::strided && !(is_dense<X> && ...);
  static constexpr bool may_lie_column_major =
      may_lie_dense && ((layout_in<X, memory_layout::row_major> != layout_in<X, memory_layout::column_major>) || ...);
  /// Whether all of them lie in row-major, or in column-major, order.
  template <memory_layout L>
  [[gnu::always_inline]] static bool lie(objects<X...>& leaves) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return (leaf_lies<L>(detail::object_at<K>(leaves)) && ...);
    }(std::index_sequence_for<X...>());
  }

 private:
  template <memory_layout L, class A>
  [[gnu::always_inline]] static bool leaf_lies(A& x) {
    if constexpr (is_dense<A>) return true;
    else if constexpr (layout_in<A, L> == memory_layout::row_major) return lies_dense(argument<std::remove_cvref_t<A>>::bind(x));
    else return lies_column_major(argument<std::remove_cvref_t<A>>::bind(x));
  }
};

}  // namespace jig::detail
