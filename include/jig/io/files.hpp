// SPDX-License-Identifier: MIT
#pragma once
// Whole files: read at once, and replaced so that nobody ever sees half of one.

#include <jig/io/limits.hpp>
#include <jig/io/load_error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jig::detail {

/// The bytes of a file.
/// Errors: one that cannot be read, or is longer than the limits say, throws load_error.
inline std::string read_file(const std::filesystem::path& path, const load_limits& limits) {
  const std::string name = path.string();
  const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about{};
  if (file < 0) throw_load_error(name, load_error::nowhere, std::string("cannot be opened: ") + std::strerror(errno));
  struct closer {
    int file;
    ~closer() { ::close(file); }
  } const at_end{file};
  if (::fstat(file, &about) != 0) throw_load_error(name, load_error::nowhere, std::string("cannot be read: ") + std::strerror(errno));
  if (!S_ISREG(about.st_mode)) throw_load_error(name, load_error::nowhere, "this is no file");
  if (static_cast<index>(about.st_size) > limits.bytes)
    throw_load_error(name, load_error::nowhere,
                     "the file has " + std::to_string(about.st_size) + " bytes, more than the " + std::to_string(limits.bytes) +
                         " that load_limits allow");
  std::string out(static_cast<std::size_t>(about.st_size), '\0');
  std::size_t have = 0;
  while (have < out.size()) {
    const auto more = ::read(file, out.data() + have, out.size() - have);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) throw_load_error(name, have, std::string("cannot be read: ") + std::strerror(errno));
    if (more == 0) break;
    have += static_cast<std::size_t>(more);
  }
  out.resize(have);
  return out;
}

// Where a file is written: behind a link what that leads to, so that the link stays.
// Errors: a folder, a device and the like, which nothing may take the place of, throw jig::error.
inline std::string place_of_file(const std::filesystem::path& target) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path place = fs::is_symlink(target, failed) ? fs::weakly_canonical(target, failed) : target;
  const fs::file_status there = fs::status(place, failed);
  if (fs::exists(there) && !fs::is_regular_file(there)) raise<error>(target.string() + ": cannot be written: this is no regular file");
  return place.string();
}

/// A file beside the one that it is to become. Unless it becomes that, nothing is left of it.
class replacement {
 public:
  /// Errors: no permission, no room and the like throw jig::error with the system's reason.
  explicit replacement(const std::filesystem::path& target) : target_(place_of_file(target)), name_(target_ + ".XXXXXX") {
    file_ = ::mkostemp(name_.data(), O_CLOEXEC);
    if (file_ < 0) fail("cannot be written");
    // As a file that was created there would have it.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file_, 0666 & ~mask) != 0) fail("cannot be written");
  }
  replacement(const replacement&) = delete;
  replacement& operator=(const replacement&) = delete;
  ~replacement() { drop(); }

  const std::string& name() const { return name_; }
  int file() const { return file_; }
  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto n = ::write(file_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail("cannot be written");
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
  }
  /// Takes the place of the target, when all of it is on the disk.
  void commit() {
    if (::fsync(file_) != 0) fail("cannot be written");
    if (::rename(name_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
    ::close(file_);
    file_ = -1;
    // Its new name is on the disk when the folder is. Where folders cannot be written so, the old file may come back after a power cut.
    const std::string folder = std::filesystem::path(target_).parent_path().string();
    if (const int f = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); f >= 0) {
      ::fsync(f);
      ::close(f);
    }
  }

 private:
  [[noreturn]] void fail(const char* what) {
    const std::string reason = target_ + ": " + what + ": " + std::strerror(errno);
    drop();
    raise<error>(reason);
  }
  void drop() {
    if (file_ < 0) return;
    ::close(file_);
    ::unlink(name_.c_str());
    file_ = -1;
  }

  std::string target_, name_;
  int file_ = -1;
};

/// Writes a file beside the target, then gives it the target's name.
/// Errors: no permission, no room and the like throw jig::error with the system's reason; the old file is still there.
inline void replace_file(const std::filesystem::path& target, std::string_view bytes) {
  replacement made(target);
  made.write(bytes);
  made.commit();
}

/// Makes a folder, with those around it, unless it is there.
inline void require_folder(const std::filesystem::path& folder) {
  std::error_code why;
  std::filesystem::create_directories(folder, why);
  if (!std::filesystem::is_directory(folder))
    raise<error>(folder.string() + ": cannot be made a folder" + (why ? ": " + why.message() : std::string()));
}

}  // namespace jig::detail
