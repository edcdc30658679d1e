// SPDX-License-Identifier: MIT
#pragma once
// Reductions of values whose dtype, rank and axes are known at run time only. They run as a compiled step does that reads one
// operand: the functions of that step are all that is made for each op and dtype.

#include <jig/eval/accumulate_rows.hpp>
#include <jig/eval/reduce.hpp>
#include <jig/eval/rows_at_call.hpp>
#include <jig/eval/shared_reduction.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/select.hpp>
#include <jig/runtime/float_copy.hpp>
#include <jig/runtime/kernel.hpp>

namespace jig::detail {

// Node 0 is an operand in memory, node 1 that operand as it is computed, node 2 its reduction.
template <const op& Op, class T>
struct reduction_program {
  static constexpr bool converts = is_storage_float<T>;
  static constexpr const op& kind(int node) { return node == 2 ? Op : node == 1 ? ops::cast : ops::placeholder; }
  static constexpr dtype dtype_at(int node) { return node == 0 ? dtype_of<T> : in_registers(dtype_of<T>); }
  static constexpr planned_value value(int) { return {}; }
};

/// What `step` says of a step, for one that reduces an operand of type T.
template <const op& Op, class T>
struct reduction_step {
  using program = reduction_program<Op, T>;
  static constexpr int leaves = 1, roots = 1, reduced = 1;
  static constexpr int entries = program::converts ? 2 : 1, capacity = entries;
  static constexpr index known_size = -1;
  static constexpr int node(int entry) { return entry; }
  static constexpr int root(int) { return 2; }
  static constexpr int stored_entry(int) { return entries - 1; }
  static constexpr int elements_at_place(int) { return 1; }
  static constexpr dtype lead = is_number(dtype_of<T>) ? in_registers(dtype_of<T>) : dtype::uint8;
  static constexpr bool vectorizable = true, has_padded_reads = false, minds_zeros = false,
                        has_parts = is_number(dtype_of<T>) && !program::converts;
  static constexpr const op& kind(int entry) { return program::kind(entry); }
  static constexpr padded_read padded_read_at(int) { return {}; }
  using lead_type = type_of<lead>;

