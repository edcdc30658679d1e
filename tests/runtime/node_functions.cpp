// SPDX-License-Identifier: MIT
#include <jig/runtime/node_functions.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <vector>

namespace {

using jig::any_tensor;
using jig::dtype;
namespace detail = jig::detail;

constexpr jig::op nobodys{
    .name = "Nobodys", .label = "Nobodys", .facts = jig::fact::elementwise, .rule = jig::elementwise_rule<jig::floats>};

// The tensor of the only constant of what f gives.
template <class F>
any_tensor constant_of(F f) {
  const auto g = detail::dynamic_trace("", f, jig::spec<float>()).graph;
  const jig::graph_view view = g.view();
  for (int id = 0; id < view.size(); ++id)
    if (view.data(id).kind->is(jig::fact::constant)) return detail::constant_tensor(view, id);
  return {};
}

}  // namespace

TEST_CASE("constants of a graph as tensors") {
  const any_tensor numbers = constant_of([](auto) { return jig::constant(jig::tensor<double, 2, 2>{{1.5, -2}, {0, 1e300}}); });
  REQUIRE((numbers.dtype() == dtype::float64 && numbers.shape() == jig::shape{2, {2, 2}}));
  CHECK((numbers.as<double>()(0, 0) == 1.5 && numbers.as<double>()(0, 1) == -2 && numbers.as<double>()(1, 1) == 1e300));
  const any_tensor truth = constant_of([](auto) { return jig::constant(true); });
  CHECK((truth.dtype() == dtype::boolean && truth.rank() == 0 && truth.as<bool>()()));
  const any_tensor texts = constant_of([](auto) { return jig::constant(jig::tensor<std::string, 3>{"one", "", "three"}); });
  REQUIRE(texts.dtype() == dtype::string);
  CHECK((texts.as<std::string>()(0) == "one" && texts.as<std::string>()(1).empty() && texts.as<std::string>()(2) == "three"));
}

TEST_CASE("an element of strings is an object") {
  CHECK(detail::element_bytes(dtype::string) == sizeof(std::string));
  CHECK(detail::element_bytes(dtype::float16) == 2);
  CHECK(detail::element_bytes(dtype::int64) == 8);
}

TEST_CASE("an op without a kernel, or without one for these dtypes, is refused by its name") {
  CHECK_THROWS_WITH_AS(detail::runtime_kernel_for(nobodys),
                       "Nobodys: this program has no kernel of it that takes run-time dtypes: include jig/runtime/all_kernels.hpp",
                       jig::invalid_argument);
  const dtype integer[] = {dtype::int32};
  CHECK_THROWS_WITH_AS(detail::block_function_for(jig::ops::exp, {integer, 1}, dtype::int32),
                       "Exp: there is no such operation on these dtypes", jig::invalid_argument);
}

TEST_CASE("more operands than there are functions for are added up in turns") {
  for (int count : {1, 2, 7, 8, 9, 15, 16, 40}) {
    CAPTURE(count);
    detail::block_program<> program;
    std::vector<int> entries;
    std::vector<std::vector<int>> values;
    std::vector<const void*> leaves;
    for (int k = 0; k < count; ++k) {
      entries.push_back(program.add_leaf(dtype::int32, true));
      values.push_back({k, 1, -k * k});
    }
    for (const auto& v : values) leaves.push_back(v.data());
    program.add_root(
        detail::add_elementwise(program, jig::ops::add_n, entries, std::vector<dtype>(entries.size(), dtype::int32), dtype::int32), {});
    program.finish();
    int out[3] = {}, expected[3] = {};
    void* roots[] = {out};
    program(leaves.data(), roots, 3);
    for (const auto& v : values)
      for (std::size_t i = 0; i < 3; ++i) expected[i] += v[i];
    for (std::size_t i = 0; i < 3; ++i) CHECK(out[i] == expected[i]);
  }
}
