// SPDX-License-Identifier: MIT
#pragma once
// What ops have in common that look up or change elements at positions which are values of the computation: how their kernels walk
// through memory, and that each position which is out of range throws. Positions count from 0.

#include <jig/ops/view.hpp>

#include <algorithm>
#include <cstdint>
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

// Walks through the elements of a view in row-major order.
template <class V>
class element_cursor {
 public:
  explicit element_cursor(const V& v) : view_(v), at_(v.data()) {}
  // The next element, of which there must be one.
  const typename V::value_type& next() {
    const auto& current = *at_;
    for (int a = view_.rank() - 1; a >= 0; --a) {
      at_ += view_.stride(a);
      if (++position_[a] < view_.extent(a)) break;
      at_ -= view_.stride(a) * view_.extent(a);
      position_[a] = 0;
    }
    return current;
  }

 private:
  const V& view_;
  const typename V::value_type* at_;
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

template <class T>
T wrapping_add(T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  else return static_cast<T>(x + y);
}
template <class T>
T wrapping_multiply(T x, T y) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  else return static_cast<T>(x * y);
}

// Calls f(offset) for every position in the last axis of the indices: where it lies in memory with these
// strides.
template <class Indices, class F>
void for_each_position(std::string_view op, const Indices& indices, const shape& extents, const shape& strides, F&& f) {
  const int last = indices.rank() - 1;
  const auto k = static_cast<int>(indices.extent(last));
  index offset = 0;
  int axis = 0;
  auto one = [&](auto value) {
    auto i = static_cast<index>(value);
    if (i < 0 || i >= extents[axis]) throw_bad_index(op, i, axis, extents[axis]);
    offset += i * strides[axis];
    if (++axis < k) return;
    f(offset);
    offset = 0;
    axis = 0;
  };
  if (k > 0) return for_each_element(indices, one);
  // No number at all is the position of the whole tensor.
  for (index n = some_axes(indices.shape(), 0, last).size(); n > 0; --n) f(index{0});
}

template <class T>
T take_update(const T&, const T& x) {
  return x;
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
