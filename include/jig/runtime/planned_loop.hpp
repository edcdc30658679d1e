// SPDX-License-Identifier: MIT
#pragma once
// Loops of plans that are made at run time: fused elementwise nodes over a space whose extents are values.

#include <jig/eval/operands.hpp>
#include <jig/runtime/block_program.hpp>

#include <vector>

namespace jig::detail {

/// What a planned loop reads or stores.
struct loop_operand {
  int node;  // which tells where its first element is
  dtype type;
  shape extents, strides;  // in elements
  bool dense;
};

/// A fused loop. Its leaves broadcast to its space, its roots are dense.
template <class Program = block_program<>>
class planned_loop {
 public:
  static constexpr index all_rows = -1;

  planned_loop() = default;
  explicit planned_loop(const shape& space) : space_(space), size_(space.size()), rows_(space.rank > 0 ? space[0] : 1) {}

  /// Adds what is read, before what is computed of it, and returns its entry.
  int add_leaf(const loop_operand& v) {
    const bool moves = v.extents.size() != 1 || size_ == 1;
    contiguous_ = contiguous_ && (!moves || size_ == 1 || (v.dense && v.extents.size() == size_));
    leaves_.push_back(v.node);
    add_operand(v, moves);
    return program.add_leaf(v.type, moves);
  }
  /// What is computed is added here.
  Program program;
  /// Adds what is stored, behind all that is computed, and which entries of leaves may lie in its memory.
  void add_root(const loop_operand& v, int entry, stretch<int> shared) {
    program.add_root(entry, shared);
    roots_.push_back(v.node);
    add_operand(v, true);
  }
  /// To be called when all is there. A copy stores its only leaf as it is.
  void finish(bool is_copy = false) {
    is_copy_ = is_copy;
    program.finish();
  }
  stretch<int> leaves() const { return leaves_; }

  /// Runs over so many rows along the first axis of the space. `data` has the first element of each node's part of them.
  void run(void* const* data, index rows) const {
    if (size_ == 0) return;
    with_pointers(data, [&](const void** leaf, void** root) {
      const index size = rows == all_rows ? size_ : size_ / rows_ * rows;
      if (contiguous_ && !is_shared(size)) return program(leaf, root, size);
      if (contiguous_) return run_shared(size, leaf, root);
      if (is_copy_ && !is_shared(size)) return copy_rows(leaf[0], root[0], rows);
      strided_space all = space_of(space_.rank);
      for (int a = 0; a < space_.rank; ++a) all.extents[a] = space_[a];
      if (rows != all_rows) all.extents[0] = rows;
      run_strided(all, operands_, leaf, root);
    });
  }
  /// Runs over a rectangle of the space as one matrix, whose columns run along its last axis. Leaves are dense and have a row for every
  /// one of the space, or one for all. `data` has the first element of each node.
  void run_tile(void* const* data, index row, index rows, index column, index columns) const {
    if (rows == 0 || columns == 0) return;
    with_pointers(data, [&](const void** leaf, void** root) {
      strided_space tile = space_of(2);
      tile.extents[0] = rows;
      tile.extents[1] = columns;
      tile.dense_roots = columns == space_[space_.rank - 1];
      const auto offset = [&](std::size_t k) { return row * in_tiles_[k].strides[0] + column * in_tiles_[k].strides[1]; };
      for (std::size_t k = 0; k < leaves_.size(); ++k) leaf[k] = static_cast<const char*>(leaf[k]) + offset(k);
      for (std::size_t k = 0; k < roots_.size(); ++k) root[k] = static_cast<char*>(root[k]) + offset(leaves_.size() + k);
      run_strided(tile, in_tiles_, leaf, root);
    });
  }

 private:
  // Elements of operands that do not lie side by side are gathered so many at a time; rows of fewer cost more to begin than to copy.
  static constexpr index block_length = 2048, shortest_row = 512;

