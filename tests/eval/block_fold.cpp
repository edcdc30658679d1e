// SPDX-License-Identifier: MIT
#include <jig/eval/block_fold.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

using jig::index;
using jig::simd::block_shape;

template <index... E>
struct extents {};
// Bit a of Reduced is set where axis a is reduced.
template <class Extents, unsigned Reduced>
struct block_of;
template <index... E, unsigned Reduced>
struct block_of<extents<E...>, Reduced> {
  static constexpr block_shape shape = [] {
    block_shape s{sizeof...(E), {E...}, {}};
    for (int a = 0; a < s.rank; ++a) s.reduced[a] = (Reduced >> a & 1) != 0;
    return s;
  }();
};

// The place of an element among those that are left.
index place_of(const block_shape& s, index e) {
  index place = 0, stride = 1;
  for (int a = s.rank; a-- > 0; e /= s.extent[a]) {
    if (s.reduced[a]) continue;
    place += e % s.extent[a] * stride;
    stride *= s.extent[a];
  }
  return place;
}

template <class T, class Block>
int wrong_results() {
  using B = jig::simd::batch<T>;
  constexpr int width = static_cast<int>(B::size), count = jig::simd::registers_of(Block::shape.size(), width);
  constexpr index n = Block::shape.size();
  index left = 1;
  for (int a = 0; a < Block::shape.rank; ++a) left *= Block::shape.reduced[a] ? 1 : Block::shape.extent[a];
  // What lies behind the last element must not count.
  std::vector<T> from(static_cast<std::size_t>(count * width), std::numeric_limits<T>::max());
  std::vector<T> sum(static_cast<std::size_t>(left)), most(static_cast<std::size_t>(left), std::numeric_limits<T>::lowest());
  for (index e = 0; e < n; ++e) {
    const T v = static_cast<T>((e * 37 + 11) % 101);
    from[static_cast<std::size_t>(e)] = v;
    const auto to = static_cast<std::size_t>(place_of(Block::shape, e));
    sum[to] = static_cast<T>(sum[to] + v);
    most[to] = v > most[to] ? v : most[to];
  }
  int wrong = 0;
  const auto compare = [&](const std::vector<T>& expected, T neutral, auto combine) {
    B x[count];
    for (int r = 0; r < count; ++r) x[r] = B::load_unaligned(from.data() + r * width);
    jig::simd::fold_block<Block>(x, B(neutral), combine);
    std::vector<T> found(from.size());
    for (int r = 0; r < count; ++r) x[r].store_unaligned(found.data() + r * width);
    for (std::size_t k = 0; k < expected.size(); ++k) wrong += found[k] != expected[k];
  };
  compare(sum, T(0), [](const B& a, const B& b) { return a + b; });
  compare(most, std::numeric_limits<T>::lowest(), [](const B& a, const B& b) { return xsimd::max(a, b); });
  return wrong;
}

template <class T, class Extents, unsigned... Reduced>
void check_block(std::integer_sequence<unsigned, Reduced...>) {
  CHECK((0 + ... + wrong_results<T, block_of<Extents, Reduced>>()) == 0);
}
template <class T, class... Extents>
void check_rank_3() {
  (check_block<T, Extents>(std::make_integer_sequence<unsigned, 8>()), ...);
}

}  // namespace

TEST_CASE("how blocks are taken apart") {
  using jig::simd::next_fold;
  // In equal parts as long as these are few, else in two, of which the second one is shorter.
  static_assert(next_fold({2, {4, 6}, {false, true}}).parts == (jig::simd::detail::has_two_step_moves ? 3 : 2));
  static_assert(next_fold({2, {4, 8}, {false, true}}).parts == 2 && next_fold({2, {4, 15}, {false, true}}).parts == 3 &&
                next_fold({1, {5}, {true}}).parts == 5);
  static_assert(next_fold({1, {7}, {true}}).parts == 2 && next_fold({1, {7}, {true}}).length == 4);
  static_assert(!next_fold({1, {7}, {true}}).has(3, 1) && next_fold({1, {7}, {true}}).has(2, 1));
  static_assert(next_fold({2, {4, 1}, {false, true}}).parts == 1 && next_fold({0, {}, {}}).parts == 1);
  // Halves that are registers do not move.
  static_assert(jig::simd::cost_of_fold({2, {4, 8}, {true, false}}, 8) == 3 && jig::simd::cost_of_fold({1, {1}, {true}}, 8) == 0);
  static_assert(jig::simd::cost_of_fold({2, {4, 3}, {true, false}}, 8) > 3);
}

TEST_CASE_TEMPLATE("elements of one result", T, float, double, std::uint8_t) {
  check_rank_3<T, extents<2, 3, 5>, extents<4, 1, 7>, extents<8, 4, 2>, extents<16, 3, 1>>();
}
TEST_CASE("many registers") { check_rank_3<float, extents<5, 17, 2>>(); }
