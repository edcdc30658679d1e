// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's checkpoints: tensors by name, in files of bytes (`variables.data-00000-of-00001`) with a table of where they lie
// (`variables.index`).

#include <jig/io/array_bytes.hpp>
#include <jig/io/files.hpp>
#include <jig/io/input_file.hpp>
#include <jig/io/tensorflow/scope.hpp>
#include <jig/io/tensorflow/table.hpp>
#include <jig/io/tensorflow/wire_messages.hpp>

#include <cstdio>
#include <map>
#include <utility>

namespace jig::detail::tensorflow {

inline std::string name_of_shard(index shard, index shards) {
  char name[80];
  std::snprintf(name, sizeof name, ".data-%05lld-of-%05lld", static_cast<long long>(shard), static_cast<long long>(shards));
  return name;
}

/// Writes `prefix`.index and `prefix`.data-00000-of-00001.
/// Errors: strings throw jig::error, which names the tensor; so does a path that cannot be written.
inline void write_bundle(const std::filesystem::path& prefix, const std::map<std::string, any_tensor>& tensors) {
  table_writer table;
  wire_writer header;
  header.number(1, 1);
  if (std::endian::native == std::endian::big) header.number(2, 1);
  header.message(3, [](wire_writer& version) { version.number(1, 1); });
  table.add("", header.bytes());
  replacement data(prefix.string() + name_of_shard(0, 1));
  std::uint64_t offset = 0;
  for (const auto& [name, x] : tensors) {
    if (x.dtype() == dtype::string) raise<error>("variable " + name + ": jig writes no strings to checkpoints");
    const any_tensor dense = x.is_dense() ? x : any_tensor(x.view());
    const std::string_view bytes = dense_bytes(dense.view());
    data.write(bytes);
    wire_writer entry;
    entry.number(1, static_cast<std::uint64_t>(type_of_dtype(x.dtype())));
    entry.message(2, [&](wire_writer& in) { write_shape(in, shape_message_of(x.shape())); });
    if (offset != 0) entry.number(4, offset);
    if (!bytes.empty()) entry.number(5, bytes.size());
    entry.fixed32(6, masked_crc32c(bytes.data(), bytes.size()));
    table.add(name, entry.bytes());
    offset += bytes.size();
  }
  data.commit();
  replace_file(prefix.string() + ".index", table.take());
}

/// Reads a checkpoint: the table at once, tensors when they are asked for.
class bundle_reader {
 public:
  /// Errors: what is damaged throws load_error.
  bundle_reader(const std::filesystem::path& prefix, const load_limits& limits)
      : prefix_(prefix.string()),
        file_(prefix_ + ".index"),
        limits_(limits),
        elements_left_(limits.elements),
        bytes_(read_file(file_, limits)),
        table_(bytes_, file_, limits) {
    if (table_.entries.empty() || !table_.entries[0].key.empty()) table_.fail(0, "the table has no header of a checkpoint");
    wire_problem problem;
    bool big = false;
    for (wire_reader r(table_.entries[0].value, problem, table_.entries[0].offset); r.next();) {
      if (r.field() == 1) shards_ = r.integer();
      else if (r.field() == 2) big = r.number() == 1;
    }
    swapped_ = big != (std::endian::native == std::endian::big);
    require(problem);
    if (shards_ < 0 || shards_ > 99999) table_.fail(table_.entries[0].offset, "there is no such number of files of bytes");
  }

  const std::string& file() const { return file_; }
  bool contains(const std::string& key) const { return find(key) != nullptr; }

