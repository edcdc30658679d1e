// SPDX-License-Identifier: MIT
#include <jig/runtime/dynamic_eager.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::any_tensor;

any_tensor numbers(std::vector<float> x) { return any_tensor(std::move(x)); }

std::vector<float> elements(const any_tensor& x) {
  std::vector<float> out;
  for (float e : x.as<float>()) out.push_back(e);
  return out;
}

struct steps {
  auto operator()(auto n) const { return of(n, n - n); }
  template <class N>
  static N of(N n, N taken) {
    if (n == 1) return taken;
    if (n % 2 == 0) return of<N>(n / 2, taken + 1);
    return of<N>(3 * n + 1, taken + 1);
  }
};

}  // namespace

TEST_CASE("an eager run takes the way that the values tell, as often as they tell") {
  constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) {
    for (auto i : jig::range(n)) {
      if (i % 2 == 0) continue;
      x = x + jig::cast<float>(i);
      if (jig::reduce_sum(x) > 40) break;
    }
    JIG_WHILE(jig::reduce_sum(x) > 1) { x = x / 2; }
    JIG_IF(x[0] > 0.2f) {
      x = -x;
    } JIG_ELSE {
      x = x * 10;
    }
    return x;
  });
  // 1 + 3 + 5 + 7 added to 1, 2 and 3 make 54; six halvings bring that to 54 / 64.
  CHECK(elements(f.eager(numbers({1, 2, 3}), any_tensor(100))) == std::vector<float>{-17 / 64.f, -18 / 64.f, -19 / 64.f});
  CHECK(elements(f.eager(numbers({-1, -2, -3}), any_tensor(0))) == std::vector<float>{-10, -20, -30});
  CHECK(f.experimental_get_tracing_count() == 0);
}

TEST_CASE("ranges with every kind of step") {
  const auto sum = jig::dynamic_function("sum(first, last, step)", [](auto first, auto last, auto step) {
    auto total = first - first;
    for (auto i : jig::range(first, last, step)) total = total * 10 + i;
    return total;
  });
  auto run = [&](int first, int last, int step) {
    return static_cast<int>(jig::tensor<int>(sum.eager(any_tensor(first), any_tensor(last), any_tensor(step))));
  };
  CHECK(run(1, 5, 1) == 1234);
  CHECK(run(1, 6, 2) == 135);
  CHECK(run(3, 0, -1) == 321);
  CHECK(run(3, 3, 1) == 0);
  CHECK(run(0, 3, -1) == 0);
  CHECK(run(0, 3, 0) == 0);
}

TEST_CASE("ranges that end near the ends of their dtype, as they stand and recorded") {
  const auto sum = jig::dynamic_function("sum(first, last, step)", [](auto first, auto last, auto step) {
    auto total = jig::cast<std::int64_t>(first) * 0;
    for (auto i : jig::range(first, last, step)) total = total * 10 + jig::cast<std::int64_t>(i) + 1;
    return total;
  });
  const auto wrong = [&]<class T>(T first, T last, T step) {
    std::int64_t total = 0;
    if (step > 0)
      for (auto i = static_cast<std::int64_t>(first); i < static_cast<std::int64_t>(last); i += step) total = total * 10 + i + 1;
    if (step < 0)
      for (auto i = static_cast<std::int64_t>(first); i > static_cast<std::int64_t>(last); i += step) total = total * 10 + i + 1;
    const any_tensor arguments[] = {any_tensor(first), any_tensor(last), any_tensor(step)};
    return (jig::tensor<std::int64_t>(sum.eager(arguments[0], arguments[1], arguments[2]))() != total) +
           (jig::tensor<std::int64_t>(sum(arguments[0], arguments[1], arguments[2]))() != total);
  };
  const auto wrong_near_ends = [&]<class T>(T) {
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    int out = 0;
    for (int i = 0; i < 8; i += 3)
      for (int step : {-3, -1, 0, 1, 3}) {
        out += wrong(static_cast<T>(high - i), high, static_cast<T>(step)) + wrong(static_cast<T>(low + i), low, static_cast<T>(step));
        out += wrong(low, static_cast<T>(low + i), static_cast<T>(step)) + wrong(high, static_cast<T>(high - i), static_cast<T>(step));
      }
    return out;
  };
  CHECK(wrong_near_ends(std::uint8_t()) == 0);
  CHECK(wrong_near_ends(std::int16_t()) == 0);
  CHECK(wrong_near_ends(std::int32_t()) == 0);
}

