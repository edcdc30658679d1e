// SPDX-License-Identifier: MIT
// The interpreter against the static evaluator, which has tests of its own, and against numbers.
#include <jig.hpp>
#include <jig/eval/parallel_runner.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using jig::any_tensor;
using jig::dyn;

template <class T>
bool close(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return std::abs(a - b) <= 1e-5 * (1 + std::abs(b));
  } else {
    return a == b;
  }
}

// The same lambda through both evaluators; fused loops may round otherwise.
template <class F, class... X>
void same_as_static(F f, const X&... x) {
  const auto expected = jig::function<>(f)(x...);
  const any_tensor found = jig::dynamic_function(f)(any_tensor(x)...);
  using T = typename std::remove_cvref_t<decltype(expected)>::value_type;
  REQUIRE(found.dtype() == jig::dtype_of<T>);
  REQUIRE(found.shape() == expected.shape());
  const auto view = found.template as<T>();
  std::size_t i = 0;
  for (const T& value : view) {
    CHECK(close(value, expected.data()[i]));
    ++i;
  }
}

// The function runs with run-time tensors only.
template <class F, class... X>
any_tensor interpreted(F f, const X&... x) {
  return jig::dynamic_function(f)(any_tensor(x)...);
}

template <jig::index... E>
jig::tensor<float, E...> ramp(float step = 0.25f) {
  auto out = jig::zeros<float, E...>();
  for (jig::index i = 0; i < out.size(); ++i) out.data()[i] = step * static_cast<float>(i) - 1;
  return out;
}

}  // namespace

TEST_CASE("fused loops: dense, broadcast, transposed and strided operands") {
  const auto x = ramp<5, 7>();
  const auto row = ramp<7>();
  const auto column = ramp<5, 1>();
  const auto other = ramp<7, 5>();
  const auto f = [](auto a, auto b, auto c, auto d) { return jig::where(a > 0, a * b + c, jig::transpose(d) * 2 - a); };
  same_as_static(f, x, row, column, other);
  const auto polynomial = [](auto a, auto b) { return (a + b) * (a - b) + a * 3; };
  CHECK(interpreted(polynomial, 2.5f, 1.5f).as<float>()() == 11.5f);
  const any_tensor none = interpreted(polynomial, jig::zeros<float, 0, 3>(), 1.0f);
  CHECK(none.shape() == jig::shape{2, {0, 3}});
  const auto large = ramp<3, 5000>(0.001f);
  const auto wide = ramp<5000>(0.002f);
  const any_tensor y = interpreted(polynomial, large, wide);
  const auto found = y.as<float>();
  bool same = true;
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index k = 0; k < 5000; ++k) same = same && close(found(i, k), polynomial(large(i, k), wide(k)));
  CHECK(same);
}

TEST_CASE("arguments that lie with strides") {
  const auto x = ramp<4, 6>();
  const jig::view<const float, 6, 4> turned(x.data(), jig::shape{2, {6, 4}}, jig::shape{2, {1, 6}});
  const any_tensor y = jig::dynamic_function([](auto a) { return a + a; })(any_tensor::viewing(turned));
  CHECK(y.as<float>()(5, 3) == 2 * x(3, 5));
  CHECK(y.as<float>()(1, 2) == 2 * x(2, 1));
}

TEST_CASE("reductions and products between loops") {
  const auto x = ramp<4, 6>();
  same_as_static([](auto a) { return jig::reduce_sum<1>(a * a, jig::keepdims) + jig::reduce_max<0>(a) - jig::reduce_mean(a); }, x);
  same_as_static([](auto a, auto b) { return jig::tanh(jig::matmul(a, b) + 1) - jig::matmul(b, b, jig::transpose_a)[0]; }, x, ramp<6, 3>());
  CHECK(interpreted([](auto a) { return jig::reduce_sum(a); }, jig::zeros<float, 0>()).as<float>()() == 0);
}

TEST_CASE("parts: rows and elements at positions of the call") {
  const auto x = ramp<4, 6>();
  const auto pick = [](auto a, auto i) { return a[i] * 2 + a[0]; };
  same_as_static(pick, x, 3);
  const auto dynamic = jig::dynamic_function(pick);
  CHECK_THROWS_WITH_AS(dynamic(any_tensor(x), any_tensor(4)),
                       doctest::Contains("GatherV2: index 4 is out of range for axis 0 with 4 elements"), jig::invalid_argument);
}

