// SPDX-License-Identifier: MIT
#include <jig/io/safetensors.hpp>

#include "io/damaged.hpp"

#include <vector>

namespace {

using jig::any_tensor;
using jig::tensor;

const auto load = [](const std::string& path) { return jig::load_safetensors(path); };
const auto map = [](const std::string& path) { return jig::mapped_safetensors(path); };

bool same(const any_tensor& a, const any_tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.size() == 0) return true;
  return std::memcmp(a.data(), any_tensor(b.view()).data(), static_cast<std::size_t>(a.size()) * jig::size_of(a.dtype())) == 0;
}
std::string file(const std::string& header, std::size_t data = 0) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(header.size() >> (8 * i) & 255);
  return out + header + std::string(data, '\0');
}
std::string entry(const std::string& name, const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return '"' + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + '}';
}
std::string of(const std::string& entries, std::size_t data = 0) {
  const std::string loaded = refusal_of(file('{' + entries + '}', data), load);
  CHECK(refusal_of(file('{' + entries + '}', data), map) == loaded);
  return loaded;
}
bool says(const std::string& refusal, const std::string& what) {
  CAPTURE(refusal);
  CHECK(refusal.find(what) != std::string::npos);
  return refusal.find(what) != std::string::npos;
}

TEST_CASE("The bytes of a file") {
  const test_folder folder("safetensors");
  const auto path = folder / "x.safetensors";
  jig::save_safetensors(path, {{"b", tensor<bool, 3>{true, false, true}}, {"x", tensor<std::int16_t, 1, 2>{{1, -2}}}});
  const std::string header = '{' + entry("x", "I16", "[1,2]", "[0,4]") + ',' + entry("b", "BOOL", "[3]", "[4,7]") + '}';
  std::string expected = file(header + std::string((8 - header.size() % 8) % 8, ' ')) + std::string("\1\0\xfe\xff\1\0\1", 7);
  expected[0] = static_cast<char>((header.size() + 7) / 8 * 8);
  CHECK(bytes_of_file(path) == expected);
  CHECK(folder.files() == 1);
}

TEST_CASE("Every dtype, loaded and mapped") {
  const test_folder folder("safetensors");
  const auto path = folder / "x.safetensors";
  jig::named_arrays arrays;
  for (int d = 0; d < jig::dtype_count - 1; ++d) {
    const auto dtype = static_cast<jig::dtype>(d);
    for (const auto& s : {jig::shape{}, jig::shape{1, {3}}, jig::shape{2, {0, 4}}, jig::shape{8, {1, 2, 1, 2, 1, 1, 1, 3}}}) {
      any_tensor x = any_tensor::empty(dtype, s);
      auto* const bytes = static_cast<char*>(x.mutable_data());
      for (jig::index i = 0; i < x.size() * static_cast<jig::index>(jig::size_of(dtype)); ++i)
        bytes[i] = static_cast<char>(dtype == jig::dtype::boolean ? i % 2 : 1 + 7 * i % 120);
      arrays.add(std::string(jig::name_of(dtype)) + "/\u00e9 \"" + std::to_string(s.rank), x);
    }
  }
  const int columns[] = {1, 4, 2, 5, 3, 6};
  arrays.add("columns", any_tensor::viewing(jig::view<jig::column_major<const int>, 2, 3>(columns)));
  jig::save_safetensors(path, arrays);
  jig::named_arrays mapped = jig::mapped_safetensors(path);
  const jig::named_arrays loaded = jig::load_safetensors(path);
  CHECK(loaded.size() == arrays.size());
  CHECK(mapped.size() == arrays.size());
  std::filesystem::remove(path);
  int wrong = 0, unaligned = 0;
  for (const auto& [name, x] : arrays) {
    wrong += !same(loaded[name], x) + !same(mapped[name], x);
    unaligned += reinterpret_cast<std::uintptr_t>(mapped[name].data()) % jig::size_of(x.dtype()) != 0;
  }
  CHECK(wrong == 0);
  CHECK(unaligned == 0);
  any_tensor kept = mapped["columns"];
  mapped = {};
  CHECK(kept.as<int, 2, 3>()(1, 2) == 6);
  jig::save_safetensors(path, {});
  CHECK(jig::load_safetensors(path).size() == 0);
}

TEST_CASE("Files of others: any order, metadata, blanks, elements where machines do not read them") {
  const std::string header =
      '{' + entry("y", "I16", "[1]", "[1,3]") + R"(, "__metadata__" : {"format":"pt"}, )" + entry("b", "U8", "[1]", "[0,1]") + "}  ";
  const written_file x(file(header, 3));
  for (const auto& arrays : {jig::load_safetensors(x.path()), jig::mapped_safetensors(x.path())}) {
    CHECK(arrays.size() == 2);
    CHECK(arrays["y"].as<std::int16_t>()(0) == 0);
    CHECK(arrays["b"].as<std::uint8_t>()(0) == 0);
  }
}

