// SPDX-License-Identifier: MIT
#include <jig/runtime/dynamic_struct.hpp>

#include "../printed.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>

#include <cmath>
#include <thread>
#include <vector>

namespace {

using jig::any_tensor;
using jig::tensor;

struct affine {
  BOOST_HANA_DEFINE_STRUCT(affine, (jig::variable<float, 3, 2>, w), (jig::variable<float, 2>, b));
  constexpr auto operator()(const auto& x) const { return jig::matmul(x, w) + b; }
  // Of variables alone.
  constexpr auto penalty() const { return jig::reduce_sum(jig::square(w)) * 0.5f; }
};
struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (affine, first), (jig::variable<std::int64_t>, calls));
};
struct rates {
  BOOST_HANA_DEFINE_STRUCT(rates, (jig::variable<float>, rate), (jig::variable<float>, decay), (jig::variable<std::int64_t>, steps));
  constexpr auto now() const { return rate * jig::pow(decay, jig::cast<float>(steps)); }
};

affine some_affine() {
  affine a;
  a.w.assign(tensor<float, 3, 2>{{1, -2}, {0.5f, 3}, {-1, 0.25f}});
  a.b.assign(tensor<float, 2>{0.5f, -1});
  return a;
}
template <class T, class X>
std::vector<T> elements(const X& x) {
  return std::vector<T>(x.data(), x.data() + x.size());
}
template <class T>
std::vector<T> elements(const any_tensor& x) {
  const T* data = static_cast<const T*>(x.data());
  return std::vector<T>(data, data + x.shape().size());
}

constexpr auto apply = jig::function<"apply(model, x)">([](const auto& model, auto x) { return model(x); });

}  // namespace

TEST_CASE("a struct of variables is an argument beside run-time tensors: values, for every number of rows, and one trace for each shape") {
  const affine a = some_affine();
  for (const int rows : {1, 2, 5, 2}) {
    tensor<float, jig::dyn, 3> x(jig::uninitialized, {2, {rows, 3}});
    for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i % 7) - 2.5f;
    const auto y = tensor<float, jig::dyn, 2>(apply(a, any_tensor(x)));
    CHECK(y.extent(0) == rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < 2; ++j) {
        float sum = 0;
        for (int k = 0; k < 3; ++k) sum += x(i, k) * a.w.value()(k, j);
        CHECK(y(i, j) == doctest::Approx(sum + a.b.value()(j)));
      }
  }
  CHECK(apply.experimental_get_tracing_count() == 3);
  // Another object is no other signature, and its values are those of the call.
  affine other;
  CHECK(tensor<float, 1, 2>(apply(other, any_tensor(jig::ones<float, 1, 3>())))(0, 0) == 0);
  other.b.assign(tensor<float, 2>{7, 8});
  CHECK(tensor<float, 1, 2>(apply(other, any_tensor(jig::ones<float, 1, 3>())))(0, 1) == 8);
  CHECK(apply.experimental_get_tracing_count() == 3);
  const std::string printed = apply.pretty_printed_concrete_signatures();
  CHECK(printed.find("model: {'w': <1>, 'b': <2>}\n      <1>: float32 Variable, shape=(3, 2)\n") != std::string::npos);
}

TEST_CASE("gradients with respect to a struct of variables, and assignments to its variables") {
  static constexpr auto step = jig::function<"step(model, x)">([](auto& model, auto x) {
    auto loss = jig::reduce_sum(jig::square(model(x))) + model.penalty();
    auto g = jig::gradient(loss, model);
    model.w.assign_sub(g[BOOST_HANA_STRING("w")] * 0.125f);
    model.b.assign(model.b - 0.125f * g[BOOST_HANA_STRING("b")]);
    return loss;
  });
  affine a = some_affine();
  const tensor<float, 2, 3> x{{1, 0.5f, -0.25f}, {0.25f, -1, 0.5f}};
  for (int trip = 0; trip < 3; ++trip) {
    double loss = 0, gw[3][2] = {}, gb[2] = {};
    for (int j = 0; j < 2; ++j) {
      for (int i = 0; i < 2; ++i) {
        double y = a.b.value()(j);
        for (int k = 0; k < 3; ++k) y += x(i, k) * a.w.value()(k, j);
        loss += y * y;
        gb[j] += 2 * y;
        for (int k = 0; k < 3; ++k) gw[k][j] += 2 * y * x(i, k);
      }
      for (int k = 0; k < 3; ++k) {
        loss += 0.5 * a.w.value()(k, j) * a.w.value()(k, j);
        gw[k][j] += a.w.value()(k, j);
      }
    }
    const affine before = a;
    const any_tensor given = step(a, any_tensor(x));
    CHECK(given.as<float>()() == doctest::Approx(loss));
    for (int j = 0; j < 2; ++j) {
      CHECK(a.b.value()(j) == doctest::Approx(before.b.value()(j) - 0.125 * gb[j]));
      for (int k = 0; k < 3; ++k) CHECK(a.w.value()(k, j) == doctest::Approx(before.w.value()(k, j) - 0.125 * gw[k][j]));
    }
  }
  CHECK(step.experimental_get_tracing_count() == 1);
}

