// SPDX-License-Identifier: MIT
#include <jig/data/split_mix.hpp>

#include <doctest/doctest.h>

TEST_CASE("SplitMix64 has the numbers that its authors' program prints") {
  jig::data::detail::split_mix from_zero(0);
  CHECK(from_zero() == 0xe220a8397b1dcdafu);
  CHECK(from_zero() == 0x6e789e6aa1b965f4u);
  CHECK(from_zero() == 0x06c45d188009454fu);
}
