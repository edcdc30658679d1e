// SPDX-License-Identifier: MIT
#include <jig.hpp>
#include <jig/adapt/structure.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

namespace hana = boost::hana;

namespace model {

struct layer {
  BOOST_HANA_DEFINE_STRUCT(layer, (jig::tensor<float, 3, 2>, w), (jig::tensor<float, 2>, b));
};

struct adapted {
  std::vector<double> first;
  double second;
};

struct deep {
  BOOST_HANA_DEFINE_STRUCT(deep, (layer, inner), (std::tuple<int, layer>, pair));
};

struct plain {
  int x;
};

}  // namespace model

BOOST_HANA_ADAPT_STRUCT(model::adapted, first, second);

namespace {

constexpr auto w = BOOST_HANA_STRING("w");
constexpr auto b = BOOST_HANA_STRING("b");

// The leaves as text, in the order in which they are visited.
constexpr auto leaves_of(auto&& x) {
  jig::message m;
  jig::for_each_leaf(x, [&](const auto& leaf) { m << static_cast<jig::index>(leaf) << ' '; });
  return m;
}

template <class X>
std::vector<std::string> names_of() {
  using S = jig::structure<X>;
  return []<std::size_t... I>(std::index_sequence<I...>) {
    return std::vector<std::string>{std::string(S::template name<I>())...};
  }(std::make_index_sequence<S::size>());
}

template <class Concrete>
std::vector<std::string> parameters_of(const Concrete& f) {
  std::vector<std::string> names;
  for (int id : f.graph().inputs()) names.emplace_back(f.graph().node(id).attribute("name").text);
  return names;
}

using vec = jig::tensor<float, 2>;

}  // namespace

TEST_CASE("what falls into parts") {
  static_assert(jig::is_structure<std::tuple<int, float>>);
  static_assert(jig::is_structure<const std::pair<int, vec>&>);
  static_assert(jig::is_structure<std::array<vec, 3>>);
  static_assert(jig::is_structure<hana::tuple<int>>);
  static_assert(jig::is_structure<hana::map<hana::pair<decltype(w), int>>>);
  static_assert(jig::is_structure<model::layer>);
  static_assert(jig::is_structure<model::adapted>);
  static_assert(!jig::is_structure<std::array<float, 3>>);
  static_assert(!jig::is_structure<vec>);
  static_assert(!jig::is_structure<float>);
  static_assert(!jig::is_structure<std::vector<float>>);
  static_assert(!jig::is_structure<model::plain>);
  static_assert(!jig::is_structure<hana::int_<3>>);
}

TEST_CASE("parts have names") {
  using strings = std::vector<std::string>;
  CHECK(names_of<std::tuple<int, int, int>>() == strings{"0", "1", "2"});
  CHECK(names_of<std::tuple<>>().empty());
  CHECK(names_of<std::pair<int, int>>() == strings{"0", "1"});
  CHECK(names_of<std::array<vec, 2>>() == strings{"0", "1"});
  CHECK(names_of<hana::tuple<int, int>>() == strings{"0", "1"});
  CHECK(names_of<decltype(hana::make_map(hana::make_pair(w, 1), hana::make_pair(b, 2)))>() == strings{"w", "b"});
  CHECK(names_of<model::layer>() == strings{"w", "b"});
  CHECK(names_of<model::adapted>() == strings{"first", "second"});
  static_assert(jig::structure<model::layer>::name<1>() == "b");
}

TEST_CASE("leaves are visited left to right") {
  static_assert(leaves_of(7).view() == "7 ");
  static_assert(leaves_of(std::tuple(1, 2, 3)).view() == "1 2 3 ");
  static_assert(leaves_of(std::tuple<>()).view().empty());
  static_assert(leaves_of(hana::make_tuple(1, std::pair(2, std::tuple(3, 4)), 5)).view() == "1 2 3 4 5 ");
  static_assert(leaves_of(hana::make_map(hana::make_pair(w, 1), hana::make_pair(b, std::pair(2, 3)))).view() == "1 2 3 ");
  CHECK(leaves_of(std::array{std::pair(1, 2), std::pair(3, 4)}).view() == "1 2 3 4 ");
  model::deep x;
  std::get<0>(x.pair) = 5;
  x.inner.w(0, 0) = 1;
  std::string dims;
  jig::for_each_leaf(x, [&](const auto& leaf) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(leaf)>>) dims += std::to_string(leaf) + ' ';
    else dims += 't' + std::to_string(leaf.rank()) + ' ';
  });
  CHECK(dims == "t2 t1 5 t2 t1 ");
}

TEST_CASE("leaves can be changed in place") {
  std::tuple x(1, std::pair(2, 3));
  jig::for_each_leaf(x, [](int& leaf) { leaf *= 10; });
  CHECK(x == std::tuple(10, std::pair(20, 30)));
  int a = 1, c = 2;
  auto tied = std::tie(a, c);
  jig::for_each_leaf(tied, [](int& leaf) { leaf += 5; });
  CHECK(a == 6);
  CHECK(c == 7);
}

