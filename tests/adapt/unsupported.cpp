// SPDX-License-Identifier: MIT
#include <jig.hpp>
#include <jig/adapt/unsupported.hpp>

#include <complex>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <doctest/doctest.h>

namespace Eigen {
template <class T, int Rows, int Columns>
struct Matrix {
  T elements[4];
};
}  // namespace Eigen
namespace arma {
template <class T>
struct Mat {
  T* elements;
};
}  // namespace arma
namespace blaze {
template <class T, bool>
struct DynamicMatrix {
  T* elements;
};
}  // namespace blaze
namespace xt {
struct xarray {};
}  // namespace xt
namespace cv {
struct Mat {};
}  // namespace cv
namespace mine {
struct grid {};
struct two_members {
  float x, y;
};
template <class... T>
struct longer_than_any_message_should_be {};
}  // namespace mine

namespace {

template <class X>
bool says(std::string_view words) {
  return jig::detail::unsupported_reason<X>::sentence.view().find(words) != std::string_view::npos;
}

}  // namespace

TEST_CASE("the name of a type is that of the compiler") {
  CHECK(jig::detail::type_name<int>() == "int");
  CHECK(jig::detail::type_name<mine::grid>() == "mine::grid");
  CHECK(jig::detail::type_name<Eigen::Matrix<float, 2, 2>>() == "Eigen::Matrix<float, 2, 2>");
  CHECK(jig::detail::find_word("abcabd", "abd") == 3);
  CHECK(jig::detail::find_word("abcab", "abd") == 5);
  CHECK(jig::detail::find_word("ab", "abd") == 2);
}

TEST_CASE("an unsupported argument is told with what to do") {
  CHECK(says<Eigen::Matrix<float, 2, 2>>("Eigen::Matrix<float, 2, 2>: include <jig/adapt/eigen.hpp>"));
  CHECK(says<arma::Mat<double>>("include <jig/adapt/armadillo.hpp>"));
  CHECK(says<blaze::DynamicMatrix<float, false>>("include <jig/adapt/blaze.hpp>"));
  CHECK(says<xt::xarray>("include <jig/adapt/xtensor.hpp>"));
  CHECK(says<cv::Mat>("include <jig/adapt/opencv.hpp>"));
  CHECK(says<std::list<float>>("do not lie in one piece"));
  CHECK(says<std::deque<float>>("do not lie in one piece"));
  CHECK(says<std::map<int, float>>("do not lie in one piece"));
  CHECK(says<std::set<float>>("do not lie in one piece"));
  CHECK(says<std::complex<float>>("complex numbers are no dtype"));
  CHECK(says<std::vector<std::complex<float>>>("complex numbers are no dtype"));
  CHECK(says<std::vector<std::vector<float>>>("rows do not lie in one piece"));
  CHECK(says<std::optional<float>>("pass what it holds"));
  CHECK(says<std::unique_ptr<float[]>>("pointer tells no extents"));
  CHECK(says<float*>("pointer tells no extents"));
  CHECK(says<mine::grid>("mine::grid: jig has no adaptor for it; specialise jig::argument"));
  CHECK(says<mine::two_members>("mine::two_members: name its members by BOOST_HANA_DEFINE_STRUCT, or specialise jig::argument"));
}

TEST_CASE("long names are cut") {
  using grid = mine::grid;
  using twice = mine::longer_than_any_message_should_be<grid, grid>;
  using longer = mine::longer_than_any_message_should_be<twice, twice, twice, twice>;
  CHECK_FALSE(says<twice>("..."));
  CHECK(says<longer>("...: jig has no adaptor"));
}
