// SPDX-License-Identifier: MIT
#include <jig/io/files.hpp>

#include <doctest/doctest.h>

#include <sys/resource.h>

#include <csignal>

TEST_CASE("a file is replaced whole or not at all") {
  namespace fs = std::filesystem;
  const fs::path here = fs::temp_directory_path() / ("jig_files_" + std::to_string(::getpid()));
  fs::create_directories(here);
  const fs::path file = here / "file";
  jig::detail::replace_file(file, "old");
  CHECK(jig::detail::read_file(file, {}) == "old");
  jig::detail::replace_file(file, "");
  CHECK(jig::detail::read_file(file, {}).empty());
  jig::detail::replace_file(file, "new");
  {
    // No room, as a full disk would have it.
    struct rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    struct rlimit few = before;
    few.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &few);
    CHECK_THROWS_WITH_AS(jig::detail::replace_file(file, std::string(5000, 'x')), doctest::Contains("cannot be written: File too large"),
                         jig::error);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
  CHECK(jig::detail::read_file(file, {}) == "new");
  CHECK_THROWS_AS(jig::detail::replace_file(here / "none" / "file", "x"), jig::error);
  CHECK_THROWS_WITH_AS(jig::detail::replace_file(here, "x"), doctest::Contains("no regular file"), jig::error);
  CHECK_THROWS_WITH_AS(jig::detail::replace_file("/dev/null", "x"), doctest::Contains("no regular file"), jig::error);
  CHECK(fs::is_character_file("/dev/null"));
  fs::create_symlink(file, here / "link");
  jig::detail::replace_file(here / "link", "through a link");
  CHECK(fs::is_symlink(here / "link"));
  CHECK(jig::detail::read_file(file, {}) == "through a link");
  fs::remove(here / "link");
  CHECK(std::distance(fs::directory_iterator(here), fs::directory_iterator()) == 1);

  jig::load_limits few;
  few.bytes = 2;
  CHECK_THROWS_WITH_AS(jig::detail::read_file(file, few), doctest::Contains("more than the 2"), jig::load_error);
  CHECK_THROWS_WITH_AS(jig::detail::read_file(here, {}), doctest::Contains("no file"), jig::load_error);
  CHECK_THROWS_WITH_AS(jig::detail::require_folder(file), doctest::Contains("cannot be made a folder"), jig::error);
  fs::remove_all(here);
}
