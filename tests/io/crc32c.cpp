// SPDX-License-Identifier: MIT
#include <jig/io/crc32c.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

namespace detail = jig::detail;

// Bit by bit, from the polynomial.
std::uint32_t by_bits(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78u : 0u);
  }
  return ~crc;
}

TEST_CASE("CRC-32C has the values of RFC 3720") {
  std::string up, down;
  for (int i = 0; i < 32; ++i) {
    up += static_cast<char>(i);
    down += static_cast<char>(31 - i);
  }
  CHECK(detail::crc32c(std::string(32, '\0').data(), 32) == 0x8a9136aau);
  CHECK(detail::crc32c(std::string(32, '\xff').data(), 32) == 0x62a8ab43u);
  CHECK(detail::crc32c(up.data(), 32) == 0x46dd794eu);
  CHECK(detail::crc32c(down.data(), 32) == 0x113fdb5cu);
  CHECK(detail::crc32c(nullptr, 0) == 0);
}

TEST_CASE("Both ways agree for every length") {
  std::string bytes;
  for (int length = 0; length < 50; ++length) {
    CHECK(detail::crc32c(bytes.data(), bytes.size()) == by_bits(bytes));
#if !defined(__ARM_FEATURE_CRC32)
    CHECK(detail::crc32c_by_table(bytes.data(), bytes.size()) == by_bits(bytes));
#endif
    bytes += static_cast<char>(37 * length + 11);
  }
}

TEST_CASE("Masked as record files have it") {
  // How TensorFlow's event files begin: the length of their first record, which is 24, and its checksum.
  CHECK(detail::masked_crc32c("\x18\0\0\0\0\0\0\0", 8) == 0x224b7fa3u);
}

}  // namespace
