// SPDX-License-Identifier: MIT
// An op from outside the library: declared once, it traces, fuses with its neighbours, runs on any dtype it accepts and
// refuses the others in the library's words. Prints what custom_op.txt holds.

#include <jig.hpp>

#include <cmath>
#include <iostream>

namespace mine {

// Name, facts and shape rule: elementwise on floating dtypes.
inline constexpr jig::op softsaturate{.name = "SoftSaturate",
                                      .label = "SoftSaturate",
                                      .facts = jig::fact::elementwise | jig::fact::float_lanes,
                                      .rule = jig::elementwise_rule<jig::floats>};

}  // namespace mine

// Its functor, written once for single elements and whole registers, with the library's own functions of numbers.
template <>
struct jig::functor<mine::softsaturate> {
  static auto apply(const auto& x) {
    using jig::maths::sqrt;
    return x / sqrt(1 + x * x);
  }
};

namespace mine {

/// x / sqrt(1 + x * x).
template <jig::Operand X>
constexpr auto soft_saturate(const X& x) {
  return jig::call<softsaturate>(x);
}

}  // namespace mine

constexpr auto f = jig::function<"f(x, gain)">([](auto x, auto gain) { return mine::soft_saturate(gain * x) + 1; });
static_assert(f.get_concrete_function(jig::spec<float, jig::dyn>{}, jig::spec<float>{}).graph().count("SoftSaturate") == 1);

int main() {
  std::vector<double> x{-0.75, 0, 0.75};
  std::cout << jig::to_text(f.get_concrete_function(x, 1.0).graph()) << f(x, 1.0) << '\n';
  std::cout << mine::soft_saturate(jig::tensor<float>{0.75f}) << '\n';

  // The same as a plain loop, at every length.
  for (std::size_t n = 0; n < 70; ++n) {
    std::vector<float> in(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<float>(i) / 7 - 3;
    auto out = f(in, 2.0f);
    for (std::size_t i = 0; i < n; ++i) {
      float y = 2 * in[i], expected = y / std::sqrt(1 + y * y) + 1;
      if (std::abs(out(static_cast<jig::index>(i)) - expected) > 1e-6f) return 1;
    }
  }
}