TEST_CASE("What is no such file is told in a sentence with its place") {
  CHECK(of(entry("x", "F32", "[2]", "[0,8]"), 8) == "");
  CHECK(refusal_of("", load) == ", byte 0: the file ends here");
  CHECK(refusal_of(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{}", 10), load) ==
        ", byte 0: a header of 9223372036854775807 bytes is too long");
  CHECK(refusal_of(file("{}").substr(0, 9), load) == ", byte 9: the file ends here");
  CHECK(refusal_of(file("[]"), load) == ", byte 8: the header is no JSON object");
  says(refusal_of(file("{]"), load), ": the header is no JSON");
  says(refusal_of(file("{} {}"), load), ": the header is no JSON");
  says(of(entry("x", "F32", "[2]", "[0,8]") + ',' + entry("x", "F32", "[2]", "[0,8]"), 8), "two arrays are named 'x'");
  says(of(R"("x":{"dtype":"F32","dtype":"F32"})"), "'x': the key 'dtype' is there twice");
  says(of(R"("x":{"other":1})"), "'x': the key 'other' is not known");
  says(of(R"("x":{"dtype":"F32","shape":[2]})"), "'x' has not dtype, shape and two data_offsets");
  says(of(entry("x", "F32", "[2]", "[0]")), "'x' has not dtype, shape and two data_offsets");
  says(of(entry("x", "F32", "[2]", "[0,8,8]")), "a number where none belongs");
  says(of(entry("x", "F8_E4M3", "[2]", "[0,2]"), 2), "jig has no dtype 'F8_E4M3' of safetensors");
  says(of(entry("x", "F32", "[-2]", "[0,8]"), 8), "a negative number where none belongs");
  says(of(entry("x", "F32", "[2.5]", "[0,8]"), 8), "a number that is no integer where none belongs");
  says(of(entry("x", "F32", "[[2]]", "[0,8]"), 8), "a list where none belongs");
  says(of(entry("x", "F32", "[1,1,1,1,1,1,1,1,1]", "[0,4]"), 4), "more than 8 axes");
  says(of(entry("x", "F32", "[18446744073709551615]", "[0,8]"), 8), "an extent of 'x' is too large");
  says(of(entry("x", "F32", "[4294967296,4294967296]", "[0,0]")), "'x' has more elements than there can be");
  says(of(entry("x", "F32", "[2]", "[0,9]"), 9), "'x' has 9 bytes, expected 8");
  says(of(entry("x", "F32", "[2]", "[8,0]"), 8), "'x' is not inside of the file");
  says(of(entry("x", "F32", "[2]", "[0,8]"), 7), "'x' is not inside of the file");
  says(of(entry("x", "F32", "[2]", "[0,8]"), 9), "bytes follow that belong to no array");
  says(of(entry("x", "U8", "[2]", "[1,3]"), 3), "'x' begins at 1, behind a gap");
  says(of(entry("x", "U8", "[2]", "[0,2]") + ',' + entry("y", "U8", "[2]", "[1,3]"), 3), "'y' begins at 1, within another");
  says(of(R"("__metadata__":{"a":{}})"), "an object where none belongs");
  says(of(R"("__metadata__":{"a":"b","a":"c"})"), "two texts of the metadata are named 'a'");
  says(of(R"("x":null)"), "null where none belongs");
  std::string bools = file('{' + entry("x", "BOOL", "[2]", "[0,2]") + '}', 2);
  CHECK(refusal_of(bools, load) == "");
  bools.back() = 2;
  CHECK(refusal_of(bools, load) == ", byte " + std::to_string(bools.size() - 1) + ": a bool is neither 0 nor 1");
  CHECK(refusal_of(bools, map) == refusal_of(bools, load));
  const written_file three(file('{' + entry("x", "U8", "[3]", "[0,3]") + '}', 3));
  CHECK_THROWS_AS(jig::load_safetensors(three.path(), {.elements = 2}), jig::load_error);
  CHECK_THROWS_AS(jig::mapped_safetensors(three.path(), {.elements = 2}), jig::load_error);
  // Deep nesting takes no stack.
  says(refusal_of(file(R"({"x":)" + std::string(1000000, '[')), load), "where none belongs");
}

TEST_CASE("Cut off and changed files") {
  const std::string bytes = file('{' + entry("x", "F32", "[2]", "[0,8]") + ',' + entry("b", "BOOL", "[2]", "[8,10]") + '}', 10);
  CHECK(survives_damage(bytes, load, 2000) > 1000);
  CHECK(survives_damage(bytes, map, 2000) > 1000);
}

TEST_CASE("What cannot be written leaves the old file") {
  const test_folder folder("safetensors");
  const auto path = folder / "x.safetensors";
  jig::save_safetensors(path, {{"x", 1}});
  CHECK_THROWS_WITH_AS(jig::save_safetensors(path, {{"x", std::string("text")}}), "safetensors have no dtype string: 'x' has it",
                       jig::invalid_argument);
  CHECK_THROWS_AS(jig::save_safetensors(path, {{"__metadata__", 1}}), jig::invalid_argument);
  CHECK_THROWS_WITH_AS(jig::save_safetensors(path, {{"\xff", 1}}), "a name of an array is no UTF-8", jig::invalid_argument);
  {
    const short_files full(4096);
    CHECK_THROWS_WITH_AS(jig::save_safetensors(path, {{"x", any_tensor::empty(jig::dtype::int8, {1, {100000}})}}),
                         (path.string() + ": cannot be written: File too large").c_str(), jig::error);
  }
  CHECK(jig::load_safetensors(path)["x"].as<int>()() == 1);
  CHECK(folder.files() == 1);
}

}  // namespace
