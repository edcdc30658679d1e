// SPDX-License-Identifier: MIT
#include <jig/passes/superwords.hpp>

#include <jig.hpp>
#include <jig/gradient.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace {

// The passes at run time: it is the same graph, and compilers have less to do.
jig::graph lowered_graph(auto lambda, auto... key) {
  const jig::graph traced = jig::optimize(jig::graph_of(lambda, key...));
  return jig::lower(traced);
}
// Whether what was made of scalars is made of vectors.
bool is_packed(auto lambda, auto... key) {
  const jig::graph g = lowered_graph(lambda, key...);
  CHECK(jig::verify(g) == nullptr);
  return g.count("Pack") + g.count("PackElements") == 0;
}
bool is_one_loop(auto lambda, auto... key) {
  const jig::graph g = lowered_graph(lambda, key...);
  const auto plan = jig::make_plan(g, jig::detail::all_dense(g));
  return plan.steps.size() == 1 && plan.buffers.size() == 0 && plan.steps[0].kind == jig::step_kind::loop;
}

template <int N, class F>
constexpr auto stacked(F f) {
  return
      [&]<std::size_t... I>(std::index_sequence<I...>) { return jig::stack<0>(f(static_cast<int>(I))...); }(std::make_index_sequence<N>());
}
template <class A, class B>
constexpr auto polynomial(const A& a, const B& b) {
  return a * (b * a + 1) - b * b;
}