// What f makes of the part of x at i along an axis, as a static, a wildcard and an interpreted function: the elements of that part
// in the order that `place` tells, which gives for each of them its place in x.
template <class F, class Place, jig::index... E>
void same_part(F f, Place place, const jig::tensor<float, E...>& x, int i) {
  constexpr auto call = jig::function<>(F());
  jig::tensor<float, ((void)E, dyn)...> wild(jig::uninitialized, x.shape());
  std::copy(x.begin(), x.end(), wild.begin());
  const auto fixed = call(x, i);
  const auto varying = call(wild, i);
  const any_tensor found = interpreted(f, x, i);
  REQUIRE(found.shape() == fixed.shape());
  REQUIRE(varying.shape() == fixed.shape());
  const any_tensor dense(found.view());
  for (jig::index k = 0; k < fixed.size(); ++k) {
    const float expected = x.data()[place(k, i)];
    CHECK(fixed.data()[k] == expected);
    CHECK(varying.data()[k] == expected);
    CHECK(dense.as<float>().data()[k] == expected);
  }
}

TEST_CASE("parts along any axis that are seen with other axes") {
  using jig::index;
  const auto x = ramp<2, 4, 3>();
  const auto along_1 = [](index k, int i) { return k / 3 * 12 + i * 3 + k % 3; };
  const auto along_2 = [](index k, int i) { return k * 3 + i; };
  same_part([](auto t, auto i) { return jig::flatten(jig::gather<1>(t, i)); }, along_1, x, 3);
  same_part([](auto t, auto i) { return jig::reshape<3, 2>(jig::gather<1>(t, i)) * 1; }, along_1, x, 2);
  same_part([](auto t, auto i) { return jig::expand_dims<1>(jig::gather<-1>(t, i)); }, along_2, x, 1);
  same_part([](auto t, auto i) { return jig::squeeze<1>(jig::expand_dims<1>(jig::gather<2>(t, i))) * 1; }, along_2, x, 2);
  same_part([](auto t, auto i) { return jig::flatten(jig::gather<1>(t, i * 1)); }, along_1, x, 1);
  // A part of a part, and parts of views and of what a call computes.
  same_part([](auto t, auto i) { return jig::expand_dims<1>(jig::gather<1>(jig::gather<1>(t, i), i)); },
            [](index k, int i) { return k * 12 + i * 4; }, x, 2);
  same_part([](auto t, auto i) { return jig::flatten(jig::transpose(t)[i]); }, [](index k, int i) { return k % 2 * 12 + k / 2 * 3 + i; }, x,
            2);
  same_part([](auto t, auto i) { return jig::flatten(jig::gather<1>(t * 1, i)); }, along_1, x, 0);
  same_part([](auto t, auto i) { return jig::flatten(jig::transpose(jig::gather<1>(t, i))); },
            [](index k, int i) { return k % 2 * 12 + i * 3 + k / 2; }, x, 3);
  same_part([](auto t, auto i) { return jig::flatten(jig::reverse<0>(jig::gather<1>(t, i))); },
            [](index k, int i) { return (1 - k / 3) * 12 + i * 3 + k % 3; }, x, 1);
  same_part([](auto t, auto i) { return jig::flatten(std::get<1>(jig::split<2, 0>(jig::gather<1>(t, i)))); },
            [](index k, int i) { return 12 + i * 3 + k; }, x, 1);
  same_part([](auto t, auto i) { return jig::flatten(jig::broadcast_to<2, 2, 3>(jig::gather<1>(t, i))); },
            [&](index k, int i) { return along_1(k % 6, i); }, x, 2);
  same_part(
      [](auto t, auto i) {
        return jig::reshape<2, 1>(jig::diag_part(jig::gather<1>(jig::strided_slice<jig::all, jig::all, jig::range_of(0, 2)>(t), i)));
      },
      [](index k, int i) { return k * 12 + i * 3 + k; }, x, 2);
  // An axis of one part only.
  same_part([](auto t, auto i) { return jig::flatten(jig::gather<1>(t, i)); }, [](index k, int) { return k; }, ramp<2, 1, 3>(), 0);
}