TEST_CASE("mapping keeps the structure") {
  constexpr auto half = [](const auto& x) { return static_cast<double>(x) / 2; };
  constexpr std::tuple nested(1, std::pair(2, hana::make_tuple(3)));
  constexpr auto halves = jig::map_leaves(nested, half);
  static_assert(std::is_same_v<decltype(halves), const std::tuple<double, std::pair<double, hana::tuple<double>>>>);
  static_assert(std::get<0>(halves) == 0.5);
  static_assert(hana::at_c<0>(std::get<1>(halves).second) == 1.5);
  int leaf = 3;
  CHECK(jig::map_leaves(leaf, half) == 1.5);
  auto map = hana::make_map(hana::make_pair(w, 1), hana::make_pair(b, 2));
  auto mapped = jig::map_leaves(map, half);
  static_assert(std::is_same_v<decltype(mapped), hana::map<hana::pair<std::remove_const_t<decltype(w)>, double>,
                                                           hana::pair<std::remove_const_t<decltype(b)>, double>>>);
  CHECK(mapped[b] == 1);
  // An adapted struct becomes a map, since its members cannot hold other types.
  model::adapted x{{1, 2}, 3};
  auto sizes = jig::map_leaves(x, []<class T>(const T&) { return sizeof(T); });
  CHECK(sizes[BOOST_HANA_STRING("first")] == sizeof(std::vector<double>));
  CHECK(sizes[BOOST_HANA_STRING("second")] == sizeof(double));
  std::tuple<> nothing;
  static_assert(std::is_same_v<decltype(jig::map_leaves(nothing, half)), std::tuple<>>);
}

TEST_CASE("mapping goes left to right, too") {
  std::tuple x(0, std::pair(0, hana::make_tuple(0, 0)), std::array{std::pair(0, 0)});
  int n = 0;
  auto numbered = jig::map_leaves(x, [&](int) { return ++n; });
  CHECK(leaves_of(numbered).view() == "1 2 3 4 5 6 ");
}

TEST_CASE("structures of one part keep their level") {
  constexpr auto same = [](const auto& x) { return x; };
  std::array<std::array<std::pair<int, int>, 2>, 1> array{};
  static_assert(std::is_same_v<decltype(jig::map_leaves(array, same)), decltype(array)>);
  std::tuple<std::tuple<std::tuple<int>>> tuple{std::tuple(std::tuple(1))};
  static_assert(std::is_same_v<decltype(jig::map_leaves(tuple, same)), decltype(tuple)>);
  hana::tuple<hana::tuple<int>> hana_tuple{hana::make_tuple(1)};
  static_assert(std::is_same_v<decltype(jig::map_leaves(hana_tuple, same)), decltype(hana_tuple)>);
  CHECK(leaves_of(jig::map_leaves(tuple, same)).view() == "1 ");
}

TEST_CASE("a tuple of tensors is one argument") {
  static constexpr auto f = jig::function<"f(p, k)">([](auto p, auto k) { return std::get<0>(p) * k - std::get<1>(p); });
  vec x{1, 2}, y{3, 4};
  auto r = f(std::tuple(x, y), 10.0f);
  static_assert(std::is_same_v<decltype(r), vec>);
  CHECK(r(0) == 7);
  CHECK(r(1) == 16);
  CHECK(f(std::pair(y, x), 1.0f)(0) == 2);
  CHECK(f(std::tie(x, y), 2.0f)(1) == 0);
  CHECK(f(std::tuple(std::vector<float>{1, 2, 3}, std::array<float, 3>{1, 1, 1}), 1.0f)(2) == 2);
  constexpr auto traced = f.get_concrete_function(std::tuple(jig::spec<float, 2>(), jig::spec<float, 2>()), jig::spec<float>());
  CHECK(parameters_of(traced) == std::vector<std::string>{"p_0", "p_1", "k"});
  CHECK(traced(std::tuple(x, y), 10.0f)(1) == 16);
}

TEST_CASE("arrays and Hana tuples of tensors") {
  static constexpr auto total = jig::function<"total(xs)">([](auto xs) { return xs[0] + xs[1] + xs[2]; });
  std::array<vec, 3> three{vec{1, 2}, vec{10, 20}, vec{100, 200}};
  CHECK(total(three)(1) == 222);
  static constexpr auto hana_total =
      jig::function<"total(xs)">([](auto xs) { return hana::fold_left(xs, [](auto x, auto y) { return x + y; }); });
  CHECK(hana_total(hana::make_tuple(three[0], three[1], 5.0f))(0) == 16);
  static constexpr auto swap = jig::function<"swap(xs)">([](auto xs) { return std::array{xs[1], xs[0]}; });
  auto swapped = swap(std::array{three[0], three[2]});
  static_assert(std::is_same_v<decltype(swapped), std::array<vec, 2>>);
  CHECK(swapped[0](0) == 100);
  CHECK(swapped[1](0) == 1);
}

