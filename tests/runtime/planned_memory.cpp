// SPDX-License-Identifier: MIT
#include <jig/runtime/planned_memory.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::dtype;
using jig::index;
namespace detail = jig::detail;

// What the interpreter builds on.
struct memory : detail::planned_memory<> {
  memory(const jig::graph_view& g, const std::vector<jig::shape>& inputs) : planned_memory(g, {inputs.data(), inputs.size()}, false) {}
  bool late() const { return late_; }
  std::size_t bytes() const { return bytes_of_call(); }
  using planned_memory::find_values;
  using planned_memory::frame;
  int size() const { return graph_.size(); }
  const jig::planned_value& value(int v) const { return plan_.values[v]; }
  std::size_t bytes_of_node(int v) const { return bytes_of_value(dtype_of_node(v), shape_of(v)); }
};

template <class F, class... Spec>
jig::graph made(F f, Spec... specs) {
  return detail::dynamic_trace("", f, specs...).graph;
}
template <class F, class... Spec>
bool plannable(F f, Spec... specs) {
  return detail::can_be_planned(made(f, specs...).view());
}
const jig::tensor_spec floats{dtype::float32, {1, {jig::dyn}}}, texts{dtype::string, {1, {jig::dyn}}};

TEST_CASE("what can be planned: extents that follow from the arguments, and no strings that loops would compute") {
  CHECK(plannable([](auto x) { return jig::exp(x) / jig::reduce_sum(x); }, floats));
  CHECK(!plannable(
      [](auto x) {
        return jig::while_loop([](auto y) { return jig::extent<0>(y) < 9; }, [](auto y) { return jig::concat<0>(y, y); }, x,
                               jig::shape_invariants<jig::spec<float, jig::dyn>>());
      },
      floats));
  // Compared or chosen they go through loops.
  CHECK(!plannable([](auto a, auto b) { return a == b; }, texts, texts));
  CHECK(!plannable([](auto a, auto b) { return jig::where(a == b, a, b); }, texts, texts));
}

TEST_CASE("where a step tells extents of others, no memory is found before the run") {
  const auto positive = made([](auto x) { return jig::boolean_mask(x, x > 0) * 2; }, floats);
  CHECK(memory(positive.view(), {{1, {5}}}).late());
  const auto doubled = made([](auto x) { return x * 2; }, floats);
  CHECK(!memory(doubled.view(), {{1, {5}}}).late());
}

TEST_CASE("every value has memory of its own size, in the argument, the result or the workspace") {
  // A product between two loops is stored; its operand lies in the workspace.
  const jig::graph g = made([](auto x, auto w) { return jig::matmul(x + 1, w) * 2; }, jig::tensor_spec{dtype::float64, {2, {jig::dyn, 3}}},
                            jig::tensor_spec{dtype::float64, {2, {3, 2}}});
  for (index rows : {1, 5, 40}) {
    const memory m(g.view(), {{2, {rows, 3}}, {2, {3, 2}}});
    REQUIRE(!m.late());
    std::vector<std::max_align_t> room(m.bytes() / sizeof(std::max_align_t) + 1);
    char* const begin = reinterpret_cast<char*>(room.data());
    double arguments_memory[200], results_memory[200];
    const void* arguments[] = {arguments_memory, arguments_memory + 150};
    void* results[] = {results_memory};
    const memory::frame fr = m.find_values(begin, arguments, results, nullptr);
    int in_arguments = 0, in_results = 0, in_workspace = 0;
    for (int v = 0; v < m.size(); ++v) {
      const auto& value = m.value(v);
      if (value.place == jig::place::argument) {
        CHECK(fr.data[v] == arguments[value.number]);
        ++in_arguments;
      }
      if (value.place == jig::place::result) {
        CHECK(fr.data[v] == results[value.number]);
        ++in_results;
      }
      if (value.place == jig::place::workspace) {
        const char* at = static_cast<const char*>(fr.data[v]);
        CHECK((at >= begin && at + m.bytes_of_node(v) <= begin + m.bytes()));
        ++in_workspace;
      }
    }
    CHECK((in_arguments == 2 && in_results >= 1 && in_workspace >= 1));
  }
}

TEST_CASE("extents that do not fit are refused when the plan is made") {
  const jig::graph g = made([](auto x, auto y) { return x + y; }, floats, floats);
  CHECK_NOTHROW(memory(g.view(), {{1, {4}}, {1, {4}}}));
  CHECK_NOTHROW(memory(g.view(), {{1, {4}}, {1, {1}}}));
  CHECK_THROWS_AS(memory(g.view(), {{1, {4}}, {1, {3}}}), jig::invalid_argument);
}

}  // namespace
