// SPDX-License-Identifier: MIT
#include <jig/io/hash_map.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <string>
#include <string_view>

using jig::detail::hash_map;

namespace {

constexpr int sum_of_found() {
  hash_map<std::string_view, int> m;
  m.add("b", 2);
  m.add("a", 1);
  m.set("c", 4);
  m.set("a", 8);
  return *m.find("a") + *m.find("b") + *m.find("c") + (m.find("d") == nullptr ? 100 : 0);
}
static_assert(sum_of_found() == 114);

}  // namespace

TEST_CASE("it finds what std::map does, in whatever order entries come") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    std::map<std::string, int> expected;
    hash_map<std::string, int> m;
    for (int k = 0; k < 200; ++k) {
      const std::string key = std::to_string(random() % 100);
      expected[key] = k;
      m.set(key, k);
    }
    CHECK(m.size() == expected.size());
    for (int k = 0; k < 100; ++k) {
      const auto found = expected.find(std::to_string(k));
      const int* const own = m.find(std::to_string(k));
      REQUIRE((own != nullptr) == (found != expected.end()));
      if (own != nullptr) CHECK(*own == found->second);
    }
  }
}

TEST_CASE("an empty one finds nothing, and what is there stays where it is added again") {
  hash_map<int, int> m;
  CHECK(m.find(0) == nullptr);
  CHECK(m.add(3, 1));
  CHECK(!m.add(3, 5));
  CHECK(*m.find(3) == 1);
  CHECK(m.size() == 1);
  CHECK(m.find(19) == nullptr);
}
