// SPDX-License-Identifier: MIT
#include <jig/trace/variable.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

#include <algorithm>
#include <utility>

namespace {

namespace hana = boost::hana;

jig::variable<int> global_zero;
jig::variable<float, 2> global_list{1, 2};

template <class F, class... Key>
constexpr const jig::graph_view& traced(F, Key...) {
  return jig::trace<F, "f(v, x)", Key...>::graph;
}

std::string text_of(const jig::graph_view& g) { return jig::to_text(g); }

}  // namespace

TEST_CASE("a variable starts at zero or at what it is given") {
  CHECK(jig::variable<double>().value()() == 0);
  CHECK(jig::variable<int>(3).value()() == 3);
  CHECK(jig::variable<float>(2.0).value()() == 2);
  CHECK(jig::variable<float, 2>{1, 2}.value()(1) == 2);
  CHECK(jig::variable<float, 2>(jig::ones<float, 2>()).value()(1) == 1);
  CHECK(jig::variable<float, jig::dyn>(std::vector<float>{1, 2, 3}).value()(2) == 3);
  CHECK(jig::variable<float, jig::dyn>().value().size() == 0);
  CHECK(jig::variable<std::string>("a").value()() == "a");
  CHECK(global_zero.value()() == 0);
  CHECK(global_list.value()(1) == 2);
  std::array<jig::variable<float>, 2> a{1.0f, 2.0f};
  CHECK(a[1].value()() == 2);
}

TEST_CASE("a copy is a variable of its own") {
  jig::variable<int> v{1};
  auto copy = v;
  v.assign(2);
  CHECK(copy.value()() == 1);
  copy = v;
  v.assign(3);
  CHECK(copy.value()() == 2);
  auto moved = std::move(v);
  CHECK(moved.value()() == 3);
  std::vector<jig::variable<float, 2>> many(3);
  many.emplace_back(jig::ones<float, 2>());
  CHECK(many[3].value()(0) == 1);
}

TEST_CASE("assignments compute at once outside of traces") {
  jig::variable<float, 2> v;
  v.assign(jig::tensor<float, 2>{1, 2});
  v.assign_add(1);
  v.assign_sub(std::array<float, 2>{1, 0});
  CHECK(v.value()(0) == 1);
  CHECK(v.value()(1) == 3);
  v.assign(std::vector<float>{5, 6});
  CHECK(v.value()(1) == 6);
  CHECK_THROWS_WITH_AS(v.assign(std::vector<float>{1}), "assign: expected float32 (2,), given float32 (1,)", jig::invalid_argument);
  CHECK_THROWS_AS(v.assign_add(std::vector<float>{1, 2, 3}), jig::invalid_argument);
  CHECK(v.value()(1) == 6);
  v.assign(v * 2);
  CHECK(v.value()(0) == 10);

  jig::variable<int> n;
  n.assign(jig::lit<4>);
  n.assign_add(n);
  CHECK(n.value()() == 8);
  CHECK_THROWS_AS(n.assign(std::int64_t{1} << 40), jig::invalid_argument);

  jig::variable<std::string> s;
  s.assign("hello");
  s.assign_add(jig::tensor<std::string>(" there"));
  CHECK(s.value()() == "hello there");

  jig::variable<int, jig::dyn> d;
  d.assign(jig::tensor<int, 2>{1, 2});
  d.assign(jig::tensor<int, jig::dyn>{1, 2, 3});
  CHECK(d.shape() == jig::shape{1, {3}});
  jig::variable<int, 2> e;
  CHECK_THROWS_AS(e.assign(d), jig::invalid_argument);
}

TEST_CASE("in a trace a variable is a name for a value") {
  constexpr auto f = [](auto& v, auto x) {
    auto before = v.read();
    v.assign(v * x);
    v.assign_add(1);
    return before + v;
  };
  constexpr auto& g = traced(f, jig::variable_spec<float>(), jig::spec<float>());
  static_assert(g.inputs().size() == 2 && g.outputs().size() == 2);
  CHECK(text_of(g) ==
        "v = Placeholder() : float32 ()\n"
        "x = Placeholder() : float32 ()\n"
        "mul = Mul(v, x) : float32 ()\n"
        "add/y = Const() {value: 1.0} : float32 ()\n"
        "add = AddV2(mul, add/y) : float32 ()\n"
        "add_1 = AddV2(v, add) : float32 ()\n"
        "return add_1, add\n");
}

TEST_CASE("only variables that are assigned become results") {
  constexpr auto f = [](auto& v, auto& w) {
    v.assign(v.read());
    w.assign(v);
  };
  using t = jig::trace<decltype(f), "f", jig::variable_spec<float>, jig::variable_spec<float>>;
  static_assert(t::results == 0 && t::update_of(0) == -1 && t::update_of(1) == 0);
  static_assert(t::graph.outputs().size() == 1);
}

TEST_CASE("loops and branches carry variables") {
  constexpr auto branch = [](auto& v, auto x) {
    if (x > 0) v.assign(x);
  };
  static_assert(traced(branch, jig::variable_spec<float>(), jig::spec<float>()).count("If") == 1);
  constexpr auto loop = [](auto& v, auto n) {
    for (auto i : jig::range(n)) v.assign_add(i);
  };
  static_assert(traced(loop, jig::variable_spec<int>(), jig::spec<int>()).count("While") == 1);
  constexpr auto own_bound = [](auto& v) {
    JIG_WHILE(v.read() < 10) { v.assign_add(4); }
    for (auto i : jig::range(v)) v.assign_sub(i);
    JIG_IF(v < 0) {
      v.assign(-1);
    } JIG_ELSE {
      v.assign(1);
    }
  };
  static_assert(traced(own_bound, jig::variable_spec<int>()).count("While") == 2);
  static_assert(traced(own_bound, jig::variable_spec<int>()).count("If") == 1);
}

