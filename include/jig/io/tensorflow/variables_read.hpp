// SPDX-License-Identifier: MIT
#pragma once
// The variables of a graph that is read, and which nodes change or take them.

#include <jig/graph/graph.hpp>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jig::detail::tensorflow {

/// Whether an op has effects, so that it is read though nobody uses its results.
inline bool has_effects(std::string_view op) {
  return op == "PrintV2" || op == "Assert" || op == "CheckNumerics" || op == "If" || op == "While" || op == "AssignVariableOp" ||
         op == "AssignAddVariableOp" || op == "AssignSubVariableOp";
}
/// Whether an op takes a variable as what it is, not as its value.
inline bool takes_variables(std::string_view op) {
  return op == "ReadVariableOp" || op == "AssignVariableOp" || op == "AssignAddVariableOp" || op == "AssignSubVariableOp" ||
         op == "PartitionedCall" || op == "StatefulPartitionedCall" || op == "Identity" || op == "NoOp" || op == "If" ||
         op == "StatelessIf" || op == "While" || op == "StatelessWhile";
}

/// A variable of a graph that is read.
struct variable_read {
  std::string node{}, shared_name{};
  tensor_spec declared{};
  bool any_rank = false;      // its value tells
  bool is_reference = false;  // whoever takes it reads it
  edge handle{};              // what stands for it in other nodes' inputs
  edge input{}, now{};        // the argument that its value is at first, and its value at this point

  const std::string& name() const { return shared_name.empty() ? node : shared_name; }
};
/// Where the values of variables are.
struct variable_source {
  /// The spec of a value.
  /// Errors: a variable without one throws load_error.
  virtual tensor_spec spec_of(const variable_read& v) = 0;

 protected:
  ~variable_source() = default;
};

/// All of them.
class variables_read {
 public:
  explicit variables_read(variable_source* source = nullptr) : source_(source) {}

  variable_source* source() const { return source_; }
  variable_read& add(variable_read v) {
    if (!v.shared_name.empty()) by_name_.emplace(v.shared_name, list_.size());
    by_node_.emplace(v.handle.node, list_.size());
    return list_.emplace_back(std::move(v));
  }
  /// Nodes of one shared name are one variable; without a name each is one.
  const variable_read* find(const std::string& shared_name) const {
    const auto found = by_name_.find(shared_name);
    return found == by_name_.end() ? nullptr : &list_[found->second];
  }
  variable_read* find(const edge& e) {
    const auto found = by_node_.find(e.node);
    return found == by_node_.end() ? nullptr : &list_[found->second];
  }
  std::size_t size() const { return list_.size(); }
  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }

 private:
  variable_source* source_;
  std::vector<variable_read> list_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<int, std::size_t> by_node_;
};

}  // namespace jig::detail::tensorflow
