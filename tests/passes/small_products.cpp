// SPDX-License-Identifier: MIT
#include <jig/passes/small_products.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

using jig::dyn, jig::spec;

namespace {

// Whether a product is made of elementwise ones in the graph that runs.
template <class F, class... S>
constexpr bool is_loop(F f, S... specs) {
  const auto c = jig::function(f).get_concrete_function(specs...);
  return c.lowered_graph().count("BatchMatMulV2") + c.lowered_graph().count("MatMul") == 0 && c.lowered_graph().count("Mul") > 1;
}
constexpr auto product = [](auto a, auto b) { return jig::matmul(a, b); };
constexpr auto turned = [](auto a, auto b) { return jig::matmul(a, b, jig::transpose_a, jig::transpose_b); };

static_assert(is_loop(product, spec<float, 50, 2, 2>(), spec<float, 50, 2, 2>()));
static_assert(is_loop(product, spec<float, 1, 2, 2>(), spec<float, 2, 2>()));
static_assert(is_loop(product, spec<float, dyn, 3, 3>(), spec<float, dyn, 3, 3>()));
static_assert(is_loop(turned, spec<float, 4, 3>(), spec<float, dyn, 3, 4>()));
static_assert(is_loop(product, spec<std::int16_t, 9, 3, 4>(), spec<std::int16_t, 4, 4>()));
// Two to four rows, columns and numbers in a sum, up to twelve results.
static_assert(!is_loop(product, spec<float, 50, 4, 2>(), spec<float, 50, 2, 4>()));
static_assert(is_loop(product, spec<float, 50, 4, 2>(), spec<float, 50, 2, 3>()));
static_assert(!is_loop(product, spec<float, 50, 2, 5>(), spec<float, 50, 5, 2>()));
static_assert(!is_loop(product, spec<float, 50, 5, 2>(), spec<float, 50, 2, 2>()));
static_assert(!is_loop(product, spec<float, 50, 2, 2>(), spec<float, 50, 2, 5>()));
static_assert(!is_loop(product, spec<float, 50, 1, 2>(), spec<float, 50, 2, 2>()));
static_assert(!is_loop(product, spec<float, 50, 2, 1>(), spec<float, 50, 1, 2>()));
// Of 8 bytes four or eight results.
static_assert(is_loop(product, spec<double, 50, 2, 3>(), spec<double, 50, 3, 2>()));
static_assert(is_loop(product, spec<double, 50, 2, 3>(), spec<double, 50, 3, 4>()));
static_assert(!is_loop(product, spec<double, 50, 3, 3>(), spec<double, 50, 3, 3>()));
static_assert(!is_loop(product, spec<std::int64_t, 50, 3, 2>(), spec<std::int64_t, 50, 2, 2>()));
// One matrix has a kernel of its own; half precision rounds once, at the end of a sum; and what only the call knows is checked there.
static_assert(!is_loop(product, spec<float, 2, 2>(), spec<float, 2, 2>()));
static_assert(!is_loop(product, spec<jig::half, 50, 2, 2>(), spec<jig::half, 50, 2, 2>()));
static_assert(!is_loop(product, spec<float, 50, 2, dyn>(), spec<float, 50, 2, 2>()));
static_assert(!is_loop(product, spec<float, 50, 2, 2>(), spec<float, 50, dyn, 2>()));
static_assert(!is_loop(turned, spec<float, 50, 2, 2>(), spec<float, 50, 2, dyn>()));
static_assert(!is_loop(product, spec<float, 50, dyn, 2>(), spec<float, 50, 2, 2>()));

template <class T, jig::index... E, class... N>
auto numbers(int seed, N... n) {
  auto x = jig::zeros<T, E...>(n...);
  jig::index i = seed;
  for (auto& e : x) e = static_cast<T>((i += 7) % 11 - 5);
  return x;
}

// Whole numbers, so that sums are exact in any order. `a` and `b` are batches of so many matrices, or of one for all.
template <class Out, class A, class B>
int wrong(const Out& out, const A& a, const B& b, bool ta, bool tb) {
  const jig::index rows = out.extent(out.rank() - 2), columns = out.extent(out.rank() - 1), each = rows * columns;
  const jig::index inner = a.extent(a.rank() - (ta ? 2 : 1)), count = each == 0 ? 0 : out.size() / each;
  const jig::index a_step = a.size() == rows * inner ? 0 : rows * inner, b_step = b.size() == inner * columns ? 0 : inner * columns;
  int bad = 0;
  for (jig::index m = 0; m < count; ++m)
    for (jig::index i = 0; i < rows; ++i)
      for (jig::index j = 0; j < columns; ++j) {
        typename Out::value_type sum = 0;
        for (jig::index k = 0; k < inner; ++k)
          sum = static_cast<typename Out::value_type>(sum + a.data()[m * a_step + (ta ? k * rows + i : i * inner + k)] *
                                                                b.data()[m * b_step + (tb ? j * inner + k : k * columns + j)]);
        bad += out.data()[m * each + i * columns + j] != sum;
      }
  return bad;
}

template <class T, jig::index Batch, jig::index M, jig::index K, jig::index N>
void check(jig::index n) {
  const auto filled = [&]<jig::index... E>(int seed, std::integer_sequence<jig::index, E...>) {
    if constexpr (Batch == dyn) return numbers<T, Batch, E...>(seed, n);
    else return numbers<T, Batch, E...>(seed);
  };
  const auto a = filled(1, std::integer_sequence<jig::index, M, K>());
  const auto b = filled(2, std::integer_sequence<jig::index, K, N>());
  const auto at = filled(3, std::integer_sequence<jig::index, K, M>());
  const auto bt = filled(4, std::integer_sequence<jig::index, N, K>());
  const auto one_a = numbers<T, M, K>(5);
  const auto one_b = numbers<T, K, N>(6);
  const auto first = numbers<T, 1, M, K>(7);
  const auto by_turned_b = [](auto x, auto y) { return jig::matmul(x, y, jig::transpose_b); };
  CHECK(wrong(jig::function(product)(a, b), a, b, false, false) == 0);
  CHECK(wrong(jig::function(product)(one_a, b), one_a, b, false, false) == 0);
  CHECK(wrong(jig::function(product)(a, one_b), a, one_b, false, false) == 0);
  CHECK(wrong(jig::function(product)(first, b), first, b, false, false) == 0);
  CHECK(wrong(jig::function(turned)(at, bt), at, bt, true, true) == 0);
  CHECK(wrong(jig::function(by_turned_b)(a, bt), a, bt, false, true) == 0);
}

}  // namespace

