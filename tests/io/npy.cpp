// SPDX-License-Identifier: MIT
#include <jig/io/npy.hpp>

#include "io/damaged.hpp"

#include <cmath>
#include <vector>

namespace {

using jig::any_tensor;
using jig::dyn;
using jig::tensor;

const auto load = [](const std::string& path) { return jig::load_npy(path); };
const auto map = [](const std::string& path) { return jig::mapped_npy(path); };

std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string out = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(header.size() >> (8 * i) & 255);
  return out + header + data;
}
std::string described(const std::string& dtype, const std::string& shape, const std::string& order = "False") {
  return "{'descr': " + dtype + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}
template <class T>
std::string raw(std::vector<T> x) {
  return {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(T)};
}

// Numbers that use all bytes of an element.
any_tensor filled(jig::dtype d, const jig::shape& extents) {
  any_tensor out = any_tensor::empty(d, extents);
  auto* const bytes = static_cast<unsigned char*>(out.mutable_data());
  for (jig::index i = 0; i < out.size() * static_cast<jig::index>(jig::size_of(d)); ++i)
    bytes[i] = static_cast<unsigned char>(d == jig::dtype::boolean ? i % 2 : 1 + 7 * i % 120);
  return out;
}
bool same(const any_tensor& a, const any_tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.size() == 0) return true;
  const any_tensor x(a.view()), y(b.view());
  return std::memcmp(x.data(), y.data(), static_cast<std::size_t>(a.size()) * jig::size_of(a.dtype())) == 0;
}

