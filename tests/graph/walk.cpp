// SPDX-License-Identifier: MIT
#include <jig/graph/walk.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

using jig::dtype, jig::edge, jig::fact;

constexpr jig::op source{.name = "Source", .label = "source", .facts = fact::input};
constexpr jig::op plain{.name = "Plain", .label = "plain"};
constexpr jig::op effect{.name = "Effect", .label = "effect", .facts = fact::stateful};

// Builds graphs of which only the wiring matters.
struct wiring {
  jig::graph g;

  constexpr int add(const jig::op& kind, std::initializer_list<int> inputs = {}) {
    jig::list<edge> edges;
    for (int i : inputs) edges.push_back({i, 0});
    return g.add(kind, {}, edges).node;
  }
  constexpr void output(int node) { g.output_edges.push_back({node, 0}); }
};

constexpr jig::message needed(const jig::graph_view& g) {
  jig::message m;
  for (char c : jig::needed_nodes(g)) m << (c == 0 ? '-' : '+');
  return m;
}

}  // namespace

TEST_CASE("what results depend on is needed") {
  constexpr auto diamond = [] {
    wiring w;
    int x = w.add(source), unused = w.add(source);
    int a = w.add(plain, {x}), b = w.add(plain, {x, x});
    w.add(plain, {a, unused});
    w.output(w.add(plain, {a, b}));
    w.add(plain, {5});
    return needed(w.g);
  };
  static_assert(diamond().view() == "+-++-+-");
  CHECK(diamond().view() == "+-++-+-");
}

TEST_CASE("effects are needed, and what they depend on") {
  wiring w;
  int x = w.add(source), y = w.add(source);
  int a = w.add(plain, {x});
  int e = w.add(effect, {a});
  w.add(plain, {e});
  w.add(plain, {y});
  CHECK(needed(w.g).view() == "+-++--");
  w.output(y);
  CHECK(needed(w.g).view() == "++++--");
}

TEST_CASE("results may be arguments, or the same value twice, or none") {
  wiring w;
  CHECK(needed(w.g).view().empty());
  int x = w.add(source);
  w.add(plain, {x});
  CHECK(needed(w.g).view() == "--");
  w.output(x);
  w.output(x);
  CHECK(needed(w.g).view() == "+-");
}

TEST_CASE("a needed output makes the whole node needed") {
  wiring w;
  int x = w.add(source);
  int parts = w.add(plain, {x});
  w.g.add_output({});
  w.g.output_edges.push_back({parts, 1});
  CHECK(needed(w.g).view() == "++");
}

TEST_CASE("a copied node has renamed inputs, the same specs and attributes") {
  const jig::index perm[] = {1, 0};
  const std::uint64_t words[] = {5, 6, 7};
  const jig::attribute_view with[] = {{"perm", jig::attribute_kind::integers, perm, {}, {}},
                                      {"note", jig::attribute_kind::text, {}, "abc", {}},
                                      {"value", jig::attribute_kind::words, {}, {}, words},
                                      {"keep", jig::attribute_kind::boolean, {perm, 1}, {}, {}}};
  jig::graph from;
  from.add(source, {dtype::int8, {}}, {});
  from.add(source, {dtype::int16, {}}, {});
  from.add_output({dtype::int32, {1, {2}}});
  const edge inputs[] = {{1, 1}, {0, 0}, {1, 0}};
  from.add(plain, {dtype::float64, {2, {3, jig::dyn}}}, inputs, with);
  from.add_output({dtype::boolean, {1, {7}}});
  from.add_output({dtype::string, {}});

  jig::graph to;
  for (int i = 0; i < 4; ++i) to.add(source, {}, {}, std::vector{with[1]});
  to.add_output({});
  jig::list<int> renamed;
  renamed.push_back(3);
  renamed.push_back(2);
  CHECK(jig::copy_node(to, from, 2, renamed) == 4);
  CHECK(jig::copy_node(to, from, 2, renamed) == 5);
  for (int copy : {4, 5}) {
    auto n = to.node(copy);
    CHECK(&n.kind() == &plain);
    REQUIRE(n.inputs().size() == 3);
    CHECK(n.inputs()[0] == edge{2, 1});
    CHECK(n.inputs()[1] == edge{3, 0});
    CHECK(n.inputs()[2] == edge{2, 0});
    REQUIRE(n.outputs() == 3);
    for (int port = 0; port < 3; ++port) CHECK(n.spec(port) == from.node(2).spec(port));
    REQUIRE(n.attribute_count() == 4);
    for (int i = 0; i < 4; ++i) {
      CHECK(n.attribute(i).key == with[i].key);
      CHECK(n.attribute(i).kind == with[i].kind);
    }
    CHECK(std::vector(n.attribute(0).values.begin(), n.attribute(0).values.end()) == std::vector<jig::index>{1, 0});
    CHECK(n.attribute("note").text == "abc");
    CHECK(n.attribute("value").words[2] == 7);
    CHECK(n.attribute("keep").values[0] == 1);
  }
  CHECK(to.node(3).outputs() == 2);
}
