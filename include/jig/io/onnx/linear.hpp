// SPDX-License-Identifier: MIT
#pragma once
// ONNX's products of matrices and tensors.

#include <jig/io/onnx/elementwise.hpp>

namespace jig::onnx {

/// A product as NumPy has it, also of integers.
inline edge product(node_context& c, edge x, edge y) {
  const bool row = c.m.rank(x) == 1, column = c.m.rank(y) == 1;
  if (c.m.rank(x) == 0 || c.m.rank(y) == 0) c.fail("a product of matrices needs axes");
  if (row) x = c.m.expand_dims(x, 0);
  if (column) y = c.m.expand_dims(y, 1);
  const edge z = c.m.matmul(x, y);
  list<index> gone;
  if (row) gone.push_back(c.m.rank(z) - 2);
  if (column) gone.push_back(c.m.rank(z) - 1);
  return c.m.squeeze(z, gone);
}
inline void import_matmul(node_context& c) { c.out(product(c, c.x(0), c.x(1))); }
inline void import_gemm(node_context& c) {
  // Where the second matrix is constant, a run finds it transposed.
  const bool constant = c.m.made.view().data(c.x(1).node).kind->is(fact::constant), transposed = c.flag("transB");
  const edge w = constant && transposed ? c.m.transposed(c.x(1)) : c.x(1);
  edge z = c.m.scaled(c.m.matmul(c.x(0), w, c.flag("transA"), transposed && !constant), c.real("alpha", 1));
  if (c.has(2)) z = c.m.add(z, c.m.scaled(c.x(2), c.real("beta", 1)));
  c.out(z);
}

inline void import_einsum(node_context& c) {
  std::string equation;
  for (const char l : c.text("equation"))
    if (l != ' ') equation += l;
  if (equation.find("->") == equation.npos) {
    // Letters that are there once, in the order of the alphabet.
    std::string out = equation.find("...") != equation.npos ? "->..." : "->";
    for (int l = 'A'; l <= 'z'; ++l)
      if (std::isalpha(l) && std::count(equation.begin(), equation.end(), static_cast<char>(l)) == 1) out += static_cast<char>(l);
    equation += out;
  }
  list<edge> operands;
  for (std::size_t i = 0; i < c.n.inputs.size(); ++i) operands.push_back(c.x(i));
  if (operands.empty()) c.fail("there is no operand");
  c.out(c.m.call(ops::einsum, operands, {attr::words("equation", equation)}));
}

inline void import_det(node_context& c) { c.out(c.m.call(ops::matrix_determinant, {c.x(0)})); }

inline constexpr op_entry linear_ops[] = {
    {"Det", import_det},
    {"Einsum", import_einsum},
    {"Gemm", import_gemm},
    {"MatMul", import_matmul},
};

}  // namespace jig::onnx
