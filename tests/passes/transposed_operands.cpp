// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

using jig::dyn;

namespace {

std::string lowered(auto f, auto... spec) { return jig::to_text(jig::lower(jig::graph_of(f, spec...))); }
int transposes(const std::string& text) {
  int n = 0;
  for (std::size_t at = 0; (at = text.find(" = Transpose(", at)) != std::string::npos; ++at) ++n;
  return n;
}
// Whether bytes are transposed before they are cast.
bool is_turned(const std::string& text) { return text.find(" = Transpose(") < text.find(" = Cast("); }

constexpr auto to_planes = [](auto x, auto m, auto s) { return (jig::transpose<2, 0, 1>(jig::cast<float>(x) / 255) - m) / s; };
constexpr auto planes_after_all = [](auto x, auto m, auto s) { return jig::transpose<2, 0, 1>((jig::cast<float>(x) / 255 - m) / s); };
constexpr auto gated = [](auto x) {
  auto h = 2 * x + 1;
  return jig::transpose<1, 0>(h * jig::sigmoid(h));
};
constexpr auto there_and_back = [](auto x, auto z) { return jig::transpose<0, 2, 1>(jig::relu(jig::transpose<0, 2, 1>(x) + z)); };

template <class T, jig::index... E>
jig::tensor<T, E...> counted(jig::tensor<T, E...> x) {
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i * 37 % 101);
  return x;
}

}  // namespace

TEST_CASE("a transpose moves to what is read across memory") {
  CHECK(lowered([](auto x) { return jig::transpose<2, 0, 1>(x + 1); }, jig::spec<float, 5, 4, 3>()) ==
        R"(args_0 = Placeholder() : float32 (5, 4, 3)
add/y = Const() {value: 1.0} : float32 ()
Transpose = Transpose(args_0) {perm: [2, 0, 1]} : float32 (3, 5, 4)
add = AddV2(Transpose, add/y) : float32 (3, 5, 4)
return add
)");
  // Operands in one line get their axes without being moved.
  CHECK(transposes(lowered(planes_after_all, jig::spec<std::uint8_t, 5, 4, 3>(), jig::spec<float, 3>(), jig::spec<float, 3>())) == 3);
  CHECK(is_turned(lowered(planes_after_all, jig::spec<std::uint8_t, 5, 4, 3>(), jig::spec<float, 3>(), jig::spec<float, 3>())));
  CHECK(is_turned(lowered(to_planes, jig::spec<std::uint8_t, 5, 4, 3>(), jig::spec<float, 3, 1, 1>(), jig::spec<float, 3, 1, 1>())));
  // Read twice, it is one operand.
  CHECK(transposes(lowered(gated, jig::spec<float, dyn, 7>())) == 1);
  CHECK(transposes(lowered(there_and_back, jig::spec<float, 3, 5, 4>(), jig::spec<float, 5>())) == 1);
}

TEST_CASE("it stays where that would not pay") {
  const auto order = [](auto f, auto... spec) {
    const std::string text = lowered(f, spec...);
    return text.find(" = Transpose(") < text.find(" = AddV2(") ? "before" : "after";
  };
  const jig::spec<float, 8, 4> x;
  constexpr auto sum_of_two = [](auto a, auto b) { return jig::transpose(a + b); };
  CHECK(order([](auto a) { return jig::transpose(a + 1); }, x) == "before");
  CHECK(order([](auto a) { return jig::transpose(a + a); }, x) == "before");
  CHECK(order(sum_of_two, x, x) == "after");
  CHECK(order(sum_of_two, x, jig::spec<float, 4>()) == "before");
  CHECK(order(sum_of_two, x, jig::spec<float, 8, 1>()) == "before");
  CHECK(order(sum_of_two, jig::spec<float, 8, 1>(), jig::spec<float, 1, 4>()) == "before");
  CHECK(order(sum_of_two, x, jig::spec<float, dyn, 4>()) == "after");
  // Programs of a few numbers.
  CHECK(order([](auto a) { return jig::transpose(a + 1); }, jig::spec<float, 31, 1>()) == "after");
  // Somebody else reads the value, at its end or within.
  CHECK(order(
            [](auto a) {
              auto h = a + 1;
              return std::tuple(jig::transpose(h), h);
            },
            x) == "after");
  CHECK(order(
            [](auto a) {
              auto h = a + 1;
              return jig::transpose(jig::exp(h)) + jig::reduce_sum(h);
            },
            x) == "after");
  // Products read their operands either way.
  CHECK(transposes(lowered([](auto a, auto b) { return jig::matmul(jig::transpose(a + 1), b); }, x, x)) == 0);
}

