// SPDX-License-Identifier: MIT
#include <jig/eval/gather_block.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

using namespace jig::detail;

TEST_CASE("parts of operands of any strides are gathered element by element, and nothing around them is written") {
  std::mt19937 random(7);
  const auto below = [&](jig::index n) { return static_cast<jig::index>(random() % static_cast<unsigned>(n)); };
  int wrong = 0;
  for (int round = 0; round < 4000; ++round) {
    strided_operand o;
    o.bytes = jig::index{1} << below(4);
    o.copies = copies_of(o.bytes);
    strided_space s;
    s.rank = 1 + static_cast<int>(below(4));
    jig::index size = 1, reach = 0, begin = 0;
    for (int a = 0; a < s.rank; ++a) {
      // Short, as long as a row may be for it, longer.
      s.extents[a] = below(8) == 0 ? 14 + below(5) : 1 + below(5);
      size *= s.extents[a];
      o.strides[a] = below(3) == 0 ? 0 : below(40) * o.bytes;
      if (a + 1 == s.rank && below(2) == 0) o.strides[a] = o.bytes;
      reach += (s.extents[a] - 1) * o.strides[a];
      if (below(4) > 0) continue;
      // Backwards.
      begin += (s.extents[a] - 1) * o.strides[a];
      o.strides[a] *= -1;
    }
    std::vector<char> from(static_cast<std::size_t>(reach + o.bytes));
    for (char& x : from) x = static_cast<char>(below(256) - 128);
    o.data = from.data() + begin;
    const jig::index first = below(size), n = 1 + below(size - first);
    constexpr char untouched = 77;
    std::vector<char> to(static_cast<std::size_t>(n * o.bytes + 32), untouched), expected = to;
    for (jig::index i = 0; i < n; ++i) {
      jig::index rest = first + i, offset = 0;
      for (int a = s.rank; a-- > 0; rest /= s.extents[a]) offset += rest % s.extents[a] * o.strides[a];
      std::memcpy(expected.data() + 16 + i * o.bytes, from.data() + begin + offset, static_cast<std::size_t>(o.bytes));
    }
    gather_block(to.data() + 16, s, o, first, n);
    wrong += to == expected ? 0 : 1;
  }
  CHECK(wrong == 0);
}

TEST_CASE("matrices that lie column by column: squares of registers full, one more or less, from any element on") {
  std::mt19937 random(9);
  int wrong = 0;
  for (jig::index bytes : {1, 2, 4, 8}) {
    const jig::index lanes = static_cast<jig::index>(jig::simd::lanes<std::uint8_t>) / bytes;
    for (jig::index rows : {jig::index{2}, lanes - 1, lanes, lanes + 1, 2 * lanes + 3})
      for (jig::index columns : {jig::index{3}, lanes - 1, lanes, lanes + 1, 3 * lanes - 1})
        for (jig::index first : {jig::index{0}, columns, columns + 1}) {
          // Between the columns lies something else, and there are three such matrices.
          const jig::index stride = rows + 5, apart = columns * stride + 3, size = 3 * rows * columns;
          if (first >= size) continue;
          std::vector<char> from(static_cast<std::size_t>((2 * apart + (columns - 1) * stride + rows) * bytes));
          for (char& x : from) x = static_cast<char>(random() % 251);
          strided_operand o;
          o.bytes = bytes;
          o.copies = copies_of(bytes);
          o.data = from.data();
          strided_space s;
          s.rank = 3;
          const jig::index extents[] = {3, rows, columns}, strides[] = {apart, 1, stride};
          for (int a = 0; a < 3; ++a) {
            s.extents[a] = extents[a];
            o.strides[a] = strides[a] * bytes;
          }
          const jig::index n = size - first - (first > 0 && first + 1 < size ? 1 : 0);
          std::vector<char> to(static_cast<std::size_t>(n * bytes + 32), 77), expected = to;
          for (jig::index i = 0; i < n; ++i) {
            const jig::index at = first + i;
            const jig::index place = at / (rows * columns) * apart + at / columns % rows + at % columns * stride;
            std::memcpy(expected.data() + 16 + i * bytes, from.data() + place * bytes, static_cast<std::size_t>(bytes));
          }
          gather_block(to.data() + 16, s, o, first, n);
          wrong += to == expected ? 0 : 1;
        }
  }
  CHECK(wrong == 0);
}

TEST_CASE("runs of elements some words apart, or of one element: registers full, one more or less, and nothing is read or written beside") {
  std::mt19937 random(8);
  int wrong = 0;
  for (jig::index bytes : {1, 2, 4, 8}) {
    const jig::index lanes = static_cast<jig::index>(jig::simd::lanes<std::uint8_t>) / bytes;
    for (jig::index apart : {-2, -1, 0, 1, 2, 3, 4, 5})
      for (jig::index n : {jig::index{1}, lanes - 1, lanes, lanes + 1, 2 * lanes, 2 * lanes + 1, 3 * lanes + 2}) {
        const jig::index begin = apart < 0 ? (1 - n) * apart : 0;
        std::vector<char> from(static_cast<std::size_t>(((n - 1) * std::abs(apart) + 1) * bytes));
        for (char& x : from) x = static_cast<char>(random() % 251);
        std::vector<char> to(static_cast<std::size_t>(n * bytes + 32), 77), expected = to;
        for (jig::index i = 0; i < n; ++i)
          std::memcpy(expected.data() + 16 + i * bytes, from.data() + (begin + i * apart) * bytes, static_cast<std::size_t>(bytes));
        copies_of(bytes)->run(to.data() + 16, from.data() + begin * bytes, apart * bytes, n);
        wrong += to == expected ? 0 : 1;
      }
  }
  CHECK(wrong == 0);
}

TEST_CASE("rows of one element each, shorter and longer than a register") {
  std::mt19937 random(9);
  int wrong = 0;
  for (jig::index bytes : {1, 2, 4, 8}) {
    const jig::index lanes = static_cast<jig::index>(jig::simd::lanes<std::uint8_t>) / bytes;
    for (jig::index length : {jig::index{1}, jig::index{3}, lanes - 1, lanes, lanes + 1, 2 * lanes + 1})
      for (jig::index rows : {1, 2, 3, 20}) {
        std::vector<char> from(static_cast<std::size_t>(rows * bytes));
        for (char& x : from) x = static_cast<char>(random() % 251);
        strided_operand o;
        o.bytes = bytes;
        o.copies = copies_of(bytes);
        o.data = from.data();
        o.strides[0] = bytes;
        strided_space s;
        s.rank = 2;
        s.extents[0] = rows;
        s.extents[1] = length;
        // From the middle of a row to that of another.
        const jig::index first = length / 2, n = rows * length - 2 * first;
        std::vector<char> to(static_cast<std::size_t>(n * bytes + 32), 77), expected = to;
        for (jig::index i = 0; i < n; ++i)
          std::memcpy(expected.data() + 16 + i * bytes, from.data() + (first + i) / length * bytes, static_cast<std::size_t>(bytes));
        gather_block(to.data() + 16, s, o, first, n);
        wrong += to == expected ? 0 : 1;
      }
  }
  CHECK(wrong == 0);
}
