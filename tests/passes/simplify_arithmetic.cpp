// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include "without_passes.hpp"

#include <cstdint>

namespace {

using numbers = jig::spec<float, jig::dyn>;
using integers = jig::spec<int, jig::dyn>;
using truths = jig::spec<bool, 4>;

// The ops of the nodes that are left, without arguments and constants; `x` where the result is the argument itself.
template <bool ValueChanging = false, class F, class... S>
std::string left(F f, S... spec) {
  const jig::graph g = jig::simplify_arithmetic(jig::graph_of(f, spec...), {.value_changing = ValueChanging});
  CHECK(jig::verify(g) == nullptr);
  std::string out;
  for (int id = 0; id < g.size(); ++id)
    if (!g.node(id).kind().is(jig::fact::input | jig::fact::constant)) out += (out.empty() ? "" : " ") + std::string(g.node(id).op());
  if (g.node(g.outputs()[0]).kind().is(jig::fact::constant)) out += "constant";
  return out.empty() ? "x" : out;
}

// That bits stay, on all pairs of telling numbers.
template <class T, class F>
void same_on_pairs(F f) {
  const auto [x, y] = telling_pairs<T>();
  same_without_passes(jig::function(f), x, y);
}

namespace mine {

inline constexpr jig::op neg{.name = "Neg", .label = "neg", .facts = jig::fact::elementwise, .rule = jig::elementwise_rule<jig::numbers>};
inline constexpr jig::op turned{.name = "Turned",
                                .label = "turned",
                                .facts = jig::fact::elementwise | jig::fact::involution,
                                .rule = jig::elementwise_rule<jig::floats>};
inline constexpr jig::op half{
    .name = "Half",
    .label = "half",
    .facts = jig::fact::elementwise,
    .rule = jig::elementwise_rule<jig::floats>,
    .value = [](const jig::known_operands& x) { return x.product(x[0], jig::known_operands::number_of(x.type, 0.5).bits); },
    .simplify =
        [](jig::simplification& s) {
          const jig::edge x = s.inputs[0];
          if (s.is(x, jig::ops::add) && s.input(x) == s.input(x, 1)) s.become_input(s.input(x));
        }};

}  // namespace mine

}  // namespace

template <>
struct jig::functor<mine::neg> {
  static auto apply(const auto& x) { return x; }
};
template <>
struct jig::functor<mine::turned> {
  static auto apply(const auto& x) { return 0 - x; }
};
template <>
struct jig::functor<mine::half> {
  static auto apply(const auto& x) { return x / 2; }
};

TEST_CASE("a graph before and after") {
  constexpr auto& g = jig::graph_of([](auto x, auto y) { return -(-(x * 1)) / 4 + -(y - 0); }, numbers(), numbers());
  CHECK(jig::to_text(g) == R"(args_0 = Placeholder() : float32 (None,)
args_1 = Placeholder() : float32 (None,)
mul/y = Const() {value: 1.0} : float32 ()
mul = Mul(args_0, mul/y) : float32 (None,)
neg = Neg(mul) : float32 (None,)
neg_1 = Neg(neg) : float32 (None,)
truediv/y = Const() {value: 4.0} : float32 ()
truediv = RealDiv(neg_1, truediv/y) : float32 (None,)
sub/y = Const() {value: 0.0} : float32 ()
sub = Sub(args_1, sub/y) : float32 (None,)
neg_2 = Neg(sub) : float32 (None,)
add = AddV2(truediv, neg_2) : float32 (None,)
return add
)");
  CHECK(jig::to_text(jig::simplify_arithmetic(g)) == R"(args_0 = Placeholder() : float32 (None,)
args_1 = Placeholder() : float32 (None,)
mul/y = Const() {value: 0.25} : float32 ()
mul = Mul(args_0, mul/y) : float32 (None,)
sub = Sub(mul, args_1) : float32 (None,)
return sub
)");
}

