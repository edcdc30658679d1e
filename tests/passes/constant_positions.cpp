// SPDX-License-Identifier: MIT
#include "../lowered_text.hpp"

#include <jig/passes/constant_positions.hpp>

#include <jig.hpp>
#include <jig/gradient.hpp>

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <string>

namespace {

std::string planned_vector(auto lambda) { return lowered_text(lambda, jig::spec<float, 5>()); }

constexpr auto strided = [](const auto& x) {
  auto a = jig::strided_slice<jig::range_of(0, 4)>(x), b = jig::strided_slice<jig::range_of(1, 5)>(x);
  return jig::reduce_sum((b - a * a) * (1 - a));
};
constexpr auto sliced = [](const auto& x) {
  auto a = jig::slice<4>(x, 0), b = jig::slice<4>(x, 1);
  return jig::reduce_sum((b - a * a) * (1 - a));
};
constexpr auto gathered = [](const auto& x) {
  auto a = jig::gather<0>(x, std::array{0, 1, 2, 3}), b = jig::gather<0>(x, std::array{1, 2, 3, 4});
  return jig::reduce_sum((b - a * a) * (1 - a));
};
template <class F>
constexpr auto gradient_of = [](const auto& x) { return jig::gradient(F()(x), x); };

}  // namespace

TEST_CASE("an element at a constant position is one thing") {
  const std::string expected = R"(args_0 = Placeholder() : float32 (5,)
StridedSlice = StridedSlice(args_0) {begin: [2], end: [3], strides: [1], begin_mask: 0, end_mask: 0, shrink_axis_mask: 1} : float32 ()
neg = Neg(StridedSlice) : float32 ()
return neg
)";
  CHECK(planned_vector([](const auto& x) { return -x[2]; }) == expected);
  CHECK(planned_vector([](const auto& x) { return -x(2); }) == expected);
  CHECK(planned_vector([](const auto& x) { return -x[jig::lit<2>]; }) == expected);
  CHECK(planned_vector([](const auto& x) { return -jig::element(x, 2); }) == expected);
  CHECK(planned_vector([](const auto& x) { return -jig::gather<0>(x, 2); }) == expected);
  CHECK(planned_vector([](const auto& x) { return -jig::gather<-1>(x, std::int64_t{2}); }) == expected);
}

TEST_CASE("positions with equal steps are a slice") {
  const auto begins = [](const auto& text, const char* with) { return text.find(with) != std::string::npos; };
  CHECK(begins(planned_vector([](const auto& x) { return -jig::gather<0>(x, std::array{0, 2, 4}); }),
               "{begin: [0], end: [6], strides: [2], begin_mask: 0, end_mask: 0"));
  CHECK(begins(planned_vector([](const auto& x) { return -jig::gather<0>(x, std::array{2, 1, 0}); }),
               "{begin: [2], end: [0], strides: [-1], begin_mask: 0, end_mask: 1"));
  CHECK(begins(planned_vector([](const auto& x) { return -jig::gather<0>(x, std::array{0, 1, 3}); }), "GatherV2("));
  CHECK(begins(planned_vector([](const auto& x) { return -jig::gather<0>(x, std::array{3, 3}); }), "GatherV2("));
  CHECK(begins(lowered_text([](const auto& x) { return -x(1, jig::all); }, jig::spec<float, 2, 3>()), "StridedSlice(args_0)"));
  CHECK(begins(lowered_text([](const auto& x) { return -x(1, 2); }, jig::spec<float, 2, 3>()), "StridedSlice(args_0)"));
  // How long these are only the call knows, and it looks.
  CHECK(begins(lowered_text([](const auto& x) { return -x[2]; }, jig::spec<float, jig::dyn>()), "GatherV2("));
  CHECK(begins(lowered_text([](const auto& x, const auto& i) { return -jig::element(x, i); }, jig::spec<float, 5>(), jig::spec<int>()),
               "GatherV2("));
}

TEST_CASE("gradients of slices are planned alike however they are spelled") {
  const auto expected = planned_vector(gradient_of<decltype(strided)>);
  CHECK(planned_vector(gradient_of<decltype(sliced)>) == expected);
  CHECK(planned_vector(gradient_of<decltype(gathered)>) == expected);
  CHECK(expected.find("Grad") == std::string::npos);
}

