// SPDX-License-Identifier: MIT
#pragma once
// What is wrong with a file that was to be loaded, and where.

#include <jig/core/error.hpp>

#include <cstddef>

namespace jig {

/// A file that cannot be loaded: it is not there, damaged, or says something that jig has no word for.
struct load_error : error {
  load_error(std::string file, std::size_t offset, std::string reason)
      : error(file + (offset == nowhere ? "" : ", byte " + std::to_string(offset)) + ": " + reason),
        file_(std::move(file)),
        reason_(std::move(reason)),
        offset_(offset) {}

  /// The offset of what has no place in the file.
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

  const std::string& file() const { return file_; }
  /// Units: bytes from the start of the file; `nowhere` when the flaw is that of no place.
  std::size_t offset() const { return offset_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string file_, reason_;
  std::size_t offset_;
};

namespace detail {

[[noreturn, gnu::cold]] inline void throw_load_error(const std::string& file, std::size_t offset, const std::string& reason) {
#ifdef __cpp_exceptions
  throw load_error(file, offset, reason);
#else
  raise<error>(load_error(file, offset, reason).what());
#endif
}

}  // namespace detail

}  // namespace jig
