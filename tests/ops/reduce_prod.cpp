// SPDX-License-Identifier: MIT
#include <jig/ops/reduce_prod.hpp>

#include "check_gradients.hpp"

namespace {

using vector = jig::tensor<double, 5>;

template <class T, jig::index N>
void check_product() {
  static constexpr auto gradient = jig::grad(jig::function([](const auto& x) { return jig::reduce_prod(x); }));
  for (jig::index zeros = 0; zeros <= 2 && zeros <= N; ++zeros) {
    jig::tensor<T, N> x;
    for (jig::index i = 0; i < N; ++i) x(i) = T(0.5) + static_cast<T>(i * 7 % 16) / 16;
    if (zeros > 0) x(N - 1) = 0;
    if (zeros > 1) x(N / 2 - 1) = T(-0.0);
    std::vector<T> expected;
    for (jig::index i = 0; i < N; ++i) {
      T product = 1;
      for (jig::index k = 0; k < N; ++k) product *= k == i ? T(1) : x(k);
      expected.push_back(product);
    }
    auto right = [&](const auto& g) {
      bool all = true;
      for (jig::index i = 0; i < N; ++i) {
        const T e = expected[static_cast<std::size_t>(i)];
        all = all && std::abs(g(i) - e) <= T(1e-5) * std::abs(e);
      }
      return all;
    };
    CAPTURE(N);
    CAPTURE(zeros);
    CHECK(right(gradient(x)));
    gradient.into(x, x);
    CHECK(right(x));
  }
}

}  // namespace

TEST_CASE("products along axes and of all elements") {
  const jig::tensor<int, 2, 3> x{{2, 3, -4}, {5, 1, 7}};
  const auto along = jig::function([](auto y) { return std::tuple(jig::reduce_prod<0>(y), jig::reduce_prod<-1>(y, jig::keepdims)); });
  const auto [columns, rows] = along(x);
  CHECK((columns(0) == 10 && columns(1) == 3 && columns(2) == -28));
  CHECK((rows(0, 0) == -24 && rows(1, 0) == 35));
  CHECK(jig::reduce_prod(x)() == -840);
  CHECK(jig::reduce_prod(jig::tensor<float, jig::dyn>(jig::uninitialized, jig::shape{1, {0}}))() == 1);
  CHECK(jig::reduce_prod(std::vector<std::uint8_t>{16, 17})() == 16);  // wraps
}

TEST_CASE("gradients of products with zeros") {
  // Products with one zero and with two.
  check_gradients([](auto x) { return jig::reduce_prod<1>(x); }, jig::tensor<double, 3, 3>{{2, 0, 3}, {0, 4, 0}, {1, 2, 3}});
  // All elements are few: also of the gradient, with no zero and with up to three.
  constexpr auto others = [](auto x) { return jig::gradient(jig::reduce_prod(x * 1.5, jig::keepdims), x); };
  check_gradients(others, numbers<vector>(-1.5, 2));
  for (const auto& x : {vector{2, 0, 3, -1, 0.5}, vector{0, 2, 0, -1.5, 4}, vector{0, 1.5, 0, 3, 0}}) check_gradients(others, x);
  check_gradients([](auto x) { return jig::reduce_prod(x); }, jig::tensor<double, 2, 3>{{2, 0, 3}, {1, 4, -2}});
}

TEST_CASE("the gradient of a product is that of the other elements") {
  [&]<jig::index... N>(std::integer_sequence<jig::index, N...>) {
    ((check_product<float, N>(), check_product<double, N>()), ...);
  }(std::integer_sequence<jig::index, 2, 3, 8, 9, 10, 16, 17>());
  const jig::tensor<jig::half, 3> x{jig::half(2.f), jig::half(3.f), jig::half(0.5f)};
  const auto g = jig::grad(jig::function([](const auto& y) { return jig::reduce_prod(y); }))(x);
  CHECK((float(g(0)) == 1.5f && float(g(1)) == 1 && float(g(2)) == 6));
}
