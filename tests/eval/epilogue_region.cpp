// SPDX-License-Identifier: MIT
#include <jig/eval/epilogue_region.hpp>

#include <jig.hpp>
#include <jig/runtime/any_tensor.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace {

using jig::dyn;
using jig::detail::tile_walk;

template <class F, class... E>
using program_of = jig::program<jig::trace<F, "f", E...>, static_cast<char>(sizeof(E) > 0)...>;
template <class P>
constexpr tile_walk walk_of = jig::detail::epilogue_region<P, 0>::walk;
template <class P>
constexpr bool is_epilogue = P::plan.size.regions == 1 && P::region(0).kind == jig::region_kind::epilogue;

using layer = decltype([](auto x, auto w, auto b) { return jig::relu(jig::matmul(x, w) + b); });
using layer_and_residual = decltype([](auto x, auto w, auto b, auto r) { return jig::maximum(jig::matmul(x, w) * 2 + b, -3) - r; });

using arranged = decltype([](auto p, auto v, auto x) { return jig::relu(jig::einsum<"bhqk,bkhd->bqhd">(p, v) + x); });

// Small integers: every order of summation gives the same.
template <class Tensor>
void fill(Tensor& t, int seed) {
  for (jig::index i = 0; i < t.size(); ++i)
    t.data()[i] = static_cast<std::remove_reference_t<decltype(t.data()[0])>>((i * 7 + seed) % 5 - 2);
}
template <class T, std::size_t Rank>
auto numbers(const std::array<jig::index, Rank>& e, int seed) {
  auto t = [&]<std::size_t... A>(std::index_sequence<A...>) {
    return jig::tensor<T, (static_cast<void>(A), dyn)...>(e[A]...);
  }(std::make_index_sequence<Rank>());
  fill(t, seed);
  return t;
}

// An element of a dense tensor of any extents, broadcast to a place of a space with `rank` axes.
template <class Tensor>
auto element(const Tensor& t, const jig::index* place, int rank) {
  jig::index at = 0;
  for (int a = 0; a < t.rank(); ++a) at = at * t.extent(a) + (t.extent(a) == 1 ? 0 : place[rank - t.rank() + a]);
  return t.data()[at];
}
// What the layer with a residual computes, place by place.
template <class Out, class X, class W, class B, class R>
bool is_layer(const Out& out, const X& x, const W& w, const B& b, const R& r) {
  using T = std::remove_cvref_t<decltype(out.data()[0])>;
  const int rank = out.rank();
  jig::index place[jig::max_rank] = {};
  for (jig::index i = 0; i < out.size(); ++i) {
    for (jig::index a = rank, rest = i; a-- > 0; rest /= out.extent(static_cast<int>(a))) place[a] = rest % out.extent(static_cast<int>(a));
    jig::index in_x[jig::max_rank], in_w[jig::max_rank];
    std::copy(place, place + rank, in_x);
    std::copy(place, place + rank, in_w);
    T sum = 0;
    for (jig::index k = 0; k < x.extent(x.rank() - 1); ++k) {
      in_x[rank - 1] = in_w[rank - 2] = k;
      sum = static_cast<T>(sum + element(x, in_x, rank) * element(w, in_w, rank));
    }
    T y = static_cast<T>(sum * 2 + element(b, place, rank));
    y = static_cast<T>((y > -3 ? y : T(-3)) - element(r, place, rank));
    if (out.data()[i] != y) return false;
  }
  return true;
}

// Compiled for wildcards, and interpreted.
template <class T, class X, class W, class B, class R>
void check_both(const X& x, const W& w, const B& b, const R& r) {
  constexpr auto f = jig::function(layer_and_residual());
  CHECK(is_layer(f(x, w, b, r), x, w, b, r));
  const jig::any_tensor given = f(jig::any_tensor(x), jig::any_tensor(w), jig::any_tensor(b), jig::any_tensor(r));
  const auto out = f(x, w, b, r);
  REQUIRE(given.shape() == out.shape());
  CHECK(std::equal(out.data(), out.data() + out.size(), static_cast<const T*>(given.data())));
}

}  // namespace

