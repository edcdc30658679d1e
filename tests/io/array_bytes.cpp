// SPDX-License-Identifier: MIT
#include <jig/io/array_bytes.hpp>

#include <doctest/doctest.h>

namespace {

namespace detail = jig::detail;

TEST_CASE("Elements as bytes") {
  const jig::tensor<std::uint16_t, 2> x{0x0102, 0x0304};
  CHECK(detail::byte_count(jig::dtype::float64, {2, {3, 4}}) == 96);
  std::string bytes(detail::dense_bytes(detail::view_to_write(x)));
  CHECK(bytes.size() == 4);
  std::string turned = bytes;
  detail::swap_bytes(turned.data(), turned.size(), 2);
  CHECK(turned == std::string{bytes[1], bytes[0], bytes[3], bytes[2]});
  detail::swap_bytes(turned.data(), turned.size(), 4);
  CHECK(turned == std::string{bytes[2], bytes[3], bytes[0], bytes[1]});
  detail::swap_bytes(turned.data(), turned.size(), 1);
  CHECK(turned == std::string{bytes[2], bytes[3], bytes[0], bytes[1]});
  CHECK(detail::view_to_write(jig::any_tensor(x)).extents == jig::shape{1, {2}});
}

TEST_CASE("Bools are 0 or 1, in whatever place another byte is") {
  const char bytes[] = {0, 1, 1, 2, static_cast<char>(0x81), 0};
  CHECK(detail::first_bad_bool(bytes, 0) == 0);
  CHECK(detail::first_bad_bool(bytes, 3) == 3);
  CHECK(detail::first_bad_bool(bytes, 6) == 3);
  CHECK(detail::first_bad_bool(bytes + 4, 2) == 0);
}

TEST_CASE("Columns and rows") {
  const auto view = [](jig::shape extents, jig::shape strides) { return jig::any_view{jig::dtype::int8, nullptr, extents, strides}; };
  CHECK(detail::lies_column_major(view({2, {2, 3}}, {2, {1, 2}})));
  CHECK(!detail::lies_column_major(view({2, {2, 3}}, {2, {3, 1}})));
  CHECK(!detail::lies_column_major(view({2, {2, 3}}, {2, {1, 3}})));
  CHECK(detail::lies_column_major(view({1, {3}}, {1, {1}})));
  CHECK(detail::lies_column_major(view({}, {})));
}

TEST_CASE("Limits") {
  CHECK_NOTHROW(detail::require_limits(jig::dtype::int32, {1, {3}}, {.elements = 3, .bytes = 12}, "x", 7));
  CHECK_THROWS_WITH_AS(detail::require_limits(jig::dtype::int32, {1, {3}}, {.elements = 2}, "x", 7),
                       "x, byte 7: an array has 3 elements, more than the 2 that load_limits allow", jig::load_error);
  CHECK_THROWS_WITH_AS(detail::require_limits(jig::dtype::int32, {1, {3}}, {.bytes = 11}, "x", 7),
                       "x, byte 7: an array has 12 bytes, more than the 11 that load_limits allow", jig::load_error);
}

}  // namespace
