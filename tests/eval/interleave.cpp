// SPDX-License-Identifier: MIT
#include <jig/eval/interleave.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

template <class T, int N>
void check_groups() {
  using B = jig::simd::batch<T>;
  constexpr int width = static_cast<int>(B::size);
  INFO("groups of ", N);
  T from[N * width];
  for (int i = 0; i < N * width; ++i) from[i] = static_cast<T>(i % 127);
  B x[N];
  for (int r = 0; r < N; ++r) x[r] = B::load_unaligned(from + r * width);
  jig::simd::deinterleave<N>(x);
  bool apart = true;
  for (int k = 0; k < N; ++k) {
    T lane[width];
    x[k].store_unaligned(lane);
    for (int i = 0; i < width; ++i) apart = apart && lane[i] == from[i * N + k];
  }
  CHECK(apart);
  jig::simd::interleave_groups<N>(x);
  bool together = true;
  for (int r = 0; r < N; ++r) {
    T lane[width];
    x[r].store_unaligned(lane);
    for (int i = 0; i < width; ++i) together = together && lane[i] == from[r * width + i];
  }
  CHECK(together);
}

template <class T, int... N>
void check_all(std::integer_sequence<int, N...>) {
  (check_groups<T, N + 1>(), ...);
}

}  // namespace

TEST_CASE_TEMPLATE("groups of elements taken apart and put together", T, float, double, std::int32_t, std::uint64_t) {
  check_all<T>(std::make_integer_sequence<int, 10>());
}

TEST_CASE("of a group's registers only the first ones") {
  using B = jig::simd::batch<float>;
  constexpr int width = static_cast<int>(B::size);
  const auto plus = [](const B& a, const B& b) { return a + b; };
  B x[width];
  for (int r = 0; r < width; ++r) x[r] = B(static_cast<float>(r + 1));
  const B all = jig::simd::combine_groups<width>(x, plus);
  const B one = jig::simd::combine_groups<width, 1>(x, plus), three = jig::simd::combine_groups<width, 3>(x, plus);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(all.get(i) == static_cast<float>(width) * static_cast<float>(i + 1));
    CHECK(three.get(i) == all.get(i));
  }
  CHECK(one.get(0) == all.get(0));
}

namespace {

// What order the lanes are combined in, and which is on the left, tells 2 a - b.
template <class T>
void check_folds() {
  using B = jig::simd::batch<T>;
  constexpr int width = static_cast<int>(B::size);
  const auto combine = [](const B& a, const B& b) { return a + a - b; };
  B x[width];
  T expected[width], lane[width];
  for (int r = 0; r < width; ++r) {
    T from[width];
    for (int i = 0; i < width; ++i) from[i] = static_cast<T>((r * 7 + i * 5) % 11);
    x[r] = B::load_unaligned(from);
    for (int half = width / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) from[i] = static_cast<T>(from[i] + from[i] - from[i + half]);
    expected[r] = from[0];
  }
  jig::simd::fold_each(x, combine).store_unaligned(lane);
  bool same = true, as_fold = true;
  for (int r = 0; r < width; ++r) {
    same = same && lane[r] == expected[r];
    as_fold = as_fold && lane[r] == jig::simd::fold<width>(x[r], combine);
  }
  CHECK(same);
  CHECK(as_fold);
}

}  // namespace

TEST_CASE_TEMPLATE("as many registers as they have lanes are folded at once, each as it is alone", T, float, double, std::int32_t,
                   std::uint8_t) {
  check_folds<T>();
}