TEST_CASE("colours become planes as a loop does it") {
  auto check = [](auto x) {
    using image = decltype(x);
    constexpr auto extents = image::spec_type::value().shape;
    constexpr jig::index pixels = extents[0] * extents[1], colours = extents[2];
    x = counted(x);
    jig::tensor<float, colours> mean, deviation;
    for (jig::index c = 0; c < colours; ++c) {
      mean.data()[c] = 0.25f * static_cast<float>(c);
      deviation.data()[c] = 1 + 0.5f * static_cast<float>(c);
    }
    const auto f = jig::function(planes_after_all);
    const auto y = f(x, mean, deviation);
    const auto late = f(jig::tensor<typename image::value_type, dyn, extents[1], dyn>(x), mean, deviation);
    bool same = true;
    for (jig::index c = 0; c < colours; ++c)
      for (jig::index i = 0; i < pixels; ++i) {
        const float e = (static_cast<float>(x.data()[i * colours + c]) / 255 - mean.data()[c]) / deviation.data()[c];
        same = same && std::abs(y.data()[c * pixels + i] - e) <= 1e-6f * (1 + std::abs(e)) &&
               late.data()[c * pixels + i] == y.data()[c * pixels + i];
      }
    CHECK(same);
  };
  check(jig::tensor<std::uint8_t, 9, 15, 3>());
  check(jig::tensor<std::uint8_t, 4, 16, 4>());
  check(jig::tensor<float, 5, 17, 3>());
  check(jig::tensor<float, 1, 33, 1>());
}

TEST_CASE("there and back is elementwise; nobody moves an infinity") {
  auto x = counted(jig::tensor<float, 3, 5, 7>());
  auto z = counted(jig::tensor<float, 5>());
  x.data()[3] = std::numeric_limits<float>::infinity();
  x.data()[50] = std::numeric_limits<float>::quiet_NaN();
  for (float& e : z) e -= 60;
  const auto y = jig::function(there_and_back)(x, z);
  bool same = true;
  for (jig::index i = 0; i < x.size(); ++i) {
    const float e = x.data()[i] + z.data()[i / 7 % 5];
    const float expected = e < 0 ? 0 : e;
    same = same && (y.data()[i] == expected || (expected != expected && y.data()[i] != y.data()[i]));
  }
  CHECK(same);
}

TEST_CASE("a result over its argument") {
  auto x = counted(jig::tensor<float, 6, 6>());
  const auto before = x;
  jig::function([](auto a) { return jig::transpose(2 * a + 1); }).into(x, x);
  bool same = true;
  for (jig::index i = 0; i < 6; ++i)
    for (jig::index j = 0; j < 6; ++j) same = same && x(i, j) == 2 * before(j, i) + 1;
  CHECK(same);
}

