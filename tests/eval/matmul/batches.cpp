// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/batches.hpp>

#include "../../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <vector>

namespace {

using jig::dyn, jig::index;
namespace detail = jig::detail;

template <class T>
T filled(T x, index seed) {
  for (auto& e : x) e = static_cast<typename T::value_type>((seed += 7) % 11 - 5);
  return x;
}

TEST_CASE("axes that all operands walk alike are one") {
  const jig::tensor<float, 2, 3, 4, 5> a, c;
  const jig::tensor<float, 3, 5, 4> b;
  const jig::tensor<float, 2, 3, 4, 4> out;
  const detail::batches same = detail::batches_of(out.view(), a.view(), c.view());
  CHECK(same.rank == 1);
  CHECK(same.extents[0] == 6);
  CHECK(same.steps[0] == detail::batch_steps{20, 20, 16});
  const detail::batches apart = detail::batches_of(out.view(), a.view(), b.view());
  CHECK(apart.rank == 2);
  CHECK(apart.steps[0] == detail::batch_steps{60, 0, 48});
  CHECK(apart.steps[1] == detail::batch_steps{20, 20, 16});
}

TEST_CASE("every product of all axes comes once, a long axis last") {
  detail::batches l{3, {20, 2, 3}, {{1000, 100, 60}, {7, 0, 30}, {1, 5, 10}}};
  detail::put_long_batch_last(l);
  CHECK(l.extents[2] == 20);
  CHECK(l.extents[0] == 3);
  std::vector<int> times(20 * 60);
  std::vector<float> a(30000), b(30000), c(1200);
  int wrong = 0;
  const detail::product<float> first{a.data(), 1, 1, b.data(), 1, 1, c.data(), 1, 1, 1, 1};
  detail::for_each_batch(first, l, [&](const detail::product<float>& p, const detail::batch_steps& steps, index count) {
    for (index i = 0; i < count; ++i) {
      const index to = p.c - c.data() + i * steps.c, x = to / 60, y = to / 30 % 2, z = to / 10 % 3;
      ++times[static_cast<std::size_t>(to)];
      wrong += p.a - a.data() + i * steps.a != 1000 * x + 7 * y + z || p.b - b.data() + i * steps.b != 100 * x + 5 * z;
    }
  });
  for (std::size_t i = 0; i < times.size(); ++i) wrong += times[i] != (i % 10 == 0);
  CHECK(wrong == 0);
}

TEST_CASE("threads share the first axis of several products, where these are worth it") {
  const detail::product<float> p{nullptr, 64, 1, nullptr, 64, 1, nullptr, 64, 64, 64, 64};
  CHECK(detail::shared_batch(p, {1, {100}, {}}) == -1);
  const jig::detail::parallel_runner_scope scope(&backwards);
  CHECK(detail::shared_batch(p, {1, {8}, {}}) == 0);
  CHECK(detail::shared_batch(p, {1, {7}, {}}) == -1);
  CHECK(detail::shared_batch(p, {3, {1, 4, 4}, {}}) == 1);
  CHECK(detail::shared_batch(p, {}) == -1);
  // Few large ones are shared one by one.
  const detail::product<float> large{nullptr, 256, 1, nullptr, 256, 1, nullptr, 256, 256, 256, 256};
  CHECK(detail::shared_batch(large, {1, {15}, {}}) == -1);
  CHECK(detail::shared_batch(large, {1, {16}, {}}) == 0);
}

TEST_CASE("batches have the same bits in parts, whatever comes behind them") {
  constexpr auto plain = jig::function([](auto x, auto y) { return jig::matmul(x, y); });
  constexpr auto more = jig::function([](auto x, auto y) { return jig::relu(jig::matmul(x, y, jig::transpose_b) * 2 - 7); });
  constexpr auto scores = jig::function([](auto x, auto y) { return jig::softmax(jig::matmul(x, y, jig::transpose_b)); });
  // Their number is known, a wildcard, of two axes, and one matrix serves several.
  check_shared(true, plain, filled(jig::tensor<float, 37, 40, 50>(), 1), filled(jig::tensor<float, 37, 50, 60>(), 2));
  check_shared(true, more, filled(jig::tensor<float, 37, 40, 50>(), 1), filled(jig::tensor<float, 37, 60, 50>(), 2));
  check_shared(true, scores, filled(jig::tensor<double, dyn, 40, 50>(index{45}), 1),
               filled(jig::tensor<double, dyn, 60, 50>(index{45}), 2));
  check_shared(true, plain, filled(jig::tensor<float, dyn, dyn, dyn>(70, 33, 47), 1),
               filled(jig::tensor<float, dyn, dyn, dyn>(70, 47, 41), 2));
  check_shared(true, more, filled(jig::tensor<float, 5, 9, 40, 50>(), 1), filled(jig::tensor<float, 9, 60, 50>(), 2));
  check_shared(true, plain, filled(jig::tensor<double, dyn, 4, 4>(index{70000}), 1),
               filled(jig::tensor<double, dyn, 4, 4>(index{70000}), 2));
  // Products of the heads of an attention lie between one another.
  constexpr auto attention = jig::function([](auto q, auto k) { return jig::dot_product_attention(q, k, k * 2); });
  check_shared(true, attention, filled(jig::tensor<float, 3, 128, 4, 40>(), 1), filled(jig::tensor<float, 3, 128, 4, 40>(), 2));
  check_shared(false, plain, filled(jig::tensor<float, 17, 40, 50>(), 1), filled(jig::tensor<float, 17, 50, 60>(), 2));
}

}  // namespace
