// SPDX-License-Identifier: MIT
#pragma once
// Work in blocks, run as threads might run it: the last block first.

#include <jig/eval/parallel_runner.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <tuple>

/// How many blocks there were since this was set to 0.
inline jig::index blocks_shared = 0;
inline constexpr jig::detail::parallel_runner backwards{[](jig::index blocks, jig::detail::parallel_work run, void* work) {
  blocks_shared += blocks;
  while (blocks-- > 0) run(work, blocks);
}};

template <class T>
bool are_same_bits(const T& x, const T& y) {
  return x.shape() == y.shape() &&
         std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(typename T::value_type)) == 0;
}
template <class... T>
bool are_same_bits(const std::tuple<T...>& x, const std::tuple<T...>& y) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (are_same_bits(std::get<I>(x), std::get<I>(y)) && ...);
  }(std::index_sequence_for<T...>());
}

/// Checks that f(x...) has the same bits in blocks, of which there are several or none.
template <class F, class... X>
void check_shared(bool in_blocks, F f, const X&... x) {
  const auto alone = f(x...);
  blocks_shared = 0;
  const jig::detail::parallel_runner_scope scope(&backwards);
  const auto shared = f(x...);
  CHECK((blocks_shared > 1) == in_blocks);
  CHECK((blocks_shared > 0) == in_blocks);
  CHECK(are_same_bits(alone, shared));
}
