// SPDX-License-Identifier: MIT
#include "../counting.hpp"
#include "../printed.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using jig::any_tensor;

constexpr auto affine = jig::function<"affine(x, y)">([](auto x, auto y) { return x * y + 1; });

}  // namespace

TEST_CASE("a call with run-time tensors runs the graph of their dtypes and shapes, which is traced once") {
  const int before = affine.experimental_get_tracing_count();
  const any_tensor y = affine(counting(3), counting(3));
  CHECK(y.dtype() == jig::dtype::float32);
  for (int i = 0; i < 3; ++i) CHECK(y.as<float>()(i) == static_cast<float>(i * i + 1));
  affine(counting(3), counting(3));
  CHECK(affine.experimental_get_tracing_count() == before + 1);
  const any_tensor z = affine(any_tensor(jig::tensor<int, 2, 1>{{2}, {3}}), any_tensor(jig::tensor<int, 2>{10, 20}));
  CHECK(z.shape() == jig::shape{2, {2, 2}});
  CHECK(z.as<int>()(1, 0) == 31);
  CHECK(affine.experimental_get_tracing_count() == before + 2);
}

TEST_CASE("static and run-time signatures are counted and printed together") {
  constexpr auto g = jig::function<"g(x)">([](auto x) { return x + x; });
  CHECK(g(jig::tensor<int, 2>{1, 2})(1) == 4);
  CHECK(g(any_tensor(jig::tensor<double, 1>{1.5})).as<double>()(0) == 3);
  CHECK(g.experimental_get_tracing_count() == 2);
  CHECK(g.pretty_printed_concrete_signatures() ==
        "g(x)\n  Args:\n    x: int32 Tensor, shape=(2,)\n  Returns:\n    int32 Tensor, shape=(2,)\n\n"
        "g(x)\n  Args:\n    x: float64 Tensor, shape=(1,)\n  Returns:\n    float64 Tensor, shape=(1,)\n");
}

TEST_CASE("what a call is refused for leaves the function as it was") {
  constexpr auto h = jig::function<"h(x, y)">([](auto x, auto y) { return x + y; });
  CHECK(complaint([&] { h(counting(3), counting(4)); }) == "AddV2: shapes do not broadcast: float32 (3,) and float32 (4,)");
  CHECK(complaint([&] { h(counting(3), any_tensor(jig::ones<double, 3>())); }) ==
        "AddV2: dtypes differ, convert one with jig::cast: float32 (3,) and float64 (3,)");
  CHECK(h.experimental_get_tracing_count() == 0);
  CHECK(h(counting(3), counting(3)).as<float>()(2) == 4);
  CHECK(h.experimental_get_tracing_count() == 1);
}

TEST_CASE("one warning when half of the last ten calls traced") {
  static std::ostringstream out;  // other tests may warn later
  jig::set_warning_stream(out);
  auto f = jig::dynamic_function("slow(x)", [](auto x) { return x + x; });
  for (int k = 1; k < 5; ++k) f(counting(k));
  for (int k = 0; k < 3; ++k) f(counting(1));
  CHECK(out.str().empty());
  f(counting(5));
  CHECK(out.str().find("WARNING: 5 out of the last 10 calls to slow triggered retracing") == 0);
  const auto length = out.str().size();
  for (int k = 6; k < 20; ++k) f(counting(k));
  CHECK(out.str().size() == length);

  out.str("");
  auto calm = jig::dynamic_function("calm(x)", [](auto x) { return x + x; });
  for (int k = 0; k < 40; ++k) calm(counting(1 + k / 3));
  CHECK(out.str().empty());
}

TEST_CASE("threads may call one function at the same time") {
  auto f = jig::dynamic_function("f(x, y)", [](auto x, auto y) { return x * y + 1; });
  constexpr int threads = 4, shapes = 6;
  std::vector<int> wrong(threads);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      for (int k = 0; k < 120; ++k) {
        const jig::index n = 1 + (k + t) % shapes;
        const any_tensor y = f(counting(n), counting(n));
        for (jig::index i = 0; i < n; ++i) wrong[static_cast<std::size_t>(t)] += y.as<float>()(i) != static_cast<float>(i * i + 1);
      }
    });
  for (auto& t : running) t.join();
  for (int w : wrong) CHECK(w == 0);
  CHECK(f.experimental_get_tracing_count() == shapes);
}
