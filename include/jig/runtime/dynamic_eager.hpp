// SPDX-License-Identifier: MIT
#pragma once
// Eager runs on run-time tensors: the lambda of a dynamic trace runs as it stands, and what it records is computed at once. So its
// values are the same dynamic symbols, and a lambda is compiled for both together.

#include <jig/passes/optimize.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/dynamic_trace.hpp>
#include <jig/runtime/node_by_node.hpp>

#include <vector>

namespace jig {

namespace detail {

/// Computes the nodes of a builder as they are recorded. Memory: the values that living objects stand for; of what is dead no more
/// than of these; and some hundred bytes for each op that has run.
template <class Tensor = any_tensor>
class eager_values final : public computed_values {
 public:
  eager_values(builder& b, stretch<Tensor> arguments) : b_(b), arguments_(arguments) { b.computed = this; }
  eager_values(const eager_values&) = delete;
  eager_values& operator=(const eager_values&) = delete;
  ~eager_values() { b_.computed = nullptr; }

  void compute() override { compute_beside({}); }
  /// Forgets nothing any more: the values that are left are results.
  void keep_all() { most_kept_ = static_cast<std::size_t>(-1); }
  bool holds(edge condition) override {
    compute_beside(condition);
    return *static_cast<const bool*>((*this)[condition].data());
  }
  any_view value(edge of) override {
    compute_beside(of);
    return (*this)[of].view();
  }
  const Tensor& operator[](const edge& e) const {
    const auto& of_node = values_[static_cast<std::size_t>(e.node)];
    if (static_cast<std::size_t>(e.port) >= of_node.size()) throw_invalid_argument("a value is used whose computation has failed");
    return of_node[static_cast<std::size_t>(e.port)];
  }

 private:
  std::vector<Tensor> results_of(int id) {
    const graph_view g = b_.graph.view();
    const op& kind = *g.data(id).kind;
    if (kind.is(fact::input)) return argument(id);
    if (kind.is(fact::constant)) return {constant_tensor<Tensor>(g, id)};
    if (is_op(kind, ops::custom_gradient) || is_op(kind, ops::adjoint_of)) return {(*this)[g.inputs_of(id)[0]]};
    return is_op(kind, ops::gradient) ? gradients(g, id) : results_alone(g, id);
  }
  // What the program gave; a placeholder that control flow has recorded has no value.
  std::vector<Tensor> argument(int id) const {
    for (std::size_t k = 0; k < b_.graph.input_nodes.size(); ++k)
      if (b_.graph.input_nodes[k] == id) return {arguments_[k]};
    return {};
  }
  std::vector<Tensor> results_alone(const graph_view& g, int id);
  std::vector<Tensor> gradients(const graph_view& g, int id);
  // An op may have extents that only its run tells. What is declared to vary, a variable or what a loop carries, may go on to.
  void take_specs_of_values(int id) {
    const auto& now = values_[static_cast<std::size_t>(id)];
    node_data& n = b_.graph.nodes[id];
    if (n.kind->is(fact::input) || is_op(*n.kind, ops::set_shape)) return;
    for (std::size_t port = 0; port < now.size(); ++port) {
      tensor_spec& s = port == 0 ? n.spec : b_.graph.specs[n.more_specs.first + static_cast<int>(port) - 1];
      s.shape = now[port].shape();
    }
  }
  // What is asked for stays, though no object may stand for it any more.
  void compute_beside(const edge& asked) {
    if (kept_ > most_kept_) drop_dead_values(asked);
    while (static_cast<int>(values_.size()) < b_.graph.size()) {
      values_.emplace_back();
      ++kept_;
      const int id = static_cast<int>(values_.size()) - 1;
      values_.back() = results_of(id);
      take_specs_of_values(id);
    }
  }
  // What no object stands for and no node needs that is still to be computed.
  void drop_dead_values(const edge& asked) {
    std::vector<char> living(static_cast<std::size_t>(b_.graph.size()));
    if (asked.node >= 0) living[static_cast<std::size_t>(asked.node)] = 1;
    for (int node : b_.graph.input_nodes) living[static_cast<std::size_t>(node)] = 1;
    for (int serial : b_.living()) living[static_cast<std::size_t>(b_.value[serial].node)] = 1;
    for (int id = static_cast<int>(values_.size()); id < b_.graph.size(); ++id)
      for (const auto& e : b_.graph.view().inputs_of(id)) living[static_cast<std::size_t>(e.node)] = 1;
    kept_ = 0;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (!living[k]) values_[k].clear();
      kept_ += living[k] ? 1u : 0u;
    }
    most_kept_ = 2 * kept_ + 64;
  }

