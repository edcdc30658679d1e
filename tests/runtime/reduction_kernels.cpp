// SPDX-License-Identifier: MIT
#include "../run_kernel.hpp"

namespace ops = jig::ops;

namespace {

template <bool Keep, jig::index... Axes>
using over = jig::attributes<jig::integers<"axes", Axes...>, jig::boolean<"keep_dims", Keep>>;

}  // namespace

TEST_CASE("all elements") {
  same_as_static<ops::reduce_sum, over<false>>(some_numbers<float>());
  same_as_static<ops::reduce_sum, over<true>>(some_numbers<float, 3, 25>());
  for (jig::index n : {0, 1, 3, 4, 8, 9, 31, 64, 1000, 5000}) {
    same_as_static<ops::reduce_sum, over<false>>(some_numbers<float, jig::dyn>(n));
    same_as_static<ops::reduce_max, over<false>>(some_numbers<jig::bfloat16, jig::dyn>(n));
  }
}

TEST_CASE("some axes") {
  const auto x = some_numbers<float, 6, 7, 20>();
  same_as_static<ops::reduce_sum, over<false, 0>>(x);
  same_as_static<ops::reduce_sum, over<true, 1>>(x);
  same_as_static<ops::reduce_sum, over<false, -1>>(x);
  same_as_static<ops::reduce_mean, over<false, 0, 2>>(x);
  same_as_static<ops::reduce_min, over<false, 0, 1>>(x);
  same_as_static<ops::reduce_sum, over<false, 1>>(some_numbers<float, 4, 1, 1>());
}

TEST_CASE("dtypes") {
  same_as_static<ops::reduce_mean, over<false, 0>>(some_numbers<std::int16_t, 5, 9>());
  same_as_static<ops::reduce_sum, over<false, 1>>(some_numbers<jig::half, 5, 900>());
  same_as_static<ops::reduce_all, over<false, 1>>(some_numbers<bool, 3, 40>());
}

TEST_CASE("operands that are not dense") {
  const auto x = some_numbers<float, 900>();
  const jig::view<const float, 30, 30> transposed(x.data(), {30, 30}, {1, 30});
  same_as_static<ops::reduce_sum, over<false, 0>>(transposed);
  same_as_static<ops::reduce_sum, over<false, 1>>(transposed);
  same_as_static<ops::reduce_sum, over<false>>(transposed);
  const jig::view<const float, 9, 40> backwards(x.data() + 899, {9, 40}, {-50, -1});
  same_as_static<ops::reduce_mean, over<false, 1>>(backwards);
  const jig::view<const float, 4, 5, 6> spread(x.data(), {4, 5, 6}, {0, 1, 0});
  same_as_static<ops::reduce_max, over<true, 0, 1>>(spread);
}

TEST_CASE("reductions of nothing") {
  same_as_static<ops::reduce_sum, over<false, 1>>(some_numbers<float, 3, jig::dyn>(0));
  same_as_static<ops::reduce_mean, over<false, 0>>(some_numbers<float, jig::dyn, 5>(0));
  same_as_static<ops::reduce_max, over<false, 0>>(some_numbers<std::int32_t, jig::dyn, 2>(0));
}

TEST_CASE("a plain loop") {
  const auto x = some_numbers<std::int32_t, 7, 11>();
  auto sum = jig::zeros<std::int32_t, 11>();
  run_kernel<ops::reduce_sum, over<false, 0>>(std::tie(sum), x);
  for (jig::index k = 0; k < 11; ++k) {
    std::int32_t expected = 0;
    for (jig::index i = 0; i < 7; ++i) expected += x(i, k);
    CHECK(sum(k) == expected);
  }
}
