// SPDX-License-Identifier: MIT
#pragma once
// How nodes of TensorFlow's are read that make, read and assign variables. A variable is an argument of the graph; what it is later follows
// from the order of the nodes, since in a graph of TensorFlow's reads and assignments wait for each other by control inputs.

#include <jig/io/tensorflow/imported_ops.hpp>

namespace jig::detail::tensorflow {

constexpr edges read_variable(const imported_node& n) {
  n.require_inputs(0);
  const std::string shared = n.text("shared_name", "");
  const attr_value* const given = n.attr("shape", attr_kind::shape);
  variable_read v;
  v.node = n.node.name;
  v.shared_name = shared;
  v.is_reference = n.node.op != "VarHandleOp";
  v.declared.dtype = n.type("dtype");
  v.any_rank = given == nullptr || given->shape.unknown_rank;
  if (!v.any_rank) {
    if (given->shape.dims.size() > static_cast<std::size_t>(max_rank)) n.fail("it has more than 8 axes");
    for (const auto& d : given->shape.dims) {
      if (d.size < -1) n.fail("an extent is negative");
      v.declared.shape.push_back(d.size < 0 ? dyn : d.size);
    }
  }
  if (!is_possible(v.declared.dtype, v.declared.shape)) n.fail(rule_context::too_large);
  return {n.to.variable(n.node, std::move(v))};
}
constexpr edges read_read_variable(const imported_node& n) {
  n.require_inputs(1);
  return {n.to.variable_at(n.node, n.inputs[0]).now};
}
constexpr edges assign(const imported_node& n, const edge& value) {
  variable_read& v = n.to.variable_at(n.node, n.inputs[0]);
  if (n.to.in_body()) n.fail("jig reads no assignments to variables in branches and loops");
  const tensor_spec given = n.to.spec(value);
  if (!may_be_equal(given, v.declared)) {
    message m;
    m << "it assigns " << given << " to a variable of " << v.declared;
    n.fail(std::string(m.view()));
  }
  v.now = value;
  return {};
}
constexpr edges read_assign_variable(const imported_node& n) {
  n.require_inputs(2);
  return assign(n, n.inputs[1]);
}
template <const op& Kind>
constexpr edges read_assign_by(const imported_node& n) {
  n.require_inputs(2);
  return assign(n, n.call(Kind, {n.to.variable_at(n.node, n.inputs[0]).now, n.inputs[1]}));
}

}  // namespace jig::detail::tensorflow
