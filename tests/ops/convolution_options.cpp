// SPDX-License-Identifier: MIT
#include <jig/ops/convolution_options.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

using jig::detail::convolution_attributes;

namespace {

template <class With>
std::vector<jig::index> list(std::string_view key) {
  const auto values = jig::find_attribute(With::view(), key).values;
  return {values.begin(), values.end()};
}
template <class With>
std::string_view text(std::string_view key) {
  return jig::find_attribute(With::view(), key).text;
}

}  // namespace

TEST_CASE("options become TensorFlow's attributes, in any order") {
  using plain = convolution_attributes<2, 2>;
  CHECK(list<plain>("strides") == std::vector<jig::index>{1, 1, 1, 1});
  CHECK(list<plain>("dilations") == std::vector<jig::index>{1, 1, 1, 1});
  CHECK(text<plain>("padding") == "VALID");
  CHECK(text<plain>("data_format") == "NHWC");
  CHECK(plain::view().size() == 4);
  using many = convolution_attributes<2, 2, jig::explicit_padding_t<1, 2, 3, 4>, jig::dilations_t<5>, jig::strides_t<2, 3>>;
  CHECK(list<many>("strides") == std::vector<jig::index>{1, 2, 3, 1});
  CHECK(list<many>("dilations") == std::vector<jig::index>{1, 5, 5, 1});
  CHECK(text<many>("padding") == "EXPLICIT");
  CHECK(list<many>("explicit_paddings") == std::vector<jig::index>{0, 0, 1, 2, 3, 4, 0, 0});
  static_assert(!many::options.channels_first);
  static_assert(convolution_attributes<2, 2, jig::channels_first_t>::options.channels_first);
}

TEST_CASE("a convolution of fewer axes has ones before them") {
  using line = convolution_attributes<2, 1, jig::strides_t<3>, jig::explicit_padding_t<1, 2>>;
  CHECK(list<line>("strides") == std::vector<jig::index>{1, 1, 3, 1});
  CHECK(list<line>("explicit_paddings") == std::vector<jig::index>{0, 0, 0, 0, 1, 2, 0, 0});
}

TEST_CASE("lists of a wrong length do not fit") {
  static_assert(convolution_attributes<3, 3, jig::strides_t<1, 2, 3>>::options.fits);
  static_assert(!convolution_attributes<3, 3, jig::strides_t<1, 2>>::options.fits);
  static_assert(!convolution_attributes<2, 2, jig::dilations_t<>>::options.fits);
  static_assert(!convolution_attributes<1, 1, jig::explicit_padding_t<1>>::options.fits);
  static_assert(convolution_attributes<1, 1, jig::explicit_padding_t<1, 2>>::options.fits);
}
