// SPDX-License-Identifier: MIT
#pragma once
// How nodes of TensorFlow's are read that are no single op of jig's, or take what jig has as an attribute in another way.

#include <jig/io/tensorflow/imported_known.hpp>
#include <jig/ops/band_part.hpp>
#include <jig/ops/rules.hpp>

namespace jig::detail::tensorflow {

using edges = std::vector<edge>;

constexpr std::size_t require_size(const imported_node& n, const shape_message& s, tensor_spec& to) {
  if (s.unknown_rank || s.dims.size() > static_cast<std::size_t>(max_rank)) n.fail("a tensor has at most 8 axes");
  for (const auto& d : s.dims) {
    if (d.size < 0) n.fail("an extent of a constant is negative");
    to.shape.push_back(d.size);
  }
  if (!is_possible(to.dtype, to.shape)) n.fail(rule_context::too_large);
  if (to.shape.size() > n.to.elements_left()) n.fail("constants have more elements than load_limits allow");
  return static_cast<std::size_t>(to.shape.size());
}
constexpr std::uint64_t narrowed(dtype d, std::uint64_t w) {
  return with_type_of(d, [&](auto element) -> std::uint64_t {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, std::string>) return w;
    else return to_word(from_word<T>(w));
  });
}
constexpr edges read_constant(const imported_node& n) {
  const attr_value* const value = n.attr("value", attr_kind::tensor);
  if (value == nullptr) n.fail("it has no value");
  const tensor_message& t = value->tensor;
  tensor_spec s;
  if (!dtype_of_type(t.dtype, s.dtype)) n.fail("jig has no dtype like " + name_of_type(t.dtype));
  const std::size_t count = require_size(n, t.tensor_shape, s);
  std::vector<std::uint64_t> words;
  std::string text;
  if (s.dtype == dtype::string) {
    if (t.string_val.size() > count || (t.string_val.empty() && count > 0)) n.fail("it has another number of strings than elements");
    for (std::size_t k = 0; k < count; ++k) {
      const std::string& x = t.string_val[k < t.string_val.size() ? k : t.string_val.size() - 1];
      if (text.size() + x.size() > (std::size_t{1} << 30)) n.fail("its strings are too long");
      words.push_back(x.size());
      text += x;
    }
  } else if (!t.tensor_content.empty()) {
    const std::size_t bytes = size_of(s.dtype);
    if (t.tensor_content.size() != bytes * count) n.fail("it has another number of bytes than its shape says");
    words.resize(count);
    for (std::size_t k = 0; k < count; ++k) {
      std::uint64_t w = 0;
      for (std::size_t i = 0; i < bytes; ++i)
        w |= static_cast<std::uint64_t>(static_cast<unsigned char>(t.tensor_content[k * bytes + i])) << (8 * i);
      words[k] = s.dtype == dtype::boolean ? w != 0
                 : is_signed(s.dtype) && !is_floating(s.dtype) && bytes < 8 && (w >> (8 * bytes - 1)) != 0
                     ? w | ~std::uint64_t{0} << (8 * bytes)
                     : w;
    }
  } else {
    if (t.words.size() > count) n.fail("it has more elements than its shape says");
    words.resize(count, 0);
    for (std::size_t k = 0; k < count && !t.words.empty(); ++k)
      words[k] = narrowed(s.dtype, t.words[k < t.words.size() ? k : t.words.size() - 1]);
  }
  return {n.to.constant(n.node, s, words, text)};
}

