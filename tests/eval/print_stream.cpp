// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <iostream>

#include <jig/eval/print_stream.hpp>

#include <sstream>
#include <thread>
#include <vector>

TEST_CASE("lines go to the stream that was set last") {
  std::ostringstream standard, other;
  auto* before = std::cout.rdbuf(standard.rdbuf());
  jig::set_print_stream(std::cout);
  jig::detail::write_line("one");
  jig::set_print_stream(other);
  jig::detail::write_line("two");
  jig::detail::write_line("");
  jig::set_print_stream(std::cout);
  jig::detail::write_line("three");
  std::cout.rdbuf(before);
  CHECK(standard.str() == "one\nthree\n");
  CHECK(other.str() == "two\n\n");
}

TEST_CASE("lines of several threads stay whole") {
  std::ostringstream out;
  jig::set_print_stream(out);
  std::vector<std::thread> threads;
  for (char name : {'a', 'b', 'c', 'd'})
    threads.emplace_back([name] {
      for (int i = 0; i < 200; ++i) jig::detail::write_line(std::string(100, name));
    });
  for (auto& t : threads) t.join();
  jig::set_print_stream(std::cout);
  std::istringstream lines(out.str());
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) REQUIRE(line == std::string(100, line.front()));
  CHECK(count == 800);
}
