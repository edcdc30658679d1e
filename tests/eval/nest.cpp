// SPDX-License-Identifier: MIT
#include <jig/eval/nest.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <array>

namespace {

using jig::dyn;
using jig::detail::known_at_call;
using jig::detail::nest;

// The first step of a function whose arguments are dense, or whose strides only a call knows.
template <auto Lambda, class... E>
using first_step = jig::step<jig::program<jig::trace<decltype(Lambda), "f", E...>, static_cast<char>(sizeof(E) > 0)...>, 0>;
template <auto Lambda, class... E>
using first_step_of_views = jig::step<jig::program<jig::trace<decltype(Lambda), "f", E...>, static_cast<char>(sizeof(E) == 0)...>, 0>;

template <class Step, unsigned Reduced = 0>
constexpr auto axes = nest<Step, Reduced>::axes;

template <int Rank>
constexpr bool has_extents(const auto& axes, const std::array<jig::index, Rank>& extents) {
  bool same = axes.rank == Rank;
  for (int a = 0; same && a < Rank; ++a) same = axes.extent[a] == extents[static_cast<std::size_t>(a)];
  return same;
}
template <int Rank>
constexpr bool has_strides(const auto& axes, int operand, const std::array<jig::index, Rank>& strides) {
  bool same = axes.rank == Rank;
  for (int a = 0; same && a < Rank; ++a) same = axes.stride[operand][a] == strides[static_cast<std::size_t>(a)];
  return same;
}

constexpr auto add = [](auto x, auto y) { return x + y; };
constexpr auto turned = [](auto x, auto y) { return jig::transpose(x) + y; };
constexpr auto backwards = [](auto x, auto y) { return jig::reverse<1>(x) + y; };
constexpr auto middle_sum = [](auto x) { return jig::reduce_sum<1>(x); };
constexpr auto outer_sum = [](auto x) { return jig::reduce_sum<0, 2>(x); };

}  // namespace

TEST_CASE("axes that all operands walk alike are one") {
  constexpr auto dense = axes<first_step<add, jig::spec<float, 4, 5, 6>, jig::spec<float, 4, 5, 6>>>;
  static_assert(has_extents<1>(dense, {120}) && dense.last[0] == 2 && dense.count[0] == 3 && dense.size_from(0) == 120 &&
                dense.size_from(1) == 1);
  static_assert(has_strides<1>(dense, 0, {1}) && has_strides<1>(dense, 2, {1}));
  // A row over a matrix: a period. A column: each of its elements for a row.
  constexpr auto row = axes<first_step<add, jig::spec<float, 4, 5, 6>, jig::spec<float, 6>>>;
  static_assert(has_extents<2>(row, {20, 6}) && has_strides<2>(row, 0, {6, 1}) && has_strides<2>(row, 1, {0, 1}) &&
                has_strides<2>(row, 2, {6, 1}));
  static_assert(row.last[0] == 1 && row.count[0] == 2 && row.last[1] == 2 && row.count[1] == 1);
  constexpr auto column = axes<first_step<add, jig::spec<float, 4, 5, 6>, jig::spec<float, 4, 1, 1>>>;
  static_assert(has_extents<2>(column, {4, 30}) && has_strides<2>(column, 1, {1, 0}) && has_strides<2>(column, 0, {30, 1}));
  constexpr auto middle = axes<first_step<add, jig::spec<float, 4, 5, 6>, jig::spec<float, 5, 1>>>;
  static_assert(has_extents<3>(middle, {4, 5, 6}) && has_strides<3>(middle, 1, {0, 1, 0}));
  // Of one element.
  constexpr auto flat = axes<first_step<add, jig::spec<float, 1, 5, 1, 6, 1>, jig::spec<float, 6, 1>>>;
  static_assert(has_extents<2>(flat, {5, 6}) && has_strides<2>(flat, 0, {6, 1}) && has_strides<2>(flat, 1, {0, 1}));
}

