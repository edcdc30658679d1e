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
  CHECK(nests_of([](auto x) { return jig::reduce_sum<1>(x); }, rows) .find("step 0: (4096, 8*) blocks of ") == 0);
  CHECK(nests_of([](auto x) { return jig::reduce_sum<0>(x); }, jig::spec<float, 8, 4096>()) == "step 0: (8*, 4096) lanes along axis 1\n");
  CHECK(nests_of([](auto x) { return jig::reduce_sum(x); }, rows) == "step 0: (32768*,) one run of memory\n");
  CHECK(nests_of([](auto x) { return jig::reduce_sum<1>(x); }, jig::spec<float, jig::dyn, 500>()) == "step 0: (?, 500*) lanes along the last axis, row by row\n");
  CHECK(nests_of([](auto x) { return jig::transpose(x) * 2; }, jig::spec<float, 100, 200>()) == "step 0: (200, 100) squares of registers, read across along axis 0\n");
}
