// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/vector.hpp>

#include "../../plain_product.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using jig::index;

// A vector times matrices of lengths around what registers hold. Whether the kernel took all of them.
template <class T>
bool takes(index x_step, auto b_lies) {
  constexpr index w = jig::simd::lanes<T>;
  int wrong = 0, taken = 0, all = 0;
  for (index n : {index{1}, w - 1, w, w + 1, 2 * w, 3 * w + 1, 8 * w, 19 * w + 5})
    for (index k : {index{1}, index{7}, index{8}, index{9}, w + 1, 4 * w, 5 * w + 3}) {
      if (n == 0) continue;
      plain_product<T> p(1, n, k, {0, x_step}, b_lies(n, k), n);
      const auto with = p.operands();
      const bool done =
          jig::detail::multiply_vector(with.a, with.a_col, with.b, with.b_row, with.b_col, with.c, n, k, jig::detail::memory_of_threads);
      ++all;
      taken += done;
      if (done) wrong += p.wrong();
      else
        for (T x : p.c) wrong += x != p.untouched;
    }
  CHECK(wrong == 0);
  CHECK((taken == 0 || taken == all));
  return taken == all;
}

TEST_CASE_TEMPLATE("a vector times a matrix", T, float, double, std::uint32_t, std::uint8_t) {
  for (index step : {1, 3}) {
    CHECK(takes<T>(step, [](index n, index) { return matrix_lies{n, 1}; }));
    CHECK(takes<T>(step, [](index n, index) { return matrix_lies{n + 2, 1}; }));
    CHECK(takes<T>(step, [](index, index k) { return matrix_lies{1, k}; }));
    CHECK(takes<T>(step, [](index, index k) { return matrix_lies{1, k + 5}; }));
  }
}
TEST_CASE("a matrix whose elements have gaps both ways is left to others") {
  CHECK_FALSE(takes<float>(1, [](index n, index) { return matrix_lies{2 * n + 2, 2}; }));
}

template <class T, index M, index K>
int wrong_in_few_rows() {
  plain_product<T> p(M, 1, K);
  jig::detail::multiply_by_few_rows<M, K>(p.a.data(), p.b.data(), p.c.data());
  return p.wrong();
}
template <class T, index M>
int wrong_in_few_rows() {
  constexpr index w = jig::simd::lanes<T>;
  return wrong_in_few_rows<T, M, 1>() + wrong_in_few_rows<T, M, w>() + wrong_in_few_rows<T, M, w + 1>() + wrong_in_few_rows<T, M, 3 * w>();
}
TEST_CASE_TEMPLATE("a few rows of a static length", T, float, double, std::uint16_t) {
  CHECK(wrong_in_few_rows<T, 1>() == 0);
  CHECK(wrong_in_few_rows<T, 4>() == 0);
  CHECK(wrong_in_few_rows<T, 8>() == 0);
  CHECK(wrong_in_few_rows<T, 11>() == 0);
}

}  // namespace