TEST_CASE("an adapted struct reaches the lambda as a map") {
  static constexpr auto dense = jig::function<"dense(m, x)">(
      [](auto m, auto x) { return jig::matmul(x, hana::at_key(m, BOOST_HANA_STRING("w"))) + m[BOOST_HANA_STRING("b")]; });
  model::layer layer{{{1, 2}, {3, 4}, {5, 6}}, {10, 20}};
  jig::tensor<float, 1, 3> x{{1, 1, 2}};
  auto r = dense(layer, x);
  static_assert(std::is_same_v<decltype(r), jig::tensor<float, 1, 2>>);
  CHECK(r(0, 0) == 24);
  CHECK(r(0, 1) == 38);
  const auto& constant = layer;
  CHECK(dense(constant, x)(0, 1) == 38);
  constexpr auto key = [](auto name) { return name; };
  auto map = hana::make_map(hana::make_pair(key(w), layer.w), hana::make_pair(key(b), layer.b));
  CHECK(dense(map, x)(0, 0) == 24);
  constexpr auto traced =
      dense.get_concrete_function(hana::make_map(hana::make_pair(w, jig::spec<float, 3, 2>()), hana::make_pair(b, jig::spec<float, 2>())),
                                  jig::spec<float, jig::dyn, 3>());
  CHECK(parameters_of(traced) == std::vector<std::string>{"m_w", "m_b", "x"});
  CHECK(traced(layer, x)(0, 1) == 38);
}

TEST_CASE("structures in structures, with numbers and containers as leaves") {
  static constexpr auto f = jig::function<"f(s)">([](auto s) {
    auto inner = std::get<0>(s);
    return hana::at_key(inner, BOOST_HANA_STRING("first")) * hana::at_key(inner, BOOST_HANA_STRING("second")) +
           hana::at_c<0>(std::get<1>(s));
  });
  model::adapted x{{1, 2, 3}, 10};
  auto r = f(std::tuple(x, hana::make_tuple(0.5)));
  REQUIRE(r.size() == 3);
  CHECK(r(0) == 10.5);
  CHECK(r(2) == 30.5);
}

TEST_CASE("results are structures as the lambda made them") {
  static constexpr auto f = jig::function<"f(x)">([](auto x) {
    return std::tuple(x + 1, std::pair(x * 2, hana::make_tuple(x * 3)), hana::make_map(hana::make_pair(BOOST_HANA_STRING("w"), x - 1)));
  });
  auto r = f(vec{1, 2});
  static_assert(std::is_same_v<std::tuple_element_t<0, decltype(r)>, vec>);
  static_assert(std::is_same_v<std::tuple_element_t<1, decltype(r)>, std::pair<vec, hana::tuple<vec>>>);
  CHECK(std::get<0>(r)(0) == 2);
  CHECK(std::get<1>(r).first(1) == 4);
  CHECK(hana::at_c<0>(std::get<1>(r).second)(1) == 6);
  CHECK(std::get<2>(r)[w](1) == 1);
  vec a, c, d, e;
  auto out = std::tuple(std::tie(a), std::tie(c, d), std::tie(e));
  f.into(out, vec{1, 2});
  CHECK(a(1) == 3);
  CHECK(c(1) == 4);
  CHECK(d(1) == 6);
  CHECK(e(1) == 1);
}

TEST_CASE("results may be written into an adapted struct") {
  static constexpr auto step = jig::function<"step(m, rate)">(
      [](auto m, auto rate) { return hana::make_tuple(m[BOOST_HANA_STRING("w")] * rate, m[BOOST_HANA_STRING("b")] - rate); });
  model::layer layer{{{1, 2}, {3, 4}, {5, 6}}, {10, 20}};
  step.into(layer, layer, 0.5f);
  CHECK(layer.w(2, 1) == 3);
  CHECK(layer.b(0) == 9.5f);
}

TEST_CASE("literals inside structures are part of the signature") {
  static constexpr auto power = jig::function<"power(p)">([](auto p) {
    auto r = std::get<0>(p);
    for (int i = 1; i < std::get<1>(p); ++i) r = r * std::get<0>(p);
    return r;
  });
  CHECK(power(std::tuple(vec{2, 3}, jig::lit<3>))(1) == 27);
  CHECK(power(std::tuple(vec{2, 3}, hana::int_c<2>))(0) == 4);
  CHECK(power.experimental_get_tracing_count() == 2);
}

TEST_CASE("extents of parts are checked and named") {
  static constexpr auto f = jig::function<"f(p)">([](auto p) { return std::get<0>(p) + std::get<1>(p); });
  using n = jig::spec<float, jig::dim<"n">>;
  constexpr auto traced = f.get_concrete_function(std::tuple(n(), n()));
  CHECK_THROWS_WITH_AS(traced(std::tuple(std::vector<float>(3), std::vector<float>(4))),
                       "f: argument p_1: expected float32 shape=(n,), given float32 shape=(4,) with n = 3", jig::invalid_argument);
}
