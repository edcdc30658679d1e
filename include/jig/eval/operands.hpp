// SPDX-License-Identifier: MIT
#pragma once
// Where the leaves and roots of a step lie in a call: as pointers where all of them run along with its space, else with strides.

#include <jig/eval/loop.hpp>
#include <jig/eval/strided.hpp>

namespace jig::detail {

// Whether the memory of a leaf runs along with the space of its step, known before the call.
enum class alignment_of_leaf : unsigned char { along, maybe, never };

template <class Step, int L>
constexpr alignment_of_leaf leaf_alignment() {
  using P = typename Step::program;
  constexpr int v = Step::node(L);
  const shape& leaf = P::extents(v);
  const shape& space = P::extents(Step::plan.space);
  if (Step::table.invariant[L] || P::value(v).place == place::padded_read) return alignment_of_leaf::along;
  // Of one element there is no next one.
  if (leaf.size() == 1 && space.size() == 1) return alignment_of_leaf::along;
  if (!P::value(v).dense) return alignment_of_leaf::never;
  if (leaf == space) return alignment_of_leaf::along;
  // Axes of one element in front of it change nothing.
  const int more = space.rank - leaf.rank;
  bool same = more > 0;
  for (int a = 0; a < space.rank; ++a) same = same && space[a] == (a < more ? 1 : leaf[a - more]);
  if (same) return alignment_of_leaf::along;
  if (leaf.rank != space.rank) return alignment_of_leaf::never;
  for (int a = 0; a < leaf.rank; ++a)
    if (leaf[a] >= 0 && leaf[a] != space[a] && (space[a] >= 0 || leaf[a] == 1)) return alignment_of_leaf::never;
  return alignment_of_leaf::maybe;
}

template <class Step, class Leaves>
struct step_alignment;
template <class Step, int... L>
struct step_alignment<Step, std::integer_sequence<int, L...>> {
  static constexpr bool never = ((leaf_alignment<Step, L>() == alignment_of_leaf::never) || ...);
  static constexpr bool always = ((leaf_alignment<Step, L>() == alignment_of_leaf::along) && ...);

  // Whether the leaves that may broadcast do not do so in this call.
  [[gnu::always_inline]] static bool now(const frame<typename Step::program>& fr) { return (leaf_now<L>(fr) && ...); }
  template <int Leaf>
  [[gnu::always_inline]] static bool leaf_now(const frame<typename Step::program>& fr) {
    using P = typename Step::program;
    if constexpr (leaf_alignment<Step, Leaf>() == alignment_of_leaf::along) {
      return true;
    } else {
      constexpr shape leaf = P::extents(Step::node(Leaf));
      constexpr shape space = P::extents(Step::plan.space);
      return [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
        return ((leaf[A] == space[A] || fr(leaf[A]) == fr(space[A])) && ...);
      }(std::make_integer_sequence<int, leaf.rank>());
    }
  }
};
template <class Step>
using alignment_in = step_alignment<Step, std::make_integer_sequence<int, Step::leaves>>;

// Copies a value of the program, wherever its elements lie, to dense memory.
template <class P, int Node, class T>
[[gnu::always_inline]] inline void copy_value(const frame<P>& fr, T* to) {
  if constexpr (P::value(Node).dense) {
    const index n = fr.template size_of<Node>();
    auto* from = static_cast<const T*>(data_of<P, Node>(fr));
    for (index i = 0; i < n; ++i) to[i] = from[i];
  } else {
    located where = locate<P, Node>(fr);
    copy_strided(to, row_major_strides(where.extents), static_cast<const T*>(where.data) + where.offset, where.strides, where.extents);
  }
}

/// What root R of a step stores, in the memory of its node or of that which joins it with others: all of it or, of an array, the element at
/// a position.
template <class Step, int R>
class stored_root {
  using P = typename Step::program;
  using T = root_type<Step, R>;
  static constexpr int node = Step::root(R);
  static constexpr bool is_element = Step::is_put(R);
  static constexpr int axis = is_element ? element_axis(P::graph, node) : 0;
  static constexpr int array = is_element ? P::operand(node, 0) : node;
  static constexpr bool is_joined = P::value(node).place == place::joined && !P::value(node).dense;

