// SPDX-License-Identifier: MIT
#include <jig/passes/isomorphic_scalars.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

using scalars = jig::detail::isomorphic_scalars<jig::graph_view>;

// The results of a lambda are scalars; what is known of them.
struct known {
  jig::graph graph;
  scalars about;
  jig::edge operator[](int k) const { return graph.view().outputs()[static_cast<std::size_t>(k)]; }
  bool equal(int a, int b) const { return about.hash_of((*this)[a]) == about.hash_of((*this)[b]); }
};
known known_of(auto lambda, auto key) {
  const jig::graph traced = jig::optimize(jig::graph_of(lambda, key));
  jig::graph g = jig::detail::lower_elements<jig::graph_view>(traced).run();
  const auto dense = jig::detail::all_dense(g);
  scalars about(g, dense);
  // What refers to a graph lives as long as it does.
  return {std::move(g), std::move(about)};
}

}  // namespace

TEST_CASE("elements of memory are known by their places, through views too") {
  const auto k = known_of(
      [](auto x) {
        return std::tuple(jig::identity(x(1, 2)) + 0, x[1][0] + 0, jig::element(jig::transpose(x), 2)(1) + 0, jig::flatten(x)(5) + 0);
      },
      jig::spec<int, 2, 3>());
  const jig::graph_view g = k.graph;
  int seen = 0;
  for (int v = 0; v < g.size(); ++v) {
    if (g.data(v).spec.shape.rank != 0 || !g.data(v).kind->is(jig::fact::view)) continue;
    const auto e = k.about.element_of({v, 0});
    CHECK(e.base.node == g.inputs()[0]);
    CHECK((e.place == 3 || e.place == 5));
    ++seen;
  }
  CHECK(seen >= 2);
}

TEST_CASE("the same function of other elements and constants has the same hash") {
  const auto k = known_of(
      [](auto x) {
        return std::tuple(x[0] * x[1] + 2.0, x[4] * x[2] + 3.0, x[0] * x[1] - 2.0, x[0] * (x[1] + 2.0), jig::sin(x[0]) / x[1],
                          jig::sin(x[3]) / x[3]);
      },
      jig::spec<double, 6>());
  CHECK(k.equal(0, 1));
  CHECK(k.equal(4, 5));
  for (int other : {2, 3, 4}) CHECK(!k.equal(0, other));
  CHECK(k.about.likeness(k[0], k[1], 2) == scalars::alike);
  CHECK(k.about.likeness(k[0], k[2], 2) == 0);
  CHECK(k.about.fits(k[0], k[1]));
  CHECK(!k.about.fits(k[0], k[2]));
}

TEST_CASE("lanes compute what throws nothing and has the bits of a scalar") {
  const auto floats = known_of([](auto x) { return std::tuple(x[0] / x[1], jig::sqrt(x[0]), jig::exp(x[0])); }, jig::spec<float, 2>());
  CHECK(floats.about.computes(floats[0]));
  CHECK(!floats.about.computes(floats[1]));
  CHECK(floats.about.computes(floats[2]));
  const auto integers = known_of([](auto x) { return std::tuple(x[0] / x[1], x[0] * x[1]); }, jig::spec<int, 2>());
  CHECK(!integers.about.computes(integers[0]));
  CHECK(integers.about.computes(integers[1]));
  const auto doubles = known_of([](auto x) { return jig::sqrt(x[0]); }, jig::spec<double, 2>());
  CHECK(doubles.about.computes(doubles[0]));
}
