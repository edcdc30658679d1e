// SPDX-License-Identifier: MIT
#include <jig/runtime/runtime_graph.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <thread>
#include <vector>

namespace {

using jig::any_tensor;
using jig::dtype;
using jig::index;
namespace detail = jig::detail;

template <class F, class... Spec>
detail::runtime_graph<> made(F f, Spec... specs) {
  return detail::runtime_graph_of(detail::dynamic_trace("", f, specs...).graph);
}
jig::tensor_spec vector_of(dtype d) { return {d, {1, {jig::dyn}}}; }

any_tensor counting(index n) {
  jig::tensor<float, jig::dyn> x(jig::uninitialized, {1, {n}});
  for (index i = 0; i < n; ++i) x.data()[i] = static_cast<float>(i);
  return any_tensor(x);
}
std::vector<any_tensor> run(const detail::runtime_graph<>& g, std::vector<any_tensor> x) { return g({x.data(), x.size()}); }

// 2 x + 1 and the sum of x, of n numbers.
auto twice_and_sum(auto x) { return std::tuple(x * 2 + 1, jig::reduce_sum(x)); }
int wrong(const std::vector<any_tensor>& out, index n) {
  if (out.size() != 2 || out[0].shape() != jig::shape{1, {n}} || out[1].rank() != 0) return 1;
  int count = out[1].as<float>()() != static_cast<float>(n * (n - 1) / 2);
  for (index i = 0; i < n; ++i) count += out[0].as<float>()(i) != static_cast<float>(2 * i + 1);
  return count;
}

TEST_CASE("it goes through the passes, and runs on all shapes, on more than there are plans for") {
  const auto g = made([](auto x) { return twice_and_sum(-(-x)); }, vector_of(dtype::float32));
  CHECK(g.view().count("Neg") == 0);
  for (int again = 0; again < 2; ++again)
    for (index n = 0; n < detail::runtime_graph<>::most_plans + 6; ++n) {
      CAPTURE(n);
      CHECK(wrong(run(g, {counting(n)}), n) == 0);
    }
}

TEST_CASE("arguments that lie with strides, and more of them than most calls have") {
  const auto sums = made([](auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h, auto i, auto k, auto l, auto m,
                            auto n) { return a + b + c + d + e + f + g + h + i + k + l + m - n; },
                         vector_of(dtype::float32), vector_of(dtype::float32), vector_of(dtype::float32), vector_of(dtype::float32),
                         vector_of(dtype::float32), vector_of(dtype::float32), vector_of(dtype::float32), vector_of(dtype::float32),
                         vector_of(dtype::float32), vector_of(dtype::float32), vector_of(dtype::float32), vector_of(dtype::float32),
                         vector_of(dtype::float32));
  std::vector<float> memory(20);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
  const jig::view<const float, jig::dyn> every_other(memory.data(), jig::shape{1, {5}}, jig::shape{1, {4}});
  std::vector<any_tensor> x(13, counting(5));
  x[3] = any_tensor::viewing(every_other);
  const auto out = run(sums, x);
  for (index i = 0; i < 5; ++i) CHECK(out[0].as<float>()(i) == static_cast<float>(10 * i + 4 * i));
}

TEST_CASE("extents that only the run tells: node by node, whatever the shapes are") {
  const auto positive = made([](auto x) { return jig::boolean_mask(x, x > 2) * 10; }, vector_of(dtype::float32));
  for (index n : {0, 1, 3, 4, 70}) {
    const auto out = run(positive, {counting(n)});
    const index kept = n > 3 ? n - 3 : 0;
    REQUIRE(out[0].shape() == jig::shape{1, {kept}});
    for (index i = 0; i < kept; ++i) CHECK(out[0].as<float>()(i) == static_cast<float>(10 * (i + 3)));
  }
}

TEST_CASE("loops that keep every trip for their gradient") {
  const auto slope = made(
      [](auto x, auto n) {
        auto y = x;
        for ([[maybe_unused]] auto i : jig::range(n)) y = y * x;
        return jig::gradient(y, x);
      },
      jig::tensor_spec{dtype::float64, {}}, jig::tensor_spec{dtype::int32, {}});
  for (int n : {0, 1, 2, 5}) {
    double expected = n + 1;
    for (int k = 0; k < n; ++k) expected *= 1.5;
    CHECK(run(slope, {any_tensor(1.5), any_tensor(n)})[0].as<double>()() == doctest::Approx(expected));
  }
}

TEST_CASE("threads call it at the same time, each with shapes of its own") {
  const auto g = made([](auto x) { return twice_and_sum(x); }, vector_of(dtype::float32));
  constexpr int threads = 4;
  int count[threads] = {};
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      for (index n = 0; n < 40; ++n) count[t] += wrong(run(g, {counting((n + 10 * t) % 40)}), (n + 10 * t) % 40);
    });
  for (auto& t : all) t.join();
  for (int c : count) CHECK(c == 0);
}

}  // namespace
