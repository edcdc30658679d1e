// SPDX-License-Identifier: MIT
#include <jig/runtime/float_copy.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <limits>
#include <vector>

namespace {

using jig::any_view;
using jig::index;
using jig::detail::float_copy;
using jig::detail::float_result;

template <class T>
void check_copies() {
  for (index rows : {0, 1, 3, 40})
    for (index columns : {1, 15, 16, 17}) {
      std::vector<T> memory(static_cast<std::size_t>(rows * columns * 2));
      for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<T>(static_cast<float>(i % 256) - 100);
      // Every other column, transposed.
      const any_view v{jig::dtype_of<T>, memory.data(), {2, {columns, rows}}, {2, {2, 2 * columns}}};
      const float_copy copy(v);
      REQUIRE(copy.view.dtype == jig::dtype::float32);
      REQUIRE(copy.view.extents == v.extents);
      REQUIRE(copy.view.strides == jig::detail::row_major_strides(v.extents));
      const auto* floats = static_cast<const float*>(copy.view.data);
      int wrong = 0;
      for (index i = 0; i < columns; ++i)
        for (index k = 0; k < rows; ++k)
          wrong += floats[i * rows + k] != static_cast<float>(memory[static_cast<std::size_t>(2 * i + 2 * columns * k)]);
      CHECK(wrong == 0);

      std::vector<T> out(static_cast<std::size_t>(rows * columns));
      const any_view to{jig::dtype_of<T>, out.data(), v.extents, jig::detail::row_major_strides(v.extents)};
      const float_result result(to);
      REQUIRE(result.view.dtype == jig::dtype::float32);
      if (rows > 0) CHECK(result.view.data != to.data);
      auto* writes = static_cast<float*>(const_cast<void*>(result.view.data));
      // Rounds, and keeps what is not a number: 1 + 2^-12 has more bits than both dtypes.
      for (index i = 0; i < rows * columns; ++i)
        writes[i] = i % 5 == 4 ? std::numeric_limits<float>::infinity() : static_cast<float>(i) * (1 + 0x1p-12f);
      result.store();
      for (index i = 0; i < rows * columns; ++i) {
        const float expected = i % 5 == 4 ? std::numeric_limits<float>::infinity()
                                          : static_cast<float>(static_cast<T>(static_cast<float>(i) * (1 + 0x1p-12f)));
        wrong += static_cast<float>(out[static_cast<std::size_t>(i)]) != expected;
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("values of storage dtypes become floats, and results of floats become them") {
  check_copies<jig::half>();
  check_copies<jig::bfloat16>();
}

TEST_CASE("all other values stay where they are") {
  double numbers[3] = {1, 2, 3};
  const any_view v{jig::dtype::float64, numbers, {1, {2}}, {1, {2}}};
  const float_copy copy(v);
  CHECK((copy.view.data == numbers && copy.view.dtype == v.dtype && copy.view.strides == v.strides));
  const float_result result(v);
  CHECK((result.view.data == numbers && result.view.dtype == v.dtype));
  result.store();
  CHECK((numbers[0] == 1 && numbers[2] == 3));
}

}  // namespace
