// SPDX-License-Identifier: MIT
#include <jig/eval/slots.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include "../stored_programs.hpp"

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

namespace {

template <class F, class... Spec>
constexpr auto program_of(F, Spec...) -> jig::dense_program_of<jig::trace<F, "", Spec...>> {
  return {};
}

// A product is stored, so that it can be summed in both directions.
constexpr auto sums = [](auto x, auto w) {
  auto y = jig::matmul(x, w);
  return std::tuple(jig::reduce_sum<0>(y), jig::reduce_sum<1>(y));
};
template <jig::index N>
using square = jig::spec<float, N, N>;

}  // namespace

TEST_CASE("slots of up to 4096 bytes together are on the stack") {
  using small = decltype(program_of(sums, square<32>(), square<32>()));
  using large = decltype(program_of(sums, square<33>(), square<33>()));
  using unknown = decltype(program_of(sums, jig::spec<float, jig::dyn, 4>(), square<4>()));
  static_assert(small::plan.size.buffers == 1 && large::plan.size.buffers == 1 && unknown::plan.size.buffers == 1);
  static_assert(jig::detail::runs_on_stack<small>);
  static_assert(!jig::detail::runs_on_stack<large>);
  static_assert(!jig::detail::runs_on_stack<unknown>);
  using slots = jig::detail::all_stack_slots<small, std::make_integer_sequence<int, 1>>;
  static_assert(sizeof(slots) >= 4096);
  const slots memory{};
  const auto* first = static_cast<const jig::detail::stack_slot<small, 0>*>(&memory)->memory;
  CHECK(reinterpret_cast<std::uintptr_t>(first) % 64 == 0);
}

TEST_CASE("the bytes of a slot are those of the plan, or follow from the extents of the call") {
  using large = decltype(program_of(sums, square<33>(), square<33>()));
  using unknown = decltype(program_of(sums, jig::spec<float, jig::dyn, 4>(), square<4>()));
  CHECK(jig::detail::slot_bytes<large, 0>(jig::frame<large>{}) == jig::detail::aligned_size(33 * 33 * sizeof(float)));
  for (const jig::index rows : {0, 1, 16, 17}) {
    jig::frame<unknown> fr{};
    for (auto& e : fr.extents) e = rows;
    CHECK(jig::detail::slot_bytes<unknown, 0>(fr) == jig::detail::aligned_size(static_cast<std::size_t>(rows) * 4 * sizeof(float)));
  }
}

TEST_CASE("updates are made in place of what nobody else reads") {
  static constexpr auto slopes = jig::function([](auto x) {
    using jig::range_of, jig::unbounded;
    auto a = jig::strided_slice<range_of(1, unbounded)>(x), b = jig::strided_slice<range_of(0, -1)>(x);
    return jig::gradient(jig::reduce_sum(10 * jig::square(a - b * b) + jig::square(1 - b)), x);
  });
  constexpr auto plan = slopes.get_concrete_function(jig::spec<double, jig::dyn, jig::dyn>()).plan();
  // Zeros and both updates lie in the result, what is added in two slots.
  static_assert(plan.buffers.size() == 2);
  for (const std::size_t n : {0u, 1u, 2u, 3u, 8u, 9u, 100u}) {
    CAPTURE(n);
    // Rows whose extent only the call knows are not read with zeros around them.
    std::vector<double> x, expected(n);
    for (std::size_t i = 0; i < n; ++i) x.push_back(static_cast<double>(i * i % 7) - 3);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double d = x[i + 1] - x[i] * x[i];
      expected[i] += -40 * d * x[i] - 2 * (1 - x[i]);
      expected[i + 1] += 20 * d;
    }
    std::vector<double> out(n);
    const auto rows = static_cast<jig::index>(n);
    const jig::view<double, jig::dyn, jig::dyn> out_rows(out.data(), rows, 1), x_rows(x.data(), rows, 1);
    slopes.into(out_rows, x_rows);
    CHECK(out == expected);
    slopes.into(x_rows, x_rows);
    CHECK(x == expected);
  }

  // What is a result too, is read behind the update, or is an argument, stays.
  constexpr auto kept = jig::function([](auto x, auto y) {
    auto z = jig::matmul(x, x);
    auto u = jig::slice_update<1, jig::dyn>(z, jig::stack<0>(jig::constant_like(y, 1), jig::constant_like(y, 0)),
                                            jig::expand_dims<0>(x(0, jig::all)));
    auto v = jig::slice_update<1, jig::dyn>(x, jig::stack<0>(jig::constant_like(y, 0), jig::constant_like(y, 0)),
                                            jig::expand_dims<0>(x(1, jig::all)));
    return std::tuple(u, jig::reduce_sum<0>(z), v);
  });
  jig::tensor<int, jig::dyn, jig::dyn> x{{1, 2}, {3, 4}};
  const auto [u, sums_of_z, v] = kept(x, 0);
  CHECK(std::vector<int>(u.begin(), u.end()) == std::vector<int>{7, 10, 1, 2});
  CHECK(std::vector<int>(sums_of_z.begin(), sums_of_z.end()) == std::vector<int>{22, 32});
  CHECK(std::vector<int>(v.begin(), v.end()) == std::vector<int>{3, 4, 3, 4});
  CHECK(std::vector<int>(x.begin(), x.end()) == std::vector<int>{1, 2, 3, 4});
}

namespace {

template <unsigned Seed, int N>
void compare_stored_program() {
  constexpr stored_programs::program written = stored_programs::program_of(Seed);
  static constexpr auto f = jig::function([](auto x, auto w) {
    constexpr auto p = stored_programs::program_of(Seed);
    const auto values = stored_programs::values_of(p, x, w);
    return std::tuple(values[values.size() - 1], values[values.size() - 3]);
  });
  const auto x = stored_programs::argument(N, 1), w = stored_programs::argument(N, 2);
  const auto tensor_of = [](const stored_programs::matrix& from) {
    jig::tensor<std::int32_t, N, N> to;
    for (std::size_t i = 0; i < from.at.size(); ++i) to.data()[i] = static_cast<std::int32_t>(from.at[i]);
    return to;
  };
  const auto [last, before] = f(tensor_of(x), tensor_of(w));
  const auto expected = stored_programs::values_of(written, x, w);
  CAPTURE(Seed);
  CHECK(stored_programs::wrong(expected[expected.size() - 1], last.data()) == 0);
  CHECK(stored_programs::wrong(expected[expected.size() - 3], before.data()) == 0);
}

}  // namespace

TEST_CASE("random programs whose values are stored in between") {
  [&]<unsigned... Seed>(std::integer_sequence<unsigned, Seed...>) {
    (compare_stored_program<Seed, 13>(), ...);
  }(std::make_integer_sequence<unsigned, 8>());
  compare_stored_program<100, 65>();  // with loops behind rectangles of products
  compare_stored_program<101, 65>();
  compare_stored_program<1028, 65>();  // one of which reads what the product reads
}
