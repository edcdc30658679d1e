// SPDX-License-Identifier: MIT
#pragma once
// The steps of a region of rows: for each row one after another.

#include <jig/eval/operands.hpp>
#include <jig/eval/reduce.hpp>

namespace jig::detail {

template <class P, int Region, class Members>
class joined_steps;
template <class P, int Region, int... M>
class joined_steps<P, Region, std::integer_sequence<int, M...>> {
  static constexpr planned_region region = P::region(Region);
  static constexpr int outer = region.axes;
  template <int K>
  using member = step<P, region.first + K, outer>;
  // Of all operands of the steps, the number of the first one of member k.
  static constexpr int first_operand(int k) {
    constexpr int counts[] = {(member<M>::leaves + member<M>::roots)...};
    int at = 0;
    for (int i = 0; i < k; ++i) at += counts[i];
    return at;
  }
  static constexpr int operands = first_operand(sizeof...(M));

  run_operand operand_[array_bound(operands)];
  std::size_t gathered_[array_bound(operands)] = {};  // bytes of a row that is not contiguous
  char* row_[array_bound(operands)] = {};             // where it is copied to
  static constexpr index nowhere = -1;
  index local_[array_bound(operands)];                // where a value is that exists only row by row
  shape space_[sizeof...(M)];
  run_space rows_;

  template <int K>
  index row_size() const {
    if constexpr (member<K>::known_size >= 0) return member<K>::known_size;
    index n = 1;
    for (int a = outer; a < space_[K].rank; ++a) n *= space_[K][a];
    return n;
  }
  template <int K>
  void set_member(const frame<P>& fr) {
    space_[K] = fr.template shape_of<member<K>::plan.space>();
    set_leaves<K>(fr, std::make_integer_sequence<int, member<K>::leaves>());
    set_roots<K>(fr, root_numbers<member<K>>());
  }
  template <int K, int... L>
  void set_leaves(const frame<P>& fr, std::integer_sequence<int, L...>) {
    (set_leaf<K, L>(fr), ...);
  }
  template <int K, int L>
  void set_leaf(const frame<P>& fr) {
    constexpr int v = member<K>::node(L), number = first_operand(K) + L;
    if constexpr (P::value(P::base(v)).place == place::chunk) {
      set_local<v>(number);
    } else if constexpr (P::value(v).place != place::immediate) {
      set_operand(operand_[number], locate<P, v>(fr), space_[K], sizeof(element_at<P, v>));
      if (!member<K>::table.invariant[L] && !contiguous_from(operand_[number], space_[K], outer))
        gathered_[number] = aligned_size(static_cast<std::size_t>(row_size<K>()) * sizeof(element_at<P, v>));
    }
  }
  template <int K, int... R>
  void set_roots(const frame<P>& fr, std::integer_sequence<int, R...>) {
    (set_root<K, R>(first_operand(K) + member<K>::leaves + R, fr), ...);
  }
  template <int K, int R>
  void set_root(int number, const frame<P>& fr) {
    using root = stored_root<member<K>, R>;
    if constexpr (P::value(member<K>::root(R)).place == place::chunk) {
      set_local<member<K>::root(R)>(number);
    } else {
      run_operand& o = operand_[number];
      constexpr auto bytes = static_cast<index>(sizeof(root_type<member<K>, R>));
      o.data = reinterpret_cast<char*>(root::begin(fr));
      index stride = (R < member<K>::reduced ? 1 : row_size<K>()) * bytes;
      for (int a = outer; a-- > 0; stride *= rows_.extents[a]) o.strides[a] = root::dense ? stride : root::stride(fr, a) * bytes;
    }
  }
  // Every row of it is in the same place.
  template <int Node>
  void set_local(int number) {
    local_[number] = P::local_offset(Region, Node);
    operand_[number].bytes = sizeof(element_at<P, Node>);
    for (index& stride : operand_[number].strides) stride = 0;
  }
  // In row i along the last axis.
  template <int K>
  [[gnu::always_inline]] void run_member(index i) {
    constexpr int leaves = member<K>::leaves, at = first_operand(K);
    const int axis = rows_.rank - 1;
    const void* leaf[member<K>::capacity];
    void* root[member<K>::roots];
    for (int l = 0; l < leaves; ++l) {
      const run_operand& o = operand_[at + l];
      leaf[l] = o.data + i * o.strides[axis];
      if (row_[at + l] == nullptr) [[likely]] continue;
      gather_row(row_[at + l], o, i * o.strides[axis], space_[K]);
      leaf[l] = row_[at + l];
    }
    for (int r = 0; r < member<K>::roots; ++r) {
      const run_operand& o = operand_[at + leaves + r];
      root[r] = o.data + i * o.strides[axis];
    }
    const index n = row_size<K>();
    if constexpr (member<K>::plan.kind == step_kind::loop) run_loop<member<K>, member<K>::known_size>(leaf, root, n);
    else reduce_all<member<K>, member<K>::known_size>(leaf, root, n);
  }
  [[gnu::noinline]] static void gather_row(char* to, run_operand from, index offset, const shape& space) {
    from.data += offset;
    gather_from(to, from, space, outer);
  }

 public:
  explicit joined_steps(const frame<P>& fr) {
    const shape space = fr.template shape_of<member<0>::plan.space>();
    rows_.rank = outer;
    rows_.leaves = operands;
    rows_.operands = operand_;
    for (int a = 0; a < outer; ++a) rows_.extents[a] = space[a];
    for (index& at : local_) at = nowhere;
    (set_member<M>(fr), ...);
  }
  void run() {
    if (rows_.size() == 0) return;
    join_axes(rows_);
    const index size = most_of_a_row();
    if (rows_.extents[0] == 1 || !is_shared(rows_.size() * size)) [[likely]] return run_rows();
    // Parts of the first axis, with operands of their own.
    const index others = rows_.size() / rows_.extents[0] * (size == 0 ? 1 : size);
    share_blocks(rows_.extents[0], others < shared_length ? shared_length / others : 1, [this](index first, index length) {
      joined_steps part(*this);
      part.rows_.operands = part.operand_;
      shift(part.rows_, 0, first);
      part.rows_.extents[0] = length;
      part.run_rows();
    });
  }

 private:
  index most_of_a_row() const {
    index most = 0;
    ((most = row_size<M>() > most ? row_size<M>() : most), ...);
    return most;
  }
  void run_rows() {
    std::size_t bytes = static_cast<std::size_t>(region.bytes);
    for (std::size_t b : gathered_) bytes += b;
    workspace memory(bytes);
    char* at = memory.data() + region.bytes;
    for (int k = 0; k < operands; ++k) {
      if (local_[k] != nowhere) operand_[k].data = memory.data() + local_[k];
      if (gathered_[k] == 0) continue;
      row_[k] = at;
      at += gathered_[k];
    }
    index place[max_rank] = {};
    do
      for (index i = 0; i < rows_.extents[rows_.rank - 1]; ++i) (run_member<M>(i), ...);
    while (next_place(rows_, place, all_axes, rows_.rank - 1));
  }
};

}  // namespace jig::detail
