// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

constexpr auto dynamic_rnn = jig::function<"dynamic_rnn(input, state)">([](auto input, auto state) {
  auto steps = jig::transpose<1, 0, 2>(input);
  auto states = jig::tensor_array(jig::extent<0>(steps), state);
  for (auto i : jig::range(jig::extent<0>(steps))) {
    state = jig::gather(steps, i) + state;
    states = states.write(i, state);
  }
  return jig::transpose<1, 0, 2>(states.stack());
});

template <class Input, class State>
void check_running_sums(const Input& input, const State& state) {
  auto out = dynamic_rnn(input, state);
  REQUIRE(out.shape() == input.shape());
  for (jig::index b = 0; b < input.extent(0); ++b)
    for (jig::index f = 0; f < input.extent(2); ++f) {
      float s = state(b, f);
      for (jig::index t = 0; t < input.extent(1); ++t) CHECK(out(b, t, f) == (s += input(b, t, f)));
    }
}

}  // namespace

TEST_CASE("a dynamic RNN: [batch, time, features] to running sums over time") {
  jig::tensor<float, 2, 3, 4> in;
  for (jig::index i = 0; i < in.size(); ++i) in.data()[i] = static_cast<float>(i % 7);
  check_running_sums(in, jig::full<float, 2, 4>(0.5f));
  static_assert(std::is_same_v<decltype(dynamic_rnn(in, jig::tensor<float, 2, 4>())), jig::tensor<float, 2, 3, 4>>);
  static_assert(dynamic_rnn.get_concrete_function(in, jig::tensor<float, 2, 4>()).graph().count("While") == 1);
  for (jig::index time : {0, 1, 9}) {
    auto x = jig::full<float, jig::dyn, jig::dyn, 4>(2.0f, 5, time);
    check_running_sums(x, jig::zeros<float, jig::dyn, 4>(5));
  }
}

TEST_CASE("elements that are not written are zero, others can be read back") {
  static constexpr auto f = jig::function([](auto x) {
    auto a = jig::tensor_array(jig::lit<4>, x);
    a = a.write(2, x * 3);
    a = a.write(0, a.read(2) + 1);
    return a.stack();
  });
  auto y = f(jig::tensor<int, 2>{1, 10});
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 4, 2>>);
  const int expected[4][2] = {{4, 31}, {0, 0}, {3, 30}, {0, 0}};
  for (jig::index i = 0; i < 4; ++i)
    for (jig::index j = 0; j < 2; ++j) CHECK(y(i, j) == expected[i][j]);
}

TEST_CASE("positions out of range throw with the position") {
  static constexpr auto write = jig::function([](auto x, auto i) { return jig::tensor_array(jig::lit<3>, x).write(i, x).stack(); });
  static constexpr auto read = jig::function([](auto x, auto i) { return jig::tensor_array(jig::lit<3>, x).read(i); });
  jig::tensor<float, 2> x{1, 2};
  CHECK(write(x, 2)(2, 1) == 2.0f);
  for (int i : {-1, 3, 100}) {
    CAPTURE(i);
    CHECK_THROWS_WITH_AS(write(x, i), doctest::Contains(("index " + std::to_string(i)).c_str()), jig::invalid_argument);
    CHECK_THROWS_AS(read(x, i), jig::invalid_argument);
  }
}

TEST_CASE("arrays of strings and arrays on tensors") {
  static constexpr auto f = jig::function([](auto s) {
    auto a = jig::tensor_array(jig::lit<3>, s);
    for (auto i : jig::range(jig::extent<0>(a.stack()))) a = a.write(i, s + s);
    return a.stack();
  });
  auto y = f(std::string("ab, longer than what a string keeps inside"));
  CHECK(y(0) == "ab, longer than what a string keeps insideab, longer than what a string keeps inside");
  CHECK(y(2) == y(0));

  auto a = jig::tensor_array(3, jig::tensor<float, 2>{1, 2});
  a = a.write(1, jig::tensor<float, 2>{5, 6});
  CHECK(a.stack()(1, 1) == 6.0f);
  CHECK(a.read(0)(0) == 0.0f);
  CHECK(a.size()() == 3);
}
