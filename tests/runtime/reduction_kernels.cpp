// SPDX-License-Identifier: MIT
#include "../run_kernel.hpp"

#include <jig/eval/parallel_runner.hpp>

#include <algorithm>
#include <cmath>

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

TEST_CASE("threads share the places that are kept, of the last axis some rows' registers at least") {
  static jig::index most;
  static constexpr jig::detail::parallel_runner runner{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
    most = (std::max)(most, blocks);
    for (jig::index b = blocks; b-- > 0;) run(work, b);
  }};
  int wrong = 0;
  const auto blocks_of = [&](jig::index rows, jig::index columns) {
    jig::tensor<float, jig::dyn, jig::dyn> x(jig::uninitialized, {2, {rows, columns}});
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>((i * 7919) % 1013) * 0x1p-4f;
    jig::tensor<float, jig::dyn> alone(jig::uninitialized, {1, {columns}}), together = alone;
    run_kernel<ops::reduce_sum, over<false, 0>>(std::tie(alone), x);
    const jig::detail::parallel_runner_scope scope(&runner);
    most = 0;
    run_kernel<ops::reduce_sum, over<false, 0>>(std::tie(together), x);
    for (jig::index k = 0; k < columns; ++k) {
      double expected = 0;
      for (jig::index i = 0; i < rows; ++i) expected += static_cast<double>(x(i, k));
      wrong += together(k) != alone(k) || std::abs(together(k) - expected) > 1e-5 * expected;
    }
    return most;
  };
  CHECK(blocks_of(1024, 1024) == 4);
  CHECK(blocks_of(1024, 511) == 1);
  CHECK(blocks_of(300, 515) == 2);
  CHECK(blocks_of(2, 100'000) == 6);
  CHECK(blocks_of(3, 1000) == 0);
  CHECK(wrong == 0);
}