TEST_CASE("conditions are there however many values are kept beside them") {
  for (int kept = 0; kept < 90; ++kept) {
    const auto f = jig::dynamic_function("f(x)", [kept](auto x) {
      std::vector<decltype(x)> all;
      for (int i = 0; i < kept; ++i) all.push_back(x + i);
      auto n = jig::while_loop([](auto i) { return i < 3; }, [](auto i) { return i + 1; }, x);
      JIG_IF(n > 2) {
        n = n * 2;
      } JIG_ELSE {
        n = n - 1;
      }
      for (auto i : jig::range(x, 4, 2)) n = n + i;
      return n + 0 * all.back();
    });
    if (kept > 0) CHECK(jig::tensor<int>(f.eager(any_tensor(0)))() == 8);
  }
}

TEST_CASE("more ways than a trace follows, and recursion on values") {
  const auto collatz = jig::dynamic_function("collatz(n)", steps());
  CHECK(jig::tensor<int>(collatz.eager(any_tensor(27)))() == 111);
  CHECK_THROWS_AS((void)collatz(any_tensor(27)), jig::invalid_argument);
}

TEST_CASE("forms run one branch, every trip") {
  constexpr auto f = jig::function<"f(x, i)">([](auto x, auto i) {
    auto chosen = jig::switch_case(i, [&] { return x + 1; }, [&] { return x * 2; }, [&] { return -x; });
    auto [n, grown] =
        jig::while_loop([](auto k, auto) { return k < 3; }, [](auto k, auto v) { return std::tuple(k + 1, jig::concat<0>(v, v)); },
                        std::tuple(i - i, chosen), jig::shape_invariants<jig::spec<int>, jig::spec<float, jig::dyn>>());
    auto sums = jig::scan([](auto state, auto part) { return state + part; }, x, jig::reduce_sum(x) * 0);
    auto squares = jig::map([](auto part) { return part * part; }, x);
    return std::tuple(grown, sums, squares, n);
  });
  const auto [grown, sums, squares, n] = f.eager(numbers({1, 2}), any_tensor(1));
  CHECK(elements(grown) == std::vector<float>{2, 4, 2, 4, 2, 4, 2, 4, 2, 4, 2, 4, 2, 4, 2, 4});
  CHECK(elements(sums) == std::vector<float>{1, 3});
  CHECK(elements(squares) == std::vector<float>{1, 4});
  CHECK(jig::tensor<int>(n)() == 3);
  CHECK(elements(std::get<0>(f.eager(numbers({1}), any_tensor(7)))) == std::vector<float>(8, -1));
}

TEST_CASE("effects happen at once, each time, in the order of the program") {
  std::ostringstream out;
  jig::set_print_stream(out);
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    jig::print("before", x);
    auto y = jig::map(
        [](auto part) {
          jig::print("part", part);
          return part * 2;
        },
        x);
    jig::assert_that(jig::reduce_all(y < 6), "too large", y);
    jig::print("behind");
    return y;
  });
  CHECK(elements(f.eager(numbers({1, 2}))) == std::vector<float>{2, 4});
  CHECK(out.str() == "before [1 2]\npart 1\npart 2\nbehind\n");
  out.str("");
  CHECK_THROWS_AS((void)f.eager(numbers({3})), jig::invalid_argument);
  CHECK(out.str() == "before [3]\npart 3\n");
  jig::set_print_stream(std::cout);
}

TEST_CASE("what nobody uses runs too") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto unused = jig::gather(x, jig::tensor<int, 1>{1});
    return x;
  });
  CHECK(elements(f(numbers({7}))) == std::vector<float>{7});
  CHECK_THROWS_WITH_AS((void)f.eager(numbers({7})), doctest::Contains("Gather"), jig::invalid_argument);
}