  void add_operand(const loop_operand& v, bool moves) {
    const std::size_t bytes = size_of(v.type);
    const char* somewhere = "";
    strided_operand o;
    set_operand(o, {somewhere, 0, v.extents, v.strides}, space_, bytes, copies_of(static_cast<index>(bytes)));
    o.moves = moves;
    operands_.push_back(o);
    const index columns = v.extents.rank == 0 ? 1 : v.extents[v.extents.rank - 1];
    o.strides[0] = v.extents.size() == columns ? 0 : columns * o.bytes;
    o.strides[1] = columns == 1 ? 0 : o.bytes;
    in_tiles_.push_back(o);
  }
  strided_space space_of(int rank) const {
    strided_space s;
    s.rank = rank;
    s.leaves = program.leaves();
    s.roots = program.roots();
    s.block_length = block_length;
    s.shortest_row = shortest_row;
    return s;
  }
  // Calls `run(leaf, root)` with the first elements of leaves and roots.
  template <class Run>
  void with_pointers(void* const* data, const Run& run) const {
    const auto found = [&](const void** leaf, void** root) {
      for (std::size_t k = 0; k < leaves_.size(); ++k) leaf[k] = data[leaves_[k]];
      for (std::size_t k = 0; k < roots_.size(); ++k) root[k] = data[roots_[k]];
      run(leaf, root);
    };
    constexpr std::size_t room = 32;
    const void* leaf[room];
    void* root[room];
    if (leaves_.size() <= room && roots_.size() <= room) return found(leaf, root);
    std::vector<const void*> many_leaves(leaves_.size());
    std::vector<void*> many_roots(roots_.size());
    found(many_leaves.data(), many_roots.data());
  }
  // What is only moved to another place does not come by way of a block.
  void copy_rows(const void* from, void* to, index rows) const {
    strided_operand o = operands_[0];
    o.data = static_cast<char*>(const_cast<void*>(from));
    shape space = space_;
    if (rows != all_rows) space[0] = rows;
    gather_from(static_cast<char*>(to), o, space, 0);
  }
  void run_strided(strided_space& s, const std::vector<strided_operand>& operands, const void** leaf, void** root) const {
    const std::size_t gathered = leaves_.size() * static_cast<std::size_t>(block_length) * 8;
    const std::size_t strides = aligned_size(leaves_.size() * sizeof(index));
    const workspace memory(gathered + strides + operands.size() * sizeof(strided_operand));
    s.leaf = leaf;
    s.root = root;
    s.scratch = memory.data();
    s.row_stride = reinterpret_cast<index*>(memory.data() + gathered);
    s.operands = reinterpret_cast<strided_operand*>(memory.data() + gathered + strides);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      s.operands[k] = operands[k];
      s.operands[k].data = static_cast<char*>(k < leaves_.size() ? const_cast<void*>(leaf[k]) : root[k - leaves_.size()]);
    }
    run_over(s, program);
  }
  void run_shared(index size, const void* const* leaf, void* const* root) const {
    parallel_for(size, shared_length, [&](index first, index length) {
      std::vector<const void*> from;
      std::vector<void*> to;
      for (int k = 0; k < program.leaves(); ++k)
        from.push_back(static_cast<const char*>(leaf[k]) + (program.moves(k) ? first * program.bytes_of_leaf(k) : 0));
      for (int k = 0; k < program.roots(); ++k) to.push_back(static_cast<char*>(root[k]) + first * program.bytes_of_root(k));
      program(from.data(), to.data(), length);
    });
  }

  shape space_{};
  index size_ = 0, rows_ = 1;  // rows along the first axis
  bool contiguous_ = true;     // all that moves lies side by side
  bool is_copy_ = false;
  std::vector<int> leaves_, roots_;
  std::vector<strided_operand> operands_, in_tiles_;  // leaves first; along the axes of the space, along rows and columns
};

}  // namespace jig::detail
