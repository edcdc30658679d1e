// SPDX-License-Identifier: MIT
#include <jig/io/tensorflow/bundle.hpp>

#include "../damaged.hpp"

#include <doctest/doctest.h>

#include <random>

namespace {

namespace tf = jig::detail::tensorflow;
using jig::any_tensor, jig::dtype;

std::string why(const std::string& bytes, const jig::load_limits& limits = {}) {
  try {
    tf::table_reader(bytes, "table", limits);
  } catch (const jig::load_error& e) {
    return e.reason();
  }
  return "";
}
// The checksum of the block that ends here, behind its type, made right again.
void mend(std::string& bytes, std::size_t begin, std::size_t end) {
  std::string sum;
  tf::append_fixed(sum, jig::detail::masked_crc32c(bytes.data() + begin, end - begin), 4);
  bytes.replace(end, 4, sum);
}

}  // namespace

TEST_CASE("a table of one entry, byte by byte") {
  tf::table_writer w;
  w.add("key", "value");
  const std::string bytes = w.take();
  // LevelDB's layout: shared and own length of the key and length of the value, these, one restart at 0, and how many there are.
  const std::string block = std::string("\0\3\5keyvalue", 11) + std::string("\0\0\0\0\1\0\0\0\0", 9);
  REQUIRE(bytes.substr(0, 20) == block);
  std::string sum;
  tf::append_fixed(sum, jig::detail::masked_crc32c(block.data(), block.size()), 4);
  CHECK(bytes.substr(20, 4) == sum);
  // An empty block about the table, and the index: the last key of each block, and where it lies.
  CHECK(bytes.substr(24, 9) == std::string("\0\0\0\0\1\0\0\0\0", 9));
  CHECK(bytes.substr(37, 8) == std::string("\0\3\2key\0\23", 8));
  CHECK(bytes.substr(bytes.size() - 8) == "\x57\xfb\x80\x8b\x24\x75\x47\xdb");
  CHECK(bytes.substr(bytes.size() - 48, 4) == std::string("\x18\x08\x25\x10", 4));
  const tf::table_reader read(bytes, "table", {});
  REQUIRE(read.entries.size() == 1);
  CHECK(read.entries[0].key == "key");
  CHECK(read.entries[0].value == "value");
  CHECK(read.entries[0].offset == 6);
}

TEST_CASE("tables of none, and of many keys in several blocks") {
  CHECK(tf::table_reader(tf::table_writer().take(), "table", {}).entries.empty());
  for (const int count : {1, 15, 16, 17, 33, 5000}) {
    CAPTURE(count);
    tf::table_writer w;
    std::vector<std::string> keys;
    for (int k = 0; k < count; ++k) keys.push_back("layer/" + std::to_string(k) + std::string(static_cast<std::size_t>(k % 5), 'x'));
    std::sort(keys.begin(), keys.end());
    for (const auto& key : keys) w.add(key, key + std::string(100, 'v'));
    const std::string bytes = w.take();
    const tf::table_reader read(bytes, "table", {});
    REQUIRE(read.entries.size() == keys.size());
    int wrong = 0;
    for (std::size_t k = 0; k < keys.size(); ++k)
      wrong += read.entries[k].key != keys[k] || read.entries[k].value != keys[k] + std::string(100, 'v');
    CHECK(wrong == 0);
  }
}

TEST_CASE("damaged tables are refused, also where their checksums are right") {
  tf::table_writer w;
  for (const char* key : {"", "a", "ab", "abc", "b"}) w.add(key, "some value");
  const std::string bytes = w.take();
  for (std::size_t n = 0; n < bytes.size(); ++n) CHECK(!why(bytes.substr(0, n)).empty());
  CHECK(why(bytes) == "");
  jig::load_limits few;
  few.nodes = 4;
  CHECK(why(bytes, few) == "the table has more entries than load_limits allow");
  const std::size_t end = static_cast<unsigned char>(bytes[bytes.size() - 48]) - std::size_t{5};  // of the block of entries
  std::string snappy = bytes;
  snappy[end] = 1;
  mend(snappy, 0, end + 1);
  CHECK(why(snappy) == "the table is compressed with Snappy, which jig does not read");
  std::string unordered = bytes;
  unordered[unordered.find("some value") + 10 + 3] = 'z';  // in place of "a"
  CHECK(why(unordered) == "the checksum of a block is another one");
  mend(unordered, 0, end + 1);
  CHECK(why(unordered) == "the keys are not in order");
  std::mt19937 random(3);
  int refused = 0, read = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string changed = bytes;
    for (auto changes = 1 + random() % 3; changes > 0; --changes)
      changed[random() % end] = static_cast<char>(random() % 4 ? random() % 16 : random());
    mend(changed, 0, end + 1);
    (why(changed).empty() ? read : refused) += 1;
  }
  CHECK(refused > 1000);
  CHECK(read > 1000);
}