  /// The tensor of a name.
  /// Errors: one that is not there, or is damaged, throws load_error.
  any_tensor tensor(const std::string& key) {
    const place p = place_of(key);
    tensor_spec s;
    if (!dtype_of_type(p.type, s.dtype)) fail(p, "jig has no dtype like " + name_of_type(p.type));
    if (s.dtype == dtype::string) fail(p, "jig has no variables of strings");
    s.shape = extents_of(p);
    if (!is_possible(s.dtype, s.shape)) fail(p, "there is no such shape");
    if (p.size != byte_count(s.dtype, s.shape)) fail(p, "it has another number of bytes than its shape says");
    if ((elements_left_ -= s.shape.size()) < 0) fail(p, "variables have more elements than load_limits allow");
    const std::string bytes = read(p);
    if (masked_crc32c(bytes.data(), bytes.size()) != p.crc) fail(p, "the checksum of its bytes is another one");
    any_tensor out = any_tensor::empty(s.dtype, s.shape);
    char* const to = static_cast<char*>(out.mutable_data());
    std::copy(bytes.begin(), bytes.end(), to);
    if (swapped_) swap_bytes(to, bytes.size(), size_of(s.dtype));
    if (s.dtype == dtype::boolean && first_bad_bool(to, bytes.size()) != bytes.size()) fail(p, "a bool is neither 0 nor 1");
    return out;
  }
  /// The string of a name, a scalar.
  std::string text(const std::string& key) {
    const place p = place_of(key);
    if (p.type != type_of_dtype(dtype::string) || extents_of(p).rank != 0) fail(p, "it is no single string");
    const std::string bytes = read(p);
    std::size_t at = 0;
    std::uint64_t length = 0;
    for (int shift = 0; at < bytes.size() && shift < 63; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      length |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte < 128) break;
    }
    if (bytes.size() - at < 4 || length != bytes.size() - at - 4) fail(p, "its length is another one than its bytes say");
    // The checksum is over the length as a number, its own checksum and the characters.
    std::string sum;
    append_fixed(sum, length, length > 0xffffffffu ? 8 : 4);
    sum += bytes.substr(at);
    if (masked_crc32c(sum.data(), sum.size()) != p.crc) fail(p, "the checksum of its bytes is another one");
    return bytes.substr(at + 4);
  }

 private:
  struct place {
    std::string key;
    std::size_t at = 0;
    index type = 0, shard = 0, offset = 0;
    std::size_t size = 0;
    std::uint32_t crc = 0;
    shape_message extents{};
  };
  [[noreturn, gnu::cold]] void fail(const place& p, const std::string& why) const { table_.fail(p.at, "tensor " + p.key + ": " + why); }
  void require(const wire_problem& problem) const {
    if (problem.found) table_.fail(problem.offset, problem.reason);
  }
  const table_entry* find(const std::string& key) const {
    const auto found = std::lower_bound(table_.entries.begin(), table_.entries.end(), key,
                                        [](const table_entry& e, const std::string& k) { return e.key < k; });
    return found != table_.entries.end() && found->key == key ? &*found : nullptr;
  }
  place place_of(const std::string& key) const {
    const table_entry* const e = find(key);
    if (e == nullptr) throw_load_error(file_, load_error::nowhere, "the checkpoint has no tensor " + key);
    place p;
    p.key = key;
    p.at = e->offset;
    wire_problem problem;
    for (wire_reader r(e->value, problem, e->offset); r.next();) {
      switch (r.field()) {
        case 1: p.type = static_cast<index>(r.number() & 0xffff); break;
        case 2: p.extents = read_shape(r.message()); break;
        case 3: p.shard = r.integer(); break;
        case 4: p.offset = r.integer(); break;
        case 5: p.size = static_cast<std::size_t>(r.number()); break;
        case 6: r.each_fixed32([&](std::uint32_t x) { p.crc = x; }); break;
        case 7: fail(p, "it is kept in slices, which jig does not join"); break;
        default: break;
      }
    }
    require(problem);
    if (p.shard < 0 || p.shard >= shards_ || p.offset < 0) fail(p, "it lies in no file of the checkpoint");
    return p;
  }
  shape extents_of(const place& p) const {
    shape out;
    if (p.extents.unknown_rank || p.extents.dims.size() > static_cast<std::size_t>(max_rank)) fail(p, "a tensor has at most 8 axes");
    for (const auto& d : p.extents.dims) {
      if (d.size < 0) fail(p, "an extent is negative");
      out.push_back(d.size);
    }
    return out;
  }
  std::string read(const place& p) const {
    const input_file data(prefix_ + name_of_shard(p.shard, shards_));
    const auto offset = static_cast<std::size_t>(p.offset);
    if (offset > data.size() || p.size > data.size() - offset) data.refuse(data.size(), "tensor " + p.key + ": the file ends before it");
    if (p.size > static_cast<std::size_t>(limits_.bytes)) fail(p, "it has more bytes than load_limits allow");
    return data.read(offset, p.size);
  }

  std::string prefix_, file_;
  load_limits limits_;
  index elements_left_;
  std::string bytes_;
  table_reader table_;
  index shards_ = 0;
  bool swapped_ = false;
};

}  // namespace jig::detail::tensorflow
