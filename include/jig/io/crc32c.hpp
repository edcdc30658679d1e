// SPDX-License-Identifier: MIT
#pragma once
// The checksum of record files: CRC-32C, by the processor's instruction where it has one.

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif
#if !defined(__ARM_FEATURE_CRC32)
#if __has_include(<boost/crc.hpp>)
#include <boost/crc.hpp>
#else
#error "jig: io/crc32c.hpp needs Boost.CRC: apt-get install libboost-dev"
#endif
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace jig::detail {

#if defined(__x86_64__) || defined(__ARM_FEATURE_CRC32)
#if defined(__x86_64__)
[[gnu::target("sse4.2")]]
#endif
inline std::uint32_t crc32c_by_instruction(const char* bytes, std::size_t count) {
  std::uint64_t crc = 0xffffffffu;
  for (; count >= 8; bytes += 8, count -= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
#if defined(__x86_64__)
    crc = _mm_crc32_u64(crc, word);
#else
    crc = __crc32cd(static_cast<std::uint32_t>(crc), word);
#endif
  }
  auto last = static_cast<std::uint32_t>(crc);
  for (; count > 0; ++bytes, --count)
#if defined(__x86_64__)
    last = _mm_crc32_u8(last, static_cast<unsigned char>(*bytes));
#else
    last = __crc32cb(last, static_cast<unsigned char>(*bytes));
#endif
  return ~last;
}
#endif

#if !defined(__ARM_FEATURE_CRC32)
inline std::uint32_t crc32c_by_table(const char* bytes, std::size_t count) {
  boost::crc_optimal<32, 0x1edc6f41, 0xffffffff, 0xffffffff, true, true> crc;
  crc.process_bytes(bytes, count);
  return crc.checksum();
}
#endif

/// Source: RFC 3720, appendix B.4 (the Castagnoli polynomial).
inline std::uint32_t crc32c(const char* bytes, std::size_t count) {
#if defined(__ARM_FEATURE_CRC32)
  return crc32c_by_instruction(bytes, count);
#elif defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return crc32c_by_instruction(bytes, count);
  return crc32c_by_table(bytes, count);
#else
  return crc32c_by_table(bytes, count);
#endif
}

/// The checksum as record files hold it, which may stand among data that has checksums itself.
inline std::uint32_t masked_crc32c(const char* bytes, std::size_t count) {
  const std::uint32_t crc = crc32c(bytes, count);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

}  // namespace jig::detail
