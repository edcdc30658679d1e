// SPDX-License-Identifier: MIT
#include <jig/eval/peak_workspace.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <tuple>
#include <vector>

namespace {

template <class... Spec>
constexpr jig::index workspace(auto f, Spec... specs) {
  return jig::peak_workspace(jig::graph_of(f, specs...));
}
template <jig::index N>
using square = jig::spec<float, N, N>;

// The product is stored for two sums.
constexpr auto sums = [](auto x, auto w) {
  auto y = jig::matmul(x, w);
  return std::tuple(jig::reduce_sum<0>(y), jig::reduce_sum<1>(y));
};

constexpr auto reversed = [](auto x, auto n) {
  for (auto i : jig::range(n / 2)) {
    auto last = x[n - 1 - i];
    x[n - 1 - i] = x[i];
    x[i] = last;
  }
  return x;
};
constexpr auto transposed = [](auto x, auto n) {
  for (auto i : jig::range(n))
    for (auto j : jig::range(i)) {
      auto other = x(i, j);
      x(i, j) = x(j, i);
      x(j, i) = other;
    }
  return x;
};
// What the trip found is read behind the first change.
constexpr auto shifted = [](auto x, auto n) {
  for (auto i : jig::range(n - 1)) {
    auto old = x;
    x[i] = x[i + 1];
    x[i + 1] = old[i] + jig::reduce_max(old);
  }
  return x;
};
// The second position may be out of range.
constexpr auto put_twice = jig::function([](auto& v, auto i) {
  auto x = v.read();
  x[0] = -1;
  x[i] = -1;
  v.assign(x);
});

}  // namespace

TEST_CASE("loops and what they write into results need none") {
  static_assert(workspace([](auto x) { return jig::tanh(x) * 2; }, square<64>()) == 0);
  static_assert(workspace([](auto x, auto w) { return jig::matmul(x, w); }, square<64>(), square<64>()) == 0);
}

TEST_CASE("what is stored in between counts, up to full alignments") {
  static_assert(workspace(sums, square<4>(), square<4>()) == 64);
  static_assert(workspace(sums, square<5>(), square<5>()) == 128);  // 100 bytes
  static_assert(workspace(sums, square<64>(), square<64>()) == 64 * 64 * 4);
}

TEST_CASE("it is unknown where an extent is") { static_assert(workspace(sums, jig::spec<float, jig::dyn, 4>(), square<4>()) == -1); }

TEST_CASE("of branches the larger one counts") {
  constexpr auto branch = [](auto x, auto w) {
    auto z = jig::reduce_sum<0>(x);
    JIG_IF(jig::reduce_sum(w) > 0) {
      auto [a, b] = sums(x, w);
      z = a + b;
    }
    return z;
  };
  constexpr jig::index with = workspace(branch, square<64>(), square<64>());
  static_assert(with >= 64 * 64 * 4 && with < 2 * 64 * 64 * 4);
}

TEST_CASE("a loop that changes several elements in a trip changes them in place") {
  static_assert(workspace(reversed, jig::spec<int, 300>(), jig::spec<int>()) < 1200);
  static_assert(workspace(transposed, jig::spec<int, 20, 20>(), jig::spec<int>()) < 1600);
  static constexpr auto reverse = jig::function(reversed);
  static constexpr auto transpose = jig::function(transposed);
  static constexpr auto shift = jig::function(shifted);
  for (int n : {0, 1, 2, 3, 7, 17, 129}) {
    std::vector<int> x(static_cast<std::size_t>(n)), backwards, moved;
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = i * 37 % 101;
    backwards = moved = x;
    std::reverse(backwards.begin(), backwards.end());
    for (std::size_t i = 0; i + 1 < moved.size(); ++i) {
      const int before = moved[i], most = *std::max_element(moved.begin(), moved.end());
      moved[i] = moved[i + 1];
      // Sums wrap around, which int must not.
      moved[i + 1] = static_cast<int>(static_cast<unsigned>(before) + static_cast<unsigned>(most));
    }
    const auto apart = reverse(x, n), shifts = shift(x, n);
    CHECK(std::equal(apart.begin(), apart.end(), backwards.begin()));
    CHECK(std::equal(shifts.begin(), shifts.end(), moved.begin()));
    reverse.into(x, x, n);
    CHECK(x == backwards);
  }
  for (int n : {0, 1, 2, 9}) {
    jig::tensor<int, jig::dyn, jig::dyn> m(n, n);
    for (int i = 0; i < n * n; ++i) m.data()[i] = i;
    const auto y = transpose(m, n);
    int wrong = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wrong += y(i, j) != m(j, i);
    CHECK(wrong == 0);
  }
}

TEST_CASE("a variable keeps its value where the second of two changes throws") {
  jig::variable<int, 40> v;
  CHECK_THROWS_AS(put_twice(v, 40), jig::invalid_argument);
  for (int i = 0; i < 40; ++i) CHECK(v.value()(i) == 0);
  put_twice(v, 39);
  CHECK(v.value()(0) == -1);
  CHECK(v.value()(39) == -1);
}
