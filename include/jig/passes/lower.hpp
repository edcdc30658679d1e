// SPDX-License-Identifier: MIT
#pragma once
// What a compiled program runs of an optimised graph: every node is a step or part of one, or a name for memory.

#include <jig/passes/aligned_windows.hpp>
#include <jig/passes/arrange_products.hpp>
#include <jig/passes/compared_positions.hpp>
#include <jig/passes/constant_slices.hpp>
#include <jig/passes/counted_positions.hpp>
#include <jig/passes/elements.hpp>
#include <jig/passes/few_candidates.hpp>
#include <jig/passes/gathered_elements.hpp>
#include <jig/passes/interleaved_planes.hpp>
#include <jig/passes/joined_results.hpp>
#include <jig/passes/joined_rows.hpp>
#include <jig/passes/low_bits.hpp>
#include <jig/passes/narrow_integers.hpp>
#include <jig/passes/narrow_positions.hpp>
#include <jig/passes/padded_reads.hpp>
#include <jig/passes/parts_of_values.hpp>
#include <jig/passes/prepare.hpp>
#include <jig/passes/products_with_vectors.hpp>
#include <jig/passes/reversed_operands.hpp>
#include <jig/passes/row_flags.hpp>
#include <jig/passes/short_positions.hpp>
#include <jig/passes/short_reductions.hpp>
#include <jig/passes/short_sorts.hpp>
#include <jig/passes/single_channels.hpp>
#include <jig/passes/small_products.hpp>
#include <jig/passes/stacked_results.hpp>
#include <jig/passes/superwords.hpp>
#include <jig/passes/transposed_operands.hpp>
#include <jig/passes/turned_reductions.hpp>

