// SPDX-License-Identifier: MIT
#pragma once
// Copies of elements that lie apart, in row-major order.

#include <jig/eval/interleave.hpp>
#include <jig/eval/masks.hpp>
#include <jig/eval/resize.hpp>
#include <jig/eval/strided_space.hpp>

#include <cstring>

namespace jig::detail {

// The first ones of n elements of which every Apart-th is wanted, in whole registers, and how many these are: nothing behind the last one
// is read.
template <int Apart, class Word>
index gather_apart(char* to, const char* from, index n) {
  constexpr index lanes = simd::lanes<Word>, bytes = static_cast<index>(sizeof(Word));
  index i = 0;
  for (; i + lanes < n; i += lanes) {
    simd::batch<Word> x[array_bound(Apart)];
#pragma GCC unroll 4
    for (int r = 0; r < Apart; ++r) x[r] = simd::load(reinterpret_cast<const Word*>(from + (i * Apart + r * lanes) * bytes));
    simd::store(reinterpret_cast<Word*>(to + i * bytes), simd::detail::component<Apart, 0>(x));
  }
  return i;
}
// The last lane first.
template <int Lanes>
struct lanes_backwards {
  static constexpr int at(int i) { return Lanes - 1 - i; }
};
// The same of elements each of which lies before the one that comes before it.
template <class Word>
index gather_backwards(char* to, const char* from, index n) {
  constexpr index lanes = simd::lanes<Word>, bytes = static_cast<index>(sizeof(Word));
  index i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto x = simd::load(reinterpret_cast<const Word*>(from - (i + lanes - 1) * bytes));
    simd::store(reinterpret_cast<Word*>(to + i * bytes), simd::permute<lanes_backwards<static_cast<int>(lanes)>>(x));
  }
  return i;
}
template <std::size_t Bytes>
void gather_elements(char* to, const char* from, index stride, index n) {
  using word = simd::detail::word_of_bytes<Bytes>;
  constexpr auto bytes = static_cast<index>(Bytes);
  index i = 0;
  if constexpr (simd::moves_lanes<word>) {
    if (stride == 2 * bytes) i = gather_apart<2, word>(to, from, n);
    else if (stride == 3 * bytes) i = gather_apart<3, word>(to, from, n);
    else if (stride == 4 * bytes) i = gather_apart<4, word>(to, from, n);
    else if (stride == -bytes) i = gather_backwards<word>(to, from, n);
  }
#pragma GCC unroll 4
  for (; i < n; ++i) std::memcpy(to + i * bytes, from + i * stride, Bytes);
}

// The same element n times.
template <std::size_t Bytes>
void fill_elements(char* to, const char* from, index n) {
  using word = simd::detail::word_of_bytes<Bytes>;
  constexpr index lanes = simd::lanes<word>;
  word w;
  std::memcpy(&w, from, sizeof(w));
  auto* at = reinterpret_cast<word*>(to);
  if (n < lanes) {
    for (index i = 0; i < n; ++i) std::memcpy(to + i * static_cast<index>(Bytes), &w, Bytes);
    return;
  }
  const simd::batch<word> same(w);
  for (index i = 0; i + lanes < n; i += lanes) simd::store(at + i, same);
  simd::store(at + n - lanes, same);
}

// Rows of fewer elements are gathered together, as are those of one element that repeats.
inline constexpr index most_of_short_rows = 16;

// n elements that lie `stride` bytes apart.
template <std::size_t Bytes>
void gather_run(char* to, const char* from, index stride, index n) {
  if (stride == static_cast<index>(Bytes)) std::memcpy(to, from, static_cast<std::size_t>(n) * Bytes);
  else if (stride == 0 && Bytes >= 4) fill_elements<Bytes>(to, from, n);
  else gather_elements<Bytes>(to, from, stride, n);
}