/// Extents that input k lists, as attributes of jig do; values whose extents are among them become further inputs. One that follows from
/// the others may be computed in any way.
constexpr std::vector<index> listed(const imported_node& n, std::size_t k, edges& inputs, const char* what, bool one_follows = false) {
  const auto* const found = n.to.known.find(n.inputs[k]);
  const auto not_followed = [&] { n.fail_for_extents(std::string(what) + " is computed in a way that jig does not follow"); };
  if (found == nullptr) not_followed();
  if (found->size() > static_cast<std::size_t>(max_rank)) n.fail("a tensor has at most 8 axes");
  std::vector<index> out;
  for (const auto& term : *found) {
    if (term.factors.empty()) {
      if (term.number < -1) n.fail(std::string(what) + " has a negative extent");
      out.push_back(term.number);
      one_follows = one_follows && term.number != -1;
      continue;
    }
    const auto& first = term.factors[0];
    bool in_a_row = term.number == 1;
    for (std::size_t i = 0; i < term.factors.size(); ++i)
      in_a_row = in_a_row && term.factors[i].of == first.of && term.factors[i].axis == first.axis + static_cast<int>(i);
    if (!in_a_row) {
      if (!one_follows) not_followed();
      one_follows = false;
      out.push_back(-1);
      continue;
    }
    std::size_t at = 0;
    while (at < inputs.size() && !(inputs[at] == first.of)) ++at;
    if (at == inputs.size()) inputs.push_back(first.of);
    out.push_back(product_of_axes(static_cast<int>(at), first.axis, static_cast<int>(term.factors.size())));
  }
  return out;
}
constexpr edge number(const imported_node& n, dtype d, double x) {
  const std::uint64_t w = with_type_of(d, [&](auto element) -> std::uint64_t {
    using T = decltype(element);
    if constexpr (std::is_same_v<T, std::string>) return 0;
    else return to_word(static_cast<T>(x));
  });
  return n.to.constant(n.node, {d, {}}, {&w, 1});
}
/// A scalar with the extents that input k lists.
constexpr edge filled(const imported_node& n, std::size_t k, const edge& value) {
  edges inputs{value};
  auto to = listed(n, k, inputs, "the shape");
  for (const index e : to)
    if (e == dyn) n.fail("the shape has a negative extent");
  return n.call(ops::broadcast_to, inputs, attribute_list().integers("shape", std::move(to)));
}

