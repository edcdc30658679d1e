// SPDX-License-Identifier: MIT
#include <jig/trace/signature.hpp>

#include <jig/trace/trace.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

using namespace std::string_view_literals;

struct point {
  BOOST_HANA_DEFINE_STRUCT(point, (float, x), (std::vector<int>, y));
};

}  // namespace

TEST_CASE("names of functions and parameters") {
  static_assert(jig::function_name("add(a, b)") == "add"sv);
  static_assert(jig::function_name(" add (a)") == "add"sv);
  static_assert(jig::function_name("add") == "add"sv);
  static_assert(jig::function_name("") == "function"sv && jig::function_name("(a)") == "function"sv);
  static_assert(jig::parameter_name("add(a, b)", 0).view() == "a"sv);
  static_assert(jig::parameter_name("add( a ,b )", 1).view() == "b"sv);
  static_assert(jig::parameter_name("add(a, b)", 2).view() == "args_2"sv);
  static_assert(jig::parameter_name("", 0).view() == "args_0"sv);
  static_assert(jig::parameter_name("add()", 0).view() == "args_0"sv);
  static_assert(jig::detail::parameter_count("f(a, b, c)") == 3 && jig::detail::parameter_count("f") == 0);
  CHECK(jig::function_name("f(x)") == "f");
}

TEST_CASE("what an argument contributes to the key") {
  using jig::key_of;
  static_assert(std::is_same_v<key_of<float>, jig::spec<float>>);
  static_assert(std::is_same_v<key_of<jig::tensor<int, 2, jig::dyn>>, jig::spec<int, 2, jig::dyn>>);
  static_assert(std::is_same_v<key_of<jig::view<const int, 2>>, jig::spec<int, 2>>);
  static_assert(std::is_same_v<key_of<std::vector<double>>, jig::spec<double, jig::dyn>>);
  static_assert(std::is_same_v<key_of<std::span<const double, 4>>, jig::spec<double, 4>>);
  static_assert(std::is_same_v<key_of<float[2][3]>, jig::spec<float, 2, 3>>);
  static_assert(std::is_same_v<key_of<std::string>, jig::spec<std::string>>);
  static_assert(std::is_same_v<key_of<const char*>, jig::spec<std::string>>);
  static_assert(std::is_same_v<key_of<char[2]>, jig::spec<std::string>>);
  static_assert(std::is_same_v<key_of<jig::spec<float, 3>>, jig::spec<float, 3>>);
  static_assert(std::is_same_v<key_of<jig::literal<5>>, jig::literal<5>>);
  static_assert(std::is_same_v<key_of<std::true_type>, std::true_type>);
  static_assert(std::is_same_v<key_of<std::tuple<float, std::pair<int, jig::literal<2>>>>,
                               std::tuple<jig::spec<float>, std::pair<jig::spec<int>, jig::literal<2>>>>);
  static_assert(std::is_same_v<key_of<std::array<std::vector<float>, 2>>, std::array<jig::spec<float, jig::dyn>, 2>>);
  using keys = key_of<point>;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(jig::structure<keys>::get<0>(std::declval<keys&>()))>, jig::spec<float>>);
  static_assert(jig::structure<keys>::name<1>() == "y"sv);
  CHECK(jig::structure<keys>::size == 2);
}

TEST_CASE("types with one dtype share a key") {
  static_assert(std::is_same_v<jig::key_of<std::vector<long>>, jig::key_of<std::vector<long long>>>);
  static_assert(std::is_same_v<jig::key_of<char>, jig::key_of<std::int8_t>>);
  CHECK(jig::dtype_of<long> == jig::dtype_of<long long>);
}
