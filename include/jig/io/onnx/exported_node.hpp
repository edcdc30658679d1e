// SPDX-License-Identifier: MIT
#pragma once
// What the functions see that write nodes of ONNX: a node, its inputs in the model that is being written, and its attributes.

#include <jig/io/onnx/exporter.hpp>
#include <jig/runtime/all_ops.hpp>

namespace jig::onnx {

/// One node of a graph that is written.
struct exported_node {
  exporter& to;
  const graph_view& g;
  node_view n;
  exporter::names in;
  std::vector<tensor_spec> specs;  // of the inputs
  exporter::names out{};

  using names = exporter::names;
  const tensor_spec& spec(std::size_t input) const { return specs[input]; }
  const shape& extents(std::size_t input) const { return spec(input).shape; }
  std::vector<index> ints(std::string_view key) const {
    const auto v = n.attribute(key).values;
    return {v.begin(), v.end()};
  }
  index integer(std::string_view key, index otherwise = 0) const {
    const auto v = n.attribute(key).values;
    return v.empty() ? otherwise : v[0];
  }
  bool is(const op& o) const { return detail::is_op(n.kind(), o); }
  [[noreturn]] void refuse(const std::string& why) const { exporter::refuse(n.op(), why); }
  shape known(const shape& s) const {
    if (!s.is_static()) refuse("its extents must be known");
    return s;
  }
  void give(std::string name) { out.push_back(std::move(name)); }
  std::string make(std::string_view kind, const names& inputs, const std::vector<written_attribute>& with = {}) {
    return to.make(kind, inputs, with);
  }
  bool of_unsigned() const { return is_integer(n.dtype()) && !is_signed(n.dtype()); }
  std::string number(double x) { return to.number(n.dtype(), x); }
};

inline written_attribute attribute(std::string_view name, index i) { return written_attribute::of(name, i); }
inline written_attribute attribute(std::string_view name, std::vector<index> i) { return written_attribute::of(name, std::move(i)); }

// Nodes that several functions write.

inline std::string transposed(exported_node& x, const std::string& of, const std::vector<index>& order) {
  return x.make("Transpose", {of}, {attribute("perm", order)});
}
// ReduceSum takes its axes as an input; so do the others from opset 18 on. No axes are all of them.
inline std::string along(exported_node& x, std::string_view kind, const std::string& of, const std::vector<index>& axes, bool keep) {
  std::vector<written_attribute> with{attribute("keepdims", keep)};
  exporter::names in{of};
  if (!axes.empty()) {
    if (kind == "ReduceSum" || x.to.opset() >= 18) in.push_back(x.to.integers(axes));
    else with.push_back(attribute("axes", axes));
  }
  return x.make(kind, in, with);
}
// Matrices with 1 where row and column are the same, along the last two axes.
inline std::string identity_matrices(exported_node& x, dtype d, const shape& s) {
  any_tensor out = any_tensor::empty(d, s);
  const index rows = s[s.rank - 2], columns = s[s.rank - 1];
  detail::with_type_of(d, [&]<class T>(const T&) {
    if constexpr (!std::is_same_v<T, std::string>)
      for (index i = 0; i < out.size(); ++i) static_cast<T*>(out.mutable_data())[i] = i / columns % rows == i % columns ? T(1) : T(0);
  });
  return x.to.constant(out);
}

/// How an op is written that is several nodes.
struct spelled_op {
  const op* kind;
  void (*write)(exported_node&);
};

}  // namespace jig::onnx