TEST_CASE("parts that are reshaped: products, reductions, gradients, loops and strided arguments") {
  const auto x = ramp<2, 4, 3>();
  same_as_static([](auto t, auto i, auto q) { return jig::matmul(jig::reshape<1, 6>(jig::gather<1>(t, i)), q); }, x, 3, ramp<6, 2>());
  same_as_static([](auto t, auto i) { return jig::reduce_sum<0>(jig::flatten(jig::gather<1>(t, i))); }, x, 3);
  same_as_static([](auto t, auto i) { return jig::cumsum<0>(jig::flatten(jig::gather<1>(t, i))); }, x, 2);
  same_as_static([](auto t, auto i) { return jig::gradient(jig::reduce_sum(jig::square(jig::flatten(jig::gather<1>(t * 2, i)))), t); }, x,
                 1);
  same_as_static(
      [](auto t) {
        auto s = jig::zeros_like(jig::flatten(jig::reduce_sum<1>(t)));
        for (auto k : jig::range(4)) s = s + jig::flatten(jig::gather<1>(t, k));
        return s;
      },
      x);
  // The first axis of memory with strides is no dense part.
  constexpr auto first = jig::function([](auto t, auto i) { return jig::expand_dims<1>(t[i]) + 0; });
  const jig::view<const float, dyn, dyn> turned(x.data(), {3, 8}, {1, 3});
  const auto row = first(turned, 2);
  for (jig::index k = 0; k < 8; ++k) CHECK(row(k, 0) == x.data()[2 + 3 * k]);
}

TEST_CASE("branches: only the one that is taken runs, and may fail") {
  const auto f = [](auto x, auto y) {
    if (jig::reduce_sum(x) > 0) return x * y;
    return x - y;
  };
  same_as_static(f, ramp<6>(), ramp<6>());
  same_as_static(f, ramp<6>(-1), ramp<6>());
  const auto divide = jig::dynamic_function([](auto n, auto d) {
    if (d == 0) return n;
    return n / d;
  });
  CHECK(divide(any_tensor(7), any_tensor(0)).as<int>()() == 7);
  CHECK(divide(any_tensor(7), any_tensor(2)).as<int>()() == 3);
  const auto fails = jig::dynamic_function([](auto n, auto d) { return n / d; });
  CHECK_THROWS_WITH_AS(fails(any_tensor(7), any_tensor(0)), doctest::Contains("TruncateDiv: integer division by zero"),
                       jig::invalid_argument);
  CHECK(fails(any_tensor(7), any_tensor(7)).as<int>()() == 1);
}

TEST_CASE("loops: counted, conditional, without trips, nested, with break") {
  const auto fibonacci = [](auto n) {
    auto a = n * 0, b = a + 1;
    for (auto i : jig::range(n)) {
      auto next = a + b + i * 0;
      a = b;
      b = next;
    }
    return a;
  };
  CHECK(interpreted(fibonacci, 20).as<int>()() == 6765);
  const auto collatz = [](auto n) {
    auto steps = n * 0;
    JIG_WHILE(n != 1) {
      if (n % 2 == 0) n = n / 2;
      else n = 3 * n + 1;
      steps = steps + 1;
    }
    return steps;
  };
  CHECK(interpreted(collatz, 27).as<int>()() == 111);
  CHECK(interpreted(collatz, 1).as<int>()() == 0);
  const auto nested = [](auto x) {
    auto sum = jig::reduce_sum(x) * 0;
    for (auto i : jig::range(4)) {
      for (auto k : jig::range(i)) {
        if (k == 2) break;
        sum = sum + x[k];
      }
    }
    return sum;
  };
  CHECK(interpreted(nested, jig::tensor<int, 4>{1, 10, 100, 1000}).as<int>()() == 23);
  same_as_static(
      [](auto x, auto w) {
        auto state = x[0] * 0;
        for (auto row : jig::rows(x)) state = jig::tanh(jig::matmul(jig::expand_dims<0>(row + state), w)[0]);
        return state;
      },
      ramp<6, 3>(), ramp<3, 3>());
}

TEST_CASE("loops that only count do not ask whether to go on: up, down, by steps, to ends that they miss") {
  const auto x = ramp<3>();
  const auto check = [&](int first, int last, int step, bool reaches) {
    const auto f = [=](auto v) {
      return std::get<0>(jig::while_loop(
          [=](auto, auto i) {
            if (step > 0) return reaches ? i <= last : i < last;
            return reaches ? i >= last : i > last;
          },
          [=](auto y, auto i) { return std::tuple(y * 0.5f + jig::cast<float>(i), i + step); },
          std::tuple(v, jig::constant_like(jig::cast<int>(jig::reduce_sum(v)), first))));
    };
    float y[] = {x.data()[0], x.data()[1], x.data()[2]};
    const auto goes = [&](int i) { return step > 0 ? i < last + reaches : i > last - reaches; };
    for (int i = first; goes(i); i += step)
      for (float& e : y) e = e * 0.5f + static_cast<float>(i);
    const any_tensor found = interpreted(f, x);
    for (int k = 0; k < 3; ++k) CHECK(close(found.as<float, 3>()(k), y[k]));
  };
  for (const bool reaches : {false, true})
    for (const int last : {-3, 0, 1, 4, 9}) {
      check(0, last, 1, reaches);
      check(0, last, 2, reaches);
      check(5, last, -1, reaches);
      check(5, last, -3, reaches);
    }
}

