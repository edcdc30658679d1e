// SPDX-License-Identifier: MIT
// The programs of TensorFlow's graph guides that decide and repeat, with what they print there.
#include <doctest/doctest.h>

#include <jig.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

// What a call prints.
template <class F, class... X>
std::string printed(const F& f, const X&... x) {
  std::ostringstream out;
  jig::set_print_stream(out);
  f(x...);
  jig::set_print_stream(std::cout);
  return out.str();
}

constexpr auto fizzbuzz = jig::function<"fizzbuzz(n)">([](auto n) {
  for (auto i : jig::range(1, n + 1)) {
    if (i % 15 == 0) jig::print("fizzbuzz", jig::beside(i));
    else if (i % 3 == 0) jig::print("fizz", jig::beside(i));
    else if (i % 5 == 0) jig::print("buzz", jig::beside(i));
    else jig::print(i);
  }
});

constexpr auto shrink = jig::function<"shrink(x)">([](auto x) {
  JIG_WHILE(jig::reduce_sum(x) > 1) {
    jig::print(x);
    x = jig::tanh(x);
  }
  return x;
});

// TensorFlow's tanh of floats: a rational function whose products are fused with the sums behind them.
[[maybe_unused]] float tanh_of_guide(float x) {
  const float a[] = {-2.76076847742355e-16f, 2.00018790482477e-13f, -8.60467152213735e-11f, 5.12229709037114e-08f,
                     1.48572235717979e-05f,  6.37261928875436e-04f, 4.89352455891786e-03f};
  const float b[] = {1.19825839466702e-06f, 1.18534705686654e-04f, 2.26843463243900e-03f, 4.89352518554385e-03f};
  const float square = x * x;
  float p = a[0], q = b[0];
  for (int k = 1; k < 7; ++k) p = std::fma(square, p, a[k]);
  for (int k = 1; k < 4; ++k) q = std::fma(square, q, b[k]);
  return x * p / q;
}
[[maybe_unused]] std::string row_of(const float (&x)[5]) {
  std::string line = "[";
  for (float v : x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", static_cast<double>(v));
    if (std::strtof(text, nullptr) != v) std::snprintf(text, sizeof text, "%.9g", static_cast<double>(v));
    line += (line.size() > 1 ? " " : "") + std::string(text);
  }
  return line + ']';
}

constexpr auto next_collatz = jig::function<"next_collatz(x)">([](auto x) { return jig::where(x % 2 == 0, x / 2, 3 * x + 1); });

constexpr auto recursive = [](auto self, auto x, auto n) {
  if constexpr (n == 0) return x * 0 + 1;
  else return self(self, x, jig::lit<n - 1>) * 1;
};

}  // namespace

TEST_CASE("for-range: fizzbuzz") {
  CHECK(printed(fizzbuzz, 5) == "1\n2\nfizz\n4\nbuzz\n");
  CHECK(printed(fizzbuzz, 20) == "1\n2\nfizz\n4\nbuzz\nfizz\n7\n8\nfizz\nbuzz\n11\nfizz\n13\n14\nfizzbuzz\n16\n17\nfizz\n19\nbuzz\n");
  CHECK(printed(fizzbuzz, 0).empty());
  constexpr const auto& g = fizzbuzz.get_concrete_function(jig::spec<int>()).graph();
  static_assert(g.count("While") == 1 && g.count("If") == 3 && g.count("PrintV2") == 4);
}

TEST_CASE("while: the 28 rows of the tanh loop") {
  jig::tensor<float, 5> x{0.666458249f, 0.713946581f, 0.723879576f, 0.330758929f, 0.184087753f};
  jig::tensor<float, 5> y;
  std::istringstream rows(printed([&] { y = shrink(x); }));
  std::vector<std::string> lines;
  for (std::string line; std::getline(rows, line);) lines.push_back(line);
  REQUIRE(lines.size() == 28);
  CHECK(lines.front() == "[0.666458249 0.713946581 0.723879576 0.330758929 0.184087753]");
  const float end[] = {0.21746822f, 0.21890487f, 0.21917202f, 0.18925412f, 0.14400077f};
  for (jig::index i = 0; i < 5; ++i) CHECK(std::abs(y(i) - end[i]) < 1e-6f);
#if defined(__FMA__) || defined(__aarch64__)
  // To the last digit where products are fused as they were there.
  CHECK(lines.back() == "[0.220997125 0.222505584 0.222786173 0.191563457 0.145008713]");
  for (jig::index i = 0; i < 5; ++i) CHECK(y(i) == end[i]);
  float row[] = {0.666458249f, 0.713946581f, 0.723879576f, 0.330758929f, 0.184087753f};
  for (const auto& line : lines) {
    CHECK(line == row_of(row));
    for (float& v : row) v = tanh_of_guide(v);
  }
#endif
}

TEST_CASE("non-strict: an unused gather out of range runs in eager mode only") {
  static constexpr auto unused = jig::function<"unused(x)">([](auto x) {
    (void)jig::gather(x, 1);
    return x;
  });
  static_assert(unused.get_concrete_function(jig::spec<float, 1>()).optimized_graph().count("GatherV2") == 0);
  CHECK(unused(jig::tensor<float, 1>{0})(0) == 0.0f);
  CHECK_THROWS_AS(jig::gather(jig::tensor<float, 1>{0}, 1), jig::invalid_argument);
}

TEST_CASE("input-signature: next_collatz") {
  std::ostringstream out;
  out << next_collatz(jig::tensor<int, 2>{1, 2});
  CHECK(out.str() == "tf.Tensor([4 1], shape=(2,), dtype=int32)");
  // One trace for all lengths.
  CHECK(next_collatz(std::vector<int>{1, 2, 3})[2]() == 10);
  CHECK(next_collatz(std::vector<int>{6})[0]() == 3);
}

TEST_CASE("recursion: on literals it is part of the trace") {
  static constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) { return recursive(recursive, x, n); });
  CHECK(f(7, jig::lit<5>)() == 1);
  static_assert(f.get_concrete_function(jig::spec<int>(), jig::lit<5>).graph().count("Mul") == 6);
}

TEST_CASE("if: simple_relu has one If with two bodies") {
  static constexpr auto simple_relu = jig::function<"simple_relu(x)">([](auto x) {
    if (x > 0) return x;
    return jig::zeros_like(x);
  });
  constexpr const auto& g = simple_relu.get_concrete_function(jig::spec<int>()).graph();
  static_assert(g.count("If") == 1 && g.bodies_.size() == 2);
  CHECK(simple_relu(1)() == 1);
  CHECK(simple_relu(-1)() == 0);
}
