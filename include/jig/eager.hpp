// SPDX-License-Identifier: MIT
#pragma once
// Eager ops: an op on tensors is the one-op function of their specs, so every kernel exists once.

#include <jig/function.hpp>

namespace jig::detail {

// A literal takes the dtype it has among these operands.
template <class Spec, class X>
constexpr decltype(auto) as_operand_of(const X& x) {
  if constexpr (Constant<X>) return as_operand_of<Spec, typename X::value_type>(X::value);
  else if constexpr (std::is_arithmetic_v<X>) return fitting<typename Spec::value_type>(x);
  else return (x);
}

// What a trace of a call of the op would find, put together without tracing: compilers take much longer for a lambda.
template <const op& Op, class A, class Inferred, class... Spec>
struct one_op_trace {
 private:
  static constexpr jig::graph put_together() {
    jig::graph g;
    (g.input_nodes.push_back(g.add(ops::placeholder, Spec::value(), {}).node), ...);
    edge inputs[array_bound(sizeof...(Spec))];
    for (std::size_t i = 0; i < sizeof...(Spec); ++i) inputs[i] = {g.input_nodes[i], 0};
    const stretch<edge> operands(inputs, sizeof...(Spec));
    if constexpr (Op.is(fact::composite)) {
      for (const edge& e : append_expansion(g, Inferred::nodes, operands)) g.output_edges.push_back(e);
    } else {
      const edge made = g.add(Op, Inferred::value, operands, A::view());
      [&]<int... Port>(std::integer_sequence<int, 0, Port...>) {
        (g.add_output(Inferred::template output<Port>::value), ...);
      }(std::make_integer_sequence<int, Op.outputs>());
      for (int port = 0; port < Op.outputs; ++port) g.output_edges.push_back({made.node, port});
    }
    return g;
  }
  static constexpr graph_sizes size = sizes_of(put_together().view());
  static constexpr static_graph<size> storage{put_together().view()};

 public:
  using passes = as_traced;
  using result_structure = results_of<symbol, Op, Inferred>;
  static constexpr int results = Op.outputs;
  static constexpr bool has_variables = false;
  static constexpr bool differentiates = false;
  static constexpr graph_view graph = storage.view();
  static constexpr int update_of(std::size_t) { return -1; }
};

// Whether an operand's type tells all that a call of it would bind and check.
template <class X>
inline constexpr bool is_known_operand = [] {
  if constexpr (!Argument<X>) return false;
  else if constexpr (argument_layout<X> != memory_layout::row_major || is_renamed<X>) return false;
  else return spec_of_argument<X>::value().shape.is_static() && spec_of_argument<X>::value().dtype != dtype::string;
}();
// Whether running the program of one op on such operands is all there is to a call of it, which returns one tensor.
template <class Trace, class... X>
inline constexpr bool only_runs = [] {
  if constexpr (!((is_known_operand<X> && ...) && Trace::results == 1)) {
    return false;
  } else {
    using P = dense_program_of<Trace>;
    return P::graph.outputs().size() == 1 && P::plan.symbols == 0 && P::plan.size.expressions == 0 && !P::plan.any_late && !P::remembers &&
           !structure<typename Trace::result_structure>::nested;
  }
}();

template <class Trace, class... Spec, class... X>
auto run_operands(const X&... x) {
  // Compilers take much longer for a call that could have any arguments.
  if constexpr (only_runs<Trace, X...>) {
    using P = dense_program_of<Trace>;
    constexpr shape extents = P::extents(result_node<P, 0>);  // a copy: with a part of the plan all of it would be in the program
    result_tensor<P, 0> out(uninitialized, extents);
    frame<P> fr;
    fr.memory = &memory_of_threads;
    [[maybe_unused]] const void** to = fr.arguments;
    ((*to++ = argument<X>::bind(x).data()), ...);
    fr.results[0] = out.data();
    execute<P>(fr);
    return out;
  } else {
    return call_traced<Trace, "", Spec...>(memory_of_threads, new_results(), x...);
  }
}
template <const op& Op, class A, class Inferred, class... Spec, class... X>
auto run_one_op(types<Spec...>, const X&... x) {
  return run_operands<one_op_trace<Op, A, Inferred, Spec...>, Spec...>(as_operand_of<Spec>(x)...);
}

// Their names are what compilers say where constant evaluation meets them.
inline void the_literal_does_not_fit_the_dtype_of_the_tensor() { throw_invalid_argument("a literal does not fit the dtype of the tensor"); }
inline void this_op_is_not_computed_before_the_call_begin_with_a_traced_value_such_as_constant_like() {
  throw_invalid_argument("this op is not computed before the call");
}

// In constant evaluation, where a lambda is traced, an op on values that belong to no trace is computed as constants are folded.
template <class Result, const op& Op, class A, class Inferred, class... Spec, class... X>
constexpr Result folded_call(types<Spec...>, const X&... x) {
  graph folded = [&] {
    builder b;
    const edge inputs[] = {place_of<Spec>(&b, x)...};
    if (b.failure != trace_failure::none) the_literal_does_not_fit_the_dtype_of_the_tensor();
    if constexpr (Op.is(fact::composite)) b.graph.output_edges.push_back(append_expansion(b.graph, Inferred::nodes, inputs)[0]);
    else b.graph.output_edges.push_back(b.graph.add(Op, Inferred::value, inputs, A::view()));
    return fold_constants(b.graph.view());
  }();
  const edge found = folded.output_edges[0];
  if (!folded.nodes[found.node].kind->is(fact::constant))
    this_op_is_not_computed_before_the_call_begin_with_a_traced_value_such_as_constant_like();
  const auto words = folded.node(found.node).attribute("value").words;
  Result out(uninitialized, Inferred::value.shape);
  for (std::size_t i = 0; i < words.size(); ++i) out.data()[i] = from_word<typename Result::value_type>(words[i]);
  return out;
}

template <const op& Op, class A, class Inferred, class Specs, class... X>
constexpr auto eager_call(const X&... x) {
  using result = decltype(run_one_op<Op, A, Inferred>(Specs(), x...));
  if constexpr (is_tensor<result> && Inferred::value.dtype != dtype::string && Inferred::value.shape.is_static() &&
                (may_be_constant<X> && ...))
    if (std::is_constant_evaluated()) return folded_call<result, Op, A, Inferred>(Specs(), x...);
  return run_one_op<Op, A, Inferred>(Specs(), x...);
}

}  // namespace jig::detail
