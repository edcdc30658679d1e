// SPDX-License-Identifier: MIT
#pragma once
// What is done with random programs of control flow: compiled and traced at run time they give what they give on plain numbers. With
// RANDOM_COMPILED they are functions of static signatures, with RANDOM_TRACED functions of run-time tensors, with both both.

#include <random/run.hpp>

namespace random_programs {

using number = std::int64_t;

// What programs say to both traced values and plain numbers.
template <class X>
constexpr auto constant(const X& x, int value) {
  if constexpr (std::is_integral_v<X>) return X(value);
  else return jig::constant_like(x, value);
}
template <class C, class X, class Y>
constexpr auto choice(const C& condition, const X& x, const Y& y) {
  if constexpr (std::is_same_v<C, bool>) return condition ? x : y;
  else return jig::where(condition, x, y);
}
template <class X, class Y>
constexpr auto both(const X& x, const Y& y) {
  if constexpr (std::is_same_v<X, bool>) return x && y;
  else return x & y;
}
template <class X, class Y>
constexpr auto either(const X& x, const Y& y) {
  if constexpr (std::is_same_v<X, bool>) return x || y;
  else return x | y;
}

/// The state of a program on plain numbers.
class plain_variable {
 public:
  explicit plain_variable(number value) : value_(value) {}
  number read() const { return value_; }
  void assign(number x) { value_ = x; }
  void assign_add(number x) { value_ += x; }

 private:
  number value_;
};

template <class F>
struct control_check {
  static constexpr number first = -2, last = 4;

  static void describe(std::ostream& out, const char* world, number x, number y, number z) {
    out << world << '(' << x << ", " << y << ", " << z << ")";
  }

  // Runs `call(state, x, y, z)`, whose state ends as it does on plain numbers.
  template <class Variable, class Call>
  static bool agrees(std::ostream& out, const char* world, const Call& call) {
    constexpr F f{};
    for (number x = first; x <= last; ++x)
      for (number y = first; y <= last; ++y)
        for (number z = first; z <= last; ++z) {
          plain_variable plain(3);
          const number expected = f(plain, x, y, z);
          Variable state{number(3)};
          number found = 0, left = 0;
          try {
            found = call(state, x, y, z);
            left = value_of(state);
          } catch (const std::exception& e) {
            describe(out, world, x, y, z);
            out << " throws " << e.what();
            return false;
          }
          if (found == expected && left == plain.read()) continue;
          describe(out, world, x, y, z);
          out << " = " << found << " and leaves " << left << ", expected " << expected << " and " << plain.read();
          return false;
        }
    return true;
  }
  template <class Variable>
  static number value_of(const Variable& v) {
    const auto now = v.read();
    const jig::tensor<number>& value = now;
    return value();
  }

  static bool run(std::ostream& out) {
    bool good = true;
#ifdef RANDOM_COMPILED
    constexpr auto compiled = jig::function(F{});
    good = agrees<jig::variable<number>>(out, "compiled",
                                         [&](auto& s, number x, number y, number z) { return number(compiled(s, x, y, z)()); });
#endif
#ifdef RANDOM_TRACED
    const auto traced = jig::dynamic_function(F{});
    good = agrees<jig::variable<number>>(
               out, "traced",
               [&](auto& s, number x, number y, number z) {
                 return traced(s, jig::any_tensor(x), jig::any_tensor(y), jig::any_tensor(z)).template as<number>()();
               }) &&
           good;
#endif
    return good;
  }
};

}  // namespace random_programs

#undef RANDOM_PROGRAM
#define RANDOM_PROGRAM(name) \
  static const ::random_programs::program entered_##name(#name, &::random_programs::control_check<decltype(name)>::run);