TEST_CASE("a loop behind a product of any rank is part of it where it reads what lies along its axes") {
  using x3 = jig::spec<float, dyn, 40, 30>;
  using w3 = jig::spec<float, dyn, 30, 100>;
  static_assert(is_epilogue<program_of<layer, x3, w3, jig::spec<float, 100>>>);
  static_assert(is_epilogue<program_of<layer, x3, w3, jig::spec<float, 40, 1>>>);
  static_assert(is_epilogue<program_of<layer, x3, w3, jig::spec<float, dyn, 1, 100>>>);
  static_assert(is_epilogue<program_of<layer, jig::spec<float, 2, 3, 40, 30>, jig::spec<float, 30, 100>, jig::spec<float, 2, 1, 40, 100>>>);
  // A result that is larger than the product.
  static_assert(!is_epilogue<program_of<layer, jig::spec<float, 90, 30>, jig::spec<float, 30, 100>, jig::spec<float, 5, 90, 100>>>);
  // A tile of a few elements is in the cache anyway.
  static_assert(!is_epilogue<program_of<layer, jig::spec<float, 4, 8, 30>, jig::spec<float, 30, 128>, jig::spec<float, 128>>>);
  static_assert(is_epilogue<program_of<layer, jig::spec<float, 4, 8, 30>, jig::spec<float, 30, 129>, jig::spec<float, 129>>>);
}

TEST_CASE("rows of a few registers run many at a time, rows of other lengths one by one") {
  constexpr jig::index lanes = jig::simd::lanes<float>;
  using x = jig::spec<float, dyn, 30>;
  static_assert(walk_of<program_of<layer, x, jig::spec<float, 30, 4 * lanes>, jig::spec<float, 4 * lanes>>> == tile_walk::rows);
  static_assert(walk_of<program_of<layer, x, jig::spec<float, 30, 4 * lanes - 2>, jig::spec<float, 4 * lanes - 2>>> != tile_walk::behind);
  static_assert(walk_of<program_of<layer, x, jig::spec<float, 30, 2>, jig::spec<float, 2>>> == tile_walk::nest);
  static_assert(walk_of<program_of<layer, jig::spec<float, dyn, 40>, jig::spec<float, 40, 1>, jig::spec<float, 1>>> == tile_walk::behind);
  static_assert(walk_of<program_of<layer, x, jig::spec<float, 30, dyn>, jig::spec<float, dyn>>> == tile_walk::rows);
  // Nothing takes rows together that lie apart, or where an operand has rows for some axes only.
  using x3 = jig::spec<float, dyn, 8, 30>;
  using mixed = jig::spec<float, dyn, 1, 1>;
  static_assert(walk_of<program_of<layer, x3, jig::spec<float, 30, 2 * lanes - 1>, mixed>> == tile_walk::behind);
  static_assert(walk_of<program_of<layer, x3, jig::spec<float, 30, 2 * lanes>, mixed>> == tile_walk::rows);
  static_assert(
      walk_of<program_of<arranged, jig::spec<float, dyn, 8, 40, 30>, jig::spec<float, dyn, 30, 8, lanes>, jig::spec<float, lanes>>> ==
      tile_walk::behind);
}

TEST_CASE("static extents, with few columns and many") {
  constexpr auto f = jig::function(layer_and_residual());
  const auto check = [&]<jig::index M, jig::index N>(std::integral_constant<jig::index, M>, std::integral_constant<jig::index, N>) {
    CAPTURE(M);
    CAPTURE(N);
    jig::tensor<float, dyn, 7> x(M);
    jig::tensor<float, 7, N> w;
    jig::tensor<float, N> b;
    jig::tensor<float, dyn, N> r(M);
    fill(x, 1);
    fill(w, 2);
    fill(b, 3);
    fill(r, 4);
    CHECK(is_layer(f(x, w, b, r), x, w, b, r));
    jig::tensor<float, 3, M, 7> x3;
    jig::tensor<float, 3, 1, N> b3;
    fill(x3, 5);
    fill(b3, 6);
    CHECK(is_layer(f(x3, w, b3, b), x3, w, b3, b));
    // On top of an operand of the loop.
    auto y = r;
    f.into(y, x, w, b, y);
    CHECK(is_layer(y, x, w, b, r));
  };
  const auto with_rows = [&]<jig::index M>(std::integral_constant<jig::index, M> m) {
    check(m, std::integral_constant<jig::index, 1>());
    check(m, std::integral_constant<jig::index, 3>());
    check(m, std::integral_constant<jig::index, 10>());
    check(m, std::integral_constant<jig::index, 31>());
    check(m, std::integral_constant<jig::index, 70>());
  };
  with_rows(std::integral_constant<jig::index, 1>());
  with_rows(std::integral_constant<jig::index, 90>());
}

