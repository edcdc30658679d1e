// SPDX-License-Identifier: MIT
// Loops and branches: traced control flow beside the plain C++ loop.

#include "workload.hpp"

namespace {

constexpr auto collatz_length = jig::function<"collatz_length(n)">([](auto n) {
  auto steps = jig::zeros_like(n);
  JIG_WHILE(n != 1) {
    n = jig::where(n % 2 == 0, n / 2, 3 * n + 1);
    steps = steps + 1;
  }
  return steps;
});

constexpr auto collatz_with_if = jig::function<"collatz_length(n)">([](auto n) {
  auto steps = jig::zeros_like(n);
  JIG_WHILE(n != 1) {
    if (n % 2 == 0) n = n / 2;
    else n = 3 * n + 1;
    steps = steps + 1;
  }
  return steps;
});

constexpr auto gcd = jig::function<"gcd(a, b)">([](auto a, auto b) {
  JIG_WHILE(b != 0) {
    auto rest = a % b;
    a = b;
    b = rest;
  }
  return a;
});

// Codes in place of words: 15 for FizzBuzz, 3, 5, or the number itself; their sum.
constexpr auto fizzbuzz = jig::function<"fizzbuzz(n)">([](auto n) {
  auto sum = jig::zeros_like(n);
  for (auto i : jig::range(1, n + 1)) {
    if (i % 15 == 0) sum = sum + 15;
    else if (i % 5 == 0) sum = sum + 5;
    else if (i % 3 == 0) sum = sum + 3;
    else sum = sum + i;
  }
  return sum;
});

constexpr auto shrink = jig::function<"shrink(x)">([](auto x) {
  JIG_WHILE(jig::reduce_sum(x) > 1) { x = jig::tanh(x); }
  return x;
});

constexpr auto dynamic_rnn = jig::function<"dynamic_rnn(input, state)">([](auto input, auto state) {
  auto steps = jig::transpose<1, 0, 2>(input);
  auto states = jig::tensor_array(jig::extent<0>(steps), state);
  for (auto i : jig::range(jig::extent<0>(steps))) {
    state = jig::gather(steps, i) + state;
    states = states.write(i, state);
  }
  return jig::transpose<1, 0, 2>(states.stack());
});

void add_collatz() {
  static std::int32_t n = 77031, out = 0;
  bench::workload row("collatz", std::to_string(n), out);
  row.add("loop", [] {
    std::int32_t steps = 0;
    for (std::int32_t k = n; k != 1; ++steps) k = k % 2 == 0 ? k / 2 : 3 * k + 1;
    out = steps;
  });
  row.add("jig", [] { collatz_length.into(out, n); });
  row.add("jig, with if", [] { collatz_with_if.into(out, n); });
}

// Many pairs: the number of trips of one pair alone is soon known to the branch predictor, or not,
// by how the loop happens to lie in memory.
void add_gcd() {
  constexpr std::size_t pairs = 1000;
  static std::vector<std::int32_t> a(pairs), b(pairs), out(pairs);
  bench::fill(1, std::numeric_limits<std::int32_t>::max(), a, b);
  bench::workload row("gcd", "1000 pairs", out);
  row.add("loop", [] {
    for (std::size_t i = 0; i < pairs; ++i) {
      std::int32_t x = a[i], y = b[i];
      while (y != 0) {
        std::int32_t rest = x % y;
        x = y;
        y = rest;
      }
      out[i] = x;
    }
  });
  row.add("jig", [] {
    for (std::size_t i = 0; i < pairs; ++i) gcd.into(out[i], a[i], b[i]);
  });
}

void add_fizzbuzz() {
  static std::int32_t n = 1000, out = 0;
  bench::workload row("fizzbuzz", std::to_string(n), out);
  row.add("loop", [] {
    std::int32_t sum = 0;
    for (std::int32_t i = 1; i < n + 1; ++i) {
      if (i % 15 == 0) sum += 15;
      else if (i % 5 == 0) sum += 5;
      else if (i % 3 == 0) sum += 3;
      else sum += i;
    }
    out = sum;
  });
  row.add("jig", [] { fizzbuzz.into(out, n); });
}

void add_shrink() {
  static jig::tensor<float, 5> x{0.666458249f, 0.713946581f, 0.723879576f, 0.330758929f, 0.184087753f}, out;
  bench::workload row("tanh loop", "5", out);
  row.add("loop", [] {
    float y[5];
    for (int i = 0; i < 5; ++i) y[i] = x.data()[i];
    while (y[0] + y[1] + y[2] + y[3] + y[4] > 1)
      for (float& v : y) v = std::tanh(v);
    for (int i = 0; i < 5; ++i) out.data()[i] = y[i];
  });
  row.add("jig", [] { shrink.into(out, x); });
}

void add_rnn() {
  // 50 steps: at a stride of a power of two all sequences would lie in the same few sets of the cache.
  constexpr jig::index batch = 8, time = 50, features = 32;
  static jig::tensor<float, batch, time, features> input, out;
  static jig::tensor<float, batch, features> state;
  bench::fill(-1, 1, input, state);
  bench::workload row("dynamic RNN", "8x50x32", out);
  row.add("loop", [] {
    jig::tensor<float, batch, features> now = state;
    for (jig::index t = 0; t < time; ++t)
      for (jig::index b = 0; b < batch; ++b)
        for (jig::index f = 0; f < features; ++f) {
          float& s = now.data()[b * features + f];
          s += input.data()[(b * time + t) * features + f];
          out.data()[(b * time + t) * features + f] = s;
        }
  });
  row.add("jig", [] { dynamic_rnn.into(out, input, state); });
}

}  // namespace

int main(int argc, char** argv) {
  add_collatz();
  add_gcd();
  add_fizzbuzz();
  add_shrink();
  add_rnn();
  return bench::run(argc, argv);
}
