// SPDX-License-Identifier: MIT
#include "../run_kernel.hpp"

namespace ops = jig::ops;
using jig::dyn;

namespace {

template <bool A, bool B>
using with = jig::attributes<jig::boolean<"transpose_a", A>, jig::boolean<"transpose_b", B>>;

template <class T, bool A = false, bool B = false>
void product(jig::index m, jig::index n, jig::index k) {
  const auto a = A ? some_numbers<T, dyn, dyn>(k, m) : some_numbers<T, dyn, dyn>(m, k);
  const auto b = B ? some_numbers<T, dyn, dyn>(n, k) : some_numbers<T, dyn, dyn>(k, n);
  same_as_static<ops::matmul, with<A, B>>(a, b);
}

}  // namespace

TEST_CASE("two matrices") {
  const jig::index extents[][3] = {{1, 1, 1}, {2, 3, 4}, {1, 17, 9}, {17, 1, 9}, {5, 5, 0}, {0, 3, 2}, {33, 40, 65}, {100, 70, 300}};
  for (const auto& e : extents) {
    product<float, true, false>(e[0], e[1], e[2]);
    product<double, false, true>(e[0], e[1], e[2]);
    product<jig::half, true, true>(e[0], e[1], e[2]);
  }
}

TEST_CASE("batches") {
  same_as_static<ops::batch_matmul, with<false, false>>(some_numbers<float, dyn, 3, dyn>(4, 5), some_numbers<float, dyn, dyn>(5, 6));
  same_as_static<ops::batch_matmul, with<false, true>>(some_numbers<float, 2, 1, dyn, 4>(3), some_numbers<float, 5, dyn, dyn>(6, 4));
  same_as_static<ops::batch_matmul, with<true, false>>(some_numbers<jig::bfloat16, dyn, 4, 3>(2),
                                                       some_numbers<jig::bfloat16, dyn, 4, 7>(2));
  same_as_static<ops::batch_matmul, with<false, false>>(some_numbers<float, dyn, 3, 4>(0), some_numbers<float, dyn, 4, dyn>(0, 2));
}

TEST_CASE("operands that are not dense") {
  const auto x = some_numbers<float, 900>();
  const jig::view<const float, dyn, dyn> transposed(x.data(), {20, 30}, {1, 20}), apart(x.data() + 899, {30, 10}, {-30, -2});
  same_as_static<ops::matmul, with<false, false>>(transposed, apart);
}

TEST_CASE("a plain loop") {
  const auto a = some_numbers<std::int64_t, 4, 9>();
  const auto b = some_numbers<std::int64_t, 9, 5>();
  auto c = jig::zeros<std::int64_t, 4, 5>();
  run_kernel<ops::matmul, with<false, false>>(std::tie(c), a, b);
  for (jig::index i = 0; i < 4; ++i)
    for (jig::index j = 0; j < 5; ++j) {
      std::int64_t sum = 0;
      for (jig::index k = 0; k < 9; ++k) sum += a(i, k) * b(k, j);
      CHECK(c(i, j) == sum);
    }
}
