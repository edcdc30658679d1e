// SPDX-License-Identifier: MIT
#pragma once
// Kernels of the interpreter next to what compiled programs compute.

#include <doctest/doctest.h>

#include <jig.hpp>
#include <jig/runtime/kernels.hpp>

#include <cstring>
#include <string>
#include <tuple>

using no_attributes = jig::attributes<>;

/// Numbers of both signs, some of them equal, none of them zero.
template <class T>
T some_number(jig::index i, int seed = 0) {
  const auto k = static_cast<int>((i * 7 + seed * 5) % 23) - 11;
  if constexpr (std::is_same_v<T, bool>) return k % 2 == 0;
  else if constexpr (std::is_same_v<T, std::string>) return std::to_string(k);
  else if constexpr (std::is_integral_v<T>) return static_cast<T>(k == 0 ? 12 : k);
  else return static_cast<T>(k == 0 ? 0.375 : k * 0.3125);
}

template <class T, jig::index... E, class... N>
auto some_numbers(N... n) {
  auto x = jig::zeros<T, E...>(n...);
  jig::index i = 0;
  for (auto& e : x) e = some_number<T>(i++);
  return x;
}

/// Whether all bits are the same.
template <class X>
bool same_elements(const X& x, const X& y) {
  if (x.shape() != y.shape()) return false;
  for (jig::index i = 0; i < x.size(); ++i) {
    const auto &a = x.data()[i], &b = y.data()[i];
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(a)>, std::string>) {
      if (a != b) return false;
    } else if (std::memcmp(&a, &b, sizeof(a)) != 0) {
      return false;
    }
  }
  return true;
}

template <class X>
jig::any_view erased(const X& x) {
  if constexpr (requires { x.view(); }) return jig::untyped(x.view());
  else return jig::untyped(x);
}

/// The kernel that the program has for an op: one source file of it makes all, so that no other one need compile them.
inline const jig::detail::runtime_kernel& kernel_of(const jig::op& o) {
  const jig::detail::runtime_kernel* found = jig::detail::find_runtime_kernel(o);
  REQUIRE(found != nullptr);
  return *found;
}

/// Runs the kernel of an op that is not elementwise. Returns how many were found, where it says that.
template <const jig::op& Op, class With, class... Out, class... X>
jig::index run_kernel(std::tuple<Out&...> out, const X&... x) {
  const jig::any_view inputs[] = {erased(x)..., {}};
  return std::apply(
      [&](auto&... result) {
        const jig::any_view outputs[] = {erased(result)...};
        jig::detail::kernel_call call{With::view(), {inputs, sizeof...(X)}, outputs};
        const auto run = kernel_of(Op).run;
        REQUIRE((run != nullptr));
        run(call);
        return call.found;
      },
      out);
}

template <class T>
void spoil(T& x) {
  for (auto& e : x) e = some_number<typename T::value_type>(3);
}

/// The kernel gives what a compiled program does, which is returned.
template <const jig::op& Op, class With = no_attributes, class... X>
auto same_as_static(const X&... x) {
  const auto expected = jig::call<Op, With>(x...);
  CAPTURE(Op.name);
  if constexpr (Op.outputs > 1) {
    auto result = expected;
    std::apply(
        [&](auto&... r) {
          (spoil(r), ...);
          run_kernel<Op, With>(std::tie(r...), x...);
        },
        result);
    const bool same = [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (same_elements(std::get<I>(result), std::get<I>(expected)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<decltype(result)>>());
    CHECK(same);
  } else {
    auto result = expected;
    spoil(result);
    run_kernel<Op, With>(std::tie(result), x...);
    CHECK(same_elements(result, expected));
  }
  return expected;
}