TEST_CASE("a checkpoint holds what it was given, in every dtype") {
  const test_folder here("bundle");
  std::map<std::string, any_tensor> values{{"float", any_tensor(jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}})},
                                           {"none", any_tensor::empty(dtype::float64, {2, {0, 4}})},
                                           {"scalar", any_tensor(std::int64_t{-5})},
                                           {"truth", any_tensor(jig::tensor<bool, 3>{true, false, true})},
                                           {"byte", any_tensor(jig::tensor<std::uint8_t, 2>{7, 255})}};
  // Elements that lie apart.
  float memory[6] = {0, 1, 2, 3, 4, 5};
  values.emplace("strided", any_tensor::viewing(jig::view<const float, 3>(memory, {3}, {2})));
  tf::write_bundle(here / "variables", values);
  tf::bundle_reader read(here / "variables", {});
  for (const auto& [name, x] : values) {
    CAPTURE(name);
    const any_tensor y = read.tensor(name);
    REQUIRE(y.dtype() == x.dtype());
    REQUIRE(y.shape() == x.shape());
    const any_tensor dense(x.view());
    CHECK((x.size() == 0 || std::memcmp(y.data(), dense.data(), static_cast<std::size_t>(x.size()) * size_of(x.dtype())) == 0));
  }
  CHECK_THROWS_WITH_AS(read.tensor("other"), doctest::Contains("the checkpoint has no tensor other"), jig::load_error);
  CHECK_THROWS_WITH_AS(read.text("float"), doctest::Contains("tensor float: it is no single string"), jig::load_error);
  CHECK_THROWS_WITH_AS(tf::write_bundle(here / "text", {{"s", any_tensor("text")}}), doctest::Contains("no strings"), jig::error);
  CHECK(here.files() == 2);
  jig::load_limits few;
  few.elements = 5;
  CHECK_THROWS_WITH_AS(tf::bundle_reader(here / "variables", few).tensor("float"), doctest::Contains("load_limits"), jig::load_error);

  // The bytes of one tensor are others, or are not there.
  const auto data = here / "variables.data-00000-of-00001";
  const std::string bytes = bytes_of_file(data);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    std::ofstream(data, std::ios::binary) << changed;
    int refused = 0;
    for (const auto& [name, x] : values) {
      try {
        read.tensor(name);
      } catch (const jig::load_error& e) {
        CHECK(e.reason() == "tensor " + name + ": the checksum of its bytes is another one");
        ++refused;
      }
    }
    CHECK(refused == 1);
  }
  std::filesystem::remove(data);
  std::ofstream(data, std::ios::binary) << bytes.substr(0, bytes.size() - 1);
  CHECK_THROWS_WITH_AS(read.tensor("truth"), doctest::Contains("tensor truth: the file ends before it"), jig::load_error);
}

TEST_CASE("what entries say is checked") {
  const test_folder here("bundle_entries");
  const auto refusal = [&](auto write) {
    tf::table_writer table;
    jig::wire_writer header, entry;
    header.number(1, 1);
    write(entry);
    table.add("", header.bytes());
    table.add("x", entry.bytes());
    jig::detail::replace_file(here / "v.index", table.take());
    jig::detail::replace_file(here / "v.data-00000-of-00001", "12345678");
    try {
      tf::bundle_reader(here / "v", {}).tensor("x");
    } catch (const jig::load_error& e) {
      return e.reason();
    }
    return std::string();
  };
  const auto shape = [](jig::wire_writer& w, jig::index extent) {
    w.message(2, [&](jig::wire_writer& s) { s.message(2, [&](jig::wire_writer& d) { d.integer(1, extent); }); });
  };
  const auto entry = [&](std::uint64_t type, jig::index extent, std::uint64_t shard, jig::index offset, std::uint64_t size) {
    return refusal([&](jig::wire_writer& w) {
      w.number(1, type);
      shape(w, extent);
      w.number(3, shard);
      w.integer(4, offset);
      w.number(5, size);
      w.fixed32(6, jig::detail::masked_crc32c("12345678", 8));
    });
  };
  CHECK(entry(1, 2, 0, 0, 8) == "");
  CHECK(entry(8, 1, 0, 0, 8) == "tensor x: jig has no dtype like DT_COMPLEX64");
  CHECK(entry(7, 1, 0, 0, 8) == "tensor x: jig has no variables of strings");
  CHECK(entry(1, 3, 0, 0, 8) == "tensor x: it has another number of bytes than its shape says");
  CHECK(entry(1, -2, 0, 0, 8) == "tensor x: an extent is negative");
  CHECK(entry(1, jig::index{1} << 61, 0, 0, 8) == "tensor x: there is no such shape");
  CHECK(entry(1, 2, 1, 0, 8) == "tensor x: it lies in no file of the checkpoint");
  CHECK(entry(1, 2, 0, -1, 8) == "tensor x: it lies in no file of the checkpoint");
  CHECK(entry(1, 2, 0, 4, 8) == "tensor x: the file ends before it");
  CHECK(entry(10, 8, 0, 0, 8) == "tensor x: a bool is neither 0 nor 1");
  CHECK(refusal([](jig::wire_writer& w) { w.message(7, [](jig::wire_writer&) {}); }) ==
        "tensor x: it is kept in slices, which jig does not join");
  // Without a header it is no checkpoint.
  tf::table_writer table;
  table.add("x", "");
  jig::detail::replace_file(here / "v.index", table.take());
  CHECK_THROWS_WITH_AS(tf::bundle_reader(here / "v", {}), doctest::Contains("no header of a checkpoint"), jig::load_error);
}
