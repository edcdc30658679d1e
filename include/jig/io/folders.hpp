// SPDX-License-Identifier: MIT
#pragma once
// Whole folders, replaced so that nobody ever sees half of one.

#include <jig/io/files.hpp>

#include <cstdlib>
#include <initializer_list>
#include <string_view>
#include <system_error>
#include <utility>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

namespace jig::detail {

/// A folder beside the one that it is to become. Unless it becomes that, nothing is left of it.
class folder_replacement {
 public:
  /// `known` are the names of what a folder of this kind holds.
  /// Errors: a target that is no folder, or holds something else, throws jig::error, as does what the system refuses.
  folder_replacement(const std::filesystem::path& target, std::initializer_list<std::string_view> known)
      : target_(without_slash(target)), name_(target_ + ".XXXXXX") {
    require_replaceable(known);
    if (::mkdtemp(name_.data()) == nullptr) fail("cannot be written");
    made_ = true;
    // As a folder that was created there would have it.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::chmod(name_.c_str(), 0777 & ~mask) != 0) fail("cannot be written");
  }
  folder_replacement(const folder_replacement&) = delete;
  folder_replacement& operator=(const folder_replacement&) = delete;
  ~folder_replacement() { drop(); }

  std::filesystem::path path() const { return name_; }
  /// Takes the place of the target, and removes what was there. Where the system cannot exchange two folders there is none for a moment.
  void commit() {
    namespace fs = std::filesystem;
    if (exchange()) return drop();
    const std::string old = name_ + ".old";
    const bool replaces = ::rename(target_.c_str(), old.c_str()) == 0;
    if (!replaces && errno != ENOENT) fail("cannot be replaced");
    if (::rename(name_.c_str(), target_.c_str()) != 0) {
      const int why = errno;
      if (replaces) (void)::rename(old.c_str(), target_.c_str());
      errno = why;
      fail("cannot be replaced");
    }
    made_ = false;
    std::error_code ignored;
    if (replaces) fs::remove_all(old, ignored);
  }

 private:
  static std::string without_slash(const std::filesystem::path& target) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    fs::path place = target.has_filename() ? target : target.parent_path();
    // Behind a link what that leads to, so that the link stays.
    if (fs::is_symlink(place, ignored)) place = fs::weakly_canonical(place, ignored);
    return place.string();
  }
  void require_replaceable(std::initializer_list<std::string_view> known) const {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const fs::file_status there = fs::status(target_, ignored);
    if (!fs::exists(there)) return;
    if (!fs::is_directory(there)) raise<error>(target_ + ": cannot be written: this is no folder");
    for (const auto& entry : fs::directory_iterator(target_, ignored)) {
      const std::string name = entry.path().filename().string();
      bool fits = false;
      for (const std::string_view k : known) fits = fits || name == k;
      if (!fits) raise<error>(target_ + ": is not replaced, since there is also " + name + " in it");
    }
  }
  bool exchange() const {
#if defined(__linux__) && defined(SYS_renameat2)
    constexpr unsigned exchanged = 2;  // RENAME_EXCHANGE
    return ::syscall(SYS_renameat2, AT_FDCWD, name_.c_str(), AT_FDCWD, target_.c_str(), exchanged) == 0;
#else
    return false;
#endif
  }
  [[noreturn]] void fail(const char* what) {
    const std::string reason = target_ + ": " + what + ": " + std::strerror(errno);
    drop();
    raise<error>(reason);
  }
  void drop() {
    std::error_code ignored;
    if (std::exchange(made_, false)) std::filesystem::remove_all(name_, ignored);
  }

  std::string target_, name_;
  bool made_ = false;
};

}  // namespace jig::detail
