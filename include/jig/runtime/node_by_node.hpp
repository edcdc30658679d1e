// SPDX-License-Identifier: MIT
#pragma once
// Graphs node by node: where only a run tells extents, and where ops on run-time tensors compute at once.

#include <jig/runtime/interpreter.hpp>

namespace jig::detail {

// Extents that only the run of an op tells are at most these; all others are known.
struct bounding_algebra : extent_algebra {
  constexpr index combine(relation r, index a, index b) override {
    index sum = dyn;
    return r == relation::at_most ? a : r == relation::sum && add_extents(a, b, sum) ? sum : dyn;
  }
};

/// One op on values that are there.
template <class Tensor = any_tensor>
class op_run {
 public:
  op_run(const op& kind, stretch<attribute_view> with, std::vector<any_view> inputs, call_tape* tape = nullptr)
      : kind_(kind), with_(with), inputs_(std::move(inputs)), tape_(tape) {}

  /// Its results.
  /// Errors: values that the op refuses throw invalid_argument with its name and all specs.
  std::vector<Tensor> operator()(int outputs) {
    std::vector<tensor_spec> specs;
    for (const auto& v : inputs_) specs.push_back({v.dtype, v.extents});
    std::vector<Tensor> results;
    bounding_algebra algebra;
    for (int port = 0; port < outputs; ++port) {
      rule_context c;
      c.inputs = {specs.data(), specs.size()};
      c.attributes = with_;
      c.algebra = &algebra;
      c.port = port;
      apply_rule(kind_, c);
      if (c.failed) throw_invalid_argument(refusal(kind_, c.failure, c.inputs).view());
      if (kind_.is(fact::view)) return {Tensor(seen(c.result))};
      results.push_back(Tensor::empty(c.result.dtype, c.result.shape));
    }
    if (kind_.is(fact::elementwise)) run_elementwise(results[0]);
    else run_kernel(results);
    return results;
  }

 private:
  any_view seen(const tensor_spec& result) {
    any_view from = inputs_[0];
    Tensor dense;
    if (kind_.is(fact::keeps_order) && from.strides != row_major_strides(from.extents)) {
      dense = Tensor(from);
      from = dense.view();
    }
    any_view to{from.dtype, from.data, result.shape, row_major_strides(result.shape)};
    if (kind_.is(fact::keeps_order)) {
      kept_ = dense;
      return to;
    }
    index offset = 0;
    kind_.restride({with_, from.extents, from.strides, result.shape}, offset, to.strides);
    if (from.data != nullptr) to.data = static_cast<const char*>(from.data) + offset * static_cast<index>(element_bytes(from.dtype));
    return to;
  }
  // An operand as the elements that it has along the whole result.
  any_view spread(const any_view& v, const shape& to) {
    any_view out{v.dtype, v.data, to, to};
    const int missing = to.rank - v.extents.rank;
    for (int a = 0; a < to.rank; ++a) out.strides[a] = a < missing || v.extents[a - missing] == 1 ? 0 : v.strides[a - missing];
    return out;
  }
  void run_elementwise(Tensor& result) {
    std::vector<dtype> types;
    for (const auto& v : inputs_) types.push_back(v.dtype);
    const index n = result.size();
    if (n == 0) return;
    bool texts = result.dtype() == dtype::string;
    for (dtype d : types) texts = texts || d == dtype::string;
    std::vector<Tensor> dense;
    std::vector<const void*> leaf;
    block_program<> program;
    std::vector<int> entries;
    for (const auto& v : inputs_) {
      const bool single = v.extents.size() == 1 && n > 1 && !texts;
      const bool along = v.extents == result.shape() && v.strides == row_major_strides(v.extents);
      if (!single && !along) dense.emplace_back(spread(v, result.shape()));
      leaf.push_back(single || along ? v.data : dense.back().data());
      if (!texts) entries.push_back(program.add_leaf(v.dtype, !single));
    }
    void* root[] = {result.mutable_data()};
    if (texts) return block_function_for(kind_, {types.data(), types.size()}, result.dtype())(leaf.data(), root[0], n);
    program.add_root(add_elementwise(program, kind_, std::move(entries), std::move(types), result.dtype()), {});
    program.finish();
    program(leaf.data(), root, n);
  }
  void run_kernel(std::vector<Tensor>& results) {
    std::vector<any_view> outputs;
    for (auto& r : results) {
      outputs.push_back(r.view());
      outputs.back().data = r.mutable_data();
    }
    kernel_call call;
    call.attributes = with_;
    call.inputs = {inputs_.data(), inputs_.size()};
    call.outputs = {outputs.data(), outputs.size()};
    call.tape = tape_;
    runtime_kernel_for(kind_).run(call);
    if (call.found < 0) return;
    any_view found = results[0].view();
    found.extents[0] = call.found;
    results[0] = Tensor(found);
  }