TEST_CASE("The bytes that numpy.save writes") {
  const test_folder folder("npy");
  jig::save_npy(folder / "x.npy", tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  const std::string begin = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  const std::string text = begin + std::string(117 - begin.size(), ' ') + "\n";
  CHECK(bytes_of_file(folder / "x.npy") == npy(text, raw<float>({1, 2, 3, 4, 5, 6})));
  CHECK(folder.files() == 1);
}

TEST_CASE("Every dtype and many shapes, loaded and mapped") {
  const test_folder folder("npy");
  const jig::shape shapes[] = {{}, {1, {0}}, {1, {1}}, {1, {7}}, {2, {3, 5}}, {2, {0, 4}}, {3, {2, 1, 3}}, {8, {1, 2, 1, 2, 1, 2, 1, 3}}};
  int wrong = 0;
  for (int d = 0; d < jig::dtype_count; ++d) {
    const auto dtype = static_cast<jig::dtype>(d);
    if (dtype == jig::dtype::bfloat16 || dtype == jig::dtype::string) continue;
    for (const auto& s : shapes) {
      const any_tensor x = filled(dtype, s);
      jig::save_npy(folder / "x.npy", x);
      wrong += !same(jig::load_npy(folder / "x.npy"), x);
      wrong += !same(jig::mapped_npy(folder / "x.npy"), x);
    }
  }
  CHECK(wrong == 0);
  CHECK_THROWS_WITH_AS(jig::save_npy(folder / "y.npy", std::string("text")),
                       "an .npy file has no dtype string: NumPy has none without a bound on its length", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(jig::save_npy(folder / "y.npy", tensor<jig::bfloat16, 1>()), "an .npy file has no dtype bfloat16: NumPy has none",
                       jig::invalid_argument);
  CHECK(folder.files() == 1);
}

TEST_CASE("Columns and gaps") {
  const test_folder folder("npy");
  const tensor<int, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  const int columns[] = {1, 4, 2, 5, 3, 6};
  const auto path = folder / "x.npy";
  jig::save_npy(path, jig::view<jig::column_major<const int>, 2, 3>(columns));
  CHECK(bytes_of_file(path).find("'fortran_order': True") != std::string::npos);
  CHECK(bytes_of_file(path).substr(128) == raw<int>({1, 4, 2, 5, 3, 6}));
  CHECK(same(jig::load_npy(path), x));
  CHECK(same(any_tensor(jig::load_npy<int, 2, dyn>(path)), x));
  const any_tensor mapped = jig::mapped_npy(path);
  CHECK(mapped.strides() == jig::shape{2, {1, 2}});
  CHECK(same(mapped, x));
  const int gaps[] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0};
  jig::save_npy(path, jig::view<const int, 2, 3>(gaps, {2, {2, 3}}, {2, {6, 2}}));
  CHECK(bytes_of_file(path).find("'fortran_order': False") != std::string::npos);
  CHECK(same(jig::load_npy(path), x));
}

TEST_CASE("Other orders of bytes, versions and places") {
  const tensor<std::int32_t, 2> x{1, -2};
  const std::string turned("\0\0\0\1\xff\xff\xff\xfe", 8), straight("\1\0\0\0\xfe\xff\xff\xff", 8);
  for (int version : {1, 2, 3})
    for (const auto& load_it :
         {+[](const std::string& p) { return jig::load_npy(p); }, +[](const std::string& p) { return jig::mapped_npy(p); }}) {
      const written_file big(npy(described("'>i4'", "(2,)"), turned, version)),
          little(npy(described("\"<i4\"", "(2L,)"), straight, version));
      CHECK(same(load_it(big.path()), x));
      CHECK(same(load_it(little.path()), x));
    }
  // Elements that begin where the machine does not read them.
  for (int blanks = 0; blanks < 4; ++blanks) {
    const written_file file(npy(described("'<i4'", "(2,)") + std::string(static_cast<std::size_t>(blanks), ' '), straight));
    CHECK(same(jig::mapped_npy(file.path()), x));
  }
  const written_file half(npy(described("'>f2'", "()"), "\x3c\x01"));
  CHECK(jig::load_npy<jig::half>(half.path())().bits == 0x3c01);
}

TEST_CASE("A type's dtype and extents") {
  const test_folder folder("npy");
  const auto path = folder / "x.npy";
  jig::save_npy(path, tensor<double, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  CHECK(jig::load_npy<double, dyn, 3>(path)(1, 2) == 6);
  CHECK(jig::load_npy<double, 2, dyn>(path)(1, 0) == 4);
  const std::string begin = path.string() + ": the array is float64 (2, 3), expected ";
  CHECK_THROWS_WITH_AS((jig::load_npy<float, 2, 3>(path)), (begin + "float32 (2, 3)").c_str(), jig::load_error);
  CHECK_THROWS_WITH_AS((jig::load_npy<double, 3, dyn>(path)), (begin + "float64 (3, None)").c_str(), jig::load_error);
  CHECK_THROWS_WITH_AS((jig::load_npy<double>(path)), (begin + "float64 ()").c_str(), jig::load_error);
}

TEST_CASE("A mapping lives as long as the last copy, and what is written to it stays in the program") {
  const test_folder folder("npy");
  const auto path = folder / "x.npy";
  jig::save_npy(path, tensor<int, 3>{1, 2, 3});
  any_tensor x = jig::mapped_npy(path);
  any_tensor y = x;
  *static_cast<int*>(x.mutable_data()) = 9;
  CHECK(same(y, tensor<int, 3>{1, 2, 3}));
  y = any_tensor();
  any_tensor z = jig::mapped_npy(path);
  *static_cast<int*>(z.mutable_data()) = 7;
  CHECK(same(z, tensor<int, 3>{7, 2, 3}));
  std::filesystem::remove(path);
  CHECK(same(x, tensor<int, 3>{9, 2, 3}));
  CHECK(same(z, tensor<int, 3>{7, 2, 3}));
}

TEST_CASE("What is no such file is told in a sentence with its place") {
  const auto of = [](const std::string& dtype, const std::string& shape, const std::string& data = "") {
    return refusal_of(npy(described(dtype, shape), data), load);
  };
  CHECK(of("'<i4'", "(1,)", "abcd") == "");
  CHECK(refusal_of("", load) == ", byte 0: this is no .npy file");
  CHECK(refusal_of("\x93NUMPX\1\0", load) == ", byte 0: this is no .npy file");
  CHECK(refusal_of(npy(described("'<i4'", "(1,)"), "abcd", 4), load) == ", byte 6: version 4 of .npy is not known");
  CHECK(refusal_of(std::string("\x93NUMPY\2\0\0\0\0\x7f", 12), load) == ", byte 8: a header of 2130706432 bytes is too long");
  CHECK(of("'<i4'", "(1,)", "abc") == ", byte 67: the elements have 3 bytes, expected 4");
  CHECK(of("'<i4'", "(1,)", "abcde") == ", byte 67: the elements have 5 bytes, expected 4");
  CHECK(of("'<c8'", "(1,)") == ", byte 20: jig has no dtype '<c8' of NumPy");
  CHECK(of("'|O'", "(1,)") == ", byte 20: jig has no dtype '|O' of NumPy");
  CHECK(of("[('a', '<i4')]", "(1,)") == ", byte 20: jig has no dtypes of fields");
  CHECK(of("'|b1'", "(3,)", std::string("\0\1\2", 3)).find("a bool is neither 0 nor 1") != std::string::npos);
  CHECK(refusal_of(npy(described("'|b1'", "(3,)"), std::string("\0\1\2", 3)), map).find("a bool is neither 0 nor 1") != std::string::npos);
  CHECK(of("'<i4'", "(1, 1, 1, 1, 1, 1, 1, 1, 1)").find("the array has more than 8 axes") != std::string::npos);
  CHECK(of("'<i4'", "(99999999999999999999,)").find("an extent is too large") != std::string::npos);
  CHECK(of("'<i4'", "(-1,)").find("an extent is no number") != std::string::npos);
  CHECK(of("'<i4'", "(4294967296, 4294967296)").find("more elements than there can be") != std::string::npos);
  CHECK(of("'<i4'", "(0, 4294967296, 4294967296)").find("more elements than there can be") != std::string::npos);
  CHECK(of("'<i4'", "(1099511627776,)").find("the elements have 0 bytes, expected 4398046511104") != std::string::npos);
  CHECK(of("'<i4'", "3").find("'shape' is no tuple") != std::string::npos);
  CHECK(refusal_of(npy(described("'<i4'", "(1,)", "Maybe"), "abcd"), load).find("neither True nor False") != std::string::npos);
  CHECK(refusal_of(npy("{'descr': '<i4', 'shape': (1,)}", "abcd"), load) == ", byte 10: 'fortran_order' is missing");
  CHECK(refusal_of(npy("{'descr': '<i4', 'descr': '<i4'}", "abcd"), load).find("the key 'descr' is there twice") != std::string::npos);
  CHECK(refusal_of(npy("{'x': 1}", ""), load) == ", byte 11: the key 'x' is not known");
  CHECK(refusal_of(npy(described("'<i4'", "(1,)") + " x", "abcd"), load).find("something stands behind") != std::string::npos);
  CHECK_THROWS_WITH_AS(jig::load_npy("/no/where.npy"), "/no/where.npy: cannot be opened: No such file or directory", jig::load_error);
  CHECK_THROWS_WITH_AS(jig::load_npy("/dev"), "/dev: this is no file", jig::load_error);
  const written_file three(npy(described("'<i4'", "(3,)"), "abcdefghijkl"));
  CHECK_NOTHROW(jig::load_npy(three.path(), {.elements = 3, .bytes = 12}));
  CHECK_THROWS_AS(jig::load_npy(three.path(), {.elements = 2}), jig::load_error);
  CHECK_THROWS_AS((jig::load_npy<int, 3>(three.path(), {.elements = 2})), jig::load_error);
  CHECK_THROWS_AS(jig::mapped_npy(three.path(), {.bytes = 11}), jig::load_error);
}

TEST_CASE("Cut off and changed files") {
  const std::string bytes = npy(described("'<i4'", "(2, 3)", "True") + "          \n", raw<int>({1, 2, 3, 4, 5, 6}));
  CHECK(survives_damage(bytes, load, 2000) > 1000);
  CHECK(survives_damage(npy(described("'|b1'", "(4,)"), std::string("\0\1\0\1", 4)), map, 1000) > 500);
}

TEST_CASE("A disk that is full leaves the old file") {
  const test_folder folder("npy");
  const auto path = folder / "x.npy";
  jig::save_npy(path, tensor<int, 3>{1, 2, 3});
  {
    const short_files full(4096);
    std::string said;
    try {
      jig::save_npy(path, any_tensor::empty(jig::dtype::int8, {1, {100000}}));
    } catch (const jig::error& e) {
      said = e.what();
    }
    CHECK(said == path.string() + ": cannot be written: File too large");
  }
  CHECK(same(jig::load_npy(path), tensor<int, 3>{1, 2, 3}));
  CHECK(folder.files() == 1);
  CHECK_THROWS_WITH_AS(jig::save_npy(folder / "no/x.npy", 1),
                       ((folder / "no/x.npy").string() + ": cannot be written: No such file or directory").c_str(), jig::error);
}

}  // namespace
