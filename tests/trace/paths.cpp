// SPDX-License-Identifier: MIT
// Ways through a lambda that are recorded apart and make one graph: the reference is the same lambda on plain numbers.
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>

namespace {

using jig::range;
using whole = std::int64_t;

// Compiled and traced at run time, for all small arguments.
template <class F>
void same_as_plain(F lambda) {
  constexpr auto compiled = jig::function(F{});
  auto at_run_time = jig::dynamic_function(F{});
  for (whole x = -1; x < 6; ++x)
    for (whole y = -1; y < 5; ++y)
      for (whole z = -1; z < 5; ++z) {
        CAPTURE(x);
        CAPTURE(y);
        CAPTURE(z);
        const whole expected = lambda(x, y, z);
        CHECK(compiled(x, y, z)() == expected);
        CHECK(at_run_time(jig::any_tensor(x), jig::any_tensor(y), jig::any_tensor(z)).template as<whole>()() == expected);
      }
}

}  // namespace

TEST_CASE("a loop that is left, with statements behind it, on one side of an if") {
  same_as_plain([](auto x, auto y, auto z) {
    if (y == 0) {
      x = z + 1;
    } else {
      for (auto i : range(0, y)) {
        (void)i;
        if (x == 0) break;
        x = y + 1;
      }
      x = x + 7;
    }
    z = x + 1;
    return x;
  });
  same_as_plain([](auto x, auto y, auto z) {
    if (y == 0) {
      for (auto i : range(0, z)) {
        if (x == i) break;
        x = x + y * 2 + 1;
      }
      x = x * 3;
    } else {
      x = z + 1;
    }
    return x + z * 10;
  });
}

TEST_CASE("constants on the way behind a loop that is left are those of that way") {
  same_as_plain([](auto x, auto y, auto z) {
    if (x > 2) {
      for (auto i : range(0, z)) {
        if (i == y) break;
        x = x + 5;
      }
      y = y * 0 + 11;
      z = y + 13;
    } else {
      y = y * 0 + 17;
      z = y + 19;
    }
    return x * 1000 + y * 100 + z;
  });
}

TEST_CASE("an early return before a loop that is left") {
  same_as_plain([](auto x, auto y, auto z) {
    if (z == 0) {
      y = y * 0 + 2;
      x = y % 6;
      y = x + 5;
      x = x * 9 + z;
      return x * y + z;
    }
    y = y * 0 + 2;
    for (auto i : range(0, z % 4)) {
      (void)i;
      if (x == 1) break;
      x = x * 4 + y;
    }
    x = x % 6;
    x = z + x;
    x = z * 3 + x;
    return x * y + z;
  });
  same_as_plain([](auto x, auto y, auto z) {
    if (x == 4) {
      y = x * 5 + y;
      return x * y + z;
    }
    for (auto i : range(-1, z % 3)) {
      (void)i;
      if ((y + x) % 3 == 2) {
        x = y * 2;
        break;
      }
      JIG_IF(x % 2 != 1) {
        y = y * z + 8;
      } JIG_ELSE {
        z = y * 5 + x;
      }
    }
    x = y * 2;
    y = y * 3 + z;
    return x * y + z;
  });
}

TEST_CASE("loops in loops that are left, between ifs that join") {
  same_as_plain([](auto x, auto y, auto z) {
    for (auto i : range(0, y + 1)) {
      if (x > 20) break;
      if (i == z) {
        x = x + 3;
        continue;
      }
      for (auto j : range(0, z)) {
        if (i + j == 3) break;
        if (x % 7 == 5) return x * 100 + j;
        x = x + j;
      }
      x = x + 1;
    }
    if (x % 2 == 0) x = x / 2;
    else x = x * 3 + 1;
    return x;
  });
}

TEST_CASE("ways behind an exit differ only in a later if") {
  same_as_plain([](auto x, auto y, auto z) {
    auto found = x * 0;
    for (auto i : range(0, x)) {
      if (i == y) {
        found = i + 1;
        break;
      }
    }
    if (z == 0) return found;
    if (found > 0) x = x + 100;
    else x = x + 1000;
    return x + found;
  });
}
