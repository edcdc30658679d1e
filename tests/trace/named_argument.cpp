// SPDX-License-Identifier: MIT
#include <jig/trace/named_argument.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

namespace {

using jig::arg;

constexpr auto affine = jig::function<"affine(x, w, b)">([](auto x, auto w, auto b) { return x * w + b; });
const jig::tensor<float, 2> x{1, 2}, w{3, 4}, b{10, 20};

bool is_expected(const jig::tensor<float, 2>& y) { return y(0) == 13 && y(1) == 28; }

template <std::size_t N>
std::string refusal(const std::string_view (&given)[N]) {
  std::array<std::string_view, N> all;
  std::copy(given, given + N, all.begin());
  return std::string(jig::detail::order_of_arguments<N>("affine(x, w, b)", all).wrong.view());
}

TEST_CASE("arguments by name, in any order") {
  CHECK(is_expected(affine(x, w, arg<"b"> = b)));
  CHECK(is_expected(affine(x, arg<"b"> = b, arg<"w"> = w)));
  CHECK(is_expected(affine(arg<"b"> = b, arg<"x"> = x, arg<"w"> = w)));
  // They are the same signature, and part of traces.
  CHECK(affine.experimental_get_tracing_count() == 1);
  constexpr auto around = jig::function<"g(x, b)">([](auto u, auto v) { return affine(arg<"b"> = v, arg<"w"> = u, arg<"x"> = u); });
  CHECK(around(arg<"b"> = b, arg<"x"> = x)(1) == 24);
}

TEST_CASE("into, concrete functions and variables take them too") {
  jig::tensor<float, 2> y;
  affine.into(y, x, arg<"b"> = b, arg<"w"> = w);
  CHECK(is_expected(y));
  constexpr auto concrete = affine.get_concrete_function(jig::spec<float, 2>{}, jig::spec<float, 2>{}, jig::spec<float, 2>{});
  CHECK(is_expected(concrete(arg<"w"> = w, arg<"x"> = x, arg<"b"> = b)));
  y = jig::tensor<float, 2>{};
  concrete.into(y, arg<"w"> = w, arg<"x"> = x, arg<"b"> = b);
  CHECK(is_expected(y));
  constexpr auto add_to = jig::function<"add_to(v, by)">([](auto& v, auto by) { v.assign_add(by); });
  jig::variable<float> v(1.0f);
  add_to(arg<"by"> = 2.0f, arg<"v"> = v);
  CHECK(v.value()() == 3);
}

TEST_CASE("what does not fit is refused with a sentence") {
  CHECK(refusal({"", "", "b"}) == "");
  CHECK(refusal({"", "", "c"}) == "affine: there is no parameter c; there are x, w, b");
  CHECK(refusal({"", "b", ""}) == "affine: an argument without a name follows one with a name");
  CHECK(refusal({"", "", "x"}) == "affine: two arguments for the parameter x");
  CHECK(refusal({"", "b"}) == "affine: too few arguments for the parameter b to have one");
  CHECK(jig::detail::order_of_arguments<1>("", {"x"}).wrong.view() == "function: there is no parameter x");
}

TEST_CASE("the parameters of a signature as text") {
  // With another name it is another function, which counts its own signatures.
  constexpr auto scaled = affine.named<"scaled(x, w, b)">();
  constexpr auto concrete = scaled.get_concrete_function(jig::spec<float, jig::dyn>{}, jig::lit<2>, jig::spec<float>{});
  CHECK(scaled.experimental_get_tracing_count() == 1);
  CHECK(concrete.structured_input_signature_text() ==
        "((TensorSpec(shape=(None,), dtype=tf.float32, name='x'), 2, TensorSpec(shape=(), dtype=tf.float32, name='b')), {})");
  constexpr auto none = jig::function<"none()">([] {
                          jig::tensor<float, 2> ones{1, 1};
                          (void)ones;
                        }).get_concrete_function();
  CHECK(none.structured_input_signature_text() == "((), {})");
}

}  // namespace