TEST_CASE("transposes around elementwise values meet") {
  const auto x = ramp<6, 5, 4>();
  const auto bias = ramp<4>();
  const auto there_and_back = [](auto v, auto b) {
    auto turned = jig::transpose<0, 2, 1>(v);
    return jig::transpose<0, 2, 1>(jig::relu(turned + jig::expand_dims<1>(b)));
  };
  same_as_static(there_and_back, x, bias);
  same_as_static([](auto v) { return jig::transpose<1, 0, 2>(jig::exp(jig::transpose<1, 0, 2>(v)) * 2.0f) + v; }, x);
  same_as_static([](auto v) { return jig::transpose<2, 0, 1>(jig::tanh(v)) + 1.0f; }, x);
  const auto left = ramp<3, 8, 5>(0.02f);
  const auto right = ramp<3, 5, 7>(0.03f);
  same_as_static([](auto a, auto b) { return jig::transpose<1, 0, 2>(jig::matmul(a, b)); }, left, right);
  same_as_static([](auto a, auto b) { return jig::matmul(jig::transpose<0, 2, 1>(b), jig::transpose<0, 2, 1>(a)); }, left, right);
}

TEST_CASE("extents that only a run tells, and loops whose extents change, run node by node") {
  const any_tensor kept = interpreted([](auto x) { return jig::boolean_mask(x, x > 0) * 2; }, jig::tensor<int, 5>{3, -1, 0, 4, -5});
  REQUIRE(kept.shape() == jig::shape{1, {2}});
  CHECK(kept.as<int>()(0) == 6);
  CHECK(kept.as<int>()(1) == 8);
  CHECK(interpreted([](auto x) { return jig::reduce_sum(jig::boolean_mask(x, x > 100)); }, ramp<9>()).as<float>()() == 0);
}

TEST_CASE("strings") {
  const auto greet = jig::dynamic_function([](auto a, auto b) { return a + b; });
  const any_tensor y = greet(any_tensor(jig::tensor<std::string, 2>{"hello ", "good bye, "}), any_tensor("world"));
  CHECK(y.as<std::string>()(0) == "hello world");
  CHECK(y.as<std::string>()(1) == "good bye, world");
}

TEST_CASE("storage dtypes are computed in float and rounded") {
  same_as_static([](auto a, auto b) { return jig::cast<float>(a * b + a); }, jig::cast<jig::half>(ramp<17>()),
                 jig::cast<jig::half>(ramp<17>()));
}

TEST_CASE("gradients, through loops too") {
  const auto f = [](auto x, auto n) {
    auto y = x;
    for (auto i : jig::range(n)) y = jig::tanh(y) + x * jig::cast<float>(i);
    return jig::gradient(jig::reduce_sum(y), x);
  };
  same_as_static(f, ramp<5>(), 3);
  same_as_static(f, ramp<5>(), 0);
}

TEST_CASE("sums of more operands than there are kernels for") {
  const auto sum = jig::dynamic_function([](auto x) {
    return jig::add_n(x, x * 2, x * 3, x * 4, x * 5, x * 6, x * 7, x * 8, x * 9, x * 10, x * 11, x * 12, x * 13, x * 14, x * 15, x * 16,
                      x * 17);
  });
  CHECK(sum(any_tensor(jig::tensor<int, 2>{1, -2})).as<int>()(1) == -306);
}

namespace {

// The plan of the interpreter for arguments of these extents.
std::string plan_of_interpreter(auto f, const jig::shape& extents) {
  const auto traced = jig::graph_of(f, jig::spec<float, dyn, dyn>());
  const jig::graph ready = jig::detail::prepared(traced, jig::detail::all_dense(traced));
  const auto plan =
      jig::make_plan(ready, jig::detail::all_dense(traced), jig::stretch<jig::shape>(&extents, 1), jig::planned_for::interpreter);
  return jig::to_text(jig::view_of(ready, plan));
}
struct centred {
  constexpr auto operator()(auto x) const { return x * 2 - jig::reduce_max<1>(x * 2, jig::keepdims); }
};
struct layers {
  constexpr auto operator()(auto x) const { return jig::relu(jig::matmul(x, x) + 1); }
};

}  // namespace