TEST_CASE("variables have their values at the end, or keep those that they had") {
  constexpr auto f = jig::function<"f(v, w, x)">([](auto& v, auto& w, auto x) {
    JIG_WHILE(v < 5) {
      v.assign_add(1);
      w.assign(w + v);
    }
    jig::assert_that(x > 0, "x is not positive");
    return v.read() * x;
  });
  jig::variable<float> v{3.f}, w{0.f};
  CHECK(elements(f.eager(v, w, any_tensor(2.f))) == std::vector<float>{10});
  CHECK(v.value()() == 5);
  CHECK(w.value()() == 9);
  v.assign(3);
  CHECK_THROWS_AS((void)f.eager(v, w, any_tensor(-1.f)), jig::invalid_argument);
  CHECK(v.value()() == 3);
  CHECK(w.value()() == 9);
  jig::variable<float, jig::dyn> any(jig::tensor<float, jig::dyn>{1, 2});
  constexpr auto doubled = jig::function<"doubled(v, x)">([](auto& to, auto x) {
    to.assign(jig::concat<0>(to, x));
    to.assign(jig::concat<0>(to, to) * 2);
  });
  doubled.eager(any, numbers({3}));
  CHECK(any.value().size() == 6);
  CHECK(any.value()(5) == 6);
  // One variable by two names.
  (void)f.eager(v, v, any_tensor(1.f));
  CHECK(v.value()() == 8);
}

TEST_CASE("gradients of what has run") {
  constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) {
    auto y = x;
    for (auto i : jig::range(n)) {
      if (jig::reduce_sum(y) < 100) y = y * x;
      (void)i;
    }
    auto first = jig::gradient(y, x);
    return std::tuple(first, jig::gradient(first, x));
  });
  // x^3: two trips multiply; 3 x^2 and 6 x.
  const auto [first, second] = f.eager(numbers({2, 3}), any_tensor(2));
  CHECK(elements(first) == std::vector<float>{12, 27});
  CHECK(elements(second) == std::vector<float>{12, 18});
  constexpr auto g = jig::function<"g(x)">([](auto x) {
    const auto own = jig::custom_gradient([](auto y) { return jig::exp(y); }, [](auto adjoint, auto) { return adjoint * 7; });
    return jig::gradient(own(x) * 2, x);
  });
  CHECK(elements(g.eager(numbers({0, 1}))) == std::vector<float>{14, 14});
  constexpr auto unconnected = jig::function<"h(x)">([](auto x) { return jig::gradient(jig::stop_gradient(x), x); });
  CHECK_THROWS_AS((void)unconnected.eager(numbers({1})), jig::invalid_argument);
}

TEST_CASE("extents that only values tell are known") {
  std::vector<jig::index> seen;
  const auto f = jig::dynamic_function("f(x)", [&](auto x) {
    auto kept = jig::boolean_mask(x, x > 0);
    seen.push_back(kept.extent(0));
    auto [different, where] = jig::unique(kept);
    seen.push_back(different.extent(0));
    return jig::reverse<0>(different);
  });
  CHECK(elements(f.eager(numbers({1, -1, 2, 1, 0}))) == std::vector<float>{2, 1});
  CHECK(seen == std::vector<jig::index>{3, 2});
}

TEST_CASE("a program sees the values: it may print them, or stop and look") {
  std::ostringstream out;
  float last = 0;
  const auto f = jig::dynamic_function("f(x)", [&](auto x) {
    auto y = x * 2;
    out << y;
    if (y.builder()->computed != nullptr) last = y.value().template as<float>()(1);
    return y;
  });
  (void)f.eager(numbers({1, 2}));
  CHECK(out.str() == "tf.Tensor([2. 4.], shape=(2,), dtype=float32)");
  CHECK(last == 4);
  out.str("");
  (void)f(numbers({1, 2}));
  CHECK(out.str() == "traced value float32 (2,)");
  CHECK_THROWS_AS((void)jig::dynamic_function([](auto x) {
                    (void)x.value();
                    return x;
                  })(numbers({1})),
                  jig::invalid_argument);
}

