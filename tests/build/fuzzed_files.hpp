// SPDX-License-Identifier: MIT
#pragma once
// Files that are written for every input of a libFuzzer target: in memory, where the system has a folder of such.

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

class folder_of_files {
  std::filesystem::path path_;

 public:
  explicit folder_of_files(const std::string& name) {
    const std::filesystem::path memory = "/dev/shm";
    const auto around = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    path_ = around / (name + "_" + std::to_string(::getpid()));
    std::filesystem::create_directory(path_);
  }
  folder_of_files(const folder_of_files&) = delete;
  folder_of_files& operator=(const folder_of_files&) = delete;
  ~folder_of_files() { std::filesystem::remove_all(path_); }

  const std::filesystem::path& path() const { return path_; }
  void write(const std::filesystem::path& name, std::string_view bytes) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
};