TEST_CASE("what changes no bit of a floating number goes") {
  CHECK(left([](auto x) { return 1 * x * 1 / 1; }, numbers()) == "x");
  CHECK(left([](auto x) { return x - 0; }, numbers()) == "x");
  CHECK(left([](auto x) { return x + -0.0; }, numbers()) == "x");
  CHECK(left([](auto x) { return x + 0; }, numbers()) == "AddV2");  // -0 + 0 is 0
  CHECK(left([](auto x) { return 0 - x; }, numbers()) == "Sub");
  CHECK(left([](auto x) { return x * -1; }, numbers()) == "Neg");
  CHECK(left([](auto x) { return x * 0; }, numbers()) == "Mul");  // NaN stays NaN
  CHECK(left([](auto x) { return x - x; }, numbers()) == "Sub");
  CHECK(left([](auto x) { return x / 8; }, numbers()) == "Mul");
  CHECK(left([](auto x) { return x / 3; }, numbers()) == "RealDiv");
  CHECK(left([](auto x) { return x * x; }, numbers()) == "Square");
  CHECK(left([](auto x) { return x + -x; }, numbers()) == "Sub");
  CHECK(left([](auto x) { return -x - -x; }, numbers()) == "Sub");
  CHECK(left([](auto x) { return jig::abs(-x) * jig::square(-x); }, numbers()) == "Abs Square Mul");
  CHECK(left([](auto x) { return jig::maximum(x, x); }, numbers()) == "x");
  CHECK(left([](auto x) { return jig::floor(jig::rint(jig::abs(jig::abs(x)))); }, numbers()) == "Abs Rint");
  CHECK(left([](auto x) { return x + 1 + 2; }, numbers()) == "AddV2 AddV2");
  CHECK(left([](auto x) { return jig::pow(x, 1); }, numbers()) == "x");
  CHECK(left([](auto x) { return jig::pow(x, 2); }, numbers()) == "Square");
  CHECK(left([](auto x) { return jig::pow(x, 3); }, numbers()) == "Square Mul");
  CHECK(left([](auto x) { return jig::pow(x, 4); }, numbers()) == "Square Square");
  CHECK(left([](auto x) { return jig::pow(x, 5); }, numbers()) == "Pow");  // kernels compute by way of logarithms
  CHECK(left([](auto x) { return jig::pow(x, -1); }, numbers()) == "Pow");
  CHECK(left([](auto x) { return jig::pow(x, 2.5); }, numbers()) == "Pow");
  CHECK(left([](auto x, auto y) { return jig::pow(x, 0 * y + 3); }, numbers(), jig::spec<float>()) == "Mul AddV2 Pow");
  CHECK(left([](auto x, auto y) { return jig::pow(x, y); }, numbers(), numbers()) == "Pow");
  CHECK(left([](auto x) { return jig::pow(x, 2); }, jig::spec<jig::half, 4>()) == "Square");
  CHECK(left([](auto x) { return jig::pow(x, 3); }, jig::spec<jig::half, 4>()) == "Pow");  // each product would be rounded
}

TEST_CASE("integers allow more") {
  CHECK(left([](auto x) { return 0 + x + 0 - 0; }, integers()) == "x");
  CHECK(left([](auto x) { return 0 - x; }, integers()) == "Neg");
  CHECK(left([](auto x) { return 3 + (x + 1) + 2; }, integers()) == "AddV2");
  CHECK(left([](auto x) { return 3 * x * 5; }, integers()) == "Mul");
  CHECK(left([](auto x) { return jig::pow(x, 1) / 1; }, integers()) == "x");
  CHECK(left([](auto x) { return jig::pow(x, 2); }, integers()) == "Square");
  CHECK(left([](auto x) { return jig::pow(x, 16); }, integers()) == "Square Square Square Square");
  CHECK(left([](auto x) { return jig::pow(x, 17); }, integers()) == "Pow");
  CHECK(left([](auto x) { return (x & -1) | 0 | x; }, integers()) == "x");
  CHECK(left([](auto x) { return ~~x << 0; }, integers()) == "x");
  CHECK(left([](auto x) { return x * 0 + (x - x); }, jig::spec<int>()) == "constant");
  CHECK(left([](auto x) { return x * 0; }, integers()) == "Mul");                        // a call tells how many zeros
  CHECK(left([](auto x) { return x / 0 * 0; }, jig::spec<int>()) == "TruncateDiv Mul");  // it throws
  CHECK(left([](auto x) { return x == x; }, jig::spec<int>()) == "constant");
  CHECK(left([](auto x) { return x == x; }, jig::spec<float>()) == "Equal");
  CHECK(left([](auto x) { return jig::abs(-x); }, integers()) == "Abs");
  CHECK(left([](auto x) { return jig::abs(-x); }, jig::spec<std::uint8_t, jig::dyn>()) == "Neg");
  CHECK(left([](auto x) { return jig::square(-jig::abs(x)); }, jig::spec<std::uint8_t, jig::dyn>()) == "Square");
}

TEST_CASE("truths and choices") {
  CHECK(left([](auto x) { return !!x; }, truths()) == "x");
  CHECK(left([](auto x) { return x && x; }, truths()) == "x");
  CHECK(left([](auto x) { return (x && true) || false; }, truths()) == "x");
  CHECK(left([](auto x) { return !(x < 3) && !(x == 3); }, jig::spec<int>()) == "GreaterEqual NotEqual LogicalAnd");
  CHECK(left([](auto x) { return !(x < 3) && !(x == 3); }, jig::spec<float>()) == "Less LogicalNot NotEqual LogicalAnd");
  CHECK(left([](auto x) { return jig::where(x > 0, x, x); }, jig::spec<float, 3>()) == "x");
  CHECK(left([](auto x) { return jig::where(!(x > 0), x, -x); }, jig::spec<float, 3>()) == "Greater Neg SelectV2");
}