template <int N>
constexpr auto polynomials = [](const auto& x) { return stacked<N>([&](int i) { return polynomial(x[i], x[i + 1]); }); };
template <int N>
constexpr auto valley_gradient = [](const auto& x) {
  auto sum = 100 * jig::square(x[1] - x[0] * x[0]) + jig::square(1 - x[0]);
  for (int i = 1; i < N - 1; ++i) sum = sum + (100 * jig::square(x[i + 1] - x[i] * x[i]) + jig::square(1 - x[i]));
  return jig::gradient(sum, x);
};
constexpr auto valley_by_element = [](const auto& x) {
  auto sum = 100 * jig::square(jig::element(x, 1) - jig::element(x, 0) * jig::element(x, 0)) + jig::square(1 - jig::element(x, 0));
  for (int i = 1; i < 9; ++i)
    sum = sum + (100 * jig::square(jig::element(x, i + 1) - jig::element(x, i) * jig::element(x, i)) + jig::square(1 - jig::element(x, i)));
  return jig::gradient(sum, x);
};
constexpr auto backwards = [](const auto& x) { return stacked<8>([&](int i) { return polynomial(x[7 - i], x[i]); }); };
constexpr auto every_second = [](const auto& x) {
  return stacked<6>([&](int i) { return polynomial(polynomial(x[2 * i], x[2 * i + 1]), polynomial(x[2 * i + 1], x[2 * i])); });
};
constexpr auto repeated = [](const auto& x) { return stacked<8>([&](int i) { return polynomial(x[i], x[3]) * x[5]; }); };
constexpr auto rows_of_matrix = [](const auto& x) {
  return stacked<4>([&](int i) { return polynomial(polynomial(x(1, i), x(2, i)), x(0, i)); });
};
constexpr auto ends_differ = [](const auto& x) {
  return stacked<12>([&](int i) {
    if (i == 0) return x[1] - 2 * x[0] + 0.5;
    if (i == 11) return x[10] - 2 * x[11] - 0.25;
    return x[i - 1] - 2 * x[i] + x[i + 1] * (x[i] * x[i] - 1);
  });
};
constexpr auto two_kinds = [](const auto& x) {
  return stacked<16>(
      [&](int i) { return i < 9 ? polynomial(polynomial(x[i], x[i + 1]), x[i]) : jig::square(x[i]) / polynomial(x[i - 1], x[i]); });
};
constexpr auto shared_scalar = [](const auto& x) {
  auto s = x[0] * x[7] + x[3];
  return stacked<8>([&](int i) { return polynomial(x[i] - s, polynomial(x[i], s)); });
};
constexpr auto swapped = [](const auto& x) {
  return stacked<8>([&](int i) {
    return i % 3 == 1 ? x[i] * x[i + 1] * (x[i] * x[i] - 1) + (x[i + 1] - x[i]) : (x[i + 1] - x[i]) + (x[i] * x[i] - 1) * (x[i] * x[i + 1]);
  });
};
constexpr auto constants_differ = [](const auto& x) {
  return stacked<8>([&](int i) { return (x[i] * (i + 1) - i * i) * x[i] + (x[i] + (3 - i)); });
};
constexpr auto choices = [](const auto& x) {
  return stacked<8>([&](int i) { return jig::where(x[i] < x[i + 1], x[i] * x[i], x[i + 1] - polynomial(x[i], x[i + 1])); });
};
constexpr auto comparisons = [](const auto& x) {
  return stacked<12>([&](int i) { return polynomial(x[i], x[i + 1]) < polynomial(x[i + 1], x[i]); });
};
constexpr auto quotients = [](const auto& x) { return stacked<8>([&](int i) { return (x[i] / x[i + 1] + 3) * x[i] - x[i + 1] * x[i]; }); };
constexpr auto needed_elsewhere = [](const auto& x) {
  auto p = polynomials<8>(x);
  return std::tuple(p, polynomial(x[3], x[4]) * 2);
};
constexpr auto unlike = [](const auto& x) {
  return jig::stack<0>(x[0] * x[1] - x[2], x[3] / x[0], jig::sin(x[1]) + x[2] * x[2], x[2] - x[3] * x[1] + x[0], x[0] + x[1]);
};
constexpr auto scattered = [](const auto& x) { return stacked<8>([&](int i) { return polynomial(x[i * i % 7], x[(i * 5 + 2) % 8]); }); };
constexpr auto inside_matrix = [](const auto& x) {
  auto row = [&](int i) { return jig::stack<0>(polynomial(x(i, 0), x(i, 1)), polynomial(x(i, 1), x(i, 2)), polynomial(x(i, 2), x(i, 3))); };
  return jig::stack<0>(row(0), row(1));
};
constexpr auto whole_matrix = [](const auto& x) {
  auto row = [&](int i) {
    return jig::stack<0>(polynomial(x(i, 0), x(i, 0)), polynomial(x(i, 1), x(i, 1)), polynomial(x(i, 2), x(i, 2)),
                         polynomial(x(i, 3), x(i, 3)));
  };
  return jig::stack<0>(row(0), row(1));
};

using ten = jig::spec<double, 10>;
using sixteen = jig::spec<double, 16>;

}  // namespace

