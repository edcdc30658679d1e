// SPDX-License-Identifier: MIT
#include <jig/trace/dual_part.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

TEST_CASE("parts of a variable are read and changed outside of traces") {
  jig::variable<float, 2, 3> m(jig::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}});
  m[1] = jig::tensor<float, 3>{7, 8, 9};
  m(0, 2) = 5;
  m(jig::all, 0) = -1;
  CHECK(jig::reduce_all(m.value() == jig::tensor<float, 2, 3>{{-1, 2, 5}, {-1, 8, 9}})());
  auto row = m[0];
  row[1] = 4;  // a value of its own
  CHECK(jig::reduce_all(row.value() == jig::tensor<float, 3>{-1, 4, 5})());
  CHECK(m.value()(0, 1) == 2);
  m[0][1] = 6;
  CHECK(m.value()(0, 1) == 6);
  CHECK_THROWS_AS(m[2] = 0, jig::invalid_argument);
}

TEST_CASE("the same in a trace") {
  jig::variable<float, 2, 3> m;
  static constexpr auto change = jig::function<"change(m, i)">([](auto& v, auto i) {
    v(jig::all, 0) = -1;
    v[1][2] = 3;
    v[i] = v[i] + 2;
    return v(0, 0) * 10;
  });
  CHECK(change(m, 1)() == -10);
  CHECK(jig::reduce_all(m.value() == jig::tensor<float, 2, 3>{{-1, 0, 0}, {1, 2, 5}})());
}
