// SPDX-License-Identifier: MIT
#include <jig/eval/peak_workspace.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <tuple>

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