TEST_CASE("a value of other declared extents takes those of the variable") {
  constexpr auto f = [](auto& v, auto x) { v.assign(x); };
  constexpr auto& g = traced(f, jig::variable_spec<float, jig::dyn>(), jig::spec<float, 3>());
  static_assert(g.count("EnsureShape") == 1 && g.spec(g.outputs()[0]) == jig::tensor_spec{jig::dtype::float32, {1, {jig::dyn}}});
  constexpr auto& h = traced(f, jig::variable_spec<float, 3>(), jig::spec<float, jig::dyn>());
  static_assert(h.spec(h.outputs()[0]) == jig::tensor_spec{jig::dtype::float32, {1, {3}}});
}

TEST_CASE("what is moved out of a variable in a trace is its value") {
  constexpr auto swap = jig::function<"swap(a, b)">([](auto& a, auto& b) { std::swap(a, b); });
  jig::variable<float, 2> v{1, 2}, w{3, 4};
  swap(v, w);
  CHECK((v.value()(0) == 3 && v.value()(1) == 4 && w.value()(0) == 1 && w.value()(1) == 2));
  swap.eager(v, w);
  CHECK((v.value()(0) == 1 && v.value()(1) == 2 && w.value()(0) == 3 && w.value()(1) == 4));
  swap(v, v);
  CHECK((v.value()(0) == 1 && v.value()(1) == 2));

  constexpr auto old = jig::function<"old(a, x)">([](auto& a, auto x) {
    auto before = std::move(a);
    a.assign(x);
    auto other = std::exchange(a, before);
    other.assign_add(1);
    return other + 10 * before;
  });
  CHECK(old(v, jig::tensor<float, 2>{7, 8})(1) == 29);
  CHECK(v.value()(1) == 2);

  // Of parts of an array.
  constexpr auto rotate = jig::function<"rotate(a)">([](auto& a) { std::rotate(a.begin(), a.begin() + 1, a.end()); });
  std::array<jig::variable<int>, 3> three{1, 2, 3};
  rotate(three);
  CHECK((three[0].value()() == 2 && three[1].value()() == 3 && three[2].value()() == 1));
}

TEST_CASE("copies of variables live in blocks of a trace") {
  constexpr auto swap_if = jig::function<"swap_if(v, w, x)">([](auto& v, auto& w, auto x) {
    JIG_IF(x > 0) {
      std::swap(v, w);
    } JIG_ELSE {
      const auto copy = v;
      v.assign(copy + w);
    }
  });
  constexpr auto swap_often = jig::function<"swap_often(v, w, n)">([](auto& v, auto& w, auto n) {
    for ([[maybe_unused]] auto i : jig::range(n)) {
      auto before = std::move(v);
      v = std::move(w);
      w = std::move(before);
    }
  });
  for (int n = -1; n < 5; ++n) {
    jig::variable<int> v{10}, w{20};
    const auto check = [&](int first, int second) {
      CHECK(v.value()() == first);
      CHECK(w.value()() == second);
      v.assign(10);
      w.assign(20);
    };
    swap_if(v, w, n);
    check(n > 0 ? 20 : 30, n > 0 ? 10 : 20);
    swap_if.eager(v, w, n);
    check(n > 0 ? 20 : 30, n > 0 ? 10 : 20);
    swap_often(v, w, n);
    check(n > 0 && n % 2 ? 20 : 10, n > 0 && n % 2 ? 10 : 20);
    swap_often.eager(v, w, n);
    check(n > 0 && n % 2 ? 20 : 10, n > 0 && n % 2 ? 10 : 20);
  }
}

namespace {

struct variables_with_initialisers {
  BOOST_HANA_DEFINE_STRUCT(variables_with_initialisers, (jig::variable<double>, total), (jig::variable<float, 3>, weights),
                           (jig::variable<int>, calls));
  constexpr variables_with_initialisers() : total(1.5), weights({1, 2, 3}), calls(4) {}
};

}  // namespace

TEST_CASE("variables of a struct begin at what its initialisers say, and = assigns") {
  constexpr auto add = jig::function<"add(sums, x)">([](auto& sums, auto x) {
    sums.total = sums.total + x;
    sums.weights = sums.weights * 2.0f;
    JIG_IF(sums.total > 4) sums.calls = 7;
    return sums.total * 2;
  });
  variables_with_initialisers sums;
  CHECK(add(sums, 2.0)() == 7.0);
  CHECK(sums.calls.value()() == 4);
  CHECK(add.eager(sums, 2.0)() == 11.0);
  CHECK(sums.total.value()() == 5.5);
  CHECK(sums.weights.value()(2) == 12);
  CHECK(sums.calls.value()() == 7);
  CHECK(add(sums, jig::any_tensor(jig::tensor<double>(1.0))).as<double>()() == 13.0);
  CHECK(sums.total.value()() == 6.5);
  jig::variable<float, 3> v;
  v = jig::tensor<float, 3>{1, 2, 3};
  CHECK(v.value()(2) == 3);
  v = std::vector<float>{1, 2, 4};
  CHECK(v.value()(2) == 4);
  v = {4, 5, 6};
  CHECK(v.value()(0) == 4);
  v = v + 1.0f;
  CHECK(v.value()(0) == 5);
}
