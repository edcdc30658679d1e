// SPDX-License-Identifier: MIT
#include <jig/core/literal.hpp>

#include <doctest/doctest.h>

#include <boost/hana/bool.hpp>
#include <boost/hana/integral_constant.hpp>

#include <array>

namespace hana = boost::hana;

namespace {

enum class color { red };

struct variable {
  using value_type = int;
  static inline int value = 3;
};

struct member {
  using value_type = int;
  int value = 3;
};

}  // namespace

TEST_CASE("a literal is its value, at compile time too") {
  static_assert(jig::lit<5>.value == 5);
  static_assert(jig::lit<5>() == 5);
  static_assert(jig::lit<true>());
  static_assert(jig::lit<-2>.value == -2);
  std::array<int, jig::lit<3>> a{};
  CHECK(a.size() == 3);
  int sum = 0;
  for (int i = 0; i < jig::lit<4>; ++i) sum += i;
  CHECK(sum == 6);
  // A parameter that is passed on stays a constant.
  auto doubled = [](auto n) { return std::integral_constant<int, 2 * n>(); };
  static_assert(decltype(doubled(jig::lit<21>))::value == 42);
}

TEST_CASE("value and type are part of the type") {
  static_assert(std::is_same_v<decltype(jig::lit<5>), const jig::literal<5>>);
  static_assert(!std::is_same_v<jig::literal<5>, jig::literal<6>>);
  static_assert(!std::is_same_v<jig::literal<5>, jig::literal<5L>>);
  static_assert(!std::is_same_v<jig::literal<1>, jig::literal<true>>);
  static_assert(std::is_same_v<jig::literal<'c'>::value_type, char>);
  static_assert(jig::is_literal<jig::literal<5>>);
  static_assert(!jig::is_literal<int>);
  static_assert(!jig::is_literal<std::integral_constant<int, 5>>);
}

// Clang 16 has no floating template arguments.
#if __cpp_nontype_template_args >= 201911L
TEST_CASE("floating literals") {
  static_assert(jig::lit<-2.5>.value == -2.5);
  static_assert(std::is_same_v<jig::literal<1.5f>::value_type, float>);
  static_assert(jig::Constant<jig::literal<0.5>>);
  double x = jig::lit<0.25>;
  CHECK(x == 0.25);
}
#endif

namespace {
template <jig::real X>
constexpr double value_of_argument = X.value();
}

TEST_CASE("floating numbers as template arguments, with every compiler") {
  static_assert(value_of_argument<0.1> == 0.1);
  static_assert(value_of_argument<-2.5f> == -2.5);
  static_assert(value_of_argument<3> == 3.0);
  static_assert(jig::real(0.5).bits == jig::real(0.5f).bits);
  CHECK(jig::real(0.25).value() == 0.25);
}

TEST_CASE("constants of other libraries") {
  static_assert(jig::Constant<jig::literal<5>>);
  static_assert(jig::Constant<jig::literal<false>>);
  static_assert(jig::Constant<std::integral_constant<int, 5>>);
  static_assert(jig::Constant<std::true_type>);
  static_assert(jig::Constant<hana::int_<5>>);
  static_assert(jig::Constant<hana::size_t<0>>);
  static_assert(jig::Constant<hana::true_>);
}

TEST_CASE("what is no constant") {
  static_assert(!jig::Constant<int>);
  static_assert(!jig::Constant<const char*>);
  static_assert(!jig::Constant<jig::literal<color::red>>);
  static_assert(!jig::Constant<variable>);
  static_assert(!jig::Constant<member>);
  static_assert(!jig::Constant<std::array<int, 0>>);
}
