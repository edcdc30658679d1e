// SPDX-License-Identifier: MIT
// The programs of TensorFlow's graph guides that keep state, and those in which it is easily lost there.
#include <doctest/doctest.h>

#include "../printed.hpp"

#include <jig.hpp>
#include <jig/data.hpp>

#include <boost/hana.hpp>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr auto count_up = jig::function<"count_up(count)">([](auto& count) {
  count.assign_add(1);
  return count.read();
});

constexpr auto add = jig::function<"variable_add(foo)">([](auto& foo) { return 1 + foo.read(); });

struct simple_model {
  BOOST_HANA_DEFINE_STRUCT(simple_model, (jig::variable<float>, bias), (jig::variable<float>, weight));
};
constexpr auto evaluate = jig::function<"evaluate(model, x)">([](auto& model, auto x) { return model.weight * x + model.bias; });

// A variable is made once, with the object that has it.
struct counter {
  BOOST_HANA_DEFINE_STRUCT(counter, (jig::variable<int>, count));
  constexpr auto operator()() { return count_up(count); }
};
constexpr auto call_counter = jig::function<"call(counter)">([](auto& c) { return c(); });

constexpr auto consume = jig::function<"consume(value)">([](auto value) { jig::print("Value:", value); });

constexpr auto train_both = jig::function<"train_both(first, second, x, y)">([](auto& first, auto& second, auto x, auto y) {
  const auto loss_of = [&](const auto& m) { return jig::reduce_sum(jig::square(m.weight * x + m.bias - y)); };
  auto loss = loss_of(first) + loss_of(second);
  auto [g, h] = jig::gradient(loss, first.weight, second.weight);
  first.weight.assign_sub(0.125f * g);
  second.weight.assign_sub(0.25f * h);
  return loss;
});

}  // namespace

TEST_CASE("globals: a variable is read in every call") {
  jig::variable<int> foo{1};
  CHECK(add(foo)() == 2);
  foo.assign(100);
  CHECK(add(foo)() == 101);
}

TEST_CASE("objects: a changed attribute is seen, and one trace serves all instances") {
  simple_model model;
  model.weight.assign(2.0f);
  CHECK(evaluate(model, 10.0f)() == 20);
  model.bias.assign_add(5.0f);
  CHECK(evaluate(model, 10.0f)() == 25);
  simple_model other;
  CHECK(evaluate(other, 10.0f)() == 0);
  CHECK(evaluate.experimental_get_tracing_count() == 1);
}

TEST_CASE("init-scope: what a call does is done again, what is done before it once") {
  // The counter changes in the function: 1, 2, 3.
  jig::variable<int> count{0};
  for (int k = 1; k <= 3; ++k) CHECK(count_up(count)() == k);
  // It has changed before, as what TensorFlow lifts out of the trace has: 1, 1, 1.
  jig::variable<int> lifted{0};
  lifted.assign_add(1);
  constexpr auto look = jig::function<"look(count)">([](auto& c) { return c.read(); });
  for (int k = 1; k <= 3; ++k) CHECK(look(lifted)() == 1);
}

TEST_CASE("singleton: a variable that is made once counts on") {
  // tests/fail/trace/variable_created.cpp: one that is made in every call does not compile.
  counter c, d;
  CHECK(call_counter(c)() == 1);
  CHECK(call_counter(c)() == 2);
  CHECK(call_counter(d)() == 1);
  CHECK(call_counter.experimental_get_tracing_count() == 1);
}

TEST_CASE("iterators: one that a program steps gives 1, 2, 3") {
  const std::vector<int> numbers{1, 2, 3};
  const auto dataset = jig::data::from_tensor_slices(numbers);
  CHECK(printed([&] {
          auto it = dataset.begin();
          for (int k = 0; k < 3; ++k, ++it) consume(*it);
          CHECK(it == dataset.end());
        }) == "Value: 1\nValue: 2\nValue: 3\n");
  // A loop in the graph does the same, whatever the number of elements: one node.
  constexpr auto consume_all = jig::function<"consume_all(dataset)">([](auto values) {
    for (auto value : values) jig::print("Value:", value);
  });
  CHECK(printed([&] { consume_all(dataset); }) == "Value: 1\nValue: 2\nValue: 3\n");
  CHECK(consume_all.experimental_get_tracing_count() == 1);
}

TEST_CASE("models: two models in one function train") {
  simple_model first, second;
  second.weight.assign(1.0f);
  const jig::tensor<float, 1> x{1}, y{2};
  // Their losses are 4 and 1, their gradients -4 and -2.
  CHECK(train_both(first, second, x, y)() == 5);
  CHECK(first.weight.value()() == 0.5f);
  CHECK(second.weight.value()() == 1.5f);
  CHECK(train_both(first, second, x, y)() == 2.25f + 0.25f);
  const auto& names = jig::variables(first);
  CHECK(std::string(names[0].name()) == "bias");
  CHECK(std::string(names[1].name()) == "weight");
}

TEST_CASE("training-flag: dropout is in one of two graphs, and its gradient drops what it drops") {
  constexpr auto dropped = jig::function<"dropped(x, seed, training)">([](auto x, auto seed, auto training) {
    auto y = x;
    if constexpr (training) y = jig::dropout<0.5>(x, seed);
    return std::tuple(y, jig::gradient(jig::reduce_sum(y), x));
  });
  constexpr const auto& on = dropped.get_concrete_function(jig::spec<float, 64>(), jig::spec<int>(), jig::lit<true>).graph();
  constexpr const auto& off = dropped.get_concrete_function(jig::spec<float, 64>(), jig::spec<int>(), jig::lit<false>).graph();
  static_assert(on.count("StatelessRandomUniformV2") == 1 && off.count("StatelessRandomUniformV2") == 0);
  const auto [y, g] = dropped(jig::ones<float, 64>(), 7, jig::lit<true>);
  int kept = 0;
  for (jig::index i = 0; i < 64; ++i) {
    CHECK((y(i) == 0 || y(i) == 2));
    CHECK(g(i) == y(i));
    kept += y(i) != 0;
  }
  CHECK(kept > 16);
  CHECK(kept < 48);
  const auto [same, ones] = dropped(jig::ones<float, 64>(), 7, jig::lit<false>);
  CHECK(same(63) == 1);
  CHECK(ones(63) == 1);
}