  const op& kind_;
  stretch<attribute_view> with_;
  std::vector<any_view> inputs_;
  call_tape* tape_;
  Tensor kept_;
};

template <class Tensor>
std::vector<Tensor> run_nodes(const graph_view& from, stretch<Tensor> arguments, call_tape* tape);

template <class Tensor>
std::vector<Tensor> run_nodes_of_control(const graph_view& g, int v, std::vector<Tensor> inputs, call_tape* tape) {
  const auto n = g.node(v);
  auto truth = [](const Tensor& x) { return *static_cast<const bool*>(x.data()); };
  if (n.attribute("cond").key.empty()) {
    const bool yes = truth(inputs[0]);
    inputs.erase(inputs.begin());
    return run_nodes<Tensor>(g.body(n, yes ? "then_branch" : "else_branch"), {inputs.data(), inputs.size()}, tape);
  }
  const auto carried = static_cast<std::size_t>(results_of_bodies(g, v));
  const bool varies = !n.attribute("shape_invariants").key.empty();
  while (truth(run_nodes<Tensor>(g.body(n, "cond"), {inputs.data(), inputs.size()}, tape)[0])) {
    auto next = run_nodes<Tensor>(g.body(n, "body"), {inputs.data(), inputs.size()}, tape);
    for (std::size_t k = 0; k < carried; ++k) {
      if (!varies && !(next[k].shape() == inputs[k].shape())) throw_carried_extents(inputs[k].shape(), next[k].shape());
      inputs[k] = std::move(next[k]);
    }
  }
  inputs.resize(carried);
  return inputs;
}

/// Runs a graph one node after another.
template <class Tensor>
std::vector<Tensor> run_nodes(const graph_view& from, stretch<Tensor> arguments, call_tape* tape) {
  list<char> dense;
  for (std::size_t k = 0; k < from.inputs().size(); ++k) dense.push_back(1);
  const graph ready = prepared(from, dense);
  const graph_view g = ready.view();
  std::vector<Tensor> values(static_cast<std::size_t>(g.size()));
  std::vector<int> last(values.size(), -1);
  for (int v = 0; v < g.size(); ++v)
    for (const auto& e : g.inputs_of(v)) last[static_cast<std::size_t>(e.node)] = v;
  for (const auto& e : g.outputs()) last[static_cast<std::size_t>(e.node)] = g.size();
  for (std::size_t k = 0; k < g.inputs().size(); ++k) values[static_cast<std::size_t>(g.inputs()[k])] = arguments[k];
  for (int v = 0; v < g.size(); ++v) {
    const op& kind = *g.data(v).kind;
    if (kind.is(fact::input | fact::output)) continue;
    if (kind.is(fact::constant)) {
      values[static_cast<std::size_t>(v)] = constant_tensor<Tensor>(g, v);
      continue;
    }
    std::vector<Tensor> results;
    if (kind.is(fact::control)) {
      std::vector<Tensor> inputs;
      for (const auto& e : g.inputs_of(v)) inputs.push_back(values[static_cast<std::size_t>(e.node)]);
      results = run_nodes_of_control(g, v, std::move(inputs), tape);
    } else {
      std::vector<any_view> inputs;
      for (const auto& e : g.inputs_of(v)) inputs.push_back(values[static_cast<std::size_t>(e.node)].view());
      std::vector<attribute_view> with;
      for (int i = 0; i < g.node(v).attribute_count(); ++i) with.push_back(g.node(v).attribute(i));
      results = op_run<Tensor>(kind, {with.data(), with.size()}, std::move(inputs), tape)(outputs_in_prepared(g, v));
    }
    for (std::size_t i = 0; i < results.size(); ++i) values[static_cast<std::size_t>(v) + i] = std::move(results[i]);
    for (const auto& e : g.inputs_of(v))
      if (last[static_cast<std::size_t>(e.node)] == v) values[static_cast<std::size_t>(e.node)] = Tensor();
  }
  std::vector<Tensor> out;
  for (const auto& e : g.outputs()) out.push_back(values[static_cast<std::size_t>(e.node)]);
  return out;
}

}  // namespace jig::detail
