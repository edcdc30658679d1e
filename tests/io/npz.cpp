// SPDX-License-Identifier: MIT
#include <jig/io/npz.hpp>

#include "io/damaged.hpp"

#include <vector>

namespace {

using jig::any_tensor;
using jig::tensor;

const auto load = [](const std::string& path) { return jig::load_npz(path); };

bool same(const any_tensor& a, const any_tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.size() == 0) return true;
  return std::memcmp(a.data(), any_tensor(b.view()).data(), static_cast<std::size_t>(a.size()) * jig::size_of(a.dtype())) == 0;
}

// An archive as libzip writes it, of any members.
struct member {
  std::string name, bytes;
  int method = ZIP_CM_STORE;
  const char* password = nullptr;
};
std::string zipped(const std::vector<member>& members) {
  const test_folder folder("zip");
  const std::string path = (folder / "x.zip").string();
  zip_t* const z = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  for (const auto& m : members) {
    const auto i = static_cast<zip_uint64_t>(
        zip_file_add(z, m.name.c_str(), zip_source_buffer(z, m.bytes.data(), m.bytes.size(), 0), ZIP_FL_ENC_GUESS));
    CHECK(zip_set_file_compression(z, i, m.method, 0) == 0);
    if (m.password != nullptr) CHECK(zip_file_set_encryption(z, i, ZIP_EM_TRAD_PKWARE, m.password) == 0);
  }
  CHECK(zip_close(z) == 0);
  return bytes_of_file(path);
}
std::string npy(const any_tensor& x) {
  return jig::detail::npy_header_bytes(x.dtype(), x.shape(), false) + std::string(jig::detail::dense_bytes(x.view()));
}
// Changes a number of little-endian bytes that follows a text.
void set_behind(std::string& bytes, std::string_view text, std::size_t skip, std::uint64_t x, int count) {
  const std::size_t at = bytes.find(text) + skip;
  for (int i = 0; i < count; ++i) bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(x >> (8 * i) & 255);
}

TEST_CASE("Several arrays, stored and deflated") {
  const test_folder folder("npz");
  const auto path = folder / "x.npz";
  const int columns[] = {1, 4, 2, 5, 3, 6};
  jig::named_arrays arrays{{"x", tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}},
                           {"many", any_tensor::empty(jig::dtype::uint8, {1, {100000}})},
                           {"none", tensor<int, 0, 3>()},
                           {"a/b", 2.5},
                           {"", tensor<bool, 2>{true, false}}};
  std::memset(const_cast<void*>(arrays["many"].data()), 7, 100000);
  arrays.add("columns", any_tensor::viewing(jig::view<jig::column_major<const int>, 2, 3>(columns)));
  for (const bool compressed : {false, true}) {
    jig::save_npz(path, arrays, {.compressed = compressed});
    CHECK((std::filesystem::file_size(path) < 10000) == compressed);
    const auto found = jig::load_npz(path);
    CHECK(found.size() == arrays.size());
    auto at = found.begin();
    for (const auto& [name, x] : arrays) {
      CHECK(at->first == name);
      CHECK(same(at++->second, x));
    }
  }
  // Equal arrays are equal files.
  const std::string bytes = bytes_of_file(path);
  jig::save_npz(path, arrays, {.compressed = true});
  CHECK(bytes_of_file(path) == bytes);
  jig::save_npz(path, {});
  CHECK(jig::load_npz(path).size() == 0);
  CHECK(folder.files() == 1);
}

TEST_CASE("Names are taken as they are: nothing is unpacked into files") {
  const test_folder folder("npz");
  std::filesystem::create_directories(folder / "inside");
  const auto path = folder / "inside/x.npz";
  jig::save_npz(path, {{"../outside", 1}, {"/absolute", 2}});
  CHECK(jig::load_npz(path)["../outside"].as<int>()() == 1);
  CHECK(folder.files() == 0);
}

