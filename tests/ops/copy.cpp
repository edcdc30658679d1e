// SPDX-License-Identifier: MIT
#include <jig/ops/copy.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

using jig::shape;
using jig::detail::copy_layout;

TEST_CASE("axes that both sides run through as through one are joined") {
  constexpr auto whole = jig::detail::joined({{3, {2, 3, 4}}, {3, {12, 4, 1}}, {3, {12, 4, 1}}});
  static_assert(whole.extents == shape{1, {24}} && whole.to == shape{1, {1}} && whole.from == shape{1, {1}});
  constexpr auto rows = jig::detail::joined({{3, {2, 3, 4}}, {3, {12, 4, 1}}, {3, {15, 5, 1}}});
  static_assert(rows.extents == shape{2, {6, 4}} && rows.from == shape{2, {5, 1}});
  constexpr auto single = jig::detail::joined({{3, {1, 3, 1}}, {3, {7, 7, 7}}, {3, {5, 2, 9}}});
  static_assert(single.extents == shape{1, {3}} && single.to == shape{1, {7}} && single.from == shape{1, {2}});
  static_assert(jig::detail::joined({{2, {3, 0}}, {2, {1, 1}}, {2, {1, 1}}}).extents.size() == 0);
  static_assert(jig::detail::joined({{2, {1, 1}}, {2, {1, 1}}, {2, {1, 1}}}).extents.rank == 0);
}

TEST_CASE("runs of any length leave what is around them alone") {
  for (jig::index n = 0; n < 200; ++n) {
    std::vector<unsigned char> from(static_cast<std::size_t>(n) + 2), to(static_cast<std::size_t>(n) + 2, 255);
    std::iota(from.begin(), from.end(), static_cast<unsigned char>(1));
    jig::detail::copy_run(to.data() + 1, from.data() + 1, n);
    bool same = to.front() == 255 && to.back() == 255;
    for (std::size_t i = 1; i <= static_cast<std::size_t>(n); ++i) same = same && to[i] == from[i];
    CHECK(same);
  }
  const std::string words[] = {"a", "b", "c"};
  std::string copy[3];
  jig::detail::copy_run(copy, words, 2);
  CHECK((copy[0] == "a" && copy[1] == "b" && copy[2].empty()));
  jig::detail::copy_run<3>(copy, words);
  CHECK(copy[2] == "c");
}

namespace {

template <copy_layout L>
void check_fixed() {
  int from[100], to[100] = {}, other[100] = {};
  std::iota(from, from + 100, 1);
  jig::detail::copy_fixed<L>(to, from + 50);
  jig::detail::copy_strided(other, L.to, from + 50, L.from, L.extents);
  int expected[100] = {};
  for (jig::index i = 0; i < L.extents[0]; ++i)
    for (jig::index k = 0; k < L.extents[1]; ++k) expected[i * L.to[0] + k * L.to[1]] = from[50 + i * L.from[0] + k * L.from[1]];
  CHECK(std::equal(to, to + 100, expected));
  CHECK(std::equal(other, other + 100, expected));
}

}  // namespace

TEST_CASE("any strides") {
  check_fixed<{{2, {4, 5}}, {2, {5, 1}}, {2, {5, 1}}}>();
  check_fixed<{{2, {4, 5}}, {2, {5, 1}}, {2, {1, 4}}}>();
  check_fixed<{{2, {4, 5}}, {2, {10, 1}}, {2, {-7, -1}}}>();
  check_fixed<{{2, {4, 5}}, {2, {1, 4}}, {2, {0, 1}}}>();
  check_fixed<{{2, {8, 8}}, {2, {8, 1}}, {2, {3, 0}}}>();
  check_fixed<{{2, {0, 5}}, {2, {8, 1}}, {2, {3, 0}}}>();
  check_fixed<{{2, {1, 1}}, {2, {8, 1}}, {2, {3, 0}}}>();
}