  builder& b_;
  stretch<Tensor> arguments_;
  std::vector<std::vector<Tensor>> values_;  // the outputs of each node
  std::size_t kept_ = 0, most_kept_ = 64;
  call_tape tape_;
};

// As a graph of this node alone, whose inputs are arguments.
template <class Tensor>
std::vector<Tensor> eager_values<Tensor>::results_alone(const graph_view& g, int id) {
  graph alone;
  std::vector<Tensor> inputs;
  const int copy = copy_node(alone, g, id, [&](const edge& e) {
    inputs.push_back((*this)[e]);
    const edge made = alone.add(ops::placeholder, g.spec(e), {});
    alone.input_nodes.push_back(made.node);
    return made;
  });
  for (int port = 0; port < g.node(id).outputs(); ++port) alone.output_edges.push_back({copy, port});
  return run_nodes<Tensor>(alone.view(), {inputs.data(), inputs.size()}, &tape_);
}
// What ran so far as a graph of which the gradient is taken.
template <class Tensor>
std::vector<Tensor> eager_values<Tensor>::gradients(const graph_view& g, int id) {
  graph so_far;
  list<int> renamed;
  list<char> needed;
  for (int k = 0; k <= id; ++k) needed.push_back(k == id);
  for (int k = id; k >= 0; --k)
    if (needed[k])
      for (const auto& e : g.inputs_of(k)) needed[e.node] = 1;
  std::vector<Tensor> inputs;
  for (int k = 0; k <= id; ++k) {
    renamed.push_back(needed[k] ? copy_node(so_far, g, k, renamed) : -1);
    if (!needed[k] || !g.data(k).kind->is(fact::input)) continue;
    so_far.input_nodes.push_back(renamed[k]);
    inputs.push_back((*this)[{k, 0}]);
  }
  for (int port = 0; port < g.node(id).outputs(); ++port) so_far.output_edges.push_back({renamed[id], port});
  message why;
  const auto made = differentiate(so_far.view(), &why);
  if (made.failed) throw_invalid_argument(why.view());
  return run_nodes<Tensor>(optimize(made.graph.view()).view(), {inputs.data(), inputs.size()}, &tape_);
}

/// Runs a callable on the values of arguments, whose specs or literals the keys tell, op by op. The values of the distinct variables
/// that it has assigned are behind those of its results.
template <class F, class... Key>
std::vector<any_tensor> eager_results(std::string_view declaration, F& f, stretch<any_tensor> arguments, list<int>& updated,
                                      const Key&... key) {
  using result = dynamic_result<F, Key...>;
  dynamic_recordings recordings;
  builder& b = recordings.add();
  std::vector<edge> places;
  eager_values<> values(b, arguments);
  {
    const variables_of_trace variables(b);
    auto parameters = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<decltype(detail::dynamic_argument(b, key, message()))...>{
          detail::dynamic_argument(b, key, parameter_name(declaration, I))...};
    }(std::index_sequence_for<Key...>());
    b.has_arguments = true;
    if constexpr (std::is_void_v<result>) {
      std::apply(f, parameters);
      values.keep_all();
    } else {
      const auto leaves = std::apply(f, parameters);
      values.keep_all();
      for_each_leaf(leaves, [&](const auto& leaf) { places.push_back(dynamic_place(b, leaf)); });
    }
    values.compute();
  }
  if (dynamic_recordings::outlived(b)) dynamic_recordings::throw_outlived();
  const list<int> inputs = detail::inputs_of_variables(key...);
  for (int object = 0; object < static_cast<int>(b.variables.size()); ++object) {
    const edge now = b.value[b.variables[object]];
    if (now == edge{b.graph.input_nodes[inputs[object]], 0}) continue;
    updated.push_back(object);
    places.push_back(now);
  }
  std::vector<any_tensor> out;
  for (const auto& e : places) out.push_back(values[e]);
  return out;
}

}  // namespace detail

template <class Tensor>
Tensor dynamic_symbol::value() const {
  if (builder_->computed == nullptr) detail::throw_invalid_argument("value: a traced value has elements in an eager run only");
  return Tensor(builder_->computed->value(place()));
}
template <class Char, class Traits>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& out, const dynamic_symbol& x) {
  if (x.builder()->computed != nullptr) return out << x.value();
  message m;
  m << x.spec();
  return out << "traced value " << m.view();
}

}  // namespace jig
