// SPDX-License-Identifier: MIT
#include <jig/eval/maths/polynomial.hpp>

#include "../../maths_checks.hpp"

namespace {

// Powers of 2 of a small whole number are exact, so every order of the terms gives the same.
template <class T, std::size_t N>
void check_polynomial() {
  using batch = jig::simd::batch<T>;
  T c[N];
  for (std::size_t k = 0; k < N; ++k) c[k] = static_cast<T>(static_cast<int>(k * 5 % 7) - 3);
  for (const T x : {T(0), T(1), T(-1), T(2), T(-0.5)}) {
    CAPTURE(N);
    CAPTURE(x);
    T sum = 0;
    for (std::size_t k = 0; k < N; ++k) sum = sum * x + c[k];
    CHECK(jig::maths::polynomial(batch(x), c).get(0) == sum);
    // x + x³ P(x²)
    T of_square = 0;
    for (std::size_t k = 0; k < N; ++k) of_square = of_square * (x * x) + c[k];
    if (N < 9) CHECK(jig::maths::odd_polynomial(batch(x), batch(x * x), c).get(0) == x + x * x * x * of_square);
  }
}
template <class T, std::size_t... N>
void check_lengths(std::index_sequence<N...>) {
  (check_polynomial<T, N + 1>(), ...);
}

}  // namespace

TEST_CASE_TEMPLATE("polynomials of every length that is summed in another way", T, float, double) {
  check_lengths<T>(std::make_index_sequence<20>());
}
TEST_CASE_TEMPLATE("what is no number or infinite stays so", T, float, double) {
  using batch = jig::simd::batch<T>;
  const T c[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  CHECK(std::isnan(jig::maths::polynomial(batch(jig::maths::not_a_number<batch>), c).get(0)));
  CHECK(jig::maths::polynomial(batch(jig::maths::infinity<batch>), c).get(0) == jig::maths::infinity<batch>);
}
