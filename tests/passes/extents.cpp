// SPDX-License-Identifier: MIT
#include <jig/passes/extents.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include "../control_nodes.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::dim, jig::dtype, jig::dyn, jig::edge, jig::shape, jig::spec;
using relation = jig::extent_algebra::relation;

constexpr void joined_rule(jig::rule_context& c) {
  c.result = {c.inputs[0].dtype, {1, {c.sum(c.inputs[0].shape[0], c.inputs[1].shape[0])}}};
}
constexpr void flat_rule(jig::rule_context& c) {
  c.result = {c.inputs[0].dtype, {1, {c.product(c.inputs[0].shape[0], c.inputs[0].shape[1])}}};
}
constexpr jig::op joined{.name = "Joined", .label = "joined", .rule = joined_rule};
constexpr jig::op flat{.name = "Flat", .label = "flat", .rule = flat_rule};

template <class F, class... Spec>
constexpr jig::graph_extents extents_of(F, Spec...) {
  return jig::find_extents(jig::trace<F, "f(x, y, z)", Spec...>::graph);
}

constexpr jig::index symbol(int k) { return jig::detail::extent_symbol(k); }

// The shape of the last node.
constexpr const shape& last(const jig::graph_extents& found) { return found.shapes[found.shapes.size() - 1]; }

auto parts_of(const jig::extent_expression& e) { return std::tuple(e.relation, e.a, e.b, e.symbol, e.node); }

constexpr auto plus = [](auto x, auto y) { return x + y; };
constexpr auto cut = [](auto x) { return jig::strided_slice<jig::range_of(1, -1)>(x); };
constexpr auto padded = [](auto x) { return jig::pad<2, 1>(x); };

}  // namespace

TEST_CASE("symbols are neither numbers, wildcards nor names") {
  static_assert(!jig::is_static_extent(symbol(0)) && !jig::is_named_extent(symbol(0)) && symbol(0) != dyn);
  static_assert(symbol(0) != symbol(1));
  static_assert(jig::detail::symbol_number(symbol(63)) == 63);
  static_assert(dim<"__________"> > symbol(0));
}

TEST_CASE("a static graph has no symbols") {
  constexpr auto holds = [] {
    auto found = extents_of(plus, spec<float, 2, 3>(), spec<float, 3>());
    return found.symbols == 0 && found.sources.empty() && found.expressions.empty() && last(found) == shape{2, {2, 3}};
  };
  static_assert(holds());
  CHECK(holds());
  CHECK(jig::find_extents(jig::graph()).shapes.empty());
}

TEST_CASE("equal names are one symbol with several sources") {
  constexpr auto f = [](auto x, auto y) { return jig::reduce_sum<1>(x) + y; };
  constexpr auto holds = [=] {
    auto found = extents_of(f, spec<float, dim<"n">, 3>(), spec<float, dim<"n">>());
    return found.symbols == 1 && found.expressions.empty() && found.shapes[0] == shape{2, {symbol(0), 3}} &&
           found.shapes[1] == shape{1, {symbol(0)}} && last(found) == shape{1, {symbol(0)}};
  };
  static_assert(holds());
  auto found = extents_of(f, spec<float, dim<"n">, 3>(), spec<float, dim<"n">>());
  REQUIRE(found.sources.size() == 2);
  CHECK(found.sources[0].input == 0);
  CHECK(found.sources[0].axis == 0);
  CHECK(found.sources[1].input == 1);
  CHECK(found.sources[1].symbol == found.sources[0].symbol);
}

TEST_CASE("a name may occur twice in one argument, next to others and wildcards") {
  auto found = extents_of([](auto x) { return x + x; }, spec<float, dim<"n">, dyn, dim<"m">, dim<"n">, dyn, 7>());
  CHECK(found.symbols == 4);
  REQUIRE(found.sources.size() == 5);
  const shape expected{6, {symbol(0), symbol(1), symbol(2), symbol(0), symbol(3), 7}};
  CHECK(found.shapes[0] == expected);
  CHECK(last(found) == expected);
  CHECK(found.sources[3].axis == 3);
  CHECK(found.sources[4].symbol == symbol(3));
  CHECK(found.expressions.empty());
}

