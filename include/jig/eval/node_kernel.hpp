// SPDX-License-Identifier: MIT
#pragma once
// Kernels of single nodes, called with views of what they read and write.

#include <jig/eval/epilogue.hpp>
#include <jig/eval/kernel_traits.hpp>
#include <jig/eval/locate.hpp>

namespace jig::detail {

template <class P, int Node>
struct typed_view {
  static constexpr const shape& value_shape = P::graph.data(Node).spec.shape;
  template <std::size_t... A>
  static auto pick(std::index_sequence<A...>) -> std::type_identity<view<const element_at<P, Node>, value_shape.extents[A]...>>;
  using type = typename decltype(pick(std::make_index_sequence<static_cast<std::size_t>(value_shape.rank)>()))::type;
};

// Extents and strides one by one where that is possible: memory that is written word by word and then copied as a whole has to wait for
// itself, longer than small kernels run.
template <class P, int Node>
auto view_at(const frame<P>& fr) {
  using T = element_at<P, Node>;
  using view_type = typename typed_view<P, Node>::type;
  constexpr planned_value v = P::value(Node);
  if constexpr (static constexpr auto here = layout_of<P, Node>(); here.known && P::extents(Node).is_static()) {
    return view_type(unchecked(), first_element<P, Node>(fr), P::extents(Node), here.strides);
  } else if constexpr (v.dense || v.place == place::argument) {
    return [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
      constexpr std::size_t room = array_bound(sizeof...(A));
      const index extents[room] = {fr(P::extents(Node)[A])...}, strides[room] = {stride_of<P, Node, A>(fr)...};
      return view_type(unchecked(), first_element<P, Node>(fr), extents, strides);
    }(std::make_integer_sequence<int, P::extents(Node).rank>());
  } else {
    const located where = locate<P, Node>(fr);
    return view_type(unchecked(), static_cast<const T*>(where.data) + where.offset, where.extents, where.strides);
  }
}

template <class T, index... E>
[[gnu::always_inline]] inline view<T, E...> writable(const view<const T, E...>& v) {
  return [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
    constexpr std::size_t room = array_bound(sizeof...(A));
    const index extents[room] = {v.extent(A)...}, strides[room] = {v.stride(A)...};
    return view<T, E...>(unchecked(), const_cast<T*>(v.data()), extents, strides);
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(E))>());
}

template <class T, class View>
struct dense_like;
template <class T, class Element, index... E>
struct dense_like<T, view<Element, E...>> {
  using type = dense_view<T, E...>;
};
template <class P, int Node, class T>
using dense_view_of = typename dense_like<T, typename typed_view<P, Node>::type>::type;

template <class P, int Node, class T>
[[gnu::always_inline]] inline auto dense_view_at(const frame<P>& fr) {
  return dense_view_of<P, Node, T>(static_cast<T*>(const_cast<void*>(data_of<P, Node>(fr))), fr.template shape_of<Node>());
}

// An operand of a kernel that becomes part of the function around it, where it is dense or its place known before the call.
template <class P, int Node>
struct part_view_of {
  using element = const element_at<P, Node>;
  static constexpr known_layout layout = layout_of<P, Node>();
  static constexpr bool is_dense = P::value(Node).dense;
  static constexpr bool exists = is_dense || layout.known;

  template <class View>
  struct fixed;
  template <index... E>
  struct fixed<view<element, E...>> {
    using type = fixed_view<element, layout.strides, E...>;
  };
  using type = typename std::conditional_t<is_dense, std::type_identity<dense_view_of<P, Node, element>>,
                                           fixed<typename typed_view<P, Node>::type>>::type;
  [[gnu::always_inline]] static type at(const frame<P>& fr) {
    if constexpr (is_dense) return dense_view_at<P, Node, element>(fr);
    else return type(first_element<P, Node>(fr), fr.template shape_of<Node>());
  }
};

// The symbol of the extent that the kernel of a node tells, or dyn.
template <class P, int Node>
constexpr index late_extent_of() {
  for (int k = 0; P::plan.any_late && k < P::plan.size.expressions; ++k) {
    const extent_expression& e = P::plan.expressions.items[k];
    if (e.node == Node && e.relation == extent_algebra::relation::at_most) return e.symbol;
  }
  return dyn;
}

/// The attributes of a node, with the memory of the call where its kernel takes it.
template <class P, int Node>
[[gnu::always_inline]] inline auto attributes_in([[maybe_unused]] const frame<P>& fr) {
  if constexpr (takes_memory<kernel<P::kind(Node)>>) return attributes_with_memory<attributes_of<P, Node>>{{}, fr.memory};
  else return attributes_of<P, Node>();
}

template <class P, int Node, class Outputs, class Operands>
struct node_kernel;
template <class P, int Node, int... O, int... I>
struct node_kernel<P, Node, std::integer_sequence<int, O...>, std::integer_sequence<int, I...>> {
  using K = kernel<P::kind(Node)>;
  using T = element_at<P, Node>;
  // Kernels that do little for values of some shapes, dense ones or such as lie at constant strides, have a second form for these,
  // which becomes part of the function around it: so a scalar that a loop carries can stay in a register though an element is read
  // with it.
  template <int Operand>
  using operand_view = part_view_of<P, P::operand(Node, Operand)>;
  template <class... View>
  using traits_of = kernel_traits<K, attributes_of<P, Node>, dense_view_of<P, Node, T>, View...>;
  static constexpr bool is_part = [] {
    if constexpr ((operand_view<I>::exists && ...)) return traits_of<typename operand_view<I>::type...>::has_part;
    else return false;
  }();
  // Whether this has read all of its operands when it begins to write.
  static constexpr bool reads_first = [] {
    if constexpr (is_part) return traits_of<typename operand_view<I>::type...>::reads_first;
    else return false;
  }();
  static auto run(const frame<P>& fr) {
    if constexpr (P::kind(Node).is(fact::tape))
      return K::run(*fr.tape, attributes_in<P, Node>(fr), writable(view_at<P, Node + O>(fr))..., view_at<P, P::operand(Node, I)>(fr)...);
    else return K::run(attributes_in<P, Node>(fr), writable(view_at<P, Node + O>(fr))..., view_at<P, P::operand(Node, I)>(fr)...);
  }
  // With `then` on every tile.
  static void run_tiled(const frame<P>& fr, const tile_epilogue& then) {
    if constexpr (is_part) K::run_part(attributes_in<P, Node>(fr), dense_view_at<P, Node, T>(fr), operand_view<I>::at(fr)..., then);
    else K::run(attributes_in<P, Node>(fr), writable(view_at<P, Node>(fr)), view_at<P, P::operand(Node, I)>(fr)..., then);
  }
  [[gnu::always_inline]] static void run_part(const frame<P>& fr) {
    K::run_part(attributes_in<P, Node>(fr), dense_view_at<P, Node, T>(fr), operand_view<I>::at(fr)...);
  }
};

template <class P, int Node>
using kernel_of = node_kernel<P, Node, std::make_integer_sequence<int, outputs_in_prepared(P::graph, Node)>,
                              std::make_integer_sequence<int, P::operand_count(Node)>>;

template <class P, int Node>
[[gnu::always_inline]] inline void run_kernel(frame<P>& fr) {
  using k = kernel_of<P, Node>;
  if constexpr (kernel_does_nothing<typename k::K, attributes_of<P, Node>>) return;
  else if constexpr (k::is_part) k::run_part(fr);
  else if constexpr (constexpr index symbol = late_extent_of<P, Node>(); symbol != dyn) fr.extents[symbol_number(symbol)] = k::run(fr);
  else k::run(fr);
}

}  // namespace jig::detail