TEST_CASE("strides that do not depend on wildcard extents are known") {
  constexpr auto outer = axes<first_step<add, jig::spec<float, dyn, 5, 3>, jig::spec<float, 3>>>;
  static_assert(has_extents<2>(outer, {known_at_call, 3}) && has_strides<2>(outer, 0, {3, 1}) && has_strides<2>(outer, 1, {0, 1}) &&
                has_strides<2>(outer, 2, {3, 1}));
  static_assert(outer.size_from(0) == known_at_call && outer.size_from(1) == 3);
  constexpr auto inner = axes<first_step<add, jig::spec<float, 5, dyn>, jig::spec<float, 5, 1>>>;
  static_assert(has_extents<2>(inner, {5, known_at_call}) && has_strides<2>(inner, 0, {known_at_call, 1}) &&
                has_strides<2>(inner, 1, {1, 0}) && has_strides<2>(inner, 2, {known_at_call, 1}));
  // Dense axes run on whatever their extents are.
  constexpr auto both = axes<first_step<add, jig::spec<float, dyn, dyn, 3>, jig::spec<float, 3>>>;
  static_assert(has_extents<2>(both, {known_at_call, 3}) && both.count[0] == 2 && has_strides<2>(both, 0, {3, 1}));
  constexpr auto views = axes<first_step_of_views<add, jig::spec<float, dyn, 3>, jig::spec<float, dyn, 3>>>;
  static_assert(has_extents<2>(views, {known_at_call, 3}) && has_strides<2>(views, 0, {known_at_call, known_at_call}) &&
                has_strides<2>(views, 2, {3, 1}));
}

TEST_CASE("what is read by way of views") {
  constexpr auto across = axes<first_step<turned, jig::spec<float, 5, 7>, jig::spec<float, 7, 5>>>;
  static_assert(has_extents<2>(across, {7, 5}));
  static_assert((has_strides<2>(across, 0, {1, 7}) && has_strides<2>(across, 1, {5, 1})) ||
                (has_strides<2>(across, 1, {1, 7}) && has_strides<2>(across, 0, {5, 1})));
  constexpr auto back = axes<first_step<backwards, jig::spec<float, dyn, 7>, jig::spec<float, 7>>>;
  static_assert(has_extents<2>(back, {known_at_call, 7}));
  static_assert(has_strides<2>(back, 0, {7, -1}) || has_strides<2>(back, 1, {7, -1}));
}

TEST_CASE("axes that are reduced are apart from those that are kept") {
  using middle = first_step<middle_sum, jig::spec<float, 4, 5, 6>>;
  constexpr auto given = axes<middle, 2>;
  static_assert(has_extents<3>(given, {4, 5, 6}) && !given.reduced[0] && given.reduced[1] && !given.reduced[2]);
  static_assert(has_strides<3>(given, 0, {30, 6, 1}) && has_strides<3>(given, 1, {6, 0, 1}));
  // Neighbours that are reduced alike are one.
  constexpr auto all = axes<middle, 7>;
  static_assert(has_extents<1>(all, {120}) && all.reduced[0] && has_strides<1>(all, 1, {0}));
  constexpr auto first_two = axes<middle, 3>;
  static_assert(has_extents<2>(first_two, {20, 6}) && first_two.reduced[0] && !first_two.reduced[1] && first_two.count[0] == 2);
  using outer = first_step<outer_sum, jig::spec<float, dyn, 5, 6>>;
  constexpr auto around = axes<outer, 5>;
  static_assert(has_extents<3>(around, {known_at_call, 5, 6}) && has_strides<3>(around, 0, {30, 6, 1}) &&
                has_strides<3>(around, 1, {0, 1, 0}));
}

namespace {

template <class T>
bool is_nothing(const T& x) {
  return x.size() == 0;
}
int wrong_sums(const auto& x) {
  int wrong = 0;
  for (const auto& e : x) wrong += e != 0;
  return wrong;
}

}  // namespace

