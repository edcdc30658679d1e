// SPDX-License-Identifier: MIT
#include <jig/passes/counted_positions.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <utility>

using jig::dyn, jig::spec;

namespace {

template <class F, class S>
constexpr bool counts(F f, S of) {
  const auto c = jig::function(f).get_concrete_function(of);
  return c.lowered_graph().count("DenseBincount") == 1 && c.lowered_graph().count("OneHot") == 0;
}
constexpr auto histogram = [](auto x) { return jig::reduce_sum<0>(jig::one_hot<10>(x)); };

static_assert(counts(histogram, spec<int, 100>()));
static_assert(counts(histogram, spec<std::uint8_t, dyn>()));
static_assert(counts([](auto x) { return jig::reduce_sum<-2, 0>(jig::one_hot<4, int>(x)); }, spec<std::int64_t, 3, dyn>()));
// Not along the rows themselves, of some axes, or with an axis that is kept.
static_assert(!counts([](auto x) { return jig::reduce_sum<1>(jig::one_hot<10>(x)); }, spec<int, 100>()));
static_assert(!counts([](auto x) { return jig::reduce_sum(jig::one_hot<10>(x)); }, spec<int, 100>()));
static_assert(!counts([](auto x) { return jig::reduce_sum<0>(jig::one_hot<10>(x)); }, spec<int, 3, 100>()));
static_assert(!counts([](auto x) { return jig::reduce_sum<0>(jig::one_hot<10>(x), jig::keepdims); }, spec<int, 100>()));
static_assert(!counts([](auto x) { return jig::reduce_sum<0>(jig::one_hot<10>(x)); }, spec<int>()));
static_assert(!counts([](auto x) { return jig::reduce_max<0>(jig::one_hot<10>(x)); }, spec<int, 100>()));

// Positions of all kinds, in range and out of it, beside a loop.
template <class I, class T, jig::index Depth>
int wrong(jig::index n) {
  jig::tensor<I, dyn> x(n);
  for (jig::index i = 0; i < n; ++i) x(i) = static_cast<I>(i % 7 == 0 ? i * 1000003 : i * 31 % (Depth + 4) - 2);
  if (n > 1) {
    x(0) = std::numeric_limits<I>::lowest();
    x(n - 1) = (std::numeric_limits<I>::max)();
  }
  const auto y = jig::function([](auto v) { return jig::reduce_sum<0>(jig::one_hot<Depth, T>(v)); })(x);
  int bad = 0;
  for (jig::index d = 0; d < Depth; ++d) {
    T count = 0;
    for (const I& e : x) count = static_cast<T>(count + (std::in_range<jig::index>(e) && static_cast<jig::index>(e) == d ? 1 : 0));
    bad += y(d) != count;
  }
  return bad;
}

}  // namespace

TEST_CASE("sums of rows with a one count positions") {
  for (const jig::index n : {0, 1, 2, 17, 100, 5000}) {
    CAPTURE(n);
    CHECK(wrong<int, float, 10>(n) == 0);
    CHECK(wrong<std::int8_t, int, 200>(n) == 0);
    CHECK(wrong<std::uint8_t, std::int64_t, 256>(n) == 0);
    CHECK(wrong<std::int64_t, double, 300>(n) == 0);
    CHECK(wrong<std::uint64_t, std::uint8_t, 3>(n) == 0);
  }
}
TEST_CASE("of computed positions, with a gradient beside them") {
  const jig::tensor<int, 6> x{0, 5, 3, 3, -1, 9};
  const auto y = jig::function([](auto v) { return jig::reduce_sum<0>(jig::one_hot<5, int>(v - 1)) * 2; })(x);
  for (int d = 0; d < 5; ++d) CHECK(y(d) == (d == 2 ? 4 : d == 4 ? 2 : 0));
  const auto g = jig::grad<0>(jig::function([](auto w, auto v) { return jig::reduce_sum(jig::reduce_sum<0>(jig::one_hot<5>(v)) * w); }))(
      jig::tensor<float, 5>{1, 1, 1, 1, 1}, x);
  CHECK(g(3) == 2);
  CHECK(g(0) == 1);
  CHECK(g(4) == 0);
}
