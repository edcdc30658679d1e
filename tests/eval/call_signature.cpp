// SPDX-License-Identifier: MIT
#include <jig/eval/call_signature.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

using jig::dyn;
using jig::spec;
constexpr auto plain = jig::function<"squares(x)">([](auto x) { return x * x; });
constexpr auto squares = plain.relax_shapes();

}  // namespace

TEST_CASE("one trace serves all shapes of a rank") {
  CHECK(squares(jig::tensor<int, 3>{1, 2, 3})(2) == 9);
  CHECK(squares(jig::tensor<int, 5>{1, 2, 3, 4, 5})(4) == 25);
  CHECK(squares(std::vector<int>{7})(0) == 49);
  CHECK(squares(jig::tensor<int, 0>()).size() == 0);
  static_assert(squares.get_concrete_function(jig::spec<int, 3>()).structured_outputs().value() ==
                jig::tensor_spec{jig::dtype::int32, jig::shape{1, {jig::dyn}}});
  CHECK(squares(jig::tensor<int, 1, 2>{{4, 5}})(0, 1) == 25);
  CHECK(plain.experimental_get_tracing_count() == 2);  // one for each rank
}

TEST_CASE("the extents of variables are not relaxed") {
  constexpr auto f = jig::function<"f(v, x)">([](const auto& v, auto x) { return v * x; }).relax_shapes();
  jig::variable<int, 2> v{2, 3};
  CHECK(f(v, jig::tensor<int, 2>{5, 7})(1) == 21);
  CHECK(f(v, jig::tensor<int, 1>{5})(1) == 15);
  static_assert(std::is_same_v<decltype(f.get_concrete_function(v, spec<int, 9>()).structured_outputs()), spec<int, 2>>);
}

// Which signature takes what, of specs, literals and structures.
TEST_CASE("the declared signature for static arguments") {
  using jig::detail::types;
  using a = types<spec<float, dyn, 3>>;
  using b = types<spec<float, 2, dyn>>;
  using both = types<spec<float, 2, 3>>;
  using any = types<spec<float, dyn, dyn>>;
  // Of incomparable ones the first, else the most specific one, wherever it stands.
  static_assert(jig::detail::signature_for<both, a, b>() == 0 && jig::detail::signature_for<both, b, a>() == 0);
  static_assert(jig::detail::signature_for<both, any, a, both, b>() == 2 && jig::detail::signature_for<both, any, a>() == 1);
  static_assert(jig::detail::signature_for<types<spec<float, 5, 3>>, b, any, a>() == 2);
  // What the types leave open may fit.
  static_assert(jig::detail::signature_for<any, both>() == 0);
  static_assert(jig::detail::signature_for<types<spec<double, 2, 3>>, any>() == -1);
  static_assert(jig::detail::signature_for<types<spec<float, 2>>, any>() == -1);
  static_assert(jig::detail::signature_for<types<>, any>() == -1);
  static_assert(jig::detail::signature_for<types<spec<int>, spec<int>>, types<spec<int>>>() == -1);
  static_assert(jig::detail::signature_for<types<std::tuple<spec<int>, spec<int, 3>>>, types<std::tuple<spec<int>, spec<int, dyn>>>>() ==
                0);
  static_assert(jig::detail::signature_for<types<std::tuple<spec<int>>>, types<spec<int>>>() == -1);
  using two = decltype(jig::lit<2>);
  using three = decltype(jig::lit<3>);
  static_assert(jig::detail::signature_for<types<three>, types<two>, types<three>>() == 1);
  static_assert(jig::detail::signature_for<types<three>, types<two>>() == -1);
}

TEST_CASE("concrete functions and into of a function with declared signatures") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x + 1; }).with_signature<spec<int, dyn>>().with_signature<spec<float, 2>>();
  static_assert(std::is_same_v<decltype(f.get_concrete_function().structured_input_signature()), std::tuple<spec<int, dyn>>>);
  static_assert(
      std::is_same_v<decltype(f.get_concrete_function(spec<float, 2>()).structured_input_signature()), std::tuple<spec<float, 2>>>);
  static_assert(std::is_same_v<decltype(f.get_concrete_function(std::vector<int>())), decltype(f.get_concrete_function(spec<int, 7>()))>);
  std::vector<int> out{0, 0};
  f.into(out, std::vector<int>{4, 6});
  CHECK(out == std::vector<int>{5, 7});
  CHECK(f.eager(jig::tensor<int, 2>{1, 2})(1) == 3);
}

TEST_CASE("inside a trace a function with declared signatures is part of it") {
  static constexpr auto inner = jig::function<"inner(x)">([](auto x) { return x + 1; }).with_signature<spec<int, dyn>>();
  constexpr auto outer = jig::function<"outer(x)">([](auto x) { return inner(x) * 2; });
  CHECK(outer(jig::tensor<int, 2>{1, 2})(1) == 6);
  CHECK(inner.experimental_get_tracing_count() == 0);
}
