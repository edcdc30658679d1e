// SPDX-License-Identifier: MIT
#include <jig/ops/embedding.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <string>

namespace embeddings {
namespace {

using jig::dyn;
using jig::index;

constexpr auto look_up = jig::function([](auto table, auto ids) { return jig::embedding_lookup(table, ids); });
constexpr auto slopes = jig::function(
    [](auto table, auto ids, auto w) { return jig::gradient(jig::reduce_sum(jig::embedding_lookup(table, ids) * w), table); });

}  // namespace

TEST_CASE("embedding_lookup: rows by their numbers, and gradients that add to them") {
  const jig::tensor<double, 4, 2> table{{0, 1}, {10, 11}, {20, 21}, {30, 31}};
  const jig::tensor<int, 2, 3> ids{{3, 0, 3}, {1, 3, 0}};
  const auto check = [&](const auto& t, const auto& i) {
    const auto y = look_up(t, i);
    REQUIRE(y.shape() == jig::shape{3, {2, 3, 2}});
    auto w = jig::ones<double, 2, 3, 2>();
    jig::tensor<double, 4, 2> expected = jig::zeros<double, 4, 2>();
    int wrong = 0;
    for (index k = 0; k < 6; ++k)
      for (index c = 0; c < 2; ++c) {
        w.data()[k * 2 + c] = static_cast<double>(k * 3 + c);
        expected(ids.data()[k], c) += w.data()[k * 2 + c];
        if (y.data()[k * 2 + c] != table(ids.data()[k], c)) ++wrong;
      }
    const auto g = slopes(t, i, w);
    for (index k = 0; k < 8; ++k) wrong += g.data()[k] != expected.data()[k];
    CHECK(wrong == 0);
  };
  check(table, ids);
  check(jig::tensor<double, dyn, 2>(table), jig::tensor<int, dyn, 3>(ids));
  CHECK(look_up(table, jig::tensor<int>(2))(1) == 21);
  CHECK(look_up(table, jig::zeros<int, dyn>(0)).size() == 0);
  CHECK_THROWS_AS(look_up(table, jig::tensor<int, 1>{4}), jig::invalid_argument);
}

}  // namespace embeddings
