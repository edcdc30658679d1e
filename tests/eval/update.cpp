// SPDX-License-Identifier: MIT
#include <jig/eval/update.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>
#include <iostream>
#include <sstream>
#include <thread>

namespace {

namespace hana = boost::hana;

constexpr auto count_up = jig::function<"count_up(count)">([](auto& count) {
  count.assign_add(1);
  return count.read();
});

constexpr auto next = jig::function<"next(count)">([](auto& count) { return count.assign_add(1); });

struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (jig::variable<float, 3, 2>, w), (jig::variable<float, 2>, b));
  constexpr auto operator()(auto x) const { return jig::matmul(x, w) + b; }
};

constexpr auto predict = jig::function<"predict(model, x)">([](auto& model, auto x) { return model(x); });

struct momentum {
  BOOST_HANA_DEFINE_STRUCT(momentum, (jig::variable<float>, rate), (jig::variable<float, 2>, speed));
  constexpr void apply(auto& w, auto g) {
    speed.assign(0.5 * speed.read() + g);
    w.assign_sub(rate * speed.read());
  }
};
struct trainer {
  BOOST_HANA_DEFINE_STRUCT(trainer, (linear, model), (momentum, optimizer));
};

template <class T, jig::index... E>
bool equal(const jig::tensor<T, E...>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

TEST_CASE("counters count, each for itself, with one trace") {
  jig::variable<int> first{0}, second{10};
  CHECK(count_up(first)() == 1);
  CHECK(count_up(first)() == 2);
  CHECK(count_up(second)() == 11);
  CHECK(first.value()() == 2);
  CHECK(count_up.experimental_get_tracing_count() == 1);
}

TEST_CASE("a function of two models and of models that change") {
  linear model, other;
  model.w.assign(jig::ones<float, 3, 2>());
  model.b.assign(jig::tensor<float, 2>{0.5f, -0.5f});
  const jig::tensor<float, 1, 3> x{{1, 2, 3}};
  CHECK(equal(predict(model, x), {6.5f, 5.5f}));
  CHECK(equal(predict(other, x), {0, 0}));
  model.b.assign_add(jig::ones<float, 2>());
  CHECK(equal(predict(model, x), {7.5f, 6.5f}));
  const linear& constant = model;
  CHECK(equal(predict(constant, x), {7.5f, 6.5f}));
  CHECK(predict.experimental_get_tracing_count() == 1);
}

TEST_CASE("state outside of the lambda is an argument and is seen by every call") {
  constexpr auto add_to = jig::function<"add_to(outside, x)">([](auto& outside, auto x) { return x + outside; });
  jig::variable<int> outside{1};
  CHECK(add_to(outside, 1)() == 2);
  outside.assign(100);
  CHECK(add_to(outside, 1)() == 101);
  jig::variable<int> other{20};
  CHECK(add_to(other, 0)() == 20);
  other.assign_add(5);
  CHECK(add_to(other, 0)() == 25);
  CHECK(add_to.experimental_get_tracing_count() == 1);
}

TEST_CASE("structs of structs, tuples and arrays of variables") {
  constexpr auto step = jig::function<"step(trainer, g)">([](auto& t, auto g) { t.optimizer.apply(t.model.b, g); });
  trainer t;
  t.optimizer.rate.assign(0.5);
  step(t, std::array<float, 2>{1, 2});
  step(t, std::array<float, 2>{1, 2});
  CHECK(equal(t.model.b.value(), {-1.25f, -2.5f}));
  CHECK(equal(t.optimizer.speed.value(), {1.5f, 3}));

  constexpr auto swap = jig::function<"swap(pair)">([](auto& p) {
    auto first = std::get<0>(p).read();
    std::get<0>(p).assign(std::get<1>(p));
    std::get<1>(p).assign(first);
  });
  jig::variable<int> a{1}, b{2};
  swap(std::tie(a, b));
  CHECK(a.value()() == 2);
  CHECK(b.value()() == 1);
  std::tuple<jig::variable<int>, jig::variable<int>> owned{3, 4};
  swap(owned);
  CHECK(std::get<0>(owned).value()() == 4);

  constexpr auto shift = jig::function<"shift(a)">([](auto& all_three) {
    all_three[0].assign(all_three[1]);
    all_three[1].assign(all_three[2]);
    all_three[2].assign(0);
  });
  std::array<jig::variable<int>, 3> three{1, 2, 3};
  shift(three);
  CHECK(three[0].value()() == 2);
  CHECK(three[1].value()() == 3);
  CHECK(three[2].value()() == 0);

  constexpr auto first_of = jig::function<"first_of(t)">([](auto& p) { p[hana::int_c<0>].assign_add(1); });
  hana::tuple<jig::variable<int>, jig::variable<float>> h;
  first_of(h);
  CHECK(h[hana::int_c<0>].value()() == 1);
}

TEST_CASE("variables beside tensors in one structure") {
  struct mixed {
    BOOST_HANA_DEFINE_STRUCT(mixed, (jig::variable<float>, v), (float, x));
  };
  constexpr auto f =
      jig::function<"f(m)">([](auto& m) { hana::at_key(m, BOOST_HANA_STRING("v")).assign_add(hana::at_key(m, BOOST_HANA_STRING("x"))); });
  mixed m;
  m.x = 2;
  f(m);
  f(m);
  CHECK(m.v.value()() == 4);
}

TEST_CASE("assignments in native branches happen only where they are taken") {
  constexpr auto keep_best = jig::function<"keep_best(best, count, x)">([](auto& best, auto& count, auto x) {
    if (x > best) {
      best.assign(x);
      count.assign_add(1);
    }
    return best.read();
  });
  jig::variable<float> best{1};
  jig::variable<int> count;
  CHECK(keep_best(best, count, 0.5f)() == 1);
  CHECK(count.value()() == 0);
  CHECK(keep_best(best, count, 3.0f)() == 3);
  CHECK(best.value()() == 3);
  CHECK(count.value()() == 1);

  constexpr auto early = jig::function<"early(v, x)">([](auto& v, auto x) {
    v.assign_add(1);
    if (x > 0) return x;
    v.assign_add(10);
    return -x;
  });
  jig::variable<int> v;
  CHECK(early(v, 5)() == 5);
  CHECK(v.value()() == 1);
  CHECK(early(v, -5)() == 5);
  CHECK(v.value()() == 12);

  constexpr auto with_macro = jig::function<"with_macro(v, x)">([](auto& w, auto x) {
    JIG_IF(x > 0) {
      w.assign_add(x);
    } JIG_ELSE {
      w.assign(0);
    }
  });
  with_macro(v, 3);
  CHECK(v.value()() == 15);
  with_macro(v, -3);
  CHECK(v.value()() == 0);
}

TEST_CASE("loops carry variables") {
  constexpr auto sum = jig::function<"sum(v, n)">([](auto& v, auto n) {
    for (auto i : jig::range(n)) {
      if (i == 3) continue;
      v.assign_add(i);
    }
  });
  jig::variable<int> v;
  sum(v, 5);
  CHECK(v.value()() == 7);
  sum(v, 0);
  CHECK(v.value()() == 7);
  constexpr auto double_up = jig::function<"double_up(v)">([](auto& w) {
    JIG_WHILE(w.read() < 100) { w.assign(w * 2); }
    for (auto i : jig::range(w)) w.assign_sub(i * 0 + 1);
  });
  double_up(v);
  CHECK(v.value()() == 0);
  jig::variable<float, 3> w{1, 2, 3};
  constexpr auto halve = jig::function<"halve(w, n)">([](auto& x, auto n) {
    for (auto i : jig::range(n)) x.assign(x / 2 + jig::cast<float>(i));
  });
  halve(w, 2);
  CHECK(equal(w.value(), {1.25f, 1.5f, 1.75f}));
}

TEST_CASE("the same variable passed twice is one variable") {
  constexpr auto f = jig::function<"f(v, w)">([](auto& v, auto& w) {
    v.assign_add(1);
    w.assign(v * w);
    return v.read();
  });
  jig::variable<int> a{2}, b{3};
  CHECK(f(a, b)() == 3);
  CHECK(b.value()() == 9);
  CHECK(f(a, a)() == 16);
  CHECK(a.value()() == 16);
  CHECK(f.experimental_get_tracing_count() == 1);

  constexpr auto g = jig::function<"g(pair, x)">([](auto& p, auto x) {
    for (auto i : jig::range(x)) std::get<0>(p).assign_add(std::get<1>(p) + i);
    if (std::get<1>(p) > 100) std::get<0>(p).assign(0);
    return std::tuple(std::get<0>(p).read(), 7);
  });
  auto r = g(std::tie(a, a), 1);
  CHECK(std::get<0>(r)() == 32);
  CHECK(std::get<1>(r)() == 7);
  CHECK(std::get<0>(g(std::tie(a, b), 1))() == 41);
  int out = 0;
  f.into(out, a, a);
  CHECK(out == 42 * 42);

  // Neither is assigned: no matter.
  constexpr auto sum = jig::function<"sum(v, w)">([](auto& v, auto& w) { return v + w; });
  CHECK(sum(b, b)() == 18);
}

TEST_CASE("a variable's elements may be another argument too") {
  constexpr auto f = jig::function<"f(v, x)">([](auto& v, auto x) {
    v.assign(v + jig::reverse<0>(x));
    return jig::reduce_sum(x);
  });
  jig::variable<float, 3> v{1, 2, 3};
  CHECK(f(v, v.value())() == 6);
  CHECK(equal(v.value(), {4, 4, 4}));
}

TEST_CASE("after an exception every variable has a whole value") {
  constexpr auto f = jig::function<"f(v, w, x)">([](auto& v, auto& w, auto x) {
    v.assign_add(1);
    w.assign(100 / x);
    v.assign_add(w);
  });
  jig::variable<int, 4> v{1, 2, 3, 4}, w{5, 6, 7, 8};
  CHECK_THROWS_AS(f(v, w, std::array<int, 4>{1, 2, 0, 1}), jig::invalid_argument);
  CHECK((equal(v.value(), {1, 2, 3, 4}) || equal(v.value(), {2, 3, 4, 5})));
  CHECK(equal(w.value(), {5, 6, 7, 8}));
  f(v, w, std::array<int, 4>{1, 2, 10, 1});
  CHECK(equal(w.value(), {100, 50, 10, 100}));

  constexpr auto self = jig::function<"self(v)">([](auto& s) { s.assign(100 / s); });
  jig::variable<int, 4> s{1, 2, 0, 4};
  CHECK_THROWS_AS(self(s), jig::invalid_argument);
  CHECK(equal(s.value(), {1, 2, 0, 4}));

  constexpr auto loop = jig::function<"loop(v, n)">([](auto& u, auto n) {
    for (auto i : jig::range(n)) u.assign(u / (3 - i));
  });
  jig::variable<int, 4> u{60, 60, 60, 60};
  CHECK_THROWS_AS(loop(u, 4), jig::invalid_argument);
  CHECK(equal(u.value(), {60, 60, 60, 60}));
  loop(u, 3);
  CHECK(equal(u.value(), {10, 10, 10, 10}));
}

TEST_CASE("variables with wildcard extents change them by assignment") {
  constexpr auto append = jig::function<"append(v, x)">([](auto& v, auto x) { v.assign(jig::concat<0>(v, x)); });
  jig::variable<float, jig::dyn> v;
  append(v, std::array<float, 2>{1, 2});
  append(v, std::vector<float>{3});
  CHECK(equal(v.value(), {1, 2, 3}));
  CHECK(append.experimental_get_tracing_count() == 2);

  constexpr auto scale = jig::function<"scale(v, x)">([](auto& w, auto x) { w.assign(w * x); });
  scale(v, 2.0f);
  CHECK(equal(v.value(), {2, 4, 6}));
  constexpr auto replace = jig::function<"replace(v, x)">([](auto& w, auto x) { w.assign(x); });
  replace(v, std::array<float, 2>{7, 8});
  CHECK(equal(v.value(), {7, 8}));
  jig::variable<float, 3> fixed;
  replace(fixed, std::vector<float>{1, 2, 3});
  CHECK(equal(fixed.value(), {1, 2, 3}));
  CHECK_THROWS_AS(replace(fixed, std::vector<float>{1, 2}), jig::invalid_argument);
  CHECK(equal(fixed.value(), {1, 2, 3}));
}

TEST_CASE("strings") {
  constexpr auto join = jig::function<"join(s, x)">([](auto& s, auto x) {
    s.assign_add(x);
    return s.read();
  });
  jig::variable<std::string, 2> s{"a", "b"};
  CHECK(join(s, std::string("!"))(1) == "b!");
  CHECK(s.value()(0) == "a!");
}

TEST_CASE("results go into memory of the caller") {
  jig::variable<int> count;
  int out = 0;
  count_up.into(out, count);
  CHECK(out == 1);
  CHECK(count.value()() == 1);
  count_up.into(count, count);
  CHECK(count.value()() == 2);
  constexpr auto twice = jig::function<"twice(x)">([](auto x) { return x * 2; });
  jig::variable<float, 2> v{1, 2};
  twice.into(v, v);
  CHECK(equal(v.value(), {2, 4}));
  constexpr auto both = jig::function<"both(v)">([](auto& w) {
    auto old = w.read();
    w.assign(jig::reverse<0>(w));
    return old;
  });
  jig::tensor<float, 2> old;
  both.into(old, v);
  CHECK(equal(old, {2, 4}));
  CHECK(equal(v.value(), {4, 2}));
}

TEST_CASE("functions of variables call each other") {
  constexpr auto twice = jig::function<"twice(count)">([](auto& count) {
    count_up(count);
    return count_up(count) * 10;
  });
  jig::variable<int> v;
  CHECK(twice(v)() == 20);
  CHECK(v.value()() == 2);
  constexpr auto with_input = jig::function<"with_input(model, x)">([](auto& model, auto x) { return predict(model, x) + 1; });
  linear l;
  CHECK(with_input(l, jig::ones<float, 1, 3>())(0, 1) == 1);
}

TEST_CASE("large variables are updated where they are, without allocation of memory for another") {
  constexpr auto step = jig::function<"step(w, g)">([](auto& w, auto g) { w.assign_sub(0.5 * g); });
  using trace = jig::trace<decltype([](auto& w, auto g) { w.assign_sub(0.5 * g); }), "", jig::variable_spec<float, 100000>,
                           jig::spec<float, jig::dyn>>;
  static_assert(trace::update_of(0) == 0);
  static_assert(jig::detail::updates_in_place<jig::program<trace, 1, 1>>(0, 0));
  jig::variable<float, 100000> w;
  std::vector<float> g(100000, 2.0f);
  const float* before = w.value().data();
  step(w, g);
  CHECK(w.value().data() == before);
  CHECK(w.value()(99999) == -1);
}

TEST_CASE("calls on different variables run side by side") {
  std::array<jig::variable<int>, 4> counts;
  std::vector<std::thread> threads;
  for (auto& count : counts)
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) count_up(count);
    });
  for (auto& t : threads) t.join();
  for (auto& count : counts) CHECK(count.value()() == 1000);
}