TEST_CASE("conversions that lose nothing on the way") {
  CHECK(left([](auto x) { return jig::cast<float>(jig::cast<double>(jig::cast<float>(x))); }, numbers()) == "x");
  CHECK(left([](auto x) { return jig::cast<std::int8_t>(jig::cast<long>(x)); }, integers()) == "Cast");
  CHECK(left([](auto x) { return jig::cast<int>(jig::cast<float>(x)); }, integers()) == "Cast Cast");
  CHECK(left([](auto x) { return jig::cast<std::int8_t>(jig::cast<double>(x)); }, integers()) == "Cast Cast");  // one saturates, one wraps
  CHECK(left([](auto x) { return jig::cast<int>(jig::cast<double>(x)); }, integers()) == "x");
}

TEST_CASE("a cast limits floating numbers by itself") {
  using u8 = std::uint8_t;
  CHECK(left([](auto x) { return jig::cast<u8>(jig::clip(x, 0, 255)); }, numbers()) == "Cast");
  CHECK(left([](auto x) { return jig::cast<u8>(jig::maximum(-3, jig::minimum(300, x))); }, numbers()) == "Cast");
  CHECK(left([](auto x) { return jig::cast<std::int8_t>(jig::rint(jig::clip(x, -128, 127))); }, numbers()) == "Maximum Minimum Rint Cast");
  CHECK(left([](auto x) { return jig::cast<std::int16_t>(jig::clip(x, -32768, 32767)); }, jig::spec<double, 3>()) == "Cast");
  // A narrower range, one of integers, and one whose own shape the result has.
  CHECK(left([](auto x) { return jig::cast<u8>(jig::clip(x, 0, 254)); }, numbers()) == "Maximum Minimum Cast");
  CHECK(left([](auto x) { return jig::cast<u8>(jig::clip(x, 1, 255)); }, numbers()) == "Maximum Cast");
  CHECK(left([](auto x) { return jig::cast<std::int8_t>(jig::clip(x, 0, 255)); }, numbers()) == "Maximum Cast");
  CHECK(left([](auto x) { return jig::cast<u8>(jig::clip(x, 0, 255)); }, integers()) == "Maximum Minimum Cast");
  CHECK(left([](auto x) { return jig::cast<u8>(jig::maximum(x, jig::zeros<float, 3>())); }, jig::spec<float>()).find("Maximum") !=
        std::string::npos);
  CHECK(left([](auto x) { return jig::cast<float>(jig::clip(x, 0, 255)); }, jig::spec<double, 3>()) == "Maximum Minimum Cast");
}

TEST_CASE("an op that is only named like one of the library has its own algebra") {
  CHECK(left([](auto x) { return jig::call<mine::neg>(jig::call<mine::neg>(x)); }, numbers()) == "Neg Neg");
  CHECK(left([](auto x) { return x + jig::call<mine::neg>(x); }, numbers()) == "Neg AddV2");
}

TEST_CASE("ops of users say what is known of them") {
  // Facts.
  CHECK(left([](auto x) { return jig::call<mine::turned>(jig::call<mine::turned>(x)); }, numbers()) == "x");
  // A rule: halves of doubles.
  CHECK(left([](auto x) { return jig::call<mine::half>(x + x) + 1; }, numbers()) == "AddV2");
  CHECK(left([](auto x) { return jig::call<mine::half>(x + 2) + 1; }, numbers()) == "AddV2 Half AddV2");
  // A value before the call.
  constexpr auto halves = jig::function([](auto x) { return x * jig::call<mine::half>(jig::cast<float>(3.0f)); });
  CHECK(halves.get_concrete_function(numbers()).optimized_graph().count("Half") == 0);
  CHECK(halves(jig::tensor<float, 1>{4})(0) == 6);
}

