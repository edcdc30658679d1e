// SPDX-License-Identifier: MIT
#pragma once
// Copies of elements that lie apart, in row-major order.

#include <jig/eval/strided_space.hpp>

#include <cstdint>
#include <cstring>

namespace jig::detail {

template <std::size_t Bytes>
void gather_elements(char* to, const char* from, index stride, index n) {
#pragma GCC unroll 4
  for (index i = 0; i < n; ++i) std::memcpy(to + i * static_cast<index>(Bytes), from + i * stride, Bytes);
}

template <class Word>
void fill_elements(char* to, const char* from, index n) {
  Word w;
  std::memcpy(&w, from, sizeof(w));
  for (index i = 0; i < n; ++i) std::memcpy(to + i * static_cast<index>(sizeof(w)), &w, sizeof(w));
}

// Rows of fewer elements are gathered together.
inline constexpr index most_of_short_rows = 16;

// n elements that lie `stride` bytes apart.
inline void gather_run(char* to, const char* from, index bytes, index stride, index n) {
  if (stride == bytes) std::memcpy(to, from, static_cast<std::size_t>(n * bytes));
  else if (stride == 0 && bytes == 4) fill_elements<std::uint32_t>(to, from, n);
  else if (stride == 0 && bytes == 8) fill_elements<std::uint64_t>(to, from, n);
  else if (bytes == 4) gather_elements<4>(to, from, stride, n);
  else if (bytes == 8) gather_elements<8>(to, from, stride, n);
  else if (bytes == 2) gather_elements<2>(to, from, stride, n);
  else gather_elements<1>(to, from, stride, n);
}

// Rows of `length` elements that lie `stride` bytes apart, as many bytes apart as `row_stride` says.
template <std::size_t Bytes, index Length = 0>
void gather_short_rows(char* to, const char* from, index stride, index length, index row_stride, index rows) {
  if constexpr (Length > 0) length = Length;
  for (; rows > 0; --rows, from += row_stride)
    for (index i = 0; i < length; ++i, to += Bytes) std::memcpy(to, from + i * stride, Bytes);
}
// The same where all elements of a row are one: they are written some at a time, up to what the next row writes.
template <std::size_t Bytes>
void repeat_elements(char* to, const char* from, index length, index row_stride, index rows) {
  constexpr index together = 16;
  const index row = length * static_cast<index>(Bytes), written = (row + together - 1) / together * together;
  for (; rows * row >= written; --rows, from += row_stride, to += row) {
    char same[together];
    for (index i = 0; i < together; i += static_cast<index>(Bytes)) std::memcpy(same + i, from, Bytes);
    for (index i = 0; i < row; i += together) std::memcpy(to + i, same, together);
  }
  gather_short_rows<Bytes>(to, from, 0, length, row_stride, rows);
}
template <std::size_t Bytes>
void gather_rows_of(char* to, const char* from, index stride, index length, index row_stride, index rows) {
  if (stride == 0) return repeat_elements<Bytes>(to, from, length, row_stride, rows);
  const auto gather = length == 2   ? gather_short_rows<Bytes, 2>
                      : length == 3 ? gather_short_rows<Bytes, 3>
                      : length == 4 ? gather_short_rows<Bytes, 4>
                                    : gather_short_rows<Bytes>;
  gather(to, from, stride, length, row_stride, rows);
}
inline void gather_rows(char* to, const char* from, index bytes, index stride, index length, index row_stride, index rows) {
  const auto gather = bytes == 4 ? gather_rows_of<4> : bytes == 8 ? gather_rows_of<8> : bytes == 2 ? gather_rows_of<2> : gather_rows_of<1>;
  gather(to, from, stride, length, row_stride, rows);
}

// After how many elements in row-major order those of an operand are the same again.
inline index period_of(const strided_space& s, const strided_operand& o) {
  index n = 1, period = 1;
  for (int a = s.rank; a-- > 0;) {
    n *= s.extents[a];
    if (o.strides[a] != 0 && s.extents[a] > 1) period = n;
  }
  return period;
}

// Elements `first` to `first + n` of an operand in row-major order.
inline void gather_block(char* to, const strided_space& s, const strided_operand& o, index first, index n) {
  index at[max_rank] = {};
  const char* from = o.data;
  for (int a = s.rank; a-- > 0; first /= s.extents[a]) {
    at[a] = first % s.extents[a];
    from += at[a] * o.strides[a];
  }
  const int inner = s.inner();
  const index length = s.extents[inner];
  // Moves to the place behind the last one along an axis.
  const auto carry = [&](int a) {
    for (; a > 0 && at[a] == s.extents[a]; --a) {
      from += o.strides[a - 1] - s.extents[a] * o.strides[a];
      at[a] = 0;
      ++at[a - 1];
    }
  };
  const auto gather = [&](index left) {
    while (left > 0) {
      if (inner > 0 && at[inner] == 0 && left >= 2 * length && length < most_of_short_rows) {
        const index there = s.extents[inner - 1] - at[inner - 1], wanted = left / length, rows = wanted < there ? wanted : there;
        gather_rows(to, from, o.bytes, o.strides[inner], length, o.strides[inner - 1], rows);
        to += rows * length * o.bytes;
        left -= rows * length;
        at[inner - 1] += rows;
        from += rows * o.strides[inner - 1];
        carry(inner - 1);
        continue;
      }
      index run = length - at[inner];
      if (run > left) run = left;
      gather_run(to, from, o.bytes, o.strides[inner], run);
      to += run * o.bytes;
      left -= run;
      at[inner] += run;
      from += run * o.strides[inner];
      carry(inner);
    }
  };
  const index period = period_of(s, o);
  if (period >= n) return gather(n);
  char* begin = to;
  gather(period);
  for (index done = period; done < n;) {
    const index more = done < n - done ? done : n - done;
    std::memcpy(begin + done * o.bytes, begin, static_cast<std::size_t>(more * o.bytes));
    done += more;
  }
}

/// Copies the elements of an operand along the axes of its space from `axis` on, in row-major order.
inline void gather_from(char* to, const strided_operand& o, const shape& space, int axis) {
  strided_operand row;
  row.data = o.data;
  row.bytes = o.bytes;
  strided_space s;
  for (int a = axis; a < space.rank; ++a) {
    row.strides[s.rank] = o.strides[a];
    s.extents[s.rank++] = space[a];
  }
  if (s.rank > 0 && s.size() > 0) gather_block(to, s, row, 0, s.size());
}

}  // namespace jig::detail
