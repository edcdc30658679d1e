// SPDX-License-Identifier: MIT
#pragma once
// How much workspace kernels need for themselves: those of matrix products pack blocks of large operands.

#include <jig/eval/matmul/blocked.hpp>
#include <jig/graph/graph_view.hpp>
#include <jig/ops/matmul.hpp>

namespace jig::detail {

template <class T>
constexpr index scratch_of_product(index m, index n, index k, bool transpose_a, bool transpose_b) {
  // Kernels of few rows, columns or elements read their operands in place.
  const bool in_place = m <= 64 && n <= 64 && k <= 64 && (!transpose_b || (n <= 32 && k <= 32));
  if (m <= 1 || n <= 1 || k < 1 || in_place) return 0;
  const product<T> p{nullptr, transpose_a ? 1 : k, transpose_a ? m : 1, nullptr, transpose_b ? 1 : n, transpose_b ? k : 1, nullptr, n, m, n,
                     k};
  const tile_epilogue then{};
  const blocked_product<T> blocked(p, then);
  const std::size_t bytes = blocked.b_bytes() + blocked.a_bytes();
  return bytes <= few_packed_bytes ? 0 : static_cast<index>(aligned_size(bytes));
}

/// Units: bytes of workspace that the kernel of a node needs when its operands are dense and have these shapes; -1 where only a call
/// knows. No more than that where it runs on parts of them.
template <class Graph>
constexpr index scratch_of_kernel(const Graph& g, int v, const shape& a, const shape& b) {
  if (!is_op(*g.data(v).kind, ops::matmul) && !is_op(*g.data(v).kind, ops::batch_matmul) &&
      !is_op(*g.data(v).kind, ops::arranged_batch_matmul))
    return 0;
  if (a.rank < 2 || b.rank < 2) return 0;
  const bool ta = g.node(v).attribute("transpose_a").values[0] != 0, tb = g.node(v).attribute("transpose_b").values[0] != 0;
  const index m = a[a.rank - (ta ? 1 : 2)], k = a[a.rank - (ta ? 2 : 1)], n = b[b.rank - (tb ? 2 : 1)];
  if (a.size() < 0 || b.size() < 0) return -1;
  // Batches that share b are rows of one product.
  const index rows = m * k > 0 ? a.size() / k : m;
  // Blocks depend on the size of elements alone.
  index most = 0;
  for (index together : {m, rows}) {
    index bytes = 0;
    switch (size_of(in_registers(g.data(v).spec.dtype))) {
      case 1: bytes = scratch_of_product<std::uint8_t>(together, n, k, ta, tb); break;
      case 2: bytes = scratch_of_product<std::uint16_t>(together, n, k, ta, tb); break;
      case 4: bytes = scratch_of_product<float>(together, n, k, ta, tb); break;
      default: bytes = scratch_of_product<double>(together, n, k, ta, tb);
    }
    if (bytes > most) most = bytes;
  }
  return most;
}

}  // namespace jig::detail