constexpr edges read_reshape(const imported_node& n) {
  n.require_inputs(2);
  edges inputs{n.inputs[0]};
  auto to = listed(n, 1, inputs, "the shape", true);
  for (index& e : to)
    if (e == -1) e = jig::infer;
  return {n.call(ops::reshape, inputs, attribute_list().integers("shape", std::move(to)))};
}
constexpr edges read_broadcast_to(const imported_node& n) {
  n.require_inputs(2);
  edges inputs{n.inputs[0]};
  auto to = listed(n, 1, inputs, "the shape");
  return {n.call(ops::broadcast_to, inputs, attribute_list().integers("shape", std::move(to)))};
}
constexpr edges read_fill(const imported_node& n) {
  n.require_inputs(2);
  return {filled(n, 0, n.inputs[1])};
}
constexpr edges read_ensure_shape(const imported_node& n) {
  n.require_inputs(1);
  const attr_value* const a = n.attr("shape", attr_kind::shape);
  if (a == nullptr || a->shape.unknown_rank) return {n.inputs[0]};
  std::vector<index> to;
  for (const auto& d : a->shape.dims) to.push_back(d.size < 0 ? dyn : d.size);
  if (to.size() != static_cast<std::size_t>(n.spec(0).shape.rank)) n.fail("its input has another number of axes");
  return {n.call(ops::set_shape, {n.inputs[0]}, attribute_list().integers("shape", std::move(to)))};
}
constexpr edges read_size(const imported_node& n) {
  n.require_inputs(1);
  const edge all = n.call(ops::shape_of, {n.inputs[0]});
  const edge size = n.call(ops::reduce_prod, {all}, attribute_list().integers("axes", {}).boolean("keep_dims", false));
  if (!n.has("out_type") || n.type("out_type") == dtype::int32) return {size};
  return {n.call(ops::cast, {size}, attribute_list().type("DstT", n.type("out_type")))};
}
constexpr edges read_rank(const imported_node& n) {
  n.require_inputs(1);
  return {number(n, dtype::int32, n.spec(0).shape.rank)};
}
constexpr edges read_range(const imported_node& n) {
  n.require_inputs(3);
  const index from = n.scalar(0, "the start"), to = n.scalar(1, "the limit"), step = n.scalar(2, "the step");
  if (step == 0) n.fail("the step is 0");
  std::vector<std::uint64_t> words;
  for (index x = from; step > 0 ? x < to : x > to;) {
    if (static_cast<index>(words.size()) >= (std::min)(n.to.elements_left(), index{1} << 24))
      n.fail("it has more elements than load_limits allow");
    words.push_back(static_cast<std::uint64_t>(x));
    if (!add_extents(x, step, x)) break;
  }
  return {n.to.constant(n.node, {n.spec(0).dtype, shape{1, {static_cast<index>(words.size())}}}, words)};
}
// A sum to the extents of another value.
constexpr edges read_sum(const imported_node& n) {
  n.require_inputs(2);
  const auto* const like = n.to.known.find_reduced(n.inputs[1]);
  if (like != nullptr) return {n.call(ops::sum_like, {n.inputs[0], *like})};
  return {n.call(ops::reduce_sum, {n.inputs[0]},
                 attribute_list().integers("axes", n.constant(1, "the axes")).boolean("keep_dims", n.truth("keep_dims", false)))};
}
constexpr edges read_gradient_args(const imported_node& n) {
  n.require_inputs(2);
  const auto* const to = n.to.known.find(n.inputs[0]);
  if (to != nullptr)
    for (const auto& term : *to)
      if (!term.factors.empty()) {
        // Only a value of which all these are the extents will do.
        const edge of = term.factors[0].of;
        const shape s = n.to.spec(of).shape;
        bool all = to->size() == static_cast<std::size_t>(s.rank);
        for (int a = 0; all && a < s.rank; ++a) {
          const known_term& t = (*to)[static_cast<std::size_t>(a)];
          all = is_static_extent(s[a]) ? t == known_term{s[a], {}} : t == known_term{1, {{of, a}}};
        }
        if (!all) break;
        n.to.known.set_reduced(n.inputs[0], of);
        return {n.inputs[0], n.inputs[1]};
      }
  n.fail_for_extents("the extents are computed in a way that jig does not follow");
}

