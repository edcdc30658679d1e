// SPDX-License-Identifier: MIT
#pragma once
// What ops have in common that look up or change elements at positions which are values of the computation: how their kernels walk
// through memory, and that each position which is out of range throws. Positions count from 0.

#include <jig/ops/view.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

namespace jig {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_index(std::string_view op, index i, index axis, index extent) {
  message m;
  m << op << ": index " << i << " is out of range for axis " << axis << " with " << extent << " elements";
  throw_invalid_argument(m.view());
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_slice(index begin, index size, index axis, index extent) {
  message m;
  m << "Slice: begin " << begin << " with size " << size << " is out of range for axis " << axis << " with " << extent << " elements";
  throw_invalid_argument(m.view());
}

// A position as an index, which it is out of every range as if it is too large for one.
template <class I>
[[gnu::always_inline]] constexpr index index_of_position(I at) {
  if constexpr (std::is_unsigned_v<I> && sizeof(I) == sizeof(index))
    return static_cast<index>((std::min)(at, static_cast<I>((std::numeric_limits<index>::max)())));
  else return static_cast<index>(at);
}

constexpr const char* indices_are_integers = "the indices must be integers";

// Of positions [..., k] into a tensor: what they pick has the shape [...] and the axes behind the first k.
constexpr shape picked_shape(rule_context& c, const tensor_spec& positions, const shape& from) {
  shape out = positions.shape;
  if (!is_integer(positions.dtype)) c.fail(indices_are_integers);
  if (out.rank == 0) c.fail("the indices need at least one axis");
  if (c.failed) return out;
  index k = out[--out.rank];
  if (!is_static_extent(k)) c.fail("the last extent of the indices must be known at compile time");
  else if (k > from.rank) c.fail("there are more indices than axes");
  else if (out.rank + from.rank - k > max_rank) c.fail("a tensor has at most 8 axes");
  if (c.failed) return out;
  for (auto a = static_cast<int>(k); a < from.rank; ++a) out.push_back(from[a]);
  return out;
}

constexpr void check_updates(rule_context& c, const tensor_spec& positions, const shape& updates, const shape& into) {
  shape expected = picked_shape(c, positions, into);
  if (c.failed) return;
  if (updates.rank != expected.rank) return c.fail("the updates do not have the shape that the indices pick");
  for (int a = 0; a < expected.rank; ++a) c.equal(expected[a], updates[a], "the updates do not have the shape that the indices pick");
}

constexpr op indexing_op(std::string_view name, void (*rule)(rule_context&), unsigned free_inputs,
                         void (*gradient)(gradient_context&) = no_gradient) {
  op o = copying_op(name, rule, free_inputs, gradient);
  o.facts = fact::checked;
  return o;
}
constexpr op picking_op(std::string_view name, void (*rule)(rule_context&), unsigned free_inputs, void (*gradient)(gradient_context&)) {
  op o = indexing_op(name, rule, free_inputs, gradient);
  o.facts = o.facts | fact::dynamic_slice;
  return o;
}
constexpr op updating_op(std::string_view name, void (*rule)(rule_context&), void (*gradient)(gradient_context&)) {
  op o = indexing_op(name, rule, 2, gradient);
  o.facts = o.facts | fact::updates;
  return o;
}
constexpr op adding_op(std::string_view name, void (*gradient)(gradient_context&)) {
  op o = view_update_op(name, gradient);
  o.facts = o.facts | fact::checked;
  o.free_inputs = 4;
  return o;
}

constexpr void position_gradient(gradient_context& c, const op& kind) {
  c.give_into(0, kind, {c.full_adjoint(), c.input(1)}, c.attributes());
}

// Walks through the elements of a view in row-major order. Axes that lie behind one another are one, so that dense memory is a single run.
template <class V>
class element_cursor {
 public:
  using value_type = typename V::value_type;

