// SPDX-License-Identifier: MIT
#pragma once
// A file of a test, which is removed behind it.

#include <unistd.h>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

class written_file {
  std::string path_;

 public:
  explicit written_file(const std::string& bytes) {
    static int number = 0;
    path_ = (std::filesystem::temp_directory_path() / ("jig_" + std::to_string(::getpid()) + "_" + std::to_string(++number))).string();
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  written_file(const written_file&) = delete;
  written_file& operator=(const written_file&) = delete;
  ~written_file() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }
};
