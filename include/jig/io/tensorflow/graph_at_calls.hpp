// SPDX-License-Identifier: MIT
#pragma once
// GraphDefs that are steered by extents of their arguments of which only a call tells.

#include <jig/io/model_graphs.hpp>
#include <jig/io/tensorflow/imported_control.hpp>

#include <memory>
#include <mutex>
#include <optional>

namespace jig::detail::tensorflow {

/// What a caller knows of a graph beside its nodes: which are results, if not those that nobody reads, and how they and it are called.
struct graph_names {
  std::vector<std::string> nodes{}, outputs{};
  std::string name{};
};

/// The function of a graph, for arguments as they are declared.
inline named_graph imported_graph(const graph_message& g, const graph_names& names, const std::string& file, const load_limits& limits) {
  named_graph out = importer(import_special, g, file, limits, names.nodes).take();
  if (!names.outputs.empty()) out.outputs = names.outputs;
  if (!names.name.empty()) out.name = names.name;
  return out;
}

#ifdef __cpp_exceptions

/// The same graph for the arguments of each call.
class graph_at_calls : public call_graphs {
 public:
  graph_at_calls(graph_message g, graph_names names, std::string file, const load_limits& limits)
      : graph_(std::move(g)), names_(std::move(names)), file_(std::move(file)), limits_(limits) {
    for (auto& n : graph_.node) {
      if (n.op != "Placeholder") continue;
      for (auto& a : n.attr)
        if (a.key == "shape" && a.value.kind == attr_kind::shape) {
          shapes_.push_back(&a.value.shape);
          given_.push_back(a.value.shape);
        }
    }
  }

  /// Whether there are such extents, and numbers in their place that the graph is made for. What differs between two of them is declared to
  /// be open.
  bool declare() {
    bool is_open = false;
    for (const auto& s : given_)
      for (const auto& d : s.dims) is_open = is_open || d.size < 0;
    std::vector<named_graph> made;
    for (const index supposed : {4, 8, 64, 256})
      if (is_open && made.size() < 2)
        if (auto g = made_supposing(supposed)) made.push_back(std::move(*g));
    if (made.empty() || !made[0].variables.empty() || made[0].inputs.size() != shapes_.size()) return false;
    declared_ = {made[0].name, made[0].inputs, made[0].outputs};
    const graph_view one = made[0].graph.view(), other = made.back().graph.view();
    for (std::size_t k = 0; k < given_.size(); ++k) {
      declared_.input_specs.push_back(one.data(one.inputs()[k]).spec);
      shape& s = declared_.input_specs.back().shape;
      for (int a = 0; a < s.rank; ++a)
        if (const auto& d = given_[k].dims[static_cast<std::size_t>(a)]; d.size < 0) s[a] = valid_name(d.name) ? encode_name(d.name) : dyn;
    }
    for (std::size_t k = 0; k < declared_.outputs.size(); ++k) {
      const tensor_spec a = one.spec(one.outputs()[k]), b = other.spec(other.outputs()[k]);
      declared_.output_specs.push_back(made.size() > 1 ? most_specific_common_supertype(a, b) : tensor_spec{a.dtype, {unknown_rank, {}}});
    }
    return true;
  }

  const declaration& declared() const override { return declared_; }
  jig::graph graph_for(const std::vector<tensor_spec>& arguments) const override {
    const std::lock_guard held(lock_);
    return made_with([&](std::size_t k, std::size_t a) { return arguments[k].shape[static_cast<int>(a)]; }).graph;
  }

 private:
  // With these extents in place of the declared ones for as long as it takes.
  template <class Extent>
  named_graph made_with(Extent extent) const {
    struct restored {
      const graph_at_calls& of;
      ~restored() {
        for (std::size_t k = 0; k < of.shapes_.size(); ++k) *of.shapes_[k] = of.given_[k];
      }
    } behind{*this};
    for (std::size_t k = 0; k < shapes_.size(); ++k)
      for (std::size_t a = 0; a < shapes_[k]->dims.size(); ++a) shapes_[k]->dims[a].size = extent(k, a);
    return imported_graph(graph_, names_, file_, limits_);
  }
  std::optional<named_graph> made_supposing(index e) const {
    try {
      return made_with([&](std::size_t k, std::size_t a) { return given_[k].dims[a].size < 0 ? e : given_[k].dims[a].size; });
    } catch (const load_error&) {
      return std::nullopt;
    }
  }

  graph_message graph_;
  graph_names names_;
  std::string file_;
  load_limits limits_;
  std::vector<shape_message*> shapes_;  // in the graph, in the order of its arguments
  std::vector<shape_message> given_;
  declaration declared_;
  mutable std::mutex lock_{};
};

#endif

/// The function of a graph as a model: one graph for all calls where it can be, else one for each.
inline model_graphs model_of_graph(graph_message g, const graph_names& names, const std::string& file, const load_limits& limits) {
  model_graphs out;
#ifdef __cpp_exceptions
  try {
    out.functions.push_back({"serving_default", imported_graph(g, names, file, limits)});
  } catch (const extents_awaited&) {
    const auto at_calls = std::make_shared<graph_at_calls>(std::move(g), names, file, limits);
    if (!at_calls->declare()) throw;
    const auto& d = at_calls->declared();
    out.functions.push_back({"serving_default", {d.name, {}, d.inputs, d.outputs}, {}, at_calls});
  }
#else
  out.functions.push_back({"serving_default", imported_graph(g, names, file, limits)});
#endif
  return out;
}

}  // namespace jig::detail::tensorflow