namespace jig {

namespace detail {

// What is known of the arguments of a graph that is lowered: which lie in dense memory (1), and their extents.
struct arguments_of_lowering {
  stretch<char> dense;
  given_extents extents;
  template <std::convertible_to<stretch<char>> Dense>
  constexpr arguments_of_lowering(const Dense& lie_dense, const given_extents& known = {}) : dense(lie_dense), extents(known) {}
};

// A pass says whether it may change a graph, which is quickly asked, and what it makes of one: an empty graph if it leaves it as it is.
// One of rules of the rewriter:
template <bool (*MayChange)(const graph_view&), class... Rule>
struct rewriting {
  static constexpr bool may_change(const graph_view& g) { return MayChange(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return rewriter<Graph, Rule...>().run(g);
  }
};
struct sliced_positions {
  static constexpr bool may_change(const graph_view& g) { return may_have_constant_slices(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return constant_slices<Graph>(g).run();
  }
};
// Slices of slices that a pass has made are one slice, and equal ones the same.
template <class Graph>
constexpr graph with_composed_slices(const Graph& made) {
  if (made.size() == 0) return {};
  const graph composed = constant_slices<decltype(made.view())>(made.view()).run();
  return merge_common_subexpressions(composed.view());
}
using elements_at_stacked = rewriting<may_have_gathered_elements, gathered_elements>;
struct results_in_parts {
  static constexpr bool may_change(const graph_view& g) { return may_have_stacked_results(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    return stacked_results<Graph>(g, known.extents).run();
  }
};
struct results_of_joins {
  static constexpr bool may_change(const graph_view& g) { return may_have_joined_results(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    return with_composed_slices(joined_results<Graph>(g, known.extents).run());
  }
};
struct computed_parts {
  static constexpr bool may_change(const graph_view& g) { return may_have_parts_of_values(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    return with_composed_slices(parts_of_values<Graph>(g, known.extents).run());
  }
};
struct narrowed_integers {
  static constexpr bool may_change(const graph_view& g) { return may_have_integers_to_narrow(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return with_narrow_integers<Graph>(g);
  }
};
struct read_bits {
  static constexpr bool may_change(const graph_view& g) { return may_have_low_bits(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return with_low_bits<Graph>(g);
  }
};
using flags_in_rows = rewriting<may_have_flags_of_rows, row_flags>;
struct shortened_positions {
  static constexpr bool may_change(const graph_view& g) { return may_have_positions_to_shorten(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return with_short_positions<Graph>(g);
  }
};
struct values_in_reverse {
  static constexpr bool may_change(const graph_view& g) { return may_have_reversed_operands(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return reversed_operands<Graph>(g).run();
  }
};
struct reductions_of_transposes {
  static constexpr bool may_change(const graph_view& g) { return may_have_reductions_to_turn(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return turned_reductions<Graph>(g).run();
  }
};
struct reduced_windows {
  static constexpr bool may_change(const graph_view& g) { return may_have_aligned_windows(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return aligned_windows<Graph>(g).run();
  }
};
struct sums_of_neighbours {
  static constexpr bool may_change(const graph_view& g) { return may_have_single_channels(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return single_channels<Graph>(g).run();
  }
};
struct arranged_products {
  static constexpr bool may_change(const graph_view& g) { return may_have_products_to_arrange(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return product_arrangement<Graph>(g).run();
  }
};
struct compared_positions {
  static constexpr bool may_change(const graph_view& g) { return may_have_positions_to_compare(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return with_compared_positions<Graph>(g);
  }
};
struct combined_neighbours {
  static constexpr bool may_change(const graph_view& g) { return may_have_short_reductions(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    return short_reductions<Graph>(g, known.extents).run();
  }
};
constexpr bool may_have_other_positions(const graph_view& g) { return may_have_counted_positions(g) || may_have_wide_positions(g); }
using read_positions = rewriting<may_have_other_positions, counted_positions, narrow_positions>;
using sorts_in_loops = rewriting<may_have_short_sorts, short_sorts>;
using products_in_loops = rewriting<may_have_small_products, small_products>;
using sums_with_vectors = rewriting<may_have_products_with_vectors, products_with_vectors>;
struct compared_candidates {
  static constexpr bool may_change(const graph_view& g) { return may_have_few_candidates(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return few_candidates<Graph>(g).run();
  }
};
struct turned_operands {
  static constexpr bool may_change(const graph_view& g) { return may_have_transposed_operands(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return with_transposed_operands<Graph>(g);
  }
};
struct copied_rows {
  static constexpr bool may_change(const graph_view& g) { return may_have_rows_to_copy(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    return with_copies_in_loops<Graph>(g, known.dense);
  }
};
struct planes_side_by_side {
  static constexpr bool may_change(const graph_view& g) { return may_have_planes_to_interleave(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return interleaved_planes<Graph>(g).run();
  }
};
struct lowered_elements {
  static constexpr bool may_change(const graph_view& g) { return may_have_elements(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering&) {
    return lower_elements<Graph>(g).run();
  }
};
struct reads_of_paddings {
  static constexpr bool may_change(const graph_view& g) { return may_have_padded_reads(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    return graph_of_padded_reads<Graph>(g, known.dense).run();
  }
};
struct packed_superwords {
  static constexpr bool may_change(const graph_view& g) { return may_have_superwords(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    pack_superwords<Graph> packing(g, known.dense);
    graph packed = packing.run();
    if (!packing.pays()) packed = graph();
    return packed;
  }
};

// What no loop computes lies in memory of its own.
struct values_in_memory {
  static constexpr bool may_change(const graph_view&) { return true; }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    return prepared<Graph>(g, known.dense);
  }
};

// Passes, one after the other, are a pass.
template <class... Pass>
struct pass_list;
template <>
struct pass_list<> {
  static constexpr bool may_change(const graph_view&) { return false; }
  template <class Graph>
  static constexpr graph run(const Graph&, const arguments_of_lowering&) {
    return {};
  }
};
template <class First, class... Rest>
struct pass_list<First, Rest...> {
  static constexpr bool may_change(const graph_view& g) { return First::may_change(g) || pass_list<Rest...>::may_change(g); }
  template <class Graph>
  static constexpr graph run(const Graph& g, const arguments_of_lowering& known) {
    if (!First::may_change(g)) return pass_list<Rest...>::template run<Graph>(g, known);
    graph made = First::template run<Graph>(g, known);
    if (made.size() == 0) return pass_list<Rest...>::template run<Graph>(g, known);
    graph more = pass_list<Rest...>::template run<graph_view>(made, known);
    if (more.size() == 0) return made;
    return more;
  }
};
using arranging_passes =
    pass_list<read_positions, sorts_in_loops, sliced_positions, elements_at_stacked, results_in_parts, results_of_joins, computed_parts,
              narrowed_integers, flags_in_rows, shortened_positions, values_in_reverse, reductions_of_transposes, reduced_windows,
              sums_of_neighbours, arranged_products, compared_positions, combined_neighbours, sums_with_vectors, products_in_loops,
              read_bits, compared_candidates, turned_operands, copied_rows, planes_side_by_side>;
// What the interpreter gains from, too.
using passes_of_interpreter = pass_list<values_in_reverse, reductions_of_transposes, arranged_products, turned_operands, values_in_memory>;
// With and without scalars.
template <bool Scalars>
using passes_of_loops =
    std::conditional_t<Scalars, pass_list<lowered_elements, reads_of_paddings, packed_superwords>, pass_list<reads_of_paddings>>;
template <bool Scalars>
using passes_of_lowering = pass_list<arranging_passes, passes_of_loops<Scalars>, values_in_memory>;

// Whether a graph is what lowering would make of it.
constexpr bool is_lowered(const graph_view& g, stretch<char> dense_arguments) {
  return !arranging_passes::may_change(g) && !passes_of_loops<true>::may_change(g) && is_ready(g, dense_arguments);
}
// Whether lowering could find scalars in a graph that are computed with. Who knows that there are none spares compilers what looks at them.
constexpr bool may_have_scalars(const graph_view& g) { return may_have_elements(g) || may_have_superwords(g); }

template <class Graph = graph_view, bool Scalars = true>
constexpr graph lowered(const std::type_identity_t<Graph>& g, const arguments_of_lowering& known) {
  return passes_of_lowering<Scalars>::template run<Graph>(g, known);
}

// What a plan begins with when nothing else is known: all arguments are dense.
constexpr list<char> all_dense(const graph_view& g) {
  list<char> dense;
  for (std::size_t k = 0; k < g.inputs().size(); ++k) dense.push_back(1);
  return dense;
}

}  // namespace detail

/// The graph that a plan is made from when all arguments are dense. In the order of the passes:
/// - slices of slices are one, and parts at constant positions are slices;
/// - what is computed of a few stacked tensors, or of the columns of a product with a small matrix that is taken apart, is computed of each
///   of them and stacked last; what is computed of tensors joined along a long axis is computed of their parts and joined last;
/// - parts of an elementwise value are elementwise where nobody reads more of it, and so are a few windows of what little arithmetic makes
/// or
///   of what is cast from narrower memory;
/// - integers are as narrow as their values where these are computed from narrow ones and end as such or only low bits of them are read,
/// and
///   so are positions that are cast;
/// - values that are read in reverse are computed of reversed operands, and reductions of transposed values, and searches for their largest
///   elements, go through the values as they lie;
/// - pools whose windows lie side by side are reductions, what their gradients pass back (of the largest element, in windows of up to 16)
/// is
///   elementwise, and so are images that repeat every element; convolutions of one channel by few taps are sums of neighbours; transposes
///   beside products are parts of them;
/// - rows of one-hot values, reductions of a few neighbours, of stacked tensors too, and products of points with a small matrix or vector
/// are
///   elementwise where a loop goes on with them, and so is the search for the best of a few candidates that a loop computes;
/// - a transpose of an elementwise value is one of its operands where one of these has to be read across memory;
/// - what is joined with rows that a loop computes is multiplied by 1, so that this loop copies it, and so is one of a few tensors that are
///   put side by side, which transposes of planes of unknown length are, too;
/// - small tensors made of scalars are scalars until somebody needs the tensor, or vectors where those are the same expression of
/// neighbouring
///   elements;
/// - paddings are those of memory, which loops read through padded reads; every output of a node is a node; storage dtypes are cast where
/// ops
///   compute in float32; results that no op would write, such as arguments and constants, are copies, and so is what kernels read that walk
///   through dense memory where it does not lie so.
/// Bodies are lowered by themselves, when the node around them is planned.
template <class Graph = graph_view>
constexpr graph lower(const std::type_identity_t<Graph>& g) {
  return detail::lowered<Graph>(g, detail::all_dense(g));
}

}  // namespace jig
