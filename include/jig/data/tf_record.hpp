// SPDX-License-Identifier: MIT
#pragma once
// Records of TFRecord files. Not part of jig/data.hpp: checksums need Boost.CRC on machines without an instruction for them.

#include <jig/data/dataset.hpp>
#include <jig/io/crc32c.hpp>

#include <cstdio>

namespace jig::data {

/// A file that is damaged, or ends too early.
struct data_loss : error {
  using error::error;
};

namespace detail {

class tf_record_cursor {
  struct closes {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, closes> file_;
  std::string record_;
  index number_ = 0, begin_ = 0;  // of the next record

 public:
  explicit tf_record_cursor(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (file_ == nullptr) jig::detail::raise<error>("tf_record: " + path + " cannot be opened");
  }
  bool next() {
    char head[12], tail[4];
    const std::size_t read = std::fread(head, 1, sizeof(head), file_.get());
    if (read == 0 && std::ferror(file_.get()) == 0) return false;
    if (read < sizeof(head)) refuse("the file ends in it");
    if (number<std::uint32_t>(head + 8) != jig::detail::masked_crc32c(head, 8)) refuse("its length is damaged");
    const auto length = number<std::uint64_t>(head);
    read_data(length);
    if (std::fread(tail, 1, sizeof(tail), file_.get()) < sizeof(tail)) refuse("the file ends in it");
    if (number<std::uint32_t>(tail) != jig::detail::masked_crc32c(record_.data(), record_.size())) refuse("its data are damaged");
    begin_ += static_cast<index>(length) + 16;
    ++number_;
    return true;
  }
  const std::string& element() const { return record_; }
  std::string take() { return std::move(record_); }

 private:
  // Of as many bytes at a time as a file that lies about its length may cost.
  void read_data(std::uint64_t length) {
    constexpr std::uint64_t step = std::uint64_t{1} << 24;
    std::size_t read = 0;
    do {
      const auto more = static_cast<std::size_t>((std::min)(step, length - read));
      record_.resize(read + more);
      if (std::fread(record_.data() + read, 1, more, file_.get()) < more) refuse("the file ends in it");
      read += more;
    } while (read < length);
  }
  // Little-endian.
  template <class T>
  static T number(const char* bytes) {
    T n = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) n |= static_cast<T>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return n;
  }
  [[noreturn, gnu::cold]] void refuse(const char* why) const {
    jig::detail::raise<data_loss>("tf_record: " + path_ + ": record " + std::to_string(number_) + " at byte " + std::to_string(begin_) +
                                  ": " + why);
  }
};

class tf_records {
  std::string path_;

 public:
  using element_type = std::string;
  explicit tf_records(std::string path) : path_(std::move(path)) {}
  index cardinality() const { return unknown_cardinality; }
  auto open() const { return tf_record_cursor(path_); }
};

}  // namespace detail

/// The records of a TFRecord file, each as a std::string of bytes.
/// Errors: in the loop, a file that cannot be opened throws jig::error; a checksum that is another one, and a file that ends within a
/// record, throw data_loss with the record's number and its place.
/// Cost: memory for one record.
inline auto tf_record(std::string path) { return dataset<detail::tf_records>(detail::tf_records(std::move(path))); }

}  // namespace jig::data
