// SPDX-License-Identifier: MIT
#include <jig/data/csv.hpp>

#include "data/written_file.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace {

namespace data = jig::data;

template <class Dataset>
jig::index loop(const Dataset& d) {
  jig::index count = 0;
  for (const auto& row : d) {
    (void)row;
    ++count;
  }
  return count;
}

TEST_CASE("Rows are tuples of columns, or their only one") {
  const written_file file("1, 2.5 ,abc\n-7,1e-3,\"x, \"\"y\"\"\"\r\n\n0,nan,");
  int row = 0;
  for (const auto& [a, b, c] : data::csv<int, double, std::string>(file.path())) {
    CHECK(a == (row == 0 ? 1 : row == 1 ? -7 : 0));
    if (row < 2) CHECK(b == (row == 0 ? 2.5 : 1e-3));
    else CHECK(std::isnan(b));
    CHECK(c == (row == 0 ? "abc" : row == 1 ? "x, \"y\"" : ""));
    ++row;
  }
  CHECK(row == 3);
  const written_file one("3\n4\n");
  CHECK(data::csv<float>(one.path()).reduce(0.0f, [](float a, float b) { return a + b; }) == 7);
  const written_file semicolons("1;2,5\n");
  for (const auto& [a, b] : data::delimited<';', int, std::string>(semicolons.path())) {
    CHECK(a == 1);
    CHECK(b == "2,5");
  }
}

TEST_CASE("Numbers are the nearest of their type") {
  const written_file file("0.1,0.1,16777217\n3.4028235e38,1.7976931348623157e308,-9223372036854775808\n");
  int row = 0;
  for (const auto& [f, d, i] : data::csv<float, double, std::int64_t>(file.path())) {
    CHECK(f == (row == 0 ? 0.1f : std::numeric_limits<float>::max()));
    CHECK(d == (row == 0 ? 0.1 : std::numeric_limits<double>::max()));
    CHECK(i == (row == 0 ? 16777217 : std::numeric_limits<std::int64_t>::min()));
    ++row;
  }
}

TEST_CASE("Neighbouring columns in one tensor") {
  const written_file file("1,2,3,4,good\n5,6,7,8,bad\n");
  float sum = 0;
  std::string labels;
  for (const auto& [x, label] : data::csv<jig::tensor<float, 2, 2>, std::string>(file.path())) {
    sum = 10 * sum + x(1, 0);
    labels += label;
  }
  CHECK(sum == 37);
  CHECK(labels == "goodbad");
  for (const auto& [x, label] : data::csv<jig::tensor<float, 4>, std::string>(file.path()).batch<2>()) {
    CHECK(x(1, 3) == 8);
    CHECK(label(1) == "bad");
  }
}

TEST_CASE("Headers are passed over, or choose columns") {
  const written_file file("a,b,c\n1,2,3\n4,5,6\n");
  int sum = 0;
  for (const auto& [c, a] : data::csv<int, int>(file.path(), {.select_columns = {"c", "a"}})) sum = 100 * sum + 10 * c + a;
  CHECK(sum == 3164);
  CHECK(loop(data::csv<int, int, int>(file.path(), {.header = true})) == 2);
  CHECK_THROWS_WITH_AS((data::csv<int, int>(file.path(), {.select_columns = {"c"}})),
                       "csv: 1 names in select_columns, but a row has 2 fields", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(loop(data::csv<int>(file.path(), {.select_columns = {"d"}})), doctest::Contains("\"d\""), jig::invalid_argument);
}

TEST_CASE("Malformed files say where") {
  const auto refused = [](const std::string& bytes) {
    const written_file file(bytes);
    try {
      loop(data::csv<int, float>(file.path()));
    } catch (const jig::invalid_argument& e) {
      std::string what = e.what();
      const auto at = what.find(file.path());
      REQUIRE(at != std::string::npos);
      return what.replace(at, file.path().size(), "FILE");
    }
    return std::string("nothing thrown");
  };
  CHECK(refused("1,2\n3\n").find("Too few columns in line 2 in file \"FILE\"") != std::string::npos);
  CHECK(refused("1,2,3\n").find("Too many columns in line 1 in file \"FILE\"") != std::string::npos);
  CHECK(refused("1,2\n1,two\n") == "csv: FILE, line 2, column 2: \"two\" is no float32");
  CHECK(refused("1,2\n\n1.5,2\n") == "csv: FILE, line 3, column 1: \"1.5\" is no int32");
  CHECK(refused("1,\n") == "csv: FILE, line 1, column 2: \"\" is no float32");
  CHECK(refused("2147483648,1\n") == "csv: FILE, line 1, column 1: \"2147483648\" is no int32");
  CHECK(refused("1,1e39\n") == "csv: FILE, line 1, column 2: \"1e39\" is no float32");
  CHECK(refused(std::string("1,2\n1,2\0003\n", 10)) == "csv: FILE: byte 7 is 0, which texts do not have");
  CHECK(refused(std::string(1, '\0')) == "csv: FILE: byte 0 is 0, which texts do not have");
  CHECK(refused("1,\"2\n").find("line 1") != std::string::npos);
  CHECK(refused("1,2\n" + std::string(20000000, '7')).find("Line number 2 in file \"FILE\" exceeds the maximum length") !=
        std::string::npos);
  CHECK_THROWS_WITH_AS(loop(data::csv<int>("/nowhere/at.csv")), "csv: /nowhere/at.csv cannot be opened", jig::error);
  const written_file empty("");
  CHECK(loop(data::csv<int>(empty.path())) == 0);
}

TEST_CASE("Rows before a malformed one are delivered, none behind it") {
  const written_file file("1\n2\nx\n4\n");
  int last = 0;
  CHECK_THROWS_AS(
      [&] {
        for (const int i : data::csv<int>(file.path())) last = i;
      }(),
      jig::invalid_argument);
  CHECK(last == 2);
}

TEST_CASE("Files longer than the reader's blocks") {
  std::string bytes;
  const int rows = 400000;
  for (int i = 0; i < rows; ++i) bytes += std::to_string(i) + ',' + std::to_string(0.25 * i) + '\n';
  const written_file file(bytes);
  int next = 0;
  bool same = true;
  for (const auto& [i, x] : data::csv<int, double>(file.path())) {
    same = same && i == next && x == 0.25 * i;
    ++next;
  }
  CHECK(next == rows);
  CHECK(same);
}

}  // namespace