TEST_CASE("small products beside loops") {
  for (const jig::index n : {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33, 129}) {
    check<float, dyn, 2, 2, 2>(n);
    check<float, dyn, 3, 4, 3>(n);
    check<double, dyn, 2, 3, 4>(n);
  }
  check<float, 1, 2, 2, 2>(1);
  check<float, 21, 3, 3, 3>(21);
  check<std::int32_t, 21, 2, 4, 3>(21);
  check<std::uint8_t, 67, 3, 2, 2>(67);
}

TEST_CASE("batches of two axes, each of which one operand may lack") {
  const auto a = numbers<float, 5, 1, 2, 3>(1);
  const auto b = numbers<float, 7, 3, 2>(2);
  const auto y = jig::function(product)(a, b);
  int bad = 0;
  for (int p = 0; p < 5; ++p)
    for (int q = 0; q < 7; ++q)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          float sum = 0;
          for (int k = 0; k < 3; ++k) sum += a(p, 0, i, k) * b(q, k, j);
          bad += y(p, q, i, j) != sum;
        }
  CHECK(bad == 0);
}

TEST_CASE("a covariance that is carried on, and its result where the argument lies") {
  constexpr auto predict = [](auto f, auto p, auto q) { return jig::matmul(jig::matmul(f, p), f, jig::transpose_b) + q; };
  const auto f = numbers<float, 2, 2>(1), q = numbers<float, 2, 2>(3);
  auto p = numbers<float, 37, 2, 2>(2);
  const auto before = p;
  jig::function(predict).into(p, f, p, q);
  int bad = 0;
  for (int m = 0; m < 37; ++m)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        float sum = q(i, j);
        for (int k = 0; k < 2; ++k)
          for (int l = 0; l < 2; ++l) sum += f(i, k) * before(m, k, l) * f(j, l);
        bad += p(m, i, j) != sum;
      }
  CHECK(bad == 0);
}

TEST_CASE("operands at strides, and ones that are computed") {
  std::vector<float> memory(200);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i * 7 % 13) - 6;
  const jig::view<const float, dyn, 2, 2> a(memory.data(), {3, {9, 2, 2}}, {3, {20, 3, 7}});
  const auto b = numbers<float, dyn, 2, 2>(2, 9);
  const auto y = jig::function([](auto u, auto v) { return jig::relu(jig::matmul(u + 1, jig::abs(v)) - 3); })(a, b);
  const auto plain = jig::function(product)(a, b);
  int bad = 0;
  for (int m = 0; m < 9; ++m)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        float sum = -3, as_it_is = 0;
        for (int k = 0; k < 2; ++k) {
          sum += (a(m, i, k) + 1) * std::abs(b(m, k, j));
          as_it_is += a(m, i, k) * b(m, k, j);
        }
        bad += y(m, i, j) != (sum > 0 ? sum : 0) || plain(m, i, j) != as_it_is;
      }
  CHECK(bad == 0);
}

TEST_CASE("lengths that do not fit are refused, whichever operand the call tells") {
  const auto two = numbers<float, 5, 2, 2>(1);
  for (const jig::index n : {1, 3}) {
    CHECK_THROWS_AS(jig::function(product)(two, numbers<float, 5, dyn, 2>(1, n)), jig::invalid_argument);
    CHECK_THROWS_AS(jig::function(product)(numbers<float, 5, 2, dyn>(1, n), two), jig::invalid_argument);
  }
  CHECK_THROWS_AS(jig::function(product)(numbers<float, dyn, 2, 2>(1, 4), two), jig::invalid_argument);
}
