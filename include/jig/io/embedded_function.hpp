// SPDX-License-Identifier: MIT
#pragma once
// A model file whose bytes are in the program, as a function that is compiled with the program.

#include <jig/io/embedded_graph.hpp>
#include <jig/ops/call.hpp>

#include <array>

namespace jig {

namespace detail {

// A GraphDef as a composite op of its arguments.
template <const auto& Bytes>
struct embedded_call {
  static constexpr const graph_view& graph = embedded_graph<Bytes>;
  // The ops of its nodes, those of bodies too.
  static constexpr list<const op*> kinds() {
    list<const op*> out;
    const auto add = [&](auto& self, const graph_view& g) -> void {
      for (int id = 0; id < g.size(); ++id) {
        out.push_back(&g.node(id).kind());
        g.for_each_body(g.data(id), [&](const graph_view& body) { self(self, body); });
      }
    };
    add(add, graph);
    return out;
  }
  static constexpr std::size_t count = kinds().size();
  static constexpr std::array<const op*, count> made = [] {
    std::array<const op*, count> out{};
    const auto all = kinds();
    for (std::size_t k = 0; k < count; ++k) out[k] = all[k];
    return out;
  }();
  static constexpr stretch<const op*> makes() { return made; }

  static constexpr void expand(expansion& x) {
    const std::size_t arguments = graph.inputs().size();
    if (x.inputs() != arguments)
      return x.fail("embedded_function: the number of arguments is ", static_cast<index>(x.inputs()), ", the model takes ",
                    static_cast<index>(arguments));
    list<edge> moved(graph.size());
    for (std::size_t k = 0; k < arguments; ++k) {
      const tensor_spec given = x.spec(x.input(k)), declared = graph.spec({graph.inputs()[k], 0});
      if (!may_be_equal(given, declared))
        return x.fail("embedded_function: argument ", static_cast<index>(k), " is ", given, ", the model takes ", declared);
      moved[graph.inputs()[k]] = x.input(k);
    }
    for (int id = 0; id < graph.size(); ++id)
      if (!graph.node(id).kind().is(fact::input)) moved[id] = x.copy(graph, id, moved);
    for (const edge& e : graph.outputs()) x.give({moved[e.node].node, moved[e.node].port + e.port});
  }
  // As the bytes, so that no two models are one op.
  static constexpr std::uint64_t identity = [] {
    std::uint64_t h = 0xcbf29ce484222325;
    for (const auto b : Bytes) h = (h ^ static_cast<unsigned char>(b)) * 0x100000001b3;
    return h;
  }();
};
template <const auto& Bytes>
inline constexpr op embedded_op{.name = "PartitionedCall",
                                .label = "embedded_function",
                                .facts = fact::composite,
                                .outputs = static_cast<int>(embedded_graph<Bytes>.outputs().size()),
                                .makes = embedded_call<Bytes>::makes,
                                .expand = embedded_call<Bytes>::expand,
                                .identity = embedded_call<Bytes>::identity};

}  // namespace detail

/// The function that a GraphDef is whose bytes are an array of characters in the program, of these arguments: a tensor, or a std::tuple of
/// several results. In a lambda its nodes become part of the trace, which is optimised, differentiated and compiled as a whole.
/// Shape: as the model's nodes tell from those of the arguments, so that extents which only the arguments know are known
/// Errors: bytes that `jig::load` refuses do not compile, nor do arguments of other dtypes, ranks and extents than the model takes; what
/// only run time knows throws invalid_argument. Branches and loops take the extents that the model says.
template <const auto& Bytes, Operand... X>
constexpr auto embedded_function(const X&... x) {
  return call<detail::embedded_op<Bytes>>(x...);
}

}  // namespace jig