TEST_CASE("what is computed of variables alone is part of the trace: numbers of an optimizer, conditions and loops") {
  static constexpr auto scaled = jig::function<"scaled(n, x)">([](auto& n, auto x) {
    auto now = n.now();
    n.steps.assign_add(1);
    return x * now;
  });
  rates r;
  r.rate.assign(8.0f);
  r.decay.assign(0.5f);
  for (int i = 0; i < 4; ++i) CHECK(scaled(r, any_tensor(3.0f)).as<float>()() == doctest::Approx(24 * std::pow(0.5, i)));
  CHECK(r.steps.value()() == 4);
  CHECK(scaled.experimental_get_tracing_count() == 1);

  static constexpr auto looped = jig::function<"looped(n, x)">([](auto& n, auto x) {
    for (auto i : jig::range(n.steps)) {
      x += n.rate;
      if (jig::cast<float>(i) > n.decay) x *= 2.0f;
    }
    JIG_IF(n.rate > 7.0f) {
      x = x + 100.0f;
    } JIG_ELSE {
      x = x - 100.0f;
    }
    JIG_WHILE(n.rate > 1.0f) { n.rate *= 0.5f; }
    if (n.decay > 0.75f) x = -x;
    return x;
  });
  for (const float decay : {0.5f, 1.5f})
    for (const float rate : {2.0f, 8.0f})
      for (const int steps : {0, 1, 4}) {
        r.rate.assign(rate);
        r.decay.assign(decay);
        r.steps.assign(steps);
        float expected = 3;
        for (int i = 0; i < steps; ++i) {
          expected += rate;
          if (static_cast<float>(i) > decay) expected *= 2;
        }
        expected += rate > 7 ? 100.0f : -100.0f;
        if (decay > 0.75f) expected = -expected;
        CHECK(looped(r, any_tensor(3.0f)).as<float>()() == doctest::Approx(expected));
        CHECK(r.rate.value()() == 1);
      }
  CHECK(looped.experimental_get_tracing_count() == 1);
}

TEST_CASE("structs within structs and tuples, structs of constants and parts of their variables") {
  static constexpr auto f = jig::function<"f(models, x)">([](auto& models, auto x) {
    auto& [n, scale] = models;
    n.calls += 1;
    n.first.b[0] = x[1];               // dynamic into a part
    n.first.w[x.shape().rank] = 9.0f;  // a literal, at a number
    n.first.w(0, jig::cast<int>(x[0])) = n.first.b[1];
    auto copy = n.first.b;
    auto read = n.first.b.read();
    n.first.b.assign(n.first.b * 2.0f);
    return std::tuple(copy + read, scale * n.first.b, n.first.w[jig::cast<int>(x[0])]);
  });
  std::tuple<network, jig::variable<float>> models;
  auto& [n, scale] = models;
  n.first = some_affine();
  scale.assign(10.0f);
  const auto [sum, scaled, row] = f(models, any_tensor(tensor<float, 2>{1, 4}));
  CHECK(elements<float>(sum) == std::vector<float>{8, -2});
  CHECK(elements<float>(scaled) == std::vector<float>{80, -20});
  CHECK(elements<float>(row) == std::vector<float>{9, 9});
  CHECK(elements<float>(n.first.b.value()) == std::vector<float>{8, -2});
  CHECK(elements<float>(n.first.w.value()) == std::vector<float>{1, -1, 9, 9, -1, 0.25f});
  CHECK(n.calls.value()() == 1);
}

TEST_CASE("functions of functions, and the same struct passed twice") {
  static constexpr auto inner = jig::function<"inner(model)">([](auto& model) {
    model.b.assign_add(1.0f);
    return model.penalty();
  });
  static constexpr auto outer = jig::function<"outer(a, b, x)">([](auto& a, auto& b, auto x) {
    auto p = inner(a);
    b.b.assign_add(10.0f);
    return a(x) + p;
  });
  affine a = some_affine();
  const any_tensor x = tensor<float, 1, 3>{{2, 0, 0}};
  const auto y = elements<float>(outer(a, a, x));
  const float penalty = 0.5f * (1 + 4 + 0.25f + 9 + 1 + 0.0625f);
  CHECK(y[0] == doctest::Approx(2 + 0.5f + 11 + penalty));
  CHECK(y[1] == doctest::Approx(-4 - 1 + 11 + penalty));
  CHECK(elements<float>(a.b.value()) == std::vector<float>{11.5f, 10});
  affine other = some_affine();
  outer(a, other, x);
  CHECK(elements<float>(a.b.value()) == std::vector<float>{12.5f, 11});
  CHECK(elements<float>(other.b.value()) == std::vector<float>{10.5f, 9});
  CHECK(outer.experimental_get_tracing_count() == 2);
}

