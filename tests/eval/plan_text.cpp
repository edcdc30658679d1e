// SPDX-License-Identifier: MIT
#include <jig/eval/plan_text.hpp>

#include <jig.hpp>
#include <jig/gradient.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace {

constexpr auto middle = [](auto x) { return jig::strided_slice<jig::range_of(2, -3)>(x); };

template <jig::text Signature>
std::string text_of(auto lambda, auto... key) {
  return jig::to_text(jig::function<Signature>(lambda).get_concrete_function(key...).plan());
}

}  // namespace

TEST_CASE("a loop: what it reads, computes and stores, and where that lies") {
  CHECK(text_of<"f(x, y)">([](auto x, auto y) { return jig::tanh(x * y + 1); }, jig::spec<float, 8>(), jig::spec<float, 8>()) ==
        "loop (8,): x [argument 0], y [argument 1], add/y [1.0] -> mul, add -> Tanh [result 0]\n");
}

TEST_CASE("streams print plans") {
  constexpr auto f = jig::function<"f(x)">([](auto x) { return x + x; });
  std::ostringstream out;
  out << f.get_concrete_function(jig::spec<float, 8>()).plan() << "end";
  CHECK(out.str() == "loop (8,): x [argument 0] -> add [result 0]\nend");
}

TEST_CASE("extents that a call tells have names, and those that follow from them are told") {
  CHECK(text_of<"f(x, y)">([](auto x, auto y) { return jig::concat<0>(x, y) + 1; }, jig::spec<float, jig::dyn>(),
                           jig::spec<float, jig::dyn>()) ==
        "n0 = extent 0 of x\n"
        "n1 = extent 0 of y\n"
        "n2 = n0 + n1\n"
        "kernel (n2,): x [argument 0], y [argument 1] -> ConcatV2 [result 0]\n"
        "loop (n2,): ConcatV2 [result 0], add/y [1.0] -> add [result 0]\n");
  CHECK(text_of<"f(x)">([](auto x) { return jig::boolean_mask(x, x > 0); }, jig::spec<float, jig::dyn>()) ==
        "n0 = extent 0 of x\n"
        "n1 <= n0, which Where tells\n"
        "loop (n0,): x [argument 0], Greater/y [0.0] -> Greater [slot 0]\n"
        "kernel (n1, 1): Greater [slot 0] -> Where [slot 1]\n"
        "kernel (n1,): EnsureShape [as x [argument 0]], Squeeze [as Where [slot 1]] -> GatherV2 [result 0]\n"
        "slot 0: as large as Greater for Greater\n"
        "slot 1: as large as Where for Where\n");
}

TEST_CASE("views, blocks, parts and padded_reads of memory") {
  CHECK(text_of<"f(x)">([](auto x) { return jig::transpose(x) + 1; }, jig::spec<float, 3, 2>()) ==
        "loop (2, 3): Transpose [view of x [argument 0]], add/y [1.0] -> add [result 0]\n");
  CHECK(text_of<"f(x, i)">([](auto x, auto i) { return jig::gather<0>(x, i) + 1; }, jig::spec<float, 3, 2>(), jig::spec<int>()) ==
        "loop (2,): GatherV2 [part of x [argument 0] at i], add/y [1.0] -> add [result 0]\n");
  CHECK(text_of<"f(x)">([](auto x) { return jig::gradient(jig::reduce_sum(jig::square(middle(x))), x); }, jig::spec<float, 100>()) ==
        "loop (100,): add/x [0.0], PadV2_1 [padded read from 2 of BroadcastTo/x [True]], mul/x [2.0], "
        "PadV2 [padded read from 2 of StridedSlice [from 2 of x [argument 0]]], Const [0.0] -> mul, SelectV2 -> add [result 0]\n");
}

TEST_CASE("an element that is put into an array beside what a loop reads") {
  constexpr auto put = [](auto a, auto i, auto x) { return jig::call<jig::ops::array_write>(a, i, x + 1); };
  CHECK(text_of<"f(a, i, x)">(put, jig::spec<float, 4, 8>(), jig::spec<int>(), jig::spec<float, 8>()) ==
        "loop (8,): x [argument 2], add/y [1.0] -> add -> TensorListSetItem [result 0] beside a [argument 0], i [argument 1]\n");
}

TEST_CASE("branches and loops are steps; their bodies have plans of their own") {
  CHECK(text_of<"f(n)">(
            [](auto n) {
              auto x = n;
              for (auto i : jig::range(n)) x += i;
              return x;
            },
            jig::spec<int>())
            .find("control ():") == 0);
}

TEST_CASE("slots name what they hold, one value after another") {
  constexpr auto chain = [](auto x, auto w) { return jig::matmul(jig::matmul(jig::matmul(x, w), w), w); };
  CHECK(text_of<"f(x, w)">(chain, jig::spec<float, 8, 8>(), jig::spec<float, 8, 8>()) ==
        "kernel (8, 8): x [argument 0], w [argument 1] -> MatMul [slot 0]\n"
        "kernel (8, 8): MatMul [slot 0], w [argument 1] -> MatMul_1 [slot 1]\n"
        "kernel (8, 8): MatMul_1 [slot 1], w [argument 1] -> MatMul_2 [result 0]\n"
        "slot 0: 256 bytes for MatMul\n"
        "slot 1: 256 bytes for MatMul_1\n");
}

TEST_CASE("a number of another size is converted before the loop that needs it, not in every trip") {
  constexpr auto f = [](auto x, auto k) { return x * (k + 1) + 1; };
  const std::string in_loop = text_of<"f(x, k)">(f, jig::spec<float, 40>(), jig::weak_spec<int>());
  CHECK(in_loop.find("Cast, ") != std::string::npos);
  CHECK(std::count(in_loop.begin(), in_loop.end(), '\n') == 1);
  const std::string before = text_of<"f(x, k)">(f, jig::spec<float, 40>(), jig::weak_spec<double>());
  CHECK(before.find("loop (): k [argument 1], add/y [1.0] -> add -> Cast [") == 0);
  CHECK(before.find("\nloop (40,): x [argument 0], Cast [") != std::string::npos);
}
