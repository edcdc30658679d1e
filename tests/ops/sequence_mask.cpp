// SPDX-License-Identifier: MIT
#include <jig/ops/sequence_mask.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

namespace {

template <class L>
void check() {
  constexpr auto masks = [](const auto& n) { return jig::sequence_mask<300>(n); };
  const std::vector<L> lengths{0, 1, 7, 8, 9, 100, std::numeric_limits<L>::max(), std::numeric_limits<L>::min()};
  const auto y = both(masks, jig::view<const L, dyn>(lengths.data(), jig::shape{1, {8}}));
  static_assert(std::is_same_v<decltype(y), const jig::tensor<bool, dyn, 300>>);
  // Of uint64 the lowest bits count, as they do in a cast.
  jig::index wrong = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    for (jig::index k = 0; k < 300; ++k) wrong += y(static_cast<jig::index>(i), k) != (k < static_cast<std::int64_t>(lengths[i]));
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("as many elements as a length says") {
  check<std::int8_t>();
  check<std::uint8_t>();
  check<std::int32_t>();
  check<std::uint32_t>();
  check<std::int64_t>();
  constexpr auto three = [](const auto& n) { return jig::sequence_mask<3>(n); };
  CHECK(elements(both(three, jig::tensor<int>(2))) == std::vector<bool>{true, true, false});
  CHECK(both(three, jig::zeros<int, dyn, 2>(0)).shape() == jig::shape{3, {0, 2, 3}});
  static_assert(gives<spec<bool, dyn, 2, 3>>(three, spec<std::uint16_t, dyn, 2>()));
  const auto at_run_time = jig::dynamic_function([](auto n) { return jig::sequence_mask<3>(n); });
  CHECK(message_of([&] { (void)at_run_time(jig::any_tensor(1.5f)); }).starts_with("sequence_mask: the lengths must be integers"));
}
