// SPDX-License-Identifier: MIT
#include <jig/passes/superword_vectors.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

struct vectors_of_ten {
  jig::graph graph;
  jig::edge x = graph.add(jig::ops::placeholder, {jig::dtype::float64, jig::shape{1, {10}}}, {});
  jig::detail::superword_vectors vectors{graph};
  explicit vectors_of_ten(const jig::shape& space) { vectors.begin(space); }
  jig::edge slice(jig::index begin, jig::index before, jig::index count) { return vectors.slice(x, x, {begin, before, count}); }
};

}  // namespace

TEST_CASE("slices are those of memory, each once; with lanes beside them they are padded_reads") {
  vectors_of_ten t(jig::shape{1, {8}});
  const auto a = t.slice(2, 0, 8);
  CHECK(t.graph.view().spec(a).shape == jig::shape{1, {8}});
  CHECK(t.slice(2, 0, 8) == a);
  CHECK(t.graph.count("StridedSlice") == 1);
  CHECK(!t.vectors.have_padded_reads());
  const auto w = t.slice(4, 0, 6);
  CHECK(t.graph.node(w).op() == "PadV2");
  CHECK(t.vectors.have_padded_reads());
  t.vectors.begin(jig::shape{1, {10}});
  CHECK(t.slice(0, 0, 10) == t.x);
}

TEST_CASE("tensors of higher rank are slices without lanes beside them") {
  vectors_of_ten t(jig::shape{2, {2, 4}});
  CHECK(t.graph.view().spec(t.slice(1, 0, 8)).shape == jig::shape{2, {2, 4}});
  CHECK(t.slice(4, 0, 6).node < 0);
  CHECK(!t.vectors.may_split());
}

TEST_CASE("a vector is made of at most five") {
  vectors_of_ten t(jig::shape{1, {10}});
  jig::edge all = t.x;
  for (int k = 1; k <= 4; ++k) {
    CHECK(t.vectors.may_split());
    all = t.vectors.selected(0, k, t.x, all);
    CHECK(all.node >= 0);
  }
  CHECK(!t.vectors.may_split());
  CHECK(t.vectors.selected(0, 5, t.x, all).node < 0);
  t.vectors.begin(jig::shape{1, {10}});
  const auto once = t.vectors.selected(0, 3, t.x, t.x), again = t.vectors.selected(0, 3, t.x, t.x);
  CHECK(t.graph.view().inputs_of(once.node)[0] == t.graph.view().inputs_of(again.node)[0]);
}