TEST_CASE("wildcards of two arguments broadcast once, in any order") {
  constexpr auto f = [](auto x, auto y) { return ((x + y) * (y - x)) / x; };
  constexpr auto holds = [=] {
    auto found = extents_of(f, spec<float, dyn>(), spec<float, dyn>());
    bool all = found.symbols == 3 && found.expressions.size() == 1;
    for (std::size_t id = 2; id < found.shapes.size(); ++id) all = all && found.shapes[id] == shape{1, {symbol(2)}};
    return all;
  };
  static_assert(holds());
  auto found = extents_of(f, spec<float, dyn>(), spec<float, dyn>());
  CHECK(parts_of(found.expressions[0]) == std::tuple(relation::broadcast, symbol(0), symbol(1), symbol(2), 2));
  CHECK(found.part_of(symbol(0)) == 1);
  CHECK(found.part_of(symbol(1)) == 2);
  CHECK(found.part_of(symbol(2)) == 3);
}

TEST_CASE("who takes part in a broadcast decides which extent it is") {
  auto found = extents_of([](auto x, auto y, auto z) { return std::tuple((x + y) + z, x + (y + z), (z + x) + y); }, spec<float, dyn>(),
                          spec<float, dyn>(), spec<float, dyn>());
  // 3 and 4: (x + y) + z, 5 and 6: x + (y + z), 7 and 8: (z + x) + y
  REQUIRE(found.shapes.size() == 9);
  CHECK(found.shapes[6] == found.shapes[4]);
  CHECK(found.shapes[8] == found.shapes[4]);
  CHECK(found.part_of(found.shapes[4][0]) == 7);
  CHECK(found.part_of(found.shapes[5][0]) == 6);
  CHECK(found.part_of(found.shapes[7][0]) == 5);
  CHECK(found.symbols == 3 + 4);
  CHECK(found.expressions.size() == 4);
}

TEST_CASE("which extents broadcast to which") {
  constexpr auto holds = [] {
    auto found = extents_of([](auto x, auto y, auto z) { return (x + y) + z; }, spec<float, dyn>(), spec<float, dyn>(), spec<float, dyn>());
    auto x = symbol(0), z = symbol(2), xy = found.shapes[3][0], xyz = found.shapes[4][0];
    return found.broadcasts_to(x, x) && found.broadcasts_to(x, xy) && found.broadcasts_to(x, xyz) && found.broadcasts_to(xy, xyz) &&
           found.broadcasts_to(1, x) && found.broadcasts_to(1, 3) && found.broadcasts_to(3, 3) && !found.broadcasts_to(z, xy) &&
           !found.broadcasts_to(xy, x) && !found.broadcasts_to(x, z) && !found.broadcasts_to(3, x) && !found.broadcasts_to(3, 4) &&
           !found.broadcasts_to(3, 1) && found.broadcasts_to(x, 3);
  };
  static_assert(holds());
  CHECK(holds());
}

TEST_CASE("a wildcard beside a number is checked at the call") {
  auto found = extents_of(plus, spec<float, dyn>(), spec<float, 3>());
  CHECK(last(found) == shape{1, {3}});
  REQUIRE(found.expressions.size() == 1);
  CHECK(found.expressions[0].relation == relation::broadcast);
  CHECK(found.expressions[0].a == symbol(0));
  CHECK(found.expressions[0].b == 3);
  CHECK(found.expressions[0].node == 2);
  // Beside 1 and beside scalars there is nothing to check.
  CHECK(extents_of(plus, spec<float, dyn>(), spec<float, 1>()).expressions.empty());
  CHECK(extents_of(plus, spec<float, dyn>(), spec<float>()).expressions.empty());
  CHECK(last(extents_of(plus, spec<float>(), spec<float, dyn, 2>())) == shape{2, {symbol(0), 2}});
}

