// SPDX-License-Identifier: MIT
#include <jig/passes/options.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "../printed.hpp"

// Every option alone, every pair of them in both orders: what a function with both does is what each of them says.

namespace {

using jig::any_tensor;

int runs = 0;

constexpr auto plain = jig::function<"f(x)">([](auto x) {
  if (!std::is_constant_evaluated()) ++runs;
  auto y = jig::cos(-(-x));
  for (auto i : jig::range(0, 3, jig::beside(x))) y = y * 0.5f + jig::cast<float>(i);
  return jig::sqrt(x) + y;
});

// What the lambda computes, with one function or another in place of the cosine.
float expected(float x, bool with_sine) {
  float y = with_sine ? std::sin(x) : std::cos(x);
  for (int i = 0; i < 3; ++i) y = y * 0.5f + static_cast<float>(i);
  return std::sqrt(x) + y;
}

struct sines_for_cosines {
  static constexpr auto makes = jig::made_ops<jig::ops::sin>;
  constexpr jig::graph operator()(const jig::graph_view& g) const {
    jig::graph out = jig::prune(g);
    for (auto& n : out.nodes)
      if (n.kind->name == std::string_view("Cos")) n.kind = &jig::ops::sin;
    return out;
  }
};

// Each option, and what is asked whether it is among some.
struct none {
  static constexpr auto on(auto f) { return f; }
};
struct relaxed {
  static constexpr auto on(auto f) { return f.relax_shapes(); }
};
struct declared {
  static constexpr auto on(auto f) { return f.template with_signature<jig::spec<float, jig::dyn>>(); }
};
struct capped {
  static constexpr auto on(auto f) { return f.template max_traces<100>(); }
};
struct passless {
  static constexpr auto on(auto f) { return f.without_passes(); }
};
struct with_own_pass {
  static constexpr auto on(auto f) { return f.with_pass(sines_for_cosines()); }
};
struct checked {
  static constexpr auto on(auto f) { return f.check_numerics(); }
};
struct unrolled {
  static constexpr auto on(auto f) { return f.template unrolled<3>(); }
};
struct eager {
  static constexpr auto on(auto f) { return f.run_eagerly(); }
};
struct renamed {
  static constexpr auto on(auto f) { return f.template named<"g(y)">(); }
};

template <class Option, class... Among>
constexpr bool is_among = (std::is_same_v<Option, Among> || ...);

const jig::tensor<float, 3> numbers{0.5f, 1, 4}, negative{1, -1, 4};

void check_values(const auto& y, bool with_sine) {
  for (int i = 0; i < 3; ++i) CHECK(static_cast<float>(y(i)) == doctest::Approx(expected(numbers(i), with_sine)));
}

// What a call on a negative number says.
template <class... Among>
std::string not_finite() {
  if (!is_among<checked, Among...>) return "";
  return std::string("check_numerics: Sqrt = Sqrt(") + (is_among<renamed, Among...> ? "y" : "x") + ") made NaN at (1,)";
}

template <class A, class B, class F>
void check_run_time(const F& f) {
  const any_tensor x = numbers;
  const bool runs_lambda = is_among<eager, A, B> && !is_among<checked, A, B>;
  const bool with_sine = is_among<with_own_pass, A, B> && !runs_lambda;
  check_values(f(x).template as<float>(), with_sine);
  runs = 0;
  check_values(f(x).template as<float>(), with_sine);
  CHECK(runs == (runs_lambda ? 1 : 0));
  jig::tensor<float, 3> out;
  f.into(out, x);
  check_values(out, with_sine);
  // As the lambda stands, whatever the options of graphs.
  check_values(f.eager(x).template as<float>(), false);
  CHECK(complaint([&] { f(any_tensor(negative)); }) == not_finite<A, B>());
  const std::string why = complaint([&] { f(any_tensor(jig::ones<float, 2, 2>())); });
  CHECK(why.starts_with(is_among<renamed, A, B> ? "g: inputs incompatible with input_signature"
                                                : "f: inputs incompatible with input_signature") == is_among<declared, A, B>);
  CHECK(why.empty() == !is_among<declared, A, B>);
  CHECK(complaint([&] { f.eager(any_tensor(jig::ones<float, 2, 2>())); }).empty() == !is_among<declared, A, B>);
}

template <class A, class B>
void check_pair() {
  constexpr auto f = B::on(A::on(plain));
  static_assert(std::is_same_v<decltype(f), const decltype(A::on(B::on(plain)))>);
  constexpr bool runs_lambda = is_among<eager, A, B> && !is_among<checked, A, B>;
  constexpr bool with_sine = is_among<with_own_pass, A, B> && !runs_lambda;
  runs = 0;
  check_values(f(numbers), with_sine);
  CHECK(runs == (runs_lambda ? 1 : 0));
  jig::tensor<float, 3> out;
  f.into(out, numbers);
  check_values(out, with_sine);
  CHECK(runs == (runs_lambda ? 2 : 0));
  check_values(f.eager(numbers), false);
  CHECK(complaint([&] { f(negative); }) == not_finite<A, B>());

  // A concrete function runs its graph.
  constexpr auto concrete = f.get_concrete_function(numbers);
  check_values(concrete(numbers), is_among<with_own_pass, A, B>);
  static_assert(concrete.graph().count("While") == (is_among<unrolled, A, B> ? 0 : 1));
  static_assert((concrete.graph().count("CheckNumerics") > 0) == is_among<checked, A, B>);
  static_assert(concrete.optimized_graph().count("Sin") == (is_among<with_own_pass, A, B> ? 1 : 0));
  static_assert(concrete.optimized_graph().count("Neg") == (is_among<passless, A, B> || is_among<checked, A, B> ? 2 : 0));
  constexpr bool any_length = is_among<relaxed, A, B> || is_among<declared, A, B>;
  static_assert(std::is_same_v<decltype(concrete.structured_outputs()),
                               std::conditional_t<any_length, jig::spec<float, jig::dyn>, jig::spec<float, 3>>>);

  static_assert(std::string_view(concrete.graph().node(0).attribute("name").text) == (is_among<renamed, A, B> ? "y" : "x"));

  check_run_time<A, B>(f);
}

template <class First, class... Rest>
void check_pairs() {
  check_pair<none, First>();
  (check_pair<First, Rest>(), ...);
  if constexpr (sizeof...(Rest) > 0) check_pairs<Rest...>();
}

template <class A, class... Rest>
void check_pairs_at_run_time(const auto& f) {
  check_run_time<none, A>(A::on(f));
  (
      [&] {
        const auto both = Rest::on(A::on(f));
        static_assert(std::is_same_v<decltype(both), const decltype(A::on(Rest::on(f)))>);
        check_run_time<A, Rest>(both);
      }(),
      ...);
  if constexpr (sizeof...(Rest) > 0) check_pairs_at_run_time<Rest...>(f);
}

}  // namespace

TEST_CASE("options compose in any order: static arguments, into, run-time tensors, concrete functions, eager") {
  check_pair<none, none>();
  check_pairs<relaxed, declared, capped, passless, with_own_pass, checked, unrolled, eager, renamed>();
}

TEST_CASE("functions that capture have the same options") {
  float half = 0.5f;
  const auto f = jig::dynamic_function("f(x)", [half](auto x) {
    ++runs;
    auto y = jig::cos(-(-x));
    for (auto i : jig::range(0, 3, jig::beside(x))) y = y * half + jig::cast<float>(i);
    return jig::sqrt(x) + y;
  });
  check_run_time<none, none>(f);
  check_pairs_at_run_time<relaxed, declared, capped, passless, with_own_pass, checked, unrolled, eager, renamed>(f);
}