TEST_CASE("equal scalars become vectors where that is less work") {
  // The gradient is one loop in every spelling.
  CHECK((is_packed(valley_gradient<10>, ten()) && is_one_loop(valley_gradient<10>, ten())));
  CHECK((is_packed(valley_by_element, ten()) && is_one_loop(valley_by_element, ten())));
  CHECK(is_packed(valley_gradient<10>, jig::spec<float, 10>()));
  CHECK(is_packed(valley_gradient<20>, jig::spec<double, 20>()));
  // As many lanes as it takes, and one less.
  CHECK(is_packed(polynomials<4>, ten()));
  CHECK(!is_packed(polynomials<3>, ten()));
  // What is saved has to be worth a loop: four products are not, twelve are.
  CHECK(!is_packed([](const auto& x) { return stacked<4>([&](int i) { return x[i] * x[i + 4]; }); }, ten()));
  CHECK(is_packed([](const auto& x) { return stacked<12>([&](int i) { return x[i] * x[i + 4]; }); }, sixteen()));
  CHECK(is_packed(repeated, sixteen()));
  CHECK(is_packed(rows_of_matrix, jig::spec<double, 3, 4>()));
  CHECK(is_packed(whole_matrix, jig::spec<double, 2, 4>()));
  CHECK(is_packed(two_kinds, sixteen()));
  CHECK(is_packed(shared_scalar, sixteen()));
  CHECK(is_packed(swapped, sixteen()));
  CHECK(is_packed(constants_differ, sixteen()));
  CHECK(is_packed(choices, sixteen()));
  CHECK(is_packed(comparisons, sixteen()));
  CHECK(is_packed(needed_elsewhere, sixteen()));
  // A graph that is too large to look at.
  CHECK(is_packed(polynomials<40>, jig::spec<double, 81>()));
  CHECK(!is_packed(polynomials<80>, jig::spec<double, 81>()));
  // Integer division throws, and stays where it is.
  CHECK(is_packed(quotients, sixteen()));
  CHECK(!is_packed(quotients, jig::spec<int, 16>()));
  CHECK(is_packed(polynomials<8>, jig::spec<int, 16>()));
  // Nothing in common; elements with gaps, backwards or without an order; parts of rows of a matrix.
  CHECK(!is_packed(unlike, ten()));
  CHECK(!is_packed(every_second, sixteen()));
  CHECK(!is_packed(backwards, sixteen()));
  CHECK(!is_packed(scattered, ten()));
  CHECK(!is_packed(inside_matrix, jig::spec<double, 2, 4>()));
  // The square root of a float is exact, that of a register of them need not be.
  constexpr auto roots = [](const auto& x) { return stacked<8>([&](int i) { return jig::sqrt(x[i]) * x[i + 1] + x[i] * x[i]; }); };
  CHECK(!is_packed(roots, jig::spec<float, 16>()));
  CHECK(is_packed(roots, sixteen()));
  // Values that are needed as scalars too stay so.
  CHECK(!is_packed(
      [](const auto& x) {
        auto f = [&](int i) { return polynomial(x[i], x[i + 1]); };
        auto s = f(0);
        for (int i = 1; i < 8; ++i) s = s * f(i);
        return std::tuple(stacked<8>(f), s);
      },
      ten()));
  // Of storage dtypes every op is rounded.
  CHECK(!is_packed(polynomials<8>, jig::spec<jig::half, 16>()));
  // A graph without scalars is not looked at.
  CHECK(!jig::detail::may_have_superwords(jig::graph_of([](const auto& x) { return jig::stack<0>(x, x * 2, x, x); }, ten())));
  // Arguments that are not dense are read element by element.
  const jig::graph traced = jig::optimize(jig::graph_of(polynomials<8>, ten()));
  jig::list<char> strided;
  strided.push_back(0);
  CHECK(jig::detail::lowered(traced, strided).count("Pack") == 1);
}

namespace {

template <class T>
jig::tensor<T, 16> numbers(unsigned seed) {
  std::mt19937 random(seed);
  jig::tensor<T, 16> x;
  for (int i = 0; i < 16; ++i) x(i) = static_cast<T>(static_cast<int>(random() % 64) - 32) / T(8);
  if constexpr (std::is_floating_point_v<T>) {
    const T special[] = {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(), T(-0.0), T(0.0)};
    if (seed % 3 == 1) x(static_cast<int>(random() % 16)) = special[random() % 4];
    if (seed % 3 == 2)
      for (int i = 0; i < 16; ++i) x(i) = special[2 + random() % 2];
  }
  return x;
}
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

// All numbers are multiples of small powers of two: what products round to does not depend on whether they are joined with sums.
template <class Reference>
void check(const auto& f, int count, Reference expected) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const auto x = numbers<double>(seed);
    const auto y = f(x);
    for (int i = 0; i < count; ++i) {
      CAPTURE(seed);
      CAPTURE(i);
      const auto wanted = expected([&](int k) { return x(k); }, i);
      CHECK_MESSAGE(same(y.data()[i], wanted), y.data()[i], " ", wanted);
    }
  }
}

}  // namespace

