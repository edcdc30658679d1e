// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/across_batch.hpp>

#include "../../matrix_products.hpp"

namespace {

using jig::dyn;
using three = list<dyn, dyn, dyn>;

// Fewer items than lanes, as many, and some more, of operands that lie in several ways.
template <class T>
void check_items(index m, index n, index k) {
  using check = product_of<jig::ops::batch_matmul, false, false, three, three, three>;
  constexpr index width = jig::simd::lanes<T>;
  for (index count : {index{1}, width - 1, width, width + 1, 3 * width + 2}) {
    const shape out = shape_of({count, m, n}), a = shape_of({count, m, k}), b = shape_of({count, k, n}), one = shape_of({1, k, n});
    check::check(operand<T>(a, 1), operand<T>(b, 2), out);
    check::check(operand<T>(a, shape_of({1, count, m * count}), 3), operand<T>(b, shape_of({1, n * count, count}), 4), out);
    check::check(operand<T>(a, shape_of({-3 * m * k, 3 * k, 3}), 5), operand<T>(b, shape_of({2, 2 * count, 2 * k * count}), 6), out);
    check::check(operand<T>(a, 7), operand<T>(one, shape_of({0, -n, 1}), 8), out);
  }
}

TEST_CASE_TEMPLATE("items across registers", T, float, double, std::int32_t, std::uint8_t) {
  check_items<T>(1, 1, 1);
  check_items<T>(2, 2, 32);
  check_items<T>(1, 8, 8);
  check_items<T>(4, 4, 4);
  check_items<T>(5, 1, 7);
}
TEST_CASE("items of as many elements as are put together, and of more") {
  static_assert(jig::detail::most_elements_of_item == 160);
  check_items<float>(8, 8, 6);
  check_items<float>(7, 7, 8);
  check_items<float>(1, 1, 65);
  check_items<double>(8, 8, 8);
}

// Static extents, where the batch is the last axis.
TEST_CASE("a batch that lies innermost") {
  using check = product_of<jig::ops::batch_matmul, false, false, list<dyn, 2, 3>, list<dyn, 2, 4>, list<dyn, 4, 3>>;
  for (index count : {2, 16, 33})
    check::check(operand<double>(shape_of({count, 2, 4}), shape_of({1, 4 * count, count}), 9),
                 operand<double>(shape_of({count, 4, 3}), shape_of({1, 3 * count, count}), 10), shape_of({count, 2, 3}));
}

// The axis with many items is not the last of the batch axes.
TEST_CASE("a long batch beside a short one") {
  using four = list<dyn, dyn, dyn, dyn>;
  using check = product_of<jig::ops::batch_matmul, false, false, four, four, four>;
  for (index inner : {1, 2, 15, 16})
    check::check(operand<float>(shape_of({40, inner, 2, 4}), 11),
                 operand<float>(shape_of({40, inner, 4, 3}), shape_of({12 * inner, 12, 1, 4}), 12), shape_of({40, inner, 2, 3}));
}

}  // namespace
