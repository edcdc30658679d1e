// SPDX-License-Identifier: MIT
#include <jig/io/npy_header.hpp>

#include <doctest/doctest.h>

namespace {

namespace detail = jig::detail;

TEST_CASE("What is written is read, and elements begin at a multiple of 64") {
  const jig::shape shapes[] = {{}, {1, {7}}, {2, {123456789, 1}}, {8, {1 << 20, 2, 3, 4, 5, 6, 7, 8}}};
  for (int d = 0; d < jig::dtype_count - 1; ++d) {
    const auto dtype = static_cast<jig::dtype>(d);
    if (dtype == jig::dtype::bfloat16) continue;
    for (const auto& s : shapes)
      for (const bool columns : {false, true}) {
        const std::string bytes = detail::npy_header_bytes(dtype, s, columns);
        CHECK(bytes.size() % 64 == 0);
        const auto prefix = detail::read_npy_prefix(bytes.substr(0, 12), "x");
        CHECK(prefix.text + prefix.length == bytes.size());
        const auto h = detail::npy_header_reader(std::string_view(bytes).substr(prefix.text), prefix.text, "x").read();
        CHECK(h.dtype == dtype);
        CHECK(h.extents == s);
        CHECK(h.fortran_order == columns);
        CHECK(!h.swapped);
        CHECK(h.data == bytes.size());
      }
  }
}

TEST_CASE("Headers as Python may write them") {
  const auto read = [](std::string_view text) { return detail::npy_header_reader(text, 10, "x").read(); };
  CHECK(read("{\"shape\":(),'fortran_order':False,'descr':'|?'}").dtype == jig::dtype::boolean);
  CHECK(read("{'shape':( 3 , 4L ),'fortran_order':True,'descr':'=f8'}  \n").extents == jig::shape{2, {3, 4}});
  CHECK(read("{'shape':(),'fortran_order':True,'descr':'>u1'}").swapped == false);
  CHECK(read("{'shape':(),'fortran_order':True,'descr':'>u2'}").swapped);
  CHECK_THROWS_WITH_AS(read("{'shape':(),'fortran_order':True,'descr':'<f8'"), "x, byte 56: a '}' is missing", jig::load_error);
  CHECK_THROWS_WITH_AS(read(""), "x, byte 10: the header is no dictionary", jig::load_error);
}

}  // namespace