TEST_CASE("declared signatures take structs of variables and variables, with run-time tensors") {
  constexpr auto declared = apply.named<"declared(model, x)">().with_signature<jig::key_of<affine>, jig::spec<float, jig::dyn, 3>>();
  const affine a = some_affine();
  CHECK(elements<float>(declared(a, any_tensor(tensor<float, 1, 3>{{1, 0, 0}}))) == std::vector<float>{1.5f, -3});
  CHECK_THROWS_AS(declared(a, any_tensor(jig::ones<float, 1, 4>())), jig::invalid_argument);
  int runs = 0;
  const auto captured = jig::dynamic_function("captured(model, v, x)", [&](auto& model, auto& v, auto x) {
                          ++runs;
                          v.assign_add(jig::reduce_sum(x));
                          return model(x) * v;
                        }).with_signature<jig::key_of<affine>, jig::variable_spec<float>, jig::spec<float, jig::dyn, 3>>();
  jig::variable<float> v(1.0f);
  CHECK(elements<float>(captured(a, v, any_tensor(tensor<float, 1, 3>{{1, 0, 0}}))) == std::vector<float>{3, -6});
  CHECK(elements<float>(captured(a, v, any_tensor(tensor<float, 2, 3>{{1, 0, 0}, {0, 0, 0}}))) == std::vector<float>{4.5f, -9, 1.5f, -3});
  CHECK(runs == 1);
  CHECK(captured.experimental_get_tracing_count() == 1);
  CHECK_THROWS_AS(captured(a, v, any_tensor(1.0f)), jig::invalid_argument);
}

TEST_CASE("eager runs on run-time tensors take structs too") {
  affine a = some_affine();
  constexpr auto f = jig::function<"f(model, n, x)">([](auto& model, auto& n, auto x) {
    auto loss = jig::reduce_sum(model(x) * 2.0f) + model.penalty();
    for (auto i : jig::range(n.steps)) model.b.assign_add(jig::cast<float>(i) * n.rate);
    if (n.steps > 2) loss = -loss;
    return std::tuple(loss, jig::gradient(loss, model.w));
  });
  rates n;
  n.rate.assign(1.0f);
  n.steps.assign(3);
  const auto [loss, g] = f.eager(a, n, any_tensor(tensor<float, 1, 3>{{1, 2, 3}}));
  const float penalty = 0.5f * (1 + 4 + 0.25f + 9 + 1 + 0.0625f);
  CHECK(loss.as<float>()() == doctest::Approx(-(2 * (1 + 1 - 3 + 0.5f) + 2 * (-2 + 6 + 0.75f - 1) + penalty)));
  CHECK(elements<float>(a.b.value()) == std::vector<float>{3.5f, 2});
  const auto expected = elements<float>(some_affine().w.value());
  for (std::size_t k = 0; k < 6; ++k)
    CHECK(elements<float>(g)[k] == doctest::Approx(-(2.0f * static_cast<float>(k / 2 + 1) + expected[k])));
}

TEST_CASE("calls with one struct from several threads") {
  static constexpr auto f = jig::function<"f(model, x)">([](const auto& model, auto x) { return model(x) + model.penalty(); });
  const affine a = some_affine();
  const any_tensor x = tensor<float, 1, 3>{{1, 0, 0}};
  std::vector<float> results(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < results.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) results[t] = elements<float>(f(a, x))[0];
    });
  for (auto& t : threads) t.join();
  for (const float r : results) CHECK(r == doctest::Approx(1.5f + 0.5f * (1 + 4 + 0.25f + 9 + 1 + 0.0625f)));
  CHECK(f.experimental_get_tracing_count() == 1);
}

