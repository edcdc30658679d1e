// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>

using jig::dyn;

namespace {

template <class... Spec>
std::string lowered(auto f) {
  return jig::to_text(jig::lower(jig::graph_of(f, Spec()...)));
}
template <class... Spec>
bool compares(auto f) {
  const std::string text = lowered<Spec...>(f);
  const bool searches = text.find(" = Arg") != std::string::npos || text.find(" = ShortArg") != std::string::npos;
  const bool found = text.find("estOperand(") != std::string::npos;
  CHECK(searches != found);
  return found;
}

constexpr auto distances = [](auto p, auto c) { return jig::reduce_sum<2>(jig::square(jig::expand_dims<1>(p) - c)); };
constexpr auto nearest = [](auto p, auto c) { return jig::argmin<1>(distances(p, c)); };
constexpr auto nearest_level = [](auto x, auto c) { return jig::cast<int>(jig::argmin<-1>(jig::abs(jig::expand_dims<1>(x) - c))); };
constexpr auto highest = [](auto x, auto b) { return jig::argmax<0>(x + b); };

template <class T, jig::index Points, jig::index Levels>
bool compares_levels() {
  return compares<jig::spec<T, Points>, jig::spec<T, Levels>>(nearest_level);
}

}  // namespace

TEST_CASE("the best of a few computed candidates is compared in the loop that computes them") {
  CHECK((compares<jig::spec<float, 1500, 2>, jig::spec<float, 7, 2>>(nearest)));
  CHECK((compares<jig::spec<double, dyn, 3>, jig::spec<double, 7, 3>>(nearest)));
  CHECK((compares<jig::spec<float, 7, dyn>, jig::spec<float, 7, 1>>(highest)));
  CHECK((compares_levels<float, dyn, 5>()));
  CHECK((compares_levels<int, 40, 5>()));
  CHECK((compares_levels<std::uint8_t, 40, 5>()));
}
TEST_CASE("how many candidates, and results") {
  CHECK((compares_levels<float, dyn, 2>()));
  CHECK((compares_levels<float, dyn, 32>()));
  CHECK_FALSE((compares_levels<float, dyn, 33>()));
  CHECK_FALSE((compares_levels<float, dyn, dyn>()));
  CHECK_FALSE((compares<jig::spec<float, dyn>, jig::spec<float, 1>>(nearest_level)));
  CHECK((compares_levels<float, 16, 5>()));
  CHECK_FALSE((compares_levels<float, 15, 5>()));
}
TEST_CASE("what is computed of them") {
  // Sums of a few components, and of more.
  CHECK((compares<jig::spec<float, dyn, 4>, jig::spec<float, 7, 4>>(nearest)));
  CHECK_FALSE((compares<jig::spec<float, dyn, 5>, jig::spec<float, 7, 5>>(nearest)));
  CHECK((compares<jig::spec<float, dyn, 2>, jig::spec<float, 24, 2>>(nearest)));
  CHECK_FALSE((compares<jig::spec<float, dyn, 2>, jig::spec<float, 25, 2>>(nearest)));
  // Functions are more work; of what is the same for all candidates they are computed once.
  constexpr auto exponentials = [](auto x, auto c) { return jig::argmax<1>(jig::exp(jig::expand_dims<1>(x) * c)); };
  CHECK((compares<jig::spec<float, dyn>, jig::spec<float, 16>>(exponentials)));
  CHECK_FALSE((compares<jig::spec<float, dyn>, jig::spec<float, 17>>(exponentials)));
  CHECK((compares<jig::spec<float, dyn>, jig::spec<float, 17>>(
      [](auto x, auto c) { return jig::argmax<1>(jig::expand_dims<1>(jig::exp(x)) * c); })));
  CHECK((compares<jig::spec<float, dyn>, jig::spec<float, 17>>(
      [](auto x, auto c) { return jig::argmax<1>(jig::exp(jig::expand_dims<1>(x)) * c); })));
}
TEST_CASE("candidates in memory are searched there") {
  CHECK_FALSE((compares<jig::spec<float, dyn, 5>>([](auto x) { return jig::argmax<1>(x); })));
  CHECK_FALSE((compares<jig::spec<float, 5, dyn>>([](auto x) { return jig::argmax<0>(x); })));
  // Rows of them that are computed of rows.
  CHECK_FALSE((compares<jig::spec<float, dyn, 5>, jig::spec<float, 5>>([](auto x, auto b) { return jig::argmax<1>(x + b); })));
  CHECK_FALSE((compares<jig::spec<float, 5, dyn>>([](auto x) { return jig::argmax<0>(jig::cumsum<0>(x)); })));
  // Somebody else reads them, other than to reduce them.
  using points = jig::spec<float, dyn, 2>;
  using places = jig::spec<float, 7, 2>;
  CHECK((compares<points, places>([](auto p, auto c) {
    const auto d = distances(p, c);
    return std::tuple(jig::argmin<1>(d), jig::reduce_min<1>(d), jig::argmax<1>(d));
  })));
  CHECK_FALSE((compares<points, places>([](auto p, auto c) {
    const auto d = distances(p, c);
    return std::tuple(jig::argmin<1>(d), d);
  })));
  CHECK_FALSE((compares<points, places>([](auto p, auto c) {
    const auto d = distances(p, c);
    return std::tuple(jig::argmin<1>(d), jig::sqrt(d));
  })));
}
TEST_CASE("numbers that are compared as they are") {
  CHECK_FALSE((compares_levels<jig::half, dyn, 5>()));
  CHECK_FALSE(
      (compares<jig::spec<float, dyn>, jig::spec<float, 5>>([](auto x, auto c) { return jig::argmax<1>(jig::expand_dims<1>(x) < c); })));
}
TEST_CASE("positions are as wide as the numbers, and cast where others are wanted") {
  constexpr auto casts = [](const std::string& text) { return text.find(" = Cast(") != std::string::npos; };
  constexpr auto as_they_are = [](auto x, auto c) { return jig::argmin<1>(jig::expand_dims<1>(x) - c); };
  CHECK(casts(lowered<jig::spec<float, dyn>, jig::spec<float, 5>>(as_they_are)));
  CHECK_FALSE(casts(lowered<jig::spec<double, dyn>, jig::spec<double, 5>>(as_they_are)));
  CHECK_FALSE(casts(lowered<jig::spec<float, dyn>, jig::spec<float, 5>>(nearest_level)));
  CHECK(casts(lowered<jig::spec<std::int16_t, dyn>, jig::spec<std::int16_t, 5>>(nearest_level)));
}