TEST_CASE("axes of no places beside some that only the call knows") {
  constexpr auto ends = jig::function<"ends(x)">([](const auto& x) {
    return 1 + jig::strided_slice<jig::all, jig::range_of(2, 2)>(jig::strided_slice<jig::all, jig::range_of(7, jig::unbounded, -2)>(x));
  });
  constexpr auto sums = jig::function<"sums(x)">([](const auto& x) { return jig::reduce_sum<1>(x * x); });
  constexpr auto columns = jig::function<"columns(x)">([](const auto& x) { return 2 * jig::reduce_sum<0>(x); });
  constexpr auto inner = jig::function<"inner(x)">([](const auto& x) { return x - jig::reduce_mean<2>(x, jig::keepdims); });
  constexpr auto turned_rows = jig::function<"turned(x)">([](const auto& x) { return jig::transpose<0, 2, 1>(x) + 1; });
  for (const jig::index n : {0, 1, 5, 40}) {
    CHECK(is_nothing(ends(jig::tensor<float, dyn, 8>(n))));
    CHECK(sums(jig::tensor<float, dyn, 0>(n)).size() == n);
    CHECK(wrong_sums(sums(jig::tensor<double, dyn, 0>(n))) == 0);
    CHECK(columns(jig::tensor<float, 0, dyn>(n)).size() == n);
    CHECK(wrong_sums(columns(jig::tensor<int, 0, dyn>(n))) == 0);
    CHECK(sums(jig::tensor<float, dyn, 0, 4>(n)).size() == 4 * n);
    CHECK(wrong_sums(sums(jig::tensor<float, dyn, 0, 4>(n))) == 0);
    CHECK(is_nothing(sums(jig::tensor<float, dyn, 4, 0>(n))));
    CHECK(is_nothing(inner(jig::tensor<float, dyn, 0, 3>(n))));
    CHECK(is_nothing(inner(jig::tensor<float, dyn, 3, 0>(n))));
    CHECK(is_nothing(turned_rows(jig::tensor<float, dyn, 3, 0>(n))));
    CHECK(is_nothing(turned_rows(jig::tensor<float, dyn, 0, 3>(n))));
  }
}

// As many axes as there may be: what stands for their extents has strides within 64 bits.
TEST_CASE("axes whose extents only the call knows, all of them") {
  constexpr auto rolled = jig::function<"rolled(x)">([](const auto& x) {
    return x +
           jig::concat<7>(
               jig::strided_slice<jig::all, jig::all, jig::all, jig::all, jig::all, jig::all, jig::all, jig::range_of(2, jig::unbounded)>(
                   x),
               jig::strided_slice<jig::all, jig::all, jig::all, jig::all, jig::all, jig::all, jig::all, jig::range_of(0, 2)>(x));
  });
  constexpr auto turned_back = jig::function<"turned_back(x)">([](const auto& x) {
    return jig::reverse<6, 7>(x) - jig::strided_slice<jig::range_of(1, 2)>(jig::transpose<0, 1, 2, 3, 4, 5, 7, 6>(x));
  });
  jig::tensor<float, dyn, dyn, dyn, dyn, dyn, dyn, dyn, dyn> x(2, 1, 2, 1, 3, 1, 5, 5);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i * 7 % 31);
  const auto y = rolled(x), z = turned_back(x);
  int wrong = 0;
  for (jig::index i = 0; i < 12; ++i)
    for (jig::index j = 0; j < 5; ++j)
      for (jig::index k = 0; k < 5; ++k) {
        const float* const matrix = x.data() + i * 25;
        wrong += y.data()[i * 25 + j * 5 + k] != matrix[j * 5 + k] + matrix[j * 5 + (k + 2) % 5];
        wrong += z.data()[i * 25 + j * 5 + k] != matrix[(4 - j) * 5 + 4 - k] - x.data()[(6 + i % 6) * 25 + k * 5 + j];
      }
  CHECK(wrong == 0);
}
