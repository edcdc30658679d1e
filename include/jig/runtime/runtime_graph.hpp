// SPDX-License-Identifier: MIT
#pragma once
// A graph that was made at run time, ready to be called: it has gone through the passes, and keeps its plans for the shapes
// that it was called with.

#include <jig/graph/failing_line.hpp>
#include <jig/passes/optimize.hpp>
#include <jig/runtime/held_constants.hpp>
#include <jig/runtime/shared_list.hpp>

#include <optional>

namespace jig::detail {

/// A graph with its plans. Calls may run at the same time.
// The routine is an argument so that compilers make it where a graph runs only.
template <class Tensor = any_tensor, class Routine = planned_routine<>>
class runtime_graph {
 public:
  /// How many plans are kept. Calls with more combinations of extents plan each time.
  static constexpr int most_plans = 64;

  explicit runtime_graph(graph traced) : runtime_graph(std::move(traced), {}) {}
  /// Its last arguments have these values.
  runtime_graph(graph traced, std::vector<Tensor> held)
      : graph_(std::move(traced)),
        held_(std::move(held)),
        known_(static_cast<int>(graph_.view().inputs().size() - held_.size()), held_),
        plannable_(can_be_planned(graph_.view())),
        remembers_(has_tape(graph_.view())) {}

  graph_view view() const { return graph_.view(); }

  /// Runs it on arguments that fit its inputs.
  std::vector<Tensor> operator()(stretch<Tensor> arguments) const {
    std::vector<Tensor> out;
    run_at_lines([&] { return op_lines(graph_.view()); }, [&] { out = results_of(arguments); });
    return out;
  }

 private:
  std::vector<Tensor> results_of(stretch<Tensor> arguments) const {
    std::optional<call_tape> tape;
    if (remembers_) tape.emplace();
    call_tape* const kept = tape ? &*tape : nullptr;
    if (!__atomic_load_n(&plannable_, __ATOMIC_RELAXED)) return run_each(arguments, kept);
    const bool concurrent = !remembers_ && shares_tasks();
    if (const planned* p = find(arguments, concurrent)) return run(*p->routine, arguments, kept);
    auto made = std::make_unique<planned>(graph_.view(), shapes_of(arguments), known_, concurrent);
    if (made->routine->late()) {
      // Whatever the shapes are.
      __atomic_store_n(&plannable_, false, __ATOMIC_RELAXED);
      return run_each(arguments, kept);
    }
    const planned* const kept_plan = plans_.add(made, [&](const planned& other) { return other.fits(arguments, concurrent); });
    return run(*(kept_plan ? kept_plan : made.get())->routine, arguments, kept);
  }
  struct planned {
    std::vector<shape> shapes;
    bool concurrent;
    std::optional<Routine> routine;
    planned(const graph_view& g, std::vector<shape> of, const known_arguments<>& known, bool for_threads)
        : shapes(std::move(of)), concurrent(for_threads) {
      const auto plan = [&](bool beside) { routine.emplace(g, stretch<shape>(shapes.data(), shapes.size()), false, &known, beside); };
      plan(concurrent);
      // What runs in order anyway is planned for that, with more loops in one and less memory.
      if (concurrent && !routine->late() && !routine->has_tasks()) plan(false);
    }
    bool fits(stretch<Tensor> x, bool for_threads) const {
      if (concurrent != for_threads) return false;
      for (std::size_t k = 0; k < x.size(); ++k)
        if (!(x[k].shape() == shapes[k])) return false;
      return true;
    }
  };
  std::vector<shape> shapes_of(stretch<Tensor> x) const {
    std::vector<shape> out;
    for (const auto& t : x) out.push_back(t.shape());
    for (const auto& t : held_) out.push_back(t.shape());
    return out;
  }
  std::vector<Tensor> run_each(stretch<Tensor> x, call_tape* tape) const {
    std::vector<Tensor> all(x.begin(), x.end());
    all.insert(all.end(), held_.begin(), held_.end());
    return run_nodes(graph_.view(), stretch<Tensor>(all), tape);
  }
  const planned* find(stretch<Tensor> x, bool concurrent) const {
    for (int i = 0; i < plans_.size(); ++i)
      if (plans_[i].fits(x, concurrent)) return &plans_[i];
    return nullptr;
  }
  std::vector<Tensor> run(const Routine& routine, stretch<Tensor> x, call_tape* tape) const {
    const std::size_t results = graph_.output_edges.size();
    pointers<const void> from(x.size() + held_.size());
    pointers<void> to(results);
    std::vector<Tensor> dense;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!x[k].is_dense()) dense.emplace_back(x[k].view());
      from.at[k] = x[k].is_dense() ? x[k].data() : dense.back().data();
    }
    for (std::size_t k = 0; k < held_.size(); ++k) from.at[x.size() + k] = held_[k].data();
    std::vector<Tensor> out;
    out.reserve(results);
    for (std::size_t k = 0; k < results; ++k) {
      out.push_back(Tensor::empty(graph_.view().spec(graph_.output_edges[k]).dtype, routine.result_shape(k)));
      to.at[k] = out.back().mutable_data();
    }
    routine.run(from.at, to.at, tape);
    return out;
  }
  // As many as most calls need without asking for memory.
  template <class T>
  struct pointers {
    T* few[12];
    std::vector<T*> many;
    T** at = few;
    explicit pointers(std::size_t n) {
      if (n <= std::size(few)) return;
      many.resize(n);
      at = many.data();
    }
    pointers(const pointers&) = delete;
    pointers& operator=(const pointers&) = delete;
  };

  graph graph_;
  std::vector<Tensor> held_;
  known_arguments<> known_;
  mutable bool plannable_;
  bool remembers_;
  mutable shared_list<planned, most_plans> plans_;
};

/// A traced graph after the passes, whose large constants are held beside it. Compiled once in programs with prebuilt kernels, as is the
/// next one.
template <class Graph>
runtime_graph<> runtime_graph_of(const Graph& traced) {
  if (!held_constants<>::has_any(traced.view())) return runtime_graph<>(optimize(traced.view()));
  held_constants<> constants(traced.view());
  constants.go_on_with(optimize(constants.rest().view()).view());
  return runtime_graph<>(constants.rest(), constants.values());
}
template <class Tensor>
std::vector<Tensor> run_graph(const runtime_graph<Tensor>& g, stretch<Tensor> arguments) {
  return g(arguments);
}

}  // namespace jig::detail
