// SPDX-License-Identifier: MIT
#pragma once
// A graph as a type: a flat list of small node types that Hana algorithms accept.

#include <jig/core/spec.hpp>
#include <jig/graph/graph.hpp>

#include <boost/hana/fwd/tuple.hpp>
#include <boost/hana/fwd/type.hpp>

namespace jig {

/// A node as a type: its op, the spec of its result and the numbers of the nodes it reads.
template <const op& Op, class Spec, int... Inputs>
struct node {
  static constexpr const op& kind = Op;
  using spec_type = Spec;
  static constexpr std::string_view name() { return Op.name; }
};

/// A graph as a type.
template <class... Nodes>
struct type_graph {
  static constexpr int size = sizeof...(Nodes);
  /// A Hana tuple of types; whoever makes one includes what defines it, others do not pay for it.
  using node_tuple = boost::hana::tuple<boost::hana::basic_type<Nodes>...>;
  /// The nodes as a Hana tuple of types.
  static constexpr node_tuple nodes() { return {}; }
};

namespace detail {

// Source::graph is a static constexpr graph_view.
template <class Source, int Id>
struct lifted_node {
  struct holder {
    static constexpr const tensor_spec& value = Source::graph.data(Id).spec;
  };
  template <std::size_t... I>
  static auto make(std::index_sequence<I...>)
      -> std::type_identity<node<*Source::graph.data(Id).kind, typed<spec, holder>, Source::graph.inputs_of(Id)[I].node...>>;
  using type = typename decltype(make(std::make_index_sequence<Source::graph.inputs_of(Id).size()>()))::type;
};

template <class Source, class Ids>
struct lifted_graph;
template <class Source, int... Id>
struct lifted_graph<Source, std::integer_sequence<int, Id...>> {
  using type = type_graph<typename lifted_node<Source, Id>::type...>;
};

}  // namespace detail

/// The graph `Source::graph` as a type.
template <class Source>
using lifted = typename detail::lifted_graph<Source, std::make_integer_sequence<int, Source::graph.size()>>::type;

}  // namespace jig
