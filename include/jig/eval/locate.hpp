// SPDX-License-Identifier: MIT
#pragma once
// Where values lie in a call: in memory of arguments, results, slots or the program, or as views of these.

#include <jig/eval/program.hpp>
#include <jig/passes/joined_rows.hpp>

#include <array>

namespace jig {

/// Where the value of a node lies in a call.
struct located {
  const void* data = nullptr;
  index offset = 0;  // in elements
  shape extents;
  shape strides;
};

namespace detail {

// The axis along which a node picks a part.
template <class P, int Node>
constexpr int picked_axis() {
  const index axis = P::graph.node(Node).attribute("axis").values[0];
  return static_cast<int>(axis < 0 ? axis + P::extents(P::operand(Node, 0)).rank : axis);
}
template <class P, int Node>
[[gnu::always_inline]] inline index picked_position(const frame<P>& fr);
// Whether a value is a view that takes a slice of each axis of another one, and what it takes of these.
template <class P, int Node>
inline constexpr bool takes_axes = P::value(Node).place == place::alias && P::kind(Node).is(fact::takes_slices);
template <class P, int Node>
inline constexpr auto taken_axes = [] {
  constexpr int rank = P::extents(P::value(Node).number).rank;
  std::array<taken_axis, array_bound(rank)> out{};
  for (int a = 0; a < rank; ++a) out[static_cast<std::size_t>(a)] = P::kind(Node).takes(attributes_of<P, Node>::view(), a, rank);
  return out;
}();
// How a value lies, where that is known before a call: compilers do not find it out through a frame.
struct known_layout {
  bool known = false;
  index offset = 0;  // of a view, in the memory that it shows
  shape strides{};
};
// How what is joined with others lies in memory of these extents, if `before` of it come first along the axis.
template <class P, int Node>
constexpr known_layout joined_layout(const shape& whole, index before) {
  constexpr int join = P::value(Node).number, axis = joining_axis(P::graph, join);
  constexpr bool has_axis = is_op(P::kind(join), ops::concat);
  const shape strides = row_major_strides(whole);
  // Of nothing there may be no memory to count in.
  known_layout out{true, whole.size() == 0 ? 0 : before * strides[axis], {}};
  for (int a = 0; a < whole.rank; ++a)
    if (a != axis || has_axis) out.strides.push_back(strides[a]);
  return out;
}
// How much of the axis each of those takes.
template <class P, int Node>
constexpr auto extents_before() {
  constexpr int join = P::value(Node).number;
  constexpr int count = [] {
    int k = 0;
    while (P::operand(join, k) != Node) ++k;
    return k;
  }();
  std::array<index, static_cast<std::size_t>(count)> out{};
  for (int k = 0; k < count; ++k)
    out[static_cast<std::size_t>(k)] = is_op(P::kind(join), ops::pack) ? 1 : P::extents(P::operand(join, k))[joining_axis(P::graph, join)];
  return out;
}
// How much of that there is; `extent` says what of an operand.
template <class P, int Node>
[[gnu::always_inline]] constexpr index joined_before(auto extent) {
  constexpr auto before = detail::extents_before<P, Node>();
  return [&]<std::size_t... K>(std::index_sequence<K...>)
             __attribute__((always_inline)) { return (index{0} + ... + extent(before[K])); }(std::make_index_sequence<before.size()>());
}
template <class P, int Node>
[[gnu::always_inline]] inline known_layout joined_layout(const frame<P>& fr) {
  constexpr int join = P::value(Node).number;
  constexpr shape whole = P::extents(join);
  if constexpr (whole.is_static()) {
    constexpr known_layout known = joined_layout<P, Node>(whole, joined_before<P, Node>([](index e) { return e; }));
    return known;
  } else {
    return joined_layout<P, Node>(fr.template shape_of<join>(), joined_before<P, Node>([&](index e) { return fr(e); }));
  }
}
// The same, of one axis of what is joined; and where it begins. Shapes that are written number by number are late to be read.
template <class P, int Node>
[[gnu::always_inline]] inline index joined_stride(const frame<P>& fr, int axis) {
  constexpr int join = P::value(Node).number, joining = joining_axis(P::graph, join);
  constexpr bool has_axis = is_op(P::kind(join), ops::concat);
  constexpr const shape& whole = P::extents(join);
  index n = 1;
  for (int a = whole.rank - 1; a > (has_axis || axis < joining ? axis : axis + 1); --a) n *= fr(whole[a]);
  return n;
}
template <class P, int Node>
[[gnu::always_inline]] inline index joined_offset(const frame<P>& fr) {
  constexpr int join = P::value(Node).number, joining = joining_axis(P::graph, join);
  constexpr const shape& whole = P::extents(join);
  if constexpr (whole.is_static()) return joined_layout<P, Node>(fr).offset;
  index inner = 1, outer = 1;
  for (int a = 0; a < whole.rank; ++a) (a > joining ? inner : outer) *= fr(whole[a]);
  // Of nothing there may be no memory to count in.
  return outer * inner == 0 ? 0 : joined_before<P, Node>([&](index e) { return fr(e); }) * inner;
}

template <class P, int Node>
constexpr known_layout layout_of();
// How slices lie of a value whose first extent only the call tells: they take that axis from its beginning on.
template <class P, int Node>
constexpr known_layout layout_of_slices() {
  constexpr int from = P::value(Node).number;
  constexpr shape extents = P::extents(from);
  known_layout out = layout_of<P, from>();
  if (!out.known) return {};
  const shape strides = out.strides;
  out.offset = 0;
  out.strides.rank = P::extents(Node).rank;
  for (int a = 0; a < extents.rank; ++a) {
    const taken_axis& taken = taken_axes<P, Node>[static_cast<std::size_t>(a)];
    const axis_slice& s = taken.slice;
    if (is_static_extent(extents[a])) {
      const index first = first_place(s, extents[a]);
      if (first >= 0 && first < extents[a]) out.offset += first * strides[a];
    } else if (s.step < 1 || s.low.from_end || s.low.offset != 0) {
      return {};
    }
    if (taken.to >= 0) out.strides[taken.to] = stride_of_slice(s, strides[a]);
  }
  return out;
}
template <class P, int Node>
constexpr known_layout layout_of() {
  constexpr planned_value v = P::value(Node);
  constexpr bool is_static = P::extents(Node).is_static();
  if constexpr (!is_known_from(P::extents(Node), 1) || v.place == place::padded_read) {
    return {};
  } else if constexpr (v.dense) {
    return {true, 0, row_major_strides(P::extents(Node))};
  } else if constexpr (v.place == place::joined) {
    if constexpr (is_static && P::extents(v.number).is_static())
      return joined_layout<P, Node>(P::extents(v.number), joined_before<P, Node>([](index e) { return e; }));
    else return {};
  } else if constexpr (v.place == place::argument) {
    if constexpr (is_static && requires { P::trace::template input_layout<v.number>(); })
      return P::trace::template input_layout<v.number>();
    else return {};
  } else if constexpr (!P::extents(v.number).is_static()) {
    if constexpr (takes_axes<P, Node>) return layout_of_slices<P, Node>();
    else return {};
  } else {
    constexpr known_layout from = layout_of<P, v.number>();
    known_layout out;
    out.known = from.known;
    if constexpr (!from.known) {
      return out;
    } else if constexpr (v.place == place::part) {
      for (int a = 0; a < from.strides.rank; ++a)
        if (a != picked_axis<P, Node>()) out.strides.push_back(from.strides[a]);
    } else {
      out.strides.rank = P::extents(Node).rank;
      P::kind(Node).restride({attributes_of<P, Node>::view(), P::extents(v.number), from.strides, P::extents(Node)}, out.offset,
                             out.strides);
    }
    return out;
  }
}

}  // namespace detail

/// The first element of a dense stored value.
template <class P, int Node>
[[gnu::always_inline]] inline const void* data_of(const frame<P>& fr) {
  constexpr planned_value v = P::value(Node);
  static_assert(v.place != place::registers && v.place != place::chunk, "jig: a value that is not stored has no memory");
  if constexpr (v.place == place::argument) return fr.arguments[v.number];
  else if constexpr (v.place == place::result) return fr.results[v.number];
  else if constexpr (v.place == place::workspace) return fr.buffers[v.number];
  else if constexpr (v.place == place::joined)
    return static_cast<const element_at<P, Node>*>(data_of<P, v.number>(fr)) + detail::joined_offset<P, Node>(fr);
  else if constexpr (v.place == place::alias && v.offset != 0 && !P::extents(v.number).is_static())
    // Where there are fewer elements nothing is shown, and there may be no memory to count in.
    return reinterpret_cast<const element_at<P, Node>*>(reinterpret_cast<std::uintptr_t>(data_of<P, v.number>(fr)) +
                                                        static_cast<std::uintptr_t>(v.offset) * sizeof(element_at<P, Node>));
  else if constexpr (v.place == place::alias && v.offset != 0)
    return static_cast<const element_at<P, Node>*>(data_of<P, v.number>(fr)) + v.offset;
  else if constexpr (v.place == place::alias) return data_of<P, v.number>(fr);
  else if constexpr (v.place == place::part)
    return static_cast<const element_at<P, Node>*>(data_of<P, v.number>(fr)) +
           detail::picked_position<P, Node>(fr) * fr.template size_of<Node>();
  else return detail::constant_memory<P, Node>::data();
}

template <class P, int Node>
[[gnu::always_inline]] inline located locate(const frame<P>& fr);

namespace detail {

// How far apart places along one axis lie, in elements.
template <class P, int Node, int Axis>
[[gnu::always_inline]] inline index stride_of(const frame<P>& fr) {
  constexpr planned_value v = P::value(Node);
  if constexpr (constexpr auto here = layout_of<P, Node>(); here.known) {
    return std::integral_constant<index, here.strides[Axis]>::value;
  } else if constexpr (v.dense) {
    return [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
      return (index{1} * ... * fr(P::extents(Node)[Axis + 1 + A]));
    }(std::make_integer_sequence<int, P::extents(Node).rank - 1 - Axis>());
  } else if constexpr (takes_axes<P, Node>) {
    constexpr int shown = [] {
      int a = 0;
      while (taken_axes<P, Node>[static_cast<std::size_t>(a)].to != Axis) ++a;
      return a;
    }();
    return stride_of_slice(taken_axes<P, Node>[shown].slice, stride_of<P, v.number, shown>(fr));
  } else if constexpr (v.place == place::argument) {
    return fr.strides[v.number][Axis];
  } else {
    return locate<P, Node>(fr).strides[Axis];
  }
}
// In which element of what it shows such a view begins, where it shows something. Attributes are not looked up in calls.
template <class P, int Node>
[[gnu::always_inline]] inline std::uintptr_t begin_of_view(const frame<P>& fr) {
  constexpr int from = P::value(Node).number;
  std::uintptr_t begin = 0;
  [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
    (
        [&]() __attribute__((always_inline)) {
          constexpr axis_slice s = taken_axes<P, Node>[A].slice;
          if constexpr (s.step < 0 || s.low.from_end || s.low.offset != 0)
            begin += static_cast<std::uintptr_t>(first_place(s, fr(P::extents(from)[A]))) *
                     static_cast<std::uintptr_t>(stride_of<P, from, A>(fr));
        }(),
        ...);
  }(std::make_integer_sequence<int, P::extents(from).rank>());
  return begin;
}

}  // namespace detail

/// The address of the first element of a value, wherever it lies.
template <class P, int Node>
[[gnu::always_inline]] inline const element_at<P, Node>* first_element(const frame<P>& fr) {
  using T = element_at<P, Node>;
  constexpr planned_value v = P::value(Node);
  if constexpr (v.dense) {
    return static_cast<const T*>(data_of<P, Node>(fr));
  } else if constexpr (v.place == place::argument) {
    return static_cast<const T*>(fr.arguments[v.number]);
  } else if constexpr (constexpr auto here = detail::layout_of<P, Node>(); here.known) {
    const T* from = first_element<P, v.number>(fr);
    // Of nothing there may be no memory to count in.
    if constexpr (P::extents(v.number).is_static()) from += here.offset;
    else from = reinterpret_cast<const T*>(reinterpret_cast<std::uintptr_t>(from) + static_cast<std::uintptr_t>(here.offset) * sizeof(T));
    if constexpr (v.place == place::part) {
      constexpr index stride = detail::layout_of<P, v.number>().strides[detail::picked_axis<P, Node>()];
      from += detail::picked_position<P, Node>(fr) * stride;
    }
    return from;
  } else if constexpr (detail::takes_axes<P, Node>) {
    return reinterpret_cast<const T*>(reinterpret_cast<std::uintptr_t>(first_element<P, v.number>(fr)) +
                                      detail::begin_of_view<P, Node>(fr) * sizeof(T));
  } else {
    const located where = locate<P, Node>(fr);
    return static_cast<const T*>(where.data) + where.offset;
  }
}

/// Where a stored value lies, with extents and strides.
template <class P, int Node>
[[gnu::always_inline]] inline located locate(const frame<P>& fr) {
  constexpr planned_value v = P::value(Node);
  // Word by word: what is copied as a whole behind that has to wait for it.
  if constexpr (v.dense || v.place == place::argument || detail::layout_of<P, Node>().known) {
    return [&]<int... A>(std::integer_sequence<int, A...>) __attribute__((always_inline)) {
      return located{first_element<P, Node>(fr),
                     0,
                     {static_cast<int>(sizeof...(A)), {fr(P::extents(Node)[A])...}},
                     {static_cast<int>(sizeof...(A)), {detail::stride_of<P, Node, A>(fr)...}}};
    }(std::make_integer_sequence<int, P::extents(Node).rank>());
  }
  located out;
  out.extents = fr.template shape_of<Node>();
  if constexpr (detail::takes_axes<P, Node>) {
    // Of nothing there may be no memory to count in.
    if (out.extents.size() == 0) out.data = first_element<P, v.number>(fr);
    else out.data = first_element<P, Node>(fr);
    out.strides.rank = out.extents.rank;
    [&]<int... A>(std::integer_sequence<int, A...>) {
      ((out.strides[A] = detail::stride_of<P, Node, A>(fr)), ...);
    }(std::make_integer_sequence<int, P::extents(Node).rank>());
  } else if constexpr (v.place == place::alias) {
    located from = locate<P, v.number>(fr);
    out.data = from.data;
    out.strides.rank = out.extents.rank;
    constexpr auto restride = P::kind(Node).restride;
    restride({detail::attributes_of<P, Node>::view(), from.extents, from.strides, out.extents}, out.offset, out.strides);
    // Of nothing there may be no memory to count in.
    out.offset = out.extents.size() == 0 ? 0 : out.offset + from.offset;
  } else if constexpr (v.place == place::joined) {
    const auto joined = detail::joined_layout<P, Node>(fr);
    out.data = data_of<P, v.number>(fr);
    out.offset = joined.offset;
    out.strides = joined.strides;
  } else if constexpr (v.place == place::part) {
    constexpr int axis = detail::picked_axis<P, Node>();
    located from = locate<P, v.number>(fr);
    out.data = from.data;
    out.offset = from.offset + detail::picked_position<P, Node>(fr) * from.strides[axis];
    for (int a = 0; a < from.strides.rank; ++a)
      if (a != axis) out.strides.push_back(from.strides[a]);
  }
  return out;
}

namespace detail {

template <class P, int Node>
[[gnu::always_inline]] inline index picked_position(const frame<P>& fr) {
  const auto i = static_cast<index>(*first_element<P, P::operand(Node, 1)>(fr));
  constexpr index whole = P::extents(P::operand(Node, 0))[picked_axis<P, Node>()];
  const index extent = fr(whole);
  if (i < 0 || i >= extent) [[unlikely]] {
    constexpr std::string_view name = P::kind(Node).name;
    constexpr int axis = picked_axis<P, Node>();
    throw_bad_index(name, i, axis, extent);
  }
  return i;
}

}  // namespace detail

}  // namespace jig