TEST_CASE("the interpreter runs rows in chunks where they are more than one, and loops on the rectangles of products") {
  CHECK(plan_of_interpreter(centred(), {2, {128, 64}}).find("rows of") == std::string::npos);
  const std::string rows = plan_of_interpreter(centred(), {2, {129, 64}});
  CHECK(rows.find("rows of (129,), 128 at a time") != std::string::npos);
  CHECK(rows.find("[local]") != std::string::npos);
  CHECK(plan_of_interpreter(layers(), {2, {100, 100}}).find("epilogue of (100, 100)") != std::string::npos);
  CHECK(plan_of_interpreter(layers(), {2, {64, 64}}).find("epilogue") == std::string::npos);  // in the cache anyway
}

TEST_CASE("chunks of rows: one by one, with a rest, along the first of several axes") {
  const auto softmax = [](auto x) {
    auto e = jig::exp(x - jig::reduce_max<-1>(x, jig::keepdims));
    return e / jig::reduce_sum<-1>(e, jig::keepdims);
  };
  same_as_static(softmax, ramp<128, 64>(0.001f));
  same_as_static(softmax, ramp<129, 64>(0.001f));
  same_as_static(softmax, ramp<257, 64>(0.001f));
  same_as_static(softmax, ramp<3, 9000>(0.001f));
  same_as_static(softmax, ramp<5, 40, 300>(0.0001f));
  same_as_static(softmax, ramp<9000, 2>(0.001f));
  same_as_static([](auto x) { return jig::reduce_sum<1>(x * x) - jig::reduce_max<1>(x); }, ramp<300, 64>(0.001f));
  // Operands that are the same for all rows, that have a value for each, and that lie in another order.
  const auto mixed = [](auto x, auto row, auto column, auto turned) {
    auto y = x * row + jig::transpose(turned);
    auto sum = jig::reduce_sum<1>(y, jig::keepdims);
    return (y - sum) * column + jig::reduce_max<1>(y, jig::keepdims);
  };
  same_as_static(mixed, ramp<200, 64>(0.001f), ramp<64>(0.01f), ramp<200, 1>(0.01f), ramp<64, 200>(0.001f));
  same_as_static(mixed, ramp<300, 300>(0.0001f), ramp<300>(0.001f), ramp<300, 1>(0.001f), ramp<300, 300>(0.0001f));
  // More than one result, of which one is read by the others.
  const auto several = [](auto x) {
    auto most = jig::reduce_max<1>(x, jig::keepdims);
    auto y = x - most;
    return std::tuple(y, most, jig::reduce_sum<1>(y));
  };
  const auto x = ramp<500, 70>(0.001f);
  const auto [y, most, sums] = jig::function<>(several)(x);
  const std::vector<any_tensor> found = [&] {
    const auto [a, b, c] = jig::dynamic_function(several)(any_tensor(x));
    return std::vector<any_tensor>{a, b, c};
  }();
  int wrong = 0;
  for (jig::index i = 0; i < 500; ++i) {
    wrong += found[1].as<float>().data()[i] != most(i, 0) || !close(found[2].as<float>().data()[i], sums(i));
    for (jig::index j = 0; j < 70; ++j) wrong += found[0].as<float>().data()[i * 70 + j] != y(i, j);
  }
  CHECK(wrong == 0);
  CHECK(interpreted(softmax, jig::zeros<float, 0, 9000>()).shape() == jig::shape{2, {0, 9000}});
}

TEST_CASE("threads share the chunks of rows, with memory of their own") {
  static bool apart;
  static constexpr jig::detail::parallel_runner runner{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
    apart = apart || blocks > 1;
    for (jig::index b = blocks; b-- > 0;) run(work, b);
  }};
  jig::detail::current_parallel_runner = &runner;
  same_as_static(centred(), ramp<3000, 64>(0.001f));
  CHECK(apart);
  apart = false;
  same_as_static(centred(), ramp<1023, 64>(0.001f));
  jig::detail::current_parallel_runner = nullptr;
  CHECK(!apart);
}
