// SPDX-License-Identifier: MIT
#pragma once
// Elements as the bytes of files, in either order, and objects as views of their elements.

#include <jig/io/limits.hpp>
#include <jig/io/load_error.hpp>
#include <jig/runtime/any_tensor.hpp>

#include <string>
#include <string_view>

namespace jig::detail {

/// The elements of a tensor, container, variable or number where they are.
template <class X>
any_view view_to_write(const X& x) {
  if constexpr (is_any_tensor<X>) return x.view();
  else return any_view_of(x);
}

inline std::size_t byte_count(jig::dtype d, const shape& extents) { return static_cast<std::size_t>(extents.size()) * size_of(d); }
inline std::string_view dense_bytes(const any_view& dense) {
  return {static_cast<const char*>(dense.data), byte_count(dense.dtype, dense.extents)};
}

/// Whether elements lie in column-major order without gaps.
inline bool lies_column_major(const any_view& v) {
  shape extents, strides;
  for (int a = v.extents.rank; a-- > 0;) {
    extents.push_back(v.extents[a]);
    strides.push_back(v.strides[a]);
  }
  return lies_dense(extents, strides);
}
/// Turns the bytes of each element around.
inline void swap_bytes(char* bytes, std::size_t count, std::size_t size) {
  for (std::size_t i = 0; i < count; i += size)
    for (std::size_t k = 0; k < size / 2; ++k) std::swap(bytes[i + k], bytes[i + size - 1 - k]);
}

/// The first byte of bools that is none, or count. A bool of C++ that is neither 0 nor 1 is no value.
inline std::size_t first_bad_bool(const char* bytes, std::size_t count) {
  std::size_t i = 0;
  while (i < count && (bytes[i] & ~1) == 0) ++i;
  return i;
}

inline void require_limits(jig::dtype d, const shape& extents, const load_limits& limits, const std::string& file, std::size_t offset) {
  const auto over = [&](index is, index most, const char* what) {
    if (is <= most) return;
    throw_load_error(file, offset,
                     "an array has " + std::to_string(is) + what + ", more than the " + std::to_string(most) + " that load_limits allow");
  };
  over(extents.size(), limits.elements, " elements");
  over(static_cast<index>(byte_count(d, extents)), limits.bytes, " bytes");
}

}  // namespace jig::detail
