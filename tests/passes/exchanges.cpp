// SPDX-License-Identifier: MIT
#include <jig/passes/exchanges.hpp>

#include <doctest/doctest.h>

TEST_CASE("the exchanges of a network sort whatever there is") {
  for (int n = 0; n <= 16; ++n) {
    CAPTURE(n);
    // What sorts all rows of zeros and ones sorts all rows.
    int wrong = 0;
    for (unsigned row = 0; row < 1u << n; ++row) {
      unsigned x = row;
      jig::detail::for_each_exchange(n, [&](int i, int k) {
        wrong += 0 <= i && i < k && k < n ? 0 : 1;
        const unsigned a = x >> i & 1, b = x >> k & 1;
        x = (x & ~(1u << i) & ~(1u << k)) | (a & b) << i | (a | b) << k;
      });
      int ones = 0;
      for (int i = 0; i < n; ++i) ones += static_cast<int>(row >> i & 1);
      const unsigned sorted = ones == 0 ? 0 : ((1u << ones) - 1) << (n - ones);
      wrong += x == sorted ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}
