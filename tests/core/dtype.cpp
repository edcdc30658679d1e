// SPDX-License-Identifier: MIT
#include <jig/core/dtype.hpp>

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using jig::dtype;
using jig::dtype_of;

namespace {
struct incomplete;
}

TEST_CASE("dtypes and C++ types name each other") {
  static_assert(dtype_of<float> == dtype::float32);
  static_assert(dtype_of<double> == dtype::float64);
  static_assert(dtype_of<jig::half> == dtype::float16);
  static_assert(dtype_of<jig::bfloat16> == dtype::bfloat16);
  static_assert(dtype_of<std::int8_t> == dtype::int8);
  static_assert(dtype_of<std::int16_t> == dtype::int16);
  static_assert(dtype_of<std::int32_t> == dtype::int32);
  static_assert(dtype_of<std::int64_t> == dtype::int64);
  static_assert(dtype_of<std::uint8_t> == dtype::uint8);
  static_assert(dtype_of<std::uint16_t> == dtype::uint16);
  static_assert(dtype_of<std::uint32_t> == dtype::uint32);
  static_assert(dtype_of<std::uint64_t> == dtype::uint64);
  static_assert(dtype_of<bool> == dtype::boolean);
  static_assert(dtype_of<std::string> == dtype::string);
  static_assert([]<std::size_t... D>(std::index_sequence<D...>) {
    return ((dtype_of<jig::type_of<static_cast<dtype>(D)>> == static_cast<dtype>(D)) && ...);
  }(std::make_index_sequence<jig::dtype_count>()));
}

TEST_CASE("types of one dtype share one C++ type") {
  static_assert(dtype_of<long> == dtype::int64);
  static_assert(dtype_of<long long> == dtype::int64);
  static_assert(std::is_same_v<jig::canonical<long>, jig::canonical<long long>>);
  static_assert(std::is_same_v<jig::canonical<unsigned long>, jig::canonical<unsigned long long>>);
  static_assert(!std::is_same_v<jig::canonical<long>, jig::canonical<unsigned long>>);
  static_assert(std::is_same_v<jig::canonical<char>, std::conditional_t<std::is_signed_v<char>, std::int8_t, std::uint8_t>>);
  static_assert(std::is_same_v<jig::canonical<std::string>, std::string>);
}

TEST_CASE("what can be an element") {
  static_assert(jig::Element<float> && jig::Element<bool> && jig::Element<std::string> && jig::Element<long long>);
  static_assert(!jig::Element<long double>);
  static_assert(!jig::Element<wchar_t>);
  // Not every type has a size.
  static_assert(!jig::Element<void>);
  static_assert(!jig::Element<incomplete>);
  static_assert(!jig::Element<int()>);
  static_assert(!jig::Element<int[]>);
  static_assert(!jig::Element<float*>);
  static_assert(!jig::Element<float&>);
  static_assert(!jig::Element<std::vector<float>>);
  static_assert(!jig::Element<const char*>);
  static_assert(!jig::Element<dtype>);
  static_assert(!jig::Element<const float>);
}

TEST_CASE("names and sizes of all dtypes") {
  static_assert(jig::name_of(dtype::float32) == "float32");
  static_assert(jig::name_of(dtype::boolean) == "bool");
  struct known {
    dtype d;
    std::string_view name;
    std::size_t size;
  };
  const std::vector<known> all{{dtype::float32, "float32", 4}, {dtype::float64, "float64", 8},   {dtype::int8, "int8", 1},
                               {dtype::float16, "float16", 2}, {dtype::bfloat16, "bfloat16", 2}, {dtype::int16, "int16", 2},
                               {dtype::int32, "int32", 4},     {dtype::int64, "int64", 8},       {dtype::uint8, "uint8", 1},
                               {dtype::uint16, "uint16", 2},   {dtype::uint32, "uint32", 4},     {dtype::uint64, "uint64", 8},
                               {dtype::boolean, "bool", 1},    {dtype::string, "string", 0}};
  REQUIRE(all.size() == jig::dtype_count);
  for (const auto& [d, name, size] : all) {
    CHECK(jig::name_of(d) == name);
    CHECK(jig::size_of(d) == size);
  }
}

TEST_CASE("kinds of dtypes") {
  for (int i = 0; i < jig::dtype_count; ++i) {
    auto d = static_cast<dtype>(i);
    std::string_view name = jig::name_of(d);
    CAPTURE(name);
    bool floating = name.find("float") != name.npos, whole = name.find("int") != name.npos;
    CHECK(jig::is_floating(d) == floating);
    CHECK(jig::is_integer(d) == whole);
    CHECK(jig::is_storage(d) == (name == "float16" || name == "bfloat16"));
    CHECK(jig::is_number(d) == (floating || whole));
    CHECK(jig::is_signed(d) == (floating || name.starts_with("int")));
  }
  static_assert(jig::is_signed(dtype::int8) && !jig::is_signed(dtype::uint8));
}