TEST_CASE("axes broadcast from the last one on") {
  auto found = extents_of(plus, spec<float, dyn, 1>(), spec<float, dyn>());
  CHECK(last(found) == shape{2, {symbol(0), symbol(1)}});
  CHECK(found.expressions.empty());
  found = extents_of(plus, spec<float, dyn, dyn>(), spec<float, dyn>());
  CHECK(last(found) == shape{2, {symbol(0), symbol(3)}});
  CHECK(found.expressions.size() == 1);
  CHECK(found.part_of(symbol(3)) == 0b110);
}

TEST_CASE("extents that must agree are checks without a symbol") {
  constexpr auto product = [](auto x, auto y) { return jig::matmul(x, y); };
  auto found = extents_of(product, spec<float, dyn, dyn>(), spec<float, dyn, 4>());
  CHECK(last(found) == shape{2, {symbol(0), 4}});
  CHECK(found.symbols == 3);
  REQUIRE(found.expressions.size() == 1);
  CHECK(parts_of(found.expressions[0]) == std::tuple(relation::equal, symbol(1), symbol(2), dyn, 2));
  // Names agree already.
  CHECK(extents_of(product, spec<float, dyn, dim<"k">>(), spec<float, dim<"k">, 4>()).expressions.empty());
  // A result that is static all over still has its check.
  found = extents_of(product, spec<float, 2, dyn>(), spec<float, 3, 4>());
  CHECK(last(found) == shape{2, {2, 4}});
  CHECK(found.expressions.size() == 1);
}

TEST_CASE("sums and products are computed once") {
  jig::builder b;
  edge x = b.input({dtype::float32, {1, {dyn}}}, "x");
  edge m = b.input({dtype::float32, {2, {dim<"n">, dyn}}}, "m");
  const edge both[] = {x, x};
  edge j = b.graph.add(joined, {dtype::float32, {1, {dyn}}}, both);
  b.graph.add(joined, {dtype::float32, {1, {dyn}}}, both);
  edge f = b.graph.add(flat, {dtype::float32, {1, {dyn}}}, std::vector{m});
  const edge all[] = {j, f};
  b.graph.add(joined, {dtype::float32, {1, {dyn}}}, all);
  auto found = jig::find_extents(b.graph);
  CHECK(found.symbols == 6);
  CHECK(found.shapes[2] == shape{1, {symbol(3)}});
  CHECK(found.shapes[3] == found.shapes[2]);
  REQUIRE(found.expressions.size() == 3);
  CHECK(parts_of(found.expressions[0]) == std::tuple(relation::sum, symbol(0), symbol(0), symbol(3), 2));
  CHECK(parts_of(found.expressions[1]) == std::tuple(relation::product, symbol(1), symbol(2), symbol(4), 4));
  CHECK(parts_of(found.expressions[2]) == std::tuple(relation::sum, symbol(3), symbol(4), symbol(5), 5));
  // What is computed takes no known part in a broadcast.
  CHECK(found.part_of(symbol(3)) == 0);
  CHECK(!found.broadcasts_to(symbol(0), symbol(3)));
  CHECK(!found.broadcasts_to(symbol(3), symbol(5)));
  CHECK(found.broadcasts_to(symbol(3), symbol(3)));
}

TEST_CASE("what is computed from other extents is another extent") {
  jig::builder b;
  for (const char* name : {"x", "y", "z"}) b.input({dtype::float32, {1, {dyn}}}, name);
  auto add = [&](const jig::op& kind, int x, int y) {
    const edge inputs[] = {{x, 0}, {y, 0}};
    return static_cast<std::size_t>(b.graph.add(kind, {dtype::float32, {1, {dyn}}}, inputs).node);
  };
  auto xy = add(joined, 0, 1), xz = add(joined, 0, 2), yz = add(joined, 1, 2), sum = add(jig::ops::add, 0, 1);
  auto found = jig::find_extents(b.graph);
  CHECK(found.shapes[xy] != found.shapes[xz]);
  CHECK(found.shapes[xz] != found.shapes[yz]);
  CHECK(found.shapes[xy] != found.shapes[sum]);
  CHECK(found.expressions.size() == 4);
}

