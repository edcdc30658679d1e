// SPDX-License-Identifier: MIT
#include <jig/eval/workspace.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <thread>

using jig::detail::workspace;

TEST_CASE("memory is aligned, and nested requests do not overlap") {
  for (int round = 0; round < 3; ++round) {
    workspace outer(1000);
    std::memset(outer.data(), 1, 1000);
    {
      workspace inner(100'000);
      CHECK(reinterpret_cast<std::uintptr_t>(inner.data()) % jig::alignment == 0);
      std::memset(inner.data(), 2, 100'000);
      workspace innermost(5);
      std::memset(innermost.data(), 3, 5);
      CHECK(inner.data()[99'999] == 2);
    }
    CHECK(reinterpret_cast<std::uintptr_t>(outer.data()) % jig::alignment == 0);
    CHECK(outer.data()[999] == 1);
  }
}

TEST_CASE("the second round of the same requests finds the memory of the first") {
  const void* first = nullptr;
  for (int round = 0; round < 4; ++round) {
    workspace a(50'000);
    if (round == 2) first = a.data();
    if (round == 3) CHECK(a.data() == first);
  }
}

TEST_CASE("each thread has its own") {
  workspace mine(64);
  std::memset(mine.data(), 1, 64);
  std::thread([] {
    workspace other(64);
    std::memset(other.data(), 2, 64);
  }).join();
  CHECK(mine.data()[63] == 1);
}

TEST_CASE("lent memory is a stack of its own") {
  using jig::detail::lent_memory;
  alignas(64) static char bytes[1024];
  lent_memory lent(bytes, sizeof(bytes));
  {
    workspace a(lent, 1), b(lent, 128);
    CHECK(a.data() == bytes);
    CHECK(b.data() == bytes + 64);
    workspace c(lent, 1024 - 192);
    CHECK(c.data() == bytes + 192);
    CHECK_THROWS_WITH(workspace(lent, 1), "with_workspace: a call needs 1088 bytes, given 1024");
  }
  workspace all(lent, 1024);
  CHECK(all.data() == bytes);

  // What lies before the first multiple of the alignment is lost.
  lent_memory late(bytes + 1, 127);
  CHECK(workspace(late, 64).data() == bytes + 64);
  CHECK_THROWS_AS(workspace(late, 65), jig::invalid_argument);
}
