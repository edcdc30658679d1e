// SPDX-License-Identifier: MIT
#include <jig/eval/slots.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <tuple>
#include <utility>

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
