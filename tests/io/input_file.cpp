// SPDX-License-Identifier: MIT
#include <jig/io/input_file.hpp>

#include "io/damaged.hpp"

namespace {

using jig::detail::input_file;

TEST_CASE("Parts of a file, and all of it mapped") {
  const written_file written("some bytes");
  jig::detail::mapped_bytes bytes;
  {
    const input_file file(written.path());
    CHECK(file.size() == 10);
    CHECK(file.read(5, 5) == "bytes");
    CHECK(file.read(10, 0) == "");
    CHECK_THROWS_WITH_AS(file.read(5, 6), (written.path() + ", byte 10: the file ends here").c_str(), jig::load_error);
    bytes = file.map();
  }
  CHECK(bytes.view() == "some bytes");
  bytes.data()[0] = 'S';
  CHECK(bytes.view() == "Some bytes");
  CHECK(bytes_of_file(written.path()) == "some bytes");
  const jig::detail::mapped_bytes moved = std::move(bytes);
  CHECK(moved.view() == "Some bytes");
  const written_file empty("");
  CHECK(input_file(empty.path()).map().size() == 0);
}

TEST_CASE("What is no file") {
  CHECK_THROWS_WITH_AS(input_file("/no/where"), "/no/where: cannot be opened: No such file or directory", jig::load_error);
  CHECK_THROWS_WITH_AS(input_file("/dev"), "/dev: this is no file", jig::load_error);
  CHECK_THROWS_WITH_AS(input_file("/dev/null"), "/dev/null: this is no file", jig::load_error);
}

}  // namespace
