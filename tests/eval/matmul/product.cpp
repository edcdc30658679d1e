// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/product.hpp>

#include "../../plain_product.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace {

using jig::index;

template <class T>
int wrong(plain_product<T> p) {
  jig::detail::multiply(p.operands(), {}, jig::detail::memory_of_threads);
  return p.wrong();
}

TEST_CASE_TEMPLATE("products of any extents", T, float, double, std::uint32_t, std::uint8_t) {
  int count = 0;
  for (index m : {0, 1, 2, 9, 70})
    for (index n : {0, 1, 2, 17, 70})
      for (index k : {0, 1, 3, 65}) count += wrong(plain_product<T>(m, n, k));
  CHECK(count == 0);
}
TEST_CASE_TEMPLATE("products of operands that lie in any way", T, float, std::uint16_t) {
  int count = 0;
  for (index m : {1, 5, 40})
    for (index n : {1, 6, 33})
      for (index k : {1, 7, 35})
        for (const matrix_lies a : {matrix_lies{k, 1}, matrix_lies{k + 3, 1}, matrix_lies{1, m}, matrix_lies{3 * k, 3}})
          for (const matrix_lies b : {matrix_lies{n, 1}, matrix_lies{n + 1, 1}, matrix_lies{1, k}, matrix_lies{2, 2 * k}})
            for (index gap : {0, 2}) count += wrong(plain_product<T>(m, n, k, a, b, n + gap));
  CHECK(count == 0);
}

// A part of the result is told of once, when it is there.
struct told {
  plain_product<float>* product;
  std::vector<int> times;
  int too_early = 0;
};
void tell(const void* context, index row, index rows, index column, index columns) {
  told& t = *const_cast<told*>(static_cast<const told*>(context));
  for (index i = row; i < row + rows; ++i)
    for (index j = column; j < column + columns; ++j) {
      ++t.times[static_cast<std::size_t>(i * t.product->n + j)];
      t.too_early += t.product->c[static_cast<std::size_t>(i * t.product->c_row + j)] != t.product->expected(i, j);
    }
}
TEST_CASE("every element of a result is told of once, when it is computed") {
  for (auto [m, n, k] : {std::array<index, 3>{1, 40, 9}, {40, 1, 9}, {7, 9, 0}, {70, 90, 300}, {130, 70, 20}}) {
    plain_product<float> p(m, n, k);
    told t{&p, std::vector<int>(static_cast<std::size_t>(m * n)), 0};
    jig::detail::multiply(p.operands(), {&tell, &t}, jig::detail::memory_of_threads);
    int not_once = 0;
    for (int x : t.times) not_once += x != 1;
    CHECK(not_once == 0);
    CHECK(t.too_early == 0);
  }
}

TEST_CASE_TEMPLATE("the smallest code multiplies too", T, double, std::uint8_t) {
  plain_product<T> p(5, 6, 7, {1, 6}, {2, 14}, 8), empty_sum(2, 3, 0);
  jig::detail::multiply_plainly(p.operands());
  jig::detail::multiply_plainly(empty_sum.operands());
  CHECK(p.wrong() == 0);
  CHECK(empty_sum.wrong() == 0);
}

}  // namespace
