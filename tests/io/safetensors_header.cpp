// SPDX-License-Identifier: MIT
#include <jig/io/safetensors_header.hpp>

#include <doctest/doctest.h>

namespace {

namespace detail = jig::detail;

TEST_CASE("What is written is read, in its order") {
  const std::vector<detail::safetensors_entry> entries{{"b", jig::dtype::bfloat16, {2, {3, 4}}, 0, 24, 0},
                                                       {"a \"\n\u00e9", jig::dtype::boolean, {}, 24, 25, 0}};
  const std::string bytes = detail::safetensors_header_bytes(entries);
  CHECK(bytes.size() % 8 == 0);
  CHECK(static_cast<std::size_t>(static_cast<unsigned char>(bytes[0])) == bytes.size() - 8);
  const auto found = detail::read_safetensors_header(std::string_view(bytes).substr(8), "x");
  REQUIRE(found.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(found[i].name == entries[i].name);
    CHECK(found[i].dtype == entries[i].dtype);
    CHECK(found[i].extents == entries[i].extents);
    CHECK(found[i].begin == entries[i].begin);
    CHECK(found[i].end == entries[i].end);
  }
  CHECK(detail::read_safetensors_header("{}", "x").empty());
}

TEST_CASE("Places are those in the file") {
  CHECK_THROWS_WITH_AS(detail::read_safetensors_header("{\"x\":1}", "x"), "x, byte 15: the header has a number where none belongs",
                       jig::load_error);
}

}  // namespace