  explicit element_cursor(const V& v) : at_(v.data()) {
    for (int a = 0; a < v.rank(); ++a) {
      if (v.extent(a) == 1) continue;
      const int last = extents_.rank - 1;
      if (last >= 0 && strides_[last] == v.stride(a) * v.extent(a)) {
        extents_[last] *= v.extent(a);
        strides_[last] = v.stride(a);
      } else {
        extents_.push_back(v.extent(a));
        strides_.push_back(v.stride(a));
      }
    }
    if (extents_.rank == 0) return;
    step_ = strides_[strides_.rank - 1];
    left_ = extents_[extents_.rank - 1];
  }
  // The next element, of which there must be one.
  [[gnu::always_inline]] const value_type& next() {
    const auto& current = *at_;
    at_ += step_;
    if (--left_ == 0) [[unlikely]]
      turn();
    return current;
  }

 private:
  // To the beginning of the next run.
  void turn() {
    if (extents_.rank == 0) return;
    left_ = extents_[extents_.rank - 1];
    at_ -= step_ * left_;
    for (int a = extents_.rank - 2; a >= 0; --a) {
      at_ += strides_[a];
      if (++position_[a] < extents_[a]) break;
      at_ -= strides_[a] * extents_[a];
      position_[a] = 0;
    }
  }

  const value_type* at_;
  index step_ = 0, left_ = 1;  // to the next element of the run, and so many elements are left of it
  shape extents_, strides_;
  index position_[max_rank] = {};
};

// Calls f(element) for every element of a view, in row-major order.
template <class V, class F>
void for_each_element(const V& v, F&& f) {
  element_cursor<V> cursor(v);
  for (index n = v.size(); n > 0; --n) f(cursor.next());
}

// Axes first … last - 1 of a shape or of strides.
constexpr shape some_axes(const shape& s, int first, int last) {
  shape out;
  for (int a = first; a < last; ++a) out.push_back(s[a]);
  return out;
}

// A part of a tensor, such as a row, that is copied as a whole.
struct part_shape {
  shape extents, strides;
  index size;
  bool dense;
  part_shape(const shape& of, const shape& with, int first)
      : extents(some_axes(of, first, of.rank)), strides(some_axes(with, first, with.rank)), size(extents.size()) {
    shape expected = row_major_strides(extents);
    dense = true;
    for (int a = 0; a < extents.rank; ++a) dense = dense && (extents[a] <= 1 || strides[a] == expected[a]);
  }
  // To contiguous memory.
  template <class T>
  void copy(T* to, const T* from) const {
    if (dense) std::copy_n(from, size, to);
    else copy_strided(to, row_major_strides(extents), from, strides, extents);
  }
};

// What updates make of the elements that they meet.
inline constexpr auto wrapping_add = []<class T>(T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  else return static_cast<T>(x + y);
};
inline constexpr auto take_update = []<class T>(const T&, const T& x) -> const T& { return x; };

// Walks through memory without gaps.
template <class T>
class run_cursor {
 public:
  explicit run_cursor(const T* data) : at_(data) {}
  [[gnu::always_inline]] const T& next() { return *at_++; }

