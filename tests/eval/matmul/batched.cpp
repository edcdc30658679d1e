// SPDX-License-Identifier: MIT
#include <jig/eval/matmul/batched.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace {

template <class T, jig::index... E>
auto numbers(int seed) {
  auto x = jig::zeros<T, E...>();
  jig::index i = seed;
  for (auto& e : x) e = static_cast<T>((i += 7) % 11 - 5);
  return x;
}

using jig::detail::dense_batches, jig::dense_view;
template <jig::index... E>
using in = dense_view<const float, E...>;
// Small matrices, as many of each operand as of the result or one of it.
static_assert(dense_batches<false, false, dense_view<float, 7, 5, 6>, in<7, 5, 8>, in<7, 8, 6>>::exists);
static_assert(dense_batches<false, false, dense_view<float, 7, 5, 6>, in<5, 8>, in<7, 8, 6>>::exists);
static_assert(dense_batches<true, true, dense_view<float, 2, 3, 5, 6>, in<2, 3, 8, 5>, in<1, 1, 6, 8>>::exists);
static_assert(!dense_batches<false, false, dense_view<float, 2, 3, 5, 6>, in<2, 1, 5, 8>, in<2, 3, 8, 6>>::exists);
static_assert(!dense_batches<false, false, dense_view<float, jig::dyn, 5, 6>, in<jig::dyn, 5, 8>, in<8, 6>>::exists);
static_assert(!dense_batches<false, false, dense_view<float, 2, 500, 600>, in<2, 500, 800>, in<2, 800, 600>>::exists);
static_assert(!dense_batches<false, false, dense_view<float, 0, 5, 6>, in<0, 5, 8>, in<8, 6>>::exists);
static_assert(!dense_batches<false, false, dense_view<float, 5, 6>, in<5, 8>, in<8, 6>>::exists);

template <bool TransposeA, bool TransposeB, class A, class B>
void check(const A& a, const B& b) {
  using T = typename A::value_type;
  constexpr auto plain = jig::function([](auto x, auto y) {
    if constexpr (TransposeA && TransposeB) return jig::matmul(x, y, jig::transpose_a, jig::transpose_b);
    else if constexpr (TransposeA) return jig::matmul(x, y, jig::transpose_a);
    else if constexpr (TransposeB) return jig::matmul(x, y, jig::transpose_b);
    else return jig::matmul(x, y);
  });
  // The loop behind the product runs on its tiles.
  constexpr auto more = jig::function([](auto x, auto y) {
    auto product = [&] {
      if constexpr (TransposeA && TransposeB) return jig::matmul(x, y, jig::transpose_a, jig::transpose_b);
      else if constexpr (TransposeA) return jig::matmul(x, y, jig::transpose_a);
      else if constexpr (TransposeB) return jig::matmul(x, y, jig::transpose_b);
      else return jig::matmul(x, y);
    };
    return jig::maximum(product() * 2 - 7, 0);
  });
  const auto c = plain(a, b);
  const auto d = more(a, b);
  const jig::index rows = c.extent(c.rank() - 2), columns = c.extent(c.rank() - 1), each = rows * columns;
  const jig::index inner = a.extent(a.rank() - (TransposeA ? 2 : 1));
  const jig::index a_step = a.size() == rows * inner ? 0 : rows * inner, b_step = b.size() == inner * columns ? 0 : inner * columns;
  int wrong = 0;
  for (jig::index m = 0; m < c.size() / each; ++m)
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < columns; ++j) {
        T sum = 0;
        for (jig::index k = 0; k < inner; ++k)
          sum = static_cast<T>(sum + a.data()[m * a_step + (TransposeA ? k * rows + i : i * inner + k)] *
                                         b.data()[m * b_step + (TransposeB ? j * inner + k : k * columns + j)]);
        const auto twice = static_cast<T>(2 * sum - 7);
        wrong += c.data()[m * each + i * columns + j] != sum || d.data()[m * each + i * columns + j] != (twice > 0 ? twice : T());
      }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("batches of small matrices whose number the types tell") {
  check<false, false>(numbers<float, 1, 5, 5>(1), numbers<float, 1, 5, 5>(2));
  check<false, false>(numbers<float, 3, 5, 6>(1), numbers<float, 3, 6, 7>(2));
  check<false, false>(numbers<float, 3, 4, 4>(1), numbers<float, 4, 4>(2));
  check<false, false>(numbers<float, 4, 4>(1), numbers<float, 3, 4, 4>(2));
  check<true, false>(numbers<float, 9, 6, 5>(1), numbers<float, 9, 6, 8>(2));
  check<false, true>(numbers<double, 9, 6, 5>(1), numbers<double, 8, 5>(2));
  check<true, true>(numbers<double, 2, 3, 6, 5>(1), numbers<double, 2, 3, 8, 6>(2));
  check<false, true>(numbers<std::int32_t, 5, 7, 9>(1), numbers<std::int32_t, 5, 3, 9>(2));
  check<false, false>(numbers<float, 2, 1, 16, 16>(1), numbers<float, 2, 1, 16, 16>(2));
}
TEST_CASE("more results than are in the cache at a time") {
  check<false, false>(numbers<float, 700, 5, 5>(1), numbers<float, 700, 5, 5>(2));
  check<false, false>(numbers<float, 700, 2, 8>(1), numbers<float, 8, 6>(2));
}
TEST_CASE("many rows by one small matrix") {
  check<false, false>(numbers<float, 3, 40, 3>(1), numbers<float, 3, 3>(2));
  check<false, false>(numbers<float, 1, 40, 8>(1), numbers<float, 8, 8>(2));
}
TEST_CASE("batches of axes that only one operand has") {
  const auto a = numbers<float, 2, 1, 5, 6>(1);
  const auto b = numbers<float, 2, 3, 6, 4>(2);
  const auto c = jig::function([](auto x, auto y) { return jig::matmul(x, y); })(a, b);
  int wrong = 0;
  for (int p = 0; p < 2; ++p)
    for (int q = 0; q < 3; ++q)
      for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 4; ++j) {
          float sum = 0;
          for (int k = 0; k < 6; ++k) sum += a(p, 0, i, k) * b(p, q, k, j);
          wrong += c(p, q, i, j) != sum;
        }
  CHECK(wrong == 0);
}
