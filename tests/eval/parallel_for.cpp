// SPDX-License-Identifier: MIT
#include <jig/eval/parallel_for.hpp>

#include "../shared_blocks.hpp"

#include <doctest/doctest.h>

#include <vector>

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

TEST_CASE("items in parts of about the same length, one for each thread's memory") {
  using namespace jig::detail;
  CHECK(shared_parts(1000, 1000) == 1);
  const parallel_runner_scope scope(&backwards);
  CHECK(shared_parts(2 * shared_length - 1, 1) == 1);
  CHECK(shared_parts(2 * shared_length, 1) == 2);
  CHECK(shared_parts(1, 9 * shared_length) == 1);
  CHECK(shared_parts(5, 9 * shared_length) == 5);
  CHECK(shared_parts(1000, shared_length) == 64);
  CHECK(shared_parts(0, shared_length) == 1);
  for (const jig::index n : {0, 1, 7, 64, 65, 200}) {
    std::vector<int> visits(static_cast<std::size_t>(n));
    jig::index shortest = n, longest = 0;
    memory_source of_call{};
    share_items(n, shared_length, of_call, [&](jig::index first, jig::index length, memory_source& memory) {
      CHECK((&memory == &of_call) == (n <= 1));
      shortest = length < shortest ? length : shortest;
      longest = length > longest ? length : longest;
      for (jig::index i = first; i < first + length; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    CHECK(longest - shortest <= 1);
    CHECK(visits == std::vector<int>(visits.size(), 1));
  }
}