 private:
  const T* at_;
};

// Calls f with a cursor for each view: a pointer each where all of them lie without gaps, which compilers keep in registers.
template <class F, class... V>
[[gnu::always_inline]] inline void with_cursors(F&& f, const V&... v) {
  if ((part_shape(v.shape(), v.strides(), 0).dense && ...)) f(run_cursor<typename V::value_type>(v.data())...);
  else f(element_cursor<V>(v)...);
}

// How many axes a tensor has, and how many numbers a position in the last axis of indices, if these are few; -1 if only the call knows.
template <class V>
inline constexpr int known_rank = -1;
template <template <class, index...> class View, class T, index... E>
inline constexpr int known_rank<View<T, E...>> = sizeof...(E);
template <class Indices>
inline constexpr int known_numbers = -1;
template <template <class, index...> class View, class I, index First, index... E>
inline constexpr int known_numbers<View<I, First, E...>> = [] {
  constexpr index extents[] = {First, E...}, last = extents[sizeof...(E)], most = 4;
  return last <= most ? static_cast<int>(last) : -1;
}();

// How positions in the last axis of indices are read: so many, of so many numbers each.
template <int Known>
struct position_count {
  index count;
  int numbers;
  template <class Indices>
  explicit position_count(const Indices& indices)
      : count(some_axes(indices.shape(), 0, indices.rank() - 1).size()), numbers(static_cast<int>(indices.extent(indices.rank() - 1))) {}
};
template <class Indices>
position_count(const Indices&) -> position_count<known_numbers<Indices>>;

// The extents and strides of the axes that a position has numbers for, which compilers keep in registers.
template <class Cursor, class F, int... A>
[[gnu::always_inline]] inline void for_each_known_position(std::string_view op, index count, [[maybe_unused]] Cursor cursor,
                                                           const shape& extents, const shape& strides, F&& f,
                                                           std::integer_sequence<int, A...>) {
  [[maybe_unused]] const index extent[] = {extents[A]..., 0}, stride[] = {strides[A]..., 0};
  for (; count > 0; --count) {
    const index i[] = {((void)A, static_cast<index>(cursor.next()))..., 0};
    if (((static_cast<std::uint64_t>(i[A]) >= static_cast<std::uint64_t>(extent[A])) || ...)) [[unlikely]]
      for (int axis = 0;; ++axis)
        if (i[axis] < 0 || i[axis] >= extent[axis]) throw_bad_index(op, i[axis], axis, extent[axis]);
    f(((i[A] * stride[A]) + ... + 0));
  }
}
// Calls f(offset) for every position that a cursor comes to: where it lies in memory with these strides.
template <int Known, class Cursor, class F>
[[gnu::always_inline]] inline void for_each_position(std::string_view op, position_count<Known> positions, Cursor cursor,
                                                     const shape& extents, const shape& strides, F&& f) {
  if constexpr (Known >= 0)
    return for_each_known_position(op, positions.count, cursor, extents, strides, f, std::make_integer_sequence<int, Known>());
  for (index n = positions.count; n > 0; --n) {
    index offset = 0;
    for (int axis = 0; axis < positions.numbers; ++axis) {
      const auto i = static_cast<index>(cursor.next());
      if (i < 0 || i >= extents[axis]) [[unlikely]]
        throw_bad_index(op, i, axis, extents[axis]);
      offset += i * strides[axis];
    }
    f(offset);
  }
}

// A tensor that is to be updated may lie in the memory of the result already.
template <class Out, class In>
void copy_unless_there(const Out& out, const In& in) {
  if (in.data() != out.data()) copy_strided(out.data(), out.strides(), in.data(), in.strides(), in.shape());
}

// One part along the first axis.
template <class Out, class In, class Index, class Updates, class Combine>
[[gnu::always_inline]] inline void update_part(std::string_view op, const Out& out, const In& in, const Index& which,
                                               const Updates& updates, Combine combine) {
  const auto i = static_cast<index>(*which.data());
  if (i < 0 || i >= out.extent(0)) [[unlikely]]
    throw_bad_index(op, i, 0, out.extent(0));
  if (in.data() != out.data()) std::copy_n(in.data(), out.size(), out.data());
  const index size = updates.size();
  for (index k = 0; k < size; ++k) {
    auto& to = out.data()[i * size + k];
    to = combine(to, updates.data()[k]);
  }
}

// Where one element lies, by its position along each axis.
template <class View, class Begin>
[[gnu::always_inline]] inline index offset_of_element(const View& x, const Begin& begin) {
  index at = 0;
  for (int a = 0; a < x.rank(); ++a) {
    const auto i = static_cast<index>(begin.data()[a]);
    if (i < 0 || i >= x.extent(a)) [[unlikely]]
      throw_bad_slice(i, 1, a, x.extent(a));
    at = at * x.extent(a) + i;
  }
  return at;
}

}  // namespace detail

}  // namespace jig