TEST_CASE("what is padded and cut again has the extent that it had") {
  constexpr auto extent_of = [](auto f) { return last(extents_of(f, spec<float, dyn>()))[0]; };
  static_assert(extent_of([](auto x) { return cut(jig::pad<1, 1>(x)); }) == symbol(0));
  static_assert(extent_of([](auto x) { return cut(cut(jig::pad<2, 2>(x))); }) == symbol(0));
  static_assert(extent_of([](auto x) { return jig::strided_slice<jig::range_of(3, jig::unbounded)>(padded(x)); }) == symbol(0));
  static_assert(last(extents_of([](auto x) { return jig::reshape<jig::infer, 3>(jig::reshape<jig::infer>(x)); },
                                spec<float, dyn, 3>()))[0] == symbol(0));
  // What is cut first may have been shorter than that.
  static_assert(extent_of([](auto x) { return jig::pad<1, 1>(cut(x)); }) != symbol(0));
  constexpr auto same = []<class F>(F) {
    constexpr auto& g = jig::trace<F, "f(x)", spec<float, dyn>>::graph;
    auto found = jig::find_extents(g);
    return found.shapes[g.outputs()[0].node] == found.shapes[g.outputs()[1].node];
  };
  static_assert(same([](auto x) { return std::tuple(cut(padded(x)), jig::pad<0, 1>(x)); }));
  static_assert(same([](auto x) { return std::tuple(cut(cut(x)), jig::strided_slice<jig::range_of(4, jig::unbounded)>(x)); }));
  static_assert(same([](auto x) { return std::tuple(padded(padded(x)), jig::pad<1, 5>(x)); }));
}

TEST_CASE("facts about arguments make expressions one extent, or a number") {
  constexpr auto same = []<class F>(F, jig::extent_fact fact) {
    constexpr auto& g = jig::trace<F, "f(x)", spec<float, dyn>>::graph;
    const jig::shape given[] = {{1, {fact.extent}}};
    const jig::extent_fact facts[] = {fact};
    auto found = jig::find_extents(g, {given, facts});
    return found.shapes[g.outputs()[0].node] == found.shapes[g.outputs()[1].node];
  };
  constexpr auto turns = [](auto x) {
    using jig::range_of, jig::unbounded;
    return std::tuple(jig::strided_slice<range_of(0, unbounded, 2)>(x), jig::strided_slice<range_of(1, unbounded, 2)>(x));
  };
  static_assert(same(turns, {.extent = symbol(5), .multiple = 2, .least = 1}));
  static_assert(same(turns, {.extent = symbol(5), .multiple = 6, .least = 6}));
  static_assert(!same(turns, {.extent = symbol(5), .multiple = 3, .least = 9}));
  static_assert(!same(turns, {.extent = symbol(5)}));
  constexpr auto shifted = [](auto x) { return std::tuple(x, jig::pad<2, 0>(jig::strided_slice<jig::range_of(0, -2)>(x))); };
  static_assert(same(shifted, {.extent = symbol(0), .least = 2}));
  static_assert(!same(shifted, {.extent = symbol(0), .multiple = 2, .least = 1}));
  constexpr auto first = []<class F>(F, jig::index least) {
    const jig::shape given[] = {{1, {symbol(3)}}};
    const jig::extent_fact facts[] = {{.extent = symbol(3), .least = least}};
    return last(jig::find_extents(jig::trace<F, "f(x)", spec<float, dyn>>::graph, {given, facts}))[0];
  };
  constexpr auto three = [](auto x) { return jig::strided_slice<jig::range_of(0, 3)>(x); };
  static_assert(first(three, 3) == 3 && !jig::is_static_extent(first(three, 2)));
}

