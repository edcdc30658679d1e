// SPDX-License-Identifier: MIT
#include <jig/eval/phases.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

namespace {

template <class T>
void check_phases(jig::index groups, jig::index step, jig::index group) {
  CAPTURE(groups);
  CAPTURE(step);
  CAPTURE(group);
  const jig::detail::phases p(groups, step, group);
  const auto size = static_cast<std::size_t>(groups * group), parts = static_cast<std::size_t>(p.size());
  std::vector<T> line(size);
  for (std::size_t i = 0; i < size; ++i) line[i] = static_cast<T>(i * 7 % 251);
  // Elements that no group has stay what they are.
  const T nothing(77);
  std::vector<T> expected(parts, nothing), found(parts, nothing), back(size, nothing);
  for (jig::index k = 0; k < groups; ++k)
    for (jig::index c = 0; c < group; ++c)
      expected[static_cast<std::size_t>(k % step * p.apart + k / step * group + c)] = line[static_cast<std::size_t>(k * group + c)];
  jig::detail::split(p, found.data(), line.data(), groups);
  CHECK(found == expected);
  jig::detail::merge(p, back.data(), found.data(), groups);
  CHECK(back == line);
}

}  // namespace

TEST_CASE_TEMPLATE("phases of a line are its groups by turns, and make the line again", T, std::uint8_t, std::int16_t, float, double) {
  const jig::index lanes = jig::simd::lanes<T>;
  for (jig::index step : {1, 2, 3, 4, 5, 8})
    for (jig::index group : {1, 2, 3, 4, 5, 8, 17})
      for (jig::index groups :
           {jig::index{0}, jig::index{1}, step - 1, step, step * lanes - 1, step * lanes, step * lanes + 1, 2 * step * lanes + step - 1})
        check_phases<T>(groups, step, group);
}