TEST_CASE_TEMPLATE("batches of rank 3, with what lies along any of the axes", T, float, double, std::int32_t) {
  for (auto [batch, m, k, n] : {std::tuple(1, 1, 1, 1), std::tuple(0, 3, 2, 4), std::tuple(3, 0, 2, 4), std::tuple(3, 2, 0, 4),
                                std::tuple(3, 2, 4, 0), std::tuple(5, 3, 4, 2), std::tuple(3, 17, 9, 33), std::tuple(70, 4, 4, 4),
                                std::tuple(2, 70, 40, 65), std::tuple(200, 1, 6, 5), std::tuple(3, 9, 5, 530)}) {
    CAPTURE(batch);
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    const auto x = numbers<T, 3>({batch, m, k}, 1), w = numbers<T, 3>({batch, k, n}, 2), r = numbers<T, 3>({batch, m, n}, 3);
    check_both<T>(x, w, numbers<T, 1>({n}, 4), r);
    check_both<T>(x, w, numbers<T, 2>({m, n}, 4), r);
    check_both<T>(x, numbers<T, 2>({k, n}, 2), numbers<T, 1>({n}, 4), numbers<T, 2>({m, 1}, 5));
    check_both<T>(x, w, numbers<T, 3>({batch, 1, 1}, 4), numbers<T, 3>({batch, 1, n}, 6));
    check_both<T>(numbers<T, 2>({m, k}, 7), w, numbers<T, 3>({1, m, n}, 4), numbers<T, 3>({batch, m, 1}, 6));
  }
}

TEST_CASE("batches of rank 4") {
  for (auto [a, b, m, k, n] :
       {std::tuple(2, 3, 4, 5, 6), std::tuple(20, 2, 3, 4, 5), std::tuple(2, 3, 40, 17, 33), std::tuple(1, 5, 50, 3, 70)}) {
    CAPTURE(m);
    const auto x = numbers<float, 4>({a, b, m, k}, 1), w = numbers<float, 4>({a, b, k, n}, 2), r = numbers<float, 4>({a, b, m, n}, 3);
    check_both<float>(x, w, numbers<float, 1>({n}, 4), r);
    check_both<float>(x, w, numbers<float, 3>({b, 1, n}, 4), numbers<float, 4>({a, 1, m, n}, 5));
    check_both<float>(x, numbers<float, 4>({1, b, k, n}, 2), numbers<float, 4>({a, b, 1, 1}, 4), numbers<float, 4>({a, 1, m, 1}, 5));
    check_both<float>(numbers<float, 4>({a, 1, m, k}, 1), w, numbers<float, 2>({m, n}, 4), numbers<float, 4>({1, 1, 1, n}, 5));
  }
}

TEST_CASE("products whose axes come in another order: a rectangle's rows do not follow one another") {
  constexpr auto f = jig::function(arranged());
  for (auto [b, h, q, k, d] : {std::tuple(2, 3, 5, 4, 6), std::tuple(3, 8, 40, 30, 64), std::tuple(1, 4, 70, 9, 33),
                               std::tuple(2, 1, 9, 5, 7), std::tuple(2, 3, 1, 5, 70)}) {
    CAPTURE(q);
    const auto p = numbers<float, 4>({b, h, q, k}, 1), v = numbers<float, 4>({b, k, h, d}, 2);
    for (const auto& x : {numbers<float, 4>({b, q, h, d}, 3), numbers<float, 4>({1, q, 1, d}, 4), numbers<float, 4>({b, 1, h, 1}, 5)}) {
      const auto y = f(p, v, x);
      bool same = true;
      for (jig::index i = 0; i < y.size(); ++i) {
        const jig::index place[] = {i / (q * h * d), i / (h * d) % q, i / d % h, i % d};
        float sum = 0;
        for (jig::index j = 0; j < k; ++j) sum += p(place[0], place[2], place[1], j) * v(place[0], j, place[2], place[3]);
        sum += element(x, place, 4);
        same = same && y.data()[i] == (sum > 0 ? sum : 0);
      }
      CHECK(same);
    }
  }
  using with_static = program_of<arranged, jig::spec<float, dyn, 8, 40, 30>, jig::spec<float, dyn, 30, 8, 64>, jig::spec<float, 64>>;
  constexpr int last = with_static::plan.size.regions - 1;
  static_assert(last >= 0 && with_static::region(last < 0 ? 0 : last).kind == jig::region_kind::epilogue);
}

TEST_CASE("storage dtypes are rounded once the sum is complete") {
  constexpr auto f = jig::function([](auto x, auto w, auto b) { return jig::relu(jig::matmul(x, w) + b); });
  const auto x = numbers<jig::half, 3>({3, 20, 30}, 1), w = numbers<jig::half, 3>({3, 30, 90}, 2);
  const auto b = numbers<jig::half, 1>({90}, 3);
  const auto y = f(x, w, b);
  bool same = true;
  for (jig::index i = 0; i < y.size(); ++i) {
    float sum = 0;
    for (jig::index k = 0; k < 30; ++k) sum += static_cast<float>(x(i / 1800, i / 90 % 20, k)) * static_cast<float>(w(i / 1800, k, i % 90));
    sum += static_cast<float>(b(i % 90));
    same = same && static_cast<float>(y.data()[i]) == (sum > 0 ? sum : 0);
  }
  CHECK(same);
}