// Rows of `length` elements that lie `stride` bytes apart, as many bytes apart as `row_stride` says.
template <std::size_t Bytes, index Length = 0>
void gather_short_rows(char* to, const char* from, index stride, index length, index row_stride, index rows) {
  if constexpr (Length > 0) length = Length;
  for (; rows > 0; --rows, from += row_stride)
    for (index i = 0; i < length; ++i, to += Bytes) std::memcpy(to, from + i * stride, Bytes);
}
// The same where all elements of a row are one, for rows of fewer elements than a register: one is written for each row, up to what the
// next row writes.
template <std::size_t Bytes>
void repeat_few(char* to, const char* from, index length, index row_stride, index rows) {
  using word = simd::detail::word_of_bytes<Bytes>;
  constexpr index lanes = simd::lanes<word>;
  auto* at = reinterpret_cast<word*>(to);
  for (; rows * length >= lanes; --rows, from += row_stride, at += length) {
    word w;
    std::memcpy(&w, from, sizeof(w));
    simd::store(at, simd::batch<word>(w));
  }
  gather_short_rows<Bytes>(reinterpret_cast<char*>(at), from, 0, length, row_stride, rows);
}
// For longer rows: a register holds elements of at most two, so that all begin where the first one does.
template <std::size_t Bytes>
void repeat_elements(char* to, const char* from, index length, index row_stride, index rows) {
  using word = simd::detail::word_of_bytes<Bytes>;
  constexpr index lanes = simd::lanes<word>;
  if (length < lanes) return repeat_few<Bytes>(to, from, length, row_stride, rows);
  const auto element = [&] {
    word w;
    std::memcpy(&w, from, sizeof(w));
    from += row_stride;
    return simd::batch<word>(w);
  };
  auto* at = reinterpret_cast<word*>(to);
  simd::batch<word> same = element();
  index left = length;  // of the row that `same` belongs to
  for (;;) {
    for (; left >= lanes; left -= lanes, at += lanes) simd::store(at, same);
    if (--rows == 0) break;
    const simd::batch<word> next = element();
    simd::store(at, xsimd::select(simd::lanes_from<word>(left), next, same));
    same = next;
    left += length - lanes;
    at += lanes;
  }
  // The last elements lie behind others of their row.
  if (left > 0) simd::store(at + left - lanes, same);
}
// Rows where the elements of each column lie side by side: squares of registers full of columns become rows. The last ones overlap with
// those before.
template <class Word>
void transpose_rows(char* to, const char* from, index stride, index length, index rows) {
  using B = simd::batch<Word>;
  constexpr index lanes = simd::lanes<Word>, bytes = static_cast<index>(sizeof(Word));
  for (index r = 0; r < rows; r += lanes) {
    const index row = r + lanes > rows ? rows - lanes : r;
    for (index i = 0; i < length; i += lanes) {
      const index column = i + lanes > length ? length - lanes : i;
      B x[array_bound(lanes)];
#pragma GCC unroll 16
      for (index k = 0; k < lanes; ++k) x[k] = simd::load(reinterpret_cast<const Word*>(from + row * bytes + (column + k) * stride));
      simd::transpose(x);
#pragma GCC unroll 16
      for (index k = 0; k < lanes; ++k) simd::store(reinterpret_cast<Word*>(to + ((row + k) * length + column) * bytes), x[k]);
    }
  }
}
template <std::size_t Bytes>
void gather_rows(char* to, const char* from, index stride, index length, index row_stride, index rows) {
  using word = simd::detail::word_of_bytes<Bytes>;
  if constexpr (Bytes >= 4 && simd::moves_lanes<word>)
    if (row_stride == static_cast<index>(Bytes) && stride != 0 && rows >= simd::lanes<word> && length >= simd::lanes<word>)
      return transpose_rows<word>(to, from, stride, length, rows);
  if (stride == 0) return repeat_elements<Bytes>(to, from, length, row_stride, rows);
  const auto gather = length == 2   ? gather_short_rows<Bytes, 2>
                      : length == 3 ? gather_short_rows<Bytes, 3>
                      : length == 4 ? gather_short_rows<Bytes, 4>
                                    : gather_short_rows<Bytes>;
  gather(to, from, stride, length, row_stride, rows);
}

template <std::size_t Bytes>
inline constexpr element_copies copies_of_size = {gather_run<Bytes>, gather_rows<Bytes>};
/// Of elements of type T. Strings are objects and have none.
template <class T>
constexpr const element_copies* copies_of() {
  if constexpr (sizeof(T) <= 8) return &copies_of_size<sizeof(T)>;
  else return nullptr;
}
/// Of elements of so many bytes: 1, 2, 4 or 8.
template <std::same_as<index> Bytes>
const element_copies* copies_of(Bytes bytes) {
  return bytes == 4 ? &copies_of_size<4> : bytes == 8 ? &copies_of_size<8> : bytes == 2 ? &copies_of_size<2> : &copies_of_size<1>;
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
  for (int a = s.rank; first > 0 && a-- > 0; first /= s.extents[a]) {
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
      if (inner > 0 && at[inner] == 0 && left >= 2 * length &&
          (length < most_of_short_rows || o.strides[inner] == 0 || o.strides[inner - 1] == o.bytes)) {
        const index there = s.extents[inner - 1] - at[inner - 1], wanted = left / length, rows = wanted < there ? wanted : there;
        o.copies->rows(to, from, o.strides[inner], length, o.strides[inner - 1], rows);
        to += rows * length * o.bytes;
        left -= rows * length;
        at[inner - 1] += rows;
        from += rows * o.strides[inner - 1];
        carry(inner - 1);
        continue;
      }
      index run = length - at[inner];
      if (run > left) run = left;
      o.copies->run(to, from, o.strides[inner], run);
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
  row.copies = o.copies;
  strided_space s;
  for (int a = axis; a < space.rank; ++a) {
    row.strides[s.rank] = o.strides[a];
    s.extents[s.rank++] = space[a];
  }
  if (s.rank > 0 && s.size() > 0) gather_block(to, s, row, 0, s.size());
}

}  // namespace jig::detail