 public:
  static constexpr bool dense = axis == 0 && !is_joined;

  /// Its first element. Before the step stores anything: the other elements of an array may have to come along.
  [[gnu::always_inline]] static T* begin(const frame<P>& fr) {
    auto* to = static_cast<T*>(const_cast<void*>(data_of<P, node>(fr)));
    if constexpr (!is_element) {
      return to;
    } else {
      const auto i = static_cast<index>(*first_element<P, P::operand(node, 1)>(fr));
      constexpr index whole = P::extents(node)[axis];
      const index count = fr(whole);
      if (i < 0 || i >= count) [[unlikely]] {
        constexpr std::string_view name = P::kind(node).name;
        throw_bad_index(name, i, 0, count);
      }
      if (first_element<P, array>(fr) != to) [[unlikely]] {
        // Not a function of its own where memmove does: pointers of a frame that are passed on keep the frame in memory.
        if constexpr (P::value(array).dense) std::copy_n(first_element<P, array>(fr), fr.template size_of<array>(), to);
        else copy_scattered_array(fr, to);
      }
      // An array without elements may have no memory to count in.
      return axis > 0 && fr.template size_of<node>() == 0 ? to : to + i * stride_of(fr, axis);
    }
  }
  /// From one place along an axis of the step's space to the next, of an element.
  /// Units: elements.
  [[gnu::always_inline]] static index stride(const frame<P>& fr, int a) {
    if constexpr (is_joined) return joined_stride<P, node>(fr, a);
    else return stride_of(fr, a < axis ? a : a + 1);
  }
  /// The same along all axes, if every extent that only the call tells were `e`.
  static constexpr shape strides_supposing(index e) {
    shape whole = P::extents(is_joined ? P::value(node).number : node);
    for (int a = 0; a < whole.rank; ++a)
      if (!is_static_extent(whole[a])) whole[a] = e;
    if constexpr (is_joined) {
      return joined_layout<P, node>(whole, 0).strides;
    } else {
      const shape all = row_major_strides(whole);
      shape out;
      for (int a = 0; a < all.rank; ++a)
        if (a != axis) out.push_back(all[a]);
      return out;
    }
  }

 private:
  [[gnu::always_inline]] static index stride_of(const frame<P>& fr, int a) {
    constexpr const shape& extents = P::extents(node);
    index n = 1;
    while (++a < extents.rank) n *= fr(extents[a]);
    return n;
  }
  [[gnu::noinline]] static void copy_scattered_array(frame<P> fr, T* to) { copy_value<P, array>(fr, to); }
};

template <class Step, class Roots>
inline constexpr bool all_roots_dense = true;
template <class Step, int... R>
inline constexpr bool all_roots_dense<Step, std::integer_sequence<int, R...>> = (stored_root<Step, R>::dense && ...);
template <class Step>
inline constexpr bool has_dense_roots = all_roots_dense<Step, root_numbers<Step>>;

// Pointers to all leaves and roots of a step whose leaves run along with its space.
template <class Step>
struct dense_pointers {
  using P = typename Step::program;
  const void* leaf[Step::capacity];
  void* root[Step::roots == 0 ? 1 : Step::roots];