TEST_CASE("signatures name variables") {
  CHECK(count_up.pretty_printed_concrete_signatures() ==
        "count_up(count)\n  Args:\n    count: int32 Variable, shape=()\n  Returns:\n    int32 Tensor, shape=()\n");
}

TEST_CASE("an assignment is the variable, which may be returned") {
  jig::variable<int> v;
  CHECK(next(v)() == 1);
  constexpr auto pair = jig::function<"pair(count, x)">([](auto& count, auto x) { return std::pair(next(count) * x, count); });
  auto r = pair(v, 10);
  CHECK(r.first() == 20);
  CHECK(r.second() == 2);
  CHECK(next.eager(v)() == 3);
  constexpr auto by_value = jig::function<"by_value(v, x)">([](auto w, auto x) { return w * x; });
  CHECK(by_value(v, 2)() == 6);
  CHECK(v.assign(5).value()() == 5);
}

TEST_CASE("effects on variables happen in every call and outside of functions") {
  std::ostringstream out;
  jig::set_print_stream(out);
  constexpr auto f = jig::function<"f(v)">([](auto& v) {
    v.assign_add(1);
    jig::print("now", v);
    jig::assert_that(v < 3, "at most two");
    jig::assert_equal(v, v.read());
    v.assign(v + 0);
  });
  jig::variable<int> v;
  f(v);
  f(v);
  jig::print(v.read());
  CHECK(out.str() == "now 1\nnow 2\n2\n");
  CHECK_THROWS_AS(f(v), jig::invalid_argument);
  jig::set_print_stream(std::cout);
  CHECK_THROWS_AS(jig::assert_that(v == 10), jig::invalid_argument);

  constexpr auto g = jig::function<"g(v)">([](auto& w) { w.assign(jig::check_numerics(1 / w)); });
  jig::variable<float> w{2};
  g(w);
  CHECK(w.value()() == 0.5f);
  w.assign(0);
  CHECK_THROWS_AS(g(w), jig::invalid_argument);
  CHECK(w.value()() == 0);
  CHECK(jig::check_numerics(w)() == 0);
}
