// SPDX-License-Identifier: MIT
#include <jig/eval/parallel_for.hpp>
#include <jig/eval/parallel_runner.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

// The last block first, as threads might.
constexpr jig::detail::parallel_runner backwards{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
  while (blocks-- > 0) run(work, blocks);
}};

}  // namespace

TEST_CASE("blocks cover everything once, and depend on the length alone") {
  using namespace jig::detail;
  CHECK(!is_shared(1 << 30));
  current_parallel_runner = &backwards;
  CHECK(is_shared(2 * shared_length));
  CHECK(!is_shared(2 * shared_length - 1));
  for (jig::index n : {1, 9, 10, 11, 29, 30, 31}) {
    std::vector<int> visits(static_cast<std::size_t>(n));
    jig::index blocks = 0;
    parallel_for(n, 10, [&](jig::index first, jig::index length) {
      CHECK(first % 10 == 0);
      CHECK((length >= 10 || n < 10));
      ++blocks;
      for (jig::index i = first; i < first + length; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    CHECK(blocks == (n < 10 ? 1 : n / 10));
    CHECK(visits == std::vector<int>(visits.size(), 1));
  }
  current_parallel_runner = nullptr;
}
