// SPDX-License-Identifier: MIT
#include <jig/profile/copy_rate.hpp>

#include <doctest/doctest.h>

namespace {

TEST_CASE("how fast memory is") {
  // Any machine copies more than 10 MB and less than 10 TB in a second.
  for (jig::index bytes : {jig::index{0}, jig::index{1}, jig::index{5000}, jig::index{1} << 20}) {
    CHECK(jig::copy_rate(bytes) > 1e7);
    CHECK(jig::copy_rate(bytes) < 1e13);
  }
  // Measured once for all sizes up to twice that.
  CHECK(jig::copy_rate(5000) == jig::copy_rate(8191));
}

TEST_CASE("steps that take about as long as copying are bound by memory") {
  const jig::index bytes = 1 << 16;
  const double copying = static_cast<double>(bytes) / jig::copy_rate(bytes);
  CHECK(jig::is_memory_bound(bytes, copying));
  CHECK(jig::is_memory_bound(bytes, 1.9 * copying));
  CHECK(!jig::is_memory_bound(bytes, 2.1 * copying));
  CHECK(!jig::is_memory_bound(4095, 1e-12));
}

}  // namespace