TEST_CASE("vectors compute what loops over their elements compute, NaN and -0 too") {
  check(jig::function<"f(x)">(polynomials<8>), 8, [](auto x, int i) { return polynomial(x(i), x(i + 1)); });
  check(jig::function<"f(x)">(polynomials<15>), 15, [](auto x, int i) { return polynomial(x(i), x(i + 1)); });
  check(jig::function<"f(x)">(backwards), 8, [](auto x, int i) { return polynomial(x(7 - i), x(i)); });
  check(jig::function<"f(x)">(repeated), 8, [](auto x, int i) { return polynomial(x(i), x(3)) * x(5); });
  check(jig::function<"f(x)">(swapped), 8, [](auto x, int i) { return (x(i + 1) - x(i)) + (x(i) * x(i) - 1) * (x(i) * x(i + 1)); });
  check(jig::function<"f(x)">(constants_differ), 8, [](auto x, int i) { return (x(i) * (i + 1) - i * i) * x(i) + (x(i) + (3 - i)); });
  check(jig::function<"f(x)">(choices), 8,
        [](auto x, int i) { return x(i) < x(i + 1) ? x(i) * x(i) : x(i + 1) - polynomial(x(i), x(i + 1)); });
  check(jig::function<"f(x)">(comparisons), 12, [](auto x, int i) { return polynomial(x(i), x(i + 1)) < polynomial(x(i + 1), x(i)); });
  check(jig::function<"f(x)">(shared_scalar), 8, [](auto x, int i) {
    const double s = x(0) * x(7) + x(3);
    return polynomial(x(i) - s, polynomial(x(i), s));
  });
  check(jig::function<"f(x)">(ends_differ), 12, [](auto x, int i) {
    if (i == 0) return x(1) - 2 * x(0) + 0.5;
    if (i == 11) return x(10) - 2 * x(11) - 0.25;
    return x(i - 1) - 2 * x(i) + x(i + 1) * (x(i) * x(i) - 1);
  });
}

TEST_CASE("vectors of scalars are as exact as scalars") {
  constexpr auto f = jig::function<"f(x)">(two_kinds);
  constexpr auto q = jig::function<"q(x)">(quotients);
  constexpr auto e = jig::function<"e(x)">(every_second);
  constexpr auto m = jig::function<"m(x)">(rows_of_matrix);
  for (unsigned seed = 0; seed < 60; seed += 3) {
    const auto x = numbers<double>(seed);
    const auto y = f(x);
    const auto z = q(x);
    const auto w = e(x);
    for (int i = 0; i < 16; ++i) {
      const double a = x(i), b = i < 9 ? x(i + 1) : x(i - 1);
      const double wanted = i < 9 ? polynomial(polynomial(a, b), a) : a * a / polynomial(b, a);
      CHECK((same(y(i), wanted) || std::abs(y(i) - wanted) <= 1e-14 * (1 + std::abs(wanted))));
    }
    for (int i = 0; i < 8; ++i) {
      const double wanted = (x(i) / x(i + 1) + 3) * x(i) - x(i + 1) * x(i);
      CHECK((same(z(i), wanted) || std::abs(z(i) - wanted) <= 1e-13 * (1 + std::abs(wanted))));
    }
    for (int i = 0; i < 6; ++i) {
      const double a = x(2 * i), b = x(2 * i + 1), wanted = polynomial(polynomial(a, b), polynomial(b, a));
      CHECK(std::abs(w(i) - wanted) <= 1e-12 * (1 + std::abs(wanted)));
    }
    jig::tensor<double, 3, 4> a;
    std::copy_n(x.data(), 12, a.data());
    const auto v = m(a);
    for (int i = 0; i < 4; ++i) CHECK(v(i) == doctest::Approx(polynomial(polynomial(a(1, i), a(2, i)), a(0, i))));
  }
}

