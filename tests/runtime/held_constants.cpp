// SPDX-License-Identifier: MIT
#include <jig/io/onnx/maker.hpp>
#include <jig/runtime/runtime_graph.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace {

using jig::any_tensor, jig::dtype, jig::edge, jig::shape;
namespace detail = jig::detail;
using held = detail::held_constants<>;

any_tensor counting(const shape& s) {
  any_tensor t = any_tensor::empty(dtype::float32, s);
  for (jig::index i = 0; i < t.size(); ++i) static_cast<float*>(t.mutable_data())[i] = static_cast<float>(i);
  return t;
}
std::vector<float> elements(const any_tensor& t) {
  const any_tensor dense(t.view());
  const auto* x = static_cast<const float*>(dense.data());
  return {x, x + dense.size()};
}
std::vector<any_tensor> run(const detail::runtime_graph<>& g, std::vector<any_tensor> x) { return g({x.data(), x.size()}); }

// What a constant becomes by views, and where each element of that was.
struct seen_constant {
  jig::onnx::maker& m;
  edge at;
  std::vector<float> values;

  shape extents() const { return m.extents(at); }
  template <class From>
  void take(edge to, From from) {
    std::vector<float> next(static_cast<std::size_t>(m.extents(to).size()));
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = values[static_cast<std::size_t>(from(static_cast<jig::index>(i)))];
    at = to;
    values = next;
  }
  void exchange() {
    const jig::index rows = extents()[0], columns = extents()[1];
    take(m.transpose(at, {1, 0}), [&](jig::index i) { return i % rows * columns + i / rows; });
  }
  void fold() {
    const jig::index rows = extents()[0], columns = extents()[1];
    if (columns % 2 == 0) take(m.reshape(at, {2 * rows, columns / 2}), [](jig::index i) { return i; });
  }
  void cut(int axis) {
    const shape s = extents();
    if (s[axis] < 2) return;
    const jig::index columns = axis == 1 ? s[1] - 1 : s[1];
    take(m.part(at, axis, 1, s[axis]), [&](jig::index i) { return axis == 1 ? i / columns * s[1] + i % columns + 1 : i + s[1]; });
  }
};

}  // namespace

TEST_CASE("views of constants, in any order and read by several") {
  std::mt19937 random(3);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 200; ++trial) {
    CAPTURE(trial);
    jig::onnx::maker m{{}};
    const shape s{2, {2 + below(30), 2 + below(30)}};
    const any_tensor constant = counting(s);
    seen_constant a{m, m.constant(constant), elements(constant)}, b = a;
    std::vector<any_tensor> x;
    std::vector<std::vector<float>> expected;
    for (auto* c : {&a, &b}) {
      for (int steps = below(5); steps > 0; --steps) {
        const int which = below(4);
        if (which == 0) c->exchange();
        else if (which == 1) c->fold();
        else c->cut(which - 2);
      }
      const edge argument = m.argument({dtype::float32, c->extents()}, "x");
      x.push_back(counting(c->extents()));
      m.made.output_edges.push_back(m.add(argument, c->at));
      expected.push_back(c->values);
      for (std::size_t i = 0; i < expected.back().size(); ++i) expected.back()[i] += static_cast<float>(i);
    }
    if (below(2) == 0) {
      m.made.output_edges.push_back(a.at);
      expected.push_back(a.values);
    }
    const auto g = detail::runtime_graph_of(m.made);
    const auto found = run(g, x);
    if (s.size() > jig::most_folded_elements) CHECK(g.view().count("Const") == 0);
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(elements(found[k]) == expected[k]);
  }
}

TEST_CASE("what is held: constants of more elements than passes fold, and no strings") {
  for (const jig::index n : {jig::most_folded_elements, jig::most_folded_elements + 1}) {
    jig::onnx::maker m{{}};
    const shape s{1, {n}};
    m.made.output_edges.push_back(m.add(m.argument({dtype::float32, s}, "x"), m.constant(counting(s))));
    CHECK(held::has_any(m.made.view()) == (n > jig::most_folded_elements));
    const held h(m.made.view());
    CHECK(h.values().size() == (n > jig::most_folded_elements ? 1 : 0));
    CHECK(h.rest().inputs().size() == 1 + h.values().size());
  }
  jig::onnx::maker m{{}};
  m.made.output_edges.push_back(m.constant(any_tensor::empty(dtype::string, {1, {1000}})));
  CHECK(!held::has_any(m.made.view()));
}

TEST_CASE("what repeats elements is no copy, and other ops stay") {
  jig::onnx::maker m{{}};
  const edge constant = m.constant(counting({2, {1, 300}}));
  const edge wide = m.broadcast_to(constant, {4, 300});
  m.made.output_edges.push_back(m.add(m.argument({dtype::float32, {2, {4, 300}}}, "x"), wide));
  m.made.output_edges.push_back(m.unary(jig::ops::exp, m.transpose(constant, {1, 0})));
  held h(m.made.view());
  h.go_on_with(h.rest().view());
  CHECK(h.values().size() == 2);
  CHECK(h.rest().count("Transpose") == 0);
  CHECK(h.rest().count("BroadcastTo") == 1);
  CHECK(h.rest().count("Exp") == 1);
  const auto found = run(detail::runtime_graph_of(m.made), {counting({2, {4, 300}})});
  CHECK(elements(found[0])[599] == 299.0f + 599.0f);
  CHECK(found[1].shape() == shape{2, {300, 1}});
}

TEST_CASE("calls of any extents, and graphs that run node by node") {
  auto constant = jig::zeros<float, 300>();
  for (int i = 0; i < 300; ++i) constant.data()[i] = static_cast<float>(i);
  const jig::tensor_spec floats{dtype::float32, {1, {jig::dyn}}};
  const auto of_constant = [&](auto x) { return jig::reduce_sum(jig::reduce_sum(x * 0 + 1) * constant); };
  const auto planned = detail::dynamic_trace("", [&](auto x) { return x + of_constant(x); }, floats);
  const auto sums = detail::runtime_graph_of(planned.graph);
  CHECK(sums.view().inputs().size() == 2);
  for (const jig::index n : {1, 5, 1, 700}) {
    const auto found = elements(run(sums, {counting({1, {n}})})[0]);
    CHECK(found.size() == static_cast<std::size_t>(n));
    CHECK(found[0] == doctest::Approx(44850.0 * static_cast<double>(n)));
  }
  const auto positive = detail::dynamic_trace("", [&](auto x) { return jig::boolean_mask(x, x > 2) + of_constant(x) / 5; }, floats);
  const auto g = detail::runtime_graph_of(positive.graph);
  for (int again = 0; again < 2; ++again) CHECK(elements(run(g, {counting({1, {5}})})[0]) == std::vector<float>{44853, 44854});
}