constexpr edges read_bias_add(const imported_node& n) {
  n.require_inputs(2);
  edge bias = n.inputs[1];
  const shape s = n.spec(0).shape;
  if (n.spec(1).shape.rank != 1 || s.rank < 2) n.fail("the bias has one axis, its operand two or more");
  if (n.text("data_format", "NHWC") == "NCHW" && s.rank > 2) {
    std::vector<index> to(static_cast<std::size_t>(s.rank) - 1, 1);
    to[0] = -1;
    to[0] = jig::infer;
    bias = n.call(ops::reshape, {bias}, attribute_list().integers("shape", std::move(to)));
  }
  return {n.call(ops::add, {n.inputs[0], bias})};
}
constexpr edge reduced(const imported_node& n, const op& kind, const edge& x) {
  return n.call(kind, {x}, attribute_list().integers("axes", {-1}).boolean("keep_dims", true));
}
constexpr edges read_softmax(const imported_node& n) {
  n.require_inputs(1);
  const edge shifted = n.call(ops::subtract, {n.inputs[0], reduced(n, ops::reduce_max, n.inputs[0])}), e = n.call(ops::exp, {shifted});
  const edge sum = reduced(n, ops::reduce_sum, e);
  if (n.node.op == "LogSoftmax") return {n.call(ops::subtract, {shifted, n.call(ops::log, {sum})})};
  return {n.call(ops::divide, {e, sum})};
}
constexpr edges read_batch_norm(const imported_node& n) {
  n.require_inputs(5);
  if (n.truth("is_training", true)) n.fail("jig reads it as it is used after training, not while");
  if (n.text("data_format", "NHWC") != "NHWC") n.fail("channels come first");
  const auto* const a = n.attr("epsilon", attr_kind::f);
  const edge spread =
      n.call(ops::rsqrt, {n.call(ops::add, {n.inputs[4], number(n, n.spec(4).dtype, a ? static_cast<double>(a->f) : 1e-4)})});
  const edge scale = n.call(ops::multiply, {n.inputs[1], spread});
  const edge scaled = n.call(ops::multiply, {n.call(ops::subtract, {n.inputs[0], n.inputs[3]}), scale});
  return {n.call(ops::add, {scaled, n.inputs[2]})};
}
constexpr edges read_leaky_relu(const imported_node& n) {
  n.require_inputs(1);
  const auto* const a = n.attr("alpha", attr_kind::f);
  return {n.call(ops::leaky_relu, {n.inputs[0], number(n, n.spec(0).dtype, a ? static_cast<double>(a->f) : 0.2)})};
}
constexpr edges read_diag_part(const imported_node& n) {
  n.require_inputs(1);
  return {n.call(ops::diag_part, {n.inputs[0]}, attribute_list().integers("axes", {-2, -1}))};
}
constexpr edges read_set_diag(const imported_node& n) {
  n.require_inputs(n.node.op == "MatrixSetDiag" ? 2 : 3);
  if (n.inputs.size() == 3)
    for (const index k : n.constant(2, "the diagonal"))
      if (k != 0) n.fail("jig sets the main diagonal only");
  return {n.call(ops::set_diag, {n.inputs[0], n.inputs[1]}, attribute_list().integers("axes", {-2, -1}))};
}
constexpr edges read_clip(const imported_node& n) {
  n.require_inputs(3);
  return {n.call(ops::minimum, {n.call(ops::maximum, {n.inputs[0], n.inputs[1]}), n.inputs[2]})};
}
// The functions of ops/no_nan.hpp, of edges.
constexpr edge where_zero(const imported_node& n, const edge& zero, const edge& x, double value) {
  return n.call(ops::select, {zero, number(n, n.to.spec(x).dtype, value), x});
}
constexpr edge is_zero(const imported_node& n, const edge& x) { return n.call(ops::equal, {x, number(n, n.to.spec(x).dtype, 0)}); }
// The quotient of two inputs, of which the one at position Zero makes it 0 where it is that.
template <std::size_t Zero>
constexpr edges read_quotient_or_zero(const imported_node& n) {
  n.require_inputs(2);
  const edge zero = is_zero(n, n.inputs[Zero]);
  return {where_zero(n, zero, n.call(ops::divide, {n.inputs[0], where_zero(n, zero, n.inputs[1], 1)}), 0)};
}
constexpr edges read_mul_no_nan(const imported_node& n) {
  n.require_inputs(2);
  const edge infinite = n.call(ops::logical_not, {n.call(ops::is_finite, {n.inputs[0]})});
  const edge dropped = n.call(ops::logical_and, {is_zero(n, n.inputs[1]), infinite});
  return {n.call(ops::multiply, {where_zero(n, dropped, n.inputs[0], 0), n.inputs[1]})};
}
constexpr edges read_xlogy(const imported_node& n) {
  n.require_inputs(2);
  const edge zero = is_zero(n, n.inputs[0]);
  return {where_zero(n, zero, n.call(ops::multiply, {n.inputs[0], n.call(ops::log, {where_zero(n, zero, n.inputs[1], 1)})}), 0)};
}
constexpr edges read_band_part(const imported_node& n) {
  n.require_inputs(3);
  const auto limit = [&](std::size_t k) {
    return n.spec(k).dtype == dtype::int32 ? n.inputs[k] : n.call(ops::cast, {n.inputs[k]}, attribute_list().type("DstT", dtype::int32));
  };
  const edge kept = n.call(kept_band, {n.inputs[0], limit(1), limit(2)});
  return {n.call(ops::select, {kept, n.inputs[0], number(n, n.spec(0).dtype, 0)})};
}

}  // namespace jig::detail::tensorflow