namespace {

using numbers = std::vector<double>;

// Evaluates sums, products, transposes and added axes, element by element.
std::vector<numbers> evaluated(const jig::graph_view& g, const std::vector<numbers>& arguments) {
  std::vector<numbers> values(static_cast<std::size_t>(g.size()));
  const auto value = [&](int v) -> numbers& { return values[static_cast<std::size_t>(v)]; };
  const auto extents = [&](int v) { return g.data(v).spec.shape; };
  // Of value v, the element at this place of a larger shape.
  const auto element = [&](int v, const std::vector<jig::index>& place) {
    const jig::shape s = extents(v);
    jig::index at = 0;
    for (int a = 0; a < s.rank; ++a) at = at * s[a] + (s[a] == 1 ? 0 : place[place.size() - static_cast<std::size_t>(s.rank - a)]);
    return value(v)[static_cast<std::size_t>(at)];
  };
  for (std::size_t k = 0; k < arguments.size(); ++k) value(g.inputs()[k]) = arguments[k];
  for (int v = 0; v < g.size(); ++v) {
    const std::string_view op = g.data(v).kind->name;
    if (op == "Placeholder") continue;
    const jig::shape s = extents(v);
    const auto inputs = g.inputs_of(v);
    std::vector<jig::index> place(static_cast<std::size_t>(s.rank));
    for (jig::index i = 0; i < s.size(); ++i) {
      jig::index rest = i;
      for (int a = s.rank; a-- > 0; rest /= s[a]) place[static_cast<std::size_t>(a)] = rest % s[a];
      std::vector<jig::index> from = place;
      if (op == "Transpose")
        for (std::size_t a = 0; a < place.size(); ++a) from[static_cast<std::size_t>(g.node(v).attribute("perm").values[a])] = place[a];
      if (op == "ExpandDims") from.erase(from.begin());
      const double x = element(inputs[0].node, from);
      value(v).push_back(op == "AddV2" ? x + element(inputs[1].node, place) : op == "Mul" ? x * element(inputs[1].node, place) : x);
    }
  }
  std::vector<numbers> results;
  for (const auto& e : g.outputs()) results.push_back(value(e.node));
  return results;
}

struct generator {
  std::uint32_t state;
  int below(int n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 16) % static_cast<std::uint32_t>(n));
  }
};

// Sums and products of operands of all shapes that broadcast, and of each other, under transposes.
jig::graph random_graph(generator& random) {
  jig::graph g;
  const int rank = 2 + random.below(3);
  jig::shape whole;
  for (int a = 0; a < rank; ++a) whole.push_back(3 + random.below(3));
  std::vector<jig::edge> values;
  const auto argument = [&](bool large) {
    jig::shape s;
    for (int a = large ? 0 : random.below(rank); a < rank; ++a) s.push_back(!large && random.below(3) == 0 ? 1 : whole[a]);
    const jig::edge e = g.add(jig::ops::placeholder, {jig::dtype::float64, s}, {});
    g.input_nodes.push_back(e.node);
    return e;
  };
  jig::edge now = argument(true);
  for (int rounds = 1 + random.below(3); rounds > 0; --rounds) {
    values = {now};
    for (int k = 1 + random.below(4); k > 0; --k) {
      // Seldom a large one, which would keep the transpose where it is.
      const jig::edge other = random.below(2) == 0 ? values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))]
                                                   : argument(random.below(8) == 0);
      const jig::edge inputs[] = {now, other};
      now = g.add(random.below(2) == 0 ? jig::ops::add : jig::ops::multiply, {jig::dtype::float64, whole}, inputs);
      values.push_back(now);
    }
    if (random.below(6) == 0) g.output_edges.push_back(values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))]);
    jig::list<jig::index> order;
    for (int a = 0; a < rank; ++a) order.push_back(a);
    for (int a = rank; a-- > 1;) std::swap(order[a], order[random.below(a + 1)]);
    jig::shape turned;
    for (int a = 0; a < rank; ++a) turned.push_back(whole[static_cast<int>(order[a])]);
    const jig::attribute_view with[] = {{"perm", jig::attribute_kind::integers, order}};
    now = g.add(jig::ops::transpose, {jig::dtype::float64, turned}, {&now, 1}, with);
    whole = turned;
  }
  g.output_edges.push_back(now);
  return g;
}

}  // namespace

TEST_CASE("random graphs keep their values") {
  generator random{1};
  int changed = 0, equal = 0;
  constexpr int graphs = 600;
  for (int k = 0; k < graphs; ++k) {
    const jig::graph g = random_graph(random);
    const jig::graph made = jig::detail::with_transposed_operands<jig::graph_view>(g.view());
    if (made.size() == 0) continue;
    ++changed;
    REQUIRE(jig::verify(made.view()) == nullptr);
    std::vector<numbers> arguments;
    for (int v : g.inputs()) {
      arguments.emplace_back();
      for (jig::index i = g.view().data(v).spec.shape.size(); i-- > 0;) arguments.back().push_back(random.below(7) - 3);
    }
    equal += evaluated(g.view(), arguments) == evaluated(made.view(), arguments) ? 1 : 0;
  }
  CHECK(equal == changed);
  CHECK(changed > graphs / 4);
  CHECK(changed < graphs);
}