TEST_CASE("random expressions of extents and numbers are what arithmetic says, whatever is known of the arguments") {
  std::mt19937 random(3);
  const auto below = [&](jig::index n) { return static_cast<jig::index>(random() % static_cast<unsigned>(n)); };
  int wrong = 0, refused = 0, shortened = 0, known = 0;
  for (int round = 0; round < 6000; ++round) {
    constexpr jig::index most = 13;
    jig::graph_extents found;
    jig::detail::recording_algebra algebra;
    algebra.found = &found;
    jig::rule_context c;
    c.algebra = &algebra;
    // Two arguments of 0 to 12 elements, of which something is known every other time.
    std::vector<jig::index> made;
    jig::extent_fact facts[2];
    for (auto& fact : facts) {
      made.push_back(jig::detail::new_symbol(found, std::uint64_t{1} << found.symbols));
      fact = {.extent = made.back()};
      if (round % 2 == 0) continue;
      fact.multiple = 1 + below(4), fact.least = below(7);
      found.facts.push_back(fact);
    }
    // What every step makes of what was made before, and of numbers; the same for all arguments; nothing where a step refuses them.
    std::vector<std::vector<jig::index>> expected;
    for (jig::index n = 0; n < most; ++n)
      for (jig::index m = 0; m < most; ++m) {
        const auto fits = [](const jig::extent_fact& f, jig::index e) { return e % f.multiple == 0 && e >= f.least; };
        if (fits(facts[0], n) && fits(facts[1], m)) expected.push_back({n, m});
      }
    const auto length = 1 + below(6);
    for (jig::index step = 0; step < length; ++step) {
      const auto one = static_cast<std::size_t>(below(static_cast<jig::index>(made.size())));
      const auto two = static_cast<std::size_t>(below(static_cast<jig::index>(made.size())));
      const bool number = below(3) > 0 || jig::is_static_extent(made[two]);
      const jig::index kind = below(7), by = kind >= 4 && kind < 6 ? 1 + below(4) : below(5);
      const jig::index a = made[one], b = number || (kind >= 4 && kind < 6) ? by : made[two];
      if (jig::is_static_extent(a)) continue;
      const jig::index result = kind == 0   ? below(2) == 0 ? c.sum(a, b) : c.sum(b, a)
                                  : kind == 1 ? c.excess(a, b)
                                : kind == 2 ? c.difference(a, b)
                                : kind == 3 ? c.product(a, b)
                                : kind == 4 ? c.quotient(a, b, "a rest")
                                : kind == 5 ? c.steps(a, b)
                                            : c.least(b, a);
      made.push_back(result);
      for (auto& all : expected) {
        if (all.empty()) continue;
        const jig::index x = all[one], y = b == by ? by : all[two];
        const jig::index value = kind == 0   ? x + y
                                 : kind == 1 ? std::max(x - y, jig::index{0})
                                 : kind == 2 ? x - y
                                 : kind == 3 ? x * y
                                 : kind == 4 ? x % y != 0 ? -1 : x / y
                                 : kind == 5 ? (x + y - 1) / y
                                             : std::min(x, y);
        if (value < 0) all.clear();
        else all.push_back(value);
      }
    }
    shortened += static_cast<jig::index>(found.expressions.size()) < length;
    jig::index n = -1;
    for (std::size_t k = 0; k < most * most; ++k) {
      const jig::index x = static_cast<jig::index>(k) / most, y = static_cast<jig::index>(k) % most;
      if (x % facts[0].multiple != 0 || x < facts[0].least || y % facts[1].multiple != 0 || y < facts[1].least) continue;
      const auto& all = expected[static_cast<std::size_t>(++n)];
      std::vector<jig::index> values(static_cast<std::size_t>(found.symbols));
      values[0] = x, values[1] = y;
      const auto now = [&](jig::index e) {
        return jig::is_static_extent(e) ? e : values[static_cast<std::size_t>(jig::detail::symbol_number(e))];
      };
      bool fits = true;
      for (const auto& e : found.expressions) {
        const jig::index a = now(e.a), b = now(e.b);
        fits = fits && (e.relation != relation::quotient || a % b == 0);
        const jig::index value = e.relation == relation::sum          ? a + b
                                 : e.relation == relation::excess     ? std::max(a - b, jig::index{0})
                                 : e.relation == relation::difference ? a - b
                                 : e.relation == relation::product    ? a * b
                                 : e.relation == relation::steps      ? (a + b - 1) / b
                                                                      : a / b;
        fits = fits && value >= 0;
        values[static_cast<std::size_t>(jig::detail::symbol_number(e.symbol))] = value;
      }
      bool right = fits == !all.empty();
      for (std::size_t i = 0; i < made.size() && fits && right; ++i) right = now(made[i]) == all[i];
      for (std::size_t i = 0; i < made.size(); ++i) known += jig::is_static_extent(made[i]);
      wrong += !right;
      refused += !fits;
    }
  }
  CHECK(wrong == 0);
  CHECK(refused > 1000);
  CHECK(shortened > 1000);
  CHECK(known > 1000);
}

