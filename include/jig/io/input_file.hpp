// SPDX-License-Identifier: MIT
#pragma once
// Files that are read in parts, or looked at where they are.

#include <jig/io/load_error.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#if __has_include(<sys/mman.h>)
#define JIG_HAS_MMAP
#include <sys/mman.h>
#endif

namespace jig::detail {

/// The bytes of a file in memory of the program's own: what is written there does not reach the file. Pages are read when they are
/// looked at, where the system has mmap; elsewhere all of it is read at once. A file that others make shorter meanwhile ends the program.
class mapped_bytes {
 public:
  mapped_bytes() = default;
  mapped_bytes(char* data, std::size_t size) : data_(data), size_(size) {}
  mapped_bytes(mapped_bytes&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  mapped_bytes& operator=(mapped_bytes&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~mapped_bytes() {
    if (data_ == nullptr) return;
#ifdef JIG_HAS_MMAP
    ::munmap(data_, size_);
#else
    ::operator delete(data_);
#endif
  }
  char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {data_, size_}; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A file that is open, and how long it is.
class input_file {
 public:
  /// Errors: what cannot be opened or is no regular file throws load_error with the system's reason.
  explicit input_file(const std::filesystem::path& path) : name_(path.string()), file_(::open(name_.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) refuse(load_error::nowhere, std::string("cannot be opened: ") + std::strerror(errno));
    struct stat about = {};
    const bool known = ::fstat(file_, &about) == 0;
    if (known && S_ISREG(about.st_mode)) {
      size_ = static_cast<std::size_t>(about.st_size);
      return;
    }
    const std::string reason = known ? "this is no file" : std::string("cannot be read: ") + std::strerror(errno);
    ::close(file_);
    refuse(load_error::nowhere, reason);
  }
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;
  ~input_file() { ::close(file_); }

  const std::string& name() const { return name_; }
  /// Units: bytes.
  std::size_t size() const { return size_; }

  /// Errors: a file that ends before throws load_error.
  void read(std::size_t offset, void* to, std::size_t count) const {
    for (std::size_t have = 0; have < count;) {
      const auto more = ::pread(file_, static_cast<char*>(to) + have, count - have, static_cast<off_t>(offset + have));
      if (more < 0 && errno == EINTR) continue;
      if (more < 0) refuse(offset + have, std::string("cannot be read: ") + std::strerror(errno));
      if (more == 0) refuse(offset + have, "the file ends here");
      have += static_cast<std::size_t>(more);
    }
  }
  std::string read(std::size_t offset, std::size_t count) const {
    std::string out(count, '\0');
    read(offset, out.data(), count);
    return out;
  }

  /// All of it.
  mapped_bytes map() const {
    if (size_ == 0) return {};
#ifdef JIG_HAS_MMAP
    void* const data = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, file_, 0);
    if (data == MAP_FAILED) refuse(load_error::nowhere, std::string("cannot be mapped: ") + std::strerror(errno));
    return {static_cast<char*>(data), size_};
#else
    mapped_bytes out(static_cast<char*>(::operator new(size_)), size_);
    read(0, out.data(), size_);
    return out;
#endif
  }

  [[noreturn, gnu::cold]] void refuse(std::size_t offset, const std::string& reason) const { throw_load_error(name_, offset, reason); }

 private:
  std::string name_;
  int file_;
  std::size_t size_ = 0;
};

}  // namespace jig::detail
