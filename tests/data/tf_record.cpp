// SPDX-License-Identifier: MIT
#include <jig/data/tf_record.hpp>

#include "data/written_file.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace {

namespace data = jig::data;

std::string number(std::uint64_t n, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(n >> (8 * i));
  return out;
}
std::string checksum(const std::string& bytes) { return number(jig::detail::masked_crc32c(bytes.data(), bytes.size()), 4); }
std::string framed(const std::string& record) {
  const std::string length = number(record.size(), 8);
  return length + checksum(length) + record + checksum(record);
}
std::vector<std::string> all(const std::string& path) {
  std::vector<std::string> out;
  for (const auto& record : data::tf_record(path)) out.push_back(record);
  return out;
}

TEST_CASE("Records of any length") {
  const std::vector<std::string> records{"first", "", std::string(1 << 20, 'x'), std::string("\0\n", 2)};
  std::string bytes;
  for (const auto& r : records) bytes += framed(r);
  const written_file file(bytes);
  CHECK(all(file.path()) == records);
  CHECK(all(file.path()) == records);
  const written_file empty("");
  CHECK(all(empty.path()).empty());
}

TEST_CASE("Every cut and every damaged byte is found, with the record's number and place") {
  const std::string first = framed("some bytes"), bytes = first + framed("others");
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    CAPTURE(cut);
    const written_file file(bytes.substr(0, cut));
    if (cut == 0 || cut == first.size()) CHECK(all(file.path()).size() == (cut == 0 ? 0 : 1));
    else CHECK_THROWS_AS(all(file.path()), data::data_loss);
  }
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (const int bit : {0, 7}) {
      CAPTURE(at);
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      const written_file file(damaged);
      CHECK_THROWS_AS(all(file.path()), data::data_loss);
    }
  std::string damaged = bytes;
  damaged[first.size() + 13] = 'X';
  const written_file file(damaged);
  int seen = 0;
  CHECK_THROWS_WITH_AS(
      [&] {
        for (const auto& r : data::tf_record(file.path())) seen += r == "some bytes";
      }(),
      ("tf_record: " + file.path() + ": record 1 at byte " + std::to_string(first.size()) + ": its data are damaged").c_str(),
      data::data_loss);
  CHECK(seen == 1);
}

TEST_CASE("A length that is a lie takes no memory") {
  const std::string length = number(std::uint64_t{1} << 62, 8);
  const written_file file(length + checksum(length) + "short");
  CHECK_THROWS_WITH_AS(all(file.path()), ("tf_record: " + file.path() + ": record 0 at byte 0: the file ends in it").c_str(),
                       data::data_loss);
  CHECK_THROWS_WITH_AS(all("/nowhere/at.all"), "tf_record: /nowhere/at.all cannot be opened", jig::error);
}

}  // namespace