TEST_CASE("parts at constant positions have the values of plain loops") {
  jig::tensor<double, 3, 4> x;
  for (jig::index i = 0; i < 12; ++i) x.data()[i] = static_cast<double>((i * 7) % 5) - 1.5;
  constexpr auto f = jig::function<"f(x)">([](const auto& m) {
    return std::tuple(m(2, 1) * 2, jig::gather<1>(m, std::array{3, 1}) * 2, jig::slice<2, 2>(m, std::array{1, 2}) * 2,
                      jig::gather<0>(m, 1) * 2, jig::gather<1>(m, std::array{3, 2, 1, 0}) * 2);
  });
  const auto [a, b, c, d, e] = f(x);
  CHECK(a() == 2 * x(2, 1));
  for (jig::index i = 0; i < 3; ++i) {
    CHECK((b(i, 0) == 2 * x(i, 3) && b(i, 1) == 2 * x(i, 1)));
    for (jig::index j = 0; j < 4; ++j) CHECK(e(i, j) == 2 * x(i, 3 - j));
  }
  for (jig::index i = 0; i < 2; ++i)
    for (jig::index j = 0; j < 2; ++j) CHECK(c(i, j) == 2 * x(1 + i, 2 + j));
  for (jig::index j = 0; j < 4; ++j) CHECK(d(j) == 2 * x(1, j));

  constexpr auto gradient = jig::grad<0>(jig::function<"g(x)">([](const auto& m) {
    return jig::reduce_sum(jig::square(jig::gather<1>(m, std::array{3, 1}))) + m(0, 3) * 10 + jig::reduce_sum(jig::gather<0>(m, 1)) * 100;
  }));
  const auto g = gradient(x);
  for (jig::index i = 0; i < 3; ++i)
    for (jig::index j = 0; j < 4; ++j) {
      const double expected = (j == 3 || j == 1 ? 2 * x(i, j) : 0) + (i == 0 && j == 3 ? 10 : 0) + (i == 1 ? 100 : 0);
      CHECK(g(i, j) == doctest::Approx(expected));
    }
}

TEST_CASE("positions that are no constants, and those of wildcard extents, are looked at in the call") {
  constexpr auto f = jig::function<"f(x)">([](const auto& x) { return x[3] * 2; });
  CHECK(static_cast<float>(f(std::vector<float>{1, 2, 3, 4})) == 8);
  CHECK_THROWS_WITH_AS(f(std::vector<float>{1, 2, 3}), doctest::Contains("GatherV2: index 3 is out of range for axis 0 with 3 elements"),
                       jig::invalid_argument);
}

TEST_CASE("a part of a Pack is seen in it where it is one of its values") {
  // Of [x, -x] along an axis.
  const auto seen = []<class... Key>(auto lambda, Key... key) {
    const auto& g = jig::graph_of(lambda, key...);
    jig::list<jig::edge> way;
    const jig::edge e = jig::detail::seen_in_pack(g, g.outputs()[0], way);
    REQUIRE(way.empty() == (e == g.outputs()[0]));
    if (!way.empty()) CHECK(way[0] == g.outputs()[0]);
    return e == g.outputs()[0] ? "itself" : std::string(g.node(e).op());
  };
  constexpr jig::spec<float, 3> row;
  constexpr jig::spec<float, jig::dyn, 2> rows;
  static constexpr auto first = [](const auto& x) { return jig::stack<0>(x, -x); };
  static constexpr auto second = [](const auto& x) { return jig::stack<1>(x, -x); };
  CHECK(seen([](const auto& x) { return first(x)[0]; }, row) == "Placeholder");
  CHECK(seen([](const auto& x) { return first(x)[1]; }, row) == "Neg");
  CHECK(seen([](const auto& x) { return jig::element(first(x), 1); }, row) == "Neg");
  CHECK(seen([](const auto& x) { return std::get<1>(jig::unstack<0>(first(x))); }, row) == "Neg");
  CHECK(seen([](const auto& x) { return first(x)(1, jig::all); }, row) == "Neg");
  CHECK(seen([](const auto& x) { return jig::gather<0>(first(x), 1); }, row) == "Neg");
  CHECK(seen([](const auto& x) { return std::get<0>(jig::unstack<1>(second(x))); }, rows) == "Placeholder");
  CHECK(seen([](const auto& x) { return std::get<1>(jig::unstack<1>(second(x))); }, rows) == "Neg");
  CHECK(seen([](const auto& x) { return jig::strided_slice<jig::range_of(0, 3), 1>(second(x)); }, row) == "Neg");
  CHECK(seen([](const auto& x) { return first(first(x))[1]; }, row) == "Neg");
  CHECK(seen([](const auto& x) { return first(first(x)[1])[0]; }, row) == "Neg");
  // Less or more than one of the values.
  CHECK(seen([](const auto& x) { return first(x)(1, 0); }, row) == "itself");
  CHECK(seen([](const auto& x) { return first(x)(1, jig::range_of(0, 2)); }, row) == "itself");
  CHECK(seen([](const auto& x) { return first(x)(1, jig::range_of(jig::unbounded, jig::unbounded, -1)); }, row) == "itself");
  CHECK(seen([](const auto& x) { return first(x)(jig::range_of(1, 2), jig::all); }, row) == "itself");
  CHECK(seen([](const auto& x) { return second(x)[1]; }, row) == "itself");
  CHECK(seen([](const auto& x) { return jig::gather<0>(first(x), std::array{0, 1}); }, row) == "itself");
  CHECK(seen([](const auto& x) { return jig::concat<0>(x, -x)[1]; }, row) == "itself");
  CHECK(seen([](const auto& x) { return -first(x)[1]; }, row) == "itself");
}