TEST_CASE("integers wrap around in lanes, and division by zero throws wherever it is") {
  constexpr auto f = jig::function<"f(x)">(polynomials<8>);
  constexpr auto q = jig::function<"q(x)">(quotients);
  jig::tensor<int, 16> x;
  for (int i = 0; i < 16; ++i) x(i) = i % 2 ? std::numeric_limits<int>::max() - i : i * 77777 + 1;
  const auto y = f(x);
  for (int i = 0; i < 8; ++i) {
    const auto a = static_cast<unsigned>(x(i)), b = static_cast<unsigned>(x(i + 1));
    CHECK(y(i) == static_cast<int>(a * (b * a + 1) - b * b));
  }
  CHECK_NOTHROW(q(x));
  for (int k : {1, 4, 8}) {
    auto z = x;
    z(k) = 0;
    CHECK_THROWS_AS(q(z), jig::invalid_argument);
  }
  x(9) = 0;
  CHECK_NOTHROW(q(x));
}

TEST_CASE("vectors of scalars may lie over what they are computed from, and in views with gaps") {
  constexpr auto g = jig::function<"g(x)">(valley_gradient<10>);
  std::vector<double> wide(20), apart(30, 7.0), expected(10);
  jig::tensor<double, 10> x;
  for (std::size_t i = 0; i < 10; ++i) wide[2 * i] = x.data()[i] = 0.25 * static_cast<double>((i * 7) % 10) - 1;
  for (std::size_t i = 0; i < 9; ++i) {
    const double a = x.data()[i], t = x.data()[i + 1] - a * a;
    expected[i] += -400 * a * t - 2 * (1 - a);
    expected[i + 1] += 200 * t;
  }
  const jig::shape extents{1, {10}};
  jig::view<double, 10> out(apart.data(), extents, jig::shape{1, {3}});
  g.into(out, jig::view<const double, 10>(wide.data(), extents, jig::shape{1, {2}}));
  g.into(x, x);
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(x.data()[i] == doctest::Approx(expected[i]));
    CHECK(apart[3 * i] == doctest::Approx(expected[i]));
  }
  CHECK(apart[1] == 7);

  constexpr auto f = jig::function<"f(x)">(polynomials<8>);
  double shared[24];
  const auto from = numbers<double>(0);
  const jig::shape one{1, {1}};
  for (int place : {0, 1, 4, 8}) {
    std::copy_n(from.data(), 16, shared);
    jig::view<double, 8> out8(shared + place, jig::shape{1, {8}}, one);
    f.into(out8, jig::view<const double, 16>(shared, jig::shape{1, {16}}, one));
    for (int i = 0; i < 8; ++i) CHECK(shared[place + i] == polynomial(from(i), from(i + 1)));
  }
}

TEST_CASE("gradients of any length, and their gradients") {
  const auto run = []<int N>(std::integral_constant<int, N>) {
    constexpr auto g = jig::function<"g(x)">(valley_gradient<N>);
    constexpr auto second =
        jig::function<"h(x)">([](const auto& x) { return jig::gradient(jig::reduce_sum(valley_gradient<N>(x) * x), x); });
    jig::tensor<double, N> x;
    for (int i = 0; i < N; ++i) x(i) = 0.125 * ((i * 5) % 11) - 0.5;
    std::vector<double> expected(static_cast<std::size_t>(N)), again(static_cast<std::size_t>(N));
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(N); ++i) {
      const double a = x.data()[i], b = x.data()[i + 1];
      expected[i] += -400 * a * (b - a * a) - 2 * (1 - a);
      expected[i + 1] += 200 * (b - a * a);
      // The Hessian times x, and the gradient itself.
      again[i] += (1200 * a * a - 400 * b + 2) * a - 400 * a * b;
      again[i + 1] += 200 * b - 400 * a * a;
    }
    const auto y = g(x), z = second(x);
    for (std::size_t i = 0; i < static_cast<std::size_t>(N); ++i) {
      CHECK(y.data()[i] == doctest::Approx(expected[i]).epsilon(1e-11));
      CHECK(z.data()[i] == doctest::Approx(expected[i] + again[i]).epsilon(1e-11));
    }
  };
  run(std::integral_constant<int, 4>());
  run(std::integral_constant<int, 9>());
}