TEST_CASE("long runs forget what is dead and keep what is alive") {
  const auto f = jig::dynamic_function("f(x, n)", [](auto x, auto n) {
    auto early = x * 3;
    auto sum = x;
    for (auto i : jig::range(n)) sum = sum + jig::cast<float>(i) * early;
    return std::tuple(sum, early, x);
  });
  const auto [sum, early, x] = f.eager(numbers({1, 2}), any_tensor(1000));
  CHECK(elements(sum) == std::vector<float>{1 + 3 * 499500.f, 2 + 6 * 499500.f});
  CHECK(elements(early) == std::vector<float>{3, 6});
  CHECK(elements(x) == std::vector<float>{1, 2});
}

TEST_CASE("what is recorded and not computed yet keeps what it needs") {
  // Constants beside constants, assignments to a variable of any extent, and results that are literals.
  const auto f = jig::dynamic_function("f(v, x, n)", [](auto& v, auto x, auto n) {
    for (auto i : jig::range(n)) {
      x = jig::where(x > 2, jig::clip(x + 1.5, -1, 100) - 1, x + 1);
      v.assign(jig::concat<0>(jig::reverse<0>(v.read()), jig::expand_dims<0>(jig::cast<float>(i))));
      v.assign(jig::strided_slice<jig::range_of(1, jig::unbounded)>(v.read()));
    }
    return std::tuple(1, 2.5f, x, 3, jig::tensor<float, 2>{4, 5});
  });
  for (int n : {1, 20, 33, 64, 65, 66, 67, 70, 150}) {
    jig::variable<float, jig::dyn> v(jig::tensor<float, jig::dyn>{7, 8, 9});
    const auto [one, half, x, three, both] = f.eager(v, numbers({1, 2, 3}), any_tensor(n));
    std::vector<float> plain{1, 2, 3}, last{7, 8, 9};
    for (int i = 0; i < n; ++i) {
      for (float& e : plain) e = e > 2 ? std::min(e + 1.5f, 100.f) - 1 : e + 1;
      last = {last[1], last[0], static_cast<float>(i)};
    }
    CAPTURE(n);
    CHECK(elements(x) == plain);
    CHECK(jig::tensor<int>(one)() == 1);
    CHECK(jig::tensor<float>(half)() == 2.5f);
    CHECK(jig::tensor<int>(three)() == 3);
    CHECK(elements(both) == std::vector<float>{4, 5});
    CHECK(v.value().size() == 3);
    for (std::size_t k = 0; k < 3; ++k) CHECK(v.value()(static_cast<jig::index>(k)) == last[k]);
  }
}

TEST_CASE("structures, strings, literals and no result") {
  constexpr auto f = jig::function<"f(p, k)">(
      [](auto p, auto k) { return std::pair(std::get<1>(p) + std::get<1>(p), std::array{std::get<0>(p) * k, std::get<0>(p)}); });
  const auto [text, both] = f.eager(std::tuple(numbers({2}), any_tensor("hi")), jig::lit<3>);
  CHECK(jig::tensor<std::string>(text)() == "hihi");
  CHECK(elements(both[0]) == std::vector<float>{6});
  CHECK(elements(both[1]) == std::vector<float>{2});
  jig::variable<float> v{0.f};
  constexpr auto store = jig::function<"store(v, x)">([](auto& to, auto x) { to.assign(x); });
  store.eager(v, any_tensor(4.f));
  CHECK(v.value()() == 4);
  const jig::variable<float> constant{1.f};
  CHECK_THROWS_AS(store.eager(constant, any_tensor(4.f)), jig::invalid_argument);
}

TEST_CASE("a value must not outlive its run") {
  const auto keeps = [](std::vector<std::shared_ptr<void>>& into) {
    return jig::dynamic_function([&into](auto x) {
      into.push_back(std::make_shared<decltype(x)>(x));
      return x;
    });
  };
  std::vector<std::shared_ptr<void>> kept;
  CHECK_THROWS_AS((void)keeps(kept).eager(numbers({1})), jig::invalid_argument);
}