TEST_CASE("what is refused says why") {
  affine a = some_affine();
  const any_tensor x = jig::ones<float, 1, 3>();
  CHECK(complaint([&] {
          jig::dynamic_function([](auto& m, auto y) {
            m.b.assign(y);
            return y;
          })(a, x);
        }) == "assign: expected float32 (2,), given float32 (1, 3)");
  CHECK(complaint([&] {
          jig::dynamic_function([](auto m, auto y) {
            auto copy = m.b;
            copy.assign(y[0]);
            return y;
          })(a, any_tensor(jig::ones<float, 1, 2>()));
        }) == "an assignment to a copy of a variable is lost: take the variable by reference");
  CHECK(complaint([&] { jig::dynamic_function([](const auto& m, auto y) { return y * m.b.value()(0); })(a, x); }) ==
        "a traced value has no elements: what the lambda makes of it has to be computed with functions of jig");
  // What a lambda captures could change behind the trace.
  CHECK(complaint([&] { jig::dynamic_function([&](auto y) { return a(y); })(x); }) ==
        "a variable takes part in a trace that does not have it as an argument: pass it, or the struct that has it");
  CHECK(complaint([&] { jig::dynamic_function([&](const auto& m, auto y) { return y * jig::reduce_sum(m.b + a.b); })(a, x); }) ==
        "a variable takes part in a trace that does not have it as an argument: pass it, or the struct that has it");
  const affine constant = some_affine();
  CHECK(complaint([&] {
          jig::dynamic_function([](auto& m, auto y) {
            m.b.assign_add(1.0f);
            return y;
          })(constant, x);
        }) == "assign: the variable is constant");
  // A value read outside is a tensor.
  const auto read = a.b.read();
  CHECK(elements<float>(jig::dynamic_function([&](const auto& m, auto y) { return y * 0.0f + (m.b + read) + read; })(
            a, any_tensor(jig::ones<float, 2>()))) == std::vector<float>{1.5f, -3});
}

TEST_CASE("a copy of a struct that the lambda keeps outlives its trace, which is told") {
  affine a = some_affine();
  std::vector<affine> kept;
  CHECK(complaint([&] {
          jig::dynamic_function([&](auto& m, auto y) {
            kept.push_back(m);
            return y;
          })(a, any_tensor(1.0f));
        }) == "a traced value has been kept by the lambda: what it computes must be returned");
  CHECK(complaint([&] {
          jig::dynamic_function([&](auto& m, auto y) {
            kept.push_back(std::move(m));
            return y;
          })(a, any_tensor(1.0f));
        }) == "a traced value has been kept by the lambda: what it computes must be returned");
  // One of two names for the same variables.
  CHECK(complaint([&] {
          jig::dynamic_function([&](auto& m, auto& n, auto y) {
            kept.push_back(std::move(n));
            return y * m.b;
          })(a, a, any_tensor(1.0f));
        }) == "a traced value has been kept by the lambda: what it computes must be returned");
  // What was kept can be looked at: it names a value of a trace that is over.
  for (const affine& k : kept) CHECK(k.b.is_traced());
}

TEST_CASE("what the lambda moves out of a struct within its trace is its value, and goes back") {
  affine a = some_affine(), other = some_affine();
  const auto before = a.b.value();
  const auto f = jig::dynamic_function([](auto& m, auto y) {
    auto moved = std::move(m);
    m.b.assign(moved.b * 0.0f);
    auto again = std::move(moved);
    again.b.assign_add(y);
    m = std::move(again);
    return jig::reduce_sum(m.b) + 0.0f * y;
  });
  const any_tensor sum = f(a, any_tensor(2.0f));
  float expected = 0;
  for (jig::index i = 0; i < before.size(); ++i) {
    CHECK(a.b.value().data()[i] == before.data()[i] + 2);
    expected += before.data()[i] + 2;
  }
  CHECK(elements<float>(sum) == std::vector<float>{expected});

  const auto swap = jig::dynamic_function([](auto& m, auto& n, auto y) {
    std::swap(m, n);
    return y * (m.b - n.b);
  });
  CHECK(elements<float>(swap(a, other, any_tensor(1.0f))) == std::vector<float>{-2, -2});
  for (jig::index i = 0; i < before.size(); ++i) {
    CHECK(a.b.value().data()[i] == before.data()[i]);
    CHECK(other.b.value().data()[i] == before.data()[i] + 2);
  }
}

TEST_CASE("swapped variables of a run-time trace have each other's values") {
  jig::variable<float, 2> v{1, 2}, w{3, 4};
  const auto swap = [](auto& a, auto& b, auto y) {
    std::swap(a, b);
    return y + a - b;
  };
  const auto f = jig::dynamic_function(swap);
  for (int run = 1; run < 4; ++run) {
    const bool swapped = run % 2 == 1;
    if (run == 3) jig::run_functions_eagerly(true);
    CHECK(elements<float>(f(v, w, any_tensor(1.0f))) == std::vector<float>(2, swapped ? 3 : -1));
    jig::run_functions_eagerly(false);
    CHECK((v.value()(0) == (swapped ? 3 : 1) && w.value()(1) == (swapped ? 2 : 4)));
  }
}

TEST_CASE("a variable of a run-time trace that the lambda keeps is told") {
  jig::variable<float, 2> v{1, 2};
  std::vector<jig::dynamic_variable> kept;
  const auto keep = [&](auto& u, auto y) {
    kept.push_back(std::move(u));
    return y;
  };
  CHECK(complaint([&] { jig::dynamic_function(keep)(v, any_tensor(1.0f)); }) ==
        "a traced value has been kept by the lambda: what it computes must be returned");
}