TEST_CASE("What is no such archive is told in a sentence") {
  const std::string x = npy(tensor<int, 2>{1, 2});
  CHECK(refusal_of(zipped({{"x.npy", x}}), load) == "");
  CHECK(refusal_of("", load) == ": this is no .npz file: it is empty");
  CHECK(refusal_of("no archive", load).find(": this is no .npz file: ") == 0);
  CHECK(refusal_of(zipped({{"x.txt", x}}), load) == ": 'x.txt' in it is no .npy file");
  CHECK(refusal_of(zipped({{"x.npy", "no array"}}), load) == ": 'x.npy' in it, byte 0: this is no .npy file");
  CHECK(refusal_of(zipped({{"x.npy", ""}}), load) == ": 'x.npy' in it, byte 0: this is no .npy file");
  CHECK(refusal_of(zipped({{"x.npy", x + "more"}}), load) == ": 'x.npy' in it, byte 128: the elements have 12 bytes, expected 8");
  CHECK(refusal_of(zipped({{"x.npy", x, ZIP_CM_BZIP2}}), load) == ": 'x' is neither stored nor deflated");
  CHECK(refusal_of(zipped({{"x.npy", x, ZIP_CM_STORE, "secret"}}), load) == ": 'x' is encrypted");
  std::string damaged = zipped({{"x.npy", x}});
  damaged[damaged.find("NUMPY") + 127] ^= 1;
  CHECK(refusal_of(damaged, load).find("CRC error") != std::string::npos);
  // Two arrays of one name, which libzip writes of no program.
  std::string twice = zipped({{"x.npy", x}, {"y.npy", x}});
  for (std::size_t at; (at = twice.find("y.npy")) != twice.npos;) twice[at] = 'x';
  CHECK(refusal_of(twice, load) == ": this is no .npz file: File already exists");
}

TEST_CASE("Archives that would become large are refused before they are unpacked") {
  const test_folder folder("npz");
  const auto path = folder / "x.npz";
  any_tensor zeros = any_tensor::empty(jig::dtype::uint8, {1, {1 << 24}});
  std::memset(zeros.mutable_data(), 0, 1 << 24);
  jig::named_arrays many;
  for (int i = 0; i < 4; ++i) many.add("x" + std::to_string(i), zeros);
  jig::save_npz(path, many, {.compressed = true});
  CHECK(std::filesystem::file_size(path) < 100000);
  CHECK(jig::load_npz(path).size() == 4);
  const std::string name = path.string();
  CHECK_THROWS_WITH_AS(jig::load_npz(path, {.bytes = 1 << 26}),
                       (name + ": its arrays have more than the 67108864 bytes that load_limits allow").c_str(), jig::load_error);
  CHECK_THROWS_AS(jig::load_npz(path, {.elements = 1000}), jig::load_error);
  // Sizes that are lies.
  std::string lie = zipped({{"x.npy", npy(zeros), ZIP_CM_DEFLATE}});
  set_behind(lie, "PK\1\2", 24, 0x7fffffff, 4);
  set_behind(lie, "PK\3\4", 22, 0x7fffffff, 4);
  CHECK(refusal_of(lie, load).find("cannot have the 2147483647 bytes that the archive says") != std::string::npos);
  lie = zipped({{"x.npy", npy(zeros), ZIP_CM_DEFLATE}});
  set_behind(lie, "PK\1\2", 24, (1 << 24) - 4, 4);
  set_behind(lie, "PK\3\4", 22, (1 << 24) - 4, 4);
  CHECK(refusal_of(lie, load) != "");
}

TEST_CASE("Cut off and changed files") {
  const test_folder folder("npz");
  const auto path = folder / "x.npz";
  for (const bool compressed : {false, true}) {
    jig::save_npz(path, {{"x", tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}}, {"b", tensor<bool, 2>{true, false}}},
                  {.compressed = compressed});
    CHECK(survives_damage(bytes_of_file(path), load, 1000) > 500);
  }
}

TEST_CASE("A disk that is full leaves the old file") {
  const test_folder folder("npz");
  const auto path = folder / "x.npz";
  jig::save_npz(path, {{"x", 1}});
  {
    const short_files full(4096);
    CHECK_THROWS_WITH_AS(jig::save_npz(path, {{"x", any_tensor::empty(jig::dtype::int8, {1, {100000}})}}),
                         (path.string() + ": cannot be written: Write error: File too large").c_str(), jig::error);
  }
  CHECK(jig::load_npz(path)["x"].as<int>()() == 1);
  CHECK_THROWS_AS(jig::save_npz(folder / "no/x.npz", {{"x", 1}}), jig::error);
  CHECK_THROWS_AS(jig::save_npz(path, {{"x", std::string("text")}}), jig::invalid_argument);
  CHECK(folder.files() == 1);
}

}  // namespace
