// SPDX-License-Identifier: MIT
#include <jig/ops/philox.hpp>

#include <doctest/doctest.h>

namespace {

using words = std::array<std::uint32_t, 4>;

// The known answers that Random123 publishes for philox4x32 with 10 rounds.
static_assert(jig::philox({0, 0, 0, 0}, {0, 0}) == words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
static_assert(jig::philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
              words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
static_assert(jig::philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
              words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});

}  // namespace

TEST_CASE("the known answers, at run time too") {
  volatile std::uint32_t zero = 0;
  const std::uint32_t z = zero;
  CHECK(jig::philox({z, z, z, z}, {z, z}) == words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
}

TEST_CASE("a stream counts its blocks in the lower words") {
  constexpr jig::philox_stream s(1, 2);
  static_assert(s.block(5) == jig::philox({5, 0, s.upper[0], s.upper[1]}, s.key));
  static_assert(s.block(0x500000007) == jig::philox({7, 5, s.upper[0], s.upper[1]}, s.key));
}

TEST_CASE("seeds are mixed: all of their bits count, and so does their order") {
  constexpr words first = jig::philox_stream(1, 0).block(0);
  static_assert(first != jig::philox_stream(0, 1).block(0));
  static_assert(first != jig::philox_stream(0, 0).block(0));
  static_assert(first != jig::philox_stream(1 | std::uint64_t{1} << 63, 0).block(0));
  static_assert(first != jig::philox_stream(1, std::uint64_t{1} << 32).block(0));
  CHECK(first == jig::philox_stream(1, 0).block(0));
}
