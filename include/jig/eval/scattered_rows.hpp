// SPDX-License-Identifier: MIT
#pragma once
// A step of a region of rows whose operands lie in any way: it walks through the rows with strides that the call tells. Rows that are
// not contiguous are copied one by one.

#include <jig/eval/chunk_operands.hpp>
#include <jig/eval/reduce.hpp>

#include <optional>

namespace jig::detail {

template <class P, int Region, int S>
class scattered_rows {
  using at = chunk_operands<P, Region>;
  static constexpr int outer = at::axes;
  using own = step<P, S, outer>;
  static constexpr int leaves = own::leaves, operands = own::leaves + own::roots;

  strided_operand operand_[array_bound(operands)];
  std::size_t gathered_[array_bound(leaves)] = {};  // bytes of a row that is not contiguous
  char* row_[array_bound(leaves)] = {};             // where it is copied to
  shape space_;
  strided_space rows_;
  index place_[max_rank] = {};  // along all axes but the last one
  index i_ = 0;                 // along that
  std::optional<workspace> memory_;

  template <int L>
  void set_leaf(const frame<P>& fr, char* memory) {
    constexpr int v = own::node(L);
    if constexpr (at::is_local(v)) {
      set_local<v>(operand_[L], memory);
    } else if constexpr (P::value(v).place != place::immediate) {
      set_operand(operand_[L], locate<P, v>(fr), space_, sizeof(element_at<P, v>), copies_of<element_at<P, v>>());
      if (!own::table.invariant[L] && !contiguous_from(operand_[L], space_, outer))
        gathered_[L] = aligned_size(static_cast<std::size_t>(at::template size<own::plan.space>(fr)) * sizeof(element_at<P, v>));
    }
  }
  template <int R>
  void set_root(const frame<P>& fr, char* memory) {
    using root = stored_root<own, R>;
    strided_operand& o = operand_[leaves + R];
    if constexpr (at::is_local(own::root(R))) {
      set_local<own::root(R)>(o, memory);
    } else {
      constexpr auto bytes = static_cast<index>(sizeof(root_type<own, R>));
      o.data = reinterpret_cast<char*>(root::begin(fr));
      index stride = (R < own::reduced ? 1 : at::template size<own::plan.space>(fr)) * bytes;
      for (int a = outer; a-- > 0; stride *= rows_.extents[a]) o.strides[a] = root::dense ? stride : root::stride(fr, a) * bytes;
    }
  }
  // Every row of it is in the same place.
  template <int Node>
  static void set_local(strided_operand& o, char* memory) {
    o.data = memory + P::local_offset(Region, Node);
    o.bytes = sizeof(element_at<P, Node>);
    for (index& stride : o.strides) stride = 0;
  }
  void copy_rows_to_memory(memory_source& source) {
    std::size_t bytes = 0;
    for (std::size_t b : gathered_) bytes += b;
    if (bytes == 0) return;
    memory_.emplace(source, bytes);
    char* to = memory_->data();
    for (int l = 0; l < leaves; ++l)
      if (gathered_[l] != 0) row_[l] = std::exchange(to, to + gathered_[l]);
  }
  void go_to(index first) {
    for (int a = rows_.rank - 1; a >= 0; first /= rows_.extents[a--]) {
      const index there = first % rows_.extents[a];
      if (a == rows_.rank - 1) i_ = there;
      else shift(rows_, a, place_[a] = there);
    }
  }
  [[gnu::noinline]] static void gather_row(char* to, strided_operand from, index offset, const shape& space) {
    from.data += offset;
    gather_from(to, from, space, outer);
  }
  [[gnu::always_inline]] void run_row(const frame<P>& fr) {
    const int axis = rows_.rank - 1;
    nest_pointers<own> p;
    for (int l = 0; l < leaves; ++l) {
      const strided_operand& o = operand_[l];
      p.leaf[l] = o.data + i_ * o.strides[axis];
      if (row_[l] == nullptr) [[likely]]
        continue;
      gather_row(row_[l], o, i_ * o.strides[axis], space_);
      p.leaf[l] = row_[l];
    }
    for (int r = 0; r < own::roots; ++r) p.root[r] = operand_[leaves + r].data + i_ * operand_[leaves + r].strides[axis];
    const index n = at::template size<own::plan.space>(fr);
    if constexpr (own::plan.kind == step_kind::loop) run_loop<own, own::known_size>(p.leaf, p.root, n);
    else reduce_all<own, own::known_size>(p.leaf, p.root, n);
  }

 public:
  scattered_rows(const scattered_rows&) = delete;
  scattered_rows& operator=(const scattered_rows&) = delete;
  scattered_rows(const frame<P>& fr, char* memory, index first) : space_(fr.template shape_of<own::plan.space>()) {
    rows_.rank = outer;
    rows_.leaves = operands;
    rows_.operands = operand_;
    for (int a = 0; a < outer; ++a) rows_.extents[a] = space_[a];
    [&]<int... L>(std::integer_sequence<int, L...>) { (set_leaf<L>(fr, memory), ...); }(std::make_integer_sequence<int, leaves>());
    [&]<int... R>(std::integer_sequence<int, R...>) { (set_root<R>(fr, memory), ...); }(root_numbers<own>());
    join_axes(rows_);
    copy_rows_to_memory(*fr.memory);
    go_to(first);
  }
  /// The next n rows.
  void run(const frame<P>& fr, char*, index, index n) {
    for (; n > 0; --n) {
      run_row(fr);
      if (++i_ < rows_.extents[rows_.rank - 1]) continue;
      i_ = 0;
      next_place(rows_, place_, all_axes, rows_.rank - 1);
    }
  }
};

}  // namespace jig::detail
