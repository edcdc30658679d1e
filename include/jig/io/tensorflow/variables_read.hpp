// SPDX-License-Identifier: MIT
#pragma once
// The variables of a graph that is read, and which nodes change or take them.

#include <jig/graph/graph.hpp>
#include <jig/io/hash_map.hpp>

#include <string>
#include <utility>
#include <vector>

namespace jig::detail::tensorflow {

/// Whether an op has effects, so that it is read though nobody uses its results.
constexpr bool has_effects(std::string_view op) {
  return op == "PrintV2" || op == "Assert" || op == "CheckNumerics" || op == "If" || op == "While" || op == "AssignVariableOp" ||
         op == "AssignAddVariableOp" || op == "AssignSubVariableOp";
}
/// Whether an op takes a variable as what it is, not as its value.
constexpr bool takes_variables(std::string_view op) {
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

  constexpr const std::string& name() const { return shared_name.empty() ? node : shared_name; }
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
  constexpr explicit variables_read(variable_source* source = nullptr) : source_(source) {}

  constexpr variable_source* source() const { return source_; }
  constexpr variable_read& add(variable_read v) {
    if (!v.shared_name.empty()) by_name_.add(v.shared_name, list_.size());
    by_node_.add(v.handle.node, list_.size());
    return list_.emplace_back(std::move(v));
  }
  /// Nodes of one shared name are one variable; without a name each is one.
  constexpr const variable_read* find(const std::string& shared_name) const {
    const std::size_t* const found = by_name_.find(shared_name);
    return found == nullptr ? nullptr : &list_[*found];
  }
  constexpr variable_read* find(const edge& e) {
    const std::size_t* const found = by_node_.find(e.node);
    return found == nullptr ? nullptr : &list_[*found];
  }
  constexpr std::size_t size() const { return list_.size(); }
  constexpr auto begin() const { return list_.begin(); }
  constexpr auto end() const { return list_.end(); }

 private:
  variable_source* source_;
  std::vector<variable_read> list_;
  hash_map<std::string, std::size_t> by_name_;
  hash_map<int, std::size_t> by_node_;
};

}  // namespace jig::detail::tensorflow
