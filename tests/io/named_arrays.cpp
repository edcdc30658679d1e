// SPDX-License-Identifier: MIT
#include <jig/io/named_arrays.hpp>

#include <doctest/doctest.h>

namespace {

TEST_CASE("Arrays by name, in their order") {
  jig::named_arrays arrays{{"x", 1}, {"a", jig::tensor<float, 2>{1, 2}}};
  arrays.add("", 2.5);
  CHECK(arrays.size() == 3);
  CHECK(arrays.begin()->first == "x");
  CHECK(arrays.contains(""));
  CHECK(!arrays.contains("y"));
  CHECK(arrays.find("y") == nullptr);
  CHECK(arrays["a"].shape() == jig::shape{1, {2}});
  CHECK_THROWS_WITH_AS(arrays["y"], "there is no array 'y' among x, a, ", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(jig::named_arrays()["y"], "there are no arrays", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(arrays.add("x", 2), "there are two arrays named 'x'", jig::invalid_argument);
  CHECK_THROWS_AS((jig::named_arrays{{"x", 1}, {"x", 2}}), jig::invalid_argument);
}

TEST_CASE("As many names as a file may have take no time") {
  jig::named_arrays arrays;
  const jig::any_tensor x = 1;
  const int count = 200000;
  for (int k = 0; k < count; ++k) arrays.add("array_" + std::to_string(k), x);
  int found = 0;
  for (int k = 0; k < count; ++k) found += arrays.contains("array_" + std::to_string(k));
  CHECK(found == count);
}

jig::named_arrays read_nothing(const std::filesystem::path&, const jig::load_limits&) { return {}; }

TEST_CASE("Formats are known by the ends of paths") {
  static constinit jig::detail::array_file_format format{".of_a_test", read_nothing, nullptr};
  jig::detail::enter_array_file_format(format);
  CHECK(&jig::detail::array_file_format_of("a/b.of_a_test") == &format);
  CHECK_THROWS_AS(jig::detail::array_file_format_of("a.of_a_test/b"), jig::invalid_argument);
}

}  // namespace
