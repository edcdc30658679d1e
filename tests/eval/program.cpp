// SPDX-License-Identifier: MIT
#include <jig/eval/program.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string_view>
#include <type_traits>

namespace {

using jig::dyn;

// The program of a lambda for arguments that are all dense.
template <class F, class... Spec>
constexpr auto program_of(F, Spec...) -> jig::dense_program_of<jig::trace<F, "", Spec...>> {
  return {};
}

template <class P>
constexpr int node_of(std::string_view op) {
  for (int id = 0; id < P::graph.size(); ++id)
    if (P::graph.node(id).op() == op) return id;
  return -1;
}

constexpr auto product = [](auto x, auto w) { return jig::matmul(x, w) + 1; };
using matrices = decltype(program_of(product, jig::spec<float, dyn, 8>(), jig::spec<float, 8, 2>()));
constexpr auto no_trip = [](auto x) { return x * 2; };
using numbers = decltype(program_of(no_trip, jig::spec<double, 4>()));

}  // namespace

TEST_CASE("a program knows its arguments, results and what a call has to tell") {
  static_assert(matrices::arguments == 2 && matrices::results == 1);
  static_assert(numbers::arguments == 1 && numbers::results == 1);
  static_assert(!matrices::has_strided_arguments && !numbers::has_strided_arguments);
  static_assert(jig::frame<numbers>::symbols == 0);
  static_assert(jig::frame<matrices>::symbols >= 1);
  static_assert(std::is_same_v<jig::element_at<numbers, node_of<numbers>("Mul")>, double>);
  static_assert(matrices::dtype_at(node_of<matrices>("MatMul")) == jig::dtype::float32);
  static_assert(&matrices::kind(node_of<matrices>("MatMul")) == &jig::ops::matmul);
}

TEST_CASE("it remembers what loops keep for their gradients, where there are such loops") {
  constexpr auto power = [](auto x, auto n) {
    auto y = x;
    for ([[maybe_unused]] auto i : jig::range(n)) y = y * x;
    return y;
  };
  constexpr auto slope = [](auto x, auto n) {
    auto y = x;
    for ([[maybe_unused]] auto i : jig::range(n)) y = y * x;
    return jig::gradient(y, x);
  };
  static_assert(!decltype(program_of(power, jig::spec<double>(), jig::spec<int>()))::remembers);
  static_assert(decltype(program_of(slope, jig::spec<double>(), jig::spec<int>()))::remembers);
}

TEST_CASE("a frame turns extents of the plan into those of the call") {
  jig::frame<matrices> fr{};
  constexpr int sum = node_of<matrices>("AddV2");
  for (auto& e : fr.extents) e = 7;
  CHECK(fr(5) == 5);
  CHECK(fr.template shape_of<sum>() == jig::shape{2, {7, 2}});
  CHECK(fr.template size_of<sum>() == 14);
  const jig::frame<numbers> known{};
  CHECK(known.template size_of<node_of<numbers>("Mul")>() == 4);
}

TEST_CASE("a frame may travel in parts") {
  jig::frame<matrices> fr{};
  const float x[8] = {}, w[16] = {};
  float out[2];
  fr.arguments[0] = x;
  fr.arguments[1] = w;
  fr.results[0] = out;
  fr.extents[0] = 9;
  static bool same = false;
  static const void *first, *second;
  first = x, second = w;
  jig::detail::call_in_parts<matrices, [](const jig::frame<matrices>& copy) {
    same = copy.arguments[0] == first && copy.arguments[1] == second && copy.results[0] != nullptr && copy.extents[0] == 9;
  }>(fr);
  CHECK(same);
}

TEST_CASE("constants and attributes of nodes are copies of what the graph has") {
  constexpr auto padded = [](auto x) { return jig::pad<1, 2>(x + jig::constant(jig::tensor<float, 3>{1.5f, -2, 0.25f})); };
  using P = decltype(program_of(padded, jig::spec<float, 3>()));
  const float* elements = jig::detail::constant_memory<P, node_of<P>("Const")>::data();
  CHECK((elements[0] == 1.5f && elements[1] == -2 && elements[2] == 0.25f));
  using with = jig::detail::attributes_of<P, node_of<P>("PadV2")>;
  static_assert(with::count >= 1);
  for (int i = 0; i < with::count; ++i) {
    const jig::attribute_view copy = with::view()[static_cast<std::size_t>(i)], original = P::graph.node(node_of<P>("PadV2")).attribute(i);
    CHECK(copy.key == original.key);
    REQUIRE(copy.values.size() == original.values.size());
    for (std::size_t k = 0; k < copy.values.size(); ++k) CHECK(copy.values[k] == original.values[k]);
    CHECK((copy.values.size() == 0 || copy.values.data() != original.values.data()));
  }
}
