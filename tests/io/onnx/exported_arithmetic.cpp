// SPDX-License-Identifier: MIT
#include <jig/io/onnx/exported_arithmetic.hpp>

#include "node_model.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

using jig::any_tensor, jig::dtype, jig::tensor;
namespace ops = jig::ops;

}  // namespace

TEST_CASE("rests of integers are not computed in floating numbers, and nothing wraps on the way") {
  const auto of = [](const jig::op& o, std::int64_t x, std::int64_t y) {
    node_model m(o, {{dtype::int64, {}}, {dtype::int64, {}}});
    CHECK(m.numbers("Mod", "fmod").empty());
    return m.number<std::int64_t>({any_tensor(x), any_tensor(y)});
  };
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min(), highest = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t x : {lowest, lowest + 1, std::int64_t{-7}, std::int64_t{0}, std::int64_t{7}, highest})
    for (const std::int64_t y : {-3, -2, -1, 1, 2, 3, 10}) {
      if (x == lowest && y == -1) continue;
      const std::int64_t rest = x % y, floored = x / y - (rest != 0 && (rest < 0) != (y < 0));
      CHECK(of(ops::truncate_mod, x, y) == rest);
      CHECK(of(ops::floor_divide, x, y) == floored);
      CHECK(of(ops::floor_mod, x, y) == (floored == x / y ? rest : rest + y));
    }
  // The quotient that there is not wraps, as everywhere in jig.
  CHECK(of(ops::truncate_divide, lowest, -1) == lowest);
  CHECK(of(ops::truncate_divide, -7, -1) == 7);
  CHECK(of(ops::truncate_divide, -7, 2) == -3);
  CHECK(of(ops::truncate_mod, lowest, -1) == 0);
  CHECK(of(ops::floor_mod, lowest, -1) == 0);
  CHECK(of(ops::floor_divide, lowest, -1) == lowest);
  for (const auto* o : {&ops::truncate_mod, &ops::floor_mod, &ops::floor_divide}) {
    node_model m(*o, {{dtype::int8, {1, {2}}}, {dtype::int8, {1, {2}}}});
    const auto made = elements<std::int8_t>(m({any_tensor(tensor<std::int8_t, 2>{-128, 127}), any_tensor(tensor<std::int8_t, 2>{-1, -1})}));
    CHECK(made == (o == &ops::floor_divide ? std::vector<std::int8_t>{-128, -127} : std::vector<std::int8_t>{0, 0}));
  }
  CHECK(node_model(ops::truncate_mod, {{dtype::uint64, {}}, {dtype::uint64, {}}}).nodes == "Mod");
}

TEST_CASE("quotients of floating numbers are rounded down from the exact rest") {
  const auto of = [](const jig::op& o, float x, float y) {
    return node_model(o, {{dtype::float32, {}}, {dtype::float32, {}}}).number<float>({any_tensor(x), any_tensor(y)});
  };
  // Their quotient is rounded to 10.
  CHECK(of(ops::floor_divide, 1.0f, 0.1f) == 9);
  CHECK(of(ops::floor_mod, 1.0f, 0.1f) == std::fmod(1.0f, 0.1f));
  CHECK(of(ops::floor_divide, -7.5f, 2) == -4);
  CHECK(of(ops::floor_mod, -7.5f, 2) == 0.5f);
  CHECK(of(ops::floor_mod, 7.5f, -2) == -0.5f);
  CHECK(of(ops::floor_divide, 1, 0) == std::numeric_limits<float>::infinity());
}

TEST_CASE("signed integers are shifted as unsigned ones") {
  const auto of = [](const jig::op& o, std::int32_t x, std::int32_t n) {
    return node_model(o, {{dtype::int32, {}}, {dtype::int32, {}}}).number<std::int32_t>({any_tensor(x), any_tensor(n)});
  };
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min(), highest = std::numeric_limits<std::int32_t>::max();
  for (const std::int32_t x : {lowest, lowest + 5, -7, -1, 0, 1, 7, highest})
    for (const std::int32_t n : {0, 1, 5, 31}) {
      CHECK(of(ops::right_shift, x, n) == x >> n);
      CHECK(of(ops::left_shift, x, n) == static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << n));
    }
  CHECK(node_model(ops::right_shift, {{dtype::uint8, {}}, {dtype::uint8, {}}}).nodes == "BitShift");
  CHECK(node_model(ops::invert, {{dtype::int32, {}}}).number<std::int32_t>({any_tensor(lowest)}) == highest);
  CHECK(node_model(ops::invert, {{dtype::uint8, {}}}).number<std::uint8_t>({any_tensor(std::uint8_t{7})}) == 248);
}

TEST_CASE("angles in all quarters, on the axes, of zeros of both signs and of infinities") {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> numbers{-infinity, -2., -1e-3, -0., 0., 1e-3, 2., 1e300, infinity, nan};
  node_model m(ops::atan2, {{dtype::float64, {}}, {dtype::float64, {}}});
  for (const double y : numbers)
    for (const double x : numbers) {
      const double found = m.number<double>({any_tensor(y), any_tensor(x)}), expected = std::atan2(y, x);
      CAPTURE(y);
      CAPTURE(x);
      CHECK((std::isnan(expected) ? std::isnan(found)
                                  : std::abs(found - expected) <= 1e-15 * 4 && std::signbit(found) == std::signbit(expected)));
    }
}
