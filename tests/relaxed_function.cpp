// SPDX-License-Identifier: MIT
#include <jig.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using jig::any_tensor;

constexpr auto plain = jig::function<"squares(x)">([](auto x) { return x * x; });
constexpr auto squares = plain.relax_shapes();

}  // namespace

TEST_CASE("one trace serves all shapes of a rank") {
  CHECK(squares(jig::tensor<int, 3>{1, 2, 3})(2) == 9);
  CHECK(squares(jig::tensor<int, 5>{1, 2, 3, 4, 5})(4) == 25);
  CHECK(squares(std::vector<int>{7})(0) == 49);
  CHECK(squares(jig::tensor<int, 0>()).size() == 0);
  static_assert(squares.get_concrete_function(jig::spec<int, 3>()).structured_outputs().value() ==
                jig::tensor_spec{jig::dtype::int32, jig::shape{1, {jig::dyn}}});
  CHECK(squares(jig::tensor<int, 1, 2>{{4, 5}})(0, 1) == 25);
  CHECK(plain.experimental_get_tracing_count() == 2);  // one for each rank
}

TEST_CASE("extents of run-time tensors become wildcards when they change") {
  const int before = squares.experimental_get_tracing_count();
  for (int n = 1; n < 6; ++n) {
    const any_tensor y = squares(any_tensor(std::vector<double>(static_cast<std::size_t>(n), 1.5)));
    CHECK(y.shape() == jig::shape{1, {n}});
    CHECK(y.as<double>()(n - 1) == 2.25);
  }
  CHECK(squares.experimental_get_tracing_count() == before + 2);
}
