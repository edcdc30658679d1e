// SPDX-License-Identifier: MIT
#include <jig/eval/two_step_moves.hpp>

#include <jig/eval/lane_moves.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <utility>

namespace {

namespace detail = jig::simd::detail;

// Of components of short rows, and of registers whose lanes are turned.
template <int Count, int Width, int Component>
struct of_rows {
  static constexpr int source(int l) { return (l * Count + Component) / Width; }
  static constexpr int lane(int l) { return (l * Count + Component) % Width; }
};
template <int Count, int Width, int By>
struct turned {
  static constexpr int source(int l) { return (l + By) / Width % Count; }
  static constexpr int lane(int l) { return (l + By) % Width; }
};
// Each lane at one place, each from any register.
template <int Count, int Width, int Seed>
struct chosen {
  static constexpr int source(int l) { return (l * (Seed + 3) + l * l + Seed) % Count; }
  static constexpr int lane(int l) { return (l * (2 * Seed + 1) + Seed) % Width; }
};
// The same lanes of both registers, in pairs, in any order.
template <int Count, int Width, int Seed>
struct packed {
  static constexpr int source(int l) { return (l + Seed) / 2 % Count; }
  static constexpr int lane(int l) {
    return (l * 3 + Seed) % Width / (Width / 2) * (Width / 2) + (l + Seed) % 2 * (Seed % 2 + 1) % (Width / 2);
  }
};
// Any lanes, some of them more than once.
template <int Count, int Width, int Seed>
struct scattered {
  static constexpr unsigned hash(int l) { return (static_cast<unsigned>(l) * 2654435761U + static_cast<unsigned>(Seed) * 40503U) >> 7; }
  static constexpr int source(int l) { return static_cast<int>(hash(l) % static_cast<unsigned>(Count)); }
  static constexpr int lane(int l) { return static_cast<int>(hash(l + 57) % static_cast<unsigned>(Width)); }
};

template <class From, int Lanes>
constexpr detail::lane_choice<Lanes> choice_of() {
  detail::lane_choice<Lanes> out;
  for (int l = 0; l < Lanes; ++l) out.source[l] = From::source(l), out.lane[l] = From::lane(l);
  return out;
}

// Blends where no place is wanted twice, packs of two registers, and neither where one move does it or nothing helps.
static_assert(detail::find_blend(choice_of<of_rows<3, 8, 1>, 8>()).found && !detail::find_blend(choice_of<of_rows<2, 8, 0>, 8>()).found);
static_assert(detail::find_pack(choice_of<of_rows<2, 8, 0>, 8>()).found && detail::find_pack(choice_of<of_rows<2, 4, 1>, 4>()).found);
static_assert(!detail::find_pack(choice_of<turned<2, 8, 3>, 8>()).found);
static_assert(detail::steps_of<of_rows<3, 8, 2>, 8, 3>.found && detail::steps_of<of_rows<2, 8, 1>, 8, 2>.found);
static_assert(!detail::steps_of<of_rows<4, 8, 1>, 8, 4>.found && !detail::steps_of<of_rows<1, 8, 0>, 8, 2>.found);
static_assert(!detail::steps_of<turned<2, 8, 4>, 8, 2>.found && detail::steps_of<turned<2, 8, 3>, 8, 2>.found);

// A move within 16 bytes, a pack, a blend, and what takes a move for each register.
constexpr double cost_of_4 = detail::cost_in_two_steps(choice_of<of_rows<4, 8, 1>, 8>(), 4);
static_assert(detail::cost_in_two_steps(choice_of<turned<2, 8, 4>, 8>(), 2) == 1);
static_assert(detail::cost_in_two_steps(choice_of<of_rows<2, 8, 0>, 8>(), 2) > 1);
static_assert(detail::cost_in_two_steps(choice_of<of_rows<3, 8, 0>, 8>(), 3) < cost_of_4);

template <class T, int Count, class From>
int wrong_lanes() {
  using B = jig::simd::batch<T>;
  constexpr int width = static_cast<int>(B::size);
  T memory[jig::detail::array_bound(Count * width)], lanes[jig::detail::array_bound(width)];
  for (int i = 0; i < Count * width; ++i) memory[i] = static_cast<T>(i * 3 + 1);
  B x[jig::detail::array_bound(Count)];
  for (int r = 0; r < Count; ++r) x[r] = B::load_unaligned(memory + r * width);
  jig::simd::merge<From, Count>(x).store_unaligned(lanes);
  int wrong = 0;
  for (int l = 0; l < width; ++l) wrong += lanes[l] != memory[From::source(l) * width + From::lane(l)];
  return wrong;
}
template <class T, int Count, template <int, int, int> class From, int... Seed>
int wrong_of(std::integer_sequence<int, Seed...>) {
  return (0 + ... + wrong_lanes<T, Count, From<Count, static_cast<int>(jig::simd::lanes<T>), Seed>>());
}
template <class T, int Count>
void check() {
  constexpr std::make_integer_sequence<int, 16> seeds{};
  CAPTURE(Count);
  CHECK(wrong_of<T, Count, of_rows>(std::make_integer_sequence<int, Count>()) == 0);
  CHECK(wrong_of<T, Count, turned>(seeds) == 0);
  CHECK(wrong_of<T, Count, chosen>(seeds) == 0);
  CHECK(wrong_of<T, Count, packed>(seeds) == 0);
  CHECK(wrong_of<T, Count, scattered>(seeds) == 0);
}

}  // namespace

TEST_CASE_TEMPLATE("lanes of several registers, in as few moves as there are", T, float, double, std::int32_t, std::uint64_t) {
  check<T, 2>();
  check<T, 3>();
  check<T, 5>();
  check<T, 7>();
  check<T, 8>();
  check<T, 9>();
}
