// SPDX-License-Identifier: MIT
#pragma once
// Sorted tables, the files that TensorFlow keeps the index of a checkpoint in: keys and values in blocks with checksums, an index of the
// blocks, and a footer that says where it is.

#include <jig/io/crc32c.hpp>
#include <jig/io/limits.hpp>
#include <jig/io/load_error.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jig::detail::tensorflow {

inline constexpr std::uint64_t table_magic = 0xdb4775248b80fb57u;
inline constexpr std::size_t table_footer = 48, block_trailer = 5;

inline void append_fixed(std::string& to, std::uint64_t x, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to.push_back(static_cast<char>(x >> (8 * i) & 255));
}
inline void append_varint(std::string& to, std::uint64_t x) {
  for (; x >= 128; x >>= 7) to.push_back(static_cast<char>((x & 127) | 128));
  to.push_back(static_cast<char>(x));
}

/// Writes a table. Keys are added in their order.
class table_writer {
  // Every so many keys one is written whole, and a block has about so many bytes.
  static constexpr int restart_interval = 16;
  static constexpr std::size_t block_size = 1 << 18;

  struct block {
    std::string bytes, last;
    std::vector<std::uint64_t> restarts{0};
    int since = 0;

    void add(const std::string& key, std::string_view value) {
      std::size_t shared = 0;
      if (since == restart_interval) {
        restarts.push_back(bytes.size());
        since = 0;
      } else {
        while (shared < std::min(last.size(), key.size()) && last[shared] == key[shared]) ++shared;
      }
      append_varint(bytes, shared);
      append_varint(bytes, key.size() - shared);
      append_varint(bytes, value.size());
      bytes.append(key, shared).append(value);
      last = key;
      ++since;
    }
  };

 public:
  void add(const std::string& key, std::string_view value) {
    data_.add(key, value);
    if (data_.bytes.size() >= block_size) finish_data();
  }
  /// The whole table.
  std::string take() {
    if (!data_.bytes.empty()) finish_data();
    const std::string about = place_of(finish(block())), index = place_of(finish(index_));
    std::string footer = about + index;
    footer.resize(table_footer - 8, '\0');
    append_fixed(footer, table_magic, 8);
    return std::move(out_) + footer;
  }

 private:
  struct place {
    std::uint64_t offset, size;
  };
  static std::string place_of(const place& p) {
    std::string out;
    append_varint(out, p.offset);
    append_varint(out, p.size);
    return out;
  }
  place finish(const block& b) {
    std::string bytes = b.bytes;
    for (const std::uint64_t r : b.restarts) append_fixed(bytes, r, 4);
    append_fixed(bytes, b.restarts.size(), 4);
    const place at{out_.size(), bytes.size()};
    bytes.push_back('\0');  // not compressed
    append_fixed(bytes, masked_crc32c(bytes.data(), bytes.size()), 4);
    out_ += bytes;
    return at;
  }
  void finish_data() {
    const std::string last = data_.last;
    index_.add(last, place_of(finish(data_)));
    data_ = {};
  }

  std::string out_;
  block data_, index_;
};

/// What a table says: a key, its value where it lies, and where that is in the file.
struct table_entry {
  std::string key;
  std::string_view value;
  std::size_t offset;
};

/// Reads a table. Every length is compared with what is there, every block with its checksum.
class table_reader {
 public:
  /// Errors: what is no table, or is compressed, throws load_error.
  table_reader(std::string_view bytes, const std::string& file, const load_limits& limits)
      : bytes_(bytes), file_(file), entries_left_(limits.nodes), key_bytes_left_(most_key_bytes) {
    if (bytes.size() < table_footer || fixed(bytes.size() - 8, 8) != table_magic)
      fail(bytes.size() < 8 ? 0 : bytes.size() - 8, "this is no table, or the file ends early");
    std::size_t at = bytes.size() - table_footer;
    const std::size_t end = bytes.size() - 8;
    read_place(at, end);  // of what tells about the table
    const place index = read_place(at, end);
    std::vector<table_entry> blocks;
    read_block(index, bytes.size() - table_footer, blocks);
    for (const auto& b : blocks) {
      at = b.offset;
      read_block(read_place(at, b.offset + b.value.size()), b.offset, entries);
    }
  }

  /// In the order of their keys.
  std::vector<table_entry> entries;

  [[noreturn, gnu::cold]] void fail(std::size_t at, const std::string& why) const { throw_load_error(file_, at, why); }

 private:
  static constexpr std::size_t most_key_bytes = std::size_t{1} << 28;
  struct place {
    std::size_t offset, size, at;
  };

  std::uint64_t fixed(std::size_t at, std::size_t size) const {
    std::uint64_t x = 0;
    for (std::size_t i = 0; i < size; ++i) x |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at + i])) << (8 * i);
    return x;
  }
  std::size_t varint(std::size_t& at, std::size_t end) const {
    const std::size_t start = at;
    std::uint64_t x = 0;
    for (int shift = 0; shift < 63 && at < end; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes_[at++]);
      x |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) return static_cast<std::size_t>(x);
    }
    fail(start, at == end ? "the bytes end within a number" : "a number has more than 63 bits");
  }
  place read_place(std::size_t& at, std::size_t end) const {
    const std::size_t start = at, offset = varint(at, end), size = varint(at, end);
    return {offset, size, start};
  }
  // Blocks lie in front of what names them.
  void read_block(const place& p, std::size_t before, std::vector<table_entry>& to) {
    if (p.offset > before || before - p.offset < block_trailer || p.size > before - p.offset - block_trailer || p.size < 4)
      fail(p.at, "a block is not where the table says");
    const std::size_t end = p.offset + p.size;
    if (masked_crc32c(bytes_.data() + p.offset, p.size + 1) != fixed(end + 1, 4)) fail(p.offset, "the checksum of a block is another one");
    if (bytes_[end] == 1) fail(end, "the table is compressed with Snappy, which jig does not read");
    if (bytes_[end] != 0) fail(end, "a block is compressed in an unknown way");
    const std::uint64_t restarts = fixed(end - 4, 4);
    if (restarts > (p.size - 4) / 4) fail(end - 4, "a block has more restarts than bytes");
    const std::size_t stop = end - 4 - 4 * static_cast<std::size_t>(restarts);
    const std::size_t first = to.size();
    for (std::size_t at = p.offset; at < stop;) {
      const std::size_t start = at, shared = varint(at, stop), own = varint(at, stop), size = varint(at, stop);
      const std::string_view last = to.size() == first ? std::string_view() : std::string_view(to.back().key);
      if (shared > last.size() || own > stop - at || size > stop - at - own) fail(start, "an entry is longer than its block");
      if (--entries_left_ < 0 || shared + own > key_bytes_left_) fail(start, "the table has more entries than load_limits allow");
      key_bytes_left_ -= shared + own;
      std::string key(last.substr(0, shared));
      key += bytes_.substr(at, own);
      if (!to.empty() && key <= to.back().key) fail(start, "the keys are not in order");
      at += own;
      to.push_back({std::move(key), bytes_.substr(at, size), at});
      at += size;
    }
  }

  std::string_view bytes_;
  std::string file_;
  index entries_left_;
  std::size_t key_bytes_left_;
};

}  // namespace jig::detail::tensorflow