TEST_CASE("views") {
  using matrix = jig::spec<float, 2, 3>;
  CHECK(left([](auto x) { return jig::transpose(jig::transpose(x)); }, matrix()) == "x");
  CHECK(left([](auto x) { return jig::transpose<1, 2, 0>(jig::transpose<1, 2, 0>(x)); }, jig::spec<float, 2, 3, 4>()) == "Transpose");
  CHECK(left([](auto x) { return jig::transpose<1, 2, 0>(jig::transpose<2, 0, 1>(x)); }, jig::spec<float, 2, 3, 4>()) == "x");
  CHECK(left([](auto x) { return jig::transpose<0, -1>(x); }, matrix()) == "x");
  CHECK(left([](auto x) { return jig::reverse<0, 1>(jig::reverse<-1, 0>(x)); }, matrix()) == "x");
  CHECK(left([](auto x) { return jig::reshape<2, 3>(jig::flatten(jig::expand_dims<0>(x))); }, matrix()) == "x");
  CHECK(left([](auto x) { return jig::reshape<3, 2>(jig::flatten(x)); }, matrix()) == "Reshape");
  CHECK(left([](auto x) { return jig::broadcast_to<2, 3>(x); }, matrix()) == "x");
  CHECK(left([](auto x) { return x + jig::broadcast_to<2, 3>(jig::reduce_sum<0>(x)); }, matrix()) == "Sum AddV2");
  // Wildcards are checked on the way.
  CHECK(left([](auto x) { return jig::reshape<jig::infer>(jig::reshape<2, jig::infer>(x)); }, numbers()) == "Reshape Reshape");
}

TEST_CASE("every bit stays") {
  same_on_pairs<float>([](auto x, auto y) {
    return std::tuple(1 * x / 1, x - 0, x + -0.0, x + 0, 0 - x, x * -1, x / 8, -y / -0.25, x * x, x + -y, -x + y, -x - -y, -x * -y, -x / -y,
                      jig::abs(-x), jig::square(-x), jig::maximum(x, y), jig::maximum(y, x), jig::maximum(x, x), jig::ceil(jig::floor(x)),
                      jig::rint(jig::rint(x)), jig::relu(jig::relu(x)), jig::sign(jig::sign(x)), !(x < y), !(x == y),
                      jig::where(!(x < y), x, y), jig::cast<float>(jig::cast<double>(x)), jig::cast<std::int8_t>(jig::cast<double>(x)));
  });
  same_on_pairs<float>(
      [](auto x, auto y) { return std::tuple(jig::pow(x, 1), jig::pow(x, 2), jig::pow(x, 3), jig::pow(x, 4), jig::pow(y, 5)); });
  same_on_pairs<double>(
      [](auto x, auto y) { return std::tuple(jig::pow(x, 1), jig::pow(x, 2), jig::pow(x, 3), jig::pow(x, 4), jig::pow(y, -1)); });
  same_on_pairs<int>([](auto x, auto y) {
    return std::tuple(0 + x, 0 - x, 3 + (x + 2147483647) + 2, 3 * x * 1431655765, jig::pow(x, 2), jig::pow(x, 7), jig::pow(x, 16),
                      jig::pow(x, 0), x & -1, x ^ x, x - x, -x * -y, x + -y, jig::abs(-x), jig::cast<std::int8_t>(jig::cast<long>(x)),
                      jig::cast<float>(jig::cast<long>(x)), !(x < y), x * -1, jig::minimum(x, x), jig::floordiv(x, 1), (x | 0) << 0);
  });
  same_on_pairs<std::uint8_t>([](auto x, auto y) {
    return std::tuple(0 - x, 3 + (x + 250) + 9, 3 * x * 171, x - x, -x * -y, x + -y, -x - -y, jig::abs(-x), jig::square(-x), !(-x < -y),
                      jig::maximum(-x, -y), x * 255, jig::cast<std::int8_t>(jig::cast<int>(-x)));
  });
}

TEST_CASE("rules that change values are asked for") {
  CHECK(left<true>([](auto x) { return x + 0 + 1 + 2; }, numbers()) == "AddV2");
  CHECK(left<true>([](auto x) { return x / 3; }, numbers()) == "Mul");
  CHECK(left<true>([](auto x) { return x * 0 + (x - x); }, jig::spec<float>()) == "constant");
  CHECK(left<true>([](auto x) { return jig::pow(x, 1); }, numbers()) == "x");
  CHECK(left<true>([](auto x) { return jig::pow(x, 7); }, numbers()) == "Square Mul Square Mul");
  CHECK(left<true>([](auto x) { return jig::pow(x, 0.5) + jig::pow(x, -1) + jig::pow(x, -0.5); }, numbers()) ==
        "Sqrt Reciprocal AddV2 Rsqrt AddV2");
  CHECK(left<true>([](auto x, auto y) { return x / jig::sqrt(y); }, numbers(), numbers()) == "Rsqrt Mul");
  CHECK(left<true>([](auto x) { return jig::log(1 + x) + (jig::exp(x) - 1); }, numbers()) == "Log1p Expm1 AddV2");
  constexpr auto f = jig::function([](auto x) { return jig::pow(x, 5) / 3 + jig::log(x + 1); });
  constexpr auto fast = f.with_pass([](const jig::graph_view& g) { return jig::simplify_arithmetic(g, {.value_changing = true}); });
  for (float x : {0.5f, 2.0f, 7.0f}) CHECK(fast(x)() == doctest::Approx(f(x)()));
}