  [[gnu::always_inline]] explicit dense_pointers(const frame<P>& fr) {
    set_leaves(fr, std::make_integer_sequence<int, Step::leaves>());
    set_roots(fr, root_numbers<Step>());
  }
  template <int... L>
  [[gnu::always_inline]] void set_leaves(const frame<P>& fr, std::integer_sequence<int, L...>) {
    ((leaf[L] = leaf_at<Step::node(L)>(fr)), ...);
  }
  template <int... R>
  [[gnu::always_inline]] void set_roots(const frame<P>& fr, std::integer_sequence<int, R...>) {
    ((root[R] = stored_root<Step, R>::begin(fr)), ...);
  }
  template <int Node>
  [[gnu::always_inline]] static const void* leaf_at(const frame<P>& fr) {
    if constexpr (P::value(Node).place == place::immediate) return nullptr;
    else if constexpr (P::value(Node).place == place::padded_read) return leaf_at<P::value(Node).number>(fr);
    else if constexpr (P::value(Node).dense) return data_of<P, Node>(fr);
    else return first_element<P, Node>(fr);
  }
};

// How many elements of every leaf fit in scratch memory that may be on the stack.
template <class Step>
inline constexpr index block_length = [] {
  index n = 16384 / (8 * static_cast<index>(Step::capacity));
  return n < 64 ? index{64} : n > 512 ? index{512} : n;
}();

template <class Step>
inline constexpr bool has_strings = [] {
  for (int e = 0; e < Step::entries; ++e)
    if (Step::table.type[e] == dtype::string) return true;
  return false;
}();

// Where a value lies, as an operand of a space that it broadcasts to.
inline void set_operand(strided_operand& o, const located& from, const shape& space, std::size_t bytes, const element_copies* copies) {
  o.bytes = static_cast<index>(bytes);
  o.copies = copies;
  o.data = static_cast<char*>(const_cast<void*>(from.data));
  if (o.data != nullptr) o.data += from.offset * o.bytes;
  int shift = space.rank - from.extents.rank;
  for (int a = 0; a < space.rank; ++a)
    o.strides[a] = o.data == nullptr || a < shift || from.extents[a - shift] <= 1 ? 0 : from.strides[a - shift] * o.bytes;
}

// All operands of a step, wherever they lie.
template <class Step>
struct scattered_operands {
  using P = typename Step::program;
  strided_operand operands[Step::capacity + Step::roots];
  const void* leaf[Step::capacity];
  index row_stride[Step::capacity];
  void* root[Step::roots == 0 ? 1 : Step::roots];
  alignas(alignment) char scratch[has_strings<Step> ? 1 : Step::capacity * block_length<Step> * 8];
  strided_space space;

  // Bit a of `reduced` is set where the roots do not have axis a.
  scattered_operands(const frame<P>& fr, unsigned reduced) {
    shape extents = fr.template shape_of<Step::plan.space>();
    space.rank = extents.rank;
    space.leaves = Step::leaves;
    space.roots = Step::roots;
    space.operands = operands;
    space.leaf = leaf;
    space.row_stride = row_stride;
    space.root = root;
    space.scratch = scratch;
    space.block_length = has_strings<Step> ? 0 : block_length<Step>;
    space.dense_roots = has_dense_roots<Step>;
    index kept = 1, strides[max_rank] = {};
    for (int a = extents.rank; a-- > 0;) {
      space.extents[a] = extents[a];
      space.reduced[a] = (reduced >> a & 1) != 0;
      if (space.reduced[a]) continue;
      strides[a] = kept;
      kept *= extents[a];
    }
    set_leaves(fr, extents, std::make_integer_sequence<int, Step::leaves>());
    set_roots(fr, strides, root_numbers<Step>());
  }
  template <int... L>
  void set_leaves(const frame<P>& fr, const shape& extents, std::integer_sequence<int, L...>) {
    (set_leaf<L>(operands[L], fr, extents), ...);
  }
  template <int L>
  static void set_leaf(strided_operand& o, const frame<P>& fr, const shape& extents) {
    constexpr int v = Step::node(L);
    o.moves = !Step::table.invariant[L];
    using T = element_at<P, v>;
    if constexpr (P::value(v).place != place::immediate) set_operand(o, locate<P, v>(fr), extents, sizeof(T), copies_of<T>());
  }
  template <int... R>
  void set_roots(const frame<P>& fr, const index* strides, std::integer_sequence<int, R...>) {
    (set_root<R>(operands[Step::leaves + R], fr, strides), ...);
  }
  template <int R>
  static void set_root(strided_operand& o, const frame<P>& fr, const index* strides) {
    using root = stored_root<Step, R>;
    o.data = reinterpret_cast<char*>(root::begin(fr));
    o.bytes = sizeof(root_type<Step, R>);
    for (int a = 0; a < P::extents(Step::plan.space).rank; ++a) o.strides[a] = (root::dense ? strides[a] : root::stride(fr, a)) * o.bytes;
  }
};

}  // namespace jig::detail
