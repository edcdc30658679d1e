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