TEST_CASE("more wildcards than bits") {
  jig::builder b;
  for (int i = 0; i < 70; ++i) b.input({dtype::float32, {1, {dyn}}}, "x");
  auto add = [&](int x, int y) {
    const edge inputs[] = {{x, 0}, {y, 0}};
    return b.graph.add(jig::ops::add, {dtype::float32, {1, {dyn}}}, inputs).node;
  };
  int low = add(62, 63), mixed = add(0, 64), high = add(65, 69), again = add(65, 69), alone = add(69, 69);
  auto found = jig::find_extents(b.graph);
  CHECK(found.part_of(symbol(63)) == std::uint64_t{1} << 63);
  CHECK(found.part_of(symbol(64)) == 0);
  auto of = [&](int id) { return found.shapes[static_cast<std::size_t>(id)][0]; };
  CHECK(of(again) == of(high));
  CHECK(of(alone) == symbol(69));
  CHECK(of(low) != of(mixed));
  CHECK(found.symbols == 73);
  CHECK(found.expressions.size() == 3);
  CHECK(found.broadcasts_to(symbol(63), of(low)));
  // Not known to: so the plan must not rely on it.
  CHECK(!found.broadcasts_to(symbol(65), of(high)));
}

TEST_CASE("a loop keeps the extents of what it carries") {
  constexpr auto f = [](auto x, auto y, auto n) {
    auto trip = [](auto a, auto b, auto i, auto w) { return std::tuple(a + w, b, i - 1); };
    auto out = control_nodes::while_node(std::tuple(x, y, n), [](auto, auto, auto i, auto) { return i > 0; }, trip, x);
    return std::get<0>(out) + std::get<1>(out);
  };
  auto found = extents_of(f, spec<float, dyn>(), spec<float, dyn, 3>(), spec<int>());
  CHECK(found.shapes[3] == shape{1, {symbol(0)}});
  CHECK(last(found) == shape{2, {symbol(1), 3}});
  // Of the trips nothing is computed.
  REQUIRE(found.expressions.size() == 1);
  CHECK(parts_of(found.expressions[0]) == std::tuple(relation::broadcast, symbol(0), 3, symbol(2), 4));
}

TEST_CASE("branches give what their rules say, which is checked only where they must agree") {
  using any = spec<float, dyn>;
  auto extents = [](auto yes, auto no, bool also_outside = false) {
    jig::builder b;
    jig::symbol<bool> c(&b, b.input({dtype::boolean, {}}, "c"));
    jig::symbol<float, dyn> x(&b, b.input({dtype::float32, {1, {dyn}}}, "x")), y(&b, b.input({dtype::float32, {1, {dyn}}}, "y"));
    auto either = control_nodes::if_node<any>(c, yes, no, x, y);
    b.graph.output_edges.push_back(either.place());
    if (also_outside) b.graph.output_edges.push_back((y + x).place());
    return jig::find_extents(b.graph);
  };
  constexpr auto sum = [](auto a, auto b) { return a + b; };
  constexpr auto first = [](auto a, auto) { return a; };
  constexpr auto second = [](auto, auto b) { return b; };
  auto found = extents(first, first);
  CHECK(found.shapes[3] == shape{1, {symbol(0)}});
  CHECK(found.expressions.empty());
  // The same on both sides, and it never fails there.
  found = extents(sum, [](auto a, auto b) { return (b + a) * 2; });
  CHECK(found.shapes[3] == shape{1, {symbol(2)}});
  REQUIRE(found.expressions.size() == 1);
  CHECK(parts_of(found.expressions[0]) == std::tuple(relation::broadcast, symbol(0), symbol(1), symbol(2), 3));
  CHECK(!found.expressions[0].checked);
  // Outside it may.
  found = extents(sum, sum, true);
  REQUIRE(found.expressions.size() == 1);
  CHECK(found.expressions[0].checked);
  CHECK(found.expressions[0].node == 4);
  CHECK(found.shapes[4] == found.shapes[3]);
  found = extents(first, second);
  CHECK(found.shapes[3] == shape{1, {symbol(0)}});
  REQUIRE(found.expressions.size() == 1);
  CHECK(parts_of(found.expressions[0]) == std::tuple(relation::equal, symbol(0), symbol(1), dyn, 3));
  CHECK(found.expressions[0].checked);
}

