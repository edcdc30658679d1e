// SPDX-License-Identifier: MIT
#include <jig.hpp>
#include <jig/adapt/cell.hpp>

#include "foreign_memory.hpp"

#include <doctest/doctest.h>

#include <complex>
#include <span>
#include <vector>

namespace {

struct point {
  float x, y, z;
};
struct box {
  point low, high;
};
struct matrix {
  double rows[2][2];
};
struct wide {
  long long first, second;
};
// A class with constructors.
class colour {
 public:
  colour() : colour(0, 0, 0) {}
  colour(unsigned char r, unsigned char g, unsigned char b) : values_{r, g, b} {}
  unsigned char operator[](std::size_t i) const { return values_[i]; }

 private:
  unsigned char values_[3];
};

}  // namespace

template <>
inline constexpr int jig::components<point> = 3;
template <>
inline constexpr int jig::components<box> = 6;
template <>
inline constexpr int jig::components<matrix> = 4;
template <>
inline constexpr int jig::components<wide> = 2;
template <>
inline constexpr int jig::components<colour> = 3;
template <>
inline constexpr int jig::components<std::complex<float>> = 2;

namespace {

constexpr auto norms = jig::function<"norms(x)">([](auto x) { return jig::norm<1>(x); });

}  // namespace

TEST_CASE("what is a cell") {
  using jig::detail::is_cell, jig::detail::cell;
  static_assert(is_cell<float> && is_cell<std::string> && is_cell<jig::half>);
  static_assert(is_cell<std::array<std::array<float, 3>, 2>> && is_cell<float[2][3][4]> && is_cell<std::array<int[2], 3>>);
  static_assert(cell<std::array<float[4], 3>>::extents == jig::shape{2, {3, 4}});
  static_assert(cell<std::array<point, 2>>::extents == jig::shape{2, {2, 3}});
  static_assert(!is_cell<std::vector<float>> && !is_cell<std::array<std::vector<float>, 2>> && !is_cell<std::complex<double>>);
  static_assert(!is_cell<char[6]> && !is_cell<char[2][6]> && is_cell<signed char[6]>);
  // Eight axes, not nine.
  static_assert(is_cell<int[1][1][1][1][1][1][1][1]> && !is_cell<int[1][1][1][1][1][1][1][1][1]>);
  static_assert(jig::Argument<std::vector<int[1][1][1][1][1][1][1]>> && !jig::Argument<std::vector<int[1][1][1][1][1][1][1][1]>>);
}

TEST_CASE("what structs are made of") {
  using jig::spec, jig::dyn;
  static_assert(std::is_same_v<spec_of<point>, spec<float, 3>>);
  static_assert(std::is_same_v<spec_of<box>, spec<float, 6>>);
  static_assert(std::is_same_v<spec_of<matrix>, spec<double, 4>>);
  static_assert(std::is_same_v<spec_of<wide>, spec<std::int64_t, 2>>);
  static_assert(std::is_same_v<spec_of<colour>, spec<std::uint8_t, 3>>);
  static_assert(std::is_same_v<spec_of<std::complex<float>>, spec<float, 2>>);
  static_assert(std::is_same_v<spec_of<std::vector<point>>, spec<float, dyn, 3>>);
  static_assert(std::is_same_v<spec_of<std::array<box, 4>>, spec<float, 4, 6>>);
  static_assert(std::is_same_v<spec_of<std::span<const point>>, spec<float, dyn, 3>>);
  static_assert(std::is_same_v<spec_of<point[2][5]>, spec<float, 2, 5, 3>>);
  static_assert(std::is_same_v<spec_of<std::vector<std::array<long, 2>>>, spec<std::int64_t, dyn, 2>>);
}

TEST_CASE("structs are a short axis of arguments and results") {
  std::vector<point> points{{3, 4, 0}, {0, 6, 8}, {1, 2, 2}};
  const auto lengths = norms(points);
  CHECK(lengths.size() == 3);
  CHECK(lengths(0) == 5);
  CHECK(lengths(1) == 10);
  CHECK(lengths(2) == 3);
  CHECK(norms(std::span<const point>(points).subspan(1))(0) == 10);
  CHECK(norms(std::vector<point>()).size() == 0);

  twice.into(points, points);
  CHECK(points[1].z == 16);
  CHECK(points[2].x == 2);
  point one{1, 2, 3};
  twice.into(one, std::as_const(one));
  CHECK(one.y == 4);
  wide numbers{1LL << 40, -3};
  twice.into(numbers, numbers);
  CHECK(numbers.first == 1LL << 41);
  CHECK(numbers.second == -6);
  std::array<colour, 2> colours{colour(1, 2, 3), colour(4, 5, 200)};
  twice.into(colours, colours);
  CHECK(colours[0][2] == 6);
  CHECK(colours[1][2] == 144);
  box boxes[2]{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}};
  CHECK(twice(boxes)(1, 4) == 22);
  std::vector<std::complex<float>> spectrum{{1, 2}, {3, 4}};
  CHECK(norms(spectrum)(1) == 5);
}

TEST_CASE("arrays of arrays are one tensor") {
  std::array<std::array<float, 3>, 2> a{{{1, 2, 3}, {4, 5, 6}}};
  const auto r = twice(a);
  static_assert(std::is_same_v<decltype(twice(a)), jig::tensor<float, 2, 3>>);
  CHECK(r(1, 0) == 8);
  twice.into(a, std::as_const(a));
  CHECK(a[1][2] == 12);

  std::vector<std::array<long long, 2>> rows{{1, 2}, {3, 4}, {5, 6}};
  twice.into(rows, rows);
  CHECK(rows[2][1] == 12);
  rows.clear();
  CHECK(twice(rows).shape() == jig::shape{2, {0, 2}});
  std::array<std::array<float, 3>, 0> none{};
  CHECK(twice(none).shape() == jig::shape{2, {0, 3}});

  static float cube[2][3][4];
  int next = 0;
  for (auto& plane : cube)
    for (auto& row : plane)
      for (float& e : row) e = static_cast<float>(next++);
  const auto doubled = twice(cube);
  static_assert(std::is_same_v<decltype(twice(cube)), jig::tensor<float, 2, 3, 4>>);
  for (int i = 0; i < 24; ++i) CHECK(doubled(i / 12, i / 4 % 3, i % 4) == static_cast<float>(2 * i));
  twice.into(cube, std::as_const(cube));
  CHECK(cube[1][2][3] == 46);
  const std::array<std::array<std::string, 1>, 2> words{{{"a"}, {"b"}}};
  CHECK(twice(words)(1, 0) == "bb");
}

TEST_CASE("a result of another size is refused, and nothing is resized") {
  const std::vector<point> x(3);
  std::vector<point> out(2);
  CHECK_THROWS_AS(twice.into(out, x), jig::invalid_argument);
  CHECK(out.size() == 2);
}

TEST_CASE("run-time tensors of structs and arrays") {
  std::vector<point> points{{1, 2, 3}, {4, 5, 6}};
  auto seen = jig::any_tensor::viewing(points);
  CHECK(seen.shape() == jig::shape{2, {2, 3}});
  CHECK(seen.data() == points.data());
  static_cast<float*>(seen.mutable_data())[5] = 7;
  CHECK(points[1].z == 7);
  jig::any_tensor copy(points);
  CHECK(copy.data() != points.data());
  std::array<std::array<float, 3>, 2> out{};
  copy.copy_to(out);
  CHECK(out[1][0] == 4);
}