TEST_CASE("scalars that stay scalars stand beside the vectors of them") {
  constexpr auto f = jig::function<"f(x)">(needed_elsewhere);
  const auto x = numbers<double>(0);
  const auto [p, s] = f(x);
  for (int i = 0; i < 8; ++i) CHECK(p(i) == polynomial(x(i), x(i + 1)));
  CHECK(static_cast<double>(s) == 2 * polynomial(x(3), x(4)));
}

namespace {

// Random expressions of elements, almost the same in all lanes.
struct generator {
  std::uint32_t state;
  constexpr unsigned operator()(unsigned n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % n;
  }
};
template <unsigned Seed>
struct random_lanes {
  static constexpr int lanes = 4 + static_cast<int>(Seed % 9);
  template <class X, class C>
  static constexpr auto expression(const X& x, C number, int lane, generator shape, generator odd, int depth) {
    auto value = x[static_cast<int>(shape(4)) + lane];
    const int step = shape(6) == 0 ? -1 : shape(6) == 1 ? 0 : 1;
    const bool differs = odd(24) == 0;
    for (int k = 0; k < depth; ++k) {
      unsigned kind = shape(8);
      const int begin = static_cast<int>(shape(3)) + (step < 0 ? 12 : 0);
      const auto other = x[(begin + step * lane + 16) % 16];
      const unsigned uniform = shape(5), own = odd(40);
      if (differs && own == 0) kind = (kind + 1) % 8;
      if (own == 1) continue;
      const bool crossed = odd(6) == 0;
      const auto c = number(uniform == 0 ? lane + 1 : static_cast<int>(uniform));
      if (kind == 0) value = crossed ? other + value : value + other;
      else if (kind == 1) value = value - other;
      else if (kind == 2) value = crossed ? other * c : c * other;
      else if (kind == 3) value = value + c;
      else if (kind == 4) value = jig::maximum(value, other);
      else if (kind == 5) value = -value + other * other;
      else if (kind == 6) value = crossed ? c - value : value - c;
      else value = jig::where(value < other, value + c, other);
    }
    return value;
  }
  template <class X, class C>
  static constexpr auto lane(const X& x, C number, int k) {
    return expression(x, number, k, generator{Seed}, generator{Seed * 31u + static_cast<unsigned>(k)}, 7);
  }
};
template <unsigned Seed>
constexpr auto random_program = [](const auto& x) {
  const auto number = [](int k) { return k; };
  return stacked<random_lanes<Seed>::lanes>([&](int k) { return random_lanes<Seed>::lane(x, number, k); });
};

// The same on numbers.
template <class T>
struct row {
  const T* data;
  T operator[](int i) const { return data[i]; }
};

template <class T, unsigned Seed>
int check_random() {
  constexpr auto f = jig::function<"f(x)">(random_program<Seed>);
  for (unsigned seed = 0; seed < 24; ++seed) {
    const auto x = numbers<T>(seed);
    const auto y = f(x);
    for (int k = 0; k < random_lanes<Seed>::lanes; ++k) {
      // Eager: each op is computed by itself.
      const auto wanted = random_lanes<Seed>::lane(row<T>{x.data()}, [](int c) { return static_cast<T>(c); }, k);
      CAPTURE(Seed);
      CAPTURE(seed);
      CAPTURE(k);
      CHECK_MESSAGE(same(y(k), static_cast<T>(wanted)), y(k), " ", wanted);
    }
  }
  return is_packed(random_program<Seed>, jig::spec<T, 16>());
}

}  // namespace

TEST_CASE("random programs of scalars") {
  const auto run = []<unsigned... Seed>(std::integer_sequence<unsigned, Seed...>) {
    return (check_random<double, Seed>() + ...) + (check_random<int, Seed + 100>() + ...);
  };
  const int packed = run(std::make_integer_sequence<unsigned, 5>());
  CHECK(packed > 2);
  CHECK(packed < 10);
}
