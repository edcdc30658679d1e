// SPDX-License-Identifier: MIT
#include "../compared_numbers.hpp"

#include <cmath>

namespace {

using jig::tensor;

// Whether a value knows that it is none of a trace, in lambdas that run as they stand: what is called tells.
template <class X>
void note_eager(const X&, bool& all) {
  all = all && jig::detail::is_eager_value<X>;
}

}  // namespace

TEST_CASE("eager_value: what is computed of the arguments of an eager run is never traced") {
  static bool all = true;
  constexpr auto f = jig::function([](auto x, auto k) {
    auto y = jig::tanh(x * 2 + 1) / x;
    note_eager(y, all);
    note_eager(x[1], all);
    note_eager(x(0), all);
    note_eager(y[k] * 2, all);
    note_eager(jig::reduce_sum(x), all);
    note_eager(jig::zeros_like(x), all);
    note_eager(jig::constant_like(x, 3), all);
    for (auto i : jig::range(jig::extent<0>(x))) y[i] = y[i] + 1;
    for (auto row : jig::rows(x)) note_eager(row, all);
    return y;
  });
  const tensor<float, 3> x{1, 2, 4};
  const auto y = f.eager(x, 1);
  CHECK(all);
  for (int i = 0; i < 3; ++i) CHECK(y(i) == doctest::Approx(std::tanh(2 * x(i) + 1) / x(i) + 1));
}

TEST_CASE("eager_value: stands beside values of variables and takes them") {
  constexpr auto f = jig::function([](auto& w, auto x) {
    auto y = w.read();
    y = y * x;  // a value of a variable takes one of the run,
    x = w + 1;  // and the other way round
    x[0] = w[1];
    x[1] += 10;
    if (jig::reduce_sum(x) > 100) return x;
    w.assign(y);
    return x + y;
  });
  jig::variable<float, 2> w{2, 3};
  const tensor<float, 2> x{5, 7};
  const auto out = f.eager(w, x);
  // y = (10, 21); x = (3, 14).
  CHECK(out(0) == 13);
  CHECK(out(1) == 35);
  CHECK(w.value()(0) == 10);
  CHECK(w.value()(1) == 21);
}

TEST_CASE("eager_value: changes in parts, copies are values of their own, conditions are numbers") {
  constexpr auto f = jig::function([](auto a) {
    auto b = a;
    b(1, jig::all) = a[0] * 2;
    b(0, 0) = 9;
    if (b(0, 0) > a(0, 0)) b[0] = b[0] + b[1];
    return std::tuple(a, b);
  });
  const tensor<int, 2, 2> a{{1, 2}, {3, 4}};
  const auto [same, b] = f.eager(a);
  CHECK(elements(same) == std::vector<int>{1, 2, 3, 4});
  CHECK(elements(b) == std::vector<int>{11, 6, 2, 4});
  const auto [graph_same, graph_b] = f(a);
  CHECK(elements(b) == elements(graph_b));
}

TEST_CASE("eager_value: an assignment to a part of nothing that has a name is an error, as is one of another shape") {
  constexpr auto lost = jig::function([](auto x) {
    (x * 2)[0] = 1;
    return x;
  });
  CHECK_THROWS_WITH_AS(lost.eager(tensor<float, 2>{1, 2}),
                       "an assignment to a temporary value is lost: assign to an element of a named value, or to the value itself",
                       jig::invalid_argument);
  constexpr auto added = jig::function([](auto x, auto y) {
    x += y;
    return x;
  });
  CHECK_THROWS_AS(added.eager(tensor<float, jig::dyn>{1, 2}, tensor<float, 3>{1, 2, 3}), jig::invalid_argument);
  CHECK(elements(added.eager(tensor<float, jig::dyn>{1, 2}, tensor<float, 1>{3})) == std::vector<float>{4, 5});
}
