// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig/graph/source_line.hpp>

namespace {

constexpr jig::source_line line_of_call(jig::source_line at = jig::source_line::here()) { return at; }

}  // namespace

TEST_CASE("source_line: a default argument is the line of the call") {
  constexpr jig::source_line at = line_of_call();
  constexpr int line = __LINE__ - 1;
  static_assert(at.is_known() && at.line == line);
  CHECK(jig::to_text(at) == "source_line.cpp:" + std::to_string(line));
  CHECK(jig::detail::at_line(at) == " (at source_line.cpp:" + std::to_string(line) + ")");
}

TEST_CASE("source_line: a line that is not known has no text") {
  static_assert(!jig::source_line().is_known());
  CHECK(jig::to_text(jig::source_line()).empty());
  CHECK(jig::detail::at_line(jig::source_line()).empty());
}

TEST_CASE("source_line: folders are left out, in both spellings") {
  CHECK(jig::to_text(jig::source_line{"/home/me/model.cpp", 12}) == "model.cpp:12");
  CHECK(jig::to_text(jig::source_line{"src\\model.cpp", 3}) == "model.cpp:3");
  CHECK(jig::to_text(jig::source_line{"model.cpp", 1}) == "model.cpp:1");
}

TEST_CASE("source_line: the library's own headers are no place of a program") {
  using jig::detail::is_in_library;
  static_assert(is_in_library("/usr/include/jig/ops/matmul.hpp") && is_in_library("../../include/jig/eval/matmul/tile.hpp"));
  static_assert(is_in_library("jig/nn/dense.hpp") && is_in_library("include/jig/gradient.hpp"));
  static_assert(is_in_library(jig::detail::file_of_source_line));
  static_assert(!is_in_library("/usr/include/mine.hpp") && !is_in_library("model.cpp") && !is_in_library(""));
  // A program that lies in a folder of this name, or has folders of its own like the library's.
  static_assert(!is_in_library("/home/me/jig/models/net.hpp") && !is_in_library("/home/me/jig/ops/net.cpp"));
  static_assert(!is_in_library("ops/net.hpp") && is_in_library("/home/me/jig/include/jig/ops/matmul.hpp"));
  // As one header.
  static_assert(is_in_library("jig.hpp", "jig.hpp") && !is_in_library("model.hpp", "jig.hpp"));
  static_assert(!is_in_library(__builtin_FILE()));
}
