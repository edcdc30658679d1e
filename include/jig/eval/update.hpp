// SPDX-License-Identifier: MIT
#pragma once
// Updates: new values of variables that a call computes. They are written over the old ones where that is safe, otherwise
// to memory of their own first; when an exception ends the call every variable has a whole value, old or new.

#include <jig/eval/control.hpp>
#include <jig/trace/trace.hpp>

namespace jig::detail {

template <class P, int Node>
struct node_spec {
  static constexpr const tensor_spec& value = P::graph.data(Node).spec;
};

/// Whether result `to` may be written into the variable that is argument `from` while the program runs: nothing reads
/// the old value later, and the step that writes it cannot throw halfway.
template <class P>
constexpr bool updates_in_place(int from, int to) {
  const int argument = P::graph.inputs()[at(from)], result = P::graph.outputs()[at(to)].node;
  if (P::dtype_at(argument) == dtype::string || !(P::extents(argument) == P::extents(result))) return false;
  const int number = P::value(result).step;
  // What lies there before would be neither the old value nor the new one.
  if (number < 0 || first_stored_in(program_plan<P>, to) != result) return false;
  const planned_region writers = P::plan.regions.items[P::plan.steps.items[number].region];
  for (int w = writers.first; w < writers.first + writers.count; ++w) {
    const planned_step& writer = P::plan.steps.items[w];
    for (int i = 0; i < writer.body.count; ++i)
      if (P::kind(P::plan.body.items[writer.body.first + i]).is(fact::checked)) return false;
    for (int i = 0; i < writer.roots.count; ++i)
      if (P::kind(P::plan.roots.items[writer.roots.first + i]).is(fact::checked | fact::control)) return false;
  }
  return writes_in_place(program_plan<P>, from, to);
}

/// The new value of one variable. Input is the number of the variable among the arguments, To that of the result.
template <class P, int Input, int To, class Variable>
class update {
  static constexpr int node = P::graph.outputs()[at(To)].node;
  using T = element_at<P, node>;
  using tensor_type = typename Variable::tensor_type;
  using stored_type = typed<tensor, node_spec<P, node>>;
  static_assert(!P::late(node), "jig: a variable cannot take a value whose extent only the run of the call tells");

 public:
  static constexpr bool in_place = updates_in_place<P>(Input, To);
  /// Whether the value passes through the workspace; others become tensors of their own.
  static constexpr bool copied = !std::is_same_v<T, std::string> && P::extents(P::graph.inputs()[at(Input)]) == P::extents(node);

  explicit update(Variable& v) : variable_(v) {}

  /// Units: bytes of workspace.
  static std::size_t bytes(const frame<P>& fr) {
    if constexpr (copied) return aligned_size(static_cast<std::size_t>(fr.template size_of<node>()) * sizeof(T));
    else return 0;
  }
  /// Where the program is to write.
  void* begin(const frame<P>& fr, char* memory, bool apart) {
    if constexpr (copied) {
      n_ = fr.template size_of<node>();
      data_ = in_place && apart ? old() : reinterpret_cast<T*>(memory);
      return data_;
    } else {
      stored_ = stored_type(uninitialized, fr.template shape_of<node>());
      return stored_.data();
    }
  }
  /// What may still throw.
  void prepare() {
    if constexpr (!copied && !std::is_same_v<stored_type, tensor_type>) converted_ = tensor_type(stored_);
  }
  void commit() noexcept {
    if constexpr (copied) {
      if (T* to = old(); data_ != to)
        for (index i = 0; i < n_; ++i) to[i] = data_[i];
    } else if constexpr (std::is_same_v<stored_type, tensor_type>) {
      variable_access::tensor_of(variable_) = std::move(stored_);
    } else {
      variable_access::tensor_of(variable_) = std::move(converted_);
    }
  }

 private:
  struct nothing {};
  T* old() { return variable_access::tensor_of(variable_).data(); }
  Variable& variable_;
  T* data_ = nullptr;
  index n_ = 0;
  [[no_unique_address]] std::conditional_t<copied, nothing, stored_type> stored_{};
  [[no_unique_address]] std::conditional_t<copied || std::is_same_v<stored_type, tensor_type>, std::tuple<>, tensor_type> converted_{};
};

/// Whether two of these objects are one.
inline bool any_twice(const void* const* first, const void* const* last) {
  for (auto* p = first; p != last; ++p)
    for (auto* q = p + 1; q != last; ++q)
      if (*p == *q) return true;
  return false;
}

}  // namespace jig::detail