TEST_CASE("a body takes the extents that are known around it") {
  constexpr auto f = [](auto x, auto y) { return x + y; };
  const auto& g = jig::trace<decltype(f), "f(x, y)", spec<float, dyn>, spec<float, dyn>>::graph;
  auto with = [&](jig::index x, jig::index y) {
    const shape shapes[] = {{1, {x}}, {1, {y}}};
    return jig::find_extents(g, shapes);
  };
  // Numbers of symbols are those of the body.
  auto found = with(symbol(5), symbol(5));
  CHECK(last(found) == shape{1, {symbol(0)}});
  CHECK(found.symbols == 1);
  CHECK(found.expressions.empty());
  CHECK(found.sources.size() == 2);
  found = with(symbol(5), symbol(4));
  CHECK(found.symbols == 3);
  CHECK(found.expressions.size() == 1);
  found = with(7, 7);
  CHECK(last(found) == shape{1, {7}});
  CHECK(found.symbols == 0);
  // What a body declares as a number is checked when it runs.
  const auto& three = jig::trace<decltype(f), "f(x, y)", spec<float, 3>, spec<float, dyn>>::graph;
  const shape unknown[] = {{1, {symbol(0)}}, {1, {symbol(1)}}};
  found = jig::find_extents(three, unknown);
  CHECK(found.shapes[0] == shape{1, {3}});
  REQUIRE(found.expressions.size() == 2);
  CHECK(parts_of(found.expressions[0]) == std::tuple(relation::equal, symbol(0), 3, dyn, 0));
}

TEST_CASE("what the spec of an operand does not tell is checked, though it is known") {
  // The range of a static extent is a wildcard, which the rules find to be 2; so are wildcards of a call whose extents are known.
  constexpr auto refused = [] {
    auto found = extents_of([](auto x, auto y) { return y + x(jig::range_of(1, 3)); }, spec<float, 8>(), spec<float, 3>());
    const shape given[] = {{1, {3}}, {1, {2}}};
    auto called = jig::find_extents(jig::trace<decltype(plus), "f(x, y)", spec<float, 3>, spec<float, dyn>>::graph, given);
    return found.expressions.size() == 1 && found.expressions[0].relation == relation::equal && called.expressions.size() == 1;
  };
  static_assert(refused());
  CHECK(refused());
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    if (jig::reduce_sum(x) > 0) y = y * x(jig::range_of(1, 3));
    return y;
  });
  const jig::tensor<float, 3> y{1, 2, 3};
  CHECK(f(jig::tensor<float, 8>{}, y)(2) == 3);
  CHECK_THROWS_AS(f(jig::ones<float, 8>(), y), jig::invalid_argument);
  const jig::any_tensor three = y, one = jig::ones<float, dyn>(1), two = jig::ones<float, dyn>(2);
  constexpr auto relaxed = jig::function<"f(x, y)">([](auto a, auto b) { return jig::stack<0>(a + b, b); }).relax_shapes();
  CHECK(relaxed(three, three).as<float, 2, 3>()(1, 2) == 3);
  CHECK_THROWS_AS(relaxed(three, one), jig::invalid_argument);
  CHECK_THROWS_AS(relaxed(three, two), jig::invalid_argument);
}