  struct tables {
    bool invariant[2] = {};
    dtype type[2] = {program::dtype_at(0), program::dtype_at(1)};
    int number[2] = {};
    int operand_count[2] = {0, 1};
    int operand[2][1] = {};
    int count[dtype_count] = {};
    int order[2][2] = {{0, 1}, {}};
    int ordered[2] = {entries, 0};
    int varying = entries - 1;
  };
  static constexpr tables table = [] {
    tables t;
    for (int e = 0; e < entries; ++e) t.count[static_cast<int>(t.type[e])] = 1;
    return t;
  }();
};

/// The functions of a reduction of one dtype.
struct reduction_of_dtype {
  reduce_function reduce;
  accumulate_function accumulate;
  /// So many short rows may be accumulated at once.
  index most_rows;
  /// Rows of a table, as many at a time as a register has lanes; or null.
  rows_function totals;
  /// All of n elements that follow one another, shared among threads.
  void (*share)(const void* const* leaf, void* const* root, index n);
};

template <class Step>
index total_rows(const void* const* leaf, const index* stride, void* const* root, index n, index rows) {
  const auto row = [&](index k) __attribute__((always_inline)) {
    nest_pointers<Step> at;
    at.leaf[0] = static_cast<const char*>(leaf[0]) + k * stride[0];
    at.root[0] = static_cast<typename reduced_root<Step, 0>::T*>(root[0]) + k;
    return at;
  };
  return row_totals<Step>::template run<0>(row, rows, n);
}
// Of the types that numeric programs have most: what compilers do for each takes users time.
template <class Step, class T>
constexpr rows_function totals_of_rows() {
  if constexpr (row_totals<Step>::possible && (sizeof(T) >= 4 || std::is_same_v<T, std::uint8_t>)) return &total_rows<Step>;
  else return nullptr;
}

template <const op& Op, class T>
inline constexpr reduction_of_dtype reduction_functions_of{
    .reduce = &reduce_part<reduction_step<Op, T>>,
    .accumulate = &accumulate_rows<reduction_step<Op, T>>,
    .most_rows = longest_sum<reduction_step<Op, T>>,
    .totals = totals_of_rows<reduction_step<Op, T>, T>(),
    .share = [](const void* const* leaf, void* const* root, index n) { shared_reduction<reduction_step<Op, T>>::spread(leaf, root, n); }};

/// Reduces the input of a call, which is not empty, into its output, which has `bytes` for each element while it is computed.
template <class Call>
void reduce_input(const Call& call, const reduction_of_dtype& f, void* to, index bytes) {
  const any_view& in = call.inputs[0];
  const index n = in.extents.size(), results = call.outputs[0].extents.size();
  alignas(alignment) char lost_memory[most_lost * 8];
  const void* leaf[] = {in.data};
  void *root[] = {to}, *lost[] = {lost_memory};
  if (results == 1 && in.strides == row_major_strides(in.extents)) {
    if (is_shared(n)) [[unlikely]]
      return f.share(leaf, root, n);
    return f.reduce(leaf, root, lost, n, {true, true, n});
  }
  rule_context c;
  c.attributes = call.attributes;
  const unsigned axes = reduced_axes(c, in.extents.rank);

  constexpr index block = 512;
  alignas(alignment) char scratch[block * 8];
  strided_operand operands[2];
  index row_stride[1];
  strided_space s;
  s.rank = in.extents.rank;
  s.leaves = s.roots = 1;
  s.operands = operands;
  s.leaf = leaf;
  s.row_stride = row_stride;
  s.root = root;
  s.scratch = scratch;
  s.block_length = block;
  operands[0].data = static_cast<char*>(const_cast<void*>(in.data));
  operands[0].bytes = static_cast<index>(size_of(in.dtype));
  operands[0].copies = copies_of(operands[0].bytes);
  operands[1].data = static_cast<char*>(to);
  operands[1].bytes = bytes;
  index kept = bytes;
  int last = -1;
  for (int a = s.rank; a-- > 0;) {
    const index extent = s.extents[a] = in.extents[a];
    s.reduced[a] = (axes >> a & 1) != 0;
    operands[0].strides[a] = extent == 1 ? 0 : in.strides[a] * operands[0].bytes;
    if (extent != 1 && last < 0) last = a;
    if (s.reduced[a]) continue;
    operands[1].strides[a] = kept;
    kept *= extent;
  }
  const bool along = last < 0 || s.reduced[last];
  reduce_over(s, {last, along ? f.reduce : nullptr, along ? nullptr : f.accumulate, rows_together, f.most_rows, f.totals}, lost);
}

/// n results of nothing.
template <class Step>
void reduce_nothing_into(void* root, index n) {
  using of = reduced_root<Step, 0>;
  using T = typename of::T;
  for (index i = 0; i < n; ++i) static_cast<T*>(root)[i] = of::finished(of::template neutral<T>(), {}, 0);
}

/// A reduction with the same results, of operands of type T, for which there are functions anyway: where integers wrap, those with a sign
/// have the bits of those without, unless something is left to do at the end; truth is a byte, 0 or 1.
template <const op& Op, class T>
struct same_reduction {
  static constexpr const op& reduction = Op;
  using type = T;
};
template <const op& Op, class T>
  requires(Op.is(fact::wraps) && std::is_integral_v<T> && std::is_signed_v<T> && !requires { functor<Op>::finish(T(), index()); })
struct same_reduction<Op, T> {
  static constexpr const op& reduction = Op;
  using type = canonical<std::make_unsigned_t<T>>;
};
template <>
struct same_reduction<ops::reduce_any, bool> {
  static constexpr const op& reduction = ops::reduce_max;
  using type = std::uint8_t;
};
template <>
struct same_reduction<ops::reduce_all, bool> {
  static constexpr const op& reduction = ops::reduce_min;
  using type = std::uint8_t;
};

template <const op& Op>
void run_reduction_kernel(kernel_call& call) {
  with_type_of(call.inputs[0].dtype, [&]<class T>(const T&) {
    constexpr tensor_spec spec{dtype_of<T>, {}};
    if constexpr (!infer(Op, {&spec, 1}, {}).failed) {
      using same = same_reduction<Op, T>;
      const float_result<> out(call.outputs[0]);
      void* const to = const_cast<void*>(out.view.data);
      if (call.inputs[0].extents.size() == 0) reduce_nothing_into<reduction_step<Op, T>>(to, out.view.extents.size());
      else
        reduce_input(call, reduction_functions_of<same::reduction, typename same::type>, to, static_cast<index>(size_of(out.view.dtype)));
      out.store();
    }
  });
}

}  // namespace jig::detail
