// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>

namespace {

template <class... Spec>
std::string nests_of(auto lambda, Spec... spec) {
  const auto f = jig::function(lambda);
  return f.get_concrete_function(spec...).loop_nests();
}

}  // namespace

TEST_CASE("nests tell how loops go through memory") {
  const jig::spec<float, 4096, 8> rows;
  const jig::spec<float, 8> row;
  CHECK(nests_of([](auto x) { return x + 1; }, rows) == "step 0: (32768,) one run of memory\n");
  // Many rows of 8 share registers.
  const std::string broadcast = nests_of([](auto x, auto y) { return x + y; }, rows, row);
  CHECK(broadcast.find("step 0: (4096, 8) ") == 0);
  CHECK(broadcast.find(" registers\n") != std::string::npos);
  CHECK(nests_of([](auto x) { return jig::reduce_sum<1>(x); }, rows).find("step 0: (4096, 8*) blocks of ") == 0);
  CHECK(nests_of([](auto x) { return jig::reduce_sum<0>(x); }, jig::spec<float, 8, 4096>()) == "step 0: (8*, 4096) lanes along axis 1\n");
  CHECK(nests_of([](auto x) { return jig::reduce_sum(x); }, rows) == "step 0: (32768*,) one run of memory\n");
  CHECK(nests_of([](auto x) { return jig::reduce_sum<1>(x); }, jig::spec<float, jig::dyn, 500>()) ==
        "step 0: (?, 500*) lanes along the last axis, row by row\n");
  CHECK(nests_of([](auto x) { return jig::transpose(x) * 2; }, jig::spec<float, 100, 200>()) ==
        "step 0: (200, 100) squares of registers, read across along axis 0\n");
}

TEST_CASE("steps that run together tell how each goes through the rows or items of a chunk") {
  const auto centred = [](auto x) { return x - jig::reduce_mean<1>(x, jig::keepdims); };
  const std::string many = nests_of(centred, jig::spec<float, 64, 3>());
  CHECK(many.find("step 0: (64, 3*) ") == 0);
  const std::string together = "many rows at a time\n";
  CHECK(many.find(together) != std::string::npos);
  CHECK(many.rfind(together) > many.find("step 1: "));
  CHECK(nests_of(centred, jig::spec<float, 64, 129>()) == "step 0: row by row\nstep 1: row by row\n");
  const auto weighed = [](auto x, auto w) { return jig::reduce_max<2>(x * w, jig::keepdims) - x; };
  const jig::spec<float, 6, 5, 40> x;
  CHECK(nests_of(weighed, x, x) == "step 0: row by row\nstep 1: row by row\n");
  CHECK(nests_of(weighed, x, jig::spec<float, 5, 40>()) == "step 0: row by row, with strides of the call\nstep 1: row by row\n");
  const auto chain = [](auto a, auto b) { return jig::matmul(a, b) * 2 - a; };
  const jig::spec<double, 100, 5, 5> items;
  CHECK(nests_of(chain, items, items) == "step 1: all items as one run of memory\n");
  const auto layer = [](auto a, auto b) { return jig::relu(jig::matmul(a, b)); };
  CHECK(nests_of(layer, jig::spec<float, 100, 100>(), jig::spec<float, 100, 100>()) == "step 1: rows of each tile\n");
}

TEST_CASE("loops that have no nest say whether they have rows") {
  const auto sum = [](auto x, auto y) { return x + y; };
  using program = jig::program<jig::trace<decltype(sum), "x, y", jig::spec<float, 10, 100>, jig::spec<float, 10, 100>>, 0, 1>;
  CHECK(jig::detail::text_of_nests<program>() == "step 0: (10, 100) rows of memory along the last axis\n");
  using shorter = jig::program<jig::trace<decltype(sum), "x, y", jig::spec<float, 10, 2>, jig::spec<float, 10, 2>>, 0, 1>;
  CHECK(jig::detail::text_of_nests<shorter>() == "step 0: (10, 2) elements anywhere, gathered\n");
}
