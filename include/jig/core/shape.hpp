// SPDX-License-Identifier: MIT
#pragma once
// Shapes as values: rank and extents, and dtype with shape. Graphs, shape rules and messages work on these.

#include <jig/core/dtype.hpp>
#include <jig/core/extent.hpp>

namespace jig {

/// The highest rank of a tensor.
inline constexpr int max_rank = 8;
/// The rank in a declared signature that leaves it open. No tensor and no value of a graph has it.
inline constexpr int unknown_rank = -1;

/// Rank and extents. An extent may be static, `dyn` or named.
struct shape {
  int rank = 0;
  index extents[max_rank] = {};

  constexpr index operator[](int axis) const { return extents[axis]; }
  constexpr index& operator[](int axis) { return extents[axis]; }
  constexpr void push_back(index e) { extents[rank++] = e; }
  constexpr bool operator==(const shape& o) const {
    if (rank != o.rank) return false;
    for (int a = 0; a < rank; ++a)
      if (extents[a] != o.extents[a]) return false;
    return true;
  }
  constexpr bool is_static() const {
    for (int a = 0; a < rank; ++a)
      if (!is_static_extent(extents[a])) return false;
    return true;
  }
  /// The number of elements, or -1 when an extent is not static.
  constexpr index size() const {
    index n = 1;
    // The second bound is for GCC's warnings, which cannot know that ranks keep to it.
    for (int a = 0; a < rank && a < max_rank; ++a) {
      if (!is_static_extent(extents[a])) return -1;
      n *= extents[a];
    }
    return n;
  }
};

/// Units: bytes. No tensor has more: so much can be addressed, and sums of such sizes can be counted.
inline constexpr index most_bytes = index{1} << 56;

namespace detail {

// Whether there can be a tensor of this shape. An extent of 0 does not excuse the others, which strides are made of; those that are not
// known may be 1.
constexpr bool is_possible(dtype d, const shape& s) {
  index bytes = d == dtype::string ? 32 : static_cast<index>(size_of(d));
  for (int a = 0; a < s.rank && a < max_rank; ++a)
    if (s[a] > 0 && (!multiply_extents(bytes, s[a], bytes) || bytes > most_bytes)) return false;
  return true;
}
template <dtype D, index... E>
constexpr bool are_possible() {
  if constexpr (sizeof...(E) == 0 || sizeof...(E) > max_rank) return true;
  else return is_possible(D, shape{sizeof...(E), {E...}});
}

}  // namespace detail

/// dtype and shape of a value: what TensorFlow calls a TensorSpec.
struct tensor_spec {
  jig::dtype dtype = dtype::float32;
  jig::shape shape;
  constexpr bool operator==(const tensor_spec&) const = default;
};

/// Whether values of these specs can be one: extents that are not static may turn out equal.
constexpr bool may_be_equal(const tensor_spec& a, const tensor_spec& b) {
  bool may = a.dtype == b.dtype && a.shape.rank == b.shape.rank;
  for (int axis = 0; may && axis < a.shape.rank; ++axis)
    may = a.shape[axis] == b.shape[axis] || !is_static_extent(a.shape[axis]) || !is_static_extent(b.shape[axis]);
  return may;
}

/// Whether every value of spec a is one of spec b: equal but for wildcards and names of b, and for a rank that b leaves open.
constexpr bool is_subtype(const tensor_spec& a, const tensor_spec& b) {
  if (b.shape.rank == unknown_rank) return a.dtype == b.dtype;
  if (a.dtype != b.dtype || a.shape.rank != b.shape.rank) return false;
  for (int axis = 0; axis < a.shape.rank; ++axis)
    if (a.shape[axis] != b.shape[axis] && is_static_extent(b.shape[axis])) return false;
  return true;
}

/// The spec with the fewest wildcards that values of both specs have: extents that differ, in name too, are wildcards, and of ranks that
/// differ none is left.
/// Errors: none are looked for; both have the same dtype.
/// Source: TensorSpec.most_specific_common_supertype.
constexpr tensor_spec most_specific_common_supertype(tensor_spec a, const tensor_spec& b) {
  if (a.shape.rank != b.shape.rank) return {a.dtype, {unknown_rank, {}}};
  for (int axis = 0; axis < a.shape.rank; ++axis)
    if (a.shape[axis] != b.shape[axis]) a.shape[axis] = dyn;
  return a;
}

/// Appends `()`, `(3,)` or `(None, 3)`, or `<unknown>`.
constexpr message& operator<<(message& out, const shape& s) {
  if (s.rank == unknown_rank) return out << "<unknown>";
  out << '(';
  for (int a = 0; a < s.rank; ++a) {
    if (a > 0) out << ", ";
    append_extent(out, s[a]);
  }
  return out << (s.rank == 1 ? ",)" : ")");
}

namespace detail {
// Appends the extents of a value as they are: a negative one is a mistake, no name.
constexpr message& append_numbers(message& out, const shape& s) {
  out << '(';
  for (int a = 0; a < s.rank; ++a) out << (a > 0 ? ", " : "") << s[a];
  return out << (s.rank == 1 ? ",)" : ")");
}
}  // namespace detail

/// Appends `float32 (None, 3)`.
constexpr message& operator<<(message& out, const tensor_spec& s) { return out << name_of(s.dtype) << ' ' << s.shape; }

}  // namespace jig
