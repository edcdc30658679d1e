// SPDX-License-Identifier: MIT
#include <jig/io/embedded_function.hpp>

#include <jig.hpp>

#include "embedded_models.hpp"

#include <jig/io/loaded_function.hpp>

#include <doctest/doctest.h>

#include <cmath>

// With Clang the strings of libstdc++ 12 are no constants.
#if !defined __clang__ || !defined _GLIBCXX_RELEASE || _GLIBCXX_RELEASE > 12

using jig::any_tensor, jig::dyn, jig::spec, jig::tensor;

namespace {

// The first model: tanh(x w + b), of two columns.
float dense(const float* x, int column) {
  const float w[] = {0.5f, -1.0f, 0.25f, 2.0f, -0.75f, 0.125f}, b[] = {0.1f, -0.2f};
  float sum = b[column];
  for (int k = 0; k < 3; ++k) sum += x[k] * w[2 * k + column];
  return std::tanh(sum);
}
template <jig::index N>
tensor<float, N, 3> rows() {
  tensor<float, N, 3> x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = std::sin(static_cast<float>(3 * i + 1));
  return x;
}

constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::embedded_function<dense_graph_def>(x) * 2; });

// What the interpreter makes of the same bytes.
template <const auto& Bytes>
std::vector<any_tensor> interpreted(const std::vector<any_tensor>& x) {
  const std::string bytes(std::begin(Bytes), std::end(Bytes));
  const auto g = jig::detail::graph_of_graph_def(bytes, "file", {});
  const auto results = jig::detail::run_graph(jig::detail::runtime_graph_of(g.graph), jig::stretch<any_tensor>(x.data(), x.size()));
  return {results.begin(), results.end()};
}

template <const auto& Bytes>
std::string refusal_of(std::initializer_list<jig::tensor_spec> specs) {
  const jig::list<jig::tensor_spec> given(specs);
  const auto made = jig::detail::expand(jig::detail::embedded_op<Bytes>, given, {});
  return made.failed() ? std::string(made.why().view()) : "";
}

}  // namespace

static_assert(f.get_concrete_function(spec<float, dyn, 3>{}).graph().count("MatMul") == 1);
static_assert(f.get_concrete_function(spec<float, 5, 3>{}).graph().count("PartitionedCall") == 0);
// Extents that only the arguments know are known.
static_assert(f.get_concrete_function(spec<float, 5, 3>{}).structured_outputs().value().shape == jig::shape{2, {5, 2}});

TEST_CASE("a model in the program computes what a plain loop does, with extents that are known and with wildcards") {
  const auto x = rows<5>();
  const auto wild = tensor<float, dyn, 3>(x);
  const auto known = f(x);
  const auto any = f(wild);
  const auto eager = jig::embedded_function<dense_graph_def>(x);
  for (jig::index r = 0; r < 5; ++r)
    for (int c = 0; c < 2; ++c) {
      const float expected = dense(x.data() + 3 * r, c);
      CHECK(known(r, c) == doctest::Approx(2 * expected));
      CHECK(any(r, c) == doctest::Approx(2 * expected));
      CHECK(eager(r, c) == doctest::Approx(expected));
    }
  CHECK(f(tensor<float, dyn, 3>(jig::zeros<float, 0, 3>())).size() == 0);
}

TEST_CASE("gradients go through it") {
  constexpr auto slope =
      jig::function<"slope(x)">([](auto x) { return jig::gradient(jig::reduce_sum(jig::embedded_function<dense_graph_def>(x)), x); });
  auto x = rows<2>();
  const auto found = slope(x);
  for (jig::index i = 0; i < x.size(); ++i) {
    const auto sum = [&](float by) {
      auto moved = x;
      moved.data()[i] += by;
      double out = 0;
      for (jig::index r = 0; r < 2; ++r)
        for (int c = 0; c < 2; ++c) out += static_cast<double>(dense(moved.data() + 3 * r, c));
      return out;
    };
    CHECK(static_cast<double>(found.data()[i]) == doctest::Approx((sum(1e-2f) - sum(-1e-2f)) / 2e-2).epsilon(1e-3));
  }
}

TEST_CASE("branches, loops and several results") {
  constexpr auto relu = jig::function<"relu(n)">([](auto n) { return jig::embedded_function<relu_graph_def>(n); });
  CHECK(relu(5) == 5);
  CHECK(relu(-4) == 0);
  constexpr auto trips = jig::function<"trips(x)">([](auto x) {
    auto [y, n] = jig::embedded_function<trips_graph_def>(x);
    return std::make_tuple(y + 1, n);
  });
  static_assert(trips.get_concrete_function(spec<float, 5>{}).graph().count("While") == 1);
  tensor<float, 5> x{0.66f, 0.71f, 0.72f, 0.33f, 0.18f};
  const auto [y, n] = trips(x);
  int count = 0;
  const auto sum = [&] { return x(0) + x(1) + x(2) + x(3) + x(4); };
  for (; sum() > 1; ++count)
    for (auto& e : x) e = std::tanh(e);
  CHECK(n == count);
  for (jig::index i = 0; i < 5; ++i) CHECK(y(i) == doctest::Approx(x(i) + 1));
  // In constant evaluation and eagerly.
  const auto [z, m] = jig::embedded_function<trips_graph_def>(tensor<float, 5>{0.1f, 0.2f, 0.1f, 0.2f, 0.1f});
  CHECK(m == 0);
  CHECK(z(1) == 0.2f);
}

TEST_CASE("a convolutional model computes what the interpreter does, and run-time tensors may be its arguments") {
  constexpr auto picture = jig::function<"picture(x)">([](auto x) { return jig::embedded_function<picture_graph_def>(x); });
  tensor<float, 2, 4, 4, 1> x;
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = std::sin(static_cast<float>(i));
  const auto expected = interpreted<picture_graph_def>({any_tensor(x)})[0];
  const auto compiled = picture(x);
  const any_tensor dynamic = picture(any_tensor(x));
  REQUIRE(expected.size() == compiled.size());
  REQUIRE(dynamic.shape() == expected.shape());
  for (jig::index i = 0; i < compiled.size(); ++i) {
    const float e = static_cast<const float*>(expected.data())[i];
    CHECK(compiled.data()[i] == doctest::Approx(e));
    CHECK(static_cast<const float*>(dynamic.data())[i] == doctest::Approx(e));
  }
}

TEST_CASE("arguments that do not fit are refused in one sentence") {
  using jig::dtype, jig::shape;
  CHECK(refusal_of<dense_graph_def>({{dtype::float32, {2, {4, 3}}}}).empty());
  CHECK(refusal_of<dense_graph_def>({{dtype::int32, {2, {4, 3}}}}) ==
        "embedded_function: argument 0 is int32 (4, 3), the model takes float32 (None, 3)");
  CHECK(refusal_of<dense_graph_def>({{dtype::float32, {2, {4, 2}}}}) ==
        "embedded_function: argument 0 is float32 (4, 2), the model takes float32 (None, 3)");
  CHECK(refusal_of<dense_graph_def>({{dtype::float32, {2, {4, 3}}}, {dtype::float32, {}}}) ==
        "embedded_function: the number of arguments is 2, the model takes 1");
  // A branch that was written for any extent takes that only.
  CHECK(refusal_of<trips_graph_def>({{dtype::float32, {1, {dyn}}}}) == "While: an operand is float32 (None,), not float32 (5,)");
}

#endif
