// SPDX-License-Identifier: MIT
#pragma once
// Files that are cut off or changed.

#include <jig/io/load_error.hpp>

#include "data/written_file.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdint>
#include <string>

#include <sys/resource.h>

/// The bytes of a file.
inline std::string bytes_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What load_error says of bytes, without the file's name; empty when they load.
template <class Load>
std::string refusal_of(const std::string& bytes, Load load) {
  const written_file file(bytes);
  try {
    load(file.path());
  } catch (const jig::load_error& e) {
    const std::string all = e.what();
    CHECK(all.substr(0, file.path().size()) == file.path());
    return all.substr(file.path().size());
  }
  return "";
}

/// Every cut of the bytes is refused; with other bytes in it a file loads or is refused with a load_error. Returns how many of the latter
/// were refused.
template <class Load>
int survives_damage(const std::string& bytes, Load load, int changes) {
  int cuts = 0;
  for (std::size_t n = 0; n < bytes.size(); ++n) cuts += refusal_of(bytes.substr(0, n), load).empty();
  CHECK(cuts == 0);
  std::uint64_t state = 12345;
  const auto random = [&] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
  };
  int refused = 0;
  for (int i = 0; i < changes; ++i) {
    std::string changed = bytes;
    for (std::uint64_t k = 1 + random() % 4; k > 0; --k) {
      const std::size_t at = random() % changed.size();
      switch (random() % 4) {
        case 0: changed[at] = static_cast<char>(random()); break;
        case 1: changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8)); break;
        case 2: changed.erase(at, 1 + random() % 3); break;
        default: changed.insert(at, changed.substr(random() % changed.size(), 1 + random() % 8)); break;
      }
    }
    if (!changed.empty()) refused += !refusal_of(changed, load).empty();
  }
  return refused;
}

/// As long as it lives, files cannot be longer than so many bytes, as on a disk that is full.
class short_files {
  rlimit before_;
  void (*handler_)(int);

 public:
  explicit short_files(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~short_files() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
};

/// A folder of a test, which is removed behind it.
class test_folder {
  std::filesystem::path path_;

 public:
  explicit test_folder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("jig_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~test_folder() { std::filesystem::remove_all(path_); }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  int files() const {
    int n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) n += entry.is_regular_file();
    return n;
  }
};
