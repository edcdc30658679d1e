// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for reductions, running sums and products, sorting, and products of matrices.

#include <jig/io/onnx/exported_node.hpp>

namespace jig::onnx {

inline std::string reduced(exported_node& x, std::string_view kind, const std::string& of) {
  return along(x, kind, of, x.ints("axes"), x.integer("keep_dims") != 0);
}
template <text Kind>
void spell_reduction(exported_node& x) {
  x.give(reduced(x, Kind.view(), x.in[0]));
}
inline void spell_mean(exported_node& x) {
  // The total of narrow integers wraps in jig, the number of elements does not; the mean of none is 0.
  if (is_integer(x.n.dtype()) && size_of(x.n.dtype()) < 4) {
    const auto one = x.to.number(dtype::int64, 1);
    const auto count = x.make("Max", {reduced(x, "ReduceSum", x.make("Expand", {one, x.make("Shape", x.in)})), one});
    const auto total = x.to.cast(reduced(x, "ReduceSum", x.in[0]), dtype::int64);
    return x.give(x.to.cast(x.make("Div", {total, count}), x.n.dtype()));
  }
  x.give(reduced(x, "ReduceMean", x.in[0]));
}
// Whether any or all are true, of the numbers 0 and 1. The largest of no numbers is the lowest one, the smallest the highest.
template <text Kind>
void spell_truth(exported_node& x) {
  x.give(x.make("Greater", {reduced(x, Kind.view(), x.to.cast(x.in[0], dtype::int32)), x.to.number(dtype::int32, 0)}));
}

// Of a few elements: products of rows that are all of them, with 1 in the place of the element.
inline void spell_product_of_others(exported_node& x) {
  const shape s = x.known(x.extents(0));
  const auto own = identity_matrices(x, dtype::boolean, {2, {s.size(), s.size()}});
  const auto flat = x.make("Reshape", {x.in[0], x.to.integers({-1})});
  const auto rows = x.make("Where", {own, x.number(1), flat});
  x.give(x.make("Reshape", {along(x, "ReduceProd", rows, {1}, false), x.to.integers({s.extents, s.extents + s.rank})}));
}

// The running product of slices across the axis, which begins with ones.
inline void spell_cumprod(exported_node& x) {
  const dtype d = x.n.dtype(), in = holds(types_of("Mul")->first, d) ? d : wider(d, types_of("Mul")->first).value_or(d);
  const std::string given = in == d ? x.in[0] : x.to.cast(x.in[0], in);
  const index axis = x.integer("axis");
  if (d == dtype::bfloat16) x.to.need_opset(16);
  tensor_spec part{in, {}};
  const shape whole = x.extents(0);
  for (int a = 0; a < whole.rank; ++a)
    if (a != (axis < 0 ? axis + whole.rank : axis)) part.shape.push_back(whole[a]);
  const auto extents = x.make("Shape", {along(x, "ReduceSum", given, {axis}, false)});
  const auto ones = x.make("Expand", {x.to.number(in, 1), extents});
  const std::string before = x.to.fresh(), now = x.to.fresh();
  x.to.note(before, in);
  x.to.note(now, in);
  const auto step = x.to.body({{before, part}, {now, part}}, {part, part}, [&] {
    const auto product = x.make("Mul", {before, now});
    return exporter::names{product, product};
  });
  const std::string last = x.to.fresh(), all = x.to.fresh();
  x.to.node("Scan", {ones, given}, {last, all},
            {written_attribute::of_graph("body", step), attribute("num_scan_inputs", 1), attribute("scan_input_axes", std::vector{axis}),
             attribute("scan_output_axes", std::vector{axis})});
  x.to.note(all, in);
  x.give(in == d ? all : x.to.cast(all, d));
}

template <bool Values, bool Positions>
void spell_sorted(exported_node& x) {
  const bool some = Values && Positions;
  const shape s = x.known(x.extents(0));
  const index axis = some ? -1 : x.integer("axis"), k = some ? x.integer("k") : s[static_cast<int>(axis < 0 ? axis + s.rank : axis)];
  const std::string values = x.to.fresh(), places = x.to.fresh();
  x.to.node("TopK", {x.in[0], x.to.integers({k})}, {values, places},
            {attribute("axis", axis), attribute("largest", some || x.integer("descending") != 0)});
  if (Values) x.give(values);
  if (Positions) x.give(x.to.cast(places, dtype::int32));
}
inline void spell_unique(exported_node& x) {
  const std::string values = x.to.fresh(), inverse = x.to.fresh();
  x.to.node("Unique", x.in, {values, "", inverse}, {attribute("sorted", 0)});
  x.give(values);
  x.give(x.to.cast(inverse, dtype::int32));
}

inline std::string swapped_last(exported_node& x, const std::string& of, int rank) {
  std::vector<index> order;
  for (int a = 0; a < rank; ++a) order.push_back(a < rank - 2 ? a : 2 * rank - 3 - a);
  return transposed(x, of, order);
}
inline void spell_matmul(exported_node& x) {
  auto in = x.in;
  if (x.integer("transpose_a") != 0) in[0] = swapped_last(x, in[0], x.extents(0).rank);
  if (x.integer("transpose_b") != 0) in[1] = swapped_last(x, in[1], x.extents(1).rank);
  auto product = x.make("MatMul", in);
  if (x.is(ops::arranged_batch_matmul)) product = transposed(x, product, x.ints("perm"));
  x.give(product);
}

// clang-format off
inline constexpr spelled_op spelled_reductions[] = {
    {&ops::reduce_sum, spell_reduction<"ReduceSum">}, {&ops::reduce_mean, spell_mean}, {&ops::reduce_prod, spell_reduction<"ReduceProd">},
    {&ops::reduce_max, spell_reduction<"ReduceMax">}, {&ops::reduce_min, spell_reduction<"ReduceMin">},
    {&ops::reduce_any, spell_truth<"ReduceMax">}, {&ops::reduce_all, spell_truth<"ReduceMin">}, {&ops::cumprod, spell_cumprod}, {&ops::product_of_others, spell_product_of_others},
    {&ops::sort, spell_sorted<true, false>}, {&ops::argsort, spell_sorted<false, true>}, {&ops::top_k, spell_sorted<true, true>},
    {&ops::unique, spell_unique}, {&ops::matmul, spell_matmul}, {&ops::batch_matmul, spell_matmul},
    {&ops::arranged_batch_matmul, spell_matmul},
};
// clang-format on

}  // namespace jig::onnx
